#include "engine/text/json.h"
#include <charconv>
#include <cmath>
#include <cstring>
namespace dscope::text {
namespace {
bool isJsonBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool isOfScalar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' || c == '.';
}
void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
}
} // namespace

bool JsonReader::fail(const char* what)
{
    if (!m_failed) m_what = m_at >= m_text.size() ? "the end of the file within a value" : what;
    m_failed = true;
    return false;
}
void JsonReader::blanks()
{
    while (m_at < m_text.size() && isJsonBlank(m_text[m_at]))
        ++m_at;
}
bool JsonReader::atEnd()
{
    blanks();
    return m_at >= m_text.size();
}
JsonReader::Kind JsonReader::kind()
{
    blanks();
    if (m_failed || m_at >= m_text.size()) return Kind::None;
    switch (const char c = m_text[m_at]; c) {
    case '{': return Kind::Object;
    case '[': return Kind::Array;
    case '"': return Kind::Text;
    case 't':
    case 'f':
    case 'n': return Kind::Word;
    default: return c == '-' || (c >= '0' && c <= '9') ? Kind::Number : Kind::None;
    }
}
bool JsonReader::open(char bracket)
{
    blanks();
    if (m_failed) return false;
    if (m_at >= m_text.size() || m_text[m_at] != bracket) return fail(bracket == '{' ? "no object" : "no array");
    ++m_at;
    return true;
}
bool JsonReader::more(char close, bool first)
{
    blanks();
    if (m_failed) return false;
    if (m_at >= m_text.size()) return fail("");
    if (m_text[m_at] == close) {
        ++m_at;
        return false;
    }
    if (first) return true;
    if (m_text[m_at] != ',') return fail("neither a comma nor a closing bracket");
    ++m_at;
    blanks();
    // Tools that write while they trace leave a comma behind the last.
    if (m_at < m_text.size() && m_text[m_at] == close) {
        ++m_at;
        return false;
    }
    return true;
}
bool JsonReader::colon()
{
    blanks();
    if (m_at >= m_text.size() || m_text[m_at] != ':') return fail("no colon behind a name");
    ++m_at;
    return true;
}
bool JsonReader::unicode(std::string& out)
{
    const auto unit = [&]() -> std::optional<std::uint32_t> {
        std::uint32_t code = 0;
        if (m_text.size() - m_at < 4) return {};
        const auto* const from = m_text.data() + m_at;
        if (const auto [end, error] = std::from_chars(from, from + 4, code, 16); error != std::errc() || end != from + 4) return {};
        m_at += 4;
        return code;
    };
    auto code = unit();
    if (!code) return fail("an escape that is none");
    // Characters beyond 16 bits stand as two.
    if (*code >= 0xD800 && *code < 0xDC00 && m_text.substr(m_at).starts_with("\\u")) {
        m_at += 2;
        const auto low = unit();
        if (!low) return fail("an escape that is none");
        code = *low >= 0xDC00 && *low < 0xE000 ? 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00) : 0xFFFD;
    } else if (*code >= 0xD800 && *code < 0xE000) {
        code = 0xFFFD;
    }
    appendUtf8(out, *code);
    return true;
}
bool JsonReader::string(std::string* out)
{
    blanks();
    if (m_failed) return false;
    if (m_at >= m_text.size() || m_text[m_at] != '"') return fail("no text");
    ++m_at;
    for (;;) {
        // Nearly all characters are none of these two.
        auto end = m_at;
        while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\\')
            ++end;
        if (out) out->append(m_text, m_at, end - m_at);
        m_at = end;
        if (m_at >= m_text.size()) return fail("");
        if (m_text[m_at++] == '"') return true;
        if (m_at >= m_text.size()) return fail("");
        const char c = m_text[m_at++];
        if (!out) continue;
        constexpr std::string_view kFrom = "bfnrt", kTo = "\b\f\n\r\t";
        if (const auto i = kFrom.find(c); i != std::string_view::npos)
            *out += kTo[i];
        else if (c != 'u')
            *out += c;
        else if (!unicode(*out))
            return false;
    }
}
bool JsonReader::text(std::string& out)
{
    out.clear();
    return string(&out);
}
bool JsonReader::scalar()
{
    const auto from = m_at;
    while (m_at < m_text.size() && isOfScalar(m_text[m_at]))
        ++m_at;
    return m_at > from || fail("no value");
}
std::optional<std::string_view> JsonReader::number()
{
    const auto is = kind();
    const bool isQuoted = is == Kind::Text;
    if (is != Kind::Number && !isQuoted) return fail("no number"), std::nullopt;
    if (isQuoted) ++m_at;
    const auto from = m_at;
    if (!scalar()) return std::nullopt;
    const auto number = m_text.substr(from, m_at - from);
    if (isQuoted && (m_at >= m_text.size() || m_text[m_at++] != '"')) return fail("no number"), std::nullopt;
    return number;
}
bool JsonReader::skip()
{
    std::array<char, kDeepest> open{}; // the brackets that close
    std::size_t depth = 0;
    do {
        blanks();
        if (m_failed) return false;
        if (m_at >= m_text.size()) return fail("");
        switch (const char c = m_text[m_at]; c) {
        case '{':
        case '[':
            if (depth == kDeepest) return fail("a value that nests more than 512 levels deep");
            open[depth++] = c == '{' ? '}' : ']';
            ++m_at;
            break;
        case '}':
        case ']':
            if (depth == 0 || open[--depth] != c) return fail("a bracket that closes nothing");
            ++m_at;
            break;
        case ',':
        case ':':
            if (depth == 0) return fail("no value");
            ++m_at;
            break;
        case '"':
            if (!string(nullptr)) return false;
            break;
        default:
            if (!scalar()) return false;
        }
    } while (depth > 0);
    return true;
}

