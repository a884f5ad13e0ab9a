#include "engine/object/aggregation_value.h"
#include "engine/record/buckets.h"
namespace dscope::object {
using record::Aggregator;

std::size_t dataWords(const record::Aggregation& aggregation)
{
    switch (aggregation.function) {
    case Aggregator::Count:
    case Aggregator::Sum:
    case Aggregator::Min:
    case Aggregator::Max: return 1;
    case Aggregator::Avg: return 2;
    case Aggregator::Stddev: return 4;
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: return static_cast<std::size_t>(record::bucketCount(aggregation));
    }
    return 1;
}

bool countsUpdates(Aggregator function)
{
    return function == Aggregator::Count || function == Aggregator::Avg || function == Aggregator::Stddev;
}

std::size_t valueBytes(const record::Aggregation& aggregation)
{
    return 8 * (1 + dataWords(aggregation) - (countsUpdates(aggregation.function) ? 1 : 0));
}
} // namespace dscope::object
