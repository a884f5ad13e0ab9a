#include "graph/dot_places.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/layouts/routed_drawing.h"
#include "graph/models/flame.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>
#include <unordered_map>
namespace dscope::graph {
namespace {
using record::Aggregator;
/// Below which share of all a function or a call is not drawn: gprof2dot's.
constexpr double kLeastNode = 0.005, kLeastEdge = 0.001;
constexpr double kNodeHeight = 44, kWidestName = 230, kNameSize = 13, kFactSize = 11;
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
    std::vector<std::vector<std::uint32_t>> folded = {}; ///< of a node that stands for a chain: its functions; else none
    bool isLeast = false;                                ///< less cannot be drawn: a higher threshold leaves nothing
};

/// Stacks as a directed graph: every function once, with what it took by itself and in all.
class CallGraph final : public Visual {
public:
    explicit CallGraph(const Store& store)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_noun(countedNoun(store.program())),
          m_probes(probesText(store.program())), m_timed(probesStartWith(store.program(), "profile")), m_flame(makeStacks(store, false))
    {
        const auto& all = store.program().aggregations;
        const auto first = std::find_if(all.begin(), all.end(), sumsUpStacks);
        if (first != all.end()) {
            m_isCount = first->function == Aggregator::Count;
            m_measure = measureOf(*first, store.program());
            m_what = describe(*first);
        } else if (store.folded()) {
            m_noun = store.folded()->noun;
            m_what = std::string(baseName(m_provenance.name));
        }
        if (first == all.end()) m_folded = store.folded();
        if (m_folded) return;
        for (const auto& [id, frames] : store.stacks())
            for (const auto& frame : frames)
                m_shades.try_emplace(frameName(frame), shadeOf(frame.kind));
    }
    std::string_view name() const override { return "call-graph"; }
    std::string title() const override { return titled(false); }
    bool empty() const override { return m_flame->empty(); }
    bool hasDigraph() const override { return true; }
    std::optional<Digraph> digraph() const override;
    /// A call a row; without a caller: how much begins there; without a callee: how much it took by itself.
    Table table() const override
    {
        prepare();
        Table t;
        t.columns
            = {{Unit::None, "caller", false}, {Unit::None, "callee", false}, {m_isCount ? Unit::Count : m_measure.unit, "value", true}};
        for (const auto i : byTotal())
            if (m_functions[i].begins > 0) t.rows.push_back({"", m_functions[i].name, std::to_string(m_functions[i].begins)});
        for (const auto& a : m_arcs)
            t.rows.push_back({m_functions[a.from].name, m_functions[a.to].name, std::to_string(a.value)});
        for (const auto i : byTotal())
            if (m_functions[i].self > 0) t.rows.push_back({m_functions[i].name, "", std::to_string(m_functions[i].self)});
        return t;
    }
    Figure figure(const LayoutOptions& options) const override;

private:
    /// Made when first looked at: a window makes visuals of which it shows one.
    void prepare() const
    {
        std::call_once(m_once, [&] {
            if (m_folded) {
                for (const auto& line : m_folded->lines)
                    add(line.stack, line.value);
            } else {
                const auto stacks = m_flame->folded();
                for (const auto& line : stacks->lines)
                    add(line.stack, line.value);
            }
            for (auto& f : m_functions)
                if (const auto at = m_shades.find(f.name); at != m_shades.end())
                    f.shade = at->second;
                else if (m_folded)
                    f.shade = shadeOfName(f.name);
            for (const auto& [ends, arc] : m_arcNumbers)
                m_arcs.push_back({static_cast<std::uint32_t>(ends >> 32), static_cast<std::uint32_t>(ends), arc.first});
            std::sort(m_arcs.begin(), m_arcs.end(), [&](const Arc& a, const Arc& b) {
                if (a.value != b.value) return a.value > b.value;
                return std::tie(m_functions[a.from].name, m_functions[a.to].name)
                    < std::tie(m_functions[b.from].name, m_functions[b.to].name);
            });
            m_numbers.clear();
            m_arcNumbers.clear();
        });
    }
    void add(std::string_view stack, std::int64_t value) const
    {
        ++m_stack;
        m_total += value;
        std::uint32_t before = 0;
        bool first = true;
        for (std::size_t at = 0; at <= stack.size();) {
            const auto end = std::min(stack.find(';', at), stack.size());
            const auto name = stack.substr(at, end - at);
            auto known = m_numbers.find(name);
            if (known == m_numbers.end()) {
                known = m_numbers.emplace(std::string(name), static_cast<std::uint32_t>(m_functions.size())).first;
                m_functions.push_back({std::string(name), 0, 0, 0, Shade::Unknown});
                m_seen.push_back(0);
            }
            const auto here = known->second;
            auto& f = m_functions[here];
            if (first) f.begins += value;
            if (m_seen[here] != m_stack) f.total += value;
            m_seen[here] = m_stack;
            if (end == stack.size()) f.self += value;
            if (!first) {
                auto& arc = m_arcNumbers[std::uint64_t{before} << 32 | here];
                if (arc.second != m_stack) arc.first += value;
                arc.second = m_stack;
            }
            before = here;
            first = false;
            at = end + 1;
        }
    }
    std::string titled(bool redact) const
    {
        if (!m_timed) return m_probes.empty() ? "Call graph" : "Who calls what up to " + printable(m_probes);
        return m_command.empty() || redact ? "Who calls what, and where the time goes"
                                           : "Who calls what in " + printable(shortCommand(m_command));
    }
    std::string quantity(std::int64_t value) const
    {
        if (!m_isCount && m_measure.unit != Unit::None) return m_measure.format(static_cast<double>(value));
        return formatGrouped(value);
    }
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
    Part partWithin(double times, double most) const;
    static Part withShortChains(Part whole, std::size_t levels);
    std::string namesOf(const std::vector<std::uint32_t>& chain) const;
    NodeSize sizeOf(const Function& f, std::string& label, std::string& facts) const;
    std::string subtitle(const Part& part) const;
    std::string inWords() const;

