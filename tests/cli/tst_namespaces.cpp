// needs-programs: dscope
// Containers: processes have the numbers there that those in them see.
#include "tests/support/counts.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
/// dscope in a namespace of process numbers of its own, as root of a container runs it.
Outcome inContainer(const QStringList& arguments)
{
    return runDscope(QStringList{"-p", "-f", "--mount-proc", DSCOPE_BIN "/dscope"} + arguments, {}, "unshare");
}
} // namespace

class TestNamespaces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (runDscope({"-p", "-f", "--mount-proc", "/bin/true"}, {}, "unshare").status != 0) QSKIP("no namespaces can be made here");
    }
    /// Against what the process itself reads in /proc/self/cgroup.
    void aProcessHasItsCgroup()
    {
        QFile mounts("/proc/self/mounts");
        QVERIFY(mounts.open(QIODevice::ReadOnly));
        QString folder;
        for (const auto& line : mounts.readAll().split('\n'))
            if (const auto words = line.split(' '); words.size() > 2 && words[2] == "cgroup2") folder = QString::fromUtf8(words[1]);
        if (folder.isEmpty()) QSKIP("no cgroup2 file system is mounted here");
        if (::access(folder.toUtf8(), W_OK) != 0) QSKIP("no cgroup can be made here: the file system is mounted to be read");
        const auto own = runDscope({"-qn", "BEGIN { printf(\"here %s\", cgroup); exit(0); }"});
        QFile self("/proc/self/cgroup");
        QVERIFY(self.open(QIODevice::ReadOnly));
        QByteArray mine;
        for (const auto& line : self.readAll().split('\n'))
            if (line.startsWith("0::")) mine = line.mid(3);
        // In a namespace of cgroups the process reads what is below that alone.
        if (mine == "/") mine.clear();
        QVERIFY2(own.out.trimmed().endsWith(mine), own.out + mine);
        // The cgroup is gone when the aggregation is printed.
        const auto run = runApart({"-qn", "syscall::exit_group:entry /execname == \"cat\" && ppid == $target/ { @[cgroup] = sum(1); }"
            " END { printa(\"group %s %@d\\n\", @); }", "-c", QStringLiteral(DSCOPE_SOURCE "/tests/programs/grouped.sh ") + folder});
        if (run.err.contains("Permission denied") || run.err.contains("Read-only")) QSKIP("no cgroup can be made here");
        QVERIFY2(run.status == 0, run.err.constData());
        const auto at = run.out.indexOf("here ");
        QVERIFY2(at >= 0, run.out.constData());
        const auto path = run.out.mid(at + 5, run.out.indexOf('\n', at) - at - 5);
        QVERIFY2(path.endsWith("/inner"), path.constData());
        QVERIFY2(run.out.contains(path + " 1\n"), run.out.constData());
        QCOMPARE(run.out.count("\ngroup "), 2);
        if (!mine.isEmpty()) QVERIFY2(run.out.contains(mine + " 1\n"), run.out.constData());
    }
    void numbersAreTheContainers()
    {
        const auto run = inContainer({"-qn",
            "BEGIN { printf(\"own %d\\n\", pid - $pid); }"
            " syscall::close:entry /pid == $target && arg0 == 12345/ { @[\"calls\"] = sum(1); @[\"self\"] = sum(tid == pid && ppid == "
            "$pid); }"
            " syscall::close:entry /progenyof($pid) && arg0 == 12345/ { @[\"kin\"] = sum(1); }"
            " END { printa(\"%s %@d\\n\", @); }",
            "-c", kPrograms + "compat_calls 6"});
        QCOMPARE(run.status, 0);
        const auto c = countsIn(run.out);
        QVERIFY2(run.out.contains("own 0\n"), run.out + run.err);
        QCOMPARE(c["calls"], 6);
        QCOMPARE(c["self"], 6);
        QCOMPARE(c["kin"], 6);
    }
    /// curpsinfo, and the arguments of proc's and sched's probes.
    void whatIsToldOfProcessesHasTheContainersNumbers()
    {
        const auto run = inContainer({"-qn",
            "syscall::close:entry /pid == $target && arg0 == 12345/ { @[\"own\"] = sum(curpsinfo->pr_pid == pid && curpsinfo->pr_ppid == "
            "$pid"
            " && curlwpsinfo->pr_lwpid == tid); @[\"words\"] = sum(curpsinfo->pr_argc == 2); }"
            " END { printa(\"%s %@d\\n\", @); }",
            "-c", kPrograms + "compat_calls 6"});
        QCOMPARE(run.status, 0);
        const auto c = countsIn(run.out);
        QCOMPARE(c["own"], 6);
        QCOMPARE(c["words"], 6);
        const auto woken = inContainer({"-qn", "sched:::wakeup /pid == $target && args[1]->pr_pid == $target/ { @[\"woken\"] = sum(1); }",
            "-c", kPrograms + "kernel_work pass 100"});
        QVERIFY2(countsIn(woken.out)["woken"] >= 100, woken.out + woken.err);
    }
    void functionsOfAContainersProcess()
    {
        const auto run
            = inContainer({"-qn", "pid$target:a.out:text:entry { printf(\"[%d] %s\", pid == $target, copyinstr(arg0)); ustack(); }", "-c",
                kPrograms + "calls 1"});
        QVERIFY2(run.out.contains("[1] counts:") && run.out.contains("calls`main"), run.out + run.err);
    }
    /// From outside, by the number that it has there.
    void aContainersProcessFromOutside()
    {
        QProcess container;
        container.start("unshare", {"-p", "-f", "--mount-proc", "sh", "-c", kPrograms + "marked 400 5 & wait"});
        QVERIFY(container.waitForStarted());
        QString number;
        for (int tries = 0; tries < 500 && number.isEmpty(); ++tries) {
            QTest::qWait(10);
            const auto found
                = runDscope({"-c",
                                "for p in /proc/[0-9]*; do [ \"$(readlink $p/ns/pid_for_children)\" != \"$(readlink /proc/self/ns/pid)\" ] "
                                "&& case $(readlink $p/exe) in */marked) echo ${p#/proc/};; esac; done"},
                    {}, "sh")
                      .out.trimmed();
            number = QString::fromUtf8(found);
        }
        QVERIFY2(!number.isEmpty(), "the container's process did not start");
        const auto run = runDscope({"-qn", "pid$target:a.out:another:entry { printf(\"[%d]\", pid == $target); exit(0); }", "-p", number});
        QCOMPARE(run.out.trimmed(), QByteArray("[1]"));
        QVERIFY(container.waitForFinished(60'000));
    }
};
QTEST_GUILESS_MAIN(TestNamespaces)
#include "tst_namespaces.moc"
