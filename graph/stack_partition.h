#pragma once
#include "engine/record/folded.h"
#include "graph/stack_tree.h"
#include <functional>
#include <span>
namespace dscope::graph {
/// The tree of folded stacks as far as somebody will see it: a frame that stands for less than `least` is not looked
/// into, and neighbours of that kind become one node with their number in StackNode::frames. So most bytes of a large
/// text are never read. `focus`: a path; outside of it and of what it lies on nothing is looked into. A tree that would have
/// more nodes than `most` is given up when it has one more.
StackTree partition(
    std::span<const record::FoldedStacks::Line> lines, std::int64_t least, std::string_view focus, std::size_t most = SIZE_MAX);
/// What a frame is, told by its name alone: "_[k]", "_[j]" at its end as perf's folders write it, else its module.
Shade shadeOfName(std::string_view frame);
/// The values of the lines that have a frame whose name passes `test`, each line once. `test` is asked once for each name.
std::int64_t matchedValue(
    std::span<const record::FoldedStacks::Line> lines, const std::function<bool(std::string_view name)>& test);
/// Frames by what the stacks that end in them sum up to, the most first; at most `most`.
std::vector<std::pair<std::string_view, std::int64_t>> leaves(std::span<const record::FoldedStacks::Line> lines, std::size_t most);
} // namespace dscope::graph
