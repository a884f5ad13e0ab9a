#pragma once
#include "engine/record/record.h"
#include <optional>
namespace dscope::record {
/// The inclusive range of a bucket of quantize, lquantize or llquantize; an empty end is open (under- and overflow).
struct BucketRange {
    std::optional<std::int64_t> low, high;
};
/// quantize: bucket 63 is 0 alone, 63+k is [2^(k-1), 2^k - 1], 63-k its mirror; 127 in all.
/// Source: uts/common/sys/dtrace.h, DTRACE_QUANTIZE_BUCKETVAL.
constexpr int kQuantizeZero = 63, kQuantizeBuckets = 127;
constexpr std::int64_t quantizeValue(int bucket)   ///< what dtrace prints in the value column
{
    if (bucket == kQuantizeZero) return 0;
    if (bucket > kQuantizeZero) return std::int64_t(std::uint64_t{1} << (bucket - kQuantizeZero - 1));
    return -std::int64_t(std::uint64_t{1} << (kQuantizeZero - 1 - bucket));
}
/// lquantize: bucket 0 is below base, 1.. are steps, the last is at or above limit.
/// llquantize: as dtrace numbers its buckets (bucket 0 underflow, last overflow).
int bucketCount(const Aggregation& aggregation);
BucketRange bucketRange(const Aggregation& aggregation, int bucket);
/// The bucket a value falls in; what the code generator's output must agree with.
int bucketOf(const Aggregation& aggregation, std::int64_t value);
} // namespace dscope::record
