#pragma once
#include "engine/record/record.h"
#include "graph/visual.h"
#include <memory>
namespace dscope::graph {
class Store;
/// Stacks as bars, as wide as they are frequent: from the root at the bottom upwards, or, as icicles, from the top downwards.
std::unique_ptr<Visual> makeStacks(const Store& store, bool isIcicle);
/// What changed between two runs, likewise.
std::unique_ptr<Visual> makeStacks(const Store& before, const Store& after, bool isIcicle);
/// Whether a program counts or sums up by stack, or the text was made of stacks.
bool hasStacks(const Store& store);
bool sumsUpStacks(const record::Aggregation& aggregation);
} // namespace dscope::graph
