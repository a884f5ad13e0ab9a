// needs-programs: dscope
// Where dscope may not start another thread (ulimit -u, a container's pids.max): it does with the one it has, or says what it lacks.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QTest>
using namespace dscope::tests;
namespace {
/// A control group of our own in which there may be one task, of either version of cgroups; it goes with this.
class OneTask {
public:
    OneTask()
    {
        for (const auto* hierarchy : {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}) {
            const auto folder = QStringLiteral("%1/dscope-test-%2").arg(QLatin1String(hierarchy)).arg(::getpid());
            if (!QDir().mkdir(folder)) continue;
            QFile most(folder + "/pids.max");
            if (most.exists() && most.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && most.write("1") == 1) {
                m_folder = folder;
                return;
            }
            QDir().rmdir(folder);
        }
    }
    ~OneTask()
    {
        if (isThere()) QDir().rmdir(m_folder);
    }
    OneTask(const OneTask&) = delete;
    OneTask& operator=(const OneTask&) = delete;
    bool isThere() const { return !m_folder.isEmpty(); }
    Outcome dscope(const QStringList& arguments) const
    {
        // The leak sanitizer looks on from a thread of its own.
        const auto enter
            = QStringLiteral("echo $$ >%1/cgroup.procs && ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" exec \"$0\" \"$@\"").arg(m_folder);
        return runDscope(QStringList{"-c", enter, QStringLiteral(DSCOPE_BIN "/dscope")} + arguments, {}, QStringLiteral("sh"));
    }

private:
    QString m_folder;
};
} // namespace

class TestNoThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (!OneTask().isThere()) QSKIP("needs a control group with a limit of tasks (the pids controller)");
    }
    /// Programs of many kinds, which are loaded on several threads where there may be some.
    void programsAreLoadedAndLeft()
    {
        const OneTask one;
        const auto run = one.dscope({"-qn",
            "syscall::read:entry, proc:::exec-success, sched:::off-cpu, sched:::wakeup, io:::start, vminfo:::as_fault, sysinfo:::readch,"
            "profile-97 { @ = count(); } BEGIN { printf(\"begun\\n\"); exit(0); } END { printf(\"ended\\n\"); }"});
        QVERIFY2(run.status == 0, run.out + run.err);
        QVERIFY2(run.out.startsWith("begun\n") && run.out.contains("ended\n"), run.out + run.err);
    }
    void ticksSayWhyTheyCannotBe()
    {
        const OneTask one;
        const auto run = one.dscope({"-qn", "tick-100ms { exit(0); }"});
        QVERIFY2(run.status == 1, run.out + run.err);
        QVERIFY2(run.err.contains("ticks need a thread of their own") && run.err.contains("pids.max"), run.out + run.err);
    }
};

QTEST_GUILESS_MAIN(TestNoThreads)
#include "tst_no_threads.moc"
