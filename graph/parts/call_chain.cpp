#include "graph/parts/call_chain.h"
#include "graph/frame_label.h"
#include "graph/parts/call_graph_painter.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
namespace dscope::graph {
namespace {
constexpr double kChainRow = 1.5, kChainGap = 0.35; // of the smallest text: a row, and what is between two
constexpr double kChainStem = 0.8;                  // likewise: how far from the left edge the line from row to row is
constexpr std::size_t kMostChainRows = 40;

/// By what a chain is chosen: of two runs by how much changed.
std::int64_t weightOf(const CallGraphData& graph, std::int64_t value, std::int64_t before)
{
    return graph.compares ? std::abs(value - 2 * before) : value;
}

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
        auto look = lookOf(m_graph.functions[functions.back()]);
        if (!m_graph.compares) look.level = 0;
        Item& node = mark(box, look);
        for (const auto i : functions)
            node.tip += (node.tip.empty() ? "" : " \u2192 ") + m_graph.functions[i].name;
        put(box, "\u2026 " + functionsText(functions.size()), look);
    }
    void drawFunction(const Box& box, const CalledFunction& f) const
    {
        const auto look = lookOf(f);
        Item& node = mark(box, look);
        node.key = f.name;
        node.tip = f.name + '\n' + said("in all %1", amountText(f, f.total, f.totalBefore)) + '\n'
            + said("self %1", amountText(f, f.self, f.selfBefore));
        node.data = {{"total", std::to_string(f.total - f.totalBefore)}, {"self", std::to_string(f.self - f.selfBefore)}};
        if (m_graph.compares) node.data.emplace_back("before", std::to_string(f.totalBefore));
        if (m_kinds == ChainKinds::Shown && !m_graph.compares)
            m_page.box(Role::Frame, {box.x, box.y, 0.4 * m_page.smallest(), box.height, 0}, f.shade); // as in the flame graph
        put(box, f.name, look);
    }
    void drawCall(const Box& from) const
    {
        const double x = from.x + kChainStem * m_page.smallest(), y = from.y + from.height;
        m_page.path(Role::Edge, {{x, y}, {x, y + gap()}});
    }

private:
    /// How a row looks: its fill as in the graph, and the number at its right, `brief` where the name needs the room.
    struct Look {
        Role role = Role::Node;
        Shade shade = Shade::Plain;
        double level = 0;
        std::string number, brief;
    };
    Look lookOf(const CalledFunction& f) const
    {
        if (!m_graph.compares) {
            const auto all = share(f.total);
            const bool tellsSelf = 20 * f.self >= m_graph.total && f.self < f.total;
            return {Role::Node, Shade::Plain, selfLevel(m_graph, f.self),
                tellsSelf               ? said("%1 \u00b7 self %2", all, share(f.self))
                    : f.self == f.total ? said("%1 self", all)
                                        : all,
                all};
        }
        const auto change = m_graph.change(f.name, f.total, f.totalBefore);
        return {Role::Frame, Shade::Unknown, change.level(), changeText(m_graph, f.name, m_measure, f.total, f.totalBefore), change.text()};
    }
    std::string share(std::int64_t value) const { return formatShare(static_cast<double>(value), static_cast<double>(m_graph.total)); }
    std::string amountText(const CalledFunction& f, std::int64_t value, std::int64_t before) const
    {
        return m_graph.compares ? changeText(m_graph, f.name, m_measure, value, before) : m_measure.quantity(value) + ", " + share(value);
    }
    Item& mark(const Box& box, const Look& look) const
    {
        Item& node = m_page.box(look.role, box, look.shade);
        node.level = look.level;
        return node;
    }
    void put(const Box& box, const std::string& name, const Look& look) const
    {
        const double size = m_page.smallest(), pad = 0.8 * size, y = box.y + box.height / 2 + 0.36 * size;
        const auto roomBeside = [&](const std::string& number) { return box.width - 2 * pad - textWidth(number, size) - size; };
        const auto& number = textWidth(printable(name), size, {.mono = true}) <= roomBeside(look.number) ? look.number : look.brief;
        m_page.text(look.role, {box.x + pad, y}, frameLabel(name, roomBeside(number), size), {.size = size, .mono = true}, look.shade).level
            = look.level;
        m_page.text(look.role, {box.x + box.width - pad, y}, number, {.size = size, .anchor = Anchor::End}, look.shade).level = look.level;
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
    const auto own = [&](const CalledFunction& f) { return std::pair(weightOf(graph, f.self, f.selfBefore), f.total); };
    const auto last = std::max_element(
        graph.functions.begin(), graph.functions.end(), [&](const CalledFunction& a, const CalledFunction& b) { return own(a) < own(b); });
    if (last == graph.functions.end()) return chain;
    auto at = static_cast<std::uint32_t>(last - graph.functions.begin());
    while (true) {
        chain.push_back(at);
        isIn[at] = true;
        // Calls come with the weightiest first, which goes first of those that weigh the same here.
        const CallArc* caller = nullptr;
        for (const auto& arc : graph.arcs)
            if (arc.to == at && !isIn[arc.from]
                && (!caller || weightOf(graph, arc.value, arc.before) > weightOf(graph, caller->value, caller->before)))
                caller = &arc;
        if (!caller || caller->value < graph.functions[at].begins) break;
        at = caller->from;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
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
