#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/palette.h"
#endif
#include <QRectF>
#include <optional>
#include <span>
#include <vector>
class QPainter;
namespace dscope::gui {
/// The rectangle around an item.
QRectF bounds(const graph::Item& item);

/// A figure with what painting it again and again needs; made once, on any thread, and never changed.
class Drawing {
public:
    Drawing() = default;
    explicit Drawing(graph::Figure figure);
    const graph::Figure& figure() const { return m_figure; }
    const QRectF& box(std::size_t item) const { return m_boxes[item]; }
    /// The topmost mark with something to tell at a place of the figure.
    std::optional<std::size_t> markAt(QPointF at) const;
    /// Marks, in painter's order: boxes with something to tell.
    const std::vector<std::size_t>& marks() const { return m_marks; }
    /// Draws what meets `visible` (figure coordinates) and is large enough to be seen at `scale` screen pixels a unit.
    void paint(QPainter& painter, const graph::Palette& colours, const QRectF& visible, double scale) const;

private:
    graph::Figure m_figure;
    std::vector<QRectF> m_boxes;
    std::vector<std::size_t> m_marks;
};
} // namespace dscope::gui
