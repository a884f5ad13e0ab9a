#include "graph/layouts/layers.h"
#include "graph/strong_components.h"
#include <algorithm>
#include <limits>
namespace dscope::graph {
namespace {
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class Layers {
public:
    Layers(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges)
        : m_components(strongComponents(nodes, edges)), m_out(nodes), m_least(nodes, 0), m_layer(nodes, kNone), m_isEntered(nodes, false)
    {
        for (const auto& [from, to] : edges)
            m_out[from].push_back(to);
    }

    std::vector<std::size_t> find()
    {
        for (const auto& members : m_components.nodes)
            place(members);
        return std::move(m_layer);
    }

private:
    /// Gives layers to a component, once all that lead to it have theirs.
    void place(const std::vector<std::size_t>& members)
    {
        std::size_t first = 0;
        std::vector<std::size_t> wave;
        for (const auto i : members) {
            first = std::max(first, m_least[i]);
            if (m_isEntered[i]) wave.push_back(i);
        }
        if (wave.empty()) wave.push_back(members.front());
        for (const auto i : wave)
            m_layer[i] = first;
        for (std::size_t at = 0; at < wave.size(); ++at)
            for (const auto to : m_out[wave[at]])
                if (m_components.of[to] == m_components.of[wave[at]] && m_layer[to] == kNone) {
                    m_layer[to] = m_layer[wave[at]] + 1;
                    wave.push_back(to);
                }
        for (const auto i : members)
            for (const auto to : m_out[i])
                if (m_components.of[to] != m_components.of[i]) {
                    m_least[to] = std::max(m_least[to], m_layer[i] + 1);
                    m_isEntered[to] = true;
                }
    }

    StrongComponents m_components;
    std::vector<std::vector<std::size_t>> m_out;
    std::vector<std::size_t> m_least; ///< by node: no layer before this one
    std::vector<std::size_t> m_layer;
    std::vector<bool> m_isEntered; ///< from another component
};
} // namespace

std::vector<std::size_t> layersOf(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges)
{
    return Layers(nodes, edges).find();
}
} // namespace dscope::graph
