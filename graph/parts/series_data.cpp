#include "graph/parts/series_data.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/palette.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <utility>
namespace dscope::graph {
using record::Aggregation;
using record::Aggregator;

bool isForSeries(const Aggregation& aggregation) { return std::none_of(aggregation.keys.begin(), aggregation.keys.end(), isStack); }

SeriesData::SeriesData(const Store& store) : m_noun(countedNoun(store)), m_started(store.program().started)
{
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id)
        if (isForSeries(all[id])) m_panels.push_back(amountsOf(store, AggregationId{id}));
    for (const auto& p : m_panels)
        addKeyNames(m_keyNames, p.shape);
}

SeriesData::SeriesData(const Store& before, const Store& after) : SeriesData(after)
{
    auto was = SeriesData(before).m_panels;
    auto is = std::exchange(m_panels, {});
    m_compares = true;
    const auto later = m_started - before.program().started;
    for (auto& panel : was)
        for (auto& interval : panel.intervals)
            interval = {interval.from + later, interval.to + later};
    for (auto& panel : is) {
        const auto same = std::find_if(was.begin(), was.end(), [&](const AmountsOverTime& p) {
            return p.shape.name == panel.shape.name && p.shape.function == panel.shape.function
                && p.shape.keys.size() == panel.shape.keys.size();
        });
        if (same != was.end()) {
            same->run = AmountsOverTime::Run::Before;
            m_panels.push_back(std::move(*same));
            was.erase(same);
        }
        panel.run = AmountsOverTime::Run::After;
        m_panels.push_back(std::move(panel));
    }
    m_aggregations = is.size() + was.size();
    for (auto& panel : was) { // the later program has no such aggregation
        panel.run = AmountsOverTime::Run::Before;
        m_panels.push_back(std::move(panel));
    }
}

bool SeriesData::empty() const
{
    return std::all_of(m_panels.begin(), m_panels.end(), [](const AmountsOverTime& p) { return p.lines.empty(); });
}

bool SeriesData::isSlight() const
{
    constexpr std::size_t kFewest = 3; // moments: with two there is one step
    return std::all_of(
        m_panels.begin(), m_panels.end(), [](const AmountsOverTime& p) { return p.lines.empty() || drawnIntervals(p) < kFewest; });
}

std::int64_t SeriesData::last() const
{
    std::int64_t latest = m_started + 1;
    for (const auto& p : m_panels)
        if (!p.intervals.empty()) latest = std::max(latest, p.intervals.back().to);
    return latest;
}

Extents SeriesData::extents() const
{
    Extents out;
    out.time = last() - m_started;
    for (const auto& p : m_panels) {
        const auto drawn = drawnAmounts(p);
        for (const auto& line : drawnLines(drawn, kSeriesHues + 1).lines)
            for (const auto& value : line.values)
                if (value) out.values[p.shape.name].add({std::min(*value, 0.0), std::max(*value, 0.0)});
    }
    return out;
}

std::string SeriesData::what(const AmountsOverTime& p) const
{
    const auto& a = p.shape;
    if (a.function == Aggregator::Count) return m_noun.said();
    if (isQuantized(a.function)) return ofValues(m_noun).said();
    return printable(a.name.size() > 2 ? a.name : valueInWords(a)); // names of a letter are no words
}

std::string SeriesData::amountText(const AmountsOverTime& p, double value) const
{
    const auto text = valueText(p, value);
    if (p.shape.function == Aggregator::Sum) return text;
    return (isQuantized(p.shape.function) ? ofValues(m_noun) : m_noun).with(text);
}

std::string SeriesData::valueText(const AmountsOverTime& p, double value) const
{
    return Ranking{p.shape, p.measure, {}, 0}.valueText(value);
}

Table SeriesData::table() const
{
    Table t;
    const bool several = aggregations() > 1;
    if (m_compares) t.columns.push_back(Column::text("run"));
    if (several) t.columns.push_back(Column::text("aggregation"));
    const bool isNumbered = std::any_of(m_panels.begin(), m_panels.end(), [](const AmountsOverTime& panel) { return panel.isNumbered; });
    t.columns.push_back(isNumbered ? Column::number("printing", Unit::None) : Column::number("time_ns", Unit::Nanoseconds));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    t.columns.push_back(Column::number("value", m_panels.empty() ? Unit::None : m_panels.front().measure.unit));
    for (const auto& p : m_panels) {
        std::vector<std::pair<std::uint32_t, std::pair<const AmountLine*, Number>>> all;
        for (const auto& line : p.lines)
            for (const auto& [interval, value] : line.values)
                all.push_back({interval, {&line, value}});
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [interval, point] : all) {
            std::vector<std::string> row;
            if (m_compares) row.push_back(p.run == AmountsOverTime::Run::Before ? "before" : "after");
            if (several) row.push_back(valueColumn(p.shape));
            row.push_back(std::to_string(p.intervals[interval].to));
            for (const auto& name : m_keyNames) {
                const auto at = std::find_if(p.shape.keys.begin(), p.shape.keys.end(), [&](const auto& f) { return f.name == name; });
                const auto index = static_cast<std::size_t>(at - p.shape.keys.begin());
                row.push_back(index < point.first->keys.size() ? point.first->keys[index] : std::string());
            }
            row.push_back(plainNumber(p.shape, point.second));
            t.rows.push_back(std::move(row));
        }
    }
    return t;
}
} // namespace dscope::graph
