// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "engine/record/buckets.h"
#include "graph/critical_path.h"
#include "graph/frame_label.h"
#include "graph/process_drawing.h"
#include "graph/process_fold.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/figures.h"
#include "tests/support/folded_lines.h"
#include "tests/support/visuals.h"
#include <algorithm>
#include <map>
#include <memory>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

namespace {
QStringList fitting(const Stream& stream)
{
    Store store;
    store.take(stream.front());
    QStringList names;
    for (const auto& kind : kinds())
        if (kind.fits(store)) names << q(kind.name);
    return names;
}
} // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// How long a process took whose end alone was seen is not known: it is not 0 ns.
    void aProcessFromBeforeHasNoDuration()
    {
        std::vector<graph::Process> all(1);
        all[0].pid = 7;
        all[0].execname = "cc1";
        all[0].firstSeen = 50;
        all[0].end = 50;
        all[0].cpu = 1'000'000'000;
        const auto label = graph::labelOf(all, {{0}, static_cast<std::size_t>(-1), 0, 0, false}, 100, graph::Privacy::Open);
        QCOMPARE(label.facts, std::string("pid 7 \u00b7 before tracing (cpu 1.00 s)"));
        QVERIFY(label.duration.empty());
    }
    void theShapeOfAProgramPicksItsViews()
    {
        QCOMPARE(fitting(build()), QStringList({"process-tree", "process-timeline"}));
        QCOMPARE(fitting(profile(3, 3, 3)), QStringList({"flame", "call-graph", "icicle", "sandwich", "table"}));
        QCOMPARE(fitting(writeTimes({"a"})), QStringList({"histogram", "ecdf", "heatmap", "series", "table"}));
        QCOMPARE(fitting(written({"a"})), QStringList({"bars", "series", "table"}));
        QCOMPARE(fitting(opened({"a"})), QStringList({"table"}));
    }
    void viewsAreOfferedInOneOrder()
    {
        QStringList names;
        for (const auto& kind : kinds())
            names << q(kind.name);
        QCOMPARE(names.join(' '),
            QString(
                "process-tree process-timeline flame call-graph icicle sandwich lines disassembly source histogram ecdf flame-chart heatmap bars graph series table"));
    }
    void whatIsCountedIsToldByTheProbesNotByHowTheyWereWritten()
    {
        const auto drawn = [](const std::string& written, const record::ProbeDef& probe) {
            auto stream = profile(3, 3, 3);
            auto& p = std::get<record::Program>(stream.front());
            p.clauses.front().probes = written;
            for (auto& r : stream)
                if (auto* def = std::get_if<record::ProbeDef>(&r)) *def = probe;
            const auto v = visual(stream, "flame");
            return q(v->title()) + '|' + q(textOf(v->figure({})));
        };
        const auto sampled = drawn("*:::profile-99", {ProbeId{7}, "profile", "", "", "profile-99"});
        QVERIFY2(sampled.startsWith("Where the time goes") && sampled.contains("samples"), qPrintable(sampled));
        const auto called = drawn("profiler*:::entry", {ProbeId{7}, "pid77", "profiler", "main", "entry"});
        QVERIFY2(called.startsWith("What leads to") && called.contains("calls"), qPrintable(called));
        const auto ticked = drawn("profile:::tick-1s", {ProbeId{7}, "profile", "", "", "tick-1s"});
        QVERIFY2(ticked.contains("events"), qPrintable(ticked));
    }
    void everyViewStatesItsFacts()
    {
        const Store nothing;
        for (const auto& kind : kinds()) {
            const auto v = kind.make(nothing);
            QCOMPARE(v->name(), kind.name);
            QVERIFY2(!kind.tab.empty() && !kind.summary.empty(), std::string(kind.name).c_str());
            QVERIFY(v->facts().growth == kind.growth && v->facts().hasFocus == kind.hasFocus && v->facts().isTable == kind.isTable);
        }
    }
    void everyViewSaysInWordsThatItIsEmpty()
    {
        for (const auto& stream : {build(), profile(3, 3, 3), writeTimes({"a"}), written({"a"}), opened({"a"})}) {
            Store store;
            store.take(stream.front());
            for (const auto& kind : kinds()) {
                if (!kind.fits(store)) continue;
                const auto v = kind.make(store);
                QVERIFY(v->empty());
                QVERIFY(v->table().rows.empty());
                QVERIFY(!v->table().columns.empty());
                const std::string words = textOf(v->figure({}));
                QVERIFY2(words.find(" yet") != std::string::npos, words.c_str());
            }
        }
    }
    void aVisualOutlivesChangesOfTheStore()
    {
        Store store;
        for (const auto& r : writeTimes({"imapd"}))
            store.take(r);
        const auto kind = kinds();
        const auto it = std::find_if(kind.begin(), kind.end(), [](const Kind& k) { return k.name == "histogram"; });
        const auto v = it->make(store);
        const auto before = v->table().rows;
        store = Store();
        QVERIFY(v->table().rows == before);
    }
    // -- process tree -------------------------------------------------------------------------------------------------
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
    void stacksThatEndEarlyAreTold_data()
    {
        QTest::addColumn<QString>("view");
        for (const auto* view : {"flame", "icicle", "sandwich", "call-graph", "table"})
            QTest::newRow(view) << view;
    }
    void stacksThatEndEarlyAreTold()
    {
        QFETCH(QString, view);
        const auto cut = [](std::uint32_t id, record::Truncation why) {
            // The mark stands where the outermost frame would.
            return stack(id, {record::truncated(why), frame("a.out", "main", record::Frame::Kind::User), frame("a.out", "work", record::Frame::Kind::User)});
        };
        const auto words = [&](std::int64_t whole, std::int64_t first, std::int64_t second, const std::string& subtitle) {
            Stream s;
            auto p = program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
            p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
            begin(s, p);
            // Named as if it were one, but it is whole.
            s.emplace_back(stack(1, {frame("", "[truncated]", record::Frame::Kind::User), frame("a.out", "main", record::Frame::Kind::User)}));
            s.emplace_back(cut(2, record::Truncation::NoTable));
            s.emplace_back(cut(3, record::Truncation::BadMemory));
            s.emplace_back(rows(0, {{Key().stack(1).bytes(), {whole}}, {Key().stack(2).bytes(), {first}}, {Key().stack(3).bytes(), {second}}}));
            s.emplace_back(end(kSecond));
            LayoutOptions options;
            options.subtitle = subtitle;
            return textOf(visual(s, view.toStdString())->figure(options));
        };
        const std::string few = words(979, 21, 0, ""), own = words(979, 21, 0, "my own words"), mixed = words(50, 10, 40, ""), none = words(9, 0, 0, "");
        QVERIFY2(few.find("2.1 % of the samples end early: no unwind table") != std::string::npos, few.c_str());
        QVERIFY2(own.find("2.1 % of the samples end early: no unwind table") != std::string::npos, own.c_str());
        QVERIFY2(mixed.find("50.0 % of the samples end early, mostly: the stack could not be read") != std::string::npos, mixed.c_str());
        QVERIFY2(none.find("end early") == std::string::npos, none.c_str());
    }
    void caveatsStayWhateverTheSubtitle()
    {
        auto stream = profile(200, 30, 200);
        std::get<record::Program>(stream.front()).source = "profile-997 { @[ustack()] = count(); }";
        stream.insert(stream.end() - 1, record::Drop{});
        std::get<record::Drop>(stream[stream.size() - 2]).count = 1234;
        LayoutOptions options;
        options.subtitle = "my own words";
        const auto text = textOf(visual(stream, "flame")->figure(options));
        QVERIFY2(text.find("my own words") != std::string::npos, text.c_str());
        QVERIFY2(text.find("deeper levels are not shown") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1,234 records lost") != std::string::npos, text.c_str());
    }
    void aFoldedNodeHasTheColourOfItsLongestProcess()
    {
        Processes p(10);
        p.existing(0, 10, "make");
        for (std::uint32_t i = 0; i < 6; ++i)
            p.fork(10 + i * 10, 10, 20 + i).exec(10.1 + i * 10, 20 + i, "/usr/bin/cc", {"cc", "-c", "a.c"}).exit(18 + i * 10, 20 + i);
        p.exit(90, 10);
        bool found = false;
        for (const auto& item : visual(p.stream(), "process-tree")->figure({}).items)
            if (std::holds_alternative<Box>(item.shape) && std::find(item.data.begin(), item.data.end(), std::pair<std::string, std::string>{"processes", "6"}) != item.data.end()) {
                found = true;
                QCOMPARE(item.level, 0.0); // each less than 10 ms, 48 ms in all
            }
        QVERIFY(found);
    }
    void theNumberOfAFoldedNodeIsNeverCut_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        for (const auto& [width, height] : sizes())
            QTest::newRow(qPrintable(QString::number(width))) << width << height;
    }
    void theNumberOfAFoldedNodeIsNeverCut()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        Processes p(10);
        p.existing(0, 10, "make");
        for (std::uint32_t i = 0; i < 142; ++i)
            p.fork(10 + i, 10, 20 + i).exec(10.1 + i, 20 + i, "/usr/bin/dpkg-buildflags-of-a-long-name", {"dpkg-buildflags", "--get"}).exit(10.9 + i, 20 + i);
        p.exit(200, 10);
        LayoutOptions options;
        options.width = width;
        options.height = height;
        const auto text = textOf(visual(p.stream(), "process-tree")->figure(options));
        QVERIFY2(text.find("\u00d7142\n") != std::string::npos, text.c_str());
    }
    void theFileThatIsWorkedOnTellsAProcess()
    {
        Process p;
        p.images.push_back({"/usr/lib/gcc/cc1", "/src", {"cc1", "-quiet", "-imultiarch", "x86_64-linux-gnu", "lib/deflate.c", "-dumpbase", "deflate.c", "-o", "/tmp/ccTShBza.s"}, 0, false});
        QCOMPARE(q(tellingArguments(p)), QString("deflate.c"));
        p.images.back().args = {"grep", "-r", "needle", "--color"};
        QCOMPARE(q(tellingArguments(p)), QString("needle"));
        QCOMPARE(q(tellingArguments(p, {"needle"})), QString());
        p.images.back().args = {"sh"};
        QCOMPARE(q(tellingArguments(p)), QString());
    }
    void coloursOfDurationsAreExplainedOnEveryPage()
    {
        const auto v = visual(build(), "process-tree");
        for (const auto& [width, height] : sizes()) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            const auto text = textOf(v->figure(options));
            QVERIFY2(text.find("0.1 s") != std::string::npos && text.find("10 ms") != std::string::npos, text.c_str());
        }
    }
    void aDeepSliverDoesNotMakeRowsLow()
    {
        const auto rowOf = [](bool withSliver) {
            Stream s;
            auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
            p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
            begin(s, p);
            std::vector<record::Frame> deep;
            for (int i = 0; i < 128; ++i)
                deep.push_back(frame("a", "f" + std::to_string(i), record::Frame::Kind::User));
            s.emplace_back(stack(1, {deep.begin(), deep.begin() + 8}));
            s.emplace_back(stack(2, deep));
            std::vector<record::AggregationRow> all{{Key().stack(1).bytes(), {10'000}}};
            if (withSliver) all.push_back({Key().stack(2).bytes(), {1}});
            s.emplace_back(rows(0, all));
            for (const auto& item : visual(s, "flame")->figure({}).items)
                if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Frame && !item.key.empty()) return box->height;
            return 0.0;
        };
        QVERIFY(rowOf(false) > 50);
        QVERIFY2(rowOf(true) > 1.6 * 18, qPrintable(QString::number(rowOf(true)))); // it was the lowest there is
    }
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
    void framesOfATwentiethSayTheirShare()
    {
        Stream s;
        auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
        begin(s, p);
        const auto of = [](const char* name) { return frame("a", name, record::Frame::Kind::User); };
        s.emplace_back(stack(1, {of("main"), of("mix")}));
        s.emplace_back(stack(2, {of("main"), of("rare")}));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {96}}, {Key().stack(2).bytes(), {4}}}));
        const auto text = textOf(visual(s, "flame")->figure({}));
        QVERIFY2(text.find("a`mix  96 %") != std::string::npos, text.c_str());
        QVERIFY2(text.find(" 4 %") == std::string::npos, text.c_str());
    }
    void aLiteralNamesNoFigure()
    {
        Stream s;
        auto p = program("x:::y { @[\"neg\", execname] = sum(-1); }", {"x:::y"});
        p.aggregations = {aggregation("S", Aggregator::Sum, "-1", {textKey("\"neg\""), textKey("execname")})};
        begin(s, p);
        s.emplace_back(rows(0, {{Key().text("neg").text("cat").bytes(), {-5}}}));
        QCOMPARE(q(visual(s, "bars")->title()), QString("Sum of a constant by execname"));
        QCOMPARE(q(visual(s, "series")->title()), QString("Sum of a constant by execname over time"));
        for (const auto* view : {"bars", "series"}) {
            const auto columns = visual(s, view)->table().columns;
            QVERIFY(std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.title == "key"; }));
        }
    }
    void processColumnsAreThoseOfTheInterface()
    {
        const auto v = visual(build(), "process-tree");
        QStringList titles;
        for (const auto& c : v->table().columns)
            titles << q(c.title);
        QCOMPARE(titles.join(','), QString("id,parent,pid,ppid,start_ns,end_ns,exit_status,signal,execs,uid,cwd,command,args"));
    }
    void theTimelinePlacesProcessesByTheirTime()
    {
        // 100 ms in all; one child from 20 to 60 ms, one from 50 to 100 ms, which decided the end.
        Processes p(10);
        p.existing(0, 1, "bash").existing(0, 10, "make").fork(20, 10, 11).exit(60, 11).fork(50, 10, 12).exit(100, 12).exit(100, 10);
        const auto v = visual(p.stream(), "process-timeline");
        std::map<std::string, Box> bars;
        int outlined = 0;
        for (const auto& item : v->figure({}).items) {
            const auto* box = std::get_if<Box>(&item.shape);
            if (box && item.role == Role::Marker) ++outlined;
            if (box && item.role == Role::Node)
                for (const auto& [key, value] : item.data)
                    if (key == "pid") bars[value] = *box;
        }
        QCOMPARE(bars.size(), std::size_t{3});
        const auto near = [&](double is, double share) { return std::abs(is - share * bars["10"].width) < 1; };
        QVERIFY(near(bars["11"].x - bars["10"].x, 0.2) && near(bars["11"].width, 0.4));
        QVERIFY(near(bars["12"].x - bars["10"].x, 0.5) && near(bars["12"].width, 0.5));
        QVERIFY(bars["10"].y < bars["11"].y && bars["11"].y < bars["12"].y);
        QCOMPARE(outlined, 2); // make and the second child
    }
    void theTreeHoldsTheTargetAndItsDescendantsOnly()
    {
        const auto v = visual(build(), "process-tree");
        const auto rows = rowsOf(*v);
        QCOMPARE(rows.size(), std::size_t{35});
        QCOMPARE(q(rows[0].at("pid")), QString("4101"));
        QCOMPARE(q(rows[0].at("parent")), QString());
        QCOMPARE(q(rows[0].at("start_ns")), QString());
        QCOMPARE(q(rows[0].at("exit_status")), QString("2"));
        std::map<std::string, std::string> pidOf;
        for (const auto& r : rows)
            pidOf[r.at("id")] = r.at("pid");
        for (std::size_t i = 1; i < rows.size(); ++i)
            QCOMPARE(q(pidOf[rows[i].at("parent")]), q(rows[i].at("ppid")));
        QVERIFY(textOf(v->figure({})).find("1 other process not shown") != std::string::npos);
        QVERIFY(std::none_of(rows.begin(), rows.end(), [](const auto& r) { return r.at("command") == "/usr/bin/date"; }));
    }
    void endsAreExitStatusOrSignalOrNeither()
    {
        std::map<std::string, std::map<std::string, std::string>> byPid;
        for (const auto& r : rowsOf(*visual(build(), "process-tree")))
            byPid[r.at("command") + ' ' + r.at("args")] = r;
        const auto& crash = byPid.at("/home/me/project/prog ./prog --selftest");
        QCOMPARE(q(crash.at("signal")), QString("11"));
        QCOMPARE(q(crash.at("exit_status")), QString());
        const auto& failed = byPid.at("/usr/bin/cc cc -c conftest.c");
        QCOMPARE(q(failed.at("exit_status")), QString("1"));
        QCOMPARE(q(failed.at("signal")), QString());
        QCOMPARE(q(failed.at("cwd")), QString("/home/me/project"));
        const auto& running = byPid.at("/usr/bin/ccache-daemon ccache-daemon --serve");
        QCOMPARE(q(running.at("exit_status") + running.at("signal") + running.at("end_ns")), QString());
        QCOMPARE(q(byPid.at("/usr/bin/as as --64 -o src/tree.c.o").at("execs")), QString("2"));
    }
    void aReusedPidIsAnotherProcess()
    {
        Processes p;
        p.existing(0, 1, "init")
            .fork(1, 1, 50)
            .exec(2, 50, "/bin/a", {"a"})
            .exit(3, 50)
            .fork(4, 1, 50)
            .exec(5, 50, "/bin/b", {"b"})
            .fork(6, 50, 51)
            .exit(7, 51)
            .exit(8, 50, 256);
        const auto rows = rowsOf(*visual(p.stream(), "process-tree"));
        QCOMPARE(rows.size(), std::size_t{4});
        QCOMPARE(q(rows[1].at("command")), QString("/bin/a"));
        QCOMPARE(q(rows[1].at("exit_status")), QString("0"));
        QCOMPARE(q(rows[2].at("command")), QString("/bin/b"));
        QCOMPARE(q(rows[2].at("exit_status")), QString("1"));
        QCOMPARE(q(rows[3].at("parent")), q(rows[2].at("id")));
    }
    void theForkingProcessStaysTheParentWhenItDiesFirst()
    {
        Processes p;
        p.existing(0, 1, "init").fork(1, 1, 10).fork(2, 10, 11).exit(3, 10).exec(4, 11, "/bin/late", {"late"}).exit(5, 11);
        const auto rows = rowsOf(*visual(p.stream(), "process-tree"));
        QCOMPARE(q(rows[2].at("parent")), q(rows[1].at("id")));
        QCOMPARE(q(rows[2].at("ppid")), QString("10"));
    }
    void anOrphanIsARootAndAStrangersExitIsKept()
    {
        Processes p;
        p.fork(1, 77, 78).exit(2, 78).exit(3, 99, 15);
        const auto rows = rowsOf(*visual(p.stream(), "process-tree"));
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(q(rows[0].at("parent")), QString());
        QCOMPARE(q(rows[0].at("ppid")), QString("77"));
        QCOMPARE(q(rows[1].at("pid")), QString("99"));
        QCOMPARE(q(rows[1].at("signal")), QString("15"));
        QCOMPARE(q(rows[1].at("start_ns")), QString());
    }
    void aForkWithoutExecRunsItsParentsImage()
    {
        Processes p;
        p.existing(0, 1, "init").fork(1, 1, 10).exec(2, 10, "/bin/sh", {"sh", "-c", "( true )"}).fork(3, 10, 11).exit(4, 11);
        const auto rows = rowsOf(*visual(p.stream(), "process-tree"));
        QCOMPARE(q(rows[2].at("command")), QString("/bin/sh"));
        QCOMPARE(q(rows[2].at("args")), QString("sh -c ( true )"));
        QCOMPARE(q(rows[2].at("execs")), QString("0"));
    }
    void theDigraphHasOneNodeAProcessAndOneEdgeAFork()
    {
        const auto v = visual(build(), "process-tree");
        const auto g = v->digraph();
        QCOMPARE(g->nodes.size(), std::size_t{35});
        QCOMPARE(g->edges.size(), std::size_t{34});
        QCOMPARE(q(g->nodes[0].name), QString("p1"));
        for (const auto& e : g->edges)
            QCOMPARE(q(e.attributes[0].first + '=' + e.attributes[0].second), QString("kind=fork"));
    }
    void threeEqualSiblingsFoldAndAFailureNeverFoldsIntoSuccesses()
    {
        Processes p;
        p.existing(0, 1, "make");
        for (std::uint32_t i = 0; i < 6; ++i)
            p.fork(1 + i, 1, 10 + i)
                .exec(1.1 + i, 10 + i, "/bin/cc", {"cc", "f" + std::to_string(i)})
                .exit(1.5 + i, 10 + i, i >= 4 ? 256 : 0);
        Store store;
        for (const auto& r : p.stream())
            store.take(r);
        const auto all = processesOf(store.processes());
        std::vector<std::size_t> shown(all.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = i;
        const auto nodes = foldProcesses(all, shown, store.lastTime(), {});
        QCOMPARE(nodes.size(), std::size_t{4}); // make, cc x4, two failures on their own
        QCOMPARE(nodes[1].members.size(), std::size_t{4});
        QCOMPARE(nodes[2].members.size(), std::size_t{1});
        QVERIFY(all[nodes[2].members[0]].how() == Process::End::Failure);
    }
    void aboveTwelveChildrenTheElevenDearestStayAndTheRestIsCounted()
    {
        Processes p;
        p.existing(0, 1, "make");
        for (std::uint32_t i = 0; i < 98; ++i)
            p.fork(i, 1, 10 + i).exec(i + 0.1, 10 + i, "/bin/tool" + std::to_string(i), {"t"});
        for (std::uint32_t i = 0; i < 98; ++i)
            p.exit(200 + 5.0 * i, 10 + i, i == 3 ? 256 : 0);
        Store store;
        for (const auto& r : p.stream())
            store.take(r);
        const auto all = processesOf(store.processes());
        std::vector<std::size_t> shown(all.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = i;
        const auto nodes = foldProcesses(all, shown, store.lastTime(), {});
        QCOMPARE(nodes.size(), std::size_t{13});
        QVERIFY(nodes.back().rest);
        QCOMPARE(nodes.back().members.size(), std::size_t{87});
        const auto has = [&](std::size_t process) {
            return std::any_of(nodes.begin(), nodes.end() - 1, [&](const ShownProcess& n) { return n.members.front() == process; });
        };
        QVERIFY(has(4)); // the failed one, though it was cheap
        QVERIFY(has(98));
        QVERIFY(!has(1));
        const auto v = visual(p.stream(), "process-tree");
        QVERIFY(textOf(v->figure({})).find("87 more") != std::string::npos);
    }
    void theCriticalPathIsTheChainOfWaitsAndStaysUnfolded()
    {
        Store store;
        for (const auto& r : build())
            store.take(r);
        const auto all = processesOf(store.processes());
        std::vector<std::size_t> shown;
        std::size_t root = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].pid == 4101) root = i;
            if (all[i].pid >= 4101 && all[i].pid != 5900) shown.push_back(i);
        }
        const auto path = criticalPath(all, shown, root, store.lastTime());
        QStringList pids;
        for (const auto i : path.processes)
            pids << QString::number(all[i].pid);
        // make, configure, the slow compiler with its cc1, the linker with its collect2; the tests took under a twentieth
        QCOMPARE(pids, QStringList({"4101", "4102", "4120", "4121", "4130", "4131"}));
        QCOMPARE(path.covered, (610 + 1604 + 340) * kMillisecond);
        FoldLimits limits;
        limits.apart = path.processes;
        for (const auto& n : foldProcesses(all, shown, store.lastTime(), limits))
            if (n.members.size() > 1)
                for (const auto m : n.members)
                    QVERIFY(!std::binary_search(path.processes.begin(), path.processes.end(), m));
    }
    void foldingLosesNoProcess_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("depth");
        QTest::newRow("all") << -1 << -1;
        QTest::newRow("20 rows") << 20 << -1;
        QTest::newRow("3 rows, 2 levels") << 3 << 2;
        QTest::newRow("1 row") << 1 << 1;
    }
    void foldingLosesNoProcess()
    {
        QFETCH(int, rows);
        QFETCH(int, depth);
        Store store;
        for (const auto& r : forest(1500))
            store.take(r);
        const auto all = processesOf(store.processes());
        std::vector<std::size_t> shown(all.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = i;
        FoldLimits limits;
        if (rows > 0) limits.rows = static_cast<std::size_t>(rows);
        if (depth > 0) limits.depth = static_cast<std::size_t>(depth);
        const auto nodes = foldProcesses(all, shown, store.lastTime(), limits);
        std::size_t told = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            told += nodes[i].members.size() + nodes[i].below;
            if (nodes[i].parent != static_cast<std::size_t>(-1)) QVERIFY(nodes[i].parent < i);
        }
        QCOMPARE(told, all.size());
        if (rows > 0) QVERIFY(leavesOf(nodes) <= limits.rows);
        if (depth > 0) QVERIFY(levelsOf(nodes) <= limits.depth);
    }
    // -- stacks -------------------------------------------------------------------------------------------------------
    void stacksAreMergedAndFoldedInOrder()
    {
        Stream s;
        auto p = program("syscall:::entry { @[probefunc, ustack()] = count(); }", {"syscall:::entry"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("probefunc"), stackKey(FieldKind::UserStack)})};
        begin(s, p);
        const auto user = record::Frame::Kind::User;
        s.emplace_back(stack(1, {frame("a.out", "main", user), frame("a.out", "f", user)}));
        s.emplace_back(stack(2, {frame("a.out", "main", user)}));
        s.emplace_back(stack(3,
            {frame("a.out", "main", user), frame("", "", record::Frame::Kind::Unknown),
                frame("libc.so.6", "", record::Frame::Kind::Library)}));
        s.emplace_back(rows(0,
            {{Key().text("write").stack(1).bytes(), {5}}, {Key().text("write").stack(2).bytes(), {3}},
                {Key().text("read").stack(1).bytes(), {2}}, {Key().text("read").stack(3).bytes(), {1}},
                {Key().text("read").stack(2).bytes(), {0}}}));
        const auto v = visual(s, "flame");
        QStringList got;
        for (const auto& [path, value] : foldedLines(*v))
            got << q(path) + ' ' + QString::number(value);
        QCOMPARE(got,
            QStringList({"read;a.out`main;[unknown];libc.so.6+0x4 1", "read;a.out`main;a.out`f 2", "write;a.out`main 3",
                "write;a.out`main;a.out`f 5"}));
        const auto figure = v->figure({});
        int systemCalls = 0;
        for (const auto& item : figure.items)
            if (item.role == Role::Frame && std::holds_alternative<Box>(item.shape) && item.shade == Shade::System && !item.key.empty())
                ++systemCalls;
        QCOMPARE(systemCalls, 2);
        QVERIFY(textOf(figure).find("all: 11") != std::string::npos);
    }
    void unnamedFunctionsAreFramesOfTheirOwn()
    {
        Stream s;
        auto p = program("syscall:::entry { @[ustack()] = count(); }", {"syscall:::entry"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
        begin(s, p);
        const auto unnamed = [](std::uint64_t address, std::uint64_t start) {
            return record::Frame{address, "libc.so.6", "", start, record::Frame::Kind::Library};
        };
        s.emplace_back(stack(1, {unnamed(0x7f0000001210, 0x1200)}));
        s.emplace_back(stack(2, {unnamed(0x7f0000001220, 0x1200)}));
        s.emplace_back(stack(3, {unnamed(0x7f0000001310, 0x1300)}));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {5}}, {Key().stack(2).bytes(), {3}}, {Key().stack(3).bytes(), {1}}}));
        QStringList got;
        for (const auto& [path, value] : foldedLines(*visual(s, "flame")))
            got << q(path) + ' ' + QString::number(value);
        QCOMPARE(got, QStringList({"libc.so.6+0x1200 8", "libc.so.6+0x1300 1"}));
    }
    void kernelFramesStandOnUserFrames()
    {
        Stream s;
        auto p = program("profile-97 { @[stack(), ustack(), execname] = count(); }", {"profile:::profile-97"});
        p.aggregations
            = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::Stack), stackKey(FieldKind::UserStack), textKey("execname")})};
        begin(s, p);
        s.emplace_back(stack(1, {frame("vmlinux", "do_syscall_64", record::Frame::Kind::Kernel)}));
        s.emplace_back(stack(2, {frame("a.out", "main", record::Frame::Kind::User)}));
        s.emplace_back(rows(0, {{Key().stack(1).stack(2).text("a;b").bytes(), {4}}}));
        QCOMPARE(q(foldedLines(*visual(s, "flame")).at(0).first), QString("a:b;a.out`main;vmlinux`do_syscall_64"));
    }
    void aFramesKindIsInItsColourAndNotInItsLabel()
    {
        QCOMPARE(q(frameLabel("tcp_sendmsg_[k]", 500, 12)), QString("tcp_sendmsg"));
        QCOMPARE(q(frameLabel("io/netty/Handler:.run_[j]", 500, 12)), QString("io/netty/Handler:.run"));
        QCOMPARE(q(frameLabel("std::rt::lang_start::h94d15a7bc0cbc21f", 500, 12)), QString("std::rt::lang_start"));
        QCOMPARE(q(frameLabel("a::h94d15a7bc0cbc21", 500, 12)), QString("a::h94d15a7bc0cbc21"));
        QCOMPARE(q(frameLabel("swap[2]", 500, 12)), QString("swap[2]"));
    }
    /// A page has its height; a file of which nobody said how high it is to be has all levels.
    void aDeepFlameGraphIsHigherWhereNobodyAskedForItsHeight()
    {
        constexpr int kDeep = 120;
        std::string one = "a0", two = "b0"; // they share nothing
        for (int i = 1; i < kDeep / 2; ++i) {
            one += ";a" + std::to_string(i);
            two += ";b" + std::to_string(i);
        }
        const auto v = visual(stacks({{one, 4}, {two, 4}}), "flame");
        const auto framesIn = [](const Figure& figure) {
            return std::count_if(figure.items.begin(), figure.items.end(),
                [](const Item& i) { return i.role == Role::Frame && std::holds_alternative<Box>(i.shape) && !i.key.empty(); });
        };
        const auto page = v->figure({}), free = v->figure({.higher = true});
        QCOMPARE(page.height, 900.0);
        QVERIFY(framesIn(page) < kDeep && textOf(page).find("deeper levels are not shown") != std::string::npos);
        QVERIFY(framesIn(free) == kDeep && textOf(free).find("deeper levels") == std::string::npos);
        QVERIFY(free.height > 1200 && free.width == page.width);
    }
    void whatNearlyAllStacksShareIsOneBarWhereNotAllLevelsFit_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<double>("height");
        QTest::addColumn<QStringList>("shown");
        // Of 196 px five rows of 15 px remain.
        QTest::newRow("all fit") << "flame" << 900.0 << QStringList{"all: 1,000 samples", "main", "odd", "run", "step", "work", "x", "y", "z"};
        QTest::newRow("not all fit") << "flame" << 196.0 << QStringList{"3 frames, 99.9 %", "all: 1,000 samples", "work", "x", "y", "z"};
        QTest::newRow("icicle") << "icicle" << 196.0 << QStringList{"3 frames, 99.9 %", "all: 1,000 samples", "work", "x", "y", "z"};
    }
    void whatNearlyAllStacksShareIsOneBarWhereNotAllLevelsFit()
    {
        QFETCH(QString, view);
        QFETCH(double, height);
        QFETCH(QStringList, shown);
        const auto v
            = visual(stacks({{"main;run;step;work;x;z", 699}, {"main;run;step;work;y", 300}, {"odd", 1}}), view.toUtf8().constData());
        const auto figure = v->figure({.width = 325, .height = height, .title = "Stacks", .text = 10.67}); // beside which the legend has room
        QStringList labels;
        for (const auto& item : figure.items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Frame) labels << q(text->text).section("  ", 0, 0); // without its share
        labels.sort();
        shown.removeAll("odd"); // too narrow for its name
        QCOMPARE(labels, shown);
        QVERIFY(textOf(figure).find("deeper level") == std::string::npos);
    }
    void focusShowsOneFrameInFullWidthAboveItsCallers()
    {
        const auto v = visual(profile(60, 20, 8), "flame");
        const std::string last(foldedLines(*v).back().first);
        const auto path = last.substr(0, last.find(';', last.find(';', last.find(';') + 1) + 1));
        LayoutOptions options;
        options.focus = path;
        const auto figure = v->figure(options);
        const auto it = std::find_if(
            figure.items.begin(), figure.items.end(), [&](const Item& i) { return i.key == path && std::holds_alternative<Box>(i.shape); });
        QVERIFY(it != figure.items.end());
        QVERIFY(std::get<Box>(it->shape).width > 1490);
        for (const auto& item : figure.items)
            if (item.role == Role::Frame && !item.key.empty()) QVERIFY(item.key.starts_with(path) || path.starts_with(item.key));
    }
    void afterAClearTheFormerRowsAreShown()
    {
        auto s = written({"a", "b"});
        auto& p = std::get<record::Program>(s.front());
        p.clauses[0].actions = {{record::ActionKind::Clear, "", {}, {AggregationId{0}}}};
        s.insert(s.end() - 1, record::Fired{ClauseId{0}, ProbeId{1}, 0, 0, 0, record::Nanoseconds(kStart + kSecond), {}});
        QCOMPARE(visual(s, "bars")->table().rows.size(), std::size_t{2});
        QVERIFY(!visual(s, "bars")->empty());
        QCOMPARE(q(rowsOf(*visual(s, "bars"))[0].at("bytes")), QString("98765432"));
    }
    void whereItIsEmptiedAtIntervalsTheWholeRunIsShown_data()
    {
        QTest::addColumn<double>("after"); // of the last clear, in seconds: something came in, and the program ended
        QTest::addColumn<QString>("told");
        QTest::newRow("next to nothing since") << 0.02 << QStringLiteral("in 3.02 s");
        QTest::newRow("most of another interval") << 0.9 << QStringLiteral("in 3.90 s");
    }
    void whereItIsEmptiedAtIntervalsTheWholeRunIsShown()
    {
        QFETCH(double, after);
        QFETCH(QString, told);
        const QString value = "67"; // 10, 20, 30 and 7
        const auto of = [](std::int64_t n) { return std::vector<record::AggregationRow>{{Key().text("a").bytes(), {n}}}; };
        auto s = ticking(aggregation("n", Aggregator::Count, "", {textKey("execname")}), {of(10), of(20), of(30)}, true);
        s.pop_back();
        const auto at = std::int64_t{3} * kSecond + static_cast<std::int64_t>(after * 1e9);
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(kStart + at), of(7)});
        s.emplace_back(end(at));
        for (const auto* view : {"bars", "table"}) {
            QCOMPARE(q(rowsOf(*visual(s, view))[0].at("n")), value);
            const auto text = textOf(visual(s, view)->figure({}));
            QVERIFY2(text.find(told.toStdString()) != std::string::npos, text.c_str());
        }
        // Emptied once, as an END clause does with what it has printed, it is what came in since the beginning.
        auto once = ticking(aggregation("n", Aggregator::Count, "", {textKey("execname")}), {of(10)}, true);
        const auto text = textOf(visual(once, "bars")->figure({}));
        QVERIFY2(text.find("in 1.00 s") != std::string::npos && text.find("interval") == std::string::npos, text.c_str());
    }
    // -- numbers ------------------------------------------------------------------------------------------------------
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
    void valuesOfEachFunctionAreWhatDtracePrints_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("data");
        QTest::addColumn<QString>("cell");
        QTest::newRow("count") << int(Aggregator::Count) << QList<qint64>{7} << "7";
        QTest::newRow("sum") << int(Aggregator::Sum) << QList<qint64>{-12} << "-12";
        QTest::newRow("min") << int(Aggregator::Min) << QList<qint64>{3} << "3";
        QTest::newRow("avg") << int(Aggregator::Avg) << QList<qint64>{4, 10} << "2.50";
        QTest::newRow("stddev") << int(Aggregator::Stddev) << QList<qint64>{2, 6, 20, 0} << "1"; // 2 and 4
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
    /// The dot is at the average, its line as long as the deviation on both sides: 3, of 2 and 4.
    void averagesHaveTheirDeviationsBesideThem_data()
    {
        QTest::addColumn<QString>("of");
        QTest::addColumn<bool>("together");
        QTest::newRow("of the same values") << "arg1" << true;
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
        QCOMPARE(q(rowsOf(*bars).at(0).at("s")), QString("1")); // the table has both in any case
        std::vector<Box> boxes;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Bar) boxes.push_back(*box);
        QCOMPARE(boxes.size(), std::size_t(together ? 4 : 2)); // a line, its two ends and the dot; or two bars
        if (!together) return;
        const auto& line = boxes[0];
        const auto& dot = boxes[3];
        QVERIFY(std::abs(line.x + line.width / 2 - (dot.x + dot.width / 2)) < 0.01);
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
    void nothingOfHostAndArgumentsIsLeftWhenRedacted()
    {
        LayoutOptions options;
        options.redact = true;
        const auto figure = visual(build(), "process-tree")->figure(options);
        std::string all = textOf(figure) + figure.title + figure.description;
        for (const auto& item : figure.items)
            all += item.tip;
        for (const auto* secret : {"build01", "--selftest", "config", "src/", "/home/me", "-j4"})
            QVERIFY2(all.find(secret) == std::string::npos, secret);
    }
    /// What is read from memory is called by its name in titles; the table keeps the expression.
    void aTitleNamesWhatIsReadByItsName()
    {
        auto stream = written({"a", "b"});
        auto& keys = std::get<record::Program>(stream.front()).aggregations[0].keys;
        keys[0].name = "dirname(copyinstr(self->path))";
        const auto v = visual(stream, "bars");
        QVERIFY2(v->title().find("by dirname(path)") != std::string::npos, v->title().c_str());
        QCOMPARE(v->table().columns[0].title, std::string("dirname(copyinstr(self->path))"));
        keys[0].name = "copyinstr(arg0)"; // no name: what it is must be seen
        QVERIFY(visual(stream, "bars")->title().find("by copyinstr(arg0)") != std::string::npos);
    }
    /// Frames that are no code of a known kind have a colour, and it is in the legend.
    void theLegendHasEveryColourThatIsUsed()
    {
        const auto says = [](const Stream& s, const char* view) {
            const auto texts = "\n" + textOf(visual(s, view)->figure({}));
            return texts.find("\nother\n") != std::string::npos;
        };
        auto known = test::stacks({{"main;h;f", 60}, {"main;g", 40}}), unknown = known;
        for (auto& r : unknown)
            if (auto* def = std::get_if<record::StackDef>(&r)) {
                std::vector<record::Frame> frames(def->frames.begin(), def->frames.end());
                for (auto& frame : frames)
                    if (frame.function == "h") frame.kind = record::Frame::Kind::Unknown;
                def->frames = record::FrameList(std::move(frames));
            }
        for (const auto* view : {"flame", "call-graph"}) {
            QVERIFY2(says(unknown, view), view);
            QVERIFY2(!says(known, view), view);
        }
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
    void aRedactedTitleHasNoCommandOnAnyPage_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<double>("height");
        QTest::addColumn<bool>("higher");
        for (const auto* view : {"flame", "icicle", "call-graph"}) {
            const QByteArray name = view;
            QTest::newRow((name + ", all of it").constData()) << QString(view) << 1200.0 << false;
            QTest::newRow((name + ", levels left out").constData()) << QString(view) << 240.0 << false;
            QTest::newRow((name + ", higher than asked").constData()) << QString(view) << 240.0 << true;
        }
    }
    void aRedactedTitleHasNoCommandOnAnyPage()
    {
        QFETCH(QString, view);
        QFETCH(double, height);
        QFETCH(bool, higher);
        auto stream = profile(30, 15, 30);
        std::get<record::Program>(stream.front()).command = "plan-for-2027 --customer acme";
        LayoutOptions options;
        options.height = height;
        options.higher = higher;
        const auto v = visual(stream, view.toStdString());
        QVERIFY(textOf(v->figure(options)).find("plan-for-2027") != std::string::npos);
        options.redact = true;
        QCOMPARE(textOf(v->figure(options)).find("plan-for-2027"), std::string::npos);
    }
};
QTEST_GUILESS_MAIN(ModelsTest)
#include "tst_models.moc"
