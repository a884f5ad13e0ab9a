#include "graph/stacks.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/folded.h"
#include "engine/record/value.h"
#include "graph/counted_tree.h"
#include "graph/imported_stacks.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/run_probes.h"
#include "graph/stack_rules.h"
#include "graph/stack_source.h"
#include "graph/store.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr std::string_view kNoStack = "[no stack]";

/// Stacks as a tree: those that a run aggregated, or what rules leave of others.
class TreeStacks final : public Stacks {
public:
    TreeStacks(const Store& store, const StackAggregations& taken) : Stacks(taken.measure, taken.leftOut)
    {
        m_source = stackSource(store, taken);
        m_implied = ImpliedFrames(store, taken.ids);
        m_whose = Whose(store.program(), taken.ids);
        m_runTime = shownTime(provenanceOf(store));
        Frames frames;
        StackTreeBuilder builder(frames);
        StackSteps steps(store, frames);
        const auto& rules = store.stackRules();
        StackFilter filter(rules, frames, store.program().command);
        Kept kept;
        for (const auto id : taken.ids) {
            const auto& a = store.program().aggregations[id.value];
            const auto& entry = store.shown(id);
            for (const auto& row : entry.rows) {
                const auto value = rowValue(a, row, entry.divisor).whole();
                if (value <= 0) continue;
                steps.clear();
                if (taken.ids.size() > 1) steps.add('@' + a.name);
                steps.addKeys(a, row.key);
                if (!kept.take(rules.empty() || filter(steps.all()), value)) continue;
                const auto leaf = builder.add(steps.all(), value);
                if (store.tellsLines()) keep(leaf, value, steps.all());
                if (const auto why = cutOf(a, row.key, store)) {
                    m_cut.value += value;
                    m_cut.reasons[*why] += value;
                }
            }
        }
        auto built = builder.ordered();
        if (store.tellsLines()) takeLines(frames, built);
        take(std::move(built.tree), rules, kept);
        if (!rules.mergeFrames()) m_keys = keysOf(store, taken); // frames that rules merge are not told apart from keys
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        if (m_source.period > 0 && m_total <= kMost / m_source.period && (m_whose.isOfTarget() || !hasIdleSamples()))
            m_cpuTime = m_total * m_source.period;
    }

    /// What the rules leave of other stacks, or all of them as one tree, which has their lines.
    TreeStacks(const Stacks& all, const StackRules& rules, std::string_view command) : Stacks(all.measure(), all.leftOut())
    {
        Frames frames;
        StackTreeBuilder builder(frames, kDeepestImported);
        StackFilter filter(rules, frames, command);
        Kept kept;
        std::vector<StackStep> steps;
        all.each(frames, [&](std::span<const StackStep> given, std::int64_t value) {
            steps.assign(given.begin(), given.end());
            if (!kept.take(rules.empty() || filter(steps), value)) return;
            const auto leaf = builder.add(steps, value);
            if (all.tellsLines()) keep(leaf, value, std::span(steps).first(std::min<std::size_t>(steps.size(), kDeepestImported)));
        });
        auto built = builder.ordered();
        if (all.tellsLines()) takeLines(frames, built);
        take(std::move(built.tree), rules, kept);
        m_whose = all.whose();
        m_runTime = all.runTime();
        if (all.cpuTime() == all.total()) m_cpuTime = m_total;
    }

    void each(Frames& frames, const Deliver& deliver) const override
    {
        if (!m_withLines.empty()) return eachLined(frames, deliver);
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
            steps.push_back({number, node.shade, 0, node.times});
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

    bool tellsLines() const override { return !m_withLines.empty(); }
    std::shared_ptr<const StackTree> tree(const Look&) const override { return m_tree; }
    std::int64_t matched(const std::function<bool(std::string_view name)>& test) const override
    {
        return matchedWeight(*m_tree, test, [](const StackNode& node) { return node.total; });
    }

    std::vector<std::pair<std::string, std::int64_t>> leaves(std::size_t most) const override
    {
        // Every figure asks for a few, and all nodes are read for them.
        std::call_once(m_leavesRead, [&] { m_leaves = leavesRead(kLeavesKept); });
        if (most > kLeavesKept) return leavesRead(most);
        return {m_leaves.begin(), m_leaves.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_leaves.size()))};
    }

    std::vector<std::pair<std::string, std::int64_t>> tellingEnds(std::size_t most) const override
    {
        if (!m_implied.isPlaced() && m_keys == 0) return leaves(most);
        std::map<std::string_view, std::int64_t> ends; // a stack without frames ends in a key, which is no function
        for (const auto& [node, value] : m_implied.isPlaced() ? endsBeforeImplied() : allEnds())
            if (isFrame(node)) ends[m_tree->nameOf(node)] += value;
        return mostOf(ends, most);
    }

