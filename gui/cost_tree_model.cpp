#include "gui/cost_tree_model.h"
#include "graph/units.h"
#include "gui/style.h"
#include "gui/tongue.h"
#include <algorithm>
#include <utility>
namespace dscope::gui {
using graph::CostTree;

void CostTreeModel::setTree(std::unique_ptr<CostTree> tree, const graph::StackMeasure& measure)
{
    beginResetModel();
    m_tree = std::move(tree);
    m_measure = measure;
    m_shown.clear();
    m_place.clear();
    endResetModel();
}

void CostTreeModel::setNumbers(TableModel::Numbers how)
{
    if (std::exchange(m_numbers, how) == how || !m_tree) return;
    Q_EMIT layoutAboutToBeChanged();
    Q_EMIT layoutChanged();
}

std::uint32_t CostTreeModel::rowOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : CostTree::kTop;
}

void CostTreeModel::arrange(std::vector<std::uint32_t>& rows) const
{
    const auto& tree = *m_tree;
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        if (m_column == kFunction) return tree.nameOf(a) < tree.nameOf(b);
        const bool isSelf = m_column == kSelf || m_column == kSelfShare;
        return isSelf ? tree[a].self < tree[b].self : tree[a].total < tree[b].total;
    };
    std::stable_sort(rows.begin(), rows.end(),
        [&](std::uint32_t a, std::uint32_t b) { return m_order == Qt::AscendingOrder ? less(a, b) : less(b, a); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_place[rows[i]] = static_cast<int>(i);
}

const std::vector<std::uint32_t>& CostTreeModel::below(std::uint32_t row) const
{
    const auto known = m_shown.find(row);
    if (known != m_shown.end()) return known->second;
    auto& rows = m_shown[row];
    rows = m_tree->below(row);
    arrange(rows);
    return rows;
}

QModelIndex CostTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!m_tree || row < 0 || column < 0 || column >= kColumns || parent.column() > 0) return {};
    const auto& rows = below(rowOf(parent));
    return row < static_cast<int>(rows.size()) ? createIndex(row, column, quintptr{rows[static_cast<std::size_t>(row)]}) : QModelIndex();
}

QModelIndex CostTreeModel::parent(const QModelIndex& index) const
{
    if (!m_tree || !index.isValid()) return {};
    const auto above = (*m_tree)[rowOf(index)].parent;
    return above == CostTree::kTop ? QModelIndex() : createIndex(m_place.at(above), 0, quintptr{above});
}

int CostTreeModel::rowCount(const QModelIndex& parent) const
{
    return !m_tree || parent.column() > 0 ? 0 : static_cast<int>(below(rowOf(parent)).size());
}

int CostTreeModel::columnCount(const QModelIndex&) const { return kColumns; }

bool CostTreeModel::hasChildren(const QModelIndex& parent) const
{
    return m_tree && parent.column() <= 0 && m_tree->hasBelow(rowOf(parent));
}

QString CostTreeModel::nameOf(const QModelIndex& index) const
{
    const auto name = m_tree->nameOf(rowOf(index));
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString CostTreeModel::cell(const QModelIndex& index, int column) const
{
    const auto& row = (*m_tree)[rowOf(index)];
    const auto share = [&](std::int64_t value) {
        return m_tree->whole() > 0 ? QString::number(static_cast<double>(value) / static_cast<double>(m_tree->whole()) * 100, 'f', 1)
                                   : QString();
    };
    switch (column) {
    case kFunction: return nameOf(index);
    case kSelf: return QString::number(m_measure.inUnit(row.self));
    case kSelfShare: return share(row.self);
    case kTotal: return QString::number(m_measure.inUnit(row.total));
    default: return share(row.total);
    }
}

QVariant CostTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto column = index.column();
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (column == kFunction ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole) return plainTip(column == kFunction ? nameOf(index) : cell(index, column));
    if (role != Qt::DisplayRole) return {};
    if (column != kSelf && column != kTotal) return cell(index, column);
    const auto& row = (*m_tree)[rowOf(index)];
    const auto value = m_measure.inUnit(column == kSelf ? row.self : row.total);
    const auto tongue = tongueOfWindow();
    return QString::fromStdString(m_numbers == TableModel::Numbers::Readable
            ? graph::formatQuantity(static_cast<double>(value), m_measure.unit())
            : graph::formatGrouped(value));
}

QVariant CostTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= kColumns) return {};
    static constexpr const char* kTitles[kColumns]{"function", "self", "self %", "total", "total %"};
    if (role == Qt::DisplayRole) return QLatin1String(kTitles[section]);
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (section == kFunction ? Qt::AlignLeft : Qt::AlignRight));
    return {};
}

void CostTreeModel::sort(int column, Qt::SortOrder order)
{
    m_column = column < 0 ? int(kTotal) : column;
    m_order = column < 0 ? Qt::DescendingOrder : order;
    if (!m_tree) return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    for (auto& [row, rows] : m_shown)
        arrange(rows);
    for (const auto& one : persistentIndexList())
        changePersistentIndex(one, createIndex(m_place.at(rowOf(one)), one.column(), one.internalId()));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}
} // namespace dscope::gui
