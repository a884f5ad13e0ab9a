// The main window's docks: where its parts stand, how they are reached, and what is remembered of that.
#include "gui/dock.h"
#include "gui/main_window.h"
#include "gui/texts.h"
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <algorithm>
#include <utility>
namespace dscope::gui {
namespace {
constexpr auto kGeometry = "window/geometry", kCommand = "run/command", kLayout = "window/layout", kWork = "window/layout-of/%1";
constexpr int kDetails = 240; ///< pixels wide
/// What kind of work a run is: which views it has, the first one first.
QString workOf(const Snapshot& snapshot)
{
    QStringList names;
    for (const auto& view : snapshot.views)
        if (!view.facts.isTable) names << QString::fromUtf8(view.facts.name.data(), static_cast<qsizetype>(view.facts.name.size()));
    return names.join(QChar('+'));
}
} // namespace

void MainWindow::buildDocks()
{
    auto* program = buildProgram();
    m_questions = new Dock(QStringLiteral("questions"), tr("Questions and probes"), m_sidebar, m_sidebar->head());
    m_history = new Dock(QStringLiteral("history"), tr("Runs"), m_runs);
    m_program = new Dock(QStringLiteral("program"), tr("Program"), program, m_programs->head());
    m_tables = new Dock(QStringLiteral("results"), tr("Results"), m_results, m_results->head());
    m_second = new Dock(QStringLiteral("second-view"), tr("Second view"), &m_views->panel(1), m_views->panel(1).head());
    m_facts = new Dock(QStringLiteral("details"), tr("Details"), m_details);
    m_costs = new Dock(QStringLiteral("functions"), tr("Functions"), m_functions, m_functions->head());
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

    const auto touched = [this] { m_isLayoutTouched = true; };
    for (auto* dock : docks()) {
        connect(dock, &QDockWidget::dockLocationChanged, this, touched);
        connect(dock, &QDockWidget::topLevelChanged, this, touched);
        connect(dock, &Dock::closeAsked, this, touched);
        connect(dock->toggleViewAction(), &QAction::triggered, this, touched);
    }
    connect(m_costs, &Dock::closeAsked, this, [this] { m_isFunctionsWanted = false; });
    connect(m_costs->toggleViewAction(), &QAction::triggered, this, [this](bool isShown) {
        m_isFunctionsWanted = isShown;
        if (isShown) m_costs->raise();
    });
    // Details take their room from the pictures.
    connect(m_facts->toggleViewAction(), &QAction::triggered, this, [this](bool isShown) {
        if (isShown) resizeDocks({m_questions, m_program, m_facts}, {m_questions->width(), m_program->width(), kDetails}, Qt::Horizontal);
    });
    // The second view's action says whether it is wanted; whether there is something to show in it is another thing.
    connect(m_second, &Dock::closeAsked, this, [this] { m_split->trigger(); });
    connect(m_views, &ViewArea::secondWanted, m_second, &QWidget::setVisible);
}

QList<Dock*> MainWindow::docks() const { return {m_questions, m_history, m_program, m_tables, m_second, m_costs, m_facts}; }

void MainWindow::putDocks()
{
    for (auto* dock : docks()) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_questions);
    splitDockWidget(m_questions, m_program, Qt::Horizontal);
    splitDockWidget(m_questions, m_history, Qt::Vertical);
    splitDockWidget(m_program, m_tables, Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, m_second);
    tabifyDockWidget(m_second, m_costs);
    addDockWidget(Qt::RightDockWidgetArea, m_facts);
    for (auto* dock : {m_questions, m_history, m_program, m_tables})
        dock->show();
    m_second->setVisible(m_views->count() > 1);
    m_costs->setVisible(m_snapshot && m_snapshot->functions);
    m_second->raise();
    m_isFunctionsWanted = true;
    m_facts->hide();
    widenDocks();
    resizeDocks({m_questions, m_history}, {560, 170}, Qt::Vertical);
    resizeDocks({m_program, m_tables}, {380, 420}, Qt::Vertical);
    resizeDocks({m_second}, {height() / 3}, Qt::Vertical); // the first view has the most of the height
}

