#include "graph/parts/heatmap_painter.h"
#include "graph/keys.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <variant>
namespace dscope::graph {
namespace {
constexpr std::size_t kSteps = 6; // of the palette's ramp
} // namespace

/// Numbers of a cell whose colours are shown, ascending: a few numbers each, of many those where a step begins that a cell is on.
std::vector<std::pair<double, std::string>> HeatmapPainter::legend(std::span<const HeatPanel> panels) const
{
    std::set<double> drawn;
    for (const auto& panel : panels)
        for (const auto& [at, count] : panel.counts)
            drawn.insert(panel.evened(at.first, count, m_scale.usual));
    std::vector<std::pair<double, std::string>> out;
    const bool isShared = m_page.options().extents != nullptr; // of figures with one scale, which have one legend
    if (!isShared && drawn.size() <= kSteps && std::all_of(drawn.begin(), drawn.end(), [](double n) { return n == std::floor(n); })) {
        for (const double number : drawn)
            out.emplace_back(number, heatCount(number));
        return out;
    }

    std::vector<double> steps{1};
    for (std::size_t i = 1; i < kSteps; ++i)
        if (const double least = std::ceil(std::pow(m_scale.most, (static_cast<double>(i) - 0.5) / (kSteps - 1)));
            least > steps.back() && least <= m_scale.most)
            steps.push_back(least);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto from = i == 0 ? drawn.begin() : drawn.lower_bound(steps[i]);
        const auto to = i + 1 < steps.size() ? drawn.lower_bound(steps[i + 1]) : drawn.end();
        if (isShared || from != to) out.emplace_back(steps[i], i == 0 ? "1" : "\u2265 " + heatCount(steps[i]));
    }
    return out;
}

void HeatmapPainter::drawLegend(Point at, std::span<const HeatPanel> panels)
{
    const double k = m_page.scale(), size = 12 * k, swatch = 16 * k;
    double x = at.x;
    Item& head = m_page.text(Role::Legend, {x, at.y + swatch - 4 * k},
        said("%1 in a cell", m_data.noun().said()) + (m_scale.isEven ? std::string() : said(", per %1", formatDuration(m_scale.usual))),
        {.size = size});
    if (const auto* text = std::get_if<Text>(&head.shape)) x += text->width + 16 * k;
    const auto entries = legend(panels);
    double width = x - at.x;
    for (const auto& [least, label] : entries)
        width += swatch + 21 * k + textWidth(label, size);

    const bool all = width <= m_page.content().width;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [least, label] = entries[i];
        if (!all && i != 0 && i + 1 != entries.size()) continue;
        m_page.box(Role::Cell, {x, at.y, swatch, swatch, 2}).level = m_scale.level(least);
        m_page.text(Role::Legend, {x + swatch + 5 * k, at.y + swatch - 4 * k}, label, {.size = size});
        x += swatch + 21 * k + textWidth(label, size);
    }
}

void HeatmapPainter::draw(const HeatPanel& panel, const Box& area, Place place)
{
    const double k = m_page.scale(), size = 12 * k, left = 84 * k, head = panel.name.empty() ? 6 * k : HeatLengths::kHead * k;
    const Box plot{area.x + left, area.y + head, area.width - left, area.height - head, 0};
    const double row = plot.height / panel.rows();
    const auto& extents = m_page.options().extents;
    const TimeScale time{plot, m_data.started(), std::max(m_data.last(), m_data.started() + (extents ? extents->time : 0))};
    if (!panel.name.empty()) {
        const std::string total = m_data.noun().with(heatCount(panel.total));
        m_page.text(Role::Note, {plot.x + plot.width, area.y + 15 * k}, total, {.size = size, .anchor = Anchor::End});
        m_page.text(Role::Label, {area.x, area.y + 15 * k}, panel.name,
            {.size = 14 * k, .bold = true, .maxWidth = area.width - textWidth(total, size) - 20 * k, .middle = true});
    }

    drawTimeAxis(m_page, time, place == Place::Last ? TimeLabels::Below : TimeLabels::None, size);
    m_page.path(Role::Axis, {{plot.x, plot.y + plot.height}, {plot.x + plot.width, plot.y + plot.height}});
    const auto yOf = [&](int bucket) { return plot.y + plot.height - row * (bucket - panel.of.first); };
    const int every = std::max(1, static_cast<int>(std::ceil(size * 1.5 / row)));
    for (int bucket = panel.of.first; bucket <= panel.of.last + 1; bucket += every) {
        const std::string label = bucket < record::bucketCount(panel.of.shape) ? panel.of.edge(bucket) : std::string();
        if (label.empty()) continue;
        m_page.path(Role::Tick, {{plot.x - 5, yOf(bucket)}, {plot.x, yOf(bucket)}});
        m_page.text(Role::Tick, {plot.x - 9 * k, yOf(bucket) + size * 0.36}, label,
            {.size = size, .anchor = Anchor::End, .maxWidth = left - 10 * k});
    }

    for (const auto& [at, count] : panel.counts) {
        const auto& [from, to] = panel.times[at.first];
        const double x = time.x(from), width = std::max(time.x(to) - x, 1.0), gapX = width > 6 ? 1 : 0, gapY = row > 6 ? 1 : 0;
        const Box cell{x + gapX / 2, yOf(at.second) - row + gapY / 2, width - gapX, row - gapY, 0};
        Item& item = m_page.box(Role::Cell, cell);
        item.level = m_scale.level(panel, at.first, count);
        item.key = panel.name;
        item.tip = (panel.name.empty() ? std::string() : panel.name + '\n') + panel.of.range(at.second) + '\n'
            + formatDuration(static_cast<double>(from - m_data.started())) + " \u2013 "
            + formatDuration(static_cast<double>(to - m_data.started())) + ": " + m_data.noun().with(heatCount(count));
        const auto range = record::bucketRange(panel.of.shape, at.second);
        item.data = {{"time-ns", std::to_string(to)}};
        if (range.low) item.data.emplace_back("low", std::to_string(*range.low));
        if (range.high) item.data.emplace_back("high", std::to_string(*range.high));
        item.data.emplace_back("count", plainNumber(count));
        const std::string label = heatCount(count);
        if (cell.height < size + 3 || textWidth(label, size) + 8 > cell.width) continue;
        const double shade = item.level;
        m_page
            .text(Role::Cell, {cell.x + cell.width / 2, cell.y + cell.height / 2 + size * 0.36}, label,
                {.size = size, .anchor = Anchor::Middle})
            .level
            = shade;
    }
}
} // namespace dscope::graph