bool beginsJson(std::string_view head)
{
    const auto next = [&] {
        while (!head.empty() && isJsonBlank(head.front()))
            head.remove_prefix(1);
        const char c = head.empty() ? '\0' : head.front();
        if (!head.empty()) head.remove_prefix(1);
        return c;
    };
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    const char first = next();
    if (first == '{') {
        const char second = next();
        return second == '"' || second == '}';
    }
    if (first != '[') return false;
    const char second = next();
    return second == '{' || second == ']';
}
std::optional<std::int64_t> scaledNumber(std::string_view number, int power)
{
    const auto* const end = number.data() + number.size();
    const bool isNegative = number.starts_with('-');
    auto rest = number.substr(isNegative ? 1 : 0);
    if (rest.find_first_of("eE") != std::string_view::npos) {
        double value = 0;
        if (const auto [at, error] = std::from_chars(number.data(), end, value); error != std::errc() || at != end) return {};
        value = std::round(value * std::pow(10.0, power));
        constexpr double kMost = 9.2e18;
        if (!(std::abs(value) < kMost)) return {};
        return static_cast<std::int64_t>(value);
    }

    // Digit by digit: a double has not the nanoseconds of a moment since 1970.
    std::int64_t value = 0;
    bool hasDigit = false, inFraction = false;
    int left = power;
    char beyond = '0'; // the first digit that is too small to count
    const auto times
        = [&](int digit) { return !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, digit, &value); };
    for (const char c : rest) {
        if (c == '.' && !inFraction) {
            inFraction = true;
            continue;
        }
        if (c < '0' || c > '9') return {};
        hasDigit = true;
        if (inFraction && left-- <= 0) {
            if (left == -1) beyond = c;
            continue;
        }
        if (!times(c - '0')) return {};
    }

    for (; left > 0; --left)
        if (!times(0)) return {};
    if (!hasDigit || (beyond >= '5' && __builtin_add_overflow(value, 1, &value))) return {};
    return isNegative ? -value : value;
}
} // namespace dscope::text
