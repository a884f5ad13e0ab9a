#pragma once
#include "graph/processes.h"
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
namespace dscope::graph {
struct ForkEdge {
    bool waitedFor = false;
};
/// Who forked whom. Vertices are indices of processes; an edge leads from the parent to the child.
using ProcessGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, ForkEdge>;

inline ProcessGraph processGraph(const std::vector<Process>& processes)
{
    ProcessGraph graph(processes.size());
    for (std::size_t i = 0; i < processes.size(); ++i)
        if (processes[i].parent) boost::add_edge(*processes[i].parent, i, ForkEdge{processes[i].waitedFor}, graph);
    return graph;
}
/// `root` and everything below it, in the order of the processes.
inline std::vector<std::size_t> descendants(const ProcessGraph& graph, std::size_t root)
{
    struct Collect : boost::default_bfs_visitor {
        explicit Collect(std::vector<std::size_t>& found) : into(&found) { }
        void discover_vertex(std::size_t vertex, const ProcessGraph&) const { into->push_back(vertex); }
        std::vector<std::size_t>* into;
    };
    std::vector<std::size_t> found;
    boost::breadth_first_search(graph, root, boost::visitor(Collect(found)));
    std::sort(found.begin(), found.end());
    return found;
}
} // namespace dscope::graph
