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
/// `keys` programs that write more and less as time goes on.
Stream writing(const std::vector<std::string>& keys, int seconds, Aggregator f = Aggregator::Count, std::int64_t factor = 1)
{
    std::vector<Rows> all;
    for (int i = 0; i < seconds; ++i) {
        auto& rows = all.emplace_back();
        std::int64_t k = 0;
        for (const auto& key : keys) {
            ++k;
            const std::int64_t value = factor * (20 + (i * k * 7 + k * 13) % 90) / k;
            rows.push_back({Key().text(key).bytes(), f == Aggregator::Avg ? std::vector<std::int64_t>{3, 3 * value} : std::vector{value}});
        }
    }
    return ticking(aggregation("", f, f == Aggregator::Count ? "" : "arg2", {textKey("execname")}), all, true);
}
} // namespace

class SeriesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPointIsWhatCameInSinceTheOneBefore()
    {
        const auto v = visual(writing({"a", "b"}, 3), "series");
        QVERIFY(v != nullptr);
        const auto rows = rowsOf(*v);
        QCOMPARE(rows.size(), std::size_t{6});
        QCOMPARE(rows[0].at("time_ns"), std::to_string(kStart + kSecond));
        QCOMPARE(rows[0].at("execname"), std::string("a"));
        QCOMPARE(rows[0].at("value"), std::string("33"));
        QCOMPARE(rows[5].at("time_ns"), std::to_string(kStart + 3 * kSecond));
    }
    void columnsAreThoseOfTheInterface()
    {
        const auto table = visual(writing({"a"}, 2), "series")->table();
        QCOMPARE(titles(table), QStringList({"time_ns", "execname", "value"}));
    }
    void averagesAreOfTheirIntervalAndHaveGaps()
    {
        std::vector<Rows> all{
            {{Key().text("a").bytes(), {2, 20}}}, {{Key().text("a").bytes(), {2, 20}}}, {{Key().text("a").bytes(), {4, 60}}}};
        const auto rows = rowsOf(*visual(ticking(aggregation("", Aggregator::Avg, "arg2", {textKey("execname")}), all, false), "series"));
        QCOMPARE(rows.size(), std::size_t{2}); // nothing came in in the second between
        QCOMPARE(rows[0].at("value"), std::string("10.00"));
        QCOMPARE(rows[1].at("value"), std::string("20.00"));
    }
    void quantizeGivesHowManyValuesCame()
    {
        std::vector<Rows> all{{{Key().text("a").bytes(), {64, 3, 70, 4}}}, {{Key().text("a").bytes(), {64, 3, 70, 9}}}};
        const auto rows
            = rowsOf(*visual(ticking(aggregation("", Aggregator::Quantize, "arg2", {textKey("execname")}), all, false), "series"));
        QCOMPARE(rows[0].at("value"), std::string("7"));
        QCOMPARE(rows[1].at("value"), std::string("5"));
    }
    void whatIsBeyondTheLastHueIsOneLineThatAddsUp()
    {
        std::vector<std::string> keys;
        for (int i = 0; i < 93; ++i)
            keys.push_back("program" + std::to_string(i));
        const auto figure = visual(writing(keys, 10, Aggregator::Sum, 1000), "series")->figure({});
        const auto text = textOf(figure);
        QVERIFY2(text.find("\u2026 87 more") != std::string::npos, text.c_str());
    }
    void intervalsOfAnyLengthShowTheSameRate()
    {
        // Twenty a second, read when the machine had time for it, and once more at the very end.
        Stream s;
        auto p = program("x:::y { @ = count(); @l[execname] = quantize(arg0); }", {"x:::y"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {}), aggregation("l", Aggregator::Quantize, "arg0", {textKey("execname")})};
        begin(s, p);
        for (const std::int64_t ms : {100, 250, 350, 550, 700, 800, 1000, 1050}) {
            const auto at = record::Nanoseconds(kStart + ms * kMillisecond);
            s.emplace_back(record::AggregationRows{AggregationId{0}, at, {{{}, {ms / 50}}}});
            s.emplace_back(record::AggregationRows{AggregationId{1}, at, {{Key().text("a").bytes(), {64, ms / 50}}}});
        }
        s.emplace_back(end(1050 * kMillisecond));
        const auto figure = visual(s, "series")->figure({});
        std::map<std::string, std::set<double>> heights;
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series && !item.key.empty())
                for (const auto& point : path->points)
                    heights[item.key].insert(std::round(point.y));
        QCOMPARE(heights.size(), std::size_t{2});
        for (const auto& [key, own] : heights)
            QCOMPARE(own.size(), std::size_t{1});
        QVERIFY2(textOf(figure).find("per second") != std::string::npos, textOf(figure).c_str());
        // Nothing is lost from the numbers.
        double all = 0;
        for (const auto& row : rowsOf(*visual(s, "series")))
            all += std::stod(row.at("value"));
        QCOMPARE(all, 42.0);
    }
    void anAmountIsDrawnAsLongAsItsInterval()
    {
        const auto figure = visual(writing({"a"}, 3), "series")->figure({});
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series && !item.key.empty()) {
                QCOMPARE(path->points.size(), std::size_t{6});
                for (std::size_t i = 0; i < path->points.size(); i += 2)
                    QCOMPARE(path->points[i].y, path->points[i + 1].y);
            }
    }
    void aKeyHasOneHueInAllPanels()
    {
        Stream s;
        auto p = program("x:::y { @a[execname] = count(); @b[execname] = sum(arg0); }", {"x:::y"});
        p.aggregations = {aggregation("a", Aggregator::Count, "", {textKey("execname")}),
            aggregation("b", Aggregator::Sum, "arg0", {textKey("execname")})};
        begin(s, p);
        // The order by weight is another one in the second, and it has keys of its own: six in all, as many as there are hues.
        for (int moment = 1; moment <= 3; ++moment) {
            Rows first, second;
            for (int i = 0; i < 4; ++i) {
                first.push_back({Key().text("program" + std::to_string(i)).bytes(), {moment * (i + 1)}});
                second.push_back({Key().text("program" + std::to_string(i + 2)).bytes(), {moment * (10 - i)}});
            }
            s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + moment * kSecond), first});
            s.emplace_back(record::AggregationRows{AggregationId{1}, record::Nanoseconds(kStart + moment * kSecond), second});
        }
        s.emplace_back(end(3 * kSecond));
        std::map<std::string, std::set<double>> hues;
        std::map<double, std::set<std::string>> keys;
        for (const auto& item : visual(s, "series")->figure({}).items)
            if (item.role == Role::Series && !item.key.empty()) {
                hues[item.key].insert(item.level);
                keys[item.level].insert(item.key);
            }
        QCOMPARE(hues.size(), std::size_t{6});
        for (const auto& [key, own] : hues)
            QVERIFY2(own.size() == 1, key.c_str());
        for (const auto& [hue, own] : keys)
            QVERIFY2(own.size() == 1, own.begin()->c_str());
    }
    void everyLabelCanBeRead_data()
    {
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("seconds");
        QTest::addColumn<int>("function");
        QTest::addColumn<qlonglong>("factor");
        QTest::newRow("one key") << 1 << 10 << int(Aggregator::Count) << qlonglong{1};
        QTest::newRow("one point") << 3 << 1 << int(Aggregator::Count) << qlonglong{1};
        QTest::newRow("eight keys") << 8 << 60 << int(Aggregator::Sum) << qlonglong{4096};
        QTest::newRow("ten thousand keys") << 10'000 << 8 << int(Aggregator::Count) << qlonglong{1};
        QTest::newRow("averages") << 12 << 30 << int(Aggregator::Avg) << qlonglong{1};
        QTest::newRow("huge values") << 4 << 30 << int(Aggregator::Sum) << qlonglong{50'000'000'000'000'000};
        QTest::newRow("negative values") << 4 << 30 << int(Aggregator::Sum) << qlonglong{-70'000};
    }
    void everyLabelCanBeRead()
    {
        QFETCH(int, keys);
        QFETCH(int, seconds);
        QFETCH(int, function);
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
        const auto v = visual(writing(names, seconds, static_cast<Aggregator>(function), factor), "series");
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto figure = v->figure(options);
            const auto wrong = unreadable(figure);
            QVERIFY2(wrong.empty(), (wrong + " at " + std::to_string(width)).c_str());
        }
    }
    void withoutDataItSaysSo()
    {
        auto stream = writing({"a"}, 1);
        stream.resize(1);
        const auto v = visual(stream, "series");
        QVERIFY(v->empty());
        QVERIFY(textOf(v->figure({})).find("Nothing counted yet") != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(SeriesTest)
#include "tst_series.moc"
