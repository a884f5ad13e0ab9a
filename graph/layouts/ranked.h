#pragma once
#include "graph/layouts/layered.h"
namespace dscope::graph {
/// Our own layout of any graph, for those that Graphviz would take minutes for: a rank a layer (see layersOf()), a wide rank in
/// several rows, in each by the middle of the neighbours; edges are straight. Time and memory grow with nodes and edges.
Routed ranked(
    std::span<const NodeSize> nodes, std::span<const std::pair<std::size_t, std::size_t>> edges, const LayoutGaps& gaps, RankDirection direction);
} // namespace dscope::graph
