#include "graph/stack_partition.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
namespace dscope::graph {
namespace {
/// What is left of a line below the node that holds it.
struct Rest {
    const char* at;
    std::uint32_t left;
    std::uint32_t line;
};
struct Child {
    std::string_view name;
    std::uint64_t hash;
    std::int64_t total;
    std::uint32_t lines, first;
};
/// Finds children by name: open addressing, emptied by a stamp.
class ChildTable {
public:
    std::uint32_t find(std::string_view name, std::vector<Child>& children)
    {
        if (2 * (children.size() + 1) > m_slots.size()) grow(children);
        const auto hash = hashOfBytes(name.data(), name.size());
        for (auto at = hash & (m_slots.size() - 1);; at = (at + 1) & (m_slots.size() - 1)) {
            auto& slot = m_slots[at];
            if (slot.stamp != m_stamp) {
                slot = {m_stamp, static_cast<std::uint32_t>(children.size())};
                children.push_back({name, hash, 0, 0, 0});
                return slot.child;
            }
            const auto& c = children[slot.child];
            if (c.hash == hash && c.name == name) return slot.child;
        }
    }

    void clear() { ++m_stamp; }

private:
    struct Slot {
        std::uint32_t stamp = 0, child = 0;
    };

    void grow(const std::vector<Child>& children)
    {
        m_slots.assign(std::max<std::size_t>(64, 4 * m_slots.size()), {});
        m_stamp = 1;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            auto at = children[i].hash & (m_slots.size() - 1);
            while (m_slots[at].stamp == m_stamp)
                at = (at + 1) & (m_slots.size() - 1);
            m_slots[at] = {m_stamp, i};
        }
    }

    std::vector<Slot> m_slots;
    std::uint32_t m_stamp = 1;
};

/// Sorts lines by their first frames, again and again: a range of them is what is left of the lines of one node.
class Splitter {
public:
    explicit Splitter(std::span<const record::FoldedLines::Line> lines) : m_lines(lines)
    {
        m_rests.reserve(lines.size());
        for (std::uint32_t i = 0; i < lines.size(); ++i)
            m_rests.push_back({lines[i].stack.data(), static_cast<std::uint32_t>(lines[i].stack.size()), i});
    }

    std::uint32_t lines() const { return static_cast<std::uint32_t>(m_lines.size()); }

    /// What lies below a node: its own value, and its children by name, each with the range of its lines.
    struct Below {
        std::int64_t self = 0, cut = 0; ///< cut: of self, what has frames still
        std::span<const Child> children;
    };
    /// `isDeepest`: nothing is below it. Until the next call.
    Below split(std::uint32_t from, std::uint32_t to, bool isDeepest)
    {
        Below below;
        m_children.clear();
        m_table.clear();
        if (m_childOf.size() < to - from) m_childOf.resize(to - from);
        std::uint32_t kept = from;
        for (auto i = from; i < to; ++i) {
            if (to - i > kAhead) {
                const auto& later = m_rests[i + kAhead];
                __builtin_prefetch(later.at);
                __builtin_prefetch(&m_lines[later.line].value);
            }
            auto& rest = m_rests[i];
            const auto value = m_lines[rest.line].value;
            if (rest.left == 0 || isDeepest) {
                below.self += value;
                if (rest.left > 0) below.cut += value;
                continue;
            }
            const auto* end = static_cast<const char*>(std::memchr(rest.at, record::kFrameSeparator, rest.left));
            const auto length = end ? static_cast<std::uint32_t>(end - rest.at) : rest.left;
            const auto child = m_table.find({rest.at, length}, m_children);
            m_children[child].total += value;
            ++m_children[child].lines;
            const auto step = end ? length + 1 : length;
            m_rests[kept] = {rest.at + step, rest.left - step, rest.line};
            m_childOf[kept++ - from] = child;
        }
        arrange(from, kept);
        std::sort(m_children.begin(), m_children.end(), [](const Child& a, const Child& b) { return a.name < b.name; });
        below.children = m_children;
        return below;
    }

    /// Gives back what only split() needs.
    void rest()
    {
        m_scratch = {};
        m_childOf = {};
        m_children = {};
        m_table = {};
    }

private:
    /// Sorts the lines so that those of one child are neighbours. Children keep the order in which they were found.
    void arrange(std::uint32_t from, std::uint32_t to)
    {
        std::uint32_t at = from;
        for (auto& c : m_children) {
            c.first = at;
            at += c.lines;
        }
        if (m_children.size() < 2) return;
        m_places.clear();
        for (const auto& c : m_children)
            m_places.push_back(c.first - from);
        if (m_scratch.size() < to - from) m_scratch.resize(to - from);
        for (auto i = from; i < to; ++i)
            m_scratch[m_places[m_childOf[i - from]]++] = m_rests[i];
        std::copy(m_scratch.begin(), m_scratch.begin() + (to - from), m_rests.begin() + from);
    }

