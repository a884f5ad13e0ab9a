// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/calls.h"
#include "graph/parts/call_chart_layout.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#include <random>
#include <set>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// Tells which thread entered and left what, in microseconds from the start.
class Flow {
public:
    Flow()
    {
        auto p = program("pid$target:::entry, pid$target:::return { }", {"pid$target:::entry", "pid$target:::return"});
        for (auto& c : p.clauses)
            c.silent = false;
        begin(m_stream, p);
    }
    Flow& enter(int us, const std::string& function, std::uint32_t tid = 100, std::uint32_t clause = 0)
    {
        return fire(us, function, "entry", tid, clause);
    }
    Flow& leave(int us, const std::string& function, std::uint32_t tid = 100) { return fire(us, function, "return", tid, 1); }
    Flow& dropped(std::uint64_t n)
    {
        m_stream.emplace_back(record::Drop{record::Drop::Kind::Principal, 0, n});
        return *this;
    }
    Stream stream()
    {
        auto out = m_stream;
        out.emplace_back(end((std::int64_t{m_last} + 10) * 1000));
        return out;
    }
    /// Known to the program, though it may never fire.
    std::uint32_t probe(const std::string& function, const std::string& name)
    {
        const auto [at, isNew] = m_probes.try_emplace(function + ':' + name, static_cast<std::uint32_t>(m_probes.size() + 1));
        const bool kernel = function.starts_with("k_"), library = function.starts_with("l_");
        if (isNew)
            m_stream.emplace_back(record::ProbeDef{ProbeId{at->second}, kernel ? "fbt" : "pid100",
                kernel        ? "vmlinux"
                    : library ? "libc.so.6"
                              : "a.out",
                function, name});
        return at->second;
    }

private:
    Flow& fire(int us, const std::string& function, const std::string& name, std::uint32_t tid, std::uint32_t clause)
    {
        probe(function, name == "entry" ? "return" : "entry");
        const auto id = probe(function, name);
        m_last = std::max(m_last, us);
        m_stream.emplace_back(
            record::Fired{ClauseId{clause}, ProbeId{id}, 0, 100, tid, record::Nanoseconds(kStart + std::int64_t{us} * 1000), {}});
        return *this;
    }
    Stream m_stream;
    std::map<std::string, std::uint32_t> m_probes;
    int m_last = 0;
};
/// "main 0 0-90": name, depth, start and end in microseconds; "?" where it was not seen.
QStringList told(const Stream& stream)
{
    const auto v = visual(stream, "flame-chart");
    QStringList out;
    for (const auto& c : v->calls()->calls)
        out << q(v->calls()->names[c.name]).section('`', 1) + ' ' + QString::number(c.depth) + ' '
                + (c.begun ? QString::number((c.start - kStart) / 1000) : "?") + '-'
                + (c.ended ? QString::number((c.end - kStart) / 1000) : "?");
    return out;
}
Stream random(int threads, int calls, int deep)
{
    Flow f;
    std::mt19937 random(3);
    for (int t = 0; t < threads; ++t) {
        std::vector<std::string> open;
        int at = t;
        for (int i = 0; i < calls; ++i) {
            at += 1 + static_cast<int>(random() % 90);
            if (open.empty() || (static_cast<int>(open.size()) < deep && random() % 2)) {
                open.push_back((random() % 3 == 0 ? "l_" : "") + std::string("function_with_a_long_name_") + std::to_string(random() % 50));
                f.enter(at, open.back(), 100 + static_cast<std::uint32_t>(t));
            } else {
                f.leave(at, open.back(), 100 + static_cast<std::uint32_t>(t));
                open.pop_back();
            }
        }
    }
    return f.stream();
}
} // namespace

class FlameChartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsNestByTheirTime()
    {
        const auto s
            = Flow().enter(0, "main").enter(10, "read").leave(20, "read").enter(30, "write").leave(60, "write").leave(90, "main").stream();
        QCOMPARE(told(s), QStringList({"main 0 0-90", "read 1 10-20", "write 1 30-60"}));
    }
    void recursionIsACallInACall()
    {
        const auto s = Flow().enter(0, "f").enter(1, "f").enter(2, "f").leave(3, "f").leave(4, "f").leave(5, "f").stream();
        QCOMPARE(told(s), QStringList({"f 0 0-5", "f 1 1-4", "f 2 2-3"}));
    }
    void whatHadNotReturnedIsOpen()
    {
        const auto s = Flow().enter(0, "main").enter(10, "poll").stream();
        QCOMPARE(told(s), QStringList({"main 0 0-?", "poll 1 10-?"}));
        QVERIFY(textOf(visual(s, "flame-chart")->figure({})).find("2 had not returned") != std::string::npos);
    }
    void whatEndsItsProcessDoesNotLastAsLongAsTheTracing()
    {
        // Tracing goes on for a second after the process has gone; a thread of another one waits all the while.
        const auto traced = [](const char* last) {
            auto s = Flow().enter(0, "main").enter(10, "work", 101).enter(20, last).enter(30, "handler").leave(40, "handler").stream();
            s.back() = end(1'000'000'000);
            return s;
        };
        const auto calls = [](const Stream& s) { return *visual(s, "flame-chart")->calls(); };
        const auto ended = calls(traced("exit"));
        QCOMPARE((ended.to - kStart) / 1000, 40);
        for (const auto& c : ended.calls)
            QVERIFY(c.end == kStart + 40'000);
        const auto waiting = calls(traced("wait"));
        QCOMPARE((waiting.to - kStart) / 1000, 1'000'000);
        for (const auto& c : waiting.calls)
            QVERIFY(c.ended || c.end == waiting.to);
    }
    void whatRanBeforeTracingBeganCalledAllThatCameSince()
    {
        const auto s = Flow()
                           .enter(5, "read")
                           .leave(10, "read")
                           .leave(20, "inner")
                           .enter(30, "write")
                           .leave(40, "write")
                           .leave(50, "outer")
                           .stream();
        QCOMPARE(told(s), QStringList({"outer 0 ?-50", "inner 1 ?-20", "read 2 5-10", "write 1 30-40"}));
    }
    void aReturnThatWasLostEndsWithItsCallers()
    {
        const auto s = Flow().enter(0, "main").enter(10, "lost").leave(90, "main").dropped(3).stream();
        QCOMPARE(told(s), QStringList({"main 0 0-90", "lost 1 10-90"}));
        const auto v = visual(s, "flame-chart");
        QVERIFY(v->calls()->calls[1].lost);
        QVERIFY(textOf(v->figure({})).find("3 records lost") != std::string::npos);
    }
    void aReturnOfNothingThatIsOpenIsOnlyCounted()
    {
        const auto s = Flow().enter(0, "main").leave(10, "other").leave(20, "main").stream();
        QCOMPARE(told(s), QStringList({"main 0 0-20"}));
        QVERIFY(textOf(visual(s, "flame-chart")->figure({})).find("1 return without a call") != std::string::npos);
    }
    void severalClausesOfOneFiringAreOneCall()
    {
        auto s = Flow().enter(0, "main", 100, 0).enter(0, "main", 100, 1).leave(9, "main").stream();
        QCOMPARE(told(s), QStringList({"main 0 0-9"}));
    }
    void threadsHaveLanesOfTheirOwn()
    {
        const auto s = Flow().enter(0, "a", 100).enter(1, "b", 101).leave(5, "a", 100).leave(6, "b", 101).stream();
        QCOMPARE(told(s), QStringList({"a 0 0-5", "b 0 1-6"}));
        QCOMPARE(visual(s, "flame-chart")->calls()->threads.size(), std::size_t{2});
    }
    void columns()
    {
        QCOMPARE(titles(visual(Flow().enter(0, "a").stream(), "flame-chart")->table()),
            QStringList({"start_ns", "end_ns", "duration_ns", "pid", "tid", "depth", "function"}));
    }
    void barsLieWithinTheirCallers()
    {
        const auto v = visual(random(1, 400, 6), "flame-chart");
        std::map<double, std::vector<Box>> rows;
        LayoutOptions options;
        options.zooms = true;
        for (const auto& item : v->figure(options).items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Frame && !item.tip.empty())
                rows[box->y].push_back(*box);
        QVERIFY(rows.size() >= 4);
        const std::vector<Box>* above = nullptr;
        for (const auto& [y, boxes] : rows) {
            for (std::size_t i = 1; i < boxes.size(); ++i)
                QVERIFY(boxes[i - 1].x + boxes[i - 1].width <= boxes[i].x + 1.1);
            if (above)
                for (const auto& box : boxes)
                    QVERIFY(std::any_of(above->begin(), above->end(),
                        [&](const Box& b) { return b.x <= box.x + 1 && box.x + box.width <= b.x + b.width + 1.5; }));
            above = &boxes;
        }
    }
    void onAPageTimeGoesOnInTheNextRow()
    {
        // Calls of one level, end to end: what of a call stands in one row and in the next adds up to its time.
        Flow f;
        int at = 0;
        std::mt19937 random(5);
        for (int i = 0; i < 300; ++i) {
            f.enter(at, "f" + std::to_string(i));
            f.leave(at += 5 + static_cast<int>(random() % 40), "f" + std::to_string(i));
        }
        const auto v = visual(f.stream(), "flame-chart");
        std::map<std::string, double> widths;
        std::map<std::string, std::int64_t> lengths;
        std::set<double> rows;
        double lowest = 0;
        const auto figure = v->figure({});
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Frame && !item.data.empty()) {
                widths[item.key] += box->width;
                lengths[item.key] = std::stoll(item.data[1].second);
                rows.insert(box->y);
                lowest = std::max(lowest, box->y + box->height);
            }
        QCOMPARE(widths.size(), std::size_t{300});
        QVERIFY(rows.size() > 3 && rows.size() <= 8);
        QVERIFY(lowest > figure.height / 2);
        const double perNanosecond = static_cast<double>(rows.size()) * 1504 / static_cast<double>(v->calls()->to - v->calls()->from);
        for (const auto& [key, width] : widths)
            QVERIFY2(std::abs(width - static_cast<double>(lengths[key]) * perNanosecond) < 2.5, key.c_str());
        LayoutOptions options;
        options.zooms = true;
        std::set<double> one;
        for (const auto& item : v->figure(options).items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Frame && !item.data.empty()) one.insert(box->y);
        QCOMPARE(one.size(), std::size_t{1});
    }
    void whatIsInFocusIsShownAlone_data()
    {
        QTest::addColumn<QString>("focus");
        QTest::addColumn<QStringList>("shown");
        const QStringList all{"inner", "inner", "main", "other", "outer"};
        QTest::newRow("nothing") << "" << all;
        QTest::newRow("a function's longest call") << "a.out`outer" << QStringList({"inner", "main", "outer"});
        QTest::newRow("what doesn't call is within its callers") << "a.out`inner" << QStringList({"inner", "main"});
        QTest::newRow("this mark") << "a.out`inner @110000-120000 ns" << QStringList({"inner", "main", "outer"});
        QTest::newRow("a thread of its own") << "a.out`other" << QStringList({"main", "other"});
        QTest::newRow("what there is not") << "a.out`none" << all;
        QTest::newRow("beyond the end") << "a.out`inner @0-999999999 ns" << all;
        QTest::newRow("backwards") << "a.out`inner @20-10 ns" << all;
        QTest::newRow("no numbers") << "a.out`inner @x-y" << all;
        QTest::newRow("cut") << "a.out`inner @1" << all;
    }
    void whatIsInFocusIsShownAlone()
    {
        QFETCH(QString, focus);
        QFETCH(QStringList, shown);
        const auto s = Flow()
                           .enter(0, "main")
                           .enter(100, "outer")
                           .enter(110, "inner")
                           .leave(120, "inner")
                           .leave(200, "outer")
                           .enter(300, "inner")
                           .leave(350, "inner")
                           .enter(400, "other", 101)
                           .leave(450, "other", 101)
                           .leave(900, "main")
                           .stream();
        for (const bool forScreen : {false, true}) {
            LayoutOptions options;
            options.focus = focus.toStdString();
            options.zooms = true;
            options.forScreen = forScreen;
            options.fit = !forScreen;
            QStringList names;
            const auto figure = visual(s, "flame-chart")->figure(options);
            for (const auto& item : figure.items)
                if (std::holds_alternative<Box>(item.shape) && item.role == Role::Frame && !item.data.empty())
                    names << q(item.tip).section('\n', 0, 0).section('`', 1);
            names.sort();
            // What is not there is told; a window, which may have lost it, shows all.
            const bool told = !forScreen && !focus.isEmpty() && shown.size() == 5;
            QCOMPARE(names, told ? QStringList() : shown);
            QCOMPARE(textOf(figure).find("No call of " + options.focus) != std::string::npos, told);
            QCOMPARE(unreadable(figure), std::string());
        }
    }
    void everyMarkLeadsToItself()
    {
        const auto v = visual(random(2, 3000, 5), "flame-chart");
        LayoutOptions options;
        options.zooms = true;
        int tried = 0;
        for (const auto& item : v->figure(options).items) {
            if (!std::holds_alternative<Box>(item.shape) || item.role != Role::Frame || item.data.empty() || ++tried % 37 != 0) continue;
            options.focus = item.key;
            const auto start = item.data[0];
            const double least = item.data.size() > 2 ? 1 : 200; // of several calls each is seen then
            const auto figure = v->figure(options);
            QVERIFY2(std::any_of(figure.items.begin(), figure.items.end(),
                         [&](const Item& i) {
                             const auto* box = std::get_if<Box>(&i.shape);
                             return box && i.role == Role::Frame && i.data.size() >= 2 && i.data[0] == start && box->width > least;
                         }),
                item.key.c_str());
        }
        QVERIFY(tried > 100);
    }
    void manyCallsAreAsManyBarsAsCanBeSeen()
    {
        LayoutOptions options;
        options.text = 12; // so that all levels have room
        const auto figure = visual(random(3, 60'000, 8), "flame-chart")->figure(options);
        std::size_t bars = 0, calls = 0;
        for (const auto& item : figure.items) {
            if (item.role != Role::Frame || item.data.empty()) continue;
            ++bars;
            calls += item.data.back().first == "calls" ? std::stoul(item.data.back().second) : 1;
        }
        QVERIFY(bars <= 10'000);
        QVERIFY(calls > 80'000);
    }
    /// "10,7..." would be read as ten.
    void numbersOfCallsAreWhole()
    {
        Flow f;
        f.enter(0, "main");
        int at = 0;
        for (int block = 0; block < 24; ++block) { // of 20 to 480 calls, too short to see each
            for (int i = 0; i < 20 * (block + 1); ++i) {
                f.enter(++at, "f");
                f.leave(++at, "f");
            }
            at += 400;
        }
        LayoutOptions options;
        options.zooms = true; // in one row
        const auto figure = visual(f.leave(at, "main").stream(), "flame-chart")->figure(options);
        int numbers = 0;
        for (const auto& item : figure.items) {
            const auto* text = std::get_if<Text>(&item.shape);
            if (!text || item.role != Role::Frame || text->text.find_first_of("0123456789") != 0) continue;
            QVERIFY2(text->text.find("\u2026") == std::string::npos, text->text.c_str());
            ++numbers;
        }
        QVERIFY(numbers > 0);
    }
    void everyLabelCanBeRead_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("calls");
        QTest::addColumn<int>("deep");
        QTest::newRow("one call") << 1 << 1 << 1;
        QTest::newRow("a few") << 2 << 30 << 5;
        QTest::newRow("deep") << 1 << 2000 << 200;
        QTest::newRow("many threads") << 300 << 40 << 8;
        QTest::newRow("many calls") << 4 << 20'000 << 10;
    }
    void everyLabelCanBeRead()
    {
        QFETCH(int, threads);
        QFETCH(int, calls);
        QFETCH(int, deep);
        const auto v = visual(random(threads, calls, deep), "flame-chart");
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto wrong = unreadable(v->figure(options));
            QVERIFY2(wrong.empty(), (wrong + " at " + std::to_string(width)).c_str());
        }
    }
    void whereTheTextTellsNoTimesTheOrderOfLinesIsShown()
    {
        auto s = Flow().enter(1, "main").enter(2, "read").leave(3, "read").leave(4, "main").stream();
        std::get<record::Program>(s.front()).timesAreLines = true;
        const auto v = visual(s, "flame-chart");
        QCOMPARE(v->calls()->calls.size(), std::size_t{2});
        const auto text = textOf(v->figure({}));
        QVERIFY2(text.find("the text tells no times") != std::string::npos, text.c_str());
        QVERIFY2(text.find("CPU 100") != std::string::npos, text.c_str());
    }
    /// As many threads as there is room for are found in one pass: of two million a second one for each would not end.
    void millionsOfThreadsAreLaidOutInOnePass()
    {
        std::vector<CallLane> lanes(2'000'000);
        for (std::size_t i = 0; i < lanes.size(); ++i)
            lanes[i].depth = 1 + static_cast<std::uint32_t>(i % 5);
        const CallSheet sheet{{0, 0, 1000, 700, 0}};
        const auto levels = callLevels(lanes, sheet);
        const auto height = [&](std::size_t threads) {
            double rows = 0;
            for (std::size_t i = 0; i < threads; ++i)
                rows += std::min(lanes[i].depth, 3U);
            return static_cast<double>(threads) * (sheet.headHeight() + sheet.laneGap()) + rows * 17 + sheet.axisHeight();
        };
        QVERIFY(levels.threads > 1 && height(levels.threads) <= sheet.area.height && height(levels.threads + 1) > sheet.area.height);
    }
    void withoutDataItSaysSo()
    {
        auto s = Flow().stream();
        const auto v = visual(s, "flame-chart");
        QVERIFY(v->empty());
        QVERIFY(textOf(v->figure({})).find("No calls yet") != std::string::npos);
    }
};
QTEST_GUILESS_MAIN(FlameChartTest)
#include "tst_flame_chart.moc"
