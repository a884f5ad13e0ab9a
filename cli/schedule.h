#pragma once
#include "engine/base/result.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
namespace dscope::cli {
/// When a run begins and how long it lasts: --at and --for.
struct Schedule {
    std::optional<std::int64_t> at; ///< ns since 1970, by this machine's wall clock
    std::optional<std::chrono::nanoseconds> lasts;
};
/// ns since 1970, by this machine's wall clock.
std::int64_t wallClock();
/// "2026-11-25 10:00:00" in UTC, with a fraction where it has one, or "+5s" from now. Error: it is neither.
Result<std::int64_t> beginOf(const std::string& text);
/// "10s", "5min". Error: it is no time, or none at all.
Result<std::chrono::nanoseconds> lastingOf(const std::string& text);
/// As beginOf() reads it, to the nanosecond.
std::string textOf(std::int64_t at);
/// Waits until then, or until `control`, where that is a descriptor, is readable, or a signal comes. `isOver` is asked after each. How many
/// ns after `at` it is; nothing: it was over.
std::optional<std::int64_t> awaitBegin(std::int64_t at, int control, const std::function<bool()>& isOver);
} // namespace dscope::cli
