#include "graph/parts/process_tree_plan.h"
#include "graph/layouts/tidy_tree.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kSidePage = 900; // px at scale 1
constexpr std::array<TreeNodeSize, 3> kSizes{{{NodeDetail::Full, 64, 11}, {NodeDetail::Medium, 41, 8}, {NodeDetail::Line, 20, 4.5}}};
constexpr std::size_t kMostAlone = 48;                              // of equal processes that stand alone where there is room
constexpr std::int64_t kStandsOut = 2;                              // times the median of its like
constexpr std::array<double, 5> kLarger{2.0, 1.75, 1.5, 1.3, 1.15}; // the smallest text

/// The height of a layout whose nodes are so large.
double heightOf(std::span<const ShownProcess> nodes, const NodeSize& node, double gap, double ranks)
{
    std::vector<NodeSize> boxes(nodes.size(), node);
    std::vector<std::size_t> parents;
    for (const auto& n : nodes)
        parents.push_back(n.parent);
    double bottom = 0;
    for (const auto& c : tidyTree(boxes, parents, {gap, ranks}))
        bottom = std::max(bottom, c.y + node.height / 2);
    return bottom;
}

/// Nodes and gaps that let all levels be seen side by side, so that one scrolls in one direction only; as they are where nodes as narrow as
/// `least` would not do.
void narrow(TreePlan& plan, double width, double least, double leastRanks)
{
    const auto columns = static_cast<double>(std::max<std::size_t>(levelsOf(plan.nodes), 1));
    width -= TreePlan::kAround;
    if (columns < 2 || columns * least + (columns - 1) * leastRanks > width) return;
    plan.gaps.ranks = std::clamp((width - columns * plan.width) / (columns - 1), leastRanks, plan.gaps.ranks);
    plan.width = std::min(plan.width, (width - (columns - 1) * plan.gaps.ranks) / columns);
}

/// What fits, with nodes `larger` times as large as is usual.
TreePlan fitted(const TreeFolds& folds, const TreeRoom& room, double larger)
{
    const Box& area = room.area;
    const double k = room.scale * larger;
    const auto scaled = [&](TreeNodeSize size) { return TreeNodeSize{size.detail, size.height * k, size.leastGap * k}; };
    TreePlan plan;
    FoldLimits limits;
    plan.nodes = folds.nodes(limits);
    plan.size = scaled(kSizes[0]);
    plan.width = 200 * k;
    plan.text = 12 * k;
    plan.gaps = {14 * k, 76 * k};
    plan.side = room.hasSide && !room.isScreen && area.width >= kSidePage * room.scale;
    const double least = (area.width < 500 * k ? 100 : 124) * k, leastRanks = 24 * k;
    if (!room.fits) {
        if (room.isScreen) narrow(plan, area.width, least, leastRanks);
        return plan;
    }

    const auto levelsIn
        = [&](double width) { return static_cast<std::size_t>(std::max(1.0, std::floor((width + leastRanks) / (least + leastRanks)))); };
    const std::size_t levels = levelsOf(plan.nodes);

    // The side panel stays while the levels still find room beside it.
    double width = area.width - (plan.side ? TreePlan::kSideWidth * room.scale : 0);
    if (plan.side && levels > levelsIn(width)) {
        plan.side = false;
        width = area.width;
    }

    limits.depth = levelsIn(width);
    plan.isWhole = limits.depth >= levels;
    const double height = plan.height = area.height - TreePlan::kAround;
    const auto fits = [&](const TreeNodeSize& size) {
        return heightOf(plan.nodes, {least, size.height}, size.leastGap, leastRanks) <= height;
    };
    for (const auto& each : kSizes) {
        const auto size = plan.size = scaled(each);
        plan.nodes = folds.nodes(limits);
        if (fits(size)) break;
        if (size.detail != NodeDetail::Line) continue;
        plan.isWhole = false;
        // Subtrees share rows where their outlines allow, so more leaves may fit than there are rows.
        const double rows = std::max(1.0, std::floor((height + size.leastGap) / (size.height + size.leastGap)));
        for (const double more : {4.0, 3.0, 2.5, 2.0, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0}) {
            limits.rows = static_cast<std::size_t>(rows * more);
            plan.nodes = folds.nodes(limits);
            if (fits(size)) break;
        }
    }

    const auto columns = static_cast<double>(std::max<std::size_t>(levelsOf(plan.nodes), 1));
    plan.gaps.ranks = columns > 1 ? std::clamp((width - columns * 190 * k) / (columns - 1), leastRanks, 90 * k) : leastRanks;
    plan.width = std::clamp(
        (width - (columns - 1) * plan.gaps.ranks) / columns, least, (plan.size.detail == NodeDetail::Line ? 290.0 : 230.0) * k);
    plan.gaps.siblings = plan.size.leastGap;
    for (double gap = 34 * k; gap > plan.size.leastGap; gap -= 2)
        if (heightOf(plan.nodes, {least, plan.size.height}, gap, leastRanks) <= height) {
            plan.gaps.siblings = gap;
            break;
        }
    return plan;
}
} // namespace

