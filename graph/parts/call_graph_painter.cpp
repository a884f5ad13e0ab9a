#include "graph/parts/call_graph_painter.h"
#include "graph/palette.h"
#include "graph/parts/call_cycles.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
class Painter {
public:
    Painter(Page& page, const CallGraphData& graph, const LaidCalls& laid, const StackMeasure& measure)
        : m_page(page), m_graph(graph), m_laid(laid), m_measure(measure), m_drawing(page, *laid.at, laid.sizes),
          m_cycles(laid.drawn.functions.size(), laid.drawn.edges)
    {
    }

    Point draw()
    {
        for (std::size_t i = m_laid.drawn.edges.size(); i-- > 0;)
            drawCalls(i);
        m_drawing.drawLabels(m_page);
        for (std::size_t i = 0; i < m_laid.drawn.functions.size(); ++i)
            drawFunction(i);
        return m_drawing.lowest();
    }

private:
    std::string share(std::int64_t value) const { return formatShare(static_cast<double>(value), static_cast<double>(m_graph.total)); }
    void drawCalls(std::size_t edge);
    void drawFunction(std::size_t node);
    void drawChanged(std::size_t node, const CalledFunction& f, const Box& box);
    std::string cycleOf(std::size_t node) const;

    Page& m_page;
    const CallGraphData& m_graph;
    const LaidCalls& m_laid;
    const StackMeasure& m_measure;
    RoutedDrawing m_drawing;
    CallCycles m_cycles;
};

void Painter::drawCalls(std::size_t edge)
{
    const auto& drawn = m_laid.drawn;
    const auto value = drawn.values[edge];
    const auto from = shownFunction(m_graph, drawn, drawn.edges[edge].first), to = shownFunction(m_graph, drawn, drawn.edges[edge].second);
    RoutedDrawing::Look look;
    const auto both = [&] { return changeText(m_graph, to.name, m_measure, value, drawn.before[edge]); };
    look.label = m_graph.compares ? m_graph.change(to.name, value, drawn.before[edge]).text() : share(value);
    look.tip = from.name + " \u2192 " + to.name + '\n' + (m_graph.compares ? both() : m_measure.quantity(value) + ", " + look.label);
    look.width = (1 + 5 * static_cast<double>(value) / static_cast<double>(m_graph.total)) * m_drawing.scale();
    look.value = std::to_string(value);
    if (m_cycles.has(drawn.edges[edge])) look.shade = Shade::Dashed;
    m_drawing.drawEdge(m_page, edge, look);
}

/// By way of what a function calls itself; empty when it does not, or only directly.
std::string Painter::cycleOf(std::size_t node) const
{
    constexpr std::size_t kNamed = 10;
    const auto number = m_cycles.of(node);
    if (number == 0) return {};
    std::string text = '\n' + said("in a cycle with") + ' ';
    std::size_t others = 0;
    for (const auto i : m_cycles.members(number)) {
        if (i == node || ++others > kNamed) continue;
        text += (others > 1 ? ", " : "") + shownFunction(m_graph, m_laid.drawn, i).name;
    }
    return others <= kNamed ? text : text + ", " + said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(others - kNamed)));
}

/// Of two runs the colour says what changed; the words and the tip, by how much.
void Painter::drawChanged(std::size_t i, const CalledFunction& f, const Box& box)
{
    const double s = m_drawing.scale(), width = box.width - 8 * s;
    const auto change = m_graph.change(f.name, f.total, f.totalBefore);
    Item& node = m_page.box(Role::Frame, {box.x, box.y, box.width, box.height, 4 * s}, Shade::Unknown);
    node.level = change.level();
    node.key = m_graph.functions[m_laid.drawn.functions[i]].name;
    node.tip = namesOf(m_graph, m_laid.drawn, i) + '\n' + said("in all %1", changeText(m_graph, f.name, m_measure, f.total, f.totalBefore))
        + '\n' + said("self %1", changeText(m_graph, f.name, m_measure, f.self, f.selfBefore)) + cycleOf(i);
    node.data = {{"total", std::to_string(f.total - f.totalBefore)}, {"before", std::to_string(f.totalBefore)},
        {"self", std::to_string(f.self - f.selfBefore)}, {"self-before", std::to_string(f.selfBefore)}};
    const auto& label = m_laid.labels[i];
    const auto line = [&](double down, const std::string& text, const TextStyle& how) {
        m_page.text(Role::Frame, {box.x + box.width / 2, box.y + down * s}, text, how, Shade::Unknown).level = change.level();
    };
    line(19, label.name, {.size = CallLabel::kNameSize * s, .mono = true, .anchor = Anchor::Middle, .maxWidth = width});
    line(35, label.facts, {.size = CallLabel::kFactSize * s, .anchor = Anchor::Middle, .maxWidth = width});
}

