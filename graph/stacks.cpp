#include "graph/stacks.h"
#include "engine/record/folded.h"
#include "engine/record/value.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
namespace dscope::graph {
namespace {
using record::Aggregation;
using record::Aggregator;
using Line = record::FoldedLines::Line;

constexpr std::string_view kNoStack = "[no stack]";
constexpr std::uint32_t kDeepest = 2'048; // levels of text: no page shows more, and a text may be one stack of millions

// -- stacks that a run aggregated ------------------------------------------------------------------------------------
/// The aggregations whose stacks are one graph: calls and nanoseconds don't add up.
struct Taken {
    std::vector<AggregationId> ids;
    StackMeasure measure;
    std::size_t leftOut = 0;
};
Taken takenOf(const Store& store)
{
    Taken taken;
    const auto& program = store.program();
    taken.measure.noun = countedNoun(store);
    for (std::uint32_t id = 0; id < program.aggregations.size(); ++id) {
        const auto& a = program.aggregations[id];
        if (!sumsUpStacks(a)) continue;
        const auto measure = measureOf(a, program);
        const bool isCount = a.function == Aggregator::Count;
        if (!taken.ids.empty() && (isCount != taken.measure.isCount || !(measure == taken.measure.measure))) {
            ++taken.leftOut;
            continue;
        }
        if (taken.ids.empty()) {
            taken.measure.what = describe(a);
            if (!isCount) taken.measure.name = a.value;
        }
        taken.measure.measure = measure;
        taken.measure.isCount = isCount;
        taken.ids.push_back(AggregationId{id});
    }
    return taken;
}

/// The steps of one row: other keys first, then what the process did, then what the kernel did for it.
class Steps {
public:
    Steps(const Store& store, Frames& frames) : m_store(store), m_frames(frames), m_syscalls(probeKinds(store).syscalls) { }
    void clear() { m_steps.clear(); }
    void add(std::string_view name, Shade shade, std::size_t module = 0)
    {
        const bool isClean = name.find(record::kFrameSeparator) == std::string_view::npos;
        m_steps.push_back({m_frames.of(isClean ? name : record::foldedWord(name), shade, module), shade});
    }
    void addKeys(const Aggregation& a, ByteView key)
    {
        for (const auto& field : a.keys)
            if (!isStack(field)) {
                const bool isCall = m_syscalls && field.name == "probefunc";
                const std::string text = printable(fieldText(field, key, m_store));
                add(text.empty() ? "[none]" : text, isCall ? Shade::System : Shade::Unknown);
            }
        for (const auto kind : {record::FieldKind::UserStack, record::FieldKind::Stack})
            for (const auto& field : a.keys)
                if (field.kind == kind) addFrames(m_store.stack(record::stackOf(field, key)));
    }
    std::span<const StackStep> all() const { return m_steps; }

private:
    void addFrames(const std::vector<record::Frame>& frames)
    {
        for (auto f = frames.rbegin(); f != frames.rend(); ++f)
            add(frameName(*f), shadeOf(f->kind), f->module.empty() ? 0 : printable(f->module).size());
    }
    const Store& m_store;
    Frames& m_frames;
    bool m_syscalls;
    std::vector<StackStep> m_steps;
};

class TreeStacks final : public Stacks {
public:
    TreeStacks(const Store& store, const Taken& taken) : Stacks(taken.measure, taken.leftOut)
    {
        Frames frames;
        StackTreeBuilder builder(frames);
        Steps steps(store, frames);
        for (const auto id : taken.ids) {
            const auto& a = store.program().aggregations[id.value];
            const auto& entry = store.shown(id);
            for (const auto& row : entry.rows) {
                const auto value = static_cast<std::int64_t>(rowValue(a, row, entry.divisor));
                if (value <= 0) continue;
                steps.clear();
                if (taken.ids.size() > 1) steps.add('@' + a.name, Shade::Unknown);
                steps.addKeys(a, row.key);
                builder.add(steps.all(), value);
            }
        }
        m_tree = std::make_shared<StackTree>(builder.build());
        m_total = m_tree->nodes.front().total;
    }
    void each(Frames& frames, const Deliver& deliver) const override
    {
        constexpr std::uint32_t kNone = UINT32_MAX;
        std::vector<std::uint32_t> numbers(m_tree->frames.size(), kNone);
        std::vector<StackStep> steps;
        for (std::size_t i = 1; i < m_tree->nodes.size(); ++i) {
            const auto& node = m_tree->nodes[i];
            steps.resize(node.depth - 1);
            auto& number = numbers[node.name];
            if (number == kNone) {
                auto frame = m_tree->frameOf(i);
                frame.shade = node.shade;
                number = frames.of(frame);
            }
            steps.push_back({number, node.shade});
            if (node.self > 0) deliver(steps, node.self);
        }
        if (m_tree->nodes.front().self <= 0) return;
        steps.assign(1, {frames.of(kNoStack, Shade::Unknown), Shade::Unknown});
        deliver(steps, m_tree->nodes.front().self);
    }
    void eachLine(const DeliverLine& deliver) const override
    {
        std::string path;
        std::vector<std::size_t> ends{0};
        for (std::size_t i = 1; i < m_tree->nodes.size(); ++i) {
            const auto& node = m_tree->nodes[i];
            ends.resize(node.depth);
            path.resize(ends.back());
            record::appendFrame(path, m_tree->frameOf(i).name);
            ends.push_back(path.size());
            if (node.self > 0) deliver(path, node.self);
        }
        if (m_tree->nodes.front().self > 0) deliver(kNoStack, m_tree->nodes.front().self);
    }
    std::shared_ptr<const StackTree> tree(const Look&) const override { return m_tree; }
    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const override
    {
        return matchedWeight(*m_tree, test, [](const StackNode& node) { return node.total; });
    }
    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const override
    {
        std::map<std::string_view, std::int64_t> own;
        for (std::size_t i = 1; i < m_tree->nodes.size(); ++i)
            if (m_tree->nodes[i].self > 0) own[m_tree->nameOf(i)] += m_tree->nodes[i].self;
        std::vector<std::pair<std::int64_t, std::string_view>> order;
        for (const auto& [frame, value] : own)
            order.emplace_back(-value, frame);
        const auto shown = std::min(order.size(), most);
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end());
        std::vector<std::pair<std::string, std::int64_t>> out;
        for (std::size_t i = 0; i < shown; ++i)
            out.emplace_back(order[i].second, -order[i].first);
        return out;
    }

private:
    std::shared_ptr<const StackTree> m_tree;
};

// -- stacks of imported text -----------------------------------------------------------------------------------------
/// What the values of imported stacks are.
StackMeasure meaningOf(const record::FoldedStacks& stacks, const Store& store)
{
    StackMeasure out;
    out.noun = stacks.noun;
    out.what = baseName(provenanceOf(store).name);
    out.isCount = stacks.unit == record::StackUnit::Count;
    if (!out.isCount) out.measure = {stacks.unit == record::StackUnit::Bytes ? Unit::Bytes : Unit::Nanoseconds, 1};
    return out;
}
/// The lines of all records that measure the same: those of one are not copied.
record::FoldedLines joined(const std::vector<record::FoldedStacks>& all)
{
    if (all.size() == 1) return all.front().lines;
    auto kept = std::make_shared<std::vector<record::FoldedLines>>(); // whose texts stay
    std::vector<Line> lines;
    for (const auto& stacks : all) {
        if (stacks.noun != all.front().noun || stacks.unit != all.front().unit) continue;
        kept->push_back(stacks.lines);
        lines.insert(lines.end(), stacks.lines.begin(), stacks.lines.end());
    }
    return {std::move(lines), kept};
}
std::size_t leftOutOf(const std::vector<record::FoldedStacks>& all)
{
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const auto& s) { return s.noun != all.front().noun || s.unit != all.front().unit; }));
}

