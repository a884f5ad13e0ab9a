// needs-programs: dscope
// Logs of the real strace, and streams of any size, through the command line.
#include "tests/support/csv.h"
#include "tests/support/run_dscope.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestImport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLogOfStraceGivesTheProcessTreeThatRan()
    {
        const QTemporaryDir dir;
        const auto log = dir.filePath("log"), csv = dir.filePath("tree.csv");
        if (QStandardPaths::findExecutable("strace").isEmpty()) QSKIP("strace is not installed");
        const auto traced = runDscope(
            {"-f", "-tt", "-T", "-o", log, "sh", "-c", "/bin/true; /bin/false; /none; (exit 7); sh -c 'kill -9 $$'"}, {}, "strace");
        if (!QFile::exists(log) || QFileInfo(log).size() == 0) QSKIP(("strace may not trace here: " + traced.err).constData());
        const auto run = runDscope({"--import", log, "--export", "process-tree=" + csv});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        // command: ends
        QMap<QByteArray, int> ends;
        for (const auto& line : text.split('\n')) {
            const auto cells = line.split(',');
            if (cells.size() < 11 || cells[0] == "id") continue;
            ++ends[cells[6] + '/' + cells[7]];
        }
        QVERIFY2(ends["0/"] >= 1 && ends["1/"] == 1 && ends["7/"] == 1 && ends["/9"] == 1 && ends["127/"] <= 1, text.constData());
        QVERIFY2(text.contains("/bin/true") && text.contains("/bin/false"), text.constData());
    }
    void foldedTextPassesThroughUnchanged()
    {
        QByteArray text;
        for (int i = 10'000; i < 60'000; ++i)
            text += "main;run;f" + QByteArray::number(i) + ' ' + QByteArray::number(i) + '\n';
        const auto run = runDscope({"--import", "-"}, text);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out, text);
    }
    void tablesArePrinted_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("prints");
        QTest::newRow("tables and stacks") << QByteArray("@n[bash]: 3\n@n[ls]: 4\n@[\n    read+1\n    main+2\n]: 11\n") << QByteArray("bash 3\nls 4\nmain;read 11\n");
        QTest::newRow("tables alone") << QByteArray("@n[bash]: 3\n@n[ls]: 4\n") << QByteArray("bash 3\nls 4\n");
    }
    void tablesArePrinted()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, prints);
        const auto run = runDscope({"--import", "-"}, text);
        QCOMPARE(run.err, QByteArray());
        QByteArray lines;
        for (const auto& line : run.out.split('\n'))
            if (const auto words = line.simplified(); !words.isEmpty()) lines += words + '\n';
        QCOMPARE(lines, prints);
    }
    /// Imports are runs like others: recorded, replayed, compared, drawn.
    /// Rows with two keys and rows with three: a reader of the JSON text looks columns up by their names.
    void columnsOfOneFileHaveDifferentNames()
    {
        const QTemporaryDir dir;
        const auto run = runDscope({"--import", "dtrace:-", "--export", "bars=" + dir.filePath("keys.rows.json")},
            "\n  bash   read          4\n  bash   write   3       7\n  sh  open  9\n");
        QVERIFY2(run.status == 0, run.err);
        QFile file(dir.filePath("keys.rows.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto fields = QJsonDocument::fromJson(file.readAll()).object()["schema"].toObject()["fields"].toArray();
        QStringList names;
        for (const auto& field : fields)
            names << field.toObject()["name"].toString();
        QCOMPARE(names, QStringList({"key1", "key2", "key3", "value by key1, key2", "value by key1, key2, key3"}));
    }
    void anImportIsRecordedAndReplayed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("view");
        QTest::newRow("folded") << QByteArray("main;b_[k] 3\nmain;a 2\n") << QByteArray("flame");
        QTest::newRow("time") << QByteArray("app 7/7 [000] 1.5: 4000000 cpu-clock:\n\t401000 main+0x1 (/bin/app)\n\n")
                              << QByteArray("flame");
        QTest::newRow("tables too") << QByteArray("@n[bash]: 3\n@n[ls]: 4\n@[\n    read+1\n    main+2\n]: 11\n") << QByteArray("flame");
        QTest::newRow("tables alone") << QByteArray("@n[bash]: 3\n@n[ls]: 4\n") << QByteArray("bars");
    }
    void anImportIsRecordedAndReplayed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, view);
        const QTemporaryDir dir;
        const auto recording = dir.filePath("run.dscope");
        const auto import = runDscope({"--import", "-"}, text);
        QCOMPARE(import.err, QByteArray());
        QVERIFY(!import.out.isEmpty());
        const auto drawn = [&](const char* name) { return view + '=' + dir.filePath(name); };
        const auto record = runDscope({"--import", "-", "--record", recording, "--export", drawn("a.svg")}, text);
        QVERIFY2(record.status == 0, record.err.constData());
        const auto replay = runDscope({"--replay", recording});
        QCOMPARE(replay.err, QByteArray());
        QCOMPARE(replay.out, import.out);
        QCOMPARE(runDscope({"--replay", recording, "--export", drawn("b.svg")}).status, 0);
        QVERIFY(!contents(dir.filePath("a.svg")).isEmpty());
        QCOMPARE(contents(dir.filePath("b.svg")), contents(dir.filePath("a.svg"))); // unit, noun and data with it
        // And from the figure again.
        QCOMPARE(runDscope({"--import", dir.filePath("b.svg"), "--export", drawn("c.svg")}).status, 0);
        QCOMPARE(contents(dir.filePath("c.svg")), contents(dir.filePath("a.svg")));
    }
    void anEventOfARecordedImportIsChosen()
    {
        const QTemporaryDir dir;
        const auto recording = dir.filePath("two.dscope"), folded = dir.filePath("two.folded");
        const QByteArray text = "app 7/7 1.0: 3 cycles:\n\t10 hot+0x1 (/bin/app)\n\napp 7/7 1.1: 3 cycles:\n\t10 hot+0x1 (/bin/app)\n\n"
                                "app 7/7 1.2: 5 page-faults:\n\t20 cold+0x1 (/bin/app)\n\n";
        QCOMPARE(runDscope({"--import", "-", "--record", recording}, text).status, 0);
        const auto shows = [&](const QString& event) {
            const auto run = runDscope({"--replay", recording, "--event", event, "--export", "flame=" + folded});
            return run.status == 0 ? contents(folded) : run.err;
        };
        QCOMPARE(shows("page-faults"), QByteArray("app;app`cold 5\n"));
        QCOMPARE(shows("cycles"), QByteArray("app;app`hot 6\n"));
        QCOMPARE(shows("faults"), QByteArray("dtrace: --event: there is no event \"faults\" in it; it has cycles, page-faults\n"));
    }
    void aRecordedImportIsComparedWithText()
    {
        const QTemporaryDir dir;
        const auto recording = dir.filePath("old.dscope"), csv = dir.filePath("x.csv");
        QCOMPARE(runDscope({"--import", "-", "--record", recording}, "main;a 100\nmain;b 900\n").status, 0);
        const auto run = runDscope({"--import", "-", "--diff", recording, "--export", csv}, "main;a 500\nmain;b 500\n");
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(contents(csv), QByteArray("stack,before,after,difference\r\nmain;a,100,500,400\r\nmain;b,900,500,-400\r\n"));
    }
    void anImportOfManyMegabytesIsRecordedWhole()
    {
        const QTemporaryDir dir;
        QByteArray text;
        for (int i = 100'000; i < 340'000; ++i)
            text += "main;a_function_with_a_long_name_" + QByteArray::number(i) + ";" + QByteArray(40, 'x') + " 1\n";
        QVERIFY(text.size() > 16 << 20); // more than one record
        const auto recording = dir.filePath("run.dscope");
        const auto a = dir.filePath("a.svg"), b = dir.filePath("b.svg");
        QCOMPARE(runDscope({"--import", "-", "--record", recording, "--export", a}, text).status, 0);
        const auto replay = runDscope({"--replay", recording, "--text", "--export", b});
        QVERIFY(replay.out == text);
        QVERIFY(contents(a).contains("left-out=\""));
        QVERIFY(contents(a) == contents(b)); // the same stacks had room
    }
    void redactionTakesUsersOutOfImportedStacks()
    {
        const QTemporaryDir dir;
        const auto folded = dir.filePath("x.folded"), recording = dir.filePath("x.dscope"), svg = dir.filePath("x.svg");
        const auto run = runDscope(
            {"--import", "-", "--redact", "--export", folded, "--export", svg, "--record", recording}, "main;[/home/ada/bin/x] 3\n");
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(contents(folded), QByteArray("main;[/home/~/bin/x] 3\n"));
        QVERIFY(!contents(svg).contains("ada/bin"));
        QCOMPARE(runDscope({"--replay", recording}).out, QByteArray("main;[/home/~/bin/x] 3\n"));
        QCOMPARE(runDscope({"--import", svg}).out, QByteArray("main;[/home/~/bin/x] 3\n"));
    }
    void whatPerfCountedHasItsUnit_data()
    {
        QTest::addColumn<QByteArray>("event");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("cpu-clock") << QByteArray("4000000 cpu-clock:pppH:") << QByteArray("8 ms \xc2\xb7 width is time");
        QTest::newRow("task-clock") << QByteArray("4000000 task-clock:") << QByteArray("8 ms \xc2\xb7 width is time");
        QTest::newRow("cycles") << QByteArray("4000000 cycles:ppp:") << QByteArray("8,000,000 cycles \xc2\xb7 width is the number of cycles");
        QTest::newRow("no period") << QByteArray("cpu-clock:") << QByteArray("2 samples \xc2\xb7 width is the number of samples");
        QTest::newRow("a tracepoint") << QByteArray("1 sched:sched_switch:")
                                      << QByteArray("2 sched:sched_switch \xc2\xb7 width is the number of sched:sched_switch");
    }
    /// Source: perf_event_open(2), PERF_COUNT_SW_CPU_CLOCK: a clock in nanoseconds.
    void whatPerfCountedHasItsUnit()
    {
        QFETCH(QByteArray, event);
        QFETCH(QByteArray, says);
        const QTemporaryDir dir;
        const auto svg = dir.filePath("x.svg");
        const auto sample = "app 7/7 [000] 1.500000: " + event + "\n\t401000 main+0x1 (/bin/app)\n\n";
        const auto run = runDscope({"--import", "perf:-", "--export", "flame=" + svg}, sample + sample);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(contents(svg).contains(says), contents(svg).left(3000).constData());
    }
    void memoryIsInProportionToTheText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("mebibytes"); ///< of address space
        QByteArray deep = "a", calls = "app 7/7 [000] 1.5: 1 cycles:\n\t401000 ";
        for (int i = 0; i < 4'000'000; ++i)
            deep += ";a";
        QTest::newRow("a stack of four million frames") << deep + " 7\nb 1\n" << 300;
        QTest::newRow("a name of 24 MB") << QByteArray(24 << 20, 'x') + " 7\nmain;b 1\n" << 300;
        QTest::newRow("of perf, 24 MB") << calls + QByteArray(24 << 20, 'x') + "+0x1 (/bin/app)\n\n" << 300;
    }
    /// 8b37885 aborts at 500 MiB of these.
    void memoryIsInProportionToTheText()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, mebibytes);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers take address space of their own");
