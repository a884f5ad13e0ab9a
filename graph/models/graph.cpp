#include "graph/dot_places.h"
#include "graph/keys.h"
#include "graph/layouts/dot_text.h"
#include "graph/layouts/ranked.h"
#include "graph/layouts/routed_drawing.h"
#include "graph/page.h"
#include "graph/printed_graph.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{
    .name = "graph", .tab = "Graph", .summary = "who touches what: aggregations by two or more names; graphs that a program prints"};
using record::Aggregator;
constexpr double kLeastNode = 22, kGap = 7, kHead = 30, kNarrowestBox = 70, kWidestBox = 330, kTallestNode = 90;
constexpr double kDotWidth = 200, kDotHeight = 40, kDotRank = 120;
constexpr std::size_t kDotNodes = 1000, kMostLinks = 150; // between two columns; more is a thicket

bool isName(const record::Field& f) { return f.kind == record::FieldKind::String || f.kind == record::FieldKind::Symbol; }
bool suits(const record::Aggregation& a)
{
    return (a.function == Aggregator::Count || a.function == Aggregator::Sum || isQuantized(a.function))
        && std::count_if(a.keys.begin(), a.keys.end(), isName) >= 2;
}
struct Node {
    std::string name; ///< as traced
    double weight = 0;
};
/// What passes from a node of one column to a node of the next.
struct Link {
    std::size_t from = 0, to = 0; ///< within their columns
    double weight = 0;
};
/// Keys of an aggregation from left to right: a column a key, a node a value of it.
struct Columns {
    std::vector<std::string> titles;
    std::vector<std::vector<Node>> nodes;
    std::vector<std::vector<Link>> links; ///< links[c] leads from column c to the next
};
Columns columnsOf(const record::Aggregation& a, const std::vector<Ranking::Line>& lines)
{
    Columns out;
    std::vector<std::size_t> keys;
    for (std::size_t k = 0; k < a.keys.size(); ++k)
        if (isName(a.keys[k])) {
            keys.push_back(k);
            out.titles.push_back(a.keys[k].name);
        }
    std::vector<std::map<std::string, std::size_t>> numbers(keys.size());
    std::vector<std::map<std::pair<std::size_t, std::size_t>, double>> between(keys.size());
    out.nodes.resize(keys.size());
    for (const auto& line : lines) {
        if (!(line.value > 0)) continue;
        std::size_t before = 0;
        for (std::size_t c = 0; c < keys.size(); ++c) {
            const auto& name = line.keys[keys[c]];
            const auto [at, isNew] = numbers[c].try_emplace(name, out.nodes[c].size());
            if (isNew) out.nodes[c].push_back({name, 0});
            out.nodes[c][at->second].weight += line.value;
            if (c > 0) between[c - 1][{before, at->second}] += line.value;
            before = at->second;
        }
    }
    for (std::size_t c = 0; c + 1 < keys.size(); ++c) {
        auto& links = out.links.emplace_back();
        for (const auto& [ends, weight] : between[c])
            links.push_back({ends.first, ends.second, weight});
    }
    return out;
}
std::string shown(const std::string& name)
{
    std::string text = printable(name);
    return text.empty() ? "\"\"" : text;
}
/// Indices of a column's nodes, the weightiest first.
std::vector<std::size_t> byWeight(const std::vector<Node>& nodes)
{
    std::vector<std::size_t> order(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return nodes[a].weight != nodes[b].weight ? nodes[a].weight > nodes[b].weight : nodes[a].name < nodes[b].name;
    });
    return order;
}
/// A node as it is drawn: one, or all that are too many for the page.
struct Place {
    std::string label;
    std::size_t folded = 0;                                    ///< nodes it stands for, when more than one
    double weight = 0, y = 0, height = 0, left = 0, right = 0; ///< left, right: px of its sides that links have taken
};

