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
