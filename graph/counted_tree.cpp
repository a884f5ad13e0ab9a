#include "graph/counted_tree.h"
#include "engine/record/folded.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
namespace dscope::graph {
namespace {
/// Makes a tree of nodes that come in preorder.
class TreeWriter {
public:
    explicit TreeWriter(std::int64_t total)
    {
        const auto root = m_frames.of(kAllStacks, Shade::Unknown);
        m_tree.nodes.push_back({root, 0, 0, 1, 0, total, 0, 0, Shade::Unknown, 1});
        m_tree.depth = 1;
    }

    struct NewNode {
        const StackFrame* frame = nullptr;
        std::uint32_t parent = 0, frames = 1;
        std::int64_t total = 0;
    };
    std::uint32_t add(const NewNode& added)
    {
        const auto parent = m_tree.nodes[added.parent]; // a copy: the nodes move
        // What the kernel calls is the kernel, whatever its module is called.
        const auto shade = added.frames > 1 ? Shade::Unknown : parent.shade == Shade::Kernel ? Shade::Kernel : added.frame->shade;
        m_tree.nodes.push_back({m_frames.of(*added.frame), added.parent, parent.depth + 1, 1, 0, added.total, 0, 0, shade, added.frames});
        m_tree.depth = std::max(m_tree.depth, parent.depth + 2);
        m_tree.add(shade);
        return static_cast<std::uint32_t>(m_tree.nodes.size() - 1);
    }

    /// The value of stacks that end in a node; `cut` of it would go deeper.
    void endIn(std::uint32_t node, std::int64_t self, std::int64_t cut)
    {
        m_tree.nodes[node].self = self;
        m_tree.cutAtDepth += cut;
    }

    std::size_t size() const { return m_tree.nodes.size(); }
    std::uint32_t depthOf(std::uint32_t node) const { return m_tree.nodes[node].depth; }

    StackTree finished()
    {
        for (std::size_t i = m_tree.nodes.size(); i-- > 1;)
            m_tree.nodes[m_tree.nodes[i].parent].size += m_tree.nodes[i].size;
        for (std::uint32_t i = 0; i < m_frames.size(); ++i)
            m_tree.frames.push_back(m_frames[i]);
        m_tree.countEnds();
        return std::move(m_tree);
    }

private:
    StackTree m_tree;
    Frames m_frames;
};

bool isCalled(const StackFrame& frame, std::string_view name) { return frame.name == name || frame.shown() == name; }
} // namespace

CountedTree::CountedTree(record::CountedStacks stacks) : m_stacks(std::move(stacks))
{
    const auto count = m_stacks.table ? m_stacks.table->nodes().size() : 1;
    m_totals.resize(count);
    m_ends.resize(count);
    for (const auto& [node, value] : m_stacks.all())
        m_totals[node] += value;
    if (!m_stacks.table) {
        m_ends.front() = 1;
        return;
    }
    for (std::uint32_t i = 0; i < m_stacks.table->frameCount(); ++i)
        m_frames.push_back(stackFrame(m_stacks.table->frame(i)));
    for (auto i = count - 1; i > 0; --i) {
        const auto caller = nodes()[i].caller;
        m_totals[caller] += m_totals[i];
        m_ends[i] = std::max(m_ends[i], static_cast<std::uint32_t>(i + 1));
        m_ends[caller] = std::max(m_ends[caller], m_ends[i]);
    }
    m_ends.front() = static_cast<std::uint32_t>(count);
}

std::span<const record::StackTable::Node> CountedTree::nodes() const
{
    return m_stacks.table ? m_stacks.table->nodes() : std::span<const record::StackTable::Node>();
}

std::int64_t CountedTree::selfOf(std::size_t node) const
{
    auto self = m_totals[node];
    for (std::size_t child = node + 1; child < m_ends[node]; child = m_ends[child])
        self -= m_totals[child];
    return self;
}

StackTree CountedTree::seen(const LookLimits& limits, std::span<const std::string_view> focus) const
{
    enum class Side : std::uint8_t { Within, Before, Behind, OffPath };
    struct Open {
        std::uint32_t node = 0, inFocus = 0; ///< inFocus: frames of the focus above it
        std::int64_t start = 0, end = 0;     ///< of the window, from where the node begins
        bool isClosed = false;               ///< not looked into
        Side side = Side::Within;
        TreeWriter::NewNode added = {};
    };
    const bool hasWindow = limits.from > 0 || limits.to < 1;
    const auto ofWindow = [&](std::uint32_t node) {
        const auto whole = static_cast<double>(m_totals[node]);
        return std::pair(static_cast<std::int64_t>(std::floor(limits.from * whole)) - limits.least,
            static_cast<std::int64_t>(std::ceil(limits.to * whole)) + limits.least);
    };

    TreeWriter writer(total());
    const auto [start, end] = ofWindow(0);
    std::vector<Open> waiting{{.start = start, .end = end}};
    while (!waiting.empty() && writer.size() <= limits.nodes) {
        const auto open = waiting.back();
        waiting.pop_back();
        const auto node = open.node == 0 ? 0 : writer.add(open.added);
        if (open.isClosed) continue;
        if (writer.depthOf(node) >= kDeepestImported) {
            const auto self = m_totals[open.node];
            writer.endIn(node, self, self - selfOf(open.node));
            continue;
        }
        const auto wanted = open.inFocus < focus.size() ? std::optional(focus[open.inFocus]) : std::nullopt;
        const auto begin = waiting.size();
        std::int64_t at = 0;
        for (auto child = open.node + 1; child < m_ends[open.node]; child = m_ends[child]) {
            const auto& frame = frameOf(child);
            const auto value = m_totals[child];
            if (value == 0) continue; // other measures have stacks there
            const bool onPath = !wanted || isCalled(frame, *wanted);
            const auto side = !onPath                              ? Side::OffPath
                : wanted || !hasWindow || at + value >= open.start ? (wanted || !hasWindow || at <= open.end ? Side::Within : Side::Behind)
                                                                   : Side::Before;
            const bool isClosed = side != Side::Within || value < limits.least;
            auto* const last = waiting.size() > begin ? &waiting.back() : nullptr;
            const bool isSideSame = last && (last->side == side || wanted || !hasWindow);
            if (isClosed && isSideSame && last->isClosed) {
                last->added.frames += 1;
                last->added.total += value;
            } else {
                const bool isFocus = wanted && open.inFocus + 1 == focus.size();
                const auto [from, to] = isFocus ? ofWindow(child)
                    : wanted                    ? std::pair(open.start, open.end)
                                                : std::pair(open.start - at, open.end - at);
                waiting.push_back({child, open.inFocus + 1, from, to, isClosed, side, {&frame, node, 1, value}});
            }
            at += value;
        }
        writer.endIn(node, m_totals[open.node] - at, 0);
        std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(begin), waiting.end());
    }
    return writer.finished();
}

