#pragma once
#include "engine/record/record.h"
namespace dscope::session {
/// CLOCK_MONOTONIC now, as bpf_ktime_get_ns() counts.
record::Nanoseconds monotonicNow();
/// The processor's time that this thread has had: it stands still while the thread waits.
record::Nanoseconds threadTime();
/// Both clocks now, and what the kernel says of who keeps them. ClockReading::kept is NotTold where it does not say, as in some containers.
record::ClockReading readClocks();
/// Seconds east of UTC, here and now.
std::int32_t utcOffset();
} // namespace dscope::session
