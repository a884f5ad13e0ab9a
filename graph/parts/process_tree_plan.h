#pragma once
#include "graph/layouts/layered.h"
#include "graph/page.h"
#include "graph/process_drawing.h"
#include "graph/process_fold.h"
#include <memory>
#include <span>
#include <vector>
namespace dscope::graph {
/// How much text a node of a process tree shows, and the height and least gap that it needs, px.
struct TreeNodeSize {
    NodeDetail detail = NodeDetail::Full;
    double height = 0, leastGap = 0;
};
/// What of a process tree is drawn on a page, and how large.
struct TreePlan {
    static constexpr double kSideWidth = 310; ///< px at scale 1
    static constexpr double kAround = 8;      ///< px: the sheets behind a node that stands for several, outlines
    std::vector<ShownProcess> nodes;
    TreeNodeSize size;
    double width = 216; ///< px, of a node
    double text = 12;   ///< px, in nodes
    LayoutGaps gaps;
    double height = 1e300; ///< px, that it has
    bool side = true;      ///< legend and findings at the right, else above
    bool isWhole = true;   ///< nothing was left out for want of room
};
/// A tree's processes: which of them are on the critical path, and which stand alone, whatever they are equal to.
class TreeFolds {
public:
    TreeFolds(std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, std::vector<std::size_t> path);
    std::vector<ShownProcess> nodes(FoldLimits limits) const;
    /// Processes that tell more when they stand alone than in the folds of `nodes`, the longest first: those that take twice the median of
    /// their like or more, and of folds that are not large all, if their arguments differ.
    std::vector<std::size_t> telling(std::span<const ShownProcess> nodes) const;
    /// The same with these standing alone.
    TreeFolds with(std::vector<std::size_t> alone) const;
    const ProcessClasses& classes() const { return *m_classes; }

private:
    std::span<const Process> m_all;
    std::span<const std::size_t> m_shown;
    std::int64_t m_now;
    std::vector<std::size_t> m_path, m_apart; ///< ascending; of the path what folds only with its like
    std::shared_ptr<const ProcessClasses> m_classes;
};
struct TreeRoom {
    Box area;
    double below = 0; ///< px that stay free below where legend and findings are not at the side
    double scale = 1;
    bool fits = true; ///< else a page grows
    bool isScreen = false;
    bool hasSide = true;
};
/// Detail and folds that fit. Where all fits and room is left, TreeFolds::telling() stand alone, as many as have room, in `folds` too; and
/// where there is still room, all is larger, up to twice.
TreePlan planTree(TreeFolds& folds, const TreeRoom& room);
/// Makes nodes as wide as `wanted` px, or as the room of `width` px for all columns lets them be. None becomes narrower.
void widenNodes(TreePlan& plan, double width, double wanted);
/// The centres of its nodes from (0, 0) on. `own`: dscope's layout, because there are too many nodes for Graphviz's or it is higher.
std::vector<Point> placeTree(const TreePlan& plan, bool& own);
} // namespace dscope::graph
