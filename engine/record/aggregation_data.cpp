#include "engine/record/aggregation_data.h"
#include <algorithm>
namespace dscope::record {
namespace {
enum class Way : std::uint8_t { Add, Subtract };

__extension__ using Wide = unsigned __int128;
/// The sum of squares of stddev's data.
Wide squaresOf(const AggregationData& d)
{
    return static_cast<Wide>(static_cast<std::uint64_t>(d[3])) << 64U | static_cast<std::uint64_t>(d[2]);
}
void setSquares(AggregationData& d, Wide value)
{
    d[2] = static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    d[3] = static_cast<std::int64_t>(static_cast<std::uint64_t>(value >> 64U));
}
std::int64_t combinedNumber(std::int64_t a, std::int64_t b, Way way)
{
    const auto other = static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + (way == Way::Add ? other : 0 - other));
}
bool isQuantizing(Aggregator function) { return function >= Aggregator::Quantize; }
/// Of all functions but min and max.
AggregationData combined(Aggregator function, const AggregationData& a, const AggregationData& b, Way way)
{
    AggregationData out;
    if (isQuantizing(function)) {
        for (std::size_t i = 0, k = 0; i + 1 < a.size() || k + 1 < b.size();) {
            const bool own = i + 1 < a.size(), other = k + 1 < b.size();
            const auto bucket = own && (!other || a[i] <= b[k]) ? a[i] : b[k];
            std::int64_t count = 0;
            if (own && a[i] == bucket) count = a[(i += 2) - 1];
            if (other && b[k] == bucket) count = combinedNumber(count, b[(k += 2) - 1], way);
            if (count != 0) out.insert(out.end(), {bucket, count});
        }
        return out;
    }

    out = a;
    for (std::size_t i = 0; i < std::min<std::size_t>(std::min(out.size(), b.size()), 2); ++i)
        out[i] = combinedNumber(out[i], b[i], way);
    if (function == Aggregator::Stddev && out.size() == 4 && b.size() == 4)
        setSquares(out, way == Way::Add ? squaresOf(out) + squaresOf(b) : squaresOf(out) - squaresOf(b));
    return out;
}
} // namespace

bool isExtreme(Aggregator function) { return function == Aggregator::Min || function == Aggregator::Max; }

void addData(Aggregator function, AggregationData& data, const AggregationData& more)
{
    if (data.empty() || more.empty()) {
        if (data.empty()) data = more;
        return;
    }
    if (function == Aggregator::Min)
        data[0] = std::min(data[0], more[0]);
    else if (function == Aggregator::Max)
        data[0] = std::max(data[0], more[0]);
    else
        data = combined(function, data, more, Way::Add);
}

AggregationData dataSince(Aggregator function, const AggregationData& now, const AggregationData& before)
{
    auto out = combined(function, now, before, Way::Subtract);
    if (std::all_of(out.begin(), out.end(), [](std::int64_t v) { return v == 0; })) out.clear();
    return out;
}
} // namespace dscope::record
