#include "graph/stack_tree.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::size_t kMostNodes = std::size_t{1} << 28;
}
std::string StackTree::path(std::size_t node) const
{
    std::vector<std::uint32_t> chain;
    for (std::size_t at = node; at != 0; at = nodes[at].parent)
        chain.push_back(static_cast<std::uint32_t>(at));
    std::string out;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        if (!out.empty()) out += ';';
        out += nameOf(*at);
    }
    return out;
}
std::size_t StackTree::find(std::string_view path) const
{
    std::size_t at = 0;
    while (!path.empty()) {
        const auto end = std::min(path.find(';'), path.size());
        const auto step = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        std::size_t found = 0;
        for (std::size_t child = at + 1; child < at + nodes[at].size; child += nodes[child].size)
            if (nameOf(child) == step) {
                found = child;
                break;
            }
        if (found == 0) return 0;
        at = found;
    }
    return at;
}

StackTreeBuilder::StackTreeBuilder()
{
    m_names.emplace_back("all");
    m_nodes.push_back({0, 0, Shade::Unknown, 0});
}
void StackTreeBuilder::add(const std::vector<Step>& steps, std::int64_t value, std::int64_t before)
{
    std::uint32_t at = 0;
    for (const auto& step : steps) {
        if (m_nodes.size() >= kMostNodes) break; // the tree is full: the value is counted at the last node of the path
        const auto [name, isNew] = m_ids.try_emplace(step.name, static_cast<std::uint32_t>(m_names.size()));
        if (isNew) {
            std::string clean = step.name;
            std::replace(clean.begin(), clean.end(), ';', ':'); // the separator of paths
            m_names.push_back(std::move(clean));
        }
        // 28 bits of node, 32 of name, 4 of shade.
        const std::uint64_t key = std::uint64_t{at} << 36 | std::uint64_t{name->second} << 4 | static_cast<std::uint64_t>(step.shade);
        const auto [child, isNewChild] = m_children.try_emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNewChild) m_nodes.push_back({name->second, at, step.shade, 0});
        at = child->second;
    }
    m_nodes[at].self += value;
    m_nodes[at].before += before;
}
StackTree StackTreeBuilder::build() const
{
    StackTree tree;
    tree.names = m_names;
    std::vector<std::vector<std::uint32_t>> children(m_nodes.size());
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i)
        children[m_nodes[i].parent].push_back(i);
    for (auto& c : children)
        std::sort(c.begin(), c.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto order = m_names[m_nodes[a].name].compare(m_names[m_nodes[b].name]);
            return order != 0 ? order < 0 : m_nodes[a].shade < m_nodes[b].shade;
        });
    struct Pending {
        std::uint32_t from, parent, depth;
    };
    std::vector<Pending> pending{{0, 0, 0}};
    tree.nodes.reserve(m_nodes.size());
    while (!pending.empty()) {
        const auto [from, parent, depth] = pending.back();
        pending.pop_back();
        const auto here = static_cast<std::uint32_t>(tree.nodes.size());
        const auto& grown = m_nodes[from];
        tree.nodes.push_back({grown.name, parent, depth, 1, grown.self, grown.self, grown.before, grown.before, grown.shade});
        tree.depth = std::max(tree.depth, depth + 1);
        for (auto c = children[from].rbegin(); c != children[from].rend(); ++c)
            pending.push_back({*c, here, depth + 1});
    }
    for (std::size_t i = tree.nodes.size(); i-- > 1;) {
        tree.nodes[tree.nodes[i].parent].total += tree.nodes[i].total;
        tree.nodes[tree.nodes[i].parent].before += tree.nodes[i].before;
        tree.nodes[tree.nodes[i].parent].size += tree.nodes[i].size;
    }
    return tree;
}
} // namespace dscope::graph
