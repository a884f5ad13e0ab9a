// needs-programs: dscope
// Marks of <sys/sdt.h> in programs: held against what the program counts, and what readelf says of its notes.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
constexpr const char* kLibrary = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6";
Outcome trace(const QString& program, const QString& command) { return runDscope({"-qn", program, "-c", command}); }
} // namespace

class TestUsdt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void argumentsAreReadWhereTheNoteSays()
    {
        const auto run = trace(
            "marked$target:::work-start { printf(\"%s %s %d %d %d %d\\n\", probemod, probefunc, (int)arg0, (int)arg1, (int)arg2, arg3); }",
            kPrograms + "marked 120");
        QCOMPARE(run.status, 0);
        QByteArray expected;
        for (int i = 0; i < 120; ++i)
            expected
                += "marked one " + QByteArray::number(i) + ' ' + QByteArray::number(-i) + ' ' + QByteArray::number(-(i % 100)) + " 12345\n";
        auto out = run.out;
        out.replace("looked 0 sum 7140 semaphore 0\n", ""); // the program's own, which comes in between
        QVERIFY2(out.contains(expected), run.out + run.err);
    }
    /// Two places of one name keep their argument in different registers.
    void placesOfOneNameAreOneProbeEach()
    {
        const auto run = trace("marked$target::one:twice { @double = sum(arg0); } marked$target::another:twice { @triple = sum(arg0); }"
                               "END { printa(\"double=%@d\\n\", @double); printa(\"triple=%@d\\n\", @triple); }",
            kPrograms + "marked 10");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("double=90\n") && run.out.contains("triple=135\n"), run.out + run.err);
    }
    void semaphoresSayThatSomebodyLooks()
    {
        const auto unwatched = trace("marked$target:::twice { @ = count(); }", kPrograms + "marked 5");
        QVERIFY2(unwatched.out.contains("looked 0 sum 10 semaphore 0\n"), unwatched.out + unwatched.err);
        const auto watched = trace("marked$target:::watched { @ = count(); } END { printa(\"seen=%@d\\n\", @); }", kPrograms + "marked 5");
        // Counted once for each mapping of the mark's page, and a small file's may be mapped more than once.
        const QRegularExpression counted("looked 5 sum 10 semaphore [1-9]");
        QVERIFY2(watched.out.contains("seen=5\n") && counted.match(QString::fromUtf8(watched.out)).hasMatch(), watched.out + watched.err);
    }
    void semaphoresAreGivenBack()
    {
        QProcess program;
        program.start(kPrograms + "marked", {"400", "5"}); // two seconds at least
        QVERIFY(program.waitForStarted());
        const auto run = runDscope({"-qn", "marked$target:::watched { exit(0); }", "-p", QString::number(program.processId())});
        QCOMPARE(run.status, 0);
        QVERIFY(program.waitForFinished(60'000));
        const auto told = program.readAll();
        QVERIFY2(told.contains("semaphore 0\n") && !told.contains("looked 0 "), told);
    }
    void programsThatTheTargetStarts_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("one after the other") << "marked 3; marked 4" << QByteArray("all=14\n");
        QTest::newRow("at once") << "marked 5 & marked 6 & wait" << QByteArray("all=22\n");
        QTest::newRow("forked without exec") << "marked 5 0 3; true" << QByteArray("all=40\n");
        QTest::newRow("in its own place") << "exec marked 7" << QByteArray("all=14\n");
    }
    /// Not a mark of theirs is missed, the first not either.
    void programsThatTheTargetStarts()
    {
        QFETCH(const QString, command);
        QFETCH(const QByteArray, expected);
        const QTemporaryDir dir;
        QFile script(dir.filePath("script"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(("PATH=" + kPrograms + ":$PATH\n" + command + "\n").toUtf8());
        script.close();
        for (const QString& provider : {QStringLiteral("marked*"), QStringLiteral("m?rked[0-9]*")}) {
            const auto run = runDscope(
                {"-Zqn", provider + ":::twice { @ = count(); } END { printa(\"all=%@d\\n\", @); }", "-c", "sh " + script.fileName()});
            QCOMPARE(run.err, QByteArray());
            QVERIFY2(run.out.contains(expected), run.out);
        }
    }
    /// A newcomer waits until it has its probes. Should we be killed meanwhile, it goes on.
    void newcomersRunOnWhenWeAreKilled_data()
    {
        QTest::addColumn<int>("after"); // so many of them
        for (int after = 0; after < 8; ++after)
            QTest::newRow(QByteArray::number(after).constData()) << after;
    }
    void newcomersRunOnWhenWeAreKilled()
    {
        QFETCH(const int, after);
        QProcess parent, tracer;
        parent.start("sh", {"-c", "read go; for i in 1 2 3 4 5 6 7 8 9 10; do " + kPrograms + "marked 1 >/dev/null; echo $i; done"});
        QVERIFY(parent.waitForStarted());
        tracer.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"-Zqn", "BEGIN { printf(\"on\\n\"); } marked*:::twice { @ = count(); }", "-p", QString::number(parent.processId())});
        QVERIFY2(tracer.waitForReadyRead(60'000), tracer.readAllStandardError());
        parent.write("\n");
        QByteArray said;
        while (said.count('\n') < after && parent.waitForReadyRead(60'000))
            said += parent.readAllStandardOutput();
        // The next one is on its way: stopped, most of the time.
        ::kill(static_cast<pid_t>(tracer.processId()), SIGKILL);
        QVERIFY(tracer.waitForFinished());
        QVERIFY(parent.state() == QProcess::NotRunning || parent.waitForFinished(60'000));
        said += parent.readAllStandardOutput();
        QCOMPARE(said, QByteArray("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"));
    }
    void aTargetThatBecomesAnotherProgram()
    {
        const auto run
            = trace("marked$target:::twice { @ = count(); } END { printa(\"all=%@d\\n\", @); }", "env " + kPrograms + "marked 7");
        const auto zero = runDscope(
            {"-Zqn", "marked$target:::twice { @ = count(); } END { printa(\"all=%@d\\n\", @); }", "-c", "env " + kPrograms + "marked 7"});
        QVERIFY2(run.err.contains("does not match any probes"), run.err);
        QCOMPARE(zero.err, QByteArray());
        QVERIFY2(zero.out.contains("all=14\n"), zero.out);
    }
    void programsThatOthersStart_data()
    {
        QTest::addColumn<QString>("probes");
        QTest::newRow("any") << "marked*:::twice";
        QTest::newRow("by the last digit") << "marked*0:::twice,marked*1:::twice,marked*2:::twice,marked*3:::twice,marked*4:::twice,"
                                              "marked*5:::twice,marked*6:::twice,marked*7:::twice,marked*8:::twice,marked*9:::twice";
    }
    /// Who is not ours is not stopped, and probed soon after it began.
    void programsThatOthersStart()
    {
        QFETCH(const QString, probes);
        QProcess tracer;
        tracer.start(QStringLiteral(DSCOPE_BIN "/dscope"), {"-Zqn", "BEGIN { printf(\"on\\n\"); } " + probes + " { exit(3); }"});
        QVERIFY(tracer.waitForReadyRead(60'000));
        const auto program = runDscope({"400", "5"}, {}, kPrograms + "marked");
        QVERIFY2(program.out.contains("looked 0 "), program.out);
        QVERIFY(tracer.waitForFinished(10'000));
        QCOMPARE(tracer.exitCode(), 3);
    }
    /// A server that was running already: what its workers mark first is seen, and they run to their end.
    void workersOfARunningServer()
    {
        constexpr int kRounds = 3, kWorkers = 10, kMarks = 2; // a round
        QProcess server, tracer;
        server.start(kPrograms + "marked", {QString::number(kRounds), "0", QString::number(kWorkers), "go"});
        QVERIFY(server.waitForStarted());
        const auto number = QByteArray::number(server.processId());
        tracer.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"-qn",
                "BEGIN { printf(\"on\\n\"); } marked*:::twice /progenyof(" + number
                    + ") && probeprov == strjoin(\"marked\", lltostr(pid))/ { @all = count(); @[pid] = count(); }"
                      " END { printa(\"all=%@d\\n\", @all); printa(\"of %d=%@d\\n\", @); }"});
        QVERIFY2(tracer.waitForReadyRead(60'000), tracer.readAllStandardError());
        server.write("\n");
        QVERIFY(server.waitForFinished(120'000));
        QCOMPARE(server.exitStatus(), QProcess::NormalExit);
        const auto told = server.readAllStandardOutput();
        QCOMPARE(told.count("looked 0 sum "), kWorkers + 1);
        tracer.terminate();
        QVERIFY(tracer.waitForFinished(60'000));
        const auto out = tracer.readAllStandardOutput();
        QVERIFY2(out.contains("all=" + QByteArray::number(kMarks * kRounds * (kWorkers + 1)) + '\n'), out + tracer.readAllStandardError());
        QCOMPARE(out.count("of "), kWorkers + 1);
    }
    /// As modules of interpreters and plugins are.
    void librariesThatOthersLoadLater()
    {
        const QTemporaryDir folder;
        const auto library = folder.filePath(QStringLiteral("libmarked.so"));
        const auto source = QStringLiteral(DSCOPE_SOURCE "/tests/programs/marked.c");
        const auto made = runDscope({"-shared", "-fPIC", "-O2", "-Dmain=marked_main", "-o", library, source}, {}, "cc");
        if (made.status != 0) QSKIP("no C compiler for it");
        QProcess tracer;
        tracer.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"-Zqn", "BEGIN { printf(\"on\\n\"); } marked*:::twice { printf(\"%s\\n\", probemod); exit(3); }"});
        QVERIFY(tracer.waitForReadyRead(60'000));
        const auto program = runDscope({library, "marked_main", "400", "400", "5"}, {}, kPrograms + "late_marks");
        QVERIFY2(program.out.contains("looked 0 "), program.out + program.err);
        QVERIFY(tracer.waitForFinished(10'000));
        QCOMPARE(tracer.exitCode(), 3);
        QVERIFY(tracer.readAllStandardOutput().contains("libmarked.so\n"));
    }
    /// Nothing matches while the shell is not yet the program.
    void processesThatBecomeTheProgramSoon()
    {
        QProcess program;
        program.start("sh", {"-c", "sleep 0.3; exec " + kPrograms + "marked 400 5"});
        QVERIFY(program.waitForStarted());
        const auto process = QString::number(program.processId());
        const auto run = runDscope({"-qn", "marked" + process + ":::twice { exit(3); }"});
        program.kill();
        QVERIFY(program.waitForFinished());
        QVERIFY2(run.status == 3, run.err);
    }
    /// Digits behind a wildcard are the end of a process's number, not a number.
    void processesByTheirLastDigit()
    {
        QProcess program;
        program.start(kPrograms + "marked", {"400", "5"}); // two seconds at least
        QVERIFY(program.waitForStarted());
        const auto process = QString::number(program.processId());
        const auto run = runDscope({"-qn", "marked*" + process.right(1) + ":::twice /pid == " + process + "/ { exit(3); }"});
        program.kill();
        QVERIFY(program.waitForFinished());
        QVERIFY2(run.status == 3, run.err);
    }
    void listsWhatReadelfLists()
    {
        const auto notes = runDscope({"-n", kPrograms + "marked"}, {}, "readelf").out;
        const auto count = notes.count("stapsdt  ");
        if (count == 0) QSKIP("needs readelf");
        const auto list = runDscope({"-ln", "marked$target:::", "-c", kPrograms + "marked 1"});
        QCOMPARE(list.status, 0);
        QCOMPARE(list.out.trimmed().count('\n'), count); // and the heading
        for (const auto* name : {"work-start", "twice", "watched"})
            QVERIFY2(list.out.contains(name), list.out);
    }
    /// As libstapsdt and what is built on it (node, python) make them while they run.
    void librariesThatComeOutOfMemory()
    {
        const QTemporaryDir folder;
        const auto library = folder.filePath(QStringLiteral("libmarked.so"));
        const auto source = QStringLiteral(DSCOPE_SOURCE "/tests/programs/marked.c");
        const auto made = runDscope({"-shared", "-fPIC", "-O2", "-Dmain=marked_main", "-o", library, source}, {}, "cc");
        if (made.status != 0) QSKIP("no C compiler for it");
        const auto run = runDscope({"-Zqn", "marked$target:::twice { @[probemod] = count(); } END { printa(\"%s all=%@d\\n\", @); }", "-c",
            kPrograms + "memory_library " + library + " marked_main 7 20"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("memfd:made all=14\n"), run.out + run.err);
    }
    /// libstdc++ marks throw and catch; the program says how often it throws: 17 times in 50 rounds.
    void exceptionsOfTheLibrary()
    {
        if (!runDscope({"-n", kLibrary}, {}, "readelf").out.contains("stapsdt")) QSKIP("this libstdc++ has no marks");
        const auto run = trace("libstdcxx$target:::throw { @throws = count(); } libstdcxx$target:::catch { @catches = count(); }"
                               "END { printa(\"throws=%@d\\n\", @throws); printa(\"catches=%@d\\n\", @catches); }",
            kPrograms + "turmoil 1");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("throws=17\n") && run.out.contains("catches=17\n"), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestUsdt)
#include "tst_usdt.moc"
