#pragma once
#include "graph/visual.h"
#include <vector>
namespace dscope::graph {
/// Says in a graph's attributes where it is drawn, so that `neato -n2` draws it there. Points are pixels of a figure.
void placeAt(Digraph::Node& node, Point centre, double width, double height);
/// `curve`: 1 + 3n points, the last where the arrow's tip is.
void routeAlong(Digraph::Edge& edge, const std::vector<Point>& curve);
} // namespace dscope::graph
