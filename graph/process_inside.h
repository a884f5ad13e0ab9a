#pragma once
#include "graph/process_fold.h"
#include <string>
namespace dscope::graph {
/// What a folded node of a process tree stands for: a line a process, each below its parent and behind a tab for each level. Of a node
/// that is one process, what is below it. Empty when nothing is folded. At most kMostInside lines; a last one says how many are missing.
/// `children`: by process. Redacted: without arguments.
std::string insideOf(std::span<const Process> all, std::span<const std::vector<std::size_t>> children, const ShownProcess& node,
    std::int64_t now, Privacy privacy);
constexpr std::size_t kMostInside = 5'000;
} // namespace dscope::graph
