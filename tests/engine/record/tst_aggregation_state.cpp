// What clear, trunc and normalize do to rows, and in which order rows come.
#include "engine/record/aggregation_state.h"
#include "engine/record/sort.h"
#include <QObject>
#include <QTest>
#include <cmath>
#include <limits>
using namespace dscope;
using namespace dscope::record;

namespace {
Aggregation keyed(Aggregator f, std::vector<Field> keys = {{FieldKind::Int, 0, 8, "k", "int64_t"}})
{
    Aggregation a;
    a.function = f;
    a.keys = std::move(keys);
    for (const auto& k : a.keys)
        a.keySize = std::max(a.keySize, k.offset + k.size);
    return a;
}
AggregationRow row(std::int64_t key, std::vector<std::int64_t> data)
{
    ByteWriter w;
    w.put(key);
    return {w.take(), std::move(data)};
}
std::vector<std::int64_t> keysOf(const std::vector<AggregationRow>& rows)
{
    std::vector<std::int64_t> keys;
    for (const auto& r : rows)
        keys.push_back(readAt<std::int64_t>(r.key, 0));
    return keys;
}
using Keys = std::vector<std::int64_t>;

/// A state with one aggregation of sums, keys 1... with these values.
AggregationState sums(const std::vector<std::int64_t>& values)
{
    AggregationState s({keyed(Aggregator::Sum)});
    AggregationRows rows;
    for (std::size_t i = 0; i < values.size(); ++i)
        rows.rows.push_back(row(std::int64_t(i) + 1, {values[i]}));
    s.take(rows);
    return s;
}
/// An action on the first aggregation with one 8-byte argument, and its payload.
void act(AggregationState& s, ActionKind kind, std::optional<std::int64_t> argument = {})
{
    Action a;
    a.kind = kind;
    a.aggregations = {AggregationId{0}};
    ByteWriter payload;
    if (argument) {
        a.fields = {{FieldKind::Int, 0, 8, "n", "int64_t"}};
        payload.put(*argument);
    }
    s.apply(a, payload.bytes());
}
} // namespace

