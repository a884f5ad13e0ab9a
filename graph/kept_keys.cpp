#include "graph/kept_keys.h"
#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>
namespace dscope::graph {
ByteView KeptKeys::operator[](std::uint32_t number) const
{
    const auto from = number == 0 ? 0 : m_ends[number - 1];
    return ByteView(m_bytes).subspan(from, m_ends[number] - from);
}

/// Where the key is or would be.
std::size_t KeptKeys::slotOf(ByteView key) const
{
    const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
    auto slot = std::hash<std::string_view>()(text) & (m_slots.size() - 1);
    while (m_slots[slot] != kNone && !std::ranges::equal((*this)[m_slots[slot]], key))
        slot = (slot + 1) & (m_slots.size() - 1);
    return slot;
}

void KeptKeys::index(std::size_t slots)
{
    m_slots.assign(slots, kNone);
    for (std::uint32_t number = 0; number < m_ends.size(); ++number)
        m_slots[slotOf((*this)[number])] = number;
}

std::uint32_t KeptKeys::of(ByteView key)
{
    if (2 * (m_ends.size() + 1) > m_slots.size()) index(std::bit_ceil(4 * (m_ends.size() + 1)));
    auto& slot = m_slots[slotOf(key)];
    if (slot != kNone) return slot;
    slot = static_cast<std::uint32_t>(m_ends.size());
    m_bytes.insert(m_bytes.end(), key.begin(), key.end());
    m_ends.push_back(m_bytes.size());
    return slot;
}

std::vector<std::uint32_t> KeptKeys::keepOnly(const std::vector<bool>& stays)
{
    KeptKeys left;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(size());
    for (std::uint32_t number = 0; number < size(); ++number)
        numbers.push_back(stays[number] ? left.of((*this)[number]) : kNone);
    *this = std::move(left);
    return numbers;
}
} // namespace dscope::graph
