#include "gui/flat_tabs.h"
#include "gui/style.h"
#include <QHelpEvent>
#include <QHoverEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>
namespace dscope::gui {
namespace {
constexpr int kHeight = 34, kGap = 22, kLeastGap = 12, kLine = 2;
constexpr int kLeastWidth = 120; ///< the width that they are content with
constexpr int kLeastWord = 44; ///< pixels of a word that is cut; with less room the tabs scroll
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
    const auto [gap, most] = room();
    return {std::min(wordWidth(index), most) + gap + crossWidth(), kHeight};
}

/// As wide as in bold, so that choosing one doesn't move the others.
int FlatTabs::wordWidth(int tab) const { return isTabVisible(tab) ? QFontMetrics(chosen(font())).horizontalAdvance(tabText(tab)) : 0; }
int FlatTabs::crossWidth() const { return m_isClosable ? kCross : 0; }

FlatTabs::Room FlatTabs::room() const
{
    std::vector<int> words;
    for (int i = 0; i < count(); ++i)
        if (isTabVisible(i)) words.push_back(wordWidth(i));
    const int n = static_cast<int>(words.size());
    const int all = std::accumulate(words.begin(), words.end(), 0), available = width() - n * crossWidth();
    if (n == 0 || all + n * kGap <= available) return {kGap, QWIDGETSIZE_MAX};
    if (all + n * kLeastGap <= available) return {(available - all) / n, QWIDGETSIZE_MAX};
    // Short words stay whole: what they leave is for the others in equal parts.
    std::sort(words.begin(), words.end());
    int left = available - n * kLeastGap, longer = n;
    for (const int word : words) {
        if (word > left / longer) break;
        left -= word;
        --longer;
    }
    return {kLeastGap, std::max(kLeastWord, left / std::max(longer, 1))};
}

QSize FlatTabs::sizeHint() const
{
    int all = 0;
    for (int i = 0; i < count(); ++i)
        if (isTabVisible(i)) all += wordWidth(i) + kGap + crossWidth();
    return {all, kHeight};
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
    return {box.right() - kCross - room().gap / 2, box.center().y() - kCross / 2, kCross, kCross};
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
        if (isTabVisible(i)) all += tabSizeHint(i).width();
    setUsesScrollButtons(all > width());
}

// However many there are, they must not push the window's columns apart.
QSize FlatTabs::minimumSizeHint() const { return {std::min(kLeastWidth, sizeHint().width()), kHeight}; }

void FlatTabs::tabLayoutChange()
{
    QTabBar::tabLayoutChange();
    scrollWhereNeeded();
}

bool FlatTabs::event(QEvent* e)
{
    if (e->type() == QEvent::HoverMove || e->type() == QEvent::HoverLeave) update();
    // A word that is cut can be read whole.
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        const int tab = tabAt(help->pos());
        if (tab >= 0 && tabToolTip(tab).isEmpty() && wordWidth(tab) > room().word) {
            QToolTip::showText(help->globalPos(), plainTip(tabText(tab)), this);
            return true;
        }
    }
    return QTabBar::event(e);
}

void FlatTabs::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto pointer = mapFromGlobal(QCursor::pos());
    const int gap = room().gap;
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i)) continue;
        const auto box = tabRect(i).adjusted(0, 0, -gap, 0);
        // Where it has its width nothing is cut: widths are rounded, and a fraction too much would do it.
        const int space = box.width() - crossWidth();
        const auto word = space >= wordWidth(i) ? tabText(i) : QFontMetrics(chosen(font())).elidedText(tabText(i), Qt::ElideRight, space);
        const bool isCurrent = i == currentIndex(), isHovered = underMouse() && tabRect(i).contains(pointer);
        painter.setFont(isCurrent ? chosen(font()) : font());
        painter.setPen(palette().color(isCurrent || isHovered ? QPalette::Text : QPalette::PlaceholderText));
        painter.drawText(box.adjusted(0, 0, gap, -2), Qt::AlignLeft | Qt::AlignVCenter, word);
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
        const QRect line(box.left(), box.bottom() - kLine - 1, painter.fontMetrics().horizontalAdvance(word), kLine);
        painter.fillRect(line, palette().color(QPalette::Link));
        if (hasFocus()) painter.fillRect(line.adjusted(0, -1, 0, 0), palette().color(QPalette::Link));
    }
}
} // namespace dscope::gui
