#include "graph/parts/flame_layout.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kTallestFrame = 8, kComfortableRow = 1.8, kLowestFrame = 1.33; // of the smallest text
constexpr double kLargestText = 2, kScreenFrame = 19;
constexpr double kNearlyAll = 0.99, kDecidesNothing = 0.01;
constexpr std::size_t kMostFrames = 10'000;

/// The frames above `node` that nearly all of its stacks have in common, one after the other; at most `most`.
FlameRows::Shared sharedBy(const FlameData& data, std::size_t node, std::uint32_t most)
{
    const auto& nodes = data.tree().nodes;
    const double least = kNearlyAll * static_cast<double>(data.weight(node));
    FlameRows::Shared shared{0, node};
    while (shared.frames < most) {
        const auto end = shared.last + nodes[shared.last].size;
        auto next = shared.last + 1;
        while (next < end && static_cast<double>(data.weight(next)) < least)
            next += nodes[next].size;
        if (next >= end || nodes[next].frames > 1) break;
        shared = {shared.frames + 1, next};
    }
    return shared;
}

/// The bars of `focus` and what is below it, as if all levels were drawn; of them `part`, in `width` px.
std::vector<IcicleBar> barsBelow(const FlameData& data, std::size_t focus, double width, const WidthPart& part)
{
    const auto& nodes = data.tree().nodes;
    const auto nodeAt = [&](std::size_t i) { return IcicleNode{nodes[i].depth, nodes[i].size, data.weight(i), nodes[i].frames}; };
    const double whole = width * part.zoom();
    return icicle(nodeAt, focus, whole, kNarrowestFlame, kMostFrames, {part.from * whole, part.to * whole});
}
} // namespace

std::uint32_t flameLevels(const FlameData& data, std::size_t focus)
{
    const auto& nodes = data.tree().nodes;
    if (focus == 0) return data.tree().depth;
    std::uint32_t levels = 0;
    for (std::size_t i = focus; i < focus + nodes[focus].size; ++i)
        levels = std::max(levels, nodes[i].depth + 1);
    return levels;
}

namespace {
/// `weight`: of a node.
template <typename Weight> std::uint32_t tellingLevels(const StackTree& tree, std::size_t focus, const Weight& weight)
{
    const auto& nodes = tree.nodes;
    const auto whole = static_cast<double>(weight(focus));
    std::vector<double> widths(nodes[focus].depth + 1, whole);
    for (std::size_t i = focus + 1; i < focus + nodes[focus].size; ++i) {
        if (nodes[i].depth >= widths.size()) widths.resize(nodes[i].depth + 1);
        widths[nodes[i].depth] += static_cast<double>(weight(i));
    }
    auto levels = static_cast<std::uint32_t>(widths.size());
    while (levels > 1 && widths[levels - 1] <= kDecidesNothing * whole)
        --levels;
    return levels;
}
} // namespace

std::uint32_t tellingLevels(const FlameData& data, std::size_t focus)
{
    return tellingLevels(data.tree(), focus, [&](std::size_t node) { return data.weight(node); });
}
std::uint32_t tellingLevels(const StackTree& tree)
{
    return tellingLevels(tree, 0, [&](std::size_t node) { return tree.nodes[node].total; });
}

double lowestFlameRow(double text) { return std::ceil(kLowestFrame * text); }
double flameText(double row, double smallest) { return std::clamp(std::floor(row / kLowestFrame), smallest, kLargestText * smallest); }

double flameRow(std::uint32_t levels, std::uint32_t telling, double height, double text)
{
    const double comfortable = std::floor(kComfortableRow * text), whole = std::floor(height / levels);
    if (whole >= comfortable) return std::min(whole, kTallestFrame * text);
    return std::clamp(std::floor(height / telling), lowestFlameRow(text), comfortable);
}

FlameRows flameRows(const FlameData& data, std::size_t focus, const FlameRoom& room)
{
    FlameRows rows;
    rows.levels = flameLevels(data, focus);
    rows.height = room.isScreen ? kScreenFrame : flameRow(rows.levels, tellingLevels(data, focus), room.height, room.text);
    rows.shown = static_cast<std::uint32_t>(room.height / rows.height);
    // A page grows for what many stacks reach, not for the depth of a few.
    if (!room.fits) rows.shown = room.isScreen ? rows.levels : std::max(rows.shown, tellingLevels(data, focus));
    // What nearly all stacks share tells least: where not all levels fit, it is one bar.
    if (!room.isScreen && rows.shown < rows.levels) rows.shared = sharedBy(data, focus, rows.hidden() + 1);
    if (rows.shared.frames > 1) rows.levels -= rows.shared.frames - 1;
    rows.shown = std::min(rows.shown, rows.levels);
    return rows;
}

std::vector<FlameBar> flameBars(const FlameData& data, std::size_t focus, const FlameRows& rows, const FlameSheet& sheet)
{
    const auto& nodes = data.tree().nodes;
    const Box& area = sheet.area;
    const double row = rows.height, gap = row > 30 ? 2 : 1;
    const auto boxAt = [&](std::uint32_t depth, double x, double width) {
        const double y = sheet.isIcicle ? area.y + depth * row : sheet.bottom - (depth + 1) * row;
        return Box{area.x + x, y, std::max(width - (width > 3 ? gap : 0), 0.1), row - gap, row > 24 ? 2.0 : 1.0};
    };

    std::vector<FlameBar> out;
    for (std::size_t at = focus; at != 0;) {
        at = nodes[at].parent;
        out.push_back({{at, 1, data.weight(at), nodes[at].depth, 0, area.width}, boxAt(nodes[at].depth, 0, area.width)});
    }

    std::reverse(out.begin(), out.end());

    const auto& shared = rows.shared;
    for (auto bar : barsBelow(data, focus, area.width, sheet.part)) {
        if (shared.frames > 1 && bar.depth > nodes[focus].depth) {
            if (bar.node < shared.last || bar.node >= shared.last + nodes[shared.last].size) continue;
            if (bar.node == shared.last) bar.frames = shared.frames;
            bar.depth -= shared.frames - 1;
        }
        if (bar.depth < rows.shown) out.push_back({bar, boxAt(bar.depth, bar.x, bar.width)});
    }
    return out;
}
} // namespace dscope::graph
