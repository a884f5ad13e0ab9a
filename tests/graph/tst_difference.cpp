#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/difference.h"
#include <random>
#endif
using namespace dscope::graph;

class TestDifference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aChangeIsSaidInWords_data()
    {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::addColumn<QString>("text");
        QTest::newRow("more") << 100.0 << 135.0 << "+35 %";
        QTest::newRow("a little less") << 1000.0 << 980.0 << QStringLiteral("\u22122.0 %");
        QTest::newRow("many times") << 3.0 << 36.0 << QStringLiteral("\u00d712");
        QTest::newRow("new") << 0.0 << 7.0 << "new";
        QTest::newRow("gone") << 7.0 << 0.0 << "gone";
        QTest::newRow("the same") << 7.0 << 7.0 << QStringLiteral("\u00b10 %");
    }
    void aChangeIsSaidInWords()
    {
        QFETCH(double, before);
        QFETCH(double, after);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(countChange(before, after).text()), text);
    }
    void theRampEndsWhereSomethingIsNewOrGone()
    {
        QCOMPARE(countChange(0, 100).level(), 1.0);
        QCOMPARE(countChange(100, 0).level(), 0.0);
        QCOMPARE(countChange(100, 100).level(), -1.0); // nothing to tell
        QVERIFY(countChange(1000, 1300).level() > 0.5);
        QCOMPARE(countChange(1000, 4000).level() - 0.5, 0.5 - countChange(4000, 1000).level());
    }
    void theRunBeforeIsScaled()
    {
        const auto change = countChange(50, 100, 2);
        QCOMPARE(change.before, 100.0);
        QVERIFY(!change.told);
    }
    // The test holds what it promises: of two runs that are alike it calls about one in twenty-two different, as two
    // standard deviations of a normal variable do, and no more where the runs are of different size.
    void chanceIsRarelyTakenForAChange_data()
    {
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("scale");
        QTest::newRow("ten") << 10.0 << 1.0;
        QTest::newRow("four hundred") << 400.0 << 1.0;
        QTest::newRow("a run three times as long") << 100.0 << 3.0;
        QTest::newRow("a run a fifth as long") << 100.0 << 0.2;
        QTest::newRow("next to nothing in a run a tenth as long") << 30.0 << 0.1;
        QTest::newRow("next to nothing before a run ten times as long") << 4.0 << 10.0;
    }
    void chanceIsRarelyTakenForAChange()
    {
        QFETCH(double, mean);
        QFETCH(double, scale);
        std::mt19937 random(11);
        std::poisson_distribution<int> before(mean), after(mean * scale);
        int told = 0;
        for (int i = 0; i < 20'000; ++i)
            told += countChange(before(random), after(random), scale).told;
        QVERIFY2(told > 500 && told < 1300, qPrintable(QString::number(told)));
    }
    // A figure of many differences is quiet, too: hardly any of two runs that are alike shows one that is none.
    void amongManyComparisonsChanceStaysQuiet_data()
    {
        QTest::addColumn<int>("keys");
        QTest::addColumn<double>("scale");
        QTest::newRow("ten keys") << 10 << 1.0;
        QTest::newRow("three hundred keys") << 300 << 1.0;
        QTest::newRow("three thousand keys") << 3000 << 1.0;
        QTest::newRow("three hundred keys, a run a fifth as long") << 300 << 0.2;
        QTest::newRow("three hundred keys, a run five times as long") << 300 << 5.0;
    }
    void amongManyComparisonsChanceStaysQuiet()
    {
        QFETCH(int, keys);
        QFETCH(double, scale);
        const double deviations = deviationsAmong(static_cast<std::size_t>(keys));
        std::mt19937 random(7);
        int loud = 0, found = 0;
        for (int figure = 0; figure < 200; ++figure) {
            bool any = false;
            for (int i = 0; i < keys; ++i) {
                const double mean = 4000.0 / (i + 1); // a few large, many small
                std::poisson_distribution<int> before(mean), after(mean * scale);
                any = any || countChange(before(random), after(random), scale, deviations).told;
            }
            loud += any;
            // One that is real is found all the same: the fourth key six tenths more.
            std::poisson_distribution<int> before(1000), after(1600 * scale);
            found += countChange(before(random), after(random), scale, deviations).told;
        }
        QVERIFY2(loud <= 22, qPrintable(QString::number(loud))); // one in twenty, and three deviations of that
        QVERIFY2(found > 180, qPrintable(QString::number(found)));
    }
    void theDeviationsAreThoseOfTheNormalDistribution()
    {
        // Source: tables of the normal distribution: 0.0455, 0.00455, 0.000455 and 0.0000455 outside of so many deviations.
        QCOMPARE(deviationsAmong(0), 2.0);
        QCOMPARE(deviationsAmong(1), 2.0);
        QCOMPARE(deviationsAmong(10), 2.84);
        QCOMPARE(deviationsAmong(100), 3.51);
        QCOMPARE(deviationsAmong(1000), 4.08);
    }
    void whatIsNotCountedIsToldByItsSize()
    {
        QVERIFY(valueChange(1e9, 1.1e9).told);
        QVERIFY(!valueChange(1e9, 1.01e9).told);
        QVERIFY(!valueChange(0, 0).told);
        QVERIFY(valueChange(-5, 5).told);
        QVERIFY(valueChange(100, 200, 1, 10'000).told);
        QVERIFY(!valueChange(10, 20, 1, 10'000).told); // next to nothing of the whole
    }
    void aTitleBecomesPartOfASentence()
    {
        QCOMPARE(changedTitle("Calls by execname"), std::string("What changed: calls by execname"));
        QCOMPARE(changedTitle("CPU by host"), std::string("What changed: CPU by host"));
    }
};
QTEST_GUILESS_MAIN(TestDifference)
#include "tst_difference.moc"
