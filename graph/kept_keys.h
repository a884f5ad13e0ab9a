#pragma once
#include "engine/base/bytes.h"
#include <cstddef>
#include <cstdint>
#include <vector>
namespace dscope::graph {
/// Numbers for the keys of an aggregation, from 0 in the order of their coming; each is kept once, its bytes behind those of the one
/// before.
class KeptKeys {
public:
    /// Gives it a number when it has none.
    std::uint32_t of(ByteView key);
    /// Valid until the next of() or keepOnly().
    ByteView operator[](std::uint32_t number) const;
    std::size_t size() const { return m_ends.size(); }
    std::size_t bytes() const
    {
        return m_bytes.capacity() + m_ends.capacity() * sizeof(m_ends[0]) + m_slots.capacity() * sizeof(m_slots[0]);
    }
    /// Forgets the others. Gives the new number of each, kNone for those that are gone; the order stays.
    std::vector<std::uint32_t> keepOnly(const std::vector<bool>& stays);
    static constexpr std::uint32_t kNone = UINT32_MAX;

private:
    std::size_t slotOf(ByteView key) const;
    void index(std::size_t slots);
    Bytes m_bytes;
    std::vector<std::size_t> m_ends;    ///< of each key
    std::vector<std::uint32_t> m_slots; ///< a power of two, at least half of it free: kNone
};
} // namespace dscope::graph
