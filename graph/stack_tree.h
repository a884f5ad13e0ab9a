#pragma once
#include "graph/figure.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::graph {
/// One frame of one merged path: what a flame graph, a call graph and folded text are made of.
struct StackNode {
    std::uint32_t name = 0;            ///< index into StackTree::names
    std::uint32_t parent = 0;          ///< index of the caller; the root is its own
    std::uint32_t depth = 0, size = 1; ///< size: nodes of the subtree, this one included
    std::int64_t self = 0, total = 0;
    std::int64_t selfBefore = 0, before = 0; ///< the same of the run that this one is compared with
    Shade shade = Shade::Unknown;
    std::uint32_t frames = 1; ///< more: neighbours that nobody looked into, as one
};
/// Stacks merged from the root, in preorder, callees by name: nodes[0] is the root of all. A frame of the same name but
/// another kind (a program and a library) is another node.
struct StackTree {
    std::vector<std::string> names;
    std::vector<StackNode> nodes;
    std::uint32_t depth = 0; ///< levels, the root included
    std::string_view nameOf(std::size_t node) const { return names[nodes[node].name]; }
    /// Names from the root (not included) to `node`, joined by ';'.
    std::string path(std::size_t node) const;
    /// The node with this path; 0, the root, when there is none.
    std::size_t find(std::string_view path) const;
};
/// The weight of the stacks that have a frame whose name passes `test`: of frames below one another the outermost counts. The
/// root is no frame. `weight` gives that of a node with all that is below it.
template <typename Test, typename Weight> std::int64_t matchedWeight(const StackTree& tree, const Test& test, const Weight& weight)
{
    std::vector<signed char> known(tree.names.size(), -1); // by name: whether it passes, or not asked yet
    std::int64_t sum = 0;
    for (std::size_t at = 1; at < tree.nodes.size();) {
        const auto& node = tree.nodes[at];
        auto& passes = known[node.name];
        if (passes < 0) passes = test(std::string_view(tree.names[node.name])) ? 1 : 0;
        if (passes > 0) sum += weight(node);
        at += passes > 0 ? node.size : 1;
    }
    return sum;
}
/// Collects stacks one by one. Amortised constant time a frame.
class StackTreeBuilder {
public:
    StackTreeBuilder();
    struct Step {
        std::string name;
        Shade shade;
    };
    /// `steps` from the root to the leaf; `value` more than 0, or else `before`.
    void add(const std::vector<Step>& steps, std::int64_t value, std::int64_t before = 0);
    StackTree build() const;
    std::size_t size() const { return m_nodes.size(); } ///< nodes so far

private:
    struct Growing {
        std::uint32_t name, parent;
        Shade shade;
        std::int64_t self = 0, before = 0;
    };
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::uint32_t> m_ids;
    std::vector<Growing> m_nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;
};
} // namespace dscope::graph