/// The view "graph": who touches what, from an aggregation with several names as keys, or a graph that the program printed.
class Touches final : public Visual {
public:
    explicit Touches(const Store& store)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store.program())), m_probes(probesText(store.program()))
    {
        if (printsGraph(store.program())) {
            m_prints = true;
            m_text = graphIn(store.printed());
            if (m_text.empty()) return;
            auto parsed = parseDot(m_text);
            if (parsed)
                m_printed = std::move(*parsed);
            else
                m_trouble = parsed.error().message;
            return;
        }
        const auto& all = store.program().aggregations;
        for (std::uint32_t id = 0; id < all.size(); ++id) {
            if (!suits(all[id])) continue;
            if (m_columns) {
                ++m_others;
                continue;
            }
            m_ranking.shape = all[id];
            m_ranking.measure = isQuantized(all[id].function) ? Measure{Unit::Count, 1} : measureOf(all[id], store.program());
            const auto& entry = store.shown(AggregationId{id});
            for (const auto& row : entry.rows)
                m_ranking.lines.push_back(
                    {keyTexts(all[id], row.key, store), rowValue(all[id], row, isQuantized(all[id].function) ? 1 : entry.divisor)});
            m_columns = columnsOf(all[id], m_ranking.lines);
            for (const auto& n : m_columns->nodes.front())
                m_ranking.total += n.weight;
        }
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override
    {
        if (m_printed && !m_printed->label.empty()) return printable(m_printed->label);
        if (!m_columns) return "The graph that the program prints";
        std::string text = "Who touches what: ";
        for (std::size_t c = 0; c < m_columns->titles.size(); ++c)
            text += (c ? " \u2192 " : "") + printable(m_columns->titles[c]);
        return text;
    }
    bool empty() const override { return m_printed ? m_printed->nodes.empty() : !m_columns || m_columns->nodes.front().empty(); }
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override { return m_printed ? printedDigraph() : columnDigraph(); }
    Table table() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string subtitle() const
    {
        if (m_printed)
            return formatGrouped(static_cast<std::int64_t>(m_printed->nodes.size())) + " nodes, "
                + formatGrouped(static_cast<std::int64_t>(m_printed->edges.size())) + " edges, as the program printed them"
                + inShownInterval(m_provenance) + (isForGraphviz() ? "" : " \u00b7 laid out by ourselves: Graphviz would take too long");
        const std::string total = valueText(m_ranking.total);
        std::string text = describe(m_ranking.shape) + " \u00b7 "
            + (m_ranking.shape.function == Aggregator::Sum ? total : withNoun(total, m_noun)) + inShownInterval(m_provenance);
        if (m_others > 0)
            text += " \u00b7 " + std::to_string(m_others) + (m_others == 1 ? " other aggregation" : " other aggregations") + " not shown";
        return text;
    }
    std::string valueText(double value) const { return m_ranking.valueText(value); }
    std::string inWords() const;
    Digraph columnDigraph() const;
    Digraph printedDigraph() const;
    /// Whether dot is done with it in about a second; it cannot be stopped.
    bool isForGraphviz() const { return m_printed->nodes.size() <= kMostRouted && m_printed->edges.size() <= kMostRoutes; }
    std::optional<Routed> layOutPrinted(std::vector<NodeSize>& sizes) const;
    double drawColumns(Page& page) const; ///< gives the bottom
    Point drawPrinted(Page& page) const;

    Provenance m_provenance;
    std::string m_noun, m_probes, m_text, m_trouble;
    bool m_prints = false;
    std::optional<DotGraph> m_printed;
    std::optional<Columns> m_columns;
    Ranking m_ranking;
    std::size_t m_others = 0;
};

