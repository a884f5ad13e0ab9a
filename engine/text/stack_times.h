#pragma once
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// When samples were taken, and of whom: becomes the record::StackParts of their stacks. Bounded: where there are very many, those of one
/// stack and thread that are near each other in time become one. A part is no shorter than that lines over time can be drawn of it.
class StackTimes {
public:
    /// Whose a sample is, as far as it is told.
    struct Task {
        std::string_view name;
        std::optional<std::uint32_t> pid, tid, cpu;
    };
    /// `when`: ns, of any clock. `stack` and `value`: as StackCounts::add() numbers and counts it. `amount`: what the rows of the task
    /// grow by. Both are more than 0.
    void add(std::int64_t when, const Task& task, std::uint32_t stack, std::int64_t value, std::int64_t amount);
    /// A sample of which nobody knows when it was taken: put() tells that, where others have times.
    void addUntimed() { ++m_untimed; }
    /// Tells the program when it began, and puts the parts among the records; nothing where there are no samples. `lines`: by number of a
    /// stack, as StackCounts::takeNumbered() has it. `noun`: what amounts are, plural.
    /// `nameKey`: what the tasks' names are called, as a key.
    void put(Imported& out, std::string noun, std::span<const std::uint32_t> lines, std::string nameKey = "execname");

private:
    struct Sample {
        std::int64_t when; ///< a multiple of m_step
        std::uint32_t task, stack;
        std::int64_t value, amount;
    };
    void mergeWithin(std::int64_t step);
    static constexpr std::size_t kMost = std::size_t{2} << 20U; ///< samples
    std::vector<Sample> m_samples;
    Interned m_tasks, m_names;
    std::int64_t m_first = INT64_MAX, m_last = INT64_MIN;
    std::int64_t m_step = 1; ///< ns
    std::size_t m_untimed = 0;
    bool m_isFull = false;   ///< there were too many: nothing is told
};
} // namespace dscope::text
