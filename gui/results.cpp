#include "gui/results.h"
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <array>
#include <utility>
namespace dscope::gui {
namespace {
enum Tab { kTable, kOutput, kTabs };
}

Results::Results(QWidget* parent)
    : QWidget(parent), m_head(new QWidget), m_tabs(new FlatTabs(tr("Results"))), m_table(new TablePage(tr("Table"))),
      m_output(new OutputView)
{
    m_tabs->addTab(tr("Table"));
    m_tabs->addTab(tr("Output"));
    auto* pages = new QStackedWidget;
    pages->addWidget(m_table);
    pages->addWidget(m_output);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_tabs, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_head);
    all->addWidget(pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    connect(m_table, &TablePage::rowAsked, this, &Results::rowAsked);
    connect(m_table, &TablePage::rowChosen, this, &Results::rowAsked);
    connect(m_table, &TablePage::rowCurrent, this, &Results::rowCurrent);
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int tab) { m_wanted = tab; });
    m_tabs->setCurrentIndex(kOutput);
}

void Results::clear()
{
    m_shown = false;
    m_output->clearAll();
    m_table->setTable(nullptr, 0);
}

void Results::setNumbers(TableModel::Numbers how) { m_table->setNumbers(how); }

void Results::setSnapshot(const Snapshot& snapshot)
{
    m_output->append(snapshot.output);
    m_table->setTable(snapshot.table, snapshot.tableRows);
    // What comes first is shown first; where somebody has chosen, that is, once it has something to show.
    std::array<bool, kTabs> has{};
    has[kTable] = m_table->model().rowCount() > 0;
    has[kOutput] = !snapshot.output.isEmpty();
    const bool hasWanted = m_wanted >= 0 && has[static_cast<std::size_t>(m_wanted)];
    if (hasWanted && m_tabs->currentIndex() != m_wanted) m_tabs->setCurrentIndex(m_wanted);
    if (m_shown || hasWanted) {
        m_shown = true;
        return;
    }
    for (const auto tab : {kOutput, kTable})
        if (has[tab] && !std::exchange(m_shown, true)) m_tabs->setCurrentIndex(tab);
}
} // namespace dscope::gui
