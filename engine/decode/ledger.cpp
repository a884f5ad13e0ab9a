#include "engine/decode/ledger.h"
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

/// What is known of the key that the kernel gave at this place of a reading. A map gives its keys in the same order again: nearly always
/// the one that was there is the one, and nothing is looked for.
Ledger::Seen& Ledger::seenAt(std::string_view key, std::size_t place)
{
    if (place < m_order.size() && m_order[place]->first == key) return m_order[place]->second;
    auto seen = m_seen.find(key);
    if (seen == m_seen.end()) seen = m_seen.try_emplace(std::string(key)).first;
    if (place >= m_order.size()) m_order.resize(place + 1);
    m_order[place] = &*seen;
    return seen->second;
}

Result<> Ledger::read(std::span<const MapId> maps, const MapReader& reader, const MapTaker& taker, Then then)
{
    // Nearly all keys are those of the reading before: their places are used again.
    ++m_reading;
    std::size_t count = 0, place = 0;
    Total total;
    for (const auto map : maps)
        DSCOPE_CHECK(reader(map, [&](ByteView key, std::span<const std::byte> perCpu) {
            m_arithmetic.merge(perCpu, total);
            if (total.updates == 0) return;
            const std::string_view name(reinterpret_cast<const char*>(key.data()), key.size());
            auto& own = seenAt(name, place++);
            if (own.reading == m_reading) return m_arithmetic.add(own.total, total);
            own.total = total;
            own.reading = m_reading;
            ++count;
        }));
    m_order.resize(place);
    if (count < m_seen.size()) std::erase_if(m_seen, [this](const auto& one) { return one.second.reading != m_reading; });
    if (!taker) return {};
    const bool allLeave = then == Then::Reset && !m_arithmetic.additive();
    std::vector<Bytes> leaving;
    for (const auto& [key, seen] : m_seen) {
        const auto kept = m_kept.find(key);
        const bool removedAndQuiet = kept != m_kept.end() && !kept->second.cleared && kept->second.held.updates == 0
            && kept->second.base.updates == seen.total.updates;
        if (removedAndQuiet || allLeave) leaving.push_back(bytesOf(key));
    }

    // To take keys out is to wait for all running programs, however many keys there are: a few may stay while there is room.
    constexpr std::size_t kFew = 1024;
    const bool hasRoom = m_seen.size() < m_most / 2 && leaving.size() < kFew;
    return leaving.empty() || (hasRoom && !allLeave) ? Result<>() : take(maps, taker, leaving);
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
    for (const auto& [key, total] : last) {
        m_seen.erase(key);
        m_order.clear();
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
    const Total nothing;
    for (const auto& [key, kept] : m_kept) {
        const auto seen = m_seen.find(key);
        const auto total = current(kept, seen == m_seen.end() ? nothing : seen->second.total);
        if (total.updates != 0 || kept.cleared) shown(viewOf(key), total);
    }
    for (const auto& [key, seen] : m_seen)
        if (!m_kept.contains(key)) shown(viewOf(key), seen.total);
}

void Ledger::clear(ByteView key)
{
    const auto name = stringOf(key);
    const auto seen = m_seen.find(name);
    m_kept[name] = {.base = seen == m_seen.end() ? Total{} : seen->second.total, .held = {}, .cleared = true};
}

void Ledger::remove(ByteView key)
{
    const auto name = stringOf(key);
    if (const auto seen = m_seen.find(name); seen != m_seen.end())
        m_kept[name] = {.base = seen->second.total, .held = {}, .cleared = false};
    else
        m_kept.erase(name);
}
} // namespace dscope::decode
