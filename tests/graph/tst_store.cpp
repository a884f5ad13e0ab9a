#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/store.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
record::Fired fired(std::int64_t number)
{
    return {ClauseId{0}, ProbeId{7}, 1, 4242, 4242, record::Nanoseconds(kStart + number), Key().text("cat").text("file").bytes()};
}
/// A program that prints, without what it has printed.
void begin(Store& store)
{
    for (const auto& r : opened({}))
        if (!std::holds_alternative<record::Exit>(r)) store.take(r);
}
} // namespace

class StoreTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whileARunGoesOnViewsHaveTheNewestFirings_data()
    {
        QTest::addColumn<int>("came");
        QTest::addColumn<int>("shown");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("fewer") << 99 << 99;
        QTest::newRow("as many") << 100 << 100;
        QTest::newRow("more") << 150 << 100;
        QTest::newRow("many more") << 12'345 << 100;
    }
    void whileARunGoesOnViewsHaveTheNewestFirings()
    {
        QFETCH(int, came);
        QFETCH(int, shown);
        Store store;
        store.showNewest(100);
        begin(store);
        for (int i = 0; i < came; ++i)
            store.take(fired(i));
        QCOMPARE(store.fired().size(), static_cast<std::size_t>(shown));
        QCOMPARE(store.firedNotShown(), static_cast<std::uint64_t>(came - shown));
        if (came > 0) QCOMPARE(store.fired().back().when.count(), kStart + came - 1);
        if (came > 0) QCOMPARE(store.fired().front().when.count(), kStart + came - shown);

        // At its end they have all, and are made again.
        const auto before = store.generation();
        store.showNewest(0);
        QCOMPARE(store.fired().size(), static_cast<std::size_t>(came));
        QCOMPARE(store.firedNotShown(), std::uint64_t{0});
        QCOMPARE(store.generation() > before, came > shown);
    }
    void whatHasNoRoomIsCounted()
    {
        Store store;
        store.showNewest(10);
        begin(store);
        QVERIFY(store.bounds() == Store::Bounds());
        for (std::size_t i = 0; i < Store::kFiredKept + 5; ++i)
            store.take(fired(static_cast<std::int64_t>(i)));
        QCOMPARE(store.bounds().fired, std::uint64_t{5});
        QCOMPARE(store.fired().back().when.count(), kStart + static_cast<std::int64_t>(Store::kFiredKept) + 4);
        store.showNewest(0);
        QCOMPARE(store.fired().size(), Store::kFiredKept);
        QCOMPARE(store.firedNotKept(), std::uint64_t{5});
    }
};
QTEST_GUILESS_MAIN(StoreTest)
#include "tst_store.moc"
