#include "graph/parts/histogram_data.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
std::string countText(double count) { return count < 99'999.5 ? formatGrouped(std::llround(count)) : formatCompact(count); }

std::string percentileText(const DistributionGroup& group, const Distribution& values, double share)
{
    return values.total > 0 ? group.range(values.percentile(share)) : said("none");
}

std::uint32_t bucketRows(const Distribution& values)
{
    return static_cast<std::uint32_t>(values.counts.rbegin()->first - values.counts.begin()->first + 1);
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
            row += bucketRows(m.values);
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
    for (const auto& g : m_groups)
        for (const auto& m : g.members)
            for (int bucket = m.values.counts.begin()->first; bucket <= m.values.counts.rbegin()->first; ++bucket) {
                std::vector<std::string> row;
                if (m_several) row.push_back(m.aggregation.empty() ? "value" : m.aggregation);
                for (auto& cell : keyCells(m_keyNames, g.shape.keys, m.values.keys))
                    row.push_back(std::move(cell));
                const auto range = record::bucketRange(g.shape, bucket);
                const auto found = m.values.counts.find(bucket);
                row.push_back(range.low ? std::to_string(*range.low) : "");
                row.push_back(range.high ? std::to_string(*range.high) : "");
                if (m_compares) {
                    const auto change = m.values.change(bucket);
                    for (const double value : {change.before, change.after, change.difference()})
                        row.push_back(plainNumber(value));
                } else {
                    row.push_back(std::to_string(found == m.values.counts.end() ? 0 : std::llround(found->second)));
                }
                t.rows.push_back(std::move(row));
            }
    return t;
}

std::vector<Metric> HistogramData::metrics() const
{
    std::vector<Metric> out;
    if (m_compares) return out;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            auto metric = std::find_if(out.begin(), out.end(), [&](const Metric& known) { return known.name == m.aggregation; });
            if (metric == out.end())
                metric = out.insert(metric, Metric{Metric::Kind::Buckets, m.aggregation, describe(g.shape), g.measure, {}});
            auto& row = metric->rows.emplace_back();
            for (std::size_t k = 0; k < g.shape.keys.size() && k < m.values.keys.size(); ++k)
                row.keys.emplace_back(g.shape.keys[k].name, m.values.keys[k]);
            row.value = m.values.total;
            for (const auto& [bucket, count] : m.values.counts) {
                const auto range = record::bucketRange(g.shape, bucket);
                row.buckets.push_back({range.high ? std::optional(static_cast<double>(*range.high)) : std::nullopt, count});
            }
        }
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
            for (std::size_t i = 0; i < m_keyNames.size(); ++i)
                row.push_back(i < values.keys.size() ? values.keys[i] : std::string());
            if (m_compares) row.push_back(countText(values.totalBefore));
            row.push_back(countText(values.total));
            for (const auto& [share, name] : kPercentiles)
                row.push_back(percentileText(group, values, share));
        }
    return out;
}
} // namespace dscope::graph
