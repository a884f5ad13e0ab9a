// needs-programs: dscope
// rawtp and sdt, held against each other, perf and what the programs did.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
#include <algorithm>
using namespace dscope::tests;
class TestTracepoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void rawAndRecordedArgumentsAgree()
    {
        const auto run = runDscope({"-qn",
            "rawtp:::sched_process_fork /pid == $target/ { printf(\"raw %d\\n\", args[1]->pid); }"
            "sdt:sched::sched_process_fork /args[1] == $target/ { printf(\"sdt %d\\n\", args[3]); }",
            "-c", DSCOPE_PROGRAMS "/kernel_work replace 5"});
        QCOMPARE(run.err, QByteArray());
        QList<QByteArray> raw, sdt;
        for (const auto& line : run.out.split(char(10))) {
            if (line.startsWith("raw ")) raw << line.mid(4);
            if (line.startsWith("sdt ")) sdt << line.mid(4);
        }
        std::sort(raw.begin(), raw.end());
        std::sort(sdt.begin(), sdt.end());
        QCOMPARE(raw.size(), 5);
        QCOMPARE(sdt, raw);
    }
    void eventsAreCountedAsPerfCountsThem()
    {
        const auto c = countsOfWork("sdt:sched::sched_process_exec /ppid == $target/ { @[\"execs\"] = sum(1); }"
                                    " sdt:task::task_rename /args[2] == \"true\"/ { @[\"renames\"] = sum(1); }",
            "replace", 7);
        QCOMPARE(c["execs"], 7);
        QVERIFY(c["renames"] >= 7);
    }
};
QTEST_GUILESS_MAIN(TestTracepoints)
#include "tst_tracepoints.moc"
