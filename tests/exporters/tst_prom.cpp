// needs: graph/models engine/record
// What monitoring reads: one set of buckets for all series of a metric, every aggregation, labels as they are documented. The truth is the
// specification (OpenMetrics 1.0, "Histogram"), and what was put in.
#include "exporters/exporter.h"
#include "exporters/prom.h"
#include "graph/metrics.h"
#include "graph/store.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <sstream>
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
Stream of(std::vector<Aggregation> all, const std::vector<std::vector<record::AggregationRow>>& data)
{
    Stream s;
    auto p = program("BEGIN { }", {"dtrace:::BEGIN"});
    p.aggregations = std::move(all);
    begin(s, p);
    for (std::uint32_t i = 0; i < data.size(); ++i)
        s.emplace_back(rows(i, data[i]));
    s.emplace_back(end(3 * kSecond));
    return s;
}
Store storeOf(const Stream& stream)
{
    Store store;
    for (const auto& record : stream)
        store.take(record);
    return store;
}
QStringList linesOf(const Stream& stream, ToldBuckets& told)
{
    std::ostringstream out;
    exporters::writeOpenMetrics(metricsOf(storeOf(stream), told), out);
    return QString::fromStdString(out.str()).split('\n', Qt::SkipEmptyParts);
}
QStringList linesOf(const Stream& stream)
{
    ToldBuckets told;
    return linesOf(stream, told);
}
QStringList withoutComments(const QStringList& lines) { return lines.filter(QRegularExpression("^[^#]")); }
/// The ends of buckets, by the other labels.
QMap<QString, QStringList> endsOf(const QStringList& lines)
{
    QMap<QString, QStringList> out;
    static const QRegularExpression sample("^(\\w+)_bucket\\{(.*)le=\"([^\"]*)\"\\} ");
    for (const auto& line : lines)
        if (const auto match = sample.match(line); match.hasMatch()) out[match.captured(1) + match.captured(2)] << match.captured(3);
    return out;
}
record::AggregationRow row(std::string_view key, std::vector<std::int64_t> data) { return {Key().text(key).bytes(), std::move(data)}; }
Aggregation quantized(std::string name, std::string key) { return aggregation(std::move(name), Aggregator::Quantize, "x", {textKey(std::move(key))}); }
} // namespace

