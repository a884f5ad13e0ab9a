#pragma once
#include "graph/stacks.h"
#include "graph/visual.h"
#include <memory>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Stacks as rows that open: from the roots down to what each function calls, or from each function up to who calls it. Rows are made
/// when somebody opens the row above them, so the largest run costs what is looked at. For one thread.
class CostTree {
public:
    enum class From : std::uint8_t {
        Roots,     ///< top down: below a function what it calls
        Functions, ///< bottom up: below a function who calls it
    };
    struct Row {
        std::uint32_t frame = 0;  ///< index into StackTree::frames
        std::uint32_t parent = 0; ///< the row that it is below; 0: the top
        std::uint32_t level = 0;  ///< from 1
        /// Of the function on this path by itself, and with all that it calls. Bottom up they are those of the function that the path
        /// begins with, as far as it was called this way; calls within one another count once.
        std::int64_t self = 0, total = 0;
    };
    static constexpr std::uint32_t kTop = 0; ///< what the first rows are below

    /// `test`: top down only the ways to functions whose names pass it, and what is below them; bottom up only such functions. Empty: all.
    CostTree(std::shared_ptr<const StackTree> stacks, From from, const NameTest& test = {});
    const Row& operator[](std::uint32_t row) const { return m_rows[row].row; }
    std::string_view nameOf(std::uint32_t row) const { return m_stacks->frames[m_rows[row].row.frame].shown(); }
    /// The rows below one, the most in all first.
    const std::vector<std::uint32_t>& below(std::uint32_t row);
    bool hasBelow(std::uint32_t row) const;
    std::int64_t whole() const { return m_stacks->nodes.front().total; }
    const StackTree& stacks() const { return *m_stacks; }

private:
    struct Place {
        std::uint32_t function = 0; ///< a node of the stacks: the row's costs are those of these
        std::uint32_t at = 0;       ///< a node: the frame that the row names
    };
    struct Kept {
        Row row;
        std::vector<Place> places; ///< in the order of the functions
        std::vector<std::uint32_t> below;
        bool isOpen = false;
    };
    void keepOnly(const NameTest& test);
    bool isLeftOut(std::uint32_t node) const { return !m_keeps.empty() && !m_keeps[node]; }
    void addBelow(std::uint32_t row, std::vector<std::pair<std::uint32_t, Place>> named);
    std::shared_ptr<const StackTree> m_stacks;
    From m_from;
    std::vector<Kept> m_rows;
    std::vector<bool> m_keeps; ///< by node: whether it has a row; empty: all have
};

/// All rows of a tree, each behind the one that it is below: level, function, self and total with their shares. At most `most` rows;
/// `isAll` tells whether there were no more.
Table tableOf(CostTree& tree, const StackMeasure& measure, std::size_t most, bool& isAll);
/// What each combination of the stacks' other keys (StackSource::keys: process, thread) took, the most first, and the function that took
/// the most by itself in it. No columns where the stacks have no other keys.
Table costsByKey(const Stacks& stacks);
/// What each line of source took by itself and with what it calls, the most by itself first. No columns where no stack has lines.
Table costsByLine(const Stacks& stacks);
} // namespace dscope::graph
