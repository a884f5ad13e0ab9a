#pragma once
#include "gui/view_panel.h"
#include <QSplitter>
#include <array>
#include <string>
namespace dscope::gui {
/// The right column: one place for views, or two that never show the same one: choosing what the other shows swaps them.
class ViewArea : public QSplitter {
    Q_OBJECT
public:
    explicit ViewArea(QWidget* parent = nullptr);
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    /// Before a run: nothing to show, and what was chosen is forgotten.
    void clear(const QString& emptyText);
    /// Whether there are two places when there are two views to show.
    void setSplit(bool split);
    void setColours(const graph::Palette& colours);
    ViewPanel& panel(std::size_t place) { return *m_panels[place]; }
    /// A view, and what of it to show alone (FigureView::focusOn); where no place shows it the first does.
    void show(std::string_view view, const QString& focus);
    /// Places that show something.
    std::size_t count() const { return m_count; }
    /// The panel that has the keyboard, else the first.
    ViewPanel& current();

Q_SIGNALS:
    void exportAsked(std::shared_ptr<const dscope::graph::Visual> visual);

private:
    void arrange();
    std::array<ViewPanel*, 2> m_panels{};
    std::array<std::string, 2> m_chosen; ///< views by name; empty: the best that is left
    std::shared_ptr<const Snapshot> m_snapshot;
    std::size_t m_count = 0;
    bool m_split = true;
};
} // namespace dscope::gui
