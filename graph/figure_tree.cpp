#include "graph/figure_tree.h"
#include <algorithm>
namespace dscope::graph {
namespace {
/// Where a node of a tree is, counted from its root.
struct Place {
    NodeId root;
    std::uint32_t depth = 0;
};
std::vector<Place> placesOf(const Figure& figure)
{
    std::vector<Place> places;
    for (std::uint32_t i = 0; i < figure.tree.size(); ++i) {
        const auto& parent = figure.tree[i].parent;
        places.push_back(parent ? Place{places[parent->value].root, places[parent->value].depth + 1} : Place{NodeId{i}, 0});
    }
    return places;
}
/// All nodes, each before those below it, and those from left to right.
std::vector<NodeId> inOrder(const Figure& figure)
{
    std::vector<std::vector<NodeId>> below(figure.tree.size());
    std::vector<NodeId> open, order;
    for (std::uint32_t i = 0; i < figure.tree.size(); ++i) {
        const auto& parent = figure.tree[i].parent;
        (parent ? below[parent->value] : open).push_back(NodeId{i});
    }
    std::reverse(open.begin(), open.end());
    while (!open.empty()) {
        order.push_back(open.back());
        open.pop_back();
        const auto& next = below[order.back().value];
        open.insert(open.end(), next.rbegin(), next.rend());
    }
    return order;
}
} // namespace

std::optional<NodeId> callerOf(const Figure& figure, NodeId node)
{
    auto up = figure.tree[node.value].parent;
    while (up && !figure.tree[up->value].item)
        up = figure.tree[up->value].parent;
    return up;
}

std::vector<NodeId> drawnBelow(const Figure& figure, NodeId node)
{
    std::vector<NodeId> below;
    for (std::uint32_t i = node.value + 1; i < figure.tree.size(); ++i)
        if (figure.tree[i].item && callerOf(figure, NodeId{i}) == node) below.push_back(NodeId{i});
    return below;
}

std::optional<NodeId> beside(const Figure& figure, NodeId node, int by)
{
    const auto places = placesOf(figure);
    const auto& here = places[node.value];
    std::vector<NodeId> row;
    for (const auto id : inOrder(figure)) {
        const auto& other = places[id.value];
        const bool isSameSide = figure.tree[id.value].isCaller == figure.tree[node.value].isCaller;
        if (figure.tree[id.value].item && isSameSide && other.root == here.root && other.depth == here.depth) row.push_back(id);
    }
    const auto next = std::find(row.begin(), row.end(), node) - row.begin() + by;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(row.size())) return std::nullopt;
    return row[static_cast<std::size_t>(next)];
}
} // namespace dscope::graph
