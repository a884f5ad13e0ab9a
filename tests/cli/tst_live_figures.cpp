// needs-programs: dscope
// What a live run prints beside the figures that it draws, and whose data these are. Truth is what the program says and what the
// traced command prints.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kProgram = QStringLiteral("BEGIN { printf(\"begun\\n\"); @[\"a\"] = sum(3); @[\"b\"] = sum(4); } "
                                        "syscall::getppid:entry /pid == $target/ { trace(1); }");
} // namespace

class TestLiveFigures : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString at(const QString& name) const { return m_dir.filePath(name); }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void figuresTakeThePlaceOfText_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<bool>("prints");
        QTest::addColumn<QStringList>("written");
        QTest::newRow("nothing asked for") << QStringList{} << true << QStringList{};
        QTest::newRow("a figure") << QStringList{"--export", at("a.svg")} << false << QStringList{at("a.svg")};
        QTest::newRow("two figures and a recording") << QStringList{"--export", at("b.svg"), "--export", "bars=" + at("b.csv"), "--record",
            at("b.dscope")} << false << QStringList{at("b.dscope"), at("b.svg"), at("b.csv")};
        QTest::newRow("a report") << QStringList{"--report", at("c.html")} << false << QStringList{at("c.html")};
        QTest::newRow("a figure, and the text") << QStringList{"--export", at("d.svg"), "--text"} << true << QStringList{at("d.svg")};
        QTest::newRow("a recording alone") << QStringList{"--record", at("e.dscope")} << true << QStringList{at("e.dscope")};
    }
    void figuresTakeThePlaceOfText()
    {
        QFETCH(QStringList, options);
        QFETCH(bool, prints);
        QFETCH(QStringList, written);
        const auto run = runDscope(QStringList{"-qn", kProgram, "-c", "/bin/echo hello"} + options);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("hello\n"), run.out.constData()); // the command's own
        QCOMPARE(run.out.contains("begun\n"), prints);
        QCOMPARE(run.out.contains("  a  "), prints);
        if (!prints) QCOMPARE(run.out, QByteArray("hello\n"));
        QCOMPARE(run.wrote, written);
        QCOMPARE(run.err, QByteArray());
        for (const auto& file : written)
            QVERIFY2(QFileInfo(file).size() > 0, qPrintable(file));
    }
    void aFileTakesTheTextBesideAFigure()
    {
        const auto run = runDscope({"-qn", kProgram, "-c", "/bin/echo hello", "--export", at("f.svg"), "-o", at("f.txt")});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out, QByteArray("hello\n"));
        const auto text = read(at("f.txt"));
        QVERIFY2(text.startsWith("begun\n") && text.contains("  a  "), text.constData());
    }
    /// What a program does is done, and what goes wrong is told, whether its text is printed or not.
    void commandsRunAndMessagesStay()
    {
        const auto run = runDscope({"-wqn",
            "BEGIN { printf(\"lost\\n\"); system(\"echo ran\"); freopen(\"" + at("g.txt")
                + "\"); printf(\"kept\\n\"); system(\"echo beside\"); freopen(\"\"); } BEGIN { trace(*(int *)0); } BEGIN { exit(3); }",
            "--export", "table=" + at("g.csv")});
        QCOMPARE(run.status, 3);
        QCOMPARE(run.out, QByteArray("ran\n"));
        QCOMPARE(read(at("g.txt")), QByteArray("kept\nbeside\n"));
        QVERIFY2(run.err.contains("invalid address"), run.err.constData());
        QCOMPARE(run.wrote, QStringList{at("g.csv")});
    }
    void replaysSayWhatTheyWrote()
    {
        QCOMPARE(runDscope({"-qn", kProgram, "-c", "/bin/true", "--record", at("h.dscope")}).wrote, QStringList{at("h.dscope")});
        const auto again = runDscope({"--replay", at("h.dscope"), "--export", at("h.svg"), "--report", at("h.md")});
        QCOMPARE(again.status, 0);
        QCOMPARE(again.wrote, (QStringList{at("h.svg"), at("h.md")}));
        QCOMPARE(again.out, QByteArray());
    }
    void aProgramThatIsNotNarrowedIsTold_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("told"); ///< empty: nothing
        const auto row
            = [](const char* name, const QStringList& words, const char* told) { QTest::newRow(name) << words << QByteArray(told); };
        const QString c = "-c", ls = "/bin/true";
        row("a profile of all", {"-n", "profile-997 { @[ustack()] = count(); }", c, ls},
            "profile-997 fires for every process on this machine: -c does not narrow it");
        row("of a process that runs",
            {"-n", "BEGIN { exit(0); } profile-997 { @[ustack()] = count(); }", "-p", QString::number(::getpid())},
            "profile-997 fires for every process on this machine: -p does not narrow it");
        row("the second clause alone",
            {"-n", "syscall::read:entry /pid == $target/ { @ = count(); } syscall::write:entry /arg2 > 0/ { @ = count(); }", c, ls},
            "hint: add && pid == $target to the predicate to trace that process alone");
        row("narrowed", {"-n", "profile-997 /pid == $target/ { @[ustack()] = count(); }", c, ls}, "");
        row("by what descends from it", {"-n", "profile-997 /progenyof($target)/ { @[ustack()] = count(); }", c, ls}, "");
        row("keys tell who it was", {"-n", "syscall:::entry { @[execname] = count(); }", c, ls}, "");
        row("functions of the process", {"-n", "pid$target:libc:exit:entry { @ = count(); }", c, ls}, "");
        row("nothing but the clock", {"-n", "tick-1s { @ = count(); }", c, ls}, "");
        row("processes by their numbers", {"-n", "proc:::create { printf(\"%d\", args[0]->pr_pid); }", c, ls}, "");
        row("the command's process tree", {"-n", "proc:::exec-success { }", c, ls}, "");
        row("of proc, but of all processes", {"-n", "proc:::exec-success { @n = count(); }", c, ls},
            "proc:::exec-success fires for every process on this machine: -c does not narrow it");
        row("cleanup that draws nothing",
            {"-n", "syscall::write:entry /pid == $target/ { self->b = 1; } syscall::write:return { self->b = 0; }", c, ls}, "");
        row("never", {"-n", "profile-997 /0/ { @ = count(); }", c, ls}, "");
        row("no process was given", {"-n", "BEGIN { exit(0); } profile-997 { @[ustack()] = count(); }"}, "");
    }
    void aProgramThatIsNotNarrowedIsTold()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, told);
        const auto run = runDscope(QStringList{"-eq"} + words);
        QCOMPARE(run.status, 0);
        if (told.isEmpty()) {
            QCOMPARE(run.err, QByteArray());
            return;
        }
        QVERIFY2(run.err.contains(told), run.err.constData());
        QCOMPARE(run.err.count("warning"), 1);
        qputenv("_DTRACE_TESTING", "1");
        const auto tested = runDscope(QStringList{"-eq"} + words);
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(tested.err, QByteArray());
    }
};
QTEST_GUILESS_MAIN(TestLiveFigures)
#include "tst_live_figures.moc"
