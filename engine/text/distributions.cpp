#include "engine/record/buckets.h"
#include "engine/text/tables.h"
#include <algorithm>
#include <bit>
#include <limits>
namespace dscope::text {
namespace {
using record::Aggregator;
using RowKind = PrintedRow::Kind;

/// As a recording has them: a bucket once, in order.
bool ascending(const Distribution& d)
{
    return std::adjacent_find(d.buckets.begin(), d.buckets.end(), [](const auto& a, const auto& b) { return a.first >= b.first; })
        == d.buckets.end();
}

/// Whether rows may be missing, which dtrace prints, of no value, between those that have some.
enum class Gaps : std::uint8_t { None, Some };

std::optional<Distribution> power(const std::vector<PrintedRow>& rows, Gaps gaps)
{
    Distribution d;
    d.shape.function = Aggregator::Quantize;
    int last = -1;
    for (const auto& r : rows) {
        const auto size = r.value < 0 ? -static_cast<std::uint64_t>(r.value) : static_cast<std::uint64_t>(r.value);
        if (r.kind != RowKind::Value || (size != 0 && !std::has_single_bit(size))) return {};
        const int level = size == 0 ? 0 : std::countr_zero(size) + 1;
        const int bucket = record::kQuantizeZero + (r.value < 0 ? -level : level);
        if (bucket < 0 || bucket >= record::kQuantizeBuckets || (gaps == Gaps::None && last >= 0 && bucket != last + 1)) return {};
        last = bucket;
        d.buckets.emplace_back(bucket, r.count);
    }
    return d;
}

std::optional<Distribution> linear(const std::vector<PrintedRow>& rows)
{
    std::vector<std::int64_t> values;
    std::optional<std::int64_t> base, limit;
    for (const auto& r : rows) {
        if (r.value != static_cast<std::int32_t>(r.value)) return {}; // of lquantize every bound is an int
        switch (r.kind) {
        case RowKind::Value: values.push_back(r.value); break;
        case RowKind::Below: base = r.value; break;
        case RowKind::AtLeast: limit = r.value; break;
        case RowKind::Middle: return {};
        }
    }

    std::int64_t step = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const auto gap = values[i] - values[i - 1];
        if (gap <= 0 || (step != 0 && gap != step)) return {};
        step = gap;
    }

