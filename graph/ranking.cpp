#include "graph/ranking.h"
#include "graph/keys.h"
#include "graph/store.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
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
