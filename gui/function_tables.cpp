#include "gui/function_tables.h"
#include "engine/base/output_file.h"
#include "exporters/csv.h"
#include "gui/figure_search.h"
#include "gui/narrowing.h"
#include <QCoreApplication>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
namespace dscope::gui {
namespace {
constexpr std::size_t kMostNodes = 3'000'000; ///< of a tree; of more, what is below a share of kLeastShare stands together
constexpr double kLeastShare = 1e-5;
constexpr int kFilter = 150; ///< pixels wide

std::shared_ptr<const graph::StackTree> wholeTree(const graph::Stacks& stacks)
{
    graph::Stacks::Look look;
    look.mostNodes = kMostNodes;
    auto tree = stacks.tree(look);
    if (tree->nodes.size() <= kMostNodes) return tree;
    look.leastShare = kLeastShare;
    look.mostNodes = SIZE_MAX;
    return stacks.tree(look);
}
/// The rows with a text that passes.
std::shared_ptr<const graph::Table> filtered(const std::shared_ptr<const graph::Table>& table, const QString& text)
{
    if (!table || text.isEmpty()) return table;
    const auto test = nameTest(text);
    auto out = std::make_shared<graph::Table>();
    out->columns = table->columns;
    for (const auto& row : table->rows) {
        bool passes = false;
        for (std::size_t c = 0; c < row.size() && !passes; ++c)
            passes = !table->columns[c].isNumber && test(row[c]);
        if (passes) out->rows.push_back(row);
    }
    return out;
}
} // namespace

/// What the thread has made.
struct FunctionTables::Made {
    Tab which = kAll;
    int generation = 0;
    std::shared_ptr<const graph::StackTree> tree;
    std::shared_ptr<std::unique_ptr<graph::CostTree>> costs; ///< one hand to the other
    std::shared_ptr<const graph::Table> table;
};

FunctionTables::FunctionTables(QWidget* parent)
    : QWidget(parent), m_head(new QWidget), m_tabs(new FlatTabs(tr("Functions"))), m_filter(new QLineEdit), m_export(new QToolButton),
      m_pages(new QStackedWidget), m_offer(buildOffer())
{
    m_work.setMaxThreadCount(1);
    m_tables[kAll] = new TablePage(tr("Functions"));
    m_trees[kTopDown] = new CostTreePage(tr("Top down"));
    m_trees[kBottomUp] = new CostTreePage(tr("Bottom up"));
    m_tables[kByKey] = new TablePage(tr("By key"));
    m_tables[kByLine] = new TablePage(tr("By line"));
    const QString names[kTabs]{tr("Functions"), tr("Top down"), tr("Bottom up"), tr("By key"), tr("By line")};
    for (int tab = 0; tab < kTabs; ++tab) {
        m_tabs->addTab(names[tab]);
        m_pages->addWidget(m_tables[tab] ? static_cast<QWidget*>(m_tables[tab]) : m_trees[tab]);
    }
    m_pages->addWidget(m_offer);
    m_tabs->setTabToolTip(kTopDown, tr("From the roots of the stacks down to what each function calls"));
    m_tabs->setTabToolTip(kBottomUp, tr("From each function up to who calls it"));
    m_tabs->setTabToolTip(kByKey, tr("By the stacks' other keys, as process and thread"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(kFilter);
    m_filter->setMinimumWidth(kFilter / 2);
    m_filter->setAccessibleName(tr("Filter of the functions"));
    m_filter->setToolTip(tr("A regular expression: only what is called so, and the ways to it"));
    m_export->setText(tr("Export…"));
    m_export->setObjectName(QStringLiteral("link"));
    m_export->setToolTip(tr("Write this table to a file"));
    m_export->setCursor(Qt::PointingHandCursor);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_tabs, 1);
    head->addWidget(m_filter);
    head->addWidget(m_export);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addWidget(m_head);
    all->addWidget(m_pages, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        showTab(tab);
        refresh();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        ++m_generation;
        for (const auto tab : {kTopDown, kBottomUp})
            m_isMade[tab] = m_isAsked[tab] = false;
        refreshTables();
        refresh();
    });
    connect(m_export, &QToolButton::clicked, this, &FunctionTables::exportAsked);
    for (const auto tab : {kAll, kByKey, kByLine})
        connectTable(tab);
    for (const auto tab : {kTopDown, kBottomUp}) {
        connect(m_trees[tab], &CostTreePage::functionCurrent, this, &FunctionTables::functionCurrent);
        connect(m_trees[tab], &CostTreePage::functionAsked, this, &FunctionTables::functionAsked);
        connect(m_trees[tab], &CostTreePage::functionChosen, this, &FunctionTables::functionChosen);
    }
    clear();
}

FunctionTables::~FunctionTables() = default;

QWidget* FunctionTables::buildOffer()
{
    auto* page = new QWidget;
    auto* why = new QLabel(
        tr("These stacks have no other key. With tid among its keys the program tells threads apart: each has a row here then, "
           "with what it took and where most of that was."));
    why->setTextFormat(Qt::PlainText);
    why->setWordWrap(true);
    auto* add = new QToolButton;
    add->setObjectName(QStringLiteral("link"));
    add->setText(tr("Add tid to the program"));
    add->setCursor(Qt::PointingHandCursor);
    connect(add, &QToolButton::clicked, this, [this] { Q_EMIT programAsked(m_byThread); });
    auto* all = new QVBoxLayout(page);
    all->setContentsMargins(16, 8, 16, 8);
    all->addWidget(why);
    all->addWidget(add, 0, Qt::AlignLeft);
    all->addStretch(1);
    return page;
}

void FunctionTables::showTab(int tab)
{
    if (tab == kByKey && !m_byThread.isEmpty())
        m_pages->setCurrentWidget(m_offer);
    else
        m_pages->setCurrentIndex(tab);
}

void FunctionTables::connectTable(Tab which)
{
    const auto nameOf = [this, which](int row) {
        const auto& table = m_shown[which];
        if (!table || row < 0 || static_cast<std::size_t>(row) >= table->rows.size()) return QString();
        const auto& cells = table->rows[static_cast<std::size_t>(row)];
        return QString::fromStdString(which == kAll ? cells.front() : which == kByLine ? cells[1] : cells.back());
    };
    auto* table = m_tables[which];
    connect(table, &TablePage::rowCurrent, this, [this, nameOf](int row) {
        if (const auto name = nameOf(row); !name.isEmpty()) Q_EMIT functionCurrent(name);
    });
    connect(table, &TablePage::rowAsked, this, [this, nameOf, which](int row, const QPoint& at) {
        if (which == kByKey)
            Q_EMIT keyRowAsked(m_shown[kByKey], row, at);
        else if (const auto name = nameOf(row); !name.isEmpty())
            Q_EMIT functionAsked(name, at);
    });
    connect(table, &TablePage::rowChosen, this, [this, nameOf](int row) {
        if (const auto name = nameOf(row); !name.isEmpty()) Q_EMIT functionChosen(name);
    });
}

void FunctionTables::clear() { setSnapshot(nullptr); }

void FunctionTables::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    ++m_generation;
    m_stacks.reset();
    m_tree.reset();
    for (auto& made : m_isMade)
        made = false;
    for (auto& asked : m_isAsked)
        asked = false;
    for (auto& whole : m_whole)
        whole.reset();
    if (snapshot && snapshot->functions) {
        for (const auto& view : snapshot->views)
            if (auto stacks = view.visual->stacks(); stacks && !m_stacks) m_stacks = std::move(stacks);
        m_whole[kAll] = snapshot->functions;
        m_rows = snapshot->functionRows;
    }
    for (const auto tab : {kTopDown, kBottomUp})
        m_trees[tab]->setTree(nullptr, {});
    const bool hasKeys = m_stacks && !m_stacks->source().keys.empty();
    m_byThread = m_stacks && !hasKeys && !snapshot->isImported ? byThread(snapshot->source).value_or(QString()) : QString();
    m_tabs->setTabVisible(kByKey, hasKeys || !m_byThread.isEmpty());
    showTab(m_tabs->currentIndex());
    m_tabs->setTabVisible(kByLine, false); // until it is known
    m_export->setEnabled(m_stacks != nullptr);
    refreshTables();
    refresh();
}