    static constexpr std::uint32_t kAhead = 16; ///< lines: they stand anywhere in the text, and memory is slower than what is done with one
    std::span<const record::FoldedLines::Line> m_lines;
    std::vector<Rest> m_rests, m_scratch;
    std::vector<std::uint32_t> m_childOf, m_places;
    std::vector<Child> m_children;
    ChildTable m_table;
};

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
        std::string_view name;
        std::uint32_t parent = 0, frames = 1;
        std::int64_t total = 0;
    };
    std::uint32_t add(const NewNode& added)
    {
        const auto parent = m_tree.nodes[added.parent]; // a copy: the nodes move
        const auto frame = m_frames.ofWord(added.name);
        // What the kernel calls is the kernel, whatever its module is called.
        const auto shade = added.frames > 1 ? Shade::Unknown : parent.shade == Shade::Kernel ? Shade::Kernel : m_frames[frame].shade;
        m_tree.nodes.push_back({frame, added.parent, parent.depth + 1, 1, 0, added.total, 0, 0, shade, added.frames});
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

std::int64_t sumOf(std::span<const record::FoldedLines::Line> lines)
{
    std::int64_t total = 0;
    for (const auto& line : lines)
        total += line.value;
    return total;
}

class Partition {
public:
    Partition(std::span<const record::FoldedLines::Line> lines, const PartitionLimits& limits, std::span<const std::string_view> focus)
        : m_splitter(lines), m_limits(limits), m_focus(focus), m_writer(sumOf(lines))
    {
    }

    StackTree run()
    {
        m_open.push_back({.from = 0, .to = m_splitter.lines(), .isRoot = true});
        while (!m_open.empty() && m_writer.size() <= m_limits.nodes) {
            const auto open = m_open.back();
            m_open.pop_back();
            const auto node = open.isRoot ? 0 : m_writer.add(open.added);
            if (!open.isClosed) lookInto(node, open);
        }
        return m_writer.finished();
    }

private:
    struct Open {
        std::uint32_t from, to;
        std::uint32_t inFocus = 0;             ///< frames of the focus above it
        bool isRoot = false, isClosed = false; ///< closed: not looked into
        TreeWriter::NewNode added = {};
    };

    void lookInto(std::uint32_t node, const Open& open)
    {
        const auto below = m_splitter.split(open.from, open.to, m_writer.depthOf(node) >= m_limits.depth);
        m_writer.endIn(node, below.self, below.cut);
        const auto wanted = open.inFocus < m_focus.size() ? std::optional(m_focus[open.inFocus]) : std::nullopt;
        const auto begin = m_open.size();
        for (const auto& c : below.children) {
            const bool onPath = !wanted || isCalled(c.name, *wanted);
            const bool closed = !onPath || c.total < m_limits.least;
            if (closed && m_open.size() > begin && m_open.back().isClosed) {
                m_open.back().added.frames += 1;
                m_open.back().added.total += c.total;
            } else {
                m_open.push_back({c.first, c.first + c.lines, open.inFocus + 1, false, closed, {c.name, node, 1, c.total}});
            }
        }
        std::reverse(m_open.begin() + static_cast<std::ptrdiff_t>(begin), m_open.end());
    }

    Splitter m_splitter;
    PartitionLimits m_limits;
    std::span<const std::string_view> m_focus;
    TreeWriter m_writer;
    std::vector<Open> m_open;
};
} // namespace

bool isCalled(std::string_view word, std::string_view name) { return word == name || record::foldedFrame(word).name == name; }

StackTree partition(
    std::span<const record::FoldedLines::Line> lines, const PartitionLimits& limits, std::span<const std::string_view> focus)
{
    return Partition(lines, limits, focus).run();
}

/// What a look has found of a node: its children, in m_nodes one behind the other, by name.
struct GrowingTree::Kept {
    std::string_view name;
    std::int64_t total = 0, self = 0, cut = 0;
    std::uint32_t from = 0, to = 0;        ///< its lines
    std::uint32_t children = 0, count = 0; ///< children 0: not looked into yet
};

struct GrowingTree::Parts {
    Splitter splitter;
    std::vector<Kept> nodes;
};

GrowingTree::GrowingTree(std::span<const record::FoldedLines::Line> lines, std::uint32_t depth)
    : m_depth(depth), m_parts(new Parts{Splitter(lines), {}})
{
    m_parts->nodes.push_back({kAllStacks, sumOf(lines), 0, 0, 0, m_parts->splitter.lines(), 0, 0});
}

GrowingTree::~GrowingTree() = default;

std::size_t GrowingTree::size() const { return m_parts->nodes.size(); }

/// The children of a node that is `depth` levels below the root.
std::span<const GrowingTree::Kept> GrowingTree::below(std::uint32_t node, std::uint32_t depth)
{
    auto& nodes = m_parts->nodes;
    if (nodes[node].children == 0) {
        const auto below = m_parts->splitter.split(nodes[node].from, nodes[node].to, depth >= m_depth);
        nodes[node].self = below.self;
        nodes[node].cut = below.cut;
        nodes[node].children = static_cast<std::uint32_t>(nodes.size());
        nodes[node].count = static_cast<std::uint32_t>(below.children.size());
        for (const auto& c : below.children)
            nodes.push_back({c.name, c.total, 0, 0, c.first, c.first + c.lines, 0, 0});
    }
    return std::span(nodes).subspan(nodes[node].children, nodes[node].count);
}

