#include "exporters/exporter.h"
#include "graph/text.h"
#include <algorithm>
#include <cctype>
namespace dscope::exporters {
namespace {
// In labels Graphviz reads backslash escapes and entities such as &lt;; in other attributes neither. A quote and a
// backslash are escaped everywhere, so that nothing leaves its string. Source: graphviz.org/doc/info/lang.html, attrs.html#k:escString
bool isLabel(std::string_view name) { return name == "label" || name == "tooltip"; }

bool startsEntity(std::string_view text)
{
    std::size_t i = 1;
    while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '#'))
        ++i;
    return i > 1 && i < text.size() && text[i] == ';';
}
enum class As : std::uint8_t { Attribute, Label };
std::string quoted(std::string_view raw, As what)
{
    std::string out = "\"";
    for (std::size_t from = 0;;) {
        const auto end = std::min(raw.find('\n', from), raw.size());
        const std::string line = graph::printable(raw.substr(from, end - from));
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (c == '"' || c == '\\') out += '\\';
            out += c;
            if (what == As::Label && c == '&' && startsEntity(std::string_view(line).substr(i))) out += "amp;";
        }
        if (what == As::Label) out += "\\l";
        if (end == raw.size()) break;
        if (what != As::Label) out += ' ';
        from = end + 1;
    }
    return out + '"';
}
std::string attributes(const std::vector<std::pair<std::string, std::string>>& all, bool redact)
{
    std::string out;
    for (const auto& [name, value] : all) {
        if (redact && (name == "args" || name == "tooltip")) continue;
        out += (out.empty() ? "" : ", ") + name + '=' + quoted(value, isLabel(name) ? As::Label : As::Attribute);
    }
    return out;
}

class Dot final : public Exporter {
public:
    std::string_view suffix() const override { return "dot"; }
    std::string_view summary() const override { return "Graphviz DOT, with positions for neato -n2"; }
    bool accepts(const graph::Visual& visual) const override { return visual.hasDigraph(); }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto graph = visual.digraph();
        if (!graph) return Error{0, "only graphs can be written as DOT"};
        const bool redact = options.layout.redact;
        const std::string title = !options.layout.title ? (redact ? std::string() : visual.title()) : *options.layout.title;
        out << "digraph dscope {\n";
        out << "  graph [rankdir=" << (graph->ranks == graph::Digraph::Ranks::Down ? "TB" : "LR")
            << ", outputorder=edgesfirst, label=" << quoted(title, As::Label)
            << (graph->leftOut.empty() ? "" : ", comment=" + quoted(graph->leftOut, As::Attribute))
            << ", labelloc=t, labeljust=l, fontname=\"DejaVu Sans\", fontsize=20];\n";
        out << "  node [shape=box, fixedsize=true, fontname=\"DejaVu Sans\", fontsize=11, margin=\"0.1,0.05\"];\n";
        out << "  edge [color=\"#5B7083\", arrowsize=0.7, fontname=\"DejaVu Sans\", fontsize=10, fontcolor=\"#5B7083\"];\n";
        for (const auto& node : graph->nodes) {
            const std::string label = redact ? node.label.substr(0, node.label.find('\n')) : node.label;
            out << "  " << node.name << " [label=" << quoted(label, As::Label);
            const std::string rest = attributes(node.attributes, redact);
            out << (rest.empty() ? "" : ", ") << rest << "];\n";
        }

        for (const auto& edge : graph->edges)
            out << "  " << graph->nodes[edge.from].name << " -> " << graph->nodes[edge.to].name << " ["
                << attributes(edge.attributes, redact) << "];\n";
        out << "}\n";
        if (!out) return Error{0, "cannot write the graph"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_dot() { return std::make_unique<Dot>(); }
} // namespace dscope::exporters
