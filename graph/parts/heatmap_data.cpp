#include "graph/parts/heatmap_data.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
std::string heatCount(double count)
{
    return count < 99'999.5 && count == std::floor(count) ? formatGrouped(std::llround(count)) : formatCompact(count);
}

HeatmapData::HeatmapData(const Store& store) : m_noun(countedNoun(store)), m_firings(store), m_started(store.program().started)
{
    std::size_t aggregations = 0;
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        if (!isQuantized(all[id].function)) continue;
        ++aggregations;
        addHeatPanels(m_panels, store, AggregationId{id});
        addKeyNames(m_keyNames, all[id]);
    }

    m_several = aggregations > 1;
    if (aggregations == 0) {
        m_offsets = true;
        if (auto offsets = sampleOffsets(store); !offsets.counts.empty()) m_panels.push_back(std::move(offsets));
    } else {
        m_noun = ofValues(m_noun);
    }

    std::stable_sort(m_panels.begin(), m_panels.end(), [](const HeatPanel& a, const HeatPanel& b) {
        if (a.total != b.total) return a.total > b.total;
        return a.aggregation != b.aggregation ? a.aggregation < b.aggregation : a.keys < b.keys;
    });

    m_last = m_started + 1;
    std::map<std::string, double> values; // by aggregation
    for (auto& p : m_panels) {
        p.name = printable(Ranking::label({p.keys, 0}));
        if (m_several) p.name = '@' + p.aggregation + (p.name.empty() ? "" : " " + p.name);
        p.findEnds();
        m_last = std::max(m_last, p.times.back().to);
        values[p.aggregation] += p.total;
    }
    m_total = m_firings.number(values);
}

std::vector<HeatPanel> HeatmapData::chosen(std::size_t most, std::optional<std::size_t> claimed) const
{
    if (m_panels.size() <= most) return m_panels;
    auto ordered = m_panels;
    const auto alone = static_cast<std::ptrdiff_t>(most - 1);
    if (claimed && *claimed >= most - 1 && most > 1) // the others stay in order
        std::rotate(ordered.begin() + alone - 1, ordered.begin() + static_cast<std::ptrdiff_t>(*claimed),
            ordered.begin() + static_cast<std::ptrdiff_t>(*claimed) + 1);
    std::vector<HeatPanel> out(ordered.begin(), ordered.begin() + alone);
    HeatPanel rest;
    std::size_t folded = 0;
    for (auto p = ordered.begin() + alone; p != ordered.end(); ++p) {
        if (folded == 0) {
            rest.of = p->of;
            rest.times = p->times;
        }
        // Buckets of another kind can't lie in the same rows.
        if (!rest.hasBucketsOf(*p) || rest.times != p->times) continue;
        for (const auto& [at, count] : p->counts)
            rest.add(at.first, at.second, count);
        ++folded;
    }

    rest.findEnds();
    const auto number = formatGrouped(static_cast<std::int64_t>(folded));
    rest.name = out.empty() ? said("all %1 together", number) : said("\u2026 %1 more together", number);
    const auto left = ordered.size() - out.size() - folded;
    if (left > 0) rest.name += said(", %1 of another kind not shown", formatGrouped(static_cast<std::int64_t>(left)));
    out.push_back(std::move(rest));
    return out;
}

/// What comes into a cell in a second (1e9 ns), of all panels together, where most comes: no panel has a cell with more, whichever are
/// drawn as one.
double HeatmapData::mostPerSecond() const
{
    std::map<std::pair<std::int64_t, int>, double> cells; // by begin of the column, and bucket
    double most = 0;
    for (const auto& panel : m_panels) {
        const auto p = panel.drawn();
        for (const auto& [at, count] : p.counts)
            most = std::max(most, cells[{p.times[at.first].from, at.second}] += p.evened(at.first, count, 1e9));
    }
    return most;
}

Extents HeatmapData::extents() const
{
    Extents out;
    out.time = m_last - m_started;
    if (m_offsets) return out;
    for (const auto& p : m_panels) {
        auto& range = out.buckets.try_emplace(bucketsKey(p.of.shape), Extents::Buckets{p.of.first, p.of.last}).first->second;
        range = {std::min(range.first, p.of.first), std::max(range.last, p.of.last)};
    }
    out.values[std::string(kHeatCells)].add({0, mostPerSecond()});
    if (!m_panels.empty()) out.values[std::string(kHeatColumn)].add({0, usualLength()});
    return out;
}

Table HeatmapData::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    const Unit unit = m_panels.empty() ? Unit::None : m_panels.front().of.measure.unit;
    t.columns.push_back(Column::number("time_ns", Unit::Nanoseconds));
    t.columns.push_back(Column::number("low", unit));
    t.columns.push_back(Column::number("high", unit));
    t.columns.push_back(Column::number("count", Unit::Count));
    for (const auto& p : m_panels)
        for (const auto& [at, count] : p.counts) {
            std::vector<std::string> row;
            if (m_several) row.push_back(valueColumn(p.of.shape));
            for (auto& cell : keyCells(m_keyNames, p.of.shape.keys, p.keys))
                row.push_back(std::move(cell));
            const auto range = record::bucketRange(p.of.shape, at.second);
            row.push_back(std::to_string(p.times[at.first].to));
            row.push_back(range.low ? std::to_string(*range.low) : "");
            row.push_back(range.high ? std::to_string(*range.high) : "");
            row.push_back(plainNumber(count));
            t.rows.push_back(std::move(row));
        }
    return t;
}
} // namespace dscope::graph
