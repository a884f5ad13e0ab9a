#include "graph/parts/printed_view.h"
#include "graph/dot_places.h"
#include "graph/keys.h"
#include "graph/layouts/dot_text.h"
#include "graph/layouts/ranked.h"
#include "graph/layouts/routed_drawing.h"
#include "graph/page.h"
#include "graph/printed_graph.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr double kWidestBox = 330;
constexpr std::size_t kDotNodes = 1000;

class PrintedView final : public Visual {
public:
    PrintedView(const Store& store, const ViewFacts& facts)
        : m_facts(facts), m_provenance(provenanceOf(store)), m_probes(probesText(store.program()))
    {
        const auto text = graphIn(store.printed());
        if (text.empty()) return;
        if (auto parsed = parseDot(text))
            m_graph = std::move(*parsed);
        else
            m_trouble = parsed.error().message;
    }

    const ViewFacts& facts() const override { return m_facts; }
    std::string title() const override
    {
        return m_graph && !m_graph->label.empty() ? printable(m_graph->label) : said("The graph that the program prints");
    }
    bool empty() const override { return !m_graph || m_graph->nodes.empty(); }
    Table table() const override;
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    /// Whether dot is done with it in about a second; it cannot be stopped.
    bool isForGraphviz() const { return m_graph->nodes.size() <= kMostRouted && m_graph->edges.size() <= kMostRoutes; }
    std::string subtitle() const;
    std::optional<Routed> layOut(std::vector<NodeSize>& sizes) const;
    Point draw(Page& page) const; ///< gives the right bottom corner

    const ViewFacts& m_facts;
    Provenance m_provenance;
    std::string m_probes, m_trouble;
    std::optional<DotGraph> m_graph;
};

Table PrintedView::table() const
{
    Table t;
    t.columns = {Column::text("from"), Column::text("to"), Column::text("label")};
    if (m_graph)
        for (const auto& e : m_graph->edges)
            t.rows.push_back({m_graph->nodes[e.from].name, m_graph->nodes[e.to].name, e.label});
    return t;
}

std::string PrintedView::subtitle() const
{
    return said("%1 nodes, %2 edges, as the program printed them", formatGrouped(static_cast<std::int64_t>(m_graph->nodes.size())),
               formatGrouped(static_cast<std::int64_t>(m_graph->edges.size())))
        + inShownInterval(m_provenance)
        + (isForGraphviz() ? std::string() : kMiddleDot + said("laid out by ourselves: Graphviz would take too long"));
}

std::optional<Routed> PrintedView::layOut(std::vector<NodeSize>& sizes) const
{
    for (const auto& node : m_graph->nodes) {
        double width = 40, height = 16;
        for (std::size_t at = 0; at <= node.label.size();) {
            const auto end = std::min(node.label.find('\n', at), node.label.size());
            width = std::max(width, textWidth(printable(node.label.substr(at, end - at)), 13) + 24);
            height += 18;
            at = end + 1;
        }
        sizes.push_back({std::min(width, kWidestBox), height});
    }
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (const auto& e : m_graph->edges)
        edges.emplace_back(e.from, e.to);
    const LayoutGaps gaps{24, 46};
    const auto direction = m_graph->leftToRight ? RankDirection::Right : RankDirection::Down;
    if (isForGraphviz())
        if (auto drawn = routed(sizes, edges, gaps, direction)) return drawn;
    return ranked(sizes, edges, gaps, direction);
}

std::optional<Digraph> PrintedView::digraph() const
{
    Digraph g;
    if (!m_graph) return g;
    std::vector<NodeSize> sizes;
    const auto at = m_graph->nodes.size() <= kDotNodes ? layOut(sizes) : std::nullopt;
    for (std::size_t i = 0; i < m_graph->nodes.size(); ++i) {
        const auto& own = m_graph->nodes[i];
        Digraph::Node node;
        node.name = 'p' + std::to_string(i + 1);
        node.label = own.label;
        node.attributes = {{"tooltip", own.name}};
        if (at) placeAt(node, at->centres[i], sizes[i].width, sizes[i].height);
        g.nodes.push_back(std::move(node));
    }

    for (std::size_t i = 0; i < m_graph->edges.size(); ++i) {
        const auto& own = m_graph->edges[i];
        Digraph::Edge edge{own.from, own.to, {{"kind", "printed"}}};
        if (!own.label.empty()) edge.attributes.emplace_back("label", own.label);
        if (!own.style.empty()) edge.attributes.emplace_back("style", own.style);
        if (at) routeAlong(edge, at->routes[i]);
        g.edges.push_back(std::move(edge));
    }
    return g;
}