/// In a narrow window more than half of the width is the pictures'.
void MainWindow::widenDocks()
{
    resizeDocks(
        {m_questions, m_program, m_facts}, {std::min(264, width() / 5), std::min(404, width() * 24 / 100), kDetails}, Qt::Horizontal);
}

void MainWindow::buildWindowMenu(QMenu& window)
{
    const auto offer = [&](Dock* dock, const QString& text, const QKeySequence& keys = {}) {
        auto* action = dock->toggleViewAction();
        action->setText(text);
        action->setShortcut(keys);
        window.addAction(action);
    };
    offer(m_questions, tr("&Questions and probes"), QKeySequence(Qt::CTRL | Qt::Key_B));
    offer(m_history, tr("&Runs"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    offer(m_program, tr("&Program"));
    offer(m_tables, tr("R&esults"));
    m_split = window.addAction(tr("Second &view"), QKeySequence(Qt::CTRL | Qt::Key_2), this, [this] {
        m_isLayoutTouched = true;
        m_views->setSplit(m_split->isChecked());
    });
    m_split->setCheckable(true);
    m_split->setChecked(true);
    offer(m_costs, tr("&Functions"), QKeySequence(Qt::CTRL | Qt::Key_3));
    offer(m_facts, tr("&Details"), QKeySequence(Qt::CTRL | Qt::Key_I));
    window.addSeparator();
    window.addAction(tr("Pr&ogram and results"), QKeySequence(Qt::CTRL | Qt::Key_M), this, [this] {
        const bool isShown = m_program->isVisible() || m_tables->isVisible();
        m_isLayoutTouched = true;
        m_program->setVisible(!isShown);
        m_tables->setVisible(!isShown);
    });
    window.addAction(tr("Put &all back where it was"), this, [this] {
        putDocks();
        m_split->setChecked(true);
        m_views->setChosen({});
        m_views->setSplit(true);
        m_isLayoutTouched = true;
    });
    window.addSeparator();
    window.addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), this, [this] { goToPane(1); });
    window.addAction(tr("Previo&us pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this, [this] { goToPane(-1); });
}

QMenu* MainWindow::createPopupMenu()
{
    auto* menu = new QMenu(this);
    for (auto* dock : docks())
        menu->addAction(dock == m_second ? m_split : dock->toggleViewAction());
    return menu;
}

void MainWindow::enterWork(const Snapshot& snapshot)
{
    const auto work = workOf(snapshot);
    if (work.isEmpty() || work == m_work) return;
    keepLayout();
    m_work = work;
    m_views->setChosen({});
    const auto kept = QSettings().value(key(kWork).arg(m_work)).toMap();
    if (kept.isEmpty()) return;
    QMainWindow::restoreState(kept.value(QStringLiteral("docks")).toByteArray());
    m_split->setChecked(kept.value(QStringLiteral("split")).toBool());
    m_views->setSplit(m_split->isChecked());
    m_isFunctionsWanted = kept.value(QStringLiteral("functions"), true).toBool();
    m_views->setChosen(kept.value(QStringLiteral("views")).toStringList());
    m_second->setVisible(m_views->count() > 1);
    m_isLayoutTouched = false;
}

void MainWindow::keepLayout()
{
    // A layout that nobody has touched is not of the work: another work's may take its place.
    const auto chosen = m_views->chosen();
    const bool isChosen = std::any_of(chosen.begin(), chosen.end(), [](const QString& view) { return !view.isEmpty(); });
    if (m_work.isEmpty() || (!m_isLayoutTouched && !isChosen)) return;
    QSettings().setValue(key(kWork).arg(m_work),
        QVariantMap{{QStringLiteral("docks"), saveState()}, {QStringLiteral("split"), m_split->isChecked()},
            {QStringLiteral("functions"), m_isFunctionsWanted}, {QStringLiteral("views"), chosen}});
    m_isLayoutTouched = false;
}

void MainWindow::present(bool isPresenting)
{
    if (!isPresenting) {
        // What was hidden before stays so.
        for (auto* one : std::exchange(m_putAway, {}))
            one->show();
        if (!m_wasFullScreen) setWindowState(windowState() & ~Qt::WindowFullScreen);
        if (!m_snapshot) showStart(true);
        return;
    }
    QList<QWidget*> all{menuBar(), findChild<QToolBar*>(QStringLiteral("tools")), statusBar()};
    for (auto* dock : docks())
        if (dock != m_second) all << dock;
    for (auto* one : all)
        if (one->isVisibleTo(this)) {
            one->hide();
            m_putAway << one;
        }
    showStart(false);
    m_wasFullScreen = isFullScreen();
    setWindowState(windowState() | Qt::WindowFullScreen);
    m_views->current().figure().setFocus();
}

void MainWindow::goToPane(int by)
{
    const auto isAt = [](const QWidget* pane, const QWidget* focus) { return focus && (pane == focus || pane->isAncestorOf(focus)); };
    const auto inWindow = [](QWidget* dock, QWidget* pane) { return dock->isVisible() ? dock : pane; };
    QList<QWidget*> panes;
    // Of a dock its title bar, too: the keyboard is there when somebody was at its tabs.
    for (QWidget* one :
        {static_cast<QWidget*>(m_command), inWindow(m_questions, m_sidebar), inWindow(m_history, m_runs), inWindow(m_program, m_programs),
            inWindow(m_tables, m_results), static_cast<QWidget*>(m_start), static_cast<QWidget*>(&m_views->panel(0)),
            inWindow(m_second, &m_views->panel(1)), inWindow(m_costs, m_functions), inWindow(m_facts, m_details)})
        if (one->isVisible() && !one->visibleRegion().isEmpty()) panes << one; // one behind another dock is not seen
    const auto* focus = QApplication::focusWidget() ? QApplication::focusWidget() : focusWidget();
    const auto here = std::find_if(panes.begin(), panes.end(), [&](const QWidget* pane) { return isAt(pane, focus); }) - panes.begin();
    const auto count = panes.size();
    auto* next = panes[here == count ? 0 : (here + by + count) % count];
    // Into the pane, to what it is there for.
    auto inside = next->findChildren<QWidget*>();
    inside.prepend(next);
    const auto takes = [](QWidget* w) { return w->focusPolicy() & Qt::TabFocus && w->isVisible() && w->isEnabled(); };
    auto best = std::find_if(inside.begin(), inside.end(), [&](QWidget* w) {
        return takes(w) && (qobject_cast<FigureView*>(w) || qobject_cast<QAbstractScrollArea*>(w) || qobject_cast<QLineEdit*>(w));
    });
    if (best != inside.end()) {
        (*best)->activateWindow(); // it may be a dock that stands alone
        (*best)->setFocus(Qt::TabFocusReason);
    }
}

void MainWindow::restoreState()
{
    const QSettings settings;
    restoreGeometry(settings.value(key(kGeometry)).toByteArray());
    const auto kept = settings.value(key(kLayout)).toMap();
    if (!kept.isEmpty()) {
        QMainWindow::restoreState(kept.value(QStringLiteral("docks")).toByteArray());
        m_split->setChecked(kept.value(QStringLiteral("split")).toBool());
        m_isFunctionsWanted = kept.value(QStringLiteral("functions"), true).toBool();
        m_costs->hide(); // until there are functions
        m_isLayoutNew = false;
    }
    m_views->setSplit(m_split->isChecked());
    m_second->setVisible(m_views->count() > 1);
    m_command->setText(settings.value(key(kCommand)).toString());
    m_command->setCursorPosition(0);
    m_isLayoutTouched = false;
}

void MainWindow::keepState()
{
    keepLayout();
    QSettings settings;
    settings.setValue(key(kGeometry), saveGeometry());
    settings.setValue(key(kLayout),
        QVariantMap{{QStringLiteral("docks"), saveState()}, {QStringLiteral("split"), m_split->isChecked()},
            {QStringLiteral("functions"), m_isFunctionsWanted}});
    settings.setValue(key(kCommand), m_command->text());
}
} // namespace dscope::gui
