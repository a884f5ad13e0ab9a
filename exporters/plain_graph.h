#pragma once
#include "graph/text.h"
#include "graph/visual.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::exporters {
/// A graph for programs that draw it themselves: what was traced, without how Graphviz would draw it.
struct PlainGraph {
    struct Attribute {
        std::string name;
        bool isNumber = true; ///< all of its values are whole numbers that int64_t has room for, as the formats' "long" has
    };
    struct Value {
        std::size_t attribute = 0;
        std::string text;
    };
    std::vector<Attribute> ofNodes, ofEdges;
    std::vector<std::string> labels; ///< by node, its name
    std::vector<std::vector<Value>> nodes, edges;

    /// How much goes along an edge, where that is known.
    std::optional<std::string> weightOf(std::size_t edge) const
    {
        for (const auto& value : edges[edge])
            if (ofEdges[value.attribute].name == "value") return value.text;
        return std::nullopt;
    }
};
/// A label is cut to the width of a box; the tool tip has it in full.
inline std::string_view wholeName(const graph::Digraph::Node& node, graph::Privacy privacy)
{
    const auto firstLine = [](std::string_view text) { return text.substr(0, text.find('\n')); };
    const auto label = firstLine(node.label);
    if (privacy == graph::Privacy::Redacted || label.find(graph::kEllipsis) == label.npos) return label;
    for (const auto& [name, text] : node.attributes)
        if (name == "tooltip") return firstLine(text);
    return label;
}
/// Redacted: without arguments.
inline PlainGraph plainGraph(const graph::Digraph& graph, graph::Privacy privacy)
{
    // What Graphviz reads. Source: graphviz.org/doc/info/attrs.html
    static constexpr std::array<std::string_view, 12> kDrawing{
        "style", "fillcolor", "color", "fontcolor", "penwidth", "peripheries", "pos", "width", "height", "label", "tooltip", "shape"};
    const auto isWhole = [](std::string_view text) {
        std::int64_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        return read.ec == std::errc() && read.ptr == text.data() + text.size();
    };

    const auto take = [&](const std::vector<std::pair<std::string, std::string>>& given, std::vector<PlainGraph::Attribute>& known) {
        std::vector<PlainGraph::Value> out;
        for (const auto& [name, text] : given) {
            if (std::find(kDrawing.begin(), kDrawing.end(), name) != kDrawing.end()) continue;
            if (privacy == graph::Privacy::Redacted && name == "args") continue;
            auto at = std::find_if(known.begin(), known.end(), [&, &name = name](const auto& k) { return k.name == name; });
            if (at == known.end()) at = known.insert(at, PlainGraph::Attribute{name});
            at->isNumber = at->isNumber && isWhole(text);
            out.push_back({static_cast<std::size_t>(at - known.begin()), graph::printable(text)});
        }
        return out;
    };

    PlainGraph out;
    for (const auto& node : graph.nodes) {
        out.labels.push_back(graph::printable(wholeName(node, privacy)));
        out.nodes.push_back(take(node.attributes, out.ofNodes));
    }
    for (const auto& edge : graph.edges)
        out.edges.push_back(take(edge.attributes, out.ofEdges));
    return out;
}
} // namespace dscope::exporters
