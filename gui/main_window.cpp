#include "gui/main_window.h"
#include "gui/exporting.h"
#include "gui/opened_file.h"
#include "gui/parameters.h"
#include "gui/rights.h"
#include "gui/run_name.h"
#include "gui/style.h"
#include "gui/texts.h"
#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <utility>
namespace dscope::gui {
namespace {
QString seconds(qint64 ns) { return MainWindow::tr("%1 s").arg(QLocale().toString(static_cast<double>(ns) / 1e9, 'f', 2)); }
/// How often rows come while tracing: a little more than ten times a second, so that a late one still is in time. What
/// the program says itself wins.
QStringList liveRate() { return {QStringLiteral("-x"), QStringLiteral("aggrate=70ms")}; }
QString matched(std::size_t n) { return n == 1 ? MainWindow::tr("1 probe matched") : MainWindow::tr("%1 probes matched").arg(n); }
} // namespace

MainWindow::~MainWindow()
{
    m_parked.clear();
    // The reader first, then the helper: it ends when nobody listens.
    m_feed.reset();
    m_trace.reset();
}

void MainWindow::open(const QString& path)
{
    const QFileInfo info(path);
    const auto what = lookAt(path);
    if (what.kind == FileKind::Refused) {
        tell(what.why);
        return;
    }

    remember(info.absoluteFilePath());
    if (what.kind == FileKind::Program) return openProgram(info.absoluteFilePath());
    const bool isForeign = what.kind == FileKind::Foreign;
    if (m_feed) {
        auto* other = new MainWindow(m_confirm);
        other->setAttribute(Qt::WA_DeleteOnClose);
        other->open(path);
        other->move(pos() + QPoint(32, 32));
        other->show();
        return;
    }

    const int fd = isForeign ? -1 : ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 && !isForeign) {
        tell(tr("%1 could not be opened: %2").arg(path, QString::fromLocal8Bit(std::strerror(errno))));
        return;
    }

    m_source = info.fileName();
    retire(std::move(m_trace)); // of a run that was looked at again
    m_traced = nullptr;
    m_ran = {};
    m_ring = 0;
    listen(isForeign ? std::make_unique<Feed>(path) : std::make_unique<Feed>(fd, QString()));
}

void MainWindow::listen(std::unique_ptr<Feed> feed)
{
    m_finished = m_troubled = m_isKept = m_isAdopted = m_isLimited = false;
    forgetErrors();
    m_snapshot.reset();
    m_whole.reset();
    m_selection = {};
    m_selectedBefore.clear();
    m_selectedAfter.clear();
    showSelection();
    m_notice->say({});
    note({});
    m_results->clear();
    showFunctions(nullptr);
    markFunction({});
    m_details->setRun({});
    m_details->clear();
    m_views->clear(m_ring > 0 ? tr("The last %1 s are kept.\n\nThey are shown when the run ends: stop it, or let the program call exit(0) "
                                   "where it has seen what you wait for.")
                                    .arg(m_ring)
                              : tr("Waiting for the first records…"));
    showStart(false);
    m_feed = std::move(feed);
    if (!m_feed->hasStarted()) { // a run that comes back reads on
        m_feed->readFrom(places());
        m_feed->drawPictureFirst();
    }
    connect(
        m_feed.get(), &Feed::progressed, this,
        [this, feed = m_feed.get()](const std::shared_ptr<const Snapshot>& s) {
            if (feed == m_feed.get()) present(s); // not what a feed that is gone has left behind
        },
        Qt::QueuedConnection);
    if (!m_feed->hasStarted()) m_feed->start();
    refreshState();
}