/// Folded text, which is taken apart only where somebody looks: it may be larger than any tree of it should be.
class TextStacks final : public Stacks {
public:
    explicit TextStacks(const Store& store)
        : Stacks(meaningOf(store.folded().front(), store), leftOutOf(store.folded())), m_lines(joined(store.folded()))
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
            static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * look.leastShare)), look.mostNodes, kDeepest};
        return std::make_shared<StackTree>(partition(m_lines.all(), limits, look.focus));
    }
    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const override
    {
        return matchedValue(m_lines.all(), test);
    }
    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const override
    {
        std::vector<std::pair<std::string, std::int64_t>> out;
        Frames frames;
        for (const auto& [word, value] : graph::leaves(m_lines.all(), most))
            out.emplace_back(frames[frames.ofWord(word)].shown(), value);
        return out;
    }

private:
    record::FoldedLines m_lines;
};
} // namespace

std::string StackMeasure::quantity(std::int64_t value) const
{
    if (!isCount && measure.unit != Unit::None) return measure.format(static_cast<double>(value));
    return formatGrouped(value);
}
std::string StackMeasure::amount(std::int64_t value) const { return isCount ? withNoun(quantity(value), noun) : quantity(value); }
std::int64_t StackMeasure::inUnit(std::int64_t value) const
{
    if (isCount || measure.scale == 1) return value;
    const double scaled = static_cast<double>(value) * measure.scale;
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return scaled >= static_cast<double>(kMost) ? kMost : std::llround(scaled);
}

std::shared_ptr<const Stacks> stacksOf(const Store& store)
{
    return store.madeOnce([&]() -> std::shared_ptr<const Stacks> {
        auto taken = takenOf(store);
        auto recorded = std::make_shared<TreeStacks>(store, taken);
        if (!recorded->empty() || store.folded().empty()) return recorded;
        return std::make_shared<TextStacks>(store);
    });
}
bool hasStacks(const Store& store)
{
    const auto& all = store.program().aggregations;
    return !store.folded().empty() || std::any_of(all.begin(), all.end(), sumsUpStacks);
}
bool sumsUpStacks(const Aggregation& a)
{
    return (a.function == Aggregator::Count || a.function == Aggregator::Sum) && std::any_of(a.keys.begin(), a.keys.end(), isStack);
}
} // namespace dscope::graph
