#include "graph/stack_partition.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
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
    Partition(std::span<const record::FoldedStacks::Line> lines, std::int64_t least) : m_lines(lines), m_least(least) { }
    StackTree run(std::string_view focus, std::size_t most)
    {
        m_tree.names.emplace_back("all");
        std::int64_t total = 0;
        m_rests.reserve(m_lines.size());
        for (std::uint32_t i = 0; i < m_lines.size(); ++i) {
            m_rests.push_back({m_lines[i].stack.data(), static_cast<std::uint32_t>(m_lines[i].stack.size()), i});
            total += m_lines[i].value;
        }
        m_childOf.resize(m_rests.size());
        m_scratch.resize(m_rests.size());
        m_tree.nodes.push_back({0, 0, 0, 1, 0, total, 0, 0, Shade::Unknown, 1});
        m_tree.depth = 1;
        m_open.push_back({0, 0, static_cast<std::uint32_t>(m_rests.size()), focus});
        while (!m_open.empty() && m_tree.nodes.size() <= most) {
            const auto open = m_open.back();
            m_open.pop_back();
            const auto node = open.node ? add(open) : 0;
            split(node, open);
        }
        for (std::size_t i = m_tree.nodes.size(); i-- > 1;)
            m_tree.nodes[m_tree.nodes[i].parent].size += m_tree.nodes[i].size;
        return std::move(m_tree);
    }

private:
    struct Open {
        std::uint32_t node, from, to; ///< node: 0 the root, 1 one to add
        std::string_view focus;
        std::string_view name;
        std::uint32_t parent = 0, frames = 1;
        std::int64_t total = 0;
        bool closed = false; ///< not looked into
    };
    std::uint32_t add(const Open& open)
    {
        const auto parent = m_tree.nodes[open.parent]; // a copy: the nodes move
        // What the kernel calls is the kernel, whatever its module is called.
        const auto shade = open.frames > 1 ? Shade::Unknown : parent.shade == Shade::Kernel ? Shade::Kernel : shadeOfName(open.name);
        const auto [name, isNew] = m_names.try_emplace(open.name, static_cast<std::uint32_t>(m_tree.names.size()));
        if (isNew) m_tree.names.emplace_back(open.name);
        m_tree.nodes.push_back({name->second, open.parent, parent.depth + 1, 1, 0, open.total, 0, 0, shade, open.frames});
        m_tree.depth = std::max(m_tree.depth, parent.depth + 2);
        return static_cast<std::uint32_t>(m_tree.nodes.size() - 1);
    }
    void split(std::uint32_t node, const Open& open)
    {
        if (open.closed) return;
        m_children.clear();
        m_table.clear();
        std::uint32_t kept = open.from;
        for (auto i = open.from; i < open.to; ++i) {
            auto& rest = m_rests[i];
            const auto value = m_lines[rest.line].value;
            if (rest.left == 0) {
                m_tree.nodes[node].self += value;
                continue;
            }
            const auto* end = static_cast<const char*>(std::memchr(rest.at, ';', rest.left));
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
        std::string_view wanted, below;
        if (!open.focus.empty()) {
            const auto end = std::min(open.focus.find(';'), open.focus.size());
            wanted = open.focus.substr(0, end);
            below = open.focus.substr(std::min(end + 1, open.focus.size()));
        }
        std::sort(m_children.begin(), m_children.end(), [](const Child& a, const Child& b) { return a.name < b.name; });
        const auto begin = m_open.size();
        for (const auto& c : m_children) {
            const bool onPath = wanted.empty() || c.name == wanted;
            const bool closed = !onPath || c.total < m_least;
            if (closed && m_open.size() > begin && m_open.back().closed) {
                m_open.back().frames += 1;
                m_open.back().total += c.total;
            } else {
                m_open.push_back({1, c.first, c.first + c.lines, below, c.name, node, 1, c.total, closed});
            }
        }
        std::reverse(m_open.begin() + static_cast<std::ptrdiff_t>(begin), m_open.end());
    }

    std::span<const record::FoldedStacks::Line> m_lines;
    std::int64_t m_least;
    StackTree m_tree;
    std::unordered_map<std::string_view, std::uint32_t> m_names;
    std::vector<Rest> m_rests, m_scratch;
    std::vector<std::uint32_t> m_childOf, m_places;
    std::vector<Child> m_children;
    ChildTable m_table;
    std::vector<Open> m_open;
};
} // namespace

StackTree partition(std::span<const record::FoldedStacks::Line> lines, std::int64_t least, std::string_view focus, std::size_t most)
{
    return Partition(lines, least).run(focus, most);
}

Shade shadeOfName(std::string_view frame)
{
    if (frame.ends_with("_[k]")) return Shade::Kernel;
    if (frame.ends_with("_[j]")) return Shade::Jit;
    const auto tick = frame.find('`');
    if (tick == std::string_view::npos)
        return frame.starts_with('[') || frame.starts_with("0x") || frame == "-" ? Shade::Unknown : Shade::User;
    const auto module = frame.substr(0, tick);
    constexpr std::array<std::string_view, 6> kKernels{"vmlinux", "genunix", "unix", "kernel", "mach_kernel", "kernel.kallsyms"};
    if (std::find(kKernels.begin(), kKernels.end(), module) != kKernels.end() || module.ends_with(".ko")) return Shade::Kernel;
    if (module.starts_with("lib") || module.find(".so") != std::string_view::npos || module.ends_with(".dylib")) return Shade::Library;
    return Shade::User;
}

std::int64_t matchedValue(std::span<const record::FoldedStacks::Line> lines, const std::function<bool(std::string_view name)>& test)
{
    std::vector<Child> names;
    std::vector<bool> passes;
    ChildTable table;
    std::int64_t sum = 0;
    for (const auto& line : lines) {
        for (std::size_t at = 0; at <= line.stack.size();) {
            const auto end = std::min(line.stack.find(';', at), line.stack.size());
            const auto name = table.find(line.stack.substr(at, end - at), names);
            if (name == passes.size()) passes.push_back(test(names[name].name));
            if (passes[name]) {
                sum += line.value;
                break;
            }
            at = end + 1;
        }
    }
    return sum;
}

std::vector<std::pair<std::string_view, std::int64_t>> leaves(std::span<const record::FoldedStacks::Line> lines, std::size_t most)
{
    std::vector<Child> found;
    ChildTable table;
    for (const auto& line : lines) {
        const auto at = line.stack.rfind(';');
        found[table.find(at == std::string_view::npos ? line.stack : line.stack.substr(at + 1), found)].total += line.value;
    }
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
