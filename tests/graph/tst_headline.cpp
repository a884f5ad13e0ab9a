// needs: graph/models engine/record
// What titles claim, and when they claim nothing.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/headline.h"
#include "graph/models/process_graph.h"
#include "graph/store.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Counts = std::vector<std::pair<std::string, std::int64_t>>;
QString ofStacks(const Counts& all)
{
    Store store;
    for (const auto& r : stacks(all))
        store.take(r);
    return q(headlineOf(*stacksOf(store)).text);
}
QString ofProcesses(Processes& processes)
{
    Store store;
    for (const auto& r : processes.stream())
        store.take(r);
    return q(headlineOf(familyOf(store), Privacy::Open).text);
}
/// What is claimed of stacks that one clause aggregates. Each is written "outermost;...;innermost", of the kernel where a frame begins with
/// k:.
struct Aggregated {
    std::string probes = "profile:::profile-997", value = {}; ///< value: of sum(), else they are counted
    std::int64_t length = kSecond;
    record::Clause::Processes processes = record::Clause::Processes::NotTold;
    std::vector<std::string> keys = {}; ///< before the stack: the first frames of each line
};
Store storeOf(const Aggregated& how, const Counts& all)
{
    auto p = program("", {how.probes});
    auto keys = std::vector<record::Field>();
    for (const auto& key : how.keys)
        keys.push_back(textKey(key));
    keys.push_back(stackKey(record::FieldKind::UserStack));
    p.aggregations = {aggregation("", how.value.empty() ? record::Aggregator::Count : record::Aggregator::Sum, how.value, keys)};
    p.clauses[0].fills = {AggregationId{0}};
    p.clauses[0].processes = how.processes;
    Stream stream;
    begin(stream, p);
    std::vector<record::AggregationRow> out;
    std::uint32_t id = 0;
    for (const auto& [line, value] : all) {
        std::vector<record::Frame> frames;
        Key key;
        std::size_t number = 0;
        for (const auto& word : q(line).split(';', Qt::SkipEmptyParts)) {
            const bool isKernel = word.startsWith("k:");
            if (number++ < how.keys.size())
                key.text(word.toStdString());
            else
                frames.push_back(frame(isKernel ? "vmlinux" : "a.out", word.mid(isKernel ? 2 : 0).toStdString(),
                    isKernel ? record::Frame::Kind::Kernel : record::Frame::Kind::User));
        }
        if (!frames.empty()) stream.emplace_back(stack(++id, frames));
        out.push_back({key.stack(frames.empty() ? 0 : id).bytes(), {value}});
    }
    stream.emplace_back(rows(0, out));
    stream.emplace_back(end(how.length));
    Store store;
    for (const auto& r : stream)
        store.take(r);
    return store;
}
QString claimOf(const Aggregated& how, const Counts& all) { return q(headlineOf(*stacksOf(storeOf(how, all))).text); }
constexpr std::int64_t kMs = 1'000'000;

