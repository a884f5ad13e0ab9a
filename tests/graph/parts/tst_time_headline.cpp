// needs: graph/models engine/record
// What titles of series, heat maps and tables claim: data that just does, and data that just does not.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/parts/time_headline.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
constexpr std::int64_t kBegin = 5'000'000'000, kStep = 100'000'000; // ns
using Values = std::vector<double>;
/// Intervals of 100 ms, a line a key.
AmountsOverTime amounts(record::Aggregator function, const std::vector<std::pair<std::string, Values>>& lines)
{
    AmountsOverTime out;
    const bool hasKeys = lines.size() > 1;
    out.shape = aggregation("", function, function == record::Aggregator::Count ? "" : "arg2",
        hasKeys ? std::vector{textKey("execname")} : std::vector<record::Field>());
    out.measure = {function == record::Aggregator::Count ? Unit::Count : Unit::None, 1};
    out.usual = kStep;
    for (std::size_t i = 0; i < lines.front().second.size(); ++i)
        out.intervals.push_back({kBegin + static_cast<std::int64_t>(i) * kStep, kBegin + static_cast<std::int64_t>(i + 1) * kStep});
    for (const auto& [name, values] : lines) {
        auto& line = out.lines.emplace_back();
        if (hasKeys) line.keys = {name};
        for (std::uint32_t i = 0; i < values.size(); ++i)
            if (values[i] != 0) {
                line.values.emplace_back(i, values[i]);
                line.weight += values[i];
                out.total += values[i];
            }
    }
    return out;
}
QString ofCounts(const Values& values)
{
    return q(headlineOf(amounts(record::Aggregator::Count, {{"all", values}}), kBegin, "calls").text);
}
/// Columns of 100 ms with so many values of about 1 µs and of about 1 ms.
HeatPanel heat(const std::vector<std::pair<double, double>>& columns)
{
    HeatPanel panel;
    panel.of.shape.function = record::Aggregator::Quantize;
    panel.of.measure = {Unit::Nanoseconds, 1};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        panel.times.push_back({kBegin + static_cast<std::int64_t>(i) * kStep, kBegin + static_cast<std::int64_t>(i + 1) * kStep});
        // Source: engine/record/buckets.h: 63 + k is from 2^(k-1) on.
        if (columns[i].first > 0) panel.add(static_cast<std::uint32_t>(i), 63 + 11, columns[i].first);
        if (columns[i].second > 0) panel.add(static_cast<std::uint32_t>(i), 63 + 21, columns[i].second);
    }
    return panel;
}
QString ofHeat(const std::vector<std::pair<double, double>>& columns) { return q(headlineOf(heat(columns), kBegin, "calls").text); }
QString titleOf(const Stream& stream, const char* view) { return q(visual(stream, view)->figure({}).words.title); }
} // namespace

class TimeHeadlineTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPeakIsFourTimesTheMedianAndTheOnlyOne_data()
    {
        QTest::addColumn<Values>("counts");
        QTest::addColumn<QString>("claim");
        QTest::newRow("four times") << Values{20, 20, 20, 20, 20, 80, 20, 20} << QStringLiteral("calls peak at 800 / s after 500 ms, 4 times the median");
        QTest::newRow("less") << Values{20, 20, 20, 20, 20, 79, 20, 20} << QString();
        QTest::newRow("of some length") << Values{20, 20, 20, 20, 45, 80, 40, 20, 20} << QStringLiteral("calls peak at 800 / s after 500 ms, 4 times the median");
        QTest::newRow("two") << Values{20, 20, 40, 20, 20, 80, 20, 20} << QString();
        QTest::newRow("too few intervals") << Values{20, 20, 20, 20, 20, 80, 20} << QString();
        QTest::newRow("too few counts") << Values{2, 2, 2, 2, 2, 80, 2, 2} << QString();
        QTest::newRow("may be chance") << Values{1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                              1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                              1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
                                      << QString();
    }
    void aPeakIsFourTimesTheMedianAndTheOnlyOne()
    {
        QFETCH(Values, counts);
        QTEST(ofCounts(counts), "claim");
    }
    void aBurstIsHalfOfAllInAFifthOfATimeThatIsMostlyQuiet_data()
    {
        QTest::addColumn<Values>("counts");
        QTest::addColumn<QString>("claim");
        QTest::newRow("a fifth") << Values{0, 0, 0, 500, 250, 0, 0, 250, 0, 0}
                                 << QStringLiteral("50 % of all calls came within 100 ms, after 300 ms");
        QTest::newRow("longer than a fifth") << Values{0, 0, 0, 200, 200, 200, 0, 400, 0, 0} << QString();
        QTest::newRow("two intervals") << Values{0, 0, 0, 600, 350, 0, 0, 490, 0, 0, 0, 0}
                                       << QStringLiteral("66 % of all calls came within 200 ms, after 300 ms");
        QTest::newRow("too few counts") << Values{0, 0, 0, 909, 0, 0, 0, 90, 0, 0} << QString();
        QTest::newRow("another as large") << Values{0, 0, 0, 500, 100, 0, 0, 400, 0, 0} << QString();
        // Source: 109 ends of processes in 9.2 s, most of them of a build that ran meanwhile.
        QTest::newRow("a few programs meanwhile") << Values{0, 0, 0, 1, 0, 0, 6, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 3, 1, 0,
            5, 4, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 2, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 3,
            0, 1, 0, 0, 0, 1, 3, 1, 0, 2, 1, 0, 1, 3, 3, 4, 0, 3, 2, 6, 11, 15}
                                                  << QString();
    }
    void aBurstIsHalfOfAllInAFifthOfATimeThatIsMostlyQuiet()
    {
        QFETCH(Values, counts);
        QTEST(ofCounts(counts), "claim");
    }
    void aKeyOfASeriesHasHalfOrMore()
    {
        const auto of = [](double most) {
            return q(headlineOf(amounts(record::Aggregator::Count, {{"dd", Values(10, most)}, {"sh", Values(10, 40)}}), kBegin, "calls").text);
        };
        QCOMPARE(of(40), QStringLiteral("dd has 50 % of all calls"));
        QCOMPARE(of(39), QStringLiteral("sh has 51 % of all calls"));
        const auto three = [](double most) {
            return q(headlineOf(amounts(record::Aggregator::Count, {{"dd", Values(10, most)}, {"sh", Values(10, 20)}, {"ls", Values(10, 21)}}), kBegin, "calls").text);
        };
        QCOMPARE(three(41), QStringLiteral("dd has 50 % of all calls"));
        QCOMPARE(three(40), QString());
    }
    void aMeanMayPeakOfOneLineOnly()
    {
        const Values values{2, 2, 2, 2, 2, 8, 2, 2};
        const auto one = headlineOf(amounts(record::Aggregator::Avg, {{"", values}}), kBegin, "avg of arg2");
        QCOMPARE(q(one.text), QStringLiteral("avg of arg2: peak of 8 after 500 ms, 4 times the median"));
        QCOMPARE(q(one.shorter.front()), QStringLiteral("peak of 8 after 500 ms"));
        QVERIFY(headlineOf(amounts(record::Aggregator::Avg, {{"a", values}, {"b", values}}), kBegin, "avg of arg2").empty());
        QVERIFY(headlineOf(amounts(record::Aggregator::Max, {{"", values}}), kBegin, "max of arg2").empty()); // of all so far
    }
    void slowOnesThatCameTogetherAreTheNews_data()
    {
        using Columns = std::vector<std::pair<double, double>>;
        QTest::addColumn<Columns>("columns");
        QTest::addColumn<QString>("claim");
        const auto with = [](std::size_t n, const std::map<std::size_t, double>& slow) {
            Columns out(n, {100, 0});
            for (const auto& [at, count] : slow)
                out[at].second = count;
            return out;
        };
        const auto plain = QStringLiteral("% of the calls take less than 2.0 \u00b5s");
        QTest::newRow("half in a tenth") << with(10, {{3, 20}, {7, 10}, {9, 10}}) << QStringLiteral("50 % of the calls of 1.0 ms or more came within 100 ms, after 300 ms");
        QTest::newRow("not half") << with(10, {{3, 19}, {6, 10}, {9, 10}}) << plain;
        QTest::newRow("too few") << with(10, {{3, 29}}) << plain;
        QTest::newRow("30 are enough") << with(10, {{3, 30}}) << QStringLiteral("100 % of the calls of 1.0 ms or more came within 100 ms, after 300 ms");
        QTest::newRow("spread") << with(10, {{0, 10}, {3, 10}, {6, 10}, {9, 10}}) << plain;
        auto busy = with(10, {{3, 40}});
        busy[3].first = 2000; // everything came then, not only what is slow
        QTest::newRow("all came then") << busy << plain;
        QTest::newRow("too few columns") << with(7, {{3, 30}}) << plain;
    }
    void slowOnesThatCameTogetherAreTheNews()
    {
        using Columns = std::vector<std::pair<double, double>>;
        QFETCH(Columns, columns);
        QFETCH(QString, claim);
        const auto said = ofHeat(columns);
        QVERIFY2(claim.startsWith('%') ? said.contains(claim) : said == claim, qPrintable(said));
    }
    void aTableClaimsItsRowWithHalfOrMore()
    {
        const auto of = [](std::int64_t most) {
            const record::AggregationRow dd{Key().text("dd").bytes(), {most}}, sh{Key().text("sh").bytes(), {60}}, ls{Key().text("ls").bytes(), {61}};
            return ticking(aggregation("", Aggregator::Count, "", {textKey("execname")}), {{dd, sh, ls}}, true);
        };
        QCOMPARE(titleOf(of(121), "table").section(' ', 0, 3), QStringLiteral("dd has 50 %"));
        QCOMPARE(titleOf(of(120), "table"), QStringLiteral("What was recorded"));
    }
    void aTableOfStacksClaimsAsTheirFlameGraph()
    {
        const auto s = stacks({{"main;mix", 650}, {"main;sort", 350}});
        QVERIFY(titleOf(s, "table").startsWith("65 % of"));
        QCOMPARE(titleOf(s, "table"), titleOf(s, "flame"));
    }
};
QTEST_GUILESS_MAIN(TimeHeadlineTest)
#include "tst_time_headline.moc"
