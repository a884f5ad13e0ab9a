#include "graph/critical_path.h"
#include <algorithm>
namespace dscope::graph {
bool CriticalPath::has(std::size_t process) const { return std::binary_search(processes.begin(), processes.end(), process); }

CriticalPath criticalPath(std::span<const Process> all, std::span<const std::size_t> shown, std::size_t root, std::int64_t now)
{
    std::vector<std::vector<std::size_t>> children(all.size());
    for (const auto i : shown)
        if (i != root && all[i].parent && all[i].end) children[*all[i].parent].push_back(i);
    CriticalPath path;
    std::vector<std::size_t> pending{root};
    while (!pending.empty()) {
        const auto node = pending.back();
        pending.pop_back();
        path.processes.push_back(node);
        auto& below = children[node];
        // The latest end first; of equal ends the longer one, which was waited for.
        std::sort(below.begin(), below.end(), [&](std::size_t a, std::size_t b) {
            return *all[a].end != *all[b].end ? *all[a].end > *all[b].end : all[a].firstSeen < all[b].firstSeen;
        });
        std::int64_t at = all[node].end.value_or(now);
        for (const auto child : below) {
            if (*all[child].end > at || all[child].duration(now) == 0) continue;
            at = all[child].firstSeen;
            pending.push_back(child);
            if (node == root) path.covered += all[child].duration(now);
        }
    }
    if (path.processes.size() == 1) return {};
    std::sort(path.processes.begin(), path.processes.end());
    return path;
}
} // namespace dscope::graph
