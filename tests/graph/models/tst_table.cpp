// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "engine/record/buckets.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#include <cstring>
#include <limits>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

class TableTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A sheet that is so low has a row, and says how many more there are: it had none, again and again.
    void aTableOnALowPageEnds()
    {
        std::vector<std::string> names;
        for (int i = 0; i < 40; ++i)
            names.push_back("process" + std::to_string(i));
        for (const double height : {120.0, 200.0, 250.0, 300.0}) {
            const auto figure = visual(written(names), "table")->figure({.width = 1600, .height = height, .text = 24});
            const auto isRow = [](const Item& item) {
                const auto* text = std::get_if<Text>(&item.shape);
                return text && text->text.starts_with("process");
            };
            QVERIFY2(std::any_of(figure.items.begin(), figure.items.end(), isRow), qPrintable(QString::number(height)));
            QVERIFY2(textOf(figure).find("more") != std::string::npos, qPrintable(QString::number(height)));
        }
    }
    void onANarrowPageTheTextsOfATableGiveWayToItsNumbers()
    {
        Stream s;
        auto p = program("BEGIN { @opens[execname, dirname] = sum(arg0); }", {"BEGIN"});
        p.aggregations = {aggregation("opens", Aggregator::Sum, "arg0", {textKey("execname"), textKey("dirname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("compiler").text("/usr/share/a/long/way/down/to/the/file").bytes(), {98765}}}));
        const auto figure = visual(s, "table")->figure({.width = 325, .height = 244});
        const auto words = textOf(figure);
        for (const char* shown : {"opens", "98,765", "compiler", "/usr", "/file"})
            QVERIFY2(words.find(shown) != std::string::npos, words.c_str());
        QVERIFY2(words.find("more column") == std::string::npos, words.c_str());
        QCOMPARE(unreadable(figure), std::string());
    }
    /// The numbers are there, though no head of three long keys has room.
    void theNumberStandsBesideKeysWhoseHeadsAreCut()
    {
        Stream s;
        auto p = program("BEGIN { @opens[execname, dirname(copyinstr(arg0)), basename(copyinstr(arg0))] = count(); }", {"BEGIN"});
        p.aggregations = {aggregation("opens", Aggregator::Count, "",
            {textKey("execname"), textKey("dirname(copyinstr(arg0))"), textKey("basename(copyinstr(arg0))")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("compiler").text("/usr/share/a/long/way/down").text("some-long-file.h").bytes(), {98765}}}));
        const auto figure = visual(s, "table")->figure({.width = 325, .height = 244, .text = 10.7});
        const auto words = textOf(figure);
        for (const char* shown : {"opens", "98,765", "compiler"})
            QVERIFY2(words.find(shown) != std::string::npos, words.c_str());
        QCOMPARE(unreadable(figure), std::string());
    }
    /// Room that a table leaves has its numbers as bars, or its distribution a line a bucket.
    void roomBesideATableHasItsNumbersAsBars()
    {
        Stream s;
        auto p = program("BEGIN { @[execname] = count(); }", {"BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("a").bytes(), {200}}, {Key().text("b").bytes(), {50}}, {Key().text("c").bytes(), {0}}}));
        const auto figure = visual(s, "table")->figure({.width = 794, .height = 1123, .text = 10.7});
        std::vector<double> lengths;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) lengths.push_back(box->width);
        QCOMPARE(lengths.size(), std::size_t{3});
        QVERIFY(lengths[0] > 0.5 * 794 && std::abs(lengths[0] / lengths[1] - 4) < 0.01 && lengths[2] < 1);
        QCOMPARE(unreadable(figure), std::string());
    }
    void aDistributionWithRoomHasALineABucket()
    {
        Stream s;
        auto p = program("BEGIN { @[execname] = quantize(arg0); }", {"BEGIN"});
        p.aggregations = {aggregation("", Aggregator::Quantize, "arg0", {textKey("execname")})};
        begin(s, p);
        const auto bucket = [&](std::int64_t value) { return static_cast<std::int64_t>(record::bucketOf(p.aggregations[0], value)); };
        s.emplace_back(rows(0, {{Key().text("dd").bytes(), {bucket(1024), 25, bucket(4096), 100, bucket(1 << 20), 5}}}));
        const auto view = visual(s, "table");
        const auto figure = view->figure({.width = 794, .height = 1123, .text = 10.7});
        std::vector<double> lengths;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) lengths.push_back(box->width);
        QCOMPARE(lengths.size(), std::size_t{3});
        QVERIFY(std::abs(lengths[1] / lengths[0] - 4) < 0.01 && std::abs(lengths[1] / lengths[2] - 20) < 0.01);
        const auto words = textOf(figure);
        for (const char* shown : {"dd", "1,024", "4,096", "1,048,576", "25", "100"})
            QVERIFY2(words.find(shown) != std::string::npos, words.c_str());
        QCOMPARE(unreadable(figure), std::string());
        // Without that room it is a cell as ever.
        const auto low = textOf(view->figure({.width = 794, .height = 150, .text = 10.7}));
        QVERIFY2(low.find("1,024: 25") != std::string::npos, low.c_str());
    }
    /// What a format prints as a moment is one in the figure, too; files have the number.
    void whatIsPrintedAsATimeIsOne()
    {
        Stream s;
        auto p = program("tick-1s { printf(\"%*d %Y\\n\", 4, 7, walltimestamp); }", {"profile:::tick-1s"});
        p.clauses[0].silent = false;
        p.clauses[0].payloadSize = 24;
        p.clauses[0].actions = {{record::ActionKind::Printf, "%*d %Y\n",
            {{FieldKind::Int, 0, 8, "4", "int64_t"}, {FieldKind::Int, 8, 8, "7", "int64_t"}, {FieldKind::Int, 16, 8, "walltimestamp", "int64_t"}}, {}}};
        begin(s, p);
        s.emplace_back(record::ProbeDef{ProbeId{1}, "profile", "", "", "tick-1s"});
        Bytes payload(24);
        const std::int64_t values[]{4, 7, 1'000'000'000'000'000'000};
        std::memcpy(payload.data(), values, sizeof values);
        s.emplace_back(record::Fired{ClauseId{0}, ProbeId{1}, 0, 1, 1, record::Nanoseconds(kStart), payload});
        s.emplace_back(end(kSecond));
        const auto view = visual(s, "table");
        const auto words = textOf(view->figure({}));
        QVERIFY2(words.find("2001-09-09 01:46:40 UTC") != std::string::npos, words.c_str()); // Source: date -u -d @1000000000
        QCOMPARE(q(rowsOf(*view).at(0).at("walltimestamp")), QString("1000000000000000000"));
    }
    /// A double, which has 53 bits, holds none of the longer ones.
    void wholeNumbersHaveAllTheirDigits_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QString>("shown");
        QTest::newRow("15 digits") << qint64{123456789012345} << "123,456,789,012,345";
        QTest::newRow("16 digits") << qint64{9007199254740993} << "9,007,199,254,740,993"; // 2^53 + 1
        QTest::newRow("18 digits") << qint64{999999999999999999} << "999,999,999,999,999,999";
        QTest::newRow("19 digits") << qint64{1796007982123456789} << "1,796,007,982,123,456,789"; // a walltimestamp
        QTest::newRow("the largest") << std::numeric_limits<qint64>::max() << "9,223,372,036,854,775,807";
        QTest::newRow("the least") << std::numeric_limits<qint64>::min() << "\u22129,223,372,036,854,775,808";
    }
    void wholeNumbersHaveAllTheirDigits()
    {
        QFETCH(qint64, value);
        QFETCH(QString, shown);
        Stream s;
        auto p = program("BEGIN { @n[execname] = max(arg0); }", {"BEGIN"});
        p.aggregations = {aggregation("n", Aggregator::Max, "arg0", {textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("a process of which the name is long").bytes(), {value}}}));
        for (const double width : {800.0, 320.0}) {
            const auto words = textOf(visual(s, "table")->figure({.width = width}));
            QVERIFY2(words.find(shown.toStdString()) != std::string::npos, words.c_str());
        }
        const auto digest = visual(s, "bars")->digest(10, {}); // the table of a report
        QCOMPARE(q(digest.table.rows.at(0).at(1)), shown);
    }
    void valuesOfEachFunctionAreWhatDtracePrints_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("data");
        QTest::addColumn<QString>("cell");
        QTest::newRow("count") << int(Aggregator::Count) << QList<qint64>{7} << "7";
        QTest::newRow("sum") << int(Aggregator::Sum) << QList<qint64>{-12} << "-12";
        QTest::newRow("min") << int(Aggregator::Min) << QList<qint64>{3} << "3";
        QTest::newRow("avg") << int(Aggregator::Avg) << QList<qint64>{4, 10} << "2.50";
        QTest::newRow("stddev") << int(Aggregator::Stddev) << QList<qint64>{2, 6, 20, 0} << "1.00"; // 2 and 4
    }
    void valuesOfEachFunctionAreWhatDtracePrints()
    {
        QFETCH(int, function);
        QFETCH(QList<qint64>, data);
        QFETCH(QString, cell);
        Stream s;
        auto p = program("x { @v[arg0] = f(arg1); }", {"fbt::x:entry"});
        p.aggregations = {aggregation("v", static_cast<Aggregator>(function), "arg1", {numberKey("arg0")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().number(-5).bytes(), {data.begin(), data.end()}}}));
        const auto got = rowsOf(*visual(s, "bars"));
        QCOMPARE(q(got.at(0).at("arg0")), QString("-5"));
        QCOMPARE(q(got.at(0).at("v")), cell);
    }
    void aggregationsWithTheSameKeysShareRows()
    {
        const auto got = rowsOf(*visual(written({"a", "b", "c"}, true), "bars"));
        QCOMPARE(got.size(), std::size_t{3});
        QCOMPARE(q(got[0].at("calls")), QString("19754"));
    }
    void printfArgumentsAreColumns()
    {
        const auto got = rowsOf(*visual(opened({"/etc/passwd", "/tmp/x"}), "table"));
        QCOMPARE(got.size(), std::size_t{2});
        QCOMPARE(q(got[1].at("copyinstr(arg1)")), QString("/tmp/x"));
        QCOMPARE(q(got[1].at("probe")), QString("syscall:vmlinux:openat:entry"));
        QCOMPARE(q(got[1].at("pid")), QString("4242"));
    }
    void aTextIsNotCutWhereThePageHasRoom()
    {
        const std::string longest = "/srv/" + std::string(50, 'x') + "/end";
        QVERIFY(textOf(visual(opened({"/etc/passwd", longest}), "table")->figure({})).find(longest) != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(TableTest)
#include "tst_table.moc"
