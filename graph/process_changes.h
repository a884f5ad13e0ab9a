#pragma once
#include "graph/privacy.h"
#include "graph/processes.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// The processes of a run that a figure is about.
struct ProcessRun {
    std::vector<Process> all;
    std::vector<std::size_t> shown; ///< ascending
    std::optional<std::size_t> root;
    std::int64_t now = 0;           ///< when the run ended
    bool hasTimes() const { return all.empty() || all.front().hasTimes; } ///< all have, or none has
    std::int64_t whole() const { return root ? all[*root].duration(now) : 0; }
};
/// Of each process how long it decided when the root ended, ns: back from the end, always the child that ended last before, within it
/// likewise; what no child took is the process's own. Together they are the root's time. Empty without a root.
std::vector<std::int64_t> decidedTimes(const ProcessRun& run);
/// What one kind of process decided in two runs, or how long all of the kind ran.
struct ProcessChange {
    std::string name;                                        ///< printable
    std::string program;                                     ///< the same without arguments
    std::size_t parent = static_cast<std::size_t>(-1);       ///< of a tree: index of the kind that started it
    std::int64_t before = 0, after = 0;                      ///< ns
    std::size_t countBefore = 0, countAfter = 0;
    std::size_t failedBefore = 0, failedAfter = 0;
    std::int64_t difference() const { return after - before; }
};
/// By program and what tells it from others, "cc1 list.c": decidedTimes() of both runs, the largest difference first.
std::vector<ProcessChange> decidedChanges(const ProcessRun& before, const ProcessRun& after, Privacy privacy);
/// The trees of both runs as one: processes of the same program below the same kind are a kind. A parent comes before its children; they
/// stand in the order in which the later run started them, then those of the earlier one.
std::vector<ProcessChange> treeChanges(const ProcessRun& before, const ProcessRun& after);
} // namespace dscope::graph
