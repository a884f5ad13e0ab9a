#include "engine/decode/ledger.h"
#include "raw_records.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <limits>
using namespace dscope;
using namespace dscope::decode::test;
using decode::Decoder;
using record::Aggregator;
using Words = FakeMap::Words;
using Rows = std::map<std::uint64_t, Words>;

/// What printa(), clear() and trunc() show while the kernel goes on counting.
class TestLedger : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergesCpusByFunction_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("first");
        QTest::addColumn<QList<qint64>>("second");
        QTest::addColumn<QList<qint64>>("merged");
        const auto row = [](const char* name, Aggregator f, QList<qint64> a, QList<qint64> b, QList<qint64> sum) {
            QTest::newRow(name) << int(f) << a << b << sum;
        };
        row("count", Aggregator::Count, {3}, {4}, {7});
        row("sum", Aggregator::Sum, {-3}, {4}, {1});
        row("sum wraps", Aggregator::Sum, {std::numeric_limits<qint64>::max()}, {1}, {std::numeric_limits<qint64>::min()});
        row("min", Aggregator::Min, {-3}, {4}, {-3});
        row("max", Aggregator::Max, {-3}, {4}, {4});
        row("avg", Aggregator::Avg, {2, 10}, {3, 20}, {5, 30});
        row("stddev carries", Aggregator::Stddev, {1, 5, -1, 1}, {1, 6, 1, 2}, {2, 11, 0, 4});
    }
    void mergesCpusByFunction()
    {
        QFETCH(int, function);
        QFETCH(QList<qint64>, first);
        QFETCH(QList<qint64>, second);
        QFETCH(QList<qint64>, merged);
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator(function))), bench.namer, bench.map.reader());
        // Where the number of updates is the first word the map has it once.
        const bool counts = Aggregator(function) == Aggregator::Count || Aggregator(function) == Aggregator::Avg
            || Aggregator(function) == Aggregator::Stddev;
        const auto updates = [&](const QList<qint64>& words) { return counts ? std::uint64_t(words[0]) : 1; };
        const auto stored = [&](const QList<qint64>& words) { return Words(words.begin() + (counts ? 1 : 0), words.end()); };
        bench.map.set(key(1), 0, updates(first), stored(first));
        bench.map.set(key(1), 1, updates(second), stored(second));
        // A CPU on which nothing happened has no say, whatever its words are.
        bench.map.set(key(2), 0, updates(first), stored(first));
        bench.map.set(key(2), 1, 0, stored(second));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, Words(merged.begin(), merged.end())}, {2, Words(first.begin(), first.end())}}));
        QVERIFY(std::holds_alternative<record::AggregationRows>(bench.out[0]));
        QVERIFY(std::holds_alternative<record::Fired>(bench.out[1]));
    }
    void tellsOfBucketsThatHoldSomething()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Lquantize, {0, 50, 10, 0})), bench.namer, bench.map.reader());
        bench.map.set(key(1), 0, 4, {1, 0, 2, 0, 0, 0, 3});
        bench.map.set(key(1), 1, 1, {0, 0, 2, 1, 0, 0, 0});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {0, 1, 2, 4, 3, 1, 6, 3}}}));
    }
    void doesNotShowKeysThatWereNeverUpdated()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Sum)), bench.namer, bench.map.reader());
        bench.map.set(key(1), 0, 0, {0});
        bench.map.set(key(2), 1, 3, {0});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{2, {0}}}));
    }
    /// Places of the reading before are used again, and say nothing by themselves.
    void aKeyThatIsGoneIsNotShownAgain()
    {
        Bench bench;
        FakeMap later;
        bool isLater = false;
        const decode::MapReader reader = [&](MapId id, const auto& each) { return (isLater ? later : bench.map).reader()(id, each); };
        Decoder decoder(objectWith(aggregation(Aggregator::Avg)), bench.namer, reader);
        bench.map.set(key(1), 0, 2, {10});
        bench.map.set(key(2), 1, 3, {20});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {2, 10}}, {2, {3, 20}}}));
        later.set(key(2), 0, 1, {5});
        later.set(key(3), 0, 4, {7});
        isLater = true;
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{2, {1, 5}}, {3, {4, 7}}}));
    }
    /// Those of a recording are compared by who goes on with it.
    void rowsAreInTheOrderOfTheirKeys()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Count)), bench.namer, bench.map.reader());
        for (const std::uint64_t number : {0x0201ULL, 0x0102ULL, 0xff00ULL, 0x00ffULL, 1ULL << 60, 0ULL})
            bench.map.set(key(number), 0, 1, {});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        const auto& rows = std::get<record::AggregationRows>(bench.out[0]).rows;
        QCOMPARE(rows.size(), std::size_t{6});
        QVERIFY(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.key < b.key; }));
    }
    void keepsKeysWithNoDataAfterClear()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Avg)), bench.namer, bench.map.reader(), bench.map.taker());
        bench.map.set(key(1), 0, 2, {30});
        bench.map.set(key(2), 0, 1, {5});
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {2, 30}}, {2, {1, 5}}})); // the consumer clears these when it reaches the action
        bench.map.set(key(1), 0, 3, {34});
        bench.map.set(key(1), 1, 1, {1});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {2, 5}}, {2, {0, 0}}}));
        QVERIFY(bench.map.has(key(1)) && bench.map.has(key(2))); // not touched: no increment can be lost
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {0, 0}}, {2, {0, 0}}}));
    }
    void subtractsThe128BitsOfStddev()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Stddev)), bench.namer, bench.map.reader());
        bench.map.set(key(1), 0, 1, {5, -1, 1});
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        bench.map.set(key(1), 0, 2, {8, 8, 2});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {1, 3, 9, 0}}}));
    }
    void forgetsTheOldExtremesAtClear_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<qint64>("none");
        QTest::newRow("min") << int(Aggregator::Min) << std::numeric_limits<qint64>::max();
        QTest::newRow("max") << int(Aggregator::Max) << std::numeric_limits<qint64>::min();
    }
    void forgetsTheOldExtremesAtClear()
    {
        QFETCH(int, function);
        QFETCH(qint64, none);
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator(function))), bench.namer, bench.map.reader(), bench.map.taker());
        bench.map.set(key(1), 0, 2, {-30});
        bench.map.set(key(1), 1, 2, {30});
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {function == int(Aggregator::Min) ? -30 : 30}}}));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {none}}}));
        bench.map.set(key(1), 0, 1, {7}); // the kernel begins anew
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {7}}}));
    }
    void showsWhatTheKernelAddedBeforeAKeyWasTaken()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Max)), bench.namer, bench.map.reader(), lateTaker(bench.map));
        bench.map.set(key(1), 0, 1, {5});
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {7}}}));
    }
    void hidesTruncatedKeysUntilTheyAreUpdated()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Count)), bench.namer, bench.map.reader());
        bench.map.set(key(1), 0, 2, {});
        bench.map.set(key(2), 0, 1, {});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {2}}, {2, {1}}}));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY(bench.rows().empty());
        bench.map.set(key(2), 1, 4, {});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{2, {4}}}));
    }
    void takesQuietTruncatedKeysOutOfTheMap()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Count), 4), bench.namer, bench.map.reader(), bench.map.taker());
        bench.map.set(key(1), 0, 2, {});
        bench.map.set(key(2), 0, 1, {});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY(bench.map.has(key(1)) && bench.map.has(key(2)));
        bench.map.set(key(2), 0, 2, {});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY(!bench.map.has(key(1)));
        QVERIFY(bench.map.has(key(2)));
        QVERIFY((bench.rows() == Rows{{2, {1}}}));
        bench.map.set(key(1), 0, 1, {}); // it is back, from the beginning
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {1}}, {2, {1}}}));
    }
    void leavesQuietKeysInAMapWithRoom()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Sum), 100), bench.namer, bench.map.reader(), bench.map.taker());
        bench.map.set(key(1), 0, 2, {20});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {20}}}));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY(bench.rows().empty() && bench.map.has(key(1)));
        bench.map.set(key(1), 0, 3, {27});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {7}}}));
    }
    void losesNothingThatComesWhileAKeyIsTakenOut()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Sum), 2), bench.namer, bench.map.reader(), lateTaker(bench.map));
        bench.map.set(key(1), 0, 2, {20});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {7}}}));
        bench.map.set(key(1), 0, 1, {100});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {107}}}));
    }
    /// As on kernels where programs aggregate elsewhere meanwhile.
    void keepsWhatCameElsewhereWhileAKeyWasTaken()
    {
        Bench bench;
        const auto taker
            = [&bench, taker = bench.map.taker()](std::span<const MapId> maps, std::span<const Bytes> keys, const decode::EachTaken& each) {
                  if (auto taken = taker(maps, keys, each); !taken) return taken;
                  FakeMap aside;
                  for (const auto k : {1, 2, 3})
                      aside.set(key(static_cast<std::uint64_t>(k)), 1, 1, {100});
                  return aside.reader()(MapId{1}, each);
              };
        Decoder decoder(objectWith(aggregation(Aggregator::Sum), 4), bench.namer, bench.map.reader(), taker);
        bench.map.set(key(1), 0, 1, {1});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        bench.map.set(key(2), 0, 1, {2});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver)); // key 1 is quiet, and leaves
        QVERIFY(!bench.map.has(key(1)));
        QVERIFY((bench.rows() == Rows{{1, {100}}, {2, {102}}, {3, {100}}}));
        bench.map.set(key(2), 0, 2, {12});
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {100}}, {2, {112}}, {3, {100}}}));
        bench.map.set(key(2), 0, 3, {15});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{2, {3}}}));
    }
    void addsWhatCpusHaveInSlots()
    {
        Bench bench;
        bench.map.set(key(1), 0, 2, {20});
        Bytes held = bytesOf(slot(object::SlotState::Ready, 1, 3, 30), slot(object::SlotState::Taken, 2, 5, 50), // CPU 0
            slot(object::SlotState::Free, 0, 0, 0), slot(object::SlotState::Ready, 4, 1, 7));                    // CPU 1
        Decoder decoder(objectWithSlots(100), bench.namer, withSlots(bench.map, held), bench.map.taker());
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {50}}, {4, {7}}}));
        bench.map.set(key(1), 0, 3, {21});
        held = bytesOf(slot(object::SlotState::Ready, 1, 4, 40), slot(object::SlotState::Ready, 2, 1, 9),
            slot(object::SlotState::Ready, 1, 1, 100), slot(object::SlotState::Ready, 4, 1, 7));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {111}}, {2, {9}}, {4, {0}}}));
    }
    /// What slots hold stays there, and would be counted twice.
    void leavesQuietKeysThatHaveASlot()
    {
        Bench bench;
        bench.map.set(key(1), 0, 2, {20});
        bench.map.set(key(2), 0, 2, {20});
        Bytes held = bytesOf(slot(object::SlotState::Ready, 1, 1, 5), slot(object::SlotState::Free, 0, 0, 0));
        Decoder decoder(objectWithSlots(2), bench.namer, withSlots(bench.map, held), bench.map.taker());
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {25}}, {2, {20}}}));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY(bench.rows().empty());
        QVERIFY(bench.map.has(key(1)) && !bench.map.has(key(2)));
        held = bytesOf(slot(object::SlotState::Ready, 1, 2, 6), slot(object::SlotState::Free, 0, 0, 0));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QVERIFY((bench.rows() == Rows{{1, {1}}}));
    }
    void keepsTheLargestOrTheSmallest_data()
    {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<QList<quint64>>("left");
        QTest::newRow("2 largest") << qint64(2) << QList<quint64>{2, 4};
        QTest::newRow("2 smallest") << qint64(-2) << QList<quint64>{1, 3};
        QTest::newRow("more than there are") << qint64(9) << QList<quint64>{1, 2, 3, 4};
        QTest::newRow("none") << qint64(0) << QList<quint64>{};
    }
    void keepsTheLargestOrTheSmallest()
    {
        QFETCH(qint64, count);
        QFETCH(QList<quint64>, left);
        Bench bench;
        Decoder decoder(objectWith(aggregation(Aggregator::Sum)), bench.namer, bench.map.reader(), bench.map.taker());
        bench.map.set(key(1), 0, 1, {-5});
        bench.map.set(key(2), 0, 1, {50});
        bench.map.set(key(3), 0, 1, {7});
        bench.map.set(key(4), 0, 1, {20});
        QVERIFY(decoder.ring(firing(kTruncatesTo, bytesOf(std::int64_t{count})), bench.deliver));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QList<quint64> seen;
        for (const auto& [k, data] : bench.rows())
            seen.append(k);
        QCOMPARE(seen, left);
        if (left.contains(2)) QVERIFY((bench.rows().at(2) == Words{50}));
    }
    void clearsAndPrintsInOneClause()
    {
        Bench bench;
        auto object = objectWith(aggregation(Aggregator::Count));
        const auto one = object.schema.clauses;
        object.schema.clauses[0].actions = {one[0].actions[0], one[1].actions[0], one[2].actions[0]};
        Decoder decoder(object, bench.namer, bench.map.reader());
        bench.map.set(key(1), 0, 3, {});
        QVERIFY(decoder.ring(firing(0), bench.deliver));
        QCOMPARE(bench.all<record::AggregationRows>().size(), 1U);
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QVERIFY(bench.rows().empty()); // cleared, and then truncated
    }
    void foldsAsTheKernelAggregates()
    {
        const auto folded = [](record::Aggregation a, std::initializer_list<std::int64_t> values) {
            const decode::Arithmetic arithmetic(a);
            decode::Total total;
            for (const auto value : values)
                arithmetic.fold(total, value, 1);
            return arithmetic.data(total);
        };
        QVERIFY((folded(aggregation(Aggregator::Count), {5, 6}) == Words{2}));
        QVERIFY((folded(aggregation(Aggregator::Sum), {5, -6}) == Words{-1}));
        QVERIFY((folded(aggregation(Aggregator::Min), {5, -6}) == Words{-6}));
        QVERIFY((folded(aggregation(Aggregator::Max), {-5, -6}) == Words{-5}));
        QVERIFY((folded(aggregation(Aggregator::Avg), {5, -6}) == Words{2, -1}));
        QVERIFY((folded(aggregation(Aggregator::Stddev), {3, -4}) == Words{2, -1, 25, 0}));
        // (2^63)^2 = 2^126
        QVERIFY((folded(aggregation(Aggregator::Stddev), {std::numeric_limits<std::int64_t>::min()})
            == Words{1, std::numeric_limits<std::int64_t>::min(), 0, std::int64_t{1} << 62}));
        QVERIFY((folded(aggregation(Aggregator::Quantize), {0, 1, 3, -1}) == Words{62, 1, 63, 1, 64, 1, 65, 1}));
    }

