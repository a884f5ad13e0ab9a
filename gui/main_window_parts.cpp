// The main window's parts: what it is made of and what is connected to what.
#include "gui/command_palette.h"
#include "gui/help.h"
#include "gui/main_window.h"
#include "gui/style.h"
#include <QAbstractScrollArea>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
// Icons are in a static library: without a word from outside the linker leaves them out.
static void haveIcons() { Q_INIT_RESOURCE(icons); }

namespace dscope::gui {
namespace {
QIcon icon(const char* name)
{
    QIcon one(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)));
    one.addFile(QStringLiteral(":/icons/%1-off.svg").arg(QLatin1String(name)), {}, QIcon::Disabled);
    return one;
}
constexpr auto kGeometry = "window/geometry", kColumns = "window/columns", kMiddle = "window/middle", kViews = "window/views",
               kSplit = "window/two-views", kCommand = "run/command", kRunOnSave = "run/again-on-save", kRecent = "files/recent";
constexpr int kRecentKept = 10;
QString key(const char* name) { return QLatin1String(name); }
/// What a menu offers, and the menus in it, with the way there.
void addActions(const QWidget& menu, const QString& place, QList<std::pair<QString, QAction*>>& all)
{
    for (auto* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty()) continue;
        const auto name = QString(action->text()).remove(QChar('&'));
        if (action->menu())
            addActions(*action->menu(), place.isEmpty() ? name : place + QStringLiteral(" › ") + name, all);
        else
            all.append({place, action});
    }
}
QList<std::pair<QString, QAction*>> actionsOf(const QMenuBar& bar)
{
    QList<std::pair<QString, QAction*>> all;
    addActions(bar, {}, all);
    return all;
}
} // namespace

MainWindow::MainWindow(Confirm confirm, QWidget* parent) : QMainWindow(parent), m_confirm(std::move(confirm))
{
    haveIcons();
    setWindowTitle(tr("dscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/dscope.svg")));
    m_sidebar = new Sidebar;
    m_results = new Results;
    m_views = new ViewArea;
    m_notice = new Notice;
    auto* pictures = new QWidget;
    auto* right = new QVBoxLayout(pictures);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    right->addWidget(m_notice);
    m_selectionBar = new SelectionBar;
    right->addWidget(m_selectionBar);
    right->addWidget(m_views, 1);
    m_views->clear(tr("Run a program or open a recording: its pictures appear here."));
    m_middle = new QSplitter(Qt::Vertical);
    m_middle->setHandleWidth(1);
    m_middle->setChildrenCollapsible(false);
    m_middle->addWidget(buildProgram());
    m_middle->addWidget(m_results);
    m_middle->setSizes({380, 420});
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(m_sidebar);
    m_columns->addWidget(m_middle);
    m_start = new StartPage;
    m_pages = new QStackedWidget;
    m_pages->addWidget(pictures);
    m_pages->addWidget(m_start);
    m_columns->addWidget(m_pages);
    m_columns->setStretchFactor(0, 0);
    m_columns->setStretchFactor(1, 1);
    m_columns->setStretchFactor(2, 3);
    m_columns->setSizes({264, 404, 772});
    setCentralWidget(m_columns);
    buildTools();
    buildMenus();
    m_status = new QLabel(tr("Nothing traced yet"));
    m_note = new QLabel;
    m_note->setTextFormat(Qt::PlainText);
    m_status->setTextFormat(Qt::PlainText);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_note);
    statusBar()->setSizeGripEnabled(false);
    connectParts();
    m_unsaved = new Unsaved([this] { return unsavedPrograms(); }, this);
    connect(m_programs, &Programs::changed, m_unsaved, &Unsaved::touch);
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() * 0.96)); // with room for the window's frame
    setAcceptDrops(true);
    restoreState();
    obey(Preferences::kept());
    connectStart();
    m_start->setCommand(m_command->text());
    showStart(true);
    refreshState();
    recover();
}

