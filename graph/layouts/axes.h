#pragma once
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// Round steps from 0 to the first at or above `most` (more than 0), about `wanted` of them; whole numbers only.
std::vector<double> countTicks(double most, int wanted);
/// Where labels `widths` px wide stand centred at `at` (ascending) without touching: every n-th of them, the smallest n
/// that leaves `gap` px between neighbours. Gives the indices kept.
std::vector<std::size_t> keptLabels(std::span<const double> at, std::span<const double> widths, double gap);
} // namespace dscope::graph