std::int64_t GrowingTree::total(std::span<const std::string_view> path)
{
    std::vector<std::uint32_t> level{0};
    for (std::uint32_t depth = 0; depth < path.size(); ++depth) {
        std::vector<std::uint32_t> next;
        for (const auto node : level) {
            const auto children = below(node, depth);
            for (std::uint32_t i = 0; i < children.size(); ++i)
                if (isCalled(children[i].name, path[depth])) next.push_back(m_parts->nodes[node].children + i);
        }
        level = std::move(next);
    }
    std::int64_t total = 0;
    for (const auto node : level)
        total += m_parts->nodes[node].total;
    return total;
}

StackTree GrowingTree::seen(std::int64_t least, std::span<const std::string_view> focus, const Window& window)
{
    enum class Side : std::uint8_t { Within, Before, Behind, OffPath };
    struct Open {
        std::uint32_t kept, inFocus;
        std::int64_t start, end; // of the window, from where the node begins
        bool isClosed = false;
        Side side = Side::Within;
        TreeWriter::NewNode added = {};
    };
    const auto ofWindow = [&](std::uint32_t kept) {
        const auto whole = static_cast<double>(m_parts->nodes[kept].total);
        return std::pair(static_cast<std::int64_t>(std::floor(window.from * whole)) - least,
            static_cast<std::int64_t>(std::ceil(window.to * whole)) + least);
    };

    TreeWriter writer(m_parts->nodes.front().total);
    const auto [start, end] = ofWindow(0);
    std::vector<Open> waiting{{0, 0, start, end}};
    while (!waiting.empty()) {
        const auto open = waiting.back();
        waiting.pop_back();
        const auto node = open.kept == 0 ? 0 : writer.add(open.added);
        if (open.isClosed) continue;
        const auto children = below(open.kept, writer.depthOf(node));
        const auto& kept = m_parts->nodes[open.kept];
        writer.endIn(node, kept.self, kept.cut);
        const auto wanted = open.inFocus < focus.size() ? std::optional(focus[open.inFocus]) : std::nullopt;
        const auto begin = waiting.size();
        std::int64_t at = 0;
        for (std::uint32_t i = 0; i < children.size(); ++i) {
            const auto& c = children[i];
            const bool onPath = !wanted || isCalled(c.name, *wanted);
            const auto side = !onPath || wanted ? (onPath ? Side::Within : Side::OffPath)
                : at + c.total < open.start     ? Side::Before
                : at > open.end                 ? Side::Behind
                                                : Side::Within;
            const bool isClosed = side != Side::Within || c.total < least;
            auto* const last = waiting.size() > begin ? &waiting.back() : nullptr;
            const bool isSideSame = last && (last->side == side || wanted);
            if (isClosed && isSideSame && last->isClosed) {
                last->added.frames += 1;
                last->added.total += c.total;
            } else {
                const auto child = kept.children + i;
                const bool isFocus = wanted && open.inFocus + 1 == focus.size();
                const auto [from, to] = isFocus ? ofWindow(child)
                    : wanted                    ? std::pair(open.start, open.end)
                                                : std::pair(open.start - at, open.end - at);
                waiting.push_back({child, open.inFocus + 1, from, to, isClosed, side, {c.name, node, 1, c.total}});
            }
            at += c.total;
        }
        std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(begin), waiting.end());
    }
    m_parts->splitter.rest();
    return writer.finished();
}

std::int64_t totalBelow(std::span<const record::FoldedLines::Line> lines, std::span<const std::string_view> path)
{
    std::int64_t total = 0;
    for (const auto& line : lines) {
        auto rest = line.stack;
        bool isBelow = true;
        for (std::size_t i = 0; i < path.size() && isBelow; ++i)
            isBelow = !rest.empty() && isCalled(record::takeFrame(rest), path[i]);
        if (isBelow) total += line.value;
    }
    return total;
}

std::int64_t matchedValue(std::span<const record::FoldedLines::Line> lines, const std::function<bool(std::string_view name)>& test)
{
    std::vector<Child> names;
    std::vector<bool> passes;
    ChildTable table;
    std::int64_t sum = 0;
    for (const auto& line : lines) {
        auto rest = line.stack;
        do {
            const auto number = table.find(record::takeFrame(rest), names);
            if (number == passes.size()) passes.push_back(test(record::foldedFrame(names[number].name).name));
            if (!passes[number]) continue;
            sum += line.value;
            break;
        } while (!rest.empty());
    }
    return sum;
}

std::vector<std::pair<std::string_view, std::int64_t>> leaves(std::span<const record::FoldedLines::Line> lines, std::size_t most)
{
    std::vector<Child> found;
    ChildTable table;
    for (const auto& line : lines)
        found[table.find(record::lastFrame(line.stack), found)].total += line.value;
    std::vector<std::pair<std::string_view, std::int64_t>> out;
    for (const auto& c : found)
        out.emplace_back(c.name, c.total);
    const auto shown = std::min(most, out.size());
    std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shown), out.end(),
        [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    out.resize(shown);
    return out;
}
} // namespace dscope::graph
