#include "engine/session/key_taker.h"
#include <algorithm>
namespace dscope::session {
Result<> KeyTaker::take(std::span<const MapId> from, std::span<const Bytes> keys, const decode::EachTaken& each)
{
    const auto aggregation = withAside(from.front());
    if (!aggregation) return takeOut(from, keys, each);
    m_control.setAside(aggregation);
    awaitRunning();
    auto taken = takeOut(from, keys, each);
    m_control.setAside({});
    awaitRunning();
    DSCOPE_CHECK(taken);
    const auto& aside = m_object.aggregationAsides.at(aggregation->value);
    DSCOPE_CHECK(takeAll(aside->map, each));
    return aside->reserve ? takeAll(*aside->reserve, each) : Result<>();
}

/// The aggregation that keeps its keys in the map, where it has another place for them.
std::optional<AggregationId> KeyTaker::withAside(MapId map) const
{
    const auto& maps = m_object.aggregationMaps;
    const auto at = static_cast<std::size_t>(
        std::find_if(maps.begin(), maps.end(), [&](MapId each) { return each.value == map.value; }) - maps.begin());
    if (at >= m_object.aggregationAsides.size() || !m_object.aggregationAsides[at]) return {};
    return AggregationId{static_cast<std::uint32_t>(at)};
}

Result<> KeyTaker::takeOut(std::span<const MapId> from, std::span<const Bytes> keys, const decode::EachTaken& each) const
{
    for (const auto map : from)
        for (const auto& key : keys) {
            DSCOPE_TRY(const Bytes values, m_maps.take(map, key));
            if (!values.empty()) each(key, values);
        }
    return {};
}

Result<> KeyTaker::takeAll(MapId from, const decode::EachTaken& each) const
{
    std::vector<Bytes> keys;
    DSCOPE_CHECK(m_maps.read(from, [&](ByteView key, std::span<const std::byte> values) {
        each(key, values);
        keys.emplace_back(key.begin(), key.end());
    }));
    return takeOut({&from, 1}, keys, [](ByteView, std::span<const std::byte>) {});
}
} // namespace dscope::session
