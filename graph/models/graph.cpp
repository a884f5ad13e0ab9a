#include "graph/dot_places.h"
#include "graph/headline.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/printed_view.h"
#include "graph/parts/touch_columns.h"
#include "graph/parts/touch_matrix.h"
#include "graph/printed_graph.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "graph",
    .tab = "Graph",
    .summary = "who touches what: aggregations by two or more names; graphs that a program prints",
    .heeds = {.amounts = Heeds::Amounts::Other}};
constexpr double kHead = 30, kHeadDown = 18;
constexpr double kDotWidth = 200, kDotHeight = 40, kDotRank = 120;
constexpr std::size_t kInWords = 5;

/// The view "graph" of an aggregation with several names as keys: who touches what.
class TouchGraph final : public Visual {
public:
    explicit TouchGraph(const Store& store)
        : m_provenance(provenanceOf(store, tellsTouches)), m_noun(countedNoun(store)), m_probes(probesText(store.program()))
    {
        const auto& all = store.program().aggregations;
        for (std::uint32_t id = 0; id < all.size(); ++id) {
            if (!tellsTouches(all[id])) continue;
            if (m_touches)
                ++m_others;
            else
                take(store, AggregationId{id});
        }
    }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        std::string keys;
        for (std::size_t c = 0; m_touches && c < m_touches->titles.size(); ++c)
            keys += (c ? " \u2192 " : "") + printable(keyTitle(m_touches->titles[c]));
        return keys.empty() ? said("Who touches what") : said("Who touches what: %1", keys);
    }

    bool empty() const override { return !m_touches || whole().nodes.front().empty(); }
    Table table() const override;
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    void take(const Store& store, AggregationId id);
    std::string subtitle() const;
    Claim claim() const;
    std::string inWords() const;
    std::string valueText(double value) const { return m_ranking.valueText(value); }
    void drawRoutes(Page& page, const TouchColumns& columns) const;
    void drawHidden(Page& page, const TouchColumns& columns) const;
    void drawHeads(Page& page, const TouchColumns& columns) const;
    void drawPlace(Page& page, const TouchColumns::Place& place, const Box& box) const;

    Provenance m_provenance;
    Noun m_noun;
    std::string m_probes;
    /// What files have.
    const Touches& whole() const { return m_whole ? *m_whole : *m_touches; }
    std::optional<Touches> m_touches, m_whole; ///< what is drawn; all there is, where that is more
    std::size_t m_notDrawn = 0;                ///< amounts of 0 or less
    Ranking m_ranking;
    std::size_t m_others = 0; ///< aggregations that are not shown
};

void TouchGraph::take(const Store& store, AggregationId id)
{
    const auto& a = m_ranking.shape = store.program().aggregations[id.value];
    m_ranking.measure = isQuantized(a.function) ? Measure{Unit::Count, 1} : store.measure(a);
    const auto& entry = store.shown(id);
    for (const auto& row : entry.rows)
        m_ranking.lines.push_back({keyTexts(a, row.key, store), rowValue(a, row, isQuantized(a.function) ? 1 : entry.divisor)});
    m_touches = touchesOf(a, m_ranking.lines, Amounts::Drawn);
    m_notDrawn = static_cast<std::size_t>(
        std::count_if(m_ranking.lines.begin(), m_ranking.lines.end(), [](const auto& line) { return !(line.value > Number(0)); }));
    if (m_notDrawn > 0) m_whole = touchesOf(a, m_ranking.lines, Amounts::All);
    for (const auto& n : m_touches->nodes.front())
        m_ranking.total += n.weight;
}

Table TouchGraph::table() const
{
    Table t;
    t.columns = {Column::text("from_key"), Column::text("from"), Column::text("to_key"), Column::text("to"),
        Column::number("value", m_ranking.measure.unit)};
    if (!m_touches) return t;
    const auto& all = whole();
    for (std::size_t c = 0; c < all.links.size(); ++c)
        for (const auto& link : all.links[c])
            t.rows.push_back(
                {all.titles[c], all.nodes[c][link.from].name, all.titles[c + 1], all.nodes[c + 1][link.to].name, plainNumber(link.weight)});
    return t;
}

std::string TouchGraph::subtitle() const
{
    const std::string total = valueText(m_ranking.total);
    return describe(m_ranking.shape) + kMiddleDot + (m_ranking.shape.function == record::Aggregator::Sum ? total : m_noun.with(total))
        + inShownInterval(m_provenance);
}

/// One relation has half of everything or more, or else one name of those at the left, or else of the next: as it is claimed of bars.
Claim TouchGraph::claim() const
{
    if (empty()) return {};
    auto sums = m_ranking;
    if (isQuantized(sums.shape.function)) sums.shape.function = record::Aggregator::Count; // what is drawn is how many
    if (auto found = headlineOf(sums, m_noun.said()); !found.empty()) return found;
    for (const auto& nodes : m_touches->nodes) {
        sums.lines.clear();
        for (const auto& node : nodes)
            sums.lines.push_back({{node.name}, node.weight});
        if (auto found = headlineOf(sums, m_noun.said()); !found.empty()) return found;
    }
    return {};
}

