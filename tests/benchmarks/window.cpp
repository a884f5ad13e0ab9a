// needs: gui graph graph/models exporters/web engine/record
// What the window costs, in seconds of a processor's time and in memory, against what issue 18 asks for:
//     cmake --build build/release --target benchmark_window && QT_QPA_PLATFORM=offscreen build/release/bin/benchmark_window
//     [open|live|live-rows|live-records|live-stacks|live-all|zoom|SECONDS]...
// open: folded text of 100,000 and of 1,000,000 stacks, from the command to the first picture of all threads together, and anonymous memory
// then. live: a run that goes on for SECONDS (60), sent by another process as a session sends it, all rows of an aggregation at each
// reading and at most a tenth of its time spent on that: 300,000 updates a second of 100,000 rows by two keys (live-rows), as many printf
// records (live-records), as many samples of 100,000 stacks, a tree of a million frames (live-stacks), the three of them together, a third
// of the updates each (live-all). The longest event of the window's thread, and anonymous memory three times on the way. zoom: a flame
// graph of a million frames, 60 steps in and out: what one step costs on all threads together (60 in a second leave 16.7 ms each).
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "gui/main_window.h"
#include "tests/support/streams.h"
#include "tests/support/watched_events.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <random>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::test;
namespace {
/// MiB of memory that belongs to no file.
double anonymous()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const auto& line : status.readAll().split('\n'))
        if (line.startsWith("RssAnon:")) return line.mid(8).trimmed().split(' ').first().toDouble() / 1024;
    return 0;
}
/// Waits without work of its own: processEvents() with a time limit would ask again and again, which is not the window's cost.
void until(const std::function<bool()>& isDone)
{
    QTimer wake;
    wake.start(20);
    while (!isDone())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}
bool isDrawn(gui::MainWindow& window)
{
    auto& figure = window.views().panel(0).figure();
    return window.snapshot() && window.snapshot()->finished && figure.isSettled() && !figure.figure().items.empty();
}
/// So many different stacks of 2 to 24 frames, as folded text.
QString folded(const QTemporaryDir& folder, std::size_t stacks)
{
    const auto path = folder.filePath(QStringLiteral("%1.folded").arg(stacks));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) std::abort();
    std::mt19937 random(7);
    QByteArray line;
    for (std::size_t i = 0; i < stacks; ++i) {
        line = "main;run";
        std::size_t at = 0;
        for (auto left = 1 + random() % 22; left > 0; --left) {
            at = (at * 5 + std::min<std::size_t>(random() % 7, random() % 5) + 1) % 20'000;
            line += ";module::function_" + QByteArray::number(qulonglong(at));
        }
        line += ";leaf_" + QByteArray::number(qulonglong(i % 50'000)) + ' ' + QByteArray::number(qulonglong(1 + random() % 100)) + '\n';
        file.write(line);
    }
    return path;
}
void open(tests::WatchedApplication& app, const QTemporaryDir& folder)
{
    for (const std::size_t stacks : {100'000, 1'000'000}) {
        const auto path = folded(folder, stacks);
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QCoreApplication::processEvents();
        app.forget();
        const auto memory = anonymous();
        const auto before = tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID);
        QElapsedTimer clock;
        clock.start();
        window.open(path);
        auto& figure = window.views().panel(0).figure();
        until([&] { return figure.isSettled() && !figure.figure().items.empty(); });
        std::printf("open %zu stacks: %.2f s CPU until the picture (%.2f s on the clock), ", stacks,
            tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID) - before, double(clock.elapsed()) / 1e3);
        until([&] { return isDrawn(window) && window.functionTables().isSettled(); });
        std::printf("%.2f s until all tables, %.0f MiB more of anonymous memory, longest event %.0f ms (%s)\n",
            tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID) - before, anonymous() - memory, app.longest() * 1e3, app.where().constData());
    }
}
/// What a live run sends.
struct Load {
    const char* name;
    std::size_t rows, records, stacks; ///< updates or records a second
};
constexpr Load kLoads[]{
    {"live-rows", 300'000, 0, 0}, {"live-records", 0, 300'000, 0}, {"live-stacks", 0, 0, 300'000}, {"live-all", 100'000, 100'000, 100'000}};