/// A process that runs one program for `took` ms.
void run(Processes& processes, double at, double took, std::uint32_t parent, std::uint32_t pid, const std::string& name,
    const std::string& argument)
{
    processes.fork(at, parent, pid).exec(at, pid, "/usr/bin/" + name, {name, argument}).exit(at + took, pid);
}
Processes shell() { return Processes(10).existing(0, 1, "bash").fork(0, 1, 10).exec(0, 10, "/bin/sh", {"sh", "x.sh"}); }
QString ofKeys(const std::vector<std::pair<const char*, double>>& all)
{
    Ranking ranking;
    ranking.shape = aggregation("", record::Aggregator::Count, "", {textKey("execname")});
    ranking.measure = {Unit::Count, 1};
    for (const auto& [key, value] : all) {
        ranking.lines.push_back({{key}, value});
        ranking.total += value;
    }
    return q(headlineOf(ranking, "calls").text);
}
} // namespace
class TestHeadline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneFunctionHasAQuarterOrMore()
    {
        QCOMPARE(ofStacks({{"main;mix", 650}, {"main;sort", 350}}),
            QStringLiteral("65 % of the CPU time (652 ms of 1.00 s, run 1.00 s) is in mix()"));
        QCOMPARE(ofStacks({{"main;ns::Tree<int>::walk(int)", 650}, {"main;sort", 350}}),
            QStringLiteral("65 % of the CPU time (652 ms of 1.00 s, run 1.00 s) is in ns::Tree<int>::walk()"));
    }
    void nothingIsClaimedOfFewSamplesOrOfWhatMayBeChance()
    {
        QCOMPARE(ofStacks({{"main;mix", 65}, {"main;sort", 34}}), QString());                     // too few
        QCOMPARE(ofStacks({{"main;mix", 510}, {"main;sort", 490}}), QString());                   // which is first may be chance
        QCOMPARE(ofStacks({{"a;b", 200}, {"a;c", 190}, {"a;d", 180}, {"a;e", 230}, {"a;f", 200}}), QString()); // none stands out
        QCOMPARE(ofStacks({{"main;[unknown]", 900}, {"main;sort", 100}}), QString());             // says nothing
    }
    /// Every stack at a fixed probe ends in what the probe is at: the first function that tells stacks apart is claimed.
    void framesThatAProbeImpliesAreNotClaimed_data()
    {
        QTest::addColumn<QString>("probes");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QStringList>("stacks");
        QTest::addColumn<QString>("claim");
        const auto row = [](const char* name, const char* probes, const char* value, const QStringList& stacks, const char* claim) {
            QTest::newRow(name) << probes << value << stacks << claim;
        };
        const auto pipe = "main;write;k:vfs_write;k:anon_pipe_write;k:schedule;k:__schedule=970000000";
        row("waits", "sched:::on-cpu", "timestamp - self->since", {pipe, "main;nap;k:do_nanosleep;k:schedule;k:__schedule=30000000"},
            "97 % of the waiting time (970 ms of 1.00 s, run 1.00 s) is in anon_pipe_write()");
        row("waits with a limit", "sched:::on-cpu", "timestamp - self->since",
            {"main;k:ep_poll;k:schedule_hrtimeout_range;k:schedule_hrtimeout_range_clock;k:schedule;k:__schedule=970000000",
                "main;k:do_nanosleep;k:schedule;k:__schedule=30000000"},
            "97 % of the waiting time (970 ms of 1.00 s, run 1.00 s) is in ep_poll()");
        row("a read of a disk", "sched:::on-cpu", "timestamp - self->since",
            {"main;k:folio_wait_bit_common;k:io_schedule;k:schedule;k:__schedule.isra.0=970000000",
                "main;k:do_wait;k:schedule;k:__schedule=30000000"},
            "97 % of the waiting time (970 ms of 1.00 s, run 1.00 s) is in folio_wait_bit_common()");
        row("time on a CPU is no wait", "sched:::off-cpu", "timestamp - self->on",
            {pipe, "main;nap;k:do_nanosleep;k:schedule;k:__schedule=30000000"}, "97 % of the time is in anon_pipe_write()");
        row("wake-ups", "sched:::wakeup", "",
            {"main;k:anon_pipe_read;k:__wake_up_sync_key;k:__wake_up_common;k:autoremove_wake_function;k:default_wake_function;k:try_to_"
             "wake_up=900",
                "main;k:hrtimer_wakeup;k:wake_up_process;k:try_to_wake_up=100"},
            "90 % of the events are in anon_pipe_read()");
        row("nothing but the scheduler", "sched:::on-cpu", "timestamp - self->since", {"k:schedule;k:__schedule=970000000"}, "");
        row("a tracepoint of the scheduler", "rawtp::sched:sched_switch", "",
            {"main;k:do_wait;k:schedule;k:__schedule;k:__traceiter_sched_switch=900", "main;k:ep_poll;k:schedule;k:__schedule=100"},
            "90 % of the events are in do_wait()");
        row("a function of a process", "pid77:libc.so.6:malloc:entry", "", {"main;parse;malloc=900", "main;print;malloc=100"},
            "90 % of the calls come from parse()");
        row("its other name", "pid77:libc.so.6:malloc:entry", "", {"main;parse;__libc_malloc=900", "main;print;__libc_malloc=100"},
            "90 % of the calls come from parse()");
        row("its sizes", "pid77:libc.so.6:malloc:entry", "arg0 /* bytes */", {"main;parse;malloc=900000", "main;print;malloc=100000"},
            "90 % of the sum comes from parse()");
        row("two functions", "pid77:libc.so.6:malloc:entry, pid77:libc.so.6:free:entry", "",
            {"main;parse;malloc=900", "main;parse;free=100"}, "90 % of the calls are in malloc()");
        row("a function of the kernel", "fbt:vmlinux:vfs_read:entry", "", {"k:ksys_read;k:vfs_read=900", "k:kernel_read;k:vfs_read=100"},
            "90 % of the calls come from ksys_read()");
        row("a marked place", "python77:python:function:line", "", {"main;eval;function=900", "main;exec;function=100"},
            "90 % of the events come from eval()");
        row("a system call", "syscall:vmlinux:read:entry", "",
            {"main;parse;fill;read;k:do_syscall_64=900", "main;copy;read;k:do_syscall_64=100"}, "90 % of the calls come from fill()");
        row("two system calls", "syscall:vmlinux:read:entry, syscall:vmlinux:write:entry", "",
            {"main;fill;read;k:do_syscall_64=900", "main;put;write;k:do_syscall_64=100"}, "90 % of the calls are in read()");
        row("where all come by", "io:vmlinux::start", "",
            {"main;k:ext4_readahead;k:submit_bio;k:blk_start=900", "main;k:ext4_writepages;k:submit_bio;k:blk_start=100"},
            "90 % of the events come from ext4_readahead()");
        row("one way alone", "io:vmlinux::start", "", {"main;k:ext4_readahead;k:submit_bio;k:blk_start=900"}, "");
        row("a sample may end anywhere", "profile:::profile-997", "", {"main;k:schedule=900", "main;mix=100"},
            "90 % of the CPU time (903 ms of 1.00 s, run 1.00 s) is in schedule()");
    }
    void framesThatAProbeImpliesAreNotClaimed()
    {
        QFETCH(QString, probes);
        QFETCH(QString, value);
        QFETCH(QStringList, stacks);
        Counts all;
        for (const auto& line : stacks)
            all.emplace_back(line.section('=', 0, 0).toStdString(), line.section('=', 1).toLongLong());
        QTEST(claimOf({.probes = probes.toStdString(), .value = value.toStdString()}, all), "claim");
    }
    /// A thread without frames of its own has the key, which is no function.
    void aKeyIsNotClaimedAsAFunction()
    {
        const Aggregated how{.probes = "sched:::on-cpu", .value = "timestamp - self->since", .keys = {"execname"}};
        QCOMPARE(claimOf(how, {{"tar;k:schedule;k:__schedule", 900 * kMs}, {"tar;main;k:do_wait;k:schedule;k:__schedule", 100 * kMs}}),
            QString());
        // Samples of a program that is not in the kernel have no stack() there.
        const Aggregated sampled{.processes = record::Clause::Processes::Target, .keys = {"execname"}};
        QCOMPARE(claimOf(sampled, {{"tmpl", 990}, {"tmpl;k:do_syscall_64", 10}}), QString());
        QCOMPARE(claimOf(sampled, {{"tmpl", 600}, {"tmpl;main;mix", 400}}),
            QStringLiteral("40 % of the CPU time (401 ms of 1.00 s, run 1.00 s) is in mix()"));
        auto kept = storeOf(sampled, {{"tmpl", 990}, {"tmpl;k:do_syscall_64", 10}});
        StackRules rules;
        rules.keep(*NamePattern::of("tmpl"));
        kept.read(std::move(rules));
        QCOMPARE(q(headlineOf(*stacksOf(kept)).text), QString());
    }
    void linesOfAFixedPlaceAreNotClaimed()
    {
        const auto store = storeOf({.probes = "pid77:a.out:malloc:entry"}, {{"main;malloc", 900}});
        QCOMPARE(q(headlineOf(*stacksOf(store), {"malloc.c:17", 900, 0}).text), QString());
    }
    void samplesAreTimeWhereTheirRateIsKnown()
    {
        const Counts all{{"main;mix", 370}, {"main;a", 275}, {"main;b", 270}};
        // 915 samples at 997 Hz are 0.918 s.
        QCOMPARE(claimOf({.length = 3490 * kMs}, all), QStringLiteral("40 % of the CPU time (371 of 918 ms, run 3.49 s) is in mix()"));
        QCOMPARE(claimOf({.probes = "profile:::profile-10ms", .length = 20 * kSecond}, all),
            QStringLiteral("40 % of the CPU time (3.70 of 9.15 s, run 20 s) is in mix()"));
        QCOMPARE(claimOf({.probes = "profile:::profile-997, profile:::profile-99"}, all),
            QStringLiteral("40 % of the samples are in mix()")); // each stands for another time
        QCOMPARE(claimOf({.probes = "cpc:::PAPI_tot_cyc-all-100000"}, all), QStringLiteral("40 % of the events are in mix()"));
        QCOMPARE(claimOf({.probes = "cpc:::PAPI_tot_cyc-all-100000"}, {{"main;mix", 9999}, {"main;load", 1}}),
            QStringLiteral("More than 99 % of the events are in mix()"));
    }
    /// profile-N interrupts a processor that has nothing to do, too.
    void timeOfIdleProcessorsIsNoCpuTime()
    {
        const Counts withIdle{{"main;mix", 370}, {"k:cpu_startup_entry;k:do_idle;k:default_idle", 200}, {"main;b", 170}};
        QCOMPARE(claimOf({}, withIdle), QStringLiteral("50 % of the samples are in mix()"));
        const Counts withoutStacks{{"main;mix", 370}, {"", 200}, {"main;b", 170}};
        QCOMPARE(claimOf({}, withoutStacks), QStringLiteral("50 % of the samples are in mix()"));
        QCOMPARE(claimOf({.processes = record::Clause::Processes::Target}, withoutStacks),
            QStringLiteral("50 % of the CPU time (371 of 742 ms, run 1.00 s) is in mix()"));
    }
    void aProcessThatDecidedIsNamed()
    {
        auto p = shell();
        run(p, 10, 50, 10, 11, "cpp", "a.c");
        run(p, 60, 700, 10, 12, "cc1", "a.c");
        run(p, 760, 100, 10, 13, "as", "a.s");
        p.exit(1000, 10);
        QCOMPARE(ofProcesses(p), QStringLiteral("700 ms of 1.00 s are one process: cc1 a.c"));
    }
    void aBackgroundJobThatNobodyWaitsForIsNotNamed()
    {
        auto p = shell();
        run(p, 5, 900, 10, 11, "sleep", "0.9");
        for (std::uint32_t i = 0; i < 3; ++i)
            run(p, 10 + 330 * i, 330, 10, 20 + i, "step", std::to_string(i));
        p.exit(1005, 10);
        QCOMPARE(ofProcesses(p), QString());
    }
    void aJobThatGoesOnTakesNoPartInTheDecision()
    {
        auto p = shell();
        p.fork(5, 10, 11).exec(5, 11, "/usr/bin/server", {"server", "-d"});
        run(p, 10, 50, 10, 12, "cpp", "a.c");
        run(p, 60, 900, 10, 13, "cc1", "a.c");
        p.exit(1000, 10).exit(2000, 11);
        QCOMPARE(ofProcesses(p), QStringLiteral("900 ms of 1.00 s are one process: cc1 a.c"));
    }
    void aPipelineHasNoOneToBlame()
    {
        auto p = shell();
        const char* names[] = {"tar", "gzip", "cat"};
        for (std::uint32_t i = 0; i < 3; ++i)
            p.fork(1 + i, 10, 11 + i).exec(2 + i, 11 + i, std::string("/bin/") + names[i], {names[i], "x"});
        for (std::uint32_t i = 0; i < 3; ++i)
            p.exit(997 + i, 11 + i);
        p.exit(1000, 10);
        QCOMPARE(ofProcesses(p), QString());
    }
    void aLoopOfEqualStepsHasNoOneToBlame()
    {
        auto p = shell();
        for (std::uint32_t i = 0; i < 30; ++i)
            run(p, 1 + 41 * i, 40, 10, 11 + i, "sleep", "0.04");
        p.exit(1240, 10);
        QCOMPARE(ofProcesses(p), QString());
    }
    /// As in a build with -j4: what took longest ran beside what decided the end.
    void theLongestOfAParallelBuildIsNotNamedWhereAnotherDecided()
    {
        auto p = shell();
        run(p, 10, 560, 10, 11, "cc1", "main.c");
        run(p, 10, 300, 10, 12, "cc1", "list.c");
        run(p, 310, 590, 10, 13, "cc1", "late.c");
        run(p, 900, 90, 10, 14, "ld", "all");
        p.exit(1000, 10);
        QCOMPARE(ofProcesses(p), QString());
    }
    void aProcessHasToBeClearlyAhead()
    {
        for (const auto& [second, isNamed] : {std::pair(480.0, true), std::pair(481.0, false)}) { // 600 is 1.25 times 480
            auto p = shell();
            run(p, 10, second, 10, 11, "cc1", "a.c");
            run(p, 380, 600, 10, 12, "cc1", "b.c");
            p.exit(1000, 10);
            QCOMPARE(!ofProcesses(p).isEmpty(), isNamed);
        }
    }
    void oneKeyHasHalfOrMore()
    {
        QCOMPARE(ofKeys({{"dd", 70}, {"sh", 40}}), QStringLiteral("dd has 64 % of all calls"));
        QCOMPARE(ofKeys({{"dd", 49}, {"sh", 30}, {"ls", 30}}), QString());
        QCOMPARE(ofKeys({{"dd", 7}, {"sh", 2}}), QString());
        QCOMPARE(ofKeys({{"dd", 700}}), QString());
        QCOMPARE(ofKeys({{"dd", 9999}, {"sh", 1}}), QStringLiteral("dd has more than 99 % of all calls"));
    }
    void sharesOfADistributionAreCounted()
    {
        DistributionGroup group;
        group.shape.function = record::Aggregator::Quantize;
        group.measure = {Unit::Nanoseconds, 1};
        Distribution values;
        // Source: engine/record/buckets.h: 63 + k is from 2^(k-1) on.
        values.counts = {{63 + 11, 78}, {63 + 13, 18}, {63 + 21, 4}};
        values.total = 100;
        group.members.push_back({"", values});
        QCOMPARE(q(headlineOf(std::span(&group, 1), "calls").text), QStringLiteral("78 % of the calls take less than 2.0 \u00b5s, 4.0 % take 1.0 ms or more"));
        group.members.front().values.total = 99;
        QCOMPARE(q(headlineOf(std::span(&group, 1), "calls").text), QString());
    }
    void aNarrowPageHasTheLongerFormThatIsALineThere()
    {
        LayoutOptions column{.width = 325, .height = 244, .text = 10.7};
        QCOMPARE(q(headed(column, {"65 % in mix()", {"mix()"}}, "what", "more").title), QStringLiteral("65 % in mix()"));
        QCOMPARE(q(headed(column, {"65 % of the time is in mix(), which is called often", {"65 % of the time, all of it, is in mix()", "65 % in mix()", "mix()"}}, "what", "more").title),
            QStringLiteral("65 % in mix()"));
        const auto plain = headed(column, {"65 % of the time is in a function with a long name", {"65 % in a function with a long name"}}, "what", "more");
        QCOMPARE(q(plain.title), QStringLiteral("what"));
        QVERIFY(!plain.isFinding);
        column.heading = Heading::Apart; // a text of a slide, which is set in several lines
        QCOMPARE(q(headed(column, {"65 % of the time is in a function with a long name"}, "what", "more").title),
            QStringLiteral("65 % of the time is in a function with a long name"));
    }
    void aPartOtherThanAFunctionIsClaimedAlike()
    {
        Store store;
        for (const auto& r : stacks({{"main;mix", 650}, {"main;sort", 350}}))
            store.take(r);
        const auto all = stacksOf(store);
        QCOMPARE(q(headlineOf(*all, {"hot.c:17", 400, 100}).text),
            QStringLiteral("40 % of the CPU time (401 ms of 1.00 s, run 1.00 s) is in hot.c:17"));
        QCOMPARE(q(headlineOf(*all, {"hot.c:17", 240, 100}).text), QString()); // less than a quarter
        QCOMPARE(q(headlineOf(*all, {"hot.c:17", 400, 390}).text), QString()); // may be chance
    }
    void ofFormsOfATitleANarrowPageHasTheFirstThatIsALine()
    {
        const LayoutOptions column{.width = 325, .height = 244, .text = 10.7}, wide{.width = 1600, .height = 900};
        const auto changed = changedTitles("Where the time goes: a command", 2343, 2991, "samples");
        QCOMPARE(q(fittingTitle(wide, changed)), QStringLiteral("What changed: where the time goes: a command (+28 % samples in all)"));
        QVERIFY(q(fittingTitle(column, changed)).startsWith("What changed (+28 %"));
        QVERIFY(isTitleOfOneLine(column, fittingTitle(column, changed)));
        const auto about = titlesAbout("Callers and callees of %1", "Around %1", "libc.so.6`ns::Tree<int>::walk(int)");
        QCOMPARE(q(fittingTitle(wide, about)), QStringLiteral("Callers and callees of libc.so.6`ns::Tree<int>::walk(int)"));
        QVERIFY(fittingTitle(column, about).find("walk") != std::string::npos);
        QCOMPARE(q(fittingTitle(column, titlesAbout("Callers and callees of %1", "Around %1", "libc.so.6`msort_with_tmp.part.0"))),
            QStringLiteral("Around msort_with_tmp.part.0"));
        QVERIFY(isTitleOfOneLine(column, fittingTitle(column, about)));
    }
    void aTitleOfOnesOwnStays()
    {
        LayoutOptions options;
        QCOMPARE(q(headed(options, {"claim", {"c"}}, "what", "more").title), QStringLiteral("claim"));
        QCOMPARE(q(headed(options, {"claim", {"c"}}, "what", "more").subtitle), QStringLiteral("what \u00b7 more"));
        options.title = "mine";
        QCOMPARE(q(headed(options, {"claim", {"c"}}, "what", "more").subtitle), QStringLiteral("more"));
        QCOMPARE(q(headed({}, {}, "what", "more").title), QStringLiteral("what"));
    }
};
QTEST_GUILESS_MAIN(TestHeadline)
#include "tst_headline.moc"
