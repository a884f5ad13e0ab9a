#pragma once
#include "engine/record/aggregation_data.h"
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>
namespace dscope::graph {
/// Data of rows by the numbers of their keys, packed: of a row that grew by little, three bytes. Read from the first to the last.
class Cells {
public:
    struct Cell {
        std::uint32_t key;
        const record::AggregationData& data; ///< valid until the iterator moves
    };
    class Iterator {
    public:
        explicit Iterator(const Cells& of) : m_at(of.m_bytes.data()), m_end(m_at + of.m_bytes.size()) { read(); }
        Cell operator*() const { return {m_key, m_data}; }
        Iterator& operator++()
        {
            read();
            return *this;
        }
        bool operator==(std::default_sentinel_t) const { return m_isOver; }

    private:
        void read();
        std::uint64_t number();
        const std::uint8_t *m_at, *m_end;
        std::uint32_t m_key = UINT32_MAX; ///< so that the first is 1 more
        record::AggregationData m_data;
        bool m_isOver = false;
    };
    /// Keys come in ascending order, each once.
    void add(std::uint32_t key, const record::AggregationData& data);
    Iterator begin() const { return Iterator(*this); }
    static std::default_sentinel_t end() { return {}; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    std::size_t bytes() const { return m_bytes.capacity(); } ///< of memory
    void shrinkToFit() { m_bytes.shrink_to_fit(); }
    /// Of a key that is there.
    record::AggregationData at(std::uint32_t key) const;
    /// Both as if what they hold had come in together.
    static Cells merged(record::Aggregator function, const Cells& a, const Cells& b);

private:
    void put(std::uint64_t number);
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_size = 0;
    std::uint32_t m_last = UINT32_MAX;
};
} // namespace dscope::graph
