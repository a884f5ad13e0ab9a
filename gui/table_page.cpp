#include "gui/table_page.h"
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kTableRow = 25, kWidestColumn = 360, kNarrowestText = 140;
constexpr int kRowsMeasured = 100; ///< rows below those in sight that decide how wide a column is: Qt's thousand take an event of 50 ms
}

TablePage::TablePage(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_model(new TableModel(this)), m_view(new QTableView), m_more(new QLabel)
{
    m_view->setModel(m_model);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kTableRow);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setMaximumSectionSize(kWidestColumn);
    m_view->horizontalHeader()->setResizeContentsPrecision(kRowsMeasured);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false); // Tab leaves it; arrows walk
    m_view->setAccessibleName(accessibleName);
    m_more->setContentsMargins(12, 2, 12, 4);
    m_more->setTextFormat(Qt::PlainText);
    m_more->hide();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 0, 4, 0);
    all->setSpacing(0);
    all->addWidget(m_view, 1);
    all->addWidget(m_more);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const auto index = m_view->indexAt(at); index.isValid())
            Q_EMIT rowAsked(m_model->tableRow(index.row()), m_view->viewport()->mapToGlobal(at));
    });
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT rowChosen(m_model->tableRow(index.row()), m_view->viewport()->mapToGlobal(m_view->visualRect(index).center()));
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && !m_isQuiet) Q_EMIT rowCurrent(m_model->tableRow(index.row()));
    });
    m_view->installEventFilter(this);
}

/// As wide as their contents, and texts narrower where numbers would be out of sight.
void TablePage::fitColumns()
{
    m_view->resizeColumnsToContents();
    const auto* header = m_view->horizontalHeader();
    int tooMuch = header->length() - m_view->viewport()->width();
    while (tooMuch > 0) {
        int widest = -1;
        for (int c = 0; c < m_model->columnCount(); ++c)
            if (widest < 0 || header->sectionSize(c) > header->sectionSize(widest)) widest = c;
        if (widest < 0 || header->sectionSize(widest) <= kNarrowestText) return;
        const int less = std::min(tooMuch, header->sectionSize(widest) - kNarrowestText);
        m_view->setColumnWidth(widest, header->sectionSize(widest) - less);
        tooMuch -= less;
    }
}

void TablePage::setTable(std::shared_ptr<const graph::Table> table, std::size_t all, Rows which)
{
    const bool isFirst = m_model->rowCount() == 0;
    m_model->setTable(std::move(table));
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    if (isFirst && shown > 0) fitColumns();
    m_more->setVisible(all > shown);
    const auto text = which == Rows::First ? tr("The first %1 of %2 rows; an export has all") : tr("The newest %1 of %2 rows so far");
    m_more->setText(text.arg(QLocale().toString(qulonglong(shown)), QLocale().toString(qulonglong(all))));
}

void TablePage::setNumbers(TableModel::Numbers how)
{
    m_model->setNumbers(how);
    if (m_model->rowCount() > 0) fitColumns();
}

void TablePage::choose(int column, const std::function<bool(const QString& text)>& test)
{
    const auto current = m_view->currentIndex();
    if (current.isValid() && test(m_model->cell(current.row(), column))) return;
    m_isQuiet = true;
    int row = 0;
    while (row < m_model->rowCount() && !test(m_model->cell(row, column)))
        ++row;
    if (row < m_model->rowCount()) {
        m_view->selectRow(row);
        m_view->scrollTo(m_model->index(row, 0));
    } else
        m_view->clearSelection();
    m_isQuiet = false;
}

void TablePage::copy()
{
    auto rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) return;
    std::sort(rows.begin(), rows.end());
    QStringList lines, cells;
    for (int c = 0; c < m_model->columnCount(); ++c)
        cells << m_model->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    lines << cells.join(QChar('\t'));
    for (const auto& row : rows) {
        cells.clear();
        for (int c = 0; c < m_model->columnCount(); ++c)
            cells << m_model->cell(row.row(), c);
        lines << cells.join(QChar('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QChar('\n')) + QChar('\n'));
}

bool TablePage::eventFilter(QObject* watched, QEvent* e)
{
    if (watched != m_view || e->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(e)->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, e);
    copy();
    return true;
}
} // namespace dscope::gui
