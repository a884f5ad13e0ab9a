// needs: graph/models engine/record
// Lines of source: each stack counts once for each of its lines, and its value is that of the innermost frame's line alone.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/stacks.h"
#include "graph/store.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
record::Frame at(const std::string& function, std::uint32_t line, bool inlined = false, const std::string& file = "/src/mix.c")
{
    auto f = frame("a.out", function, record::Frame::Kind::User);
    f.inlined = inlined;
    f.line = line;
    if (line != 0) f.file = file;
    return f;
}
/// Three stacks: 5 in rotl, inlined into mix; 2 in mix itself; 1 in a library without lines.
Stream sampled()
{
    Stream s;
    auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
    p.aggregations = {aggregation("", record::Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
    s.emplace_back(p);
    s.emplace_back(record::ProbeDef{ProbeId{1}, "profile", "", "", "profile-97"});
    s.emplace_back(stack(1, {at("main", 40), at("mix", 31), at("rotl", 5, true)}));
    s.emplace_back(stack(2, {at("main", 40), at("mix", 32)}));
    s.emplace_back(stack(3, {at("main", 40), at("mix", 31), frame("libc.so.6", "memcpy", record::Frame::Kind::Library)}));
    s.emplace_back(rows(0, {{Key().stack(1).bytes(), {5}}, {Key().stack(2).bytes(), {2}}, {Key().stack(3).bytes(), {1}}}));
    return s;
}
std::unique_ptr<Visual> made(const Stream& stream, std::string_view view)
{
    Store store;
    for (const auto& r : stream)
        store.take(r);
    for (const auto& kind : kinds())
        if (kind.name == view && kind.fits(store)) return kind.make(store);
    return nullptr;
}
QStringList rowsOf(const Table& table)
{
    QStringList out;
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const auto& cell : row)
            cells << QString::fromStdString(cell);
        out << cells.join(' ');
    }
    return out;
}
} // namespace

