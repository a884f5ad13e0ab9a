#pragma once
#include "graph/process_family.h"
#include <string>
#include <vector>
namespace dscope::graph {
/// What stands out, a sentence each, the worst first: crashes, commands that weren't there, failures, the same command
/// run again and again in one directory, the longest that had no children where it took a quarter more than any other of them. At most
/// `most`.
std::vector<std::string> findingsOf(const Family& family, std::size_t most, Privacy privacy);
/// A process as sentences call it: its program and what tells it from others, "cc1 list.c".
std::string calledIn(const Process& process, Privacy privacy);
} // namespace dscope::graph
