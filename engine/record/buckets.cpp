#include "engine/record/buckets.h"
#include <algorithm>
#include <bit>
#include <limits>
namespace dscope::record {
namespace {
__extension__ using Wide = unsigned __int128;
// More than any llquantize that dtrace compiles has.
constexpr int kMostBuckets = 1 << 21;
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

std::uint64_t magnitudeOf(std::int64_t value) { return value < 0 ? std::uint64_t{0} - std::uint64_t(value) : std::uint64_t(value); }

/// base, step and number of steps of lquantize.
struct Linear {
    explicit Linear(const Aggregation& a)
        : base(a.parameters[0]), step(std::max<std::int64_t>(a.parameters[2], 1)), levels((a.parameters[1] - base) / step)
    {
    }
    std::int64_t lowOf(int bucket) const { return base + (bucket - 1) * step; }
    std::int64_t base, step, levels;
};

/// The positive half of llquantize: steps i = 1 ... count above the middle, then the overflow.
struct LogLinear {
    explicit LogLinear(const Aggregation& a)
        : factor(std::uint64_t(a.parameters[0])), low(int(a.parameters[1])), high(int(a.parameters[2])),
          steps(std::uint64_t(a.parameters[3])), hidden(steps / factor), perMagnitude(int(steps - hidden)),
          count((high - low + 1) * perMagnitude)
    {
    }

    Wide power(int exponent) const
    {
        Wide p = 1;
        for (int i = 0; i < exponent && p <= std::numeric_limits<std::uint64_t>::max(); ++i)
            p *= factor;
        return p;
    }

    int middle() const { return count + 1; }

    /// How far above (or below) the middle |value| falls, 0 for the middle, count + 1 beyond the last magnitude.
    int indexOf(std::uint64_t value) const
    {
        Wide top = power(low);
        if (value < top) return 0;
        for (int magnitude = low; magnitude <= high; ++magnitude) {
            top *= factor;
            if (value >= top) continue;
            const Wide unit = top / steps;
            const Wide step = magnitude == 0 || unit == 0 ? Wide(value) * steps / top : Wide(value) / unit;
            return (magnitude - low) * perMagnitude + int(std::min<Wide>(step, steps - 1) - hidden) + 1;
        }
        return count + 1;
    }

    /// The smallest |value| of the index-th step, 1 ... count + 1; up to 2^64.
    Wide lowOf(int index) const
    {
        if (index > count) return power(high + 1);
        const int magnitude = low + (index - 1) / perMagnitude;
        const Wide step = Wide((index - 1) % perMagnitude) + hidden;
        const Wide top = power(magnitude + 1);
        const Wide unit = top / steps;
        const Wide from = magnitude == 0 || unit == 0 ? (step * top + steps - 1) / steps : step * unit;
        return std::max(from, power(magnitude));
    }

    static std::int64_t saturate(Wide w) { return w > std::uint64_t(kMax) ? kMax : std::int64_t(w); }
    static std::int64_t negative(Wide w) { return w > std::uint64_t(kMax) ? kMin : -std::int64_t(w); }

