#pragma once
#include "engine/record/record.h"
#include "graph/history.h"
#include <cstdint>
#include <span>
#include <vector>
namespace dscope::graph {
/// Sums `parts` up by their keys of number `by` into `rows`, and gives the history what came in when. Returns when the last did, ns.
std::int64_t giveParts(std::span<const record::StackParts::Part> parts, std::size_t by, std::int64_t started, History& history,
    std::vector<record::AggregationRow>& rows);
/// The stacks as if only these parts of them had been sampled. They share the tables of `all`.
std::vector<record::CountedStacks> stacksOfParts(
    const std::vector<record::CountedStacks>& all, std::span<const record::StackParts::Part> parts);
} // namespace dscope::graph
