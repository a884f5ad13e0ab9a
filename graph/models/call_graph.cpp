#include "graph/difference.h"
#include "graph/dot_places.h"
#include "graph/frame_label.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/call_chain.h"
#include "graph/parts/call_cycles.h"
#include "graph/parts/call_graph_painter.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <mutex>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "call-graph",
    .tab = "Call graph",
    .summary = "stacks as a graph: who calls what, and what takes how much",
    .heeds = {.amounts = Heeds::Amounts::Stacks}};

std::string grouped(std::size_t number) { return formatGrouped(static_cast<std::int64_t>(number)); }

/// Stacks as a directed graph: every function once, with what it took by itself and in all.
class CallGraph final : public Visual {
public:
    explicit CallGraph(const Store& store) : CallGraph(store, {nullptr, stacksOf(store)}) { }
    /// What changed between two runs.
    CallGraph(const Store& before, const Store& after) : CallGraph(after, comparedStacks(before, after))
    {
        m_scatter = stackScatterOf(before, after);
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titles(Privacy::Open, Whose::Wider::Said).front(); }
    bool empty() const override { return m_stacks->empty() && (!m_before || m_before->empty()); }
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override;

    /// A call a row; without a caller: how much begins there; without a callee: how much it took by itself.
    Table table() const override
    {
        if (m_before) return changes();
        const auto& functions = graph().functions;
        Table t;
        t.columns = {Column::text("caller"), Column::text("callee"), Column::number("value", m_measure.unit())};
        for (const auto i : graph().byTotal())
            if (functions[i].begins > 0) t.rows.push_back({"", functions[i].name, m_measure.exact(functions[i].begins)});
        for (const auto& a : graph().arcs)
            t.rows.push_back({functions[a.from].name, functions[a.to].name, m_measure.exact(a.value)});
        for (const auto i : graph().byTotal())
            if (functions[i].self > 0) t.rows.push_back({functions[i].name, "", m_measure.exact(functions[i].self)});
        return t;
    }

    Figure figure(const LayoutOptions& options) const override;

    std::optional<Share> share(const NameTest& test, std::string_view /*focus*/) const override
    {
        if (m_stacks->empty() || m_before) return std::nullopt;
        return Share{static_cast<double>(m_stacks->matched(test)) / static_cast<double>(m_stacks->total())};
    }

private:
    CallGraph(const Store& store, ComparedStacks runs)
        : m_provenance(provenanceOf(store, sumsUpStacks)), m_probes(probesText(store.program())), m_timed(probeKinds(store).samples),
          m_stacks(std::move(runs.after)), m_before(std::move(runs.before)), m_measure(m_stacks->measure())
    {
    }

    /// Made when first looked at: a window makes visuals of which it shows one.
    const CallGraphData& graph() const
    {
        std::call_once(m_once, [&] { m_graph = m_before ? callGraphOf(*m_before, *m_stacks, m_scatter) : callGraphOf(*m_stacks); });
        return m_graph;
    }

    /// The longest first.
    std::vector<std::string> titles(Privacy privacy, Whose::Wider wider) const
    {
        if (!m_before) return {plainTitle(privacy, wider)};
        const auto noun = m_measure.isCount ? m_measure.noun.said() : m_measure.unit() == Unit::Nanoseconds ? said("time") : std::string();
        return changedTitles(
            plainTitle(privacy, wider), static_cast<double>(m_before->total()), static_cast<double>(m_stacks->total()), noun);
    }
    std::string plainTitle(Privacy privacy, Whose::Wider wider) const
    {
        if (!m_timed) return m_probes.empty() ? said("Call graph") : said("Who calls what up to %1", printable(m_probes));
        return m_provenance.whose.titled(said("Who calls what, and where the CPU time goes"), privacy, wider);
    }

    std::string amountsText() const
    {
        if (!m_before) return m_measure.amount(graph().total) + inShownInterval(m_provenance);
        return said("before %1, after %2", m_measure.amount(m_before->total()), m_measure.quantity(m_stacks->total()));
    }
    std::string share(std::int64_t value) const { return formatShare(static_cast<double>(value), static_cast<double>(graph().total)); }
    std::string subtitle(const CallPart& part) const;
    Caveats caveats(const CallPart& part) const;
    std::string notDrawn(const CallPart& part) const;
    Claim claim() const { return m_before ? Claim() : headlineOf(*m_stacks); }
    /// For pages without room for a graph; none where there is not even room for two rows.
    std::optional<Figure> chainFigure(const LayoutOptions& options, const std::string& head) const;
    std::string inWords() const;
    /// A call a row, as table() has them, in both runs.
    Table changes() const
    {
        const auto& functions = graph().functions;
        Table t;
        t.columns = {Column::text("caller"), Column::text("callee"), Column::number("before", m_measure.unit()),
            Column::number("after", m_measure.unit()), Column::number("difference", m_measure.unit())};
        const auto add = [&](const std::string& caller, const std::string& callee, std::int64_t both, std::int64_t before) {
            t.rows.push_back({caller, callee, m_measure.exact(before), m_measure.exact(both - before), m_measure.exact(both - 2 * before)});
        };
        for (const auto& a : graph().arcs)
            add(functions[a.from].name, functions[a.to].name, a.value, a.before);
        for (const auto i : graph().byTotal())
            if (functions[i].self > 0) add(functions[i].name, "", functions[i].self, functions[i].selfBefore);
        return t;
    }

