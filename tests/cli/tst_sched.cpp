// needs-programs: dscope
// The scheduler, held against what the kernel says of a process and its own clock.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestSched : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void threadsComeAndGoAsOftenAsTheKernelSays()
    {
        const auto c = countsOfWork("#pragma D option evaltime=exec\nsched:::off-cpu /pid == $target/ { @[\"off\"] = sum(1); }"
                                    " sched:::on-cpu /pid == $target/ { @[\"on\"] = sum(1); }"
                                    " sched:::sleep /pid == $target/ { @[\"sleep\"] = sum(1); }"
                                    " sched:::preempt /pid == $target/ { @[\"preempt\"] = sum(1); }"
                                    " sched:::wakeup /pid == $target && args[1]->pr_pid == $target/ { @[\"wakeup\"] = sum(1); }",
            "pass", 2000);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        const auto all = c["voluntary"] + c["involuntary"];
        QVERIFY2(qAbs(c["off"] - all) <= 10, QByteArray::number(c["off"]) + " of " + QByteArray::number(all));
        QVERIFY2(qAbs(c["on"] - all) <= 10, QByteArray::number(c["on"]) + " of " + QByteArray::number(all));
        QVERIFY2(qAbs(c["sleep"] - c["voluntary"]) <= 10, QByteArray::number(c["sleep"]) + " of " + QByteArray::number(c["voluntary"]));
        QVERIFY2(qAbs(c["preempt"] - c["involuntary"]) <= 10, QByteArray::number(c["preempt"]));
        QVERIFY2(c["wakeup"] > 1000, QByteArray::number(c["wakeup"]));
    }
    void timeOnCpuIsTheProcesssTime()
    {
        const auto c = countsOfWork("sched:::on-cpu /pid == $target/ { self->since = timestamp; }"
                                    " sched:::off-cpu /self->since/ { @[\"ns\"] = sum(timestamp - self->since); self->since = 0; }"
                                    " sched:::tick /pid == $target/ { @[\"ticks\"] = sum(1); @max[\"pid\"] = max(args[1]->pr_pid == pid); }",
            "spin", 400);
        QVERIFY(c["ms"] >= 400);
        const auto measured = c["ns"] / 1000000;
        QVERIFY2(measured > 300 && measured < 700, QByteArray::number(measured));
        // 100 to 1000 ticks a second, by how the kernel was built.
        QVERIFY2(c["ticks"] >= 20 && c["ticks"] <= 500, QByteArray::number(c["ticks"]));
        QCOMPARE(c["pid"], 1);
    }
    void whoeverIsTakenFromAQueueWasPutThere()
    {
        const auto c = countsOfWork("sched:::enqueue /args[1]->pr_pid == $target/ { @[\"in\"] = sum(1); }"
                                    " sched:::dequeue /args[1]->pr_pid == $target/ { @[\"out\"] = sum(1); @min[\"cpu\"] = min(args[2]->cpu_id); }",
            "pass", 2000);
        QVERIFY(c["in"] > 1000);
        QVERIFY2(qAbs(c["in"] - c["out"]) <= c["in"] / 50 + 10, QByteArray::number(c["in"]) + " and " + QByteArray::number(c["out"]));
    }
    void curcpuIsTheCpu()
    {
        const auto run = runDscope({"-qn", "BEGIN { printf(\"%d\", curcpu->cpu_id == cpu); exit(0); }"});
        QCOMPARE(run.out.trimmed(), QByteArray("1"));
    }
};
QTEST_GUILESS_MAIN(TestSched)
#include "tst_sched.moc"
