// needs-programs: dscope
#include "gui/recipes.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
namespace {
/// A shell under a name of its own, which does once a round what recipes ask about: writes, opens files, sends a signal, computes,
/// starts programs that have names of their own too; of them one writes to the disk, one sends packets, one waits for its threads, and one
/// fails to open a file.
QStringList worker(const QTemporaryDir& folder, const QString& name, const QString& rounds)
{
    const auto copy = [&](const char* program, const char* suffix) {
        const auto path = folder.filePath(name + QLatin1String(suffix));
        QFile::copy(QString::fromUtf8(program), path);
        return path;
    };
    const auto shell = copy("/bin/dash", ""), child = copy("/bin/true", "child"), disk = copy("/bin/dd", "disk"),
               packets = copy(DSCOPE_PROGRAMS "/known_packets", "packets"), reader = copy("/bin/cat", "reader"),
               threads = copy(DSCOPE_PROGRAMS "/crowd", "threads");
    const auto script = folder.filePath(name + QStringLiteral(".sh"));
    QFile file(script);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(script));
    // Whatever becomes of this test, it ends after a minute of CPU time.
    file.write(QStringLiteral("ulimit -t 60\ni=0\nwhile [ $i -lt %1 ]; do\n  i=$((i + 1)); j=0\n  echo x > /dev/null; kill -CONT $$; %2; %4 /nonexistent 2> /dev/null\n"
                              "  %3 if=/dev/zero of=%5 bs=4k count=1 oflag=direct conv=notrunc 2> /dev/null\n"
                              "  [ $((i % 8)) = 1 ] && %6 > /dev/null && %7 4 20000 > /dev/null\n"
                              "  while [ $j -lt 500 ]; do j=$((j + 1)); done\ndone\n")
                   .arg(rounds, child, disk, reader, folder.filePath(name + QStringLiteral(".data")), packets, threads)
                   .toUtf8());
    return {shell, script};
}
/// A process of this program that computes and opens files, as the one that a window lays a graph out in; ended with this object.
class Forked {
public:
    Forked() : m_pid(::fork())
    {
        if (m_pid != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            for (volatile int i = 0; i < 20'000;) {
                const int next = i + 1;
                i = next;
            }
            ::close(::open("/etc/passwd", O_RDONLY | O_CLOEXEC));
            ::usleep(100); // it leaves the CPU, too
        }
    }
    ~Forked()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    Forked(const Forked&) = delete;
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid;
};
} // namespace

/// Each recipe, run as the window runs it, beside a process that is not asked about.
class TestRecipes : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    /// What it says, by program: stacks have no names.
    static QString program(const gui::Recipe& recipe)
    {
        auto text = QString::fromUtf8(recipe.program);
        text.replace(QStringLiteral("@[stack()]"), QStringLiteral("@[execname]"));
        text.replace(QStringLiteral("[execname, stack(), ustack()]"), QStringLiteral("[execname]"));
        text.replace(QStringLiteral("[execname, ustack()]"), QStringLiteral("[execname]"));
        return text;
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (!QFile::exists(QStringLiteral("/bin/dash"))) QSKIP("needs dash");
    }
    void withACommandOnlyItsProcessesCount_data()
    {
        QTest::addColumn<QString>("text");
        for (const auto& recipe : gui::recipes())
            QTest::newRow(recipe.question) << program(recipe);
    }
    void withACommandOnlyItsProcessesCount()
    {
        QFETCH(const QString, text);
        const auto other = worker(m_folder, QStringLiteral("outside"), QStringLiteral("100000000"));
        QProcess outside; // killed when it goes out of scope
        outside.start(other[0], {other[1]});
        QVERIFY(outside.waitForStarted());
        const auto inside = worker(m_folder, QStringLiteral("inside"), QStringLiteral("40")).join(QChar(' '));

        const auto with = runDscope({QStringLiteral("-n"), text, QStringLiteral("-c"), inside});
        // Without a command the recipe is about the whole machine: what was left out above could have been seen. A shell stands between,
        // as in a terminal: $ppid is that shell, and no window.
        Outcome without;
        for (const int ms : {500, 2000, 8000}) { // a busy machine takes longer to come to it
            without = runDscope(
                {QStringLiteral("-c"), QStringLiteral("\"$@\"; exit $?"), QStringLiteral("sh"), QStringLiteral(DSCOPE_BIN "/dscope"),
                    QStringLiteral("-n"), text + QStringLiteral("tick-%1ms { exit(0); }").arg(ms)},
                {}, QStringLiteral("/bin/sh"));
            if (without.out.contains("outside")) break;
        }
        outside.kill();
        outside.waitForFinished();

        QCOMPARE(with.status, 0);
        QVERIFY2(!with.err.contains("error on enabled probe"), with.err.constData());
        QVERIFY2(with.out.contains("inside"), (with.out + with.err).constData());
        QVERIFY2(!with.out.contains("outside"), with.out.constData());
        QVERIFY2(without.out.contains("outside"), (without.out + without.err).constData());
    }

    void theTracerAndTheWindowAreLeftOut_data()
    {
        QTest::addColumn<QString>("text");
        for (const auto& recipe : gui::recipes())
            for (const auto* asked : {"Where is the time spent?", "Where is the time, waits included?", "Which system calls, by whom?",
                     "Which system calls take the time?", "Who opens which file?"})
                if (QByteArrayView(recipe.question) == asked)
                    QTest::newRow(asked) << program(recipe).replace(QStringLiteral("execname"), QStringLiteral("pid"));
    }
    /// This program is the window here. A window works on threads that have names of their own: no name would leave all of them out.
    void theTracerAndTheWindowAreLeftOut()
    {
        QFETCH(const QString, text);
        const auto limit = QStringLiteral("tick-1s { exit(0); }");
        const Forked child;
        std::atomic<bool> isOver = false;
        std::thread work([&] {
            ::prctl(PR_SET_NAME, "QThread");
            while (!isOver) {
                for (volatile int i = 0; i < 20'000;) {
                    const int next = i + 1;
                    i = next;
                }
                QFile file(QStringLiteral("/etc/passwd"));
                if (!file.open(QIODevice::ReadOnly)) break;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
        });
        const auto pidsOf = [&](const QString& program, qint64& tracer) {
            QProcess dscope;
            dscope.start(QStringLiteral(DSCOPE_BIN "/dscope"), {QStringLiteral("-n"), program + limit});
            dscope.waitForStarted();
            tracer = dscope.processId();
            dscope.waitForFinished(60'000);
            std::set<qint64> all;
            for (const auto& line : dscope.readAllStandardOutput().split('\n'))
                all.insert(line.simplified().split(' ').front().toLongLong());
            return all;
        };
        qint64 tracer = 0, other = 0;
        const auto seen = pidsOf(text, tracer);
        auto unguarded = text;
        static const QRegularExpression kGuard(QStringLiteral("pid != \\$pid && pid != \\$ppid( && ppid != \\$ppid)?"));
        unguarded.replace(kGuard, QStringLiteral("1"));
        const auto all = pidsOf(unguarded, other);
        isOver = true;
        work.join();
        QVERIFY(unguarded != text);
        QVERIFY(all.contains(::getpid()) && all.contains(child.pid())); // they would be seen
        if (text.contains(QStringLiteral("syscall:::"))) QVERIFY(all.contains(other));
        QVERIFY(!seen.contains(::getpid()));
        QVERIFY(!seen.contains(tracer));
        QVERIFY(!seen.contains(child.pid()));
    }
};
QTEST_GUILESS_MAIN(TestRecipes)
#include "tst_recipes.moc"
