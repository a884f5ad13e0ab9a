#include "graph/layouts/tidy_tree.h"
#include <algorithm>
namespace dscope::graph {
namespace {
/// Upper and lower outline of a subtree, a value for each depth; the nearest depth is the last, so that a parent is
/// added at the end. All values are `shift` off.
struct Outline {
    std::vector<double> top, bottom;
    double shift = 0;
    std::size_t depth() const { return top.size(); }
    double topAt(std::size_t d) const { return top[top.size() - 1 - d] + shift; }
    double bottomAt(std::size_t d) const { return bottom[bottom.size() - 1 - d] + shift; }
    void setTop(std::size_t d, double y) { top[top.size() - 1 - d] = y - shift; }
    void setBottom(std::size_t d, double y) { bottom[bottom.size() - 1 - d] = y - shift; }
};
/// Puts `below` as high under `all` as the gap allows; gives how far it moved. Afterwards `all` outlines both.
double join(Outline& all, Outline& below, double gap)
{
    const std::size_t common = std::min(all.depth(), below.depth());
    double move = all.bottomAt(0) - below.topAt(0) + gap;
    for (std::size_t d = 1; d < common; ++d)
        move = std::max(move, all.bottomAt(d) - below.topAt(d) + gap);
    below.shift += move;
    if (below.depth() <= all.depth()) {
        for (std::size_t d = 0; d < common; ++d)
            all.setBottom(d, below.bottomAt(d));
    } else {
        for (std::size_t d = 0; d < common; ++d)
            below.setTop(d, all.topAt(d));
        std::swap(all, below);
    }
    return move;
}
} // namespace

std::vector<Point> tidyTree(std::span<const NodeSize> nodes, std::span<const std::size_t> parents, const LayoutGaps& gaps)
{
    const std::size_t count = nodes.size(), root = count; // one more node above all roots
    const auto parentOf = [&](std::size_t i) { return parents[i] == kNoParent ? root : parents[i]; };
    std::vector<std::vector<std::size_t>> children(count + 1);
    std::vector<std::size_t> depth(count + 1, 0);
    std::vector<double> widest;
    for (std::size_t i = 0; i < count; ++i) {
        children[parentOf(i)].push_back(i);
        depth[i] = parents[i] == kNoParent ? 0 : depth[parents[i]] + 1;
        if (depth[i] >= widest.size()) widest.resize(depth[i] + 1, 0);
        widest[depth[i]] = std::max(widest[depth[i]], nodes[i].width);
    }

    std::vector<Outline> outlines(count + 1);
    std::vector<double> offset(count + 1, 0); // of a node's centre from its parent's
    const auto place = [&](std::size_t node, double height) {
        Outline all;
        for (const auto child : children[node]) {
            if (all.depth() == 0)
                all = std::move(outlines[child]);
            else
                offset[child] = join(all, outlines[child], gaps.siblings);
            outlines[child] = {};
        }
        if (!children[node].empty()) {
            const double middle = (offset[children[node].front()] + offset[children[node].back()]) / 2;
            for (const auto child : children[node])
                offset[child] -= middle;
            all.shift -= middle;
        }
        all.top.push_back(-height / 2 - all.shift);
        all.bottom.push_back(height / 2 - all.shift);
        outlines[node] = std::move(all);
    };

    for (std::size_t i = count; i-- > 0;)
        place(i, nodes[i].height);
    place(root, 0);

    std::vector<double> column(widest.size(), 0);
    for (std::size_t d = 1; d < widest.size(); ++d)
        column[d] = column[d - 1] + widest[d - 1] + gaps.ranks;
    std::vector<Point> centres(count);
    double top = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double above = parents[i] == kNoParent ? 0 : centres[parents[i]].y;
        centres[i] = {column[depth[i]] + nodes[i].width / 2, above + offset[i]};
        top = i == 0 ? centres[i].y - nodes[i].height / 2 : std::min(top, centres[i].y - nodes[i].height / 2);
    }
    for (auto& c : centres)
        c.y -= top;
    return centres;
}
} // namespace dscope::graph
