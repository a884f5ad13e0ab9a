#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Which functions of a call graph call each other in a circle. One that only calls itself is in none.
class CallCycles {
public:
    CallCycles(std::size_t functions, std::span<const std::pair<std::size_t, std::size_t>> calls);
    std::size_t size() const { return m_cycles.size(); }
    std::size_t functions() const; ///< in any of them
    /// The number of a function's cycle, from 1; 0: it is in none.
    std::size_t of(std::size_t function) const { return m_of[function]; }
    /// Whether a call stays within a cycle: one of those that close it.
    bool has(const std::pair<std::size_t, std::size_t>& call) const { return of(call.first) != 0 && of(call.first) == of(call.second); }
    /// The functions of a cycle; ascending.
    const std::vector<std::size_t>& members(std::size_t number) const { return m_cycles[number - 1]; }

private:
    std::vector<std::vector<std::size_t>> m_cycles;
    std::vector<std::size_t> m_of;
};
} // namespace dscope::graph
