#pragma once
#include "engine/record/record.h"
#include <span>
namespace dscope::record {
/// The aggregations of a stream as they stand now. Feed it every record; control actions (clear, trunc, normalize) act
/// in their order within a clause through apply(). Used by the text printer and the store.
class AggregationState {
public:
    struct Entry {
        std::vector<AggregationRow> rows;
        std::int64_t divisor = 1; ///< of normalize()
        bool printed = false;     ///< by a printa: not printed again at the end
    };
    explicit AggregationState(std::vector<Aggregation> aggregations = {});
    void take(const AggregationRows& rows);
    /// One more than the program has, with the next id.
    AggregationId declare(Aggregation aggregation);
    /// One control action of a clause, given the firing's payload; other kinds are ignored.
    void apply(const Action& action, ByteView payload);
    Entry& entry(AggregationId id) { return m_entries.at(id.value); }
    const Entry& entry(AggregationId id) const { return m_entries.at(id.value); }
    const std::vector<Aggregation>& aggregations() const { return m_aggregations; }

private:
    std::vector<Aggregation> m_aggregations;
    std::vector<Entry> m_entries;
};
/// How dtrace compares values of one aggregation: negative, 0, positive. Quantized: the sum of bucket value times
/// count, then the count at zero; avg by average; stddev by its value.
int compareData(const Aggregation& aggregation, const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);
/// Whether compareData() compares scalarOf() of the two.
bool isComparedByScalar(const Aggregation& aggregation);
/// Keys member by member: integers unsigned, strings bytewise, the rest by bytes. `first`: the member to begin with,
/// the others follow in their order, around the end (dtrace's aggsortkeypos); one too many counts as 0.
int compareKeys(const Aggregation& aggregation, ByteView a, ByteView b, std::size_t first = 0);
/// The one number dtrace prints for count, sum, min, max, avg or stddev, divided as normalize() asks; 0 for an average
/// of nothing. A divisor of 0 counts as 1.
/// Source: the Dynamic Tracing Guide; stddev is sqrt(average(x*x) - average(x)^2), in 128-bit integers.
std::int64_t scalarOf(Aggregator function, const std::vector<std::int64_t>& data, std::int64_t divisor = 1);
/// What a row holds after clear(), and what a printa of several aggregations shows for a key that one of them lacks.
std::vector<std::int64_t> emptyData(Aggregator function);
/// Whether data has the layout that AggregationRow documents for its function: sizes, bucket numbers in range, ascending.
bool wellFormed(const Aggregation& aggregation, std::span<const std::int64_t> data);
} // namespace dscope::record
