#include "engine/text/stack_counts.h"
#include <algorithm>
#include <cstring>
namespace dscope::text {
std::uint32_t StackCounts::numberOf(std::string_view name)
{
    if (name.find(';') == std::string_view::npos) return m_names.of(name);
    std::string clean(name);
    std::replace(clean.begin(), clean.end(), ';', ':');
    return m_names.of(clean);
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
    if (m_open.empty()) frame("[no stack]");
    if (2 * (m_entries.size() + 1) > m_table.size()) grow();
    const auto hash = hashOf({reinterpret_cast<const char*>(m_open.data()), m_open.size() * sizeof m_open[0]});
    auto at = hash & (m_table.size() - 1);
    for (; m_table[at]; at = (at + 1) & (m_table.size() - 1)) {
        auto& e = m_entries[m_table[at] - 1];
        if (e.hash != hash || e.count != m_open.size()) continue;
        if (!std::equal(m_open.begin(), m_open.end(), m_frames.begin() + static_cast<std::ptrdiff_t>(e.first))) continue;
        if (__builtin_add_overflow(e.value, value, &e.value)) e.value = value < 0 ? INT64_MIN : INT64_MAX;
        m_open.clear();
        return;
    }
    m_entries.push_back({m_frames.size(), m_open.size(), hash, value});
    m_frames.insert(m_frames.end(), m_open.begin(), m_open.end());
    m_table[at] = static_cast<std::uint32_t>(m_entries.size());
    m_open.clear();
}

record::FoldedStacks StackCounts::take(std::string noun)
{
    record::FoldedStacks out;
    out.noun = std::move(noun);
    std::size_t size = 0;
    for (const auto& e : m_entries)
        for (std::size_t i = 0; i < e.count; ++i)
            size += m_names.text(m_frames[e.first + i]).size() + 1;
    const std::shared_ptr<char[]> text(new char[size + 1]);
    auto* at = text.get();
    std::int64_t room = INT64_MAX;
    out.lines.reserve(m_entries.size());
    for (const auto& e : m_entries) {
        const auto value = std::min(e.value, room); // who adds them up must not find more than a number holds
        if (value <= 0) continue;
        const auto* const from = at;
        for (std::size_t i = 0; i < e.count; ++i) {
            const auto name = m_names.text(m_frames[e.first + i]);
            if (i > 0) *at++ = ';';
            if (!name.empty()) std::memcpy(at, name.data(), name.size());
            at += name.size();
        }
        out.lines.push_back({{from, static_cast<std::size_t>(at - from)}, value});
        room -= value;
    }
    std::sort(out.lines.begin(), out.lines.end(), [](const auto& a, const auto& b) { return a.stack < b.stack; });
    out.text = text;
    *this = {};
    return out;
}
} // namespace dscope::text
