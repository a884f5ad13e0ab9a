#pragma once
#include "engine/record/folded.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Counts stacks by their folded text, which it keeps once each: memory grows with different stacks, not with samples.
class StackCounts {
public:
    /// The stack that is written next: give its frames from the root, then add(). A ';' within a frame becomes ':'.
    void frame(std::string_view name);
    void simpleFrame(std::string_view name) ///< without a ';'
    {
        if (!m_open.empty()) m_open += ';';
        m_open += name;
    }
    void add(std::int64_t value);
    void forget() { m_open.clear(); } ///< the frames since the last add()
    bool empty() const { return m_entries.empty(); }
    /// Every stack once, in the order of bytes. The counts are empty afterwards.
    record::FoldedStacks take(std::string noun);

private:
    struct Entry {
        std::size_t block, offset;
        std::uint32_t size;
        std::uint64_t hash;
        std::int64_t value;
    };
    std::string_view textOf(const Entry& e) const { return {m_blocks[e.block].get() + e.offset, e.size}; }
    void grow();
    std::string m_open;
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_used = 0, m_room = 0;
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_table; ///< index into m_entries and one, by hash
};
} // namespace dscope::text
