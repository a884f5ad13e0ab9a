#pragma once
#include "gui/figure_view.h"
#include <QLabel>
#include <QTabBar>
#include <QToolButton>
#include <QWidget>
namespace dscope::gui {
/// One place for views: tabs to choose by, the figure, and its export.
class ViewPanel : public QWidget {
    Q_OBJECT
public:
    /// `place`: which of the program's views is shown first, 0 the best.
    explicit ViewPanel(int place, QWidget* parent = nullptr);
    /// Shows what the snapshot has; the view chosen before stays chosen.
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void clear();
    FigureView& figure() { return *m_figure; }
    /// The visual on show, or null.
    std::shared_ptr<const graph::Visual> shown() const;

Q_SIGNALS:
    void exportAsked(std::shared_ptr<const dscope::graph::Visual> visual);

private:
    void display(int tab);
    int m_place;
    QTabBar* m_tabs;
    QToolButton* m_export;
    FigureView* m_figure;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<std::size_t> m_views; ///< of the snapshot, by tab
    std::string m_chosen;
    bool m_filling = false;
};
} // namespace dscope::gui
