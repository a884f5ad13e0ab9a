#include "graph/parts/heatmap_layout.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
double HeatScale::level(double count) const { return most > 1 ? std::clamp(std::log(std::max(count, 1.0)) / std::log(most), 0.0, 1.0) : 1; }

HeatSheet heatSheet(const HeatmapData& data, const Box& content, double k, const LayoutOptions& options, std::optional<std::size_t> claimed)
{
    HeatSheet sheet;
    const double room = content.height - (HeatLengths::kLegend + HeatLengths::kTimeAxis) * k;
    const auto fitting = static_cast<std::size_t>(
        std::max(1.0, std::floor((room + HeatLengths::kPanelGap) / ((HeatLengths::kLowestPanel + HeatLengths::kPanelGap) * k))));
    auto most = options.fit ? fitting : std::min<std::size_t>(data.panels().size(), 200);
    if (options.top > 0) most = std::min(most, options.top + 1); // and all others as one
    sheet.panels = data.chosen(most, claimed);
    auto& shown = sheet.panels;
    if (options.order == Order::Name) {
        const auto named = static_cast<std::ptrdiff_t>(shown.size() - (shown.size() < data.panels().size() ? 1 : 0));
        std::stable_sort(
            shown.begin(), shown.begin() + named, [](const HeatPanel& a, const HeatPanel& b) { return isBeforeByName(a.keys, b.keys); });
    }

    auto& scale = sheet.scale;
    scale.usual = data.usualLength();
    // Of figures on a common scale the same colour is as many in the same time: columns count as if all were as long as the longest.
    const auto common = [&](std::string_view what) {
        const auto* extents = options.extents.get();
        const auto found = extents ? extents->values.find(std::string(what)) : decltype(extents->values.end()){};
        return extents && found != extents->values.end() ? found->second.high : 0;
    };

    scale.usual = std::max(scale.usual, common(kHeatColumn));
    double rows = 0;
    for (auto& p : shown)
        p = p.drawn();
    for (auto& p : shown) { // panels of the same buckets have one axis
        for (const auto& other : shown)
            if (other.hasBucketsOf(p)) {
                p.of.first = std::min(p.of.first, other.of.first);
                p.of.last = std::max(p.of.last, other.of.last);
            }
        if (const auto* extents = options.extents.get())
            if (const auto found = extents->buckets.find(bucketsKey(p.of.shape)); found != extents->buckets.end()) {
                p.of.first = std::min(p.of.first, found->second.first);
                p.of.last = std::max(p.of.last, found->second.last);
            }
        rows += p.rows();
        scale.isEven = scale.isEven && p.isEven(scale.usual);
        for (const auto& [at, count] : p.counts)
            scale.most = std::max(scale.most, p.evened(at.first, count, scale.usual));
    }

    scale.most = std::max(scale.most, common(kHeatCells) * scale.usual / 1e9);
    const auto count = static_cast<double>(shown.size());
    const double forRows = room - count * HeatLengths::kHead * k - (count - 1) * HeatLengths::kPanelGap * k;
    sheet.row = std::min(forRows / rows, HeatLengths::kTallestRow * (shown.size() == 1 ? 1.6 : 1));
    if (!options.fit) sheet.row = std::max(sheet.row, HeatLengths::kScreenRow * 1.0);
    return sheet;
}
} // namespace dscope::graph