void MainWindow::buildTools()
{
    auto* bar = addToolBar(tr("Run"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({13, 13});
    m_run = bar->addAction(icon("run"), tr("Run"), QKeySequence(Qt::Key_F5), this, [this] { run(); });
    m_run->setToolTip(tr("Run the program (F5)"));
    bar->widgetForAction(m_run)->setObjectName(QStringLiteral("run"));
    m_stop = bar->addAction(icon("stop"), tr("Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), this, &MainWindow::stop);
    m_stop->setToolTip(tr("Stop tracing: END fires and the aggregations come (Shift+F5)"));
    m_pause = bar->addAction(icon("pause"), tr("Pause"), QKeySequence(Qt::CTRL | Qt::Key_F5), this,
        [this] { pause(m_pause->isChecked() ? Paused::Yes : Paused::No); });
    m_pause->setCheckable(true);
    m_pause->setToolTip(tr("Let probes do nothing until this is pressed again (Ctrl+F5)"));
    m_record = bar->addAction(icon("record"), tr("Record…"), this, [this] {
        const auto path
            = QFileDialog::getSaveFileName(this, tr("Run and record"), QStringLiteral("run.dscope"), tr("Recordings (*.dscope)"));
        if (!path.isEmpty()) run(path);
    });

    m_record->setToolTip(tr("Run the program and keep everything in a recording"));
    for (auto* action : {m_run, m_stop, m_pause, m_record})
        bar->widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
    m_command = new QLineEdit;
    m_command->setPlaceholderText(tr("Command to trace, or -p PID (optional)"));
    m_command->setClearButtonEnabled(true);
    m_command->setMaximumWidth(420);
    m_command->setFont(monospace(font().pointSizeF()));
    m_command->setAccessibleName(tr("Command"));
    bar->addWidget(m_command);
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search in all views (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(QIcon(QStringLiteral(":/icons/search.svg")), QLineEdit::LeadingPosition);
    m_search->setMaximumWidth(340);
    m_search->setMinimumWidth(220);
    m_search->setAccessibleName(tr("Search"));
    m_search->setToolTip(tr("A regular expression. Enter: next match, Shift+Enter: the one before"));
    bar->addWidget(m_search);
}

void MainWindow::buildMenus()
{
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* fresh = file->addAction(tr("&New program"), this, [this] { m_programs->add({}, {}), editor().setFocus(); });
    fresh->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_N), QKeySequence(Qt::CTRL | Qt::Key_T)});
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFiles);
    auto* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { listRecent(*recent); });
    file->addAction(tr("&Save program"), QKeySequence::Save, this, [this] { saveAndRun(SaveAs::KnownName); });
    file->addAction(tr("Save program &as…"), QKeySequence::SaveAs, this, [this] { saveAndRun(SaveAs::AskedName); });
    file->addAction(tr("Save program as rec&ipe…"), this, &MainWindow::saveAsRecipe);
    auto* close = file->addAction(tr("&Close program"), this, [this] { closeProgram(m_programs->current()); });
    close->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_W), QKeySequence(Qt::CTRL | Qt::Key_F4)});
    file->addAction(tr("O&pen the closed program again"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), this, [this] {
        if (m_programs->reopen())
            editor().setFocus();
        else
            note(tr("No program was closed"));
    });

    file->addSeparator();
    m_saveRun = file->addAction(tr("Save &run as…"), this, [this] { saveRun(0); });
    file->addAction(tr("&Export view…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] {
        if (const auto visual = m_views->current().shown()) chooseExport(visual);
    });

    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    buildEditMenu(*menuBar()->addMenu(tr("&Edit")));
    auto* view = menuBar()->addMenu(tr("&View"));
    m_showStart = view->addAction(
        tr("Start pa&ge"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H), this, [this] { showStart(m_showStart->isChecked()); });
    m_showStart->setCheckable(true);
    view->addAction(tr("&Find"), QKeySequence::Find, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });

    view->addAction(tr("&Whole figure"), QKeySequence(Qt::CTRL | Qt::Key_0), this, [this] { m_views->current().figure().showWhole(); });
    m_split
        = view->addAction(tr("&Two views"), QKeySequence(Qt::CTRL | Qt::Key_2), this, [this] { m_views->setSplit(m_split->isChecked()); });
    m_split->setCheckable(true);
    m_split->setChecked(true);
    view->addSeparator();
    view->addAction(tr("&Back: what was shown before"), QKeySequence(Qt::ALT | Qt::Key_Left), this, [this] {
        if (m_selectedBefore.empty()) return;
        const auto before = m_selectedBefore.back();
        m_selectedBefore.pop_back();
        select(before);
        m_selectedBefore.pop_back(); // what was left is not gone back to
    });

    view->addAction(tr("&All of the run"), QKeySequence(Qt::ALT | Qt::Key_Home), this, [this] { select({}); });
    view->addSeparator();
    const auto step = [&](const QString& text, int by, const QList<QKeySequence>& keys) {
        view->addAction(text, this, [this, by] { m_programs->step(by); })->setShortcuts(keys);
    };

    step(tr("Ne&xt program"), 1, {QKeySequence(Qt::CTRL | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageDown)});
    step(tr("Pre&vious program"), -1,
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
            QKeySequence(Qt::CTRL | Qt::Key_PageUp)});
    view->addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), this, [this] { goToPane(1); });
    view->addAction(tr("&Previous pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), this, [this] { goToPane(-1); });
    view->addAction(tr("S&ide bar"), QKeySequence(Qt::CTRL | Qt::Key_B), this, [this] { m_sidebar->setVisible(!m_sidebar->isVisible()); });
    view->addAction(
        tr("Program and &results"), QKeySequence(Qt::CTRL | Qt::Key_M), this, [this] { m_middle->setVisible(!m_middle->isVisible()); });
    m_present
        = view->addAction(tr("Pictures al&one"), QKeySequence(Qt::SHIFT | Qt::Key_F11), this, [this] { present(m_present->isChecked()); });
    m_present->setCheckable(true);
    view->addAction(tr("Full &screen"), QKeySequence(Qt::Key_F11), this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    view->addSeparator();
    auto* themes = new QActionGroup(this);
    for (const auto& text : {tr("As the &system"), tr("&Light"), tr("&Dark"), tr("For &print")}) {
        auto* action = view->addAction(text);
        action->setCheckable(true);
        themes->addAction(action);
    }

    m_themes = themes->actions();
    connect(themes, &QActionGroup::triggered, this, [this](QAction* action) {
        auto changed = m_preferences;
        changed.ground = static_cast<Preferences::Ground>(m_themes.indexOf(action));
        setPreferences(changed);
    });

    auto* run = new QMenu(tr("&Run"), this);
    menuBar()->insertMenu(view->menuAction(), run);
    buildRunMenu(*run);
    auto* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this, &MainWindow::showCommands);
    help->addAction(tr("&Keyboard and mouse"), QKeySequence(Qt::SHIFT | Qt::Key_F1), this, [this] { showShortcuts(*this); });
    help->addAction(tr("What can be &traced here…"), this, &MainWindow::showDoctor);
    help->addAction(tr("Two-minute to&ur"), this, &MainWindow::takeTour);
    help->addAction(tr("&About dscope"), this, [this] { showAbout(*this); });
    // They are the window's own, too: without the menu bar their keys would do nothing.
    for (const auto& [place, action] : actionsOf(*menuBar()))
        addAction(action);
}

void MainWindow::buildRunMenu(QMenu& run)
{
    run.addActions({m_run, m_stop, m_pause, m_record});
    m_runOnSave = run.addAction(tr("Run again on &save"));
    m_runOnSave->setCheckable(true);
    m_runOnSave->setChecked(QSettings().value(key(kRunOnSave)).toBool());
    connect(m_runOnSave, &QAction::toggled, this, [](bool isOn) { QSettings().setValue(key(kRunOnSave), isOn); });
    run.addSeparator();
    run.addAction(tr("Trace a &process…"), QKeySequence(Qt::CTRL | Qt::Key_P), this, &MainWindow::pickProcess);

    const auto offer = [&](const QString& text, const QString& none, std::initializer_list<int> times, auto choose) {
        auto* menu = run.addMenu(text);
        auto* which = new QActionGroup(this);
        for (const int seconds : times) {
            auto* one = menu->addAction(seconds == 0 ? none : tr("%1 s").arg(seconds), this, [choose, seconds] { choose(seconds); });
            one->setCheckable(true);
            one->setChecked(seconds == 0);
            which->addAction(one);
        }
        return menu;
    };

    offer(tr("Stop &after"), tr("No limit"), {0, 5, 10, 30, 60, 300}, [this](int seconds) { m_limit = seconds; });
    auto* last = offer(tr("&Keep only the last"), tr("Keep all"), {0, 5, 10, 30, 60, 300}, [this](int seconds) { keepLast(seconds); });
    last->setToolTip(tr("For what happens seldom: the run goes on until it is stopped, or the program calls exit(0)"));
    run.addSeparator();
    run.addAction(tr("What has &changed since the run before"), QKeySequence(Qt::CTRL | Qt::Key_D), this, [this] {
        if (m_sidebar->runs().count() > 1)
            compareRuns(1, 0);
        else
            note(tr("There is nothing to compare yet: run the program twice."));
    });
}

void MainWindow::keepLast(int seconds)
{
    m_keepLast = seconds;
    if (seconds > 0)
        note(tr("The next run keeps its last %1 s").arg(seconds));
    else
        note({});
}

void MainWindow::showCommands()
{
    auto* palette = new CommandPalette(actionsOf(*menuBar()), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
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
    for (QWidget* one : {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(findChild<QToolBar*>(QStringLiteral("tools"))),
             static_cast<QWidget*>(m_sidebar), static_cast<QWidget*>(m_middle), static_cast<QWidget*>(statusBar())})
        if (one->isVisibleTo(this)) {
            one->hide();
            m_putAway << one;
        }
    showStart(false);
    m_wasFullScreen = isFullScreen();
    setWindowState(windowState() | Qt::WindowFullScreen);
    m_views->current().figure().setFocus();
}

QWidget* MainWindow::buildProgram()
{
    auto* program = new QWidget;
    m_programs = new Programs;
    m_message = new QLabel;
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setContentsMargins(16, 4, 12, 8);
    auto* all = new QVBoxLayout(program);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(m_programs, 1);
    all->addWidget(m_message);
    return program;
}

void MainWindow::connectParts()
{
    connect(m_command, &QLineEdit::returnPressed, this, [this] { run(); });
    connect(m_search, &QLineEdit::textChanged, this, &MainWindow::searchAll);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        const bool back = QApplication::keyboardModifiers() & Qt::ShiftModifier;
        m_views->current().figure().step(back ? -1 : 1);
    });

    const auto tellMistake = [this](const QString& message) {
        if (!message.isEmpty())
            tell(message);
        else if (m_troubled)
            tellState({});
        refreshState();
    };

    connect(m_programs, &Programs::mistaken, this, tellMistake);
    connect(m_programs, &Programs::shown, this, [this, tellMistake] { tellMistake(editor().mistake()); });
    connect(m_programs, &Programs::newAsked, this, [this] { m_programs->add({}, {}), editor().setFocus(); });
    connect(m_programs, &Programs::closeAsked, this, &MainWindow::closeProgram);
    connect(m_programs, &Programs::runAsked, this, [this] { run(); });
    connect(m_programs, &Programs::parsed, this, [this](const QString& program) {
        if (!isRunning()) m_check.check(program, m_command->text().trimmed());
    });

    connect(&m_check, &ProgramCheck::checked, this, [this](const QString& program, const std::vector<record::Diagnostic>& errors) {
        if (errors.empty() || isRunning() || editor().toPlainText() != program) return;
        const auto& first = errors.front();
        const auto message = QString::fromStdString(first.message);
        editor().mark({static_cast<int>(first.line), static_cast<int>(first.column), 0},
            first.line > 0 ? Editor::tr("line %1: %2").arg(first.line).arg(message) : message);
    });

    connect(m_programs, &Programs::membersWanted, this,
        [this](const QString& program) { m_members.check(program, m_command->text().trimmed()); });
    connect(&m_members, &ProgramCheck::checked, this, [this](const QString& program, const std::vector<record::Diagnostic>& errors) {
        for (const auto& error : errors)
            if (!error.choices.empty()) return editor().completion().setMembers(program, error.choices);
    });

    connect(m_sidebar, &Sidebar::recipeChosen, this, [this](const QString& program) { showProgram(program, {}); });
    connect(m_sidebar, &Sidebar::removeAsked, this, &MainWindow::removeOwnRecipe);
    connect(m_sidebar, &Sidebar::probeChosen, this, [this](const QString& probe) {
        editor().insertPlainText(probe);
        editor().setFocus();
    });

    connect(m_sidebar, &Sidebar::probesListed, m_programs, &Programs::setProbes);
    connect(m_programs, &Programs::probesWanted, m_sidebar, &Sidebar::listProbes);
    connect(m_results, &Results::rowAsked, this, [this](int row, const QPoint& at) {
        if (m_snapshot && m_snapshot->table) askAboutRow(*m_snapshot->table, row, at);
    });

    connect(m_results, &Results::functionAsked, this, &MainWindow::askAboutFunction);
    connect(m_results, &Results::functionChosen, this, [this](int row) {
        if (m_snapshot && m_snapshot->functions)
            showFunction(QString::fromStdString(m_snapshot->functions->rows[static_cast<std::size_t>(row)].front()));
    });

    connect(m_notice, &Notice::asked, this, [this] {
        const auto place = m_programs->placeOf(m_traced);
        if (!place || isRunning()) return;
        const auto advice = adviceOn(m_snapshot->losses, m_traced->toPlainText());
        if (!advice) return;
        m_programs->show(*place);
        editor().replaceProgram(withOption(editor().toPlainText(), *advice));
        run();
    });

    connect(m_selectionBar, &SelectionBar::wanted, this, &MainWindow::select, Qt::QueuedConnection); // its chip goes with it
    auto& runs = m_sidebar->runs();
    connect(&runs, &RunHistory::chosen, this, &MainWindow::showRun);
    connect(&runs, &RunHistory::compareAsked, this, &MainWindow::compareRuns);
    connect(&runs, &RunHistory::keepAsked, this, &MainWindow::saveRun);

    // A line of text would take a shortcut of the window for one of its own.
    for (auto* line : {m_command, m_search})
        line->installEventFilter(this);
    connect(m_views, &ViewArea::exportAsked, this, &MainWindow::chooseExport);
    for (std::size_t place = 0; place < 2; ++place) {
        auto& figure = m_views->panel(place).figure();
        connect(&figure, &FigureView::asked, this, [this, &figure](std::size_t item, const QPoint& at) { askAboutMark(figure, item, at); });
        connect(&figure, &FigureView::timeChosen, this, [this](std::int64_t from, std::int64_t to) {
            auto selection = m_selection;
            selection.time = {from, to};
            select(selection);
        });
        connect(&figure, &FigureView::searched, this, &MainWindow::tellFound);
        connect(&figure, &FigureView::searchAsked, m_search, [this] {
            m_search->setFocus();
            m_search->selectAll();
        });
        connect(&figure, &FigureView::pointedAt, this,
            [this](const QString& tip) { note(tip.section(QChar('\n'), 0, 1).replace(QChar('\n'), QStringLiteral(" · "))); });
    }
}

