// needs: engine/record
// Around one function: sums made by hand, after the rule that a stack counts once, however often the function is in it.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// Frames by name with their totals: above the widest without a neighbour's number, below it.
struct Around {
    std::map<std::string, std::string> above, below;
    std::string middle;
};
Around around(const Visual& v, const std::string& focus)
{
    Around out;
    double y = -1;
    const auto figure = v.figure({.focus = focus});
    for (const auto& item : figure.items) {
        const auto* box = std::get_if<Box>(&item.shape);
        if (!box || item.role != Role::Frame || item.key.empty() || item.data.empty()) continue;
        if (y < 0) { // the middle is drawn first
            y = box->y;
            out.middle = item.key + ' ' + item.data.front().second;
        } else {
            auto& side = box->y < y ? out.above : out.below;
            side[item.key] += (side[item.key].empty() ? "" : "+") + item.data.front().second;
        }
    }
    return out;
}
using Counts = std::vector<std::pair<std::string, std::int64_t>>;
/// Stacks that one clause at `probe` counts, or sums up: frames of the kernel begin with k:.
Stream stacksAt(const std::string& probe, const std::string& value, const Counts& all)
{
    auto p = program("", {probe});
    const auto function = value.empty() ? Aggregator::Count : Aggregator::Sum;
    p.aggregations = {aggregation("", function, value, {stackKey(record::FieldKind::UserStack)})};
    p.clauses[0].fills = {AggregationId{0}};
    Stream stream;
    begin(stream, p);
    std::vector<record::AggregationRow> out;
    std::uint32_t id = 0;
    for (const auto& [line, amount] : all) {
        std::vector<record::Frame> frames;
        for (const auto& word : q(line).split(';')) {
            const bool isKernel = word.startsWith("k:");
            frames.push_back(frame(isKernel ? "vmlinux" : "a.out", word.mid(isKernel ? 2 : 0).toStdString(),
                isKernel ? record::Frame::Kind::Kernel : record::Frame::Kind::User));
        }
        stream.emplace_back(stack(++id, frames));
        out.push_back({Key().stack(id).bytes(), {amount}});
    }
    stream.emplace_back(rows(0, out));
    stream.emplace_back(end(kSecond));
    return stream;
}
using ByName = std::map<std::string, std::string>;
} // namespace

class SandwichTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// How much it is, whatever the text is called that it came from.
    void aNarrowPageSaysFirstHowMuchItIs()
    {
        const auto v = visual(stacks({{"a;f;x", 30}, {"b;f", 20}, {"b;c;f;x;y", 5}, {"a;z", 100}}), "sandwich");
        const auto figure = v->figure({.width = 325, .height = 244, .text = 10.7, .focus = "f"});
        const auto words = textOf(figure);
        QVERIFY2(words.find("55 of 155") != std::string::npos && words.find("12.9 % self") != std::string::npos, words.c_str());
    }
    void callersStandAboveAndCalleesBelow()
    {
        const auto v = visual(stacks({{"a;f;x", 30}, {"b;f", 20}, {"b;c;f;x;y", 5}, {"a;z", 100}}), "sandwich");
        const auto found = around(*v, "f");
        QCOMPARE(found.middle, std::string("f 55"));
        QCOMPARE(found.above, (ByName{{"a", "30"}, {"b", "20+5"}, {"c", "5"}}));
        QCOMPARE(found.below, (ByName{{"x", "35"}, {"y", "5"}}));
    }
    void aFunctionThatCallsItselfCountsOnce()
    {
        const auto v = visual(stacks({{"m;f;g;f;x", 40}, {"m;f;f", 8}}), "sandwich");
        const auto found = around(*v, "f");
        QCOMPARE(found.middle, std::string("f 48"));
        QCOMPARE(found.above, (ByName{{"m", "48"}}));
        QCOMPARE(found.below, (ByName{{"f", "8+40"}, {"g", "40"}, {"x", "40"}}));
        const auto rows = rowsOf(*v);
        QCOMPARE(rows.size(), std::size_t{4});
        QCOMPARE(rows[0].at("function") + ' ' + rows[0].at("self") + ' ' + rows[0].at("total"), std::string("f 8 48"));
        QCOMPARE(rows[3].at("function") + ' ' + rows[3].at("self") + ' ' + rows[3].at("total"), std::string("x 40 40"));
    }
    void whatTookMostByItselfIsTheFirst()
    {
        const auto v = visual(stacks({{"main;work;inner", 10}, {"main;work", 25}, {"main;rest", 24}}), "sandwich");
        QCOMPARE(around(*v, {}).middle, std::string("work 35"));
        QCOMPARE(around(*v, "main;work;inner").middle, std::string("inner 10")); // a path, as the flame graph has it in focus
    }
    void unaskedItHasBothSides_data()
    {
        QTest::addColumn<Counts>("counts");
        QTest::addColumn<std::string>("middle");
        QTest::newRow("a leaf has nothing below") << Counts{{"m;f;x", 900}, {"m;f;y", 50}, {"m;f", 1}} << std::string("f 951");
        QTest::newRow("most by other callers") << Counts{{"m;f;x", 900}, {"m;a;g;y", 50}, {"m;b;g;y", 52}} << std::string("g 102");
        QTest::newRow("a twentieth by others") << Counts{{"m;f;x", 890}, {"m;f", 8}, {"m;a;g;y", 50}, {"m;b;g;y", 52}} << std::string("g 102");
        QTest::newRow("less than that") << Counts{{"m;f;x", 890}, {"m;f", 20}, {"m;a;g;y", 45}, {"m;b;g;y", 45}} << std::string("f 910");
        QTest::newRow("a leaf that two call") << Counts{{"m;f;x", 40}, {"m;g;x", 60}} << std::string("g 60");
        QTest::newRow("calls itself only") << Counts{{"m;f;f", 90}, {"m;g;x", 10}, {"m;g", 1}} << std::string("f 90");
        QTest::newRow("a quarter in callees") << Counts{{"m;f", 75}, {"m;f;x", 25}, {"m;g", 10}, {"m;g;y", 20}} << std::string("f 100");
        QTest::newRow("less than a quarter") << Counts{{"m;f", 77}, {"m;f;x", 23}, {"m;g", 10}, {"m;g;y", 20}} << std::string("g 30");
        QTest::newRow("an unknown name tells nothing") << Counts{{"m;lib`[lib];x", 90}, {"m;lib`[lib]", 9}, {"m;f;x", 2}, {"m;f", 1}} << std::string("f 3");
        QTest::newRow("none has both") << Counts{{"a;x", 30}, {"b;y", 20}} << std::string("x 30");
    }
    void unaskedItHasBothSides()
    {
        QFETCH(Counts, counts);
        QTEST(around(*visual(stacks(counts), "sandwich"), {}).middle, "middle");
    }
    /// All waits are in schedule(), and all system calls pass the same entry: that is no news of the program.
    void whatTheProbeImpliesIsNotInTheMiddle_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<QString>("value");
        QTest::addColumn<Counts>("counts");
        QTest::addColumn<QString>("title");
        QTest::newRow("waits") << "sched:::on-cpu"
                               << "timestamp - self->since"
                               << Counts{{"main;write;k:vfs_write;k:anon_pipe_write;k:schedule;k:__schedule", 600'000},
                                      {"main;nap;k:do_nanosleep;k:schedule;k:__schedule", 400'000}}
                               << "Callers and callees of vmlinux`anon_pipe_write";
        const std::string entry = "k:entry_SYSCALL_64_after_hwframe;k:do_syscall_64;";
        QTest::newRow("wakeups") << "sched:::wakeup"
                                 << ""
                                 << Counts{{"main;write;" + entry + "k:vfs_write;k:anon_pipe_write;k:__wake_up;k:try_to_wake_up", 600},
                                        {"main;futex;" + entry + "k:futex_wake;k:wake_up_q;k:try_to_wake_up", 400}}
                                 << "Callers and callees of vmlinux`anon_pipe_write";
        QTest::newRow("calls of one function") << "pid$target::malloc:entry"
                                               << ""
                                               << Counts{{"main;parse;grow;malloc", 600}, {"main;parse;copy;malloc", 250},
                                                      {"main;print;malloc", 150}}
                                               << "Callers and callees of a.out`grow";
        QTest::newRow("samples may end anywhere")
            << "profile:::profile-997"
            << "" << Counts{{"main;nap;k:schedule;k:__schedule", 600}, {"main;rest;k:schedule;k:__schedule", 400}}
            << "Callers and callees of vmlinux`schedule";
    }
    void whatTheProbeImpliesIsNotInTheMiddle()
    {
        QFETCH(QString, probe);
        QFETCH(QString, value);
        QFETCH(Counts, counts);
        QTEST(q(visual(stacksAt(probe.toStdString(), value.toStdString(), counts), "sandwich")->figure({}).title), "title");
    }
    /// Two lines have no room for all of it: a form that fits is whole.
    void theTitleNamesAFunctionThatIsNotCut()
    {
        std::string arguments = "std::string";
        for (int i = 0; i < 12; ++i)
            arguments = "std::map<std::string,std::vector<" + arguments + ">>";
        const std::string name = "office_affinity::VeryLongTemplateContainerName<" + arguments + ">::walk(" + arguments + " const&)";
        const auto v = visual(stacks({{"main;" + name + ";x", 120}}), "sandwich");
        for (const double width : {1600.0, 1100.0}) {
            const auto figure = v->figure({.width = width, .height = width * 9 / 16});
            std::string title;
            for (const auto& item : figure.items)
                if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Title) title += text->text + ' ';
            QVERIFY2(title.find("\u2026") == std::string::npos && title.find("walk") != std::string::npos, title.c_str());
        }
    }
    void theMiddleKeepsItsNumber()
    {
        const std::string name = "ns::vector<int, ns::allocator<int> >::push_back(int const&)";
        const auto v = visual(stacks({{"main;" + name + ";x", 120}}), "sandwich");
        for (const double width : {1600.0, 800.0, 400.0}) {
            const auto words = textOf(v->figure({.width = width, .height = width * 9 / 16}));
            QVERIFY2(words.find("push_back: 120\n") != std::string::npos || words.find(name + ": 120\n") != std::string::npos, words.c_str());
        }
    }
    void sliversDecideNothing()
    {
        std::string deep = "m;a;f;x";
        for (int i = 0; i < 100; ++i)
            deep += ";d" + std::to_string(i);
        const auto v = visual(stacks({{"m;a;f;x", 600}, {"m;b;f;y", 400}, {deep, 1}}), "sandwich");
        const auto figure = v->figure({.focus = "f"});
        double highest = 0;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Frame) highest = std::max(highest, box->height);
        QVERIFY2(highest > 25, std::to_string(highest).c_str()); // rows for text that can be read well, not for 104 levels
        QVERIFY(textOf(figure).find("further away not shown") != std::string::npos);
    }
    void aFunctionThatIsNotThereIsSaidToBeMissing()
    {
        const auto figure = visual(stacks({{"main;work", 1}}), "sandwich")->figure({.focus = "nowhere"});
        const auto words = textOf(figure);
        QVERIFY2(words.find("No stack has nowhere in it") != std::string::npos, words.c_str());
        QVERIFY(words.find("main") != std::string::npos); // what there is
    }
    void anIcicleIsTheFlameGraphUpsideDown()
    {
        const auto s = profile(200, 60, 12);
        const auto up = visual(s, "flame")->figure({}), down = visual(s, "icicle")->figure({});
        QCOMPARE(down.items.size(), up.items.size());
        double top = 1e9, bottom = 0;
        for (std::size_t i = 0; i < up.items.size(); ++i)
            if (up.items[i].role == Role::Frame && !up.items[i].key.empty()) {
                const auto* a = std::get_if<Box>(&up.items[i].shape);
                if (!a) continue;
                top = std::min(top, a->y);
                bottom = std::max(bottom, a->y);
            }
        double shift = -1;
        for (std::size_t i = 0; i < up.items.size(); ++i) {
            const auto *a = std::get_if<Box>(&up.items[i].shape), *b = std::get_if<Box>(&down.items[i].shape);
            if (!a || up.items[i].role != Role::Frame || up.items[i].key.empty()) continue;
            QCOMPARE(down.items[i].key, up.items[i].key);
            QCOMPARE(b->x, a->x);
            QCOMPARE(b->width, a->width);
            const double mirrored = b->y - (top + bottom - a->y);
            if (shift < 0) shift = std::abs(mirrored);
            QVERIFY(std::abs(std::abs(mirrored) - shift) < 0.01);
        }
    }
    void itsWordsCanBeReadOnEveryPaper()
    {
        for (const auto& s : {profile(1, 4, 1), profile(300, 60, 12), profile(2000, 300, 60)})
            for (const auto* name : {"sandwich", "icicle"})
                for (const auto& [width, height] : sizes()) {
                    const auto v = visual(s, name);
                    const auto wrong = unreadable(v->figure({.width = width, .height = height}));
                    QVERIFY2(wrong.empty(), (std::string(name) + ": " + wrong).c_str());
                }
    }
    void withoutDataItSaysSo()
    {
        auto s = stacks({{"a", 1}});
        s.resize(1);
        const auto v = visual(s, "sandwich");
        QVERIFY(v->empty());
        QVERIFY(v->table().rows.empty());
        QVERIFY(textOf(v->figure({})).find("No stacks yet") != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(SandwichTest)
#include "tst_sandwich.moc"
