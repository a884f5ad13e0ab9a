#pragma once
#include "gui/cost_tree_model.h"
#include <QTreeView>
namespace dscope::gui {
/// A tree of functions to read: arrows open and close rows, a click on a title sorts, Ctrl+C copies.
class CostTreePage : public QTreeView {
    Q_OBJECT
public:
    explicit CostTreePage(const QString& accessibleName, QWidget* parent = nullptr);
    CostTreeModel& costs() { return *m_model; }
    /// Opens the one row below each row for as long as there is only one: what has no choice needs no click.
    void setTree(std::unique_ptr<graph::CostTree> tree, const graph::StackMeasure& measure);
    /// Stands on the first of the rows that are open which is about this function; nothing happens where none is.
    void choose(const QString& name);

public Q_SLOTS:
    /// The rows that are chosen, as a spreadsheet takes them: a line each, cells apart by tabs, names moved in by their level.
    void copy();

Q_SIGNALS:
    void functionCurrent(const QString& name); ///< it was clicked, or the keyboard came to it
    void functionAsked(const QString& name, const QPoint& at);
    void functionChosen(const QString& name); ///< a double click, or Enter

protected:
    void keyPressEvent(QKeyEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    CostTreeModel* m_model;
    bool m_isQuiet = false; ///< the row is chosen by the program
};
} // namespace dscope::gui
