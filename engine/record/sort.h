#pragma once
#include "engine/record/aggregation_state.h"
#include <map>
#include <span>
#include <string>
/// The order in which dtrace prints the rows of aggregations.
namespace dscope::record {
/// By value ascending, ties by key, unless options say otherwise.
struct SortOrder {
    bool byKey = false;          ///< aggsortkey: by key, ties by value
    bool reversed = false;       ///< aggsortrev: descending, ties too
    std::size_t keyPosition = 0; ///< aggsortkeypos: the key member that decides first
    std::size_t position = 0;    ///< aggsortpos: of several aggregations printed together, the one that decides first
};
/// From Program::options.
SortOrder sortOrder(const std::map<std::string, std::string>& options);
/// Whether a boolean D option is on: set, and not to "0", "no", "off", "false", "disable" or "unset".
bool flagOf(const std::map<std::string, std::string>& options, const std::string& name);

void sortRows(const Aggregation& aggregation, std::vector<AggregationRow>& rows, const SortOrder& order);

/// What a printa of several aggregations shows of one key.
struct JoinedRow {
    const Bytes* key = nullptr;
    std::vector<const AggregationRow*> rows; ///< one an aggregation, null where it lacks the key
};
/// Rows of several aggregations with the same key signature, joined by key and sorted. The result points into the state.
std::vector<JoinedRow> joinRows(const AggregationState& state, std::span<const AggregationId> ids, const SortOrder& order);
} // namespace dscope::record
