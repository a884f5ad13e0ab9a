#include "engine/session/clocks.h"
#include <ctime>
#include <sys/timex.h>
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
record::Nanoseconds threadTime() { return record::Nanoseconds(read(CLOCK_THREAD_CPUTIME_ID)); }

record::ClockReading readClocks()
{
    // Whoever is interrupted between the readings has a wide pair: the narrowest of a few is the best.
    constexpr int kReadings = 5;
    record::ClockReading best;
    for (int i = 0; i < kReadings; ++i) {
        const auto before = read(CLOCK_MONOTONIC), wall = read(CLOCK_REALTIME), width = read(CLOCK_MONOTONIC) - before;
        if (best.isKnown() && width >= best.width) continue;
        best.monotonic = before + width / 2;
        best.wall = wall;
        best.width = width;
    }

    // Source: adjtimex(2): maxerror is in microseconds whatever STA_NANO says; without modes nothing is changed.
    constexpr std::int64_t kMicrosecond = 1000;
    timex state{};
    if (::adjtimex(&state) < 0) return best;
    best.kept = (state.status & STA_UNSYNC) != 0 ? record::ClockReading::Kept::No : record::ClockReading::Kept::Yes;
    if (best.kept == record::ClockReading::Kept::Yes) best.maxError = state.maxerror * kMicrosecond;
    return best;
}
std::int32_t utcOffset()
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return static_cast<std::int32_t>(local.tm_gmtoff);
}
} // namespace dscope::session
