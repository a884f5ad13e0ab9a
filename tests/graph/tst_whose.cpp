// needs: graph/models engine/record
// A title says of which processes the data is, as far as that is known.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/store.h"
#include "graph/whose.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
using Whom = record::Clause::Processes;

namespace {
/// The same run, whose clauses were of these processes and filled all of its aggregations. `command`: empty: without -c and -p.
Stream of(Whom processes, Stream stream, const std::string& command)
{
    auto& p = std::get<record::Program>(stream.front());
    p.command = command;
    p.target = command.empty() ? 0 : 123;
    for (auto& clause : p.clauses) {
        if (clause.probes.find("tick") != std::string::npos) continue;
        clause.processes = processes;
        for (std::uint32_t id = 0; id < p.aggregations.size(); ++id)
            clause.fills.push_back(AggregationId{id});
    }
    return stream;
}

Stream counted()
{
    Stream s;
    auto p = program("syscall:::entry { @[execname, probefunc] = count(); }", {"syscall:::entry"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("probefunc")})};
    begin(s, p);
    s.emplace_back(rows(0, {{Key().text("pgrep").text("read").bytes(), {900}}, {Key().text("cat").text("openat").bytes(), {100}}}));
    s.emplace_back(end(kSecond));
    return s;
}

/// Eight seconds in which two programs call something, and how long that takes.
Stream overTime(Aggregator function)
{
    std::vector<std::vector<record::AggregationRow>> seconds;
    for (std::int64_t i = 1; i <= 8; ++i) {
        std::vector<std::int64_t> values{20 * i};
        if (function == Aggregator::Quantize) values = {power(12), 20 * i, power(20), i};
        seconds.push_back({{Key().text("cat").bytes(), values}, {Key().text("dd").bytes(), values}});
    }
    return ticking(
        aggregation("", function, function == Aggregator::Quantize ? "timestamp - self->t" : "", {textKey("execname")}), seconds, true);
}

Stream waits()
{
    Stream s;
    auto p = program("", {"sched:::off-cpu"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::Stack)})};
    begin(s, p);
    using enum record::Frame::Kind;
    s.emplace_back(stack(1, {frame("vmlinux", "irqentry_exit", Kernel), frame("vmlinux", "__schedule", Kernel)}));
    s.emplace_back(stack(2, {frame("vmlinux", "do_wait", Kernel), frame("vmlinux", "__schedule", Kernel)}));
    s.emplace_back(rows(0, {{Key().stack(1).bytes(), {730}}, {Key().stack(2).bytes(), {270}}}));
    s.emplace_back(end(kSecond));
    return s;
}

Stream called()
{
    Stream s;
    auto p = program("syscall::read:entry, syscall::read:return { }", {"syscall::read:entry", "syscall::read:return"});
    for (auto& clause : p.clauses)
        clause.silent = false;
    begin(s, p);
    s.emplace_back(record::ProbeDef{ProbeId{7}, "syscall", "vmlinux", "read", "entry"});
    s.emplace_back(record::ProbeDef{ProbeId{8}, "syscall", "vmlinux", "read", "return"});
    for (std::uint32_t i = 0; i < 4; ++i)
        s.emplace_back(
            record::Fired{ClauseId{i % 2}, ProbeId{7 + i % 2}, 0, 9, 9, record::Nanoseconds(kStart + (i + 1) * kMillisecond), {}});
    s.emplace_back(end(kSecond));
    return s;
}
} // namespace

