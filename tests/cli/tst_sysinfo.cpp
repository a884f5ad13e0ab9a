// serial: interrupts of the whole machine are counted, by us and by the kernel
// needs-programs: dscope
// What sysinfo counts, held against a workload that knows what it does.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestSysinfo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void bytesAndCallsAreWhatTheProgramTransferred()
    {
        const auto c = countsOfWork("readch /pid == $target && arg0 == 12345/ { @[\"readch\"] = sum(arg0); @[\"reads\"] = sum(1); }"
                                    " writech /pid == $target && arg0 == 4321/ { @[\"writech\"] = sum(arg0); }"
                                    " sysinfo:::sysread /pid == $target/ { @[\"sysread\"] = sum(arg0); }"
                                    " syscall::read:entry /pid == $target/ { @[\"entered\"] = sum(1); }"
                                    " syscall::pread64:entry /pid == $target/ { @[\"entered\"] = sum(1); }",
            "transfer", 500);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        QCOMPARE(c["readch"], 500 * 12345);
        QCOMPARE(c["reads"], 500);
        QCOMPARE(c["writech"], 500 * 4321);
        QCOMPARE(c["sysread"], c["entered"]);
        QVERIFY(c["sysread"] > 500); // and the loader
    }
    void bytesAndCallsAreThoseThatTheKernelCounted()
    {
        const auto c
            = countsAndAccounts("sysinfo:::readch, sysinfo:::writech, sysinfo:::sysread, sysinfo:::syswrite /pid == $target && marked/"
                                " { @[probename] = sum(arg0); }",
                "transfer", 500);
        QCOMPARE(c["complaints"], 0);
        QCOMPARE(c["rchar:"], 500 * 12345);
        QCOMPARE(c["readch"], c["rchar:"]);
        QCOMPARE(c["writech"], c["wchar:"]);
        QCOMPARE(c["sysread"], c["syscr:"] + 1); // the kernel leaves out the one that fails
        QCOMPARE(c["syswrite"], c["syscw:"]);
    }
    void theMachinesSwitchesAndThreadsAreThoseOfProcStat()
    {
        const auto c = countsAndAccounts("sysinfo:::pswitch, sysinfo:::nthreads /marked/ { @[probename] = sum(arg0); }", "replace", 50);
        QVERIFY(c["ctxt"] >= 50 && c["processes"] >= 50);
        // The other CPU goes on between the reading of a file and the mark.
        QVERIFY2(isNear(c["pswitch"], c["ctxt"], 10 + c["ctxt"] / 20), both(c["pswitch"], c["ctxt"]));
        QVERIFY2(isNear(c["nthreads"], c["processes"], 3 + c["processes"] / 20), both(c["nthreads"], c["processes"]));
    }
    void interruptsOfOtherCpusAreThoseOfProcInterrupts()
    {
        const auto c = countsAndAccounts("sysinfo:::xcalls /marked/ { @[probename] = sum(arg0); }", "contend", 300);
        const auto told = c["RES:"] + c["CAL:"]; // CAL has those that TLB counts
        QVERIFY(told > 0);
        // Each asks for one; what is asked for twice before the other CPU comes to it is one, beside load more often.
        QVERIFY2(c["xcalls"] >= told - 3 - told / 20, both(c["xcalls"], told));
        QVERIFY2(c["xcalls"] <= told + 3 + told / 3, both(c["xcalls"], told));
    }
    void theThreadsOwnStatisticIsWhereArg1Says()
    {
        // ioac.rchar grows before the system call returns: the last read was of 12345 bytes, and it was counted.
        const auto c = countsOfWork(
            "readch /pid == $target && arg0 == 12345/ { @max[\"total\"] = max(*args[1]); @min[\"cpu\"] = min(args[2]->cpu_id); }",
            "transfer", 100);
        QCOMPARE(c["status"], 0);
        QVERIFY2(c["total"] >= 100 * 12345 && c["total"] < 100 * 12345 + 200000, QByteArray::number(c["total"]));
        QVERIFY(c["cpu"] >= 0);
    }
    void processesAndExecsAreCounted()
    {
        const auto c = countsOfWork("sysinfo:::sysfork /pid == $target/ { @[\"sysfork\"] = sum(arg0); }"
                                    " sysinfo:::nthreads /pid == $target/ { @[\"nthreads\"] = sum(arg0); }"
                                    " sysinfo:::sysexec /ppid == $target/ { @[\"sysexec\"] = sum(arg0); }",
            "replace", 20);
        QCOMPARE(c["sysfork"], 20);
        QCOMPARE(c["nthreads"], 20);
        QCOMPARE(c["sysexec"], 40); // one of each two in vain
    }
    void switchesAreWhatTheKernelSaysOfTheProcess()
    {
        const auto c = countsOfWork("#pragma D option evaltime=exec\nsysinfo:::pswitch /pid == $target/ { @[\"pswitch\"] = sum(1); }"
                                    " sysinfo:::inv_swtch /pid == $target/ { @[\"inv\"] = sum(1); }",
            "pass", 2000);
        const auto all = c["voluntary"] + c["involuntary"];
        QVERIFY(all >= 2000);
        // What happens at the very beginning and end is seen by one of the two alone.
        QVERIFY2(qAbs(c["pswitch"] - all) <= 10, QByteArray::number(c["pswitch"]) + " of " + QByteArray::number(all));
        QVERIFY2(qAbs(c["inv"] - c["involuntary"]) <= 10, QByteArray::number(c["inv"]) + " of " + QByteArray::number(c["involuntary"]));
    }
    void whatLinuxHasNotIsRefusedWithTheReason()
    {
        const auto run = runDscope({"-n", "sysinfo:::ufsiget { }"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("UFS"), run.err.constData());
        QVERIFY(!runDscope({"-ln", "sysinfo:::ufsiget"}).out.contains("ufsiget"));
        QVERIFY(runDscope({"-lvn", "sysinfo:::ufsiget"}).out.contains("ufsiget"));
    }
};
QTEST_GUILESS_MAIN(TestSysinfo)
#include "tst_sysinfo.moc"
