#pragma once
#include "graph/visual.h"
#include <memory>
namespace dscope::graph {
class Store;
inline constexpr ViewFacts kFlameFacts{.name = "flame",
    .tab = "Flame graph",
    .summary = "stacks as a flame graph: width is how often, height is how deep",
    .growth = Growth::Up,
    .hasFocus = true,
    .zoomsAlong = true,
    .heeds = {.amounts = Heeds::Amounts::Stacks}};
inline constexpr ViewFacts kIcicleFacts{.name = "icicle",
    .tab = "Icicle",
    .summary = "the same stacks from the root at the top downwards",
    .growth = Growth::Down,
    .hasFocus = true,
    .zoomsAlong = true,
    .repeats = true,
    .heeds = {.amounts = Heeds::Amounts::Stacks}};
/// Stacks as bars, as wide as they are frequent, in the direction that `facts` say: kFlameFacts or kIcicleFacts.
std::unique_ptr<Visual> makeStacks(const Store& store, const ViewFacts& facts);
/// What changed between two runs, likewise.
std::unique_ptr<Visual> makeStacks(const Store& before, const Store& after, const ViewFacts& facts);
} // namespace dscope::graph