    Provenance m_provenance;
    std::string m_probes;
    bool m_timed = false;
    std::shared_ptr<const Stacks> m_stacks, m_before; ///< m_before: of the run that this one is compared with, or null
    StackMeasure m_measure;
    RunScatter m_scatter;
    mutable std::once_flag m_once;
    mutable CallGraphData m_graph; ///< behind graph()
};

std::string CallGraph::subtitle(const CallPart& part) const
{
    std::string text = m_measure.what() + kMiddleDot + amountsText();
    if (m_before) text += kMiddleDot + said("numbers as they were recorded") + kMiddleDot + said("lines are as wide as both together");
    text += kMiddleDot + functionsText(part.functions.size());
    if (const CallCycles cycles(part.functions.size(), part.edges); cycles.size() > 0)
        text += saidOf(
            cycles.size(), ", %1 of them in %2 cycle", ", %1 of them in %2 cycles", grouped(cycles.functions()), grouped(cycles.size()));
    return text;
}

Caveats CallGraph::caveats(const CallPart& part) const
{
    auto out = m_before ? Caveats() : intervalCaveat(m_provenance);
    for (auto& cut : stackCaveats(*m_stacks))
        out.push_back(std::move(cut));
    if (auto hidden = notDrawn(part); !hidden.empty()) out.push_back(std::move(hidden));
    return out;
}

std::string CallGraph::notDrawn(const CallPart& part) const
{
    if (part.hiddenFunctions > 0)
        return said("not drawn: %1 of less than %2 each, and %3", functionsText(part.hiddenFunctions),
            formatDecimal(100 * part.leastNode, 1) + " %", Noun("calls").with(grouped(part.hiddenArcs)));
    if (part.hiddenArcs == 0) return {};
    return said(
        "not drawn: %1 of less than %2 each", Noun("calls").with(grouped(part.hiddenArcs)), formatDecimal(100 * part.leastEdge, 1) + " %");
}

std::string CallGraph::inWords() const
{
    std::string functions;
    const auto order = graph().byTotal();
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i) {
        const auto& f = graph().functions[order[i]];
        if (m_before) {
            functions += (i ? ", " : "") + f.name + ' ' + changeText(graph(), f.name, m_measure, f.total, f.totalBefore);
            continue;
        }
        functions += (i ? ", " : "") + said("%1 %2 (self %3)", f.name, share(f.total), share(f.self));
    }
    return said("Call graph. Most in all: %1.", functions);
}

std::optional<Digraph> CallGraph::digraph() const
{
    Digraph g;
    if (empty()) return g;
    const auto drawn = graph().part(1);
    g.ranks = Digraph::Ranks::Down;
    g.leftOut = notDrawn(drawn);
    const CallCycles cycles(drawn.functions.size(), drawn.edges);
    std::vector<NodeSize> sizes;
    for (const auto i : drawn.functions) {
        const auto& f = graph().functions[i];
        const auto label = callLabel(graph(), f);
        sizes.push_back(label.size);
        Digraph::Node node;
        node.name = 'p' + std::to_string(g.nodes.size() + 1);
        node.label = label.name + '\n' + label.facts;
        node.attributes
            = {{"own", m_measure.exact(f.self - f.selfBefore)}, {"total", m_measure.exact(f.total - f.totalBefore)}, {"tooltip", f.name}};
        if (m_before) {
            node.attributes.emplace_back("own_before", m_measure.exact(f.selfBefore));
            node.attributes.emplace_back("total_before", m_measure.exact(f.totalBefore));
        }
        for (auto& look : callLook(graph(), f))
            node.attributes.push_back(std::move(look));
        if (const auto cycle = cycles.of(g.nodes.size()); cycle != 0) node.attributes.emplace_back("cycle", std::to_string(cycle));
        g.nodes.push_back(std::move(node));
    }

    const bool small = sizes.size() <= kMostRouted && drawn.edges.size() <= kMostRoutes; // else dot has to do it
    const auto at = small ? routed(sizes, drawn.edges, callGaps(drawn), RankDirection::Down) : std::nullopt;
    for (std::size_t i = 0; at && i < g.nodes.size(); ++i)
        placeAt(g.nodes[i], at->centres[i], sizes[i].width, sizes[i].height);
    for (std::size_t i = 0; i < drawn.edges.size(); ++i) {
        Digraph::Edge edge{drawn.edges[i].first, drawn.edges[i].second,
            {{"kind", "calls"}, {"value", m_measure.exact(drawn.values[i] - drawn.before[i])}}};
        if (m_before) edge.attributes.emplace_back("before", m_measure.exact(drawn.before[i]));
        edge.attributes.emplace_back("label",
            m_before ? graph().change(shownFunction(graph(), drawn, drawn.edges[i].second).name, drawn.values[i], drawn.before[i]).text()
                     : share(drawn.values[i]));
        edge.attributes.emplace_back(
            "penwidth", formatFixed(1 + 4 * static_cast<double>(drawn.values[i]) / static_cast<double>(graph().total), 2));
        if (cycles.has(drawn.edges[i])) edge.attributes.emplace_back("style", "dashed");
        if (at) routeAlong(edge, at->routes[i]);
        g.edges.push_back(std::move(edge));
    }
    return g;
}

