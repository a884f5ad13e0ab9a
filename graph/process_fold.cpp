#include "graph/process_fold.h"
#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::int64_t kPartsOfPath = 20; ///< a step of one such part of the critical path or more is kept apart

class Folder {
public:
    Folder(std::span<const Process> all, const ProcessClasses& classes, std::int64_t now, const FoldLimits& limits)
        : m_all(all), m_classes(classes), m_now(now), m_limits(limits)
    {
    }

    std::vector<ShownProcess> fold()
    {
        open(kNone, m_classes.roots);
        while (!m_closed.empty()) {
            const auto node = m_closed.top().second;
            m_closed.pop();
            std::vector<std::size_t> children;
            for (const auto member : m_nodes[node].members)
                children.insert(children.end(), m_classes.children[member].begin(), m_classes.children[member].end());
            if (m_depth[node] + 1 < m_limits.depth) open(node, children);
        }
        return inOrder();
    }

private:
    bool wentWrong(const ShownProcess& node) const
    {
        const auto how = m_all[node.members.front()].how();
        return how == Process::End::Failure || how == Process::End::Signal;
    }

    ShownProcess nodeOf(std::vector<std::size_t> members, std::size_t parent) const
    {
        ShownProcess n;
        n.parent = parent;
        std::int64_t critical = 0;
        for (const auto m : members) {
            const auto took = m_all[m].duration(m_now);
            n.duration += took;
            n.below += m_classes.below[m];
            if (!std::binary_search(m_limits.path.begin(), m_limits.path.end(), m)) continue;
            ++n.onPath;
            critical += took;
        }
        n.critical = n.onPath > 0 && critical >= n.duration - critical;
        n.members = std::move(members);
        return n;
    }

    std::vector<ShownProcess> grouped(const std::vector<std::size_t>& processes, std::size_t parent) const
    {
        std::map<std::size_t, std::vector<std::size_t>> classes;
        for (const auto p : processes)
            classes[m_classes.classes[p]].push_back(p);
        std::vector<ShownProcess> out;
        for (const auto& [name, members] : classes) {
            if (members.size() >= kFoldFrom)
                out.push_back(nodeOf(members, parent));
            else
                for (const auto m : members)
                    out.push_back(nodeOf({m}, parent));
        }
        std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.members.front() < b.members.front(); });
        return out;
    }

    // Shows these processes below `parent`, as many as there is room for.
    void open(std::size_t parent, const std::vector<std::size_t>& processes)
    {
        auto nodes = grouped(processes, parent);
        if (nodes.empty()) return;
        const std::size_t spare = m_limits.rows > m_rows ? m_limits.rows - m_rows : 0;
        // The first child takes the row of the node that is opened. A node gets at most half of the rows that are left.
        std::size_t most = std::min(m_limits.children, spare + (parent == kNone ? 0 : 1));
        if (parent != kNone && m_limits.rows != kNone) most = std::min(most, std::max<std::size_t>(3, spare / 2 + 1));
        if (most == 0 || (most == 1 && nodes.size() > 1)) return;
        if (nodes.size() > most) keepDearest(nodes, most - 1, parent);
        m_rows += nodes.size() - (parent == kNone ? 0 : 1);
        if (parent != kNone) m_nodes[parent].below = 0;
        for (auto& n : nodes) {
            const std::size_t index = m_nodes.size();
            m_depth.push_back(parent == kNone ? 0 : m_depth[parent] + 1);
            const bool closed = !n.rest && n.below > 0;
            const std::int64_t cost = n.duration;
            m_nodes.push_back(std::move(n));
            if (closed) m_closed.push({cost, index});
        }
    }

    void keepDearest(std::vector<ShownProcess>& nodes, std::size_t most, std::size_t parent) const
    {
        std::vector<std::size_t> order(nodes.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const bool wrongA = wentWrong(nodes[a]), wrongB = wentWrong(nodes[b]);
            if (wrongA != wrongB) return wrongA;
            return nodes[a].duration != nodes[b].duration ? nodes[a].duration > nodes[b].duration : a < b;
        });
        std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most));
        std::vector<ShownProcess> kept;
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i < most)
                kept.push_back(std::move(nodes[order[i]]));
            else
                others.insert(others.end(), nodes[order[i]].members.begin(), nodes[order[i]].members.end());
        }
        std::sort(others.begin(), others.end());
        kept.push_back(nodeOf(std::move(others), parent));
        kept.back().rest = true;
        nodes = std::move(kept);
    }

    // Depth first, so that parents precede children and siblings keep their order.
    std::vector<ShownProcess> inOrder() const
    {
        std::vector<std::vector<std::size_t>> children(m_nodes.size());
        std::vector<std::size_t> pending;
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            if (m_nodes[i].parent == kNone)
                pending.push_back(i);
            else
                children[m_nodes[i].parent].push_back(i);
        }
        std::vector<ShownProcess> out;
        std::vector<std::size_t> place(m_nodes.size(), kNone);
        while (!pending.empty()) {
            const auto i = pending.back();
            pending.pop_back();
            place[i] = out.size();
            out.push_back(m_nodes[i]);
            if (out.back().parent != kNone) out.back().parent = place[out.back().parent];
            for (const auto child : children[i])
                pending.push_back(child);
        }
        return out;
    }

    struct Cheaper {
        bool operator()(const std::pair<std::int64_t, std::size_t>& a, const std::pair<std::int64_t, std::size_t>& b) const
        {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        }
    };
    std::span<const Process> m_all;
    const ProcessClasses& m_classes;
    std::int64_t m_now;
    const FoldLimits& m_limits;
    std::vector<std::size_t> m_depth;
    std::vector<ShownProcess> m_nodes;
    std::size_t m_rows = 0;
    std::priority_queue<std::pair<std::int64_t, std::size_t>, std::vector<std::pair<std::int64_t, std::size_t>>, Cheaper> m_closed;
};
} // namespace

