#include "graph/parts/ecdf_layout.h"
#include "graph/palette.h"
#include "graph/parts/ecdf_data.h"
#include "graph/ranking.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kAxisBelow = 56, kLowAxis = 28, kTallest = 1.15; // px at scale 1; of the width
constexpr double kHeading = 26, kLowHead = 6;                     // likewise; on a low page the axis' title stands in the plot
constexpr double kLowestWithNamesBelow = 0.75;                    // height by width
constexpr double kRoomForNames = 700, kBesideNames = 330;         // px at scale 1, of names at the side
constexpr double kLowestEcdf = 150, kEcdfWidth = 300, kLowestCurve = 112, kTallestCurve = 230;
constexpr std::size_t kFewestBeside = 3; // names: a side with fewer would be empty
constexpr std::size_t kMostGrey = 12;    // lines without a name: more would be a cloud
constexpr double kFewestGrey = 30;       // values of such a line: of fewer it is no distribution
} // namespace

std::vector<std::size_t> ecdfOrder(const DistributionGroup& group, const LayoutOptions& options)
{
    std::vector<std::size_t> out(group.members.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = i;
    const auto named = std::min(options.top > 0 ? options.top : kSeriesHues, kSeriesHues);
    if (const auto highest = EcdfData::highestOf(group); highest && highest->member >= named) {
        const auto at = out.begin() + static_cast<std::ptrdiff_t>(highest->member);
        std::rotate(out.begin() + static_cast<std::ptrdiff_t>(named) - 1, at, at + 1);
    }
    if (options.order == Order::Name) {
        const auto most = options.top > 0 ? std::min(options.top, out.size()) : out.size();
        std::stable_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most),
            [&](std::size_t a, std::size_t b) { return isBeforeByName(group.members[a].values.keys, group.members[b].values.keys); });
    }
    return out;
}

EcdfSheet ecdfSheet(const DistributionGroup& group, const Box& area, double k, bool isLow, const LayoutOptions& options)
{
    const double size = EcdfLengths::kText * k, left = EcdfLengths::kAxisLeft * k;
    EcdfSheet out;
    out.order = ecdfOrder(group, options);
    const auto most = options.top > 0 ? options.top : kSeriesHues + kMostGrey;
    out.named = std::min({most, out.order.size(), kSeriesHues});
    out.top = out.named;
    while (out.top < std::min(most, out.order.size()) && group.members[out.order[out.top]].values.total >= kFewestGrey)
        ++out.top;
    out.isLow = isLow;
    out.hasSide = out.named >= kFewestBeside && area.width >= kRoomForNames * k && area.height < kLowestWithNamesBelow * area.width;
    out.side = out.hasSide ? std::min(kBesideNames * k, 0.36 * area.width) : 0;
    const double note = out.hasRest() ? 1.6 * size : 0;
    out.axis = (isLow ? kLowAxis : kAxisBelow) * k;
    if (!out.hasSide && !isLow) {
        const double rows = static_cast<double>(out.named) * size;
        out.names = area.height < kLowestWithNamesBelow * area.width ? 0 : std::min(3.2 * rows, 0.3 * area.height);
        if (out.names < 2.6 * rows) out.names = std::min(1.4 * rows + 0.6 * size, 0.36 * area.height); // one line each
    }
    const double width = std::max(area.width - left - out.side - (out.hasSide ? 34 : 14) * k, 60.0);
    const double head = (isLow ? kLowHead : kHeading) * k;
    out.plot = {area.x + left, area.y + head, width,
        std::clamp(area.height - head - out.axis - note - out.names, 30.0, std::max(kTallest * width, 60.0)), 0};
    return out;
}

EcdfPanels ecdfPanels(std::size_t most, const Box& area, double k, const LayoutOptions& options)
{
    const double size = EcdfLengths::kText * k, axis = EcdfLengths::kPanelAxis * k;
    EcdfPanels out;
    out.left = EcdfLengths::kAxisLeft * k;
    out.gap = EcdfLengths::kPanelGap * k;
    auto columns = static_cast<std::size_t>(std::clamp(std::floor(area.width / (kEcdfWidth * k)), 1.0, 5.0));
    columns = std::min(columns, most);
    double height = area.height - 1.8 * size;
    const auto rowsOf = [&](std::size_t panels) { return (panels + columns - 1) / columns; };
    // Columns of their own that would only make panels flat are not wanted: as many as make rows that are high enough.
    while (columns > 1 && (height / static_cast<double>(rowsOf(most))) > 2.2 * area.width / static_cast<double>(columns - 1))
        --columns;
    const double least = (kLowestCurve + EcdfLengths::kPanelHead) * k;
    if (options.fit) {
        const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor((height - axis) / least)));
        most = std::min(most, fitting * columns);
    } else {
        height = std::max(height, static_cast<double>(rowsOf(most)) * least + axis);
    }
    const auto rows = rowsOf(most);
    out.shown = most;
    out.columns = columns;
    out.height = std::min((height - axis) / static_cast<double>(rows), (kTallestCurve + EcdfLengths::kPanelHead) * k * (rows == 1 ? 2 : 1));
    out.width = (area.width - out.left - out.gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    return out;
}

Box EcdfPanels::at(std::size_t i, const Box& area, double k) const
{
    const auto column = i % columns, row = i / columns;
    const double inset = column == 0 ? left : 0;
    return {area.x + (column == 0 ? 0 : left + static_cast<double>(column) * (width + gap)), area.y + static_cast<double>(row) * height,
        width + inset, height - 14 * k, 0};
}

std::size_t fittingEcdfs(std::size_t groups, double height, double scale)
{
    const auto least = (kLowestEcdf + EcdfLengths::kSectionGap) * scale;
    while (groups > 1 && height / static_cast<double>(groups) < least)
        --groups;
    return groups;
}

double ecdfHeight(std::size_t groups, std::size_t members, const Box& content, EcdfRuns runs, const LayoutOptions& options)
{
    if (options.fit) return (content.height - EcdfLengths::kSectionGap * static_cast<double>(groups - 1)) / static_cast<double>(groups);
    constexpr double kScreenSection = 420;
    if (runs == EcdfRuns::One) return kScreenSection;
    const double panels = std::ceil(static_cast<double>(members) / std::max(1.0, std::floor(content.width / kEcdfWidth)));
    return std::max(kScreenSection / 2, panels * (kLowestCurve + EcdfLengths::kPanelHead) + kAxisBelow);
}
} // namespace dscope::graph
