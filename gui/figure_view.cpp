#include "gui/figure_view.h"
#include "graph/figure_tree.h"
#include "gui/figure_accessible.h"
#include "gui/style.h"
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
namespace dscope::gui {
namespace {
constexpr double kStep = 60;                ///< px the keyboard pans by
constexpr double kSmallestFit = 0.75;       ///< below it nothing can be read: then the figure scrolls
constexpr double kLeast = 0.02, kMost = 60; ///< scales
constexpr double kLeastPart = 1e-6;         ///< of the width: a sample of a million
} // namespace

FigureView::FigureView(QWidget* parent) : QWidget(parent), m_drawing(std::make_shared<Drawing>())
{
    m_drafting.setMaxThreadCount(1);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 140);
    setAccessibleName(tr("Figure"));
    makeFiguresAccessible();
}

FigureView::~FigureView() = default;

void FigureView::setVisual(std::shared_ptr<const graph::Visual> visual)
{
    const bool isOther = !visual || !m_visual || visual->name() != m_visual->name();
    m_visual = std::move(visual);
    if (isOther) {
        m_focus.clear();
        m_back.clear();
        m_userZoomed = false;
        m_part = {};
    }
    if (m_visual) {
        layOut();
        return;
    }
    m_again = false;
    present(std::make_shared<Drawing>());
}

void FigureView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    update();
}

void FigureView::setColours(const graph::Palette& colours)
{
    m_colours = colours;
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
    options.height = std::max(140, height());
    options.forScreen = true;
    options.fit = false;
    options.focus = m_focus.toStdString();
    options.said = m_said;
    if (zoomsAlong()) options.part = m_part;
    m_drafting.start([visual = m_visual, options, self = QPointer<FigureView>(this)] {
        auto drawing = std::make_shared<const Drawing>(visual->figure(options));
        QMetaObject::invokeMethod(
            qApp,
            [self, visual, drawing] {
                if (!self) return;
                self->m_laying = false;
                // What was laid out may no longer be wanted: another view, or none.
                if (self->m_visual && self->m_visual->name() == visual->name()) self->present(drawing);
                if (std::exchange(self->m_again, false)) self->layOut();
            },
            Qt::QueuedConnection);
    });
}

void FigureView::present(std::shared_ptr<const Drawing> drawing)
{
    const std::string key = m_current ? figure().items[*m_current].key : std::string();
    m_drawing = std::move(drawing);
    m_current.reset();
    if (!key.empty())
        for (const auto mark : m_drawing->marks())
            if (figure().items[mark].key == key) m_current = mark;
    findMatches();
    if (!m_userZoomed) place();
    update();
    tellNewMarks(*this);
    Q_EMIT drawn();
}

void FigureView::fit()
{
    m_userZoomed = false;
    showPart(0, 1);
    place();
}

/// Where the figure lies in the view until a person moves it.
void FigureView::place()
{
    update();
    const auto& sheet = figure();
    if (sheet.width <= 0 || sheet.height <= 0) return;
    // Never larger than drawn. A figure that was laid out for this width can only be too high. A flame graph then shows its
    // bottom first, because it grows from there.
    const bool isTall = sheet.width <= width() + 1;
    m_scale = isTall ? 1 : std::clamp(std::min(width() / sheet.width, height() / sheet.height), kSmallestFit, 1.0);
    const bool fromBelow = m_visual && m_visual->facts().growth == graph::Growth::Up;
    const double x = (width() - sheet.width * m_scale) / 2, y = height() - sheet.height * m_scale;
    m_origin = {std::max(0.0, x), fromBelow ? y : std::max(0.0, y / 2)};
    if (isTall || m_drawing->marks().empty()) return;

    // A wide graph may have nothing in its corner.
    const auto& marks = m_drawing->marks();
    const QRectF seen(toFigure({0, 0}), QSizeF(width(), height()) / m_scale);
    if (std::any_of(marks.begin(), marks.end(), [&](std::size_t mark) { return seen.contains(m_drawing->box(mark)); })) return;
    const auto area = [&](std::size_t mark) { return m_drawing->box(mark).width() * m_drawing->box(mark).height(); };
    const auto largest = *std::max_element(marks.begin(), marks.end(), [&](std::size_t a, std::size_t b) { return area(a) < area(b); });
    const auto to = rect().center() - m_drawing->box(largest).center() * m_scale;
    const auto within = [](double at, double whole, double view) { return std::clamp(at, std::min(0.0, view - whole), 0.0); };
    m_origin = {within(to.x(), sheet.width * m_scale, width()), within(to.y(), sheet.height * m_scale, height())};
}

void FigureView::showWhole()
{
    fit();
    const auto& sheet = figure();
    if (sheet.width <= 0 || sheet.height <= 0) return;
    m_scale = std::clamp(std::min(width() / sheet.width, height() / sheet.height), kLeast, 1.0);
    m_origin = {(width() - sheet.width * m_scale) / 2, (height() - sheet.height * m_scale) / 2};
    m_userZoomed = m_scale < 1;
}

const Found& FigureView::search(const QString& text)
{
    if (text == m_search) return m_found;
    m_search = text;
    m_found.share.reset();
    findMatches();
    return m_found;
}

