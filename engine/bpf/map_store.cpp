#include "engine/bpf/map_store.h"
#include <cerrno>
namespace dscope::bpf {
namespace {
constexpr std::uint64_t kNoExist = 1, kExist = 2;
Bytes keyOf(std::uint32_t index)
{
    ByteWriter key;
    key.put(index);
    return key.take();
}
} // namespace

MapStore::MapStore(MapSpec spec, unsigned cpus, Interpreter& memory)
    : m_spec(std::move(spec)), m_cpus(isPerCpu() ? cpus : 1), m_memory(memory)
{
    if (!isArray()) return;
    const auto each = stride() * m_cpus;
    m_block.resize(each * m_spec.maxEntries);
    for (std::uint32_t i = 0; i < m_spec.maxEntries; ++i) {
        const auto values = insert(keyOf(i), std::span(m_block).subspan(i * each, each));
        const auto from = std::min(m_spec.initial.size(), std::size_t{i} * m_spec.valueSize);
        const auto count = std::min<std::size_t>(m_spec.initial.size() - from, m_spec.valueSize);
        std::copy_n(m_spec.initial.begin() + static_cast<std::ptrdiff_t>(from), count, values.begin());
    }
}

std::span<std::byte> MapStore::insert(Bytes key, std::span<std::byte> in)
{
    auto& entry = m_entries[std::move(key)];
    if (in.empty()) {
        entry.own.resize(stride() * m_cpus);
        in = entry.own;
    }
    entry.bytes = in;
    for (unsigned cpu = 0; cpu < m_cpus; ++cpu)
        m_memory.allow(in.subspan(cpu * stride(), m_spec.valueSize), m_spec.readOnly ? Access::Read : Access::Write);
    return in;
}

void MapStore::forget(std::span<const std::byte> values)
{
    for (unsigned cpu = 0; cpu < m_cpus; ++cpu)
        m_memory.forget(values.data() + cpu * stride());
}

std::byte* MapStore::find(ByteView key, unsigned cpu)
{
    const auto entry = m_entries.find(Bytes(key.begin(), key.end()));
    if (entry == m_entries.end()) return nullptr;
    return entry->second.bytes.data() + (isPerCpu() ? cpu * stride() : 0);
}

int MapStore::update(ByteView key, ByteView value, std::uint64_t flags, unsigned cpu)
{
    if (flags > kExist) return -EINVAL;
    auto* at = find(key, cpu);
    if (isArray() && !at) return -E2BIG;
    if (at && flags == kNoExist) return -EEXIST;
    if (!at && flags == kExist) return -ENOENT;
    if (!at) {
        if (m_spec.kind != MapKind::TaskStorage && m_entries.size() >= m_spec.maxEntries) return -E2BIG;
        at = insert(Bytes(key.begin(), key.end())).data() + (isPerCpu() ? cpu * stride() : 0);
    }
    std::copy_n(value.begin(), std::min<std::size_t>(value.size(), m_spec.valueSize), at);
    return 0;
}

int MapStore::remove(ByteView key)
{
    if (isArray()) return -EINVAL;
    const auto entry = m_entries.find(Bytes(key.begin(), key.end()));
    if (entry == m_entries.end()) return -ENOENT;
    m_removed.push_back(std::move(entry->second));
    m_entries.erase(entry);
    return 0;
}

void MapStore::settle()
{
    for (const auto& values : m_removed)
        forget(values.bytes);
    m_removed.clear();
}

void MapStore::each(const std::function<void(ByteView, ByteView)>& visit) const
{
    for (const auto& [key, values] : m_entries)
        visit(key, values.bytes);
}
} // namespace dscope::bpf
