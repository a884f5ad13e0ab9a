#pragma once
#include "graph/figure.h"
#include "graph/parts/heatmap_data.h"
#include <cstddef>
#include <optional>
#include <vector>
namespace dscope::graph {
/// Lengths of a heat map, in px at a page's scale of 1.
struct HeatLengths {
    static constexpr double kLowestPanel = 120, kPanelGap = 20, kTimeAxis = 30, kTallestRow = 34, kScreenRow = 16;
    static constexpr double kLegend = 36, kHead = 28; // a panel's heading
};
/// How the colours of all panels are found.
struct HeatScale {
    double most = 1;    ///< in a cell of a column of the usual length
    double usual = 1;   ///< ns
    bool isEven = true; ///< all columns are of that length
    /// Of a cell of a column of the usual length: 0 pale, 1 full.
    double level(double count) const;
    double level(const HeatPanel& panel, std::uint32_t column, double count) const { return level(panel.evened(column, count, usual)); }
};
/// What is drawn of the data, below one another.
struct HeatSheet {
    std::vector<HeatPanel> panels; ///< as they are drawn
    HeatScale scale;
    double row = 0; ///< px, the height of a bucket
};
/// Lays out data that is not empty in `content`.
/// `claimed`: the panel that the title is about, which is drawn by itself wherever one is.
HeatSheet heatSheet(
    const HeatmapData& data, const Box& content, double scale, const LayoutOptions& options, std::optional<std::size_t> claimed = {});
} // namespace dscope::graph
