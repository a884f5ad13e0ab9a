#pragma once
#include "graph/page.h"
#include "graph/parts/series_layout.h"
#include <cstdint>
#include <vector>
namespace dscope::graph {
/// Draws the panels of a series, one below the other. A key has one hue in all of them.
class SeriesPainter {
public:
    enum class Place : std::uint8_t { Last, Above }; ///< the last panel has the time axis' labels
    SeriesPainter(Page& page, const SeriesData& data) : m_page(page), m_data(data) { }
    /// `panel`: as drawnAmounts() gives it.
    void draw(const AmountsOverTime& panel, const Box& area, const SeriesSheet& room, Place place);

private:
    void drawLine(const AmountsOverTime& panel, const DrawnLine& line, const TimeScale& time, const ValueAxis& axis);
    void drawNumbers(const AmountsOverTime& panel, const TimeScale& time, Place place);
    void drawLabels(const std::vector<DrawnLine>& lines, const Box& plot, double room, const ValueAxis& axis);

    Page& m_page;
    const SeriesData& m_data;
    SeriesHues m_hues;
};
} // namespace dscope::graph
