#include "graph/layouts/shelves.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>
namespace dscope::graph {
namespace {
/// What hangs together: its bounds, and where its left upper corner goes.
struct Part {
    Point low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()},
        high{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
    Point corner;
    double width() const { return high.x - low.x; }
    double height() const { return high.y - low.y; }
    void reach(double x, double y)
    {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    }
};

/// By node the number of its part; parts in the order of their first nodes.
std::vector<std::size_t> partsOf(std::size_t nodes, std::span<const std::pair<std::size_t, std::size_t>> edges)
{
    std::vector<std::size_t> leads(nodes);
    std::iota(leads.begin(), leads.end(), std::size_t{0});
    const auto leader = [&](std::size_t node) {
        while (leads[node] != node)
            node = leads[node] = leads[leads[node]];
        return node;
    };
    for (const auto& [from, to] : edges) {
        const auto a = leader(from), b = leader(to);
        leads[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::size_t> numbers(nodes), part(nodes);
    std::size_t count = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
        if (leader(i) == i) numbers[i] = count++;
        part[i] = numbers[leader(i)];
    }
    return part;
}

/// Fills rows no wider than `most`; gives the size of all.
NodeSize fill(std::vector<Part*>& order, double most, double between, double below)
{
    NodeSize all;
    double x = 0, y = 0, height = 0;
    for (auto* part : order) {
        if (x > 0 && x + part->width() > most) {
            y += height + below;
            x = height = 0;
        }
        part->corner = {x, y};
        x += part->width();
        all.width = std::max(all.width, x);
        x += between;
        height = std::max(height, part->height());
        all.height = std::max(all.height, y + height);
    }
    return all;
}
} // namespace

Routed onShelves(Routed routed, std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges,
    const LayoutGaps& gaps, const NodeSize& room)
{
    const auto partOf = partsOf(sizes.size(), edges);
    const auto count = partOf.empty() ? 0 : *std::max_element(partOf.begin(), partOf.end()) + 1;
    if (count < 2) return routed;
    std::vector<Part> parts(count);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& c = routed.centres[i];
        parts[partOf[i]].reach(c.x - sizes[i].width / 2, c.y - sizes[i].height / 2);
        parts[partOf[i]].reach(c.x + sizes[i].width / 2, c.y + sizes[i].height / 2);
    }
    for (std::size_t e = 0; e < routed.routes.size(); ++e)
        for (const auto& p : routed.routes[e])
            parts[partOf[edges[e].first]].reach(p.x, p.y);

    std::vector<Part*> order;
    for (auto& part : parts)
        order.push_back(&part);
    std::stable_sort(order.begin(), order.end(), [](const Part* a, const Part* b) { return a->height() > b->height(); });
    const double between = 2 * gaps.siblings;
    const auto scaleOf
        = [&](const NodeSize& all) { return std::min(room.width / std::max(all.width, 1.0), room.height / std::max(all.height, 1.0)); };
    Part whole;
    for (const auto& part : parts) {
        whole.reach(part.low.x, part.low.y);
        whole.reach(part.high.x, part.high.y);
    }
    // A row may end behind any part: each such width is tried.
    double best = scaleOf({whole.width(), whole.height()}), most = 0;
    for (std::size_t from = 0; from < count; ++from) {
        double width = -between;
        for (std::size_t to = from; to < count; ++to) {
            width += between + order[to]->width();
            const double scale = scaleOf(fill(order, width, between, gaps.ranks));
            if (scale > best * 1.001) {
                best = scale;
                most = width;
            }
        }
    }
    if (most == 0) return routed; // it is as large as it can be
    fill(order, most, between, gaps.ranks);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& part = parts[partOf[i]];
        routed.centres[i] = {routed.centres[i].x - part.low.x + part.corner.x, routed.centres[i].y - part.low.y + part.corner.y};
    }
    for (std::size_t e = 0; e < routed.routes.size(); ++e)
        for (auto& p : routed.routes[e]) {
            const auto& part = parts[partOf[edges[e].first]];
            p = {p.x - part.low.x + part.corner.x, p.y - part.low.y + part.corner.y};
        }
    return routed;
}
} // namespace dscope::graph