constexpr std::size_t kRows = 100'000, kStacks = 100'000;

/// Sends what a session sends whose window looks on (engine/session/session.cpp, readAggregations()).
class Sender {
public:
    Sender(const Load& load, int fd) : m_load(load), m_out(fd) { }
    bool run(int seconds);

private:
    void begin();
    void fire(std::int64_t now);
    void readAggregations(std::int64_t now);
    static record::StackDef stackOf(std::uint32_t number);
    static std::size_t someOf(std::size_t count, std::mt19937& random) // some are hit more often than others
    {
        return static_cast<std::size_t>(random()) % (1 + static_cast<std::size_t>(random()) % count);
    }
    const Load& m_load;
    record::Writer m_out;
    std::mt19937 m_random{7};
    std::vector<record::AggregationRow> m_rows, m_stacks; ///< as the kernel has them
    std::size_t m_fired = 0, m_updates = 0, m_samples = 0;
    std::vector<bool> m_isTold = std::vector<bool>(kStacks);
};

void Sender::begin()
{
    auto p = program("syscall:::entry { @rows[execname, pid] = count(); printf(\"%s %d\", execname, pid); @[ustack()] = count(); }",
        {"syscall:::entry"});
    p.aggregations = {aggregation("rows", Aggregator::Count, "", {textKey("execname"), numberKey("pid")})};
    if (m_load.stacks > 0) p.aggregations.push_back(aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)}));
    if (m_load.rows == 0) p.aggregations.erase(p.aggregations.begin());
    if (m_load.records > 0) {
        p.clauses[0].silent = false;
        p.clauses[0].payloadSize = kKeyText + 8;
        p.clauses[0].actions = {{record::ActionKind::Printf, "%s %d\n",
            {{FieldKind::String, 0, kKeyText, "execname", "string"}, {FieldKind::Int, kKeyText, 8, "pid", "int64_t"}}, {}}};
    }
    Stream s;
    test::begin(s, p);
    s.emplace_back(record::ProbeDef{ProbeId{7}, "syscall", "vmlinux", "openat", "entry"});
    for (const auto& r : s)
        m_out.take(r);
    for (std::size_t i = 0; m_load.rows > 0 && i < kRows; ++i)
        m_rows.push_back({Key().text("program-" + std::to_string(i % 997)).number(static_cast<std::int64_t>(i)).bytes(), {0}});
    for (std::size_t i = 0; m_load.stacks > 0 && i < kStacks; ++i)
        m_stacks.push_back({Key().stack(static_cast<std::uint32_t>(i + 1)).bytes(), {0}});
}

