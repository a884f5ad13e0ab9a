#include "cli/moment.h"
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <optional>
#include <string_view>
namespace dscope::cli {
namespace {
constexpr double kSecond = 1e9;
struct TimeUnit {
    std::string_view name;
    double nanoseconds;
};
/// Source: the D manual, "Profile provider", time suffixes; without one, seconds.
constexpr std::array<TimeUnit, 20> kTimeUnits{{{"", kSecond}, {"ns", 1}, {"nsec", 1}, {"us", 1e3}, {"usec", 1e3}, {"ms", 1e6},
    {"msec", 1e6}, {"s", kSecond}, {"sec", kSecond}, {"m", 60 * kSecond}, {"min", 60 * kSecond}, {"h", 3600 * kSecond},
    {"hour", 3600 * kSecond}, {"d", 86'400 * kSecond}, {"day", 86'400 * kSecond}, {"nanoseconds", 1}, {"microseconds", 1e3},
    {"milliseconds", 1e6}, {"seconds", kSecond}, {"minutes", 60 * kSecond}}};

std::optional<graph::Moment> inUtc(std::string text)
{
    for (const std::string_view ending : {" UTC", "Z"})
        if (text.ends_with(ending)) text.resize(text.size() - ending.size());
    std::tm day{};
    int end = 0;
    double seconds = 0;
    char between = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%c%2d:%2d:%lf%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &between, &day.tm_hour,
            &day.tm_min, &seconds, &end)
            != 7
        || static_cast<std::size_t>(end) != text.size() || (between != ' ' && between != 'T') || day.tm_mon < 1 || day.tm_mon > 12
        || day.tm_mday < 1 || day.tm_mday > 31 || day.tm_hour > 23 || day.tm_min > 59 || seconds < 0 || seconds >= 61)
        return std::nullopt;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    const auto whole = static_cast<std::int64_t>(::timegm(&day)) * 1'000'000'000;
    return graph::Moment{graph::Moment::Since::Epoch, whole + std::llround(seconds * kSecond)};
}
} // namespace

Result<graph::Moment> momentOf(const std::string& text)
{
    if (const auto utc = inUtc(text)) return *utc;
    const bool isFromEnd = text.starts_with('-');
    const auto* begin = text.data() + (isFromEnd ? 1 : 0);
    const auto* end = text.data() + text.size();
    double number = 0;
    const auto read = std::from_chars(begin, end, number, std::chars_format::fixed);
    const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
    if (read.ec == std::errc() && *begin != '-')
        for (const auto& known : kTimeUnits)
            if (unit == known.name && number * known.nanoseconds < 9e18) {
                const auto nanoseconds = std::llround(number * known.nanoseconds);
                using Since = graph::Moment::Since;
                return graph::Moment{isFromEnd ? Since::End : Since::Start, isFromEnd ? -nanoseconds : nanoseconds};
            }
    return Error{0,
        '"' + text
            + "\" is no moment of a run: give seconds or a unit after its start (1.5s, 300ms), before its end (-2s), or a time in UTC "
              "(2026-11-23 10:54:02)"};
}
} // namespace dscope::cli
