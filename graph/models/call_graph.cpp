#include "graph/dot_places.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/layouts/routed_drawing.h"
#include "graph/page.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{
    .name = "call-graph", .tab = "Call graph", .summary = "stacks as a graph: who calls what, and what takes how much"};
/// Below which share of all a function or a call is not drawn: gprof2dot's.
constexpr double kLeastNode = 0.005, kLeastEdge = 0.001;
constexpr double kNodeHeight = 44, kWidestName = 230, kNameSize = 13, kFactSize = 11;
constexpr std::size_t kShortest = 3; // of a chain that is drawn as such: its ends, and what stands for the others
constexpr std::size_t kMostLeaves = 3;
constexpr double kLeastScale = 0.73, kStepUp = 1.6; // names of 9.5 px: smaller is not readable, then less is drawn

struct Function {
    std::string name;
    std::int64_t self = 0, total = 0; ///< total: of stacks with it in them, each once, however often it calls itself
    std::int64_t begins = 0;          ///< of stacks that begin with it
    Shade shade = Shade::Unknown;
};
struct Arc {
    std::uint32_t from = 0, to = 0;
    std::int64_t value = 0;
};
/// What of the graph is drawn, functions and calls renumbered.
struct Part {
    std::vector<std::uint32_t> functions;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::int64_t> values; ///< of the edges
    double leastNode = kLeastNode, leastEdge = kLeastEdge;
    std::size_t hiddenFunctions = 0, hiddenArcs = 0;
    /// What a node stands for: functions that call each other, the outermost first, or all called by the same one; else none.
    struct Fold {
        std::vector<std::uint32_t> functions = {};
        bool isChain = true;
    };
    std::vector<Fold> folded = {}; ///< by node, or none at all
    bool isLeast = false;          ///< less cannot be drawn: a higher threshold leaves next to nothing
};

