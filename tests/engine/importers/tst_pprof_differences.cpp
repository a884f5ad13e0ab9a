// needs: engine/importers
// Profiles of pprof whose values are below 0, and whose units have short names.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray varint(std::uint64_t n)
{
    QByteArray out;
    for (; n > 127; n >>= 7)
        out += static_cast<char>((n & 127) | 128);
    return out + static_cast<char>(n);
}
QByteArray number(int field, std::int64_t n)
{
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(n));
}
QByteArray bytes(int field, const QByteArray& b)
{
    return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(static_cast<std::uint64_t>(b.size())) + b;
}
/// Functions "fast" and "slow", each a location, with a value each. Source: github.com/google/pprof, proto/profile.proto
QByteArray profile(const QByteArray& unit, std::int64_t fast, std::int64_t slow)
{
    QByteArray out = bytes(1, number(1, 1) + number(2, 2));
    for (const int id : {1, 2})
        out += bytes(5, number(1, id) + number(2, 2 + id)) + bytes(4, number(1, id) + bytes(4, number(1, id)));
    out += bytes(2, number(1, 1) + number(2, fast)) + bytes(2, number(1, 2) + number(2, slow));
    for (const QByteArray& text : {QByteArray(), QByteArray("cpu"), unit, QByteArray("fast"), QByteArray("slow")})
        out += bytes(6, text);
    return out;
}
} // namespace

class TestPprofDifferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void valuesBelowZeroAreOfTheRunBefore()
    {
        const auto imported = read("pprof", profile("nanoseconds", 70'000'000, -50'000'000));
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "cpu"), QByteArray("fast 70000000\n"));
        QVERIFY2(warningsOf(*imported).contains("cpu 70000000 nanoseconds more, 50000000 less"), warningsOf(*imported));
        QCOMPARE(imported->comparedWith.size(), std::size_t{2});
        QVERIFY(std::holds_alternative<record::Program>(imported->comparedWith.front()));
        text::Imported before;
        before.records = imported->comparedWith;
        QCOMPARE(stacksOf(before, "cpu"), QByteArray("slow 50000000\n"));
    }

    void valuesThatAreAllBelowZeroAreDrawnAndTold()
    {
        const auto imported = read("pprof", profile("ms", -7, INT64_MIN));
        QVERIFY(imported);
        QVERIFY(imported->comparedWith.empty());
        QCOMPARE(stacksOf(*imported, "cpu"), QByteArray("slow 9223372036854775807\n")); // the larger one: both have no room in 64 bits
        QVERIFY2(warningsOf(*imported).contains("all of them are below 0"), warningsOf(*imported));
    }

    void unitsHaveShortNames_data()
    {
        QTest::addColumn<qlonglong>("by");
        QTest::addColumn<int>("is");
        const auto row = [](const char* name, qlonglong by, record::StackUnit is) { QTest::newRow(name) << by << static_cast<int>(is); };
        row("ns", 1, record::StackUnit::Time);
        row("us", 1'000, record::StackUnit::Time);
        row("ms", 1'000'000, record::StackUnit::Time);
        row("milliseconds", 1'000'000, record::StackUnit::Time);
        row("s", 1'000'000'000, record::StackUnit::Time);
        row("B", 1, record::StackUnit::Bytes);
        row("kB", 1024, record::StackUnit::Bytes);
        row("KiB", 1024, record::StackUnit::Bytes);
        row("MB", 1 << 20, record::StackUnit::Bytes);
        row("GB", 1 << 30, record::StackUnit::Bytes);
        row("count", 1, record::StackUnit::Count);
        row("widgets", 1, record::StackUnit::Unknown);
    }
    void unitsHaveShortNames()
    {
        QFETCH(qlonglong, by);
        QFETCH(int, is);
        const auto imported = read("pprof", profile(QTest::currentDataTag(), 5, 3));
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "cpu"), "fast " + QByteArray::number(5 * by) + "\nslow " + QByteArray::number(3 * by) + '\n');
        QCOMPARE(static_cast<int>(std::get<record::CountedStacks>(imported->records.front()).unit), is);
    }
};
QTEST_GUILESS_MAIN(TestPprofDifferences)
#include "tst_pprof_differences.moc"
