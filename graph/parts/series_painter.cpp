#include "graph/parts/series_painter.h"
#include "graph/keys.h"
#include "graph/layouts/axes.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::size_t kMostDots = 2000;
constexpr double kRoomForPoint = 7, kPoint = 5;
} // namespace

void SeriesPainter::drawLine(const AmountsOverTime& panel, const DrawnLine& line, const TimeScale& time, const ValueAxis& axis)
{
    const auto y = [&](double value) { return time.plot.y + time.plot.height * (1 - axis.at(value)); };
    const Shade shade = line.hue < 0 ? Shade::Dashed : Shade::Plain;
    const double middleOfStep = 0.5;
    std::vector<Point> points;
    std::vector<std::size_t> dots;
    const auto flush = [&] {
        if (!points.empty()) {
            Item& item = m_page.path(Role::Series, points, shade);
            item.level = line.hue;
            item.key = line.label;
            item.tip = line.label;
        }
        points.clear();
    };

    // A value is that of all of its interval: a slope from one to the next would be of our making.
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        if (!line.values[i] || (axis.isLogarithmic() && *line.values[i] <= 0)) { // nothing has no logarithm
            flush();
            continue;
        }
        const auto& [from, to] = panel.intervals[i];
        points.push_back({time.x(from), y(*line.values[i])});
        points.push_back({time.x(to), y(*line.values[i])});
        dots.push_back(i);
    }

    flush();
    const bool room = dots.size() < 2 || time.plot.width / static_cast<double>(dots.size()) >= kRoomForPoint;
    if (!room || line.values.size() > kMostDots) return;
    for (const auto i : dots) {
        const auto& [from, to] = panel.intervals[i];
        const double size = dots.size() == 1 ? 2 * kPoint : kPoint, value = *line.values[i],
                     x = time.x(from) + middleOfStep * (time.x(to) - time.x(from));
        Item& dot = m_page.box(Role::Series, {x - size / 2, y(value) - size / 2, size, size, size / 2});
        dot.level = line.hue;
        dot.key = line.label;
        const auto when = panel.isNumbered
            ? std::to_string(to)
            : formatRange(static_cast<double>(from - m_data.started()), static_cast<double>(to - m_data.started()), Unit::Nanoseconds);
        dot.tip = line.label + '\n' + when + ": " + m_data.valueText(panel, value)
            + (addsUp(panel.shape) && !panel.isNumbered ? said(" per second") : std::string());
        dot.data = {{"time-ns", std::to_string(to)}, {"value", plainNumber(panel.shape, value)}};
    }
}

/// The number of each printing below what came in up to it, as far as there is room.
void SeriesPainter::drawNumbers(const AmountsOverTime& panel, const TimeScale& time, Place place)
{
    if (place != Place::Last) return;
    const double size = 12 * m_page.scale(), below = time.plot.y + time.plot.height;
    std::vector<double> middles, widths;
    for (const auto& [from, to] : panel.intervals) {
        middles.push_back((time.x(from) + time.x(to)) / 2);
        widths.push_back(textWidth(std::to_string(to), size));
    }
    for (const auto i : keptLabels(middles, widths, size))
        m_page.text(
            Role::Tick, {middles[i], below + 8 + size}, std::to_string(panel.intervals[i].to), {.size = size, .anchor = Anchor::Middle});
}

void SeriesPainter::drawLabels(const std::vector<DrawnLine>& lines, const Box& plot, double room, const ValueAxis& axis)
{
    const double size = SeriesLengths::kText * m_page.scale(), right = plot.x + plot.width, unit = m_page.lines(), mark = right + 22 * unit;
    for (const auto& label : seriesLabels(lines, plot, size * SeriesLengths::kLineGap, axis)) {
        const auto& line = *label.line;
        m_page.path(Role::Grid, {{right + 4 * unit, label.end}, {mark - 4 * unit, label.at}});
        m_page.path(Role::Series, {{mark, label.at}, {mark + 16 * unit, label.at}}, line.hue < 0 ? Shade::Dashed : Shade::Plain).level
            = line.hue;
        m_page
            .text(Role::Label, {mark + 22 * unit, label.at + size * 0.36}, line.label,
                {.size = size, .maxWidth = room - 44 * unit, .middle = true})
            .key
            = line.label;
    }
}

