#include "engine/text/json.h"
#include <algorithm>
#include <charconv>
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

JsonReader::JsonReader(Source source) : m_source(std::move(source))
{
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    while (m_text.size() < kMark.size() && fill(0)) { }
    if (m_text.starts_with(kMark)) m_at = kMark.size();
}
/// Reads another piece, and keeps of this one what begins at `keptFrom`, which is then the beginning of m_text. False at the end.
bool JsonReader::fill(std::size_t keptFrom)
{
    if (!m_source) return false;
    std::string kept(m_text.substr(keptFrom));
    const auto passed = m_text.substr(0, keptFrom);
    const auto lines = static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
    const auto piece = m_source();
    if (piece.empty()) {
        m_kept = std::move(kept);
        m_text = m_kept;
        m_source = nullptr;
    } else if (kept.empty()) {
        m_text = piece;
    } else {
        m_kept = std::move(kept);
        m_kept += piece;
        m_text = m_kept;
    }
    m_before += keptFrom;
    m_linesBefore += lines;
    m_at -= std::min(m_at, keptFrom);
    return !piece.empty();
}
std::size_t JsonReader::line() const
{
    const auto passed = m_text.substr(0, m_at);
    return 1 + m_linesBefore + static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
}
std::string JsonReader::near() const
{
    constexpr std::size_t kBefore = 20, kShown = 60;
    const auto passed = m_text.substr(0, m_at);
    const auto begin = passed.rfind('\n') == passed.npos ? 0 : passed.rfind('\n') + 1;
    const auto from = passed.size() - begin > kBefore ? passed.size() - kBefore : begin;
    const auto shown = m_text.substr(from, kShown);
    return std::string(shown.substr(0, shown.find('\n')));
}
bool JsonReader::fail(const char* what)
{
    if (!m_failed) m_what = has() ? what : "the end of the file within a value";
    m_failed = true;
    return false;
}
void JsonReader::blanks()
{
    while (has() && isJsonBlank(m_text[m_at]))
        ++m_at;
}
bool JsonReader::atEnd()
{
    blanks();
    return !has();
}
JsonReader::Kind JsonReader::kind()
{
    blanks();
    if (m_failed || !has()) return Kind::None;
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
    if (!has() || m_text[m_at] != bracket) return fail(bracket == '{' ? "no object" : "no array");
    ++m_at;
    return true;
}
bool JsonReader::more(char close, bool first)
{
    blanks();
    if (m_failed) return false;
    if (!has()) return fail("");
    if (m_text[m_at] == close) {
        ++m_at;
        return false;
    }
    if (first) return true;
    if (m_text[m_at] != ',') return fail("neither a comma nor a closing bracket");
    ++m_at;
    blanks();
    // Tools that write while they trace leave a comma behind the last.
    if (has() && m_text[m_at] == close) {
        ++m_at;
        return false;
    }
    return true;
}
bool JsonReader::colon()
{
    blanks();
    if (!has() || m_text[m_at] != ':') return fail("no colon behind a name");
    ++m_at;
    return true;
}
/// The four digits of an escape.
std::optional<std::uint32_t> JsonReader::unit()
{
    std::array<char, 4> digits{};
    for (auto& digit : digits) {
        if (!has()) return {};
        digit = m_text[m_at++];
    }
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(code) : std::nullopt;
}
bool JsonReader::unicode(std::string& out)
{
    auto code = unit();
    // Characters beyond 16 bits stand as two.
    while (code && *code >= 0xD800 && *code < 0xDC00) {
        if (!has() || m_text[m_at] != '\\') break;
        ++m_at;
        if (!has()) return fail("");
        if (m_text[m_at] != 'u') { // another escape, which the caller reads: its backslash has been passed
            appendUtf8(out, 0xFFFD);
            return escape(out);
        }
        ++m_at;
        const auto low = unit();
        if (!low) return fail("an escape that is none");
        if (*low >= 0xDC00 && *low < 0xE000) {
            appendUtf8(out, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
            return true;
        }
        appendUtf8(out, 0xFFFD);
        code = low;
    }
    if (!code) return fail("an escape that is none");
    appendUtf8(out, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
    return true;
}
/// What follows a backslash.
bool JsonReader::escape(std::string& out)
{
    if (!has()) return fail("");
    const char c = m_text[m_at++];
    constexpr std::string_view kFrom = "bfnrt", kTo = "\b\f\n\r\t";
    if (c == 'u') return unicode(out);
    const auto i = kFrom.find(c);
    out += i == std::string_view::npos ? c : kTo[i];
    return true;
}
bool JsonReader::string(std::string* out)
{
    blanks();
    if (m_failed) return false;
    if (!has() || m_text[m_at] != '"') return fail("no text");
    ++m_at;
    while (has()) {
        // Nearly all characters are none of these two.
        auto end = m_at;
        while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\\')
            ++end;
        if (out) out->append(m_text, m_at, end - m_at);
        m_at = end;
        if (m_at >= m_text.size()) continue;
        if (m_text[m_at++] == '"') return true;
        if (out && !escape(*out)) return false;
        if (!out && has()) ++m_at;
    }
    return fail("");
}
bool JsonReader::text(std::string& out)
{
    out.clear();
    return string(&out);
}
/// `from`: where it begins; it lies between that and m_at.
bool JsonReader::scalar(std::size_t& from)
{
    from = m_at;
    for (;;) {
        while (m_at < m_text.size() && isOfScalar(m_text[m_at]))
            ++m_at;
        if (m_at < m_text.size() || !m_source) break;
        if (m_at - from > kMostDigits) return fail("a number of more than 4,096 digits");
        const bool hasMore = fill(from);
        from = 0;
        if (!hasMore) break;
    }
    return m_at > from || fail("no value");
}
std::optional<std::string_view> JsonReader::number()
{
    const auto is = kind();
    const bool isQuoted = is == Kind::Text;
    if (is != Kind::Number && !isQuoted) return fail("no number"), std::nullopt;
    if (isQuoted) ++m_at;
    std::size_t from = 0;
    if (!scalar(from)) return std::nullopt;
    const auto size = m_at - from;
    if (!isQuoted) return m_text.substr(from, size);
    if (m_at >= m_text.size() && !fill(from)) return fail("no number"), std::nullopt;
    if (m_text[m_at++] != '"') return fail("no number"), std::nullopt;
    return m_text.substr(m_at - 1 - size, size);
}
bool JsonReader::skip()
{
    std::size_t from = 0;
    switch (kind()) {
    case Kind::Object:
    case Kind::Array: return skipNested();
    case Kind::Text: return string(nullptr);
    default: return !m_failed && scalar(from);
    }
}
bool JsonReader::skipNested()
{
    std::array<char, kDeepest> open; // the brackets that close
    std::size_t depth = 0, from = 0;
    do {
        blanks();
        if (m_failed) return false;
        if (!has()) return fail("");
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
            if (!scalar(from)) return false;
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
namespace {
/// A decimal number taken apart: its digits without the point, which stands behind the first `whole` of them (or, where that is
/// negative or more than there are, beyond them).
struct DecimalParts {
    bool isNegative = false;
    std::string_view before, behind; ///< digits before and behind the point
    int exponent = 0;
};
std::optional<DecimalParts> partsOf(std::string_view number)
{
    DecimalParts out;
    out.isNegative = number.starts_with('-');
    if (out.isNegative) number.remove_prefix(1);
    if (const auto e = number.find_first_of("eE"); e != std::string_view::npos) {
        auto exponent = number.substr(e + 1);
        if (exponent.starts_with('+')) exponent.remove_prefix(1);
        const auto* const end = exponent.data() + exponent.size();
        if (const auto [at, error] = std::from_chars(exponent.data(), end, out.exponent); error != std::errc() || at != end) return {};
        number = number.substr(0, e);
    }
    constexpr int kMostExponent = 400; // a double has none beyond
    const auto point = number.find('.');
    out.before = number.substr(0, point);
    if (point != std::string_view::npos) out.behind = number.substr(point + 1);
    const auto isOfDigits = [](std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; };
    if (out.before.size() + out.behind.size() == 0 || !isOfDigits(out.before) || !isOfDigits(out.behind)) return {};
    return out.exponent >= -kMostExponent && out.exponent <= kMostExponent ? std::optional(out) : std::nullopt;
}
} // namespace

std::optional<std::int64_t> scaledNumber(std::string_view number, int power)
{
    const auto parts = partsOf(number);
    if (!parts) return {};
    // Digit by digit: a double has not the nanoseconds of a moment since 1970.
    std::int64_t value = 0;
    const auto times
        = [&](int digit) { return !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, digit, &value); };
    const auto count = static_cast<std::ptrdiff_t>(parts->before.size() + parts->behind.size());
    const auto digit = [&](std::ptrdiff_t i) {
        const auto at = static_cast<std::size_t>(i);
        return at < parts->before.size() ? parts->before[at] - '0' : parts->behind[at - parts->before.size()] - '0';
    };
    const auto whole = static_cast<std::ptrdiff_t>(parts->before.size()) + parts->exponent + power;
    for (std::ptrdiff_t i = 0; i < std::min(whole, count); ++i)
        if (!times(digit(i))) return {};
    for (auto i = count; i < whole && value != 0; ++i)
        if (!times(0)) return {};
    if (whole >= 0 && whole < count && digit(whole) >= 5 && __builtin_add_overflow(value, 1, &value)) return {};
    return parts->isNegative ? -value : value;
}
std::optional<int> decimalsOf(std::string_view number)
{
    const auto parts = partsOf(number);
    if (!parts) return {};
    const auto lastBehind = parts->behind.find_last_not_of('0');
    const auto lastBefore = parts->before.find_last_not_of('0');
    int behind = 0; // where the last digit stands that is not zero, from the point
    if (lastBehind != std::string_view::npos)
        behind = static_cast<int>(std::min<std::size_t>(lastBehind + 1, 1000));
    else if (lastBefore != std::string_view::npos)
        behind = -static_cast<int>(std::min<std::size_t>(parts->before.size() - 1 - lastBefore, 1000));
    else
        return 0;
    const int decimals = std::max(behind - parts->exponent, 0);
    return decimals <= 400 ? std::optional(decimals) : std::nullopt;
}
} // namespace dscope::text
