// needs-programs: dscope
// Values merged over CPUs without loss, held against what tests/programs/crowd.c is known to do.
#include "tests/support/run_dscope.h"
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <numeric>
using namespace dscope::tests;
namespace {
const QString kProbe = QStringLiteral("syscall::lseek:entry /pid == $target && (int)arg0 == -1/ ");
qint64 threads() { return 4; }
qint64 calls() { return threads() * (isSlowMachine() ? 10'000 : 250'000); }
Outcome crowd(const QString& body, const QStringList& options = {})
{
    return runDscope(QStringList{QStringLiteral("-q")} + options
        + QStringList{QStringLiteral("-n"), kProbe + QStringLiteral("{ ") + body, QStringLiteral("-c"),
            QStringLiteral(DSCOPE_PROGRAMS "/crowd %1 %2").arg(threads()).arg(calls() / threads())});
}
} // namespace

class TestCrowd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void aMillionIncrementsAreAMillion()
    {
        const auto n = calls();
        const auto run = crowd(QStringLiteral("@n = count(); @s = sum(arg1); @lo = min(arg1); @hi = max(arg1); @mean = avg(arg1); } "
                                              "END { printa(\"%@d \", @n); printa(\"%@d \", @s); printa(\"%@d \", @lo); "
                                              "printa(\"%@d \", @hi); printa(\"%@d\\n\", @mean); }"));
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed(), QStringLiteral("%1 %2 0 %3 %4").arg(n).arg(n * (n - 1) / 2).arg(n - 1).arg((n - 1) / 2).toUtf8());
    }
    /// Of stacks there is one value for all CPUs.
    void aMillionIncrementsOfAStackAreAMillion()
    {
        const auto n = calls();
        const auto run = crowd(
            QStringLiteral("@n[ustack()] = count(); @s[ustack()] = sum(arg1); "
                           "@lo[ustack()] = min(arg1); @hi[ustack()] = max(arg1); @q[ustack()] = lquantize(arg1 * 10 / %1, 0, 10); } "
                           "END { printa(\"n %@d\\n\", @n); printa(\"s %@d\\n\", @s); "
                           "printa(\"l %@d\\n\", @lo); printa(\"h %@d\\n\", @hi); clear(@n); clear(@s); "
                           "clear(@lo); clear(@hi); }")
                .arg(n));
        QCOMPARE(run.err, QByteArray());
        // Threads begin in one function, and what is not yet known of the process's code may give a stack or two more.
        QMap<char, QList<qint64>> rows;
        for (const auto& line : run.out.split('\n'))
            if (line.size() > 2 && line[1] == ' ' && QByteArray("nslh").contains(line[0])) rows[line[0]] << line.mid(2).toLongLong();
        const auto sum = [&](char of) { return std::accumulate(rows[of].begin(), rows[of].end(), qint64(0)); };
        QVERIFY(!rows['n'].isEmpty());
        QCOMPARE(sum('n'), n);
        QCOMPARE(sum('s'), n * (n - 1) / 2);
        QCOMPARE(*std::min_element(rows['l'].begin(), rows['l'].end()), 0);
        QCOMPARE(*std::max_element(rows['h'].begin(), rows['h'].end()), n - 1);
        qint64 bucketed = 0;
        for (const auto& line : run.out.split('\n'))
            if (const auto bar = line.indexOf('|'); bar >= 0) bucketed += line.mid(bar + 41).trimmed().toLongLong();
        QCOMPARE(bucketed, n);
    }
    void everyBucketHasItsShare()
    {
        const auto n = calls();
        const auto run = crowd(QStringLiteral("@ = lquantize(arg1 * 10 / %1, 0, 10); }").arg(n));
        QCOMPARE(run.err, QByteArray());
        QMap<QByteArray, qint64> counts;
        for (const auto& line : run.out.split('\n'))
            if (const auto bar = line.indexOf('|'); bar >= 0) counts[line.left(bar).trimmed()] = line.mid(bar + 41).trimmed().toLongLong();
        for (int bucket = 0; bucket < 10; ++bucket)
            QCOMPARE(counts[QByteArray::number(bucket)], n / 10);
        QCOMPARE(counts["< 0"] + counts[">= 10"], 0);
    }
    void aBurstOfNewKeysLosesNone_data()
    {
        QTest::addColumn<int>("keys");
        for (const int keys : {2, 1000, 20'000})
            QTest::addRow("%d keys", keys) << keys;
    }
    void aBurstOfNewKeysLosesNone()
    {
        QFETCH(int, keys);
        const auto each = calls() / keys;
        // Threads meet at the same keys at the same time, and each is new to each CPU once.
        const auto run
            = crowd(QStringLiteral("@k[arg1 %% %1] = count(); @s[arg1 %% %1] = sum(1); } END { printa(\"%d %@d %@d\\n\", @k, @s); }")
                        .arg(keys)
                        .replace(QStringLiteral("%%"), QStringLiteral("%")),
                {QStringLiteral("-x"), QStringLiteral("aggsize=64m")});
        qint64 lost = 0;
        static const QRegularExpression kDrops(QStringLiteral("^dtrace: (\\d+) aggregation drops? on CPU \\d+$"));
        for (const auto& line : run.err.trimmed().split('\n')) {
            if (line.isEmpty()) continue;
            const auto drops = kDrops.match(QString::fromUtf8(line));
            QVERIFY2(drops.hasMatch(), run.err);
            lost += drops.captured(1).toLongLong();
        }
        QCOMPARE(lost, 0);
        qint64 rows = 0, counted = 0;
        for (const auto& line : run.out.trimmed().split('\n')) {
            const auto parts = line.simplified().split(' ');
            QCOMPARE(parts.size(), 3);
            QVERIFY2(parts[1].toLongLong() <= each && parts[2].toLongLong() <= each, line);
            counted += parts[1].toLongLong() + parts[2].toLongLong();
            ++rows;
        }
        QCOMPARE(rows, keys);
        QCOMPARE(counted + lost, 2 * each * keys);
    }
    /// Rows of a kilobyte for each CPU, of which the kernel's allocator has few at hand.
    void aBurstOfLargeRowsLosesNone_data()
    {
        QTest::addColumn<QString>("value");
        QTest::newRow("lquantize") << "lquantize(1, 0, 100, 1)";
        QTest::newRow("quantize") << "quantize(1)";
    }
    void aBurstOfLargeRowsLosesNone()
    {
        QFETCH(const QString, value);
        constexpr int kKeys = 3000;
        const auto run = crowd(QString("@[arg1 / 4 % %1] = %2; } END { printa(\"%d\\n\", @); }").arg(kKeys).arg(value));
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed().count('\n') + 1, kKeys);
    }
    /// Keys that were quiet for a moment leave their maps while a program may just be adding to one of them.
    void updatesOfKeysThatLeaveAreCounted_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("tick");
        QTest::newRow("when a map fills") << QStringList{} << "tick-1ms ";
        QTest::newRow("of a map that is full of them") << QStringList{"-x", "aggsize=2k"} << "tick-20ms ";
    }
    void updatesOfKeysThatLeaveAreCounted()
    {
        QFETCH(const QStringList, options);
        QFETCH(const QString, tick);
#ifdef __SANITIZE_ADDRESS__
        const qint64 n = 40'000; // dscope shows what each tick asks for many times more slowly
        const int readings = 100;
#else
        const qint64 n = isSlowMachine() ? 20'000 : 1'000'000;
        const int readings = 5000;
#endif
        const QString shown = "{ printa(\"%d %@d\\n\", @k); trunc(@k); } ";
        // So many readings at most, however long other work holds the run up.
        const auto when = tick + QStringLiteral("/readings < %1/ ").arg(readings);
        // Several readings in a row: there are keys that nothing was added to between two of them.
        const auto run = runApart(options
            + QStringList{"-qn",
                "int readings; " + kProbe + "{ @k[arg1 & 63] = count(); } " + when + shown + when + shown + when + shown + when + "{ readings++; } END "
                    + shown,
                "-c", QStringLiteral(DSCOPE_PROGRAMS "/crowd 1 %1 2000").arg(n)});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0); // it was not ended for taking too long
        qint64 counted = 0;
        for (const auto& line : run.out.trimmed().split('\n'))
            counted += line.mid(line.indexOf(' ') + 1).toLongLong();
        QCOMPARE(counted, n);
    }
    void aggsizeIsObeyedUpwards()
    {
        const auto keys = std::min<qint64>(calls(), 150'000); // 65,536 fit without it
        const auto run = crowd(QString("@[arg1 % %1] = count(); } END { printa(\"%d %@d\\n\", @); }").arg(keys), {"-x", "aggsize=64m"});
        QCOMPARE(run.err, QByteArray());
        qint64 counted = 0;
        for (const auto& line : run.out.trimmed().split('\n'))
            counted += line.mid(line.indexOf(' ') + 1).toLongLong();
        QCOMPARE(run.out.trimmed().count('\n') + 1, keys);
        QCOMPARE(counted, calls());
    }
};

QTEST_GUILESS_MAIN(TestCrowd)
#include "tst_crowd.moc"
