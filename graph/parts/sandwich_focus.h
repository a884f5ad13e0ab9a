#pragma once
#include "graph/stacks.h"
#include <cstdint>
#include <optional>
#include <span>
namespace dscope::graph {
/// Which function a sandwich has in its middle where nobody names one: one that has something to show on both sides. Of `functions`
/// (numbers in `frames`) that have a known name, callers, and callees that take a quarter of what the function does or more
/// 1. the one to which most comes by other callers than its main one, if that is a twentieth of everything or more: a flame graph
///    shows these calls in several places, a sandwich in one;
/// 2. else the one that takes most by itself;
/// 3. of those that take the same, the one with most in other callees than its main one.
/// Where a probe is at a certain place (ImpliedFrames::isPlaced()) it is what most stacks come to before the frames that it implies.
/// None where no function has both. A stack counts once, at the outermost call of a function. Of equals the first is taken.
std::optional<std::uint32_t> mostTelling(const Stacks& stacks, Frames& frames, std::span<const std::uint32_t> functions);
} // namespace dscope::graph
