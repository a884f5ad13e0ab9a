#pragma once
#include "engine/record/record.h"
#include <optional>
namespace dscope::record {
/// The inclusive range of a bucket of quantize, lquantize, llquantize or ranges; an empty end is open (under- and overflow).
/// A bucket that no integer falls in (llquantize from magnitude 0 with more steps than integers) has low > high.
struct BucketRange {
    std::optional<std::int64_t> low, high;
};
/// quantize: bucket 63 is 0 alone, 63+k is [2^(k-1), 2^k - 1], 63-k its mirror; 127 in all.
/// Source: uts/common/sys/dtrace.h, DTRACE_QUANTIZE_BUCKETVAL.
constexpr int kQuantizeZero = 63, kQuantizeBuckets = 127;
constexpr std::int64_t quantizeValue(int bucket) ///< what dtrace prints in the value column
{
    if (bucket == kQuantizeZero) return 0;
    if (bucket > kQuantizeZero) return std::int64_t(std::uint64_t{1} << (bucket - kQuantizeZero - 1));
    return -std::int64_t(std::uint64_t{1} << (kQuantizeZero - 1 - bucket));
}
/// lquantize: bucket 0 is below base, 1.. are steps, the last is at or above limit (base + levels * step, where
/// levels = (limit - base) / step).
/// llquantize, as DTrace for Linux numbers them: with n = (high - low + 1) * (steps - steps / factor), bucket n + 1 is
/// the middle one, |value| < factor^low; n + 1 + i is the i-th above it, n + 1 - i its mirror; 0 is <= -factor^(high+1),
/// the last, 2n + 2, is >= factor^(high+1). Above the middle, with m = factor^(magnitude + 1) and the magnitude that
/// holds factor^magnitude <= |value| < m:
///   i = (magnitude - low) * (steps - steps / factor) + (|value| * steps / m) - steps / factor + 1
/// (integer division; for magnitudes above 0, |value| / (m / steps), so that nothing overflows).
/// ranges: bucket 0 is below the first of Aggregation::bounds, bucket i begins at the i-th of them and ends before the next, the last has
/// no end.
int bucketCount(const Aggregation& aggregation);
BucketRange bucketRange(const Aggregation& aggregation, int bucket);
/// The bucket a value falls in; what the code generator's output must agree with.
int bucketOf(const Aggregation& aggregation, std::int64_t value);
/// The value by which dtrace weighs a bucket when it sorts, and which it prints: the end nearer to zero; for lquantize
/// the low end (base - 1 and limit + 1 beyond the ends).
std::int64_t bucketWeight(const Aggregation& aggregation, int bucket);
/// Whether the parameters are ones that dtrace accepts, so that bucketCount() is at least 3; of ranges whether there are bounds, not too
/// many: then it is at least 2.
bool hasBuckets(const Aggregation& aggregation);
/// How many bounds ranges may have.
constexpr std::size_t kMostBounds = 65'536;
/// Whether these can be the bounds of ranges: some, not too many, ascending, and the lowest has values below it.
bool areBounds(const std::vector<std::int64_t>& bounds);
/// Whether a bucket of the one is the bucket of that number of the other.
bool sameBuckets(const Aggregation& a, const Aggregation& b);
} // namespace dscope::record
