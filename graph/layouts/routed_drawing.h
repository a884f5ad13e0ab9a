#pragma once
#include "graph/layouts/layered.h"
#include "graph/page.h"
#include <optional>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// Puts a graph that Graphviz has laid out onto a page: made smaller, or a little larger, until it fits, in its middle.
class RoutedDrawing {
public:
    RoutedDrawing(const Page& page, const Routed& routed, std::span<const NodeSize> sizes);
    double scale() const { return m_scale; }
    Box box(std::size_t node) const;
    Point lowest() const { return place(m_high); } ///< the right bottom corner of all
    struct Look {
        std::string label, tip;
        Shade shade = Shade::Plain;
        double width = 0, level = -1; ///< px; along the ramp
        bool arrow = true;
        std::string value; ///< a number of the mark
    };
    void drawEdge(Page& page, std::size_t edge, const Look& look);
    /// Those of the edges drawn so far, above all of them, the last one's first. A label lies on its own line, or close beside it, and on no
    /// other line, node or label; where there is no such place it is left out, and stays in the tip.
    void drawLabels(Page& page);

private:
    Point place(Point p) const { return {m_left + m_scale * (p.x - m_low.x), m_top + m_scale * (p.y - m_low.y)}; }
    const Routed& m_routed;
    std::span<const NodeSize> m_sizes;
    Point m_low, m_high;
    double m_scale = 1, m_left = 0, m_top = 0;
    std::vector<Box> m_taken;
    struct Label {
        std::size_t line; ///< of m_lines
        std::string text;
    };
    std::optional<Box> roomFor(const Page& page, const Label& label, double width, double height) const;
    std::vector<std::vector<Point>> m_lines; ///< that are drawn, as short straight pieces
    std::vector<Label> m_labels;
};
} // namespace dscope::graph