void FunctionTables::setNumbers(TableModel::Numbers how)
{
    for (const auto tab : {kAll, kByKey, kByLine})
        m_tables[tab]->setNumbers(how);
    for (const auto tab : {kTopDown, kBottomUp})
        m_trees[tab]->costs().setNumbers(how);
}

void FunctionTables::showEvent(QShowEvent* e)
{
    QWidget::showEvent(e);
    refresh();
}

void FunctionTables::refreshTables()
{
    for (const auto tab : {kAll, kByKey, kByLine}) {
        m_shown[tab] = filtered(m_whole[tab], m_filter->text());
        const auto rows = m_shown[tab] ? m_shown[tab]->rows.size() : 0;
        m_tables[tab]->setTable(m_shown[tab], tab == kAll && m_filter->text().isEmpty() ? m_rows : rows);
    }
}

/// Asks for what the tab on show needs, and for the lines, of which the tab says whether there are any.
void FunctionTables::refresh()
{
    if (!m_stacks || !isVisible()) return;
    make(kByLine);
    if (const auto tab = static_cast<Tab>(m_tabs->currentIndex()); tab != kAll) make(tab);
}

void FunctionTables::make(Tab which)
{
    if (m_isMade[which] || m_isAsked[which]) return;
    m_isAsked[which] = true;
    ++m_waiting;
    m_work.start([which, stacks = m_stacks, tree = m_tree, text = m_filter->text(), generation = m_generation,
                     self = QPointer<FunctionTables>(this)] {
        Made made{which, generation, tree, nullptr, nullptr};
        if (which == kByKey)
            made.table = std::make_shared<graph::Table>(graph::costsByKey(*stacks));
        else if (which == kByLine)
            made.table = std::make_shared<graph::Table>(stacks->tellsLines() ? graph::costsByLine(*stacks) : graph::Table());
        else {
            if (!made.tree) made.tree = wholeTree(*stacks);
            const auto from = which == kTopDown ? graph::CostTree::From::Roots : graph::CostTree::From::Functions;
            auto costs = std::make_unique<graph::CostTree>(made.tree, from, text.isEmpty() ? graph::NameTest() : nameTest(text));
            costs->below(graph::CostTree::kTop); // the most work of all
            made.costs = std::make_shared<std::unique_ptr<graph::CostTree>>(std::move(costs));
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, made] {
                if (self) self->take(made);
            },
            Qt::QueuedConnection);
    });
}

