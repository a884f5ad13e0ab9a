#include "graph/metrics.h"
#include "engine/record/aggregation_data.h"
#include "engine/record/buckets.h"
#include "graph/distribution.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/store.h"
#include <algorithm>
namespace dscope::graph {
namespace {
/// Counts may be negative in text of other tools: such a number is no counter.
bool onlyGrows(const MetricRows& rows)
{
    return rows.of.function == record::Aggregator::Count
        && std::none_of(rows.rows.begin(), rows.rows.end(), [](const auto& row) { return row.value < Number(0); });
}
/// From the first to the last bucket with values in any row, and in any that was told before; none: there are no values at all.
std::optional<std::pair<int, int>> spanOf(const MetricRows& rows, ToldBuckets& told)
{
    const auto key = bucketsKey(rows.of);
    auto known = told.find(key);
    for (const auto& row : rows.rows)
        for (const auto& [bucket, count] : row.counts) {
            if (known == told.end()) known = told.try_emplace(key, bucket, bucket).first;
            auto& [first, last] = known->second;
            first = std::min(first, bucket);
            last = std::max(last, bucket);
        }
    return known == told.end() ? std::nullopt : std::optional(known->second);
}
/// The ends of buckets, and by bucket which of the ends is its own: behind the last one where it has none. The first end is below all
/// values, so that it is known where the lowest bucket begins.
struct BucketEnds {
    std::vector<Number> ends;
    std::map<int, std::size_t> places;
};
BucketEnds bucketEndsOf(const record::Aggregation& of, std::pair<int, int> span)
{
    BucketEnds out;
    const auto lowest = record::bucketRange(of, span.first).low;
    if (lowest && *lowest > INT64_MIN) out.ends.emplace_back(*lowest - 1);
    for (int bucket = span.first; bucket <= span.second; ++bucket) {
        const auto high = record::bucketRange(of, bucket).high;
        const bool isEmpty = high && !out.ends.empty() && !(out.ends.back() < Number(*high)); // no integer falls in it
        if (high && !isEmpty) out.ends.emplace_back(*high);
        out.places[bucket] = high ? out.ends.size() - 1 : out.ends.size();
    }
    return out;
}
} // namespace

Metric MetricRows::metric(ToldBuckets& told) const
{
    Metric out{onlyGrows(*this) ? Metric::Kind::Counter : Metric::Kind::Gauge, of.name, describe(of), measure, {}, {}};
    std::vector<std::string> names;
    addKeyNames(names, of);
    BucketEnds ends;
    if (isQuantized(of.function)) {
        out.kind = Metric::Kind::Buckets;
        if (const auto span = spanOf(*this, told)) ends = bucketEndsOf(of, *span);
    }
    for (const auto& row : rows) {
        auto& made = out.rows.emplace_back();
        for (std::size_t k = 0; k < of.keys.size() && k < row.keys.size(); ++k)
            made.keys.emplace_back(keyColumn(names, of.keys[k].name), row.keys[k]);
        made.value = row.value;
        for (const auto& [bucket, count] : row.counts) {
            made.buckets.emplace_back(ends.places.at(bucket), count);
            made.value += count;
        }
    }
    out.ends = std::move(ends.ends);
    return out;
}

std::vector<Metric> metricsOf(const Store& store, ToldBuckets& told)
{
    std::vector<Metric> out;
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        const auto& of = all[id];
        const auto& entry = store.shown(AggregationId{id});
        std::map<std::vector<std::string>, record::AggregationRow> byText;
        for (const auto& row : entry.rows) {
            const auto [at, isNew] = byText.try_emplace(keyTexts(of, row.key, store), row);
            if (!isNew) record::addData(of.function, at->second.data, row.data);
        }
        MetricRows rows{of, store.measure(of)};
        for (const auto& [keys, row] : byText) {
            if (!isQuantized(of.function)) {
                rows.add(keys, rowValue(of, row, entry.divisor));
                continue;
            }
            std::map<int, Number> counts;
            for (std::size_t i = 0; i + 1 < row.data.size(); i += 2)
                if (row.data[i + 1] != 0)
                    counts[static_cast<int>(row.data[i])] = divided(row.data[i + 1], std::max<std::int64_t>(entry.divisor, 1));
            rows.add(keys, counts);
        }
        out.push_back(rows.metric(told));
    }
    return out;
}
} // namespace dscope::graph
