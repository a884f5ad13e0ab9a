// The figure view's painting: the figure, and what is marked on it.
#include "gui/figure_view.h"
#include <QPainter>
#include <algorithm>
namespace dscope::gui {
void FigureView::outline(QPainter& painter, std::size_t item, std::int32_t colour, double width) const
{
    // 2 px on screen whatever the zoom, and at least so wide that it can be seen.
    auto place = placeOf(item);
    if (place.width() < 4) place.setWidth(4);
    painter.setBrush(Qt::NoBrush);
    // On a rim of the ground's colour it is seen on every fill. A little lower than the mark: the underscores of a frame, and of the one
    // above it, are two pixels from its lower edge.
    for (const auto& [rgb, thickness] : {std::pair(graph::ground(m_colours), width + 2), std::pair(colour, width)}) {
        painter.setPen(QPen(QColor::fromRgb(static_cast<QRgb>(rgb)), thickness));
        painter.drawRect(place.adjusted(-0.5, 0.5, 0.5, 1.5));
    }
}

void FigureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor::fromRgb(static_cast<QRgb>(graph::ground(m_colours))));
    if (!m_visual || m_isAwaited) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_isAwaited ? tr("Drawing…") : m_emptyText);
        return;
    }
    painter.save();
    painter.translate(m_origin);
    painter.scale(m_scale, m_scale);
    const QRectF visible(toFigure({0, 0}), toFigure({double(width()), double(height())}));
    m_drawing->paint(painter, m_colours, visible, m_scale);
    painter.restore();
    const auto accents = graph::accents(m_colours);
    for (const auto item : m_found.items)
        if (m_drawing->box(item).intersects(visible)) outline(painter, item, accents.found, 2);
    for (const auto item : m_chosenItems)
        if (m_drawing->box(item).intersects(visible)) outline(painter, item, accents.chosen, 2);
    paintScrollMarks(painter);
    paintStretch(painter);
    if (m_current && (hasFocus() || !m_found.items.empty())) outline(painter, *m_current, accents.chosen, 3.5);
}

// Thin bars at the edges show that the figure is larger than the view, and which part is visible.
void FigureView::paintScrollMarks(QPainter& painter) const
{
    constexpr double kThick = 4, kEdge = 3, kShortest = 24;
    const QSizeF all = QSizeF(figure().width, figure().height) * m_scale;
    auto ink = palette().color(QPalette::PlaceholderText);
    ink.setAlpha(110);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    const auto mark = [&](double view, double whole, double from) -> std::pair<double, double> {
        const double low = std::min(from, 0.0), high = std::max(from + whole, view), share = view / (high - low);
        const double length = std::max(kShortest, share * (view - 2 * kEdge));
        return {kEdge + (view - 2 * kEdge - length) * std::clamp(-low / std::max(1.0, high - low - view), 0.0, 1.0), length};
    };
    if (m_origin.y() < -1 || m_origin.y() + all.height() > height() + 1) {
        const auto [at, length] = mark(height(), all.height(), m_origin.y());
        painter.drawRoundedRect(QRectF(width() - kEdge - kThick, at, kThick, length), kThick / 2, kThick / 2);
    }
    if (m_origin.x() < -1 || m_origin.x() + all.width() > width() + 1) {
        const auto [at, length] = mark(width(), all.width(), m_origin.x());
        painter.drawRoundedRect(QRectF(at, height() - kEdge - kThick, length, kThick), kThick / 2, kThick / 2);
    }
}

void FigureView::paintStretch(QPainter& painter) const
{
    if (!m_stretchTo) return;
    auto ink = QColor::fromRgb(static_cast<QRgb>(graph::accents(m_colours).chosen));
    painter.setPen(QPen(ink, 1));
    ink.setAlpha(50);
    painter.setBrush(ink);
    const double left = std::min(m_pressed.x(), m_stretchTo->x()), right = std::max(m_pressed.x(), m_stretchTo->x());
    painter.drawRect(QRectF(left, 0, right - left, height() - 1));
}
} // namespace dscope::gui