/// Stacks as a directed graph: every function once, with what it took by itself and in all.
class CallGraph final : public Visual {
public:
    explicit CallGraph(const Store& store)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_probes(probesText(store.program())),
          m_timed(probeKinds(store).samples), m_stacks(stacksOf(store)), m_measure(m_stacks->measure())
    {
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(false); }
    bool empty() const override { return m_stacks->empty(); }
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override;
    /// A call a row; without a caller: how much begins there; without a callee: how much it took by itself.
    Table table() const override
    {
        prepare();
        Table t;
        t.columns = {{Unit::None, "caller", false}, {Unit::None, "callee", false}, {m_measure.unit(), "value", true}};
        for (const auto i : byTotal())
            if (m_functions[i].begins > 0) t.rows.push_back({"", m_functions[i].name, std::to_string(m_functions[i].begins)});
        for (const auto& a : m_arcs)
            t.rows.push_back({m_functions[a.from].name, m_functions[a.to].name, std::to_string(a.value)});
        for (const auto i : byTotal())
            if (m_functions[i].self > 0) t.rows.push_back({m_functions[i].name, "", std::to_string(m_functions[i].self)});
        return t;
    }
    Figure figure(const LayoutOptions& options) const override;
    std::optional<Share> share(const NameTest& test, std::string_view /*focus*/) const override
    {
        if (m_stacks->empty()) return std::nullopt;
        return Share{static_cast<double>(m_stacks->matched(test)) / static_cast<double>(m_stacks->total()), "all"};
    }

private:
    /// Made when first looked at: a window makes visuals of which it shows one.
    void prepare() const
    {
        std::call_once(m_once, [&] {
            Frames frames;
            m_stacks->each(frames, [&](std::span<const StackStep> steps, std::int64_t value) { add(frames, steps, value); });
            for (const auto& [ends, arc] : m_arcNumbers)
                m_arcs.push_back({static_cast<std::uint32_t>(ends >> 32), static_cast<std::uint32_t>(ends), arc.first});
            std::sort(m_arcs.begin(), m_arcs.end(), [&](const Arc& a, const Arc& b) {
                if (a.value != b.value) return a.value > b.value;
                return std::tie(m_functions[a.from].name, m_functions[a.to].name)
                    < std::tie(m_functions[b.from].name, m_functions[b.to].name);
            });
            m_arcNumbers.clear();
        });
    }
    /// A function has the number of its frame.
    void add(const Frames& frames, std::span<const StackStep> steps, std::int64_t value) const
    {
        ++m_stack;
        m_total += value;
        for (auto i = m_functions.size(); i < frames.size(); ++i)
            m_functions.push_back({frames[static_cast<std::uint32_t>(i)].name, 0, 0, 0, frames[static_cast<std::uint32_t>(i)].shade});
        m_seen.resize(m_functions.size(), 0);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto here = steps[i].frame;
            auto& f = m_functions[here];
            if (i == 0) f.begins += value;
            if (std::exchange(m_seen[here], m_stack) != m_stack) f.total += value;
            if (i + 1 == steps.size()) f.self += value;
            if (i == 0) continue;
            auto& arc = m_arcNumbers[std::uint64_t{steps[i - 1].frame} << 32 | here];
            if (std::exchange(arc.second, m_stack) != m_stack) arc.first += value;
        }
    }
    std::string titled(bool redact) const
    {
        if (!m_timed) return m_probes.empty() ? "Call graph" : "Who calls what up to " + printable(m_probes);
        return m_command.empty() || redact ? "Who calls what, and where the time goes"
                                           : "Who calls what in " + printable(shortCommand(m_command));
    }
    std::string quantity(std::int64_t value) const { return m_measure.quantity(value); }
    std::string share(std::int64_t value) const { return formatShare(static_cast<double>(value), static_cast<double>(m_total)); }
    std::vector<std::uint32_t> byTotal() const
    {
        std::vector<std::uint32_t> order(m_functions.size());
        for (std::uint32_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return m_functions[a].total != m_functions[b].total ? m_functions[a].total > m_functions[b].total
                                                                : m_functions[a].name < m_functions[b].name;
        });
        return order;
    }
    Part part(double times) const;
    Part fitting(const Part& whole, const Page& page) const;
    Part withShortChains(Part whole, std::size_t levels) const;
    Part withFewLeaves(Part whole) const;
    Part withoutOutermost(const Part& whole, const std::vector<Point>& centres, std::size_t levels) const;
    Part merged(const Part& whole, const std::vector<std::size_t>& into) const;
    Function shown(const Part& drawn, std::size_t node) const;
    std::string namesOf(const Part& drawn, std::size_t node) const;
    struct Laid {
        std::vector<NodeSize> sizes;
        std::vector<std::string> labels, facts;
        std::optional<Routed> at;
    };
    Laid laidOut(const Part& drawn) const;
    NodeSize sizeOf(const Function& f, std::string& label, std::string& facts) const;
    std::string subtitle(const Part& part) const;
    std::string inWords() const;

    Provenance m_provenance;
    std::string m_command, m_probes;
    bool m_timed = false;
    std::shared_ptr<const Stacks> m_stacks;
    StackMeasure m_measure;
    mutable std::once_flag m_once;
    mutable std::int64_t m_total = 0;
    mutable std::vector<Function> m_functions;
    mutable std::vector<Arc> m_arcs; ///< the weightiest first
    // While it is made.
    mutable std::unordered_map<std::uint64_t, std::pair<std::int64_t, std::uint64_t>> m_arcNumbers; ///< by both ends: value, last stack
    mutable std::vector<std::uint64_t> m_seen;
    mutable std::uint64_t m_stack = 0;
};

