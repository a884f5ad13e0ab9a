#include "graph/history.h"
#include "engine/record/aggregation_data.h"
#include "engine/record/aggregation_state.h"
#include "graph/keys.h"
#include <algorithm>
namespace dscope::graph {
namespace {
using record::Aggregator;
using Data = std::vector<std::int64_t>;
constexpr std::int64_t kTiny = 20;      // a part of the interval before: two clauses of one tick, the end after the last
constexpr std::size_t kFewestMarks = 2; // a program that prints once, at its end, has no intervals of its own

void merge(Aggregator function, Interval& into, const Interval& next)
{
    into.to = next.to;
    into.marked = next.marked;
    for (const auto& [key, data] : next.data)
        record::addData(function, into.data[key], data);
}
/// Merges neighbouring intervals wherever `together(merged so far, next)` is true.
template <typename Together> std::vector<Interval> mergedWhere(Aggregator function, const std::vector<Interval>& all, Together together)
{
    std::vector<Interval> out;
    for (const auto& interval : all) {
        if (!out.empty() && together(out.back(), interval))
            merge(function, out.back(), interval);
        else
            out.push_back(interval);
    }
    return out;
}
} // namespace

std::uint32_t History::numberOf(const Bytes& key)
{
    const auto [at, isNew] = m_numbers.try_emplace(
        std::string(reinterpret_cast<const char*>(key.data()), key.size()), static_cast<std::uint32_t>(m_keys.size()));
    if (isNew) {
        m_keys.push_back(key);
        m_known.emplace_back();
    }
    return at->second;
}
void History::take(std::int64_t when, const std::vector<record::AggregationRow>& rows)
{
    Interval next{m_last, std::max(when, m_last), false, {}};
    const auto nothing = record::emptyData(m_function);
    for (const auto& row : rows) {
        if (row.data == nothing) continue;
        const auto key = numberOf(row.key);
        auto data = record::isExtreme(m_function) ? row.data : record::dataSince(m_function, row.data, m_known[key]);
        if (!data.empty()) next.data.emplace_hint(next.data.end(), key, std::move(data));
        m_known[key] = row.data;
    }
    m_last = next.to;
    if (!m_intervals.empty() && next.to - next.from < (m_intervals.back().to - m_intervals.back().from) / kTiny) {
        next.marked = m_intervals.back().marked;
        merge(m_function, m_intervals.back(), next);
        return;
    }
    m_cells += next.data.size();
    m_intervals.push_back(std::move(next));
    if (m_intervals.size() > kMostIntervals || (m_cells > kMostCells && m_intervals.size() > 2)) shrink();
}
void History::reset(const std::vector<record::AggregationRow>& left)
{
    for (auto& known : m_known)
        known.clear();
    for (const auto& row : left)
        m_known[numberOf(row.key)] = row.data;
}
void History::shrink()
{
    const auto marks = std::count_if(m_intervals.begin(), m_intervals.end(), [](const Interval& i) { return i.marked; });
    const auto before = m_intervals.size();
    if (marks >= static_cast<std::ptrdiff_t>(kFewestMarks))
        m_intervals = mergedWhere(m_function, m_intervals, [](const Interval& a, const Interval&) { return !a.marked; });
    if (m_intervals.size() > before / 2) {
        bool odd = false;
        m_intervals = mergedWhere(m_function, m_intervals, [&](const Interval&, const Interval&) { return odd = !odd; });
    }
    m_cells = 0;
    for (const auto& interval : m_intervals)
        m_cells += interval.data.size();
}
std::optional<std::int64_t> History::keepWithin(std::int64_t from, std::int64_t to)
{
    std::vector<Interval> kept;
    std::int64_t beyond = 0;
    bool isLost = false;
    for (auto& interval : m_intervals) {
        const auto overlap = std::min(interval.to, to) - std::max(interval.from, from);
        if (overlap <= 0) continue;
        if (2 * overlap < interval.to - interval.from) {
            isLost = isLost || !interval.data.empty();
            continue;
        }
        beyond = std::max({beyond, from - interval.from, interval.to - to});
        kept.push_back(std::move(interval));
    }
    const bool isUnknown = kept.empty() && isLost;
    m_intervals = std::move(kept);
    if (isUnknown) return std::nullopt;
    return beyond;
}
std::vector<record::AggregationRow> History::sums() const
{
    std::map<std::uint32_t, Data> sums;
    for (const auto& interval : m_intervals)
        for (const auto& [key, data] : interval.data)
            record::addData(m_function, sums[key], data);
    std::vector<record::AggregationRow> out;
    for (auto& [key, data] : sums)
        out.push_back({m_keys[key], std::move(data)});
    return out;
}
std::vector<Interval> History::intervals() const
{
    const auto marks = std::count_if(m_intervals.begin(), m_intervals.end(), [](const Interval& i) { return i.marked; });
    if (marks >= static_cast<std::ptrdiff_t>(kFewestMarks))
        return mergedWhere(m_function, m_intervals, [](const Interval& a, const Interval&) { return !a.marked; });
    std::int64_t longest = 0;
    for (const auto& i : m_intervals)
        longest = std::max(longest, i.to - i.from);
    return mergedWhere(
        m_function, m_intervals, [&](const Interval& a, const Interval& b) { return b.to - a.from <= longest + longest / 16; });
}
} // namespace dscope::graph
