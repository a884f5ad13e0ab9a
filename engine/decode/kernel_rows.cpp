#include "engine/decode/kernel_rows.h"
#include "engine/base/result.h"
#include <algorithm>
#include <bit>
#include <string_view>
namespace dscope::decode {
void KernelRows::begin()
{
    ++m_reading;
    m_now.clear();
    m_expected = 0;
}

void KernelRows::add(ByteView key, const Total& total, const Arithmetic& arithmetic)
{
    const auto row = rowOf(key);
    m_now.push_back(row);
    auto& head = m_heads[row];
    const auto own = words(row);
    if (head.reading != m_reading) {
        head.updates = total.updates;
        head.reading = m_reading;
        std::ranges::copy(total.words, own.begin());
        return;
    }
    Total both;
    this->total(row, both);
    arithmetic.add(both, total);
    head.updates = both.updates;
    std::ranges::copy(both.words, own.begin());
}

/// A map gives its keys in the same order again: nearly always it is the one that is expected, and nothing is looked for. New ones come in
/// between, and some go.
KernelRows::Row KernelRows::rowOf(ByteView key)
{
    constexpr std::size_t kAhead = 8;
    if (m_expected < m_order.size() && std::ranges::equal(this->key(m_order[m_expected]), key)) return m_order[m_expected++];
    const auto row = insert(key);
    for (auto at = m_expected; at < std::min(m_order.size(), m_expected + kAhead); ++at)
        if (m_order[at] == row) m_expected = at + 1;
    return row;
}

void KernelRows::end()
{
    std::swap(m_order, m_now);
    const auto isSeen = [this](Row row) { return m_heads[row].reading == m_reading; };
    for (Row row = 0; row < m_heads.size(); ++row)
        if (!isSeen(row)) return keep(isSeen);
}

std::optional<KernelRows::Row> KernelRows::find(ByteView key) const
{
    if (m_slots.empty() || key.size() != m_keySize) return {};
    const auto row = m_slots[slotOf(key)];
    return row == kNone ? std::nullopt : std::optional(row);
}

void KernelRows::total(Row row, Total& into) const
{
    into.updates = m_heads[row].updates;
    const auto from = m_data.begin() + static_cast<std::ptrdiff_t>(row * m_words);
    into.words.assign(from, from + static_cast<std::ptrdiff_t>(m_words));
}

Total KernelRows::total(ByteView key) const
{
    Total found;
    if (const auto row = find(key)) total(*row, found);
    return found;
}

void KernelRows::removeIf(const std::function<bool(ByteView)>& leaves)
{
    keep([&](Row row) { return !leaves(key(row)); });
}

/// Where the key is or would be.
std::size_t KernelRows::slotOf(ByteView key) const
{
    const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
    auto slot = std::hash<std::string_view>()(text) & (m_slots.size() - 1);
    while (m_slots[slot] != kNone && !std::ranges::equal(this->key(m_slots[slot]), key))
        slot = (slot + 1) & (m_slots.size() - 1);
    return slot;
}

/// The row of the key, which is made where there is none.
KernelRows::Row KernelRows::insert(ByteView key)
{
    if (m_heads.empty()) m_keySize = key.size();
    DSCOPE_ASSERT(key.size() == m_keySize);
    if (2 * (m_heads.size() + 1) > m_slots.size()) index(std::bit_ceil(4 * (m_heads.size() + 1)));
    auto& row = m_slots[slotOf(key)];
    if (row != kNone) return row;
    row = static_cast<Row>(m_heads.size());
    m_heads.emplace_back();
    m_keys.insert(m_keys.end(), key.begin(), key.end());
    m_data.resize(m_data.size() + m_words);
    return row;
}

void KernelRows::index(std::size_t slots)
{
    m_slots.assign(slots, kNone);
    for (Row row = 0; row < m_heads.size(); ++row)
        m_slots[slotOf(key(row))] = row;
}

/// The others go, and those behind them move up.
void KernelRows::keep(const std::function<bool(Row)>& stays)
{
    Row left = 0;
    for (Row row = 0; row < m_heads.size(); ++row) {
        if (!stays(row)) continue;
        if (left != row) {
            m_heads[left] = m_heads[row];
            std::ranges::copy(key(row), m_keys.begin() + static_cast<std::ptrdiff_t>(left * m_keySize));
            std::ranges::copy(words(row), words(left).begin());
        }
        ++left;
    }
    if (left == m_heads.size()) return;
    m_heads.resize(left);
    m_keys.resize(left * m_keySize);
    m_data.resize(left * m_words);
    m_order.clear();
    index(m_slots.size());
}
} // namespace dscope::decode
