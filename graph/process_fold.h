#pragma once
#include "graph/processes.h"
#include <cstddef>
#include <span>
#include <vector>
namespace dscope::graph {
/// A node of a process tree as it is shown: one process, several equal ones, or what had no room.
struct ShownProcess {
    std::vector<std::size_t> members;                  ///< processes it stands for; of a rest: all of them
    std::size_t parent = static_cast<std::size_t>(-1); ///< index of the shown parent
    std::int64_t duration = 0;                         ///< ns, of all members
    std::size_t below = 0;                             ///< descendants that are not shown
    bool rest = false;                                 ///< "… 87 more"
    std::size_t onPath = 0;                            ///< members on the critical path (FoldLimits::path)
    bool critical = false;                             ///< those took at least half of its duration
};
/// How much of a process tree is shown.
struct FoldLimits {
    std::size_t children = 12;                        ///< a node with more shows the longest of them, one fewer than this, and a rest
    std::size_t rows = static_cast<std::size_t>(-1);  ///< most leaves in all
    std::size_t depth = static_cast<std::size_t>(-1); ///< most levels
    std::vector<std::size_t> path;                    ///< processes of the critical path, ascending
};
constexpr std::size_t kFoldFrom = 3; ///< siblings that must be equal to be folded
/// The forest below `roots`, folded: siblings equal in program, shape of subtree and kind of end become one; what
/// fails stays apart from what succeeds, and steps of the critical path that matter from what is not on it (keptApart()). Where
/// rows are few the dearest are opened first. A parent comes before its children, siblings stand in the order of their start.
/// `shown` says which processes take part.
std::vector<ShownProcess> foldProcesses(
    std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, const FoldLimits& limits);
/// Processes of the critical path that fold only with one another, ascending: those that took a twentieth of it together with
/// the equal ones on it. A shorter step is on the path or not by chance, and would split a fold for nothing.
std::vector<std::size_t> keptApart(
    std::span<const Process> all, std::span<const std::size_t> shown, std::span<const std::size_t> path, std::int64_t now);
/// Which subtrees are equal: most of a fold's work, the same for all limits that keep the same processes `apart`. Those of `alone`
/// (ascending) are equal to none.
struct ProcessClasses {
    ProcessClasses(std::span<const Process> all, std::span<const std::size_t> shown, std::span<const std::size_t> apart,
        std::span<const std::size_t> alone = {});
    std::vector<std::vector<std::size_t>> children;
    std::vector<std::size_t> classes, below, roots; ///< by process: its class, how many it has below it; the roots
};
std::vector<ShownProcess> foldProcesses(
    std::span<const Process> all, const ProcessClasses& classes, std::int64_t now, const FoldLimits& limits);
std::size_t leavesOf(std::span<const ShownProcess> nodes);
std::size_t levelsOf(std::span<const ShownProcess> nodes);
} // namespace dscope::graph
