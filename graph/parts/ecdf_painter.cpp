#include "graph/parts/ecdf_painter.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/parts/histogram_painter.h"
#include "graph/parts/line_names.h"
#include "graph/parts/share_painter.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
void EcdfPainter::draw(const DistributionGroup& group, const Box& area)
{
    m_data.compares() ? drawPanels(group, area) : drawTogether(group, area);
}

void EcdfPainter::sayRest(const DistributionGroup& group, const std::vector<std::size_t>& order, std::size_t from, const Point& at,
    double width, const std::string& what)
{
    double hidden = 0;
    for (std::size_t i = from; i < order.size(); ++i)
        hidden += group.members[order[i]].values.total;
    m_page.text(Role::Note, at,
        said("\u2026 %1 more with %2", formatGrouped(static_cast<std::int64_t>(order.size() - from)), m_data.noun().with(countText(hidden)))
            + what,
        {.size = m_page.smallest(), .maxWidth = width});
}

/// Names, numbers and percentiles of lines, in the order in which these rise; gives the px that were used below `area`.
double EcdfPainter::drawNames(const DistributionGroup& group, const std::vector<NamedCurve>& lines, const Box& area)
{
    const double k = m_page.scale(), size = EcdfLengths::kText * k, mark = 22 * k, toText = mark + 9 * k;
    auto ordered = lines;
    std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
        const auto &x = group.members[a.member].values, &y = group.members[b.member].values;
        for (const double share : {0.5, 0.9, 0.99})
            if (x.percentile(share) != y.percentile(share)) return x.percentile(share) < y.percentile(share);
        return false;
    });

    const double all = static_cast<double>(ordered.size()), room = area.height / std::max(all, 1.0);
    const bool isTwoLines = room >= 2.5 * size;
    const double step = isTwoLines ? std::min(room, 3.6 * size) : 1.4 * size;
    // Where a line has room for all, numbers stand after the longest name.
    const auto numbersOf = [&](const EcdfData::Member& member) {
        return m_data.noun().with(countText(member.values.total)) + " \u00b7 p50 " + percentileText(group, member.values, 0.5)
            + " \u00b7 p99 " + percentileText(group, member.values, 0.99);
    };
    double toNumbers = 0, numbers = 0;
    for (const auto& line : ordered) {
        const auto& member = group.members[line.member];
        toNumbers = std::max(toNumbers, toText + textWidth(printable(m_data.nameOf(member)), size, {.bold = true}) + 14 * k);
        numbers = std::max(numbers, textWidth(numbersOf(member), 12 * k));
    }
    const bool isWhole = !isTwoLines && toNumbers + numbers <= area.width;

    double y = area.y;
    for (const auto& [index, hue] : ordered) {
        if (y + 1.2 * size > area.y + area.height + 0.5) break;
        const auto& member = group.members[index];
        m_page.path(Role::Series, {{area.x, y + size * 0.64}, {area.x + mark, y + size * 0.64}}).level = hue;
        const std::string half = "p50 " + percentileText(group, member.values, 0.5),
                          tail = "p99 " + percentileText(group, member.values, 0.99);
        const double width = area.width - toText;
        double nameRoom = width;
        if (isTwoLines) {
            const auto number = m_data.noun().with(countText(member.values.total));
            std::string text = half + " \u00b7 " + tail;
            if (textWidth(number + " \u00b7 " + text, 12 * k) <= width) text = number + " \u00b7 " + text;
            if (textWidth(text, 12 * k) > width) text = tail;
            m_page.text(Role::Note, {area.x + toText, y + size * 2.1}, text, {.size = 12 * k, .maxWidth = width});
        } else if (isWhole) {
            m_page.text(Role::Note, {area.x + toNumbers, y + size}, numbersOf(member), {.size = 12 * k});
            nameRoom = toNumbers - toText;
        } else {
            const double needed = textWidth(tail, 12 * k);
            if (needed < 0.6 * width) {
                m_page.text(Role::Note, {area.x + area.width, y + size}, tail, {.size = 12 * k, .anchor = Anchor::End});
                nameRoom = width - needed - 12 * k;
            }
        }
        m_page
            .text(Role::Label, {area.x + toText, y + size}, m_data.nameOf(member),
                {.size = size, .bold = true, .maxWidth = nameRoom, .middle = true})
            .key
            = printable(m_data.nameOf(member));
        y += step;
    }
    return y - area.y;
}

