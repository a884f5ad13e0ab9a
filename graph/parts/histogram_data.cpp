#include "graph/parts/histogram_data.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <climits>
#include <cmath>
namespace dscope::graph {
std::string countText(double count) { return count < 99'999.5 ? formatGrouped(std::llround(count)) : formatCompact(count); }

std::string percentileText(const DistributionGroup& group, const Distribution& values, double share)
{
    return values.total > 0 ? group.range(values.percentile(share)) : said("none");
}

std::pair<int, int> bucketSpan(const Distribution& values)
{
    std::pair<int, int> out{INT_MAX, INT_MIN};
    const auto add = [&](const auto& counts) {
        if (counts.empty()) return;
        out = {std::min(out.first, counts.begin()->first), std::max(out.second, counts.rbegin()->first)};
    };
    add(values.counts);
    add(values.exact);
    add(values.exactBefore);
    return out;
}

HistogramData::HistogramData(const Store& store) : HistogramData(store, distributionsOf(store)) { }

HistogramData::HistogramData(const Store& before, const Store& after) : HistogramData(after, distributionsOf(before, after))
{
    m_compares = true;
}

HistogramData::HistogramData(const Store& store, std::vector<DistributionGroup> groups)
    : m_noun(ofValues(countedNoun(store))), m_firings(store), m_groups(std::move(groups))
{
    std::size_t aggregations = 0;
    for (const auto& a : store.program().aggregations) {
        if (!isQuantized(a.function)) continue;
        ++aggregations;
        addKeyNames(m_keyNames, a);
    }
    m_several = aggregations > 1;
    std::uint32_t row = 0;
    for (auto& g : m_groups)
        for (auto& m : g.members) {
            m.firstRow = row;
            const auto [first, last] = bucketSpan(m.values);
            row += static_cast<std::uint32_t>(last - first + 1);
        }
}

bool HistogramData::empty() const
{
    return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.empty(); });
}

std::size_t HistogramData::panels() const
{
    std::size_t panels = 0;
    for (const auto& g : m_groups)
        panels += g.members.size();
    return panels;
}

double HistogramData::total() const { return m_firings.number(valuesOf(m_groups)); }

double HistogramData::totalBefore() const { return m_firings.number(valuesBefore(m_groups)); }

std::string HistogramData::panelName(const DistributionGroup::Member& member) const
{
    const std::string keys = member.values.label();
    if (!m_several) return keys;
    return '@' + member.aggregation + (keys.empty() ? "" : " " + keys);
}

double HistogramData::mostOf(const Distribution& values) const
{
    double most = 0;
    for (const auto& [bucket, count] : values.counts)
        most = std::max({most, count, m_compares ? values.change(bucket).before : 0});
    return most;
}

std::string HistogramData::noise() const
{
    for (const auto& g : m_groups)
        if (!g.members.empty()) return g.members.front().values.noise().text();
    return countNoise(2);
}

Extents HistogramData::extents() const
{
    Extents out;
    for (const auto& g : m_groups) {
        out.buckets[bucketsKey(g.shape)] = {g.first, g.last};
        for (const auto& m : g.members)
            out.values[bucketsKey(g.shape)].add({0, mostOf(m.values)});
    }
    return out;
}

Table HistogramData::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    const Unit unit = m_groups.empty() ? Unit::None : m_groups.front().measure.unit;
    t.columns.push_back(Column::number("low", unit));
    t.columns.push_back(Column::number("high", unit));
    if (m_compares)
        for (const auto* which : {"before", "after", "difference"})
            t.columns.push_back(Column::number(which, Unit::Count));
    else
        t.columns.push_back(Column::number("count", Unit::Count));
    // What figures have comes first, so that their marks find their rows.
    for (const auto& g : m_groups)
        for (const auto& m : g.members)
            addRows(t, g, m);
    for (const auto& g : m_groups)
        for (const auto& m : g.below)
            addRows(t, g, m);
    return t;
}

void HistogramData::addRows(Table& t, const DistributionGroup& g, const DistributionGroup::Member& m) const
{
    const auto countIn = [](const std::map<int, Number>& counts, int bucket) {
        const auto found = counts.find(bucket);
        return found == counts.end() ? Number() : found->second;
    };
    const auto [first, last] = bucketSpan(m.values);
    for (int bucket = first; bucket <= last; ++bucket) {
        std::vector<std::string> row;
        if (m_several) row.push_back(m.aggregation.empty() ? "value" : m.aggregation);
        for (auto& cell : keyCells(m_keyNames, g.shapeOf(m).keys, m.values.keys))
            row.push_back(std::move(cell));
        const auto range = record::bucketRange(g.shape, bucket);
        row.push_back(range.low ? std::to_string(*range.low) : "");
        row.push_back(range.high ? std::to_string(*range.high) : "");
        const auto before = countIn(m.values.exactBefore, bucket), after = countIn(m.values.exact, bucket);
        if (m_compares)
            for (const auto& value : {before, after, after - before})
                row.push_back(plainNumber(value));
        else
            row.push_back(plainNumber(after));
        t.rows.push_back(std::move(row));
    }
}

std::vector<Metric> HistogramData::metrics() const
{
    std::map<std::string, MetricRows> rows;
    std::vector<const record::Aggregation*> order;
    const auto take = [&](const DistributionGroup& g, const DistributionGroup::Member& m) {
        const auto [at, isNew] = rows.try_emplace(m.aggregation, MetricRows{g.shapeOf(m), g.measure});
        if (isNew) order.push_back(&at->second.of);
        at->second.add(m.values.keys, m.values.exact);
    };
    for (const auto& g : m_groups)
        for (const auto* members : {&g.members, &g.below})
            for (const auto& m : *members)
                if (!m_compares) take(g, m);
    std::vector<Metric> out;
    ToldBuckets told;
    for (const auto* of : order)
        out.push_back(rows.at(of->name).metric(told));
    return out;
}

Digest HistogramData::digest(std::size_t most) const
{
    Digest out;
    auto& columns = out.table.columns;
    if (m_several) columns.push_back(Column::text("of"));
    for (const auto& name : m_keyNames)
        columns.push_back({Unit::None, keyColumn(m_keyNames, name), false});
    if (m_compares) columns.push_back({Unit::None, m_noun.plural() + " before", true});
    columns.push_back({Unit::None, m_compares ? m_noun.plural() + " after" : m_noun.plural(), true});
    for (const auto& [share, name] : kPercentiles)
        columns.push_back({Unit::None, name, true});
    for (const auto& group : m_groups)
        for (const auto& member : group.members) {
            if (out.table.rows.size() == most) {
                ++out.more;
                continue;
            }
            const auto& values = member.values;
            auto& row = out.table.rows.emplace_back();
            if (m_several) row.push_back('@' + member.aggregation);
            for (auto& cell : keyCells(m_keyNames, group.shapeOf(member).keys, values.keys))
                row.push_back(std::move(cell));
            if (m_compares) row.push_back(countText(values.totalBefore));
            row.push_back(countText(values.total));
            for (const auto& [share, name] : kPercentiles)
                row.push_back(percentileText(group, values, share));
        }
    return out;
}
} // namespace dscope::graph
