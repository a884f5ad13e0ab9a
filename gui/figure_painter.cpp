#include "gui/figure_painter.h"
#include "graph/text.h"
#include <QFont>
#include <QPainter>
#include <QPainterPath>
#include <QString>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
namespace dscope::gui {
namespace {
constexpr double kReadable = 3; ///< px on screen of the smallest text that is drawn
constexpr double kTiny = 1;     ///< px on screen below which a box has no outline nor corners

QColor color(std::int32_t rgb) { return rgb < 0 ? QColor(Qt::transparent) : QColor::fromRgb(static_cast<QRgb>(rgb)); }

QPen penOf(const graph::Style& style)
{
    if (style.stroke < 0 || style.strokeWidth <= 0) return QPen(Qt::NoPen);
    QPen pen(color(style.stroke), style.strokeWidth);
    if (!style.dash.empty()) {
        QList<qreal> dashes;
        for (const double length : style.dash)
            dashes << std::max(0.1, length * style.lines / style.strokeWidth);
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
        const double off = 3 * style.lines;
        p.drawRoundedRect(r.adjusted(off, off, -off, -off), std::max(0.0, box.radius - 2), std::max(0.0, box.radius - 2));
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
    const auto side = [&](double turn) { return end - 8 * style.lines * QPointF(std::cos(angle + turn), std::sin(angle + turn)); };
    p.setPen(Qt::NoPen);
    p.setBrush(color(style.stroke));
    p.drawPolygon(QPolygonF{end, side(0.45), side(-0.45)});
}
enum class Letters : std::uint8_t { Apart, AsTheFontLikes };
/// What was traced is shown as it was written, where fonts like Inter would draw "->" as an arrow and "0x1b" as a product. Scripts that
/// cannot be read without shaping keep it, and so does all else for the sake of kerning.
Letters lettersOf(QStringView text)
{
    const auto isSign = [](QChar c) { return c > ' ' && c < QChar(0x7F) && !c.isLetterOrNumber(); };
    auto letters = Letters::AsTheFontLikes;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto c = text[i].unicode();
        if ((c >= 0x300 && c < 0x2000) || c >= 0x2C00) return Letters::AsTheFontLikes;
        if (i > 0 && ((isSign(text[i - 1]) && isSign(text[i])) || (c == 'x' && text[i - 1].isDigit()))) letters = Letters::Apart;
    }
    return letters;
}
/// Fonts by face and size: making one, and its metrics, costs more than drawing a word.
class Fonts {
public:
    struct Entry {
        QFont font;
        QFontMetricsF metrics;
    };

    const Entry& of(const graph::Text& text, Letters letters)
    {
        const int size = std::max(1, static_cast<int>(std::lround(text.size)));
        const auto key = ((size * 2 + (text.bold ? 1 : 0)) * 2 + (text.mono ? 1 : 0)) * 2 + (letters == Letters::Apart ? 1 : 0);
        if (const auto known = m_entries.find(key); known != m_entries.end()) return known->second;
        QFont font;
        font.setFamilies(text.mono
                ? QStringList{QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")}
                : QStringList{QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
        font.setPixelSize(size);
        font.setBold(text.bold);
        if (letters == Letters::Apart) font.setStyleStrategy(QFont::PreferNoShaping);
        return m_entries.emplace(key, Entry{font, QFontMetricsF(font)}).first->second;
    }

private:
    std::map<int, Entry> m_entries;
};
void paintText(QPainter& p, const graph::Text& text, const graph::Style& style, Fonts& fonts)
{
    const auto string = QString::fromStdString(graph::fromTheLeft(text.text));
    const auto& [font, metrics] = fonts.of(text, lettersOf(string));
    p.setFont(font);
    p.setPen(color(style.text >= 0 ? style.text : 0x1A1A1A));
    // The figure's own metrics say how much room the text has; a font that is wider is fitted to it, so that labels stay in their boxes.
    const double natural = metrics.horizontalAdvance(string);
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
} // namespace

QRectF bounds(const graph::Item& item)
{
    if (const auto* box = std::get_if<graph::Box>(&item.shape)) return {box->x, box->y, box->width, box->height};
    if (const auto* text = std::get_if<graph::Text>(&item.shape)) {
        const double width
            = text->width > 0 ? text->width : graph::textWidth(text->text, text->size, {.bold = text->bold, .mono = text->mono});
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

Drawing::Drawing(graph::Figure figure) : m_figure(std::move(figure))
{
    m_boxes.reserve(m_figure.items.size());
    for (std::size_t i = 0; i < m_figure.items.size(); ++i) {
        const auto& item = m_figure.items[i];
        m_boxes.push_back(bounds(item));
        if (!item.tip.empty() && std::holds_alternative<graph::Box>(item.shape)) m_marks.push_back(i);
    }
}

std::optional<std::size_t> Drawing::markAt(QPointF at) const
{
    for (auto mark = m_marks.rbegin(); mark != m_marks.rend(); ++mark)
        if (m_boxes[*mark].contains(at)) return *mark;
    return std::nullopt;
}

void Drawing::paint(QPainter& painter, const graph::Palette& colours, const QRectF& visible, double scale) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    const auto seen = visible.adjusted(-4, -4, 4, 4);
    Fonts fonts;
    const auto look = [&](const graph::Item& item) { return graph::style(item, colours, m_figure.lines); };
    for (std::size_t i = 0; i < m_figure.items.size(); ++i) {
        if (!m_boxes[i].intersects(seen)) continue;
        const auto& item = m_figure.items[i];
        if (const auto* text = std::get_if<graph::Text>(&item.shape)) {
            if (text->size * scale >= kReadable) paintText(painter, *text, look(item), fonts);
        } else if (const auto* box = std::get_if<graph::Box>(&item.shape)) {
            if (box->width * scale < kTiny || box->height * scale < kTiny)
                painter.fillRect(m_boxes[i], brushOf(look(item)));
            else
                paintBox(painter, *box, look(item));
        } else
            paintPath(painter, std::get<graph::Path>(item.shape), look(item));
    }
}
} // namespace dscope::gui
