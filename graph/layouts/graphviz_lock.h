#pragma once
#include <mutex>
namespace dscope::graph {
/// Held while Graphviz is called: its state is global, so its lock must be.
std::mutex& graphvizLock();
} // namespace dscope::graph
