#include "graph/parts/histogram_group_painter.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
HistogramGroupPainter::HistogramGroupPainter(Page& page, const HistogramData& data, std::string call)
    : m_page(page), m_data(data), m_painter(page, {data.noun(), std::move(call), data.noise(), data.compares()})
{
}

void HistogramGroupPainter::draw(const DistributionGroup& group, const Box& area)
{
    group.members.size() == 1 ? drawAlone(group, area) : drawPanels(histogramOrder(group, m_page.options()), area);
}

HistogramRoom HistogramGroupPainter::roomOf(const Box& area) const
{
    const double k = m_page.scale();
    return {area, k, m_page.content().height < HistogramLengths::kLowArea * k};
}

void HistogramGroupPainter::drawAlone(const DistributionGroup& group, const Box& area)
{
    const double k = m_page.scale();
    const auto [hasSide, scale, ticks] = histogramAlone(m_data, group, roomOf(area), m_page.options());
    for (const double tick : ticks) {
        const double y = scale.plot.y + scale.plot.height - scale.height(tick, ticks.back());
        m_page.path(Role::Grid, {{scale.plot.x, y}, {scale.plot.x + scale.plot.width, y}});
        // On a low plot only the ends have room, or the highest alone.
        const bool isEnd = tick == ticks.back() || (tick == ticks.front() && scale.plot.height >= HistogramLengths::kTickRoom * k);
        if (isEnd || scale.plot.height / static_cast<double>(ticks.size() - 1) >= HistogramLengths::kTickRoom * k)
            m_page.text(Role::Axis, {scale.plot.x - 12 * k, y + 5 * k}, countText(tick), {.size = 14 * k, .anchor = Anchor::End});
    }

    m_page.text(Role::Axis, {scale.plot.x - 12 * k, scale.plot.y - 22 * k}, m_data.noun().said(), {.size = 14 * k, .anchor = Anchor::End});

    const auto& member = group.members.front();
    m_painter.drawBars(group, member.values, m_data.panelName(member), scale, ticks.back(), member.firstRow);
    m_painter.drawShare(member.values, scale);
    m_painter.drawCounts(member.values, scale, ticks.back(), HistogramPainter::Panel::Alone);
    m_painter.drawAxis(group, scale);
    if (!hasSide) return;
    const double side = scale.plot.x + scale.plot.width + 66 * k;
    m_painter.drawSide(group, member.values, {side, scale.plot.y, area.x + area.width - side, area.y + area.height - scale.plot.y, 0});
}

/// A panel's name, its total and its percentiles; `top`: px of the panel's upper edge.
void HistogramGroupPainter::drawPanelWords(
    const DistributionGroup& group, const DistributionGroup::Member& member, const HistogramPanels& panels, double top)
{
    const double k = m_page.scale(), base = panels.scale.plot.y + panels.scale.plot.height;
    const double x = panels.scale.plot.x - panels.left, plotEnd = panels.scale.plot.x + panels.scale.plot.width;
    const std::string total = m_data.noun().with(countText(member.values.total));
    if (panels.hasNames) {
        m_page.text(
            Role::Label, {x, base - 17 * k}, m_data.panelName(member), {.size = 14 * k, .bold = true, .maxWidth = panels.left - 14 * k});
        m_page.text(Role::Note, {x, base - 1 * k}, total, {.size = 12 * k, .maxWidth = panels.left - 14 * k});
    } else {
        m_page.text(Role::Note, {plotEnd, top + 16 * k}, total, {.size = 12 * k, .anchor = Anchor::End});
        m_page.text(Role::Label, {x, top + 16 * k}, m_data.panelName(member),
            {.size = 14 * k, .bold = true, .maxWidth = plotEnd - x - textWidth(total, 12 * k) - 24});
    }

    if (!panels.hasSide) return;

    const auto& values = member.values;
    for (std::size_t i = 0; i < panels.percentiles.size(); ++i) {
        const double share = kPercentiles[panels.percentiles[i]].first, at = panels.sideX + panels.sideStep * static_cast<double>(i);
        const bool moved
            = m_data.compares() && values.totalBefore > 0 && values.total > 0 && values.percentileBefore(share) != values.percentile(share);
        m_page.text(Role::Label, {at, base - (moved ? 17 : 1) * k}, percentileText(group, values, share),
            {.size = 12 * k, .maxWidth = panels.sideStep - 8});
        if (moved)
            m_page.text(Role::Note, {at, base - 1 * k}, said("was %1", group.range(values.percentileBefore(share))),
                {.size = 12 * k, .maxWidth = panels.sideStep - 8});
    }
}

void HistogramGroupPainter::drawPanels(const DistributionGroup& group, const Box& area)
{
    const double k = m_page.scale();
    auto panels = histogramPanels(m_data, group, roomOf(area), m_page.options());
    double y = area.y;
    if (panels.hasSide) {
        for (std::size_t i = 0; i < panels.percentiles.size(); ++i)
            m_page.text(Role::Note, {panels.sideX + panels.sideStep * static_cast<double>(i), area.y + 14 * k},
                kPercentiles[panels.percentiles[i]].second, {.size = 13 * k});
        y += HistogramLengths::kPercentileHead * k;
    }

    const double head = (panels.hasNames ? 4 : panels.panel < HistogramLengths::kLowPanel * k ? 20 : 26) * k;
    auto& plot = panels.scale.plot;
    for (std::size_t i = 0; i < panels.shown; ++i) {
        const auto& member = group.members[i];
        // Numbers above the bars would take what is left of a low panel.
        const bool isLow = panels.panel < HistogramLengths::kLowPanel * k;
        const double above = (isLow ? 2 : 14) * k;
        plot.y = y + head + above;
        plot.height = std::max(panels.panel - head - above - 6 * k, 8.0);
        m_page.path(Role::Grid, {{plot.x, plot.y + plot.height}, {plot.x + plot.width, plot.y + plot.height}});
        m_painter.drawBars(group, member.values, m_data.panelName(member), panels.scale, m_data.mostOf(member.values), member.firstRow);
        if (!isLow) m_painter.drawCounts(member.values, panels.scale, m_data.mostOf(member.values), HistogramPainter::Panel::OfSeveral);
        drawPanelWords(group, member, panels, y);
        y += panels.panel;
    }

    plot.y = y - 6 * k;
    plot.height = 0;
    m_painter.drawAxis(group, panels.scale);
    if (panels.shown == group.members.size()) return;

    double hidden = 0;
    for (std::size_t i = panels.shown; i < group.members.size(); ++i)
        hidden += group.members[i].values.total;
    m_page.text(Role::Note, {area.x, y + panels.axis + 12 * k},
        said("\u2026 %1 more with %2", formatGrouped(static_cast<std::int64_t>(group.members.size() - panels.shown)),
            m_data.noun().with(countText(hidden))),
        {.size = 13 * k, .maxWidth = area.width});
}
} // namespace dscope::graph
