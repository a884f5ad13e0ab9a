#pragma once
#include "graph/layouts/layered.h"
namespace dscope::graph {
/// Our own layout of any graph, for those that Graphviz would take minutes for: as far from a node that nothing leads to
/// as there are edges on the shortest way, a wide rank in several rows, in each by the middle of the neighbours; edges are
/// straight. Time and memory grow with nodes and edges.
Routed ranked(
    std::span<const NodeSize> nodes, std::span<const std::pair<std::size_t, std::size_t>> edges, const LayoutGaps& gaps, bool leftToRight);
} // namespace dscope::graph
