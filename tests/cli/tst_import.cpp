// needs-programs: dscope
// Logs of the real strace, and streams of any size, through the command line.
#include "tests/support/csv.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;

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
