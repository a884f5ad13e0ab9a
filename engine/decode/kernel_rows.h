#pragma once
#include "engine/decode/arithmetic.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>
namespace dscope::decode {
/// What the kernel's maps of one aggregation had when they were last read. Rows lie side by side, in the order of their first reading: tens
/// of thousands of them are read a second, and nearly all are those of the reading before.
class KernelRows {
public:
    using Row = std::uint32_t;
    explicit KernelRows(std::size_t words) : m_words(words) { }
    /// A reading begins: what is added from now on replaces what was there.
    void begin();
    /// A key, all of one length, and what one of the maps has of it.
    void add(ByteView key, const Total& total, const Arithmetic& arithmetic);
    /// The reading has ended: keys that it did not see are gone.
    void end();
    std::size_t size() const { return m_heads.size(); }
    std::optional<Row> find(ByteView key) const;
    ByteView key(Row row) const { return ByteView(m_keys).subspan(row * m_keySize, m_keySize); }
    std::uint64_t updates(Row row) const { return m_heads[row].updates; }
    /// Into memory that is used again.
    void total(Row row, Total& into) const;
    /// What is there of a key; nothing of one that is not.
    Total total(ByteView key) const;
    void removeIf(const std::function<bool(ByteView key)>& leaves);

private:
    static constexpr Row kNone = UINT32_MAX;
    struct Head {
        std::uint64_t updates = 0, reading = 0; ///< reading: the number of that which saw it last
    };
    std::span<std::int64_t> words(Row row) { return std::span(m_data).subspan(row * m_words, m_words); }
    std::size_t slotOf(ByteView key) const;
    Row rowOf(ByteView key);
    Row insert(ByteView key);
    void index(std::size_t slots);
    void keep(const std::function<bool(Row row)>& stays);

    std::size_t m_words, m_keySize = 0;
    std::uint64_t m_reading = 0;
    std::vector<Head> m_heads;
    std::vector<std::byte> m_keys;
    std::vector<std::int64_t> m_data;
    std::vector<Row> m_order;   ///< rows as the last reading came to them; one is there twice if two maps have it
    std::vector<Row> m_now;     ///< as this one does
    std::size_t m_expected = 0; ///< in m_order: what comes next
    std::vector<Row> m_slots;   ///< by hash of the key, the next free one where it is taken; a power of two of them, at most half in use
};
} // namespace dscope::decode
