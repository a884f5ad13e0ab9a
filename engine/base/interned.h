#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
namespace dscope {
/// Of any bytes, quickly; the same in every run.
inline std::uint64_t hashOf(std::string_view bytes)
{
    const auto mixed = [](std::uint64_t h) { return h ^ (h >> 29); };
    std::uint64_t h = bytes.size() * 0x9E3779B97F4A7C15u;
    const char* p = bytes.data();
    std::size_t n = bytes.size();
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        h = mixed((h ^ word) * 0xD6E8FEB86659FD93u);
    }
    // The last 1 to 7 bytes are read as part of the 8 bytes that end with them, if there are 8: a short copy costs more than the hash.
    std::uint64_t word = 0;
    if (bytes.size() >= 8)
        std::memcpy(&word, p + n - 8, 8);
    else
        for (; n > 0; --n, ++p)
            word = word << 8 | static_cast<unsigned char>(*p);
    return mixed((h ^ word) * 0xD6E8FEB86659FD93u);
}

/// Numbers for texts, from 0 in the order of their coming; each is kept once. Views of them last as long as this.
class Interned {
public:
    std::optional<std::uint32_t> find(std::string_view text) const
    {
        const auto& slot = m_table[place(text, hashOf(text))];
        return slot.next ? std::optional(slot.next - 1) : std::nullopt;
    }
    std::uint32_t of(std::string_view text); ///< gives it a number when it has none
    std::string_view text(std::uint32_t number) const { return m_all[number]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_all.size()); }

private:
    struct Slot {
        std::uint32_t hash, next; ///< the number and one; 0 when it is free
    };

    /// The index of the text in the table, or the free one where it belongs.
    std::size_t place(std::string_view text, std::uint64_t hash) const
    {
        const auto mask = m_table.size() - 1;
        auto at = hash & mask;
        for (; m_table[at].next; at = (at + 1) & mask)
            if (m_table[at].hash == static_cast<std::uint32_t>(hash) && m_all[m_table[at].next - 1] == text) break;
        return at;
    }

    void grow();
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_used = 0, m_room = 0;
    std::vector<std::string_view> m_all;
    std::vector<Slot> m_table = std::vector<Slot>(4); ///< at least half of it free
};
} // namespace dscope
