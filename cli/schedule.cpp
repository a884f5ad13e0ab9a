#include "cli/schedule.h"
#include "cli/moment.h"
#include <array>
#include <cstdio>
#include <ctime>
#include <poll.h>
namespace dscope::cli {
namespace {
constexpr std::int64_t kSecond = 1'000'000'000;
} // namespace

std::int64_t wallClock()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * kSecond + now.tv_nsec;
}

Result<std::int64_t> beginOf(const std::string& text)
{
    using Since = graph::Moment::Since;
    const bool isRelative = text.starts_with('+');
    const auto moment = momentOf(isRelative ? text.substr(1) : text);
    if (moment && isRelative && moment->since == Since::Start) return wallClock() + moment->nanoseconds;
    if (moment && !isRelative && moment->since == Since::Epoch) return moment->nanoseconds;
    return Error{0, "--at takes a time in UTC (2026-11-25 10:00:00) or from now (+5s), not \"" + text + '"'};
}

Result<std::chrono::nanoseconds> lastingOf(const std::string& text)
{
    const auto moment = momentOf(text);
    if (moment && moment->since == graph::Moment::Since::Start && moment->nanoseconds > 0)
        return std::chrono::nanoseconds(moment->nanoseconds);
    return Error{0, "--for takes how long to trace, as 10s or 5min, not \"" + text + '"'};
}

std::string textOf(std::int64_t at)
{
    const auto whole = static_cast<std::time_t>(at / kSecond);
    std::tm parts{};
    ::gmtime_r(&whole, &parts);
    std::array<char, 64> day{};
    std::array<char, 96> all{};
    std::strftime(day.data(), day.size(), "%Y-%m-%d %H:%M:%S", &parts);
    std::snprintf(all.data(), all.size(), "%s.%09lld", day.data(), static_cast<long long>(at % kSecond));
    return all.data();
}

std::optional<std::int64_t> awaitBegin(std::int64_t at, int control, const std::function<bool()>& isOver)
{
    for (;;) {
        if (isOver()) return std::nullopt;
        const auto left = at - wallClock();
        if (left <= 0) return -left;
        // A clock that is set meanwhile is looked at again.
        constexpr std::int64_t kLongest = kSecond;
        const auto wait = std::min(left, kLongest);
        const timespec timeout{wait / kSecond, wait % kSecond};
        pollfd asked{control, POLLIN, 0};
        ::ppoll(&asked, control >= 0 ? 1 : 0, &timeout, nullptr);
    }
}
} // namespace dscope::cli