record::StackDef Sender::stackOf(std::uint32_t number)
{
    std::mt19937 random(number);
    std::vector<record::Frame> frames{frame("render", "main", record::Frame::Kind::User)};
    std::size_t at = 0;
    for (auto left = 1 + random() % 22; left > 0; --left) {
        at = (at * 5 + std::min<std::size_t>(random() % 7, random() % 5) + 1) % 20'000;
        frames.push_back(frame("render", "function_" + std::to_string(at), record::Frame::Kind::User));
    }
    frames.push_back(frame("render", "leaf_" + std::to_string(number % 50'000), record::Frame::Kind::User));
    return stack(number, frames);
}

void Sender::fire(std::int64_t now)
{
    const auto due = [&](std::size_t perSecond) { return static_cast<std::size_t>(now / 1'000'000) * perSecond / 1000; };
    for (; m_fired < due(m_load.records); ++m_fired) {
        const auto pid = someOf(kRows, m_random);
        m_out.take(record::Fired{ClauseId{0}, ProbeId{7}, 1, static_cast<std::uint32_t>(pid), static_cast<std::uint32_t>(pid),
            record::Nanoseconds(kStart + now),
            Key().text("program-" + std::to_string(pid % 997)).number(static_cast<std::int64_t>(pid)).bytes()});
    }
    for (; m_updates < due(m_load.rows); ++m_updates)
        ++m_rows[someOf(kRows, m_random)].data[0];
    for (; m_samples < due(m_load.stacks); ++m_samples)
        ++m_stacks[someOf(kStacks, m_random)].data[0];
}

void Sender::readAggregations(std::int64_t now)
{
    std::uint32_t id = 0;
    const auto send = [&](const std::vector<record::AggregationRow>& all) {
        record::AggregationRows some{AggregationId{id++}, record::Nanoseconds(kStart + now), {}};
        for (const auto& row : all)
            if (row.data[0] > 0) some.rows.push_back(row);
        m_out.take(some);
    };
    if (m_load.rows > 0) send(m_rows);
    if (m_load.stacks == 0) return;
    // A stack is told before rows that name it, once.
    for (std::uint32_t i = 0; i < kStacks; ++i)
        if (m_stacks[i].data[0] > 0 && !m_isTold[i]) {
            m_isTold[i] = true;
            m_out.take(stackOf(i + 1));
        }
    send(m_stacks);
}

bool Sender::run(int seconds)
{
    begin();
    constexpr std::int64_t kEvery = 80 * kMillisecond; // session's kLiveRate
    QElapsedTimer clock;
    clock.start();
    for (std::int64_t readingDue = 0, flushDue = 0, pause = 0, now = 0; now < seconds * kSecond; now = clock.nsecsElapsed()) {
        fire(now);
        if (now >= readingDue) {
            const auto before = clock.nsecsElapsed();
            const auto busy = tests::secondsOf(CLOCK_THREAD_CPUTIME_ID);
            readAggregations(now);
            const auto cost = static_cast<std::int64_t>((tests::secondsOf(CLOCK_THREAD_CPUTIME_ID) - busy) * kSecond);
            const auto next = std::max<std::int64_t>(10 * cost, 4 * (clock.nsecsElapsed() - before));
            readingDue = before + std::max(kEvery, std::min(next, std::exchange(pause, next)));
        }
        if (now >= flushDue) {
            m_out.flush();
            flushDue = now + 100 * kMillisecond;
        }
        QThread::msleep(5);
    }
    readAggregations(clock.nsecsElapsed());
    m_out.take(end(clock.nsecsElapsed()));
    return static_cast<bool>(m_out.finish());
}

/// The other process: its words are a load's name, seconds, and the pipe.
int send(char** words)
{
    const auto* load
        = std::find_if(std::begin(kLoads), std::end(kLoads), [&](const Load& each) { return each.name == std::string(words[0]); });
    const int fd = ::open(words[2], O_WRONLY | O_CLOEXEC);
    return fd >= 0 && Sender(*load, fd).run(std::atoi(words[1])) ? 0 : 1;
}

void live(tests::WatchedApplication& app, const QTemporaryDir& folder, const Load& load, int seconds)
{
    const auto pipe = folder.filePath(QString::fromLatin1(load.name) + QStringLiteral(".dscope"));
    if (::mkfifo(QFile::encodeName(pipe).constData(), 0600) != 0) std::abort();
    // Both ends stay open: the window looks at a file before it reads it, which is not to end the sender.
    const Fd ends(::open(QFile::encodeName(pipe).constData(), O_RDWR | O_CLOEXEC));
    QProcess sender;
    sender.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    sender.start(
        QApplication::applicationFilePath(), {QStringLiteral("send"), QString::fromLatin1(load.name), QString::number(seconds), pipe});
    gui::MainWindow window;
    window.resize(1366, 728);
    window.show();
    QCoreApplication::processEvents();
    app.forget();
    QElapsedTimer clock;
    clock.start();
    const auto thread = tests::secondsOf(CLOCK_THREAD_CPUTIME_ID), all = tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID);
    int pictures = 0;
    QObject::connect(&window, &gui::MainWindow::snapshotShown, [&] { ++pictures; });
    window.open(pipe);
    std::printf("%s:", load.name);
    for (int part = 1; part <= 3; ++part) {
        until([&] { return clock.elapsed() >= qint64(seconds) * 1000 * part / 3 - 200; });
        std::printf(" %.0f MiB after %d s,", anonymous(), seconds * part / 3);
    }
    const auto lag = window.snapshot() ? double(clock.elapsed()) / 1e3 - double(window.snapshot()->duration) / 1e9 : -1;
    const auto records = window.snapshot() ? double(window.snapshot()->records) / (double(clock.elapsed()) / 1e3) : 0;
    std::printf(
        " %d pictures, %.0f records a second, the last picture %.1f s old; longest event %.0f ms (%s); CPU %.1f s of the window's thread, "
        "%.1f s of all",
        pictures, records, lag, app.longest() * 1e3, app.where().constData(), tests::secondsOf(CLOCK_THREAD_CPUTIME_ID) - thread,
        tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID) - all);
    app.forget();
    until([&] { return window.snapshot() && window.snapshot()->finished && window.views().panel(0).figure().isSettled(); });
    std::printf("; at the end %.0f ms (%s), %.0f MiB\n", app.longest() * 1e3, app.where().constData(), anonymous());
    sender.waitForFinished(-1);
}
void zoom(tests::WatchedApplication& app, const QTemporaryDir& folder)
{
    gui::MainWindow window;
    window.resize(1920, 1040);
    window.show();
    window.open(folded(folder, 100'000)); // of a million frames
    // The second view and the tables are no part of a step.
    until([&] { return isDrawn(window) && window.views().panel(1).figure().isSettled() && window.functionTables().isSettled(); });
    auto& figure = window.views().panel(0).figure();
    app.forget();
    std::vector<double> costs;
    for (int step = 0; step < 120; ++step) {
        const auto before = tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID);
        QWheelEvent turn(QPointF(figure.width() / 3.0, figure.height() / 2.0),
            figure.mapToGlobal(QPointF(figure.width() / 3.0, figure.height() / 2.0)), {}, QPoint(0, step < 60 ? 120 : -120), Qt::NoButton,
            Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&figure, &turn);
        until([&] { return figure.isSettled(); });
        figure.repaint();
        costs.push_back(tests::secondsOf(CLOCK_PROCESS_CPUTIME_ID) - before);
    }
    std::sort(costs.begin(), costs.end());
    std::printf("zoom: a step of a flame graph costs %.1f ms CPU in the middle, %.1f ms at the 95th percentile; longest event %.0f ms\n",
        costs[costs.size() / 2] * 1e3, costs[costs.size() * 95 / 100] * 1e3, app.longest() * 1e3);
}
} // namespace

int main(int argc, char** argv)
{
    if (argc == 5 && std::string_view(argv[1]) == "send") return send(argv + 2);
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    tests::WatchedApplication app(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setApplicationName(QStringLiteral("dscope-benchmark"));
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    auto words = QApplication::arguments().mid(1);
    int seconds = 60;
    words.removeIf([&](const QString& word) {
        const int number = word.toInt();
        if (number > 0) seconds = number;
        return number > 0;
    });
    const auto isWanted = [&](const char* name) { return words.isEmpty() || words.contains(QLatin1String(name)); };
    if (isWanted("open")) open(app, folder);
    for (const auto& load : kLoads)
        if (isWanted("live") || words.contains(QLatin1String(load.name))) live(app, folder, load, seconds);
    if (isWanted("zoom")) zoom(app, folder);
    return 0;
}
