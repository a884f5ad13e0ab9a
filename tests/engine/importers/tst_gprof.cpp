// needs: engine/importers
// gprof's tables: times and calls are as printed. The text is of GNU gprof 2.40, of a program of our own.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
const QByteArray kFlat
    = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n"
      "  %   cumulative   self              self     total           \n time   seconds   seconds    calls  ms/call  ms/call  name    \n"
      " 75.00      0.03     0.03        9     3.34     3.34  work(long)\n 25.00      0.04     0.01                             idle\n"
      "  0.00      0.04     0.00       30     0.00     0.00  even\n\n"
      " %         the percentage of the total running time of the\ntime       program used by this function.\n\f\n";
const QByteArray kGraph
    = "\t\t     Call graph (explanation follows)\n\n\ngranularity: each sample hit covers 2 byte(s) for 33.28% of 0.04 seconds\n\n"
      "index % time    self  children    called     name\n"
      "                0.01    0.00       3/9           b [3]\n                0.02    0.00       6/9           main [2]\n"
      "[1]     75.0    0.03    0.00       9         work(long) [1]\n-----------------------------------------------\n"
      "                                                 <spontaneous>\n[2]     75.0    0.00    0.03                 main [2]\n"
      "                0.02    0.00       6/9           work(long) [1]\n                0.00    0.01       1/1           b [3]\n"
      "                0.00    0.00       1/2           even <cycle 1> [5]\n-----------------------------------------------\n"
      "                0.00    0.01       1/1           main [2]\n[3]     25.0    0.00    0.01       1         b [3]\n"
      "                0.01    0.00       3/9           work(long) [1]\n-----------------------------------------------\n"
      "                                                 <spontaneous>\n[4]     25.0    0.01    0.00                 idle [4]\n"
      "-----------------------------------------------\n"
      "[6]      0.0    0.00    0.00       2+57      <cycle 1 as a whole> [6]\n                0.00    0.00      30             even <cycle "
      "1> [5]\n"
      "-----------------------------------------------\n"
      "                                  29             odd <cycle 1> [7]\n                0.00    0.00       1/2           main [2]\n"
      "[5]      0.0    0.00    0.00      30         even <cycle 1> [5]\n                                  28             odd <cycle 1> "
      "[7]\n"
      "-----------------------------------------------\n\n This table describes the call tree of the program, and was sorted by\n"
      " the total amount of time spent in each function and its children.\n\n\f\nIndex by function name\n\n   [3] b                       "
      "[2] main\n";
} // namespace

class TestGprof : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesAndCallsAreAsPrinted()
    {
        QCOMPARE(guessed(kFlat + kGraph), QByteArray("gprof"));
        const auto imported = read("gprof", kFlat + kGraph);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("idle 10000000\nmain;b;work 10000000\nmain;work 20000000\n"));
        QVERIFY2(warningsOf(*imported).startsWith("stacks are derived, not measured"), warningsOf(*imported));
        for (const auto* row : {"@calls[main, work] 6\n", "@calls[b, work] 3\n", "@calls[even, odd] 28\n", "@calls[main, even] 1\n"})
            QVERIFY2(said(*imported).contains(row), said(*imported));
    }

    void eachTableAloneIsEnough()
    {
        const auto flat = read("gprof", kFlat);
        QVERIFY(flat);
        QCOMPARE(stacksOf(*flat, "time"), QByteArray("idle 10000000\nwork 30000000\n"));
        QVERIFY(!warningsOf(*flat).contains("derived"));
        const auto graph = read("gprof", kGraph);
        QVERIFY(graph);
        QCOMPARE(stacksOf(*graph, "time"), QByteArray("idle 10000000\nmain;b;work 10000000\nmain;work 20000000\n"));
        QCOMPARE(guessed(kGraph), QByteArray("gprof"));
    }

    void rowsThatAreNoneAreCounted()
    {
        const auto imported = read("gprof", QByteArray(kFlat).replace(" 25.00      0.04     0.01  ", " 25.00      x.04     0.01  "));
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{1});
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("work 30000000\n"));
        QVERIFY(!read("gprof", "no table\n"));
    }
};
QTEST_GUILESS_MAIN(TestGprof)
#include "tst_gprof.moc"
