#pragma once
#include "graph/page.h"
#include "graph/parts/heatmap_layout.h"
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Draws the legend and the panels of a heat map.
class HeatmapPainter {
public:
    enum class Place : std::uint8_t { Last, Above }; ///< the last panel has the time axis' labels
    HeatmapPainter(Page& page, const HeatmapData& data, const HeatScale& scale) : m_page(page), m_data(data), m_scale(scale) { }
    void drawLegend(Point at, std::span<const HeatPanel> panels);
    void draw(const HeatPanel& panel, const Box& area, Place place);

private:
    std::vector<std::pair<double, std::string>> legend(std::span<const HeatPanel> panels) const;
    Page& m_page;
    const HeatmapData& m_data;
    const HeatScale& m_scale;
};
} // namespace dscope::graph
