// needs-programs: dscope
// proc in the corners: paths that are not in memory, faults, threads.
#include "tests/support/counts.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
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
        const auto run = runDscope({"-qn",
            "proc:::exec /ppid == $target/ { @[args[0]] = sum(1); } proc:::exec-failure /ppid == $target/ { @[\"failed\"] = sum(1); }",
            "-c", DSCOPE_PROGRAMS "/kernel_work replace 30"});
        QCOMPARE(run.err, QByteArray());
        const auto c = countsIn(run.out);
        QCOMPARE(c["/bin/true"], 30);
        QCOMPARE(c["/nowhere/to/be/found"], 30);
        QCOMPARE(c["failed"], 30);
    }
    /// A chart of calls has a lane for each process: who reads it asks which it is, whether or not the program records that.
    void aChartOfCallsNamesItsProcesses()
    {
        const QTemporaryDir dir;
        QFile script(dir.filePath("script"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("sleep 0.5 | cat | tr a b\n");
        script.close();
        const auto picture = dir.filePath("calls.svg");
        const auto run = runDscope({"-qn", "syscall::read:entry, syscall::read:return /progenyof($target)/ { }", "-c", "sh " + script.fileName(),
            "--export", "flame-chart=" + picture});
        QVERIFY2(run.status == 0, run.err);
        QFile file(picture);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto svg = file.readAll();
        for (const auto* name : {">cat ", ">tr "})
            QVERIFY2(svg.contains(name), name);
        QVERIFY(!svg.contains("process-tree"));
    }
    /// As DTrace for Linux has it: what the system call returned.
    void whyAnExecFailed()
    {
        const auto run = runDscope({"-qn", "proc:::exec-failure /ppid == $target/ { @[args[0] == -ENOENT] = sum(1); }", "-c",
            DSCOPE_PROGRAMS "/kernel_work replace 5"});
        QCOMPARE(countsIn(run.out)["1"], 5);
    }
    /// fork, vfork, posix_spawn, clone3, a thread, an exec from a thread that is not the first; held against strace -f.
    void birthsAndDeathsAreThoseThatStraceSees()
    {
        constexpr int kRounds = 4;
        const auto command = DSCOPE_PROGRAMS "/births " + QString::number(kRounds);
        const auto run = runDscope({"-x", "evaltime=exec", "-qn",
            "proc:::create /progenyof($target)/ { @[\"processes\"] = sum(1); } proc:::lwp-create /progenyof($target)/ { @[\"threads\"] = "
            "sum(1); }"
            "proc:::start /progenyof($target)/ { @[\"started\"] = sum(1); } proc:::exit /progenyof($target)/ { @[\"ended\"] = sum(1); }"
            "proc:::exec-success /progenyof($target)/ { @[\"programs\"] = sum(1); } proc:::lwp-exit /progenyof($target)/ { @[\"lwps\"] = "
            "sum(1); }"
            "proc:::exec-success /progenyof($target) && pid != tid/ { @[\"strange\"] = sum(1); }"
            "proc:::exit /progenyof($target) && args[0] != 1/ { @[\"killed\"] = sum(1); }",
            "-c", command});
        const auto ours = countsIn(run.out);
        // Each round: five processes (not the thread), three programs, a thread of its own and one of a child.
        QCOMPARE(ours["processes"], 5 * kRounds);
        QCOMPARE(ours["threads"], 2 * kRounds);
        QCOMPARE(ours["started"], 5 * kRounds);
        QCOMPARE(ours["ended"], 5 * kRounds + 1);
        QCOMPARE(ours["programs"], 3 * kRounds + 1);
        QCOMPARE(ours["strange"], 0);
        QCOMPARE(ours["killed"], 0);
        const QTemporaryDir dir;
        const auto file = dir.filePath("log");
        runDscope(QStringList{"-f", "-o", file, "-e", "trace=execve"} + command.split(' '), {}, "strace");
        QFile log(file);
        if (!log.open(QIODevice::ReadOnly)) QSKIP("needs strace");
        const auto text = log.readAll();
        // The first thread goes when another one execs.
        QCOMPARE(text.count("+++ exited with") + text.count("+++ superseded by execve"), ours["lwps"]);
        QCOMPARE(text.count(" = 0\n"), ours["programs"]);
    }
    /// They are dscope's, though they run beside the target.
    void whatSystemStartsIsNotTheTargets()
    {
        const QTemporaryDir dir;
        const auto csv = dir.filePath("tree.csv");
        const auto run = runDscope({"-wqn",
            "BEGIN { system(\"/bin/echo from system\"); } proc:::exec-success /execname == \"echo\"/"
            " { printf(\"echo progeny %d\\n\", progenyof($target)); @ = count(); }"
            " proc:::exec-success /progenyof($target)/ { printf(\"ours %s\\n\", execname); }",
            "-c", "/bin/sleep 0.3", "--text", "--export", "process-tree=" + csv});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("from system\n") && run.out.contains("echo progeny 0\n"), run.out);
        QVERIFY2(run.out.contains("ours sleep\n") && !run.out.contains("ours echo"), run.out);
        QFile written(csv);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto tree = written.readAll();
        QVERIFY2(tree.contains("sleep 0.3") && !tree.contains("from system"), tree);
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
        const auto c = countsOfWork(
            "proc:::lwp-create /pid == $target/ { @[\"threads\"] = sum(1); } proc:::create /pid == $target/ { @[\"processes\"] = sum(1); }"
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
