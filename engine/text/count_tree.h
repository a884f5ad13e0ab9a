#pragma once
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <vector>
namespace dscope::text {
/// A tree of calls that a text shows by how far its lines are set to the right, each with the samples in it and in what it calls.
/// What a line has itself is what its children leave.
class CountTree {
public:
    explicit CountTree(StackCounts& stacks) : m_stacks(stacks) { }

    /// The next line: a child of the last one that is further to the left. False, and it is left out: it is too deep.
    bool add(std::size_t column, std::uint32_t frame, std::int64_t count)
    {
        while (!m_open.empty() && m_open.back().column >= column)
            close();
        if (m_open.size() >= kDeepest) return false;
        if (!m_open.empty() && __builtin_add_overflow(m_open.back().ofChildren, count, &m_open.back().ofChildren))
            m_open.back().ofChildren = INT64_MAX;
        m_open.push_back({column, frame, count, 0});
        return true;
    }

    /// What follows belongs to another tree.
    void end()
    {
        while (!m_open.empty())
            close();
    }
    /// Lines whose children have more than they: what they have themselves is not known.
    std::size_t wrong() const { return m_wrong; }

private:
    struct Node {
        std::size_t column;
        std::uint32_t frame;
        std::int64_t count, ofChildren;
    };

    void close()
    {
        const auto own = m_open.back().count - m_open.back().ofChildren; // neither is negative
        if (own < 0) ++m_wrong;
        if (own > 0) {
            for (const auto& node : m_open)
                m_stacks.frame(node.frame);
            m_stacks.add(own);
        }
        m_open.pop_back();
    }

    static constexpr std::size_t kDeepest = 4096; ///< lines within each other: who writes deeper ones by hand asks for their square
    StackCounts& m_stacks;
    std::vector<Node> m_open;
    std::size_t m_wrong = 0;
};
} // namespace dscope::text