TreeFolds::TreeFolds(std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now, std::vector<std::size_t> path)
    : m_all(all), m_shown(shown), m_now(now), m_path(std::move(path)), m_apart(keptApart(all, shown, m_path, now)),
      m_classes(std::make_shared<const ProcessClasses>(all, shown, m_apart))
{
}
std::vector<ShownProcess> TreeFolds::nodes(FoldLimits limits) const
{
    limits.path = m_path;
    return foldProcesses(m_all, *m_classes, m_now, limits);
}
std::vector<std::size_t> TreeFolds::telling(std::span<const ShownProcess> nodes) const
{
    const auto took = [&](std::size_t i) { return m_all[i].duration(m_now); };
    const auto isLonger = [&](std::size_t a, std::size_t b) { return took(a) > took(b); };
    std::vector<std::size_t> out;
    for (const auto& node : nodes) {
        if (node.rest || node.members.size() < 2) continue;
        auto members = node.members;
        std::stable_sort(members.begin(), members.end(), isLonger);
        const bool differ = std::any_of(members.begin() + 1, members.end(),
            [&](std::size_t m) { return m_all[m].image().args != m_all[members.front()].image().args; });
        const auto median = took(members[members.size() / 2]);
        if (!differ || members.size() > kMostAlone)
            std::erase_if(members, [&](std::size_t m) { return took(m) < kStandsOut * median || took(m) == median; });
        out.insert(out.end(), members.begin(), members.end());
    }
    std::stable_sort(out.begin(), out.end(), isLonger);
    return out;
}
TreeFolds TreeFolds::with(std::vector<std::size_t> alone) const
{
    std::sort(alone.begin(), alone.end());
    TreeFolds out = *this;
    out.m_classes = std::make_shared<const ProcessClasses>(m_all, m_shown, m_apart, alone);
    return out;
}

TreePlan planTree(TreeFolds& folds, const TreeRoom& room)
{
    auto plan = fitted(folds, room, 1);
    if (!room.fits || !plan.isWhole || plan.size.detail == NodeDetail::Line) return plan;
    auto reserved = room; // findings stay where they are
    if (!plan.side) reserved.area.height = std::max(room.area.height - room.below, 0.0);
    const auto isAsGood
        = [&](const TreePlan& other) { return other.isWhole && other.side == plan.side && other.size.detail == plan.size.detail; };
    auto within = fitted(folds, reserved, 1);
    if (!isAsGood(within)) return plan;
    plan = std::move(within);

    const auto members = folds.telling(plan.nodes);
    for (auto alone = std::min(members.size(), kMostAlone); alone > 0; alone /= 2) {
        auto more = folds.with({members.begin(), members.begin() + static_cast<std::ptrdiff_t>(alone)});
        auto other = fitted(more, reserved, 1);
        if (!isAsGood(other)) continue;
        folds = std::move(more);
        plan = std::move(other);
        break;
    }
    if (plan.size.detail != NodeDetail::Full) return plan;
    for (const double larger : kLarger)
        if (auto other = fitted(folds, reserved, larger); isAsGood(other)) return other;
    return plan;
}

void widenNodes(TreePlan& plan, double width, double wanted)
{
    const auto columns = static_cast<double>(std::max<std::size_t>(levelsOf(plan.nodes), 1));
    const double room = (width - TreePlan::kAround - (columns - 1) * plan.gaps.ranks) / columns;
    plan.width = std::max(plan.width, std::min(room, wanted));
}

std::vector<Point> placeTree(const TreePlan& plan, bool& own)
{
    std::vector<NodeSize> sizes(plan.nodes.size(), {plan.width, plan.size.height});
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        parents.push_back(plan.nodes[i].parent);
        if (plan.nodes[i].parent != kNoParent) edges.emplace_back(plan.nodes[i].parent, i);
    }

    const auto normal = [&](std::vector<Point> centres) {
        double left = 1e300, top = 1e300;
        for (const auto& c : centres) {
            left = std::min(left, c.x - plan.width / 2);
            top = std::min(top, c.y - plan.size.height / 2);
        }
        for (auto& c : centres)
            c = {c.x - left, c.y - top};
        return centres;
    };

    own = plan.nodes.size() > kMostLayered;
    if (!own)
        if (auto centres = layered(sizes, edges, plan.gaps)) {
            *centres = normal(std::move(*centres));
            const double bottom
                = std::max_element(centres->begin(), centres->end(), [](const Point& a, const Point& b) { return a.y < b.y; })->y
                + plan.size.height / 2;
            if (bottom <= plan.height + 0.5) return std::move(*centres);
        }
    return normal(tidyTree(sizes, parents, plan.gaps));
}
} // namespace dscope::graph
