#include "gui/results.h"
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QStackedWidget>
#include <QVBoxLayout>
namespace dscope::gui {
namespace {
enum Tab { kTable, kOutput };
constexpr int kRow = 25, kWidestColumn = 360;
} // namespace

Results::Results(QWidget* parent)
    : QWidget(parent), m_tabs(new FlatTabs(tr("Results"))), m_table(new TableModel(this)), m_tableView(new QTableView),
      m_output(new OutputView), m_more(new QLabel)
{
    m_tabs->addTab(tr("Table"));
    m_tabs->addTab(tr("Output"));
    m_tableView->setModel(m_table);
    m_tableView->setSortingEnabled(true);
    m_tableView->sortByColumn(-1, Qt::AscendingOrder);
    m_tableView->setFrameShape(QFrame::NoFrame);
    m_tableView->setShowGrid(false);
    m_tableView->setWordWrap(false);
    m_tableView->verticalHeader()->hide();
    m_tableView->verticalHeader()->setDefaultSectionSize(kRow);
    m_tableView->horizontalHeader()->setStretchLastSection(true);
    m_tableView->horizontalHeader()->setHighlightSections(false);
    m_tableView->horizontalHeader()->setMaximumSectionSize(kWidestColumn);
    m_tableView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tableView->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tableView->setAccessibleName(tr("Table"));
    m_more->setContentsMargins(12, 2, 12, 4);
    m_more->setTextFormat(Qt::PlainText);
    m_more->hide();
    auto* tablePage = new QWidget;
    auto* below = new QVBoxLayout(tablePage);
    below->setContentsMargins(4, 0, 4, 0);
    below->setSpacing(0);
    below->addWidget(m_tableView, 1);
    below->addWidget(m_more);
    auto* pages = new QStackedWidget;
    pages->addWidget(tablePage);
    pages->addWidget(m_output);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_tabs);
    head->addStretch();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addLayout(head);
    all->addWidget(pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    m_tableView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_tableView, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const auto index = m_tableView->indexAt(at); index.isValid())
            Q_EMIT rowAsked(m_table->tableRow(index.row()), m_tableView->viewport()->mapToGlobal(at));
    });
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this] { m_chosen = true; });
    m_tabs->setCurrentIndex(kOutput);
}

void Results::clear()
{
    m_output->clearAll();
    m_table->setTable(nullptr);
    m_more->hide();
}

void Results::setSnapshot(const Snapshot& snapshot)
{
    m_output->append(snapshot.output);
    const bool isFirst = m_table->rowCount() == 0;
    m_table->setTable(snapshot.table);
    const auto shown = static_cast<std::size_t>(m_table->rowCount());
    if (isFirst && shown > 0) m_tableView->resizeColumnsToContents();
    m_more->setVisible(snapshot.tableRows > shown);
    m_more->setText(tr("The first %1 of %2 rows; an export has all")
                        .arg(QLocale().toString(qulonglong(shown)), QLocale().toString(qulonglong(snapshot.tableRows))));
    // What comes first is shown first, unless somebody has chosen.
    if (m_chosen || (snapshot.output.isEmpty() && shown == 0)) return;
    m_chosen = true;
    m_tabs->setCurrentIndex(snapshot.output.isEmpty() ? kTable : kOutput);
}
} // namespace dscope::gui
