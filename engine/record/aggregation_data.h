#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <vector>
/// How the data of rows combine. Sums wrap around, as they do in the kernel.
namespace dscope::record {
using AggregationData = std::vector<std::int64_t>; ///< as AggregationRow has it
/// min() and max(): what came in earlier can't be taken away again.
bool isExtreme(Aggregator function);
/// `data` and `more` of one aggregating function as if what they hold had come in together. Of data that is empty nothing came in.
void addData(Aggregator function, AggregationData& data, const AggregationData& more);
/// What came in between `before` and `now`; empty when nothing did. Of all functions but min and max.
AggregationData dataSince(Aggregator function, const AggregationData& now, const AggregationData& before);
} // namespace dscope::record
