#include "graph/stacks.h"
#include "engine/record/folded.h"
#include "engine/record/value.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/stack_rules.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <unordered_map>
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
        const auto measure = store.measure(a);
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
    using Origin = StackFrame::Origin;
    void add(std::string_view name, Shade shade, std::size_t module = 0, std::uint32_t line = 0, Origin origin = Origin::Unknown)
    {
        m_steps.push_back(stepOf(name, shade, module, line, origin));
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

    std::vector<StackStep>& all() { return m_steps; }

private:
    StackStep stepOf(std::string_view name, Shade shade, std::size_t module, std::uint32_t line, Origin origin)
    {
        const bool inlined = shade == Shade::Inlined;
        const bool isClean = !inlined && name.find(record::kFrameSeparator) == std::string_view::npos;
        const auto word = [&] { return record::foldedWord({.name = name, .inlined = inlined}); };
        return {m_frames.of(isClean ? name : word(), shade, module, origin), shade, line};
    }

    /// Of a file that a distribution installs, or another; /usr/local is the administrator's own (Filesystem Hierarchy Standard 3.0, 4.9).
    static Origin originOf(const record::Frame& frame)
    {
        const std::string_view path = frame.code->path;
        if (path.empty()) return Origin::Unknown;
        const auto isBelow = [&](std::string_view folder) { return path.starts_with(folder); };
        const bool isInstalled
            = !isBelow("/usr/local/") && (isBelow("/usr/") || isBelow("/bin/") || isBelow("/lib") || isBelow("/sbin/") || isBelow("["));
        return isInstalled ? Origin::Installed : Origin::Own;
    }

    StackStep stepOf(const record::Frame& f)
    {
        return stepOf(frameName(f, unnamedOf(m_store.program())), f.inlined ? Shade::Inlined : shadeOf(f.kind),
            f.module.empty() ? 0 : printable(f.module).size(), m_frames.lineOf(printable(*f.file), f.line), originOf(f));
    }

    void addFrames(const record::KeptStacks::View& frames)
    {
        for (auto left = frames.size(); left > 0; --left) {
            const auto number = frames.number(left - 1);
            if (number >= m_known.size()) m_known.resize(number + 1);
            auto& step = m_known[number];
            if (!step) step = stepOf(frames[left - 1]);
            m_steps.push_back(*step);
        }
    }

    const Store& m_store;
    Frames& m_frames;
    bool m_syscalls;
    std::vector<StackStep> m_steps;
    std::vector<std::optional<StackStep>> m_known; ///< of frames, by their numbers in the store; none: not met yet
};

/// Why a row's stack was not followed to its end; of the program's stack rather than of the kernel's. None when it was.
std::optional<record::Truncation> cutOf(const Aggregation& a, ByteView key, const Store& store)
{
    for (const auto kind : {record::FieldKind::UserStack, record::FieldKind::Stack})
        for (const auto& field : a.keys) {
            if (field.kind != kind) continue;
            const auto frames = store.stack(record::stackOf(field, key));
            if (frames.size() == 0) continue;
            const auto& last = frames[frames.size() - 1];
            if (last.kind == record::Frame::Kind::Truncated) return static_cast<record::Truncation>(last.offset);
        }
    return std::nullopt;
}