std::optional<Figure> CallGraph::chainFigure(const LayoutOptions& options, const std::string& head) const
{
    const auto chain = heaviestChain(graph());
    auto known = intervalCaveat(m_provenance);
    for (auto& cut : stackCaveats(*m_stacks))
        known.push_back(std::move(cut));
    known.push_back(said(m_before ? "only what changed most, %1 of %2" : "only the heaviest chain, %1 of %2", grouped(chain.size()),
        functionsText(graph().functions.size())));
    const std::string words = m_measure.what() + kMiddleDot + amountsText();
    auto legend = m_before ? changeScale(Role::Frame, graph().noise()) : frameLegend([&](Shade shade) {
        return std::any_of(chain.begin(), chain.end(), [&](auto i) { return graph().functions[i].shade == shade; });
    });
    const auto pageWith = [&] { return Page(options, headed(options, claim(), head, words), m_provenance, legend, known); };
    Page page = pageWith();
    if (rowsOfChain(page.content().height, page.smallest()) < 4) { // rows rather than what kinds of code there are
        legend.clear();
        page = pageWith();
    }
    if (chain.size() < 2 || rowsOfChain(page.content().height, page.smallest()) < 2) return std::nullopt;
    const auto end = drawChain(page, graph(), chain, m_measure, legend.empty() ? ChainKinds::Hidden : ChainKinds::Shown);
    return page.finish(inWords(), end);
}

Figure CallGraph::figure(const LayoutOptions& options) const
{
    const std::string head = fittingTitle(options, titles(options.privacy(), Whose::Wider::SaidApart));
    if (empty()) {
        Page page(options, head, m_measure.what(), m_provenance);
        sayNoStacks(page, *m_stacks, m_probes);
        return page.finish(said("Call graph without data."));
    }

    const auto pageFor = [&](const CallPart& whole) {
        auto legend = frameLegend([&](Shade shade) {
            return std::any_of(whole.functions.begin(), whole.functions.end(), [&](auto i) { return graph().functions[i].shade == shade; });
        });
        if (m_before) legend = changeScale(Role::Frame, graph().noise());
        std::int64_t most = 0;
        for (const auto i : whole.functions)
            most = std::max(most, graph().functions[i].self);
        if (!m_before) legend.push_back({Role::Node, Shade::Plain, 0, said("%1 self", "0 %")});
        if (most > 0 && !m_before) legend.push_back({Role::Node, Shade::Plain, selfLevel(graph(), most), said("%1 self", share(most))});
        if (CallCycles(whole.functions.size(), whole.edges).size() > 0)
            legend.push_back(LegendEntry::line(Role::Edge, Shade::Dashed, said("calls within a cycle")));
        return Page(options, headed(options, claim(), head, subtitle(whole)), m_provenance, legend, caveats(whole));
    };

    const auto laid = readableCalls(graph(), options, pageFor);
    if (laid.drawn.functions.empty())
        if (auto chain = chainFigure(options, head)) return *std::move(chain);
    Page page = pageFor(laid.whole);
    if (laid.drawn.functions.empty()) {
        page.empty(said("A page of this size is too small for a call graph"),
            said(
                "In the most stacks: %1. A larger --size has room for who calls whom.", graph().functions[graph().byTotal().front()].name));
        return page.finish(inWords());
    }

    if (!laid.at) {
        page.empty(said("Graphviz could not lay out the calls"), said("The same stacks are there as a flame graph."));
        return page.finish(inWords());
    }
    const auto lowest = drawCallGraph(page, graph(), laid, m_measure);
    return page.finish(inWords(), lowest);
}
} // namespace

Kind kind_call_graph()
{
    return {kFacts, rank::kStacks + 5, hasStacks,
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<CallGraph>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<CallGraph>(before, after); }};
}
} // namespace dscope::graph