#endif
        const QTemporaryDir dir;
        const auto svg = dir.filePath("x.svg");
        const auto run = runDscope({"-c", QString("ulimit -v %1; exec \"$0\" \"$@\"").arg(mebibytes * 1024), QStringLiteral(DSCOPE_BIN "/dscope"),
                                       "--import", text.startsWith("app") ? "perf:-" : "folded:-", "--export", "flame=" + svg},
            text, "sh");
        QVERIFY2(run.status == 0, run.err.left(500).constData());
        QVERIFY(contents(svg).contains("</svg>"));
    }
    void whatInflatesToMuchTakesNoMemory_data()
    {
        QTest::addColumn<QByteArray>("figure");
        QTest::addColumn<QByteArray>("says");
        const auto deflated = [](const QByteArray& bytes) { return qCompress(bytes, 9).mid(4); }; // its own length is before it
        const auto page = [](const QByteArray& bytes) {
            return "<!DOCTYPE html>\n<html><script type=\"application/json\" id=\"dscope-data\">[{\"role\":\"after\",\"format\":\"tree\",\"base64\":\""
                + bytes.toBase64() + "\"}]</script></html>\n";
        };
        const QByteArray damaged = "the stacks in it are damaged: ";
        QTest::newRow("figure of 400 kB") << page(deflated(QByteArray(400 << 20, '\0'))) << damaged + "it inflates to more than ";
        QByteArray mixed;
        for (int i = 0; i < 100'000; ++i)
            mixed += QByteArray::number(i * 7919 % 100'003);
        QTest::newRow("cut figure") << page(deflated(mixed).left(1700)) << damaged + "its compressed data is cut";
        QTest::newRow("damaged figure") << page(deflated(mixed).replace(1000, 4, "abcd")) << damaged + "its compressed data is damaged";
    }
    void whatInflatesToMuchTakesNoMemory()
    {
        QFETCH(QByteArray, figure);
        QFETCH(QByteArray, says);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers take address space of their own");
#endif
        const QTemporaryDir dir;
        const auto file = dir.filePath("bomb.html");
        QFile page(file);
        QVERIFY(page.open(QIODevice::WriteOnly) && page.write(figure) == figure.size());
        page.close();
        const auto run = runDscope({"-c", "ulimit -v 307200; exec \"$0\" \"$@\"", QStringLiteral(DSCOPE_BIN "/dscope"), "--import",
                                       file, "--export", "flame=" + dir.filePath("x.svg")},
            {}, "sh");
        QVERIFY2(run.status == 1 && run.err.contains(says), run.err.left(500));
    }
    void whatCannotBeReadSaysWhy_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no such file") << QStringList{"--import", "/none/there"} << QByteArray()
                                      << QByteArray("/none/there: No such file or directory");
        QTest::newRow("empty") << QStringList{"--import", "-"} << QByteArray() << QByteArray("it is empty");
        QTest::newRow("prose") << QStringList{"--import", "-"} << QByteArray("Once upon a time\n") << QByteArray("name the format");
        QTest::newRow("prose, as perf") << QStringList{"--import", "perf:-"} << QByteArray("Once upon a time\n")
                                        << QByteArray("line 1: \"Once upon a time\"");
        for (const char* format : {"dtrace", "folded", "perf", "bpftrace", "strace"})
            QTest::newRow(format) << QStringList{"--import", format + QString(":-")} << QByteArray("  a`b\n  1\n\0\1", 12)
                                  << QByteArray("it is no text, line 3 has a byte of value 0");
    }
    void whatCannotBeReadSaysWhy()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, says);
        const auto run = runDscope(words, input);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }
};
QTEST_GUILESS_MAIN(TestImport)
#include "tst_import.moc"
