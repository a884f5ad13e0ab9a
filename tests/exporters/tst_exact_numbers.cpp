// needs: graph/models engine/record
// Integers of 64 bits have all their digits in each format. The truth is what was put in: decimal text that no double made.
#include "exporters/exporter.h"
#include "graph/number.h"
#include "graph/store.h"
#include "tests/support/streams.h"
#include <QJsonDocument>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <sstream>
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
// 2^53 + 1, 2^63 - 1, 2^62 + 1: the next doubles are ...992, ...808 and ...904.
constexpr std::int64_t kJustAbove = 9007199254740993, kLargest = INT64_MAX, kAnother = 4611686018427387905;
const QByteArrayList kDigits{"9007199254740993", "9223372036854775807", "4611686018427387905"};
const QByteArrayList kRounded{"9007199254740992", "9223372036854775808", "9223372036854775800", "4611686018427387904", "9.2", "e+1"};

/// Amounts by two names, so that each view of amounts shows them.
Stream amounts(Aggregator function)
{
    Stream s;
    auto p = program("syscall::openat:entry { @[execname, copyinstr(arg1)] = f(x); }", {"syscall::openat:entry"});
    p.aggregations = {aggregation("", function, function == Aggregator::Count ? "" : "x", {textKey("execname"), textKey("copyinstr(arg1)")})};
    begin(s, p);
    const auto data = [&](std::int64_t value) {
        return function == Aggregator::Avg ? std::vector<std::int64_t>{1, value} : std::vector<std::int64_t>{value};
    };
    std::vector<record::AggregationRow> all;
    all.push_back({Key().text("a").text("/x").bytes(), data(kJustAbove)});
    all.push_back({Key().text("b").text("/y").bytes(), data(kLargest)});
    all.push_back({Key().text("c").text("/z").bytes(), data(kAnother)});
    s.emplace_back(rows(0, all));
    s.emplace_back(end(3 * kSecond));
    return s;
}
QByteArray written(const Visual& visual, std::string_view suffix)
{
    for (const auto& exporter : exporters::all()) {
        if (exporter->suffix() != suffix) continue;
        std::ostringstream out;
        if (!exporter->accepts(visual) || !exporter->write(visual, {}, out)) return {};
        return QByteArray::fromStdString(out.str());
    }
    return {};
}
std::unique_ptr<Visual> viewOf(const Stream& stream, std::string_view name)
{
    Store store;
    for (const auto& record : stream)
        store.take(record);
    for (const auto& kind : kinds())
        if (kind.name == name && kind.fits(store)) return kind.make(store);
    return nullptr;
}
} // namespace

class TestExactNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachFormatHasAllDigits_data()
    {
        QTest::addColumn<QByteArray>("view");
        QTest::addColumn<QByteArray>("suffix");
        QTest::addColumn<int>("function");
        const QList<std::pair<QByteArray, QByteArrayList>> kFormats{{"bars", {"csv", "tsv", "rows.json", "prom", "svg"}},
            {"table", {"csv", "tsv", "rows.json", "txt"}}, {"graph", {"csv", "gexf", "graphml", "dot", "svg"}}};
        for (const auto function : {Aggregator::Sum, Aggregator::Max, Aggregator::Avg, Aggregator::Count})
            for (const auto& [view, suffixes] : kFormats) {
                if (view == "graph" && function != Aggregator::Sum && function != Aggregator::Count) continue; // it shows what adds up
                for (const auto& suffix : suffixes)
                    QTest::addRow("%s.%s, %d", view.constData(), suffix.constData(), static_cast<int>(function)) << view << suffix << static_cast<int>(function);
            }
    }
    void eachFormatHasAllDigits()
    {
        QFETCH(QByteArray, view);
        QFETCH(QByteArray, suffix);
        QFETCH(int, function);
        const auto visual = viewOf(amounts(static_cast<Aggregator>(function)), view.toStdString());
        QVERIFY(visual);
        const auto text = written(*visual, suffix.toStdString());
        QVERIFY(!text.isEmpty());
        for (const auto& digits : kDigits)
            QVERIFY2(text.contains(digits), text);
        for (const auto& digits : kRounded)
            QVERIFY2(suffix == "svg" || suffix == "dot" || suffix == "gexf" || suffix == "graphml" || !text.contains(digits), text + "\nhas " + digits);
    }

    /// JSON's numbers have any digits; Python reads integers as they are.
    void pythonReadsRowsJson()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
        const auto visual = viewOf(amounts(Aggregator::Max), "bars");
        QVERIFY(visual);
        QProcess python;
        python.start("python3", {"-c", "import json,sys; print(*sorted(r[-1] for r in json.load(sys.stdin)['rows']))"});
        python.write(written(*visual, "rows.json"));
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished(60'000));
        QCOMPARE(python.readAllStandardOutput().trimmed(), QByteArray("9007199254740993 4611686018427387905 9223372036854775807"));
    }

    /// What two runs differ by, too.
    void numbersAddAndDifferExactly()
    {
        const Number one(std::int64_t{kJustAbove}), other(std::int64_t{1});
        QCOMPARE((one - other).whole(), std::int64_t{9007199254740992});
        QCOMPARE((one + other).whole(), std::int64_t{9007199254740994});
        QVERIFY(one > Number(std::int64_t{9007199254740992}) && !(one < Number(std::int64_t{9007199254740992})));
        QVERIFY(!(one == Number(std::int64_t{9007199254740992})));
        QVERIFY(!(Number(kLargest) + other).isWhole()); // no int64_t: it goes on as a double
        QCOMPARE((Number(kLargest) + other).whole(), kLargest);
        QCOMPARE(Number(-1e300).whole(), std::int64_t{INT64_MIN});
        QCOMPARE(Number(2.5).whole(), std::int64_t{2});
    }
};
QTEST_GUILESS_MAIN(TestExactNumbers)
#include "tst_exact_numbers.moc"
