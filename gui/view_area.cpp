#include "gui/view_area.h"
#include <QApplication>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
namespace dscope::gui {
ViewArea::ViewArea(QWidget* parent) : QWidget(parent)
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    for (std::size_t place = 0; place < m_panels.size(); ++place) {
        auto* panel = m_panels[place] = new ViewPanel;
        connect(panel, &ViewPanel::exportAsked, this, &ViewArea::exportAsked);
        connect(&panel->figure(), &FigureView::seen, this, &ViewArea::seenChanged);
        connect(panel, &ViewPanel::chosen, this, [this, place](std::string_view view) {
            // What the other place shows changes places with what was here.
            const auto here = m_panels[place]->shown(), there = m_panels[1 - place]->shown();
            if (here && there && there->name() == view) m_chosen[1 - place] = here->name();
            m_chosen[place] = view;
            arrange();
        });
    }
    m_panels[1]->figure().follow(m_panels[0]->figure());
    all->addWidget(m_panels[0]);
}

void ViewArea::want(bool isSecond)
{
    if (std::exchange(m_isSecond, isSecond) != isSecond) Q_EMIT secondWanted(isSecond);
}

QStringList ViewArea::chosen() const
{
    QStringList all;
    for (const auto& view : m_chosen)
        all << QString::fromStdString(view);
    return all;
}

void ViewArea::setChosen(const QStringList& views)
{
    for (std::size_t place = 0; place < m_chosen.size(); ++place)
        m_chosen[place] = views.value(static_cast<qsizetype>(place)).toStdString();
    arrange();
}

void ViewArea::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_snapshot = snapshot;
    arrange();
}

void ViewArea::clear(const QString& emptyText)
{
    m_snapshot.reset();
    m_count = 0;
    for (auto* panel : m_panels) {
        panel->clear();
        panel->figure().setEmptyText(emptyText);
    }
    want(false);
}

void ViewArea::setSplit(bool split)
{
    m_split = split;
    arrange();
}

void ViewArea::setColours(const graph::Palette& colours)
{
    for (auto* panel : m_panels)
        panel->figure().setColours(colours);
}

void ViewArea::show(std::string_view view, const QString& focus)
{
    const auto shows = [&](const ViewPanel* panel) { return panel->shown() && panel->shown()->name() == view; };
    if (std::none_of(m_panels.begin(), m_panels.begin() + static_cast<std::ptrdiff_t>(m_count), shows)) {
        m_chosen[0] = view;
        arrange();
    }
    for (std::size_t place = 0; place < m_count; ++place)
        if (shows(m_panels[place])) m_panels[place]->figure().focusOn(focus);
}

ViewPanel& ViewArea::current()
{
    // Its title bar may stand elsewhere, and both in a window of their own.
    const auto* focus = QApplication::focusWidget() ? QApplication::focusWidget() : window()->focusWidget();
    const auto& second = *m_panels[1];
    const bool isSecond
        = m_count > 1 && focus && (second.isAncestorOf(focus) || (second.parentWidget() && second.parentWidget()->isAncestorOf(focus)));
    return *m_panels[isSecond ? 1 : 0];
}

void ViewArea::arrange()
{
    if (!m_snapshot) return;
    const auto& views = m_snapshot->views;
    std::vector<std::size_t> figures; // a table has its own place, below the program
    for (std::size_t i = 0; i < views.size(); ++i)
        if (!views[i].facts.isTable) figures.push_back(i);
    m_count = std::min<std::size_t>(figures.size(), m_split ? 2 : 1);
    if (m_count == 0) {
        want(false);
        m_panels[0]->clear();
        m_panels[0]->figure().setEmptyText(
            tr("This program draws no picture: what it records is in the table, what it prints in the output.\n\n"
               "Aggregate, as with @[execname] = count() or quantize(), and it does."));
        return;
    }

    // First what was chosen, then what is best of the rest.
    std::array<std::size_t, 2> shown{views.size(), views.size()};
    for (std::size_t place = 0; place < m_count; ++place)
        for (const auto i : figures)
            if (views[i].facts.name == m_chosen[place] && i != shown[0]) shown[place] = i;
    const auto fill = [&](std::size_t place, auto fits) {
        for (const auto i : figures)
            if (shown[place] == views.size() && i != shown[0] && i != shown[1] && fits(views[i])) shown[place] = i;
    };
    const auto any = [](const Snapshot::View&) { return true; };
    fill(0, any);
    // Stacks say nothing of when: what does stands beside them.
    if (m_count > 1 && shown[0] < views.size() && views[shown[0]].facts.heeds.amounts == graph::Heeds::Amounts::Stacks)
        fill(1, [](const Snapshot::View& view) { return view.facts.isOverTime && !view.visual->isSlight(); });
    if (m_count > 1) fill(1, any);
    for (std::size_t place = 0; place < m_count; ++place) {
        const auto current = static_cast<std::size_t>(std::find(figures.begin(), figures.end(), shown[place]) - figures.begin());
        m_panels[place]->setViews(m_snapshot, figures, current);
    }
    want(m_count > 1);
    Q_EMIT seenChanged();
}

std::set<std::string, std::less<>> ViewArea::seen() const
{
    std::set<std::string, std::less<>> all;
    for (std::size_t place = 0; place < m_count; ++place)
        if (m_panels[place]->shown() && m_panels[place]->figure().isSeen()) all.emplace(m_panels[place]->shown()->name());
    return all;
}
} // namespace dscope::gui
