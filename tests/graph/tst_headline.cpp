// needs: graph/models engine/record
// What titles claim, and when they claim nothing.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/headline.h"
#include "graph/models/process_graph.h"
#include "graph/store.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/streams.h"
#include "tests/support/visuals.h"
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
    return q(headlineOf(*stacksOf(store), graph::Counted::Time).text);
}
QString ofProcesses(Processes& processes)
{
    Store store;
    for (const auto& r : processes.stream())
        store.take(r);
    return q(headlineOf(familyOf(store), Privacy::Open).text);
}
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
        QCOMPARE(ofStacks({{"main;mix", 650}, {"main;sort", 350}}), QStringLiteral("65 % of the time is in mix()"));
        QCOMPARE(ofStacks({{"main;ns::Tree<int>::walk(int)", 650}, {"main;sort", 350}}), QStringLiteral("65 % of the time is in ns::Tree<int>::walk()"));
    }
    void nothingIsClaimedOfFewSamplesOrOfWhatMayBeChance()
    {
        QCOMPARE(ofStacks({{"main;mix", 65}, {"main;sort", 34}}), QString());                     // too few
        QCOMPARE(ofStacks({{"main;mix", 510}, {"main;sort", 490}}), QString());                   // which is first may be chance
        QCOMPARE(ofStacks({{"a;b", 200}, {"a;c", 190}, {"a;d", 180}, {"a;e", 230}, {"a;f", 200}}), QString()); // none stands out
        QCOMPARE(ofStacks({{"main;[unknown]", 900}, {"main;sort", 100}}), QString());             // says nothing
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
        QCOMPARE(q(headlineOf(*all, graph::Counted::Events, {"hot.c:17", 400, 100}).text), QStringLiteral("40 % of the samples are in hot.c:17"));
        QCOMPARE(q(headlineOf(*all, graph::Counted::Time, {"hot.c:17", 240, 100}).text), QString()); // less than a quarter
        QCOMPARE(q(headlineOf(*all, graph::Counted::Time, {"hot.c:17", 400, 390}).text), QString()); // may be chance
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
