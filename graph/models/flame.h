#pragma once
#include "graph/visual.h"
#include <memory>
namespace dscope::graph {
class Store;
inline constexpr ViewFacts kFlameFacts{.name = "flame",
    .tab = "Flame graph",
    .summary = "stacks as a flame graph: width is how often, height is how deep",
    .growth = Growth::Up,
    .hasFocus = true};
inline constexpr ViewFacts kIcicleFacts{.name = "icicle",
    .tab = "Icicle",
    .summary = "the same stacks from the root at the top downwards",
    .growth = Growth::Down,
    .hasFocus = true};
/// Stacks as bars, as wide as they are frequent: from the root at the bottom upwards, or, as icicles, from the top downwards.
std::unique_ptr<Visual> makeStacks(const Store& store, bool isIcicle);
/// What changed between two runs, likewise.
std::unique_ptr<Visual> makeStacks(const Store& before, const Store& after, bool isIcicle);
} // namespace dscope::graph
