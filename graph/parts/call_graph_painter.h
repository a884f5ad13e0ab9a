#pragma once
#include "graph/parts/call_graph_layout.h"
namespace dscope::graph {
/// Along the ramp of nodes: what a function took by itself, by the root, so that a hundredth is seen.
double selfLevel(const CallGraphData& graph, std::int64_t self);
/// Draws a part of a call graph that Graphviz could lay out; returns the right bottom corner of all.
Point drawCallGraph(Page& page, const CallGraphData& graph, const LaidCalls& laid, const StackMeasure& measure);
} // namespace dscope::graph