void MainWindow::restoreState()
{
    const QSettings settings;
    restoreGeometry(settings.value(key(kGeometry)).toByteArray());
    m_columns->restoreState(settings.value(key(kColumns)).toByteArray());
    m_middle->restoreState(settings.value(key(kMiddle)).toByteArray());
    m_views->restoreState(settings.value(key(kViews)).toByteArray());
    m_split->setChecked(settings.value(key(kSplit), true).toBool());
    m_views->setSplit(m_split->isChecked());
    m_command->setText(settings.value(key(kCommand)).toString());
    m_command->setCursorPosition(0);
}

void MainWindow::remember(const QString& path)
{
    QSettings settings;
    auto files = settings.value(key(kRecent)).toStringList();
    files.removeAll(path);
    files.prepend(path);
    settings.setValue(key(kRecent), QStringList(files.mid(0, kRecentKept)));
    refreshRecent();
}

QStringList MainWindow::recentFiles() const { return QSettings().value(key(kRecent)).toStringList(); }

void MainWindow::listRecent(QMenu& menu)
{
    menu.clear();
    const auto files = recentFiles();
    for (const auto& path : files) {
        auto* action = menu.addAction(QFileInfo(path).fileName(), this, [this, path] { open(path); });
        action->setToolTip(path);
        action->setEnabled(QFileInfo::exists(path));
    }
    menu.setToolTipsVisible(true);
    if (files.isEmpty()) menu.addAction(tr("Nothing yet"))->setEnabled(false);
}