std::string TouchGraph::inWords() const
{
    std::string text = title() + '.';
    for (std::size_t c = 0; c < m_touches->links.size(); ++c) {
        auto links = m_touches->links[c];
        std::stable_sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
        for (std::size_t i = 0; i < std::min(links.size(), kInWords); ++i)
            text += ' '
                + said("%1 to %2: %3.", shownName(m_touches->nodes[c][links[i].from].name),
                    shownName(m_touches->nodes[c + 1][links[i].to].name), valueText(links[i].weight));
    }
    return text;
}

std::optional<Digraph> TouchGraph::digraph() const
{
    Digraph g;
    if (!m_touches) return g;
    const auto& all = whole();
    std::vector<std::map<std::size_t, std::size_t>> numbers(all.nodes.size());
    std::vector<Point> centres;
    for (std::size_t c = 0; c < all.nodes.size(); ++c) {
        const auto order = byWeight(all.nodes[c]);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto& own = all.nodes[c][order[i]];
            numbers[c][order[i]] = g.nodes.size();
            Digraph::Node node;
            node.name = 'p' + std::to_string(g.nodes.size() + 1);
            node.label = elided(shownName(own.name), kDotWidth - 20, 11, Elide::Middle) + '\n' + valueText(own.weight);
            node.attributes = {{"key", printable(all.titles[c])}, {"value", plainNumber(own.weight)}, {"tooltip", shownName(own.name)}};
            centres.push_back({static_cast<double>(c) * (kDotWidth + kDotRank), static_cast<double>(i) * (kDotHeight + 12)});
            placeAt(node, centres.back(), kDotWidth, kDotHeight);
            g.nodes.push_back(std::move(node));
        }
    }

    for (std::size_t c = 0; c < all.links.size(); ++c)
        for (const auto& link : all.links[c]) {
            const auto from = numbers[c].find(link.from), to = numbers[c + 1].find(link.to);
            Digraph::Edge edge{
                from->second, to->second, {{"kind", "touches"}, {"value", plainNumber(link.weight)}, {"tooltip", valueText(link.weight)}}};
            edge.attributes.emplace_back("penwidth",
                formatFixed(1 + 7 * std::min(std::abs(static_cast<double>(link.weight)) / std::max(m_ranking.total, 1.0), 1.0), 2));
            const Point a{centres[from->second].x + kDotWidth / 2, centres[from->second].y},
                b{centres[to->second].x - kDotWidth / 2, centres[to->second].y};
            routeAlong(edge, {a, {(a.x + b.x) / 2, a.y}, {(a.x + b.x) / 2, b.y}, b});
            g.edges.push_back(std::move(edge));
        }
    return g;
}

void TouchGraph::drawRoutes(Page& page, const TouchColumns& columns) const
{
    for (std::size_t c = 0; c < columns.routes.size(); ++c)
        for (const auto& route : columns.routes[c]) {
            Item& link = page.path(Role::Edge, columns.curveOf(c, route));
            auto& path = std::get<Path>(link.shape);
            path.bezier = true;
            path.width = route.width;
            link.level = route.width > 20 ? 0.2 : 0.4;
            link.tip = columns.places[c][route.from].label + " \u2192 " + columns.places[c + 1][route.to].label + '\n'
                + valueText(route.weight) + ", " + formatShare(route.weight, m_ranking.total);
            link.data = {{"value", plainNumber(route.weight)}};
        }
}

/// Says how many links are not drawn.
void TouchGraph::drawHidden(Page& page, const TouchColumns& columns) const
{
    const double k = page.scale(), room = columns.between - 16;
    if (columns.hiddenRoutes == 0 || room <= 60 || columns.direction == RankDirection::Down) return;
    const auto text = said("the %1 weightiest relations between two columns; %2 not drawn",
        formatGrouped(static_cast<std::int64_t>(TouchRoom().mostRoutes)), formatGrouped(static_cast<std::int64_t>(columns.hiddenRoutes)));
    page.text(Role::Note, {columns.near(0) + columns.box + columns.between / 2, page.content().y + 13 * k}, text,
        {.size = 12 * k, .anchor = Anchor::Middle, .maxWidth = room});
}

/// What each column is: above it.
void TouchGraph::drawHeads(Page& page, const TouchColumns& columns) const
{
    const Box& area = page.content();
    const double k = page.scale(), size = 13 * k;
    for (std::size_t c = 0; c < columns.places.size(); ++c) {
        const auto title = printable(keyTitle(m_touches->titles[c]));
        if (columns.direction == RankDirection::Down) {
            // Links pass behind it.
            const double words = page.smallest(), base = columns.near(c) - 5 * k, most = 0.6 * area.width;
            const auto shown = elided(title, most, words, Elide::End, {.bold = true});
            if (c > 0) page.box(Role::Ground, {area.x, base - words, textWidth(shown, words, {.bold = true}) + 4 * k, 1.3 * words, 0});
            page.text(Role::Axis, {area.x, base}, title, {.size = words, .bold = true, .maxWidth = most});
            continue;
        }
        // A title may reach as far as the next one, that of the last column to its left.
        const double left = columns.near(c), most = columns.box + std::max(columns.between - size, 0.0);
        const bool isLast = c + 1 == columns.places.size() && textWidth(title, size, {.bold = true}) > columns.box;
        page.text(Role::Axis, {isLast ? left + columns.box : left, area.y + size}, title,
            {.size = size,
                .bold = true,
                .anchor = isLast ? Anchor::End : Anchor::Start,
                .maxWidth = isLast                   ? columns.box + columns.between / 2
                    : c + 2 == columns.places.size() ? columns.box + columns.between / 2 - size
                                                     : most});
    }
}

