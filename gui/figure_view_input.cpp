// What a person does in the figure view, by mouse and by keyboard.
#include "graph/figure_tree.h"
#include "gui/figure_view.h"
#include "gui/style.h"
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>
namespace dscope::gui {
namespace {
constexpr double kStep = 60;                ///< px the keyboard pans by
constexpr double kLeastScale = 0.02, kMostScale = 60; ///< scales
constexpr double kLeastPart = 1e-6;         ///< of the width: a sample of a million
} // namespace

/// The time axis at a place: of several below each other that whose plot it is in, else the last.
const graph::TimePlot* FigureView::timePlotAt(QPointF widget) const
{
    const auto& all = figure().times;
    const double y = toFigure(widget).y();
    const auto here
        = std::find_if(all.begin(), all.end(), [y](const graph::TimePlot& p) { return y >= p.area.y && y <= p.area.y + p.area.height; });
    return here != all.end() ? &*here : all.empty() ? nullptr : &all.back();
}

/// What the figure's root covers, in the widget's coordinates: the part that is shown fills it.
QRectF FigureView::root() const
{
    const auto& tree = figure().tree;
    return tree.empty() || !tree.front().item ? QRectF(rect()) : placeOf(tree.front().item->value);
}

void FigureView::showPart(double from, double span)
{
    if (!zoomsAlong()) return;
    span = std::clamp(span, kLeastPart, 1.0);
    from = std::clamp(from, 0.0, 1 - span);
    const graph::WidthPart part{from, from + span};
    if (part == m_part) return;
    m_part = part;
    layOut();
}

void FigureView::zoomAt(QPointF at, double factor)
{
    if (zoomsAlong()) {
        const auto all = root();
        const double share = std::clamp((at.x() - all.left()) / std::max(all.width(), 1.0), 0.0, 1.0);
        const double span = m_part.to - m_part.from, next = std::clamp(span / factor, kLeastPart, 1.0);
        showPart(m_part.from + share * (span - next), next);
        return;
    }
    const auto fixed = toFigure(at);
    m_scale = std::clamp(m_scale * factor, kLeastScale, kMostScale);
    m_origin = at - fixed * m_scale;
    m_userZoomed = true;
    update();
}

void FigureView::moveBy(QPointF by)
{
    if (by.isNull()) return;
    if (zoomsAlong() && !m_part.isAll()) {
        const double span = m_part.to - m_part.from;
        showPart(m_part.from - by.x() / std::max(root().width(), 1.0) * span, span);
        by.setX(0);
        if (by.isNull()) return;
    }
    m_origin += by;
    m_userZoomed = true;
    update();
}

void FigureView::wheelEvent(QWheelEvent* e)
{
    if (e->modifiers() & Qt::ControlModifier)
        zoomAt(e->position(), std::pow(1.0015, e->angleDelta().y()));
    else
        moveBy(QPointF(e->modifiers() & Qt::ShiftModifier ? QPoint(e->angleDelta().y(), 0) : e->angleDelta()) / 2);
    e->accept();
}

void FigureView::mousePressEvent(QMouseEvent* e)
{
    m_pressed = e->position();
    m_dragFrom = m_origin;
    m_partFrom = m_part;
    m_dragging = e->button() == Qt::LeftButton;
    m_moved = false;
    m_stretchTo.reset();
    if (m_dragging && (e->modifiers() & Qt::ShiftModifier) && timePlotAt(m_pressed)) m_stretchTo = m_pressed;
}

void FigureView::mouseMoveEvent(QMouseEvent* e)
{
    if (!m_dragging) return;
    const auto by = e->position() - m_pressed;
    if (!m_moved && by.manhattanLength() < 5) return;
    m_moved = true;
    if (m_stretchTo)
        m_stretchTo = e->position();
    else {
        auto move = by;
        if (zoomsAlong() && !m_partFrom.isAll()) {
            const double span = m_partFrom.to - m_partFrom.from;
            showPart(m_partFrom.from - by.x() / std::max(root().width(), 1.0) * span, span);
            move.setX(0);
        }
        m_userZoomed = true;
        m_origin = m_dragFrom + move;
    }
    update();
}

void FigureView::mouseReleaseEvent(QMouseEvent* e)
{
    const bool wasDragging = std::exchange(m_dragging, false);
    if (const auto to = std::exchange(m_stretchTo, std::nullopt); to && m_moved) {
        update();
        if (const auto* plot = timePlotAt(m_pressed)) {
            const auto at = [&](QPointF widget) {
                const double share = std::clamp((toFigure(widget).x() - plot->area.x) / plot->area.width, 0.0, 1.0);
                return plot->from + static_cast<std::int64_t>(share * static_cast<double>(plot->to - plot->from));
            };
            const auto [from, until] = std::minmax({at(m_pressed), at(*to)}); // as values: those of the other form are gone by now
            if (from < until) Q_EMIT timeChosen(from, until);
        }
        return;
    }
    if (!wasDragging || m_moved) return;
    pick(m_drawing->markAt(toFigure(e->position())));
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* e)
{
    if (e->button() != Qt::LeftButton) return;
    const auto mark = m_drawing->markAt(toFigure(e->position()));
    if (!mark)
        fit();
    else if (!m_visual->facts().hasFocus) // there a click has shown it alone
        Q_EMIT asked(*mark, e->globalPosition().toPoint());
}

void FigureView::pick(std::optional<std::size_t> mark)
{
    m_current = mark;
    update();
    const auto* item = mark ? &figure().items[*mark] : nullptr;
    Q_EMIT picked(item && item->row ? static_cast<int>(item->row->value) : -1);
    if (mark) Q_EMIT markChosen(*mark);
    if (item && item->role == graph::Role::Frame) focusOn(QString::fromStdString(item->key));
}

void FigureView::walk(Qt::Key direction)
{
    const auto& marks = m_drawing->marks();
    if (marks.empty()) return;
    if (!m_current) {
        standOn(marks.front(), Bring::IntoView);
        return;
    }

    if (figure().items[*m_current].node) {
        walkTree(direction);
        return;
    }

    // The nearest mark that lies in the direction; what lies aside counts double.
    const auto from = m_drawing->box(*m_current);
    const auto gap = [](double a, double b, double c, double d) { return std::max({0.0, c - b, a - d}); };
    std::optional<std::size_t> best;
    double least = 0;
    for (const auto mark : marks) {
        const auto& to = m_drawing->box(mark);
        const bool acrossIsX = direction == Qt::Key_Left || direction == Qt::Key_Right;
        const double by = direction == Qt::Key_Left ? from.left() - to.right()
            : direction == Qt::Key_Right            ? to.left() - from.right()
            : direction == Qt::Key_Up               ? from.top() - to.bottom()
                                                    : to.top() - from.bottom();
        if (mark == *m_current || by < -1) continue;
        const double aside
            = acrossIsX ? gap(from.top(), from.bottom(), to.top(), to.bottom()) : gap(from.left(), from.right(), to.left(), to.right());
        const double between = acrossIsX ? std::abs(from.center().y() - to.center().y()) : std::abs(from.left() - to.left());
        const double cost = by + 2 * aside + between / 100;
        if (best && cost >= least) continue;
        best = mark;
        least = cost;
    }
    if (best) standOn(*best, Bring::IntoView);
}

/// From frame to frame: to the caller, to the heaviest that it calls, to the next at the same depth.
void FigureView::walkTree(Qt::Key direction)
{
    const auto& tree = figure().tree;
    const auto here = *figure().items[*m_current].node;
    const auto next = direction == Qt::Key_Left ? graph::beside(figure(), here, -1)
        : direction == Qt::Key_Right            ? graph::beside(figure(), here, 1)
                                                : std::optional<graph::NodeId>();
    if (next) standOn(tree[next->value].item->value, Bring::IntoView);
    if (direction == Qt::Key_Left || direction == Qt::Key_Right) return;

    const auto keyTo = [&](graph::NodeId id) {
        const auto& node = tree[id.value];
        const bool isUp = node.isCaller || m_visual->facts().growth == graph::Growth::Up;
        return isUp ? Qt::Key_Up : Qt::Key_Down;
    };
    std::optional<graph::NodeId> best;
    for (const auto child : graph::drawnBelow(figure(), here))
        if (keyTo(child) == direction && (!best || tree[child.value].weight > tree[best->value].weight)) best = child;
    const auto caller = graph::callerOf(figure(), here);
    if (caller && keyTo(here) != direction) best = caller;
    if (best) standOn(tree[best->value].item->value, Bring::IntoView);
}

void FigureView::keyPressEvent(QKeyEvent* e)
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    const auto key = static_cast<Qt::Key>(e->key());
    const bool pans = e->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    switch (key) {
    case Qt::Key_Escape:
    case Qt::Key_Backspace: back(); return;
    case Qt::Key_Home: fit(); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomAt(middle, 1.25); return;
    case Qt::Key_Minus: zoomAt(middle, 0.8); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current) pick(m_current);
        return;
    case Qt::Key_Slash: Q_EMIT searchAsked(); return;
    case Qt::Key_N: step(e->modifiers() & Qt::ShiftModifier ? -1 : 1); return;
    case Qt::Key_PageUp: moveBy({0, height() * 0.9}); return;
    case Qt::Key_PageDown: moveBy({0, height() * -0.9}); return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!pans)
            walk(key);
        else
            moveBy({key == Qt::Key_Left    ? kStep
                    : key == Qt::Key_Right ? -kStep
                                           : 0,
                key == Qt::Key_Up         ? kStep
                    : key == Qt::Key_Down ? -kStep
                                          : 0});
        return;
    default: QWidget::keyPressEvent(e);
    }
}

void FigureView::contextMenuEvent(QContextMenuEvent* e)
{
    const bool byKey = e->reason() == QContextMenuEvent::Keyboard;
    const auto mark = byKey ? m_current : m_drawing->markAt(toFigure(e->pos()));
    if (!mark) return;
    m_current = mark;
    update();
    Q_EMIT asked(*mark, byKey ? mapToGlobal(placeOf(*mark).center().toPoint()) : e->globalPos());
}

bool FigureView::event(QEvent* e)
{
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        if (const auto mark = m_drawing->markAt(toFigure(help->pos())))
            QToolTip::showText(help->globalPos(), plainTip(QString::fromStdString(figure().items[*mark].tip)), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(e);
}
} // namespace dscope::gui
