#include "engine/text/stack_counts.h"
#include <algorithm>
#include <cstring>
namespace dscope::text {
namespace {
constexpr std::size_t kBlock = std::size_t{4} << 20;
std::uint64_t mixed(std::uint64_t h) { return h ^ (h >> 29); }
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t h = text.size() * 0x9E3779B97F4A7C15u;
    const char* p = text.data();
    std::size_t n = text.size();
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        h = mixed((h ^ word) * 0xD6E8FEB86659FD93u);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, p, n);
    return mixed((h ^ word) * 0xD6E8FEB86659FD93u);
}
} // namespace

void StackCounts::frame(std::string_view name)
{
    if (!m_open.empty()) m_open += ';';
    const auto from = m_open.size();
    m_open += name;
    if (name.find(';') != std::string_view::npos) std::replace(m_open.begin() + static_cast<std::ptrdiff_t>(from), m_open.end(), ';', ':');
}

void StackCounts::grow()
{
    m_table.assign(std::max<std::size_t>(1024, 2 * m_table.size()), 0);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        auto at = m_entries[i].hash & (m_table.size() - 1);
        while (m_table[at])
            at = (at + 1) & (m_table.size() - 1);
        m_table[at] = static_cast<std::uint32_t>(i + 1);
    }
}

void StackCounts::add(std::int64_t value)
{
    if (2 * (m_entries.size() + 1) > m_table.size()) grow();
    const auto hash = hashOf(m_open);
    auto at = hash & (m_table.size() - 1);
    for (; m_table[at]; at = (at + 1) & (m_table.size() - 1)) {
        auto& e = m_entries[m_table[at] - 1];
        if (e.hash != hash || textOf(e) != m_open) continue;
        if (__builtin_add_overflow(e.value, value, &e.value)) e.value = value < 0 ? INT64_MIN : INT64_MAX;
        m_open.clear();
        return;
    }
    if (m_used + m_open.size() > m_room) {
        m_room = std::max(kBlock, m_open.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_room));
        m_used = 0;
    }
    std::memcpy(m_blocks.back().get() + m_used, m_open.data(), m_open.size());
    m_entries.push_back({m_blocks.size() - 1, m_used, static_cast<std::uint32_t>(m_open.size()), hash, value});
    m_used += m_open.size();
    m_table[at] = static_cast<std::uint32_t>(m_entries.size());
    m_open.clear();
}

record::FoldedStacks StackCounts::take(std::string noun)
{
    record::FoldedStacks out;
    out.noun = std::move(noun);
    out.lines.reserve(m_entries.size());
    std::int64_t room = INT64_MAX;
    for (const auto& e : m_entries) {
        const auto value = std::min(e.value, room); // who adds them up must not find more than a number holds
        if (value <= 0) continue;
        out.lines.push_back({textOf(e), value});
        room -= value;
    }
    std::sort(out.lines.begin(), out.lines.end(), [](const auto& a, const auto& b) { return a.stack < b.stack; });
    out.text = std::make_shared<std::vector<std::unique_ptr<char[]>>>(std::move(m_blocks));
    *this = {};
    return out;
}
} // namespace dscope::text
