#pragma once
#include "engine/record/record.h"
#include <span>
namespace dscope::decode {
/// What an aggregation holds for one key. `words` are object::dataWords() (quantizes: every bucket).
struct Total {
    std::uint64_t updates = 0; ///< how often it was aggregated to; 0: the words mean nothing
    std::vector<std::int64_t> words;
};
/// How values of one aggregating function combine.
class Arithmetic {
public:
    explicit Arithmetic(const record::Aggregation& aggregation);
    std::size_t words() const { return m_words; }
    /// True when what came since a moment is the difference of two sums: all functions but min and max.
    bool additive() const;
    /// The sum over CPUs; `perCpu` holds for each what engine/object/aggregation_value.h says. `into` is replaced, and its memory used
    /// again: thousands of keys are read a second.
    void merge(std::span<const std::byte> perCpu, Total& into);
    void add(Total& into, const Total& more) const;
    /// Additive functions only.
    void subtract(Total& from, const Total& less) const;
    /// One more value, as the kernel would aggregate it. `weight`: of quantizes.
    void fold(Total& into, std::int64_t value, std::int64_t weight) const;
    /// As AggregationRow::data has it: a total that is handed over gives its memory.
    std::vector<std::int64_t> data(Total total) const;

private:
    record::Aggregation m_aggregation;
    std::size_t m_words;
    bool m_counts;   ///< the first word is the number of updates
    Total m_further; ///< of another CPU: filled again for each key
};
} // namespace dscope::decode
