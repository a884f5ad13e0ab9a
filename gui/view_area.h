#pragma once
#include "gui/view_panel.h"
#include <QStringList>
#include <array>
#include <set>
#include <string>
namespace dscope::gui {
/// Two places for views that never show the same one: choosing what the other shows swaps them. The first is this widget; the second,
/// panel(1), stands wherever its owner puts it, and is asked for by secondWanted().
class ViewArea : public QWidget {
    Q_OBJECT
public:
    explicit ViewArea(QWidget* parent = nullptr);
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    /// Before a run: nothing to show.
    void clear(const QString& emptyText);
    /// Whether there are two places when there are two views to show.
    void setSplit(bool split);
    bool isSplit() const { return m_split; }
    /// The views that somebody has chosen, by place; empty: the best that is left.
    QStringList chosen() const;
    void setChosen(const QStringList& views);
    void setColours(const graph::Palette& colours);
    ViewPanel& panel(std::size_t place) { return *m_panels[place]; }
    /// A view, and what of it to show alone (FigureView::focusOn); where no place shows it the first does.
    void show(std::string_view view, const QString& focus);
    /// Places that show something.
    std::size_t count() const { return m_count; }
    /// The names of the views that somebody sees.
    std::set<std::string, std::less<>> seen() const;
    /// The panel that has the keyboard, else the first.
    ViewPanel& current();

Q_SIGNALS:
    void exportAsked(std::shared_ptr<const dscope::graph::Visual> visual);
    void secondWanted(bool isWanted); ///< whether panel(1) has something to show
    void seenChanged();               ///< seen() may give something else

private:
    void arrange();
    void want(bool isSecond);
    std::array<ViewPanel*, 2> m_panels{};
    std::array<std::string, 2> m_chosen; ///< views by name; empty: the best that is left
    std::shared_ptr<const Snapshot> m_snapshot;
    std::size_t m_count = 0;
    bool m_split = true, m_isSecond = false;
};
} // namespace dscope::gui
