#include "graph/parts/heat_panel.h"
#include "graph/history.h"
#include "graph/keys.h"
#include "graph/store.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kUneven = 0.02;                                          // of its length a column may be longer without a word
constexpr std::int64_t kNsOfSecond = 1'000'000'000, kOffset = 20'000'000; // 50 rows a second
} // namespace

void HeatPanel::add(std::uint32_t column, int bucket, const Number& count)
{
    counts[{column, bucket}] += count;
    total += count;
}

void HeatPanel::findEnds()
{
    of.first = record::bucketCount(of.shape);
    of.last = 0;
    for (const auto& [at, count] : counts) {
        of.first = std::min(of.first, at.second);
        of.last = std::max(of.last, at.second);
    }
    // A bucket alone would be a stripe; its neighbours show where it is.
    if (of.last - of.first < 2) {
        of.first = std::max(0, of.first - 1);
        of.last = std::min(record::bucketCount(of.shape) - 1, of.last + 1);
    }
}

double HeatPanel::usualLength() const
{
    auto drawn = times;
    joinShort(drawn, [](Column& into, const Column& next) { into.to = next.to; });
    std::vector<std::int64_t> lengths;
    for (const auto& [from, to] : drawn)
        lengths.push_back(to - from);
    std::sort(lengths.begin(), lengths.end());
    return lengths.empty() ? 1 : std::max(1.0, static_cast<double>(lengths[lengths.size() / 2]));
}

HeatPanel HeatPanel::drawn() const
{
    HeatPanel out = *this;
    const auto places = joinShort(out.times, [](Column& into, const Column& next) { into.to = next.to; });
    out.counts.clear();
    out.total = 0;
    for (const auto& [at, count] : counts)
        out.add(places[at.first], at.second, count);
    return out;
}

double HeatPanel::evened(std::uint32_t column, double count, double usual) const
{
    const auto length = static_cast<double>(times[column].to - times[column].from);
    return length > 0 && std::abs(length - usual) > kUneven * usual ? count * usual / length : count;
}

bool HeatPanel::isEven(double usual) const
{
    for (std::uint32_t i = 0; i < times.size(); ++i)
        if (evened(i, 1, usual) != 1) return false;
    return true;
}

bool HeatPanel::hasBucketsOf(const HeatPanel& other) const
{
    return record::sameBuckets(of.shape, other.of.shape) && of.measure == other.of.measure;
}

void addHeatPanels(std::vector<HeatPanel>& panels, const Store& store, AggregationId id)
{
    const auto& a = store.program().aggregations[id.value];
    const auto& history = store.history(id);
    const auto divisor = std::max<std::int64_t>(store.shown(id).divisor, 1);
    std::vector<HeatPanel> own(history.keys().size());
    std::vector<HeatPanel::Column> times;
    for (const auto& interval : history.intervals()) {
        for (const auto& [key, data] : interval.data)
            for (std::size_t i = 0; i + 1 < data.size(); i += 2)
                if (data[i + 1] > 0)
                    own[key].add(static_cast<std::uint32_t>(times.size()), static_cast<int>(data[i]), divided(data[i + 1], divisor));
        times.push_back({interval.from, interval.to});
    }

    const auto measure = store.measure(a);
    for (std::size_t key = 0; key < own.size(); ++key) {
        if (own[key].counts.empty()) continue;
        auto& panel = panels.emplace_back(std::move(own[key]));
        panel.of.shape = a;
        panel.of.measure = measure;
        panel.aggregation = a.name;
        panel.keys = keyTexts(a, history.keys()[static_cast<std::uint32_t>(key)], store);
        panel.times = times;
    }
}

HeatPanel sampleOffsets(const Store& store)
{
    HeatPanel panel;
    panel.of.shape.function = record::Aggregator::Lquantize;
    panel.of.shape.parameters = {0, kNsOfSecond, kOffset, 0};
    panel.of.measure = {Unit::Nanoseconds, 1};
    const auto start = store.program().started;
    for (const auto& fired : store.fired()) {
        const auto* probe = store.probe(fired.probe);
        if (!probe || !isSample(*probe) || fired.when.count() < start) continue;
        const auto at = fired.when.count() - start;
        const auto column = static_cast<std::uint32_t>(at / kNsOfSecond);
        panel.add(column, static_cast<int>(1 + at % kNsOfSecond / kOffset), 1);
        while (panel.times.size() <= column) {
            const auto from = start + static_cast<std::int64_t>(panel.times.size()) * kNsOfSecond;
            panel.times.push_back({from, from + kNsOfSecond});
        }
    }
    return panel;
}
} // namespace dscope::graph
