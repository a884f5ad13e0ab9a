#pragma once
#include "engine/record/record.h"
#include "graph/visual.h"
#include <vector>
namespace dscope::graph {
/// `kinds` in the order in which the views of `program` are offered: as they come, but the one that its option `view` names is first,
/// because it answers what the program asks. A name of none of them changes nothing.
std::vector<Kind> inOrderFor(const record::Program& program, std::vector<Kind> kinds);
} // namespace dscope::graph