void FigureView::findMatches()
{
    m_found.items = matchesOf(figure(), m_search);
    update();
    const int mine = ++*m_searches;
    if (m_search.isEmpty() || !m_visual) {
        m_found.share.reset();
        Q_EMIT searched();
        return;
    }

    Q_EMIT searched();
    m_drafting.start([visual = m_visual, searches = m_searches, mine, text = m_search, focus = m_focus.toStdString(),
                         self = QPointer<FigureView>(this)] {
        if (*searches != mine) return;
        auto share = visual->share(nameTest(text), focus);
        QMetaObject::invokeMethod(
            qApp,
            [self, searches, mine, share = std::move(share)] {
                if (!self || *searches != mine) return;
                self->m_found.share = share;
                Q_EMIT self->searched();
            },
            Qt::QueuedConnection);
    });
}

void FigureView::step(int by)
{
    if (m_found.items.empty()) return;
    const auto& all = m_found.items;
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    auto next = by > 0 ? std::ptrdiff_t{0} : count - 1;
    if (m_current) {
        const auto here = std::lower_bound(all.begin(), all.end(), *m_current) - all.begin();
        const bool isMatch = here < count && all[static_cast<std::size_t>(here)] == *m_current;
        next = by > 0 ? here + (isMatch ? 1 : 0) : here - 1;
    }
    standOn(all[static_cast<std::size_t>((next + count) % count)], Bring::ToTheMiddle);
}

void FigureView::standOn(std::size_t mark, Bring how)
{
    const bool inTheMiddle = how == Bring::ToTheMiddle;
    m_current = mark;
    const auto place = placeOf(mark);
    const QRectF view = rect();
    if (inTheMiddle || !view.contains(place)) {
        QPointF by = view.center() - place.center();
        // What is wider than the view starts at its left edge; what is seen already needn't move.
        if (place.width() > view.width()) by.setX(std::max(by.x(), 8 - place.left()));
        if (place.left() >= 0 && place.right() <= view.width()) by.setX(0);
        if (!inTheMiddle && place.top() >= 0 && place.bottom() <= view.height()) by.setY(0);
        moveBy(by);
    }
    update();
    if (const auto index = currentMark()) tellFocus(*this, *index);
    Q_EMIT pointedAt(QString::fromStdString(figure().items[mark].tip));
    Q_EMIT markChosen(mark);
}

std::optional<int> FigureView::indexOf(std::optional<std::size_t> item) const
{
    const auto& marks = m_drawing->marks();
    if (!item) return std::nullopt;
    const auto found = std::find(marks.begin(), marks.end(), *item);
    return found == marks.end() ? std::nullopt : std::optional(static_cast<int>(found - marks.begin()));
}

void FigureView::goTo(int mark) { standOn(m_drawing->marks().at(static_cast<std::size_t>(mark)), Bring::IntoView); }

void FigureView::press(int mark) { pick(m_drawing->marks().at(static_cast<std::size_t>(mark))); }

void FigureView::focusOn(const QString& path)
{
    if (path == m_focus) return;
    m_back << m_focus;
    m_focus = path;
    m_userZoomed = false;
    m_part = {};
    layOut();
    Q_EMIT focusChanged(path);
}

void FigureView::back()
{
    if (m_back.isEmpty()) {
        fit();
        return;
    }
    m_focus = m_back.takeLast();
    m_userZoomed = false;
    m_part = {};
    layOut();
    Q_EMIT focusChanged(m_focus);
}

QRectF FigureView::placeOf(std::size_t item) const
{
    const auto& box = m_drawing->box(item);
    return {m_origin + box.topLeft() * m_scale, box.size() * m_scale};
}

void FigureView::outline(QPainter& painter, std::size_t item, std::int32_t colour, double width) const
{
    // 2 px on screen whatever the zoom, and at least so wide that it can be seen.
    auto place = placeOf(item);
    if (place.width() < 4) place.setWidth(4);
    painter.setBrush(Qt::NoBrush);
    // On a rim of the ground's colour it is seen on every fill.
    for (const auto& [rgb, thickness] : {std::pair(graph::ground(m_colours), width + 2), std::pair(colour, width)}) {
        painter.setPen(QPen(QColor::fromRgb(static_cast<QRgb>(rgb)), thickness));
        painter.drawRect(place.adjusted(1, 1, -1, -1));
    }
}

void FigureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), QColor::fromRgb(static_cast<QRgb>(graph::ground(m_colours))));
    if (!m_visual) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
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

/// The time axis at a place: of several below each other that whose plot it is in, else the last.
const graph::TimePlot* FigureView::timePlotAt(QPointF widget) const
{
    const auto& all = figure().times;
    const double y = toFigure(widget).y();
    const auto here
        = std::find_if(all.begin(), all.end(), [y](const graph::TimePlot& p) { return y >= p.area.y && y <= p.area.y + p.area.height; });
    return here != all.end() ? &*here : all.empty() ? nullptr : &all.back();
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

void FigureView::resizeEvent(QResizeEvent*) { layOut(); }

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
    m_scale = std::clamp(m_scale * factor, kLeast, kMost);
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
            const auto [from, until] = std::minmax(at(m_pressed), at(*to));
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
