#pragma once
#include "engine/record/record.h"
#include <span>
#include <vector>
namespace dscope::graph {
/// What happened to processes from `from` to `to` (ns, CLOCK_MONOTONIC, both included). A process that was there at `from` is told as
/// one that was there before tracing began, as what it ran then.
std::vector<record::ProcessEvent> eventsWithin(std::span<const record::ProcessEvent> events, std::int64_t from, std::int64_t to);
} // namespace dscope::graph
