#include "gui/table_model.h"
#include "graph/units.h"
#include "gui/style.h"
#include "gui/tongue.h"
#include <QString>
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
namespace dscope::gui {
namespace {
bool sameColumns(const graph::Table& a, const graph::Table& b)
{
    return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
        [](const graph::Column& x, const graph::Column& y) { return x.title == y.title && x.isNumber == y.isNumber; });
}
} // namespace

void TableModel::setTable(std::shared_ptr<const graph::Table> table)
{
    const bool inPlace = m_table && table && sameColumns(*m_table, *table);
    const int before = rowCount(), after = table ? static_cast<int>(table->rows.size()) : 0;
    if (!inPlace) {
        beginResetModel();
        m_table = std::move(table);
        order();
        m_shown = after;
        endResetModel();
        return;
    }

    // One thing at a time: views are to find old rows unchanged while some go or come.
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_shown = after;
        endRemoveRows();
    }

    m_table = std::move(table);
    order();
    if (m_shown > 0) Q_EMIT dataChanged(index(0, 0), index(m_shown - 1, columnCount() - 1));
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_shown = after;
        endInsertRows();
    }
}

void TableModel::setNumbers(Numbers how)
{
    if (std::exchange(m_numbers, how) == how || m_shown == 0) return;
    Q_EMIT dataChanged(index(0, 0), index(m_shown - 1, columnCount() - 1));
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_shown; }
int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->columns.size());
}

void TableModel::sort(int column, Qt::SortOrder direction)
{
    m_sortColumn = column;
    m_sortOrder = direction;
    if (!m_table) return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const auto old = m_order;
    order();
    // What was selected goes with its row.
    std::vector<int> place(m_table->rows.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        place[m_order[i]] = static_cast<int>(i);
    const auto indexes = persistentIndexList();
    for (const auto& one : indexes)
        changePersistentIndex(one, index(place[old[static_cast<std::size_t>(one.row())]], one.column()));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void TableModel::order()
{
    m_order.resize(m_table ? m_table->rows.size() : 0);
    std::iota(m_order.begin(), m_order.end(), 0U);
    if (!m_table || m_sortColumn < 0 || m_sortColumn >= columnCount()) return;
    const auto column = static_cast<std::size_t>(m_sortColumn);
    const auto& rows = m_table->rows;
    const auto sortBy = [&](const auto& keys) {
        std::stable_sort(m_order.begin(), m_order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return m_sortOrder == Qt::AscendingOrder ? keys[a] < keys[b] : keys[b] < keys[a]; });
    };
    if (m_table->columns[column].isNumber) {
        std::vector<double> keys;
        for (const auto& row : rows)
            keys.push_back(column < row.size() ? std::strtod(row[column].c_str(), nullptr) : 0);
        sortBy(keys);
    } else {
        std::vector<std::string_view> keys;
        for (const auto& row : rows)
            keys.push_back(column < row.size() ? std::string_view(row[column]) : std::string_view());
        sortBy(keys);
    }
}

QString TableModel::shown(const graph::Column& column, const std::string& cell, Numbers how)
{
    auto text = QString::fromStdString(cell);
    // Quantities in groups of digits, as in the figures; a process's or a row's number is a name.
    if (!column.isNumber || column.unit == graph::Column::Unit::None) return text;
    const auto tongue = tongueOfWindow();
    bool isWhole = false, isValue = false;
    const double quantity = text.toDouble(&isValue);
    if (how == Numbers::Readable && isValue)
        text = QString::fromStdString(graph::formatQuantity(quantity, column.unit));
    else if (const auto value = text.toLongLong(&isWhole); isWhole)
        text = QString::fromStdString(graph::formatGrouped(value));
    return text;
}

QString TableModel::cell(int row, int column) const
{
    const auto& cells = m_table->rows[m_order[static_cast<std::size_t>(row)]];
    return static_cast<std::size_t>(column) < cells.size() ? QString::fromStdString(cells[static_cast<std::size_t>(column)]) : QString();
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& row = m_table->rows[m_order[static_cast<std::size_t>(index.row())]];
    const auto column = static_cast<std::size_t>(index.column());
    const bool isNumber = m_table->columns[column].isNumber;
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    if (column >= row.size() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    if (role == Qt::ToolTipRole) return plainTip(QString::fromStdString(row[column]));
    return shown(m_table->columns[column], row[column], m_numbers);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount()) return {};
    const auto& column = m_table->columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromStdString(column.title);
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}
} // namespace dscope::gui