/// The curves, and beside them their names where these have room outside of `taken`. Gives those that have one, in the order of `sheet`.
std::vector<EcdfPainter::NamedCurve> EcdfPainter::drawLines(
    const SharePlot& plot, const DistributionGroup& group, const EcdfSheet& sheet, const std::optional<Box>& taken)
{
    const double k = m_page.scale(), size = EcdfLengths::kText * k;
    const auto& order = sheet.order;
    std::vector<NamedCurve> lines;
    std::vector<DrawnLine> hued;
    for (std::size_t i = 0; i < sheet.named; ++i)
        hued.push_back({m_data.nameOf(group.members[order[i]]), {}});
    SeriesHues hues;
    colour(hued, hues);
    for (std::size_t i = sheet.top; i-- > sheet.named;)
        plot.draw(EcdfData::curveOf(group, group.members[order[i]]), {Role::Grid, Shade::Plain, -1, 1.5},
            m_data.nameOf(group.members[order[i]]), m_data.noun(), SharePlot::Dots::None);
    std::vector<NamedLine> toName;
    for (std::size_t i = sheet.named; i-- > 0;) {
        const auto& member = group.members[order[i]];
        const auto curve = EcdfData::curveOf(group, member);
        plot.draw(curve, {Role::Series, Shade::Plain, hued[i].hue}, m_data.nameOf(member), m_data.noun(), SharePlot::Dots::Drawn);
        toName.push_back({plot.pointsOf(curve), printable(m_data.nameOf(member))});
        lines.push_back({order[i], hued[i].hue});
    }

    std::reverse(lines.begin(), lines.end());
    const auto places = placesOfNames(toName, sheet.plot, size, taken);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i]) {
            m_page.box(Role::Ground, {places[i]->x - 1, places[i]->y - 0.8 * size, textWidth(toName[i].name, size) + 2, size, 0});
            m_page.text(Role::Label, *places[i], toName[i].name, {.size = size}).key = toName[i].name;
        }
    plot.drawValues(sheet.isLow ? std::string() : HistogramPainter(m_page, {m_data.noun(), m_call, {}, false}).axisName(group), 60 * k);
    return lines;
}

void EcdfPainter::drawTogether(const DistributionGroup& all, const Box& area)
{
    const double k = m_page.scale(), size = EcdfLengths::kText * k;
    const auto sheet = ecdfSheet(all, area, k, m_page.content().height < EcdfLengths::kLowPage * k, m_page.options());
    auto group = all; // with the axis of what is drawn
    if (!m_page.options().extents) group.showOnly(std::span(sheet.order).first(sheet.top));
    const auto& box = sheet.plot;
    const SharePlot plot(m_page, group, box);
    plot.drawShares();
    const auto title = said("share of %1 below", m_data.noun().said());
    if (!sheet.isLow) m_page.text(Role::Axis, {area.x, area.y + size}, title, {.size = size, .maxWidth = area.width});
    std::optional<Box> inside; // where a low plot says what its axis means
    const double words = m_page.smallest(), wide = textWidth(title, words), right = box.x + box.width,
                 base = box.y + box.height - 0.5 * words;
    if (sheet.isLow && wide < 0.7 * box.width) // at the lower right there is the least: that is where all curves have risen
        inside = Box{right - wide - 2, base - words, wide + 2, 1.25 * words, 0};
    const auto lines = drawLines(plot, group, sheet, inside);
    if (inside) {
        m_page.box(Role::Ground, *inside);
        m_page.text(Role::Axis, {right, base}, title, {.size = words, .anchor = Anchor::End});
    }
    double end = box.y + box.height + sheet.axis;
    if (sheet.hasSide)
        drawNames(group, lines, {box.x + box.width + 34 * k, box.y, sheet.side, box.height, 0});
    else if (sheet.names > 0)
        end += drawNames(group, lines, {area.x, end, area.width, sheet.names, 0});
    if (!sheet.hasRest()) return;
    std::string grey;
    if (sheet.top == sheet.order.size())
        grey = said(", in grey");
    else if (sheet.top > sheet.named)
        grey = said(", %1 of them in grey", formatGrouped(static_cast<std::int64_t>(sheet.top - sheet.named)));
    sayRest(group, sheet.order, sheet.named, {area.x, end + size}, area.width, grey);
}