/// As large as it needs, made smaller where the page is fixed.
Point PrintedView::draw(Page& page) const
{
    std::vector<NodeSize> sizes;
    const auto at = layOut(sizes);
    if (!at) {
        page.empty(
            said("Graphviz could not lay out what the program printed"), said("Write it to a .dot file and look at it with dot itself."));
        return {};
    }

    RoutedDrawing drawing(page, *at, sizes);
    for (std::size_t i = 0; i < m_graph->edges.size(); ++i) {
        const auto& edge = m_graph->edges[i];
        RoutedDrawing::Look look;
        look.label = edge.label;
        look.tip = printable(m_graph->nodes[edge.from].name) + " \u2192 " + printable(m_graph->nodes[edge.to].name)
            + (edge.label.empty() ? "" : '\n' + printable(edge.label));
        look.shade = edge.style == "dashed" ? Shade::Dashed : edge.style == "dotted" ? Shade::Dotted : Shade::Plain;
        look.arrow = m_graph->directed;
        if (!isForGraphviz()) look.width = 0.75; // they are many
        drawing.drawEdge(page, i, look);
    }

    drawing.drawLabels(page);
    const double s = drawing.scale(), size = std::max(13 * s, page.smallest());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& own = m_graph->nodes[i];
        const Box box = drawing.box(i);
        Item& node = page.box(Role::Node, box);
        node.key = own.name;
        node.tip = printable(own.label);
        // Where the whole is too small to be read, an outline: the names are in the tips, the DOT and the CSV.
        const bool isSmall = 13 * s < page.smallest();
        double y = isSmall ? box.y + box.height / 2 + size * 0.36 : box.y + 21.5 * s;
        for (std::size_t from = 0; from <= own.label.size();) {
            if (y + size * 0.3 > box.y + box.height || y - size * 0.8 < box.y) break;
            const auto end = std::min(own.label.find('\n', from), own.label.size());
            page.text(Role::Node, {box.x + box.width / 2, y}, own.label.substr(from, end - from),
                {.size = size, .anchor = Anchor::Middle, .maxWidth = std::max(box.width - 16 * s, 0.01)});
            y += std::max(18 * s, size * 1.35);
            from = end + 1;
        }
    }
    return drawing.lowest();
}

Figure PrintedView::figure(const LayoutOptions& options) const
{
    Page page(options, title(), empty() ? "" : subtitle(), m_provenance);
    if (!m_trouble.empty()) {
        page.empty(said("What the program prints is no graph that Graphviz reads"), m_trouble);
        return page.finish(said("A graph that can't be read: %1", m_trouble));
    }
    if (empty()) {
        page.empty(said("No graph printed yet"),
            m_probes.empty() ? said("Nodes appear when the program's probes fire.")
                             : said("Nodes appear when these probes fire: %1", m_probes));
        return page.finish(said("Graph without data."));
    }

    const auto words = said("Graph of %1.", subtitle());
    if (m_graph->nodes.size() <= kMostLayered) return page.finish(words, draw(page));
    page.empty(said("A graph of %1 nodes is too large to be drawn", formatGrouped(static_cast<std::int64_t>(m_graph->nodes.size()))),
        said("Export it as .dot or .csv, or let the program print only the edges that matter."));
    return page.finish(words);
}
} // namespace

std::unique_ptr<Visual> makePrintedView(const Store& store, const ViewFacts& facts) { return std::make_unique<PrintedView>(store, facts); }
} // namespace dscope::graph
