#pragma once
#include "engine/format/values.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/sort.h"
#include <map>
#include <span>
#include <string>
/// Rows of aggregations as dtrace prints them when no format is given.
namespace dscope::format {
struct RowStyle {
    bool histogram = false; ///< agghist: counts and sums as bars
    bool packed = false;    ///< aggpack: distributions on one line each
    bool zoom = false;      ///< aggzoom: bars against the largest value
    bool ascii = false;     ///< encoding=ascii: no block characters in packed lines
};
RowStyle rowStyle(const std::map<std::string, std::string>& options);

/// Sorted rows of one aggregation: keys, value, newline each.
/// Source of the agghist and aggpack layouts: illumos, libdtrace/common/dt_consume.c.
std::string rowsText(const Context& context, const RowStyle& style, const record::Aggregation& aggregation,
    std::span<const record::AggregationRow> rows, std::int64_t divisor);
/// One joined row: keys, then each value.
std::string joinedText(const Context& context, const RowStyle& style, const record::AggregationState& state,
    std::span<const AggregationId> ids, const record::JoinedRow& row);
/// A row's data, zeros where an aggregation lacks the key.
std::vector<std::int64_t> dataOf(const record::Aggregation& aggregation, const record::AggregationRow* row);
} // namespace dscope::format
