#pragma once
#include "graph/parts/process_comparison.h"
#include "graph/process_family.h"
#include "graph/processes.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <optional>
namespace dscope::graph {
/// A fork: from the parent to the child.
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
inline Family familyOf(const Store& store)
{
    Family f;
    f.all = processesOf(store.processes());
    f.now = store.lastTime();
    const auto target = static_cast<std::uint32_t>(store.program().target);
    const auto root = std::find_if(f.all.begin(), f.all.end(), [&](const Process& p) { return target != 0 && p.pid == target; });
    if (root != f.all.end()) {
        f.root = static_cast<std::size_t>(root - f.all.begin());
        f.shown = descendants(processGraph(f.all), *f.root);
        f.path = criticalPath(f.all, f.shown, *f.root, f.now);
    } else {
        for (std::size_t i = 0; i < f.all.size(); ++i)
            f.shown.push_back(i);
    }
    f.command = store.program().command;
    if (f.command.empty() && f.root) f.command = f.all[*f.root].commandLine();
    return f;
}
/// What all others descend from: where other tools' text does not say which command it was about.
inline std::optional<std::size_t> onlyRoot(const Family& family)
{
    std::optional<std::size_t> root;
    for (const auto i : family.shown) {
        if (family.all[i].parent) continue;
        if (root) return std::nullopt;
        root = i;
    }
    return root;
}
/// Two runs, to be compared.
inline ComparedProcesses comparedProcesses(const Store& before, const Store& after, const ComparedProcesses::Titles& titles)
{
    auto was = familyOf(before), is = familyOf(after);
    ComparedProcesses out;
    out.titles = titles;
    out.command = is.command;
    out.program = is.root ? is.all[*is.root].name() : std::string();
    out.provenance = provenanceOfProcesses(after);
    for (auto* family : {&was, &is})
        if (!family->root) family->root = onlyRoot(*family);
    out.before = {std::move(was.all), std::move(was.shown), was.root, was.now};
    out.after = {std::move(is.all), std::move(is.shown), is.root, is.now};
    return out;
}
} // namespace dscope::graph
