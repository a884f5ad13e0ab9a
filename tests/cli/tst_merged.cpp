// needs-programs: dscope
// Runs of several hosts as one: the numbers are the sums of what each host's file alone says.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
/// What dd writes, told by it: 300 blocks of 700 bytes, and its last words. Emptied while the run goes on.
const QString kProgram = QStringLiteral(
    "syscall::write:entry /pid == $target/ { @bytes[execname, arg0] = sum(arg2); @size = quantize(arg2); @most = max(arg2); @st[ustack()] = count(); }"
    " tick-20ms { clear(@bytes); }");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestMerged : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (runDscope({"-u", "/bin/true"}, {}, "unshare").status != 0) QSKIP("no host can have a name of its own here (unshare -u)");
        for (const auto* host : {"web1", "web2", "db1"}) {
            const auto run = runDscope({"-u", "sh", "-c", "hostname \"$1\"; shift; exec \"$@\"", "sh", host, DSCOPE_BIN "/dscope", "-qn", kProgram, "-c",
                                           "dd if=/dev/zero of=/dev/null bs=700 count=300", "--record", at(QString(host) + ".dscope")},
                {}, "unshare");
            QVERIFY2(run.status == 0, run.err);
        }
    }
    void countsOfAllHostsAddUp()
    {
        const auto run = merged({"--by", "none", "--export", "table=" + at("all.csv"), "--export", "flame=" + at("all.folded")});
        QVERIFY2(run.status == 0, run.err);
        const auto all = contents(at("all.csv"));
        QVERIFY2(all.contains("dd,1,,630000,"), all); // 3 × 300 × 700
        // Each host's stacks are at addresses of their own, and one stack: all 900 calls.
        const auto stacks = contents(at("all.folded"));
        QVERIFY2(stacks.contains(" 900\n"), stacks);
    }
    void hostsAreAKey()
    {
        const auto run = merged({"--by", "host", "--export", "table=" + at("by.csv"), "--text"});
        QVERIFY2(run.status == 0, run.err);
        const auto rows = contents(at("by.csv"));
        QVERIFY2(rows.startsWith("host,execname,"), rows);
        for (const auto* host : {"web1", "web2", "db1"})
            QVERIFY2(rows.contains(QByteArray(host) + ",dd,1,,210000,"), rows);
        QVERIFY2(run.out.contains("  web1  "), run.out);
    }
    /// A merged recording is a recording like any other: it says the same.
    void whatIsMergedCanBeKept()
    {
        QCOMPARE(merged({"--by", "host", "--record", at("kept.dscope"), "--export", "table=" + at("1.csv")}).status, 0);
        QCOMPARE(runDscope({"--replay", at("kept.dscope"), "--export", "table=" + at("2.csv")}).status, 0);
        QVERIFY(!contents(at("1.csv")).isEmpty());
        QCOMPARE(contents(at("2.csv")), contents(at("1.csv")));
    }
    void badWordsAreTold_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("key") << QStringList{"--replay", at("web1.dscope"), "--by", "pid"} << QByteArray("--by is host, run, file or none, not \"pid\"");
        QTest::newRow("nothing") << QStringList{"--by", "host"} << QByteArray("--by makes one data set of several --replay or --import, and there is none");
        QTest::newRow("other program") << QStringList{"--replay", at("web1.dscope"), "--replay", DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope", "--by", "host"}
                                       << QByteArray("hot-stacks.dscope cannot be merged with web1.dscope: they ran different programs, first in line 1");
    }
    void badWordsAreTold()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, error);
        const auto run = runDscope(arguments);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(error), run.err);
    }

private:
    Outcome merged(const QStringList& more) const
    {
        return runDscope(QStringList{"--replay", at("web1.dscope"), "--replay", at("web2.dscope"), "--replay", at("db1.dscope")} + more);
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestMerged)
#include "tst_merged.moc"
