#include "graph/history.h"
#include "engine/record/aggregation_data.h"
#include "engine/record/aggregation_state.h"
#include "graph/keys.h"
#include <algorithm>
#include <cmath>
#include <span>
namespace dscope::graph {
namespace {
using record::Aggregator;
constexpr std::int64_t kTiny = 20;      // a part of the interval before: two clauses of one tick, the end after the last
constexpr std::size_t kFewestMarks = 2; // a program that prints once, at its end, has no intervals of its own

void merge(Aggregator function, Interval& into, const Interval& next)
{
    into.to = next.to;
    into.marked = next.marked;
    into.data = Cells::merged(function, into.data, next.data);
}
/// The data of neighbours, by halves: each cell is read no more often than there are halves.
Cells dataOf(Aggregator function, std::span<const Interval> all)
{
    if (all.size() == 1) return all.front().data;
    const auto half = all.size() / 2;
    return Cells::merged(function, dataOf(function, all.first(half)), dataOf(function, all.subspan(half)));
}
/// Merges neighbouring intervals wherever `together(merged so far, next)` is true; what is merged so far has no data yet.
template <typename Together> std::vector<Interval> mergedWhere(Aggregator function, std::span<const Interval> all, Together together)
{
    std::vector<Interval> out;
    std::size_t first = 0;
    const auto end = [&](std::size_t behind) {
        if (!out.empty()) out.back().data = dataOf(function, all.subspan(first, behind - first));
        first = behind;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& next = all[i];
        if (!out.empty() && together(out.back(), next)) {
            out.back().to = next.to;
            out.back().marked = next.marked;
            continue;
        }
        end(i);
        out.push_back({next.from, next.to, next.marked, {}});
    }
    end(all.size());
    return out;
}
} // namespace

/// By number of the key, ascending; of a key that comes twice the last.
History::Numbered History::numbered(const std::vector<record::AggregationRow>& rows)
{
    Numbered out;
    out.reserve(rows.size());
    for (const auto& row : rows)
        out.emplace_back(m_keys.of(row.key), &row.data);
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(out.begin(), out.end(), before)) std::stable_sort(out.begin(), out.end(), before);
    const auto last = std::unique(out.rbegin(), out.rend(), [](const auto& a, const auto& b) { return a.first == b.first; });
    out.erase(out.begin(), last.base());
    return out;
}
void History::take(std::int64_t when, const std::vector<record::AggregationRow>& rows)
{
    Interval next{m_last, std::max(when, m_last), false, {}};
    const auto nothing = record::emptyData(m_function);
    Cells known;
    auto before = m_known.begin();
    const auto keepBefore = [&](std::uint32_t key) { // what the rows do not tell of
        for (; before != Cells::end() && (*before).key < key; ++before)
            known.add((*before).key, (*before).data);
    };
    const record::AggregationData none;
    for (const auto& [key, now] : numbered(rows)) {
        if (*now == nothing) continue;
        keepBefore(key);
        const bool isKnown = before != Cells::end() && (*before).key == key;
        const auto came = record::isExtreme(m_function) ? *now : record::dataSince(m_function, *now, isKnown ? (*before).data : none);
        if (!came.empty()) next.data.add(key, came);
        known.add(key, *now);
        if (isKnown) ++before;
    }
    keepBefore(UINT32_MAX);
    m_known = std::move(known);
    next.data.shrinkToFit();
    m_last = next.to;
    if (!m_intervals.empty() && next.to - next.from < (m_intervals.back().to - m_intervals.back().from) / kTiny) {
        next.marked = m_intervals.back().marked;
        m_bytes -= m_intervals.back().data.bytes();
        merge(m_function, m_intervals.back(), next);
        m_bytes += m_intervals.back().data.bytes();
        return;
    }
    m_bytes += next.data.bytes();
    m_intervals.push_back(std::move(next));
    if (m_keys.size() > kMostKeys) forgetKeys();
    if (m_intervals.size() > kMostIntervals || (m_bytes > m_mostBytes && m_intervals.size() > 2)) shrink();
}
void History::reset(const std::vector<record::AggregationRow>& left)
{
    m_known = {};
    for (const auto& [key, data] : numbered(left))
        m_known.add(key, *data);
    m_known.shrinkToFit();
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
        for (const auto& interval : m_intervals)
            m_bounds.step = std::max(m_bounds.step, interval.to - interval.from);
    }
    m_bytes = 0;
    for (const auto& interval : m_intervals)
        m_bytes += interval.data.bytes();
}
/// Of the keys that the aggregation has no longer, those with the least go, until half of the room is free; what is known of the others is
/// still told, for it is what their next rows are compared to.
void History::forgetKeys()
{
    std::vector<double> amounts(m_keys.size());
    for (const auto& interval : m_intervals)
        for (const auto& [key, data] : interval.data)
            for (const auto value : data)
                amounts[key] += std::abs(static_cast<double>(value));
    std::vector<bool> stays(m_keys.size());
    for (const auto& [key, data] : m_known)
        stays[key] = true;
    std::vector<std::uint32_t> others;
    for (std::uint32_t key = 0; key < m_keys.size(); ++key)
        if (!stays[key]) others.push_back(key);
    const auto most = std::min(others.size(), kMostKeys / 2);
    const auto firstGone = others.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(others.begin(), firstGone, others.end(), [&](auto a, auto b) { return amounts[a] > amounts[b]; });
    std::for_each(others.begin(), firstGone, [&](auto key) { stays[key] = true; });
    m_bounds.keysGone += others.size() - most;

    const auto numbers = m_keys.keepOnly(stays);
    const auto renumbered = [&](const Cells& cells) {
        Cells out;
        for (const auto& [key, data] : cells)
            if (numbers[key] != KeptKeys::kNone) out.add(numbers[key], data);
        out.shrinkToFit();
        return out;
    };
    m_bytes = 0;
    for (auto& interval : m_intervals) {
        interval.data = renumbered(interval.data);
        m_bytes += interval.data.bytes();
    }
    m_known = renumbered(m_known);
}
std::size_t History::bytes() const
{
    auto bytes = m_keys.bytes() + m_known.bytes() + m_intervals.capacity() * sizeof(Interval);
    for (const auto& interval : m_intervals)
        bytes += interval.data.bytes();
    return bytes;
}
std::optional<std::int64_t> History::keepWithin(std::int64_t from, std::int64_t to)
{
    std::vector<Interval> kept;
    std::int64_t beyond = 0;
    bool isLost = false;
    for (auto& interval : m_intervals) {
        const auto overlap = std::min(interval.to, to) - std::max(interval.from, from);
        if (overlap <= 0) continue;
        if (!isMostlyWithin(interval.from, interval.to, from, to)) {
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
    std::vector<record::AggregationData> sums(m_keys.size());
    for (const auto& interval : m_intervals)
        for (const auto& [key, data] : interval.data)
            record::addData(m_function, sums[key], data);
    std::vector<record::AggregationRow> out;
    for (std::uint32_t key = 0; key < sums.size(); ++key) {
        if (sums[key].empty()) continue;
        const auto bytes = m_keys[key];
        out.push_back({Bytes(bytes.begin(), bytes.end()), std::move(sums[key])});
    }
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
