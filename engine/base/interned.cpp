#include "engine/base/interned.h"
#include <algorithm>
#include <cstring>
#include <utility>
namespace dscope {
namespace {
constexpr std::size_t kFirstBlock = 512, kMostBlock = std::size_t{64} << 10; // most are small, and there are many of them
constexpr std::size_t kFirstSlots = 32;
} // namespace

std::uint32_t Interned::of(std::string_view text)
{
    const auto hash = hashOf(text);
    auto at = place(text, hash);
    if (m_table[at].next) return m_table[at].next - 1;
    if (2 * (m_all.size() + 1) > m_table.size()) {
        grow();
        at = place(text, hash);
    }
    if (m_used + text.size() > m_room) {
        m_room = std::max(std::clamp(2 * m_room, kFirstBlock, kMostBlock), text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_room));
        m_used = 0;
    }
    char* kept = m_blocks.empty() ? nullptr : m_blocks.back().get() + m_used;
    if (!text.empty()) std::memcpy(kept, text.data(), text.size());
    m_used += text.size();
    m_all.emplace_back(kept, text.size());
    m_table[at] = {static_cast<std::uint32_t>(hash), size()};
    return size() - 1;
}

void Interned::grow()
{
    const auto before = std::exchange(m_table, std::vector<Slot>(std::max(kFirstSlots, 2 * m_table.size())));
    const auto mask = m_table.size() - 1;
    for (const auto& slot : before) {
        if (!slot.next) continue;
        auto at = slot.hash & mask;
        while (m_table[at].next)
            at = (at + 1) & mask;
        m_table[at] = slot;
    }
}
} // namespace dscope
