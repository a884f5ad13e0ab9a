#include "engine/demangle/rust.h"
#include "engine/demangle/rust_text.h"
#include <algorithm>
#include <cctype>
#include <charconv>
namespace dscope::demangle {
namespace {
constexpr int kDeepestPath = 200;
constexpr int kMostParts = 100'000;
constexpr std::size_t kMostText = 1u << 16;

/// Recursive descent over a v0 symbol; anything unexpected sets m_ok to false and unwinds.
class RustV0 {
public:
    explicit RustV0(std::string_view symbol) : m_in(symbol) { }

    std::optional<std::string> run()
    {
        if (std::isdigit(static_cast<unsigned char>(peek()))) return std::nullopt; // a version of the encoding yet to come
        path(In::Value);
        if (m_ok && std::isupper(static_cast<unsigned char>(peek()))) quietly([this] { path(In::Type); }); // the instantiating crate
        const auto rest = m_in.substr(m_at);
        if (!m_ok || m_out.empty() || (!rest.empty() && rest.front() != '.' && rest.front() != '$')) return std::nullopt;
        return m_out += suffixWorthKeeping(rest);
    }

private:
    struct Deeper {
        explicit Deeper(RustV0& owner) : o(owner)
        {
            if (++o.m_depth > kDeepestPath || ++o.m_steps > kMostParts) o.m_ok = false;
        }
        ~Deeper() { --o.m_depth; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        RustV0& o;
    };
    char peek() const { return m_at < m_in.size() ? m_in[m_at] : '\0'; }

    char next()
    {
        if (m_at < m_in.size()) return m_in[m_at++];
        m_ok = false;
        return '\0';
    }

    bool eat(char c)
    {
        if (peek() != c || c == '\0') return false;
        ++m_at;
        return true;
    }

    void print(std::string_view s)
    {
        if (m_quiet) return;
        if (m_out.size() + s.size() > kMostText)
            m_ok = false;
        else
            m_out += s;
    }

    template <typename F> void quietly(F f)
    {
        const bool before = m_quiet;
        m_quiet = true;
        f();
        m_quiet = before;
    }

    /// "_" is 0, "0_" is 1 ...
    std::uint64_t base62()
    {
        if (eat('_')) return 0;
        std::uint64_t value = 0;
        while (m_ok) {
            const char c = next();
            if (c == '_') return value + 1;
            const int digit = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'z'             ? c - 'a' + 10
                : c >= 'A' && c <= 'Z'             ? c - 'A' + 36
                                                   : -1;
            const auto add = static_cast<std::uint64_t>(std::max(digit, 0));
            if (digit < 0 || value > (~std::uint64_t{0} - 1 - add) / 62) m_ok = false;
            value = value * 62 + add;
        }
        return 0;
    }

    std::uint64_t optional62(char tag) { return eat(tag) ? base62() + 1 : 0; }

    std::string identifier();
    template <typename F> void backReference(F f);
    /// In a value generic arguments stand behind `::`.
    enum class In : std::uint8_t { Type, Value };
    void path(In in);
    void genericArguments();
    void genericArgument();
    void type();
    void functionType();
    void dynamicType();
    void constant();
    void integer();
    void lifetime(std::uint64_t index);
    template <typename F> void inBinder(F f);

    template <typename F> std::size_t list(std::string_view separator, F f)
    {
        std::size_t count = 0;
        for (; m_ok && !eat('E'); ++count) {
            if (count > 0) print(separator);
            f();
        }
        return count;
    }

    friend struct Deeper;

