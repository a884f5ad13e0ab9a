// Hosts that differ from the others are found, and hosts that do not are let be.
#include "engine/remote/outliers.h"
#include "engine/record/buckets.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QTest>
#include <random>
#include <cmath>
using namespace dscope;
using namespace dscope::test;
using remote::HostRecords;
using remote::Outlier;
namespace {
std::vector<Stream> hostsOf(const record::Aggregation& aggregation, int hosts, const std::function<std::vector<std::int64_t>(int)>& data)
{
    std::vector<Stream> all;
    for (int i = 0; i < hosts; ++i) {
        auto p = program("x", {"syscall::read:entry"});
        p.aggregations = {aggregation};
        Stream s;
        begin(s, p);
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(p.started + 10 * kSecond), {{Key().text("cat").bytes(), data(i)}}});
        all.push_back(std::move(s));
    }
    return all;
}
std::vector<Outlier> outliersOf(const std::vector<Stream>& streams)
{
    std::vector<HostRecords> hosts;
    for (const auto& stream : streams)
        hosts.push_back({"web" + std::to_string(hosts.size()), &stream});
    return remote::outliers(hosts);
}
} // namespace

class TestOutliers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneThatDiffersIsFound_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, Aggregator function, const char* text) { QTest::newRow(name) << static_cast<int>(function) << text; };
        row("count", Aggregator::Count, "web3: @a a second is 8 times that of the middle host");
        row("sum", Aggregator::Sum, "web3: @a a second is 8 times that of the middle host");
        row("min", Aggregator::Min, "web3: @a is 8 times that of the middle host");
        row("max", Aggregator::Max, "web3: @a is 8 times that of the middle host");
        row("avg", Aggregator::Avg, "web3: mean of @a is 8 times that of the middle host");
        row("stddev", Aggregator::Stddev, "web3: mean of @a is 8 times that of the middle host");
        row("quantize", Aggregator::Quantize, "web3: median of @a is 8 times that of the middle host");
    }
    void oneThatDiffersIsFound()
    {
        QFETCH(int, function);
        QFETCH(QString, text);
        const auto which = static_cast<Aggregator>(function);
        const auto one = aggregation("a", which, "arg0", {textKey("execname")});
        const auto data = [&](int host) -> std::vector<std::int64_t> {
            constexpr std::int64_t kUsual = 1'000'000, kOdd = 8'000'000;
            const auto value = host == 3 ? kOdd : kUsual + (host % 3 - 1) * 1000;
            switch (which) {
            case Aggregator::Avg: return {100, 100 * value};
            case Aggregator::Stddev: return {100, 100 * value, 0, 0};
            case Aggregator::Quantize: return {record::bucketOf(one, value), 100};
            default: return {value};
            }
        };
        const auto found = outliersOf(hostsOf(one, 20, data));
        QVERIFY(!found.empty());
        QStringList texts;
        for (const auto& outlier : found) {
            texts << QString::fromStdString(outlier.text());
            QCOMPARE(outlier.host, std::string("web3"));
        }
        QVERIFY2(texts.contains(text), qPrintable(texts.join('\n')));
    }

    /// Of those that are alike but for chance none is an outlier.
    void chanceIsNone()
    {
        std::mt19937_64 random(1);
        std::lognormal_distribution<double> size(10, 0.3);
        int found = 0;
        for (int round = 0; round < 100; ++round) {
            const auto streams = hostsOf(aggregation("a", Aggregator::Sum, "arg0", {textKey("execname")}), 50,
                [&](int) { return std::vector<std::int64_t>{static_cast<std::int64_t>(size(random))}; });
            found += static_cast<int>(outliersOf(streams).size());
        }
        // Five deviations of a normal distribution are one of 1.7 million; but the deviation is that of few hosts.
        QVERIFY2(found <= 2, qPrintable(QString::number(found)));
    }

    void manyOfThemHideNone()
    {
        // Two of five are more than a mean and a deviation can tell; the median does.
        const auto streams = hostsOf(aggregation("a", Aggregator::Count, "", {textKey("execname")}), 5,
            [](int host) { return std::vector<std::int64_t>{host < 2 ? 90'000 : 1000 + host}; });
        QCOMPARE(outliersOf(streams).size(), std::size_t{2});
    }

    void fewHostsHaveNone()
    {
        const auto streams = hostsOf(aggregation("a", Aggregator::Count, "", {textKey("execname")}), 4,
            [](int host) { return std::vector<std::int64_t>{host == 0 ? 90'000 : 1000}; });
        QCOMPARE(outliersOf(streams).size(), std::size_t{0});
    }

    /// One host spends its time elsewhere.
    void aFunctionOfOneHostIsFound()
    {
        std::vector<Stream> streams;
        for (int i = 0; i < 10; ++i) {
            auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
            p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
            Stream s;
            begin(s, p);
            const auto main = frame("app", "main", record::Frame::Kind::User);
            s.emplace_back(stack(1, {main, frame("app", "serve", record::Frame::Kind::User)}));
            s.emplace_back(stack(2, {main, frame("app", "compress", record::Frame::Kind::User)}));
            const std::int64_t odd = i == 7 ? 610 : 20 + i % 2;
            s.emplace_back(record::AggregationRows{
                AggregationId{0}, record::Nanoseconds(p.started + kSecond), {{Key().stack(1).bytes(), {1000 - odd}}, {Key().stack(2).bytes(), {odd}}}});
            streams.push_back(std::move(s));
        }
        const auto found = outliersOf(streams);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].text(), std::string("web7: share of compress in @ is 61 %, on the middle host 2 %"));
    }
};
QTEST_GUILESS_MAIN(TestOutliers)
#include "tst_outliers.moc"
