#pragma once
#include "graph/calls.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// A stretch of time of a flame chart.
struct CallSpan {
    std::int64_t from = 0, to = 1; ///< ns; from < to
    /// Whether something of a call is seen in it; what lies on its left edge is, on its right edge not.
    bool shows(const Call& c) const { return c.start < to && (c.end > from || c.start >= from); }
};
/// The calls of one thread that are seen.
struct CallLane {
    std::size_t thread = 0, first = 0, end = 0; ///< [first, end) of Calls::calls
    std::uint32_t depth = 0;                    ///< levels
    std::size_t calls = 0;
};
/// One call, or a run of neighbours that are too short to be seen alone.
struct CallBar {
    std::size_t call = 0, calls = 1;
    std::int64_t start = 0, end = 0; ///< ns
};
/// Threads with calls in a span, in the order of Calls::threads.
std::vector<CallLane> callLanes(const Calls& calls, const CallSpan& span);
/// Of one thread's calls, those of the first `levels` that are seen; runs of calls shorter than `sliver` ns as one.
std::vector<CallBar> callBars(const Calls& calls, const CallLane& lane, const CallSpan& span, std::uint32_t levels, double sliver);

/// What calls and threads are called in a flame chart.
class CallNames {
public:
    enum class Clock : std::uint8_t { Time, Lines }; ///< Lines: what stands for a time is the number of a line of text
    CallNames(const Calls& calls, Clock clock) : m_calls(calls), m_clock(clock) { }
    bool isTimed() const { return m_clock == Clock::Time; }
    std::string lane(std::size_t thread) const; ///< "make 4242, thread 4243"
    std::string duration(const Call& call) const;
    /// What only this mark has: the function, and from when to when.
    std::string key(const CallBar& bar) const;
    /// The time of the mark that has this key, or of the longest call of the function with this name, with a little around it.
    std::optional<CallSpan> span(std::string_view key) const;

private:
    const Calls& m_calls;
    Clock m_clock;
};
} // namespace dscope::graph
