#include "graph/text_stacks.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <mutex>
namespace dscope::graph {
namespace {
using Line = record::FoldedLines::Line;

/// What the values of imported stacks are.
StackMeasure meaningOf(const record::FoldedStacks& stacks, const Store& store)
{
    StackMeasure out;
    out.what = baseName(provenanceOf(store).name);
    out.isCount = stacks.unit == record::StackUnit::Count;
    if (stacks.unit == record::StackUnit::Unknown)
        out.name = stacks.noun;
    else
        out.noun = stacks.noun;
    if (stacks.unit == record::StackUnit::Time) out.measure.unit = Unit::Nanoseconds;
    if (stacks.unit == record::StackUnit::Bytes) out.measure.unit = Unit::Bytes;
    return out;
}

class TextStacks final : public Stacks {
public:
    TextStacks(const std::vector<record::FoldedStacks>& all, const Store& store)
        : Stacks(meaningOf(all.front(), store), all.size() - 1), m_lines(all.front().lines)
    {
        for (const auto& line : m_lines)
            m_total += line.value;
    }
    void each(Frames& frames, const Deliver& deliver) const override { eachWith({}, frames, deliver); }

    void eachWith(const StackFrame& frame, Frames& frames, const Deliver& deliver) const override
    {
        const bool isSpelled = frame.name.size() <= Frames::kLongestWhole; // a longer one may have been cut
        std::vector<StackStep> steps;
        eachLine([&](std::string_view stack, std::int64_t value) {
            if (isSpelled && stack.find(frame.name) == std::string_view::npos) return;
            steps.clear();
            bool inKernel = false; // what the kernel calls is the kernel, whatever its module is called
            record::eachFrame(stack, [&](std::string_view word) {
                const auto number = frames.ofWord(word);
                const auto shade = inKernel ? Shade::Kernel : frames[number].shade;
                inKernel = shade == Shade::Kernel;
                steps.push_back({number, shade});
            });
            deliver(steps, value);
        });
    }

    void eachLine(const DeliverLine& deliver) const override
    {
        // Most importers give every stack once and in order.
        const auto given = m_lines.all();
        const auto isBefore = [](const Line& a, const Line& b) { return a.stack < b.stack; };
        std::vector<Line> sorted;
        if (!std::is_sorted(given.begin(), given.end(), isBefore)) {
            sorted.assign(given.begin(), given.end());
            std::sort(sorted.begin(), sorted.end(), isBefore);
        }
        const std::span<const Line> lines = sorted.empty() ? given : sorted;
        for (std::size_t i = 0; i < lines.size();) {
            const auto& stack = lines[i].stack;
            std::int64_t value = lines[i].value;
            while (++i < lines.size() && lines[i].stack == stack)
                value += lines[i].value;
            deliver(stack, value);
        }
    }

    std::shared_ptr<const StackTree> tree(const Look& look) const override
    {
        const auto whole = look.focus.empty() || look.leastShare <= 0 ? m_total : totalBelow(m_lines.all(), look.focus);
        const PartitionLimits limits{
            static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * look.leastShare)), look.mostNodes, kDeepestText};
        return std::make_shared<StackTree>(partition(m_lines.all(), limits, look.focus));
    }

    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const override
    {
        return matchedValue(m_lines.all(), test);
    }

    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const override
    {
        // A title and a description ask for a few each, and every line is read for them.
        std::call_once(m_leavesRead, [&] { m_leaves = leavesRead(kLeavesKept); });
        if (most > kLeavesKept) return leavesRead(most);
        return {m_leaves.begin(), m_leaves.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_leaves.size()))};
    }

private:
    static constexpr std::size_t kLeavesKept = 8;

    std::vector<std::pair<std::string, std::int64_t>> leavesRead(std::size_t most) const
    {
        std::vector<std::pair<std::string, std::int64_t>> out;
        Frames frames;
        for (const auto& [word, value] : graph::leaves(m_lines.all(), most))
            out.emplace_back(frames[frames.ofWord(word)].shown(), value);
        return out;
    }

    record::FoldedLines m_lines;
    mutable std::once_flag m_leavesRead;
    mutable std::vector<std::pair<std::string, std::int64_t>> m_leaves; ///< the first kLeavesKept
};
} // namespace

std::shared_ptr<const Stacks> textStacks(const std::vector<record::FoldedStacks>& all, const Store& store)
{
    return std::make_shared<TextStacks>(all, store);
}
} // namespace dscope::graph