/// Functions and calls of at least the usual shares, `times` as much.
Part CallGraph::part(double times) const
{
    Part out;
    out.leastNode = kLeastNode * times;
    out.leastEdge = kLeastEdge * times;
    const auto least = out.leastNode * static_cast<double>(m_total), leastArc = out.leastEdge * static_cast<double>(m_total);
    std::vector<std::size_t> numbers(m_functions.size(), SIZE_MAX);
    for (const auto i : byTotal()) {
        if (static_cast<double>(m_functions[i].total) < least) {
            ++out.hiddenFunctions;
            continue;
        }
        numbers[i] = out.functions.size();
        out.functions.push_back(i);
    }
    for (const auto& arc : m_arcs) {
        const bool drawn = static_cast<double>(arc.value) >= leastArc && numbers[arc.from] != SIZE_MAX && numbers[arc.to] != SIZE_MAX;
        if (!drawn) {
            ++out.hiddenArcs;
            continue;
        }
        out.edges.emplace_back(numbers[arc.from], numbers[arc.to]);
        out.values.push_back(arc.value);
    }
    return out;
}
/// A chain of calls, each by one and of one function, that is longer than `levels` has its outermost as one node.
Part CallGraph::withShortChains(Part whole, std::size_t levels) const
{
    const std::size_t n = whole.functions.size(), none = n;
    std::vector<std::size_t> callers(n, 0), callees(n, 0), next(n, none), before(n, none);
    for (const auto& [from, to] : whole.edges) {
        if (from == to) continue;
        ++callees[from];
        ++callers[to];
        next[from] = to;
        before[to] = from;
    }
    const auto isLink = [&](std::size_t i) { return i != none && callers[i] == 1 && callees[i] == 1; };
    std::vector<std::size_t> into(n); // which node stands for it
    for (std::size_t i = 0; i < n; ++i)
        into[i] = i;
    whole.folded.assign(n, {});
    for (std::size_t i = 0; i < n; ++i) {
        if (!isLink(i) || isLink(before[i])) continue;
        std::vector<std::size_t> chain;
        for (std::size_t at = i; isLink(at) && chain.size() < n; at = next[at])
            chain.push_back(at);
        if (chain.size() + 2 <= levels) continue;
        chain.resize(std::min(chain.size(), chain.size() + 3 - std::min(levels, chain.size() + 1)));
        for (const auto link : chain) {
            into[link] = i;
            whole.folded[i].functions.push_back(whole.functions[link]);
        }
    }
    return merged(whole, into);
}
/// Functions that call none and are called by one function: of more than kMostLeaves there the smaller ones as one node.
Part CallGraph::withFewLeaves(Part whole) const
{
    const std::size_t n = whole.functions.size();
    std::vector<std::size_t> callers(n, 0), callees(n, 0), caller(n, 0), into(n);
    for (const auto& [from, to] : whole.edges) {
        if (from == to) continue;
        ++callees[from];
        ++callers[to];
        caller[to] = from;
    }
    whole.folded.resize(n);
    std::map<std::size_t, std::vector<std::size_t>> leaves; // by caller; functions come with the largest first
    for (std::size_t i = 0; i < n; ++i) {
        into[i] = i;
        if (callers[i] == 1 && callees[i] == 0 && whole.folded[i].functions.empty()) leaves[caller[i]].push_back(i);
    }
    for (const auto& [from, all] : leaves)
        for (std::size_t k = kMostLeaves; all.size() > kMostLeaves + 1 && k < all.size(); ++k) {
            into[all[k]] = all[kMostLeaves];
            auto& fold = whole.folded[all[kMostLeaves]];
            fold.isChain = false;
            fold.functions.push_back(whole.functions[all[k]]);
        }
    return merged(whole, into);
}
/// What lies outermost as one node, so that `levels` nodes are left.
Part CallGraph::withoutOutermost(const Part& whole, const std::vector<Point>& centres, std::size_t levels) const
{
    std::vector<std::size_t> order(whole.functions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return centres[x].y < centres[y].y; });
    auto into = order;
    std::iota(into.begin(), into.end(), std::size_t{0});
    Part folding = whole;
    folding.folded.resize(whole.functions.size());
    const auto first = order.front();
    std::vector<std::uint32_t> all;
    for (std::size_t k = 0; k + levels <= order.size(); ++k) {
        const auto i = order[k];
        into[i] = first;
        const auto& own = folding.folded[i].functions;
        if (own.empty())
            all.push_back(whole.functions[i]);
        else
            all.insert(all.end(), own.begin(), own.end());
    }
    folding.folded[first] = {std::move(all), true};
    return merged(folding, into);
}
/// Nodes that go `into` others are not there any more, and calls between the same two are one.
Part CallGraph::merged(const Part& whole, const std::vector<std::size_t>& into) const
{
    Part out = whole;
    out.functions.clear();
    out.folded.clear();
    out.edges.clear();
    out.values.clear();
    std::vector<std::size_t> place(into.size());
    for (std::size_t i = 0; i < into.size(); ++i)
        if (into[i] == i) {
            place[i] = out.functions.size();
            out.functions.push_back(whole.functions[i]);
            out.folded.push_back(whole.folded[i]);
        }
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
    for (std::size_t e = 0; e < whole.edges.size(); ++e) {
        const auto [from, to] = whole.edges[e];
        if (into[from] == into[to] && (from != to || whole.folded[into[from]].functions.size() > 1)) continue; // within what is one
        const std::pair edge(place[into[from]], place[into[to]]);
        const auto [at, isNew] = numbers.try_emplace(edge, out.edges.size());
        if (isNew) {
            out.edges.push_back(edge);
            out.values.push_back(whole.values[e]);
        } else { // a stack may have more than one of them
            const auto most = shown(whole, into[to]).total;
            out.values[at->second] = std::min(out.values[at->second] + whole.values[e], most);
        }
    }
    return out;
}
/// A function, or those that a node stands for as one.
Function CallGraph::shown(const Part& drawn, std::size_t node) const
{
    auto f = m_functions[drawn.functions[node]];
    if (node >= drawn.folded.size() || drawn.folded[node].functions.empty()) return f;
    const auto& [all, isChain] = drawn.folded[node];
    f.name = "\u2026 " + formatGrouped(static_cast<std::int64_t>(all.size())) + " functions";
    f.shade = Shade::Unknown;
    f.self = f.total = 0;
    for (const auto i : all) {
        f.self += m_functions[i].self;
        f.total = isChain ? std::max(f.total, m_functions[i].total) : std::min(f.total + m_functions[i].total, m_total);
    }
    return f;
}
std::string CallGraph::namesOf(const Part& drawn, std::size_t node) const
{
    if (node >= drawn.folded.size() || drawn.folded[node].functions.empty()) return m_functions[drawn.functions[node]].name;
    constexpr std::size_t kNamed = 20;
    const auto& [all, isChain] = drawn.folded[node];
    std::string names;
    for (std::size_t k = 0; k < std::min(all.size(), kNamed); ++k)
        names += (k == 0 ? "" : isChain ? " \u2192 " : ", ") + m_functions[all[k]].name;
    return all.size() <= kNamed ? names : names + ", \u2026 " + formatGrouped(static_cast<std::int64_t>(all.size() - kNamed)) + " more";
}
/// Of what is all in the same stacks as much as can be read: what calls it, from the outside in, as one node.
Part CallGraph::fitting(const Part& whole, const Page& page) const
{
    const auto levels = static_cast<std::size_t>((page.content().height / kLeastScale + 20) / (kNodeHeight + 20));
    auto drawn = withShortChains(whole, std::max(levels, kShortest));
    while (drawn.functions.size() > 2) {
        const auto laid = laidOut(drawn);
        if (!laid.at || RoutedDrawing(page, *laid.at, laid.sizes).scale() >= kLeastScale) break;
        drawn = withoutOutermost(drawn, laid.at->centres, std::clamp(levels, std::size_t{2}, drawn.functions.size() - 1));
    }
    return drawn;
}
CallGraph::Laid CallGraph::laidOut(const Part& drawn) const
{
    Laid laid;
    for (std::size_t i = 0; i < drawn.functions.size(); ++i)
        laid.sizes.push_back(sizeOf(shown(drawn, i), laid.labels.emplace_back(), laid.facts.emplace_back()));
    laid.at = routed(laid.sizes, drawn.edges, {18, drawn.isLeast ? 20.0 : 42.0}, false);
    return laid;
}
NodeSize CallGraph::sizeOf(const Function& f, std::string& label, std::string& facts) const
{
    label = frameLabel(f.name, kWidestName, kNameSize);
    if (label.empty()) label = elided(f.name, kWidestName, kNameSize, true, false, true);
    facts = share(f.total) + (f.self == f.total ? " itself" : f.self > 0 ? " \u00b7 itself " + share(f.self) : "");
    return {std::max(textWidth(label, kNameSize, false, true), textWidth(facts, kFactSize)) + 20, kNodeHeight};
}
std::string CallGraph::subtitle(const Part& part) const
{
    std::string text = m_measure.what + " \u00b7 " + m_measure.amount(m_total) + inShownInterval(m_provenance);
    const auto number = [](std::size_t n, std::string_view what) { return withNoun(formatGrouped(static_cast<std::int64_t>(n)), what); };
    text += " \u00b7 " + number(part.functions.size(), "functions");
    if (part.hiddenFunctions == 0 && part.hiddenArcs > 0)
        text += "; below " + formatFixed(100 * part.leastEdge, 1) + " % not drawn: " + number(part.hiddenArcs, "calls");
    else if (part.hiddenFunctions > 0)
        text += "; below " + formatFixed(100 * part.leastNode, 1) + " % not drawn: " + number(part.hiddenFunctions, "functions")
            + ", and below " + formatFixed(100 * part.leastEdge, 1) + " % or of these, " + number(part.hiddenArcs, "calls");
    return text;
}
std::string CallGraph::inWords() const
{
    std::string text = "Call graph. Most in all: ";
    const auto order = byTotal();
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
        text += (i ? ", " : "") + m_functions[order[i]].name + ' ' + share(m_functions[order[i]].total) + " (itself "
            + share(m_functions[order[i]].self) + ')';
    return text + '.';
}
std::optional<Digraph> CallGraph::digraph() const
{
    Digraph g;
    if (empty()) return g;
    prepare();
    const auto drawn = part(1);
    std::vector<NodeSize> sizes;
    for (const auto i : drawn.functions) {
        const auto& f = m_functions[i];
        std::string label, facts;
        sizes.push_back(sizeOf(f, label, facts));
        Digraph::Node node;
        node.name = 'p' + std::to_string(g.nodes.size() + 1);
        node.label = label + '\n' + facts;
        node.attributes = {{"self", std::to_string(f.self)}, {"total", std::to_string(f.total)}, {"tooltip", f.name}};
        g.nodes.push_back(std::move(node));
    }
    const bool small = sizes.size() <= kMostRouted && drawn.edges.size() <= kMostRoutes; // else dot has to do it
    const auto at = small ? routed(sizes, drawn.edges, {18, 42}, false) : std::nullopt;
    for (std::size_t i = 0; at && i < g.nodes.size(); ++i)
        placeAt(g.nodes[i], at->centres[i], sizes[i].width, sizes[i].height);
    for (std::size_t i = 0; i < drawn.edges.size(); ++i) {
        Digraph::Edge edge{drawn.edges[i].first, drawn.edges[i].second, {{"kind", "calls"}, {"value", std::to_string(drawn.values[i])}}};
        edge.attributes.emplace_back("label", share(drawn.values[i]));
        edge.attributes.emplace_back(
            "penwidth", formatFixed(1 + 4 * static_cast<double>(drawn.values[i]) / static_cast<double>(m_total), 2));
        if (at) routeAlong(edge, at->routes[i]);
        g.edges.push_back(std::move(edge));
    }
    return g;
}
Figure CallGraph::figure(const LayoutOptions& options) const
{
    const std::string head = options.redact && m_timed ? "Who calls what" : titled(options.redact);
    if (empty()) {
        Page page(options, head, m_measure.what, m_provenance);
        page.empty("No stacks yet", "The program records stacks when its probes fire: " + m_probes);
        return page.finish("Call graph without data.");
    }
    prepare();
    // Less and less of it, until what is drawn can be read: at each share as it is, then with chains of calls as one node each,
    // then with what else one function calls as one, too.
    const double area = options.width * options.height / (kLeastScale * kLeastScale);
    const double most
        = options.fit ? std::max(1.0, 0.7 * area / ((kWidestName + 18) * (kNodeHeight + 42))) : static_cast<double>(kMostRouted);
    const auto isTooMuch = [&](const Part& p) {
        return static_cast<double>(p.functions.size()) > most || p.functions.size() > kMostRouted || p.edges.size() > kMostRoutes;
    };
    constexpr int kFolds = 2;
    Part whole = part(1);
    for (double times = 1;;) {
        const auto next = [&] {
            times *= kStepUp;
            auto less = part(times);
            // What is in half of all stacks or more is in the same ones: a line of callers, which can be made shorter.
            if (less.functions.empty() || (less.functions.size() == 1 && whole.leastNode > 0.5))
                whole.isLeast = true;
            else
                whole = std::move(less);
        };
        auto drawn = whole;
        int folds = 0;
        const auto foldMore = [&] { drawn = folds++ == 0 ? withShortChains(drawn, kShortest) : withFewLeaves(drawn); };
        while (!whole.isLeast && folds < kFolds && isTooMuch(drawn))
            foldMore();
        if (!whole.isLeast && isTooMuch(drawn) && drawn.functions.size() > 1) {
            next();
            continue;
        }
        const auto legend = frameLegend([&](Shade shade) {
            return std::any_of(whole.functions.begin(), whole.functions.end(), [&](auto i) { return m_functions[i].shade == shade; });
        });
        Page page(options, head, subtitle(whole), m_provenance, legend);
        if (whole.isLeast) drawn = options.fit ? fitting(whole, page) : whole;
        auto laid = laidOut(drawn);
        const auto isReadable = [&] {
            return !options.fit || whole.isLeast || drawn.functions.size() <= 1 || !laid.at
                || RoutedDrawing(page, *laid.at, laid.sizes).scale() >= kLeastScale;
        };
        while (!isReadable() && folds < kFolds) {
            foldMore();
            laid = laidOut(drawn);
        }
        if (!isReadable()) {
            next();
            continue;
        }
        if (drawn.functions.empty()) {
            page.empty("A page of this size is too small for a call graph",
                "In the most stacks: " + m_functions[byTotal().front()].name + ". A larger --size has room for who calls whom.");
            return page.finish(inWords());
        }
        if (!laid.at) {
            page.empty("Graphviz could not lay out the calls", "The same stacks are there as a flame graph.");
            return page.finish(inWords());
        }
        RoutedDrawing drawing(page, *laid.at, laid.sizes);
        for (std::size_t i = drawn.edges.size(); i-- > 0;) {
            const auto from = shown(drawn, drawn.edges[i].first), to = shown(drawn, drawn.edges[i].second);
            RoutedDrawing::Look look;
            look.label = share(drawn.values[i]);
            look.tip = from.name + " \u2192 " + to.name + '\n' + quantity(drawn.values[i]) + ", " + look.label;
            look.width = (1 + 5 * static_cast<double>(drawn.values[i]) / static_cast<double>(m_total)) * std::min(drawing.scale(), 1.0);
            look.value = std::to_string(drawn.values[i]);
            drawing.drawEdge(page, i, look);
        }
        drawing.drawLabels(page);
        const double s = drawing.scale();
        for (std::size_t i = 0; i < drawn.functions.size(); ++i) {
            const auto f = shown(drawn, i);
            const Box box = drawing.box(i);
            const double level = std::sqrt(static_cast<double>(f.self) / static_cast<double>(m_total));
            Item& node = page.box(Role::Node, box);
            node.level = level;
            node.key = m_functions[drawn.functions[i]].name;
            node.tip = namesOf(drawn, i) + "\nin all " + quantity(f.total) + ", " + share(f.total) + "\nby itself " + quantity(f.self)
                + ", " + share(f.self);
            node.data = {{"total", std::to_string(f.total)}, {"self", std::to_string(f.self)}};
            // What kind of code it is, as in the flame graph.
            page.box(Role::Frame, {box.x, box.y, 5 * s, box.height, 0}, f.shade);
            page.text(Role::Node, {box.x + box.width / 2 + 2 * s, box.y + 19 * s}, laid.labels[i],
                    {.size = kNameSize * s, .mono = true, .anchor = Anchor::Middle, .maxWidth = box.width - 8 * s})
                .level
                = level;
            page.text(Role::Node, {box.x + box.width / 2 + 2 * s, box.y + 35 * s}, laid.facts[i],
                    {.size = kFactSize * s, .anchor = Anchor::Middle, .maxWidth = box.width - 8 * s})
                .level
                = level;
        }
        return page.finish(inWords(), drawing.lowest());
    }
}
} // namespace

Kind kind_call_graph()
{
    return {kFacts, rank::kStacks + 5, hasStacks,
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<CallGraph>(store); }};
}
} // namespace dscope::graph
