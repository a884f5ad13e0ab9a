#include "engine/format/charts.h"
#include "engine/format/text.h"
#include "engine/record/buckets.h"
#include <algorithm>
#include <cmath>
#include <limits>
namespace dscope::format {
using namespace record;
namespace {
constexpr int kBar = 40;
constexpr long double kZoomed = 0.95L; // the share of the bar that the largest bucket takes

std::int64_t countOf(const std::vector<std::int64_t>& data, int bucket)
{
    for (std::size_t i = 0; i + 1 < data.size(); i += 2)
        if (data[i] == bucket) return data[i + 1];
    return 0;
}

/// First and last bucket that count, widened by one on each side; nothing there gives `empty`.
std::pair<int, int> shown(const std::vector<std::int64_t>& data, int buckets, std::pair<int, int> empty)
{
    int first = -1, last = -1;
    for (std::size_t i = 0; i + 1 < data.size(); i += 2)
        if (data[i + 1] != 0) {
            if (first < 0) first = int(data[i]);
            last = int(data[i]);
        }
    if (first < 0) return empty;
    return {std::max(first - 1, 0), std::min(last + 1, buckets - 1)};
}

std::string number(std::int64_t n) { return std::to_string(n); }

std::string linearLabel(const Aggregation& a, int bucket)
{
    const auto range = bucketRange(a, bucket);
    if (!range.low) return "< " + number(*range.high + 1);
    return (range.high ? "" : ">= ") + number(*range.low);
}

/// llquantize names a bucket by its end nearer to zero. `first`: of the buckets shown.
std::string logLinearLabel(const Aggregation& a, int bucket, int first)
{
    const int middle = bucketCount(a) / 2;
    const auto range = bucketRange(a, bucket);
    if (bucket == middle) {
        const std::uint64_t edge = std::uint64_t(*range.high) + 1;
        if (edge == 1) return "0";
        // With nothing below it, the middle is all that is small.
        return (first >= middle ? "< " : "abs() < ") + std::to_string(edge);
    }
    if (!range.low) return "<= " + number(*range.high);
    if (!range.high) return ">= " + number(*range.low);
    return number(bucketWeight(a, bucket));
}

/// Steps below 1 hold no integer; dtrace passes over them, and where one is the first or last to be shown, shows the
/// next real one outside of it.
bool isReal(const Aggregation& a, int bucket)
{
    const auto range = bucketRange(a, bucket);
    return !range.low || !range.high || *range.low <= *range.high;
}

} // namespace

std::vector<ShownBucket> shownBuckets(const Aggregation& a, const std::vector<std::int64_t>& data)
{
    const int buckets = bucketCount(a), middle = buckets / 2;
    std::vector<ShownBucket> rows;
    if (a.function == Aggregator::Quantize) {
        const auto [first, last] = shown(data, buckets, {kQuantizeZero - 1, kQuantizeZero + 1});
        for (int b = first; b <= last; ++b)
            rows.push_back({number(quantizeValue(b)), countOf(data, b)});
    } else if (a.function == Aggregator::Lquantize || a.function == Aggregator::Ranges) {
        const auto [first, last] = shown(data, buckets, {0, std::min(2, buckets - 1)});
        for (int b = first; b <= last; ++b)
            rows.push_back({linearLabel(a, b), countOf(data, b)});
    } else {
        const auto [first, last] = shown(data, buckets, {middle, std::min(middle + 2, buckets - 1)});
        for (int b = first; b <= last; ++b) {
            int named = b;
            if (!isReal(a, b)) {
                if (b != first && b != last) continue;
                while (named > 0 && named < buckets - 1 && !isReal(a, named))
                    named += b == first ? -1 : 1;
            }
            rows.push_back({logLinearLabel(a, named, first), countOf(data, b)});
        }
    }
    return rows;
}

std::int64_t normalized(std::int64_t count, std::int64_t divisor)
{
    const bool wraps = divisor == -1 && count == std::numeric_limits<std::int64_t>::min();
    return divisor == 0 || wraps ? count : count / divisor;
}

void Bars::add(std::int64_t count, Scale scale)
{
    positives = positives || count > 0;
    negatives = negatives || count < 0;
    const long double size = std::fabs(static_cast<long double>(count));
    total = scale == Scale::Largest ? std::max(total, size / kZoomed) : total + size;
}

std::string Bars::line(std::int64_t count, std::int64_t divisor) const
{
    const bool both = positives && negatives;
    const int length = both ? kBar / 2 : kBar;
    const long double size = std::fabs(static_cast<long double>(count));
    const int depth = total > 0 ? std::min(length, int(size * length / total + 0.5L)) : 0;
    const std::string bar(std::size_t(depth), '@'), rest(std::size_t(length - depth), ' ');
    const std::string half(kBar / 2, ' ');
    std::string out;
    if (!negatives)
        out = '|' + bar + rest;
    else if (!positives)
        out = rest + bar + '|';
    else if (count <= 0)
        out = rest + bar + '|' + half;
    else
        out = half + '|' + bar + rest;
    return out + ' ' + padded(number(normalized(count, divisor)), -9) + '\n';
}

std::string chart(const Aggregation& aggregation, const std::vector<std::int64_t>& data, std::int64_t divisor, Scale scale)
{
    const auto rows = shownBuckets(aggregation, data);
    Bars bars;
    for (const auto& row : rows)
        bars.add(row.count, scale);
    std::string out = formatted("\n%16s %41s %-9s\n", "value", "------------- Distribution -------------", "count");
    for (const auto& row : rows)
        out += padded(row.label, 16) + ' ' + bars.line(row.count, divisor);
    return out;
}
} // namespace dscope::format
