#include "gui/flat_tabs.h"
#include <QHoverEvent>
#include <QPainter>
namespace dscope::gui {
namespace {
constexpr int kHeight = 34, kGap = 22, kLine = 2;
QFont chosen(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}
} // namespace

FlatTabs::FlatTabs(const QString& accessibleName, QWidget* parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(true);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(accessibleName);
    setCursor(Qt::PointingHandCursor);
}

QSize FlatTabs::tabSizeHint(int index) const
{
    // As wide as in bold, so that choosing one doesn't move the others.
    return {QFontMetrics(chosen(font())).horizontalAdvance(tabText(index)) + kGap, kHeight};
}

void FlatTabs::resizeEvent(QResizeEvent* e)
{
    // What was scrolled while there was no room stays scrolled: with room for all there is nothing to scroll.
    int all = 0;
    for (int i = 0; i < count(); ++i)
        all += tabSizeHint(i).width();
    setUsesScrollButtons(all > width());
    QTabBar::resizeEvent(e);
}

bool FlatTabs::event(QEvent* e)
{
    if (e->type() == QEvent::HoverMove || e->type() == QEvent::HoverLeave) update();
    return QTabBar::event(e);
}

void FlatTabs::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto pointer = mapFromGlobal(QCursor::pos());
    for (int i = 0; i < count(); ++i) {
        const auto box = tabRect(i).adjusted(0, 0, -kGap, 0);
        const bool isCurrent = i == currentIndex(), isHovered = underMouse() && tabRect(i).contains(pointer);
        painter.setFont(isCurrent ? chosen(font()) : font());
        painter.setPen(palette().color(isCurrent || isHovered ? QPalette::Text : QPalette::PlaceholderText));
        painter.drawText(box.adjusted(0, 0, kGap, -2), Qt::AlignLeft | Qt::AlignVCenter, tabText(i));
        if (!isCurrent) continue;
        const QRect line(box.left(), box.bottom() - kLine - 1, painter.fontMetrics().horizontalAdvance(tabText(i)), kLine);
        painter.fillRect(line, palette().color(QPalette::Link));
        if (hasFocus()) painter.fillRect(line.adjusted(0, -1, 0, 0), palette().color(QPalette::Link));
    }
}
} // namespace dscope::gui
