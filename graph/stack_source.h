#pragma once
#include "graph/stack_steps.h"
namespace dscope::graph {
/// Where the stacks of these aggregations come from, as far as the run tells.
StackSource stackSource(const Store& store, const StackAggregations& aggregations);
} // namespace dscope::graph