void TouchGraph::drawPlace(Page& page, const TouchColumns::Place& place, const Box& box) const
{
    Item& node = page.box(Role::Node, box);
    node.key = place.label;
    node.tip = place.label + '\n' + valueText(place.weight) + ", " + formatShare(place.weight, m_ranking.total);
    node.data = {{"value", plainNumber(place.weight)}};
    if (place.folded > 1) node.data.emplace_back("nodes", std::to_string(place.folded));

    const std::string value = valueText(place.weight);
    const double k = page.scale(), size = 13 * k, pad = 8 * k, taken = textWidth(value, size) + pad;
    const double base = box.y + box.height / 2 + size * 0.36;
    const bool showsValue = box.width - 2 * pad - taken > std::min(40 * k, textWidth(place.name, size));
    const double room = box.width - 2 * pad - (showsValue ? taken : 0);
    const bool showsNumber = place.folded > 1 && textWidth(place.name, size) > room; // the number says what there is
    page.text(Role::Node, {box.x + pad, base}, showsNumber ? "+" + std::to_string(place.folded) : place.name,
        {.size = size, .maxWidth = room, .middle = true});
    if (showsValue) page.text(Role::Node, {box.x + box.width - pad, base}, value, {.size = size, .anchor = Anchor::End});
}

Figure TouchGraph::figure(const LayoutOptions& options) const
{
    Caveats caveats;
    if (!empty()) caveats = intervalCaveat(m_provenance);
    if (m_others > 0)
        caveats.push_back(saidOf(m_others, "%1 other aggregation not shown", "%1 other aggregations not shown", std::to_string(m_others)));
    if (m_notDrawn > 0)
        caveats.push_back(saidOf(m_notDrawn, "%1 amount of 0 or less not drawn", "%1 amounts of 0 or less not drawn",
            formatGrouped(static_cast<std::int64_t>(m_notDrawn))));
    const auto plain = fittingTitle(options, {title(), said("Who touches what")});
    Page page(options, headed(options, claim(), plain, empty() ? "" : subtitle()), m_provenance, {}, caveats);
    if (!empty() && m_touches->nodes.front().empty()) {
        page.empty(said("No amount is above 0"), "");
        return page.finish(said("Graph without data."));
    }
    if (empty()) {
        page.empty(said("Nothing counted yet"),
            m_probes.empty() ? said("Nodes appear when the program's probes fire.")
                             : said("Nodes appear when these probes fire: %1", m_probes));
        return page.finish(said("Graph without data."));
    }

    const Box area = page.content();
    if (m_touches->nodes.size() == 2 && m_touches->links.front().size() > kMostCurves) {
        const auto low = drawTouchMatrix(page, *m_touches, area, {[&](double value) { return valueText(value); }, m_ranking.total});
        if (low) return page.finish(inWords(), {area.x + area.width, *low});
    }

    const double k = page.scale();
    const auto belowHead = [&](double head) { return Box{area.x, area.y + head * k, area.width, area.height - head * k, 0}; };
    const bool isDown = page.fit() && areTouchesDownwards(m_touches->nodes.size(), belowHead(kHeadDown), k);
    const auto columns = touchColumns(*m_touches,
        {.area = belowHead(isDown ? kHeadDown : kHead),
            .scale = k,
            .direction = isDown ? RankDirection::Down : RankDirection::Right,
            .isFixed = page.fit(),
            .total = m_ranking.total,
            .value = [&](double value) { return valueText(value); }});
    drawRoutes(page, columns);
    drawHidden(page, columns);
    drawHeads(page, columns);
    double bottom = area.y;
    for (std::size_t c = 0; c < columns.places.size(); ++c)
        for (const auto& p : columns.places[c]) {
            const auto box = columns.boxOf(c, p);
            drawPlace(page, p, box);
            bottom = std::max(bottom, box.y + box.height);
        }
    return page.finish(inWords(), {area.x + area.width, bottom});
}
} // namespace

Kind kind_graph()
{
    return {kFacts, rank::kAmounts + 5,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return printsGraph(store.program()) || std::any_of(all.begin(), all.end(), tellsTouches);
        },
        [](const Store& store) -> std::unique_ptr<Visual> {
            if (printsGraph(store.program())) return makePrintedView(store, kFacts);
            return std::make_unique<TouchGraph>(store);
        }};
}
} // namespace dscope::graph
