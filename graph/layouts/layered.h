#pragma once
#include "graph/figure.h"
#include <optional>
#include <span>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The size of a node.
struct NodeSize {
    double width = 0, height = 0; ///< px
};
/// The distances that a layout keeps.
struct LayoutGaps {
    double siblings = 16, ranks = 80; ///< px between neighbours of one rank, and between ranks
};
/// The most nodes that are handed to Graphviz: dot needs 70 ms for 1,000, but 3 s for 5,000. What takes too long is given up
/// (graph/layout_patience.h).
constexpr std::size_t kMostLayered = 1000;
/// Centres of the nodes, ranks from left to right, by Graphviz's dot. The order of edges out of a node is kept. Empty
/// when Graphviz refuses, or takes too long.
std::optional<std::vector<Point>> layered(
    std::span<const NodeSize> nodes, std::span<const std::pair<std::size_t, std::size_t>> edges, const LayoutGaps& gaps);
/// Where nodes are, and how edges run from one to the other.
struct Routed {
    std::vector<Point> centres;             ///< of the nodes
    std::vector<std::vector<Point>> routes; ///< of the edges: 1 + 3n points of a curve; empty where there is none
};
/// The most nodes and edges that are routed in about a second.
constexpr std::size_t kMostRouted = 120, kMostRoutes = 300;
/// Where the ranks of a layout follow each other.
enum class RankDirection : std::uint8_t { Down, Right };
/// As layered(), with curves for the edges that pass by the nodes between; also edges from a node to itself.
std::optional<Routed> routed(
    std::span<const NodeSize> nodes, std::span<const std::pair<std::size_t, std::size_t>> edges, const LayoutGaps& gaps, RankDirection direction);
} // namespace dscope::graph
