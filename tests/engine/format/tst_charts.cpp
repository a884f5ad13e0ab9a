// Distributions as dtrace draws them. Source of the expected charts: the Solaris Dynamic Tracing Guide (io, sysinfo,
// aggregations) and the public tests of DTrace for Linux.
#include "engine/format/charts.h"
#include "engine/record/buckets.h"
#include <QObject>
#include <QTest>
#include <map>
using namespace dscope;
using namespace dscope::format;
using namespace dscope::record;

namespace {
Aggregation make(Aggregator f, std::array<std::int64_t, 4> p = {})
{
    Aggregation a;
    a.function = f;
    a.parameters = p;
    return a;
}
/// {value, count, ...} as {bucket, count, ...}.
std::vector<std::int64_t> counted(const Aggregation& a, const std::vector<std::pair<std::int64_t, std::int64_t>>& values)
{
    std::map<int, std::int64_t> buckets;
    for (const auto& [value, count] : values)
        buckets[bucketOf(a, value)] += count;
    std::vector<std::int64_t> data;
    for (const auto& [bucket, count] : buckets)
        if (count != 0) data.insert(data.end(), {bucket, count});
    return data;
}
/// The chart without its heading and the blanks at line ends.
QStringList rowsOf(const std::string& text)
{
    auto lines = QString::fromStdString(text).split(u'\n');
    if (lines.size() < 3) return {};
    lines.removeLast();
    lines = lines.mid(2);
    for (auto& l : lines)
        while (l.endsWith(u' '))
            l.chop(1);
    return lines;
}
const auto kQuantize = make(Aggregator::Quantize);
} // namespace