private:
    static constexpr std::size_t kLeavesKept = 8;

    struct End {
        std::size_t node;
        std::int64_t value;
    };

    /// How many levels are keys in all of these aggregations, the name of each among them where they are several.
    static std::uint32_t keysOf(const Store& store, const StackAggregations& taken)
    {
        std::optional<std::ptrdiff_t> least;
        for (const auto id : taken.ids) {
            const auto& keys = store.program().aggregations[id.value].keys;
            const auto plain = std::count_if(keys.begin(), keys.end(), [](const record::Field& field) { return !isStack(field); });
            least = std::min(least.value_or(plain), plain);
        }
        return static_cast<std::uint32_t>(least.value_or(0)) + (taken.ids.size() > 1 ? 1 : 0);
    }

    /// Whether it is a frame of a stack, rather than the root or one of the keys before it.
    bool isFrame(std::size_t node) const { return m_tree->nodes[node].depth > m_keys; }

    std::vector<End> allEnds() const
    {
        std::vector<End> ends;
        for (std::size_t i = 1; i < m_tree->nodes.size(); ++i)
            if (m_tree->nodes[i].self > 0) ends.push_back({i, m_tree->nodes[i].self});
        return ends;
    }

    std::vector<End> endsBeforeImplied() const
    {
        auto ends = allEnds();
        const auto step = [&](End& end) { end.node = m_tree->nodes[end.node].parent; };
        std::vector<signed char> known(2 * m_tree->frames.size(), -1); // by frame, and whether it is the kernel's: is it implied?
        const auto isImplied = [&](std::size_t at) {
            const auto& node = m_tree->nodes[at];
            auto& answer = known[2 * node.name + (node.shade == Shade::Kernel ? 1 : 0)];
            if (answer < 0) answer = m_implied.has(m_tree->nameOf(at), node.shade) ? 1 : 0;
            return answer > 0;
        };
        const auto skipNamed = [&] {
            bool any = false;
            for (auto& end : ends)
                for (; isFrame(end.node) && isImplied(end.node); any = true)
                    step(end);
            return any;
        };
        const auto areOne = [&] {
            return !ends.empty() && std::all_of(ends.begin(), ends.end(), [&](const End& end) {
                return isFrame(end.node) && m_tree->nameOf(end.node) == m_tree->nameOf(ends.front().node);
            });
        };
        const auto skipLast = [&] {
            for (auto& end : ends)
                if (isFrame(end.node)) step(end);
        };

        const bool isNamed = skipNamed();
        using enum ImpliedFrames::Last;
        if (m_implied.last() == Implied) skipLast();
        if (m_implied.last() == Common && !isNamed && areOne()) skipLast();
        while (m_implied.last() == AllCommon && areOne())
            skipLast();
        return ends;
    }

    /// Whether an idle processor is among what was sampled, or may be: its stacks are those of the kernel's idle thread, or none.
    bool hasIdleSamples() const
    {
        const auto& nodes = m_tree->nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (!isFrame(i) && nodes[i].self > 0) return true;
            if (nodes[i].shade == Shade::Kernel && m_tree->nameOf(i).ends_with("`do_idle")) return true;
        }
        return false;
    }

    static std::vector<std::pair<std::string, std::int64_t>> mostOf(
        const std::map<std::string_view, std::int64_t>& values, std::size_t most)
    {
        std::vector<std::pair<std::int64_t, std::string_view>> order;
        for (const auto& [frame, value] : values)
            order.emplace_back(-value, frame);
        const auto shown = std::min(order.size(), most);
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end());
        std::vector<std::pair<std::string, std::int64_t>> out;
        for (std::size_t i = 0; i < shown; ++i)
            out.emplace_back(order[i].second, -order[i].first);
        return out;
    }

    std::vector<std::pair<std::string, std::int64_t>> leavesRead(std::size_t most) const
    {
        std::map<std::string_view, std::int64_t> own;
        for (std::size_t i = 1; i < m_tree->nodes.size(); ++i)
            if (m_tree->nodes[i].self > 0) own[m_tree->nameOf(i)] += m_tree->nodes[i].self;
        return mostOf(own, most);
    }

    void take(StackTree tree, const StackRules& rules, const Kept& kept)
    {
        m_tree = std::make_shared<StackTree>(std::move(tree));
        m_total = m_tree->nodes.front().total;
        m_rules = rules;
        m_kept = kept;
    }

    /// A stack with the lines of its frames.
    struct Lined {
        std::uint32_t leaf = 0; ///< the node that it ends in
        std::size_t lines = 0;  ///< where its lines begin in m_lines, from the root: as many as it has frames
        std::int64_t value = 0;
    };

    void keep(std::uint32_t leaf, std::int64_t value, std::span<const StackStep> steps)
    {
        m_withLines.push_back({leaf, m_lines.size(), value});
        for (const auto& step : steps)
            m_lines.push_back(step.line);
    }

    std::span<const std::uint32_t> linesOf(const Lined& stack, const StackTree& tree) const
    {
        return std::span(m_lines).subspan(stack.lines, tree.nodes[stack.leaf].depth);
    }

    /// Puts the stacks in the order of the tree, equal ones as one, and gives each node its line.
    void takeLines(const Frames& frames, StackTreeBuilder::Order& built)
    {
        auto& tree = built.tree;
        tree.lines.assign(frames.lines().begin(), frames.lines().end());
        for (auto& stack : m_withLines)
            stack.leaf = built.indices[stack.leaf];
        std::sort(m_withLines.begin(), m_withLines.end(), [&](const Lined& a, const Lined& b) {
            const auto left = linesOf(a, tree), right = linesOf(b, tree);
            return a.leaf != b.leaf ? a.leaf < b.leaf : std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
        });

        std::size_t kept = 0;
        for (const auto& stack : m_withLines) {
            const auto lines = linesOf(stack, tree);
            auto* const last = kept > 0 ? &m_withLines[kept - 1] : nullptr;
            if (last && last->leaf == stack.leaf && std::equal(lines.begin(), lines.end(), linesOf(*last, tree).begin()))
                last->value += stack.value;
            else
                m_withLines[kept++] = stack;
        }

        m_withLines.resize(kept);
        std::unordered_map<std::uint64_t, std::int64_t> values; // by node and line
        for (const auto& stack : m_withLines) {
            auto node = stack.leaf;
            const auto lines = linesOf(stack, tree);
            for (auto line = lines.rbegin(); line != lines.rend(); ++line, node = tree.nodes[node].parent)
                if (*line != 0) values[std::uint64_t{node} << 32 | *line] += stack.value;
        }

        std::vector<std::int64_t> most(tree.nodes.size());
        for (const auto& [key, value] : values) {
            auto& node = tree.nodes[key >> 32];
            const auto line = static_cast<std::uint32_t>(key);
            ++node.lines;
            if (value < most[key >> 32] || (value == most[key >> 32] && line > node.line)) continue;
            most[key >> 32] = value;
            node.line = line;
        }
    }

    void eachLined(Frames& frames, const Deliver& deliver) const
    {
        constexpr std::uint32_t kNone = UINT32_MAX;
        std::vector<std::uint32_t> numbers(m_tree->frames.size(), kNone), places(m_tree->lines.size(), kNone);
        std::vector<StackStep> steps;
        for (const auto& stack : m_withLines) {
            const auto lines = linesOf(stack, *m_tree);
            steps.resize(lines.size());
            auto at = stack.leaf;
            for (auto i = steps.size(); i-- > 0; at = m_tree->nodes[at].parent) {
                const auto& node = m_tree->nodes[at];
                auto& number = numbers[node.name];
                if (number == kNone) {
                    auto frame = m_tree->frameOf(at);
                    frame.shade = node.shade;
                    number = frames.of(frame);
                }
                auto& place = places[lines[i]];
                if (place == kNone) place = frames.lineOf(m_tree->lines[lines[i]].file, m_tree->lines[lines[i]].line);
                steps[i] = {number, node.shade, place, node.times};
            }
            if (steps.empty()) steps.push_back({frames.of(kNoStack, Shade::Unknown), Shade::Unknown});
            deliver(steps, stack.value);
        }
    }

    std::shared_ptr<const StackTree> m_tree;
    std::uint32_t m_keys = 0;       ///< levels of the tree that are keys, before the frames
    std::vector<Lined> m_withLines; ///< all stacks, when any has lines; else none
    std::vector<std::uint32_t> m_lines;
    mutable std::once_flag m_leavesRead;
    mutable std::vector<std::pair<std::string, std::int64_t>> m_leaves; ///< the first kLeavesKept
};
} // namespace

