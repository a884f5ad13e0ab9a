#pragma once
#include "graph/layouts/routed_drawing.h"
#include "graph/page.h"
#include "graph/parts/call_graph_folding.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// What is written on a function's node, and how large it is then.
struct CallLabel {
    static constexpr double kNameSize = 13, kFactSize = 12; ///< px
    std::string name, facts;                                ///< facts: "12.3 % · itself 4.5 %"
    NodeSize size;
};
CallLabel callLabel(const CallGraphData& graph, const CalledFunction& function);
/// A part of a call graph, laid out.
struct LaidCalls {
    CallPart whole;                ///< of the functions and calls that are drawn, as they are
    CallPart drawn;                ///< the same with some as one node
    std::vector<CallLabel> labels; ///< of drawn
    std::vector<NodeSize> sizes;
    std::optional<Routed> at; ///< none: Graphviz refused
};
/// The distances of a graph's nodes; of one that has no more than its most frequent chain, smaller ones.
LayoutGaps callGaps(const CallPart& drawn);
/// Less and less of it, until what is drawn can be read: at each share as it is, then with chains of calls as one node each,
/// then with what else one function calls as one, too. `pageFor`: the page on which a part would be drawn.
LaidCalls readableCalls(
    const CallGraphData& graph, const LayoutOptions& options, const std::function<Page(const CallPart& whole)>& pageFor);
} // namespace dscope::graph
