#pragma once
#include "graph/layouts/layered.h"
#include <functional>
#include <mutex>
#include <optional>
namespace dscope::graph {
/// Has `layOut` run in a process of its own, a copy of this one, because Graphviz can't be stopped in a thread: it is killed when
/// LayoutPatience says so. None where it was, where it crashed, or where it gave none. No other thread may be within Graphviz while this
/// one forks: `hold` is locked for that moment.
std::optional<Routed> apart(const std::function<std::optional<Routed>()>& layOut, std::mutex& hold);
} // namespace dscope::graph
