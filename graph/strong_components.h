#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The strong components of a directed graph: nodes of which each leads to each other. Time and memory grow with nodes and
/// edges, however long its paths are.
struct StrongComponents {
    /// In topological order: an edge between two components leads to the later one. Nodes ascend.
    std::vector<std::vector<std::size_t>> nodes;
    std::vector<std::size_t> of; ///< by node: its component
};
StrongComponents strongComponents(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges);
} // namespace dscope::graph
