// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#include <array>
#include <map>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

class BarsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void barsBelowNothingLieOnTheOtherSide()
    {
        Stream s;
        auto p = program("x:::y { @[execname] = sum(arg0); }", {"x:::y"});
        p.aggregations = {aggregation("", Aggregator::Sum, "arg0", {textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("up").bytes(), {300}}, {Key().text("down").bytes(), {-600}}, {Key().text("none").bytes(), {0}}}));
        s.emplace_back(end(kSecond));
        std::map<std::string, Box> bars;
        const auto figure = visual(s, "bars")->figure({});
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) bars[item.key] = *box;
        QCOMPARE(bars.size(), std::size_t{3});
        QVERIFY(std::abs(bars["down"].x + bars["down"].width - bars["up"].x) < 0.01);
        QVERIFY(std::abs(bars["down"].width - 2 * bars["up"].width) < 0.01);
        QVERIFY(bars["none"].width == 0);
        const auto wrong = unreadable(figure);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    /// The text that an aggregation was imported of does not say what its values are.
    void valuesOfNobodyKnowsWhatHaveTheNameOfTheirAggregation()
    {
        for (const auto& [name, title] : {std::pair("x", "X by key"), std::pair("", "Values by key")}) {
            Stream s;
            auto p = program("", {});
            p.aggregations = {aggregation(name, Aggregator::Sum, "", {textKey("key")})};
            begin(s, p);
            s.emplace_back(rows(0, {{Key().text("a").bytes(), {7}}, {Key().text("b").bytes(), {-5}}}));
            s.emplace_back(end(kSecond));
            const auto words = textOf(visual(s, "bars")->figure({}));
            QVERIFY2(words.find(title) != std::string::npos, words.c_str());
        }
    }
    void whatIsTakenAwayLeavesNoShares()
    {
        const auto words = [](std::int64_t least) {
            Stream s;
            auto p = program("BEGIN { @[execname] = sum(arg0); }", {"BEGIN"});
            p.aggregations = {aggregation("", Aggregator::Sum, "arg0", {textKey("execname")})};
            begin(s, p);
            s.emplace_back(rows(0, {{Key().text("a").bytes(), {7}}, {Key().text("b").bytes(), {least}}}));
            return textOf(visual(s, "bars")->figure({}));
        };
        QVERIFY(words(3).find("70.0 %") != std::string::npos);
        QVERIFY2(words(-5).find('%') == std::string::npos, words(-5).c_str());
    }
    /// The dot is at the average, its line as long as the deviation on both sides: 3, of 2 and 4.
    void averagesHaveTheirDeviationsBesideThem_data()
    {
        QTest::addColumn<QString>("of");
        QTest::addColumn<bool>("together");
        QTest::newRow("of the same values") << "arg1" << true;
        QTest::newRow("of the same, with blanks") << " arg1 " << true;
        QTest::newRow("of others") << "arg2" << false;
    }
    void averagesHaveTheirDeviationsBesideThem()
    {
        QFETCH(QString, of);
        QFETCH(bool, together);
        Stream s;
        auto p = program("x { @a[arg0] = avg(arg1); @s[arg0] = stddev(arg1); }", {"fbt::x:entry"});
        p.aggregations = {aggregation("a", Aggregator::Avg, "arg1", {numberKey("arg0")}),
            aggregation("s", Aggregator::Stddev, of.toStdString(), {numberKey("arg0")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().number(7).bytes(), {2, 6}}}));
        s.emplace_back(rows(1, {{Key().number(7).bytes(), {2, 6, 20, 0}}}));
        const auto bars = visual(s, "bars");
        const auto figure = bars->figure({});
        QCOMPARE(textOf(figure).find("3 \u00b1 1") != std::string::npos, together);
        QCOMPARE(q(rowsOf(*bars).at(0).at("s")), QString("1.00")); // the table has both in any case
        std::vector<Box> boxes;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) boxes.push_back(*box);
        QCOMPARE(boxes.size(), std::size_t(together ? 4 : 2)); // a line, its two ends and the dot; or two bars
        if (!together) return;
        const auto& line = boxes[0];
        const auto& dot = boxes[3];
        QVERIFY(std::abs(line.x + line.width / 2 - (dot.x + dot.width / 2)) < 0.01);
    }
    /// Times are never below zero, and neither is what is drawn of how far they lie around their mean.
    void theLineOfADeviationEndsAtZero()
    {
        auto p = program("syscall:::return { @a[probefunc] = avg(timestamp - self->t); @s[probefunc] = stddev(timestamp - self->t); }",
            {"syscall:::return"});
        const std::vector<Field> call{textKey("probefunc")};
        p.aggregations = {aggregation("a", Aggregator::Avg, "timestamp - self->t", call),
            aggregation("s", Aggregator::Stddev, "timestamp - self->t", call)};
        Stream s;
        begin(s, p);
        // Two calls, of 1 ms and 99 ms: the mean is 50, the deviation 49; and 0.1 and 300: 150.05 and 149.95. A third, 1 and 1 and 400: 134 and 188.
        const auto row = [](const char* name, std::vector<std::int64_t> ms) {
            std::int64_t sum = 0;
            __extension__ using Wide = unsigned __int128;
            Wide squares = 0;
            for (auto& v : ms) {
                v *= 1'000'000;
                sum += v;
                squares += static_cast<Wide>(v) * static_cast<Wide>(v);
            }
            const auto n = static_cast<std::int64_t>(ms.size());
            return std::pair{record::AggregationRow{Key().text(name).bytes(), {n, sum}},
                record::AggregationRow{Key().text(name).bytes(), {n, sum, static_cast<std::int64_t>(squares), static_cast<std::int64_t>(squares >> 64U)}}};
        };
        std::vector<record::AggregationRow> averages, deviations;
        for (const auto& [name, ms] : std::vector<std::pair<const char*, std::vector<std::int64_t>>>{{"even", {1, 99}}, {"skewed", {1, 1, 400}}}) {
            auto [average, deviation] = row(name, ms);
            averages.push_back(std::move(average));
            deviations.push_back(std::move(deviation));
        }
        s.emplace_back(rows(0, averages));
        s.emplace_back(rows(1, deviations));
        s.emplace_back(end(3 * kSecond));
        const auto figure = visual(s, "bars")->figure({});
        QVERIFY2(textOf(figure).find("134 ms \u00b1 188 ms") != std::string::npos, textOf(figure).c_str());
        // All marks begin at one left edge: that of zero, which no line is drawn for.
        double least = 1e9;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) least = std::min(least, box->x);
        std::size_t reach = 0;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar && box->width > 20 && std::abs(box->x - least) < 1) ++reach;
        QCOMPARE(reach, std::size_t{1}); // the skewed one's
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Axis)
                QVERIFY2(path->points.front().x <= least + 1, "a line for zero between the marks");
    }
    /// Numbers of one axis have one form.
    void anAxisOfTimesHasDigitsAlike()
    {
        auto stream = writeTimes({"a"});
        for (auto& r : stream)
            if (auto* all = std::get_if<record::AggregationRows>(&r)) {
                all->rows[0].data = {power(11), 500, power(20), 400, power(31), 300}; // 2 \u00b5s to 2 s
            }
        const auto texts = "\n" + textOf(visual(stream, "histogram")->figure({}));
        QVERIFY2(texts.find("2.1 ms") != std::string::npos || texts.find("1.0 ms") != std::string::npos, texts.c_str());
        for (const auto* wrong : {"\n1.07 s\n", "\n2.15 s\n", "\n4.29 s\n"})
            QVERIFY2(texts.find(wrong) == std::string::npos, texts.c_str());
    }
    /// In a column of print a histogram is not a line of dots.
    /// One long aggregation does not take the room of the others.
    void aggregationsShareThePage()
    {
        Stream s;
        auto p = program("x { @a[arg0] = count(); @b[arg1] = count(); @c[arg2] = count(); }", {"fbt::x:entry"});
        p.aggregations = {aggregation("a", Aggregator::Count, "", {numberKey("arg0")}), aggregation("b", Aggregator::Count, "", {numberKey("arg1")}),
            aggregation("c", Aggregator::Count, "", {numberKey("arg2")})};
        begin(s, p);
        const std::array<std::int64_t, 3> sizes{300, 20, 2};
        for (std::uint32_t a = 0; a < sizes.size(); ++a) {
            std::vector<record::AggregationRow> all;
            for (std::int64_t i = 0; i < sizes[a]; ++i)
                all.push_back({Key().number(1000 * (a + 1) + i).bytes(), {1000 - i}});
            s.emplace_back(rows(a, all));
        }
        LayoutOptions options;
        options.width = 800;
        options.height = 1131;
        std::array<int, 3> drawn{};
        for (const auto& item : visual(s, "bars")->figure(options).items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && text->text.size() == 4 && std::all_of(text->text.begin(), text->text.end(), [](char c) { return c >= '0' && c <= '9'; }))
                ++drawn[static_cast<std::size_t>(text->text[0] - '1')];
        QCOMPARE(drawn[2], 2);
        QVERIFY2(drawn[1] == 20 || std::abs(drawn[0] - drawn[1]) <= 1, qPrintable(QString("%1 and %2").arg(drawn[0]).arg(drawn[1])));
        QVERIFY(drawn[0] > 10);
    }
    void barsOfASmallPageAreStillBars()
    {
        LayoutOptions options;
        options.width = 325;
        options.height = 244;
        options.text = 8 * 96.0 / 72;
        double highest = 0;
        for (const auto& item : visual(writeTimes({"imapd", "bash", "cron"}), "histogram")->figure(options).items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) highest = std::max(highest, box->height);
        QVERIFY2(highest >= 18, std::to_string(highest).c_str());
    }
};
QTEST_GUILESS_MAIN(BarsTest)
#include "tst_bars.moc"
