#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
/// The words of a line that another tool printed.
namespace dscope::text {
/// "1 sample is left out", "3 samples are left out": what is told of so many.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}
inline constexpr std::string_view kBlanks = " \t", kDigits = "0123456789", kHexDigits = "0123456789abcdef";
inline bool isBlank(char c) { return c == ' ' || c == '\t'; }
/// Without the blanks around it.
inline std::string_view trimmed(std::string_view s)
{
    const auto from = s.find_first_not_of(kBlanks);
    if (from == std::string_view::npos) return {};
    return s.substr(from, s.find_last_not_of(kBlanks) - from + 1);
}
inline std::string_view withoutBlanksBehind(std::string_view s) { return s.substr(0, s.find_last_not_of(kBlanks) + 1); }
/// Where the blank in front of the brackets begins that end a text: before " (a (1).py:4)" of "run (a (1).py:4)". Those belong together
/// that one closes and the other opens; where none do, the last that open. npos: there is none.
inline std::size_t lastBrackets(std::string_view s)
{
    if (!s.ends_with(')')) return std::string_view::npos;
    int depth = 0;
    for (auto at = s.size(); at-- > 1;) {
        if (s[at] == ')') ++depth;
        if (s[at] != '(' || --depth > 0) continue;
        if (s[at - 1] == ' ') return at - 1;
        break;
    }
    return s.rfind(" (");
}
/// A number's decimal comma, as many languages write it (LC_NUMERIC), as a point: "0,25" is "0.25". What has a point too, or two commas,
/// groups digits, and stays as it is.
inline std::string withPoint(std::string_view number)
{
    std::string out(number);
    const auto comma = number.find(',');
    if (comma != std::string_view::npos && comma == number.rfind(',') && number.find('.') == std::string_view::npos) out[comma] = '.';
    return out;
}
/// One digit or more, and nothing else.
inline bool isDigits(std::string_view s)
{
    for (const char c : s)
        if (c < '0' || c > '9') return false;
    return !s.empty();
}
/// The same of hexadecimal digits, in small letters.
inline bool isHexNumber(std::string_view s) { return !s.empty() && s.find_first_not_of(kHexDigits) == std::string_view::npos; }
/// The number that a text is, of 32 bits and without a sign.
inline std::optional<std::uint32_t> number32(std::string_view s)
{
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    return error == std::errc() && end == s.data() + s.size() ? std::optional(value) : std::nullopt;
}
/// The number that a text begins with.
inline std::optional<std::int64_t> leadingInteger(std::string_view s)
{
    std::int64_t value = 0;
    if (std::from_chars(s.data(), s.data() + s.size(), value).ec != std::errc()) return {};
    return value;
}
/// The number that a text is.
inline std::optional<std::int64_t> integer(std::string_view s)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc() || end != s.data() + s.size()) return {};
    return value;
}
} // namespace dscope::text
