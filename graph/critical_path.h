#pragma once
#include "graph/processes.h"
#include <span>
#include <vector>
namespace dscope::graph {
/// The chain of processes that decided how long the root ran.
struct CriticalPath {
    std::vector<std::size_t> processes; ///< ascending; the root among them; empty when nothing was waited for
    std::int64_t covered = 0;           ///< ns of the root's time in which one of its children on the path ran
    bool has(std::size_t process) const;
};
/// The chain of waits that decided when `root` ended: back from its end, always the child that ended last before, then
/// from that child's start on; the same within each. However short a child is, it is part of the chain: a script is a row of short ones.
CriticalPath criticalPath(std::span<const Process> all, std::span<const std::size_t> shown, std::size_t root, std::int64_t now);
} // namespace dscope::graph
