#pragma once
#include "engine/record/counted_stacks.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
/// What perf script prints in front of a sample's stack: whose it is, when, and of which event. Source: linux/tools/perf/builtin-script.c
namespace dscope::text::perf {
constexpr std::size_t kLongestCommand = 15; ///< bytes of a thread's name. Source: linux/include/linux/sched.h, TASK_COMM_LEN
/// "java 24636/25607 [000] 4794564.109216: 1 cycles: rest": the command, whose and when it is, the event and the period of a sample.
struct Head {
    std::string_view command, event, rest;
    std::string_view machine; ///< of a guest, the process that is it: "VM:1234"
    std::optional<std::uint32_t> pid, tid, cpu;
    std::int64_t when = 0; ///< ns; 0: not told
    std::int64_t period = 1;
    bool hasPeriod = false;
    bool isHuge = false; ///< the period is above 2^63 - 1
};
/// The head of a sample; views are of the line. Nothing: the line is none.
std::optional<Head> headOf(std::string_view line);
/// Whether a word of the line is a time.
bool tellsTime(std::string_view line);
/// A head of whatever fields -F chose: of command, thread, CPU, time, period and event, in this order, those that are there.
Head looseHead(std::string_view line);
/// Whether perf set the line as that of a frame: "\t            1139 main", with the address to the right in its columns.
bool isSetAsFrame(std::string_view line);

/// What the periods of an event's samples sum up to.
struct Meaning {
    std::string noun;
    record::StackUnit unit = record::StackUnit::Count;
};
/// "cycles" of "cycles:ppp", "cpu_core/cycles/P" and "cpu/cycles/u": without the modifiers and without "cpu/".
/// Source: linux/tools/perf/Documentation/perf-list.txt
std::string plainEvent(std::string_view event);
/// "cycles" of "cpu_core/cycles" and of "cpu_atom/cycles": what both kinds of processors of one machine count. Empty: it is of neither.
std::string_view ofAllProcessors(std::string_view event);
/// cpu-clock and task-clock count nanoseconds; without periods there are as many as samples. Source: perf_event_open(2)
Meaning meaningOf(std::string_view event, bool hasPeriods);
} // namespace dscope::text::perf
