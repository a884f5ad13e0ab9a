#pragma once
#include "graph/page.h"
#include "graph/parts/process_timeline_data.h"
#include "graph/parts/process_timeline_layout.h"
#include "graph/time_axis.h"
#include <cstdint>
#include <vector>
namespace dscope::graph {
/// Draws the parts of a timeline of processes, each at its place beside or above the plot.
class ProcessTimelinePainter {
public:
    /// `plot`: of all bars; `labels`: px left of it, of names; `row`: px, the height of one.
    ProcessTimelinePainter(Page& page, const ProcessTimelineData& data, const Box& plot, double labels, double row)
        : m_page(page), m_data(data), m_time{plot, data.first(), data.axisEnd()}, m_labels(labels), m_row(row)
    {
    }

    /// How many processes are at work at once: those that have no child of their own. Nothing where there is never more than one.
    void drawBand(double top, double height);
    void drawAxis() { drawTimeAxis(m_page, m_time, TimeLabels::Above, 12 * m_page.scale()); }
    /// The rows, below one another; between few of them lines from parents to children. Gives where they end below.
    double drawRows(const std::vector<TimelineRow>& rows);

private:
    void drawConnectors(const std::vector<TimelineRow>& rows);
    enum class Connected : std::uint8_t { Yes, No };
    void drawRow(const TimelineRow& of, double y, Connected connected);

    Page& m_page;
    const ProcessTimelineData& m_data;
    TimeScale m_time;
    double m_labels, m_row;
};
} // namespace dscope::graph
