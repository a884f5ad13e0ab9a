// needs-programs: dscope
// --diff: which file is which, what is refused.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}
} // namespace

class TestDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        write(file("old"), "main;a 100\nmain;b 900\n");
        write(file("new"), "main;a 500\nmain;b 500\n");
    }
    void theFileOfDiffIsBefore()
    {
        const auto run = runDscope({"--import", file("new"), "--diff", file("old"), "--export", file("x.csv")});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QCOMPARE(contents(file("x.csv")), QByteArray("stack,before,after,difference\r\nmain;a,100,500,400\r\nmain;b,900,500,-400\r\n"));
    }
    void aRecordingIsComparedWithAnother()
    {
        const QString recordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
        const auto run = runDscope(
            {"--replay", recordings + "hot-stacks.dscope", "--diff", recordings + "hot-stacks.dscope", "--export", file("x.svg")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto svg = contents(file("x.svg"));
        QVERIFY(svg.contains("What changed"));
        QVERIFY(!svg.contains("fill=\"#B2182B\" data-")); // nothing grew
    }
    void viewsAreThoseThatCompare()
    {
        const auto run = runDscope({"--import", file("new"), "--diff", file("old"), "--views"});
        QCOMPARE(run.out,
            QByteArray("flame\tWhat changed: flame graph\ncall-graph\tWhat changed: call graph\nicicle\tWhat changed: icicle graph\n"));
    }
    /// Logs of strace whose times are known: make waits for one compiler after the other.
    void whatDecidedTheTimeAddsUp()
    {
        logs();
        QCOMPARE(runDscope({"--import", "strace:" + file("after.strace"), "--diff", "strace:" + file("before.strace"), "--export",
                               "process-timeline=" + file("t.csv"), "--export", "process-tree=" + file("p.csv"), "--export", "process-timeline=" + file("t.svg")})
                     .status,
            0);
        // b.c took 3 s instead of 1 s; c.c is new, but ran beside it and decided nothing.
        QMap<QByteArray, QList<qint64>> parts;
        qint64 before = 0, after = 0;
        for (const auto& line : contents(file("t.csv")).split('\n').mid(1)) {
            const auto cells = line.trimmed().split(',');
            if (cells.size() != 4) continue;
            QCOMPARE(cells[2].toLongLong() - cells[1].toLongLong(), cells[3].toLongLong());
            parts[cells[0]] = {cells[1].toLongLong(), cells[2].toLongLong()};
            before += cells[1].toLongLong();
            after += cells[2].toLongLong();
        }
        QCOMPARE(before, 3'000'000'000);
        QCOMPARE(after, 5'000'000'000);
        QCOMPARE(parts["cc1 a.c"], (QList<qint64>{1'000'000'000, 1'000'000'000}));
        QCOMPARE(parts["cc1 b.c"], (QList<qint64>{1'000'000'000, 3'000'000'000}));
        QVERIFY(!parts.contains("cc1 c.c"));
        QVERIFY(contents(file("t.svg")).contains("2.00 s longer, 2.00 s of it in cc1 b.c"));
        QCOMPARE(contents(file("p.csv")),
            QByteArray("process,count_before,count_after,failed_before,failed_after,before,after,difference\r\n"
                       "make,1,1,0,0,3000000000,5000000000,2000000000\r\n"
                       "make;cc1,2,3,0,1,2000000000,6000000000,4000000000\r\n"));
    }
    void callsAreComparedAsTheyWereRecorded()
    {
        QCOMPARE(runDscope({"--import", file("new"), "--diff", file("old"), "--export", "call-graph=" + file("c.csv"), "--export",
                               "call-graph=" + file("c.dot")})
                     .status,
            0);
        QCOMPARE(contents(file("c.csv")),
            QByteArray("caller,callee,before,after,difference\r\nmain,b,900,500,-400\r\nmain,a,100,500,400\r\n"
                       "b,,900,500,-400\r\na,,100,500,400\r\n"));
        QVERIFY(contents(file("c.dot")).contains("total_before=\"900\""));
    }
    /// Views whose marks have no partner in the other run: both tables, the run in front.
    void runsStandBesideEachOther_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("view");
        QTest::newRow("heat map") << "call-times" << "heatmap";
        QTest::newRow("series") << "write-rates" << "series";
    }
    void runsStandBesideEachOther()
    {
        QFETCH(QString, recording);
        QFETCH(QString, view);
        const QString path = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/%1.dscope").arg(recording);
        const auto run = runDscope({"--replay", path, "--diff", path, "--export", view + '=' + file("both.csv"), "--export", view + '=' + file("both.svg")});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(runDscope({"--replay", path, "--export", view + '=' + file("one.csv")}).status, 0);
        const auto one = contents(file("one.csv")).split('\n'), both = contents(file("both.csv")).split('\n');
        QList<QByteArray> before, after;
        for (const auto& line : both) {
            if (line.startsWith("before,")) before << line.mid(7);
            if (line.startsWith("after,")) after << line.mid(6);
        }
        auto own = one.mid(1);
        own.removeAll(QByteArray());
        QCOMPARE(both.front(), "run," + one.front());
        for (auto* lines : {&before, &after, &own})
            std::sort(lines->begin(), lines->end());
        QCOMPARE(before, own);
        QCOMPARE(after, own);
        const auto svg = contents(file("both.svg"));
        QVERIFY(svg.contains(">before: ") && svg.contains(">after: "));
    }
    /// Two runs before and two now: sums, and what like runs differ by is noise. `b` swings by itself, `a` does not.
    void severalRunsAreComparedWithSeveral()
    {
        const QList<QPair<const char*, QByteArray>> runs{{"b1", "main;a 10000\nmain;b 200\n"}, {"b2", "main;a 10100\nmain;b 1800\n"},
            {"n1", "main;a 20000\nmain;b 1500\n"}, {"n2", "main;a 20200\nmain;b 2500\n"}};
        for (const auto& [name, text] : runs)
            write(file(name), text);
        const QStringList words{"--import", file("n1"), "--import", file("n2"), "--diff", file("b1"), "--diff", file("b2"), "--export"};
        const auto table = runDscope(words + QStringList{file("x.csv")});
        QVERIFY2(table.status == 0, table.err.constData());
        QCOMPARE(contents(file("x.csv")), QByteArray("stack,before,after,difference\r\nmain;a,20100,40200,20100\r\nmain;b,2000,4000,2000\r\n"));
        const auto drawn = runDscope(words + QStringList{"flame=" + file("x.svg")});
        QVERIFY2(drawn.status == 0, drawn.err.constData());
        const auto svg = contents(file("x.svg"));
        QVERIFY(svg.contains("each side is the sum of 2 runs") && svg.contains("like runs differ by"));
        const auto isNoise = [](const QByteArray& figure, const QString& function) {
            const auto tip = QRegularExpression("<title>" + function + "\n([^<]*)</title>").match(QString::fromUtf8(figure));
            return !tip.hasMatch() ? -1 : tip.captured(1).contains("may be chance");
        };
        QCOMPARE(isNoise(svg, "a"), 0);
        QCOMPARE(isNoise(svg, "b"), 1);
        // A single run of each side calls b changed.
        const auto one = runDscope({"--import", file("n1"), "--diff", file("b1"), "--export", "flame=" + file("y.svg")});
        QVERIFY2(one.status == 0, one.err.constData());
        QCOMPARE(isNoise(contents(file("y.svg")), "b"), 0);
        // As many on both sides.
        const auto uneven = runDscope(words.mid(0, 6) + QStringList{"--diff", file("old"), "--diff", file("b2"), "--export", file("z.svg")});
        QCOMPARE(uneven.status, 1);
        QVERIFY2(uneven.err.contains("2 runs are compared with 3 of --diff"), uneven.err.constData());
    }
    void whatCannotBeComparedSaysWhy_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nothing to draw") << QStringList{"--import", "NEW", "--diff", "OLD"} << QByteArray("--diff compares in figures");
        QTest::newRow("a view that cannot") << QStringList{"--import", "NEW", "--diff", "OLD", "--export", "sandwich=DIR/x.svg"}
                                            << QByteArray("--diff has no sandwich, but process-tree");
        QTest::newRow("a format that cannot") << QStringList{"--import", "NEW", "--diff", "OLD", "--export", "flame=DIR/x.pb.gz"}
                                              << QByteArray("flame of two runs cannot be written as .pb.gz, but as .csv");
        QTest::newRow("nothing to compare") << QStringList{"--diff", "OLD", "--export", "DIR/x.svg"} << QByteArray("no probes specified");
        QTest::newRow("no such file") << QStringList{"--import", "NEW", "--diff", "/none/there", "--export", "DIR/x.svg"}
                                      << QByteArray("/none/there: No such file or directory");
        QTest::newRow("another kind of run") << QStringList{"--import", "NEW", "--diff", "OLD", "--export",
            "histogram=DIR/x.svg"} << QByteArray("both runs yield no view \"histogram\"; they yield flame, call-graph, icicle that can be compared");
    }
    void whatCannotBeComparedSaysWhy()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        for (auto& word : words)
            word.replace("NEW", file("new")).replace("OLD", file("old")).replace("DIR", m_dir.path());
        const auto run = runDscope(words);
        QVERIFY(run.status == 1 || run.status == 2);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }

private:
    void logs()
    {
        const auto log = [](const QByteArray& end, const QByteArray& more) {
            return QByteArray("100 10:00:00.000000 execve(\"/usr/bin/make\", [\"make\"], 0x7ffd /* 2 vars */) = 0 <0.0001>\n"
                              "100 10:00:00.500000 clone(child_stack=NULL, flags=SIGCHLD) = 101 <0.0001>\n"
                              "101 10:00:00.500000 execve(\"/usr/lib/cc1\", [\"cc1\", \"a.c\"], 0x7ffd /* 2 vars */) = 0 <0.0001>\n"
                              "101 10:00:01.500000 +++ exited with 0 +++\n"
                              "100 10:00:01.500000 clone(child_stack=NULL, flags=SIGCHLD) = 102 <0.0001>\n"
                              "102 10:00:01.500000 execve(\"/usr/lib/cc1\", [\"cc1\", \"b.c\"], 0x7ffd /* 2 vars */) = 0 <0.0001>\n")
                + more + "102 10:00:0" + end + ".500000 +++ exited with 0 +++\n100 10:00:0" + QByteArray::number(end.toInt() + 1)
                + ".000000 +++ exited with 0 +++\n";
        };
        write(file("before.strace"), log("2", {}));
        write(file("after.strace"),
            log("4",
                "100 10:00:01.600000 clone(child_stack=NULL, flags=SIGCHLD) = 103 <0.0001>\n"
                "103 10:00:01.600000 execve(\"/usr/lib/cc1\", [\"cc1\", \"c.c\"], 0x7ffd /* 2 vars */) = 0 <0.0001>\n"
                "103 10:00:03.600000 +++ exited with 1 +++\n"));
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestDiff)
#include "tst_diff.moc"
