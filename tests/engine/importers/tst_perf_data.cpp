// needs-programs: dscope
// Recordings of perf, read through perf itself.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <set>
#include <vector>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestPerfData : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("perf").isEmpty()) return;
        const auto run = runDscope({"record", "-q", "-e", "cpu-clock", "-F", "999", "-g", "-o", at("perf.data"), "--", "sh", "-c",
                                       "work() { i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; }; work & work; wait"},
            {}, "perf");
        m_isRecorded = run.status == 0 && QFile::exists(at("perf.data"));
    }
    /// The stacks are those of the text that perf prints.
    void aRecordingIsWhatPerfPrintsOfIt()
    {
        if (!m_isRecorded) QSKIP("perf is not installed, or may not record here");
        const auto script = runDscope({"script", "-f", "-i", at("perf.data")}, {}, "perf");
        QCOMPARE(script.status, 0);
        auto run = runDscope({"--import", "-", "--export", at("text.folded")}, script.out);
        QVERIFY2(run.status == 0, run.err);
        run = runDscope({"--import", at("perf.data"), "--export", at("data.folded")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY(contents(at("text.folded")).contains("sh;"));
        QCOMPARE(contents(at("data.folded")), contents(at("text.folded")));
    }
    /// What of a run was when, and of whom: counted in perf's own text, which can be asked for a stretch of time.
    void samplesHaveTheirTimesAndThreads()
    {
        if (!m_isRecorded) QSKIP("perf is not installed, or may not record here");
        const auto all = samplesOf({});
        QVERIFY(all.size() > 50);
        std::map<QByteArray, int> threads;
        for (const auto& sample : all)
            ++threads[sample.thread];
        QVERIFY(threads.size() > 1);

        auto run
            = runDscope({"--import", at("perf.data"), "--export", "bars=" + at("threads.csv"), "--export", "series=" + at("series.csv")});
        QVERIFY2(run.status == 0, run.err);
        std::map<QByteArray, int> rows, overTime;
        for (const auto& line : contents(at("threads.csv")).split('\n').mid(1)) // execname,pid,tid,threads
            if (const auto cells = line.trimmed().split(','); cells.size() == 4)
                rows[cells[0] + ' ' + cells[1] + '/' + cells[2]] += cells[3].toInt();
        QCOMPARE(rows, threads);
        std::set<qint64> ends;
        for (const auto& line : contents(at("series.csv")).split('\n').mid(1)) // time_ns,execname,pid,tid,value
            if (const auto cells = line.trimmed().split(','); cells.size() == 5) {
                overTime[cells[1] + ' ' + cells[2] + '/' + cells[3]] += cells[4].toInt();
                ends.insert(cells[0].toLongLong());
            }
        QCOMPARE(overTime, threads);

        // From one end of a step to another nothing is beyond: what perf has there, dscope has.
        QVERIFY(ends.size() > 6);
        const auto from = *std::next(ends.begin(), 2), to = *std::prev(ends.end(), 2), start = all.front().when;
        const auto some = samplesOf({"--time", time(from) + ',' + time(to - 1)});
        QVERIFY(!some.empty() && some.size() < all.size());
        const auto stretch = QStringList{"--from", QString::number(from - start) + "ns", "--to", QString::number(to - start) + "ns"};
        run = runDscope(
            QStringList{"--import", at("perf.data"), "--export", at("some.folded"), "--export", "bars=" + at("some.csv")} + stretch);
        QVERIFY2(run.status == 0, run.err);
        std::map<QByteArray, int> inStretch, someRows;
        for (const auto& sample : some)
            ++inStretch[sample.thread];
        for (const auto& line : contents(at("some.csv")).split('\n').mid(1))
            if (const auto cells = line.trimmed().split(','); cells.size() == 4)
                someRows[cells[0] + ' ' + cells[1] + '/' + cells[2]] += cells[3].toInt();
        QCOMPARE(someRows, inStretch);
        const auto script = runDscope({"script", "-f", "--time", time(from) + ',' + time(to - 1), "-i", at("perf.data")}, {}, "perf");
        run = runDscope({"--import", "-", "--export", at("truth.folded")}, script.out);
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("some.folded")), contents(at("truth.folded")));

        // A recording of it, and a page with it inside, have the times, too.
        run = runDscope({"--import", at("perf.data"), "--record", at("copy.dscope"), "--export", at("page.html")});
        QVERIFY2(run.status == 0, run.err);
        for (const auto& again : {QStringList{"--replay", at("copy.dscope")}, QStringList{"--import", at("page.html")}}) {
            run = runDscope(again + QStringList{"--export", at("again.folded"), "--export", "bars=" + at("again.csv")} + stretch);
            QVERIFY2(run.status == 0, run.err);
            QCOMPARE(contents(at("again.folded")), contents(at("some.folded")));
            QCOMPARE(contents(at("again.csv")), contents(at("some.csv")));
        }
    }
    /// perf counts what it had no room for, in the header of no sample.
    void whatPerfLostIsTold()
    {
        if (!m_isRecorded) QSKIP("perf is not installed, or may not record here");
        // One page of buffer for each CPU, and far more samples than it is emptied for.
        runDscope({"record", "-q", "-e", "cpu-clock", "-F", "50000", "-m", "1", "-g", "-o", at("lost.data"), "--", "sh", "-c",
                      "work() { i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; }; work & work & work & work; wait"},
            {}, "perf");
        const auto script
            = runDscope({"script", "-f", "--show-lost-events", "-F", "comm,tid,time,event", "-G", "-i", at("lost.data")}, {}, "perf");
        qint64 lost = 0;
        for (const auto& line : script.out.split('\n'))
            if (const auto place = line.indexOf(" lost "); line.contains("PERF_RECORD_LOST") && place > 0)
                lost += line.mid(place + 6).trimmed().toLongLong();
        if (lost == 0) QSKIP("perf lost nothing here");
        const auto run = runDscope({"--import", at("lost.data")});
        QCOMPARE(run.status, 0);
        qint64 told = 0;
        for (const auto& line : run.err.split('\n')) // "dtrace: 12 drops on CPU 0"
            if (line.contains(" drops on CPU ") || line.contains(" drop on CPU ")) told += line.split(' ').value(1).toLongLong();
        QVERIFY2(told == lost, run.err + " of " + QByteArray::number(lost));
    }
    /// Cycles and page faults do not add up.
    void theEventWithTheMostSamplesIsShown()
    {
        const QByteArray sample = "work 41 5.000001: 3 %1:\n\t1000 f+0x4 (/usr/bin/work)\n\n";
        QByteArray text;
        for (const auto* event : {"cycles", "page-faults", "cycles", "branches", "branches"})
            text += QByteArray(sample).replace("%1", event);
        const auto run = runDscope({"--import", "-"}, text);
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out.trimmed(), QByteArray("work;work`f 6"));
        QVERIFY2(
            run.err.contains(
                "are kept apart, with so many samples: cycles (2), branches (2), page-faults (1); the first is shown unless --event NAME"),
            run.err);
    }
    /// A page that holds more stacks than text has room for has them as a tree, of which nobody knows what was when. Rows keep their times.
    void aPageOfManyStacksKeepsTimesOfThreadsAlone()
    {
        QByteArray text;
        for (int i = 0; i < 20'000; ++i)
            text += QString::asprintf("work 4100/%d [000] %d.%03d000: 1 cycles:\n\t1000 function_with_a_long_name_number_%d+0x4 "
                                      "(/usr/bin/work)\n\t2000 main+0x9 (/usr/bin/work)\n\n",
                4100 + i % 2, 50 + i / 1000, i % 1000, i)
                        .toUtf8();
        auto run = runDscope({"--import", "-", "--export", at("many.html")}, text);
        QVERIFY2(run.status == 0, run.err);
        run = runDscope({"--import", at("many.html"), "--from", "5s", "--to", "10s", "--export", "bars=" + at("many.csv")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY2(contents(at("many.csv")).contains("work,4100,4101,,2500,"), contents(at("many.csv")));
        run = runDscope({"--import", at("many.html"), "--from", "5s", "--to", "10s", "--export", "flame=" + at("many.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("it is not known when these stacks came in"), run.err);
    }
    void withoutPerfItSaysWhatToType()
    {
        put("p", QByteArray("PERFILE2\0\0\0\0", 12));
        const auto path = qgetenv("PATH");
        qputenv("PATH", at("").toUtf8());
        const auto run = runDscope({"--import", at("p"), "--export", at("p.folded")});
        qputenv("PATH", path);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("apt install linux-perf") && run.err.contains("perf script -i " + at("p").toUtf8() + " > stacks.txt"), run.err);
    }
    void whatPerfCannotReadIsRefusedWithItsWords()
    {
        if (QStandardPaths::findExecutable("perf").isEmpty()) QSKIP("perf is not installed");
        put("p", QByteArray("PERFILE2\0\0\0\0", 12));
        auto run = runDscope({"--import", at("p"), "--export", at("p.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("perf script could not read it: \""), run.err);
        run = runDscope({"--import", "-"}, QByteArray("PERFILE2\0\0\0\0", 12));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("give the file's name, or perf script | dscope --import -"), run.err);
    }

private:
    struct Sample {
        QByteArray thread; ///< "sh 4101/4101"
        qint64 when = 0;   ///< ns
    };
    static QString time(qint64 ns)
    {
        return QString::number(ns / 1'000'000'000) + '.' + QString::number(ns % 1'000'000'000).rightJustified(9, '0');
    }
    /// As perf prints them, one a line.
    std::vector<Sample> samplesOf(const QStringList& options) const
    {
        const auto text
            = runDscope(QStringList{"script", "-f", "--ns", "-F", "comm,pid,tid,time", "-G", "-i", at("perf.data")} + options, {}, "perf");
        std::vector<Sample> all;
        for (const auto& line : text.out.split('\n')) {
            const auto words = line.simplified().split(' ');
            if (words.size() < 3) continue;
            const auto seconds = words.last().chopped(1).split('.');
            all.push_back({words.mid(0, words.size() - 1).join(' '), seconds[0].toLongLong() * 1'000'000'000 + seconds[1].toLongLong()});
        }
        return all;
    }
    void put(const QString& name, const QByteArray& bytes)
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
    bool m_isRecorded = false;
};
QTEST_GUILESS_MAIN(TestPerfData)
#include "tst_perf_data.moc"
