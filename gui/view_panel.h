#pragma once
#include "gui/figure_view.h"
#include "gui/flat_tabs.h"
#include <QLabel>
#include <QToolButton>
#include <QWidget>
namespace dscope::gui {
/// One place for views: tabs to choose by, the figure, and its export.
class ViewPanel : public QWidget {
    Q_OBJECT
public:
    explicit ViewPanel(QWidget* parent = nullptr);
    /// Offers `views` (indices into the snapshot's) and shows the one at `current` of them.
    void setViews(std::shared_ptr<const Snapshot> snapshot, std::vector<std::size_t> views, std::size_t current);
    void clear();
    /// The row of tabs and Export, for a title bar to take; it stands above the figure until then.
    QWidget* head() { return m_head; }
    FigureView& figure() { return *m_figure; }
    FlatTabs& tabs() { return *m_tabs; }
    /// What is said above the figure: of the run (Snapshot::said), and of a selection that it can't obey; empty: nothing.
    QString caveat() const { return m_caveat->isVisibleTo(this) ? m_caveat->text() : QString(); }
    /// The visual on show, or null.
    std::shared_ptr<const graph::Visual> shown() const { return m_figure->visual(); }

Q_SIGNALS:
    void exportAsked(std::shared_ptr<const dscope::graph::Visual> visual);
    void chosen(std::string_view view); ///< a tab was chosen: the name of its kind of view

private:
    QWidget* m_head;
    FlatTabs* m_tabs;
    QToolButton* m_export;
    QLabel* m_caveat;
    FigureView* m_figure;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<std::size_t> m_views; ///< of the snapshot, by tab
};
} // namespace dscope::gui
