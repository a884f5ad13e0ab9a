// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#include <cmath>
#include <set>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Rows = std::vector<record::AggregationRow>;
Aggregation times(Aggregator f = Aggregator::Quantize, std::array<std::int64_t, 4> parameters = {})
{
    auto a = aggregation("", f, "timestamp - self->ts", {textKey("execname")});
    a.parameters = parameters;
    return a;
}
/// Latencies that get worse, a hump that wanders upwards, for each of `keys`.
Stream slower(const std::vector<std::string>& keys, int seconds, std::int64_t factor = 1, Aggregation shape = times())
{
    std::vector<Rows> all;
    for (int i = 0; i < seconds; ++i) {
        auto& rows = all.emplace_back();
        for (std::size_t k = 0; k < keys.size(); ++k) {
            std::vector<std::int64_t> data;
            for (int b = 0; b < 12; ++b) {
                const double away = b - 2 - 5.0 * i / seconds - static_cast<double>(k % 3);
                const auto count = static_cast<std::int64_t>(800 * std::exp(-away * away / 3)) / static_cast<std::int64_t>(k + 1);
                if (count > 0) data.insert(data.end(), {74 + b, count * factor});
            }
            rows.push_back({Key().text(keys[k]).bytes(), data});
        }
    }
    return ticking(std::move(shape), all, true);
}
Stream sampled(int perSecond, int seconds)
{
    Stream s;
    auto p = program("profile-97 { trace(pid); }", {"profile:::profile-97"});
    p.clauses[0].silent = false;
    p.clauses[0].payloadSize = 8;
    p.clauses[0].actions = {{record::ActionKind::Trace, "", {{FieldKind::Int, 0, 8, "pid", "pid_t"}}, {}}};
    begin(s, p);
    for (int i = 0; i < perSecond * seconds; ++i)
        s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(kStart + i * kSecond / perSecond), Bytes(8)});
    s.emplace_back(end(seconds * kSecond));
    return s;
}
} // namespace

class HeatmapTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsAreThoseOfTheInterface()
    {
        QCOMPARE(titles(visual(slower({"a"}, 2), "heatmap")->table()), QStringList({"execname", "time_ns", "low", "high", "count"}));
    }
    void theTitleSaysWhoseTheSlowOnesAre()
    {
        // Buckets 64 + k are from 2^k on (engine/record/buckets.h): all of both are below 2 us, those of "slow" of 1 ms besides.
        std::vector<Rows> seconds;
        for (std::int64_t i = 1; i <= 10; ++i)
            seconds.push_back({{Key().text("fast").bytes(), {73, 500 * i}}, {Key().text("slow").bytes(), {73, 300 * i, 83, 30 * i}}});
        const auto figure = visual(ticking(times(), seconds, false), "heatmap")->figure({});
        QCOMPARE(figure.title, std::string("slow has 100 % of the calls of 524 \u00b5s or more"));
        QVERIFY(figure.words.isFinding);
        for (auto& rows : seconds)
            rows[1].data.resize(2); // 500 and 300
        QCOMPARE(visual(ticking(times(), seconds, false), "heatmap")->figure({}).title, std::string("fast has 62 % of all calls"));
    }
    void thePanelThatTheTitleIsAboutIsDrawn()
    {
        // The slow ones are those of the smallest of many keys, which would be one of "the others together" by its size.
        std::vector<Rows> seconds;
        for (std::int64_t i = 1; i <= 10; ++i) {
            auto& rows = seconds.emplace_back();
            for (int key = 0; key < 12; ++key)
                rows.push_back({Key().text("fast-" + std::to_string(key)).bytes(), {73, 500 * i}});
            rows.push_back({Key().text("slow").bytes(), {73, 30 * i, 83, 70 * i}});
        }
        const auto v = visual(ticking(times(), seconds, false), "heatmap");
        const auto figure = v->figure({.width = 794, .height = 1123, .text = 10.7});
        QVERIFY2(figure.title.starts_with("slow has 100 % of the calls"), figure.title.c_str());
        const auto words = textOf(figure);
        QVERIFY2(words.find("slow\n") != std::string::npos && words.find("fast-0\n") != std::string::npos, words.c_str());
        QVERIFY2(words.find("more together") != std::string::npos, words.c_str());
        const auto low = v->figure({.width = 1600, .height = 900, .text = 27}); // where all are one panel nobody sees whose they are
        QVERIFY2(!low.words.isFinding && textOf(low).find("all 13 together") != std::string::npos, low.title.c_str());
    }
    void aColumnHoldsWhatCameInSinceTheOneBefore()
    {
        const std::vector<Rows> seconds{{{Key().text("a").bytes(), {64, 3}}}, {{Key().text("a").bytes(), {64, 3, 70, 9}}}};
        const auto rows = rowsOf(*visual(ticking(times(), seconds, false), "heatmap"));
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].at("low") + ' ' + rows[0].at("high") + ' ' + rows[0].at("count"), std::string("1 1 3"));
        QCOMPARE(rows[1].at("low") + ' ' + rows[1].at("high") + ' ' + rows[1].at("count"), std::string("64 127 9"));
        QCOMPARE(rows[1].at("time_ns"), std::to_string(kStart + 2 * kSecond));
    }
    /// The colours of a legend are those of cells, where these are few.
    void theLegendOfFewNumbersHasTheirColours()
    {
        for (const auto& counts : {std::vector<std::int64_t>{2, 3, 1}, {1, 1, 1}, {5, 5, 7}, {1, 900, 1000}}) {
            Stream s;
            auto p = program("x:::y { @ = quantize(timestamp - self->ts); }", {"x:::y"});
            p.aggregations = {aggregation("", Aggregator::Quantize, "timestamp - self->ts", {})};
            begin(s, p);
            const std::vector<std::int64_t> data{64, counts[0], 66, counts[1], 70, counts[2]};
            for (const std::int64_t ms : {150, 200}) // the end comes soon after the last interval
                s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + ms * kMillisecond), {{{}, data}}});
            s.emplace_back(end(200 * kMillisecond));
            const auto figure = visual(s, "heatmap")->figure({});
            std::set<double> cells, legend;
            for (const auto& item : figure.items)
                if (std::holds_alternative<Box>(item.shape) && item.role == Role::Cell)
                    (item.data.empty() ? legend : cells).insert(item.level);
            QCOMPARE(legend, cells);
            const auto words = textOf(figure);
            for (const auto count : counts)
                QVERIFY2(words.find('\n' + std::to_string(count) + '\n') != std::string::npos || count == 1000, words.c_str());
            QVERIFY2(words.find("a column is 200 ms") != std::string::npos && words.find(", per ") == std::string::npos, words.c_str());
        }
    }
    /// Of many numbers it has steps, and of these only such as a cell is on.
    void theLegendHasNoStepWithoutACell()
    {
        Stream s;
        auto p = program("x:::y { @ = quantize(timestamp - self->ts); }", {"x:::y"});
        p.aggregations = {aggregation("", Aggregator::Quantize, "timestamp - self->ts", {})};
        begin(s, p);
        std::vector<std::int64_t> data;
        for (int i = 0; i < 10; ++i)
            data.insert(data.end(), {64 + i, i < 5 ? i + 1 : 99'000 + i});
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + kSecond), {{{}, data}}});
        s.emplace_back(end(kSecond));
        std::vector<double> cells, legend;
        for (const auto& item : visual(s, "heatmap")->figure({}).items)
            if (std::holds_alternative<Box>(item.shape) && item.role == Role::Cell)
                (item.data.empty() ? legend : cells).push_back(item.level);
        std::sort(legend.begin(), legend.end());
        QVERIFY(legend.size() >= 2);
        for (std::size_t i = 0; i < legend.size(); ++i) {
            const double next = i + 1 < legend.size() ? legend[i + 1] : 2;
            QVERIFY(std::any_of(cells.begin(), cells.end(), [&](double level) { return level >= legend[i] - 1e-9 && level < next; }));
        }
        // 1 to 5 and 99 thousand, of steps at the powers of 10: none between
        QVERIFY(std::none_of(legend.begin(), legend.end(), [](double level) { return level > 0.3 && level < 0.8; }));
    }
    void columnsOfAnyLengthShowTheSameRate()
    {
        Stream s;
        auto p = program("x:::y { @ = quantize(timestamp - self->ts); }", {"x:::y"});
        p.aggregations = {aggregation("", Aggregator::Quantize, "timestamp - self->ts", {})};
        begin(s, p);
        for (const std::int64_t ms : {100, 250, 350, 550, 700, 800, 1000, 1020})
            s.emplace_back(record::AggregationRows{
                AggregationId{0}, record::Nanoseconds(kStart + ms * kMillisecond), {{{}, {64, ms, 70, 9 * ms}}}});
        s.emplace_back(end(1020 * kMillisecond));
        const auto figure = visual(s, "heatmap")->figure({});
        std::map<std::string, std::vector<double>> levels;
        for (const auto& item : figure.items)
            if (std::holds_alternative<Box>(item.shape) && item.role == Role::Cell)
                for (const auto& [name, value] : item.data)
                    if (name == "low") levels[value].push_back(item.level);
        QCOMPARE(levels.size(), std::size_t{2});
        for (const auto& [low, own] : levels) {
            QCOMPARE(own.size(), std::size_t{7}); // the last 20 ms are no column of their own
            const auto [least, most] = std::minmax_element(own.begin(), own.end());
            QVERIFY2(*most - *least < 1e-9, low.c_str());
        }
        QVERIFY2(textOf(figure).find("in a cell, per 150 ms") != std::string::npos, textOf(figure).c_str());
    }
    void allCellsTogetherAreTheHistogram()
    {
        const auto stream = slower({"a", "b"}, 9);
        long long cells = 0, drawn = 0;
        const auto v = visual(stream, "heatmap");
        for (const auto& row : rowsOf(*v))
            cells += std::stoll(row.at("count"));
        for (const auto& item : v->figure({}).items)
            for (const auto& [name, value] : item.data)
                if (item.role == Role::Cell && name == "count") drawn += std::stoll(value);
        long long all = 0;
        for (const auto& r : stream)
            if (const auto* rows = std::get_if<record::AggregationRows>(&r))
                for (const auto& row : rows->rows)
                    for (std::size_t i = 1; i < row.data.size(); i += 2)
                        all += row.data[i];
        QCOMPARE(cells, all);
        QCOMPARE(drawn, all);
    }
    void samplesWithTimesAreShownByTheirOffsetInTheSecond()
    {
        const auto v = visual(sampled(100, 3), "heatmap");
        QVERIFY(v != nullptr);
        const auto rows = rowsOf(*v);
        QCOMPARE(rows.size(), std::size_t{150}); // 50 rows of 20 ms, two samples in each
        QCOMPARE(rows[1].at("low"), std::string("20000000"));
        QCOMPARE(rows[1].at("high"), std::string("39999999"));
        QCOMPARE(rows[1].at("count"), std::string("2"));
    }
    void anAxisHasOneFormOfNumbers_data()
    {
        QTest::addColumn<int>("first");
        QTest::addColumn<QString>("smallest");
        QTest::addColumn<QString>("largest");
        QTest::newRow("in full") << 4 << "8"
                                 << "32,768";
        QTest::newRow("short, as the last is too long") << 8 << "128"
                                                        << "524k";
    }
    void anAxisHasOneFormOfNumbers()
    {
        QFETCH(int, first);
        QFETCH(QString, smallest);
        QFETCH(QString, largest);
        std::vector<std::int64_t> data;
        for (int b = 0; b < 12; ++b)
            data.insert(data.end(), {63 + first + b, 1 + b});
        const auto stream
            = ticking(aggregation("", Aggregator::Quantize, "arg0", {textKey("execname")}), {{{Key().text("a").bytes(), data}}}, true);
        for (const char* view : {"heatmap", "histogram"}) {
            QStringList ticks;
            LayoutOptions options;
            options.text = 12; // so that every tick has room
            for (const auto& item : visual(stream, view)->figure(options).items)
                if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Tick && item.level < 0)
                    ticks << QString::fromStdString(text->text);
            QVERIFY2(ticks.contains(smallest) && ticks.contains(largest), qPrintable(view + (": " + ticks.join(' '))));
            const bool isShort = largest.endsWith('k');
            for (const auto& tick : ticks)
                QVERIFY2(isShort ? !tick.contains(',') : !tick.contains('k'), qPrintable(view + (": " + ticks.join(' '))));
        }
    }
    void everyLabelCanBeRead_data()
    {
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("seconds");
        QTest::addColumn<qlonglong>("factor");
        QTest::newRow("one column") << 1 << 1 << qlonglong{1};
        QTest::newRow("one key") << 1 << 60 << qlonglong{1};
        QTest::newRow("a few keys") << 4 << 12 << qlonglong{1};
        QTest::newRow("thousands of keys") << 3'000 << 4 << qlonglong{1000};
        QTest::newRow("huge counts") << 2 << 8 << qlonglong{1'000'000'000'000'000};
    }
    void everyLabelCanBeRead()
    {
        QFETCH(int, keys);
        QFETCH(int, seconds);
        QFETCH(qlonglong, factor);
        auto names = hostileNames();
        names.insert(names.begin(),
            {"Gr\xc3\xb6\xc3\x9f"
             "enordnung",
                "B\xc3\xbc"
                "ro-\xc3\x9c"
                "bersicht"});
        for (int i = static_cast<int>(names.size()); i < keys; ++i)
            names.push_back("program-with-a-rather-long-name-" + std::to_string(i));
        names.resize(static_cast<std::size_t>(keys));
        for (const auto& stream : {slower(names, seconds, factor),
                 slower(names, seconds, factor, times(Aggregator::Lquantize, {0, 100'000, 1000, 0})), sampled(97, seconds)})
            for (const auto& [width, height] : sizes()) {
                LayoutOptions options;
                options.width = width;
                options.height = height;
                const auto wrong = unreadable(visual(stream, "heatmap")->figure(options));
                QVERIFY2(wrong.empty(), (wrong + " at " + std::to_string(width)).c_str());
            }
    }
    void withoutDataItSaysSo()
    {
        auto stream = slower({"a"}, 1);
        stream.resize(1);
        const auto v = visual(stream, "heatmap");
        QVERIFY(v->empty());
        QVERIFY(textOf(v->figure({})).find("No values yet") != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(HeatmapTest)
#include "tst_heatmap.moc"