    Provenance m_provenance;
    std::string m_command, m_noun, m_probes, m_what;
    bool m_timed = false, m_isCount = true;
    Measure m_measure;
    std::unique_ptr<Visual> m_flame; ///< of the same stacks
    std::shared_ptr<const record::FoldedStacks> m_folded;
    std::unordered_map<std::string, Shade> m_shades; ///< by name
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
    };
    mutable std::once_flag m_once;
    mutable std::int64_t m_total = 0;
    mutable std::vector<Function> m_functions;
    mutable std::vector<Arc> m_arcs; ///< the weightiest first
    // While it is made.
    mutable std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_numbers;
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
/// The first such part, with growing shares, of at most `most` functions and what Graphviz can route.
Part CallGraph::partWithin(double times, double most) const
{
    for (;; times *= kStepUp) {
        auto out = part(times);
        const bool small
            = static_cast<double>(out.functions.size()) <= most && out.functions.size() <= kMostRouted && out.edges.size() <= kMostRoutes;
        if (out.functions.empty() && times > 1) { // what is left is all in the same stacks
            out = part(times / kStepUp);
            out.isLeast = true;
            return out;
        }
        if (small || out.functions.size() <= 1) return out;
    }
}
/// A chain of calls, each by one and of one function, that is longer than `levels` has its outermost as one node.
Part CallGraph::withShortChains(Part whole, std::size_t levels)
{
    const std::size_t n = whole.functions.size(), none = n;
    std::vector<std::size_t> callers(n, 0), callees(n, 0), next(n, none), before(n, none);
    for (const auto& [from, to] : whole.edges) {
        ++callees[from];
        ++callers[to];
        next[from] = to;
        before[to] = from;
    }
    const auto isLink = [&](std::size_t i) { return i != none && callers[i] == 1 && callees[i] == 1 && next[i] != i; };
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
            whole.folded[i].push_back(whole.functions[link]);
        }
    }
    Part out = whole;
    out.functions.clear();
    out.folded.clear();
    out.edges.clear();
    out.values.clear();
    std::vector<std::size_t> place(n, none);
    for (std::size_t i = 0; i < n; ++i)
        if (into[i] == i) {
            place[i] = out.functions.size();
            out.functions.push_back(whole.functions[i]);
            out.folded.push_back(whole.folded[i]);
        }
    for (std::size_t e = 0; e < whole.edges.size(); ++e) {
        const auto from = into[whole.edges[e].first], to = into[whole.edges[e].second];
        if (from == to && whole.edges[e].first != whole.edges[e].second) continue; // within a chain
        out.edges.emplace_back(place[from], place[to]);
        out.values.push_back(whole.values[e]);
    }
    return out;
}
std::string CallGraph::namesOf(const std::vector<std::uint32_t>& chain) const
{
    std::string names;
    for (const auto i : chain)
        names += (names.empty() ? "" : " \u2192 ") + m_functions[i].name;
    return names;
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
    std::string text
        = m_what + " \u00b7 " + (m_isCount ? withNoun(quantity(m_total), m_noun) : quantity(m_total)) + inShownInterval(m_provenance);
    const auto number = [](std::size_t n, std::string_view what) { return withNoun(formatGrouped(static_cast<std::int64_t>(n)), what); };
    text += " \u00b7 " + number(part.functions.size(), "functions");
    if (part.hiddenFunctions + part.hiddenArcs > 0)
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
        Page page(options, head, m_what, m_provenance);
        page.empty("No stacks yet", "The program records stacks when its probes fire: " + m_probes);
        return page.finish("Call graph without data.");
    }
    prepare();
    // Less and less of it, until what is drawn can be read.
    const double area = options.width * options.height / (kLeastScale * kLeastScale);
    const double most
        = options.fit ? std::max(1.0, 0.7 * area / ((kWidestName + 18) * (kNodeHeight + 42))) : static_cast<double>(kMostRouted);
    for (double times = 1;; times *= kStepUp) {
        auto drawn = partWithin(times, most);
        times = drawn.leastNode / kLeastNode;
        const auto legend = frameLegend([&](Shade shade) {
            return std::any_of(drawn.functions.begin(), drawn.functions.end(), [&](auto i) { return m_functions[i].shade == shade; });
        });
        Page page(options, head, subtitle(drawn), m_provenance, legend);
        if (drawn.isLeast) {
            const double levels = (page.content().height / kLeastScale + 20) / (kNodeHeight + 20);
            drawn = withShortChains(std::move(drawn), static_cast<std::size_t>(std::max(levels, 3.0)));
        }
        const auto chainOf = [&](std::size_t i) { return i < drawn.folded.size() ? drawn.folded[i] : std::vector<std::uint32_t>(); };
        std::vector<NodeSize> sizes;
        std::vector<std::string> labels, facts;
        for (std::size_t i = 0; i < drawn.functions.size(); ++i) {
            auto shape = m_functions[drawn.functions[i]];
            if (const auto chain = chainOf(i); !chain.empty())
                shape = {
                    "\u2026 " + formatGrouped(static_cast<std::int64_t>(chain.size())) + " functions", 0, shape.total, 0, Shade::Unknown};
            sizes.push_back(sizeOf(shape, labels.emplace_back(), facts.emplace_back()));
        }
        if (drawn.functions.empty()) {
            page.empty("A page of this size is too small for a call graph",
                "In the most stacks: " + m_functions[byTotal().front()].name + ". A larger --size has room for who calls whom.");
            return page.finish(inWords());
        }
        const auto at = routed(sizes, drawn.edges, {18, drawn.isLeast ? 20.0 : 42.0}, false);
        if (!at) {
            page.empty("Graphviz could not lay out the calls", "The same stacks are there as a flame graph.");
            return page.finish(inWords());
        }
        RoutedDrawing drawing(page, *at, sizes);
        if (options.fit && drawing.scale() < kLeastScale && drawn.functions.size() > 1 && !drawn.isLeast) continue;
        for (std::size_t i = drawn.edges.size(); i-- > 0;) {
            const auto &from = m_functions[drawn.functions[drawn.edges[i].first]],
                       &to = m_functions[drawn.functions[drawn.edges[i].second]];
            RoutedDrawing::Look look;
            look.label = share(drawn.values[i]);
            look.tip = from.name + " \u2192 " + to.name + '\n' + quantity(drawn.values[i]) + ", " + look.label;
            look.width = (1 + 5 * static_cast<double>(drawn.values[i]) / static_cast<double>(m_total)) * std::min(drawing.scale(), 1.0);
            look.value = std::to_string(drawn.values[i]);
            drawing.drawEdge(page, i, look);
        }
        const double s = drawing.scale();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto& f = m_functions[drawn.functions[i]];
            const Box box = drawing.box(i);
            const double level = std::sqrt(static_cast<double>(f.self) / static_cast<double>(m_total));
            Item& node = page.box(Role::Node, box);
            node.level = level;
            node.key = f.name;
            const auto chain = chainOf(i);
            node.tip = (chain.empty() ? f.name : namesOf(chain)) + "\nin all " + quantity(f.total) + ", " + share(f.total) + "\nby itself "
                + quantity(f.self) + ", " + share(f.self);
            node.data = {{"total", std::to_string(f.total)}, {"self", std::to_string(f.self)}};
            // What kind of code it is, as in the flame graph.
            page.box(Role::Frame, {box.x, box.y, 5 * s, box.height, 0}, chain.empty() ? f.shade : Shade::Unknown);
            page.text(Role::Node, {box.x + box.width / 2 + 2 * s, box.y + 19 * s}, labels[i],
                    {.size = kNameSize * s, .mono = true, .anchor = Anchor::Middle, .maxWidth = box.width - 8 * s})
                .level
                = level;
            page.text(Role::Node, {box.x + box.width / 2 + 2 * s, box.y + 35 * s}, facts[i],
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
    return {"call-graph", "stacks as a graph: who calls what, and what takes how much", 15, hasStacks,
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<CallGraph>(store); }};
}
} // namespace dscope::graph