class TestLineShares : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesHaveTheirOwnAndTheirWholeShare()
    {
        const auto lines = made(sampled(), "lines");
        QVERIFY(lines != nullptr);
        QCOMPARE(rowsOf(lines->table()),
            QStringList({"/src/mix.c 5 a.out`rotl 5 5", "/src/mix.c 32 a.out`mix 2 2", "/src/mix.c 40 a.out`main 0 8",
                "/src/mix.c 31 a.out`mix 0 6"}));
        const auto figure = lines->figure({});
        QVERIFY(std::any_of(figure.items.begin(), figure.items.end(),
            [](const Item& item) { return item.tip == "/src/mix.c:5\na.out`rotl\nself 5, total 5"; }));
    }
    void aFunctionsSourceHasItsShares()
    {
        Store store;
        for (const auto& r : sampled())
            store.take(r);
        QStringList asked;
        supplySources(store, [&](const std::string& file) -> std::optional<std::vector<std::string>> {
            asked << QString::fromStdString(file);
            std::vector<std::string> lines;
            for (int i = 1; i <= 41; ++i)
                lines.push_back("  line " + std::to_string(i));
            return lines;
        });
        QCOMPARE(asked, QStringList("/src/mix.c"));
        const auto all = kinds();
        const auto kind = std::find_if(all.begin(), all.end(), [](const Kind& k) { return k.name == "source"; });
        QVERIFY(kind != all.end() && kind->fits(store));
        const auto source = kind->make(store);
        const auto rows = rowsOf(source->table());
        QCOMPARE(rows.size(), 7 + 8 + 5); // rotl, mix, main: three around each line, to the end of the file
        QCOMPARE(rows.first(), QString("a.out`rotl /src/mix.c 2 0 0   line 2"));
        QVERIFY(rows.contains("a.out`rotl /src/mix.c 5 5 5   line 5"));
        QVERIFY(rows.contains("a.out`mix /src/mix.c 31 0 6   line 31"));
        const auto says = [](const Figure& figure, const char* text) {
            return std::any_of(figure.items.begin(), figure.items.end(), [&](const Item& item) {
                const auto* shown = std::get_if<Text>(&item.shape);
                return shown && shown->text == text;
            });
        };
        const auto hottest = source->figure({});
        QVERIFY(says(hottest, "a.out`rotl") && says(hottest, "line 5"));
        // What the first leaves of the page has those that come next.
        QVERIFY(says(hottest, "a.out`mix \u00b7 25.0 % self, 100 % with what it calls") && says(hottest, "line 31"));
        LayoutOptions options;
        options.focus = "mix";
        const auto asks = source->figure(options);
        QVERIFY(says(asks, "a.out`mix") && says(asks, "line 31") && !says(asks, "line 5"));
        options.focus = "nobody";
        QVERIFY(says(source->figure(options), "No lines are known of nobody"));
    }
    void oneLineThatHasAQuarterIsTheTitle()
    {
        auto s = sampled();
        std::get<record::AggregationRows>(s.back()) = std::get<record::AggregationRows>(
            Stream{rows(0, {{Key().stack(1).bytes(), {700}}, {Key().stack(2).bytes(), {200}}, {Key().stack(3).bytes(), {100}}})}.front());
        QCOMPARE(made(s, "lines")->figure({}).title, std::string("70 % of the CPU time (7.22 of 10.3 s, run 1.00 s) is in mix.c:5"));
        QCOMPARE(
            made(s, "source")->figure({}).title, std::string("70 % of the CPU time (7.22 of 10.3 s, run 1.00 s) is in line 5 of rotl()"));
        QCOMPARE(made(sampled(), "lines")->figure({}).title, std::string("Lines of source")); // 8 samples say little
    }
    void aNarrowPageSaysWhereALineIsAndNotPartsOfIt()
    {
        auto s = sampled();
        std::get<record::StackDef>(s[2]) = stack(1, {at("main", 40), at("a_function_with_a_name", 31, false, "/src/strcmp-avx2-evex.S")});
        const auto figure = made(s, "lines")->figure({.width = 325, .height = 244, .text = 10.7});
        const auto words = textOf(figure);
        QVERIFY2(words.find("strcmp-avx2-evex.S:31\n") != std::string::npos, words.c_str());
    }
    void withoutItsFileThereAreNumbersAlone()
    {
        const auto source = made(sampled(), "source");
        QVERIFY(rowsOf(source->table()).contains("a.out`mix /src/mix.c 32 2 2 "));
        QCOMPARE(source->table().rows.size(), std::size_t{4});
        const auto figure = source->figure({});
        QVERIFY(std::any_of(figure.items.begin(), figure.items.end(), [](const Item& item) { return item.tip.starts_with("/src/mix.c:5\n"); }));
    }
    void recursionCountsOnce()
    {
        auto s = sampled();
        std::get<record::StackDef>(s[2]) = stack(1, {at("main", 40), at("mix", 31), at("mix", 31)});
        const auto lines = made(s, "lines");
        QVERIFY(rowsOf(lines->table()).contains("/src/mix.c 31 a.out`mix 5 6"));
    }
    void withoutLinesThereIsNoSuchView()
    {
        QVERIFY(!made(profile(3, 3, 3), "lines"));
    }
    void flameGraphsTellInlinedFunctionsApart()
    {
        const auto flame = made(sampled(), "flame");
        const auto& stacks = *flame->stacks();
        const auto tree = stacks.tree({});
        const auto node = [&](std::vector<std::string_view> path) { return tree->nodes[tree->find(path)]; };
        const auto rotl = node({"a.out`main", "a.out`mix", "a.out`rotl_[i]"}), mix = node({"a.out`main", "a.out`mix"});
        QVERIFY(rotl.shade == Shade::Inlined && mix.shade == Shade::User);
        QCOMPARE(tree->lines[rotl.line].shown(), std::string("mix.c:5"));
        QCOMPARE(tree->lines[mix.line].shown(), std::string("mix.c:31")); // 6 of 8
        QCOMPARE(mix.lines, 2U);
        const auto figure = flame->figure({});
        QVERIFY(std::any_of(figure.items.begin(), figure.items.end(),
            [](const Item& item) { return item.tip.find("\nmix.c:31 and another line\n") != std::string::npos; }));
        // Each stack with its lines, in the order of the tree; together what there is.
        Frames frames;
        QStringList seen;
        std::int64_t sum = 0;
        stacks.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
            QStringList words;
            for (const auto& step : steps)
                words << QString::number(frames.line(step.line).line);
            seen << words.join(';');
            sum += value;
        });
        QCOMPARE(seen, QStringList({"40;32", "40;31;5", "40;31;0"}));
        QCOMPARE(sum, stacks.total());
    }
};
QTEST_GUILESS_MAIN(TestLineShares)
#include "tst_line_shares.moc"
