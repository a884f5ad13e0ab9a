#include "graph/stack_partition.h"
#include <algorithm>
#include <cstring>
#include <optional>
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
std::uint64_t hashOf(const char* p, std::size_t n)
{
    std::uint64_t h = n * 0x9E3779B97F4A7C15u, word;
    for (; n >= 8; p += 8, n -= 8) {
        std::memcpy(&word, p, 8);
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 29;
    }
    word = 0;
    std::memcpy(&word, p, n);
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
}

/// Finds children by name: open addressing, emptied by a stamp.
class ChildTable {
public:
    std::uint32_t find(std::string_view name, std::vector<Child>& children)
    {
        if (2 * (children.size() + 1) > m_slots.size()) grow(children);
        const auto hash = hashOf(name.data(), name.size());
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

class Partition {
public:
    Partition(std::span<const record::FoldedLines::Line> lines, const PartitionLimits& limits, std::span<const std::string_view> focus)
        : m_lines(lines), m_limits(limits), m_focus(focus)
    {
    }

    StackTree run()
    {
        const auto root = m_frames.of(kAllStacks, Shade::Unknown);
        std::int64_t total = 0;
        m_rests.reserve(m_lines.size());
        for (std::uint32_t i = 0; i < m_lines.size(); ++i) {
            m_rests.push_back({m_lines[i].stack.data(), static_cast<std::uint32_t>(m_lines[i].stack.size()), i});
            total += m_lines[i].value;
        }

        m_childOf.resize(m_rests.size());
        m_scratch.resize(m_rests.size());
        m_tree.nodes.push_back({root, 0, 0, 1, 0, total, 0, 0, Shade::Unknown, 1});
        m_tree.depth = 1;
        m_open.push_back({0, 0, static_cast<std::uint32_t>(m_rests.size())});
        while (!m_open.empty() && m_tree.nodes.size() <= m_limits.nodes) {
            const auto open = m_open.back();
            m_open.pop_back();
            const auto node = open.node ? add(open) : 0;
            split(node, open);
        }

        for (std::size_t i = m_tree.nodes.size(); i-- > 1;)
            m_tree.nodes[m_tree.nodes[i].parent].size += m_tree.nodes[i].size;
        for (std::uint32_t i = 0; i < m_frames.size(); ++i)
            m_tree.frames.push_back(m_frames[i]);
        return std::move(m_tree);
    }

private:
    struct Open {
        std::uint32_t node, from, to; ///< node: 0 the root, 1 one to add
        std::uint32_t inFocus = 0;    ///< frames of the focus above it
        std::string_view name = {};
        std::uint32_t parent = 0, frames = 1;
        std::int64_t total = 0;
        bool closed = false; ///< not looked into
    };

    std::uint32_t add(const Open& open)
    {
        const auto parent = m_tree.nodes[open.parent]; // a copy: the nodes move
        const auto frame = m_frames.ofWord(open.name);
        // What the kernel calls is the kernel, whatever its module is called.
        const auto shade = open.frames > 1 ? Shade::Unknown : parent.shade == Shade::Kernel ? Shade::Kernel : m_frames[frame].shade;
        m_tree.nodes.push_back({frame, open.parent, parent.depth + 1, 1, 0, open.total, 0, 0, shade, open.frames});
        m_tree.depth = std::max(m_tree.depth, parent.depth + 2);
        return static_cast<std::uint32_t>(m_tree.nodes.size() - 1);
    }

    void split(std::uint32_t node, const Open& open)
    {
        if (open.closed) return;
        m_children.clear();
        m_table.clear();
        std::uint32_t kept = open.from;
        const bool isDeepest = m_tree.nodes[node].depth >= m_limits.depth;
        for (auto i = open.from; i < open.to; ++i) {
            auto& rest = m_rests[i];
            const auto value = m_lines[rest.line].value;
            if (rest.left == 0 || isDeepest) {
                m_tree.nodes[node].self += value;
                if (rest.left > 0) m_tree.cutAtDepth += value;
                continue;
            }
            const auto* end = static_cast<const char*>(std::memchr(rest.at, record::kFrameSeparator, rest.left));
            const auto length = end ? static_cast<std::uint32_t>(end - rest.at) : rest.left;
            const auto child = m_table.find({rest.at, length}, m_children);
            m_children[child].total += value;
            ++m_children[child].lines;
            const auto step = end ? length + 1 : length;
            m_rests[kept] = {rest.at + step, rest.left - step, rest.line};
            m_childOf[kept++] = child;
        }
        arrange(open.from, kept);
        order(node, open);
    }

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
            m_places.push_back(c.first);
        for (auto i = from; i < to; ++i)
            m_scratch[m_places[m_childOf[i]]++] = m_rests[i];
        std::copy(m_scratch.begin() + from, m_scratch.begin() + to, m_rests.begin() + from);
    }

    void order(std::uint32_t node, const Open& open)
    {
        const auto wanted = open.inFocus < m_focus.size() ? std::optional(m_focus[open.inFocus]) : std::nullopt;
        std::sort(m_children.begin(), m_children.end(), [](const Child& a, const Child& b) { return a.name < b.name; });
        const auto begin = m_open.size();
        for (const auto& c : m_children) {
            const bool onPath = !wanted || isCalled(c.name, *wanted);
            const bool closed = !onPath || c.total < m_limits.least;
            if (closed && m_open.size() > begin && m_open.back().closed) {
                m_open.back().frames += 1;
                m_open.back().total += c.total;
            } else {
                m_open.push_back({1, c.first, c.first + c.lines, open.inFocus + 1, c.name, node, 1, c.total, closed});
            }
        }
        std::reverse(m_open.begin() + static_cast<std::ptrdiff_t>(begin), m_open.end());
    }

    std::span<const record::FoldedLines::Line> m_lines;
    PartitionLimits m_limits;
    std::span<const std::string_view> m_focus;
    StackTree m_tree;
    Frames m_frames;
    std::vector<Rest> m_rests, m_scratch;
    std::vector<std::uint32_t> m_childOf, m_places;
    std::vector<Child> m_children;
    ChildTable m_table;
    std::vector<Open> m_open;
};
} // namespace

bool isCalled(std::string_view word, std::string_view name) { return word == name || record::foldedFrame(word).name == name; }

StackTree partition(
    std::span<const record::FoldedLines::Line> lines, const PartitionLimits& limits, std::span<const std::string_view> focus)
{
    return Partition(lines, limits, focus).run();
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