void MainWindow::run(const QString& recordTo)
{
    if (isRunning() && !m_trace) return;
    if (isRunning() && editor().toPlainText().trimmed().isEmpty()) return note(tr("There is no program to run"));
    if (isRunning()) park();
    stopParked();
    m_traced = &editor();
    const auto program = m_traced->toPlainText();
    if (program.trimmed().isEmpty()) {
        tell(tr("There is no program to run: write one, open one, or take a recipe at the left."));
        return;
    }

    m_ran = {program, m_command->text().trimmed(), m_traced->arguments()};
    m_command->setCursorPosition(0); // its beginning says most
    m_traced->mark({}, {});
    m_proposal->hide();
    m_check.stop();
    prepareHelper();
    QString trouble;
    auto options = liveRate() + m_preferences.helperOptions();
    if (m_keepLast > 0) options << QStringLiteral("-x") << QStringLiteral("ringtime=%1s").arg(m_keepLast);
    const int fd = m_trace->start(program, m_ran.command, options, argumentsOf(program, m_ran.arguments), &trouble);
    if (fd < 0) {
        tellOfRun(trouble, m_trace->byHand());
        m_trace.reset();
        refreshState();
        return;
    }

    m_source = runName(program, titleOf(program), m_ran.command);
    m_ring = m_keepLast; // listen() clears what was shown, and says what is waited for
    listen(std::make_unique<Feed>(fd, recordTo));
}

/// For a new run; the one before ends where it was parked.
void MainWindow::prepareHelper()
{
    retire(std::move(m_trace));
    m_trace = std::make_unique<TraceProcess>();
    m_trace->setHelper(m_helper);
    m_number = ++m_lastNumber;
    m_began = QDateTime::currentDateTime();
    connectTrace();
}

void MainWindow::connectTrace()
{
    connect(m_trace.get(), &TraceProcess::told, this, &MainWindow::hear);
    connect(m_trace.get(), &TraceProcess::ended, this, &MainWindow::endRun);
}

// From when tracing has begun: before, somebody may be asked for a password.
void MainWindow::limitRun()
{
    if (m_trace) limit(*m_trace, m_isLimited);
}

void MainWindow::limit(TraceProcess& trace, bool& isLimited)
{
    if (std::exchange(isLimited, true) || m_limit == 0) return;
    QTimer::singleShot(m_limit * 1000, Qt::PreciseTimer, &trace, [this, &trace] {
        trace.stop();
        refreshState();
    });
}

// Its stream has ended, but it may take a while to take its probes away: nobody waits for that.
void MainWindow::retire(std::unique_ptr<TraceProcess> trace)
{
    if (!trace || !trace->isRunning()) return;
    trace->disconnect(this);
    trace->stop();
    auto* last = trace.release();
    last->setParent(this);
    connect(last, &TraceProcess::ended, last, &QObject::deleteLater);
}

void MainWindow::stop()
{
    if (!m_trace) return;
    m_trace->stop();
    refreshState();
}

void MainWindow::pause(Paused how)
{
    const bool isTracing = isRunning() && m_trace && m_trace->isRunning();
    m_pause->setChecked(isTracing && how == Paused::Yes);
    if (!isTracing) return;
    if (how == Paused::Yes)
        m_trace->pause();
    else
        m_trace->goOn();
    refreshState();
}

// What the helper tells comes in its stream. Standard error has what pkexec, sudo or the loader say of a helper that does not begin,
// and what the traced command writes, which runs only if the stream begins. The two come through different pipes, so the text waits
// until the stream has begun, or has ended without that.
void MainWindow::hear(const QString& message)
{
    m_heard += message;
    settleHeard();
}

void MainWindow::settleHeard()
{
    if (m_heard.isEmpty()) return;
    if (m_snapshot && m_snapshot->hasBegun())
        m_results->output().append(std::exchange(m_heard, {}));
    else if (m_finished || (m_trace && m_trace->isCollecting())) // which runs no command
        addError(std::exchange(m_heard, {}));
}

void MainWindow::addError(const QString& error, const QString& byHand)
{
    m_errors += error.trimmed() + QChar('\n');
    tellOfRun(m_errors.trimmed(), byHand);
}

void MainWindow::forgetOldErrors()
{
    if (!m_troubled || !m_isOfRun || isRunning()) return;
    if (editor().toPlainText() == m_ran.program && m_command->text().trimmed() == m_ran.command) return;
    forgetErrors();
    refreshState();
}

void MainWindow::forgetErrors()
{
    m_errors.clear();
    m_heard.clear();
    m_ended.reset();
    tellState({});
}

