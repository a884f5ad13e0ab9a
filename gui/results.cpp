#include "gui/results.h"
#include <QEvent>
#include <QHBoxLayout>
#include <QLocale>
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
      m_output(new OutputView), m_lines(new QLabel)
{
    m_tabs->addTab(tr("Table"));
    m_tabs->addTab(tr("Output"));
    auto* pages = new QStackedWidget;
    pages->addWidget(m_table);
    auto* printed = new QWidget;
    auto* lines = new QVBoxLayout(printed);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(m_output, 1);
    lines->addWidget(m_lines);
    m_lines->setContentsMargins(12, 2, 12, 4);
    m_lines->setTextFormat(Qt::PlainText);
    m_lines->hide();
    pages->addWidget(printed);
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
    m_table->installEventFilter(this);
    m_tabs->setCurrentIndex(kOutput);
}

bool Results::needsTable() const
{
    if (window()->isMinimized()) return false;
    return m_table->isVisible() || (isVisible() && (!m_shown || m_wanted == kTable));
}

bool Results::eventFilter(QObject* watched, QEvent* e)
{
    if (e->type() == QEvent::Show || e->type() == QEvent::Hide) Q_EMIT needsChanged();
    return QWidget::eventFilter(watched, e);
}

void Results::clear()
{
    m_shown = false;
    m_output->clearAll();
    m_lines->hide();
    m_table->setTable(nullptr, 0);
}

void Results::setNumbers(TableModel::Numbers how) { m_table->setNumbers(how); }

void Results::setSnapshot(const Snapshot& snapshot)
{
    m_output->leaveOut(snapshot.linesLeftOut);
    m_output->append(snapshot.output);
    if (const auto left = m_output->linesLeftOut(); left > 0) {
        const QLocale locale;
        m_lines->setText(tr("The last %1 of %2 lines; a recording has all")
                             .arg(locale.toString(qulonglong(m_output->lines() - left)), locale.toString(qulonglong(m_output->lines()))));
    }
    m_lines->setVisible(m_output->linesLeftOut() > 0);
    m_table->setTable(snapshot.table, snapshot.tableRows, snapshot.hasNewestRows ? TablePage::Rows::Newest : TablePage::Rows::First);
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
    // What another tool's file says is better read as rows than as the file's text again.
    const std::array order = snapshot.isImported ? std::array{kTable, kOutput} : std::array{kOutput, kTable};
    for (const auto tab : order)
        if (has[tab] && !std::exchange(m_shown, true)) m_tabs->setCurrentIndex(tab);
}
} // namespace dscope::gui