/// What a sample of "profile-997" stands for, in ns; 0 where that is no time of a processor, or where other probes may count, too.
std::int64_t periodOf(const Store& store)
{
    struct Unit {
        std::string_view name;
        std::int64_t size; ///< ns; 0: so many a second
    };

    constexpr std::array kUnits{Unit{"", 0}, Unit{"hz", 0}, Unit{"s", 1'000'000'000}, Unit{"sec", 1'000'000'000}, Unit{"ms", 1'000'000},
        Unit{"msec", 1'000'000}, Unit{"us", 1'000}, Unit{"usec", 1'000}, Unit{"ns", 1}, Unit{"nsec", 1}};
    std::int64_t period = 0;
    for (const auto& [id, probe] : store.probes()) {
        constexpr std::string_view kProbe = "profile-";
        const bool isTimer = probe.provider == "profile";
        if (probe.provider == "dtrace" || (isTimer && probe.name.starts_with("tick-"))) continue;
        if (!isTimer || !probe.name.starts_with(kProbe)) return 0;
        std::int64_t number = 0;
        auto unit = std::string_view(probe.name).substr(kProbe.size());
        while (!unit.empty() && unit.front() >= '0' && unit.front() <= '9' && number < 900'000'000) { // seconds of it fit, too
            number = 10 * number + (unit.front() - '0');
            unit.remove_prefix(1);
        }
        const auto* const known = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == unit; });
        if (known == kUnits.end() || number == 0) return 0;
        const auto one = known->size == 0 ? 1'000'000'000 / number : number * known->size;
        if (period != 0 && period != one) return 0; // samples of two rates stand for different times
        period = one;
    }
    return period;
}

