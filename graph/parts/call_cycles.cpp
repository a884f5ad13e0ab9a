#include "graph/parts/call_cycles.h"
#include "graph/strong_components.h"
namespace dscope::graph {
CallCycles::CallCycles(std::size_t functions, std::span<const std::pair<std::size_t, std::size_t>> calls) : m_of(functions, 0)
{
    for (auto& members : strongComponents(functions, calls).nodes) {
        if (members.size() < 2) continue;
        for (const auto i : members)
            m_of[i] = m_cycles.size() + 1;
        m_cycles.push_back(std::move(members));
    }
}

std::size_t CallCycles::functions() const
{
    std::size_t sum = 0;
    for (const auto& members : m_cycles)
        sum += members.size();
    return sum;
}
} // namespace dscope::graph
