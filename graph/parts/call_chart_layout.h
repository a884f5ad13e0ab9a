#pragma once
#include "graph/parts/call_lanes.h"
#include "graph/time_axis.h"
#include <span>
#include <vector>
namespace dscope::graph {
/// The page of a flame chart. Lengths are px.
struct CallSheet {
    Box area;
    double scale = 1;      ///< of text
    bool fits = true;      ///< what has no room is not drawn; else the page grows
    bool isScreen = false; ///< rows have a fixed height
    double axisHeight() const { return 30 * scale; }
    double headHeight() const { return 24 * scale; } ///< a thread's name
    double laneGap() const { return 12 * scale; }
};
/// Which threads are drawn, and how many levels of them.
struct CallLevels {
    std::size_t threads = 0;
    std::uint32_t levels = 1, deepest = 1; ///< deepest: levels that there are
    double rows = 0;                       ///< of all threads together
};
/// As many threads as fit with their first levels, then as many levels as fit with these.
CallLevels callLevels(std::span<const CallLane> lanes, const CallSheet& sheet);
/// A page with room to spare shows the time in strips, as text has lines: as few of them as it takes to label most calls.
std::size_t callStrips(
    const Calls& calls, std::span<const CallLane> lanes, const CallSpan& span, const CallLevels& levels, const CallSheet& sheet);

/// Where the strips of a flame chart are, and what is drawn in each.
class CallChartLayout {
public:
    /// `lanes`: those that are drawn.
    CallChartLayout(const Calls& calls, std::vector<CallLane> lanes, const CallSpan& span, const CallLevels& levels, const CallSheet& sheet,
        std::size_t strips);
    std::size_t strips() const { return m_strips; }
    const std::vector<CallLane>& lanes() const { return m_lanes; }
    const CallSheet& sheet() const { return m_sheet; }
    std::uint32_t levels() const { return m_levels.levels; }
    double rowHeight() const { return m_row; }
    /// The time of a strip whose lanes begin at `y`.
    TimeScale time(std::size_t strip, double y) const;
    const std::vector<CallBar>& bars(std::size_t strip, std::size_t lane) const { return m_bars[strip * m_lanes.size() + lane]; }
    /// One thread is named once, several in each strip.
    bool hasHeads(std::size_t strip) const { return strip == 0 || m_lanes.size() > 1; }

private:
    std::int64_t edge(std::size_t strip) const;
    CallSpan seen(std::size_t strip) const;

    const Calls& m_calls;
    std::vector<CallLane> m_lanes;
    CallSpan m_span;
    CallLevels m_levels;
    CallSheet m_sheet;
    std::size_t m_strips;
    double m_row = 0;
    std::vector<std::vector<CallBar>> m_bars; ///< of strip after strip, in each of lane after lane
};
/// px: calls whose bars are narrower have no label.
constexpr double kNarrowestCallLabel = 30;
} // namespace dscope::graph
