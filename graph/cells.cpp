#include "graph/cells.h"
#include "engine/base/result.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr unsigned kBits = 7; // of a number in a byte; the eighth says that more follow
constexpr std::uint64_t kMore = 1U << kBits;

// Small numbers of either sign become small ones without.
std::uint64_t folded(std::int64_t n) { return static_cast<std::uint64_t>(n) << 1U ^ static_cast<std::uint64_t>(n >> 63); }
std::int64_t unfolded(std::uint64_t n) { return static_cast<std::int64_t>(n >> 1U ^ (0 - (n & 1U))); }
} // namespace

void Cells::put(std::uint64_t number)
{
    for (; number >= kMore; number >>= kBits)
        m_bytes.push_back(static_cast<std::uint8_t>(number | kMore));
    m_bytes.push_back(static_cast<std::uint8_t>(number));
}

void Cells::add(std::uint32_t key, const record::AggregationData& data)
{
    DSCOPE_ASSERT(m_size == 0 || key > m_last);
    put(key - m_last - 1);
    put(data.size());
    for (const auto value : data)
        put(folded(value));
    m_last = key;
    ++m_size;
}

std::uint64_t Cells::Iterator::number()
{
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += kBits) {
        const auto byte = *m_at++;
        number |= (byte & (kMore - 1)) << shift;
        if (byte < kMore) return number;
    }
}

void Cells::Iterator::read()
{
    m_isOver = m_at == m_end;
    if (m_isOver) return;
    m_key += static_cast<std::uint32_t>(number()) + 1;
    m_data.resize(number());
    for (auto& value : m_data)
        value = unfolded(number());
}

record::AggregationData Cells::at(std::uint32_t key) const
{
    for (const auto& [each, data] : *this)
        if (each == key) return data;
    DSCOPE_ASSERT(false);
    return {};
}

Cells Cells::merged(record::Aggregator function, const Cells& a, const Cells& b)
{
    Cells out;
    out.m_bytes.reserve(std::max(a.m_bytes.size(), b.m_bytes.size()));
    auto one = a.begin(), other = b.begin();
    record::AggregationData both;
    while (one != end() || other != end()) {
        const bool isOne = one != end() && (!(other != end()) || (*one).key <= (*other).key);
        const bool isOther = other != end() && (!(one != end()) || (*other).key <= (*one).key);
        if (isOne && isOther) {
            both = (*one).data;
            record::addData(function, both, (*other).data);
        }
        const auto& data = isOne && isOther ? both : isOne ? (*one).data : (*other).data;
        out.add(isOne ? (*one).key : (*other).key, data);
        if (isOne) ++one;
        if (isOther) ++other;
    }
    out.shrinkToFit();
    return out;
}
} // namespace dscope::graph
