#include "engine/decode/kernel_rows.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>
using namespace dscope;
using decode::Arithmetic;
using decode::KernelRows;
using decode::Total;

/// What the rows have after readings, beside a std::map that was given the same.
class TestKernelRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areWhatTheLastReadingSaw_data()
    {
        QTest::addColumn<bool>("sorted");
        QTest::addColumn<int>("twice");
        QTest::newRow("in the same order, new ones in between, some gone") << true << 0;
        QTest::newRow("in another order each time") << false << 0;
        QTest::newRow("some in two maps") << true << 30;
        QTest::newRow("in another order, some in two maps") << false << 30;
    }
    void areWhatTheLastReadingSaw()
    {
        QFETCH(bool, sorted);
        QFETCH(int, twice);
        std::mt19937 random(7);
        const auto chance = [&random](int percent) { return int(random() % 100) < percent; };
        record::Aggregation sum;
        sum.function = record::Aggregator::Sum;
        const Arithmetic arithmetic(sum);
        KernelRows rows(arithmetic.words());
        std::vector<std::uint64_t> keys;
        for (int reading = 0; reading < 40; ++reading) {
            std::erase_if(keys, [&](auto) { return chance(reading % 10 == 9 ? 90 : 3); });
            for (int fresh = int(random() % 200); fresh > 0; --fresh)
                keys.insert(keys.begin() + std::ptrdiff_t(random() % (keys.size() + 1)), random() % 1000);
            std::sort(keys.begin(), keys.end());
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            if (!sorted) std::shuffle(keys.begin(), keys.end(), random);
            std::map<std::uint64_t, std::pair<std::uint64_t, std::int64_t>> expected;
            rows.begin();
            for (int map = 0; map < 2; ++map)
                for (const auto key : keys) {
                    if (map == 1 && !chance(twice)) continue;
                    const Total total{1 + random() % 5, {std::int64_t(random() % 1000) - 500}};
                    rows.add(std::as_bytes(std::span(&key, 1)), total, arithmetic);
                    expected[key].first += total.updates;
                    expected[key].second += total.words[0];
                }
            rows.end();

            QCOMPARE(rows.size(), expected.size());
            Total total;
            for (KernelRows::Row row = 0; row < rows.size(); ++row) {
                std::uint64_t key = 0;
                std::memcpy(&key, rows.key(row).data(), sizeof key);
                rows.total(row, total);
                QCOMPARE(rows.updates(row), total.updates);
                QCOMPARE(std::pair(total.updates, total.words.at(0)), expected.at(key));
                QCOMPARE(rows.find(rows.key(row)), std::optional(row));
            }
        }
    }
    void whatIsRemovedIsNotFound()
    {
        record::Aggregation count;
        count.function = record::Aggregator::Count;
        const Arithmetic arithmetic(count);
        KernelRows rows(arithmetic.words());
        const auto key = [](const std::uint32_t& number) { return std::as_bytes(std::span(&number, 1)); };
        QVERIFY(!rows.find(key(1)));
        rows.begin();
        for (std::uint32_t i = 0; i < 100; ++i)
            rows.add(key(i), {i + 1, {i + 1}}, arithmetic);
        rows.end();
        rows.removeIf([](ByteView bytes) { return std::to_integer<int>(bytes[0]) % 2 == 1; });
        QCOMPARE(rows.size(), std::size_t(50));
        for (std::uint32_t i = 0; i < 100; ++i)
            QCOMPARE(rows.total(key(i)).updates, i % 2 == 1 ? 0U : i + 1);
        QVERIFY(!rows.find({}));
    }
};
QTEST_GUILESS_MAIN(TestKernelRows)
#include "tst_kernel_rows.moc"
