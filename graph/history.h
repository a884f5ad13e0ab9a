#pragma once
#include "engine/record/record.h"
#include "graph/cells.h"
#include "graph/kept_keys.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
namespace dscope::graph {
/// What came into one aggregation during a stretch of time.
struct Interval {
    std::int64_t from = 0, to = 0; ///< ns, CLOCK_MONOTONIC; to: when the rows were read
    bool marked = false;           ///< ends where the program itself printed, cleared or truncated the aggregation
    /// By number of the key. Data as in AggregationRow, of this interval alone; of min() and max(), which can't be taken
    /// apart, what had been reached by its end. Keys to which nothing came are left out.
    Cells data;
};
/// One aggregation over time, from the snapshots of it in the stream: the differences between them. Bounded: when there
/// are more than kMostIntervals, or they hold more than is said, neighbours become one, and no value is lost; when there are more than
/// kMostKeys, of those that the aggregation has no longer the ones with the least go. bounds() tells of both.
class History {
public:
    /// `mostBytes`: of what its intervals hold; a run's aggregations share kMostBytes.
    History(record::Aggregator function, std::int64_t start, std::size_t mostBytes = kMostBytes)
        : m_function(function), m_last(start), m_mostBytes(mostBytes)
    {
    }
    /// The rows as they stand at `when`.
    void take(std::int64_t when, const std::vector<record::AggregationRow>& rows);
    /// The last rows were read because the program prints or resets them.
    void mark()
    {
        if (!m_intervals.empty()) m_intervals.back().marked = true;
    }
    /// What clear() or trunc() has left.
    void reset(const std::vector<record::AggregationRow>& left);
    /// Where the program prints or resets the aggregation from time to time, from one of these to the next; else from
    /// snapshot to snapshot, all of about one length. Ascending, without gaps.
    std::vector<Interval> intervals() const;
    /// Forgets what did not come in between `from` and `to`: of an interval that is partly within, all is kept when at least half of it
    /// is. Gives how far what is kept reaches beyond them, at most, or nothing when it has only been read too rarely: something came in,
    /// but no interval is mostly within.
    std::optional<std::int64_t> keepWithin(std::int64_t from, std::int64_t to);
    /// What came in altogether, a row a key.
    std::vector<record::AggregationRow> sums() const;
    const KeptKeys& keys() const { return m_keys; } ///< by number
    /// What the bounds have cost so far.
    struct Bounds {
        std::int64_t step = 0;      ///< ns: the longest interval that several readings became; 0: each is as it was read
        std::uint64_t keysGone = 0; ///< with all that came in under them
    };
    const Bounds& bounds() const { return m_bounds; }
    std::size_t bytes() const; ///< of memory, about
    static constexpr std::size_t kMostIntervals = 1024, kMostBytes = 4U << 20U, kMostKeys = 250'000;

private:
    using Numbered = std::vector<std::pair<std::uint32_t, const record::AggregationData*>>;
    Numbered numbered(const std::vector<record::AggregationRow>& rows);
    void shrink();
    void forgetKeys();

    record::Aggregator m_function;
    std::int64_t m_last; ///< end of the last interval
    std::vector<Interval> m_intervals;
    std::size_t m_mostBytes, m_bytes = 0; ///< of the intervals' data
    KeptKeys m_keys;
    Cells m_known; ///< by key: what the differences are taken to
    Bounds m_bounds;
};
/// Whether at least half of the time between `from` and `to` is between `begin` and `end`.
constexpr bool isMostlyWithin(std::int64_t from, std::int64_t to, std::int64_t begin, std::int64_t end)
{
    const auto overlap = std::min(to, end) - std::max(from, begin);
    return overlap > 0 && 2 * overlap >= to - from;
}
/// Makes one of each stretch of time that is less than half as long as the median and its neighbour, the one before where there is
/// one. `Stretch` has `from` and `to` in ns; `join(into, next)` makes two neighbours one. Gives the new place of each.
template <typename Stretch, typename Join> std::vector<std::uint32_t> joinShort(std::vector<Stretch>& all, Join join)
{
    std::vector<std::int64_t> lengths;
    for (const auto& stretch : all)
        lengths.push_back(stretch.to - stretch.from);
    if (lengths.empty()) return {};
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
    const auto usual = lengths[lengths.size() / 2];
    std::vector<Stretch> out;
    std::vector<std::uint32_t> places;
    const auto isShort = [&](const Stretch& stretch) { return 2 * (stretch.to - stretch.from) < usual; };
    for (const auto& stretch : all) {
        if (!out.empty() && (isShort(stretch) || isShort(out.back()))) // the last so far is short where it is the first of all
            join(out.back(), stretch);
        else
            out.push_back(stretch);
        places.push_back(static_cast<std::uint32_t>(out.size() - 1));
    }
    all = std::move(out);
    return places;
}
} // namespace dscope::graph