class TreeStacks final : public Stacks {
public:
    TreeStacks(const Store& store, const Taken& taken) : Stacks(taken.measure, taken.leftOut)
    {
        takeSource(store, taken);
        Frames frames;
        StackTreeBuilder builder(frames);
        Steps steps(store, frames);
        const auto& rules = store.stackRules();
        StackFilter filter(rules, frames, store.program().command);
        Kept kept;
        for (const auto id : taken.ids) {
            const auto& a = store.program().aggregations[id.value];
            const auto& entry = store.shown(id);
            for (const auto& row : entry.rows) {
                const auto value = static_cast<std::int64_t>(rowValue(a, row, entry.divisor));
                if (value <= 0) continue;
                steps.clear();
                if (taken.ids.size() > 1) steps.add('@' + a.name, Shade::Unknown);
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
    }

    /// What the rules leave of other stacks.
    TreeStacks(const Stacks& all, const StackRules& rules, std::string_view command) : Stacks(all.measure(), all.leftOut())
    {
        Frames frames;
        StackTreeBuilder builder(frames, kDeepest);
        StackFilter filter(rules, frames, command);
        Kept kept;
        std::vector<StackStep> steps;
        all.each(frames, [&](std::span<const StackStep> given, std::int64_t value) {
            steps.assign(given.begin(), given.end());
            if (kept.take(filter(steps), value)) builder.add(steps, value);
        });
        take(builder.build(), rules, kept);
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
    void takeCode(const record::KeptStacks::View& frames, std::vector<bool>& seen)
    {
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto number = frames.number(i);
            if (number >= seen.size()) seen.resize(2 * std::size_t{number} + 1);
            if (seen[number]) continue;
            seen[number] = true;
            const auto& frame = frames[i];
            if (!frame.module.empty() && !frame.code->path.empty()) m_source.code.try_emplace(printable(frame.module), *frame.code);
        }
    }

    void takeSource(const Store& store, const Taken& taken)
    {
        const auto provenance = provenanceOf(store);
        m_source.utc = provenance.utc;
        m_source.duration = provenance.duration;
        if (taken.measure.isCount) m_source.period = periodOf(store);
        std::vector<bool> seen; // by number of the frame: a run has few, and its stacks name them again and again
        for (const auto id : taken.ids)
            for (const auto& row : store.shown(id).rows)
                for (const auto& field : store.program().aggregations[id.value].keys)
                    if (isStack(field)) takeCode(store.stack(record::stackOf(field, row.key)), seen);
        if (taken.ids.size() != 1 || !store.stackRules().empty()) return; // frames that rules fold are not told apart from keys
        for (const auto& field : store.program().aggregations[taken.ids.front().value].keys)
            if (!isStack(field)) m_source.keys.push_back(printable(field.name));
    }

    /// What of all values rules have left.
    struct Kept {
        std::int64_t value = 0, all = 0;

        bool take(bool isKept, std::int64_t more)
        {
            all += more;
            if (isKept) value += more;
            return isKept;
        }
    };

    void take(StackTree tree, const StackRules& rules, const Kept& kept)
    {
        m_tree = std::make_shared<StackTree>(std::move(tree));
        m_total = m_tree->nodes.front().total;
        m_ruled = rules.inWords();
        if (rules.leaveOut()) m_ruled.push_back(measure().quantity(kept.value) + " of " + measure().amount(kept.all) + " are shown");
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
    std::vector<Lined> m_withLines; ///< all stacks, when any has lines; else none
    std::vector<std::uint32_t> m_lines;
};

// -- stacks of imported text -----------------------------------------------------------------------------------------
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

/// Folded text, which is taken apart only where somebody looks: it may be larger than any tree of it should be.
class TextStacks final : public Stacks {
public:
    /// `all`: by measure; the first is shown.
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
            static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * look.leastShare)), look.mostNodes, kDeepest};
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

std::vector<std::string> cutCaveat(const Stacks& stacks)
{
    const auto& [value, reasons] = stacks.cut();
    if (value <= 0 || stacks.total() <= 0) return {};
    const auto most = std::max_element(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto why = [&]() -> std::string {
        switch (most->first) {
        case record::Truncation::TooDeep: return "more frames than option ustackframes keeps";
        case record::Truncation::NoCaller: return "code without unwind tables";
        case record::Truncation::BadMemory: return "the stack could not be read";
        case record::Truncation::NoTable: break;
        }
        return "no unwind table";
    };
    const auto& measure = stacks.measure();
    const std::string what = measure.isCount  ? measure.noun + " end early"
        : measure.unit() == Unit::Nanoseconds ? "time is in stacks that end early"
                                              : "sum is in stacks that end early";
    return {formatShare(static_cast<double>(value), static_cast<double>(stacks.total())) + " of the " + what
        + (reasons.size() > 1 ? ", mostly: " : ": ") + why()};
}

std::vector<std::string> stackCaveats(const Stacks& stacks)
{
    auto out = stacks.ruled();
    for (auto& cut : cutCaveat(stacks))
        out.push_back(std::move(cut));
    return out;
}

void sayNoStacks(Page& page, const Stacks& stacks, const std::string& probes)
{
    if (stacks.ruled().empty()) return page.empty("No stacks yet", "The program records stacks when its probes fire: " + probes);
    std::string rules;
    for (const auto& rule : stacks.ruled())
        rules += (rules.empty() ? "" : "; ") + rule;
    page.empty("No stack is left by what was asked for", rules);
}

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
        const bool isRecorded = !taken.ids.empty() && !recorded->ruled().empty(); // though the rules may have left nothing
        if (isRecorded || !recorded->empty() || store.folded().empty()) return recorded;
        auto text = std::make_shared<TextStacks>(record::byMeasure(store.folded()), store);
        const auto& rules = store.stackRules();
        if (rules.empty()) return text;
        return std::make_shared<TreeStacks>(*text, rules, store.program().command);
    });
}
void eachStackOfFrames(const Store& store, const DeliverFrames& deliver)
{
    Frames frames;
    Steps steps(store, frames);
    const auto& rules = store.stackRules();
    StackFilter filter(rules, frames, store.program().command);
    std::vector<record::KeptStacks::View> views;
    for (const auto id : takenOf(store).ids) {
        const auto& a = store.program().aggregations[id.value];
        const auto& entry = store.shown(id);
        for (const auto& row : entry.rows) {
            const auto value = static_cast<std::int64_t>(rowValue(a, row, entry.divisor));
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
    return !store.folded().empty() || std::any_of(all.begin(), all.end(), sumsUpStacks);
}
bool sumsUpStacks(const Aggregation& a)
{
    return (a.function == Aggregator::Count || a.function == Aggregator::Sum) && std::any_of(a.keys.begin(), a.keys.end(), isStack);
}
} // namespace dscope::graph
