#include "gui/cost_tree_page.h"
#include "gui/figure_search.h"
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kNumberWidth = 96, kShareWidth = 76; ///< pixels wide
}

CostTreePage::CostTreePage(const QString& accessibleName, QWidget* parent) : QTreeView(parent), m_model(new CostTreeModel(this))
{
    setModel(m_model);
    setObjectName(QStringLiteral("costs"));
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setSortingEnabled(true);
    sortByColumn(CostTreeModel::kTotal, Qt::DescendingOrder);
    setIndentation(14);
    setExpandsOnDoubleClick(false); // it chooses
    setHorizontalScrollMode(ScrollPerPixel);
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setMinimumSectionSize(kShareWidth);
    header()->setSectionResizeMode(CostTreeModel::kFunction, QHeaderView::Stretch);
    for (const int column : {CostTreeModel::kSelf, CostTreeModel::kTotal})
        header()->resizeSection(column, kNumberWidth);
    for (const int column : {CostTreeModel::kSelfShare, CostTreeModel::kTotalShare})
        header()->resizeSection(column, kShareWidth);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) { Q_EMIT functionChosen(m_model->nameOf(index)); });
}

void CostTreePage::setTree(std::unique_ptr<graph::CostTree> tree, const graph::StackMeasure& measure)
{
    m_model->setTree(std::move(tree), measure);
    for (auto at = m_model->index(0, 0); at.isValid() && m_model->rowCount(at.parent()) == 1; at = m_model->index(0, 0, at))
        expand(at);
}

void CostTreePage::choose(const QString& name)
{
    if (currentIndex().isValid() && isSameFunction(m_model->nameOf(currentIndex()), name)) return;
    m_isQuiet = true;
    bool isFound = false;
    for (auto at = m_model->index(0, 0); at.isValid() && !isFound; at = indexBelow(at))
        if (isSameFunction(m_model->nameOf(at), name)) {
            setCurrentIndex(at);
            scrollTo(at);
            isFound = true;
        }
    if (!isFound) clearSelection();
    m_isQuiet = false;
}

void CostTreePage::copy()
{
    auto rows = selectionModel()->selectedRows();
    if (rows.isEmpty()) return;
    std::sort(rows.begin(), rows.end(), [this](const auto& a, const auto& b) { return visualRect(a).top() < visualRect(b).top(); });
    QStringList lines, cells;
    for (int c = 0; c < CostTreeModel::kColumns; ++c)
        cells << m_model->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    lines << cells.join(QChar('\t'));
    for (const auto& row : rows) {
        cells.clear();
        int level = 0;
        for (auto above = row.parent(); above.isValid(); above = above.parent())
            ++level;
        for (int c = 0; c < CostTreeModel::kColumns; ++c)
            cells << (c == 0 ? QString(qsizetype{2} * level, QChar(' ')) : QString()) + m_model->cell(row, c);
        lines << cells.join(QChar('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QChar('\n')) + QChar('\n'));
}

void CostTreePage::keyPressEvent(QKeyEvent* e)
{
    if (e->matches(QKeySequence::Copy)) return copy();
    QTreeView::keyPressEvent(e);
}

void CostTreePage::contextMenuEvent(QContextMenuEvent* e)
{
    const bool byKey = e->reason() == QContextMenuEvent::Keyboard;
    const auto index = byKey ? currentIndex() : indexAt(e->pos());
    if (index.isValid())
        Q_EMIT functionAsked(m_model->nameOf(index), byKey ? viewport()->mapToGlobal(visualRect(index).center()) : e->globalPos());
}

void CostTreePage::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    if (current.isValid() && !m_isQuiet) Q_EMIT functionCurrent(m_model->nameOf(current));
}
} // namespace dscope::gui
