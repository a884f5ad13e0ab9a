#include "gui/flat_tabs.h"
#include <QHoverEvent>
#include <QMouseEvent>
#include <QPainter>
#include <utility>
namespace dscope::gui {
namespace {
constexpr int kHeight = 34, kGap = 22, kLine = 2;
constexpr int kLeast = 120; ///< the width that tabs which come and go are content with
constexpr int kCross = 16;  ///< the side of the field that closes a tab
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
    return {QFontMetrics(chosen(font())).horizontalAdvance(tabText(index)) + kGap + (m_isClosable ? kCross : 0), kHeight};
}

void FlatTabs::setClosable(bool isClosable)
{
    if (std::exchange(m_isClosable, isClosable) == isClosable) return;
    // Tabs have another width now, which is asked for again when a text is set.
    for (int i = 0; i < count(); ++i) {
        const auto text = tabText(i);
        setTabText(i, QString());
        setTabText(i, text);
    }
}

QRect FlatTabs::crossOf(int tab) const
{
    const auto box = tabRect(tab);
    return {box.right() - kCross - kGap / 2, box.center().y() - kCross / 2, kCross, kCross};
}

void FlatTabs::mousePressEvent(QMouseEvent* e)
{
    const int tab = tabAt(e->position().toPoint());
    const bool onCross = tab >= 0 && e->button() == Qt::LeftButton && crossOf(tab).contains(e->position().toPoint());
    m_pressed = m_isClosable && (onCross || e->button() == Qt::MiddleButton) ? tab : -1;
    if (m_pressed < 0) QTabBar::mousePressEvent(e);
}

void FlatTabs::mouseReleaseEvent(QMouseEvent* e)
{
    const int pressed = std::exchange(m_pressed, -1);
    if (pressed < 0) return QTabBar::mouseReleaseEvent(e);
    const auto at = e->position().toPoint();
    if (tabAt(at) == pressed && (e->button() == Qt::MiddleButton || crossOf(pressed).contains(at))) Q_EMIT closeAsked(pressed);
}

void FlatTabs::resizeEvent(QResizeEvent* e)
{
    scrollWhereNeeded();
    QTabBar::resizeEvent(e);
}

void FlatTabs::scrollWhereNeeded()
{
    // What was scrolled while there was no room stays scrolled: with room for all there is nothing to scroll.
    int all = 0;
    for (int i = 0; i < count(); ++i)
        all += tabSizeHint(i).width();
    setUsesScrollButtons(all > width());
}

// However many somebody opens, they must not push the window's columns apart.
QSize FlatTabs::minimumSizeHint() const { return m_isClosable ? QSize(kLeast, kHeight) : QTabBar::minimumSizeHint(); }

void FlatTabs::tabLayoutChange()
{
    QTabBar::tabLayoutChange();
    if (m_isClosable) scrollWhereNeeded();
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
        if (m_isClosable && (isCurrent || isHovered)) {
            const auto cross = crossOf(i);
            if (underMouse() && cross.contains(pointer)) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(palette().color(QPalette::Highlight));
                painter.setRenderHint(QPainter::Antialiasing);
                painter.drawRoundedRect(cross, 4, 4);
                painter.setRenderHint(QPainter::Antialiasing, false);
            }
            painter.setFont(font());
            painter.setPen(palette().color(QPalette::PlaceholderText));
            painter.drawText(cross, Qt::AlignCenter, QStringLiteral("\u00d7"));
        }
        if (!isCurrent) continue;
        painter.setFont(chosen(font()));
        const QRect line(box.left(), box.bottom() - kLine - 1, painter.fontMetrics().horizontalAdvance(tabText(i)), kLine);
        painter.fillRect(line, palette().color(QPalette::Link));
        if (hasFocus()) painter.fillRect(line.adjusted(0, -1, 0, 0), palette().color(QPalette::Link));
    }
}
} // namespace dscope::gui
