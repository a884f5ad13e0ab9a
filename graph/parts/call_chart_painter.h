#pragma once
#include "graph/page.h"
#include "graph/parts/call_chart_layout.h"
namespace dscope::graph {
/// Draws the lanes of a flame chart, a lane a thread, strip below strip.
class CallChartPainter {
public:
    enum class Hidden : std::uint8_t { Left, Searched }; ///< Searched: calls too short to be drawn are put into the figure's tree
    CallChartPainter(Page& page, const Calls& calls, const CallNames& names, Hidden hidden)
        : m_page(page), m_calls(calls), m_names(names), m_hidden(hidden)
    {
    }
    /// Returns y of the lower edge.
    double draw(const CallChartLayout& layout);

private:
    /// How a thread's calls are drawn.
    struct LaneRoom {
        const TimeScale& time;
        double y = 0, row = 0; ///< px: the upper edge, the height of a level
        std::uint32_t levels = 1;
    };
    void drawHead(const CallLane& lane, const CallSheet& sheet, double y);
    void drawLane(const CallLane& lane, std::span<const CallBar> bars, const LaneRoom& room);
    NodeId drawBar(const CallBar& bar, const LaneRoom& room, NodeId caller);
    void drawLabel(const CallBar& bar, const Box& box);
    std::string tipOf(const CallBar& bar) const;

    Page& m_page;
    const Calls& m_calls;
    const CallNames& m_names;
    Hidden m_hidden;
};
} // namespace dscope::graph
