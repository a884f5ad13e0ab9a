#include "gui/table_model.h"
#include <QString>
namespace dscope::gui {
void TableModel::setTable(graph::Table table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}
int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size()); }
int TableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size()); }

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const auto& row = m_table.rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    const bool isNumber = m_table.columns[column].isNumber;
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    if (column >= row.size()) return {};
    const auto text = QString::fromStdString(row[column]);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return role == Qt::ToolTipRole ? QVariant(text.toHtmlEscaped()) : QVariant(text);
    if (role == kSortRole) return isNumber ? QVariant(text.toDouble()) : QVariant(text);
    return {};
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || static_cast<std::size_t>(section) >= m_table.columns.size()) return {};
    const auto& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromStdString(column.title);
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}
} // namespace dscope::gui
