#pragma once
#include "engine/record/folded.h"
#include "graph/stacks.h"
#include <cstdint>
#include <memory>
#include <vector>
namespace dscope::graph {
/// Levels of text that a tree has: no page shows more, and a text may be one stack of millions.
constexpr std::uint32_t kDeepestText = 2'048;
/// Stacks of imported text, of which there are some: it is taken apart only where somebody looks, since it may be larger than any
/// tree of it should be. `all`: by measure; the first is shown.
std::shared_ptr<const Stacks> textStacks(const std::vector<record::FoldedStacks>& all, const Store& store);
} // namespace dscope::graph
