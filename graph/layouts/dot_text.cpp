#include "graph/layouts/dot_text.h"
#include "graph/layouts/graphviz_lock.h"
#include <graphviz/cgraph.h>
#include <map>
#include <memory>
namespace dscope::graph {
namespace {
std::string attribute(void* object, const char* name)
{
    const char* value = ::agget(object, const_cast<char*>(name)); // Graphviz 2.42 lacks const
    return value ? value : std::string();
}
/// Source: graphviz.org/docs/attr-types/escString
std::string unescaped(const std::string& text, const std::string& name)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'n' || c == 'l' || c == 'r')
            out += '\n';
        else if (c == 'N')
            out += name;
        else
            out += c;
    }
    while (out.ends_with('\n'))
        out.pop_back();
    return out;
}
std::string& lastComplaint()
{
    static std::string text; // Graphviz tells of errors by a function without a context; guarded by its lock
    return text;
}
int hear(char* text)
{
    lastComplaint() += text;
    return 0;
}
} // namespace

Result<DotGraph> parseDot(std::string_view text)
{
    const std::lock_guard hold(graphvizLock());
    lastComplaint().clear();
    ::agseterr(AGWARN);
    auto* before = ::agseterrf(hear);
    const std::string owned(text);
    const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(::agmemread(owned.c_str()), ::agclose);
    ::agseterrf(before);
    if (!graph || !lastComplaint().empty()) {
        std::string said = lastComplaint().substr(0, lastComplaint().find('\n'));
        return Error{0, said.empty() ? "it holds no graph" : std::move(said)};
    }

    DotGraph out;
    out.directed = ::agisdirected(graph.get()) != 0;
    out.leftToRight = attribute(graph.get(), "rankdir") == "LR";
    out.label = unescaped(attribute(graph.get(), "label"), {});
    std::map<Agnode_t*, std::size_t> numbers;
    for (auto* node = ::agfstnode(graph.get()); node; node = ::agnxtnode(graph.get(), node)) {
        numbers.emplace(node, out.nodes.size());
        const std::string name = ::agnameof(node), label = attribute(node, "label");
        out.nodes.push_back({name, label.empty() || label == "\\N" ? name : unescaped(label, name)});
    }

    for (auto* node = ::agfstnode(graph.get()); node; node = ::agnxtnode(graph.get(), node))
        for (auto* edge = ::agfstout(graph.get(), node); edge; edge = ::agnxtout(graph.get(), edge))
            out.edges.push_back(
                {numbers.at(agtail(edge)), numbers.at(aghead(edge)), unescaped(attribute(edge, "label"), {}), attribute(edge, "style")});
    return out;
}
} // namespace dscope::graph
