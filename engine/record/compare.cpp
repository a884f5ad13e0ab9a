#include "engine/record/aggregation_state.h"
#include "engine/record/buckets.h"
#include "engine/record/value.h"
#include <algorithm>
#include <limits>
namespace dscope::record {
namespace {
__extension__ using Wide = unsigned __int128;

template <typename T> int order(const T& a, const T& b) { return a < b ? -1 : (b < a ? 1 : 0); }

std::int64_t at(const std::vector<std::int64_t>& data, std::size_t i) { return i < data.size() ? data[i] : 0; }

/// INT64_MIN / -1 wraps, as everywhere else on two's complement, instead of trapping.
std::int64_t divide(std::int64_t value, std::int64_t by)
{
    if (by == -1) return std::int64_t(std::uint64_t{0} - std::uint64_t(value));
    return by == 0 ? value : value / by;
}

std::uint64_t squareRoot(Wide square)
{
    std::uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
        const std::uint64_t next = root | (std::uint64_t{1} << bit);
        if (Wide(next) * next <= square) root = next;
    }
    return root;
}

std::uint64_t stddev(const std::vector<std::int64_t>& data, std::int64_t divisor)
{
    const auto n = at(data, 0);
    if (n == 0) return 0;
    const Wide squares = (Wide(std::uint64_t(at(data, 3))) << 64) | std::uint64_t(at(data, 2));
    // Both are divided by the divisor once, though the squares would want it twice: so does dtrace.
    const Wide averageOfSquares = squares / std::uint64_t(divisor) / std::uint64_t(n);
    const std::int64_t average = divide(divide(at(data, 1), divisor), n);
    const auto positive = average < 0 ? std::uint64_t{0} - std::uint64_t(average) : std::uint64_t(average);
    const Wide squareOfAverage = Wide(positive) * positive;
    return averageOfSquares > squareOfAverage ? squareRoot(averageOfSquares - squareOfAverage) : 0;
}

struct Weight {
    long double sum = 0;
    std::int64_t atZero = 0;
};
Weight weigh(const Aggregation& aggregation, const std::vector<std::int64_t>& data)
{
    Weight w;
    for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
        const auto value = bucketWeight(aggregation, int(data[i]));
        w.sum += static_cast<long double>(value) * static_cast<long double>(data[i + 1]);
        if (value == 0) w.atZero = data[i + 1];
    }
    return w;
}

int compareBytes(ByteView a, ByteView b)
{
    const auto common = std::min(a.size(), b.size());
    if (const int c = common ? std::memcmp(a.data(), b.data(), common) : 0) return c;
    return order(a.size(), b.size());
}

ByteView part(ByteView bytes, const Field& f)
{
    if (f.offset >= bytes.size()) return {};
    return bytes.subspan(f.offset, std::min<std::size_t>(f.size, bytes.size() - f.offset));
}

/// As stringOf(), which would copy it.
std::string_view textIn(ByteView bytes)
{
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    return bytes.empty() ? std::string_view() : std::string_view(text, ::strnlen(text, bytes.size()));
}

int compareMember(const Field& f, ByteView a, ByteView b)
{
    switch (f.kind) {
    case FieldKind::Int: {
        // Unsigned in its own size: -1 sorts after 1 whatever the width.
        Field plain = f;
        plain.kind = FieldKind::Uint;
        return order(std::uint64_t(integerOf(plain, a)), std::uint64_t(integerOf(plain, b)));
    }
    case FieldKind::Uint: return order(std::uint64_t(integerOf(f, a)), std::uint64_t(integerOf(f, b)));
    case FieldKind::String: return textIn(part(a, f)).compare(textIn(part(b, f)));
    case FieldKind::Stack:
    case FieldKind::UserStack:
    case FieldKind::Symbol: return order(stackOf(f, a).value, stackOf(f, b).value);
    case FieldKind::Bytes: break;
    }
    return compareBytes(part(a, f), part(b, f));
}
} // namespace

bool isComparedByScalar(const Aggregation& aggregation)
{
    switch (aggregation.function) {
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges:
    case Aggregator::Stddev: return false;
    default: return true;
    }
}

int compareData(const Aggregation& aggregation, const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    switch (aggregation.function) {
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: {
        const Weight wa = weigh(aggregation, a), wb = weigh(aggregation, b);
        const int c = order(wa.sum, wb.sum);
        return c ? c : order(wa.atZero, wb.atZero);
    }
    case Aggregator::Stddev: return order(stddev(a, 1), stddev(b, 1));
    default: return order(scalarOf(aggregation.function, a), scalarOf(aggregation.function, b));
    }
}

int compareKeys(const Aggregation& aggregation, ByteView a, ByteView b, std::size_t first)
{
    const auto& keys = aggregation.keys;
    if (first >= keys.size()) first = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (const int c = compareMember(keys[(first + i) % keys.size()], a, b)) return c;
    return keys.empty() ? compareBytes(a, b) : 0;
}

std::int64_t scalarOf(Aggregator function, const std::vector<std::int64_t>& data, std::int64_t divisor)
{
    if (divisor == 0) divisor = 1;
    switch (function) {
    case Aggregator::Avg: return at(data, 0) == 0 ? 0 : divide(divide(at(data, 1), divisor), at(data, 0));
    case Aggregator::Stddev: return std::int64_t(stddev(data, divisor));
    default: return divide(at(data, 0), divisor);
    }
}

bool wellFormed(const Aggregation& aggregation, std::span<const std::int64_t> data)
{
    if (!hasBuckets(aggregation)) return data.size() == emptyData(aggregation.function).size();
    if (data.size() % 2 != 0) return false;
    std::int64_t least = 0;
    for (std::size_t i = 0; i < data.size(); i += 2) {
        if (data[i] < least || data[i] >= bucketCount(aggregation)) return false;
        least = data[i] + 1;
    }
    return true;
}
} // namespace dscope::record
