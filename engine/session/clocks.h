#pragma once
#include "engine/record/record.h"
namespace dscope::session {
/// CLOCK_MONOTONIC now, as bpf_ktime_get_ns() counts.
record::Nanoseconds monotonicNow();
/// Nanoseconds to add to CLOCK_MONOTONIC for UTC.
std::int64_t wallClockOffset();
/// Seconds east of UTC, here and now.
std::int32_t utcOffset();
} // namespace dscope::session
