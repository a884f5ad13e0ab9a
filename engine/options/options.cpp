#include "engine/options/options.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
namespace dscope::options {
namespace {
constexpr std::uint64_t kSecond = 1'000'000'000;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}
/// An integer in C's notation and the text after it. Numbers of more than 63 bits are refused.
struct Leading {
    std::uint64_t value;
    std::string_view rest;
};
std::optional<Leading> leading(std::string_view text)
{
    int base = 10;
    std::string_view digits = text;
    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        base = 16;
        digits.remove_prefix(2);
    } else if (digits.starts_with("0"))
        base = 8;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || value > INT64_MAX) return std::nullopt;
    return Leading{value, digits.substr(static_cast<std::size_t>(end - digits.data()))};
}
std::optional<std::uint64_t> times(std::uint64_t value, std::uint64_t factor)
{
    if (factor != 0 && value > static_cast<std::uint64_t>(INT64_MAX) / factor) return std::nullopt;
    return value * factor;
}
std::optional<std::uint64_t> parseNumber(std::string_view text)
{
    const auto read = leading(text);
    if (!read || !read->rest.empty()) return std::nullopt;
    return read->value;
}
/// A Number may also be switched on and off; off is as if it had not been set.
std::optional<std::uint64_t> numberOf(const Row& row, std::string_view text)
{
    if (const auto value = parseNumber(text)) return value;
    const auto flag = parseBoolean(text);
    if (!flag) return std::nullopt;
    return *flag ? 1 : parseNumber(row.unset).value_or(0);
}
bool isChoice(const Row& row, std::string_view value)
{
    std::string_view left = row.choices;
    while (!left.empty()) {
        const auto blank = std::min(left.find(' '), left.size());
        if (left.substr(0, blank) == value) return true;
        left.remove_prefix(std::min(blank + 1, left.size()));
    }
    return false;
}
/// The number that an option's bounds are about; none where there is none.
std::optional<std::uint64_t> measure(const Row& row, std::string_view value)
{
    switch (row.type) {
    case Type::Number: return numberOf(row, value);
    case Type::Size: return parseSize(value);
    case Type::Text:
        if (const auto begin = leading(value)) return begin->value;
        return std::nullopt;
    case Type::Boolean:
    case Type::Share:
    case Type::Rate: break;
    }
    return std::nullopt;
}
bool accepts(const Row& row, std::string_view value)
{
    const auto number = measure(row, value);
    if (number && ((*number < row.least && !row.whyNotLess) || (*number > row.most && !row.whyNotMore))) return false;
    switch (row.type) {
    case Type::Boolean: return parseBoolean(value).has_value();
    case Type::Number: return value.empty() || number;
    case Type::Size: return isChoice(row, value) || number;
    case Type::Rate: return parseRate(value).has_value();
    case Type::Share: return parseShare(value).has_value();
    case Type::Text: return (row.mayBeEmpty || !value.empty()) && (row.choices.empty() || isChoice(row, value));
    }
    return false;
}
/// Values that are right as such, and still not to be had; nullptr when there is no objection.
const char* refused(const Row& row, std::string_view value)
{
    const auto number = measure(row, value);
    if (row.whyNotLess && number && *number < row.least) return row.whyNotLess;
    if (row.whyNotMore && (number ? *number > row.most : row.type == Type::Text)) return row.whyNotMore;
    return nullptr;
}
const Row& row(std::string_view name)
{
    const auto* found = find(name);
    if (!found) DSCOPE_BUG("no such option");
    return *found;
}
} // namespace

std::string exampleOf(const Row& row)
{
    auto value = row.sample.empty() ? row.unset : row.sample;
    if (row.sample.empty() && !row.choices.empty()) value = row.choices.substr(0, row.choices.find(' '));
    auto text = (row.notInPrograms ? "dscope -x " : "#pragma D option ") + std::string(row.name);
    if (row.type != Type::Boolean && !value.empty()) text += '=' + std::string(value);
    return text;
}

