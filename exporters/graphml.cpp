#include "exporters/exporter.h"
#include "exporters/plain_graph.h"
#include "exporters/svg.h"
namespace dscope::exporters {
namespace {
/// Source: graphml.graphdrawing.org, "GraphML Primer" and its schema 1.1: attributes are declared as keys, with their types.
class Graphml final : public Exporter {
public:
    std::string_view suffix() const override { return "graphml"; }
    std::string_view summary() const override { return "GraphML, for yEd, Gephi, igraph, NetworkX"; }
    bool accepts(const graph::Visual& visual) const override { return visual.hasDigraph(); }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto drawn = visual.digraph();
        if (!drawn) return Error{0, "only graphs can be written as GraphML"};
        const auto graph = plainGraph(*drawn, options.layout.redact ? graph::Privacy::Redacted : graph::Privacy::Open);
        out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
               "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
               "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.1/graphml.xsd\">\n"
               "<key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n";
        const auto declare = [&](const char* of, const char* prefix, const std::vector<PlainGraph::Attribute>& all) {
            for (std::size_t i = 0; i < all.size(); ++i)
                out << "<key id=\"" << prefix << i << "\" for=\"" << of << "\" attr.name=\"" << escapedXml(all[i].name) << "\" attr.type=\""
                    << (all[i].isNumber ? "long" : "string") << "\"/>\n";
        };

        declare("node", "n", graph.ofNodes);
        declare("edge", "e", graph.ofEdges);
        const auto give = [&](const char* prefix, const std::vector<PlainGraph::Value>& values) {
            for (const auto& value : values)
                out << "<data key=\"" << prefix << value.attribute << "\">" << escapedXml(value.text) << "</data>";
        };

        out << "<graph id=\"dscope\" edgedefault=\"directed\">\n";
        if (!drawn->leftOut.empty()) out << "<desc>" << escapedXml(drawn->leftOut) << "</desc>\n";
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            out << "<node id=\"" << drawn->nodes[i].name << "\"><data key=\"label\">" << escapedXml(graph.labels[i]) << "</data>";
            give("n", graph.nodes[i]);
            out << "</node>\n";
        }

        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            const auto& edge = drawn->edges[i];
            out << "<edge source=\"" << drawn->nodes[edge.from].name << "\" target=\"" << drawn->nodes[edge.to].name << "\">";
            give("e", graph.edges[i]);
            out << "</edge>\n";
        }
        out << "</graph>\n</graphml>\n";
        if (!out) return Error{0, "cannot write the graph"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_graphml() { return std::make_unique<Graphml>(); }
} // namespace dscope::exporters
