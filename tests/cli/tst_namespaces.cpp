// needs-programs: dscope
// Containers: processes have the numbers there that those in them see.
#include "tests/support/children_of.h"
#include "tests/support/counts.h"
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <sys/stat.h>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
/// dscope in a namespace of process numbers of its own, as root of a container runs it.
Outcome inContainer(const QStringList& arguments)
{
    return runDscope(QStringList{"-p", "-f", "--mount-proc", DSCOPE_BIN "/dscope"} + arguments, {}, "unshare");
}
/// Where groups of version 2 are; empty where they are not mounted.
QString groupsFolder()
{
    QFile mounts("/proc/self/mounts");
    if (!mounts.open(QIODevice::ReadOnly)) return {};
    for (const auto& line : mounts.readAll().split('\n'))
        if (const auto words = line.split(' '); words.size() > 2 && words[2] == "cgroup2") return QString::fromUtf8(words[1]);
    return {};
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
        const auto folder = groupsFolder();
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
        const auto run = runApart({"-qn",
            "syscall::exit_group:entry /execname == \"cat\" && ppid == $target/ { @[cgroup] = sum(1); }"
            " END { printa(\"group %s %@d\\n\", @); }",
            "-c", QStringLiteral(DSCOPE_SOURCE "/tests/programs/grouped.sh ") + folder});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto at = run.out.indexOf("here ");
        QVERIFY2(at >= 0, run.out.constData());
        const auto path = run.out.mid(at + 5, run.out.indexOf('\n', at) - at - 5);
        QVERIFY2(path.endsWith("/inner"), path.constData());
        QVERIFY2(run.out.contains(path + " 1\n"), run.out.constData());
        QCOMPARE(run.out.count("\ngroup "), 2);
        if (!mine.isEmpty()) QVERIFY2(run.out.contains(mine + " 1\n"), run.out.constData());
    }
    void aProcessHasItsContainer_data()
    {
        QTest::addColumn<QString>("kernel");
        for (const auto* kernel : {"", "5.10", "5.15"})
            QTest::newRow(*kernel ? kernel : "this kernel") << QString::fromLatin1(kernel);
    }
    /// Groups named as engines name theirs, against the list; the groups' numbers against what stat says of their folders.
    void aProcessHasItsContainer()
    {
        QFETCH(QString, kernel);
        const auto folder = groupsFolder();
        const auto attempt = (folder + QStringLiteral("/dscope-attempt-%1").arg(::getpid())).toUtf8();
        if (folder.isEmpty() || ::mkdir(attempt, 0700) != 0) QSKIP("no cgroup of version 2 can be made here");
        QCOMPARE(::rmdir(attempt), 0);
        const QString list = QStringLiteral(TEST_DATA "/containers.txt");
        QFile rows(list);
        QVERIFY(rows.open(QIODevice::ReadOnly));
        QList<QByteArray> names;
        for (const auto& line : rows.readAll().trimmed().split('\n'))
            if (const auto words = line.split('\t'); words.size() == 2) names << words[1];
        QVERIFY(names.size() > 20);
        const auto run = runApart((kernel.isEmpty() ? QStringList() : QStringList{"-x", "_kernel=" + kernel})
            + QStringList{"-qn",
                "syscall::exit_group:entry /execname == \"cat\" && progenyof($target)/ { printf(\"%d %s\\n\", cgroupid, container); "
                "@[container] = sum(1); @all = count(); }"
                " syscall::exit_group:entry /execname == \"cat\" && progenyof($target) && container == \"build-box\"/ { "
                "printf(\"one\\n\"); }"
                " END { printa(\"key %s %@d\\n\", @); printa(\"all %@d\\n\", @all); }",
                "-c", QStringLiteral(DSCOPE_SOURCE "/tests/programs/contained.sh %1 %2").arg(folder, list)});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto lines = run.out.split('\n');
        const auto has = [&](const QByteArray& line) { return lines.contains(line); };
        // What the tests run in may be a container, too.
        const auto first
            = std::find_if(lines.begin(), lines.end(), [](const QByteArray& line) { return !line.isEmpty() && !line.startsWith("at "); });
        QVERIFY2(first != lines.end(), run.out.constData());
        const auto own = first->mid(first->indexOf(' ') + 1);
        QMap<QByteArray, int> each{{own, 1}};
        qsizetype next = 0;
        for (const auto& line : lines) {
            if (!line.startsWith("at ")) continue;
            QVERIFY2(next < names.size(), line.constData());
            const auto name = names[next].isEmpty() ? own : names[next];
            QVERIFY2(has(line.mid(line.lastIndexOf(' ') + 1) + ' ' + name), line + " is no " + name + " in\n" + run.out);
            ++each[name];
            ++next;
        }
        QCOMPARE(next, names.size());
        for (auto at = each.cbegin(); at != each.cend(); ++at)
            QVERIFY2(has("key " + at.key() + ' ' + QByteArray::number(at.value())), at.key() + '\n' + run.out);
        QVERIFY2(has("all " + QByteArray::number(names.size() + 1)), run.out.constData());
        QCOMPARE(run.out.count("\none\n"), 1);
    }
    /// Against /proc/self/ns/net, in one of its own and in the one that dscope is in.
    void aProcessHasItsNetworkNamespace()
    {
        const auto own = QFileInfo(QStringLiteral("/proc/self/ns/net")).symLinkTarget().section(QChar('['), 1).chopped(1).toUtf8();
        QVERIFY(own.toLongLong() > 0);
        const auto run = runApart({"-qn",
            "BEGIN { printf(\"own %d\\n\", netns); }"
            " syscall::exit_group:entry /pid == $target/ { @[netns] = count(); @other[netns != "
                + own
                + "] = count(); }"
                  " END { printa(\"in %d %@d\\n\", @); printa(\"other %d %@d\\n\", @other); }",
            "-c", "unshare -n readlink /proc/self/ns/net"});
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.out.contains("own " + own + '\n'), run.out + own);
        const auto at = run.out.indexOf("net:[") + 5;
        const auto number = run.out.mid(at, run.out.indexOf(']', at) - at);
        QVERIFY2(number.toLongLong() > 0 && number != own, run.out.constData());
        QVERIFY2(run.out.contains("in " + number + " 1\n") && run.out.contains("other 1 1\n"), run.out.constData());
        QVERIFY2(!run.out.contains("in " + own), run.out.constData());
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
        container.start("unshare", {"-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", kPrograms + "marked 1000000 5 & wait"});
        QVERIFY(container.waitForStarted());
        const auto theirs = [&] {
            for (const auto& shell : childrenOf(container.processId()))
                for (const auto& child : childrenOf(shell.toLongLong()))
                    if (QFileInfo("/proc/" + child + "/exe").symLinkTarget().endsWith(QLatin1String("/marked")))
                        return QString::fromUtf8(child);
            return QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!theirs().isEmpty(), 60'000);
        const auto run
            = runDscope({"-qn", "pid$target:a.out:another:entry { printf(\"[%d]\", pid == $target); exit(0); }", "-p", theirs()});
        QCOMPARE(run.out.trimmed(), QByteArray("[1]"));
        container.kill();
        QVERIFY(container.waitForFinished(60'000));
    }
};
QTEST_GUILESS_MAIN(TestNamespaces)
#include "tst_namespaces.moc"
