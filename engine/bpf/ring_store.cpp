#include "engine/bpf/ring_store.h"
namespace dscope::bpf {
std::byte* RingStore::reserve(std::uint64_t size)
{
    if (size > m_size || m_used + room(size) > m_size) return nullptr;
    m_used += room(size);
    m_produced += room(size);
    auto& record = m_records.emplace_back(Record{Bytes(size), State::Reserved});
    m_memory.allow(record.bytes);
    return record.bytes.data();
}

bool RingStore::settle(const std::byte* at, State state)
{
    for (auto& record : m_records)
        if (record.state == State::Reserved && record.bytes.data() == at) {
            record.state = state;
            m_memory.forget(at);
            return true;
        }
    return false;
}

bool RingStore::submit(const std::byte* record) { return settle(record, State::Submitted); }
bool RingStore::discard(const std::byte* record) { return settle(record, State::Discarded); }

bool RingStore::output(ByteView bytes)
{
    auto* record = reserve(bytes.size());
    if (!record) return false;
    std::copy(bytes.begin(), bytes.end(), record);
    return submit(record);
}

std::vector<Bytes> RingStore::take()
{
    std::vector<Bytes> out;
    while (!m_records.empty() && m_records.front().state != State::Reserved) {
        auto& record = m_records.front();
        m_used -= room(record.bytes.size());
        if (record.state == State::Submitted) out.push_back(std::move(record.bytes));
        m_records.pop_front();
    }
    return out;
}
} // namespace dscope::bpf
