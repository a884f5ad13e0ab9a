#pragma once
#include "engine/record/folded.h"
#include "graph/stack_tree.h"
#include <functional>
#include <memory>
#include <span>
/// Folded text as a tree, as far as somebody looks at it. graph::Stacks reads text with this; nothing else does.
namespace dscope::graph {
/// What of a text becomes a tree.
struct PartitionLimits {
    std::int64_t least = 0;           ///< a frame that stands for less is not looked into
    std::size_t nodes = SIZE_MAX;     ///< a tree that would have more is given up when it has one more
    std::uint32_t depth = UINT32_MAX; ///< levels below the root; what lies deeper counts where it was cut
};
/// The tree of folded stacks. Neighbours that are not looked into become one node with their number in StackNode::frames, so
/// most bytes of a large text are never read. `focus`: a path; outside of it and of what it lies on nothing is looked into.
StackTree partition(
    std::span<const record::FoldedLines::Line> lines, const PartitionLimits& limits, std::span<const std::string_view> focus = {});
/// The tree of folded stacks, for looks from nearer and nearer: what a look has found stays, so that the next one reads only what it sees
/// more. For one thread at a time; the lines outlive it.
class GrowingTree {
public:
    /// `depth`: as PartitionLimits::depth.
    GrowingTree(std::span<const record::FoldedLines::Line> lines, std::uint32_t depth);
    ~GrowingTree();
    GrowingTree(const GrowingTree&) = delete;
    GrowingTree& operator=(const GrowingTree&) = delete;
    /// A stretch of what is in focus, in parts of its width.
    struct Window {
        double from = 0, to = 1;
    };
    /// What partition() gives with these limits. What is in focus and lies outside of the window is not looked into; of it and what is
    /// within, neighbours never become one node.
    StackTree seen(std::int64_t least, std::span<const std::string_view> focus = {}, const Window& window = {0, 1});
    /// As totalBelow().
    std::int64_t total(std::span<const std::string_view> path);
    std::size_t size() const; ///< nodes that were found so far: some 70 bytes each, and 16 a line

private:
    struct Kept;
    struct Parts;
    std::span<const Kept> below(std::uint32_t node, std::uint32_t depth);
    std::uint32_t m_depth;
    std::unique_ptr<Parts> m_parts;
};
/// Whether a frame that is spelled `word` is called `name`, with the mark of its kind or without.
bool isCalled(std::string_view word, std::string_view name);
/// What the stacks that begin with `path` sum up to.
std::int64_t totalBelow(std::span<const record::FoldedLines::Line> lines, std::span<const std::string_view> path);
/// The values of the lines that have a frame whose name passes `test`, each line once. `test` is asked once for each spelling.
std::int64_t matchedValue(std::span<const record::FoldedLines::Line> lines, const std::function<bool(std::string_view name)>& test);
/// Frames by what the stacks that end in them sum up to, the most first; at most `most`.
std::vector<std::pair<std::string_view, std::int64_t>> leaves(std::span<const record::FoldedLines::Line> lines, std::size_t most);
} // namespace dscope::graph