private:
    static Bytes key(std::uint64_t k) { return bytesOf(k); }
    /// A slot of a sum.
    using Slot = std::array<std::uint64_t, 4>;
    static Slot slot(object::SlotState state, std::uint64_t key, std::uint64_t updates, std::uint64_t sum)
    {
        return {static_cast<std::uint64_t>(state), key, updates, sum};
    }
    static object::Object objectWithSlots(std::uint32_t most)
    {
        auto object = objectWith(aggregation(Aggregator::Sum), most);
        object.aggregationFronts = {object::Object::Front{kSlots, 2, 8, 16}};
        return object;
    }
    static decode::MapReader withSlots(const FakeMap& map, const Bytes& held)
    {
        return [reader = map.reader(), &held](MapId id, const auto& each) -> Result<> {
            if (id.value != kSlots.value) return reader(id, each);
            each(Bytes(4), held);
            return {};
        };
    }
    static constexpr MapId kSlots{7};
    /// The kernel adds 7 between our reading and our taking.
    static decode::MapTaker lateTaker(FakeMap& map)
    {
        return [&map, taker = map.taker()](std::span<const MapId> maps, std::span<const Bytes> keys, const decode::EachTaken& each) {
            for (const auto& k : keys)
                map.set(k, 1, 1, {7});
            return taker(maps, keys, each);
        };
    }
};
QTEST_GUILESS_MAIN(TestLedger)
#include "tst_ledger.moc"
