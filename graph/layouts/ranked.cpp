#include "graph/layouts/ranked.h"
#include "graph/layouts/layers.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr int kSweeps = 6;
constexpr double kWideRow = 1.8; ///< of the square root of the nodes: how many of them a row may have

using Edges = std::span<const std::pair<std::size_t, std::size_t>>;

/// Rows of at most `widest` nodes, in each by the middle of their neighbours' places.
std::vector<std::vector<std::size_t>> rowsOf(std::size_t n, Edges edges, std::size_t widest)
{
    const auto layer = layersOf(n, edges);
    std::vector<std::vector<std::size_t>> ranks;
    for (std::size_t i = 0; i < n; ++i) {
        if (layer[i] >= ranks.size()) ranks.resize(layer[i] + 1);
        ranks[layer[i]].push_back(i);
    }

    std::vector<double> place(n);
    const auto spread = [&](const std::vector<std::size_t>& rank) {
        for (std::size_t k = 0; k < rank.size(); ++k)
            place[rank[k]] = (static_cast<double>(k) + 0.5) / static_cast<double>(rank.size());
    };

    for (const auto& rank : ranks)
        spread(rank);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        std::vector<double> sum(n, 0), count(n, 0);
        for (const auto& [from, to] : edges) {
            sum[from] += place[to];
            sum[to] += place[from];
            ++count[from];
            ++count[to];
        }
        for (auto& rank : ranks) {
            std::stable_sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) {
                return (count[a] > 0 ? sum[a] / count[a] : place[a]) < (count[b] > 0 ? sum[b] / count[b] : place[b]);
            });
            spread(rank);
        }
    }

    // Neighbours stay near each other in the rows of a wide rank.
    std::vector<std::vector<std::size_t>> rows;
    for (const auto& rank : ranks) {
        const std::size_t parts = (rank.size() + widest - 1) / widest, first = rows.size();
        rows.resize(first + parts);
        for (std::size_t k = 0; k < rank.size(); ++k)
            rows[first + k % parts].push_back(rank[k]);
    }
    return rows;
}
/// Where the straight line from `from` to `to` leaves the box around `from`.
Point borderOf(Point from, const NodeSize& size, Point to)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double part
        = std::min(std::abs(dx) > 0 ? size.width / 2 / std::abs(dx) : 1.0, std::abs(dy) > 0 ? size.height / 2 / std::abs(dy) : 1.0);
    return {from.x + dx * std::min(part, 0.5), from.y + dy * std::min(part, 0.5)};
}
} // namespace

Routed ranked(std::span<const NodeSize> nodes, Edges edges, const LayoutGaps& gaps, RankDirection direction)
{
    const bool leftToRight = direction == RankDirection::Right;
    Routed out;
    out.centres.resize(nodes.size());
    const auto widest = static_cast<std::size_t>(std::max(4.0, kWideRow * std::sqrt(static_cast<double>(nodes.size()))));
    const auto along = [&](std::size_t i) { return leftToRight ? nodes[i].height : nodes[i].width; };
    const auto across = [&](std::size_t i) { return leftToRight ? nodes[i].width : nodes[i].height; };
    double edge = 0;
    for (const auto& row : rowsOf(nodes.size(), edges, widest)) {
        double length = gaps.siblings * static_cast<double>(row.size() - 1), thick = 0;
        for (const auto i : row) {
            length += along(i);
            thick = std::max(thick, across(i));
        }
        double at = -length / 2;
        for (const auto i : row) {
            const Point centre{at + along(i) / 2, edge + thick / 2};
            out.centres[i] = leftToRight ? Point{centre.y, centre.x} : centre;
            at += along(i) + gaps.siblings;
        }
        edge += thick + gaps.ranks;
    }

    for (const auto& [from, to] : edges) {
        auto& route = out.routes.emplace_back();
        if (from == to) continue;
        const Point a = borderOf(out.centres[from], nodes[from], out.centres[to]),
                    b = borderOf(out.centres[to], nodes[to], out.centres[from]);
        route = {a, {a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3}, {b.x - (b.x - a.x) / 3, b.y - (b.y - a.y) / 3}, b};
    }
    return out;
}
} // namespace dscope::graph
