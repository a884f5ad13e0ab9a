#include "graph/text_stacks.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
namespace dscope::graph {
namespace {
using Line = record::FoldedLines::Line;

/// What the values of imported stacks are.
StackMeasure meaningOf(const record::FoldedStacks& stacks, const Store& store)
{
    StackMeasure out;
    out.file = baseName(provenanceOf(store).name);
    out.isCount = stacks.unit == record::StackUnit::Count;
    if (stacks.unit == record::StackUnit::Unknown)
        out.name = stacks.noun;
    else
        out.noun = Noun(stacks.noun);
    if (stacks.unit == record::StackUnit::Time) out.measure.unit = Unit::Nanoseconds;
    if (stacks.unit == record::StackUnit::Bytes) out.measure.unit = Unit::Bytes;
    return out;
}

class TextStacks final : public Stacks {
public:
    TextStacks(const std::vector<record::FoldedStacks>& all, const Store& store)
        : Stacks(meaningOf(all.front(), store), all.size() - 1), m_lines(all.front().lines)
    {
        m_runTime = shownTime(provenanceOf(store));
        m_whose = Whose(store.program(), {});
        for (const auto& line : m_lines)
            m_total += line.value;
        const bool isCpuTime = all.front().unit == record::StackUnit::Time && all.front().noun == record::kCpuTime;
        if (isCpuTime && !hasIdleSamples()) m_cpuTime = m_total;
    }
    void each(Frames& frames, const Deliver& deliver) const override { eachWith({}, frames, deliver); }

    void eachWith(const StackFrame& frame, Frames& frames, const Deliver& deliver) const override
    {
        const bool isSpelled = frame.name.size() <= Frames::kLongestWhole; // a longer one may have been cut
        std::vector<StackStep> steps;
        std::vector<std::size_t> ends; // of the words that the steps are, in the stack before
        std::string_view before;
        eachLine([&](std::string_view stack, std::int64_t value) {
            if (isSpelled && stack.find(frame.name) == std::string_view::npos) return;
            // They come in order: what this one has in common with the one before is read once.
            const auto differs = std::mismatch(stack.begin(), stack.end(), before.begin(), before.end()).first - stack.begin();
            while (!ends.empty() && ends.back() >= static_cast<std::size_t>(differs))
                ends.pop_back();
            steps.resize(ends.size());
            auto rest = stack.substr(ends.empty() ? 0 : ends.back() + 1);
            for (bool more = true; more;) {
                more = rest.find(record::kFrameSeparator) != std::string_view::npos;
                const auto number = frames.ofWord(record::takeFrame(rest));
                const bool inKernel = !steps.empty() && steps.back().shade == Shade::Kernel; // what it calls is the kernel, too
                steps.push_back({number, inKernel ? Shade::Kernel : frames[number].shade});
                ends.push_back(stack.size() - rest.size() - (more ? 1 : 0));
            }
            before = stack;
            deliver(steps, value);
        });
    }

    void eachLine(const DeliverLine& deliver) const override
    {
        // Most importers give every stack once and in order.
        const auto lines = m_lines.all();
        std::call_once(m_ordered, [&] {
            if (!std::is_sorted(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.stack < b.stack; }))
                m_order = orderOf(lines);
        });
        const auto at = [&](std::size_t i) -> const Line& { return lines[m_order.empty() ? i : m_order[i]]; };
        for (std::size_t i = 0; i < lines.size();) {
            const auto& stack = at(i).stack;
            std::int64_t value = at(i).value;
            while (++i < lines.size() && at(i).stack == stack)
                value += at(i).value;
            deliver(stack, value);
        }
    }

