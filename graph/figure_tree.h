#pragma once
#include "graph/figure.h"
#include <optional>
#include <vector>
/// From one node of a figure's tree to others, among those that are drawn. Each takes time in proportion to the tree.
namespace dscope::graph {
/// The nearest node above that is drawn.
std::optional<NodeId> callerOf(const Figure& figure, NodeId node);
/// The drawn nodes whose callerOf() is `node`.
std::vector<NodeId> drawnBelow(const Figure& figure, NodeId node);
/// The neighbour at the same depth, below the same root and on the same side of a sandwich; `by`: -1 to the left, 1 to the right.
std::optional<NodeId> beside(const Figure& figure, NodeId node, int by);
} // namespace dscope::graph
