// needs-programs: dscope
// Page faults, held against a workload that touches a known number of pages.
#include "tests/support/counts.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestVminfo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void pagesAreMadeAndCopiedAsOftenAsTheyAreTouched()
    {
        const auto c = countsOfWork("vminfo:::zfod /pid == $target/ { @[\"zfod\"] = sum(arg0); }"
                                    " vminfo:::as_fault /pid == $target/ { @[\"as_fault\"] = sum(1); }"
                                    " vminfo:::cow_fault /ppid == $target/ { @[\"cow\"] = sum(1); }",
            "touch", 1000);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        QVERIFY2(c["zfod"] >= 1000 && c["zfod"] < 1100, QByteArray::number(c["zfod"]));
        QVERIFY2(c["cow"] >= 1000 && c["cow"] < 1100, QByteArray::number(c["cow"]));
        QVERIFY2(c["as_fault"] >= 1000 && c["as_fault"] < 1400, QByteArray::number(c["as_fault"]));
    }
    void faultsAreThoseThatTheKernelCounted()
    {
        const auto c = countsAndAccounts(
            "vminfo:::as_fault, vminfo:::cow_fault, vminfo:::prot_fault /pid == $target && marked/ { @[\"all\"] = sum(arg0); }"
            " vminfo:::maj_fault /pid == $target && marked/ { @[\"maj\"] = sum(arg0); }",
            "touch", 1000);
        const auto told = c["minor:"] + c["major:"];
        QVERIFY(told >= 1000);
        QVERIFY2(isNear(c["all"], told, 3), both(c["all"], told)); // the kernel counts one that it has to try again once
        QCOMPARE(c["maj"], c["major:"]);
    }
    void pagesWrittenAreThoseOfTheWorkloadAndOfProcVmstat()
    {
        const auto c = countsAndAccounts(
            "vminfo:::pgpgout /marked/ { @[\"all\"] = sum(arg0); } vminfo:::pgpgout, vminfo:::pgout /pid == $target && marked/"
            " { @[probename] = sum(arg0); }",
            "store", 500);
        QCOMPARE(c["complaints"], 0);
        QCOMPARE(c["pgpgout"], 500);
        QCOMPARE(c["pgout"], 500);
        QVERIFY(c["write_bytes:"] >= 500 * 4096);
        const auto told = c["vmstat.pgpgout"] / 4; // of a kilobyte each
        QVERIFY2(isNear(c["all"], told, 50 + told / 20), both(c["all"], told));
    }
    void minorAndMajorFaultsAreThoseOfGetrusage()
    {
        const auto c = countsOfWork("vminfo:::as_fault, vminfo:::cow_fault, vminfo:::prot_fault /pid == $target/ { @[\"all\"] = sum(1); }"
                                    " vminfo:::maj_fault /pid == $target/ { @[\"maj\"] = sum(1); }",
            "touch", 1000);
        const auto told = c["minor"] + c["major"];
        QVERIFY(told >= 1000);
        // From exec to the question; the kernel also faults on behalf of the process without a trap, and children later.
        QVERIFY2(qAbs(c["all"] - told) < told / 5, QByteArray::number(c["all"]) + " of " + QByteArray::number(told));
        QVERIFY2(qAbs(c["maj"] - c["major"]) <= 2, QByteArray::number(c["maj"]) + " of " + QByteArray::number(c["major"]));
    }
};
QTEST_GUILESS_MAIN(TestVminfo)
#include "tst_vminfo.moc"