std::int64_t CountedTree::total(std::span<const std::string_view> path) const
{
    std::vector<std::uint32_t> level{0};
    for (const auto name : path) {
        std::vector<std::uint32_t> next;
        for (const auto node : level)
            for (auto child = node + 1; child < m_ends[node]; child = m_ends[child])
                if (isCalled(frameOf(child), name)) next.push_back(child);
        level = std::move(next);
    }
    std::int64_t sum = 0;
    for (const auto node : level)
        sum += m_totals[node];
    return sum;
}

std::int64_t CountedTree::matched(const std::function<bool(std::string_view name)>& test) const
{
    std::vector<signed char> known(m_frames.size(), -1); // by frame: whether it passes, or not asked yet
    std::int64_t sum = 0;
    for (std::size_t at = 1; at < nodes().size();) {
        auto& passes = known[nodes()[at].frame];
        if (passes < 0) passes = test(frameOf(at).shown()) ? 1 : 0;
        if (passes > 0) sum += m_totals[at];
        at = passes > 0 ? m_ends[at] : at + 1;
    }
    return sum;
}

std::vector<std::pair<std::string, std::int64_t>> CountedTree::leaves(std::size_t most) const
{
    std::unordered_map<std::string_view, std::int64_t> sums;
    for (const auto& [node, value] : m_stacks.all())
        sums[frameOf(node).shown()] += value;
    std::vector<std::pair<std::string_view, std::int64_t>> order(sums.begin(), sums.end());
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
        [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    return {order.begin(), order.begin() + shown};
}

void CountedTree::each(Frames& frames, const Deliver& deliver, std::string_view with) const
{
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> numbers(m_frames.size(), kNone), lines(m_frames.size());
    std::vector<StackStep> steps;
    std::vector<std::uint32_t> path{0}; // nodes from the root
    std::size_t found = 0;              // of the path: how many frames are called `with`
    const auto isWanted = [&](std::uint32_t node) { return !with.empty() && frameOf(node).name == with; };
    for (std::uint32_t i = 1; i < nodes().size(); ++i) {
        if (m_totals[i] == 0) { // other measures, or other times, have stacks there
            i = m_ends[i] - 1;
            continue;
        }
        for (; path.back() != nodes()[i].caller; path.pop_back(), steps.pop_back())
            found -= isWanted(path.back()) ? 1 : 0;
        const auto frame = nodes()[i].frame;
        if (numbers[frame] == kNone) {
            const auto told = m_stacks.table->frame(frame);
            numbers[frame] = frames.of(m_frames[frame]);
            lines[frame] = frames.lineOf(told.file, told.line);
        }
        const bool inKernel = !steps.empty() && steps.back().shade == Shade::Kernel; // what it calls is the kernel, too
        steps.push_back({numbers[frame], inKernel ? Shade::Kernel : m_frames[frame].shade, lines[frame]});
        path.push_back(i);
        found += isWanted(i) ? 1 : 0;
        if (!with.empty() && found == 0) continue;
        if (const auto self = selfOf(i); self > 0) deliver(steps, self);
    }
}

void CountedTree::eachLine(const std::function<void(std::string_view, std::int64_t)>& deliver) const
{
    std::unordered_map<std::uint32_t, std::string> whole; // names that figures cut, by frame
    for (std::uint32_t i = 0; i < m_frames.size(); ++i) {
        const auto told = m_stacks.table->frame(i);
        if (told.module.size() + told.name.size() >= Frames::kLongestName) whole.emplace(i, record::foldedWord(told));
    }
    std::string text;
    std::vector<std::size_t> ends{0};   // of the text, by level
    std::vector<std::uint32_t> path{0}; // nodes from the root
    for (std::uint32_t i = 1; i < nodes().size(); ++i) {
        if (m_totals[i] == 0) {
            i = m_ends[i] - 1;
            continue;
        }
        for (; path.back() != nodes()[i].caller; path.pop_back())
            ends.pop_back();
        text.resize(ends.back());
        const auto longer = whole.empty() ? whole.end() : whole.find(nodes()[i].frame);
        record::appendFrame(text, longer == whole.end() ? frameOf(i).name : longer->second);
        ends.push_back(text.size());
        path.push_back(i);
        if (const auto self = selfOf(i); self > 0) deliver(text, self);
    }
}

bool CountedTree::names(std::string_view part) const
{
    return std::any_of(m_frames.begin(), m_frames.end(), [&](const StackFrame& f) { return f.name.find(part) != f.name.npos; });
}
} // namespace dscope::graph
