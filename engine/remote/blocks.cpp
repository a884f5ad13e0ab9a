#include "engine/remote/blocks.h"
namespace dscope::remote {
void Blocks::add(record::Record record, std::size_t size)
{
    m_growing.size += size;
    m_growing.records.push_back(std::move(record));
    ++m_count;
    if (m_growing.size < m_size) return;
    const auto next = m_growing.number + 1;
    m_full.push_back(std::move(m_growing));
    m_growing = {next, m_count, 0, {}};
    m_given = 0;
}

std::vector<Told> Blocks::take()
{
    std::vector<Told> told;
    const auto tell = [&](std::uint32_t number, std::uint64_t before, std::vector<record::Record> records) {
        const auto sequence = before + records.size();
        told.push_back({m_topic, number, Message{sequence, {before}, std::move(records)}});
    };
    for (auto& block : m_full)
        tell(block.number, block.before, std::move(block.records));
    m_full.clear();
    if (m_given == m_growing.records.size()) return told;
    tell(m_growing.number, m_growing.before, m_growing.records);
    m_given = m_growing.records.size();
    return told;
}
} // namespace dscope::remote
