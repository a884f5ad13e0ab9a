#include "graph/units.h"
#include "graph/run_probes.h"
#include "graph/store.h"
#include "graph/tongue.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
namespace dscope::graph {
namespace {
struct Step {
    double size;
    std::string_view name;
};
// Three significant digits without trailing zeros that say nothing of whole numbers: 4.1, 16.4, 131.
std::string threeDigits(double value)
{
    const double size = std::abs(value);
    if (size >= 99.95 || value == std::floor(value)) return formatDecimal(value, 0);
    return formatDecimal(value, 1);
}
constexpr std::array<Step, 4> kTimes{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};
constexpr std::array<Step, 7> kSizes{{{1152921504606846976.0, "EiB"}, {1125899906842624.0, "PiB"}, {1099511627776.0, "TiB"},
    {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}, {1, "B"}}};
constexpr std::array<Step, 6> kCounts{{{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};

template <std::size_t N> const Step& stepOf(const std::array<Step, N>& steps, double value)
{
    for (const auto& step : steps)
        if (std::abs(value) >= step.size * 0.9995) return step;
    return steps.back();
}
/// With the sign that figures have in front of what is below zero.
std::string withMinus(std::string text)
{
    if (text.starts_with('-')) text.replace(0, 1, "\u2212");
    return text;
}
std::string withSteps(double value, const Step& step, std::string_view gap)
{
    const double scaled = value / step.size;
    std::string text
        = step.size == 1 ? (scaled == std::floor(scaled) ? formatDecimal(scaled, 0) : formatDecimal(scaled, 1)) : threeDigits(scaled);
    return withMinus(text.append(gap).append(step.name));
}
bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool hasWord(std::string_view text, std::string_view word)
{
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool starts = at == 0 || !isWordCharacter(text[at - 1]);
        const bool ends = at + word.size() == text.size() || !isWordCharacter(text[at + word.size()]);
        if (starts && ends) return true;
    }
    return false;
}
std::string withoutSpaces(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\t' && c != '\n') out += c;
    return out;
}
// "(timestamp - self->ts) / 1000" is in microseconds. Anything else that multiplies or divides leaves us in doubt.
std::optional<double> takeDivisor(std::string& expression)
{
    const auto slash = expression.rfind('/');
    if (slash == std::string::npos) return expression.find('*') == std::string::npos ? std::optional(1.0) : std::nullopt;
    double divisor = 0;
    const char* end = expression.data() + expression.size();
    const auto parsed = std::from_chars(expression.data() + slash + 1, end, divisor);
    if (parsed.ptr != end || parsed.ec != std::errc() || divisor <= 0) return std::nullopt;
    expression.resize(slash);
    return expression.find_first_of("/*") == std::string::npos ? std::optional(divisor) : std::nullopt;
}
std::optional<Measure> timeOf(std::string expression)
{
    const auto divisor = takeDivisor(expression);
    const bool clock = hasWord(expression, "timestamp") || hasWord(expression, "vtimestamp") || hasWord(expression, "walltimestamp");
    if (!clock || !divisor || expression.find('-') == std::string::npos) return std::nullopt;
    return Measure{Unit::Nanoseconds, *divisor};
}
// The right side of the only assignment to `variable` in the program; empty when there is none or more than one.
std::string assignedTo(std::string_view variable, std::string_view source)
{
    const std::string text = withoutSpaces(source);
    const std::string needle = std::string(variable) + '=';
    std::string found;
    for (auto at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) {
        const auto from = at + needle.size();
        if ((at > 0 && isWordCharacter(text[at - 1])) || from >= text.size() || text[from] == '=') continue;
        const auto end = std::min(text.find(';', from), text.size());
        std::string value = text.substr(from, end - from);
        if (value == "0") continue;
        if (!found.empty() && found != value) return {};
        found = std::move(value);
    }
    return found;
}
bool isVariable(std::string_view expression)
{
    if (expression.starts_with("self->"))
        expression.remove_prefix(6);
    else if (expression.starts_with("this->"))
        expression.remove_prefix(6);
    return !expression.empty() && std::all_of(expression.begin(), expression.end(), isWordCharacter);
}
bool saysBytes(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> kWords{
        "bytes", "size", "nbytes", "b_bcount", "length", "len", "payload", "resid", "plength"};
    std::string lower(name);
    std::transform(
        lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return std::any_of(kWords.begin(), kWords.end(),
               [&](std::string_view word) { return lower == word || lower.ends_with(std::string("_") + std::string(word)); })
        || lower.ends_with("bytes") || lower.ends_with("_size") || lower.starts_with("ip_plength");
}
} // namespace

std::string formatFixed(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    std::string text(buffer.data(), end);
    if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
    return text;
}
std::string formatDecimal(double value, int decimals)
{
    auto text = formatFixed(value, decimals);
    if (const auto dot = text.find('.'); dot != std::string::npos) text.replace(dot, 1, Tongue::separators().decimal);
    return text;
}
std::string formatDuration(double ns)
{
    if (std::abs(ns) >= 99.5e9) {
        const auto seconds = static_cast<std::int64_t>(std::llround(std::abs(ns) / 1e9));
        const std::string sign = ns < 0 ? "\u2212" : "";
        constexpr std::int64_t kDay = 86'400;
        if (seconds >= 100 * kDay) return sign + formatGrouped(seconds / kDay) + " d";
        if (seconds >= 2 * kDay) return sign + std::to_string(seconds / kDay) + " d " + std::to_string(seconds % kDay / 3600) + " h";
        if (seconds >= 3600) return sign + std::to_string(seconds / 3600) + " h " + std::to_string(seconds % 3600 / 60) + " min";
        return sign + std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
    }
    const auto& step = stepOf(kTimes, ns);
    const double scaled = ns / step.size;
    if (step.size == 1e9 && std::abs(scaled) < 9.995) return withMinus(formatDecimal(scaled, 2)) + " s";
    return withSteps(ns, step, " ");
}
std::string formatMoment(std::int64_t nanoseconds, std::int64_t step)
{
    const auto exact = static_cast<double>(nanoseconds);
    std::string text = formatDuration(exact);
    if (exact >= 99.5e9 && step % 1'000'000'000 == 0) return text;
    const auto& unit = stepOf(kTimes, exact);
    const auto decimalsFor = [&](std::int64_t value) {
        int decimals = 0;
        for (auto size = static_cast<std::int64_t>(unit.size); size > 1 && value % size != 0; size /= 10)
            ++decimals;
        return decimals;
    };
    const auto& point = Tongue::separators().decimal;
    const auto space = text.find(' '), dot = text.find(point);
    const auto decimals = dot < space ? space - dot - point.size() : 0;
    const bool tells = exact < 99.5e9 && static_cast<int>(decimals) >= decimalsFor(nanoseconds);
    return tells ? text : formatDecimal(exact / unit.size, decimalsFor(step)) + ' ' + std::string(unit.name);
}
std::string formatBytes(double bytes) { return withSteps(bytes, stepOf(kSizes, bytes), " "); }
std::string formatCompact(double value)
{
    if (std::abs(value) < 999.5)
        return withMinus(value == std::floor(value) ? formatDecimal(value, 0) : formatDecimal(value, std::abs(value) < 9.995 ? 2 : 1));
    return withSteps(value, stepOf(kCounts, value), "");
}
std::string formatGrouped(std::int64_t value)
{
    const std::string digits = std::to_string(value);
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::size_t left = digits.size() - i;
        if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') grouped += Tongue::separators().group;
        grouped += digits[i];
    }
    return withMinus(std::move(grouped));
}
std::string formatShare(double part, double whole)
{
    if (whole == 0) return "0 %";
    const double share = 100 * part / whole;
    if (share == 100 || share == 0) return formatDecimal(share, 0) + " %";
    if (share > 0 && share < 0.005) return "< " + formatDecimal(0.01, 2) + " %";
    if (share >= 99.95 && share < 100) return "> " + formatDecimal(99.9, 1) + " %";
    return (share < 0.1 ? formatDecimal(share, 2) : formatDecimal(share, 1)) + " %";
}
std::string formatQuantity(double value, Unit unit)
{
    switch (unit) {
    case Unit::Bytes: return formatBytes(value);
    case Unit::Nanoseconds: return formatDuration(value);
    case Unit::Percent: return formatDecimal(value, 1) + " %";
    case Unit::Count:
    case Unit::None: break;
    }
    return formatCompact(value);
}
std::string formatRange(double low, double high, Unit unit)
{
    const std::string from = formatQuantity(low, unit), to = formatQuantity(high, unit);
    if (from == to) return from;
    const auto a = from.rfind(' '), b = to.rfind(' ');
    const bool same = a != std::string::npos && b != std::string::npos && from.substr(a) == to.substr(b);
    return (same ? from.substr(0, a) : from) + " \u2013 " + to;
}

Measure measureOf(const record::Aggregation& aggregation, const Store& store)
{
    if (aggregation.function == record::Aggregator::Count) return {Unit::Count, 1};
    std::string value = withoutSpaces(aggregation.value);
    if (const auto time = timeOf(value)) return *time;
    if (isVariable(value))
        if (const auto assigned = assignedTo(value, store.program().source); !assigned.empty()) {
            if (const auto time = timeOf(assigned)) return *time;
            if (saysBytes(assigned)) return {Unit::Bytes, 1};
        }
    const auto member = value.find_last_of(".>");
    const std::string last = member == std::string::npos ? value : value.substr(member + 1);
    if (saysBytes(last)) return {Unit::Bytes, 1};
    const auto transfer = transferOf(store);
    if (value == "arg2" && transfer != Transfer::None) return {Unit::Bytes, 1};
    if ((value == "arg0" || value == "arg1")
        && (transfer == Transfer::Done || (transfer == Transfer::Asked && saysBytes(aggregation.name))))
        return {Unit::Bytes, 1};
    return {};
}
} // namespace dscope::graph
