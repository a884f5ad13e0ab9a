// needs: engine/record
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#ifndef Q_MOC_RUN
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#include <set>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
std::string attribute(const std::vector<std::pair<std::string, std::string>>& all, std::string_view name)
{
    for (const auto& [key, value] : all)
        if (key == name) return value;
    return {};
}
std::map<std::string, std::string> nodesOf(const Visual& v, std::string_view what)
{
    std::map<std::string, std::string> out;
    const auto g = v.digraph();
    for (const auto& n : g->nodes)
        out[attribute(n.attributes, "tooltip")] = attribute(n.attributes, what);
    return out;
}
} // namespace

class CallGraphTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFunctionHasWhatItTookItselfAndInAll()
    {
        const auto v = visual(stacks({{"main;read;copy", 5}, {"main;read", 3}, {"main;write;copy", 2}}), "call-graph");
        const auto self = nodesOf(*v, "own"), total = nodesOf(*v, "total");
        QCOMPARE(total.at("main"), std::string("10"));
        QCOMPARE(self.at("main"), std::string("0"));
        QCOMPARE(total.at("read"), std::string("8"));
        QCOMPARE(self.at("read"), std::string("3"));
        QCOMPARE(total.at("copy"), std::string("7"));
        QCOMPARE(self.at("copy"), std::string("7"));
    }
    void callsAreCountedOnceAStackHoweverDeepTheRecursion()
    {
        const auto v = visual(stacks({{"main;f;f;f;g", 4}, {"main;f;g;f", 6}}), "call-graph");
        QCOMPARE(nodesOf(*v, "total").at("f"), std::string("10"));
        std::map<std::string, std::string> calls;
        for (const auto& row : rowsOf(*v))
            calls[row.at("caller") + ">" + row.at("callee")] = row.at("value");
        QCOMPARE(calls.at(">main"), std::string("10"));
        QCOMPARE(calls.at("f>f"), std::string("4"));
        QCOMPARE(calls.at("f>g"), std::string("10"));
        QCOMPARE(calls.at("g>f"), std::string("6"));
        QCOMPARE(calls.at("f>"), std::string("6"));
        QCOMPARE(calls.at("g>"), std::string("4"));
        QCOMPARE(visual(stacks({{"f;f", 1}}), "call-graph")->digraph()->edges.size(), std::size_t{1}); // to itself
    }
    void functionsBelowAHalfPercentAndCallsBelowATenthAreNotDrawnAndTold()
    {
        const auto v = visual(stacks({{"main;hot", 99'500}, {"main;warm", 501}, {"main;cold", 400}, {"hot;warm", 50}}), "call-graph");
        const auto total = nodesOf(*v, "total");
        QVERIFY(total.contains("warm"));
        QVERIFY(!total.contains("cold"));
        QCOMPARE(v->digraph()->edges.size(), std::size_t{2});
        const auto text = textOf(v->figure({}));
        QVERIFY2(text.find("not drawn: 1 function of less than 0.5 % each") != std::string::npos, text.c_str());
    }
    void whatBeginsAndWhatIsLeftAddUpToAll()
    {
        const auto v = visual(profile(300, 60, 12), "call-graph");
        long long begins = 0, self = 0;
        for (const auto& row : rowsOf(*v)) {
            if (row.at("caller").empty()) begins += std::stoll(row.at("value"));
            if (row.at("callee").empty()) self += std::stoll(row.at("value"));
        }
        QCOMPARE(begins, self);
        QVERIFY(self > 0);
    }
    void everyLabelCanBeRead_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("functions");
        QTest::addColumn<int>("depth");
        QTest::newRow("one stack") << 1 << 3 << 1;
        QTest::newRow("a few") << 30 << 12 << 6;
        QTest::newRow("many") << 600 << 150 << 20;
    }
    void everyLabelCanBeRead()
    {
        QFETCH(int, number);
        QFETCH(int, functions);
        QFETCH(int, depth);
        const auto v = visual(
            profile(static_cast<std::size_t>(number), static_cast<std::size_t>(functions), static_cast<std::size_t>(depth)), "call-graph");
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto wrong = unreadable(v->figure(options));
            QVERIFY2(wrong.empty(), (wrong + " at " + std::to_string(width)).c_str());
        }
    }
    void hostileNamesStayInTheirBoxes()
    {
        std::vector<std::pair<std::string, std::int64_t>> all;
        for (auto name : hostileNames()) {
            std::replace(name.begin(), name.end(), ';', ':');
            all.emplace_back("main;" + name, 10);
        }
        all.emplace_back("main;Gr\xc3\xb6\xc3\x9f"
                         "e::\xc3\x9c"
                         "bersicht",
            10);
        QCOMPARE(unreadable(visual(stacks(all), "call-graph")->figure({})), std::string());
    }
    void whatOneFunctionCallsBeyondWhatFitsIsOneNode()
    {
        std::vector<std::pair<std::string, std::int64_t>> all;
        for (int i = 0; i < 150; ++i)
            all.emplace_back("main;leaf" + std::to_string(i), i == 42 ? 200 : 10);
        const auto figure = visual(stacks(all), "call-graph")->figure({});
        QCOMPARE(unreadable(figure), std::string());
        const auto words = textOf(figure);
        QVERIFY2(words.find("main\n") != std::string::npos && words.find("leaf42\n") != std::string::npos, words.c_str());
        QVERIFY2(words.find("leaf10, 146 more\n") != std::string::npos, words.c_str());
        QVERIFY2(words.find("87.0 % self\n") != std::string::npos, words.c_str()); // 1470 of 1690
        QVERIFY2(words.find("151 functions") != std::string::npos && words.find("not drawn") == std::string::npos, words.c_str());
    }
    /// What all stacks begin with leaves room for where they part.
    void deepStacksAreDrawnWhereTheyPart()
    {
        std::string trunk = "java";
        for (int i = 0; i < 30; ++i)
            trunk += ";trunk" + std::to_string(i);
        const auto figure
            = visual(stacks({{trunk + ";left;parse", 30}, {trunk + ";left;write", 25}, {trunk + ";right", 45}}), "call-graph")->figure({});
        QCOMPARE(unreadable(figure), std::string());
        const auto words = textOf(figure);
        for (const auto* name : {"java\n", "left\n", "parse\n", "write\n", "right\n"})
            QVERIFY2(words.find(name) != std::string::npos, words.c_str());
    }
    void aChainThatIsTooLongForThePageIsShortened()
    {
        std::string chain = "f0";
        for (int i = 1; i < 40; ++i)
            chain += ";f" + std::to_string(i);
        const auto v = visual(stacks({{chain, 1000}}), "call-graph");
        for (const auto& [width, height] : sizes()) {
            const auto figure = v->figure({.width = width, .height = height});
            QCOMPARE(unreadable(figure), std::string());
            const auto words = textOf(figure);
            // Its ends are there, and what is between them is counted.
            QVERIFY2(words.find("f0\n") != std::string::npos && words.find("f39\n") != std::string::npos, words.c_str());
            int nodes = 0, folded = 0;
            for (const auto& item : figure.items)
                if (item.role == Role::Node && std::holds_alternative<Box>(item.shape) && !item.key.empty()) ++nodes; // not the legend's
            const QRegularExpression fold(QString::fromUtf8("^f\\d+ \u2192 (?:(\\d+) more \u2192 )?f\\d+$"));
            for (const auto& line : QString::fromStdString(words).split('\n'))
                if (const auto match = fold.match(line); match.hasMatch()) folded += match.captured(1).toInt() + 2;
            QVERIFY2(folded > 0, words.c_str());
            QCOMPARE(nodes - 1 + folded, 40);
        }
    }
    void whereThereIsNoRoomForAGraphItIsTheChainWithTheMost()
    {
        const auto v = visual(stacks({{"start;init;main;run;hash;mix", 650}, {"start;init;main;run;sort;compare", 250}, {"start;init;main;print", 100}}),
            "call-graph");
        const auto figure = v->figure({.width = 325, .height = 244, .text = 10.7});
        const auto words = textOf(figure);
        QVERIFY2(words.find("only the heaviest chain, 6 of 9 functions\n") != std::string::npos, words.c_str());
        double y = -1;
        std::vector<std::string> keys;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node && !item.key.empty()) {
                QVERIFY(box->y > y);
                y = box->y;
                keys.push_back(item.key + ' ' + attribute(item.data, "total"));
            }
        // What follows the most from each, by the counts above; what has no row is one at the top.
        QVERIFY(keys.size() >= 2);
        const std::vector<std::string> chain{"start 1000", "init 1000", "main 1000", "run 900", "hash 650", "mix 650"};
        QVERIFY(std::equal(keys.rbegin(), keys.rend(), chain.rbegin()));
        QVERIFY2(words.find("\u2026 " + std::to_string(chain.size() - keys.size()) + " functions") != std::string::npos, words.c_str());
    }
    void aChainEndsWhereAFunctionTakesMoreThanItsCallsDo()
    {
        const auto v = visual(stacks({{"main;work", 60}, {"main;work;a", 50}, {"main;work;b", 20}}), "call-graph");
        const auto words = textOf(v->figure({.width = 325, .height = 244, .text = 10.7}));
        QVERIFY2(words.find("only the heaviest chain, 2 of 4 functions\n") != std::string::npos, words.c_str());
    }
    void theChainLeadsToWhatTakesMostByItself()
    {
        // More calls lead elsewhere at first, and calls within a cycle would lead astray.
        const auto v = visual(stacks({{"start;main;a;b;a;hot", 400}, {"start;main;b;cold1", 250}, {"start;main;b;cold2", 250}}), "call-graph");
        const auto words = textOf(v->figure({.width = 325, .height = 244, .text = 10.7}));
        QVERIFY2(words.find("hot\n") != std::string::npos, words.c_str());
        QVERIFY2(words.find("cold") == std::string::npos, words.c_str());
    }
    void ofTwoRunsTheChainThatChangedMostIsShownWhereAGraphHasNoRoom()
    {
        Store before, after;
        for (const auto& r : stacks({{"start;init;main;run;hash;mix", 100}, {"start;init;main;run;sort;compare", 900}}))
            before.take(r);
        for (const auto& r : stacks({{"start;init;main;run;hash;mix", 400}, {"start;init;main;run;sort;compare", 900}}))
            after.take(r);
        std::unique_ptr<Visual> v;
        for (const auto& kind : kinds())
            if (kind.name == "call-graph") v = kind.compare(before, after);
        const auto figure = v->figure({.width = 325, .height = 244, .text = 10.7});
        const auto words = textOf(figure);
        QVERIFY2(words.find("only what changed most, 6 of 8 functions") != std::string::npos, words.c_str());
        QVERIFY2(words.find("mix\n") != std::string::npos && words.find("100 \u2192 400") != std::string::npos, words.c_str());
        QVERIFY2(words.find("compare") == std::string::npos, words.c_str());
        QVERIFY2(figure.title.starts_with("What changed (+30 %") && figure.title.ends_with(" in all)"), figure.title.c_str()); // 1,000 and 1,300
        bool grew = false;
        for (const auto& item : figure.items)
            grew = grew || (item.key.ends_with("mix") && item.level > 0.5 && attribute(item.data, "before") == "100");
        QVERIFY(grew);
    }
    void functionsThatCallEachOtherAreInACycle_data()
    {
        QTest::addColumn<QStringList>("stacks");
        QTest::addColumn<QString>("cycles"); ///< functions of each, one cycle after the other
        QTest::addColumn<int>("dashed");     ///< calls within them
        QTest::newRow("none") << QStringList{"main;a;b;c", "main;b;c"} << "" << 0;
        QTest::newRow("itself") << QStringList{"main;a;a;a"} << "" << 0;
        QTest::newRow("two") << QStringList{"main;even;odd;even;odd;leaf"} << "even odd" << 2;
        QTest::newRow("three, in stacks none of which has them all")
            << QStringList{"main;a;b", "main;b;c", "main;c;a;leaf"} << "a b c" << 3;
        QTest::newRow("two cycles") << QStringList{"main;a;b;a;x;y;x"} << "a b|x y" << 4;
        QTest::newRow("from a cycle to itself") << QStringList{"main;a;a;b;a"} << "a b" << 3;
    }
    void functionsThatCallEachOtherAreInACycle()
    {
        QFETCH(QStringList, stacks);
        QFETCH(QString, cycles);
        QFETCH(int, dashed);
        std::vector<std::pair<std::string, std::int64_t>> all;
        for (const auto& stack : stacks)
            all.emplace_back(stack.toStdString(), 10);
        const auto v = visual(test::stacks(all), "call-graph");

        std::map<std::string, std::set<std::string>> found; // by number
        for (const auto& [function, number] : nodesOf(*v, "cycle"))
            if (!number.empty()) found[number].insert(function);
        std::set<std::string> names;
        for (const auto& [number, functions] : found) {
            std::string text;
            for (const auto& function : functions)
                text += (text.empty() ? "" : " ") + function;
            names.insert(text);
        }
        std::set<std::string> expected;
        for (const auto& cycle : cycles.split(u'|', Qt::SkipEmptyParts))
            expected.insert(cycle.toStdString());
        QCOMPARE(names, expected);

        const auto figure = v->figure({});
        const auto lines = std::count_if(figure.items.begin(), figure.items.end(),
            [](const Item& item) { return item.role == Role::Edge && item.shade == Shade::Dashed && !item.tip.empty(); });
        QCOMPARE(static_cast<int>(lines), dashed);
        QCOMPARE(textOf(figure).find("within a cycle") != std::string::npos, !expected.empty());
    }
    void aTipNamesTheOthersOfACycle()
    {
        const auto figure = visual(test::stacks({{"main;even;odd;even;leaf", 7}}), "call-graph")->figure({});
        const auto odd = std::find_if(
            figure.items.begin(), figure.items.end(), [](const Item& item) { return item.role == Role::Node && item.key == "odd"; });
        QVERIFY(odd != figure.items.end());
        QVERIFY2(odd->tip.ends_with("\nin a cycle with even"), odd->tip.c_str());
        QVERIFY(textOf(figure).find("4 functions, 2 of them in 1 cycle") != std::string::npos);
    }
    /// A label that lies on two lines says nothing of either.
    void aLabelLiesOnOneLineAtMost()
    {
        const auto both = test::stacks({{"main;left;right;left;leaf", 40}, {"main;right;left;leaf", 30}, {"main;left;right;other", 25},
            {"main;right;other", 20}, {"main;left;other", 9}, {"main;leaf", 7}});
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto figure = visual(both, "call-graph")->figure(options);
            QCOMPARE(unreadable(figure), std::string());
            std::size_t labels = 0;
            for (const auto& item : figure.items) {
                const auto* text = std::get_if<Text>(&item.shape);
                if (!text || item.role != Role::Note || text->anchor != Anchor::Middle) continue;
                ++labels;
                const auto words = boundsOf(*text);
                int crossed = 0;
                for (const auto& other : figure.items) {
                    const auto* path = std::get_if<Path>(&other.shape);
                    if (!path || other.role != Role::Edge || !path->bezier) continue;
                    bool isCrossed = false;
                    for (std::size_t at = 0; at + 3 < path->points.size(); at += 3)
                        for (int i = 0; i <= 100; ++i) { // Source: Bernstein's form of a cubic Bezier curve
                            const double t = i / 100.0, u = 1 - t;
                            const auto part = [&](auto of) {
                                return u * u * u * of(path->points[at]) + 3 * u * u * t * of(path->points[at + 1])
                                    + 3 * u * t * t * of(path->points[at + 2]) + t * t * t * of(path->points[at + 3]);
                            };
                            const double x = part([](const Point& p) { return p.x; }), y = part([](const Point& p) { return p.y; });
                            isCrossed = isCrossed || (x > words.x && x < words.x + words.width && y > words.y && y < words.y + words.height);
                        }
                    crossed += isCrossed;
                }
                QVERIFY2(crossed <= 1, text->text.c_str());
            }
            if (width >= 1200) QVERIFY2(labels >= 4, std::to_string(labels).c_str());
        }
    }
    void withoutDataItSaysSo()
    {
        auto s = stacks({{"a", 1}});
        s.resize(1);
        const auto v = visual(s, "call-graph");
        QVERIFY(v->empty());
        QVERIFY(v->table().rows.empty());
        QVERIFY(textOf(v->figure({})).find("No stacks yet") != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(CallGraphTest)
#include "tst_call_graph.moc"
