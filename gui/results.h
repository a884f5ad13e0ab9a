#pragma once
#include "gui/feed.h"
#include "gui/flat_tabs.h"
#include "gui/output_view.h"
#include "gui/table_page.h"
#include <QLabel>
#include <QWidget>
namespace dscope::gui {
/// Below the program: its table, and what it prints.
class Results : public QWidget {
    Q_OBJECT
public:
    explicit Results(QWidget* parent = nullptr);
    /// Its tabs, for a title bar to take; they stand above until then.
    QWidget* head() { return m_head; }
    void clear();
    void setSnapshot(const Snapshot& snapshot);
    void setNumbers(TableModel::Numbers how);
    OutputView& output() { return *m_output; }
    QString linesText() const { return m_lines->isHidden() ? QString() : m_lines->text(); }
    TableModel& table() { return m_table->model(); }
    /// Whether somebody sees the table, or its rows may decide that it is shown.
    bool needsTable() const;

Q_SIGNALS:
    void rowAsked(int row, const QPoint& at); ///< the context menu of a row of the snapshot's table, at a place on the screen
    void rowCurrent(int row);                 ///< it was clicked, or the keyboard came to it
    void needsChanged();                      ///< needsTable() may give something else

protected:
    bool eventFilter(QObject*, QEvent*) override;

private:
    QWidget* m_head;
    FlatTabs* m_tabs;
    TablePage* m_table;
    OutputView* m_output;
    QLabel* m_lines;      ///< below the output, where it has not all lines
    int m_wanted = -1;    ///< the tab that a person has chosen; -1: none
    bool m_shown = false; ///< something of this run is on show
};
} // namespace dscope::gui
