#include "engine/text/task_samples.h"
#include "engine/text/stack_counts.h"
#include <algorithm>
namespace dscope::text {
std::uint32_t TaskSamples::frame(const record::NamedFrame& frame)
{
    m_spelled += frame.module.size() + frame.name.size();
    return m_frames.frame(frame);
}

std::uint32_t TaskSamples::stack(std::span<const std::uint32_t> frames)
{
    return m_stacks.of({reinterpret_cast<const char*>(frames.data()), frames.size_bytes()});
}

bool TaskSamples::add(const Measure& measure, std::uint32_t pid, std::uint32_t stack, std::uint64_t weight)
{
    const auto known = std::find(m_measures.begin(), m_measures.end(), measure);
    const auto number = static_cast<std::size_t>(known - m_measures.begin());
    if (known == m_measures.end()) {
        if (m_measures.size() >= kMostMeasures) return false;
        m_measures.push_back(measure);
    }

    constexpr auto kMost = static_cast<std::uint64_t>(INT64_MAX);
    auto& sum = m_sums[{number, pid, stack}];
    sum = weight > kMost - sum ? kMost : sum + weight;
    return true;
}

Result<> TaskSamples::check() const
{
    if (m_sums.size() > kMostSamples) return Error{0, "it has more than 16,000,000 different samples: record a shorter time"};
    if (isFull()) return Error{0, "the names of its frames are more than 1,024 MiB of text: record a shorter time"};
    return {};
}

Result<> TaskSamples::put(Imported& out) const
{
    std::vector<StackCounts> stacks(m_measures.size());
    StackCounts::Cost cost;
    for (const auto& [key, weight] : m_sums) {
        const auto& [measure, pid, stack] = key;
        auto& counts = stacks[measure];
        const auto before = counts.cost();
        if (const auto process = m_processes.find(pid); process != m_processes.end())
            counts.frame(process->second);
        else if (pid != 0)
            counts.frame("pid " + std::to_string(pid));
        const auto bytes = m_stacks.text(stack);
        for (const auto word : std::span(reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)))
            counts.frame(counts.numberOf(m_frames.frameAt(word)));
        counts.add(static_cast<std::int64_t>(weight));

        cost.text += counts.cost().text - before.text;
        cost.different += counts.cost().different - before.different;
        cost.given += counts.cost().given - before.given;
        DSCOPE_CHECK(cost.check());
    }

    for (std::size_t i = 0; i < stacks.size(); ++i)
        if (!stacks[i].empty()) out.add(stacks[i].take(m_measures[i].noun, m_measures[i].unit));
    return {};
}
} // namespace dscope::text
