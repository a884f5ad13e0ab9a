// Buckets of quantize, lquantize and llquantize: each value in exactly one, and in the one that dtrace puts it in.
#include "engine/record/buckets.h"
#include <QObject>
#include <QTest>
#include <limits>
using namespace dscope::record;

namespace {
Aggregation make(Aggregator f, std::array<std::int64_t, 4> p = {})
{
    Aggregation a;
    a.function = f;
    a.parameters = p;
    return a;
}
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
} // namespace

class TestBuckets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rangesBeginAtTheirBounds()
    {
        Aggregation a;
        a.function = Aggregator::Ranges;
        QVERIFY(!hasBuckets(a));
        a.bounds = {-4, 0, 12, 14, 1024};
        QVERIFY(hasBuckets(a) && areBounds(a.bounds));
        QCOMPARE(bucketCount(a), 6);
        for (const auto& [value, bucket] : {std::pair<std::int64_t, int>{kMin, 0}, {-5, 0}, {-4, 1}, {-1, 1}, {0, 2}, {11, 2}, {12, 3}, {13, 3},
                 {14, 4}, {1023, 4}, {1024, 5}, {kMax, 5}}) {
            QCOMPARE(bucketOf(a, value), bucket);
            const auto range = bucketRange(a, bucket);
            QVERIFY((!range.low || *range.low <= value) && (!range.high || value <= *range.high));
        }
        QVERIFY(!bucketRange(a, 0).low && *bucketRange(a, 0).high == -5);
        QVERIFY(*bucketRange(a, 3).low == 12 && *bucketRange(a, 3).high == 13);
        QVERIFY(*bucketRange(a, 5).low == 1024 && !bucketRange(a, 5).high);
        auto other = a;
        QVERIFY(sameBuckets(a, other));
        other.bounds.back() = 2048;
        QVERIFY(!sameBuckets(a, other));
    }
    void boundsAscendAndHaveValuesBelowThem()
    {
        QVERIFY(!areBounds({}));
        QVERIFY(!areBounds({3, 3}));
        QVERIFY(!areBounds({3, 2}));
        QVERIFY(!areBounds({kMin, 2}));
        QVERIFY(areBounds({kMin + 1}));
        QVERIFY(!areBounds(std::vector<std::int64_t>(kMostBounds + 1)));
    }
    void aValueLiesWithinItsBucket_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("parameters");
        QTest::newRow("quantize") << int(Aggregator::Quantize) << QList<qint64>{0, 0, 0, 0};
        QTest::newRow("lquantize 0..100 by 1") << int(Aggregator::Lquantize) << QList<qint64>{0, 100, 1, 0};
        QTest::newRow("lquantize -10..11 by 3") << int(Aggregator::Lquantize) << QList<qint64>{-10, 11, 3, 0};
        QTest::newRow("lquantize without step") << int(Aggregator::Lquantize) << QList<qint64>{-2, 2, 0, 0};
        QTest::newRow("llquantize 10 0 6 20") << int(Aggregator::Llquantize) << QList<qint64>{10, 0, 6, 20};
        QTest::newRow("llquantize 10 0 6 10") << int(Aggregator::Llquantize) << QList<qint64>{10, 0, 6, 10};
        QTest::newRow("llquantize 10 1 3 5") << int(Aggregator::Llquantize) << QList<qint64>{10, 1, 3, 5};
        QTest::newRow("llquantize 10 0 3 1") << int(Aggregator::Llquantize) << QList<qint64>{10, 0, 3, 1};
        QTest::newRow("llquantize 4 4 6 32") << int(Aggregator::Llquantize) << QList<qint64>{4, 4, 6, 32};
        QTest::newRow("llquantize 2 0 62 2") << int(Aggregator::Llquantize) << QList<qint64>{2, 0, 62, 2};
        QTest::newRow("llquantize 3 3 5 27") << int(Aggregator::Llquantize) << QList<qint64>{3, 3, 5, 27};
    }
    void aValueLiesWithinItsBucket()
    {
        QFETCH(int, function);
        QFETCH(QList<qint64>, parameters);
        const auto a = make(Aggregator(function), {parameters[0], parameters[1], parameters[2], parameters[3]});
        const int count = bucketCount(a);
        QVERIFY(count >= 3);
        const auto check = [&](std::int64_t value) {
            const int bucket = bucketOf(a, value);
            const auto range = bucketRange(a, bucket);
            const bool in = bucket >= 0 && bucket < count && (!range.low || *range.low <= value) && (!range.high || value <= *range.high);
            if (!in) qWarning("value %lld in bucket %d of %d", static_cast<long long>(value), bucket, count);
            return in;
        };
        for (std::int64_t v = -3000; v <= 3000; ++v)
            QVERIFY(check(v));
        for (int bit = 11; bit < 63; ++bit)
            for (std::int64_t d = -2; d <= 2; ++d) {
                QVERIFY(check((std::int64_t{1} << bit) + d));
                QVERIFY(check(-(std::int64_t{1} << bit) + d));
            }
        QVERIFY(check(kMin) && check(kMax));
        // And the ranges tile the integers: each begins where the one before ends.
        std::optional<std::int64_t> end;
        for (int b = 0; b < count; ++b) {
            const auto range = bucketRange(a, b);
            if (range.low && range.high && *range.low > *range.high) continue;
            if (end && *end != kMax) QCOMPARE(range.low.value_or(kMin), *end + 1);
            end = range.high.value_or(kMax);
        }
        QVERIFY(*end == kMax);
    }
    void quantizeCountsPowersOfTwo_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<qint64>("printed");
        for (const qint64 v : {0, 1, 2, 4, 8, 1024})
            QTest::addRow("%lld", v) << v << v;
        QTest::newRow("3") << qint64(3) << qint64(2);
        QTest::newRow("-1") << qint64(-1) << qint64(-1);
        QTest::newRow("-3") << qint64(-3) << qint64(-2);
        QTest::newRow("-4") << qint64(-4) << qint64(-4);
        QTest::newRow("max") << qint64(kMax) << (qint64(1) << 62);
        QTest::newRow("min") << qint64(kMin) << -(qint64(1) << 62);
    }
    void quantizeCountsPowersOfTwo()
    {
        QFETCH(qint64, value);
        QFETCH(qint64, printed);
        QCOMPARE(qint64(quantizeValue(bucketOf(make(Aggregator::Quantize), value))), printed);
    }
    void logLinearStepsAreThoseOfDtrace_data()
    {
        // Source: DTrace for Linux, test/unittest/aggs/tst.llquantize_basic: which label a value is counted under.
        QTest::addColumn<QList<qint64>>("parameters");
        QTest::addColumn<qint64>("value");
        QTest::addColumn<qint64>("label");
        const auto row = [](const char* name, QList<qint64> p, qint64 v, qint64 l) { QTest::newRow(name) << p << v << l; };
        row("fewer steps: 3", {4, 0, 1, 2}, 3, 2);
        row("fewer steps: 6", {4, 0, 1, 2}, 6, 4);
        row("fewer steps: -12", {4, 0, 1, 2}, -12, -8);
        row("fewer steps: -20", {4, 0, 1, 2}, -20, -16);
        row("as many: 6", {4, 0, 1, 4}, 6, 4);
        row("as many: 12", {4, 0, 1, 4}, 12, 12);
        row("more: 5", {4, 0, 1, 8}, 5, 4);
        row("more: 6", {4, 0, 1, 8}, 6, 6);
        row("more: -15", {4, 0, 1, 8}, -15, -14);
        row("large: -9728", {4, 4, 6, 32}, -4096 - 11 * 512, -9728);
        row("large: 255", {4, 4, 6, 32}, 255, 0);
        row("large: 1024", {4, 4, 6, 32}, 1024, 1024);
        row("one step: 99", {10, 0, 3, 1}, 99, 10);
    }
    void logLinearStepsAreThoseOfDtrace()
    {
        QFETCH(QList<qint64>, parameters);
        QFETCH(qint64, value);
        QFETCH(qint64, label);
        const auto a = make(Aggregator::Llquantize, {parameters[0], parameters[1], parameters[2], parameters[3]});
        QCOMPARE(qint64(bucketWeight(a, bucketOf(a, value))), label);
    }
    void impossibleParametersHaveNoBuckets()
    {
        QCOMPARE(bucketCount(make(Aggregator::Lquantize, {5, 5, 1, 0})), 0);
        QCOMPARE(bucketCount(make(Aggregator::Lquantize, {0, 1000000, 1, 0})), 0);
        QCOMPARE(bucketCount(make(Aggregator::Llquantize, {0, 0, 6, 20})), 0);
        QCOMPARE(bucketCount(make(Aggregator::Llquantize, {10, 6, 0, 20})), 0);
        QCOMPARE(bucketCount(make(Aggregator::Llquantize, {10, 0, kMax, 20})), 0);
        QCOMPARE(bucketCount(make(Aggregator::Sum)), 0);
    }
};
QTEST_GUILESS_MAIN(TestBuckets)
#include "tst_buckets.moc"
