#include "graph/parts/call_chain.h"
#include "graph/frame_label.h"
#include "graph/parts/call_graph_painter.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kChainRow = 1.5, kChainGap = 0.35; // of the smallest text: a row, and what is between two
constexpr double kChainStem = 0.8;                  // likewise: how far from the left edge the line from row to row is
constexpr std::size_t kMostChainRows = 40;

class ChainPainter {
public:
    ChainPainter(Page& page, const CallGraphData& graph, const StackMeasure& measure, ChainKinds kinds)
        : m_page(page), m_graph(graph), m_measure(measure), m_kinds(kinds)
    {
    }
    double gap() const { return kChainGap * m_page.smallest(); }
    double row() const { return kChainRow * m_page.smallest(); }

    void drawOuter(const Box& box, const std::vector<std::uint32_t>& functions) const
    {
        Item& node = m_page.box(Role::Node, box);
        node.level = 0;
        for (const auto i : functions)
            node.tip += (node.tip.empty() ? "" : " \u2192 ") + m_graph.functions[i].name;
        put(box, "\u2026 " + withNoun(formatGrouped(static_cast<std::int64_t>(functions.size())), "functions"),
            share(m_graph.functions[functions.back()].total), 0);
    }
    void drawFunction(const Box& box, const CalledFunction& f) const
    {
        const double level = selfLevel(m_graph, f.self);
        Item& node = m_page.box(Role::Node, box);
        node.level = level;
        node.key = f.name;
        node.tip = f.name + "\nin all " + m_measure.quantity(f.total) + ", " + share(f.total) + "\nself " + m_measure.quantity(f.self)
            + ", " + share(f.self);
        node.data = {{"total", std::to_string(f.total)}, {"self", std::to_string(f.self)}};
        if (m_kinds == ChainKinds::Shown)
            m_page.box(Role::Frame, {box.x, box.y, 0.4 * m_page.smallest(), box.height, 0}, f.shade); // as in the flame graph
        put(box, f.name, share(f.total) + (f.self == f.total ? " self" : ""), level);
    }
    void drawCall(const Box& from) const
    {
        const double x = from.x + kChainStem * m_page.smallest(), y = from.y + from.height;
        m_page.path(Role::Edge, {{x, y}, {x, y + gap()}});
    }

private:
    std::string share(std::int64_t value) const { return formatShare(static_cast<double>(value), static_cast<double>(m_graph.total)); }
    void put(const Box& box, const std::string& name, const std::string& number, double level) const
    {
        const double size = m_page.smallest(), pad = 0.8 * size, y = box.y + box.height / 2 + 0.36 * size;
        const double room = box.width - 2 * pad - textWidth(number, size) - size;
        m_page.text(Role::Node, {box.x + pad, y}, frameLabel(name, room, size), {.size = size, .mono = true}).level = level;
        m_page.text(Role::Node, {box.x + box.width - pad, y}, number, {.size = size, .anchor = Anchor::End}).level = level;
    }

    Page& m_page;
    const CallGraphData& m_graph;
    const StackMeasure& m_measure;
    ChainKinds m_kinds;
};
} // namespace

std::vector<std::uint32_t> heaviestChain(const CallGraphData& graph)
{
    std::vector<std::uint32_t> chain;
    std::vector<bool> isIn(graph.functions.size(), false);
    const auto first = std::max_element(graph.functions.begin(), graph.functions.end(),
        [](const CalledFunction& a, const CalledFunction& b) { return a.begins != b.begins ? a.begins < b.begins : a.total < b.total; });
    if (first == graph.functions.end()) return chain;
    auto at = static_cast<std::uint32_t>(first - graph.functions.begin());
    while (true) {
        chain.push_back(at);
        isIn[at] = true;
        // Calls come with the weightiest first.
        const auto next = std::find_if(graph.arcs.begin(), graph.arcs.end(), [&](const CallArc& a) { return a.from == at && !isIn[a.to]; });
        if (next == graph.arcs.end() || next->value < graph.functions[at].self) return chain;
        at = next->to;
    }
}

std::size_t rowsOfChain(double height, double smallest)
{
    const double rows = (height / smallest + kChainGap) / (kChainRow + kChainGap);
    return rows < 1 ? 0 : std::min(kMostChainRows, static_cast<std::size_t>(rows));
}

Point drawChain(
    Page& page, const CallGraphData& graph, const std::vector<std::uint32_t>& chain, const StackMeasure& measure, ChainKinds kinds)
{
    const Box area = page.content();
    const ChainPainter painter(page, graph, measure, kinds);
    const auto rows = rowsOfChain(area.height, page.smallest());
    const auto outer = chain.size() > rows ? chain.size() - rows + 1 : 0;
    Box box{area.x, area.y, area.width, painter.row(), 2};
    const auto next = [&] {
        painter.drawCall(box);
        box.y += box.height + painter.gap();
    };
    if (outer > 0) painter.drawOuter(box, {chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(outer)});
    for (auto i = outer; i < chain.size(); ++i) {
        if (i > 0) next();
        painter.drawFunction(box, graph.functions[chain[i]]);
    }
    return {area.x + area.width, box.y + box.height};
}
} // namespace dscope::graph
