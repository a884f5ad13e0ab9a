#pragma once
#include "gui/cost_tree_page.h"
#include "gui/feed.h"
#include "gui/flat_tabs.h"
#include "gui/table_page.h"
#include <QLineEdit>
#include <QThreadPool>
#include <QToolButton>
class QStackedWidget;
namespace dscope::gui {
/// The functions of a run's stacks as tables: all of them, top down, bottom up, by the stacks' other keys (process, thread) and by line
/// of source. What takes long is made on a thread, and only once somebody looks.
class FunctionTables : public QWidget {
    Q_OBJECT
public:
    enum Tab : std::uint8_t { kAll, kTopDown, kBottomUp, kByKey, kByLine, kTabs };
    explicit FunctionTables(QWidget* parent = nullptr);
    ~FunctionTables() override;
    /// Tabs, filter and export, for a title bar to take.
    QWidget* head() { return m_head; }
    void clear();
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void setNumbers(TableModel::Numbers how);
    FlatTabs& tabs() { return *m_tabs; }
    QLineEdit& filter() { return *m_filter; }
    TablePage& table(Tab which) { return *m_tables[which]; }  ///< kAll, kByKey or kByLine
    CostTreePage& tree(Tab which) { return *m_trees[which]; } ///< kTopDown or kBottomUp
    /// Nothing is on its way.
    bool isSettled() const { return m_waiting == 0; }
    /// Its row is chosen in each table that has one, without telling.
    void choose(const QString& function);
    /// Writes the table on show as CSV, all its rows. Error: a sentence. `isAll`: whether it had no more rows than are written at most.
    Result<> exportTo(const QString& path, bool& isAll);
    static constexpr std::size_t kMostExported = 1'000'000; ///< rows

Q_SIGNALS:
    void programAsked(const QString& program); ///< the run again, with what a table needs
    void functionCurrent(const QString& name); ///< a row was clicked, or the keyboard came to it
    void functionAsked(const QString& name, const QPoint& at);
    void functionChosen(const QString& name); ///< a double click, or Enter
    void keyRowAsked(std::shared_ptr<const dscope::graph::Table> table, int row, const QPoint& at);
    void exportAsked();
    void settled(); ///< what was looked at is there

protected:
    void showEvent(QShowEvent*) override;

private:
    struct Made;
    void connectTable(Tab which);
    QWidget* buildOffer();
    void showTab(int tab);
    void refresh();
    void refreshTables();
    void make(Tab which);
    void take(const Made& made);
    QWidget* m_head;
    FlatTabs* m_tabs;
    QLineEdit* m_filter;
    QToolButton* m_export;
    QStackedWidget* m_pages;
    QWidget* m_offer;   ///< stands where kByKey would, of stacks without keys
    QString m_byThread; ///< the program with threads as a key; empty: it has keys, or can't have that one
    TablePage* m_tables[kTabs]{};
    CostTreePage* m_trees[kTabs]{};
    std::shared_ptr<const graph::Table> m_whole[kTabs], m_shown[kTabs]; ///< of the tables: all rows, those that the filter leaves
    std::size_t m_rows = 0;                                             ///< of kAll, with those that are not in m_whole
    std::shared_ptr<const graph::Stacks> m_stacks;
    std::shared_ptr<const graph::StackTree> m_tree;
    bool m_isMade[kTabs]{}, m_isAsked[kTabs]{};
    int m_generation = 0; ///< of stacks and filter: what was made for others is thrown away
    int m_waiting = 0;
    QThreadPool m_work; ///< last: it waits for its thread before the rest goes
};
} // namespace dscope::gui
