#pragma once
#include "engine/record/record.h"
namespace dscope::record {
/// The aggregations of a stream as they stand now. Feed it every record; control actions (clear, trunc, normalize) act
/// in their order within a clause through apply(). Used by the text printer and the store.
class AggregationState {
public:
    struct Entry {
        std::vector<AggregationRow> rows;
        std::int64_t divisor = 1;               ///< of normalize()
        bool printed = false;                   ///< by a printa: not printed again at the end
    };
    explicit AggregationState(std::vector<Aggregation> aggregations = {});
    void take(const AggregationRows& rows);
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
/// Keys member by member: integers unsigned, strings bytewise, the rest by bytes.
int compareKeys(const Aggregation& aggregation, ByteView a, ByteView b);
} // namespace dscope::record
