#include "graph/view_order.h"
#include <algorithm>
namespace dscope::graph {
std::vector<Kind> inOrderFor(const record::Program& program, std::vector<Kind> kinds)
{
    const auto option = program.options.find("view");
    if (option != program.options.end())
        std::stable_partition(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == option->second; });
    return kinds;
}
} // namespace dscope::graph
