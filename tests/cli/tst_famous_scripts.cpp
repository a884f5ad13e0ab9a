// needs-programs: dscope
// What the scripts do that everybody tries first, each as the smallest clause that has its way: variables that begin with 0, times that are
// summed, data that is copied from the traced process. Witnesses: what the command did, and how long the run took.
#include "tests/support/run_dscope.h"
#include <QElapsedTimer>
#include <QObject>
#include <QStorageInfo>
#include <QTemporaryFile>
#include <QTest>
#include <numeric>
using namespace dscope::tests;
namespace {
constexpr qint64 kMilliseconds = 1'000'000;
/// Run by dscope's -c; `took`: ns from before dscope began until it had ended.
struct Timed {
    Outcome run;
    qint64 took = 0;
};
Timed timed(const QStringList& arguments)
{
    QElapsedTimer timer;
    timer.start();
    auto run = runDscope(arguments);
    return {std::move(run), timer.nsecsElapsed()};
}
QList<qint64> numbers(const QByteArray& line)
{
    QList<qint64> out;
    for (const auto& word : line.split(' '))
        out << word.toLongLong();
    return out;
}
} // namespace

class TestFamousScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }

    /// procsystime: the times of all calls are the total, at least what the command slept and no more than the run took.
    void timesOfSystemCallsAddUp()
    {
        const auto [run, took] = timed({"-qn",
            "BEGIN { total = 0; self->start = 0; }"
            " syscall:::entry /pid == $target/ { self->start = timestamp; }"
            " syscall:::return /self->start/ { this->elapsed = timestamp - self->start; @each[probefunc] = sum(this->elapsed);"
            "   total += this->elapsed; self->start = 0; }"
            " END { printf(\"%d\\n\", total); printa(\"%@d \", @each); }",
            "-c", "sleep 0.2"});
        QCOMPARE(run.status, 0);
        const auto lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const auto total = lines[0].toLongLong();
        const auto each = numbers(lines[1].trimmed());
        QCOMPARE(std::accumulate(each.begin(), each.end(), qint64{0}), total);
        QVERIFY2(total >= 200 * kMilliseconds && total <= took, run.out);
    }

    /// cputimes: a thread runs no longer than the run takes.
    void timesOnCpuAddUp()
    {
        const auto [run, took] = timed({"-qn",
            "BEGIN { on = 0; self->start = 0; }"
            " sched:::on-cpu /pid == $target/ { self->start = timestamp; }"
            " sched:::off-cpu /self->start/ { on += timestamp - self->start; @on = sum(timestamp - self->start); self->start = 0; }"
            " END { printf(\"%d \", on); printa(\"%@d\", @on); }",
            "-c", "dd if=/dev/zero of=/dev/null bs=1k count=20000 status=none"});
        QCOMPARE(run.status, 0);
        const auto told = numbers(run.out.trimmed());
        QCOMPARE(told.size(), 2);
        QCOMPARE(told[0], told[1]);
        QVERIFY2(told[0] > 0 && told[0] <= took, run.out);
    }

    /// iosnoop -D and iotop -P: so many bytes of so many transfers, whose times are within the run.
    void transfersHaveTheirTimesAndBytes()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        if (!QStorageInfo(file.fileName()).device().startsWith("/dev/")) QSKIP("needs temporary files on a disk");
        const auto [run, took] = timed({"-qn",
            "BEGIN { start[0, 0] = 0; bytes = 0; sum = 0; done = 0; }"
            " io:::start /pid == $target && args[0]->b_flags & B_WRITE/"
            " { start[args[0]->b_edev, args[0]->b_blkno] = timestamp; @[pid] = sum(args[0]->b_bcount); bytes += args[0]->b_bcount; }"
            " io:::done /start[args[0]->b_edev, args[0]->b_blkno]/"
            " { sum += timestamp - start[args[0]->b_edev, args[0]->b_blkno]; start[args[0]->b_edev, args[0]->b_blkno] = 0; done++; }"
            " END { printf(\"%d %d %d \", done, bytes, sum); printa(\"%@d\", @); }",
            "-c", "dd if=/dev/zero of=" + file.fileName() + " bs=64k count=32 oflag=direct status=none"});
        QCOMPARE(run.status, 0);
        if (run.out.startsWith("0 0 ")) QSKIP("this disk has no direct transfers");
        const auto told = numbers(run.out.trimmed());
        QCOMPARE(told.size(), 4);
        QVERIFY2(told[0] >= 32 && told[1] >= 32 * 65536, run.out);
        QVERIFY2(told[2] > 0 && told[2] <= took, run.out); // one after the other: direct transfers of one thread
        QCOMPARE(told[3], told[1]);
    }

    /// dtruss: the bytes that a process writes, as many as it says, up to 64 KiB: no option says how much room there is.
    void whatIsWrittenIsShown_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {0, 1, 2, 255, 256, 257, 4096, 8193, 32768, 40000, 65536})
            QTest::newRow(qPrintable(QString::number(size))) << size;
    }
    void whatIsWrittenIsShown()
    {
        QFETCH(int, size);
        QTemporaryFile file;
        QVERIFY(file.open());
        QByteArray text;
        for (int i = 0; i < size; ++i)
            text += static_cast<char>('a' + (i * 7 + i / 251) % 26);
        QVERIFY(file.write(text) == size && file.flush());
        const auto run = runDscope({"-x", "strsize=64k", "-x", "bufsize=8m", "-qn",
            "syscall::write:entry /pid == $target/ { this->bytes = copyin(arg1, arg2); printf(\"%d %s.\\n\", arg2, stringof(this->bytes)); "
            "}",
            "-c", "dd if=" + file.fileName() + " of=/dev/null bs=64k status=none"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed(), size ? QByteArray::number(size) + ' ' + text + '.' : QByteArray());
    }

    /// Where a program asks for more than there is, the message names the option; with it there is enough.
    void moreRoomIsAskedForByAnOption()
    {
        const auto write = [](const QStringList& options, const char* size) {
            return runDscope(options
                + QStringList{"-qn",
                    "syscall::write:entry /pid == $target/ { this->p = (char *)copyin(arg1, arg2); printf(\"%d %d\", arg2, this->p[arg2 - "
                    "1]); }",
                    "-c", QString("dd if=/dev/zero of=/dev/null bs=") + size + " count=1 status=none"});
        };
        const auto refused = write({}, "131072");
        QVERIFY2(refused.err.contains("out of scratch space in action #1\n")
                && refused.err.contains(
                    "alloca() and copyin() have no more room in one firing: -x scratchsize=SIZE gives them more, 1m at most"),
            refused.err);
        const auto given = write({"-x", "scratchsize=128k"}, "131072");
        QCOMPARE(given.err, QByteArray());
        QCOMPARE(given.out.trimmed(), QByteArray("131072 0"));
    }

    /// Records as large as that are whole: all bytes of a dump.
    void recordsOf64KiBAreWhole()
    {
        const auto run
            = runDscope({"-x", "bufsize=8m", "-qn", "syscall::write:entry /pid == $target/ { tracemem(copyin(arg1, arg2), 65536, arg2); }",
                "-c", "dd if=/dev/zero of=/dev/null bs=65536 count=3 status=none"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.count(": 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"), 3 * 65536 / 16);
    }
};
QTEST_GUILESS_MAIN(TestFamousScripts)
#include "tst_famous_scripts.moc"
