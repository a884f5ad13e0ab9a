#pragma once
#include "gui/table_model.h"
#include <QWidget>
#include <functional>
class QLabel;
class QTableView;
namespace dscope::gui {
/// A table to read, with a word below it where it has not all rows.
class TablePage : public QWidget {
    Q_OBJECT
public:
    explicit TablePage(const QString& accessibleName, QWidget* parent = nullptr);
    /// Which of `all` rows a table has.
    enum class Rows : std::uint8_t { First, Newest };
    void setTable(std::shared_ptr<const graph::Table> table, std::size_t all, Rows which = Rows::First);
    TableModel& model() { return *m_model; }
    void setNumbers(TableModel::Numbers how);
    /// Stands on the first row whose text in a column passes, without telling; on none where no row does.
    void choose(int column, const std::function<bool(const QString& text)>& test);

public Q_SLOTS:
    /// The rows that are chosen, as a spreadsheet takes them: a line each, cells apart by tabs, below the columns' titles.
    void copy();

Q_SIGNALS:
    void rowAsked(int row, const QPoint& at);  ///< the context menu of a row of the table, at a place on the screen
    void rowCurrent(int row);                  ///< it was clicked, or the keyboard came to it
    void rowChosen(int row, const QPoint& at); ///< a double click, or Enter

protected:
    bool eventFilter(QObject*, QEvent*) override;

private:
    void fitColumns();
    TableModel* m_model;
    QTableView* m_view;
    QLabel* m_more;
    bool m_isQuiet = false; ///< the row is chosen by the program
};
} // namespace dscope::gui
