// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "engine/record/buckets.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

class HistogramTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aBucketIsARowWithInclusiveEnds()
    {
        const auto rows = rowsOf(*visual(writeTimes({"imapd"}), "histogram"));
        QCOMPARE(rows.size(), std::size_t{8});
        QCOMPARE(q(rows[0].at("execname")), QString("imapd"));
        QCOMPARE(q(rows[0].at("low") + '-' + rows[0].at("high") + ':' + rows[0].at("count")), QString("2048-4095:25"));
        const auto words = textOf(visual(writeTimes({"imapd"}), "histogram")->figure({}));
        for (const auto* expected : {"8.2 – 16.4 µs", "32.8 – 65.5 µs", "262 – 524 µs", "100 %", "calls", "How long does write(2) take?"})
            QVERIFY2(words.find(expected) != std::string::npos, expected);
    }
    void openEndsOfLquantizeAreEmptyCells()
    {
        Stream s;
        auto p = program("x { @ = lquantize(arg0, 0, 100, 10); }", {"fbt::x:entry"});
        auto a = aggregation("", Aggregator::Lquantize, "arg0", {});
        a.parameters = {0, 100, 10, 0};
        p.aggregations = {a};
        begin(s, p);
        s.emplace_back(rows(0, {{{}, {0, 2, 1, 5, 11, 3}}}));
        const auto got = rowsOf(*visual(s, "histogram"));
        QCOMPARE(got.size(), std::size_t{12});
        QCOMPARE(q(got.front().at("low") + '|' + got.front().at("high")), QString("|-1"));
        QCOMPARE(q(got[1].at("low") + '|' + got[1].at("high")), QString("0|9"));
        QCOMPARE(q(got.back().at("low") + '|' + got.back().at("high")), QString("100|"));
        int hatched = 0;
        for (const auto& item : visual(s, "histogram")->figure({}).items)
            if (item.role == Role::Bar && item.shade == Shade::Hatched && item.row) ++hatched;
        QCOMPARE(hatched, 2);
    }
    void severalHistogramsStayAboveTheFootnote_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        for (const auto& [width, height] : sizes())
            QTest::addRow("%g x %g", width, height) << width << height;
    }
    void severalHistogramsStayAboveTheFootnote()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        Stream s;
        auto p = program(
            "BEGIN { @a = quantize(1); @b = lquantize(5, 0, 10, 1); @c = quantize(2); @d = quantize(timestamp - 3); }", {"BEGIN"});
        p.aggregations = {aggregation("a", Aggregator::Quantize, "1", {}), aggregation("b", Aggregator::Lquantize, "5", {}),
            aggregation("d", Aggregator::Quantize, "timestamp - 3", {})};
        p.aggregations[1].parameters = {0, 10, 1, 0};
        begin(s, p);
        for (std::uint32_t id = 0; id < 3; ++id)
            s.emplace_back(rows(id, {{{}, {6, 1}}}));
        const auto figure = visual(s, "histogram")->figure({.width = width, .height = height});
        QCOMPARE(unreadable(figure), std::string());
        double rule = 0; // above the footnote, as wide as the page's text
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && path->points.size() == 2)
                if (path->points[1].x - path->points[0].x > 0.85 * width) rule = std::max(rule, path->points[0].y);
        QVERIFY(rule > height / 2);
        for (const auto& item : figure.items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && item.role != Role::Note)
                QVERIFY2(boundsOf(*text).y + boundsOf(*text).height < rule, text->text.c_str());
    }
    void bucketsOfPowersAreReadByTheirPowers()
    {
        auto stream = writeTimes({"a"});
        auto& shape = std::get<record::Program>(stream.front()).aggregations[0];
        shape.function = Aggregator::Llquantize;
        shape.parameters = {10, 2, 8, 20};
        std::vector<std::int64_t> data;
        for (const std::int64_t value : {700, 5'000, 12'000, 430'000, 6'000'000})
            data.insert(data.end(), {record::bucketOf(shape, value), 50});
        for (auto& r : stream)
            if (auto* all = std::get_if<record::AggregationRows>(&r)) all->rows = {{Key().text("a").bytes(), data}};
        const auto texts = "\n" + textOf(visual(stream, "histogram")->figure({}));
        for (const auto* tick : {"1 \u00b5s", "10 \u00b5s", "100 \u00b5s", "1 ms"})
            QVERIFY2(texts.find("\n" + std::string(tick) + "\n") != std::string::npos, texts.c_str());
        QVERIFY2(texts.find("\n650 ns\n") == std::string::npos && texts.find("\n2.5 \u00b5s\n") == std::string::npos, texts.c_str());
    }
};
QTEST_GUILESS_MAIN(HistogramTest)
#include "tst_histogram.moc"