std::vector<ShownProcess> foldProcesses(
    std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, const FoldLimits& limits)
{
    return foldProcesses(all, ProcessClasses(all, shown, keptApart(all, shown, limits.path, now)), now, limits);
}
std::vector<std::size_t> keptApart(
    std::span<const Process> all, std::span<const std::size_t> shown, std::span<const std::size_t> path, std::int64_t now)
{
    if (path.empty()) return {};
    const ProcessClasses equal(all, shown, {});
    std::unordered_map<std::size_t, std::int64_t> took; // ns, by class
    std::int64_t whole = 0;                             // ns, of the root: nothing below it takes longer
    for (const auto i : path) {
        took[equal.classes[i]] += all[i].duration(now);
        whole = std::max(whole, all[i].duration(now));
    }
    std::vector<std::size_t> out;
    for (const auto i : path)
        if (took[equal.classes[i]] >= whole / kPartsOfPath) out.push_back(i);
    return out;
}
std::vector<ShownProcess> foldProcesses(
    std::span<const Process> all, const ProcessClasses& classes, std::int64_t now, const FoldLimits& limits)
{
    return Folder(all, classes, now, limits).fold();
}
ProcessClasses::ProcessClasses(std::span<const Process> all, std::span<const std::size_t> shown, std::span<const std::size_t> apart,
    std::span<const std::size_t> alone)
    : children(all.size()), classes(all.size(), 0), below(all.size(), 0)
{
    std::vector<bool> takesPart(all.size(), false);
    for (const auto i : shown)
        takesPart[i] = true;
    for (const auto i : shown) {
        if (all[i].parent && takesPart[*all[i].parent])
            children[*all[i].parent].push_back(i);
        else
            roots.push_back(i);
    }

    std::unordered_map<std::string, std::size_t> numbers;
    std::vector<std::size_t> inside;
    // Children come after their parents, so their classes are known when the parent's turn comes.
    for (auto at = shown.rbegin(); at != shown.rend(); ++at) {
        const auto i = *at;
        inside.clear();
        for (const auto child : children[i]) {
            inside.push_back(classes[child]);
            below[i] += 1 + below[child];
        }
        std::sort(inside.begin(), inside.end());
        std::string key = all[i].name() + '\0' + std::to_string(static_cast<int>(all[i].how())) + (all[i].failedExec ? "x" : "");
        if (std::binary_search(apart.begin(), apart.end(), i)) key += "!";
        if (std::binary_search(alone.begin(), alone.end(), i)) key += '#' + std::to_string(i);
        for (const auto c : inside)
            key += '\0' + std::to_string(c);
        classes[i] = numbers.try_emplace(std::move(key), numbers.size()).first->second;
    }
}
std::size_t leavesOf(std::span<const ShownProcess> nodes)
{
    std::vector<bool> inner(nodes.size(), false);
    for (const auto& n : nodes)
        if (n.parent != kNone) inner[n.parent] = true;
    return static_cast<std::size_t>(std::count(inner.begin(), inner.end(), false));
}
std::size_t levelsOf(std::span<const ShownProcess> nodes)
{
    std::vector<std::size_t> level(nodes.size(), 1);
    std::size_t most = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].parent != kNone) level[i] = level[nodes[i].parent] + 1;
        most = std::max(most, level[i]);
    }
    return most;
}
} // namespace dscope::graph
