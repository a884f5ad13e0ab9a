#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/visual.h"
#endif
#include <QAbstractTableModel>
namespace dscope::gui {
/// A visual's table, as it is: numbers to the right, text to the left.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setTable(graph::Table table);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Role of a cell's number, for sorting; the text where it is none.
    static constexpr int kSortRole = Qt::UserRole;

private:
    graph::Table m_table;
};
} // namespace dscope::gui