class TestAggregationState : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// As of option aggpercpu: the second aggregation has the keys of the first and one more.
    void finerRowsLeaveWithTheirKeys()
    {
        const Field key{FieldKind::Int, 0, 8, "k", "int64_t"}, cpu{FieldKind::Int, 8, 4, "cpu", "int"};
        AggregationState s({keyed(Aggregator::Sum), keyed(Aggregator::Sum, {key, cpu})});
        s.take({AggregationId{0}, {}, {row(1, {5}), row(2, {9}), row(3, {7})}});
        AggregationRows finer{AggregationId{1}, {}, {}};
        for (const std::int64_t k : {1, 2, 2, 3}) {
            ByteWriter w;
            w.put(k);
            w.put(std::int32_t(finer.rows.size()));
            finer.rows.push_back({w.take(), {1}});
        }
        s.take(finer);
        Action a;
        a.kind = ActionKind::Trunc;
        a.aggregations = {AggregationId{0}, AggregationId{1}};
        a.fields = {{FieldKind::Int, 0, 8, "n", "int64_t"}};
        ByteWriter payload;
        payload.put(std::int64_t(2));
        s.apply(a, payload.bytes());
        QCOMPARE(keysOf(s.entry(AggregationId{0}).rows), (Keys{2, 3}));
        QCOMPARE(keysOf(s.entry(AggregationId{1}).rows), (Keys{2, 2, 3}));
    }
    void truncKeepsTheLargestOrTheSmallest_data()
    {
        QTest::addColumn<int>("keep");
        QTest::addColumn<QList<qint64>>("left");
        QTest::newRow("5 largest of 4") << 5 << QList<qint64>{1, 2, 3, 4};
        QTest::newRow("2 largest") << 2 << QList<qint64>{2, 4};
        QTest::newRow("2 smallest") << -2 << QList<qint64>{1, 3};
        QTest::newRow("none") << 0 << QList<qint64>{};
    }
    void truncKeepsTheLargestOrTheSmallest()
    {
        QFETCH(int, keep);
        QFETCH(QList<qint64>, left);
        auto s = sums({10, 40, 20, 30});
        act(s, ActionKind::Trunc, keep);
        auto keys = keysOf(s.entry(AggregationId{0}).rows);
        std::sort(keys.begin(), keys.end());
        QCOMPARE(QList<qint64>(keys.begin(), keys.end()), left);
    }
    void truncWithoutANumberEmpties()
    {
        auto s = sums({10, 40});
        act(s, ActionKind::Trunc);
        QVERIFY(s.entry(AggregationId{0}).rows.empty());
    }
    void clearKeepsTheKeys()
    {
        auto s = sums({10, 40});
        act(s, ActionKind::Clear);
        QVERIFY(keysOf(s.entry(AggregationId{0}).rows) == (Keys{1, 2}));
        for (const auto& r : s.entry(AggregationId{0}).rows)
            QVERIFY(r.data == std::vector<std::int64_t>{0});
    }
    void normalizeLastsUntilDenormalize()
    {
        auto s = sums({10});
        act(s, ActionKind::Normalize, 5);
        QCOMPARE(s.entry(AggregationId{0}).divisor, 5);
        act(s, ActionKind::Clear);
        QCOMPARE(s.entry(AggregationId{0}).divisor, 5);
        act(s, ActionKind::Denormalize);
        QCOMPARE(s.entry(AggregationId{0}).divisor, 1);
        act(s, ActionKind::Normalize, 0);
        QCOMPARE(s.entry(AggregationId{0}).divisor, 1);
    }
    void whatNamesNoAggregationOfOursIsIgnored()
    {
        AggregationState s({keyed(Aggregator::Sum)});
        AggregationRows rows;
        rows.aggregation = AggregationId{7};
        s.take(rows);
        Action a;
        a.kind = ActionKind::Trunc;
        a.aggregations = {AggregationId{7}};
        s.apply(a, {});
        QCOMPARE(s.aggregations().size(), std::size_t(1));
    }
    void averagesAndDeviations_data()
    {
        QTest::addColumn<QList<qint64>>("values");
        QTest::addColumn<int>("divisor");
        QTest::newRow("one") << QList<qint64>{5} << 1;
        QTest::newRow("several") << QList<qint64>{10, 20, 30, 40, 50} << 1;
        QTest::newRow("negative") << QList<qint64>{-7, -9, 12, -100} << 1;
        QTest::newRow("large") << QList<qint64>{4000000000000000000, -4000000000000000000, 1000000000000000000} << 1;
        QTest::newRow("times") << QList<qint64>{1700000000000000000, 1700000000000000100, 1700000000000000200} << 1;
    }
    void averagesAndDeviations()
    {
        QFETCH(QList<qint64>, values);
        QFETCH(int, divisor);
        std::int64_t sum = 0;
        __extension__ unsigned __int128 squares = 0;
        for (const auto v : values) {
            sum = std::int64_t(std::uint64_t(sum) + std::uint64_t(v));
            __extension__ const __int128 wide = v;
            squares += static_cast<decltype(squares)>(wide * wide);
        }
        const std::vector<std::int64_t> data{
            values.size(), sum, std::int64_t(std::uint64_t(squares)), std::int64_t(std::uint64_t(squares >> 64))};
        const std::int64_t average = sum / values.size() / divisor;
        QCOMPARE(scalarOf(Aggregator::Avg, data, divisor), average);
        const long double exact = std::sqrt(static_cast<long double>(squares / static_cast<decltype(squares)>(values.size())
            - static_cast<decltype(squares)>(average) * static_cast<decltype(squares)>(average)));
        QVERIFY(std::fabs(static_cast<long double>(scalarOf(Aggregator::Stddev, data, divisor)) - exact) <= 1.0L + exact * 1e-15L);
    }
    void deviationOfTheGuide()
    {
        // 10, 20, 30, 40, 50: DTrace for Linux prints 14 (test/unittest/aggs/tst.clearstddev and others).
        QCOMPARE(scalarOf(Aggregator::Stddev, {5, 150, 5500, 0}), 14);
        QCOMPARE(scalarOf(Aggregator::Avg, {0, 0}), 0);
        QCOMPARE(scalarOf(Aggregator::Stddev, {0, 0, 0, 0}), 0);
    }
    void rowsAreSorted_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QList<qint64>>("keys");
        // values: 1 -> 30, 2 -> 10, 3 -> 30, -1 -> 20
        QTest::newRow("by value, ties by key") << "" << QList<qint64>{2, -1, 1, 3};
        QTest::newRow("reversed") << "aggsortrev" << QList<qint64>{3, 1, -1, 2};
        QTest::newRow("by key, unsigned") << "aggsortkey" << QList<qint64>{1, 2, 3, -1};
        QTest::newRow("by key, reversed") << "aggsortkey aggsortrev" << QList<qint64>{-1, 3, 2, 1};
    }
    void rowsAreSorted()
    {
        QFETCH(QString, options);
        QFETCH(QList<qint64>, keys);
        std::map<std::string, std::string> set;
        for (const auto& o : options.split(u' ', Qt::SkipEmptyParts))
            set[o.toStdString()] = "";
        const auto a = keyed(Aggregator::Sum);
        std::vector<AggregationRow> rows{row(1, {30}), row(2, {10}), row(3, {30}), row(-1, {20})};
        sortRows(a, rows, sortOrder(set));
        const auto got = keysOf(rows);
        QCOMPARE(QList<qint64>(got.begin(), got.end()), keys);
    }
    void theKeyPositionDecidesFirst()
    {
        const auto a = keyed(Aggregator::Sum, {{FieldKind::Int, 0, 4, "a", "int"}, {FieldKind::String, 4, 4, "b", "string"}});
        const auto make = [](std::int32_t n, const char* s) {
            ByteWriter w;
            w.put(n);
            char text[4] = {};
            std::strncpy(text, s, 3);
            w.raw(std::as_bytes(std::span(text)));
            return w.take();
        };
        const Bytes x = make(1, "z"), y = make(2, "a");
        QVERIFY(compareKeys(a, x, y) < 0);
        QVERIFY(compareKeys(a, x, y, 1) > 0);
        QVERIFY(compareKeys(a, x, y, 2) < 0); // there is no third
        QCOMPARE(compareKeys(a, x, x), 0);
        QCOMPARE(sortOrder({{"aggsortkeypos", "1"}, {"aggsortpos", "2"}}).keyPosition, std::size_t(1));
        QCOMPARE(sortOrder({{"aggsortkeypos", "1"}, {"aggsortpos", "2"}}).position, std::size_t(2));
    }
    void distributionsAreComparedByWeightThenByTheirZeros()
    {
        const auto q = keyed(Aggregator::Quantize);
        const std::vector<std::int64_t> small{64, 3}, large{66, 1}, zeros{63, 9, 64, 3};
        QVERIFY(compareData(q, small, large) < 0); // 3 * 1 < 1 * 4
        QVERIFY(compareData(q, small, zeros) < 0);
        QCOMPARE(compareData(q, small, small), 0);
        auto l = keyed(Aggregator::Lquantize);
        l.parameters = {0, 10, 1, 0};
        QVERIFY(compareData(l, {0, 5}, {2, 1}) < 0); // below base weighs -1 each
        QVERIFY(compareData(l, {11, 1}, {10, 1}) > 0);
    }
    void averagesAreComparedAsAverages()
    {
        const auto a = keyed(Aggregator::Avg);
        QVERIFY(compareData(a, {10, 100}, {1, 11}) < 0);
        QVERIFY(compareData(keyed(Aggregator::Count), {-1}, {1}) < 0);
    }
    void severalAggregationsAreJoinedByKey()
    {
        AggregationState s({keyed(Aggregator::Count), keyed(Aggregator::Max)});
        AggregationRows first, second;
        first.rows = {row(1, {5}), row(2, {7})};
        second.aggregation = AggregationId{1};
        second.rows = {row(2, {1}), row(3, {9})};
        s.take(first);
        s.take(second);
        const std::vector<AggregationId> ids{AggregationId{0}, AggregationId{1}};
        auto joined = joinRows(s, ids, {});
        QCOMPARE(joined.size(), std::size_t(3)); // missing counts as 0: 3, then 1, then 2
        QCOMPARE(readAt<std::int64_t>(*joined[0].key, 0), 3);
        QVERIFY(!joined[0].rows[0] && joined[0].rows[1]->data[0] == 9);
        QVERIFY(joined[2].rows[0]->data[0] == 7 && joined[2].rows[1]->data[0] == 1);
        joined = joinRows(s, ids, {.position = 1});
        QCOMPARE(readAt<std::int64_t>(*joined[0].key, 0), 1);
        QCOMPARE(readAt<std::int64_t>(*joined[2].key, 0), 3);
    }
    void dataMustBeOfItsFunction()
    {
        const std::vector<std::int64_t> one{1}, two{63, 1}, back{64, 1, 63, 1}, beyond{127, 1};
        QVERIFY(wellFormed(keyed(Aggregator::Count), one));
        QVERIFY(!wellFormed(keyed(Aggregator::Avg), one));
        QVERIFY(wellFormed(keyed(Aggregator::Quantize), two));
        QVERIFY(!wellFormed(keyed(Aggregator::Quantize), one));
        QVERIFY(!wellFormed(keyed(Aggregator::Quantize), back));
        QVERIFY(!wellFormed(keyed(Aggregator::Quantize), beyond));
    }
};
QTEST_GUILESS_MAIN(TestAggregationState)
#include "tst_aggregation_state.moc"
