#pragma once
#include "graph/parts/call_graph_layout.h"
namespace dscope::graph {
/// "8 samples \u2192 31 samples, \u00d73.9": both runs of a part of their sum.
std::string changeText(const CallGraphData& graph, const std::string& function, const StackMeasure& measure, std::int64_t both, std::int64_t before);
/// Along the ramp of nodes: what a function took by itself, by the root, so that a hundredth is seen.
double selfLevel(const CallGraphData& graph, std::int64_t self);
/// Its kind and colours as Graphviz's attributes, those of the figure on light ground.
std::vector<std::pair<std::string, std::string>> callLook(const CallGraphData& graph, const CalledFunction& function);
/// Draws a part of a call graph that Graphviz could lay out; returns the right bottom corner of all.
Point drawCallGraph(Page& page, const CallGraphData& graph, const LaidCalls& laid, const StackMeasure& measure);
} // namespace dscope::graph
