#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/visual.h"
#endif
#include <QAbstractTableModel>
#include <memory>
#include <vector>
namespace dscope::gui {
/// A visual's table, as it is: numbers to the right, text to the left. Sorts by itself; unsorted is the visual's order.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// A table with the columns of the one before replaces its rows in place: selection, sorting and scrolling stay.
    void setTable(std::shared_ptr<const graph::Table> table);
    /// Quantities as people read them, "4.1 µs", in place of all their digits.
    enum class Numbers : std::uint8_t { Exact, Readable };
    void setNumbers(Numbers how);
    Numbers numbers() const { return m_numbers; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The text of a cell as people read it: quantities in groups of digits, or with a unit.
    static QString shown(const graph::Column& column, const std::string& cell, Numbers how);
    /// The text of a cell as the table has it.
    QString cell(int row, int column) const;
    /// The row of the table that is shown in a row.
    int tableRow(int row) const { return static_cast<int>(m_order[static_cast<std::size_t>(row)]); }
    void sort(int column, Qt::SortOrder order) override;

private:
    void order();
    std::shared_ptr<const graph::Table> m_table;
    std::vector<std::uint32_t> m_order; ///< rows of the table as they are shown
    int m_shown = 0;                    ///< how many of them views know of
    Numbers m_numbers = Numbers::Exact;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};
} // namespace dscope::gui
