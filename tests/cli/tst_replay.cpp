// needs-programs: dscope
// A recording shows what the live run showed, to anyone, anywhere.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// The same command line as nobody: no privileges, no access to the traced machine's symbols.
Outcome asNobody(const QStringList& arguments)
{
    return runDscope(QStringList{"--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", DSCOPE_BIN "/dscope"} + arguments, {}, "setpriv");
}
} // namespace

class TestReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aReplayEqualsTheLiveRun_data()
    {
        QTest::addColumn<QStringList>("live");
        QTest::addColumn<QStringList>("figures");
        const QString programs = QStringLiteral(DSCOPE_PROGRAMS "/");
        QTest::newRow("process tree") << QStringList{"-n", "proc:::exec-success { trace(execname); } proc:::exit { @[execname] = count(); }", "-c", programs + "storm root 27 /dev/null"}
                                      << QStringList{"process-tree=a.svg", "process-tree=b.dot", "process-tree=c.csv", "bars=d.svg", "table=e.csv"};
        QTest::newRow("histogram") << QStringList{"-qn", "syscall::write:entry /pid == $target/ { @[execname, probefunc] = quantize(arg2); } END { printa(@); }", "-c",
            programs + "known_writes 1 10 4096 20"} << QStringList{"histogram=a.svg", "histogram=b.csv"};
        QTest::newRow("flame graph") << QStringList{"-n", "profile-997 /pid == $target && arg1/ { @[ustack()] = count(); } tick-100ms /i++ < 3/ { ustack(); }", "-c", programs + "two_chains 1"}
                                     << QStringList{"flame=a.svg", "flame=b.folded", "flame=c.csv"};
        QTest::newRow("every kind of text") << QStringList{"-n",
            "BEGIN { trace(1); trace(\"text\"); printf(\"%d %s %Y\\n\", -1, \"x\", walltimestamp); @a[1] = sum(7); @b[1] = avg(3); printa(\"%d %@d %@d\\n\", @a, @b); "
            "normalize(@a, 7); } tick-10ms /++n == 3/ { printa(@a); clear(@a); stack(); exit(4); } ERROR { trace(arg4); }"}
                                            << QStringList{"table=a.csv"};
    }
    void aReplayEqualsTheLiveRun()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, live);
        QFETCH(QStringList, figures);
        const QTemporaryDir dir;
        QFile::setPermissions(dir.path(), QFile::permissions(dir.path()) | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther);
        const auto exports = [&](const QString& folder) {
            QDir(dir.path()).mkpath(folder);
            QFile::setPermissions(dir.filePath(folder), QFile::permissions(dir.path()));
            QStringList words;
            for (const auto& f : figures) words << "--export" << f.section('=', 0, 0) + "=" + dir.filePath(folder + "/" + f.section('=', 1));
            return words;
        };
        const auto recording = dir.filePath("run.dscope");
        const auto first = runDscope(live + QStringList{"--text", "--record", recording} + exports("live"));
        QVERIFY2(first.status >= 0 && !first.out.isEmpty(), first.err.constData());
        const auto again = asNobody(QStringList{"--replay", recording, "--text"} + exports("again"));
        QVERIFY2(again.status >= 0, again.err.constData());
        QCOMPARE(again.status, first.status);
        QCOMPARE(again.out, first.out);
        for (const auto& f : figures) {
            const auto name = f.section('=', 1);
            const auto was = contents(dir.filePath("live/" + name));
            QVERIFY2(!was.isEmpty(), qPrintable(name));
            QVERIFY2(contents(dir.filePath("again/" + name)) == was, qPrintable(name + " differs"));
        }
    }
    void keptRecordingsAreDrawnWithoutPrivileges_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("view");
        QTest::newRow("process tree") << "process-tree" << "process-tree";
        QTest::newRow("histogram") << "write-sizes" << "histogram";
        QTest::newRow("flame graph") << "hot-stacks" << "flame";
    }
    void keptRecordingsAreDrawnWithoutPrivileges()
    {
        QFETCH(QString, name);
        QFETCH(QString, view);
        const QTemporaryDir dir;
        const auto svg = dir.filePath("figure.svg");
        const auto run = runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/" + name + ".dscope", "--export", view + "=" + svg});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        const auto listed = runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/" + name + ".dscope", "--views"});
        QVERIFY2(listed.out.contains(view.toUtf8() + "\t"), listed.out.constData());
        QVERIFY(contents(svg).size() > 5'000);
    }
    void withoutPrivilegesTracingSaysWhatToDo()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP("needs root to become nobody");
        const auto run = asNobody({"-qn", "BEGIN { exit(0); }"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("root"), run.err.constData());
        QVERIFY2(run.err.startsWith("dtrace: ") && run.err.count('\n') == 1, run.err.constData());
    }
    void aCutRecordingReplaysUpToTheCutAndSaysSo()
    {
        const QTemporaryDir dir;
        const auto whole = contents(DSCOPE_SOURCE "/examples/recordings/process-tree.dscope");
        QVERIFY(whole.size() > 2'000);
        QFile file(dir.filePath("cut.dscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(whole.left(whole.size() - 5));
        file.close();
        const auto run = runDscope({"--replay", file.fileName()});
        QVERIFY2(run.err.contains("is cut"), run.err.constData());
        QVERIFY(!run.out.isEmpty());
    }
    void whatIsNoRecordingIsRefused()
    {
        const auto run = runDscope({"--replay", DSCOPE_SOURCE "/README.md"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("README.md"), run.err.constData());
    }
};
QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
