#pragma once
#include "graph/page.h"
#include "graph/parts/call_graph_data.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::graph {
/// The chain of calls with the most: from the function that most begins with, always the call with the most to a function that is not in
/// the chain, until a function takes more by itself than any call of it. Outermost first; indices of CallGraphData::functions.
std::vector<std::uint32_t> heaviestChain(const CallGraphData& graph);
/// How many functions of a chain have a row of their own in so much height; less than two: there is no room for a chain.
std::size_t rowsOfChain(double height, double smallest);
enum class ChainKinds : std::uint8_t { Shown, Hidden };
/// Draws a chain as rows from the outermost function down, for pages that have no room for a graph. What has no row is one row at the top:
/// "… 4 functions". `kinds`: whether the legend tells what kinds of code there are. Returns the right bottom corner.
Point drawChain(
    Page& page, const CallGraphData& graph, const std::vector<std::uint32_t>& chain, const StackMeasure& measure, ChainKinds kinds);
} // namespace dscope::graph
