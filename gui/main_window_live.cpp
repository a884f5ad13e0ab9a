// Several runs at once: one is on show, the others go on behind it, each with a line in the history.
#include "gui/main_window.h"
#include <QPersistentModelIndex>
#include <algorithm>
#include <utility>
namespace dscope::gui {
namespace {
/// The end of what a run has printed, as much as the window keeps.
void append(QString& text, const QString& more)
{
    text += more;
    qsizetype from = text.size();
    for (int lines = 0; lines <= kLinesKept && from > 0; ++lines)
        from = text.lastIndexOf(QChar('\n'), from - 1);
    if (from > 0) text.remove(0, from + 1);
}
} // namespace

/// Asks the runs that go on unseen to end: their END fires, and they come to the history.
void MainWindow::stopParked()
{
    for (const auto& run : m_parked)
        run->trace->stop();
}

/// The run on show goes on, unseen.
void MainWindow::park()
{
    auto run = std::make_unique<LiveRun>();
    run->number = m_number;
    run->when = m_began;
    run->source = m_source;
    run->ran = m_ran;
    run->errors = std::exchange(m_errors, {});
    run->output = m_results->output().text();
    append(run->output, std::exchange(m_heard, {}));
    run->traced = m_traced;
    run->snapshot = std::exchange(m_snapshot, nullptr);
    run->ring = m_ring;
    run->isAdopted = m_isAdopted;
    run->isLimited = m_isLimited;
    run->isPaused = m_pause->isChecked();
    run->trace = std::move(m_trace);
    run->feed = std::move(m_feed);
    run->trace->disconnect(this);
    run->feed->disconnect(this);
    auto* const parked = run.get();
    connect(run->trace.get(), &TraceProcess::told, this, [parked](const QString& message) { append(parked->output, message); });
    connect(
        run->feed.get(), &Feed::progressed, this, [this, number = run->number](const auto& snapshot) { hearParked(number, snapshot); },
        Qt::QueuedConnection);
    parked->feed->see({}); // nothing of it
    parked->feed->shown(); // what was on its way came to nobody
    m_parked.push_back(std::move(run));
    m_finished = true;
}

MainWindow::Parked::iterator MainWindow::parkedRun(int number)
{
    return std::find_if(m_parked.begin(), m_parked.end(), [&](const auto& run) { return run->number == number; });
}

void MainWindow::hearParked(int number, const std::shared_ptr<const Snapshot>& snapshot)
{
    const auto at = parkedRun(number);
    if (at == m_parked.end()) return;
    auto& run = **at;
    append(run.output, snapshot->output);
    for (const auto& d : snapshot->diagnostics)
        append(run.output, QString::fromStdString(d.text) + QChar('\n'));
    if (snapshot->hasBegun()) run.snapshot = snapshot;
    limit(*run.trace, run.isLimited);
    run.feed->shown();
    if (!snapshot->finished) return;
    const QPersistentModelIndex chosen(m_runs->currentIndex()); // this run is not on show
    if (run.snapshot && run.snapshot->run)
        m_runs->add({run.snapshot->source, run.ran.program.isEmpty() ? run.snapshot->command : run.ran.command, run.output, run.source,
            run.snapshot->runName, run.snapshot->arguments, run.when, run.snapshot, true});
    m_runs->setCurrentIndex(chosen);
    note(tr("The run of %1 has ended: %2").arg(run.when.toString(QStringLiteral("HH:mm:ss")), run.source));
    auto ended = std::move(*at);
    m_parked.erase(at);
    retire(std::move(ended->trace));
    refreshState();
    Q_EMIT parkedEnded();
}

void MainWindow::showLive(int number)
{
    const auto at = parkedRun(number);
    if (at == m_parked.end()) return showStart(false); // it is on show
    auto run = std::move(*at);
    m_parked.erase(at);
    if (isRunning() && m_trace) park();
    retire(std::move(m_trace));
    run->trace->disconnect(this);
    run->feed->disconnect(this);
    m_number = run->number;
    m_began = run->when;
    m_source = run->source;
    m_traced = run->traced;
    m_ran = run->ran;
    if (const auto place = m_programs->placeOf(m_traced)) m_programs->show(*place);
    m_command->setText(m_ran.command);
    m_ring = run->ring;
    m_trace = std::move(run->trace);
    connectTrace();
    listen(std::move(run->feed));
    if (!run->errors.isEmpty()) addError(run->errors);
    m_isAdopted = run->isAdopted;
    m_isLimited = run->isLimited;
    if (run->snapshot) {
        auto again = std::make_shared<Snapshot>(*run->snapshot);
        again->output = run->output;
        again->diagnostics.clear(); // they were told
        present(again);
    } else if (!run->output.isEmpty())
        m_results->output().append(run->output);
    m_pause->setChecked(run->isPaused);
    refreshState();
}

void MainWindow::stopLive(int number)
{
    const auto at = parkedRun(number);
    if (at == m_parked.end())
        stop();
    else
        (*at)->trace->stop();
}

void MainWindow::listLive()
{
    std::vector<RunHistory::Live> all;
    for (const auto& run : m_parked)
        all.push_back({run->number, run->source, run->when, false});
    if (isRunning() && m_trace) all.push_back({m_number, m_source, m_began, true});
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number > b.number; });
    m_runs->setLive(all);
}
} // namespace dscope::gui
