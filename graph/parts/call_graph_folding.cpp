#include "graph/parts/call_graph_folding.h"
#include "graph/frame_label.h"
#include "graph/parts/call_graph_layout.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
#include <numeric>
namespace dscope::graph {
namespace {
/// Of what is drawn as one node; the name is that of the first.
CalledFunction amountsOf(const CallGraphData& graph, const CallPart& drawn, std::size_t node)
{
    auto f = graph.functions[drawn.functions[node]];
    if (node >= drawn.folded.size() || drawn.folded[node].functions.empty()) return f;
    const auto& [all, isChain] = drawn.folded[node];
    f.isFolded = true;
    f.shade = Shade::Unknown;
    f.self = f.total = f.selfBefore = f.totalBefore = 0;
    for (const auto i : all) {
        const auto& one = graph.functions[i];
        f.self += one.self;
        f.selfBefore += one.selfBefore;
        f.total = isChain ? std::max(f.total, one.total) : std::min(f.total + one.total, graph.total);
        f.totalBefore = isChain ? std::max(f.totalBefore, one.totalBefore) : std::min(f.totalBefore + one.totalBefore, graph.totalBefore);
    }
    return f;
}
constexpr std::size_t kMostLeaves = 3;

/// Nodes that go `into` others are not there any more, and calls between the same two are one.
CallPart merged(const CallGraphData& graph, const CallPart& whole, const std::vector<std::size_t>& into)
{
    CallPart out = whole;
    out.functions.clear();
    out.folded.clear();
    out.edges.clear();
    out.values.clear();
    out.before.clear();
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
            out.before.push_back(whole.before[e]);
        } else { // a stack may have more than one of them
            const auto callee = amountsOf(graph, whole, into[to]);
            out.values[at->second] = std::min(out.values[at->second] + whole.values[e], callee.total);
            out.before[at->second] = std::min(out.before[at->second] + whole.before[e], callee.totalBefore);
        }
    }
    return out;
}
} // namespace

CallPart withShortChains(const CallGraphData& graph, CallPart whole, std::size_t levels)
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
    return merged(graph, whole, into);
}

CallPart withFewLeaves(const CallGraphData& graph, CallPart whole)
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
    return merged(graph, whole, into);
}

CallPart withShortRoots(const CallGraphData& graph, CallPart whole)
{
    const std::size_t n = whole.functions.size();
    std::vector<std::size_t> callers(n, 0), callees(n, 0), next(n, n), into(n);
    std::iota(into.begin(), into.end(), std::size_t{0});
    for (const auto& [from, to] : whole.edges) {
        if (from == to) continue;
        ++callees[from];
        ++callers[to];
        next[from] = to;
    }

    whole.folded.resize(n);
    for (std::size_t root = 0; root < n; ++root) {
        if (callers[root] != 0 || callees[root] != 1) continue;
        std::vector<std::size_t> chain{root};
        for (auto at = next[root]; callers[at] == 1 && callees[at] == 1 && chain.size() < n; at = next[at])
            chain.push_back(at);
        if (chain.size() < 2) continue;
        std::vector<std::uint32_t> all;
        for (const auto link : chain) {
            into[link] = root;
            const auto& own = whole.folded[link].functions;
            if (own.empty())
                all.push_back(whole.functions[link]);
            else
                all.insert(all.end(), own.begin(), own.end());
        }
        whole.folded[root] = {std::move(all), true};
    }
    return merged(graph, whole, into);
}

CallPart withoutOutermost(const CallGraphData& graph, const CallPart& whole, const std::vector<Point>& centres, std::size_t levels)
{
    std::vector<std::size_t> order(whole.functions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return centres[x].y < centres[y].y; });
    auto into = order;
    std::iota(into.begin(), into.end(), std::size_t{0});
    CallPart folding = whole;
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
    return merged(graph, folding, into);
}

namespace {
/// A chain by its ends, "main \u2192 3 more \u2192 run"; others by the largest of them, "parse, 3 more".
std::string nameOfFolded(const CallGraphData& graph, const std::vector<std::uint32_t>& all, bool isChain)
{
    const double widest = isChain ? 100 : 140; // px: two of them, or one, and a number have room in a node
    const auto named = [&](std::uint32_t i) {
        const auto& name = graph.functions[i].name;
        const auto label = frameLabel(name, widest, CallLabel::kNameSize);
        return label.empty() ? elided(name, widest, CallLabel::kNameSize, Elide::Middle, {.mono = true}) : label;
    };
    const auto more = [](std::size_t count) { return said("%1 more", formatGrouped(static_cast<std::int64_t>(count))); };
    const std::string arrow = " \u2192 ";
    if (isChain) return named(all.front()) + arrow + (all.size() > 2 ? more(all.size() - 2) + arrow : "") + named(all.back());
    const auto largest
        = std::max_element(all.begin(), all.end(), [&](auto a, auto b) { return graph.functions[a].total < graph.functions[b].total; });
    return named(*largest) + ", " + more(all.size() - 1);
}
} // namespace

CalledFunction shownFunction(const CallGraphData& graph, const CallPart& drawn, std::size_t node)
{
    auto f = amountsOf(graph, drawn, node);
    if (!f.isFolded) return f;
    const auto& [all, isChain] = drawn.folded[node];
    f.name = nameOfFolded(graph, all, isChain);
    return f;
}

std::string namesOf(const CallGraphData& graph, const CallPart& drawn, std::size_t node)
{
    if (node >= drawn.folded.size() || drawn.folded[node].functions.empty()) return graph.functions[drawn.functions[node]].name;
    constexpr std::size_t kNamed = 20;
    const auto& [all, isChain] = drawn.folded[node];
    std::string names;
    for (std::size_t k = 0; k < std::min(all.size(), kNamed); ++k)
        names += (k == 0 ? "" : isChain ? " \u2192 " : ", ") + graph.functions[all[k]].name;
    return all.size() <= kNamed ? names
                                : names + ", " + said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(all.size() - kNamed)));
}
} // namespace dscope::graph
