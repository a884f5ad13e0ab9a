#include "gui/figure_view.h"
#include "gui/figure_painter.h"
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QThreadPool>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
namespace dscope::gui {
namespace {
/// One thread lays out for all views: Graphviz bears no second one.
QThreadPool& drafting()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}
} // namespace

FigureView::FigureView(QWidget* parent) : QWidget(parent), m_figure(std::make_shared<graph::Figure>())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Figure"));
}

FigureView::~FigureView() = default;

void FigureView::setVisual(std::shared_ptr<const graph::Visual> visual)
{
    m_visual = std::move(visual);
    layOut();
}

void FigureView::setTheme(graph::Theme theme)
{
    m_theme = theme;
    update();
}

void FigureView::layOut()
{
    if (!m_visual) return;
    if (m_laying) {
        m_again = true;
        return;
    }
    m_laying = true;
    graph::LayoutOptions options;
    options.width = std::max(240, width());
    options.height = std::max(160, height());
    options.forScreen = true;
    options.fit = false;
    options.focus = m_focus.toStdString();
    drafting().start([visual = m_visual, options, self = QPointer<FigureView>(this)] {
        auto figure = std::make_shared<const graph::Figure>(visual->figure(options));
        QMetaObject::invokeMethod(
            qApp,
            [self, figure] {
                if (!self) return;
                self->m_figure = figure;
                self->m_laying = false;
                if (!self->m_userZoomed) self->fitted();
                self->update();
                Q_EMIT self->drawn();
                if (std::exchange(self->m_again, false)) self->layOut();
            },
            Qt::QueuedConnection);
    });
}

void FigureView::fitted()
{
    if (m_figure->width <= 0 || m_figure->height <= 0) return;
    // Never larger than drawn, and never so small that nothing can be read: then it scrolls. What was laid out for this
    // width is only ever too high: stacks grow from the bottom, so that is what is seen first.
    const bool grows = m_figure->width <= width() + 1;
    m_scale = grows ? 1 : std::clamp(std::min(width() / m_figure->width, height() / m_figure->height), 0.55, 1.0);
    const bool fromBelow = m_visual && m_visual->name() == "flame";
    const double x = (width() - m_figure->width * m_scale) / 2, y = height() - m_figure->height * m_scale;
    m_origin = {std::max(0.0, x), fromBelow ? y : std::max(0.0, y / 2)};
}

int FigureView::search(const QString& text)
{
    m_search = text;
    update();
    if (text.isEmpty()) return 0;
    return static_cast<int>(std::count_if(m_figure->items.begin(), m_figure->items.end(), [&](const graph::Item& item) {
        return std::holds_alternative<graph::Box>(item.shape)
            && (QString::fromStdString(item.key).contains(text, Qt::CaseInsensitive)
                || QString::fromStdString(item.tip).contains(text, Qt::CaseInsensitive));
    }));
}

void FigureView::focusOn(const QString& key)
{
    if (key == m_focus) return;
    m_focus = key;
    m_userZoomed = false;
    layOut();
    Q_EMIT focusChanged(key);
}

void FigureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor::fromRgb(static_cast<QRgb>(graph::ground(m_theme))));
    painter.translate(m_origin);
    painter.scale(m_scale, m_scale);
    const QRectF visible(toFigure({0, 0}), toFigure({double(width()), double(height())}));
    paint(painter, *m_figure, m_theme, visible, m_search);
}

void FigureView::resizeEvent(QResizeEvent*) { layOut(); }

void FigureView::zoomAt(QPointF at, double factor)
{
    const auto fixed = toFigure(at);
    m_scale = std::clamp(m_scale * factor, 0.05, 40.0);
    m_origin = at - fixed * m_scale;
    m_userZoomed = true;
    update();
}

void FigureView::wheelEvent(QWheelEvent* e)
{
    if (e->modifiers() & Qt::ControlModifier)
        zoomAt(e->position(), std::pow(1.0015, e->angleDelta().y()));
    else {
        m_origin += QPointF(e->modifiers() & Qt::ShiftModifier ? QPoint(e->angleDelta().y(), 0) : e->angleDelta()) / 2;
        m_userZoomed = true;
        update();
    }
    e->accept();
}

void FigureView::mousePressEvent(QMouseEvent* e)
{
    m_pressed = e->position();
    m_dragFrom = m_origin;
    m_dragging = e->button() == Qt::LeftButton;
    m_moved = false;
}

void FigureView::mouseMoveEvent(QMouseEvent* e)
{
    if (!m_dragging) return;
    const auto by = e->position() - m_pressed;
    if (!m_moved && by.manhattanLength() < 5) return;
    m_moved = m_userZoomed = true;
    m_origin = m_dragFrom + by;
    update();
}

void FigureView::mouseReleaseEvent(QMouseEvent* e)
{
    if (!std::exchange(m_dragging, false) || m_moved) return;
    const auto* item = itemAt(e->position());
    Q_EMIT picked(item && item->row ? static_cast<int>(item->row->value) : -1);
    if (!item || item->role != graph::Role::Frame) return;
    m_back << m_focus;
    focusOn(QString::fromStdString(item->key));
}

void FigureView::keyPressEvent(QKeyEvent* e)
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    switch (e->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        if (!m_back.isEmpty())
            focusOn(m_back.takeLast());
        else {
            m_userZoomed = false;
            focusOn({});
            fitted();
            update();
        }
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomAt(middle, 1.25); return;
    case Qt::Key_Minus: zoomAt(middle, 0.8); return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const double step = 60;
        m_origin += QPointF(e->key() == Qt::Key_Left ? step
                : e->key() == Qt::Key_Right          ? -step
                                                     : 0,
            e->key() == Qt::Key_Up         ? step
                : e->key() == Qt::Key_Down ? -step
                                           : 0);
        m_userZoomed = true;
        update();
        return;
    }
    default: QWidget::keyPressEvent(e);
    }
}

const graph::Item* FigureView::itemAt(QPointF widget) const
{
    const auto at = toFigure(widget);
    for (auto item = m_figure->items.rbegin(); item != m_figure->items.rend(); ++item)
        if (!item->tip.empty() && std::holds_alternative<graph::Box>(item->shape) && bounds(*item).contains(at)) return &*item;
    return nullptr;
}

bool FigureView::event(QEvent* e)
{
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        // Plain text always: names come from the traced machine.
        if (const auto* item = itemAt(help->pos()))
            QToolTip::showText(help->globalPos(), QString::fromStdString(item->tip).toHtmlEscaped(), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(e);
}
} // namespace dscope::gui