    std::uint64_t factor;
    int low, high;
    std::uint64_t steps, hidden; ///< hidden: the steps of a magnitude that would lie below it
    int perMagnitude, count;
};
} // namespace

bool hasBuckets(const Aggregation& a)
{
    const auto& p = a.parameters;
    switch (a.function) {
    case Aggregator::Quantize: return true;
    case Aggregator::Lquantize: {
        constexpr std::int64_t k32 = std::numeric_limits<std::int32_t>::max();
        if (p[0] < -k32 - 1 || p[0] > k32 || p[1] > k32 || p[1] <= p[0] || p[2] > k32) return false;
        const std::int64_t levels = Linear(a).levels;
        return levels >= 1 && levels <= 65535;
    }
    case Aggregator::Llquantize:
        if (p[0] < 2 || p[0] > 65535 || p[1] < 0 || p[2] < p[1] || p[2] >= 64 || p[3] < 1 || p[3] > 65535) return false;
        return 2 * LogLinear(a).middle() + 1 <= kMostBuckets;
    case Aggregator::Ranges: return !a.bounds.empty() && a.bounds.size() <= kMostBounds;
    default: return false;
    }
}

int bucketCount(const Aggregation& a)
{
    if (!hasBuckets(a)) return 0;
    switch (a.function) {
    case Aggregator::Lquantize: return int(Linear(a).levels) + 2;
    case Aggregator::Llquantize: return 2 * LogLinear(a).middle() + 1;
    case Aggregator::Ranges: return int(a.bounds.size()) + 1;
    default: return kQuantizeBuckets;
    }
}

bool areBounds(const std::vector<std::int64_t>& bounds)
{
    return !bounds.empty() && bounds.size() <= kMostBounds && bounds.front() > kMin
        && std::adjacent_find(bounds.begin(), bounds.end(), [](auto a, auto b) { return a >= b; }) == bounds.end();
}

bool sameBuckets(const Aggregation& a, const Aggregation& b)
{
    return a.function == b.function && a.parameters == b.parameters && a.bounds == b.bounds;
}

BucketRange bucketRange(const Aggregation& a, int bucket)
{
    if (bucket < 0 || bucket >= bucketCount(a)) return {1, 0};
    switch (a.function) {
    case Aggregator::Lquantize: {
        const Linear l(a);
        if (bucket == 0) return {{}, l.base - 1};
        if (bucket == l.levels + 1) return {l.lowOf(bucket), {}};
        return {l.lowOf(bucket), l.lowOf(bucket + 1) - 1};
    }
    case Aggregator::Llquantize: {
        const LogLinear l(a);
        const int index = bucket - l.middle();
        if (index == 0) {
            const auto edge = LogLinear::saturate(l.power(l.low) - 1);
            return {-edge, edge};
        }
        const Wide low = l.lowOf(index < 0 ? -index : index);
        if (index == l.count + 1) return {LogLinear::saturate(low), {}};
        if (-index == l.count + 1) return {{}, LogLinear::negative(low)};
        const Wide high = l.lowOf((index < 0 ? -index : index) + 1) - 1;
        if (index > 0) return {LogLinear::saturate(low), LogLinear::saturate(high)};
        return {LogLinear::negative(high), LogLinear::negative(low)};
    }
    case Aggregator::Ranges: {
        const auto at = static_cast<std::size_t>(bucket);
        BucketRange range;
        if (at > 0) range.low = a.bounds[at - 1];
        if (at < a.bounds.size()) range.high = a.bounds[at] - 1;
        return range;
    }
    default: {
        const std::int64_t value = quantizeValue(bucket);
        if (bucket == kQuantizeZero) return {0, 0};
        if (bucket == 0) return {kMin, value};
        if (bucket == kQuantizeBuckets - 1) return {value, kMax};
        return bucket > kQuantizeZero ? BucketRange{value, 2 * value - 1} : BucketRange{2 * value + 1, value};
    }
    }
}

int bucketOf(const Aggregation& a, std::int64_t value)
{
    if (!hasBuckets(a)) return 0;
    switch (a.function) {
    case Aggregator::Lquantize: {
        const Linear l(a);
        if (value < l.base) return 0;
        const auto level = (std::uint64_t(value) - std::uint64_t(l.base)) / std::uint64_t(l.step);
        return level < std::uint64_t(l.levels) ? int(level) + 1 : int(l.levels) + 1;
    }
    case Aggregator::Llquantize: {
        const LogLinear l(a);
        const int index = l.indexOf(magnitudeOf(value));
        return l.middle() + (value < 0 ? -index : index);
    }
    case Aggregator::Ranges: return int(std::upper_bound(a.bounds.begin(), a.bounds.end(), value) - a.bounds.begin());
    default: {
        const int bits = std::min(int(std::bit_width(magnitudeOf(value))), kQuantizeZero);
        return value < 0 ? kQuantizeZero - bits : kQuantizeZero + bits;
    }
    }
}

std::int64_t bucketWeight(const Aggregation& a, int bucket)
{
    if (bucket < 0 || bucket >= bucketCount(a)) return 0;
    switch (a.function) {
    case Aggregator::Lquantize: {
        const Linear l(a);
        if (bucket == 0) return l.base - 1;
        return bucket == l.levels + 1 ? l.lowOf(bucket) + 1 : l.lowOf(bucket);
    }
    case Aggregator::Llquantize: {
        const LogLinear l(a);
        const int index = bucket - l.middle();
        if (index == 0) return 0;
        return index < 0 ? LogLinear::negative(l.lowOf(-index)) : LogLinear::saturate(l.lowOf(index));
    }
    case Aggregator::Ranges: {
        const auto range = bucketRange(a, bucket);
        return range.low ? *range.low : *range.high;
    }
    default: return quantizeValue(bucket);
    }
}
} // namespace dscope::record
