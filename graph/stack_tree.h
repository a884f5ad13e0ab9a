#pragma once
#include "graph/stack_frames.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::graph {
/// One frame of one merged path: what a flame graph, a call graph and folded text are made of.
struct StackNode {
    std::uint32_t name = 0;            ///< index into StackTree::frames
    std::uint32_t parent = 0;          ///< index of the caller; the root is its own
    std::uint32_t depth = 0, size = 1; ///< size: nodes of the subtree, this one included
    std::int64_t self = 0, total = 0;
    std::int64_t selfBefore = 0, before = 0; ///< the same of the run that this one is compared with
    Shade shade = Shade::Unknown;
    std::uint32_t frames = 1; ///< more: neighbours that nobody looked into, as one
    std::uint32_t line = 0;   ///< index into StackTree::lines: the line with the most of its total; 0: not known
    std::uint32_t lines = 0;  ///< how many it has
    std::uint32_t times = 1;  ///< the most StackStep::times of its steps
};
/// Stacks merged from the root, in preorder, callees by name: nodes[0] is the root of all. A frame of the same name but
/// another kind (a program and a library) is another node.
struct StackTree {
    std::vector<StackFrame> frames;
    std::vector<StackNode> nodes;
    std::vector<SourceLine> lines; ///< none, or an empty one and those of the nodes
    std::uint32_t depth = 0;       ///< levels, the root included
    std::uint32_t shades = 0;      ///< a bit for each Shade that a node but the root has
    std::int64_t cutAtDepth = 0;   ///< of the whole: what belongs to stacks with more levels than are kept
    const StackFrame& frameOf(std::size_t node) const { return frames[nodes[node].name]; }
    std::string_view nameOf(std::size_t node) const { return frameOf(node).shown(); }
    bool has(Shade shade) const { return (shades >> static_cast<unsigned>(shade) & 1U) != 0; }
    void add(Shade shade) { shades |= 1U << static_cast<unsigned>(shade); }
    /// Whether stacks end in a node.
    bool endsIn(std::size_t node) const { return nodes[node].self > 0 || nodes[node].selfBefore > 0; }
    /// How many nodes before this one stacks end in, the root left out. Quick once countEnds() was called.
    std::size_t endsBefore(std::size_t node) const;
    void countEnds();
    std::vector<std::uint32_t> ends; ///< of countEnds(): endsBefore() of each kEndsEvery-th node
    static constexpr std::size_t kEndsEvery = 256;
    /// The frames from the root (not included) to `node` as folded text: what keeps a frame in focus.
    std::string path(std::size_t node) const;
    /// The node with these frames, each as it is spelled or as it is shown; 0, the root, when there is none.
    std::size_t find(std::span<const std::string_view> path) const;
};
/// The weight of the stacks that have a frame whose name passes `test`: of frames below one another the outermost counts. The
/// root is no frame. `weight` gives that of a node with all that is below it.
template <typename Test, typename Weight> std::int64_t matchedWeight(const StackTree& tree, const Test& test, const Weight& weight)
{
    std::vector<signed char> known(tree.frames.size(), -1); // by name: whether it passes, or not asked yet
    std::int64_t sum = 0;
    for (std::size_t at = 1; at < tree.nodes.size();) {
        const auto& node = tree.nodes[at];
        auto& passes = known[node.name];
        if (passes < 0) passes = test(tree.frames[node.name].shown()) ? 1 : 0;
        if (passes > 0) sum += weight(node);
        at += passes > 0 ? node.size : 1;
    }
    return sum;
}
/// Collects stacks one by one. Amortised constant time a frame.
class StackTreeBuilder {
public:
    /// `frames` numbers the frames of add(); it outlives this. `deepest`: levels that are kept of one stack; what lies deeper
    /// counts where it was cut, and in StackTree::cutAtDepth.
    explicit StackTreeBuilder(const Frames& frames, std::size_t deepest = SIZE_MAX);
    /// `steps` from the root to the leaf; `value` more than 0, or else `before`. Gives the leaf, for Order.
    std::uint32_t add(std::span<const StackStep> steps, std::int64_t value, std::int64_t before = 0);
    StackTree build() const;
    /// The tree, and for each node that add() gave its index there.
    struct Order {
        StackTree tree;
        std::vector<std::uint32_t> indices;
    };
    Order ordered() const;
    std::size_t size() const { return m_nodes.size(); } ///< nodes so far

private:
    struct Growing {
        std::uint32_t name, parent;
        Shade shade;
        std::int64_t self = 0, before = 0;
        std::uint32_t times = 1;
    };
    const Frames& m_frames;
    std::vector<Growing> m_nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;
    std::size_t m_deepest;
    std::int64_t m_cut = 0;
};
/// The name of the root of all stacks.
constexpr std::string_view kAllStacks = "all";
} // namespace dscope::graph