class TestProm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Values 1 and 100 of "a", ten times 10 of "b": the 0.9 quantile of all is below 16.
    void allSeriesHaveTheSameBuckets()
    {
        const auto lines = linesOf(of({quantized("l", "execname")}, {{row("a", {power(0), 1, power(6), 1}), row("b", {power(3), 10})}}));
        QCOMPARE(withoutComments(lines),
            (QStringList{R"(dscope_l_bucket{execname="a",le="0"} 0)", R"(dscope_l_bucket{execname="a",le="1"} 1)", R"(dscope_l_bucket{execname="a",le="3"} 1)",
                R"(dscope_l_bucket{execname="a",le="7"} 1)", R"(dscope_l_bucket{execname="a",le="15"} 1)", R"(dscope_l_bucket{execname="a",le="31"} 1)",
                R"(dscope_l_bucket{execname="a",le="63"} 1)", R"(dscope_l_bucket{execname="a",le="127"} 2)", R"(dscope_l_bucket{execname="a",le="+Inf"} 2)",
                R"(dscope_l_bucket{execname="b",le="0"} 0)", R"(dscope_l_bucket{execname="b",le="1"} 0)", R"(dscope_l_bucket{execname="b",le="3"} 0)",
                R"(dscope_l_bucket{execname="b",le="7"} 0)", R"(dscope_l_bucket{execname="b",le="15"} 10)", R"(dscope_l_bucket{execname="b",le="31"} 10)",
                R"(dscope_l_bucket{execname="b",le="63"} 10)", R"(dscope_l_bucket{execname="b",le="127"} 10)", R"(dscope_l_bucket{execname="b",le="+Inf"} 10)"}));
    }
    void theLowestBucketHasItsLowerEnd_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qlonglong>>("parameters");
        QTest::addColumn<QList<qlonglong>>("data");
        QTest::addColumn<QStringList>("ends");
        const auto add = [](const char* name, Aggregator function, QList<qlonglong> parameters, QList<qlonglong> data, QStringList ends) {
            QTest::newRow(name) << static_cast<int>(function) << parameters << data << ends;
        };
        add("below zero", Aggregator::Quantize, {0, 0, 0, 0}, {60, 1}, {"-8", "-4", "+Inf"});
        add("the first there is", Aggregator::Quantize, {0, 0, 0, 0}, {0, 1}, {"-4611686018427387904", "+Inf"});
        add("the last there is", Aggregator::Quantize, {0, 0, 0, 0}, {126, 1}, {"4611686018427387903", "9223372036854775807", "+Inf"});
        add("steps", Aggregator::Lquantize, {0, 100, 10, 0}, {2, 1, 4, 1}, {"9", "19", "29", "39", "+Inf"});
        add("steps, below and above", Aggregator::Lquantize, {0, 30, 10, 0}, {0, 1, 4, 1}, {"-1", "9", "19", "29", "+Inf"});
        add("steps, above alone", Aggregator::Lquantize, {0, 30, 10, 0}, {4, 1}, {"29", "+Inf"});
        add("log and linear", Aggregator::Llquantize, {10, 1, 2, 10}, {20, 1, 22, 2}, {"9", "19", "29", "39", "+Inf"});
    }
    void theLowestBucketHasItsLowerEnd()
    {
        QFETCH(int, function);
        QFETCH(QList<qlonglong>, parameters);
        QFETCH(QList<qlonglong>, data);
        QFETCH(QStringList, ends);
        auto a = aggregation("v", static_cast<Aggregator>(function), "x", {});
        std::copy(parameters.begin(), parameters.end(), a.parameters.begin());
        const auto lines = linesOf(of({a}, {{{{}, {data.begin(), data.end()}}}}));
        QCOMPARE(endsOf(lines)["dscope_v"], ends);
    }
    /// What is read again and again gets more buckets, and loses none where clear() empties the aggregation.
    void theSetOfBucketsOnlyGrows()
    {
        ToldBuckets told;
        const auto first = endsOf(linesOf(of({quantized("l", "k")}, {{row("a", {power(3), 1})}}), told));
        QCOMPARE(first["dscope_lk=\"a\","], (QStringList{"7", "15", "+Inf"}));
        const auto second = endsOf(linesOf(of({quantized("l", "k")}, {{row("a", {power(3), 1}), row("b", {power(5), 1})}}), told));
        QCOMPARE(second["dscope_lk=\"a\","], (QStringList{"7", "15", "31", "63", "+Inf"}));
        QCOMPARE(second["dscope_lk=\"b\","], second["dscope_lk=\"a\","]);
        const auto lines = linesOf(of({quantized("l", "k")}, {{row("a", {power(1), 1}), row("b", {})}}), told);
        QCOMPARE(endsOf(lines)["dscope_lk=\"b\","], (QStringList{"1", "3", "7", "15", "31", "63", "+Inf"}));
        QVERIFY(lines.contains(R"(dscope_l_bucket{k="b",le="63"} 0)"));
    }
    void everyAggregationHasItsOwnHelp()
    {
        auto one = quantized("a", "execname"), other = quantized("b", "probefunc");
        other.value = "arg1";
        const auto stream = of({one, aggregation("c", Aggregator::Count, "", {textKey("execname")}), other,
                                   aggregation("d", Aggregator::Avg, "arg2", {}), aggregation("e", Aggregator::Stddev, "arg2", {})},
            {{row("x", {power(1), 1})}, {row("x", {3})}, {row("y", {power(2), 1})}, {{{}, {2, 7}}}, {{{}, {2, 7, 25, 0}}}});
        const auto lines = linesOf(stream);
        QCOMPARE(lines.filter("# HELP"),
            (QStringList{"# HELP dscope_a quantize(x) by execname", "# HELP dscope_c count() by execname", "# HELP dscope_b quantize(arg1) by probefunc",
                "# HELP dscope_d avg(arg2)", "# HELP dscope_e stddev(arg2)"}));
        QVERIFY(lines.contains(R"(dscope_c_total{execname="x"} 3)") && lines.contains("dscope_d 3.5") && lines.contains("dscope_e 0.5"));
        QVERIFY(lines.contains(R"(dscope_b_bucket{probefunc="y",le="7"} 1)"));
    }
    /// A view that is made for a file alone has its own metrics.
    void viewsTellTheirHelp()
    {
        auto one = quantized("a", "execname"), other = quantized("b", "probefunc");
        other.value = "arg1";
        const auto store = storeOf(of({one, other}, {{row("x", {power(1), 1})}, {row("y", {power(2), 1})}}));
        for (const auto& kind : kinds()) {
            if (kind.name != "histogram") continue;
            const auto visual = kind.make(store);
            for (const auto& format : exporters::all())
                if (format->suffix() == "prom") {
                    std::ostringstream out;
                    QVERIFY(format->write(*visual, {}, out));
                    const auto text = QByteArray::fromStdString(out.str());
                    QVERIFY2(text.contains("# HELP dscope_b quantize(arg1) by probefunc\n") && text.contains(R"(dscope_b_bucket{probefunc="y",le="7"} 1)"), text);
                }
        }
    }
    void labelsAreThoseOfTables()
    {
        const auto a = aggregation("n", Aggregator::Count, "",
            {numberKey("1"), textKey("\"a\""), numberKey("-5"), textKey("execname"), textKey("key"), textKey("le"), textKey("__name__")});
        const auto lines = linesOf(of({a}, {{{Key().number(7).text("t").number(8).text("e").text("k").text("l").text("n").bytes(), {1}}}}));
        QVERIFY2(lines.contains(R"(dscope_n_total{key="7",key2="t",key3="8",execname="e",key_2="k",le_2="l",_name="n"} 1)"), qPrintable(lines.join('\n')));
    }
    void numbersHaveAllDigits()
    {
        auto time = aggregation("t", Aggregator::Max, "timestamp - self->ts", {});
        const auto stream = of({aggregation("m", Aggregator::Max, "x", {textKey("k")}), time, quantized("q", "k"), aggregation("a", Aggregator::Avg, "x", {})},
            {{row("a", {9007199254740993}), row("b", {INT64_MAX}), row("c", {4611686018427387905}), row("d", {-9223372036854775807})}, {{{}, {9007199254740993}}},
                {row("x", {power(1), INT64_MAX, power(2), INT64_MAX})}, {{{}, {2, 9007199254740993}}}});
        const auto lines = linesOf(stream);
        for (const auto* line : {R"(dscope_m{k="a"} 9007199254740993)", R"(dscope_m{k="b"} 9223372036854775807)", R"(dscope_m{k="c"} 4611686018427387905)",
                 R"(dscope_m{k="d"} -9223372036854775807)", "dscope_t_seconds 9007199.254740993", R"(dscope_q_bucket{k="x",le="+Inf"} 18446744073709551614)",
                 "dscope_a 4503599627370496.50"})
            QVERIFY2(lines.contains(line), qPrintable(QString(line) + '\n' + lines.join('\n')));
    }
    /// Two keys of the same text would be one series twice, which Prometheus refuses.
    void keysOfOneTextAreOneSeries()
    {
        const auto frames = [](std::uint32_t id, std::uint64_t offset) {
            auto made = frame("a.out", "f", record::Frame::Kind::User);
            made.offset = offset;
            return record::StackDef{StackId{id}, std::vector{made}};
        };
        Stream s;
        auto p = program("BEGIN { }", {"dtrace:::BEGIN"});
        p.aggregations = {aggregation("c", Aggregator::Count, "", {stackKey(FieldKind::UserStack)}), aggregation("h", Aggregator::Quantize, "x", {stackKey(FieldKind::UserStack)})};
        begin(s, p);
        s.emplace_back(frames(1, 4));
        s.emplace_back(frames(2, 8));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {3}}, {Key().stack(2).bytes(), {4}}}));
        s.emplace_back(rows(1, {{Key().stack(1).bytes(), {power(1), 1}}, {Key().stack(2).bytes(), {power(1), 2}}}));
        const auto lines = linesOf(s);
        QCOMPARE(lines.filter("dscope_c_total"), QStringList{R"(dscope_c_total{ustack="a.out`f"} 7)"});
        QCOMPARE(lines.filter("+Inf"), QStringList{R"(dscope_h_bucket{ustack="a.out`f",le="+Inf"} 3)"});
    }
    /// What cannot be printed stays different: one picture for all of it would be one series several times.
    void keysThatNobodySeesStayApart()
    {
        const auto lines = linesOf(of({aggregation("m", Aggregator::Max, "x", {textKey("k")})},
            {{row("a\xff", {1}), row("a\xfe", {2}), row("a\nb", {3}), row("a\u240Ab", {4}), row("a\"b\\c", {5}), row("a\xc2\x9b[1m", {6}),
                row("\u202ea", {7}), row("a\tb", {8}), row("é\u6f22", {9}), row("\ufffd", {10}), row("a\\377", {11}),
                row("a\\37", {12})}}));
        for (const auto* line : {"dscope_m{k=\"a\\\\377\"} 1", "dscope_m{k=\"a\\\\376\"} 2", "dscope_m{k=\"a\\nb\"} 3",
                 "dscope_m{k=\"a\u240Ab\"} 4", "dscope_m{k=\"a\\\"b\\\\c\"} 5", "dscope_m{k=\"a\\\\302\\\\233[1m\"} 6",
                 "dscope_m{k=\"\\\\342\\\\200\\\\256a\"} 7", "dscope_m{k=\"a\\\\134377\"} 11", "dscope_m{k=\"a\\\\37\"} 12",
                 "dscope_m{k=\"a\\\\011b\"} 8", "dscope_m{k=\"é\u6f22\"} 9", "dscope_m{k=\"\ufffd\"} 10"})
            QVERIFY2(lines.contains(QString::fromUtf8(line)), qPrintable(QString::fromUtf8(line) + '\n' + lines.join('\n')));
    }
    void countsBelowZeroAreToldOf()
    {
        const auto lines = linesOf(of({quantized("l", "k")}, {{row("a", {power(1), -3}), row("b", {power(1), 2})}}));
        QVERIFY2(lines.contains("# HELP dscope_l quantize(x) by k; left out: 1 row with a count below zero"), qPrintable(lines.join('\n')));
        QCOMPARE(lines.filter("_bucket{k=\"a\"").size(), 0);
        QCOMPARE(lines.filter("_bucket{k=\"b\"").size(), 3);
    }
    void noNameIsTakenTwice()
    {
        const auto lines = linesOf(of({quantized("read", "k"), aggregation("read_bucket", Aggregator::Sum, "x", {})}, {{row("a", {power(1), 1})}, {{{}, {7}}}}));
        QVERIFY2(lines.contains("dscope_read_bucket_2 7"), qPrintable(lines.join('\n')));
    }
};
QTEST_GUILESS_MAIN(TestProm)
#include "tst_prom.moc"
