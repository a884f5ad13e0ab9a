#pragma once
#include "engine/base/result.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// A graph as somebody else wrote it down in Graphviz's language.
struct DotGraph {
    struct Node {
        std::string name, label; ///< label: of several lines, without Graphviz's escapes
    };
    struct Edge {
        std::size_t from = 0, to = 0;
        std::string label, style;
    };
    std::string label;
    bool directed = true, leftToRight = false;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
};
/// Error: what Graphviz says is wrong with it. Only the first graph is read.
Result<DotGraph> parseDot(std::string_view text);
} // namespace dscope::graph
