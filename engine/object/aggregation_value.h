#pragma once
#include "engine/record/record.h"
#include <cstddef>
/// How the maps of an Object hold what an aggregation has for a key: { u64 updates; i64 data[] }, on each CPU.
namespace dscope::object {
/// Words of data that a value of the aggregation has: count 1, avg 2, stddev 4, as record::AggregationRow says; of quantizes
/// one for each bucket.
std::size_t dataWords(const record::Aggregation& aggregation);
/// True if the first of these words is the number of updates (count, avg, stddev). The maps then hold that number once, and
/// their data[] begins with the second word.
bool countsUpdates(record::Aggregator function);
/// Bytes of one CPU's value in the maps.
std::size_t valueBytes(const record::Aggregation& aggregation);
} // namespace dscope::object