namespace {
/// The same stacks with values in another exponent: rounded where it is larger. Where it is less they fit.
record::CountedStacks inExponent(const record::CountedStacks& of, int exponent)
{
    constexpr std::int64_t kTen = 10;
    auto stacks = std::vector<record::CountedStacks::Stack>(of.all().begin(), of.all().end());
    for (auto& stack : stacks) {
        for (int e = of.exponent; e < exponent; ++e)
            stack.value = stack.value / kTen + (stack.value % kTen >= kTen / 2 ? 1 : 0);
        for (int e = of.exponent; e > exponent; --e)
            stack.value *= kTen;
    }
    std::erase_if(stacks, [](const auto& stack) { return stack.value <= 0; });
    auto out = record::withStacks(of, std::move(stacks));
    out.exponent = static_cast<std::int8_t>(exponent);
    return out;
}

std::shared_ptr<const Stacks> ruledStacks(const std::vector<record::CountedStacks>& all, const Store& store)
{
    auto imported = importedStacks(all, store);
    const auto& rules = store.stackRules();
    if (rules.empty() && !imported->tellsLines()) return imported;
    return std::make_shared<TreeStacks>(*imported, rules, store.program().command);
}
} // namespace

std::shared_ptr<const Stacks> stacksOf(const Store& store)
{
    return store.madeOnce([&]() -> std::shared_ptr<const Stacks> {
        auto taken = stackAggregations(store);
        auto recorded = std::make_shared<TreeStacks>(store, taken);
        const bool isRecorded = !taken.ids.empty() && recorded->isRuled(); // though the rules may have left nothing
        if (isRecorded || !recorded->empty() || store.counted().empty()) return recorded;
        const auto all = record::byMeasure(store.counted());
        if (all.empty()) return recorded;
        return ruledStacks(all, store);
    });
}