void Painter::drawFunction(std::size_t i)
{
    const auto& drawn = m_laid.drawn;
    const auto f = shownFunction(m_graph, drawn, i);
    const Box box = m_drawing.box(i);
    const double s = m_drawing.scale(), level = selfLevel(m_graph, f.self);
    if (m_graph.compares) {
        drawChanged(i, f, box);
        return;
    }

    Item& node = m_page.box(Role::Node, box);
    node.level = level;
    node.key = m_graph.functions[drawn.functions[i]].name;
    node.tip = namesOf(m_graph, drawn, i) + '\n' + said("in all %1, %2", m_measure.quantity(f.total), share(f.total)) + '\n'
        + said("self %1, %2", m_measure.quantity(f.self), share(f.self)) + cycleOf(i);
    node.data = {{"total", std::to_string(f.total)}, {"self", std::to_string(f.self)}};
    if (const auto cycle = m_cycles.of(i); cycle != 0) node.data.emplace_back("cycle", std::to_string(cycle));

    // What kind of code it is, as in the flame graph.
    m_page.box(Role::Frame, {box.x, box.y, 5 * s, box.height, 0}, f.shade);
    const auto& label = m_laid.labels[i];
    const double middle = box.x + box.width / 2 + 2 * s, width = box.width - 8 * s;
    m_page
        .text(Role::Node, {middle, box.y + 19 * s}, label.name,
            {.size = CallLabel::kNameSize * s, .mono = true, .anchor = Anchor::Middle, .maxWidth = width})
        .level
        = level;
    m_page
        .text(Role::Node, {middle, box.y + 35 * s}, label.facts,
            {.size = CallLabel::kFactSize * s, .anchor = Anchor::Middle, .maxWidth = width})
        .level
        = level;
}
} // namespace

std::vector<std::pair<std::string, std::string>> callLook(const CallGraphData& graph, const CalledFunction& function)
{
    Item item;
    item.role = graph.compares ? Role::Frame : Role::Node;
    item.shape = Box{};
    item.shade = graph.compares ? Shade::Unknown : Shade::Plain;
    item.level
        = graph.compares ? graph.change(function.name, function.total, function.totalBefore).level() : selfLevel(graph, function.self);
    const Style box = style(item, Theme::Light);
    item.shape = Text{};
    const Style text = style(item, Theme::Light);
    std::string_view kind;
    switch (function.shade) {
    case Shade::User: kind = "user"; break;
    case Shade::Library: kind = "library"; break;
    case Shade::Kernel: kind = "kernel"; break;
    case Shade::Jit: kind = "jit"; break;
    case Shade::Inlined: kind = "inlined"; break;
    default: kind = "unknown"; break;
    }
    return {{"kind", std::string(kind)}, {"style", "rounded,filled"}, {"fillcolor", colourText(box.fill)},
        {"color", colourText(box.stroke)}, {"fontcolor", colourText(text.text)}};
}
std::string changeText(
    const CallGraphData& graph, const std::string& function, const StackMeasure& measure, std::int64_t both, std::int64_t before)
{
    return measure.quantity(before) + " \u2192 " + measure.quantity(both - before) + ", " + graph.change(function, both, before).text();
}
double selfLevel(const CallGraphData& graph, std::int64_t self)
{
    return std::sqrt(static_cast<double>(self) / static_cast<double>(graph.total));
}

Point drawCallGraph(Page& page, const CallGraphData& graph, const LaidCalls& laid, const StackMeasure& measure)
{
    return Painter(page, graph, laid, measure).draw();
}
} // namespace dscope::graph
