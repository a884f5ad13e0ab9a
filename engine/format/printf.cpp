#include "engine/format/printf.h"
#include <algorithm>
#include <array>
namespace dscope::format {
namespace {
constexpr std::string_view kInteger = "char, short, int, long, or long long";
constexpr std::string_view kCharacter = "char, short, or int";
constexpr std::string_view kFloating = "float, double, or long double";
constexpr std::string_view kAddress = "pointer or integer";
constexpr std::string_view kUserAddress = "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)";
constexpr std::string_view kString = "char [] or string (or use stringof)";
constexpr std::string_view kWideString = "wchar_t []";

// Source: Solaris Dynamic Tracing Guide, "Output Formatting", tables of conversion formats and size prefixes.
constexpr std::array kRows = std::to_array<ConversionRow>({
    {"a", Takes::KernelAddress, kAddress},
    {"A", Takes::UserAddress, kUserAddress},
    {"c", Takes::Character, kCharacter},
    {"C", Takes::Character, kCharacter},
    {"d", Takes::Integer, kInteger},
    {"i", Takes::Integer, kInteger},
    {"u", Takes::Integer, kInteger},
    {"o", Takes::Integer, kInteger},
    {"x", Takes::Integer, kInteger},
    {"X", Takes::Integer, kInteger},
    {"e", Takes::Floating, kFloating},
    {"E", Takes::Floating, kFloating},
    {"f", Takes::Floating, kFloating},
    {"g", Takes::Floating, kFloating},
    {"G", Takes::Floating, kFloating},
    {"k", Takes::Stack, "stack"},
    {"p", Takes::Pointer, kAddress},
    {"s", Takes::String, kString},
    {"S", Takes::String, kString},
    {"ls", Takes::WideString, kWideString},
    {"ws", Takes::WideString, kWideString},
    {"T", Takes::Time, "int64_t"},
    {"Y", Takes::Time, "int64_t"},
    {"hd", Takes::Exact, "short"},
    {"hi", Takes::Exact, "short"},
    {"ho", Takes::Exact, "unsigned short"},
    {"hu", Takes::Exact, "unsigned short"},
    {"hx", Takes::Exact, "short"},
    {"hX", Takes::Exact, "short"},
    {"lc", Takes::Exact, "int"},
    {"wc", Takes::Exact, "int"},
    {"ld", Takes::Exact, "long"},
    {"li", Takes::Exact, "long"},
    {"lo", Takes::Exact, "unsigned long"},
    {"lu", Takes::Exact, "unsigned long"},
    {"lx", Takes::Exact, "long"},
    {"lX", Takes::Exact, "long"},
    {"lld", Takes::Exact, "long long"},
    {"lli", Takes::Exact, "long long"},
    {"llo", Takes::Exact, "unsigned long long"},
    {"llu", Takes::Exact, "unsigned long long"},
    {"llx", Takes::Exact, "long long"},
    {"llX", Takes::Exact, "long long"},
    {"Le", Takes::Exact, "long double"},
    {"LE", Takes::Exact, "long double"},
    {"Lf", Takes::Exact, "long double"},
    {"Lg", Takes::Exact, "long double"},
    {"LG", Takes::Exact, "long double"},
});

const ConversionRow* find(std::string_view name)
{
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const ConversionRow& r) { return r.name == name; });
    return row == kRows.end() ? nullptr : &*row;
}

/// Reads one format from left to right.
class FormatParser {
public:
    explicit FormatParser(std::string_view format) : m_format(format) { }

    Result<std::vector<Conversion>> parse()
    {
        std::vector<Conversion> all;
        Conversion next;
        int number = 0;
        while (m_at < m_format.size()) {
            const char c = m_format[m_at++];
            if (c != '%') {
                next.literal += c;
                continue;
            }
            next.at = m_at - 1;
            next.number = ++number;
            if (m_at < m_format.size() && m_format[m_at] == '%') {
                ++m_at;
                next.literal += '%';
                continue;
            }
            if (auto done = conversion(next); !done) return std::move(done).error();
            all.push_back(std::move(next));
            next = {};
        }
        if (!next.literal.empty()) all.push_back(std::move(next));
        return all;
    }

private:
    /// The rest of a conversion after its '%'.
    Result<> conversion(Conversion& c)
    {
        bool dot = false, digits = false;
        while (m_at < m_format.size()) {
            const char ch = m_format[m_at++];
            switch (ch) {
            case '-': setFlag(c, '-', '0'); break;
            case '+':
            case ' ':
            case '#':
            case '\'': setFlag(c, ch, 0); break;
            case '0':
            case '1':
            case '2':
            case '3':
            case '4':
            case '5':
            case '6':
            case '7':
            case '8':
            case '9':
                if (ch == '0' && !dot && !digits) {
                    setFlag(c, '0', '-');
                    break;
                }
                --m_at;
                (dot ? c.precision : c.width) = number();
                digits = true;
                break;
            case '*': {
                int& part = dot ? c.precision : c.width;
                if (part == Conversion::kFromArgument)
                    return wrong(c, std::string("has more than one '*' specified for the output ") + (dot ? "precision" : "width"));
                part = Conversion::kFromArgument;
                break;
            }
            case '.':
                if (dot) return wrong(c, "has more than one '.' specified");
                dot = true;
                digits = false;
                c.precision = 0;
                break;
            case '?': c.width = 16; break; // wide enough for a pointer
            case '@': c.aggregationValue = true; break;
            case '$': return wrong(c, "uses unsupported positional format (%n$)");
            case '%': return wrong(c, "cannot be combined with other format flags: %%");
            case 'h':
            case 'l':
            case 'L':
            case 'w':
                if (c.size.size() < 6) c.size += ch;
                break;
            default:
                c.verb = ch;
                if (!find(c.name())) return wrong(c, "is undefined: %" + c.name());
                return {};
            }
        }
        return wrong(c, "name expected before end of format string");
    }

    int number()
    {
        int n = 0;
        for (; m_at < m_format.size() && m_format[m_at] >= '0' && m_format[m_at] <= '9'; ++m_at)
            n = std::min(n * 10 + (m_format[m_at] - '0'), kWidestField);
        return n;
    }

    static void setFlag(Conversion& c, char flag, char excludes)
    {
        std::erase(c.flags, excludes);
        if (c.flags.find(flag) == std::string::npos) c.flags += flag;
    }
    static Error wrong(const Conversion& c, const std::string& what)
    {
        return Error{0, "format conversion #" + std::to_string(c.number) + ' ' + what};
    }

    std::string_view m_format;
    std::size_t m_at = 0;
};
} // namespace

Result<std::vector<Conversion>> parseFormat(std::string_view format) { return FormatParser(format).parse(); }

const ConversionRow* rowOf(const Conversion& conversion) { return conversion.verb ? find(conversion.name()) : nullptr; }
} // namespace dscope::format
