// needs-programs: dscope
// How far a command of -c has run when tracing begins. Truth: which of its writes are seen, and whether its exec is.
#include "tests/support/counts.h"
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
class TestEvaltime : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theCommandIsTracedFromThereOn_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<bool>("seesConstructor");
        QTest::newRow("exec") << QStringList{"-x", "evaltime=exec"} << true;
        QTest::newRow("preinit") << QStringList{"-x", "evaltime=preinit"} << true;
        QTest::newRow("postinit") << QStringList{"-x", "evaltime=postinit"} << false;
        QTest::newRow("main") << QStringList{"-x", "evaltime=main"} << false;
        QTest::newRow("not said") << QStringList{} << false;
    }
    void theCommandIsTracedFromThereOn()
    {
        QFETCH(QStringList, options);
        QFETCH(bool, seesConstructor);
        const auto run = runDscope(options + QStringList{"-qn", "syscall::write:entry /pid == $target/ { @[arg2] = sum(1); }", "-c", DSCOPE_PROGRAMS "/early"});
        QVERIFY2(run.status == 0 && run.out.startsWith("built\nmain\n"), run.err + run.out);
        const auto c = countsIn(run.out);
        QCOMPARE(c["6"], seesConstructor ? 1 : 0);
        QCOMPARE(c["5"], 1);
    }
    void mainIsFoundWithoutSymbols_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::newRow("static") << QStringList{"-static", "-s"};
        QTest::newRow("at a fixed address") << QStringList{"-no-pie", "-s"};
        QTest::newRow("position-independent") << QStringList{"-pie", "-fPIE", "-s"};
    }
    void mainIsFoundWithoutSymbols()
    {
        QFETCH(QStringList, flags);
        const auto program = m_dir.filePath("early");
        if (QProcess::execute("cc", QStringList{"-o", program, DSCOPE_SOURCE "/tests/programs/early.c"} + flags) != 0) QSKIP("no C compiler for it");
        const auto run = runDscope({"-qn", "syscall::write:entry /pid == $target/ { @[arg2] = sum(1); }", "-c", program});
        const auto c = countsIn(run.out);
        QVERIFY2(c["6"] == 0 && c["5"] == 1, run.out);
    }
    /// Probes of its functions are looked for when the command has come that far, too.
    void itsFunctionsAreTracedFromThereOn_data() { theCommandIsTracedFromThereOn_data(); }
    void itsFunctionsAreTracedFromThereOn()
    {
        QFETCH(QStringList, options);
        QFETCH(bool, seesConstructor);
        const auto run = runDscope(options + QStringList{"-qn", "pid$target:a.out::entry { @[probefunc] = sum(1); }", "-c", DSCOPE_PROGRAMS "/early"});
        QVERIFY2(run.status == 0, run.err);
        const auto c = countsIn(run.out);
        QCOMPARE(c["build"], seesConstructor ? 1 : 0);
        QCOMPARE(c["_start"], seesConstructor ? 1 : 0);
        QCOMPARE(c["main"], 1);
    }
    void theExecIsSeenOnlyWhenAskedFor_data()
    {
        QTest::addColumn<QString>("when");
        QTest::addColumn<int>("execs");
        QTest::newRow("exec") << "exec" << 1;
        QTest::newRow("preinit") << "preinit" << 0;
        QTest::newRow("main") << "main" << 0;
    }
    void theExecIsSeenOnlyWhenAskedFor()
    {
        QFETCH(QString, when);
        QFETCH(int, execs);
        const auto run = runDscope({"-x", "evaltime=" + when, "-qn", "proc:::exec-success /pid == $target/ { @[\"exec\"] = sum(1); } proc:::exit /pid == $target/ { @[\"exit\"] = sum(1); }", "-c", "/bin/true"});
        const auto c = countsIn(run.out);
        QCOMPARE(c["exec"], execs);
        QCOMPARE(c["exit"], 1);
    }
    void whatEndsBeforeIsTold()
    {
        const auto run = runDscope({"-qn", "BEGIN { }", "-c", "/bin/sh -c true"});
        QCOMPARE(run.status, 0);
        const auto none = runDscope({"-qn", "BEGIN { }", "-c", "/no/such/command"});
        QCOMPARE(none.err, QByteArray("dtrace: failed to execute /no/such/command: No such file or directory\n"));
        QCOMPARE(none.status, 1);
    }
};
QTEST_GUILESS_MAIN(TestEvaltime)
#include "tst_evaltime.moc"