void MainWindow::takeDiagnostics(const std::vector<record::Diagnostic>& diagnostics)
{
    Editor::Place place;
    for (const auto& d : diagnostics) {
        const auto text = QString::fromStdString(d.text) + QChar('\n');
        if (d.severity == record::Diagnostic::Severity::Debug) {
            m_results->output().append(text);
            continue;
        }
        if (place.line == 0) place = {static_cast<int>(d.line), static_cast<int>(d.column), 0};
        m_errors += text;
    }
    if (diagnostics.empty() || m_errors.isEmpty()) return;

    // People know the program by its name in the window.
    const auto traced = m_programs->placeOf(m_traced);
    const auto path = traced ? m_programs->origin(*traced).path : QString();
    if (m_trace) m_errors.replace(m_trace->programFile(), path.isEmpty() ? tr("program") : QFileInfo(path).fileName());
    if (place.line > 0 && m_traced) m_traced->mark(place, m_errors.trimmed());
    tellOfRun(m_errors.trimmed());
    m_isOfProgram = place.line > 0; // until it is mended
}

void MainWindow::endRun(int status)
{
    m_ended = status;
    conclude();
    refreshState();
}

void MainWindow::conclude()
{
    settleHeard();
    if (!m_finished || !m_ended) return;
    // What pkexec ends with when nobody could be asked, or the answer was no.
    constexpr int kDismissed = 126, kNotAllowed = 127;
    const int status = *std::exchange(m_ended, {});
    const bool hasBegun = m_snapshot && m_snapshot->hasBegun();
    if ((status == kDismissed || status == kNotAllowed) && !hasBegun) {
        // What it means comes first, then what was said, which few understand.
        const auto said = std::exchange(m_errors, {}).trimmed();
        const auto byHand = commandByHand(m_ran.program, m_ran.command, QStringLiteral("run.dscope"), m_ran.arguments);
        auto text = tr("Tracing needs root, and it was not given. In a terminal this does the same; open run.dscope then:\n%1").arg(byHand);
        if (!said.isEmpty()) text += QStringLiteral("\n\n") + tr("The reason that was given: %1").arg(said);
        addError(text, byHand);
    } else if (status == -1)
        addError(tr("The helper that traces ended unexpectedly: what is shown is what had arrived."));
    else if (status != 0 && m_errors.isEmpty() && !hasBegun)
        addError(tr("Tracing could not begin: the helper ended with status %1.").arg(status));
}

void MainWindow::present(const std::shared_ptr<const Snapshot>& snapshot)
{
    const auto before = std::exchange(m_snapshot, snapshot);
    takeDiagnostics(snapshot->diagnostics);
    const bool hasBegun = snapshot->hasBegun();
    if (hasBegun) {
        limitRun();
        adoptProgram(*snapshot);
        m_results->setSnapshot(*snapshot);
        enterWork(*snapshot);
        if (m_ring == 0 || snapshot->finished) m_views->setSnapshot(snapshot);
        if (snapshot->finished) showFunctions(snapshot);
    }

    m_finished = snapshot->finished;
    conclude();
    if (!hasBegun && m_finished) {
        m_snapshot.reset();
        m_views->clear(tr("Nothing was recorded."));
    }

    const bool isTroubleNew = !snapshot->trouble.isEmpty() && (!before || before->trouble != snapshot->trouble);
    const auto trouble = m_trace ? snapshot->trouble : tr("%1: %2").arg(m_source, snapshot->trouble);
    if (isTroubleNew && !hasBegun && m_errors.isEmpty()) // else it only follows from them
        tellOfRun(trouble);
    else if (isTroubleNew && hasBegun)
        addError(trouble);
    else if (snapshot->cut && !m_trace)
        tell(tr("The recording is cut: the run went on after what is shown here."));
    if (!m_search->text().isEmpty()) searchAll(m_search->text());
    tellSeen();
    if (m_feed) m_feed->shown();
    if (m_feed && m_views->panel(0).figure().isSettled()) m_feed->drawn(); // nothing is to be drawn, or it was drawn before
    refreshState();
    m_details->setRun(aboutRun());
    tellLosses();
    if (m_finished && hasBegun && m_selection.isAll()) {
        m_whole = m_snapshot;
        showSelection();
        keepRun();
    }

    Q_EMIT snapshotShown();
    if (!m_finished) return;
    Q_EMIT runFinished();
    if (m_runsAgain) runAgain();
}

void MainWindow::tellSeen()
{
    if (m_feed && m_snapshot) m_feed->see({m_views->seen(), m_results->needsTable()});
}

