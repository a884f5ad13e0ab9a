#include "graph/parts/call_graph_data.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>
namespace dscope::graph {
namespace {
/// Adds up stacks. A function has the number of its frame.
class Counting {
public:
    explicit Counting(CallGraphData& graph) : m_graph(graph) { }
    void add(const Frames& frames, std::span<const StackStep> steps, std::int64_t value, std::int64_t before);
    /// Once all are added.
    void takeArcs();

private:
    CallGraphData& m_graph;
    struct Calls {
        std::int64_t value = 0, before = 0;
        std::uint64_t lastStack = 0;
    };
    std::unordered_map<std::uint64_t, Calls> m_arcs; ///< by both ends
    std::vector<std::uint64_t> m_seen;               ///< by function: the last stack that it was in
    std::uint64_t m_stack = 0;
};

void Counting::add(const Frames& frames, std::span<const StackStep> steps, std::int64_t value, std::int64_t before)
{
    auto& functions = m_graph.functions;
    ++m_stack;
    m_graph.total += value;
    m_graph.totalBefore += before;
    for (auto i = static_cast<std::uint32_t>(functions.size()); i < frames.size(); ++i)
        functions.push_back({frames[i].name, 0, 0, 0, frames[i].shade});
    m_seen.resize(functions.size(), 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto here = steps[i].frame;
        auto& f = functions[here];
        if (i == 0) f.begins += value;
        if (std::exchange(m_seen[here], m_stack) != m_stack) {
            f.total += value;
            f.totalBefore += before;
        }
        if (i + 1 == steps.size()) {
            f.self += value;
            f.selfBefore += before;
        }
        if (i == 0) continue;
        auto& arc = m_arcs[std::uint64_t{steps[i - 1].frame} << 32 | here];
        if (std::exchange(arc.lastStack, m_stack) == m_stack) continue;
        arc.value += value;
        arc.before += before;
    }
}

void Counting::takeArcs()
{
    for (const auto& [ends, arc] : m_arcs)
        m_graph.arcs.push_back({static_cast<std::uint32_t>(ends >> 32), static_cast<std::uint32_t>(ends), arc.value, arc.before});
    const auto names = [&](const CallArc& arc) { return std::tie(m_graph.functions[arc.from].name, m_graph.functions[arc.to].name); };
    std::sort(m_graph.arcs.begin(), m_graph.arcs.end(),
        [&](const CallArc& a, const CallArc& b) { return a.value != b.value ? a.value > b.value : names(a) < names(b); });
}
} // namespace

CallGraphData callGraphOf(const Stacks& stacks)
{
    CallGraphData graph;
    Counting counting(graph);
    Frames frames;
    stacks.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) { counting.add(frames, steps, value, 0); });
    counting.takeArcs();
    return graph;
}

CallGraphData callGraphOf(const Stacks& before, const Stacks& after, RunScatter scatter)
{
    CallGraphData graph;
    Counting counting(graph);
    Frames frames;
    after.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) { counting.add(frames, steps, value, 0); });
    before.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) { counting.add(frames, steps, value, value); });
    counting.takeArcs();
    graph.compares = true;
    graph.scatter = std::move(scatter);
    graph.isCount = after.measure().isCount;
    graph.deviations = deviationsAmong(graph.functions.size());
    return graph;
}

std::string CallGraphData::noise() const
{
    return Noise(isCount ? Noise::Of::Counts : Noise::Of::PartsOfAWhole, deviations, &scatter).text();
}

Change CallGraphData::change(const std::string& function, std::int64_t both, std::int64_t before) const
{
    const auto was = static_cast<double>(before), is = static_cast<double>(both - before);
    const double variance = scatter.variance(function, was, is);
    if (isCount) return countChange(was, is, 1, deviations, variance);
    return valueChange(was, is, 1, static_cast<double>(std::max(totalBefore, total - totalBefore)), deviations * std::sqrt(variance));
}

std::vector<std::uint32_t> CallGraphData::byTotal() const
{
    std::vector<std::uint32_t> order(functions.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return functions[a].total != functions[b].total ? functions[a].total > functions[b].total : functions[a].name < functions[b].name;
    });
    return order;
}

CallPart CallGraphData::part(double times) const
{
    CallPart out;
    out.leastNode = CallPart::kLeastNode * times;
    out.leastEdge = CallPart::kLeastEdge * times;
    const auto least = out.leastNode * static_cast<double>(total), leastArc = out.leastEdge * static_cast<double>(total);
    std::vector<std::size_t> numbers(functions.size(), SIZE_MAX);
    for (const auto i : byTotal()) {
        if (static_cast<double>(functions[i].total) < least) {
            ++out.hiddenFunctions;
            continue;
        }
        numbers[i] = out.functions.size();
        out.functions.push_back(i);
    }

    for (const auto& arc : arcs) {
        const bool drawn = static_cast<double>(arc.value) >= leastArc && numbers[arc.from] != SIZE_MAX && numbers[arc.to] != SIZE_MAX;
        if (!drawn) {
            ++out.hiddenArcs;
            continue;
        }
        out.edges.emplace_back(numbers[arc.from], numbers[arc.to]);
        out.values.push_back(arc.value);
        out.before.push_back(arc.before);
    }
    return out;
}
} // namespace dscope::graph