class TestCharts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theHeadingAndTheLayoutOfALine()
    {
        QCOMPARE(chart(kQuantize, {68, 1}, 1),
            std::string("\n"
                        "           value  ------------- Distribution ------------- count    \n"
                        "               8 |                                         0        \n"
                        "              16 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                        "              32 |                                         0        \n"));
    }
    void chartsOfTheGuide_data()
    {
        // Counts as in the guide's chapters on io and sysinfo; bars rounded, as dtrace has done since (the guide's cut off).
        QTest::addColumn<QList<qint64>>("valuesAndCounts");
        QTest::addColumn<QList<qint64>>("labels");
        QTest::addColumn<QList<int>>("bars");
        const auto row = [](const char* name, QList<qint64> v, QList<qint64> l, QList<int> b) { QTest::newRow(name) << v << l << b; };
        row("io, sd2", {64, 3, 128, 1, 256, 2257, 512, 1}, {32, 64, 128, 256, 512, 1024}, {0, 0, 0, 40, 0, 0});
        row("io, cmdk0", {256, 1, 1024, 2, 4096, 2, 8192, 172, 16384, 52, 32768, 108, 65536, 34},
            {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072}, {0, 0, 0, 0, 0, 0, 19, 6, 12, 4, 0});
        row("readch, xclock", {32, 1}, {16, 32, 64}, {0, 40, 0});
        row("readch, FvwmAuto", {4, 13, 8, 21, 16, 5}, {2, 4, 8, 16, 32}, {0, 13, 22, 5, 0});
        row("readch, xterm", {32, 19, 64, 7, 128, 5}, {16, 32, 64, 128, 256}, {0, 25, 9, 6, 0});
        row("readch, fvwm2", {0, 186, 4, 51, 8, 17, 32, 503, 64, 9}, {-1, 0, 1, 2, 4, 8, 16, 32, 64, 128},
            {0, 10, 0, 0, 3, 1, 0, 26, 0, 0});
        row("negative values", {-5, 1, -1, 1, 0, 2}, {-8, -4, -2, -1, 0, 1}, {0, 10, 0, 10, 20, 0});
        row("nothing", {}, {-1, 0, 1}, {0, 0, 0});
    }
    void chartsOfTheGuide()
    {
        QFETCH(QList<qint64>, valuesAndCounts);
        QFETCH(QList<qint64>, labels);
        QFETCH(QList<int>, bars);
        std::vector<std::pair<std::int64_t, std::int64_t>> values;
        std::map<qint64, qint64> counts;
        for (int i = 0; i < valuesAndCounts.size(); i += 2) {
            values.emplace_back(valuesAndCounts[i], valuesAndCounts[i + 1]);
            counts[quantizeValue(bucketOf(kQuantize, valuesAndCounts[i]))] += valuesAndCounts[i + 1];
        }
        QStringList expected;
        for (int i = 0; i < labels.size(); ++i)
            expected += QStringLiteral("%1 |%2 %3").arg(labels[i], 16).arg(QString(bars[i], u'@'), -40).arg(counts[labels[i]]);
        QCOMPARE(rowsOf(chart(kQuantize, counted(kQuantize, values), 1)), expected);
    }
    void lquantizeOfTheGuide()
    {
        // "applicat.d" of the io chapter: lquantize(..., 0, 1000).
        const auto a = make(Aggregator::Lquantize, {0, 1000, 1, 0});
        QCOMPARE(rowsOf(chart(a, counted(a, {{0, 28}, {1, 17}, {2, 35}, {3, 72}, {4, 78}, {5, 65}}), 1)),
            (QStringList{"             < 0 |                                         0",
                "               0 |@@@@                                     28",
                "               1 |@@                                       17",
                "               2 |@@@@@                                    35",
                "               3 |@@@@@@@@@@                               72",
                "               4 |@@@@@@@@@@@                              78",
                "               5 |@@@@@@@@@                                65",
                "               6 |                                         0"}));
    }
    void lquantizeNamesItsOpenEnds()
    {
        const auto a = make(Aggregator::Lquantize, {-10, 11, 10, 0}); // two steps; the limit is where they end
        QCOMPARE(rowsOf(chart(a, counted(a, {{-11, 1}, {5, 1}, {10, 2}}), 1)),
            (QStringList{"           < -10 |@@@@@@@@@@                               1",
                "             -10 |                                         0",
                "               0 |@@@@@@@@@@                               1",
                "           >= 10 |@@@@@@@@@@@@@@@@@@@@                     2"}));
    }
    void logLinearCharts_data()
    {
        // Source: DTrace for Linux, test/unittest/aggs/tst.llquantize_basic.
        QTest::addColumn<QList<qint64>>("parameters");
        QTest::addColumn<QList<qint64>>("valuesAndCounts");
        QTest::addColumn<QStringList>("rows");
        QTest::newRow("fewer steps than the factor")
            << QList<qint64>{4, 0, 1, 2}
            << QList<qint64>{-20, 80, -16, 84, -12, 88, -8, 92, -6, 94, -5, 95, -4, 96, -3, 97, -2, 98, -1, 99, 0, 100, 1, 101, 2, 102, 3,
                   103, 4, 104, 5, 105, 6, 106, 8, 108, 12, 112, 16, 116, 20, 120}
            << QStringList{"          <= -16 |@@@                                      164",
                   "              -8 |@@@                                      180",
                   "              -4 |@@@@@                                    285",
                   "              -2 |@@@@                                     195",
                   "              -1 |@@                                       99",
                   "               0 |@@                                       100",
                   "               1 |@@                                       101",
                   "               2 |@@@@                                     205",
                   "               4 |@@@@@@                                   315",
                   "               8 |@@@@                                     220",
                   "           >= 16 |@@@@                                     236"};
        QTest::newRow("no data") << QList<qint64>{2, 0, 1, 2} << QList<qint64>{}
                                 << QStringList{"               0 |                                         0",
                                        "               1 |                                         0",
                                        "               2 |                                         0"};
        QTest::newRow("no data, more steps than integers") << QList<qint64>{2, 0, 1, 4} << QList<qint64>{}
                                                           << QStringList{"               0 |                                         0",
                                                                  "               1 |                                         0",
                                                                  "               2 |                                         0"};
        QTest::newRow("only negative counts") << QList<qint64>{2, 0, 1, 2} << QList<qint64>{2, -1}
                                              << QStringList{"               1                                         | 0",
                                                     "               2 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -1",
                                                     "            >= 4                                         | 0"};
        QTest::newRow("counts of both signs") << QList<qint64>{2, 0, 1, 2} << QList<qint64>{1, 1, 2, -1}
                                              << QStringList{"               0                     |                     0",
                                                     "               1                     |@@@@@@@@@@           1",
                                                     "               2           @@@@@@@@@@|                     -1",
                                                     "            >= 4                     |                     0"};
        QTest::newRow("steps that hold nothing are passed over")
            << QList<qint64>{2, 0, 1, 4} << QList<qint64>{-1, 1, 1, 1}
            << QStringList{"              -2 |                                         0",
                   "              -1 |@@@@@@@@@@@@@@@@@@@@                     1",
                   "               0 |                                         0",
                   "               1 |@@@@@@@@@@@@@@@@@@@@                     1",
                   "               2 |                                         0"};
        QTest::newRow("the middle, nothing below") << QList<qint64>{10, 2, 3, 10} << QList<qint64>{5, 1}
                                                   << QStringList{"            -100 |                                         0",
                                                          "     abs() < 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1",
                                                          "             100 |                                         0"};
        QTest::newRow("the middle comes first") << QList<qint64>{10, 2, 3, 10} << QList<qint64>{100, 1}
                                                << QStringList{"           < 100 |                                         0",
                                                       "             100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1",
                                                       "             200 |                                         0"};
    }
    void logLinearCharts()
    {
        QFETCH(QList<qint64>, parameters);
        QFETCH(QList<qint64>, valuesAndCounts);
        QFETCH(QStringList, rows);
        const auto a = make(Aggregator::Llquantize, {parameters[0], parameters[1], parameters[2], parameters[3]});
        std::vector<std::pair<std::int64_t, std::int64_t>> values;
        for (int i = 0; i < valuesAndCounts.size(); i += 2)
            values.emplace_back(valuesAndCounts[i], valuesAndCounts[i + 1]);
        QCOMPARE(rowsOf(chart(a, counted(a, values), 1)), rows);
    }
    void theDivisorDividesCountsNotBars()
    {
        QCOMPARE(rowsOf(chart(kQuantize, {64, 30, 65, 10}, 10)),
            (QStringList{"               0 |                                         0",
                "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3",
                "               2 |@@@@@@@@@@                               1",
                "               4 |                                         0"}));
    }
    void zoomMeasuresAgainstTheLargest()
    {
        // aggzoom: the largest takes 95 % of the width.
        QCOMPARE(
            rowsOf(chart(kQuantize, {64, 30, 65, 10}, 1, Scale::Largest)).at(1), QStringLiteral("               1 |%1   30").arg(QString(38, u'@')));
    }
};
QTEST_GUILESS_MAIN(TestCharts)
#include "tst_charts.moc"
