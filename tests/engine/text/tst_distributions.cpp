#include "engine/record/buckets.h"
#include "engine/text/tables.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using record::Aggregator;
using text::PrintedRow;
using Kind = PrintedRow::Kind;
using Rows = std::vector<PrintedRow>;
namespace {
PrintedRow value(std::int64_t at, std::int64_t count) { return {Kind::Value, at, count}; }
PrintedRow below(std::int64_t at, std::int64_t count) { return {Kind::Below, at, count}; }
PrintedRow atLeast(std::int64_t at, std::int64_t count) { return {Kind::AtLeast, at, count}; }
} // namespace

class TestDistributions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Distributions as the Solaris Dynamic Tracing Guide prints them (chapter "Aggregations"), and as bpftrace and
    /// DTrace's tests print those of llquantize.
    void theFunctionAndItsParametersAreFoundAgain_data()
    {
        QTest::addColumn<Rows>("rows");
        QTest::addColumn<Aggregator>("function");
        QTest::addColumn<QList<qint64>>("parameters");
        QTest::newRow("powers of two") << Rows{value(1024, 0), value(2048, 7), value(4096, 0), value(8192, 1)} << Aggregator::Quantize
                                       << QList<qint64>{0, 0, 0, 0};
        QTest::newRow("powers of two, negative too")
            << Rows{value(-2, 0), value(-1, 1), value(0, 3), value(1, 4), value(2, 0)} << Aggregator::Quantize << QList<qint64>{0, 0, 0, 0};
        QTest::newRow("steps of ten") << Rows{below(0, 1), value(0, 4), value(10, 0), value(20, 2)} << Aggregator::Lquantize
                                      << QList<qint64>{0, 30, 10, 0};
        QTest::newRow("steps to a limit") << Rows{value(90, 4), atLeast(100, 3)} << Aggregator::Lquantize << QList<qint64>{90, 100, 10, 0};
        QTest::newRow("steps below 0") << Rows{below(-100, 0), value(-100, 1), value(-50, 2), value(0, 1), value(50, 0), atLeast(100, 9)}
                                       << Aggregator::Lquantize << QList<qint64>{-100, 100, 50, 0};
        QTest::newRow("powers of two without the rows of no value") << Rows{value(1, 10), value(512, 3), value(1024, 7), value(8192, 1)}
                                                                    << Aggregator::Quantize << QList<qint64>{0, 0, 0, 0};
        QTest::newRow("logarithms of ten") << Rows{below(1, 1), value(1, 5), value(2, 3), value(3, 2), value(9, 1), value(10, 7),
            value(20, 5)} << Aggregator::Llquantize
                                           << QList<qint64>{10, 0, 1, 10};
    }
    void theFunctionAndItsParametersAreFoundAgain()
    {
        QFETCH(Rows, rows);
        QFETCH(Aggregator, function);
        QFETCH(QList<qint64>, parameters);
        const auto found = text::distributionOf(rows);
        QVERIFY(found);
        QVERIFY(found->shape.function == function);
        const auto& p = found->shape.parameters;
        QCOMPARE(QList<qint64>(p.begin(), p.end()), parameters);

        // Each count stands in the bucket that begins where its row says.
        QCOMPARE(found->buckets.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(found->buckets[i].second, rows[i].count);
            const auto range = record::bucketRange(found->shape, found->buckets[i].first);
            if (rows[i].kind == Kind::Value)
                QCOMPARE(rows[i].value < 0 && function == Aggregator::Quantize ? *range.high : *range.low, rows[i].value);
            if (rows[i].kind == Kind::AtLeast) QVERIFY(*range.low == rows[i].value && !range.high);
        }
    }

    void rowsOfNoDistributionAreNone_data()
    {
        QTest::addColumn<Rows>("rows");
        QTest::newRow("nothing") << Rows{};
        QTest::newRow("falling") << Rows{value(20, 1), value(10, 1)};
        QTest::newRow("the same twice") << Rows{value(4, 1), value(4, 1)};
        QTest::newRow("uneven steps") << Rows{value(0, 1), value(7, 1), value(1'001, 1), value(1'001'001, 1)};
    }
    void rowsOfNoDistributionAreNone()
    {
        QFETCH(Rows, rows);
        QVERIFY(!text::distributionOf(rows));
    }
};
QTEST_GUILESS_MAIN(TestDistributions)
#include "tst_distributions.moc"
