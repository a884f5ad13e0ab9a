#pragma once
#include "engine/record/folded.h"
#include "engine/text/interned.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Counts stacks by their frames, which it keeps once each: memory grows with different stacks, not with samples.
class StackCounts {
public:
    /// The stack that is written next: give its frames from the root, then add(). A ';' within a frame becomes ':'.
    void frame(std::string_view name) { frame(numberOf(name)); }
    void frame(std::uint32_t number) { m_open.push_back(number); }
    /// Of a frame that comes again and again: its number, for frame().
    std::uint32_t numberOf(std::string_view name);
    /// Samples without any frame are counted under "[no stack]".
    void add(std::int64_t value);
    bool empty() const { return m_entries.empty(); }
    /// Every stack once, in the order of bytes. The counts are empty afterwards.
    record::FoldedStacks take(std::string noun);

private:
    struct Entry {
        std::size_t first, count; ///< of m_frames
        std::uint64_t hash;
        std::int64_t value;
    };
    void grow();
    Interned m_names;
    std::vector<std::uint32_t> m_open;
    std::vector<std::uint32_t> m_frames; ///< of all stacks
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_table; ///< index into m_entries and one, by hash
};
} // namespace dscope::text
