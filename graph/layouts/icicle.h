#pragma once
#include <algorithm>
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

/// The same without bars outside of the view. `nodeAt` gives the IcicleNode of a number; the root of all others is `root`, of which only
/// as many are asked for as are drawn or are children of what is.
template <typename NodeAt>
std::vector<IcicleBar> icicleBars(const NodeAt& nodeAt, std::size_t root, double width, double minimum, const IcicleView& view)
{
    std::vector<IcicleBar> bars;
    const IcicleNode all = nodeAt(root);
    if (all.total <= 0) return bars;
    const double perUnit = width / static_cast<double>(all.total);
    struct Open {
        std::size_t node, end;
        std::int64_t start; // exact, so that neighbours meet whatever their number
    };

    std::vector<Open> open{{root, root + all.size, 0}};
    const auto px = [&](std::int64_t value) { return static_cast<double>(value) * perUnit; };
    bars.push_back({root, 1, all.total, all.depth, 0, width});
    while (!open.empty()) {
        const auto [parent, end, start] = open.back();
        open.pop_back();
        std::int64_t at = start;
        bool inRun = false;
        for (std::size_t child = parent + 1; child < end;) {
            const IcicleNode n = nodeAt(child);
            if (px(at + n.total) <= view.left || px(at) >= view.right) {
                inRun = false;
                at += n.total;
                child += n.size;
                continue;
            }
            const bool narrow = px(n.total) < minimum || n.frames > 1;
            if (narrow && inRun) {
                auto& run = bars.back();
                run.frames += n.size + n.frames - 1;
                run.total += n.total;
                run.width = px(run.total);
            } else {
                bars.push_back({child, narrow ? n.size + n.frames - 1 : 1, n.total, n.depth, px(at), px(n.total)});
                if (!narrow) open.push_back({child, child + n.size, at});
            }
            inRun = narrow;
            at += n.total;
            child += n.size;
        }
    }
    return bars;
}

template <typename NodeAt>
std::vector<IcicleBar> icicle(
    const NodeAt& nodeAt, std::size_t root, double width, double minimum, std::size_t mostBars, const IcicleView& view)
{
    auto bars = icicleBars(nodeAt, root, width, minimum, view);
    while (bars.size() > mostBars && minimum <= width) {
        minimum *= 1.5;
        bars = icicleBars(nodeAt, root, width, minimum, view);
    }
    if (view.left <= 0 && view.right >= width) return bars;
    for (auto& bar : bars) {
        const double left = std::max(bar.x, view.left), right = std::min(bar.x + bar.width, view.right);
        bar.x = left - view.left;
        bar.width = std::max(right - left, 0.0);
    }
    return bars;
}
} // namespace dscope::graph
