#pragma once
#include <cstdint>
#include <span>
#include <vector>
namespace dscope::graph {
/// A node of a tree in preorder whose width is its total.
struct IcicleNode {
    std::uint32_t depth = 0, size = 1; ///< size: nodes of the subtree, this one included
    std::int64_t total = 0;
    std::uint32_t frames = 1; ///< that it stands for: a run already when more than one
};
/// A bar of the drawing: a node, or a run of neighbours that are too narrow for bars of their own.
struct IcicleBar {
    std::size_t node = 0;     ///< the node, or the first of a run
    std::uint32_t frames = 1; ///< nodes it stands for: the run's, with all below them
    std::int64_t total = 0;
    std::uint32_t depth = 0;
    double x = 0, width = 0; ///< px from the left
};
/// The visible range of a drawing, in px from the left. Bars outside it are omitted; bars across its edge are cut.
struct IcicleView {
    double left = 0, right = 0;
};
/// Children side by side above their parent, from its left edge, as wide as their share. A run of neighbours narrower
/// than `minimum` px becomes one bar with nothing above it. `minimum` is raised until at most `mostBars` remain.
/// nodes[0] is the root of all others.
std::vector<IcicleBar> icicle(std::span<const IcicleNode> nodes, double width, double minimum, std::size_t mostBars);
std::vector<IcicleBar> icicle(
    std::span<const IcicleNode> nodes, double width, double minimum, std::size_t mostBars, const IcicleView& view);
} // namespace dscope::graph