    std::shared_ptr<const StackTree> tree(const Look& look) const override
    {
        if (look.leastShare <= 0 || look.mostNodes != SIZE_MAX)
            return std::make_shared<StackTree>(partition(m_lines.all(), {0, look.mostNodes, kDeepestText}, look.focus));
        const std::lock_guard lock(m_looking);
        // Who has looked at very much of it once need not keep it for ever.
        if (!m_grown || m_grown->size() > kMostGrown) m_grown = std::make_unique<GrowingTree>(m_lines.all(), kDeepestText);
        const auto whole = look.focus.empty() ? m_total : m_grown->total(look.focus);
        const auto least = static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * look.leastShare));
        if (look.from > 0 || look.to < 1) return std::make_shared<StackTree>(m_grown->seen(least, look.focus, {look.from, look.to}));
        // Two views of the same stacks, and one that is zoomed, ask for the same again.
        if (!m_seen || m_leastSeen != least || !std::equal(look.focus.begin(), look.focus.end(), m_focusSeen.begin(), m_focusSeen.end())) {
            m_seen = std::make_shared<StackTree>(m_grown->seen(least, look.focus));
            m_leastSeen = least;
            m_focusSeen.assign(look.focus.begin(), look.focus.end());
        }
        return m_seen;
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
    /// Of the kernel's thread that runs where a processor has nothing to do.
    bool hasIdleSamples() const
    {
        return std::any_of(m_lines.begin(), m_lines.end(), [](const Line& line) { return line.stack.find("do_idle") != line.stack.npos; });
    }

    /// The numbers of the lines in the order of their stacks. Few begin alike for long: what their first bytes decide, they need not be
    /// read for.
    static std::vector<std::uint32_t> orderOf(std::span<const Line> lines)
    {
        // Behind what all have in common, as the main() of a program is.
        const auto first = lines.front().stack;
        auto common = first.size();
        for (const auto& line : lines)
            common = static_cast<std::size_t>(
                std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(common), line.stack.begin(), line.stack.end())
                    .first
                - first.begin());
        struct Key {
            std::array<std::uint64_t, 3> begin; ///< bytes as numbers, the first the highest
            std::uint32_t line;
        };
        std::vector<Key> keys;
        keys.reserve(lines.size());
        for (std::uint32_t i = 0; i < lines.size(); ++i) {
            const auto rest = lines[i].stack.substr(common, sizeof(Key::begin));
            auto& key = keys.emplace_back(Key{{}, i});
            for (std::size_t b = 0; b < rest.size(); ++b)
                key.begin[b / 8] |= std::uint64_t{static_cast<unsigned char>(rest[b])} << (56 - b % 8 * 8);
        }
        std::sort(keys.begin(), keys.end(),
            [&](const Key& a, const Key& b) { return a.begin != b.begin ? a.begin < b.begin : lines[a.line].stack < lines[b.line].stack; });
        std::vector<std::uint32_t> order;
        order.reserve(keys.size());
        for (const auto& key : keys)
            order.push_back(key.line);
        return order;
    }

    static constexpr std::size_t kLeavesKept = 8, kMostGrown = 2'000'000;

    std::vector<std::pair<std::string, std::int64_t>> leavesRead(std::size_t most) const
    {
        std::vector<std::pair<std::string, std::int64_t>> out;
        Frames frames;
        for (const auto& [word, value] : graph::leaves(m_lines.all(), most))
            out.emplace_back(frames[frames.ofWord(word)].shown(), value);
        return out;
    }

    record::FoldedLines m_lines;
    mutable std::once_flag m_ordered;
    mutable std::vector<std::uint32_t> m_order; ///< of the lines, by their stacks; empty: they have it
    mutable std::mutex m_looking;               ///< guards the next four
    mutable std::unique_ptr<GrowingTree> m_grown;
    mutable std::shared_ptr<const StackTree> m_seen; ///< what the last look at the whole width saw
    mutable std::int64_t m_leastSeen = 0;
    mutable std::vector<std::string> m_focusSeen;
    mutable std::once_flag m_leavesRead;
    mutable std::vector<std::pair<std::string, std::int64_t>> m_leaves; ///< the first kLeavesKept
};
} // namespace

std::shared_ptr<const Stacks> textStacks(const std::vector<record::FoldedStacks>& all, const Store& store)
{
    return std::make_shared<TextStacks>(all, store);
}
} // namespace dscope::graph