std::optional<bool> parseBoolean(std::string_view text)
{
    static constexpr std::array<std::string_view, 6> kYes{"yes", "enable", "enabled", "true", "on", "set"};
    static constexpr std::array<std::string_view, 6> kNo{"no", "disable", "disabled", "false", "off", "unset"};
    if (text.empty()) return true;
    const auto word = lower(text);
    if (std::find(kYes.begin(), kYes.end(), word) != kYes.end()) return true;
    if (std::find(kNo.begin(), kNo.end(), word) != kNo.end()) return false;
    const auto value = parseNumber(text);
    if (!value) return std::nullopt;
    return *value != 0;
}
std::optional<std::uint64_t> parseSize(std::string_view text)
{
    static constexpr std::string_view kSuffixes = "kmgt";
    const auto read = leading(text);
    if (!read) return std::nullopt;
    if (read->rest.empty()) return read->value;
    const auto power = kSuffixes.find(lower(read->rest)[0]);
    if (read->rest.size() > 1 || power == std::string_view::npos) return std::nullopt;
    return times(read->value, std::uint64_t{1} << (10 * (power + 1)));
}
std::optional<std::uint64_t> parseShare(std::string_view text)
{
    constexpr double kPerCent = 1e4;
    if (text.ends_with('%')) text.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0 && value <= 100)) return std::nullopt;
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(value * kPerCent + 0.5));
}
std::optional<std::uint64_t> parseRate(std::string_view text)
{
    struct Unit {
        std::string_view name, longName;
        std::uint64_t nanoseconds;
    };
    static constexpr std::array<Unit, 7> kUnits{{
        {"ns", "nsec", 1},
        {"us", "usec", 1'000},
        {"ms", "msec", 1'000'000},
        {"s", "sec", kSecond},
        {"m", "min", 60 * kSecond},
        {"h", "hour", 3'600 * kSecond},
        {"d", "day", 86'400 * kSecond},
    }};
    const auto read = leading(text);
    if (!read) return std::nullopt;
    const auto suffix = lower(read->rest);
    if (suffix.empty() || suffix == "hz") return read->value == 0 ? 0 : kSecond / read->value;
    for (const auto& unit : kUnits)
        if (suffix == unit.name || suffix == unit.longName) return times(read->value, unit.nanoseconds);
    return std::nullopt;
}

Result<> Options::set(std::string_view name, std::string_view value)
{
    const auto* option = find(name);
    if (!option) return Error{0, "Invalid option name"};
    if (!accepts(*option, value)) return Error{0, "Invalid value for specified option"};
    if (const auto objection = refused(*option, value)) return Error{0, objection};
    auto& stored = m_set[std::string(name)];
    if (option->repeats && !stored.empty())
        stored += "\n" + std::string(value);
    else if (option->type == Type::Boolean)
        stored = parseBoolean(value).value_or(true) ? "yes" : "no"; // readers need not know all the words
    else
        stored = value;
    return {};
}
Result<> Options::takeEnvironment(const char* const* environment)
{
    static constexpr std::string_view kPrefix = "DTRACE_OPT_";
    for (; environment && *environment; ++environment) {
        std::string_view line = *environment;
        const auto equals = line.find('=');
        if (!line.starts_with(kPrefix) || equals == std::string_view::npos) continue;
        const auto name = lower(line.substr(kPrefix.size(), equals - kPrefix.size()));
        const auto value = line.substr(equals + 1);
        if (set(name, value)) continue;
        const auto* option = find(name);
        if (!option || !accepts(*option, value)) continue;
        if (const auto objection = refused(*option, value))
            return Error{0, "failed to set " + std::string(line.substr(0, equals)) + ": " + objection};
    }
    return {};
}
bool Options::isSet(std::string_view name) const { return m_set.contains(name); }
std::string Options::text(std::string_view name) const
{
    const auto& option = row(name);
    const auto found = m_set.find(name);
    return found == m_set.end() ? std::string(option.unset) : found->second;
}
bool Options::flag(std::string_view name) const
{
    const auto& option = row(name);
    const auto value = text(name);
    if (option.type == Type::Boolean) return parseBoolean(value).value_or(false);
    return option.type == Type::Text ? !value.empty() : number(name) != 0;
}
std::uint64_t Options::number(std::string_view name) const
{
    const auto& option = row(name);
    const auto value = text(name);
    switch (option.type) {
    case Type::Boolean: return flag(name) ? 1 : 0;
    case Type::Size: return value == "unlimited" ? UINT64_MAX : parseSize(value).value_or(0);
    case Type::Rate: return parseRate(value).value_or(0);
    case Type::Share: return parseShare(value).value_or(0);
    case Type::Number:
        if (value.empty() && isSet(name)) return 1;
        return numberOf(option, value.empty() ? "0" : value).value_or(0);
    case Type::Text: return parseNumber(value).value_or(0);
    }
    return 0;
}
} // namespace dscope::options
