#include "graph/layouts/icicle.h"
namespace dscope::graph {
std::vector<IcicleBar> icicle(std::span<const IcicleNode> nodes, double width, double minimum, std::size_t mostBars)
{
    if (nodes.empty()) return {};
    return icicle([&](std::size_t i) { return nodes[i]; }, 0, width, minimum, mostBars, {0, width});
}
} // namespace dscope::graph
