#include "graph/imported_stacks.h"
#include "graph/counted_tree.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
namespace dscope::graph {
namespace {
/// What the values of imported stacks are.
StackMeasure meaningOf(const record::CountedStacks& stacks, const Store& store)
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
    out.exponent = stacks.exponent;
    out.measure.scale = std::pow(10.0, stacks.exponent);
    return out;
}

class ImportedStacks final : public Stacks {
public:
    ImportedStacks(const std::vector<record::CountedStacks>& all, const Store& store)
        : Stacks(meaningOf(all.front(), store), all.size() - 1), m_counted(all.front())
    {
        m_runTime = shownTime(provenanceOf(store));
        m_whose = Whose(store.program(), {});
        m_total = m_counted.total();
        const bool isCpuTime
            = all.front().unit == record::StackUnit::Time && all.front().noun == record::kCpuTime && all.front().exponent == 0;
        if (isCpuTime && !m_counted.names("do_idle")) m_cpuTime = m_total; // the kernel's thread that runs where there is nothing to do
    }

    void each(Frames& frames, const Deliver& deliver) const override { m_counted.each(frames, deliver); }
    void eachWith(const StackFrame& frame, Frames& frames, const Deliver& deliver) const override
    {
        m_counted.each(frames, deliver, frame.name);
    }
    void eachLine(const DeliverLine& deliver) const override { m_counted.eachLine(deliver); }
    bool tellsLines() const override { return m_counted.tellsLines(); }

    std::shared_ptr<const StackTree> tree(const Look& look) const override
    {
        if (look.leastShare <= 0 || look.mostNodes != SIZE_MAX)
            return std::make_shared<StackTree>(m_counted.seen({.nodes = look.mostNodes}, look.focus));
        const auto whole = look.focus.empty() ? m_total : m_counted.total(look.focus);
        const auto least = static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * look.leastShare));
        const LookLimits limits{.least = least, .from = look.from, .to = look.to};
        if (look.from > 0 || look.to < 1) return std::make_shared<StackTree>(m_counted.seen(limits, look.focus));
        // Two views of the same stacks, and one that is zoomed, ask for the same again.
        const std::lock_guard lock(m_looking);
        if (!m_seen || m_leastSeen != least || !std::equal(look.focus.begin(), look.focus.end(), m_focusSeen.begin(), m_focusSeen.end())) {
            m_seen = std::make_shared<StackTree>(m_counted.seen(limits, look.focus));
            m_leastSeen = least;
            m_focusSeen.assign(look.focus.begin(), look.focus.end());
        }
        return m_seen;
    }

    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const override { return m_counted.matched(test); }

    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const override
    {
        // A title and a description ask for a few each, and every stack is read for them.
        std::call_once(m_leavesRead, [&] { m_leaves = m_counted.leaves(kLeavesKept); });
        if (most > kLeavesKept) return m_counted.leaves(most);
        return {m_leaves.begin(), m_leaves.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_leaves.size()))};
    }

private:
    static constexpr std::size_t kLeavesKept = 8;
    CountedTree m_counted;
    mutable std::mutex m_looking;                    ///< guards the next three
    mutable std::shared_ptr<const StackTree> m_seen; ///< what the last look at the whole width saw
    mutable std::int64_t m_leastSeen = 0;
    mutable std::vector<std::string> m_focusSeen;
    mutable std::once_flag m_leavesRead;
    mutable std::vector<std::pair<std::string, std::int64_t>> m_leaves; ///< the first kLeavesKept
};
} // namespace

std::shared_ptr<const Stacks> importedStacks(const std::vector<record::CountedStacks>& all, const Store& store)
{
    return std::make_shared<ImportedStacks>(all, store);
}
} // namespace dscope::graph
