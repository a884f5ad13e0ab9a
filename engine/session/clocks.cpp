#include "engine/session/clocks.h"
#include <ctime>
namespace dscope::session {
namespace {
std::int64_t read(clockid_t clock)
{
    timespec t{};
    ::clock_gettime(clock, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
} // namespace
record::Nanoseconds monotonicNow() { return record::Nanoseconds(read(CLOCK_MONOTONIC)); }
std::int64_t wallClockOffset() { return read(CLOCK_REALTIME) - read(CLOCK_MONOTONIC); }
std::int32_t utcOffset()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return static_cast<std::int32_t>(local.tm_gmtoff);
}
} // namespace dscope::session
