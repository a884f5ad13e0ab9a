// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
Stream touching(int programs, int files, const std::vector<std::string>& names = {}, std::int64_t factor = 1)
{
    Stream s;
    auto p = program("syscall::openat:entry { @opens[execname, copyinstr(arg1), \"sda\"] = count(); }", {"syscall::openat:entry"});
    p.aggregations = {aggregation("opens", Aggregator::Count, "", {textKey("execname"), textKey("copyinstr(arg1)"), textKey("device")})};
    begin(s, p);
    std::vector<record::AggregationRow> all;
    for (int i = 0; i < programs; ++i)
        for (int f = i % 3; f < files; f += 1 + i % 4) {
            const auto n = static_cast<std::size_t>(i * files + f);
            const std::string program = n < names.size() ? names[n] : "program-" + std::to_string(i);
            all.push_back(
                {Key().text(program).text("/usr/share/locale/de/LC_MESSAGES/file-" + std::to_string(f)).text(f % 2 ? "sda" : "sdb").bytes(),
                    {factor * (1 + (i * 31 + f * 17) % 97)}});
        }
    s.emplace_back(rows(0, all));
    s.emplace_back(end(5 * kSecond));
    return s;
}
/// A program whose printf()s say each of `lines`.
Stream printing(const std::vector<std::string>& lines)
{
    Stream s;
    auto p = program("BEGIN { printf(\"digraph g {\\n\"); } ...", {"dtrace:::BEGIN"});
    p.clauses[0].silent = false;
    p.clauses[0].payloadSize = 256;
    p.clauses[0].actions = {{record::ActionKind::Printf, "digraph g {\n", {}, {}}};
    p.clauses.push_back(p.clauses[0]);
    p.clauses[1].actions = {{record::ActionKind::Printf, "%s\n", {{FieldKind::String, 0, 256, "s", "string"}}, {}}};
    begin(s, p);
    s.emplace_back(record::ProbeDef{ProbeId{1}, "dtrace", "", "", "BEGIN"});
    s.emplace_back(record::Fired{ClauseId{0}, ProbeId{1}, 0, 1, 1, record::Nanoseconds(kStart), Bytes(256)});
    for (const auto& line : lines) {
        Bytes payload(256);
        std::memcpy(payload.data(), line.data(), std::min<std::size_t>(line.size(), 255));
        s.emplace_back(record::Fired{ClauseId{1}, ProbeId{1}, 0, 1, 1, record::Nanoseconds(kStart), payload});
    }
    s.emplace_back(end(kSecond));
    return s;
}
} // namespace

class GraphTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatHasHalfIsTheTitle()
    {
        const auto titled = [](const std::vector<std::tuple<const char*, const char*, std::int64_t>>& all) {
            Stream s;
            auto p = program("syscall::openat:entry { @[execname, copyinstr(arg1)] = count(); }", {"syscall::openat:entry"});
            p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("copyinstr(arg1)")})};
            begin(s, p);
            std::vector<record::AggregationRow> rowsOfAll;
            for (const auto& [who, what, count] : all)
                rowsOfAll.push_back({Key().text(who).text(what).bytes(), {count}});
            s.emplace_back(rows(0, rowsOfAll));
            s.emplace_back(end(kSecond));
            return visual(s, "graph")->figure({}).title;
        };
        QCOMPARE(titled({{"cc", "/a", 60}, {"cc", "/b", 10}, {"ld", "/a", 40}}), std::string("cc, /a has 55 % of all calls"));
        QCOMPARE(titled({{"cc", "/a", 40}, {"cc", "/b", 30}, {"ld", "/c", 40}}), std::string("cc has 64 % of all calls"));
        QCOMPARE(titled({{"cc", "/a", 40}, {"as", "/a", 30}, {"ld", "/c", 40}}), std::string("/a has 64 % of all calls"));
        QVERIFY(titled({{"cc", "/a", 40}, {"as", "/b", 30}, {"ld", "/c", 40}}).starts_with("Who touches what"));
        QVERIFY(titled({{"cc", "/a", 6}, {"ld", "/c", 3}}).starts_with("Who touches what")); // too few
    }
    void aColumnHasNamesWithoutTheFoldersThatAllShare()
    {
        const auto words = textOf(visual(touching(7, 11), "graph")->figure({.width = 325, .height = 244, .text = 10.7}));
        const auto two = textOf(visual(touching(3, 4), "bars")->figure({.width = 794, .height = 1123, .text = 10.7}));
        QVERIFY2(two.find("program-0, \u2026/file-") != std::string::npos, two.c_str());
        QVERIFY2(words.find("/usr/share") == std::string::npos, words.c_str());
    }
    /// Three columns beside one another have no room for names in a column of print: below one another they have.
    void ranksOfALowNarrowPageFollowDownwards()
    {
        const LayoutOptions column{.width = 325, .height = 244, .text = 10.7};
        const auto figure = visual(touching(7, 11), "graph")->figure(column);
        std::map<double, double> weights; // by the upper edge
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node)
                weights[box->y] += std::stod(item.data.front().second);
        QCOMPARE(weights.size(), std::size_t{3});
        for (const auto& [y, weight] : weights)
            QCOMPARE(weight, weights.begin()->second); // every rank holds all
        QCOMPARE(unreadable(figure), std::string());
        std::size_t whole = 0;
        for (const auto& item : figure.items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Node) {
                whole += text->text.starts_with("program-") || text->text == "sda" || text->text == "sdb";
                QVERIFY2(text->size >= 10.7, text->text.c_str());
                QVERIFY2(
                    !QString::fromStdString(text->text).mid(1).contains(QChar(0x2026)), text->text.c_str()); // nothing is cut but folders
            }
        QVERIFY(whole >= 3); // both devices and a program
        // A page that is high enough has columns, with more names.
        const auto high = visual(touching(7, 11), "graph")->figure({.width = 325, .height = 600, .text = 10.7});
        std::set<double> lefts;
        for (const auto& item : high.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node) lefts.insert(box->x);
        QCOMPARE(lefts.size(), std::size_t{3});
    }
    void relationsAddUpToWhatWasCounted()
    {
        const auto stream = touching(7, 11);
        std::int64_t counted = 0;
        for (const auto& record : stream)
            if (const auto* rows = std::get_if<record::AggregationRows>(&record))
                for (const auto& row : rows->rows)
                    counted += row.data[0];
        std::int64_t first = 0, second = 0;
        for (const auto& row : rowsOf(*visual(stream, "graph")))
            (row.at("from_key") == "execname" ? first : second) += std::stoll(row.at("value"));
        QCOMPARE(first, counted);
        QCOMPARE(second, counted);
    }
    void theDigraphLeadsFromColumnToColumn()
    {
        const auto g = visual(touching(3, 4), "graph")->digraph();
        QVERIFY(g.has_value());
        QCOMPARE(g->nodes.size(), std::size_t{3 + 4 + 2});
        QCOMPARE(q(g->nodes[0].name), QString("p1"));
        for (const auto& edge : g->edges)
            QVERIFY(edge.from < edge.to);
    }
    void whatDoesNotFitIsOneNode()
    {
        const auto v = visual(touching(500, 30), "graph");
        double weight = 0, all = 0;
        bool folded = false;
        for (const auto& item : v->figure({}).items) {
            if (item.role != Role::Node || !std::holds_alternative<Box>(item.shape)) continue;
            if (item.key.starts_with("\xe2\x80\xa6")) folded = true;
            for (const auto& [name, value] : item.data)
                if (name == "value") weight += std::stod(value);
        }
        for (const auto& row : rowsOf(*v))
            if (row.at("from_key") == "execname") all += std::stod(row.at("value"));
        QVERIFY(folded);
        QCOMPARE(weight, 3 * all); // every column holds all
    }
    void aPrintedGraphIsReadAndDrawn()
    {
        const auto v = visual(printing({"a [label=\"Gr\xc3\xbc\xc3\x9f"
                                        "e\\nzwei\"];",
                                  "a -> b [label=\"3\", style=dashed];", "b -> b;", "}"}),
            "graph");
        QVERIFY(v != nullptr);
        const auto g = v->digraph();
        QCOMPARE(g->nodes.size(), std::size_t{2});
        QCOMPARE(g->edges.size(), std::size_t{2});
        const auto text = textOf(v->figure({}));
        QVERIFY2(text.find("Gr\xc3\xbc\xc3\x9f"
                           "e\nzwei\n")
                != std::string::npos,
            text.c_str());
        int edges = 0;
        for (const auto& item : v->figure({}).items)
            edges += item.role == Role::Edge;
        QCOMPARE(edges, 2);
    }
    void aPrintedGraphThatIsNoneSaysWhatIsWrong()
    {
        const auto v = visual(printing({"a -> ;", "}"}), "graph");
        QVERIFY(v->empty());
        const auto text = textOf(v->figure({}));
        QVERIFY2(text.find("syntax error") != std::string::npos, text.c_str());
    }
    void everyLabelCanBeRead_data()
    {
        QTest::addColumn<int>("programs");
        QTest::addColumn<int>("files");
        QTest::addColumn<bool>("hostile");
        QTest::addColumn<qlonglong>("factor");
        QTest::newRow("one of each") << 1 << 1 << false << qlonglong{1};
        QTest::newRow("a few") << 5 << 6 << false << qlonglong{1};
        QTest::newRow("ten thousand relations") << 400 << 60 << false << qlonglong{1};
        QTest::newRow("hostile names") << 5 << 4 << true << qlonglong{1};
        QTest::newRow("huge values") << 4 << 4 << false << qlonglong{9'000'000'000'000'000};
    }
    void everyLabelCanBeRead()
    {
        QFETCH(int, programs);
        QFETCH(int, files);
        QFETCH(bool, hostile);
        QFETCH(qlonglong, factor);
        const auto v = visual(touching(programs, files, hostile ? hostileNames() : std::vector<std::string>(), factor), "graph");
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto wrong = unreadable(v->figure(options));
            QVERIFY2(wrong.empty(), (wrong + " at " + std::to_string(width)).c_str());
        }
    }
    void withoutDataItSaysSo()
    {
        auto stream = touching(1, 1);
        stream.resize(1);
        const auto v = visual(stream, "graph");
        QVERIFY(v->empty());
        QVERIFY(textOf(v->figure({})).find(" yet") != std::string::npos);
        QVERIFY(textOf(visual(printing({}), "graph")->figure({})).find("syntax error") != std::string::npos); // cut off
    }
};
QTEST_GUILESS_MAIN(GraphTest)
#include "tst_graph.moc"
