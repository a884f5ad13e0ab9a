#include "gui/tour.h"
#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <initializer_list>
namespace dscope::gui {
namespace {
constexpr int kTourTime = 120'000, kLongestHint = 15'000, kTourGap = 12, kBubbleWidth = 340, kRound = 8;
}

Tour::Tour(std::vector<Hint> hints, QWidget& window)
    : QWidget(&window), m_hints(std::move(hints)), m_bubble(new QWidget(this)), m_title(new QLabel), m_text(new QLabel),
      m_count(new QLabel), m_next(new QToolButton), m_close(new QToolButton)
{
    std::erase_if(m_hints, [](const Hint& hint) { return !hint.at || !hint.at->isVisible(); });
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Tour"));
    setPalette(window.palette());
    auto font = m_title->font();
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    for (auto* label : {m_title, m_text, m_count}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(label != m_count);
        label->setPalette(palette());
    }

    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_close->setText(tr("End the tour (Esc)"));
    for (auto* button : {m_next, m_close}) {
        button->setObjectName(QStringLiteral("link"));
        button->setCursor(Qt::PointingHandCursor);
        button->setFocusPolicy(Qt::TabFocus);
    }

    auto* row = new QHBoxLayout;
    row->addWidget(m_count);
    row->addStretch();
    row->addWidget(m_close);
    row->addWidget(m_next);
    auto* rows = new QVBoxLayout(m_bubble);
    rows->setContentsMargins(16, 12, 12, 8);
    rows->addWidget(m_title);
    rows->addWidget(m_text);
    rows->addLayout(row);
    m_bubble->setFixedWidth(kBubbleWidth);
    connect(m_next, &QToolButton::clicked, this, [this] { go(1); });
    connect(m_close, &QToolButton::clicked, this, &Tour::end);
    m_timer.setSingleShot(true);
    setPace(m_hints.empty() ? 0 : std::min(kLongestHint, kTourTime / static_cast<int>(m_hints.size())));
    connect(&m_timer, &QTimer::timeout, this, [this] { go(1); });
    for (auto* watched : std::initializer_list<QObject*>{&window, m_bubble, m_next, m_close})
        watched->installEventFilter(this);
    setGeometry(window.rect());
    QWidget::show();
    raise();
    setFocus();
    if (m_hints.empty())
        QMetaObject::invokeMethod(this, &Tour::end, Qt::QueuedConnection);
    else
        show(0);
}

void Tour::setPace(int ms)
{
    m_timer.setInterval(ms);
    if (m_timer.isActive()) m_timer.start();
}

QString Tour::text() const { return m_title->text() + QChar('\n') + m_text->text(); }

void Tour::show(std::size_t place)
{
    m_place = place;
    const auto& hint = m_hints[place];
    m_title->setText(hint.title);
    m_text->setText(hint.text);
    m_count->setText(tr("%1 of %2").arg(place + 1).arg(m_hints.size()));
    m_next->setText(place + 1 == m_hints.size() ? tr("Done") : tr("Next"));
    setAccessibleDescription(text());
    placeBubble();
    // Where the bubble is now: no event tells that it has moved from below the mouse.
    if (!m_waits && !m_bubble->geometry().contains(mapFromGlobal(QCursor::pos()))) m_timer.start();
    update();
}

void Tour::wait()
{
    m_waits = true;
    m_timer.stop();
}

void Tour::go(int by)
{
    if (by < 0 && m_place == 0) return;
    if (by > 0 && m_place + 1 >= m_hints.size()) return end();
    show(by < 0 ? m_place - 1 : m_place + 1);
}

void Tour::end()
{
    m_timer.stop();
    if (isHidden()) return;
    Q_EMIT ended();
    close();
}

QRect Tour::target() const
{
    const auto at = m_place < m_hints.size() ? m_hints[m_place].at : nullptr;
    if (!at) return {};
    return QRect(mapFromGlobal(at->mapToGlobal(QPoint(0, 0))), at->size()).intersected(rect());
}

/// Beside what it tells about where there is room, else in the middle of it.
void Tour::placeBubble()
{
    m_bubble->resize(kBubbleWidth, m_bubble->layout()->totalHeightForWidth(kBubbleWidth));
    const auto to = target();
    const auto size = m_bubble->size();
    QPoint at(to.center() - QPoint(size.width() / 2, size.height() / 2));
    if (to.right() + kTourGap + size.width() < width())
        at = {to.right() + kTourGap, to.top() + kTourGap};
    else if (to.left() - kTourGap - size.width() > 0)
        at = {to.left() - kTourGap - size.width(), to.top() + kTourGap};
    else if (to.bottom() + kTourGap + size.height() < height())
        at = {to.left(), to.bottom() + kTourGap};
    at.setX(std::clamp(at.x(), kTourGap, std::max(kTourGap, width() - size.width() - kTourGap)));
    at.setY(std::clamp(at.y(), kTourGap, std::max(kTourGap, height() - size.height() - kTourGap)));
    m_bubble->move(at);
}

void Tour::keyPressEvent(QKeyEvent* e)
{
    wait();
    switch (e->key()) {
    case Qt::Key_Escape: end(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
    case Qt::Key_Right: go(1); break;
    case Qt::Key_Left: go(-1); break;
    default: QWidget::keyPressEvent(e);
    }
}

void Tour::mousePressEvent(QMouseEvent*)
{
    wait();
    go(1);
}

bool Tour::focusNextPrevChild(bool next)
{
    const std::array<QWidget*, 3> stops{this, m_close, m_next};
    const auto here = static_cast<std::size_t>(std::find(stops.begin(), stops.end(), QApplication::focusWidget()) - stops.begin());
    stops[(here + (next ? 1 : stops.size() - 1)) % stops.size()]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void Tour::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shade, hole;
    shade.addRect(rect());
    hole.addRoundedRect(QRectF(target()), kRound, kRound);
    painter.fillPath(shade - hole, QColor(0, 0, 0, 110));
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(hole);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(m_bubble->geometry()), kRound, kRound);
}

/// Enter is a click, as Space is to buttons already, and arrows lead from hint to hint there, too.
bool Tour::pressButton(QKeyEvent& e)
{
    wait();
    const bool isEnter = e.key() == Qt::Key_Return || e.key() == Qt::Key_Enter;
    if (isEnter && m_close->hasFocus())
        end();
    else if (isEnter || e.key() == Qt::Key_Left || e.key() == Qt::Key_Right)
        keyPressEvent(&e);
    else
        return false;
    return true;
}

bool Tour::eventFilter(QObject* watched, QEvent* e)
{
    if (watched == parent() && e->type() == QEvent::Resize && !m_hints.empty()) {
        setGeometry(parentWidget()->rect());
        placeBubble();
    }

    if (watched == m_bubble && e->type() == QEvent::Enter) m_timer.stop();
    if (watched == m_bubble && e->type() == QEvent::Leave && !m_waits && isVisible()) m_timer.start();
    if ((watched == m_next || watched == m_close) && e->type() == QEvent::KeyPress) return pressButton(static_cast<QKeyEvent&>(*e));
    return QWidget::eventFilter(watched, e);
}
} // namespace dscope::gui
