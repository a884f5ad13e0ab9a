#include "graph/ranking.h"
#include "graph/keys.h"
#include "graph/store.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
/// Merges lines with the same text: stacks that differ only in the offsets within their functions look the same.
void mergeAlike(Ranking& r)
{
    if (!r.adds() || std::none_of(r.shape.keys.begin(), r.shape.keys.end(), isStack)) return;
    std::map<std::vector<std::string>, std::size_t> places;
    std::vector<Ranking::Line> merged;
    for (auto& line : r.lines) {
        const auto [place, isNew] = places.try_emplace(line.keys, merged.size());
        if (isNew)
            merged.push_back(std::move(line));
        else
            merged[place->second].value += line.value;
    }
    r.lines = std::move(merged);
}
} // namespace
std::string Ranking::label(const Line& line)
{
    std::string out;
    for (const auto& key : line.keys)
        out += (out.empty() ? "" : ", ") + key;
    return out;
}
std::string Ranking::valueText(double value) const
{
    if (measure.unit == Unit::Nanoseconds || measure.unit == Unit::Bytes) return measure.format(value);
    if (value == std::floor(value) && std::abs(value) < 1e15) return formatGrouped(static_cast<std::int64_t>(value));
    return formatCompact(value);
}
bool Ranking::adds() const { return shape.function == record::Aggregator::Count || shape.function == record::Aggregator::Sum; }

Change Ranking::change(const Line& line) const
{
    if (shape.function == record::Aggregator::Count) return countChange(line.before, line.value, 1, deviations);
    return valueChange(line.before, line.value, 1, adds() ? std::max(total, before) : 0);
}
std::string Ranking::noise() const { return shape.function == record::Aggregator::Count ? countNoise(deviations) : valueNoise(adds()); }
std::vector<Ranking> rankingsOf(const Store& before, const Store& after)
{
    const auto old = rankingsOf(before);
    auto out = rankingsOf(after);
    for (auto& r : out) {
        const auto same = std::find_if(old.begin(), old.end(), [&](const Ranking& o) {
            return o.shape.name == r.shape.name && o.shape.function == r.shape.function && o.shape.keys.size() == r.shape.keys.size();
        });
        if (same == old.end()) continue;
        std::map<std::vector<std::string>, std::size_t> places;
        for (std::size_t i = 0; i < r.lines.size(); ++i)
            places.try_emplace(r.lines[i].keys, i);
        for (const auto& line : same->lines) {
            const auto [place, isNew] = places.try_emplace(line.keys, r.lines.size());
            if (isNew) r.lines.push_back({line.keys, 0});
            auto& was = r.lines[place->second].before;
            was = r.adds() ? was + line.value : line.value;
            r.before += line.value;
        }
        r.deviations = deviationsAmong(r.lines.size());
        std::sort(r.lines.begin(), r.lines.end(), [&](const Ranking::Line& x, const Ranking::Line& y) {
            const auto a = r.change(x), b = r.change(y);
            const double far = std::abs(a.difference()), near = std::abs(b.difference());
            return a.told != b.told ? a.told : far != near ? far > near : x.keys < y.keys;
        });
    }
    return out;
}
std::vector<Ranking> rankingsOf(const Store& store)
{
    std::vector<Ranking> out;
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        const auto& a = all[id];
        if (isQuantized(a.function)) continue;
        Ranking r{a, measureOf(a, store.program()), {}, 0};
        const auto& entry = store.shown(AggregationId{id});
        for (const auto& row : entry.rows) {
            r.lines.push_back({keyTexts(a, row.key, store), rowValue(a, row, entry.divisor)});
            r.total += r.lines.back().value;
        }
        mergeAlike(r);
        std::sort(r.lines.begin(), r.lines.end(),
            [](const Ranking::Line& x, const Ranking::Line& y) { return x.value != y.value ? x.value > y.value : x.keys < y.keys; });
        out.push_back(std::move(r));
    }
    return out;
}
std::string plainNumber(double value)
{
    return value == std::floor(value) && std::abs(value) < 9e18 ? std::to_string(static_cast<std::int64_t>(value)) : formatFixed(value, 2);
}
} // namespace dscope::graph
