#include "graph/parts/histogram_layout.h"
#include "graph/font_metrics.h"
#include "graph/layouts/axes.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/value_axis.h"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace dscope::graph {
namespace {
constexpr double kTallestPlot = 0.9, kTallestPanelOfWidth = 1.1; // height by width: of one alone, of one of several with what is above it
constexpr std::size_t kSidePercentiles = 3;                      // of several panels

/// Powers of ten from 1 to the first at or above `most`.
std::vector<double> powersOfTen(double most)
{
    std::vector<double> out{1};
    while (out.back() < most)
        out.push_back(10 * out.back());
    return out;
}
} // namespace

double BucketScale::height(double count, double most) const
{
    if (values == ValueScale::Linear) return plot.height * count / most;
    constexpr double kLowEnd = 0.5;
    return count > kLowEnd ? plot.height * std::log(count / kLowEnd) / std::log(std::max(most, 1.0) / kLowEnd) : 0;
}

HistogramAlone histogramAlone(
    const HistogramData& data, const DistributionGroup& group, const HistogramRoom& room, const LayoutOptions& options)
{
    const double k = room.scale;
    const Box& area = room.area;
    HistogramAlone out;
    out.hasSide = area.width >= HistogramLengths::kRoomForSide * k;
    const double left = 72 * k, right = (out.hasSide ? std::min(342.0, 0.27 * area.width / k) : 56) * k;
    out.scale = {{area.x + left, area.y + 44 * k, std::max(area.width - left - right, 40.0), 0, 0}, group.first, group.last};
    auto& plot = out.scale.plot;
    const double tall = std::max(plot.width * kTallestPlot, 60.0);
    plot.height = std::clamp(area.height - 44 * k - (room.isLow ? 30 : HistogramLengths::kAxisHeight) * k, 16.0, tall);

    out.scale.values = options.values;
    ValueRange range;
    range.add(data.mostOf(group.members.front().values));
    range.add(options, bucketsKey(group.shape));
    out.ticks = options.values == ValueScale::Logarithmic ? powersOfTen(range.high)
                                                          : countTicks(range.high, std::clamp(static_cast<int>(plot.height / 110), 2, 5));
    return out;
}

HistogramPanels histogramPanels(
    const HistogramData& data, const DistributionGroup& group, const HistogramRoom& room, const LayoutOptions& options)
{
    const double k = room.scale;
    const Box& area = room.area;
    HistogramPanels out;
    out.hasSide = out.hasNames = area.width >= HistogramLengths::kRoomForSide * k;
    out.left = 72 * k;
    if (out.hasNames) {
        for (const auto& member : group.members)
            out.left = std::max({out.left, textWidth(printable(data.panelName(member)), 14 * k, {.bold = true}) + 20 * k,
                textWidth(data.noun().with(countText(member.values.total)), 12 * k) + 20 * k});
        out.left = std::min(out.left, area.width * 0.2);
    }

    // Percentiles are said in full, or fewer of them.
    double widest = 0;
    for (const auto& member : group.members)
        for (std::size_t p = 0; p < kSidePercentiles && out.hasSide; ++p) {
            const double share = kPercentiles[p].first;
            widest = std::max(widest, textWidth(percentileText(group, member.values, share), 12 * k));
            if (data.compares() && member.values.totalBefore > 0)
                widest = std::max(widest, textWidth(said("was %1", group.range(member.values.percentileBefore(share))), 12 * k));
        }
    widest += 14 * k;
    const double gap = 40 * k, most = area.width * 0.46 - gap;
    if (3 * widest > most) out.percentiles = {0, 2};
    if (2 * widest > most) out.percentiles = {2};
    const double needed = gap + widest * static_cast<double>(out.percentiles.size());
    const double right = out.hasSide ? std::max(std::min(420 * k, area.width * 0.36), std::min(needed, gap + most)) : 8;
    out.scale = {{area.x + out.left, area.y, std::max(area.width - out.left - right, 40.0), 0, 0}, group.first, group.last};
    out.axis = (room.isLow ? 34 : HistogramLengths::kAxisHeight) * k; // low: without a title

    double height = area.height - out.axis - (out.hasSide ? HistogramLengths::kPercentileHead * k : 0);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(height / (HistogramLengths::kLowestPanel * k))));
    out.shown = options.fit ? std::min(group.members.size(), fitting) : group.members.size();
    if (options.top > 0) out.shown = std::min(out.shown, options.top);
    out.scale.values = options.values;
    if (out.shown < group.members.size()) height -= (out.axis < HistogramLengths::kAxisHeight * k ? 14 : 22) * k;
    const double even = height / static_cast<double>(out.shown);
    out.panel = options.fit ? std::min(even, std::max(HistogramLengths::kTallestPanel * k, kTallestPanelOfWidth * out.scale.plot.width))
                            : std::max(even, HistogramLengths::kLowestPanel * k);
    if (!options.extents) { // which figures on a common scale have
        std::vector<std::size_t> drawn(out.shown);
        std::iota(drawn.begin(), drawn.end(), std::size_t{0});
        auto narrowed = group;
        narrowed.showOnly(drawn);
        out.scale.first = narrowed.first;
        out.scale.last = narrowed.last;
    }
    out.sideX = out.scale.plot.x + out.scale.plot.width + 40 * k;
    out.sideStep = (area.x + area.width - out.sideX) / static_cast<double>(out.percentiles.size());
    return out;
}

DistributionGroup histogramOrder(const DistributionGroup& group, const LayoutOptions& options)
{
    auto out = group;
    const auto most = options.top > 0 ? std::min(options.top, out.members.size()) : out.members.size();
    if (options.order == Order::Name)
        std::stable_sort(out.members.begin(), out.members.begin() + static_cast<std::ptrdiff_t>(most),
            [](const auto& a, const auto& b) { return isBeforeByName(a.values.keys, b.values.keys); });
    return out;
}

std::vector<DistributionGroup> shownGroups(const std::vector<DistributionGroup>& groups, const LayoutOptions& options)
{
    auto out = groups;
    std::erase_if(out, [](const DistributionGroup& g) { return g.members.empty(); });
    if (!options.extents) return out;
    for (auto& g : out)
        if (const auto found = options.extents->buckets.find(bucketsKey(g.shape)); found != options.extents->buckets.end()) {
            g.first = std::min(g.first, found->second.first);
            g.last = std::max(g.last, found->second.last);
        }
    return out;
}

std::size_t fittingGroups(std::size_t groups, double height, double scale)
{
    while (groups > 1 && height / static_cast<double>(groups) < (HistogramLengths::kLowestSection + HistogramLengths::kSectionGap) * scale)
        --groups;
    return groups;
}

std::vector<double> groupHeights(std::span<const DistributionGroup> groups, double height, double scale, const LayoutOptions& options)
{
    std::size_t panels = 0;
    for (const auto& g : groups)
        panels += g.members.size();
    const double spare = height - HistogramLengths::kSectionGap * static_cast<double>(groups.size() - 1);
    std::vector<double> out;
    for (const auto& g : groups) {
        const auto n = static_cast<double>(g.members.size());
        double own = spare * (0.5 / static_cast<double>(groups.size()) + 0.5 * n / static_cast<double>(panels));
        if (!options.fit)
            own = std::max(own, n == 1 ? 320 : n * HistogramLengths::kLowestPanel * scale + HistogramLengths::kAxisHeight + 22);
        out.push_back(own);
    }
    return out;
}
} // namespace dscope::graph
