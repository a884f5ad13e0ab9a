#include "exporters/exporter.h"
#include "exporters/plain_graph.h"
#include "exporters/svg.h"
namespace dscope::exporters {
namespace {
/// Source: gexf.net, GEXF 1.2 (draft): attributes of nodes and of edges are declared by class, with their types. Gephi reads 1.3, too, but
/// networkx does not.
class Gexf final : public Exporter {
public:
    std::string_view suffix() const override { return "gexf"; }
    std::string_view summary() const override { return "GEXF, for Gephi"; }
    bool accepts(const graph::Visual& visual) const override { return visual.hasDigraph(); }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto drawn = visual.digraph();
        if (!drawn) return Error{0, "only graphs can be written as GEXF"};
        const auto graph = plainGraph(*drawn, options.layout.redact ? graph::Privacy::Redacted : graph::Privacy::Open);
        out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf xmlns=\"http://www.gexf.net/1.2draft\" "
               "version=\"1.2\">\n<meta><creator>dscope " DSCOPE_VERSION "</creator>";
        if (!drawn->leftOut.empty()) out << "<description>" << escapedXml(drawn->leftOut) << "</description>";
        out << "</meta>\n<graph defaultedgetype=\"directed\">\n";
        const auto declare = [&](const char* of, const std::vector<PlainGraph::Attribute>& all) {
            if (all.empty()) return;
            out << "<attributes class=\"" << of << "\">\n";
            for (std::size_t i = 0; i < all.size(); ++i)
                out << "<attribute id=\"" << i << "\" title=\"" << escapedXml(all[i].name) << "\" type=\""
                    << (all[i].isNumber ? "long" : "string") << "\"/>\n";
            out << "</attributes>\n";
        };

        declare("node", graph.ofNodes);
        declare("edge", graph.ofEdges);
        const auto give = [&](const std::vector<PlainGraph::Value>& values) {
            out << "<attvalues>";
            for (const auto& value : values)
                out << "<attvalue for=\"" << value.attribute << "\" value=\"" << escapedXml(value.text) << "\"/>";
            out << "</attvalues>";
        };

        out << "<nodes>\n";
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            out << "<node id=\"" << drawn->nodes[i].name << "\" label=\"" << escapedXml(graph.labels[i]) << "\">";
            give(graph.nodes[i]);
            out << "</node>\n";
        }

        out << "</nodes>\n<edges>\n";
        for (std::size_t i = 0; i < graph.edges.size(); ++i) {
            const auto& edge = drawn->edges[i];
            out << "<edge id=\"" << i << "\" source=\"" << drawn->nodes[edge.from].name << "\" target=\"" << drawn->nodes[edge.to].name
                << '"';
            if (const auto weight = graph.weightOf(i)) out << " weight=\"" << *weight << '"';
            out << '>';
            give(graph.edges[i]);
            out << "</edge>\n";
        }
        out << "</edges>\n</graph>\n</gexf>\n";
        if (!out) return Error{0, "cannot write the graph"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_gexf() { return std::make_unique<Gexf>(); }
} // namespace dscope::exporters
