#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Numbers for texts, from 0 in the order of their coming; each is kept once. Views of them last as long as this.
class Interned {
public:
    std::optional<std::uint32_t> find(std::string_view text) const;
    std::uint32_t of(std::string_view text); ///< gives it a number when it has none
    std::string_view text(std::uint32_t number) const { return m_all[number].text; }
    std::size_t size() const { return m_all.size(); }

private:
    struct Entry {
        std::string_view text;
        std::uint64_t hash;
    };
    std::size_t place(std::string_view text, std::uint64_t hash) const;
    void grow();
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_used = 0, m_room = 0;
    std::vector<Entry> m_all;
    std::vector<std::uint32_t> m_table{0, 0, 0, 0}; ///< index into m_all and one, by hash; at least half of it 0
};
/// Of any bytes, quickly; the same in every run.
std::uint64_t hashOf(std::string_view bytes);
} // namespace dscope::text
