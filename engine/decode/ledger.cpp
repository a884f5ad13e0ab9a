#include "engine/decode/ledger.h"
#include "engine/decode/front.h"
namespace dscope::decode {
namespace {
std::string stringOf(ByteView bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
Bytes bytesOf(const std::string& key)
{
    const auto view = std::as_bytes(std::span(key));
    return {view.begin(), view.end()};
}
ByteView viewOf(const std::string& bytes) { return std::as_bytes(std::span(bytes)); }
} // namespace

bool Ledger::fold(ByteView key, std::int64_t value, std::int64_t weight)
{
    const auto name = stringOf(key);
    auto kept = m_kept.find(name);
    if (kept == m_kept.end()) {
        if (m_kept.size() >= m_most) return false;
        kept = m_kept.emplace(name, Kept{}).first;
    }
    m_arithmetic.fold(kept->second.held, value, weight);
    return true;
}

void Ledger::eachFolded(const std::function<void(ByteView)>& each) const
{
    for (const auto& [key, kept] : m_kept)
        each(viewOf(key));
}

Result<> Ledger::read(const Places& places, const MapReader& reader, const MapTaker& taker, Then then)
{
    m_seen.begin();
    Total total; // its memory is used again for each key
    const auto add = [&](ByteView key, std::span<const std::byte> values) {
        m_arithmetic.merge(values, total);
        if (total.updates != 0) m_seen.add(key, total, m_arithmetic);
    };
    for (const auto map : places.maps)
        DSCOPE_CHECK(reader(map, add));
    m_inSlots.clear();
    if (const auto& front = places.front)
        DSCOPE_CHECK(reader(front->map, [&](ByteView, std::span<const std::byte> perCpu) {
            eachInFront(*front, perCpu, [&](ByteView key, std::span<const std::byte> value) {
                add(key, value);
                if (taker) m_inSlots.insert(stringOf(key));
            });
        }));
    m_seen.end();
    if (!taker) return {};
    const bool allLeave = then == Then::Reset && !m_arithmetic.additive();
    std::vector<Bytes> leaving;
    if (allLeave) {
        for (KernelRows::Row row = 0; row < m_seen.size(); ++row)
            leaving.emplace_back(m_seen.key(row).begin(), m_seen.key(row).end());
    } else {
        for (const auto& [key, kept] : m_kept) { // removed, and quiet since
            if (kept.cleared || kept.held.updates != 0 || m_inSlots.contains(key)) continue;
            const auto row = m_seen.find(viewOf(key));
            if (row && kept.base.updates == m_seen.updates(*row)) leaving.push_back(bytesOf(key));
        }
    }

    // To take keys out is to wait for all running programs, however many keys there are: a few may stay while there is room.
    constexpr std::size_t kFew = 1024;
    const bool hasRoom = m_seen.size() < m_most / 2 && leaving.size() < kFew;
    return leaving.empty() || (hasRoom && !allLeave) ? Result<>() : take(places.maps, taker, leaving);
}

/// Moves keys from the kernel's maps to ours, with what they hold at this moment.
Result<> Ledger::take(std::span<const MapId> maps, const MapTaker& taker, std::span<const Bytes> keys)
{
    std::unordered_map<std::string, Total> last, others;
    for (const auto& key : keys)
        last.try_emplace(stringOf(key));
    DSCOPE_CHECK(taker(maps, keys, [&](ByteView key, std::span<const std::byte> perCpu) {
        Total total;
        m_arithmetic.merge(perCpu, total);
        const auto leaving = last.find(stringOf(key));
        m_arithmetic.add(leaving == last.end() ? others[stringOf(key)] : leaving->second, total);
    }));
    m_seen.removeIf([&last](ByteView key) { return last.contains(stringOf(key)); });
    for (const auto& [key, total] : last) {
        auto& kept = m_kept[key];
        kept.held = current(kept, total);
        kept.base = {};
        if (kept.held.updates == 0 && !kept.cleared) m_kept.erase(key);
    }

    // The kernel goes on with these.
    for (const auto& [key, total] : others) {
        if (!m_kept.contains(key) && m_kept.size() >= m_most)
            m_lost += total.updates;
        else
            m_arithmetic.add(m_kept[key].held, total);
    }
    return {};
}

Total Ledger::current(const Kept& kept, const Total& seen) const
{
    Total total = kept.held;
    if (seen.updates <= kept.base.updates) return total;
    Total since = seen;
    if (m_arithmetic.additive()) m_arithmetic.subtract(since, kept.base);
    m_arithmetic.add(total, since);
    return total;
}

void Ledger::each(const std::function<void(ByteView, const Total&)>& shown) const
{
    for (const auto& [key, kept] : m_kept) {
        const auto total = current(kept, m_seen.total(viewOf(key)));
        if (total.updates != 0 || kept.cleared) shown(viewOf(key), total);
    }
    Total total;
    for (KernelRows::Row row = 0; row < m_seen.size(); ++row) {
        const auto key = m_seen.key(row);
        if (!m_kept.empty() && m_kept.contains(stringOf(key))) continue;
        m_seen.total(row, total);
        shown(key, total);
    }
}

void Ledger::clear(ByteView key) { m_kept[stringOf(key)] = {.base = m_seen.total(key), .held = {}, .cleared = true}; }

void Ledger::remove(ByteView key)
{
    if (m_seen.find(key))
        m_kept[stringOf(key)] = {.base = m_seen.total(key), .held = {}, .cleared = false};
    else
        m_kept.erase(stringOf(key));
}
} // namespace dscope::decode
