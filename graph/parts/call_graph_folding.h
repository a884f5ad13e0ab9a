#pragma once
#include "graph/figure.h"
#include "graph/parts/call_graph_data.h"
#include <string>
#include <vector>
namespace dscope::graph {
/// Of a chain that is drawn as such: its ends, and what stands for the others.
constexpr std::size_t kShortestChain = 3;
/// A chain of calls, each by one and of one function, that is longer than `levels` has its outermost as one node.
CallPart withShortChains(const CallGraphData& graph, CallPart whole, std::size_t levels);
/// Functions that call none and are called by one function: of more than a few there the smaller ones as one node.
CallPart withFewLeaves(const CallGraphData& graph, CallPart whole);
/// What is outermost and calls one function, with the chain that begins there, as one node: everything goes through them.
CallPart withShortRoots(const CallGraphData& graph, CallPart whole);
/// What lies outermost as one node, so that `levels` nodes are left. `centres`: where the nodes are.
CallPart withoutOutermost(const CallGraphData& graph, const CallPart& whole, const std::vector<Point>& centres, std::size_t levels);
/// A function, or those that a node stands for as one.
CalledFunction shownFunction(const CallGraphData& graph, const CallPart& drawn, std::size_t node);
/// Its name, or the names of those that a node stands for.
std::string namesOf(const CallGraphData& graph, const CallPart& drawn, std::size_t node);
} // namespace dscope::graph
