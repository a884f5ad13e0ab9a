#pragma once
#include "graph/page.h"
#include "graph/parts/histogram_data.h"
#include "graph/parts/histogram_layout.h"
#include "graph/parts/histogram_painter.h"
#include <string>
namespace dscope::graph {
/// Draws the distributions of a group, which must have one: a single one with an axis of counts, the cumulative line and percentiles
/// beside it, several as panels above a common axis.
class HistogramGroupPainter {
public:
    /// `call`: the system call whose time is shown; empty: none.
    HistogramGroupPainter(Page& page, const HistogramData& data, std::string call);
    void draw(const DistributionGroup& group, const Box& area);

private:
    HistogramRoom roomOf(const Box& area) const;
    void drawAlone(const DistributionGroup& group, const Box& area);
    void drawPanels(const DistributionGroup& group, const Box& area);
    void drawPanelWords(const DistributionGroup& group, const DistributionGroup::Member& member, const HistogramPanels& panels, double top);

    Page& m_page;
    const HistogramData& m_data;
    HistogramPainter m_painter;
};
} // namespace dscope::graph
