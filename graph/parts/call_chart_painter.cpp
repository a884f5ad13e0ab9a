#include "graph/parts/call_chart_painter.h"
#include "graph/frame_label.h"
#include "graph/noun.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
/// What is written on a bar of several calls; empty where not even their number has room.
std::string runLabel(std::size_t calls, double width, double size)
{
    const auto number = formatGrouped(static_cast<std::int64_t>(calls));
    for (auto& form : {said("%1 calls, each too short to see", number), Noun("calls").with(number), number})
        if (textWidth(form, size, {.mono = true}) <= width) return form;
    return {};
}
} // namespace

double CallChartPainter::draw(const CallChartLayout& layout)
{
    const auto& sheet = layout.sheet();
    double y = sheet.area.y;
    for (std::size_t strip = 0; strip < layout.strips(); ++strip) {
        y += sheet.axisHeight();
        const auto time = layout.time(strip, y);
        if (m_names.isTimed()) drawTimeAxis(m_page, time, TimeLabels::Above, 12 * sheet.scale, time.from - m_calls.from);
        for (std::size_t i = 0; i < layout.lanes().size(); ++i) {
            const auto& lane = layout.lanes()[i];
            if (layout.hasHeads(strip)) {
                drawHead(lane, sheet, y);
                y += sheet.headHeight();
            }
            drawLane(lane, layout.bars(strip, i), {time, y, layout.rowHeight(), layout.levels()});
            y += layout.rowHeight() * std::min(lane.depth, layout.levels()) + sheet.laneGap();
        }
    }
    return y;
}

void CallChartPainter::drawHead(const CallLane& lane, const CallSheet& sheet, double y)
{
    const Box& area = sheet.area;
    const double size = 13 * sheet.scale;
    const auto calls = Noun("calls").with(formatGrouped(static_cast<std::int64_t>(lane.calls)));
    m_page.box(Role::Ground, {area.x, y, area.width, sheet.headHeight() - 2, 0});
    m_page.text(Role::Label, {area.x, y + 16 * sheet.scale}, m_names.lane(lane.thread),
        {.size = size, .bold = true, .maxWidth = area.width - textWidth(calls, size) - 16});
    m_page.text(Role::Note, {area.x + area.width, y + 16 * sheet.scale}, calls, {.size = size, .anchor = Anchor::End});
}

void CallChartPainter::drawLane(const CallLane& lane, std::span<const CallBar> bars, const LaneRoom& room)
{
    const auto& time = room.time;
    const bool isSearched = m_hidden == Hidden::Searched;
    const auto thread = m_page.hiddenNode(std::nullopt, {}, static_cast<double>(time.to - time.from));
    std::vector<NodeId> open(room.levels + 1, thread); // behind the thread itself the newest call of each level
    auto bar = bars.begin();
    for (auto i = lane.first; i < lane.end; ++i) {
        const auto& c = m_calls.calls[i];
        const bool isBar = bar != bars.end() && bar->call == i;
        if (isBar) {
            const auto node = drawBar(*bar, room, open[c.depth]);
            const bool isRun = bar++->calls > 1;
            if (!isRun || !isSearched) open[c.depth + 1] = node;
            if (!isRun) continue;
        }
        const auto seen = std::min(c.end, time.to) - std::max(c.start, time.from);
        if (!isSearched || c.depth >= room.levels || seen < 0) continue;
        open[c.depth + 1] = m_page.hiddenNode(open[c.depth], m_calls.names[c.name], static_cast<double>(seen));
    }
}

std::string CallChartPainter::tipOf(const CallBar& bar) const
{
    const auto& c = m_calls.calls[bar.call];
    const bool isTimed = m_names.isTimed();
    std::string tip;
    if (bar.calls > 1)
        tip = Noun("calls").with(formatGrouped(static_cast<std::int64_t>(bar.calls)))
            + (isTimed ? said(" in %1", formatDuration(static_cast<double>(bar.end - bar.start))) : std::string());
    else
        tip = m_calls.names[c.name] + '\n' + m_names.duration(c) + (c.begun ? "" : said(", running since before tracing began"))
            + (c.ended ? "" : said(", had not returned")) + (c.lost ? said(", its return was not seen") : "");
    if (isTimed) tip += '\n' + said("at %1", formatDuration(static_cast<double>(bar.start - m_calls.from)));
    return tip;
}

NodeId CallChartPainter::drawBar(const CallBar& bar, const LaneRoom& room, NodeId caller)
{
    const auto& c = m_calls.calls[bar.call];
    const auto& time = room.time;
    const bool isRun = bar.calls > 1;
    const double x = time.x(std::max(bar.start, time.from)), right = time.plot.x + time.plot.width;
    const double width = std::min(std::max(time.x(std::min(bar.end, time.to)) - x, 0.75), std::max(right - x, 0.3));
    const double gap = width > 3 ? 0.5 : 0, y = room.y + room.row * c.depth;
    Item& item = m_page.box(Role::Frame, {x, y, width - gap, room.row - 1, 0}, isRun ? Shade::Unknown : c.shade);
    item.key = m_names.key(bar);
    item.tip = tipOf(bar);
    item.data = {{"start-ns", std::to_string(bar.start)}, {"duration-ns", std::to_string(bar.end - bar.start)}};
    if (isRun) item.data.emplace_back("calls", std::to_string(bar.calls));
    if (!isRun) item.row = Row{static_cast<std::uint32_t>(bar.call)};
    const auto seen = std::min(bar.end, time.to) - std::max(bar.start, time.from);
    const auto id = m_page.node(caller, isRun ? std::string_view() : m_calls.names[c.name], static_cast<double>(seen));
    if (width >= kNarrowestCallLabel) drawLabel(bar, {x, y, width, room.row, 0});
    return id;
}

/// What is written on a bar; `box` with the gaps to its neighbours.
void CallChartPainter::drawLabel(const CallBar& bar, const Box& box)
{
    const auto& c = m_calls.calls[bar.call];
    const bool isRun = bar.calls > 1;
    const double size = std::clamp(std::floor(box.height * 0.62), m_page.smallest(), 1.3 * m_page.smallest()), pad = 4;
    const std::string before = c.begun ? "" : "\u2190 ", after = c.ended ? "" : " \u2192";
    const double width = box.width - 2 * pad - 1, room = width - textWidth(before + after, size, {.mono = true});
    const std::string label = isRun ? runLabel(bar.calls, width, size) : frameLabel(m_calls.names[c.name], room, size);
    if (label.empty()) return;
    m_page
        .text(Role::Frame, {box.x + pad, box.y + (box.height - 1) / 2 + size * 0.36}, isRun ? label : before + label + after,
            {.size = size, .mono = true}, isRun ? Shade::Unknown : c.shade)
        .key
        = m_names.key(bar);
}
} // namespace dscope::graph
