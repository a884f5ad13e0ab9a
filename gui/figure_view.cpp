#include "gui/figure_view.h"
#include "graph/layout_patience.h"
#include "gui/ended_elsewhere.h"
#include "gui/figure_accessible.h"
#include "gui/tongue.h"
#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <utility>
namespace dscope::gui {
namespace {
constexpr double kSmallestFit = 0.75; ///< below it nothing can be read: then the figure scrolls
constexpr double kLeast = 0.02;       ///< scale
constexpr unsigned kMostSeconds = 5;  ///< of a processor's time, for a graph's layout
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

// The thread ends soon: what it draws is not wanted any more.
FigureView::~FigureView()
{
    if (m_isUnwanted) *m_isUnwanted = true;
}

void FigureView::setSaid(std::vector<std::string> said)
{
    m_isSaidNew = m_isSaidNew || said != m_said;
    m_said = std::move(said);
}

void FigureView::setVisual(std::shared_ptr<const graph::Visual> visual, Draw when)
{
    const bool hasCome = m_isAwaited && when == Draw::Now;
    if (visual && visual == m_visual && !m_isSaidNew && !hasCome) return; // a visual never changes
    m_isSaidNew = false;
    const bool isOther = !visual || !m_visual || visual->name() != m_visual->name();
    m_visual = std::move(visual);
    if (isOther && m_isUnwanted) *m_isUnwanted = true;
    if (isOther) {
        m_focus.clear();
        m_back.clear();
        m_userZoomed = false;
        m_part = {};
    }
    // Of the view that is on show already what it was stays until the next.
    m_isAwaited = m_visual && when == Draw::WhenRenewed && (isOther || m_isAwaited);
    layOut();
    if (m_visual && !m_isAwaited && !(isOther && m_isStale)) return;
    m_again = m_isBehind = false;
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
    if (!m_visual || m_isAwaited) return;
    m_isStale = !isSeen();
    if (m_isStale) return;
    if (m_laying) {
        m_again = true;
        return;
    }

    m_isBehind = m_first && m_first->m_laying && m_first->isVisible();
    if (m_isBehind) return;
    m_laying = true;
    graph::LayoutOptions options;
    options.width = std::max(240, width());
    options.height = std::max(140, height());
    options.forScreen = true;
    options.fit = false;
    options.focus = m_focus.toStdString();
    options.said = m_said;
    if (zoomsAlong()) options.part = m_part;
    m_isUnwanted = std::make_shared<std::atomic<bool>>(false);
    m_drafting.start([visual = m_visual, options, isUnwanted = m_isUnwanted, self = QPointer<FigureView>(this)] {
        graph::LayoutPatience patience(*isUnwanted, kMostSeconds);
        const auto tongue = tongueOfWindow();
        std::shared_ptr<const Drawing> drawing = endedElsewhere(std::make_unique<Drawing>(visual->figure(options)));
        QMetaObject::invokeMethod(
            qApp,
            [self, visual, drawing, isSimplified = patience.hasGivenUp()] {
                if (!self) return;
                self->m_laying = false;
                // What was laid out may no longer be wanted: another view, or none.
                if (self->m_visual && !self->m_isAwaited && self->m_visual->name() == visual->name())
                    self->present(drawing);
                else
                    Q_EMIT self->unwanted();
                if (isSimplified) Q_EMIT self->simplified();
                if (std::exchange(self->m_again, false)) self->layOut();
            },
            Qt::QueuedConnection);
    });
}

void FigureView::follow(FigureView& first)
{
    m_first = &first;
    const auto begin = [this] {
        if (std::exchange(m_isBehind, false)) layOut();
    };
    connect(&first, &FigureView::drawn, this, begin);
    connect(&first, &FigureView::unwanted, this, begin);
}

void FigureView::present(std::shared_ptr<const Drawing> drawing)
{
    const std::string key = m_current ? figure().items[*m_current].key : std::string();
    // What grows from below stays there, however many rows a closer look has found above it.
    if (m_userZoomed && m_visual && m_visual->facts().growth == graph::Growth::Up && !m_drawing->marks().empty()) {
        const double higher = (drawing->figure().height - figure().height) * m_scale;
        m_origin.ry() -= higher;
        m_dragFrom.ry() -= higher;
    }
    m_drawing = std::move(drawing);
    m_current.reset();
    if (!key.empty())
        for (const auto mark : m_drawing->marks())
            if (figure().items[mark].key == key) m_current = mark;
    findMatches();
    findChosen();
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
    if (m_drawing->marks().empty()) return;
    if (isTall) {
        // What all comes from is drawn first: a tree that grows to the right has it halfway down. Lines and bars come from nothing.
        const auto mark = m_drawing->marks().front();
        const auto role = sheet.items[mark].role;
        const bool isOrigin = role == graph::Role::Node || role == graph::Role::Frame;
        const auto first = m_drawing->box(mark);
        if (!fromBelow && isOrigin && first.bottom() > height())
            m_origin.setY(std::clamp(height() / 2.0 - first.center().y(), std::min(0.0, y), 0.0));
        return;
    }

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

void FigureView::choose(const QString& function)
{
    if (std::exchange(m_chosen, function) != function) findChosen();
}

QString FigureView::functionOf(std::size_t item) const
{
    const auto& mark = figure().items[item];
    if (!m_visual || !m_visual->stacks() || (mark.role != graph::Role::Frame && mark.role != graph::Role::Node)) return {};
    return QString::fromStdString(mark.node ? figure().tree[mark.node->value].name : mark.key);
}

void FigureView::findChosen()
{
    m_chosenItems = m_visual && m_visual->stacks() ? itemsOf(figure(), m_chosen) : std::vector<std::size_t>();
    update();
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

void FigureView::resizeEvent(QResizeEvent*) { layOut(); }

void FigureView::showEvent(QShowEvent* e)
{
    QWidget::showEvent(e);
    if (m_isStale) layOut();
    Q_EMIT seen();
}

void FigureView::hideEvent(QHideEvent* e)
{
    QWidget::hideEvent(e);
    Q_EMIT seen();
}
} // namespace dscope::gui
