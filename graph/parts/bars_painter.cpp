#include "graph/parts/bars_painter.h"
#include "graph/keys.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
void BarsPainter::drawHead(const BarSection& section)
{
    const auto& shape = m_data.rankings()[section.which].shape;
    const double k = m_page.scale();
    m_page.text(Role::Label, {section.area.x, section.head + 20 * k}, '@' + shape.name + "  " + describe(shape),
        {.size = 13 * k, .bold = true, .maxWidth = section.area.width});
}

/// The powers of ten that bars on a logarithmic scale are read by, below the bars.
void BarsPainter::drawScale(const BarSection& section, const BarScale& scale)
{
    const double size = m_page.smallest(), bottom = section.area.y + section.row * static_cast<double>(section.lines.size());
    for (const double tick : scale.ticks()) {
        const double x = scale.atTick(tick);
        m_page.path(Role::Grid, {{x, section.area.y}, {x, bottom + 4}});
        m_page.text(Role::Tick, {x, bottom + 4 + size}, formatQuantity(tick, m_data.rankings()[section.which].measure.unit),
            {.size = size, .anchor = Anchor::Middle});
    }
}

void BarsPainter::drawBar(const BarSection& section, std::size_t place, const BarScale& scale)
{
    const auto which = section.which;
    const auto& ranking = m_data.rankings()[which];
    const auto& line = ranking.lines[section.lines[place]];
    const double row = section.row, size = barTextSize(row, m_page.scale());
    const auto named = [&](std::string name) { return !name.empty() ? name : line.keys.empty() ? said("all") : "\"\""; };
    const std::string label = named(printable(Ranking::label(line)));
    const double y = section.area.y + row * static_cast<double>(place), base = y + row / 2 + size * 0.36;
    const auto [from, length] = scale.span(line.value);
    const auto [fromBefore, lengthBefore] = scale.span(m_data.compares() ? line.before : Number());
    const auto spread = m_data.spreadOf(which, line);
    const double away = spread ? std::max(10.0, row * 0.22 + 4 * m_page.scale()) : 10; // a dot at the edge reaches over it
    m_page.text(Role::Label, {scale.left() - away, base}, named(section.names[place]),
        {.size = size, .anchor = Anchor::End, .maxWidth = section.labels + 14 - away, .middle = true});
    Box shape{from, y + row * 0.12, length, row * 0.76, 2};
    double end = from + length;
    if (spread) {
        const double mark = std::min(row, BarLengths::kTallestRow * m_page.scale()); // tall rows are not for thick lines
        const double reach = lowEndOfSpread(ranking, line, *spread), dot = mark * 0.44, thick = std::max(2.0, mark * 0.07),
                     least = scale.at(reach), most = scale.at(line.value + *spread);
        m_page.box(Role::Bar, {least, y + (row - thick) / 2, std::max(most - least, 1.0), thick, 0});
        for (const double cap : {least, most})
            if (cap == most || reach == line.value - *spread) m_page.box(Role::Bar, {cap - thick / 2, y + (row - dot) / 2, thick, dot, 0});
        shape = {scale.at(line.value) - dot / 2, y + (row - dot) / 2, dot, dot, dot / 2};
        end = std::max(most + thick, shape.x + dot);
    }

    Item& bar = m_page.box(Role::Bar, shape, line.value < 0 && !spread ? Shade::Hatched : Shade::Plain);
    bar.key = label;
    bar.tip = label + '\n' + m_data.wordsOf(which, line);
    bar.data = {{"value", ranking.plain(line.value)}};
    bar.row = m_data.rowOf(which, section.lines[place]);
    if (m_data.compares()) {
        const auto change = ranking.change(line);
        bar.level = change.level();
        if (!change.told) bar.shade = Shade::Unknown;
        bar.data.emplace_back("before", ranking.plain(line.before));
        if (lengthBefore > 0) m_page.box(Role::Bar, {fromBefore, y + row * 0.04, lengthBefore, row * 0.92, 2}, Shade::Dashed);
    }
    m_page.text(
        Role::Label, {std::max({scale.zero(), end, fromBefore + lengthBefore}) + 10, base}, m_data.wordsOf(which, line), {.size = size});
}

/// What is left out, in words.
void BarsPainter::drawRest(const BarSection& section, const BarScale& scale)
{
    const auto& ranking = m_data.rankings()[section.which];
    const auto shown = section.lines.size();
    if (shown == ranking.lines.size()) return;
    const double row = section.row, size = barTextSize(row, m_page.scale());
    double rest = 0;
    for (const auto& line : ranking.lines)
        rest += line.value;
    for (const auto i : section.lines)
        rest -= ranking.lines[i].value;
    std::string text = said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(ranking.lines.size() - shown)));
    if (ranking.adds()) text += " (" + m_data.countedText(ranking, rest) + ')';
    const double below = scale.isLogarithmic() ? BarLengths::kScale * m_page.smallest() : 0;
    m_page.text(Role::Note, {scale.left(), section.area.y + row * static_cast<double>(shown) + below + row / 2 + size * 0.36}, text,
        {.size = size});
}

void BarsPainter::draw(const BarSection& section)
{
    const BarScale scale(m_data, section, m_page.scale(), m_page.options());
    // What is less than nothing lies on the other side of a line.
    if (scale.hasNegative()) {
        const double bottom = section.area.y + section.row * static_cast<double>(section.lines.size());
        m_page.path(Role::Axis, {{scale.zero(), section.area.y}, {scale.zero(), bottom}});
    }
    if (scale.isLogarithmic()) drawScale(section, scale);
    for (std::size_t i = 0; i < section.lines.size(); ++i)
        drawBar(section, i, scale);
    drawRest(section, scale);
}
} // namespace dscope::graph
