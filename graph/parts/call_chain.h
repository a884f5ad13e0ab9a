#pragma once
#include "graph/page.h"
#include "graph/parts/call_graph_data.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::graph {
/// The chain of calls that leads to the function that takes most by itself: back from it, always the call with the most by a function that
/// is not in the chain, to where more stacks begin than any call has. Of two runs most is what changed most. Outermost first; indices of
/// CallGraphData::functions.
std::vector<std::uint32_t> heaviestChain(const CallGraphData& graph);
/// How many functions of a chain have a row of their own in so much height; less than two: there is no room for a chain.
std::size_t rowsOfChain(double height, double smallest);
enum class ChainKinds : std::uint8_t { Shown, Hidden };
/// Draws a chain as rows from the outermost function down, for pages that have no room for a graph. What has no row is one row at the top:
/// "… 4 functions". `kinds`: whether the legend tells what kinds of code there are. Returns the right bottom corner.
Point drawChain(
    Page& page, const CallGraphData& graph, const std::vector<std::uint32_t>& chain, const StackMeasure& measure, ChainKinds kinds);
} // namespace dscope::graph
