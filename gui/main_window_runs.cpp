// The main window's next questions: what was pointed at, what was lost, and the runs before.
#include "engine/base/output_file.h"
#include "engine/host/host.h"
#include "graph/units.h"
#include "gui/dock.h"
#include "gui/exporting.h"
#include "gui/kept_records.h"
#include "gui/literal.h"
#include "gui/main_window.h"
#include "gui/process_picker.h"
#include "gui/run_name.h"
#include "gui/tongue.h"
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QRegularExpression>
#include <utility>
namespace dscope::gui {
namespace {
/// What was pointed at, as a part of a name: `tar, write`.
QString shortName(const Subject& subject)
{
    QStringList all;
    for (const auto& term : subject.part.terms)
        all << term.text;
    return all.isEmpty() ? subject.text() : all.join(QStringLiteral(", "));
}
/// A D program says which keys there are before anything has come in.
QStringList askableKeys(const Snapshot& snapshot) { return snapshot.isImported ? snapshot.keys : keysOf(snapshot.source); }
} // namespace

// An edit like any other: undo leads back. What is traced stays as it is until the next run. A program with a file stays, too.
void MainWindow::propose(const QString& program, const QString& name)
{
    const auto before = m_snapshot && !m_snapshot->isImported ? m_snapshot->source : QString();
    showProgram(program, {}, Saved::No);
    m_proposal->show(before, editor().toPlainText());
    m_proposed = {program, name};
    note(tr("Run it with F5; undo brings back the program before"));
}

void MainWindow::askFurther(const Subject& subject, QMenu& menu)
{
    const auto questions = questionsAbout(subject, m_snapshot->isImported ? QString() : m_snapshot->source);
    if (questions.empty()) return;
    auto* about = menu.addAction(subject.text());
    about->setEnabled(false);
    for (const auto& question : questions) {
        auto* action = menu.addAction(question.text, this,
            [this, program = question.program, name = tr("%1 %2").arg(question.text, shortName(subject))] { propose(program, name); });
        action->setEnabled(!question.needsProcess || !m_command->text().trimmed().isEmpty());
        if (!action->isEnabled()) action->setText(tr("%1 (needs a command above)").arg(question.text));
    }
}

/// What of the run is like the row: chosen in all views, without running anything.
void MainWindow::offerKeys(const Subject& subject, QMenu& menu)
{
    if (!m_whole || !m_whole->run || m_whole->isCompared) return;
    for (const auto& term : subject.part.terms) {
        const record::KeyValue key{term.expression.toStdString(), term.text.toStdString()};
        menu.addAction(tr("Only %1 %2, in all views").arg(term.expression, term.text), this, [this, key] {
            auto selection = m_selection;
            std::erase_if(selection.keys, [&](const auto& one) { return one.expression == key.expression; });
            selection.keys.push_back(key);
            select(selection);
        });
    }
    if (!subject.part.terms.empty()) menu.addSeparator();
}

/// What is known of the run as a whole, a line each; its name first.
QString MainWindow::aboutRun() const
{
    if (!m_snapshot) return {};
    const auto& run = *m_snapshot;
    const QLocale locale;
    QStringList all{m_source};
    if (!run.command.isEmpty()) all << tr("Command: %1").arg(run.command);
    if (run.began.isValid()) all << tr("Began: %1").arg(locale.toString(run.began, QLocale::ShortFormat));
    if (run.duration > 0) {
        const auto tongue = tongueOfWindow();
        all << tr("Took: %1").arg(QString::fromStdString(graph::formatDuration(static_cast<double>(run.duration))));
    }
    if (!run.host.isEmpty()) all << tr("On: %1").arg(run.kernel.isEmpty() ? run.host : run.host + QStringLiteral(", Linux ") + run.kernel);
    if (const auto lost = lossText(run.losses, run.isImported ? 0 : run.records); !lost.isEmpty()) all << lost;
    if (!run.findings.isEmpty()) all << QString() << run.findings;
    return all.join(QChar('\n'));
}

// The menu goes when it closes.
void MainWindow::popUp(std::unique_ptr<QMenu> menu, const QPoint& at)
{
    if (menu->isEmpty()) return;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu.release()->popup(at);
}

std::unique_ptr<QMenu> MainWindow::menuOfRow(const graph::Table& table, int row)
{
    auto menu = std::make_unique<QMenu>(this);
    const auto subject = subjectOf(table, static_cast<std::size_t>(row), m_snapshot->source, askableKeys(*m_snapshot));
    offerKeys(subject, *menu);
    askFurther(subject, *menu);
    return menu;
}

void MainWindow::askAboutRow(const graph::Table& table, int row, const QPoint& at) { popUp(menuOfRow(table, row), at); }

void MainWindow::askAboutMark(FigureView& figure, std::size_t item, const QPoint& at) { popUp(menuOfMark(figure, item), at); }

void MainWindow::detailMark(FigureView& figure, std::size_t item)
{
    if (!m_facts->isVisible()) return; // it asks again when it is shown
    const auto& mark = figure.figure().items[item];
    m_details->show(QString::fromStdString(mark.tip), menuOfMark(figure, item));
}

/// What the row is of, in bold: the values of its keys, or where it has none its first text. Then a line for each cell that is left.
void MainWindow::detailRow(const graph::Table& table, int row, std::unique_ptr<QMenu> menu)
{
    const auto& cells = table.rows[static_cast<std::size_t>(row)];
    const auto count = std::min(cells.size(), table.columns.size());
    const auto keys = askableKeys(*m_snapshot);
    const auto titleOf = [&](std::size_t c) { return QString::fromStdString(table.columns[c].title); };
    const auto isDistribution = [&](std::size_t c) { return m_snapshot->distributions.contains(titleOf(c)); };
    std::vector<bool> isName(count);
    for (std::size_t c = 0; c < count; ++c)
        isName[c] = !cells[c].empty() && keys.contains(titleOf(c));
    if (std::none_of(isName.begin(), isName.end(), [](bool is) { return is; }))
        for (std::size_t c = 0; c < count; ++c)
            if (!cells[c].empty() && !table.columns[c].isNumber && !isDistribution(c)) {
                isName[c] = true;
                break;
            }

    QStringList name, facts;
    for (std::size_t c = 0; c < count; ++c)
        if (isName[c])
            name << QString::fromStdString(cells[c]);
        else if (!cells[c].empty())
            facts << titleOf(c) + QStringLiteral(": ") + TableModel::shown(table.columns[c], cells[c], m_results->table().numbers());
    if (name.isEmpty()) name << tr("All of them"); // an aggregation without keys
    facts.prepend(name.join(QStringLiteral(", ")));
    m_details->show(facts.join(QChar('\n')), std::move(menu));
}

std::unique_ptr<QMenu> MainWindow::menuOfMark(FigureView& figure, std::size_t item)
{
    auto menu = std::make_unique<QMenu>(this);
    const auto& mark = figure.figure().items[item];
    const auto visual = figure.visual();
    if (!m_snapshot || !visual) return menu;
    const bool isFunction = visual->stacks() && (mark.role == graph::Role::Frame || mark.role == graph::Role::Node);
    if (isFunction) {
        const auto name = figure.functionOf(item);
        if (visual->facts().hasFocus)
            menu->addAction(tr("Show it alone"), this, [&figure, key = QString::fromStdString(mark.key)] { figure.focusOn(key); });
        if (!name.isEmpty()) {
            // Views of one function: who calls it, its source, its instructions; also while the run goes on.
            for (const auto& view : m_snapshot->views)
                if (view.facts.hasFocus && !view.facts.zoomsAlong && view.facts.name != visual->name())
                    menu->addAction(tr("Show it in: %1").arg(ViewPanel::tr(std::string(view.facts.tab).c_str())), this,
                        [this, which = view.facts.name, name] { m_views->show(which, name); });
            addSearch(*menu, name);
            menu->addSeparator();
            addOnly(*menu, name);
            menu->addSeparator();
            askFurther(subjectOf(name.toStdString(), mark.shade), *menu);
        }
    } else if (mark.row) {
        const auto subject = subjectOf(visual->table(), mark.row->value, m_snapshot->source, askableKeys(*m_snapshot));
        offerKeys(subject, *menu);
        askFurther(subject, *menu);
    }
    return menu;
}

void MainWindow::pickProcess()
{
    if (isRunning() && !m_trace) {
        note(tr("A run goes on: stop it first"));
        return;
    }
    auto* picker = new ProcessPicker(runningProcesses(*host::local()), this);
    picker->setAttribute(Qt::WA_DeleteOnClose);
    connect(picker, &ProcessPicker::chosen, this, [this](int pid) { m_command->setText(targetText(pid)); });
    connect(picker, &ProcessPicker::containerChosen, this, [this](const QString& name, const QString& group) {
        const auto program = editor().toPlainText();
        const auto restricted = restrictedTo(program, QStringLiteral("cgroup == ") + literal(group));
        if (!restricted) return note(tr("This program has no clause that a container could be asked of"));
        showProgram(*restricted, {}, Saved::No);
        m_proposal->show(program, *restricted);
        note(tr("Run it with F5: it is for the container %1").arg(name));
    });
    picker->open();
}

void MainWindow::addSearch(QMenu& menu, const QString& name)
{
    menu.addAction(
        tr("Find it in all views"), this, [this, name] { m_search->setText(QChar('^') + QRegularExpression::escape(name) + QChar('$')); });
    menu.addAction(tr("Copy its name"), this, [name] { QGuiApplication::clipboard()->setText(name); });
}

void MainWindow::addOnly(QMenu& menu, const QString& name)
{
    menu.addAction(tr("Only stacks with it, in all views"), this, [this, name] {
        auto selection = m_selection;
        selection.functions = QStringList{name}; // two would mean either of them
        select(selection);
    });
    menu.addAction(tr("No stacks with it, in all views"), this, [this, name] {
        auto selection = m_selection;
        selection.without << name;
        select(selection);
    });
}

void MainWindow::tellLosses()
{
    if (!m_snapshot) return;
    QStringList all{lossText(m_snapshot->losses, m_snapshot->isImported ? 0 : m_snapshot->records), boundsText(m_snapshot->bounds)};
    all.removeAll(QString());
    if (all.isEmpty()) return;
    const auto advice = m_trace ? adviceOn(m_snapshot->losses, m_snapshot->source) : std::nullopt;
    m_notice->say(all.join(QStringLiteral(" \u00b7 ")),
        advice && m_finished ? tr("Run again with %1=%2").arg(advice->option, advice->value) : QString());
}

void MainWindow::keepRun()
{
    if (m_isKept || m_snapshot->isCompared || !m_snapshot->run) return;
    m_isKept = true;
    const bool isTraced = m_trace && !m_trace->isCollecting();
    // A process that is traced by its number is no command of the stream.
    m_runs->add({m_snapshot->source, isTraced ? m_ran.command : m_snapshot->command, m_results->output().toPlainText(), m_source,
        m_snapshot->runName, m_snapshot->arguments, m_trace ? m_began : QDateTime::currentDateTime(), m_snapshot, isTraced});
}

void MainWindow::showRun(int place)
{
    if (place < 0 || place >= m_runs->count() || (isRunning() && !m_trace)) return;
    if (isRunning()) park();
    const auto run = m_runs->at(place);
    if (!run.snapshot->isImported) {
        if (editor().toPlainText() != run.program) showProgram(run.program, recipeOf(run.program).value_or(QString()));
        m_command->setText(run.command);
        m_command->setCursorPosition(0);
        editor().setArguments(run.arguments);
    }
    m_runs->setCurrentItem(m_runs->item(place));

    m_traced = run.snapshot->isImported ? nullptr : &editor();
    m_feed.reset();
    m_snapshot = m_whole = run.snapshot;
    m_ran = {};
    m_source = run.name;
    m_selection = {};
    m_selectedBefore.clear();
    m_selectedAfter.clear();
    showSelection();
    m_finished = m_isKept = true;
    showStart(false);
    forgetErrors();
    m_results->clear();
    m_results->setSnapshot(*m_snapshot);
    m_results->output().clearAll();
    m_results->output().append(run.output);
    m_details->clear();
    m_details->setRun(aboutRun());
    enterWork(*m_snapshot);
    m_views->setSnapshot(m_snapshot);
    showFunctions(m_snapshot);
    m_notice->say({});
    tellLosses();
    note(tr("The run of %1").arg(run.when.toString(QStringLiteral("HH:mm:ss"))));
    refreshState();
    Q_EMIT snapshotShown();
}

void MainWindow::runAgain()
{
    m_runsAgain = false;
    const auto place = m_programs->placeOf(m_traced);
    if (!place) return; // it was closed meanwhile
    m_programs->show(*place);
    // Not from within what its feed has sent.
    QMetaObject::invokeMethod(
        this, [this] { run(); }, Qt::QueuedConnection);
}

void MainWindow::select(const Selection& selection) { goTo(selection, Way::New); }

void MainWindow::showSelection()
{
    m_selectionBar->show(m_selection, m_whole ? m_whole->started : 0, m_whole && m_whole->run ? m_whole->events : QStringList());
}

void MainWindow::goBack()
{
    if (m_selectedBefore.empty()) return note(tr("Nothing was shown before this"));
    const auto before = m_selectedBefore.back();
    m_selectedBefore.pop_back();
    goTo(before, Way::Back);
}

void MainWindow::goForward()
{
    if (m_selectedAfter.empty()) return note(tr("Nothing was shown after this"));
    const auto after = m_selectedAfter.back();
    m_selectedAfter.pop_back();
    goTo(after, Way::Forward);
}

void MainWindow::goTo(const Selection& selection, Way way)
{
    if (selection == m_selection) return;
    if (!m_whole || !m_whole->run || m_whole->isCompared) {
        note(isRunning() ? tr("The run goes on: stop it to look at a part of it") : tr("There is no run whose parts could be shown"));
        return;
    }
    m_way = way;
    (way == Way::Back ? m_selectedAfter : m_selectedBefore).push_back(std::exchange(m_selection, selection));
    if (way == Way::New) m_selectedAfter.clear();
    showSelection();
    retire(std::move(m_trace));
    m_feed = std::make_unique<Feed>(m_whole, m_selection);
    m_feed->readFrom(places());
    connect(
        m_feed.get(), &Feed::progressed, this,
        [this, feed = m_feed.get()](const std::shared_ptr<const Snapshot>& part) {
            if (feed == m_feed.get()) showPart(part);
        },
        Qt::QueuedConnection);
    m_feed->start();
}

void MainWindow::showPart(const std::shared_ptr<const Snapshot>& part)
{
    if (!part->trouble.isEmpty()) {
        // What is on show stays, and so does what is said of it.
        m_selection = m_snapshot ? m_snapshot->selection : Selection();
        if (auto& left = m_way == Way::Back ? m_selectedAfter : m_selectedBefore; !left.empty()) left.pop_back();
        showSelection();
        tell(part->trouble);
        Q_EMIT snapshotShown();
        return;
    }
    m_snapshot = part;
    m_results->setSnapshot(*part);
    m_views->setSnapshot(part);
    showFunctions(part);
    forgetErrors();
    if (!m_search->text().isEmpty()) searchAll(m_search->text());
    refreshState();
    Q_EMIT snapshotShown();
}

void MainWindow::compareRuns(int before, int after)
{
    if (isRunning() && !m_trace) return;
    if (isRunning()) park();
    const auto &was = m_runs->at(before), &is = m_runs->at(after);
    if (!was.snapshot->run || !is.snapshot->run) return;
    const auto kept = [](const RunHistory::Run& run) { return run.snapshot->run->kept; };
    m_source = tr("%1 → %2").arg(was.when.toString(QStringLiteral("HH:mm:ss")), is.when.toString(QStringLiteral("HH:mm:ss")));
    retire(std::move(m_trace));
    m_feed.reset();
    m_ran = {};
    m_ring = 0;
    listen(std::make_unique<Feed>(kept(was), kept(is)));
}

void MainWindow::saveRun(int place)
{
    const auto& runs = *m_runs;
    const auto which = runs.at(place).snapshot;
    if (!which->run) return;
    const auto path = QFileDialog::getSaveFileName(this, tr("Save the run"), QStringLiteral("run.dscope"), tr("Recordings (*.dscope)"));
    if (path.isEmpty()) return;
    // Another may have ended meanwhile, which moves them.
    for (int now = 0; now < runs.count(); ++now)
        if (runs.at(now).snapshot == which) {
            keepRunIn(path, now);
            return;
        }
}

bool MainWindow::keepRunIn(const QString& path, int place)
{
    const auto& run = m_runs->at(place);
    auto file = OutputFile::open(QFile::encodeName(path).toStdString(), OutputFile::Kind::Whole);
    auto saved = file ? Result<>() : Result<>(file.error());
    if (saved) saved = writeRun(*run.snapshot->run->kept, run.title, *file);
    if (saved) saved = file->commit();
    if (!saved) {
        tell(QString::fromStdString(saved.error().message));
        return false;
    }
    remember(QFileInfo(path).absoluteFilePath());
    note(tr("Written: %1").arg(path));
    return true;
}
} // namespace dscope::gui
