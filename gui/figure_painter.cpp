#include "gui/figure_painter.h"
#include <QFont>
#include <QPainter>
#include <QPainterPath>
#include <QString>
#include <algorithm>
#include <cmath>
namespace dscope::gui {
namespace {
QColor color(std::int32_t rgb) { return rgb < 0 ? QColor(Qt::transparent) : QColor::fromRgb(static_cast<QRgb>(rgb)); }

QPen penOf(const graph::Style& style)
{
    if (style.stroke < 0 || style.strokeWidth <= 0) return QPen(Qt::NoPen);
    QPen pen(color(style.stroke), style.strokeWidth);
    if (!style.dash.empty()) {
        QList<qreal> dashes;
        for (const auto& part : QString::fromStdString(style.dash).split(QChar(' '), Qt::SkipEmptyParts))
            dashes << std::max(0.1, part.toDouble() / style.strokeWidth);
        if (dashes.size() % 2) dashes += dashes;
        pen.setDashPattern(dashes);
    }
    return pen;
}
QBrush brushOf(const graph::Style& style) { return style.fill < 0 ? QBrush(Qt::NoBrush) : QBrush(color(style.fill)); }

void paintBox(QPainter& p, const graph::Box& box, const graph::Style& style)
{
    const QRectF r(box.x, box.y, box.width, box.height);
    p.setPen(penOf(style));
    p.setBrush(brushOf(style));
    if (box.radius > 0)
        p.drawRoundedRect(r, box.radius, box.radius);
    else
        p.drawRect(r);
    if (style.hatch > 0) {
        p.setPen(Qt::NoPen);
        p.setBrush(QBrush(QColor(0, 0, 0, 90), style.hatch % 2 ? Qt::BDiagPattern : Qt::FDiagPattern));
        p.drawRect(r);
    }
    if (style.doubled) {
        p.setPen(penOf(style));
        p.setBrush(Qt::NoBrush);
        p.drawRoundedRect(r.adjusted(3, 3, -3, -3), std::max(0.0, box.radius - 2), std::max(0.0, box.radius - 2));
    }
}
void paintPath(QPainter& p, const graph::Path& path, const graph::Style& style)
{
    if (path.points.size() < 2) return;
    QPainterPath line(QPointF(path.points[0].x, path.points[0].y));
    if (path.bezier)
        for (std::size_t i = 1; i + 2 < path.points.size(); i += 3)
            line.cubicTo(
                path.points[i].x, path.points[i].y, path.points[i + 1].x, path.points[i + 1].y, path.points[i + 2].x, path.points[i + 2].y);
    else
        for (std::size_t i = 1; i < path.points.size(); ++i)
            line.lineTo(path.points[i].x, path.points[i].y);
    if (path.closed) line.closeSubpath();
    p.setPen(penOf(style));
    p.setBrush(path.closed ? brushOf(style) : QBrush(Qt::NoBrush));
    p.drawPath(line);
    if (!path.arrow) return;
    const auto& tip = path.points.back();
    const auto& from = path.points[path.points.size() - 2];
    const double angle = std::atan2(tip.y - from.y, tip.x - from.x);
    const QPointF end(tip.x, tip.y);
    const auto side = [&](double turn) { return end - 8 * QPointF(std::cos(angle + turn), std::sin(angle + turn)); };
    p.setPen(Qt::NoPen);
    p.setBrush(color(style.stroke));
    p.drawPolygon(QPolygonF{end, side(0.45), side(-0.45)});
}
void paintText(QPainter& p, const graph::Text& text, const graph::Style& style)
{
    QFont font(text.mono ? QStringLiteral("DejaVu Sans Mono") : QStringLiteral("DejaVu Sans"));
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(text.size))));
    font.setBold(text.bold);
    p.setFont(font);
    p.setPen(color(style.text >= 0 ? style.text : 0x1A1A1A));
    const auto string = QString::fromStdString(text.text);
    // The figure's own metrics say how wide the text is; the screen's font is fitted to it, so labels stay in their boxes.
    const double natural = QFontMetricsF(font).horizontalAdvance(string);
    const double stretch = text.width > 0 && natural > text.width ? text.width / natural : 1;
    const double width = natural * stretch;
    double x = text.at.x;
    if (text.anchor == graph::Anchor::Middle) x -= width / 2;
    if (text.anchor == graph::Anchor::End) x -= width;
    if (stretch == 1) {
        p.drawText(QPointF(x, text.at.y), string);
        return;
    }
    p.save();
    p.translate(x, text.at.y);
    p.scale(stretch, 1);
    p.drawText(QPointF(0, 0), string);
    p.restore();
}
bool found(const graph::Item& item, const QString& search)
{
    return !search.isEmpty()
        && (QString::fromStdString(item.key).contains(search, Qt::CaseInsensitive)
            || QString::fromStdString(item.tip).contains(search, Qt::CaseInsensitive));
}
} // namespace

QRectF bounds(const graph::Item& item)
{
    if (const auto* box = std::get_if<graph::Box>(&item.shape)) return {box->x, box->y, box->width, box->height};
    if (const auto* text = std::get_if<graph::Text>(&item.shape)) {
        const double width = text->width > 0 ? text->width : graph::textWidth(text->text, text->size, text->bold, text->mono);
        const double left = text->anchor == graph::Anchor::Start ? 0 : text->anchor == graph::Anchor::Middle ? width / 2 : width;
        return {text->at.x - left, text->at.y - text->size, width, text->size * 1.3};
    }
    QRectF r;
    for (const auto& point : std::get<graph::Path>(item.shape).points) {
        const QRectF dot(point.x - 1, point.y - 1, 2, 2);
        r = r.isNull() ? dot : r.united(dot);
    }
    return r;
}

void paint(QPainter& painter, const graph::Figure& figure, graph::Theme theme, const QRectF& visible, const QString& search)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    for (const auto& item : figure.items) {
        const auto box = bounds(item);
        if (!box.intersects(visible.adjusted(-4, -4, 4, 4))) continue;
        const auto style = graph::style(item, theme);
        if (const auto* b = std::get_if<graph::Box>(&item.shape))
            paintBox(painter, *b, style);
        else if (const auto* line = std::get_if<graph::Path>(&item.shape))
            paintPath(painter, *line, style);
        else
            paintText(painter, std::get<graph::Text>(item.shape), style);
        if (std::holds_alternative<graph::Box>(item.shape) && found(item, search)) {
            painter.setPen(QPen(QColor(0xB0, 0x00, 0xB0), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }
}
} // namespace dscope::gui