void MainWindow::goToPane(int by)
{
    QList<QWidget*> panes;
    for (QWidget* one : {static_cast<QWidget*>(m_command), static_cast<QWidget*>(m_sidebar), static_cast<QWidget*>(m_programs),
             static_cast<QWidget*>(m_results), static_cast<QWidget*>(m_start), static_cast<QWidget*>(&m_views->panel(0)),
             static_cast<QWidget*>(&m_views->panel(1))})
        if (one->isVisibleTo(this)) panes << one;
    const auto isIn = [this](const QWidget* pane) { return focusWidget() && (pane == focusWidget() || pane->isAncestorOf(focusWidget())); };
    const auto here = std::find_if(panes.begin(), panes.end(), isIn) - panes.begin();
    const auto count = panes.size();
    auto* next = panes[here == count ? 0 : (here + by + count) % count];
    // Into the pane, to what it is there for.
    auto inside = next->findChildren<QWidget*>();
    inside.prepend(next);
    const auto takes = [](QWidget* w) { return w->focusPolicy() & Qt::TabFocus && w->isVisible() && w->isEnabled(); };
    auto best = std::find_if(inside.begin(), inside.end(), [&](QWidget* w) {
        return takes(w) && (qobject_cast<FigureView*>(w) || qobject_cast<QAbstractScrollArea*>(w) || qobject_cast<QLineEdit*>(w));
    });
    if (best != inside.end()) (*best)->setFocus(Qt::TabFocusReason);
}

void MainWindow::keepState() const
{
    QSettings settings;
    settings.setValue(key(kGeometry), saveGeometry());
    settings.setValue(key(kColumns), m_columns->saveState());
    settings.setValue(key(kMiddle), m_middle->saveState());
    settings.setValue(key(kViews), m_views->saveState());
    settings.setValue(key(kSplit), m_split->isChecked());
    settings.setValue(key(kCommand), m_command->text());
}
} // namespace dscope::gui
