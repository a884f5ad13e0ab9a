// needs-programs: dscope
// Locks of the kernel that threads wait for, on a workload that makes them.
#include "tests/support/counts.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
class TestLockstat : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void threadsBlockForTheLockOfTheirAddressSpace()
    {
        const auto c = countsOfWork(
            "lockstat:::rw-block /pid == $target/ { @[\"blocks\"] = sum(1); @[\"time\"] = sum(arg1); @[\"writers\"] = sum(arg2); }"
            " rawtp:lock::contention_begin /pid == $target && (arg1 & 0x27) == 4/ { @[\"begun\"] = sum(1); }",
            "contend", 300);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        QVERIFY2(c["blocks"] > 0, "no thread ever waited");
        QVERIFY2(
            c["writers"] > 0 && c["writers"] <= c["begun"], QByteArray::number(c["writers"]) + " of " + QByteArray::number(c["begun"]));
        // Four threads cannot wait longer than they were.
        QVERIFY2(c["time"] > 0 && c["time"] <= 4 * c["ns"], QByteArray::number(c["time"]));
    }
    void waitsAreThoseThatPerfCounts()
    {
        const QTemporaryDir dir;
        const auto file = dir.filePath("perf");
        // Readers and writers alone. Source of the flags: include/trace/events/lock.h, LCB_F_READ, LCB_F_WRITE
        const QStringList filtered{
            "stat", "-x,", "-o", file, "-e", "lock:contention_begin", "--filter", "flags&6", "--", DSCOPE_PROGRAMS "/kernel_work"};
        if (runDscope(filtered + QStringList{"spin", "1"}, {}, "perf").status != 0) QSKIP("needs perf (package linux-perf)");
        const auto run = runApart({"-qn", kEnds + clausesOfPerfsCount("lockstat:::rw-block, lockstat:::rw-spin", "waits"), "-c",
            "perf " + filtered.join(' ') + " contend 300"});
        QVERIFY2(run.status == 0, run.err.constData());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        qint64 told = 0;
        for (const auto& line : written.readAll().split('\n'))
            if (line.contains(",lock:contention_begin,")) told = line.split(',')[0].toLongLong();
        const auto c = countsIn(run.out);
        QVERIFY2(told > 0 && isPerfsCount(c, "waits", told), both(c["waits"], told));
    }
    void whoIsAloneWaitsForNobody()
    {
        const auto c = countsOfWork(
            "lockstat:::rw-block /pid == $target/ { @[\"blocks\"] = sum(1); } END { printf(\"ran 1\\n\"); }", "transfer", 300);
        QCOMPARE(c["ran"], 1);
        QCOMPARE(c["blocks"], 0);
    }
};
QTEST_GUILESS_MAIN(TestLockstat)
#include "tst_lockstat.moc"
