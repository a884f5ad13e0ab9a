// needs-programs: dscope
// Counters, held against the clock.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestCpc : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theCpuClockFiresOnceAPeriod()
    {
        const auto c = countsOfWork("cpc:::cpu_clock-user-1000000 /pid == $target/ { @[\"user\"] = sum(1); @[\"kernel\"] = sum(arg0 != 0); }"
                                    " cpc:::cpu_clock-all-1000000 /pid == $target/ { @[\"all\"] = sum(1); }",
            "spin", 400);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        QVERIFY2(c["all"] > 300 && c["all"] < 520, QByteArray::number(c["all"]));
        QVERIFY2(c["user"] > 0 && c["user"] <= c["all"], QByteArray::number(c["user"]));
        QCOMPARE(c["kernel"], 0);
    }
    void anUnknownEventIsNone()
    {
        const auto run = runDscope({"-n", "cpc:::no_such_event-all-10000 { }"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("does not match any probes"), run.err.constData());
    }
};
QTEST_GUILESS_MAIN(TestCpc)
#include "tst_cpc.moc"