ComparedStacks comparedStacks(const Store& before, const Store& after)
{
    ComparedStacks out{stacksOf(before), stacksOf(after)};
    const auto exponentOf = [](const auto& stacks) { return stacks->measure().exponent; };
    const auto [least, most] = std::minmax(exponentOf(out.before), exponentOf(out.after));
    if (least == most) return out;
    const auto& coarse = exponentOf(out.before) == most ? before : after;
    constexpr double kMostTotal = 2e18; // both together have room
    const auto total = static_cast<double>((&coarse == &before ? out.before : out.after)->total()) * std::pow(10.0, most - least);
    const bool fits = coarse.program().isImported && total < kMostTotal; // what a run aggregated has no exponent but 0
    const auto inOne = [exponent = fits ? least : most, &exponentOf](std::shared_ptr<const Stacks>& stacks, const Store& store) {
        if (exponentOf(stacks) == exponent) return;
        auto all = record::byMeasure(store.counted());
        all.front() = inExponent(all.front(), exponent);
        stacks = ruledStacks(all, store);
    };
    inOne(out.before, before);
    inOne(out.after, after);
    return out;
}

void eachStackOfFrames(const Store& store, const DeliverFrames& deliver)
{
    Frames frames;
    StackSteps steps(store, frames);
    const auto& rules = store.stackRules();
    StackFilter filter(rules, frames, store.program().command);
    std::vector<record::KeptStacks::View> views;
    for (const auto id : stackAggregations(store).ids) {
        const auto& a = store.program().aggregations[id.value];
        const auto& entry = store.shown(id);
        for (const auto& row : entry.rows) {
            const auto value = rowValue(a, row, entry.divisor).whole();
            if (value <= 0) continue;
            steps.clear();
            steps.addKeys(a, row.key);
            if (!rules.empty() && !filter(steps.all())) continue;
            views.clear();
            for (const auto kind : {record::FieldKind::Stack, record::FieldKind::UserStack})
                for (const auto& field : a.keys)
                    if (field.kind == kind) views.push_back(store.stack(record::stackOf(field, row.key)));
            deliver(views, value);
        }
    }
}

bool hasStacks(const Store& store)
{
    const auto& all = store.program().aggregations;
    return !store.counted().empty() || std::any_of(all.begin(), all.end(), sumsUpStacks);
}

bool sumsUpStacks(const record::Aggregation& a)
{
    return (a.function == record::Aggregator::Count || a.function == record::Aggregator::Sum)
        && std::any_of(a.keys.begin(), a.keys.end(), isStack);
}
} // namespace dscope::graph
