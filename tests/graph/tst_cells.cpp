#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/cells.h"
#include <map>
#include <random>
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
using Data = record::AggregationData;
using All = std::map<std::uint32_t, Data>;
Cells packed(const All& all)
{
    Cells cells;
    for (const auto& [key, data] : all)
        cells.add(key, data);
    return cells;
}
All unpacked(const Cells& cells)
{
    All all;
    for (const auto& [key, data] : cells)
        all[key] = data;
    return all;
}
} // namespace

class CellsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsPackedComesOutAgain_data()
    {
        QTest::addColumn<QList<quint32>>("keys");
        QTest::addColumn<QList<qint64>>("data");
        QTest::newRow("nothing") << QList<quint32>() << QList<qint64>();
        QTest::newRow("one") << QList<quint32>{0} << QList<qint64>{1};
        QTest::newRow("no data") << QList<quint32>{5} << QList<qint64>();
        QTest::newRow("far apart") << QList<quint32>{0, 1, 127, 128, 129, 1'000'000, UINT32_MAX - 1} << QList<qint64>{7, 0};
        QTest::newRow("extremes") << QList<quint32>{3, 4} << QList<qint64>{INT64_MIN, INT64_MAX, -1, 0, 63, 64, -64, -65};
    }
    void whatIsPackedComesOutAgain()
    {
        QFETCH(QList<quint32>, keys);
        QFETCH(QList<qint64>, data);
        All all;
        for (const auto key : keys)
            all[key] = Data(data.begin(), data.end());
        const auto cells = packed(all);
        QCOMPARE(cells.size(), all.size());
        QCOMPARE(cells.empty(), all.empty());
        QVERIFY(unpacked(cells) == all);
        for (const auto& [key, each] : all)
            QVERIFY(cells.at(key) == each);
    }
    void bothTogetherAreWhatTheyAreAsMaps()
    {
        std::mt19937 random(3);
        for (int i = 0; i < 200; ++i) {
            All one, other, both;
            for (auto* all : {&one, &other})
                for (auto left = random() % 20; left > 0; --left)
                    (*all)[static_cast<std::uint32_t>(random() % 30)] = {static_cast<std::int64_t>(random() % 1000) - 500};
            both = one;
            for (const auto& [key, data] : other)
                record::addData(record::Aggregator::Sum, both[key], data);
            QVERIFY(unpacked(Cells::merged(record::Aggregator::Sum, packed(one), packed(other))) == both);
        }
    }
    void aCountThatGrewByLittleTakesThreeBytes()
    {
        Cells cells;
        for (std::uint32_t key = 0; key < 1000; ++key)
            cells.add(key, {5});
        cells.shrinkToFit();
        QCOMPARE(cells.bytes(), std::size_t{3000});
    }
};
QTEST_GUILESS_MAIN(CellsTest)
#include "tst_cells.moc"
