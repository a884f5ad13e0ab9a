#pragma once
#include "graph/critical_path.h"
#include "graph/processes.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// The processes of a stream, and which of them a figure is about: the command's and all below it, or all there are.
struct Family {
    std::vector<Process> all;
    std::int64_t now = 0; ///< when the stream ended
    std::optional<std::size_t> root;
    std::vector<std::size_t> shown; ///< ascending
    CriticalPath path;
    std::string command; ///< the root's, as it was given or as it ran
};
} // namespace dscope::graph
