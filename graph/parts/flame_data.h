#pragma once
#include "graph/difference.h"
#include "graph/run_scatter.h"
#include "graph/stacks.h"
#include "graph/visual.h"
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::graph {
/// What a flame graph or an icicle is drawn of: the stacks of a run, or those of two runs in one tree. A copy costs little.
class FlameData {
public:
    explicit FlameData(std::shared_ptr<const Stacks> stacks) : m_stacks(std::move(stacks)) { }
    /// What changed: one tree of both, where frames are the same when they are called the same.
    FlameData(const ComparedStacks& runs, RunScatter scatter);
    /// The same with the tree as far as it is seen in a figure `width` px wide that `part` of what is in focus fills; where it is
    /// searched (`zooms`), all of it if it is not too large.
    FlameData seen(std::string_view focus, double width, const WidthPart& part, bool zooms) const;

    bool compares() const { return m_compares; }
    bool empty() const;
    const std::shared_ptr<const Stacks>& stacks() const { return m_stacks; } ///< of two runs the later one's
    const StackMeasure& measure() const { return m_stacks->measure(); }
    bool hasTree() const { return m_tree != nullptr; } ///< what is compared or seen has
    const StackTree& tree() const { return *m_tree; }
    const StackNode& root() const { return m_tree->nodes.front(); }
    /// Whether stacks end in a node: it is a row of the table.
    bool ends(const StackNode& n) const { return n.self > 0 || n.selfBefore > 0; }

    /// The value that decides a node's width. For two runs it is the mean of both shares, in parts of 10^9, so that new and
    /// vanished frames both have a width.
    std::int64_t weight(const StackNode& n) const;
    std::int64_t weight(std::size_t node) const { return weight(m_tree->nodes[node]); }
    Change changeOf(const std::string& frame, double before, double after) const;
    Change changeOf(std::size_t node) const
    {
        const auto& n = m_tree->nodes[node];
        return changeOf(m_tree->frameOf(node).name, static_cast<double>(n.before), static_cast<double>(n.total));
    }
    std::string noise() const; ///< what is said of differences that may be chance
    /// The stacks of two runs: each as folded text, and its values.
    void eachChange(const Visual::DeliverChange& deliver) const;
    /// The stacks of two runs, a row each.
    Table changes() const;
    /// Frames whose own values differ by more than chance, and by how much in words; the largest difference first.
    std::vector<std::string> mostChanged(std::size_t most) const;

private:
    std::shared_ptr<const Stacks> m_stacks;
    std::shared_ptr<const StackTree> m_tree;
    bool m_compares = false;
    double m_deviations = 2; ///< that a difference must be
    RunScatter m_scatter;    ///< of both sides' runs, by function
};
/// Nodes of a tree that is kept whole to be searched, at most.
constexpr std::size_t kMostHiddenFrames = 20'000;
/// px: narrower neighbours are one bar.
constexpr double kNarrowestFlame = 1;
} // namespace dscope::graph
