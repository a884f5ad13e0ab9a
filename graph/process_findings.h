#pragma once
#include "graph/processes.h"
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// What stands out, a sentence each, the worst first: crashes, commands that weren't there, failures, the same command
/// run again and again in one directory, the longest that had no children. At most `most`.
std::vector<std::string> findingsOf(
    std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, std::size_t most, Privacy privacy);
/// A process as sentences call it: its program and what tells it from others, "cc1 list.c".
std::string calledIn(const Process& process, Privacy privacy);
} // namespace dscope::graph
