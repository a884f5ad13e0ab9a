#pragma once
#include "engine/record/record.h"
#include "graph/stacks.h"
#include <memory>
#include <vector>
namespace dscope::graph {
/// Stacks that another tool counted, of which there are some. `all`: by measure; the first is shown.
std::shared_ptr<const Stacks> importedStacks(const std::vector<record::CountedStacks>& all, const Store& store);
} // namespace dscope::graph
