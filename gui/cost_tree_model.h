#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/cost_tree.h"
#endif
#include "gui/table_model.h"
#include <QAbstractItemModel>
#include <unordered_map>
namespace dscope::gui {
/// Functions as rows that open, with what each took by itself and in all. Sorts the rows below each row by themselves.
class CostTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column : std::uint8_t { kFunction, kSelf, kSelfShare, kTotal, kTotalShare, kColumns };
    using QAbstractItemModel::QAbstractItemModel;
    /// Null: no rows. `measure`: what the costs are.
    void setTree(std::unique_ptr<graph::CostTree> tree, const graph::StackMeasure& measure);
    void setNumbers(TableModel::Numbers how);
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    /// A function's name as figures have it.
    QString nameOf(const QModelIndex& index) const;
    /// A cell with all its digits.
    QString cell(const QModelIndex& index, int column) const;

private:
    const std::vector<std::uint32_t>& below(std::uint32_t row) const;
    void arrange(std::vector<std::uint32_t>& rows) const;
    std::uint32_t rowOf(const QModelIndex& index) const;
    std::unique_ptr<graph::CostTree> m_tree;
    graph::StackMeasure m_measure;
    TableModel::Numbers m_numbers = TableModel::Numbers::Exact;
    int m_column = kTotal;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_shown; ///< rows below a row, sorted, where somebody looked
    mutable std::unordered_map<std::uint32_t, int> m_place;                        ///< of a row among those
};
} // namespace dscope::gui