void EcdfPainter::drawPanel(const DistributionGroup& group, const EcdfData::Member& member, const Box& area, bool hasAxis, bool hasShares)
{
    const double k = m_page.scale(), size = EcdfLengths::kText * k;
    const auto moved = m_data.movedOf(group, member);
    const auto is = EcdfData::curveOf(group, member), was = EcdfData::curveBefore(group, member);
    const auto& values = member.values;
    m_page.text(Role::Label, {area.x, area.y + size}, m_data.nameOf(member),
        {.size = size, .bold = true, .maxWidth = area.width - textWidth(moved, 12 * k) - 12 * k, .middle = true});
    m_page.text(Role::Label, {area.x + area.width, area.y + size}, moved, {.size = 12 * k, .anchor = Anchor::End});
    std::string text;
    for (const auto& [share, name] : {std::pair{0.99, "p99 "}, std::pair{0.5, "p50 "}}) {
        const bool both = values.total > 0 && values.totalBefore > 0;
        const std::string now = percentileText(group, values, share),
                          then = values.totalBefore > 0 ? group.range(values.percentileBefore(share)) : std::string();
        const std::string one = name + (values.total > 0 ? now : then) + (both && now != then ? said(", was %1", then) : std::string());
        const std::string longer = text.empty() ? one : one + " \u00b7 " + text;
        if (!text.empty() && textWidth(longer, 12 * k) > area.width) break;
        text = longer;
    }
    m_page.text(Role::Note, {area.x, area.y + size + 1.35 * 12 * k}, text, {.size = 12 * k, .maxWidth = area.width});
    const double left = hasShares ? EcdfLengths::kAxisLeft * k : 0;
    const Box box{area.x + left, area.y + EcdfLengths::kPanelHead * k, std::max(area.width - left, 30.0),
        std::max(area.height - EcdfLengths::kPanelHead * k, 12.0), 0};
    const SharePlot plot(m_page, group, box);
    hasShares ? plot.drawShares() : plot.drawGrid();
    plot.drawBetween(was, is, m_data.chanceOf(member));
    plot.draw(was, {Role::Marker, Shade::Dashed, -1, 1.5}, said("%1, before", m_data.nameOf(member)), m_data.noun(), SharePlot::Dots::None);
    plot.draw(is, {Role::Marker, Shade::Plain, -1, 2}, m_data.compares() ? said("%1, after", m_data.nameOf(member)) : m_data.nameOf(member),
        m_data.noun(), SharePlot::Dots::None);
    if (hasAxis) plot.drawValues({}, EcdfLengths::kPanelGap * k / 2);
}

void EcdfPainter::drawPanels(const DistributionGroup& all, const Box& area)
{
    const double k = m_page.scale(), axis = EcdfLengths::kPanelAxis * k;
    auto group = all;
    const auto order = ecdfOrder(group, m_page.options());
    const auto top = m_page.options().top;
    const auto panels = ecdfPanels(top > 0 ? std::min(top, order.size()) : order.size(), area, k, m_page.options());
    if (!m_page.options().extents) group.showOnly(std::span(order).first(panels.shown));
    double end = area.y;
    for (std::size_t i = 0; i < panels.shown; ++i) {
        const Box panel = panels.at(i, area, k);
        drawPanel(group, group.members[order[i]], panel, panels.isLowest(i), panels.isFirst(i));
        end = std::max(end, panel.y + panel.height + axis);
    }
    if (panels.shown < order.size()) sayRest(group, order, panels.shown, {area.x, end + EcdfLengths::kText * k}, area.width, {});
}
} // namespace dscope::graph
