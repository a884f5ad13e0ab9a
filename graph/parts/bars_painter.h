#pragma once
#include "graph/page.h"
#include "graph/parts/bars_layout.h"
namespace dscope::graph {
/// Draws the sections of bars, one below the other.
class BarsPainter {
public:
    BarsPainter(Page& page, const BarsData& data) : m_page(page), m_data(data) { }
    /// The name of the section's aggregation, above its bars.
    void drawHead(const BarSection& section);
    void draw(const BarSection& section);

private:
    void drawScale(const BarSection& section, const BarScale& scale);
    void drawBar(const BarSection& section, std::size_t place, const BarScale& scale);
    void drawRest(const BarSection& section, const BarScale& scale);

    Page& m_page;
    const BarsData& m_data;
};
} // namespace dscope::graph
