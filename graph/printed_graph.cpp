#include "graph/printed_graph.h"
#include <algorithm>
#include <string_view>
namespace dscope::graph {
namespace {
bool beginsGraph(std::string_view line)
{
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
    if (line.starts_with("strict")) line.remove_prefix(std::min(line.find_first_not_of(" \t", 6), line.size()));
    if (line.starts_with("di")) line.remove_prefix(2);
    if (!line.starts_with("graph")) return false;
    line.remove_prefix(5);
    const auto brace = line.find('{');
    return brace != line.npos && (brace == 0 || line.front() == ' ' || line.front() == '\t' || line.front() == '{');
}
} // namespace

bool printsGraph(const record::Program& program)
{
    for (const auto& clause : program.clauses)
        for (const auto& action : clause.actions)
            if (action.kind == record::ActionKind::Printf && beginsGraph(action.format)) return true;
    return false;
}
std::string graphIn(const std::string& printed)
{
    for (std::size_t at = 0; at < printed.size();) {
        const auto end = std::min(printed.find('\n', at), printed.size());
        if (beginsGraph(std::string_view(printed).substr(at, end - at))) {
            const auto last = printed.rfind('}');
            return last == std::string::npos || last < at ? printed.substr(at) : printed.substr(at, last + 1 - at);
        }
        at = end + 1;
    }
    return {};
}
} // namespace dscope::graph