class TestWhose : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTitleSaysWhoseTheDataIs_data()
    {
        QTest::addColumn<Whom>("processes");
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("target");
        QTest::addColumn<QString>("title");
        QTest::newRow("of the command") << Whom::Target << "/usr/bin/busy 3" << 123 << "Where the CPU time goes: busy 3";
        QTest::newRow("of a process") << Whom::Target << "" << 123 << "Where the CPU time goes: process 123";
        QTest::newRow("of all, beside a command") << Whom::All << "/usr/bin/busy 3" << 123 << "Where the CPU time goes: all processes during busy 3";
        QTest::newRow("of all, beside a process") << Whom::All << "" << 123 << "Where the CPU time goes: all processes";
        QTest::newRow("of all") << Whom::All << "" << 0 << "Where the CPU time goes: all processes";
        QTest::newRow("of some") << Whom::Some << "/usr/bin/busy 3" << 123 << "Where the CPU time goes during busy 3";
        QTest::newRow("nobody knows") << Whom::NotTold << "/usr/bin/busy 3" << 123 << "Where the CPU time goes during busy 3";
        QTest::newRow("nobody knows of a process") << Whom::NotTold << "" << 123 << "Where the CPU time goes";
    }
    void aTitleSaysWhoseTheDataIs()
    {
        QFETCH(Whom, processes);
        QFETCH(QString, command);
        QFETCH(int, target);
        auto p = program("", {"profile:::profile-997"});
        p.command = command.toStdString();
        p.target = target;
        p.clauses[0].processes = processes;
        p.clauses[0].fills = {AggregationId{0}};
        p.aggregations = {aggregation("", record::Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
        Stream s;
        begin(s, p);
        s.emplace_back(stack(1, {frame("busy", "mix", record::Frame::Kind::User)}));
        s.emplace_back(rows(0, {{Key().stack(1).bytes(), {500}}}));
        s.emplace_back(end(kSecond));
        const auto flame = visual(s, "flame");
        QTEST(q(flame->title()), "title");
        const auto claim = q(flame->figure({}).words.title);
        const QString found = "100 % of the CPU time (502 of 502 ms, run 1.00 s) is in mix()";
        const bool isWider = processes == Whom::All && target != 0;
        QCOMPARE(claim, isWider ? "All processes: " + found : found);
        LayoutOptions redacted;
        redacted.redact = true;
        const auto figure = flame->figure(redacted);
        QVERIFY2(!q(figure.words.subtitle).contains("busy"), qPrintable(q(figure.words.subtitle)));
    }

    /// Of a run about one command: each view says that its data is wider, in the title and once.
    void everyViewSaysThatItsDataIsWider_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<Stream>("stream");
        QTest::addColumn<QString>("title");
        const auto row
            = [](const char* view, const Stream& stream, const char* title) { QTest::newRow(view) << QString(view) << stream << title; };
        row("flame", waits(), "All processes during sleep 1: 73 % of the events are in irqentry_exit()");
        row("icicle", waits(), "All processes during sleep 1: 73 % of the events are in irqentry_exit()");
        row("call-graph", waits(), "All processes during sleep 1: 73 % of the events are in irqentry_exit()");
        row("sandwich", waits(), "Callers and callees of vmlinux`irqentry_exit · all processes during sleep 1");
        row("histogram", writeTimes({"cat"}), "");
        row("ecdf", writeTimes({"cat", "dd"}), "How long does write(2) take? · all processes during sleep 1");
        row("heatmap", overTime(Aggregator::Quantize), "");
        row("bars", counted(), "All processes during sleep 1: pgrep, read has 90 % of all calls");
        row("table", counted(), "All processes during sleep 1: pgrep, read has 90 % of all calls");
        row("graph", counted(), "");
        row("series", overTime(Aggregator::Count), "");
        row("flame-chart", called(), "What calls what, when · all processes during sleep 1");
        QTest::newRow("printed rows") << "table" << opened({"/etc/passwd"}) << "What was recorded · all processes during sleep 1";
    }
    void everyViewSaysThatItsDataIsWider()
    {
        QFETCH(QString, view);
        QFETCH(Stream, stream);
        QFETCH(QString, title);
        const auto name = view.toStdString();
        const auto wordsOf = [&](Whom processes, const std::string& command, const LayoutOptions& options = {}) {
            return visual(of(processes, stream, command), name)->figure(options).words;
        };
        const auto times
            = [](const Words& words) { return (q(words.title) + '\n' + q(words.subtitle)).count("all processes", Qt::CaseInsensitive); };

        const auto words = wordsOf(Whom::All, "sleep 1");
        QVERIFY2(q(words.title).contains("all processes", Qt::CaseInsensitive), words.title.c_str());
        QVERIFY2(times(words) == 1, (words.title + '\n' + words.subtitle).c_str());
        if (!title.isEmpty()) QCOMPARE(q(words.title), title);
        for (const auto whose : {Whom::Target, Whom::Some, Whom::NotTold})
            QCOMPARE(times(wordsOf(whose, "sleep 1")), 0);
        QCOMPARE(times(wordsOf(Whom::All, "")), 0);

        // Where the title is the user's, or has no room for it, the subtitle says it.
        LayoutOptions titled, column, redacted;
        titled.title = "Mine";
        QCOMPARE(times(wordsOf(Whom::All, "sleep 1", titled)), 1);
        column.width = 325;
        column.height = 244;
        column.text = 10.7;
        QCOMPARE(times(wordsOf(Whom::All, "sleep 1", column)), 1);
        redacted.redact = true;
        QCOMPARE(times(wordsOf(Whom::All, "sleep 1", redacted)), 1);
        QVERIFY(!q(wordsOf(Whom::All, "sleep 1", redacted).title).contains("sleep"));
    }

    /// Data of several clauses that are of different processes: nothing is said of all of it.
    void nothingIsSaidOfMixedData()
    {
        auto stream = of(Whom::All, written({"cat", "dd"}, true), "sleep 1");
        auto& p = std::get<record::Program>(stream.front());
        p.clauses[0].fills = {AggregationId{0}};
        auto other = p.clauses[0];
        other.fills = {AggregationId{1}};
        other.processes = Whom::Target;
        p.clauses.push_back(other);
        QVERIFY(!q(visual(stream, "bars")->figure({}).words.title).contains("all processes", Qt::CaseInsensitive));
        p.clauses[1].processes = Whom::All;
        QVERIFY(q(visual(stream, "bars")->figure({}).words.title).contains("all processes", Qt::CaseInsensitive));
    }

    /// What a clause at a tick prints, or one that only ends the run, is of no process.
    void whatOnlyEndsTheRunSaysNothing()
    {
        auto stream = of(Whom::All, counted(), "sleep 1");
        auto& p = std::get<record::Program>(stream.front());
        auto ends = p.clauses[0];
        ends.probes = "proc:::exit";
        ends.fills.clear();
        ends.silent = false;
        ends.actions = {{record::ActionKind::Exit, "", {{FieldKind::Int, 0, 4, "0", "int"}}, {}}};
        ends.processes = Whom::Target;
        p.clauses.push_back(ends);
        auto ticks = p.clauses[0];
        ticks.probes = "profile:::tick-1s";
        ticks.fills.clear();
        ticks.silent = false;
        ticks.processes = Whom::NotTold;
        p.clauses.push_back(ticks);
        QVERIFY(q(visual(stream, "table")->figure({}).words.title).contains("all processes", Qt::CaseInsensitive));
    }

    /// A tree of processes is drawn from events that no clause chooses.
    void aTreeOfProcessesSaysNothing()
    {
        for (const auto* view : {"process-tree", "process-timeline"}) {
            const auto words = visual(of(Whom::All, build(), "make"), view)->figure({}).words;
            QVERIFY2(!(q(words.title) + q(words.subtitle)).contains("all processes", Qt::CaseInsensitive), words.title.c_str());
        }
    }
};
QTEST_GUILESS_MAIN(TestWhose)
#include "tst_whose.moc"
