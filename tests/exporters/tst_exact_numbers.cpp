// needs: graph/models engine/record
// Integers of 64 bits have all their digits in each format. The truth is what was put in: decimal text that no double made.
#include "exporters/exporter.h"
#include "graph/number.h"
#include "graph/ranking.h"
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
        QCOMPARE(plainNumber(Number(kLargest) + other), std::string("9223372036854775808")); // no int64_t
        QCOMPARE((Number(kLargest) + other).whole(), kLargest);
        QCOMPARE(plainNumber(Number(std::int64_t{INT64_MIN}) - other), std::string("-9223372036854775809"));
        QCOMPARE(plainNumber(Number(std::uint64_t{UINT64_MAX})), std::string("18446744073709551615"));
        QVERIFY(Number(std::uint64_t{UINT64_MAX}) > Number(kLargest));
        QCOMPARE(Number(-1e300).whole(), std::int64_t{INT64_MIN});
        QCOMPARE(Number(2.5).whole(), std::int64_t{2});
    }
    /// Counts of buckets, and what they sum up to.
    void bucketsHaveAllDigits()
    {
        Stream s;
        auto p = program("BEGIN { @ = quantize(1, x); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Quantize, "x", {textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("a").bytes(), {power(0), kJustAbove, power(1), -3}}, {Key().text("b").bytes(), {power(0), -kLargest}},
                                   {Key().text("c").bytes(), {power(0), kLargest, power(2), kAnother}}}));
        s.emplace_back(end(3 * kSecond));
        for (const auto* suffix : {"csv", "tsv", "rows.json"}) {
            const auto text = written(*viewOf(s, "histogram"), suffix);
            for (const QByteArray number : {"9007199254740993", "-3", "-9223372036854775807", "9223372036854775807", "4611686018427387905"})
                QVERIFY2(text.contains(number), text);
        }
        QVERIFY(written(*viewOf(s, "histogram"), "svg").contains("data-count=\"9007199254740993\""));
        const auto csv = written(*viewOf(s, "histogram"), "csv");
        QVERIFY2(csv.startsWith("execname,low,high,count\r\n"), csv);
    }
    /// A sum of nodes may be more than 64 bits hold; nothing is lost of it, and the largest comes first.
    void sumsAbove64BitsHaveAllDigits()
    {
        Stream s;
        auto p = program("BEGIN { @[execname, probefunc] = sum(x); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Sum, "x", {textKey("execname"), textKey("probefunc")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("a").text("x").bytes(), {kLargest}}, {Key().text("a").text("y").bytes(), {kLargest}}, {Key().text("b").text("y").bytes(), {kLargest}},
                                   {Key().text("a").text("z").bytes(), {kLargest}}}));
        s.emplace_back(end(3 * kSecond));
        for (const auto* suffix : {"dot", "gexf", "graphml"}) {
            const auto text = written(*viewOf(s, "graph"), suffix);
            QVERIFY2(text.contains("27670116110564327421") && text.contains("18446744073709551614"), text);
        }
        // What int64_t has no room for is no "long".
        QVERIFY(written(*viewOf(s, "graph"), "graphml").contains("for=\"node\" attr.name=\"value\" attr.type=\"string\""));
        QVERIFY(written(*viewOf(s, "graph"), "graphml").contains("for=\"edge\" attr.name=\"value\" attr.type=\"long\""));
        QVERIFY(written(*viewOf(s, "graph"), "gexf").contains("<attribute id=\"1\" title=\"value\" type=\"long\"/>"));
    }
    void keysAreOrderedByAllTheirDigits()
    {
        const auto isBefore = [](std::string a, std::string b) { return isBeforeByName({std::move(a)}, {std::move(b)}); };
        QVERIFY(isBefore("5", "18446744073709551610") && isBefore("9223372036854775807", "9223372036854775808"));
        QVERIFY(isBefore("-9223372036854775808", "-5") && isBefore("-5", "3") && !isBefore("18446744073709551610", "9"));
    }
    /// Who decides by the first rows what a column is must see decimals there.
    void averagesHaveDecimalsInEveryRow()
    {
        Stream s;
        auto p = program("BEGIN { @a[execname] = avg(x); @c[execname] = count(); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("a", Aggregator::Avg, "x", {textKey("execname")}), aggregation("s", Aggregator::Stddev, "x", {textKey("execname")}),
            aggregation("c", Aggregator::Count, "", {textKey("execname")})};
        begin(s, p);
        const auto key = [](const char* name) { return Key().text(name).bytes(); };
        s.emplace_back(rows(0, {{key("whole"), {1, 5}}, {key("half"), {2, 3}}, {key("large"), {2, 2 * kJustAbove + 1}}, {key("below"), {3, -2}}}));
        // Values 10^15 and 10^15 + 6 are 3 away from their mean; their squares sum up to 2 * 10^30 + 12 * 10^15 + 36,
        // which is 108420217248 * 2^64 + 10165888540610527268.
        s.emplace_back(rows(1, {{key("half"), {2, 2'000'000'000'000'006, -8280855533099024348, 108420217248}}, {key("whole"), {1, 4, 16, 0}}}));
        s.emplace_back(rows(2, {{key("whole"), {7}}, {key("half"), {2}}}));
        s.emplace_back(end(3 * kSecond));
        QCOMPARE(written(*viewOf(s, "bars"), "csv"),
            QByteArray("execname,a,s,c\r\nlarge,9007199254740993.50,,\r\nwhole,5.00,0.00,7\r\nhalf,1.50,3.00,2\r\nbelow,-0.67,,\r\n"));
        const auto json = written(*viewOf(s, "bars"), "rows.json");
        QVERIFY2(json.contains("[\"whole\",5.00,0.00,7]") && json.contains("[\"large\",9007199254740993.50,null,null]"), json);
        QVERIFY(written(*viewOf(s, "table"), "tsv").contains("whole\t5.00\t"));
    }
    /// A column has decimals in each row as soon as one has them, whatever it is of.
    void noColumnBecomesFractionsLate()
    {
        Stream s;
        auto p = program("BEGIN { @c[execname] = sum(x); normalize(@c, 4); }", {"dtrace:::BEGIN"});
        record::Action divide;
        divide.kind = record::ActionKind::Normalize;
        divide.aggregations = {AggregationId{0}};
        divide.fields = {Field{FieldKind::Int, 0, 8, "4", "int64_t"}};
        p.clauses.front().actions = {divide};
        p.clauses.front().payloadSize = 8;
        p.aggregations = {aggregation("c", Aggregator::Sum, "x", {textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("whole").bytes(), {800}}, {Key().text("part").bytes(), {10}}, {Key().text("little").bytes(), {0}}}));
        record::Fired fired;
        fired.probe = ProbeId{101};
        fired.payload = Key().number(4).bytes();
        s.emplace_back(fired);
        s.emplace_back(end(3 * kSecond));
        QCOMPARE(written(*viewOf(s, "bars"), "csv"), QByteArray("execname,c\r\nwhole,200.00\r\npart,2.50\r\nlittle,0.00\r\n"));
    }
    void smallFractionsDoNotVanish()
    {
        QCOMPARE(decimalNumber(0.0), std::string("0.00"));
        QCOMPARE(decimalNumber(1.0 / 3), std::string("0.33"));
        QCOMPARE(decimalNumber(0.0004), std::string("0.00040"));
        QCOMPARE(decimalNumber(-0.00123), std::string("-0.0012"));
        QCOMPARE(decimalNumber(Number(std::int64_t{7})), std::string("7.00"));
    }
    /// An edge of a negative amount, and one of none, are in each file, and the figure says that it does not draw them.
    void negativeAmountsAreInEachFile()
    {
        Stream s;
        auto p = program("BEGIN { @[execname, probefunc] = sum(x); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Sum, "x", {textKey("execname"), textKey("probefunc")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("curl").text("d").bytes(), {3}}, {Key().text("e").text("d").bytes(), {-2}}, {Key().text("f").text("g").bytes(), {0}}}));
        s.emplace_back(end(3 * kSecond));
        const auto graph = viewOf(s, "graph");
        for (const auto* suffix : {"csv", "tsv"}) {
            const auto text = written(*graph, suffix).replace('\t', ',');
            QVERIFY2(text.contains("execname,e,probefunc,d,-2") && text.contains("execname,f,probefunc,g,0"), text);
        }
        QVERIFY(written(*graph, "rows.json").contains("[\"execname\",\"e\",\"probefunc\",\"d\",-2]"));
        QVERIFY(written(*graph, "gexf").contains("weight=\"-2\""));
        QCOMPARE(written(*graph, "graphml").count("<edge "), 3);
        QCOMPARE(written(*graph, "dot").count(" -> p"), 3);
        QVERIFY(written(*graph, "dot").contains("label=\"d\\l1\\l\"")); // 3 - 2
        QVERIFY(written(*graph, "svg").contains("2 amounts of 0 or less not drawn"));
    }
    void onlyNegativeAmountsAreWritten()
    {
        Stream s;
        auto p = program("BEGIN { @[execname, probefunc] = sum(x); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Sum, "x", {textKey("execname"), textKey("probefunc")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("e").text("d").bytes(), {-2}}}));
        s.emplace_back(end(3 * kSecond));
        const auto graph = viewOf(s, "graph");
        QVERIFY(!graph->empty());
        QVERIFY(written(*graph, "csv").endsWith("execname,e,probefunc,d,-2\r\n"));
        QVERIFY(written(*graph, "svg").contains("No amount is above 0"));
    }
    /// A name is cut to its box where it is drawn, not where other programs read it; and no node is left out, however many there are.
    void graphsTellWhatTheyHaveNot()
    {
        Stream s;
        auto p = program("BEGIN { @[ustack()] = count(); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
        begin(s, p);
        const auto frames = [](std::uint32_t id, const char* leaf) {
            return record::StackDef{
                StackId{id}, {frame("a.out", leaf, record::Frame::Kind::User), frame("a.out", "main", record::Frame::Kind::User)}};
        };
        s.emplace_back(frames(1, "large"));
        s.emplace_back(frames(2, "small"));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {100'000}}, {Key().stack(2).bytes(), {1}}}));
        s.emplace_back(end(3 * kSecond));
        const auto graph = viewOf(s, "call-graph");
        const QByteArray told = "not drawn: 1 function of less than 0.5 % each, and 1 call";
        QVERIFY2(written(*graph, "gexf").contains("<description>" + told + "</description></meta>"), written(*graph, "gexf"));
        QVERIFY2(written(*graph, "graphml").contains("<desc>" + told + "</desc>"), written(*graph, "graphml"));
        QVERIFY2(written(*graph, "dot").contains("comment=\"" + told + '"'), written(*graph, "dot"));
    }
    void graphsHaveAllNodesByTheirWholeNames()
    {
        Stream s;
        auto p = program("BEGIN { @[execname, probefunc] = count(); }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("probefunc")})};
        begin(s, p);
        std::vector<record::AggregationRow> all;
        for (int i = 0; i < 1100; ++i)
            all.push_back({Key().text("/usr/lib/a/rather/long/name/of/a/program/in/a/folder/" + std::to_string(i)).text("f").bytes(), {1}});
        s.emplace_back(rows(0, all));
        s.emplace_back(end(3 * kSecond));
        const auto gexf = written(*viewOf(s, "graph"), "gexf");
        QCOMPARE(gexf.count("<node id="), 1101);
        QVERIFY(gexf.contains("label=\"/usr/lib/a/rather/long/name/of/a/program/in/a/folder/1099\""));
    }
};
QTEST_GUILESS_MAIN(TestExactNumbers)
#include "tst_exact_numbers.moc"
