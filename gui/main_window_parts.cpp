// The main window's parts: what it is made of and what is connected to what.
#include "gui/dock.h"
#include "gui/main_window.h"
#include "gui/parameters.h"
#include "gui/run_name.h"
#include "gui/style.h"
#include "gui/texts.h"
#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
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
constexpr auto kRecent = "files/recent";
constexpr int kRecentKept = 10;
} // namespace

MainWindow::MainWindow(Confirm confirm, QWidget* parent) : QMainWindow(parent), m_confirm(std::move(confirm))
{
    haveIcons();
    setWindowTitle(tr("dscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/dscope.svg")));
    m_sidebar = new Sidebar;
    m_results = new Results;
    m_functions = new FunctionTables;
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
    m_runs = new RunHistory;
    m_details = new Details;
    m_start = new StartPage;
    m_pages = new QStackedWidget;
    m_pages->addWidget(pictures);
    m_pages->addWidget(m_start);
    setCentralWidget(m_pages);
    buildDocks();
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
    putDocks();
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
    m_run->setToolTip(tr("Run the program (F5); a run that goes on is stopped, and kept in Runs"));
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

QWidget* MainWindow::buildProgram()
{
    auto* program = new QWidget;
    m_programs = new Programs;
    m_message = new Message;
    auto* all = new QVBoxLayout(program);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    m_proposal = new Proposal;
    all->addWidget(m_programs, 1);
    all->addWidget(m_proposal);
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
        if (!message.isEmpty()) {
            tell(message);
            m_isOfProgram = true;
        } else if (m_troubled && m_isOfProgram) { // what is wrong with a file or a run stays
            tellState({});
        }
        refreshState();
    };

    connect(m_programs, &Programs::mistaken, this, tellMistake);
    connect(m_programs, &Programs::shown, this, [this, tellMistake] { tellMistake(editor().mistake()); });
    connect(m_programs, &Programs::newAsked, this, [this] { m_programs->add({}, {}), editor().setFocus(); });
    connect(m_programs, &Programs::changed, this, [this] { m_proposal->keepFor(editor().toPlainText()); });
    connect(m_programs, &Programs::shown, this, [this] { m_proposal->keepFor(editor().toPlainText()); });
    for (const auto signal : {&Programs::changed, &Programs::shown})
        connect(m_programs, signal, this, &MainWindow::forgetOldErrors);
    connect(m_command, &QLineEdit::textChanged, this, &MainWindow::forgetOldErrors);
    connect(m_proposal, &Proposal::runAsked, this, [this] { run(); });
    connect(m_proposal, &Proposal::backAsked, this, [this] { editor().undo(); });
    connect(m_programs, &Programs::closeAsked, this, &MainWindow::closeProgram);
    connect(m_programs, &Programs::runAsked, this, [this] { run(); });
    connect(m_programs, &Programs::parsed, this, [this](const QString& program) {
        if (!isRunning()) m_check.check(program, m_command->text().trimmed(), argumentsOf(program, editor().arguments()));
    });

    connect(&m_check, &ProgramCheck::checked, this, [this](const QString& program, const std::vector<record::Diagnostic>& errors) {
        if (errors.empty() || isRunning() || editor().toPlainText() != program) return;
        const auto& first = errors.front();
        const auto message = QString::fromStdString(first.message);
        editor().mark({static_cast<int>(first.line), static_cast<int>(first.column), 0},
            first.line > 0 ? Editor::tr("line %1: %2").arg(first.line).arg(message) : message);
    });

    connect(m_programs, &Programs::membersWanted, this, [this](const QString& program) {
        m_members.check(program, m_command->text().trimmed(), argumentsOf(program, editor().arguments()));
    });
    connect(&m_members, &ProgramCheck::checked, this, [this](const QString& program, const std::vector<record::Diagnostic>& errors) {
        for (const auto& error : errors)
            if (!error.choices.empty()) return editor().completion().setMembers(program, error.choices);
    });

    connect(m_sidebar, &Sidebar::recipeChosen, this,
        [this](const QString& program) { showProgram(program, recipeOf(program).value_or(QString())); });
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

    connect(m_results, &Results::rowCurrent, this, [this](int row) {
        if (m_snapshot && m_snapshot->table && m_facts->isVisible()) detailRow(*m_snapshot->table, row, menuOfRow(*m_snapshot->table, row));
    });
    connect(m_facts, &QDockWidget::visibilityChanged, this, [this](bool isShown) {
        auto& figure = m_views->current().figure();
        if (const auto mark = figure.currentMark(); isShown && mark)
            detailMark(figure, figure.drawing()->marks()[static_cast<std::size_t>(*mark)]);
    });

    connectFunctions();
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
    connect(m_runs, &RunHistory::chosen, this, &MainWindow::showRun);
    connect(m_runs, &RunHistory::compareAsked, this, &MainWindow::compareRuns);
    connect(m_runs, &RunHistory::keepAsked, this, &MainWindow::saveRun);
    // Not from within the list, whose lines change.
    connect(m_runs, &RunHistory::liveChosen, this, &MainWindow::showLive, Qt::QueuedConnection);
    connect(m_runs, &RunHistory::stopAsked, this, &MainWindow::stopLive, Qt::QueuedConnection);
    connect(m_runs, &RunHistory::renamed, m_runs, &RunHistory::rename);

    // A line of text would take a shortcut of the window for one of its own.
    for (auto* line : {m_command, m_search})
        line->installEventFilter(this);
    connect(m_views, &ViewArea::exportAsked, this, &MainWindow::chooseExport);
    connect(m_views, &ViewArea::seenChanged, this, &MainWindow::tellSeen);
    connect(m_results, &Results::needsChanged, this, &MainWindow::tellSeen);
    const auto tellDrawn = [this] {
        if (m_feed && m_snapshot) m_feed->drawn();
    };
    connect(&m_views->panel(0).figure(), &FigureView::drawn, this, tellDrawn);
    connect(&m_views->panel(0).figure(), &FigureView::unwanted, this, tellDrawn);
    for (std::size_t place = 0; place < 2; ++place) {
        auto& figure = m_views->panel(place).figure();
        connect(&figure, &FigureView::asked, this, [this, &figure](std::size_t item, const QPoint& at) { askAboutMark(figure, item, at); });
        connect(&figure, &FigureView::markChosen, this, [this, &figure](std::size_t item) {
            markFunction(figure.functionOf(item));
            detailMark(figure, item);
        });
        connect(&figure, &FigureView::timeChosen, this, [this](std::int64_t from, std::int64_t to) {
            auto selection = m_selection;
            selection.time = {from, to};
            select(selection);
        });
        connect(&figure, &FigureView::simplified, this,
            [this] { note(tr("This graph took too long to be laid out: it is drawn in a simpler way")); });
        connect(&figure, &FigureView::searched, this, &MainWindow::tellFound);
        connect(&figure, &FigureView::searchAsked, m_search, [this] {
            m_search->setFocus();
            m_search->selectAll();
        });
        connect(&figure, &FigureView::pointedAt, this,
            [this](const QString& tip) { note(tip.section(QChar('\n'), 0, 1).replace(QChar('\n'), QStringLiteral(" · "))); });
    }
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

} // namespace dscope::gui
