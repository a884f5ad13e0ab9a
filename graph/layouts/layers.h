#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The layer of each node, from 0: every edge leads to a later layer, but for edges that close a circle and edges from a node
/// to itself. A node is as far up as that allows; within a circle layers are counted from where one gets into it.
std::vector<std::size_t> layersOf(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges);
} // namespace dscope::graph
