// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/critical_path.h"
#include "graph/models/process_graph.h"
#include "graph/process_drawing.h"
#include "graph/process_fold.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#include <map>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

class ProcessTreeTest : public QObject {
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
    /// Where arguments have no room it is not their middle that is cut, but what tells nothing.
    void aNodeOfADigraphNamesTheFileThatIsWorkedOn()
    {
        Processes p(10);
        p.existing(0, 10, "make");
        p.fork(10, 10, 20).exec(10.1, 20, "/usr/lib/gcc/cc1", {"cc1", "-quiet", "-imultiarch", "x86_64-linux-gnu", "lib/deflate.c", "-o", "/tmp/ccTShBza.s"}).exit(18, 20);
        p.fork(20, 10, 21).exec(20.1, 21, "/usr/bin/ar", {"ar", "x", "-o"}).exit(28, 21);
        p.exit(90, 10);
        std::vector<std::string> labels;
        const auto graph = visual(p.stream(), "process-tree")->digraph();
        for (const auto& node : graph->nodes)
            labels.push_back(node.label);
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const auto& label) { return label.find("\ndeflate.c\n") != label.npos; }));
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const auto& label) { return label.find("\nx -o\n") != label.npos; })); // all have room
    }
    /// In a window one scrolls down, not sideways too, where the levels have room side by side.
    void onAScreenTheLevelsFitTheWidth_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<bool>("fits");
        QTest::newRow("wide") << 1400.0 << true;
        QTest::newRow("half of a small screen") << 684.0 << true;
        QTest::newRow("too narrow to be read") << 400.0 << false;
    }
    void onAScreenTheLevelsFitTheWidth()
    {
        QFETCH(double, width);
        QFETCH(bool, fits);
        Processes p(10);
        p.existing(0, 10, "make");
        p.fork(1, 10, 20).exec(2, 20, "/usr/bin/cc", {"cc", "a.c"}).fork(3, 20, 30).exec(4, 30, "/usr/bin/collect2", {"collect2"});
        p.fork(5, 30, 40).exec(6, 40, "/usr/bin/ld", {"ld", "a.o"}).exit(20, 40).exit(21, 30).exit(22, 20).exit(23, 10);
        LayoutOptions options;
        options.width = width;
        options.height = 390;
        options.forScreen = true;
        options.fit = false;
        const auto figure = visual(p.stream(), "process-tree")->figure(options);
        QCOMPARE(figure.width <= width, fits);
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
        p.images.back().args = {"cc1", "-quiet", "lib/deflate.c", "-dumpbase", "deflate.o.c", "-o", "objs/deflate.s"};
        QCOMPARE(q(tellingArguments(p)), QString("deflate.c")); // what is written tells no more
        p.images.back().args = {"ld", "--gc", "-o", "app"};
        QCOMPARE(q(tellingArguments(p)), QString("app"));
        p.images.back().args = {"grep", "-r", "needle", "--color"};
        QCOMPARE(q(tellingArguments(p)), QString("needle"));
        QCOMPARE(q(tellingArguments(p, {"needle"})), QString());
        p.images.back().args = {"sh"};
        QCOMPARE(q(tellingArguments(p)), QString());
    }
    void aFoldedNodeNamesWhatItsProcessesWorkedOn()
    {
        Processes p(10);
        p.existing(0, 10, "make");
        for (std::uint32_t i = 0; i < 40; ++i)
            p.fork(10 + i, 10, 20 + i).exec(10.1 + i, 20 + i, "/usr/bin/cc", {"cc", "-O2", "-c", "part" + std::to_string(10 + i) + ".c", "-o", "/tmp/o.o"}).exit(10.9 + i, 20 + i);
        for (std::uint32_t i = 0; i < 40; ++i)
            p.fork(60 + i, 10, 100 + i).exec(60.1 + i, 100 + i, "/usr/bin/as", {"as", "-o", "/tmp/a" + std::to_string(i) + ".o", "/tmp/cc" + std::to_string(i) + ".s"}).exit(60.9 + i, 100 + i);
        p.exit(200, 10);
        LayoutOptions options;
        options.width = 1600;
        options.height = 500;
        const auto text = textOf(visual(p.stream(), "process-tree")->figure(options));
        QVERIFY2(text.find("as \u00d740") != std::string::npos && text.find(".c, part") != std::string::npos, text.c_str());
        QVERIFY2(text.find("/tmp/c") == std::string::npos, text.c_str()); // names that are made up tell nothing
    }
    void howLongAFailedOneRanIsToldBesideItsEnd()
    {
        Processes p(10);
        p.existing(0, 10, "make");
        p.fork(10, 10, 20).exec(10.1, 20, "/usr/bin/cc", {"cc", "-c", "gone.c"}).exit(13, 20, 256);
        for (std::uint32_t i = 0; i < 12; ++i)
            p.fork(20 + i, 10, 30 + i).exec(20.1 + i, 30 + i, "/usr/bin/tool" + std::to_string(i), {"tool"}).exit(20.5 + i, 30 + i);
        p.exit(40, 10);
        LayoutOptions options;
        options.width = 1600;
        options.height = 900;
        options.text = 18; // two lines a node
        const auto text = textOf(visual(p.stream(), "process-tree")->figure(options));
        QVERIFY2(text.find("exit 1 \u00b7 3 ms") != std::string::npos, text.c_str());
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
    void theCriticalPathIsTheChainOfWaitsAndFoldsWithItselfOnly()
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
        // make; configure with each sed and the compiler that it runs; the slow compiler with its cc1; the linker with its collect2; the
        // tests with both of their programs
        QStringList expected{"4101", "4102"};
        for (int pid = 4103; pid <= 4117; ++pid)
            expected << QString::number(pid);
        QCOMPARE(pids, expected + QStringList({"4120", "4121", "4130", "4131", "4132", "4133", "4134"}));
        QCOMPARE(path.covered, (610 + 1604 + 340 + 120) * kMillisecond);
        FoldLimits limits;
        limits.path = path.processes;
        for (const auto& n : foldProcesses(all, shown, store.lastTime(), limits)) {
            if (n.rest) continue;
            const auto isOn = [&](std::size_t m) { return std::binary_search(path.processes.begin(), path.processes.end(), m); };
            const auto on = std::count_if(n.members.begin(), n.members.end(), isOn);
            QVERIFY(on == 0 || on == static_cast<std::ptrdiff_t>(n.members.size()));
        }
    }
    /// Steps of a script that are each a small part of it are most of it together.
    void theCriticalPathCountsEachSmallStep()
    {
        Processes p(10);
        p.existing(0, 1, "bash").fork(0, 1, 10).exec(0, 10, "/bin/sh", {"sh", "seq.sh"});
        p.fork(2, 10, 99).exec(2, 99, "/bin/sleep", {"sleep", "0.9"}).exit(900, 99); // in the background
        for (std::uint32_t i = 0; i < 30; ++i)
            p.fork(5 + 41 * i, 10, 11 + i).exec(5 + 41 * i, 11 + i, "/bin/sleep", {"sleep", "0.04"}).exit(45 + 41 * i, 11 + i);
        p.exit(1240, 10);
        Store store;
        for (const auto& r : p.stream())
            store.take(r);
        const auto family = familyOf(store);
        QCOMPARE(family.path.processes.size(), std::size_t{31});
        QCOMPARE(family.path.covered, 30 * 40 * kMillisecond);
        for (const auto i : family.path.processes)
            QVERIFY(family.all[i].pid != 99);

        const auto figure = visual(p.stream(), "process-tree")->figure({});
        QVERIFY2(textOf(figure).find("critical path: 1.20 s of 1.24 s") != std::string::npos, textOf(figure).c_str());
        QVERIFY2(textOf(figure).find("sleep \u00d730") != std::string::npos, textOf(figure).c_str());
        std::size_t outlined = 0;
        for (const auto& item : figure.items)
            outlined += item.role == Role::Marker && std::holds_alternative<Box>(item.shape);
        QVERIFY2(outlined >= 2, std::to_string(outlined).c_str()); // the shell, the steps; one may be the legend's
        const auto timeline = visual(p.stream(), "process-timeline")->figure({});
        QVERIFY2(textOf(timeline).find("outlined: the critical path, 1.20 s of 1.24 s") != std::string::npos, textOf(timeline).c_str());
    }
    /// A step of 0.2 ms is on the path or beside it by chance: equal subshells of 45 ms stay one node.
    void aShortStepOfThePathSplitsNoFold()
    {
        Processes p(10);
        p.existing(0, 1, "bash").fork(0, 1, 10).exec(0, 10, "/bin/sh", {"sh", "many.sh"});
        for (std::uint32_t i = 0; i < 25; ++i) {
            const std::uint32_t shell = 100 + 10 * i, echo = shell + 1, cat = shell + 2, sleep = shell + 3;
            const double start = 1 + 46 * i;
            p.fork(start, 10, shell).fork(start + 0.5, shell, echo);
            if (i % 2 == 0) p.exit(start + 0.7, echo); // before cat starts: part of the chain
            p.fork(start + 0.8, shell, cat);
            if (i % 2 != 0) p.exit(start + 0.9, echo);
            p.exec(start + 1, cat, "/bin/cat", {"cat"}).exit(start + 2, cat);
            p.fork(start + 3, shell, sleep).exec(start + 3, sleep, "/bin/sleep", {"sleep", "0.04"}).exit(start + 43, sleep);
            p.exit(start + 45, shell);
        }
        p.exit(1160, 10);
        Store store;
        for (const auto& r : p.stream())
            store.take(r);
        const auto family = familyOf(store);
        FoldLimits limits;
        limits.path = family.path.processes;
        QStringList folds;
        for (const auto& n : foldProcesses(family.all, family.shown, family.now, limits))
            if (n.members.size() > 1)
                folds << QString::fromStdString(family.all[n.members.front()].name())
                        + QStringLiteral(" %1, %2 on the path%3").arg(n.members.size()).arg(n.onPath).arg(n.critical ? "" : ": little");
        const QStringList expected{"sh 25, 25 on the path", "sh 25, 13 on the path: little", "cat 25, 25 on the path", "sleep 25, 25 on the path"};
        QCOMPARE(folds, expected);
        const auto figure = visual(p.stream(), "process-tree")->figure({});
        const auto tip = std::find_if(figure.items.begin(), figure.items.end(),
            [](const Item& item) { return item.tip.find("13 of 25 on the critical path") != std::string::npos; });
        QVERIFY(tip != figure.items.end());
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
};
QTEST_GUILESS_MAIN(ProcessTreeTest)
#include "tst_process_tree.moc"
