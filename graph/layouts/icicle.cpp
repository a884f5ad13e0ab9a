#include "graph/layouts/icicle.h"
#include <algorithm>
namespace dscope::graph {
namespace {
std::vector<IcicleBar> layOut(std::span<const IcicleNode> nodes, double width, double minimum, const IcicleView& view)
{
    std::vector<IcicleBar> bars;
    if (nodes.empty() || nodes[0].total <= 0) return bars;
    const double perUnit = width / static_cast<double>(nodes[0].total);
    struct Open {
        std::size_t node;
        std::int64_t start; // exact, so that neighbours meet whatever their number
    };

    std::vector<Open> open{{0, 0}};
    const auto px = [&](std::int64_t value) { return static_cast<double>(value) * perUnit; };
    bars.push_back({0, 1, nodes[0].total, nodes[0].depth, 0, width});
    while (!open.empty()) {
        const auto [parent, start] = open.back();
        open.pop_back();
        std::int64_t at = start;
        bool inRun = false;
        for (std::size_t child = parent + 1; child < parent + nodes[parent].size; child += nodes[child].size) {
            const auto& n = nodes[child];
            if (px(at + n.total) <= view.left || px(at) >= view.right) {
                inRun = false;
                at += n.total;
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
                if (!narrow) open.push_back({child, at});
            }
            inRun = narrow;
            at += n.total;
        }
    }
    return bars;
}
} // namespace

std::vector<IcicleBar> icicle(std::span<const IcicleNode> nodes, double width, double minimum, std::size_t mostBars)
{
    return icicle(nodes, width, minimum, mostBars, {0, width});
}

std::vector<IcicleBar> icicle(std::span<const IcicleNode> nodes, double width, double minimum, std::size_t mostBars, const IcicleView& view)
{
    for (;;) {
        auto bars = layOut(nodes, width, minimum, view);
        if (bars.size() > mostBars && minimum <= width) {
            minimum *= 1.5;
            continue;
        }
        if (view.left <= 0 && view.right >= width) return bars;
        for (auto& bar : bars) {
            const double left = std::max(bar.x, view.left), right = std::min(bar.x + bar.width, view.right);
            bar.x = left - view.left;
            bar.width = std::max(right - left, 0.0);
        }
        return bars;
    }
}
} // namespace dscope::graph
