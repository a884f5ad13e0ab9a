// needs: engine/record
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/frame_label.h"
#include "graph/process_fold.h"
#include "graph/text.h"
#include "graph/visual.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

class FlameTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
    void anAddressIsNeverCut()
    {
        for (const auto* name : {"libz.so.1.2.13+0xaa60", "git+0x1c1bf0", "0x7f3a10c0aa60"}) {
            const std::string whole = name, address = whole.substr(whole.find(whole.find('+') == std::string::npos ? '0' : '+'));
            for (double width = 10; width < 300; width += 5) {
                const auto label = frameLabel(name, width, 12);
                QVERIFY2(label == whole || label == address || label.empty(), label.c_str());
                QCOMPARE(label.empty(), textWidth(address, 12, {.mono = true}) > width);
            }
        }
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
};
QTEST_GUILESS_MAIN(FlameTest)
#include "tst_flame.moc"
