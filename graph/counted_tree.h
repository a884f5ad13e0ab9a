#pragma once
#include "engine/record/record.h"
#include "graph/stack_tree.h"
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Levels of imported stacks that a tree has: no page shows more, and a text may be one stack of millions.
constexpr std::uint32_t kDeepestImported = 2'048;
/// What of the stacks becomes a tree.
struct LookLimits {
    std::int64_t least = 0;       ///< a frame that stands for less is not looked into
    std::size_t nodes = SIZE_MAX; ///< a tree that would have more is given up when it has one more
    double from = 0, to = 1;      ///< of the width of what is in focus: what is outside is not looked into
};
/// The tree of imported stacks: the table that they came in, with the sums of what is below each node. 12 bytes a node. Any thread may
/// read it.
class CountedTree {
public:
    explicit CountedTree(record::CountedStacks stacks);
    std::int64_t total() const { return m_totals.front(); }
    /// Neighbours that are not looked into become one node with their number in StackNode::frames. `focus`: a path; outside of it and of
    /// what it lies on nothing is looked into.
    StackTree seen(const LookLimits& limits, std::span<const std::string_view> focus = {}) const;
    /// What the stacks that begin with `path` sum up to.
    std::int64_t total(std::span<const std::string_view> path) const;
    /// The sum of the stacks that have a frame whose shown name passes `test`, each stack once.
    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const;
    /// The frames that stacks end in by what these sum up to, the most first; at most `most`.
    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const;
    /// Each stack once, in the order of the tree, or those alone that have a frame spelled `with` in them.
    using Deliver = std::function<void(std::span<const StackStep> steps, std::int64_t value)>;
    void each(Frames& frames, const Deliver& deliver, std::string_view with = {}) const;
    /// The same as folded text.
    void eachLine(const std::function<void(std::string_view stack, std::int64_t value)>& deliver) const;
    /// Whether any frame's name has `part` in it.
    bool names(std::string_view part) const;
    bool tellsLines() const { return m_stacks.table && m_stacks.table->tellsLines(); }

private:
    std::span<const record::StackTable::Node> nodes() const;
    const StackFrame& frameOf(std::size_t node) const { return m_frames[nodes()[node].frame]; }
    std::int64_t selfOf(std::size_t node) const;
    record::CountedStacks m_stacks;
    std::vector<StackFrame> m_frames;     ///< by number in the table
    std::vector<std::int64_t> m_totals;   ///< by node
    std::vector<std::uint32_t> m_ends;    ///< by node: the one behind all that is below it
};
} // namespace dscope::graph
