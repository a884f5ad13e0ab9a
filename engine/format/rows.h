#pragma once
#include "engine/format/charts.h"
#include "engine/format/values.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/sort.h"
#include <functional>
#include <map>
#include <span>
#include <string>
/// Rows of aggregations as dtrace prints them when no format is given.
namespace dscope::format {
/// Whether its values are counts by bucket.
bool isDistribution(const record::Aggregation& aggregation);
/// How rows are printed; from the options agghist, aggpack, aggzoom and encoding.
struct RowStyle {
    bool histogram = false;   ///< agghist: counts and sums as bars
    bool packed = false;      ///< aggpack: distributions on one line each
    Scale scale = Scale::Sum; ///< aggzoom
    bool ascii = false;       ///< encoding=ascii: no block characters in packed lines
};
RowStyle rowStyle(const std::map<std::string, std::string>& options);

/// Sorted rows of one aggregation: keys, value, newline each. Row by row, as a distribution may be long.
/// Source of the agghist and aggpack layouts: illumos, libdtrace/common/dt_consume.c.
void writeRows(const Context& context, const RowStyle& style, const record::Aggregation& aggregation,
    std::span<const record::AggregationRow> rows, std::int64_t divisor, const std::function<void(std::string_view)>& write);
/// What option aggpercpu shows below the rows of an aggregation: the values by CPU, a line each, also for those of the machine's `cpus`
/// that aggregated nothing. They are of the aggregation behind it, which has the CPU as its last key. Good until the state changes.
/// Source: DTrace for Linux, libdtrace/dt_consume.c, dt_print_aggs(); dt_aggregate.c for what a CPU has that aggregated nothing.
class ValuesByCpu {
public:
    ValuesByCpu(const record::AggregationState& state, AggregationId id, std::uint32_t cpus);
    std::string text(const RowStyle& style, const record::AggregationRow& row) const;
    /// The same between the values of a joined row: each line begins with a newline, none ends with one.
    std::string joinedText(const RowStyle& style, ByteView key) const;

private:
    /// "    [CPU 0]" and the value of each CPU, for a key that is known.
    std::vector<std::string> lines(const RowStyle& style, ByteView key) const;
    std::string keyOf(std::span<const record::Field> fields, ByteView key) const;
    const std::vector<record::Field>& m_keys;
    const record::Aggregation& m_aggregation;
    std::int64_t m_divisor;
    std::uint32_t m_cpus;
    std::map<std::string, std::map<std::int64_t, const record::AggregationRow*>> m_rows; ///< by the keys without the CPU
};
/// One joined row: keys, then each value, and behind each its values by CPU, if `byCpu` has them of each of `ids`.
std::string joinedText(const Context& context, const RowStyle& style, const record::AggregationState& state,
    std::span<const AggregationId> ids, std::span<const ValuesByCpu> byCpu, const record::JoinedRow& row);
/// A row's data, zeros where an aggregation lacks the key.
std::vector<std::int64_t> dataOf(const record::Aggregation& aggregation, const record::AggregationRow* row);
} // namespace dscope::format