void MainWindow::refreshState()
{
    const bool running = isRunning();
    const bool isFree = !running || m_trace; // a run goes on behind another; what is read does not
    m_run->setEnabled(isFree);
    m_record->setEnabled(isFree);
    m_stop->setEnabled(running && m_trace && m_trace->isRunning());
    m_pause->setEnabled(m_stop->isEnabled() && !m_trace->isStopping() && !m_trace->isCollecting());
    if (!m_pause->isEnabled()) m_pause->setChecked(false);
    m_command->setEnabled(isFree);
    listLive();
    m_saveRun->setEnabled(m_runs->count() > 0);
    setWindowTitle(m_source.isEmpty() ? tr("dscope") : tr("%1 - dscope").arg(m_source));
    if (!m_feed && !m_snapshot) return;
    const auto state = m_finished            ? tr("finished")
        : m_pause->isChecked()               ? tr("paused")
        : m_trace && m_trace->isCollecting() ? tr("collecting")
        : m_trace                            ? tr("tracing %1").arg(m_trace->how())
                                             : tr("reading");
    if (!m_snapshot) {
        m_status->setText(tr("%1 · %2").arg(m_source, state));
        return;
    }

    const QLocale locale;
    if (m_trace && m_trace->isCollecting() && m_snapshot->trouble.isEmpty())
        tellState(m_snapshot->said.empty() ? QString() : QString::fromStdString(m_snapshot->said.front()));
    m_status->setText(tr("%1 · %2 · %3 records · %4 drops · %5")
                          .arg(m_source, state, locale.toString(qulonglong(m_snapshot->records)),
                              locale.toString(qulonglong(m_snapshot->drops)), seconds(m_snapshot->duration)));
    if (m_snapshot->bounds.step > 0)
        m_status->setText(tr("%1 · over time in steps of %2").arg(m_status->text(), seconds(m_snapshot->bounds.step)));
    if (!m_troubled && m_snapshot->probes > 0)
        tellState(tr("%1 · %2 drops · %3")
                      .arg(matched(m_snapshot->probes), locale.toString(qulonglong(m_snapshot->drops)), seconds(m_snapshot->duration)));
}

void MainWindow::tell(const QString& trouble, const QString& byHand)
{
    m_troubled = !trouble.isEmpty();
    m_isOfProgram = m_isOfRun = false;
    m_message->say(trouble, Message::Kind::Trouble, byHand);
}

void MainWindow::tellOfRun(const QString& trouble, const QString& byHand)
{
    tell(trouble, byHand);
    m_isOfRun = !m_ran.program.isEmpty();
}

void MainWindow::tellState(const QString& message)
{
    m_troubled = false;
    m_message->say(message, Message::Kind::State);
}

void MainWindow::searchAll(const QString& text)
{
    for (std::size_t place = 0; place < m_views->count(); ++place)
        m_views->panel(place).figure().search(text);
    if (text.isEmpty())
        note({});
    else
        tellFound();
}

void MainWindow::tellFound()
{
    if (m_search->text().isEmpty()) return;
    std::vector<Found> found;
    for (std::size_t place = 0; place < m_views->count(); ++place)
        found.push_back(m_views->panel(place).figure().found());
    note(foundText(found));
}

void MainWindow::chooseExport(const std::shared_ptr<const graph::Visual>& visual)
{
    QString chosen;
    auto path = QFileDialog::getSaveFileName(this, tr("Export view"), fromView(visual->name()) + QStringLiteral(".svg"),
        exportFilters(*visual).join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += chosen.section(QChar('*'), 1).chopped(1);
    exportView(*visual, path);
}

bool MainWindow::exportView(const graph::Visual& visual, const QString& path)
{
    ExportOptions options;
    options.colours = m_preferences.paletteOrTheme();
    options.focus = m_views->current().shown().get() == &visual ? m_views->current().figure().focused() : QString();
    if (m_snapshot) {
        options.metadata = m_snapshot->source + QStringLiteral("\n\n") + m_snapshot->where;
        options.run = m_snapshot->run;
        options.said = m_snapshot->said;
    }
    const auto done = exportTo(visual, path, options);
    if (done)
        note(tr("Written: %1").arg(path));
    else
        tell(QString::fromStdString(done.error().message));
    return static_cast<bool>(done);
}
} // namespace dscope::gui
