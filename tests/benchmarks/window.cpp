// needs: gui graph graph/models exporters/web engine/record
// What the window costs, in seconds of a processor's time and in memory, against what issue 18 asks for:
//     cmake --build build/release --target benchmark_window && QT_QPA_PLATFORM=offscreen build/release/bin/benchmark_window
//     [open|live|zoom]...
// open: folded text of 100,000 and of 1,000,000 stacks, from the command to the first picture of all threads together, and anonymous memory
// then. live: 300,000 records a second into 100,000 rows for ten seconds; the longest event of the window's thread. zoom: a flame graph of
// a million frames, 60 steps in and out: what one step costs on all threads together (60 in a second leave 16.7 ms each).
#include "engine/record/wire.h"
#include "gui/main_window.h"
#include "tests/support/streams.h"
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
using namespace dscope::test;
namespace {
double spent(clockid_t clock)
{
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
/// MiB of memory that belongs to no file.
double anonymous()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const auto& line : status.readAll().split('\n'))
        if (line.startsWith("RssAnon:")) return line.mid(8).trimmed().split(' ').first().toDouble() / 1024;
    return 0;
}
/// Knows what the longest event has cost its thread.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0) return QApplication::notify(receiver, event);
        ++m_depth;
        const auto before = spent(CLOCK_THREAD_CPUTIME_ID);
        const auto* type = receiver->metaObject()->className();
        const auto kind = int(event->type());
        const bool done = QApplication::notify(receiver, event);
        --m_depth;
        if (const auto cost = spent(CLOCK_THREAD_CPUTIME_ID) - before; cost > m_longest) {
            m_longest = cost;
            m_where = QByteArray(type) + ", event " + QByteArray::number(kind);
        }
        return done;
    }
    void forget() { m_longest = 0; }
    double longest() const { return m_longest; }
    const QByteArray& where() const { return m_where; }

private:
    int m_depth = 0;
    double m_longest = 0;
    QByteArray m_where;
};
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
void open(Application& app, const QTemporaryDir& folder)
{
    for (const std::size_t stacks : {100'000, 1'000'000}) {
        const auto path = folded(folder, stacks);
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QCoreApplication::processEvents();
        app.forget();
        const auto memory = anonymous();
        const auto before = spent(CLOCK_PROCESS_CPUTIME_ID);
        QElapsedTimer clock;
        clock.start();
        window.open(path);
        auto& figure = window.views().panel(0).figure();
        until([&] { return figure.isSettled() && !figure.figure().items.empty(); });
        std::printf("open %zu stacks: %.2f s CPU until the picture (%.2f s on the clock), ", stacks,
            spent(CLOCK_PROCESS_CPUTIME_ID) - before, double(clock.elapsed()) / 1e3);
        until([&] { return isDrawn(window) && window.functionTables().isSettled(); });
        std::printf("%.2f s until all tables, %.0f MiB more of anonymous memory, longest event %.0f ms (%s)\n",
            spent(CLOCK_PROCESS_CPUTIME_ID) - before, anonymous() - memory, app.longest() * 1e3, app.where().constData());
    }
}
void live(Application& app, const QTemporaryDir& folder)
{
    constexpr int kSeconds = 10, kRowsEach = 5'000;
    constexpr std::size_t kRows = 100'000, kPerSecond = 300'000;
    const auto pipe = folder.filePath(QStringLiteral("live.dscope"));
    if (::mkfifo(QFile::encodeName(pipe).constData(), 0600) != 0) std::abort();
    std::atomic<std::size_t> sent = 0;
    std::thread writer([&] {
        const int fd = ::open(QFile::encodeName(pipe).constData(), O_WRONLY | O_CLOEXEC);
        record::Writer out(fd);
        Stream s;
        auto p = program("syscall:::entry { @[execname, pid] = count(); printf(\"%d\", pid); }", {"syscall:::entry"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), numberKey("pid")})};
        begin(s, p);
        for (const auto& r : s)
            out.take(r);
        std::size_t row = 0;
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < kSeconds * 1000) {
            if (sent < static_cast<std::size_t>(clock.elapsed()) * kPerSecond / 1000) {
                std::vector<record::AggregationRow> all;
                for (int i = 0; i < kRowsEach; ++i, ++row)
                    all.push_back(
                        {Key().text("program-" + std::to_string(row % 997)).number(static_cast<std::int64_t>(row % kRows)).bytes(),
                            {static_cast<std::int64_t>(1 + row / kRows)}});
                out.take(rows(0, std::move(all)));
                sent += kRowsEach;
                out.flush();
            } else
                QThread::yieldCurrentThread();
        }
        out.take(end(kSeconds * kSecond));
        if (!out.finish()) std::abort();
        ::close(fd);
    });
    gui::MainWindow window;
    window.resize(1366, 728);
    window.show();
    QCoreApplication::processEvents();
    app.forget();
    window.open(pipe);
    until([&] { return isDrawn(window); });
    writer.join();
    std::printf("live: %.0f records a second, %zu rows: longest event %.0f ms (%s), %.0f MiB of anonymous memory\n",
        double(sent) / kSeconds, kRows, app.longest() * 1e3, app.where().constData(), anonymous());
}
void zoom(Application& app, const QTemporaryDir& folder)
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
        const auto before = spent(CLOCK_PROCESS_CPUTIME_ID);
        QWheelEvent turn(QPointF(figure.width() / 3.0, figure.height() / 2.0),
            figure.mapToGlobal(QPointF(figure.width() / 3.0, figure.height() / 2.0)), {}, QPoint(0, step < 60 ? 120 : -120), Qt::NoButton,
            Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&figure, &turn);
        until([&] { return figure.isSettled(); });
        figure.repaint();
        costs.push_back(spent(CLOCK_PROCESS_CPUTIME_ID) - before);
    }
    std::sort(costs.begin(), costs.end());
    std::printf("zoom: a step of a flame graph costs %.1f ms CPU in the middle, %.1f ms at the 95th percentile; longest event %.0f ms\n",
        costs[costs.size() / 2] * 1e3, costs[costs.size() * 95 / 100] * 1e3, app.longest() * 1e3);
}
} // namespace

int main(int argc, char** argv)
{
    Application app(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setApplicationName(QStringLiteral("dscope-benchmark"));
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    const auto words = QApplication::arguments().mid(1);
    const auto isWanted = [&](const char* name) { return words.isEmpty() || words.contains(QLatin1String(name)); };
    if (isWanted("open")) open(app, folder);
    if (isWanted("live")) live(app, folder);
    if (isWanted("zoom")) zoom(app, folder);
    return 0;
}
