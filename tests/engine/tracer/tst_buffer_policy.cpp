#include "engine/tracer/buffer_policy.h"
#include <QObject>
#include <QTest>
#include <random>
using namespace dscope;
using record::Nanoseconds;
namespace {
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint32_t kEnd = 7;

record::Record fired(std::int64_t ns, std::uint32_t cpu = 0, std::size_t bytes = 8, std::uint32_t probe = 1)
{
    return record::Fired{ClauseId{0}, ProbeId{probe}, cpu, 1, 1, Nanoseconds(ns), Bytes(bytes)};
}
record::Record rows(std::int64_t ns, std::uint32_t aggregation = 0) { return record::AggregationRows{AggregationId{aggregation}, Nanoseconds(ns), {}}; }
record::Record endProbe()
{
    record::ProbeDef probe;
    probe.id = ProbeId{kEnd};
    probe.provider = "dtrace";
    probe.name = "END";
    return probe;
}
options::Options optionsOf(std::initializer_list<std::pair<const char*, const char*>> set)
{
    options::Options options;
    for (const auto& [name, value] : set)
        if (const auto done = options.set(name, value); !done) qFatal("%s", done.error().message.c_str());
    return options;
}
std::vector<std::int64_t> times(const std::vector<record::Record>& records)
{
    std::vector<std::int64_t> all;
    for (const auto& r : records)
        if (const auto* f = std::get_if<record::Fired>(&r)) all.push_back(f->when.count());
    return all;
}
} // namespace

class TestBufferPolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What a program is comes at once, what it traces at the end.
    void theLastSecondsAreShown()
    {
        std::vector<record::Record> out;
        tracer::BufferPolicy policy(optionsOf({{"ringtime", "10s"}}), [&](const record::Record& r) { out.push_back(r); });
        policy.take(record::Program{});
        policy.take(endProbe());
        QCOMPARE(out.size(), std::size_t{2});
        for (std::int64_t second = 0; second < 100; ++second)
            policy.take(fired(second * kSecond, static_cast<std::uint32_t>(second % 3)));
        policy.take(fired(100 * kSecond, 0, 8, kEnd));
        QCOMPARE(out.size(), std::size_t{2});
        policy.release(Nanoseconds(100 * kSecond));
        std::vector<std::int64_t> expected;
        for (std::int64_t second = 90; second <= 100; ++second)
            expected.push_back(second * kSecond);
        QCOMPARE(times(out), expected);
    }

    /// What was quiet for longer than the time has nothing to show but END.
    void theEndIsThatOfTheRun()
    {
        std::vector<record::Record> out;
        tracer::BufferPolicy policy(optionsOf({{"ringtime", "1s"}}), [&](const record::Record& r) { out.push_back(r); });
        policy.take(endProbe());
        policy.take(fired(5 * kSecond));
        policy.take(fired(20 * kSecond, 0, 8, kEnd));
        policy.release(Nanoseconds(20 * kSecond));
        QCOMPARE(times(out), std::vector<std::int64_t>{20 * kSecond});
    }

    /// Of an aggregation the rows stay that were known when the time began: what came in within it is the difference.
    void rowsFromBeforeStayAsTheBeginning()
    {
        std::vector<record::Record> out;
        tracer::BufferPolicy policy(optionsOf({{"ringtime", "3s"}}), [&](const record::Record& r) { out.push_back(r); });
        for (std::int64_t second = 1; second <= 10; ++second) {
            policy.take(rows(second * kSecond, 0));
            if (second == 2) policy.take(rows(second * kSecond, 1));
            policy.take(fired(second * kSecond));
        }
        policy.release(Nanoseconds(10 * kSecond));
        std::vector<std::int64_t> first, second;
        for (const auto& r : out)
            if (const auto* one = std::get_if<record::AggregationRows>(&r)) (one->aggregation.value == 0 ? first : second).push_back(one->when.count() / kSecond);
        QCOMPARE(first, (std::vector<std::int64_t>{6, 7, 8, 9, 10}));
        QCOMPARE(second, std::vector<std::int64_t>{2});
    }

    void whatHasNoRoomIsTold()
    {
        std::vector<record::Record> out;
        tracer::BufferPolicy policy(optionsOf({{"ringtime", "1h"}}), [&](const record::Record& r) { out.push_back(r); });
        constexpr std::size_t kBytes = 1 << 20;
        for (std::int64_t second = 0; second < 300; ++second)
            policy.take(fired(second * kSecond, 0, kBytes));
        policy.release(Nanoseconds(300 * kSecond));
        const auto kept = times(out);
        QVERIFY(kept.size() < 256 && kept.size() > 240);
        QCOMPARE(kept.back(), 299 * kSecond);
        const auto* told = std::get_if<record::Diagnostic>(&out.front());
        QVERIFY(told);
        QVERIFY2(told->message.find("of the last 3600.0 s only") != std::string::npos, told->message.c_str());
    }

    /// By size: as many as a simple queue for each CPU holds.
    void eachCpuHasItsRing()
    {
        std::vector<record::Record> out;
        tracer::BufferPolicy policy(
            optionsOf({{"bufpolicy", "ring"}, {"bufsize", "4k"}}), [&](const record::Record& r) { out.push_back(r); });
        std::mt19937 random(1);
        std::map<std::uint32_t, std::deque<std::pair<std::int64_t, std::size_t>>> truth;
        for (std::int64_t i = 0; i < 5000; ++i) {
            const auto cpu = random() % 3;
            const std::size_t bytes = random() % 100;
            policy.take(fired(i, static_cast<std::uint32_t>(cpu), bytes));
            if (i % 7 == 0) policy.take(record::Drop{});
            auto& queue = truth[static_cast<std::uint32_t>(cpu)];
            queue.emplace_back(i, bytes + 16);
            const auto used = [&] {
                std::size_t sum = 0;
                for (const auto& [when, room] : queue)
                    sum += room;
                return sum;
            };
            while (used() > 4096)
                queue.pop_front();
        }
        policy.release(Nanoseconds(5000));
        std::vector<std::int64_t> expected;
        for (const auto& [cpu, queue] : truth)
            for (const auto& [when, room] : queue)
                expected.push_back(when);
        std::sort(expected.begin(), expected.end());
        QCOMPARE(times(out), expected);
    }
};
QTEST_GUILESS_MAIN(TestBufferPolicy)
#include "tst_buffer_policy.moc"