Table Touches::table() const
{
    Table t;
    if (m_prints) {
        t.columns = {{Unit::None, "from", false}, {Unit::None, "to", false}, {Unit::None, "label", false}};
        if (m_printed)
            for (const auto& e : m_printed->edges)
                t.rows.push_back({m_printed->nodes[e.from].name, m_printed->nodes[e.to].name, e.label});
        return t;
    }
    t.columns = {{Unit::None, "from_key", false}, {Unit::None, "from", false}, {Unit::None, "to_key", false}, {Unit::None, "to", false},
        {m_ranking.measure.unit, "value", true}};
    for (std::size_t c = 0; m_columns && c < m_columns->links.size(); ++c)
        for (const auto& link : m_columns->links[c])
            t.rows.push_back({m_columns->titles[c], m_columns->nodes[c][link.from].name, m_columns->titles[c + 1],
                m_columns->nodes[c + 1][link.to].name, plainNumber(link.weight)});
    return t;
}
std::string Touches::inWords() const
{
    if (m_printed) return "Graph of " + subtitle() + '.';
    std::string text = title() + '.';
    for (std::size_t c = 0; c < m_columns->links.size(); ++c) {
        auto links = m_columns->links[c];
        std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.weight > b.weight; });
        for (std::size_t i = 0; i < std::min<std::size_t>(links.size(), 5); ++i)
            text += ' ' + shown(m_columns->nodes[c][links[i].from].name) + " to " + shown(m_columns->nodes[c + 1][links[i].to].name) + ": "
                + valueText(links[i].weight) + '.';
    }
    return text;
}
Digraph Touches::columnDigraph() const
{
    Digraph g;
    if (!m_columns) return g;
    std::vector<std::map<std::size_t, std::size_t>> numbers(m_columns->nodes.size());
    std::vector<Point> centres;
    for (std::size_t c = 0; c < m_columns->nodes.size(); ++c) {
        const auto order = byWeight(m_columns->nodes[c]);
        for (std::size_t i = 0; i < std::min(order.size(), kDotNodes); ++i) {
            const auto& own = m_columns->nodes[c][order[i]];
            numbers[c][order[i]] = g.nodes.size();
            Digraph::Node node;
            node.name = 'p' + std::to_string(g.nodes.size() + 1);
            node.label = elided(shown(own.name), kDotWidth - 20, 11, true) + '\n' + valueText(own.weight);
            node.attributes = {{"key", printable(m_columns->titles[c])}, {"value", plainNumber(own.weight)}, {"tooltip", shown(own.name)}};
            centres.push_back({static_cast<double>(c) * (kDotWidth + kDotRank), static_cast<double>(i) * (kDotHeight + 12)});
            placeAt(node, centres.back(), kDotWidth, kDotHeight);
            g.nodes.push_back(std::move(node));
        }
    }
    for (std::size_t c = 0; c < m_columns->links.size(); ++c)
        for (const auto& link : m_columns->links[c]) {
            const auto from = numbers[c].find(link.from), to = numbers[c + 1].find(link.to);
            if (from == numbers[c].end() || to == numbers[c + 1].end()) continue;
            Digraph::Edge edge{
                from->second, to->second, {{"kind", "touches"}, {"value", plainNumber(link.weight)}, {"tooltip", valueText(link.weight)}}};
            edge.attributes.emplace_back("penwidth", formatFixed(1 + 7 * link.weight / std::max(m_ranking.total, 1.0), 2));
            const Point a{centres[from->second].x + kDotWidth / 2, centres[from->second].y},
                b{centres[to->second].x - kDotWidth / 2, centres[to->second].y};
            routeAlong(edge, {a, {(a.x + b.x) / 2, a.y}, {(a.x + b.x) / 2, b.y}, b});
            g.edges.push_back(std::move(edge));
        }
    return g;
}
std::optional<Routed> Touches::layOutPrinted(std::vector<NodeSize>& sizes) const
{
    for (const auto& node : m_printed->nodes) {
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
    for (const auto& e : m_printed->edges)
        edges.emplace_back(e.from, e.to);
    const LayoutGaps gaps{24, 46};
    if (isForGraphviz()) return routed(sizes, edges, gaps, m_printed->leftToRight);
    return ranked(sizes, edges, gaps, m_printed->leftToRight);
}
Digraph Touches::printedDigraph() const
{
    Digraph g;
    std::vector<NodeSize> sizes;
    const auto at = m_printed->nodes.size() <= kDotNodes ? layOutPrinted(sizes) : std::nullopt;
    for (std::size_t i = 0; i < m_printed->nodes.size(); ++i) {
        const auto& own = m_printed->nodes[i];
        Digraph::Node node;
        node.name = 'p' + std::to_string(i + 1);
        node.label = own.label;
        node.attributes = {{"tooltip", own.name}};
        if (at) placeAt(node, at->centres[i], sizes[i].width, sizes[i].height);
        g.nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < m_printed->edges.size(); ++i) {
        const auto& own = m_printed->edges[i];
        Digraph::Edge edge{own.from, own.to, {{"kind", "printed"}}};
        if (!own.label.empty()) edge.attributes.emplace_back("label", own.label);
        if (!own.style.empty()) edge.attributes.emplace_back("style", own.style);
        if (at) routeAlong(edge, at->routes[i]);
        g.edges.push_back(std::move(edge));
    }
    return g;
}
double Touches::drawColumns(Page& page) const
{
    const Box area = page.content();
    const double k = page.scale(), head = kHead * k, size = 13 * k;
    const auto count = static_cast<double>(m_columns->nodes.size());
    const double box = std::clamp(area.width / (count * 1.9), kNarrowestBox * k, kWidestBox * k);
    const double between = (area.width - box * count) / std::max(count - 1, 1.0);
    std::size_t longest = 0;
    for (const auto& nodes : m_columns->nodes)
        longest = std::max(longest, nodes.size());
    const double least = kLeastNode * k, gap = kGap * k;
    const double height = page.fit()
        ? area.height - head
        : std::max(area.height - head, static_cast<double>(std::min<std::size_t>(longest, 400)) * (least + gap));
    const auto fitting = static_cast<std::size_t>(std::max(2.0, std::floor((height + gap) / (least + gap))));

    // The weightiest of each column; the others are one.
    std::vector<std::vector<Place>> places;
    std::vector<std::vector<std::size_t>> placeOf; ///< of a column's node
    for (const auto& nodes : m_columns->nodes) {
        const auto order = byWeight(nodes);
        const std::size_t own = order.size() <= fitting ? order.size() : fitting - 1;
        auto& column = places.emplace_back();
        auto& where = placeOf.emplace_back(nodes.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i < own) column.push_back({shown(nodes[order[i]].name), 0, 0, 0, 0, 0, 0});
            if (i == own)
                column.push_back({"\u2026 " + formatGrouped(static_cast<std::int64_t>(order.size() - own)) + " more", order.size() - own, 0,
                    0, 0, 0, 0});
            where[order[i]] = std::min(i, own);
            column[where[order[i]]].weight += nodes[order[i]].weight;
        }
    }
    std::vector<std::map<std::pair<std::size_t, std::size_t>, double>> flows;
    for (std::size_t c = 0; c < m_columns->links.size(); ++c) {
        auto& flow = flows.emplace_back();
        for (const auto& link : m_columns->links[c])
            flow[{placeOf[c][link.from], placeOf[c + 1][link.to]}] += link.weight;
    }
    // Heights by weight, but none below what a line of text needs; few nodes don't fill the page.
    double scale = 1e300;
    std::size_t most = 1;
    for (const auto& column : places)
        most = std::max(most, column.size());
    const double tall = std::min(height, kTallestNode * k * static_cast<double>(most));
    for (const auto& column : places) {
        const double room = tall - gap * static_cast<double>(column.size() - 1);
        double low = 0, high = room / std::max(m_ranking.total, 1e-9);
        for (int i = 0; i < 50; ++i) {
            const double middle = (low + high) / 2;
            double sum = 0;
            for (const auto& p : column)
                sum += std::max(least, p.weight * middle);
            (sum <= room ? low : high) = middle;
        }
        scale = std::min(scale, low);
    }
    std::vector<std::vector<std::size_t>> order(places.size());
    for (std::size_t c = 0; c < places.size(); ++c) {
        std::vector<double> pull(places[c].size());
        for (std::size_t i = 0; i < places[c].size(); ++i) {
            order[c].push_back(i);
            pull[i] = static_cast<double>(i);
        }
        if (c > 0) {
            std::vector<double> sum(places[c].size());
            for (const auto& [ends, weight] : flows[c - 1]) {
                sum[ends.second] += weight * (places[c - 1][ends.first].y + places[c - 1][ends.first].height / 2);
            }
            for (std::size_t i = 0; i < pull.size(); ++i)
                pull[i] = places[c][i].folded > 1 ? 1e12 : sum[i] / places[c][i].weight;
            std::stable_sort(order[c].begin(), order[c].end(), [&](std::size_t a, std::size_t b) { return pull[a] < pull[b]; });
        }
        double used = -gap;
        for (auto& p : places[c]) {
            p.height = std::max(least, p.weight * scale);
            used += p.height + gap;
        }
        double y = area.y + head + (page.fit() && c > 0 ? std::max(0.0, std::min(tall - used, tall * 0.25) / 2) : 0);
        for (const auto i : order[c]) {
            places[c][i].y = y;
            y += places[c][i].height + gap;
        }
    }
    const auto left = [&](std::size_t c) { return area.x + static_cast<double>(c) * (box + between); };
    std::size_t hidden = 0;
    for (std::size_t c = 0; c < flows.size(); ++c) {
        // Where on the sides of its nodes a link begins and ends: by the height of its other end.
        std::vector<std::pair<std::pair<std::size_t, std::size_t>, double>> all(flows[c].begin(), flows[c].end());
        std::map<std::pair<std::size_t, std::size_t>, double> from, to;
        std::stable_sort(all.begin(), all.end(),
            [&](const auto& a, const auto& b) { return places[c + 1][a.first.second].y < places[c + 1][b.first.second].y; });
        for (const auto& [ends, weight] : all) {
            auto& p = places[c][ends.first];
            from[ends] = p.y + p.height * (p.right + weight / 2) / p.weight;
            p.right += weight;
        }
        std::stable_sort(
            all.begin(), all.end(), [&](const auto& a, const auto& b) { return places[c][a.first.first].y < places[c][b.first.first].y; });
        for (const auto& [ends, weight] : all) {
            auto& p = places[c + 1][ends.second];
            to[ends] = p.y + p.height * (p.left + weight / 2) / p.weight;
            p.left += weight;
        }
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
        hidden += all.size() - std::min(all.size(), kMostLinks);
        all.resize(std::min(all.size(), kMostLinks));
        for (const auto& [ends, weight] : all) {
            const Point a{left(c) + box, from[ends]}, b{left(c + 1), to[ends]};
            const double middle = (a.x + b.x) / 2, width = std::max(weight * scale, 1.0);
            Item& link = page.path(Role::Edge, {a, {middle, a.y}, {middle, b.y}, b});
            auto& path = std::get<Path>(link.shape);
            path.bezier = true;
            path.width = width;
            link.level = width > 20 ? 0.2 : 0.4;
            link.tip = places[c][ends.first].label + " \u2192 " + places[c + 1][ends.second].label + '\n' + valueText(weight) + ", "
                + formatShare(weight, m_ranking.total);
            link.data = {{"value", plainNumber(weight)}};
        }
    }
    if (hidden > 0) {
        const std::string text = "the " + formatGrouped(static_cast<std::int64_t>(kMostLinks))
            + " weightiest relations between two columns; " + formatGrouped(static_cast<std::int64_t>(hidden)) + " not drawn";
        const double room = between - 16;
        if (room > 60)
            page.text(Role::Note, {left(0) + box + between / 2, area.y + size}, text,
                {.size = 12 * k, .anchor = Anchor::Middle, .maxWidth = room});
    }
    double bottom = area.y;
    for (std::size_t c = 0; c < places.size(); ++c) {
        page.text(Role::Axis, {left(c), area.y + size}, m_columns->titles[c], {.size = size, .bold = true, .maxWidth = box});
        for (const auto& p : places[c]) {
            Item& node = page.box(Role::Node, {left(c), p.y, box, p.height, 3});
            node.key = p.label;
            node.tip = p.label + '\n' + valueText(p.weight) + ", " + formatShare(p.weight, m_ranking.total);
            node.data = {{"value", plainNumber(p.weight)}};
            if (p.folded > 1) node.data.emplace_back("nodes", std::to_string(p.folded));
            const std::string value = valueText(p.weight);
            const double base = p.y + p.height / 2 + size * 0.36, pad = 8 * k, taken = textWidth(value, size) + pad;
            const bool told = box - 2 * pad - taken > 40 * k;
            const double room = box - 2 * pad - (told ? taken : 0);
            const bool few = p.folded > 1 && textWidth(p.label, size) > room; // letters: the number says what there is
            page.text(Role::Node, {left(c) + pad, base}, few ? "+" + std::to_string(p.folded) : p.label,
                {.size = size, .maxWidth = room, .middle = true});
            if (told) page.text(Role::Node, {left(c) + box - pad, base}, value, {.size = size, .anchor = Anchor::End});
            bottom = std::max(bottom, p.y + p.height);
        }
    }
    return bottom;
}
/// As large as it needs, made smaller where the page is fixed.
Point Touches::drawPrinted(Page& page) const
{
    std::vector<NodeSize> sizes;
    const auto at = layOutPrinted(sizes);
    if (!at) {
        page.empty("Graphviz could not lay out what the program printed", "Write it to a .dot file and look at it with dot itself.");
        return {};
    }
    RoutedDrawing drawing(page, *at, sizes);
    for (std::size_t i = 0; i < m_printed->edges.size(); ++i) {
        const auto& edge = m_printed->edges[i];
        RoutedDrawing::Look look;
        look.label = edge.label;
        look.tip = printable(m_printed->nodes[edge.from].name) + " \u2192 " + printable(m_printed->nodes[edge.to].name)
            + (edge.label.empty() ? "" : '\n' + printable(edge.label));
        look.shade = edge.style == "dashed" ? Shade::Dashed : edge.style == "dotted" ? Shade::Dotted : Shade::Plain;
        look.arrow = m_printed->directed;
        if (!isForGraphviz()) look.width = 0.75; // they are many
        drawing.drawEdge(page, i, look);
    }
    drawing.drawLabels(page);
    const double s = drawing.scale(), size = 13 * s;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& own = m_printed->nodes[i];
        const Box box = drawing.box(i);
        Item& node = page.box(Role::Node, box);
        node.key = own.name;
        node.tip = printable(own.label);
        if (size < 4) continue; // an outline of the whole; the names are in the tips, the DOT and the CSV
        double y = box.y + 21.5 * s;
        for (std::size_t from = 0; from <= own.label.size();) {
            const auto end = std::min(own.label.find('\n', from), own.label.size());
            page.text(Role::Node, {box.x + box.width / 2, y}, own.label.substr(from, end - from),
                {.size = size, .anchor = Anchor::Middle, .maxWidth = box.width - 16 * s});
            y += 18 * s;
            from = end + 1;
        }
    }
    return drawing.lowest();
}
Figure Touches::figure(const LayoutOptions& options) const
{
    Page page(options, title(), empty() ? "" : subtitle(), m_provenance);
    if (!m_trouble.empty()) {
        page.empty("What the program prints is no graph that Graphviz reads", m_trouble);
        return page.finish("A graph that can't be read: " + m_trouble);
    }
    if (empty()) {
        page.empty(m_prints ? "No graph printed yet" : "Nothing counted yet",
            m_probes.empty() ? "Nodes appear when the program's probes fire." : "Nodes appear when these probes fire: " + m_probes);
        return page.finish("Graph without data.");
    }
    const Box area = page.content();
    if (m_printed && m_printed->nodes.size() > kMostLayered) {
        page.empty("A graph of " + formatGrouped(static_cast<std::int64_t>(m_printed->nodes.size())) + " nodes is too large to be drawn",
            "Export it as .dot or .csv, or let the program print only the edges that matter.");
        return page.finish(inWords());
    }
    if (m_printed) return page.finish(inWords(), drawPrinted(page));
    const double bottom = drawColumns(page);
    return page.finish(inWords(), {area.x + area.width, bottom});
}
} // namespace

Kind kind_graph()
{
    return {kFacts, rank::kAmounts + 5,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return printsGraph(store.program()) || std::any_of(all.begin(), all.end(), suits);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Touches>(store); }};
}
} // namespace dscope::graph
