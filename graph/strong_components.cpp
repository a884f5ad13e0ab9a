#include "graph/strong_components.h"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
namespace dscope::graph {
StrongComponents strongComponents(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges)
{
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    const Graph graph(edges.begin(), edges.end(), nodes);
    StrongComponents out;
    out.of.resize(nodes);
    const auto count
        = boost::strong_components(graph, boost::make_iterator_property_map(out.of.begin(), boost::get(boost::vertex_index, graph)));
    out.nodes.resize(count);
    for (std::size_t i = 0; i < nodes; ++i) {
        // Tarjan's algorithm finds a component after all that it leads to.
        out.of[i] = count - 1 - out.of[i];
        out.nodes[out.of[i]].push_back(i);
    }
    return out;
}
} // namespace dscope::graph
