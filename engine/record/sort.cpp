#include "engine/record/sort.h"
#include <algorithm>
#include <array>
#include <charconv>
namespace dscope::record {
namespace {
std::size_t numberOf(const std::map<std::string, std::string>& options, const std::string& name)
{
    const auto at = options.find(name);
    if (at == options.end()) return 0;
    std::size_t n = 0;
    std::from_chars(at->second.data(), at->second.data() + at->second.size(), n);
    return n;
}
} // namespace

bool flagOf(const std::map<std::string, std::string>& options, const std::string& name)
{
    static constexpr std::array<std::string_view, 6> kOff{"0", "no", "off", "false", "disable", "unset"};
    const auto at = options.find(name);
    return at != options.end() && std::find(kOff.begin(), kOff.end(), at->second) == kOff.end();
}

SortOrder sortOrder(const std::map<std::string, std::string>& options)
{
    return {.byKey = flagOf(options, "aggsortkey"),
        .reversed = flagOf(options, "aggsortrev"),
        .keyPosition = numberOf(options, "aggsortkeypos"),
        .position = numberOf(options, "aggsortpos")};
}

void sortRows(const Aggregation& aggregation, std::vector<AggregationRow>& rows, const SortOrder& order)
{
    // What rows are compared by most often is worked out once for each.
    struct Place {
        std::int64_t value = 0;
        std::size_t row = 0;
    };
    const bool isScalar = isComparedByScalar(aggregation);
    std::vector<Place> places(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        places[i] = {isScalar ? scalarOf(aggregation.function, rows[i].data) : 0, i};
    std::stable_sort(places.begin(), places.end(), [&](const Place& one, const Place& other) {
        const auto &a = rows[one.row], &b = rows[other.row];
        const auto keys = [&] { return compareKeys(aggregation, a.key, b.key, order.keyPosition); }; // dearer than data
        const auto data = [&] {
            if (isScalar) return one.value < other.value ? -1 : int{one.value > other.value};
            return compareData(aggregation, a.data, b.data);
        };
        int c = order.byKey ? keys() : data();
        if (c == 0) c = order.byKey ? data() : keys();
        return order.reversed ? c > 0 : c < 0;
    });

    std::vector<AggregationRow> sorted;
    sorted.reserve(rows.size());
    for (const auto& place : places)
        sorted.push_back(std::move(rows[place.row]));
    rows = std::move(sorted);
}

std::vector<JoinedRow> joinRows(const AggregationState& state, std::span<const AggregationId> ids, const SortOrder& order)
{
    if (ids.empty()) return {};
    const Aggregation& keyed = state.aggregations().at(ids[0].value);
    const auto less = [&](const Bytes* a, const Bytes* b) { return compareKeys(keyed, *a, *b) < 0; };
    std::vector<JoinedRow> all;
    if (ids.size() == 1) { // nothing to join
        for (const auto& row : state.entry(ids[0]).rows)
            all.push_back({&row.key, {&row}});
    } else {
        std::map<const Bytes*, JoinedRow, decltype(less)> byKey(less);
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (const auto& row : state.entry(ids[i]).rows) {
                auto& joined = byKey[&row.key];
                if (!joined.key) joined = {&row.key, std::vector<const AggregationRow*>(ids.size())};
                joined.rows[i] = &row;
            }
        all.reserve(byKey.size());
        for (auto& [key, joined] : byKey)
            all.push_back(std::move(joined));
    }

    std::vector<std::vector<std::int64_t>> empty;
    for (const auto id : ids) {
        auto data = emptyData(state.aggregations().at(id.value).function);
        std::fill(data.begin(), data.end(), 0);
        empty.push_back(std::move(data));
    }

    const std::size_t first = order.position < ids.size() ? order.position : 0;
    std::stable_sort(all.begin(), all.end(), [&](const JoinedRow& a, const JoinedRow& b) {
        const auto keys = [&] { return compareKeys(keyed, *a.key, *b.key, order.keyPosition); };
        int c = order.byKey ? keys() : 0;
        for (std::size_t i = 0; i < ids.size() && c == 0; ++i) {
            const std::size_t n = (first + i) % ids.size();
            c = compareData(
                state.aggregations().at(ids[n].value), a.rows[n] ? a.rows[n]->data : empty[n], b.rows[n] ? b.rows[n]->data : empty[n]);
        }
        if (c == 0 && !order.byKey) c = keys();
        return order.reversed ? c > 0 : c < 0;
    });
    return all;
}
} // namespace dscope::record
