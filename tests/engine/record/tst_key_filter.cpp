#include "engine/record/key_filter.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::test;
namespace {
/// What is left of rows that are keyed by a program and a number, of others keyed by the number alone, and of firings that record both.
struct Left {
    std::vector<std::int64_t> both, number;
    int fired = 0, exits = 0;
};
Left leftBy(std::vector<record::KeyValue> keys)
{
    auto p = program("syscall:::entry { @a[execname, arg0] = count(); @b[arg0] = count(); printf(\"%s %d\", execname, arg0); }", {"syscall:::entry"});
    p.aggregations = {aggregation("a", Aggregator::Count, "", {textKey("execname"), numberKey("arg0")}),
        aggregation("b", Aggregator::Count, "", {numberKey("arg0")})};
    p.clauses.resize(1);
    p.clauses[0].actions = {{record::ActionKind::Printf, "%s %d", p.aggregations[0].keys, {}}};
    record::KeyFilter filter(std::move(keys));
    Left left;
    const auto take = [&](const record::Record& r) {
        const auto passed = filter(r);
        if (!passed) return;
        if (const auto* rows = std::get_if<record::AggregationRows>(&*passed))
            for (const auto& row : rows->rows)
                (rows->aggregation.value == 0 ? left.both : left.number).push_back(row.data[0]);
        left.fired += std::holds_alternative<record::Fired>(*passed);
        left.exits += std::holds_alternative<record::Exit>(*passed);
    };
    take(p);
    take(rows(0,
        {{Key().text("cat").number(3).bytes(), {1}}, {Key().text("cat").number(-4).bytes(), {2}}, {Key().text("cats").number(3).bytes(), {4}}}));
    take(rows(1, {{Key().number(3).bytes(), {8}}, {Key().number(-4).bytes(), {16}}}));
    for (const auto* name : {"cat", "dd"})
        take(record::Fired{ClauseId{0}, ProbeId{1}, 0, 1, 1, record::Nanoseconds(5), Key().text(name).number(3).bytes()});
    take(end(kSecond));
    return left;
}
std::vector<record::KeyValue> asked(const QList<QByteArray>& keys)
{
    std::vector<record::KeyValue> out;
    for (const auto& key : keys)
        out.push_back({key.split('=')[0].toStdString(), key.split('=')[1].toStdString()});
    return out;
}
} // namespace

class TestKeyFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Parts of another tool's stacks: each key by whichever count has it.
    void onlyPartsOfTheKeysAreLeft_data()
    {
        QTest::addColumn<QList<QByteArray>>("keys");
        QTest::addColumn<QList<int>>("amounts");
        QTest::newRow("text") << QList<QByteArray>{"execname=cat"} << QList<int>{1, 4};
        QTest::newRow("of the other count") << QList<QByteArray>{"cpu=0"} << QList<int>{1, 2};
        QTest::newRow("both") << QList<QByteArray>{"execname=cat", "cpu=1"} << QList<int>{4};
        QTest::newRow("no such value") << QList<QByteArray>{"cpu=7"} << QList<int>{};
        QTest::newRow("no such key") << QList<QByteArray>{"uid=0"} << QList<int>{};
    }
    void onlyPartsOfTheKeysAreLeft()
    {
        QFETCH(QList<QByteArray>, keys);
        QFETCH(QList<int>, amounts);
        record::KeyFilter filter(asked(keys));
        const auto part = [](const char* name, std::int64_t cpu, std::int64_t amount) {
            return record::StackParts::Part{{}, {}, {Key().text(name).bytes(), Key().number(cpu).bytes()}, amount, {{0, amount}}};
        };
        const record::StackParts all{{aggregation("threads", Aggregator::Count, "", {textKey("execname")}),
                                         aggregation("cpus", Aggregator::Count, "", {numberKey("cpu")})},
            "samples", true, true, {part("cat", 0, 1), part("dd", 0, 2), part("cat", 1, 4)}};
        const auto left = std::get<record::StackParts>(*filter(all));
        QList<int> got;
        for (const auto& one : left.parts)
            got << static_cast<int>(one.amount);
        QCOMPARE(got, amounts);
        QVERIFY(!left.isWhole);
    }
    void onlyRowsOfTheKeyAreLeft_data()
    {
        QTest::addColumn<QList<QByteArray>>("keys");
        QTest::addColumn<QList<int>>("both");
        QTest::addColumn<QList<int>>("number");
        QTest::addColumn<int>("fired");
        QTest::newRow("none asked") << QList<QByteArray>{} << QList<int>{1, 2, 4} << QList<int>{8, 16} << 2;
        QTest::newRow("text, whole") << QList<QByteArray>{"execname=cat"} << QList<int>{1, 2} << QList<int>{} << 1;
        QTest::newRow("number") << QList<QByteArray>{"arg0=3"} << QList<int>{1, 4} << QList<int>{8} << 2;
        QTest::newRow("negative") << QList<QByteArray>{"arg0=-4"} << QList<int>{2} << QList<int>{16} << 0;
        QTest::newRow("both") << QList<QByteArray>{"execname=cat", "arg0=3"} << QList<int>{1} << QList<int>{} << 1;
        QTest::newRow("no such value") << QList<QByteArray>{"execname=ca"} << QList<int>{} << QList<int>{} << 0;
        QTest::newRow("no such key") << QList<QByteArray>{"pid=3"} << QList<int>{} << QList<int>{} << 0;
    }
    void onlyRowsOfTheKeyAreLeft()
    {
        QFETCH(QList<QByteArray>, keys);
        QFETCH(QList<int>, both);
        QFETCH(QList<int>, number);
        QFETCH(int, fired);
        const auto left = leftBy(asked(keys));
        QCOMPARE(QList<int>(left.both.begin(), left.both.end()), both);
        QCOMPARE(QList<int>(left.number.begin(), left.number.end()), number);
        QCOMPARE(left.fired, fired);
        QCOMPARE(left.exits, 1); // everything else passes
    }
};
QTEST_GUILESS_MAIN(TestKeyFilter)
#include "tst_key_filter.moc"
