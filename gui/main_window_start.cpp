// The main window's start page and its tour.
#include "gui/collect_dialog.h"
#include "gui/dock.h"
#include "gui/doctor_dialog.h"
#include "gui/main_window.h"
#include "gui/session.h"
#include <QFileDialog>
#include <QSettings>
#include <QStackedWidget>
#include <QToolBar>
#include <utility>
namespace dscope::gui {
namespace {
constexpr auto kTourSeen = "tour/seen";
}

void MainWindow::connectStart()
{
    connect(m_start, &StartPage::recipeChosen, this, [this](const QString& program) {
        Q_EMIT m_sidebar->recipeChosen(program);
        editor().setFocus();
        note(tr("Run it with F5; undo brings back the program before"));
    });
    connect(m_start, &StartPage::recordAsked, this, [this](const QString& program, const QString& command) {
        if (isRunning() && !m_trace) {
            note(tr("A run goes on: stop it first"));
            return;
        }
        m_command->setText(command);
        Q_EMIT m_sidebar->recipeChosen(program);
        run();
    });
    connect(m_start, &StartPage::processAsked, this, &MainWindow::pickProcess);
    connect(m_start, &StartPage::fileChosen, this, &MainWindow::open);
    connect(m_start, &StartPage::sessionChosen, this, &MainWindow::resume);
    connect(m_start, &StartPage::openAsked, this, &MainWindow::chooseFiles);
    connect(m_start, &StartPage::collectAsked, this, &MainWindow::chooseHosts);
    connect(m_start, &StartPage::doctorAsked, this, &MainWindow::showDoctor);
    connect(m_start, &StartPage::tourAsked, this, &MainWindow::takeTour);
    connect(m_command, &QLineEdit::textChanged, m_start, &StartPage::setCommand);
    // What is written there goes with a question that is chosen there, too.
    connect(&m_start->command(), &QLineEdit::textEdited, m_command, &QLineEdit::setText);
    connect(&m_machine, &MachineCheck::known, m_start, &StartPage::setMachine);
    connect(&m_machine, &MachineCheck::failed, m_start, &StartPage::setMachineTrouble);
    m_start->setTourSeen(QSettings().value(QLatin1String(kTourSeen)).toBool());
}

void MainWindow::showStart(bool isStart)
{
    m_pages->setCurrentIndex(isStart ? 1 : 0);
    m_showStart->setChecked(isStart);
    if (!isStart) return;
    refreshRecent();
    if (isVisible()) m_machine.look(commandLine(m_helper));
}

void MainWindow::showEvent(QShowEvent* e)
{
    QMainWindow::showEvent(e);
    // How wide it is, is known only now.
    if (std::exchange(m_isLayoutNew, false)) widenDocks();
    if (isAtStart() && !e->spontaneous()) m_machine.look(commandLine(m_helper));
}

void MainWindow::refreshRecent()
{
    m_start->setRecent(recentFiles());
    QStringList names;
    for (const auto& session : sessions())
        names << session.name();
    m_start->setSessions(names);
}

void MainWindow::chooseFiles()
{
    const auto paths = QFileDialog::getOpenFileNames(
        this, tr("Open"), {}, tr("All that can be opened (*);;Programs (*.d);;Recordings (*.dscope);;Figures (*.svg *.html)"));
    for (const auto& path : paths)
        open(path);
}

void MainWindow::chooseHosts()
{
    if (isRunning()) {
        note(tr("A run goes on: stop it first"));
        return;
    }
    auto* dialog = new CollectDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CollectDialog::chosen, this, &MainWindow::collect);
    dialog->open();
}

void MainWindow::collect(const QString& address, const QStringList& arguments)
{
    if (isRunning()) return;
    m_traced = nullptr;
    m_ran = {};
    prepareHelper();
    QString trouble;
    const int fd = m_trace->collect(address, arguments, &trouble);
    if (fd < 0) {
        m_trace.reset();
        tell(trouble);
        refreshState();
        return;
    }
    m_source = address.section(QChar('/'), -1);
    m_ring = 0;
    listen(std::make_unique<Feed>(fd, Feed::Collected::Yes));
}

void MainWindow::showDoctor()
{
    auto* dialog = new DoctorDialog(commandLine(m_helper), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::takeTour()
{
    if (findChild<Tour*>()) return;
    std::vector<Tour::Hint> hints{
        {m_questions, tr("Questions"),
            tr("Choose what you want to know: the D program that answers it is written for you. The tab beside it lists the probes of "
               "this machine; your runs are kept below.")},
        {m_programs, tr("The program"),
            tr("Change it or write your own. Names are completed, errors are underlined while you type, and F1 explains the word at the "
               "cursor.")},
        {m_command, tr("What is traced"),
            tr("A command here is started and traced; -p and a number is a process that runs already (Ctrl+P chooses one). Empty means the "
               "whole machine.")},
        {findChild<QToolBar*>(QStringLiteral("tools")), tr("Run"),
            tr("F5 begins, Shift+F5 stops. Pictures grow while it runs; Run › Stop after sets a limit.")},
        {m_pages, tr("Pictures"),
            tr("Each view is a tab. Click into a flame graph to go deeper, Esc to return; draw with Shift held to choose a stretch of time "
               "for all views.")},
        {m_pages, tr("The next question"),
            tr("A right click on anything that is drawn, or the Menu key, offers programs that look closer at it, and parts of the run to "
               "show alone. Alt+Left goes back.")},
        {m_results, tr("Numbers"),
            tr("The same as tables, what the program printed, and the functions of its stacks. Click a heading to sort.")},
        {m_search, tr("Search"), tr("Finds a name in all views at once, with its share of everything. Ctrl+Shift+P finds any command.")},
    };

    auto* tour = new Tour(std::move(hints), *this);
    connect(tour, &Tour::ended, this, [this] {
        QSettings().setValue(QLatin1String(kTourSeen), true);
        m_start->setTourSeen(true);
        editor().setFocus();
    });
}
} // namespace dscope::gui
