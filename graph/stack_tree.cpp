#include "graph/stack_tree.h"
#include "engine/record/folded.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::size_t kMostNodes = std::size_t{1} << 28;
}
std::string StackTree::path(std::size_t node) const
{
    std::vector<std::uint32_t> chain;
    for (std::size_t at = node; at != 0; at = nodes[at].parent)
        chain.push_back(static_cast<std::uint32_t>(at));
    std::string out;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at)
        record::appendFrame(out, frameOf(*at).name);
    return out;
}
void StackTree::countEnds()
{
    ends.clear();
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % kEndsEvery == 0) ends.push_back(count);
        if (i > 0 && endsIn(i)) ++count;
    }
}
std::size_t StackTree::endsBefore(std::size_t node) const
{
    const auto block = node / kEndsEvery;
    const bool isCounted = block < ends.size();
    std::size_t count = isCounted ? ends[block] : 0;
    for (auto i = std::max<std::size_t>(isCounted ? block * kEndsEvery : 0, 1); i < node; ++i)
        if (endsIn(i)) ++count;
    return count;
}
std::size_t StackTree::find(std::span<const std::string_view> path) const
{
    std::size_t at = 0;
    for (const auto word : path) {
        std::size_t spelled = 0, shown = 0;
        for (std::size_t child = at + 1; child < at + nodes[at].size && spelled == 0; child += nodes[child].size) {
            if (frameOf(child).name == word) spelled = child;
            if (shown == 0 && nameOf(child) == word) shown = child;
        }
        at = spelled != 0 ? spelled : shown;
        if (at == 0) return 0;
    }
    return at;
}

StackTreeBuilder::StackTreeBuilder(const Frames& frames, std::size_t deepest) : m_frames(frames), m_deepest(deepest)
{
    m_nodes.push_back({0, 0, Shade::Unknown, 0});
}
std::uint32_t StackTreeBuilder::add(std::span<const StackStep> steps, std::int64_t value, std::int64_t before)
{
    if (steps.size() > m_deepest) {
        m_cut += value;
        steps = steps.first(m_deepest);
    }
    std::uint32_t at = 0;
    for (const auto& step : steps) {
        if (m_nodes.size() >= kMostNodes) break; // the tree is full: the value is counted at the last node of the path
        // 28 bits of node, 32 of name, 4 of shade.
        const std::uint64_t key = std::uint64_t{at} << 36 | std::uint64_t{step.frame} << 4 | static_cast<std::uint64_t>(step.shade);
        const auto [child, isNewChild] = m_children.try_emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNewChild) m_nodes.push_back({step.frame, at, step.shade, 0});
        at = child->second;
        m_nodes[at].times = std::max(m_nodes[at].times, step.times);
    }
    m_nodes[at].self += value;
    m_nodes[at].before += before;
    return at;
}
StackTree StackTreeBuilder::build() const { return ordered().tree; }
StackTreeBuilder::Order StackTreeBuilder::ordered() const
{
    Order order;
    order.indices.resize(m_nodes.size());
    auto& tree = order.tree;
    tree.cutAtDepth = m_cut;
    for (std::uint32_t i = 0; i < m_frames.size(); ++i)
        tree.frames.push_back(m_frames[i]);
    tree.frames.push_back({std::string(kAllStacks)});
    std::vector<std::vector<std::uint32_t>> children(m_nodes.size());
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i)
        children[m_nodes[i].parent].push_back(i);
    for (auto& c : children)
        std::sort(c.begin(), c.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto byName = m_frames[m_nodes[a].name].name.compare(m_frames[m_nodes[b].name].name);
            return byName != 0 ? byName < 0 : m_nodes[a].shade < m_nodes[b].shade;
        });
    struct Pending {
        std::uint32_t from, parent, depth;
    };

    std::vector<Pending> pending{{0, 0, 0}};
    tree.nodes.reserve(m_nodes.size());
    while (!pending.empty()) {
        const auto [from, parent, depth] = pending.back();
        pending.pop_back();
        const auto here = static_cast<std::uint32_t>(tree.nodes.size());
        const auto& grown = m_nodes[from];
        order.indices[from] = here;
        tree.nodes.push_back({grown.name, parent, depth, 1, grown.self, grown.self, grown.before, grown.before, grown.shade});
        tree.nodes.back().times = grown.times;
        if (here != 0) tree.add(grown.shade);
        tree.depth = std::max(tree.depth, depth + 1);
        for (auto c = children[from].rbegin(); c != children[from].rend(); ++c)
            pending.push_back({*c, here, depth + 1});
    }

    tree.nodes.front().name = m_frames.size();
    for (std::size_t i = tree.nodes.size(); i-- > 1;) {
        tree.nodes[tree.nodes[i].parent].total += tree.nodes[i].total;
        tree.nodes[tree.nodes[i].parent].before += tree.nodes[i].before;
        tree.nodes[tree.nodes[i].parent].size += tree.nodes[i].size;
    }
    tree.countEnds();
    return order;
}
} // namespace dscope::graph