void FunctionTables::take(const Made& made)
{
    --m_waiting;
    if (made.generation == m_generation) {
        m_isMade[made.which] = true;
        if (made.tree) m_tree = made.tree;
        if (made.costs) m_trees[made.which]->setTree(std::move(*made.costs), m_stacks->measure());
        if (made.table) {
            m_whole[made.which] = made.table;
            refreshTables();
            if (made.which == kByLine) m_tabs->setTabVisible(kByLine, !made.table->columns.empty());
        }
    } else {
        m_isAsked[made.which] = m_isMade[made.which];
        refresh(); // of other stacks or with another filter
    }
    if (m_waiting == 0) Q_EMIT settled();
}

void FunctionTables::choose(const QString& function)
{
    for (const auto tab : {kAll, kByLine})
        if (m_shown[tab]) m_tables[tab]->choose(tab == kAll ? 0 : 1, [&](const QString& name) { return isSameFunction(name, function); });
    for (const auto tab : {kTopDown, kBottomUp})
        m_trees[tab]->choose(function);
}

Result<> FunctionTables::exportTo(const QString& path, bool& isAll)
{
    DSCOPE_TRY(auto file, OutputFile::open(QFile::encodeName(path).toStdString(), OutputFile::Kind::Whole));
    const auto tab = static_cast<Tab>(m_tabs->currentIndex());
    isAll = true;
    if (!m_trees[tab]) {
        isAll = tab != kAll || !m_shown[tab] || !m_filter->text().isEmpty() || m_shown[tab]->rows.size() == m_rows;
        if (m_shown[tab]) exporters::writeCsv(*m_shown[tab], file.stream());
    } else {
        const auto from = tab == kTopDown ? graph::CostTree::From::Roots : graph::CostTree::From::Functions;
        const auto text = m_filter->text();
        graph::CostTree costs(m_tree ? m_tree : wholeTree(*m_stacks), from, text.isEmpty() ? graph::NameTest() : nameTest(text));
        exporters::writeCsv(graph::tableOf(costs, m_stacks->measure(), kMostExported, isAll), file.stream());
    }
    return file.commit();
}
} // namespace dscope::gui