void SeriesPainter::draw(const AmountsOverTime& panel, const Box& area, const SeriesSheet& room, Place place)
{
    const double k = m_page.scale(), size = SeriesLengths::kText * k, head = SeriesLengths::kHead * k, left = 80 * k;
    const Box plot{area.x + left, area.y + head, std::max(area.width - left - room.labels, 40.0), std::max(area.height - head, 20.0), 0};
    auto [lines, hidden] = drawnLines(panel, room.most);
    colour(lines, m_hues);
    const auto rest = withoutLargeRest(lines);
    ValueRange range;
    for (const auto& line : lines)
        for (const auto& value : line.values)
            if (value) range.add(*value);
    range.add(m_page.options(), panel.shape.name);
    const ValueAxis axis(range, range.low < 0 ? ValueScale::Linear : m_page.options().values,
        std::clamp(static_cast<int>(plot.height / 70), 1, 5), panel.measure);
    for (const double tick : axis.ticks()) {
        const double y = plot.y + plot.height * (1 - axis.atTick(tick));
        m_page.path(tick == axis.ticks().front() || tick == 0 ? Role::Axis : Role::Grid, {{plot.x, y}, {plot.x + plot.width, y}});
        m_page.text(Role::Axis, {plot.x - 10 * k, y + size * 0.36}, formatQuantity(tick, panel.measure.unit),
            {.size = size, .anchor = Anchor::End, .maxWidth = left - 12 * k});
    }

    const auto named
        = std::count_if(m_data.panels().begin(), m_data.panels().end(), [](const AmountsOverTime& p) { return !p.shape.name.empty(); });
    const bool several = m_data.aggregations() > 1 && named > 0;
    std::string heading = (several ? '@' + printable(panel.shape.name) + ": " : std::string()) + m_data.what(panel);
    if (panel.run != AmountsOverTime::Run::Only)
        heading = said(panel.run == AmountsOverTime::Run::Before ? "before: %1" : "after: %1", heading);
    if (addsUp(panel.shape) && !panel.isNumbered) heading += said(" per second");
    if (axis.isLogarithmic()) heading += said(", logarithmic");
    if (panel.intervals.size() > 1 && !panel.isNumbered)
        heading += " \u00b7 " + said("a step is %1", formatDuration(static_cast<double>(panel.usual)));
    if (rest) heading += " \u00b7 " + said("%1, up to %2, not drawn", rest->label, m_data.valueText(panel, rest->most));
    if (hidden > 0)
        heading += " \u00b7 "
            + saidOf(static_cast<std::size_t>(hidden), "%1 more key not drawn", "%1 more keys not drawn",
                formatGrouped(static_cast<std::int64_t>(hidden)));
    // Facts that have no room are left out whole.
    for (const auto& line : wrappedParts(printable(heading), area.width, size, 1))
        m_page.text(Role::Axis, {area.x, area.y + size}, line, {.size = size, .maxWidth = area.width});
    const auto& extents = m_page.options().extents;
    const TimeScale time{plot, m_data.started(), std::max(m_data.last(), m_data.started() + (extents ? extents->time : 0))};
    if (panel.isNumbered)
        drawNumbers(panel, time, place);
    else if (place == Place::Last)
        drawTimeAxis(m_page, time, TimeLabels::Below, 12 * k);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        drawLine(panel, *line, time, axis);
    drawLabels(lines, plot, room.labels, axis);
    for (const auto& peak : seriesPeaks(panel, lines, time, axis, size))
        m_page.text(Role::Label, {peak.box.x, peak.box.y + size * 0.9}, peak.line->label, {.size = size}).key = peak.line->label;
}
} // namespace dscope::graph
