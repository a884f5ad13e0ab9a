#include "graph/critical_path.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::int64_t kLeastPart = 20; // a twentieth
}

CriticalPath criticalPath(std::span<const Process> all, std::span<const std::size_t> shown, std::size_t root, std::int64_t now)
{
    std::vector<std::vector<std::size_t>> children(all.size());
    for (const auto i : shown)
        if (i != root && all[i].parent && all[i].end) children[*all[i].parent].push_back(i);
    const std::int64_t least = all[root].duration(now) / kLeastPart;
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
            if (*all[child].end > at) continue;
            at = all[child].firstSeen;
            if (all[child].duration(now) < std::max<std::int64_t>(least, 1)) continue;
            pending.push_back(child);
            if (node == root) path.covered += all[child].duration(now);
        }
    }
    if (path.processes.size() == 1) return {};
    std::sort(path.processes.begin(), path.processes.end());
    return path;
}
} // namespace dscope::graph
