// needs-programs: dscope
// proc in the corners: paths that are not in memory, faults, threads.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestProcesses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theNewImageIsNamedThoughItsPathWasNotTouched()
    {
        const auto run = runDscope({"-qn", "proc:::exec /ppid == $target/ { @[args[0]] = sum(1); } proc:::exec-failure /ppid == $target/ { @[\"failed\"] = sum(1); }",
            "-c", DSCOPE_PROGRAMS "/kernel_work replace 30"});
        QCOMPARE(run.err, QByteArray());
        const auto c = countsIn(run.out);
        QCOMPARE(c["/bin/true"], 30);
        QCOMPARE(c["/nowhere/to/be/found"], 30);
        QCOMPARE(c["failed"], 30);
    }
    /// As DTrace for Linux has it: what the system call returned.
    void whyAnExecFailed()
    {
        const auto run = runDscope({"-qn", "proc:::exec-failure /ppid == $target/ { @[args[0] == -ENOENT] = sum(1); }", "-c",
            DSCOPE_PROGRAMS "/kernel_work replace 5"});
        QCOMPARE(countsIn(run.out)["1"], 5);
    }
    void aFaultIsToldByItsKind()
    {
        const auto run = runDscope({"-qn", "proc:::fault /ppid == $target/ { printf(\"%d %d\\n\", args[0], args[1]->si_signo); }", "-c",
            DSCOPE_PROGRAMS "/kernel_work fault 1"});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed(), QByteArray("6 11\n8 8\n1 4")); // out of bounds, divided by zero, no such instruction
    }
    void threadsAreThreadsAndProcessesAreProcesses()
    {
        const auto c = countsOfWork("proc:::lwp-create /pid == $target/ { @[\"threads\"] = sum(1); } proc:::create /pid == $target/ { @[\"processes\"] = sum(1); }"
                                    " proc:::lwp-start /pid == $target/ { @[\"started\"] = sum(1); } proc:::lwp-exit /pid == $target/ { @[\"ended\"] = sum(1); }",
            "contend", 3);
        QCOMPARE(c["threads"], 4);
        QCOMPARE(c["started"], 4);
        QCOMPARE(c["ended"], 5); // and the first
        QCOMPARE(c["processes"], 0);
    }
};
QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"