    std::string_view m_in; // behind "_R": back references count from here
    std::size_t m_at = 0;
    std::string m_out;
    bool m_ok = true, m_quiet = false;
    int m_depth = 0, m_steps = 0;
    std::uint64_t m_bound = 0; // lifetimes bound by the binders around us
};

std::string RustV0::identifier()
{
    const bool encoded = eat('u');
    std::size_t length = 0;
    if (!std::isdigit(static_cast<unsigned char>(peek()))) m_ok = false;
    if (!eat('0'))
        while (std::isdigit(static_cast<unsigned char>(peek())) && length < m_in.size())
            length = length * 10 + static_cast<std::size_t>(next() - '0');
    eat('_');
    if (!m_ok || length > m_in.size() - m_at) {
        m_ok = false;
        return {};
    }
    const auto text = m_in.substr(m_at, length);
    m_at += length;
    if (!encoded) return std::string(text);
    auto decoded = punycode(text);
    if (!decoded) m_ok = false;
    return decoded.value_or("");
}

template <typename F> void RustV0::backReference(F f)
{
    const auto here = m_at - 1;
    const auto target = base62();
    if (!m_ok || target >= here) {
        m_ok = false;
        return;
    }
    if (m_quiet) return;
    const auto after = m_at;
    m_at = target;
    f();
    m_at = after;
}

void RustV0::path(In in)
{
    const Deeper deeper(*this);
    if (!m_ok) return;
    const char tag = next();
    switch (tag) {
    case 'C':
        optional62('s');
        print(identifier());
        return;
    case 'N': {
        const char space = next();
        if (!std::isalpha(static_cast<unsigned char>(space))) m_ok = false;
        path(in);
        const auto number = optional62('s');
        const auto name = identifier();
        if (std::isupper(static_cast<unsigned char>(space))) {
            print("::{");
            print(space == 'C' ? "closure" : space == 'S' ? "shim" : std::string(1, space));
            if (!name.empty()) print(":" + name);
            print("#" + std::to_string(number) + "}");
        } else if (!name.empty())
            print("::" + name);
        return;
    }
    case 'M':
    case 'X':
        optional62('s');
        quietly([this] { path(In::Type); });
        [[fallthrough]];
    case 'Y':
        print("<");
        type();
        if (tag != 'M') {
            print(" as ");
            path(In::Type);
        }
        print(">");
        return;
    case 'I':
        path(in);
        print(in == In::Value ? "::<" : "<");
        genericArguments();
        print(">");
        return;
    case 'B': backReference([&] { path(in); }); return;
    default: m_ok = false;
    }
}

void RustV0::genericArguments()
{
    list(", ", [this] { genericArgument(); });
}

void RustV0::genericArgument()
{
    if (eat('L'))
        lifetime(base62());
    else if (eat('K'))
        constant();
    else
        type();
}

void RustV0::lifetime(std::uint64_t index)
{
    print("'");
    if (index == 0) return print("_");
    if (index > m_bound) {
        m_ok = false;
        return;
    }
    const auto depth = m_bound - index;
    if (depth < 26)
        print(std::string(1, static_cast<char>('a' + depth)));
    else
        print("_" + std::to_string(depth));
}

template <typename F> void RustV0::inBinder(F f)
{
    const auto count = optional62('G');
    if (count > 100) m_ok = false;
    if (!m_ok) return;
    if (count > 0) {
        print("for<");
        for (std::uint64_t i = 0; i < count; ++i) {
            if (i > 0) print(", ");
            ++m_bound;
            lifetime(1);
        }
        print("> ");
    }
    f();
    m_bound -= count;
}

void RustV0::type()
{
    // By letter; the types of the language itself.
    static constexpr std::string_view kBasic[26] = {"i8", "bool", "char", "f64", "str", "f32", "", "u8", "isize", "usize", "", "i32", "u32",
        "i128", "u128", "_", "", "", "i16", "u16", "()", "...", "", "i64", "u64", "!"};
    const Deeper deeper(*this);
    if (!m_ok) return;
    const char tag = next();
    if (tag >= 'a' && tag <= 'z') {
        const auto name = kBasic[tag - 'a'];
        if (name.empty()) m_ok = false;
        return print(name);
    }

    switch (tag) {
    case 'R':
    case 'Q':
        print("&");
        if (eat('L'))
            if (const auto index = base62(); index != 0) {
                lifetime(index);
                print(" ");
            }
        if (tag == 'Q') print("mut ");
        return type();
    case 'P':
    case 'O': print(tag == 'P' ? "*const " : "*mut "); return type();
    case 'A':
    case 'S':
        print("[");
        type();
        if (tag == 'A') {
            print("; ");
            constant();
        }
        return print("]");
    case 'T':
        print("(");
        if (list(", ", [this] { type(); }) == 1) print(",");
        return print(")");
    case 'F': return inBinder([this] { functionType(); });
    case 'D': return dynamicType();
    case 'B': return backReference([this] { type(); });
    default: --m_at; return path(In::Type);
    }
}

void RustV0::functionType()
{
    if (eat('U')) print("unsafe ");
    if (eat('K')) {
        auto abi = eat('C') ? std::string("C") : identifier();
        std::replace(abi.begin(), abi.end(), '_', '-');
        print("extern \"" + abi + "\" ");
    }
    print("fn(");
    list(", ", [this] { type(); });
    print(")");
    if (eat('u')) return;
    print(" -> ");
    type();
}

void RustV0::dynamicType()
{
    // A trait's generic arguments and its associated types share one pair of brackets.
    struct Opener {
        RustV0& o;

        bool operator()() const
        {
            const Deeper deeper(o);
            if (!o.m_ok) return false;
            if (o.eat('B')) {
                bool open = false;
                o.backReference([&] { open = (*this)(); });
                return open;
            }
            if (!o.eat('I')) {
                o.path(In::Type);
                return false;
            }
            o.path(In::Type);
            o.print("<");
            o.genericArguments();
            return true;
        }
    };

    print("dyn ");
    inBinder([this] {
        list(" + ", [this] {
            bool open = Opener{*this}();
            while (m_ok && eat('p')) {
                print(open ? ", " : "<");
                open = true;
                print(identifier() + " = ");
                type();
            }
            if (open) print(">");
        });
    });

    if (!eat('L')) m_ok = false;
    if (const auto index = base62(); m_ok && index != 0) {
        print(" + ");
        lifetime(index);
    }
}

void RustV0::integer()
{
    const auto begin = m_at;
    while (isHex(peek()))
        ++m_at;
    auto digits = m_in.substr(begin, m_at - begin);
    if (!eat('_')) m_ok = false;
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.size() > 16) return print("0x" + std::string(digits));
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    print(std::to_string(value));
}

void RustV0::constant()
{
    const Deeper deeper(*this);
    if (!m_ok) return;
    const char tag = next();
    switch (tag) {
    case 'p': return print("_");
    case 'B': return backReference([this] { constant(); });
    case 'h':
    case 't':
    case 'm':
    case 'y':
    case 'o':
    case 'j': return integer();
    case 'a':
    case 's':
    case 'l':
    case 'x':
    case 'n':
    case 'i':
        if (eat('n')) print("-");
        return integer();
    case 'b':
    case 'c': {
        const auto begin = m_at;
        while (isHex(peek()))
            ++m_at;
        std::uint32_t value = 0;
        const auto digits = m_in.substr(begin, m_at - begin);
        if (std::from_chars(digits.data(), digits.data() + digits.size(), value, 16).ec != std::errc{} || !eat('_')) m_ok = false;
        if (tag == 'b') {
            if (value > 1) m_ok = false;
            return print(value ? "true" : "false");
        }
        std::string text = "'";
        if (value == '\n')
            text += "\\n";
        else if (value == '\t')
            text += "\\t";
        else if (value == '\r')
            text += "\\r";
        else if (value == '\'' || value == '\\')
            (text += '\\') += static_cast<char>(value);
        else if (isCharacter(value))
            appendUtf8(text, value);
        else
            m_ok = false;
        return print(text + "'");
    }
    default: m_ok = false;
    }
}
} // namespace

std::optional<std::string> demangledRustV0(std::string_view symbol)
{
    if (!symbol.starts_with("_R")
        || std::any_of(symbol.begin(), symbol.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        return std::nullopt;
    return RustV0(symbol.substr(2)).run();
}
} // namespace dscope::demangle