    if (step == 0 && limit && !values.empty()) step = *limit - values.back();
    if (step == 0 && base && limit) step = *limit - *base;
    if (step == 0) step = 1;
    if (step <= 0 || step > 65'535) return {};
    const auto low = base ? *base : !values.empty() ? values.front() : limit ? *limit - step : 0;
    const auto high = limit ? *limit : !values.empty() ? values.back() + step : low + step;
    if (high <= low || (high - low) % step != 0 || (high - low) / step > 65'535) return {};
    if (low != static_cast<std::int32_t>(low) || high != static_cast<std::int32_t>(high)) return {};
    Distribution d;
    d.shape.function = Aggregator::Lquantize;
    d.shape.parameters = {low, high, step, 0};
    for (const auto& r : rows) {
        const auto bucket = r.kind == RowKind::Below ? 0
            : r.kind == RowKind::AtLeast             ? (high - low) / step + 1
                                                     : (r.value - low) / step + 1;
        if (r.kind == RowKind::Value && (r.value < low || r.value >= high || (r.value - low) % step != 0)) return {};
        d.buckets.emplace_back(static_cast<int>(bucket), r.count);
    }
    if (!ascending(d)) return {};
    return d;
}

/// Whether dtrace takes that many steps. Source: illumos, libdtrace/common/dt_cc.c, dt_compile_agg()
bool areSteps(std::int64_t steps, std::int64_t factor)
{
    std::int64_t power = 1;
    while (power < steps)
        power *= factor;
    return power % steps == 0;
}
/// Whether all buckets between two that are printed one behind the other are empty intervals.
bool areNeighbours(const record::Aggregation& shape, int before, int bucket)
{
    for (int between = before + 1; between < bucket; ++between) {
        const auto range = record::bucketRange(shape, between);
        if (!range.low || !range.high || *range.low <= *range.high) return false;
    }
    return bucket > before;
}
/// Tries the factors and steps that people use until every printed end is one of a bucket.
std::optional<Distribution> logarithmic(const std::vector<PrintedRow>& rows)
{
    for (const std::int64_t factor : {10, 2, 3, 4, 5, 6, 7, 8, 9, 16}) {
        const auto magnitude = [&](std::int64_t v) {
            int m = 0;
            for (auto rest = static_cast<std::uint64_t>(v < 0 ? -(v + 1) : v); rest >= static_cast<std::uint64_t>(factor); ++m)
                rest /= static_cast<std::uint64_t>(factor);
            return m;
        };
        int low = 64, high = 0;
        for (const auto& r : rows) {
            if (r.kind == RowKind::Value && r.value == 0) continue;
            const int m = magnitude(r.value);
            low = std::min(low, m);
            high = std::max(high, r.kind == RowKind::AtLeast ? m - 1 : m);
            if (r.kind == RowKind::Middle) low = m;
        }
        if (low > high) continue;
        for (std::int64_t steps = factor; steps <= 100 * factor; steps += factor) {
            if (!areSteps(steps, factor)) continue;
            Distribution d;
            d.shape.function = Aggregator::Llquantize;
            d.shape.parameters = {factor, low, high, steps};
            const int all = record::bucketCount(d.shape);
            bool fits = rows.size() <= static_cast<std::size_t>(all);
            for (const auto& r : rows) {
                if (!fits) break; // most combinations by their first rows
                const int bucket = r.kind == RowKind::AtLeast                                ? all - 1
                    : r.kind == RowKind::Middle || (r.kind == RowKind::Below && r.value > 0) ? all / 2
                    : r.kind == RowKind::Below                                               ? 0
                                                                                             : record::bucketOf(d.shape, r.value);
                const auto range = record::bucketRange(d.shape, bucket);
                const auto end = r.value < 0 ? range.high : range.low;
                if (r.kind == RowKind::Value && (!end || *end != r.value)) fits = false;
                // Where steps are many nearly every number is an end of one: then no row may be missing.
                if (fits && steps > factor && !d.buckets.empty()) fits = areNeighbours(d.shape, d.buckets.back().first, bucket);
                d.buckets.emplace_back(bucket, r.count);
            }
            if (fits && ascending(d)) return d;
        }
    }
    return {};
}

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
/// An end at the end of all numbers is none.
PrintedRange withOpenEnds(PrintedRange row)
{
    if (row.low == kLeast) row.low.reset();
    if (row.high == kMost && row.low) row.high.reset();
    return row;
}
/// The first value behind a row; the last number is not told apart from the one before it.
std::int64_t behind(std::int64_t high) { return high == kMost ? high : high + 1; }
bool isBucketOf(const record::Aggregation& shape, const PrintedRange& row)
{
    const auto range = record::bucketRange(shape, bucketOf(shape, row));
    const bool isLast = (!row.high && range.high == kMost) || (row.high == kMost && range.high == kMost - 1);
    return range.low == row.low && (range.high == row.high || isLast);
}
/// The ends of all rows, ascending, each once: where buckets begin.
std::vector<std::int64_t> endsOf(std::span<const PrintedRange> rows)
{
    std::vector<std::int64_t> ends;
    for (const auto& row : rows) {
        if (row.low) ends.push_back(*row.low);
        if (row.high) ends.push_back(behind(*row.high));
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}
/// lquantize from the lowest to the highest end in steps as wide as the first row with two ends.
record::Aggregation stepsOf(std::span<const PrintedRange> rows, const std::vector<std::int64_t>& ends)
{
    record::Aggregation shape;
    shape.function = Aggregator::Lquantize;
    std::int64_t low = ends.front(), high = ends.back(), step = 0;
    const auto closed = std::find_if(rows.begin(), rows.end(), [](const PrintedRange& r) { return r.low && r.high; });
    if (low == high) closed != rows.end() || !rows.front().low ? high = behind(low) : --low;
    if (closed != rows.end())
        step = static_cast<std::int64_t>(static_cast<std::uint64_t>(*closed->high) - static_cast<std::uint64_t>(*closed->low) + 1);
    else
        step = static_cast<std::int64_t>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
    shape.parameters = {low, high, step, 0};
    const bool isWhole = step > 0 && low == static_cast<std::int32_t>(low) && high == static_cast<std::int32_t>(high);
    if (!isWhole || (high - low) % step != 0) shape.parameters = {};
    return shape;
}
} // namespace

int bucketOf(const record::Aggregation& shape, const PrintedRange& row)
{
    const auto range = withOpenEnds(row);
    if (!range.low) return 0;
    return range.high || shape.function == Aggregator::Quantize ? record::bucketOf(shape, *range.low) : record::bucketCount(shape) - 1;
}

std::optional<record::Aggregation> bucketsOf(std::span<const PrintedRange> printed)
{
    std::vector<PrintedRange> rows;
    for (const auto& row : printed) {
        if (row.low && row.high && *row.low > *row.high) return {};
        rows.push_back(withOpenEnds(row));
        if (!rows.back().low && !rows.back().high) return {};
    }
    const auto ends = endsOf(rows);
    if (ends.empty() || ends.size() > record::kMostBounds) return {};
    record::Aggregation powers, ranges, steps = stepsOf(rows, ends);
    powers.function = Aggregator::Quantize;
    ranges.function = Aggregator::Ranges;
    ranges.bounds = ends;
    for (const auto& shape : {powers, steps, ranges}) {
        if (shape.function == Aggregator::Ranges ? !record::areBounds(ends) : !record::hasBuckets(shape)) continue;
        if (std::all_of(rows.begin(), rows.end(), [&](const PrintedRange& r) { return isBucketOf(shape, r); })) return shape;
    }
    return {};
}

std::optional<Distribution> distributionOf(const std::vector<PrintedRow>& rows)
{
    const auto falls = [](const PrintedRow& a, const PrintedRow& b) {
        return a.kind == RowKind::Value && b.kind == RowKind::Value && a.value >= b.value;
    };
    if (rows.empty() || std::adjacent_find(rows.begin(), rows.end(), falls) != rows.end()) return {};
    if (auto d = power(rows, Gaps::None)) return d;
    if (auto d = linear(rows); d && ascending(*d)) return d;
    if (auto d = power(rows, Gaps::Some)) return d; // of a text without the rows of no value
    return logarithmic(rows);
}
} // namespace dscope::text
