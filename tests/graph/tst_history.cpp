#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/record/aggregation_data.h"
#include "graph/history.h"
#include "tests/support/streams.h"
#include <numeric>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Data = std::vector<std::int64_t>;
std::vector<record::AggregationRow> row(std::string_view key, Data data) { return {{Key().text(key).bytes(), std::move(data)}}; }
std::int64_t sumOf(const History& history)
{
    std::int64_t sum = 0;
    for (const auto& interval : history.intervals())
        for (const auto& [key, data] : interval.data)
            sum += data.at(0);
    return sum;
}
} // namespace

class HistoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anIntervalHoldsWhatCameInSinceTheOneBefore_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<Data>("first");
        QTest::addColumn<Data>("second");
        QTest::addColumn<Data>("came");
        const auto add = [](const char* name, Aggregator f, Data first, Data second, Data came) {
            QTest::newRow(name) << static_cast<int>(f) << first << second << came;
        };
        add("count", Aggregator::Count, {7}, {19}, {12});
        add("sum that falls", Aggregator::Sum, {7}, {-5}, {-12});
        add("sum beyond the largest number", Aggregator::Sum, {INT64_MAX}, {INT64_MIN + 4}, {5});
        add("min, which can't be taken apart", Aggregator::Min, {7}, {3}, {3});
        add("max", Aggregator::Max, {7}, {9}, {9});
        add("avg", Aggregator::Avg, {2, 20}, {5, 50}, {3, 30});
        // 1, 1: squares 2; then 2, 2 more: squares 10
        add("stddev", Aggregator::Stddev, {2, 2, 2, 0}, {4, 6, 10, 0}, {2, 4, 8, 0});
        add("stddev that carries", Aggregator::Stddev, {1, 1, -1, 0}, {2, 2, 3, 1}, {1, 1, 4, 0});
        add("quantize", Aggregator::Quantize, {64, 3, 70, 5}, {64, 3, 66, 2, 70, 9}, {66, 2, 70, 4});
    }
    void anIntervalHoldsWhatCameInSinceTheOneBefore()
    {
        QFETCH(int, function);
        QFETCH(Data, first);
        QFETCH(Data, second);
        QFETCH(Data, came);
        History h(static_cast<Aggregator>(function), kStart);
        h.take(kStart + kSecond, row("a", first));
        h.take(kStart + 2 * kSecond, row("a", second));
        const auto all = h.intervals();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].data.at(0), first);
        QCOMPARE(all[1].data.at(0), came);
        QCOMPARE(all[0].from, kStart);
        QCOMPARE(all[1].to, kStart + 2 * kSecond);
        // Both together are what the kernel holds.
        auto both = all[0].data.at(0);
        record::addData(static_cast<Aggregator>(function), both, all[1].data.at(0));
        QCOMPARE(both, second);
    }
    void afterAClearThereIsNothingToTakeAway()
    {
        History h(Aggregator::Count, kStart);
        for (int i = 1; i <= 3; ++i) {
            h.take(kStart + i * kSecond, row("a", {10 * i}));
            h.mark();
            h.reset(row("a", {0}));
        }
        const auto all = h.intervals();
        QCOMPARE(all.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(all[i].data.at(0).at(0), static_cast<std::int64_t>(10 * (i + 1)));
    }
    void whereTheProgramPrintsThereIntervalsEnd()
    {
        History h(Aggregator::Count, kStart);
        for (int i = 1; i <= 50; ++i) { // a front end looks on ten times a second, the program prints once
            h.take(kStart + i * kSecond / 10, row("a", {i}));
            if (i % 10 == 0) h.mark();
        }
        QCOMPARE(h.intervals().size(), std::size_t{5});
        QCOMPARE(sumOf(h), std::int64_t{50});
    }
    void aProgramThatPrintsOnceAtItsEndHasTheIntervalsOfTheFrontEnd()
    {
        History h(Aggregator::Count, kStart);
        for (int i = 1; i <= 50; ++i)
            h.take(kStart + i * kSecond / 10, row("a", {i}));
        h.mark();
        QCOMPARE(h.intervals().size(), std::size_t{50});
    }
    void theRestAfterTheLastTickIsNoIntervalOfItsOwn()
    {
        History h(Aggregator::Count, kStart);
        h.take(kStart + kSecond, row("a", {10}));
        h.take(kStart + 2 * kSecond, row("a", {30}));
        h.take(kStart + 2 * kSecond + 100'000, row("a", {31}));
        const auto all = h.intervals();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[1].data.at(0).at(0), std::int64_t{21});
    }
    void snapshotsThatBecomeRarerGiveIntervalsOfOneLength()
    {
        History h(Aggregator::Count, kStart);
        std::int64_t at = kStart, n = 0;
        for (const auto step : {100, 200, 400})
            for (int i = 0; i < 20; ++i)
                h.take(at += step * kMillisecond, row("a", {++n}));
        for (const auto& interval : h.intervals())
            QCOMPARE(interval.to - interval.from, 400 * kMillisecond);
        QCOMPARE(sumOf(h), n);
    }
    void aLongRunIsBoundedAndLosesNothing()
    {
        History h(Aggregator::Count, kStart);
        for (int i = 1; i <= 100'000; ++i) {
            h.take(kStart + i * kSecond, row(i % 2 ? "a" : "b", {i}));
            h.mark();
            h.reset({});
        }
        const auto all = h.intervals();
        QVERIFY(all.size() <= History::kMostIntervals);
        QCOMPARE(sumOf(h), std::int64_t{100'000} * 100'001 / 2);
        for (std::size_t i = 1; i < all.size(); ++i)
            QCOMPARE(all[i].from, all[i - 1].to);
    }
    void manyKeysAreBounded()
    {
        constexpr std::size_t kMost = 256U << 10U;
        History h(Aggregator::Count, kStart, kMost);
        std::vector<record::AggregationRow> rows;
        for (int k = 0; k < 10'000; ++k)
            rows.push_back({Key().number(k).bytes(), {0}});
        for (int i = 1; i <= 60; ++i) {
            for (auto& r : rows)
                ++r.data[0];
            h.take(kStart + i * kSecond, rows);
        }
        QCOMPARE(sumOf(h), std::int64_t{10'000} * 60);
        QVERIFY(h.bytes() - h.keys().bytes() < 2 * kMost); // with the rows that the next ones are compared to
        QVERIFY(h.bounds().step >= 2 * kSecond); // intervals stand together, and that is told
        QCOMPARE(h.bounds().keysGone, std::uint64_t{0});
    }
    void whatIsKeptAsItWasReadIsNotToldOf()
    {
        History h(Aggregator::Count, kStart);
        for (int i = 1; i <= 500; ++i) {
            h.take(kStart + i * kSecond, row("a", {i}));
            h.mark();
        }
        QCOMPARE(h.bounds().step, std::int64_t{0});
    }
    void keysThatCameAndWentAreBoundedTheLeastGoAndAreCounted()
    {
        History h(Aggregator::Count, kStart);
        constexpr int kEach = 50'000, kTimes = 12;
        for (int i = 0; i < kTimes; ++i) {
            std::vector<record::AggregationRow> rows{{Key().number(-1).bytes(), {1'000'000}}, {Key().number(-2).bytes(), {i + 1}}};
            for (int k = 0; k < kEach; ++k)
                rows.push_back({Key().number(i * kEach + k).bytes(), {1}});
            h.take(kStart + (i + 1) * kSecond, rows);
            h.mark();
            h.reset({{Key().number(-2).bytes(), {i + 1}}}); // the other keys are truncated
        }
        QVERIFY(h.keys().size() <= History::kMostKeys + kEach);
        QCOMPARE(h.keys().size() + h.bounds().keysGone, std::size_t{kTimes * kEach + 2});
        QVERIFY(h.bounds().keysGone > 0);
        // The heaviest stays, whole; so does what the aggregation has, and its next rows are compared to what is known of it.
        std::int64_t heavy = 0, steady = 0;
        for (const auto& each : h.sums()) {
            if (each.key == Key().number(-1).bytes()) heavy = each.data[0];
            if (each.key == Key().number(-2).bytes()) steady = each.data[0];
        }
        QCOMPARE(heavy, std::int64_t{1'000'000} * kTimes);
        QCOMPARE(steady, std::int64_t{kTimes});
    }
    void rowsComeInAnyOrderAndMayLeaveKeysOut()
    {
        History h(Aggregator::Sum, kStart);
        const auto key = [](int n) { return Key().number(n).bytes(); };
        h.take(kStart + kSecond, {{key(3), {30}}, {key(1), {10}}, {key(2), {-20}}});
        h.take(kStart + 2 * kSecond, {{key(2), {-25}}, {key(3), {31}}});
        h.take(kStart + 3 * kSecond, {{key(1), {12}}, {key(2), {-25}}});
        const auto all = h.intervals();
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[1].data.size(), std::size_t{2});
        QCOMPARE(all[1].data.at(2), Data{-5}); // numbers are in the order of their coming: 3, 1, 2
        QCOMPARE(all[1].data.at(0), Data{1});
        QCOMPARE(all[2].data.size(), std::size_t{1});
        QCOMPARE(all[2].data.at(1), Data{2});
    }
};
QTEST_GUILESS_MAIN(HistoryTest)
#include "tst_history.moc"
