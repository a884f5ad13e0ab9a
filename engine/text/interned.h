#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
namespace dscope::text {
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
    std::uint64_t word = 0;
    if (n > 0) std::memcpy(&word, p, n);
    return mixed((h ^ word) * 0xD6E8FEB86659FD93u);
}

/// Numbers for texts, from 0 in the order of their coming; each is kept once. Views of them last as long as this.
class Interned {
public:
    std::optional<std::uint32_t> find(std::string_view text) const
    {
        const auto number = m_table[place(text, hashOf(text))];
        return number ? std::optional(number - 1) : std::nullopt;
    }
    std::uint32_t of(std::string_view text); ///< gives it a number when it has none
    std::string_view text(std::uint32_t number) const { return m_all[number].text; }

private:
    struct Entry {
        std::string_view text;
        std::uint64_t hash;
    };
    /// Where the text stands in the table, or would.
    std::size_t place(std::string_view text, std::uint64_t hash) const
    {
        const auto mask = m_table.size() - 1;
        auto at = hash & mask;
        for (; m_table[at]; at = (at + 1) & mask) {
            const auto& e = m_all[m_table[at] - 1];
            if (e.hash == hash && e.text == text) break;
        }
        return at;
    }
    void grow();
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_used = 0, m_room = 0;
    std::vector<Entry> m_all;
    std::vector<std::uint32_t> m_table{0, 0, 0, 0}; ///< index into m_all and one, by hash; at least half of it 0
};
} // namespace dscope::text
