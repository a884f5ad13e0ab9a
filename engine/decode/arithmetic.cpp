#include "engine/decode/arithmetic.h"
#include "engine/object/aggregation_value.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/buckets.h"
#include <algorithm>
#include <utility>
namespace dscope::decode {
using record::Aggregator;
namespace {
std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
/// Sums wrap around, as they do in the kernel.
std::int64_t plus(std::int64_t a, std::int64_t b) { return number(bits(a) + bits(b)); }
std::int64_t minus(std::int64_t a, std::int64_t b) { return number(bits(a) - bits(b)); }

/// Words 2 and 3 of stddev: the low and high half of a 128-bit sum of squares.
using Wide = unsigned __int128;
Wide squares(const std::vector<std::int64_t>& words) { return Wide{bits(words[3])} << 64U | bits(words[2]); }
void setSquares(std::vector<std::int64_t>& words, Wide value)
{
    words[2] = number(static_cast<std::uint64_t>(value));
    words[3] = number(static_cast<std::uint64_t>(value >> 64U));
}
Wide square(std::int64_t value)
{
    const std::uint64_t magnitude = value < 0 ? 0 - bits(value) : bits(value);
    return Wide{magnitude} * magnitude;
}
} // namespace

Arithmetic::Arithmetic(const record::Aggregation& aggregation)
    : m_aggregation(aggregation), m_words(object::dataWords(aggregation)), m_counts(object::countsUpdates(aggregation.function))
{
}

bool Arithmetic::additive() const { return m_aggregation.function != Aggregator::Min && m_aggregation.function != Aggregator::Max; }

void Arithmetic::merge(std::span<const std::byte> perCpu, Total& into)
{
    const std::size_t size = object::valueBytes(m_aggregation);
    const std::size_t first = m_counts ? 0 : sizeof(std::uint64_t); // the number of updates is the first word itself
    into.updates = 0;
    for (; perCpu.size() >= size; perCpu = perCpu.subspan(size)) {
        const auto updates = readAt<std::uint64_t>(perCpu, 0);
        if (updates == 0) continue; // nothing happened on this CPU: its min and max are not values
        const bool isFirst = into.updates == 0;
        auto& one = isFirst ? into : m_further;
        one.updates = updates;
        one.words.resize(m_words);
        std::memcpy(one.words.data(), perCpu.data() + first, m_words * sizeof(std::int64_t));
        if (!isFirst) add(into, m_further);
    }
}

void Arithmetic::add(Total& into, const Total& more) const
{
    if (more.updates == 0) return;
    if (into.updates == 0) {
        into = more;
        return;
    }
    into.updates += more.updates;
    switch (m_aggregation.function) {
    case Aggregator::Min: into.words[0] = std::min(into.words[0], more.words[0]); break;
    case Aggregator::Max: into.words[0] = std::max(into.words[0], more.words[0]); break;
    case Aggregator::Stddev: {
        const Wide sum = squares(into.words) + squares(more.words);
        into.words[0] = plus(into.words[0], more.words[0]);
        into.words[1] = plus(into.words[1], more.words[1]);
        setSquares(into.words, sum);
        break;
    }
    default:
        for (std::size_t i = 0; i < m_words; ++i)
            into.words[i] = plus(into.words[i], more.words[i]);
    }
}

void Arithmetic::subtract(Total& from, const Total& less) const
{
    DSCOPE_ASSERT(additive());
    if (less.updates == 0) return;
    from.words.resize(m_words);
    from.updates -= less.updates;
    if (m_aggregation.function == Aggregator::Stddev) {
        const Wide difference = squares(from.words) - squares(less.words);
        from.words[0] = minus(from.words[0], less.words[0]);
        from.words[1] = minus(from.words[1], less.words[1]);
        setSquares(from.words, difference);
    } else {
        for (std::size_t i = 0; i < m_words; ++i)
            from.words[i] = minus(from.words[i], less.words[i]);
    }
}

void Arithmetic::fold(Total& into, std::int64_t value, std::int64_t weight) const
{
    Total one{1, std::vector<std::int64_t>(m_words)};
    switch (m_aggregation.function) {
    case Aggregator::Count: one.words[0] = 1; break;
    case Aggregator::Sum:
    case Aggregator::Min:
    case Aggregator::Max: one.words[0] = value; break;
    case Aggregator::Avg: one.words = {1, value}; break;
    case Aggregator::Stddev:
        one.words = {1, value, 0, 0};
        setSquares(one.words, square(value));
        break;
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: one.words.at(static_cast<std::size_t>(record::bucketOf(m_aggregation, value))) = weight; break;
    }
    add(into, one);
}

std::vector<std::int64_t> Arithmetic::data(Total total) const
{
    switch (m_aggregation.function) {
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: {
        std::vector<std::int64_t> pairs;
        for (std::size_t bucket = 0; bucket < total.words.size(); ++bucket)
            if (total.words[bucket] != 0) pairs.insert(pairs.end(), {static_cast<std::int64_t>(bucket), total.words[bucket]});
        return pairs;
    }
    default: return total.updates == 0 ? record::emptyData(m_aggregation.function) : std::move(total.words);
    }
}
} // namespace dscope::decode
