#pragma once
#include "gui/feed.h"
#include "gui/flat_tabs.h"
#include "gui/output_view.h"
#include "gui/table_model.h"
#include <QLabel>
#include <QTableView>
#include <QWidget>
namespace dscope::gui {
/// Below the program: its table and what it prints.
class Results : public QWidget {
    Q_OBJECT
public:
    explicit Results(QWidget* parent = nullptr);
    void clear();
    void setSnapshot(const Snapshot& snapshot);
    OutputView& output() { return *m_output; }
    TableModel& table() { return *m_table; }

Q_SIGNALS:
    void rowAsked(int row, const QPoint& at); ///< the context menu of a row of the snapshot's table, at a place on the screen

private:
    FlatTabs* m_tabs;
    TableModel* m_table;
    QTableView* m_tableView;
    OutputView* m_output;
    QLabel* m_more;
    bool m_chosen = false; ///< by a person, or by what came first
};
} // namespace dscope::gui
