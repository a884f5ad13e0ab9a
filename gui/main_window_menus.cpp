// The main window's menus, and the commands in them.
#include "gui/command_palette.h"
#include "gui/dock.h"
#include "gui/help.h"
#include "gui/main_window.h"
#include "gui/texts.h"
#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <utility>
namespace dscope::gui {
namespace {
constexpr auto kRunOnSave = "run/again-on-save";
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

void MainWindow::buildMenus()
{
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* fresh = file->addAction(tr("&New program"), this, [this] { m_programs->add({}, {}), editor().setFocus(); });
    fresh->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_N), QKeySequence(Qt::CTRL | Qt::Key_T)});
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFiles);
    file->addAction(tr("Collect from &hosts…"), this, &MainWindow::chooseHosts);
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
    view->addSeparator();
    view->addAction(tr("&Back: what was shown before"), QKeySequence(Qt::ALT | Qt::Key_Left), this, &MainWindow::goBack);
    view->addAction(tr("Fo&rward: what was shown after"), QKeySequence(Qt::ALT | Qt::Key_Right), this, &MainWindow::goForward);
    view->addAction(tr("&All of the run"), QKeySequence(Qt::ALT | Qt::Key_Home), this, [this] { select({}); });
    view->addSeparator();
    const auto step = [&](const QString& text, int by, const QList<QKeySequence>& keys) {
        view->addAction(text, this, [this, by] { m_programs->step(by); })->setShortcuts(keys);
    };

    step(tr("Ne&xt program"), 1, {QKeySequence(Qt::CTRL | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageDown)});
    step(tr("Pre&vious program"), -1,
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
            QKeySequence(Qt::CTRL | Qt::Key_PageUp)});
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
    buildWindowMenu(*menuBar()->addMenu(tr("&Window")));
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
        if (m_runs->count() > 1)
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
} // namespace dscope::gui
