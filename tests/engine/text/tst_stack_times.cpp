// needs: engine/text engine/record
// Samples with their times become parts: every one is in the part of its time and thread, and none twice.
#include "engine/record/check.h"
#include "engine/record/value.h"
#include "engine/text/stack_times.h"
#include <QObject>
#include <QTest>
#include <map>
#include <random>
#include <set>
#include <tuple>
using namespace dscope;
namespace {
constexpr std::int64_t kStart = 5'000'000'000'000;
struct Sample {
    std::int64_t when;
    std::uint32_t tid, cpu, stack;
    std::int64_t value;
};
std::vector<Sample> samplesOf(std::size_t count, std::int64_t length, unsigned seed)
{
    std::mt19937_64 random(seed);
    const auto upTo = [&](std::uint64_t n) { return random() % n; };
    std::vector<Sample> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(
            {kStart + static_cast<std::int64_t>(upTo(static_cast<std::uint64_t>(length))), static_cast<std::uint32_t>(100 + upTo(5)),
                static_cast<std::uint32_t>(upTo(2)), static_cast<std::uint32_t>(upTo(40)), static_cast<std::int64_t>(1 + upTo(9))});
    return all;
}
record::StackParts partsOf(const std::vector<Sample>& samples, text::Imported& out)
{
    text::StackTimes times;
    for (const auto& s : samples)
        times.add(s.when, {"worker", std::nullopt, s.tid, s.cpu}, s.stack, s.value, 1);
    // Lines in another order than stacks came in.
    std::vector<std::uint32_t> lines(40);
    for (std::uint32_t i = 0; i < lines.size(); ++i)
        lines[i] = 39 - i;
    times.put(out, "samples", lines);
    return out.records.empty() ? record::StackParts() : std::get<record::StackParts>(out.records.back());
}
std::int64_t numberIn(const record::StackParts& parts, const record::StackParts::Part& part, const char* key)
{
    for (std::size_t i = 0; i < parts.by.size(); ++i)
        for (const auto& field : parts.by[i].keys)
            if (field.name == key) return record::integerOf(field, part.keys[i]);
    return -1;
}
} // namespace

class TestStackTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySampleIsInOnePart_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<qint64>("length");
        QTest::newRow("one") << 1 << qint64(1);
        QTest::newRow("few") << 20 << qint64(3'000'000'000);
        QTest::newRow("at one time") << 500 << qint64(1);
        QTest::newRow("within a microsecond") << 5'000 << qint64(1'000);
        QTest::newRow("of a minute") << 60'000 << qint64(60'000'000'000);
        QTest::newRow("of a week") << 60'000 << qint64(7) * 86'400 * 1'000'000'000;
        QTest::newRow("more than are kept one by one") << 2'200'000 << qint64(3'600) * 1'000'000'000;
    }
    void everySampleIsInOnePart()
    {
        QFETCH(int, count);
        QFETCH(qint64, length);
        const auto samples = samplesOf(static_cast<std::size_t>(count), length, 11);
        text::Imported out;
        const auto parts = partsOf(samples, out);
        record::StreamCheck check;
        QVERIFY(check.take(out.program));
        const auto fine = check.take(parts);
        QVERIFY2(fine, fine ? "" : fine.error().message.c_str());

        std::map<std::tuple<std::int64_t, std::int64_t, std::uint32_t>, std::int64_t> given, got; // by tid, cpu and line
        std::map<std::int64_t, std::int64_t> cameBy;
        std::int64_t first = INT64_MAX, last = 0;
        for (const auto& s : samples) {
            given[{s.tid, s.cpu, 39 - s.stack}] += s.value;
            first = std::min(first, s.when);
            last = std::max(last, s.when);
        }
        QCOMPARE(out.program.started, first);
        std::set<std::int64_t> ends;
        for (const auto& part : parts.parts) {
            ends.insert(part.to.count());
            cameBy[part.to.count()] += part.amount;
            QVERIFY(part.from.count() >= first && part.to.count() <= last);
            for (const auto& line : part.lines)
                got[{numberIn(parts, part, "tid"), numberIn(parts, part, "cpu"), line.stack}] += line.value;
        }
        QVERIFY(got == given);
        QVERIFY2(ends.size() <= 1001, qPrintable(QString::number(ends.size())));

        // At each end as many have come as had been taken by then.
        auto byTime = samples;
        std::sort(byTime.begin(), byTime.end(), [](const Sample& a, const Sample& b) { return a.when < b.when; });
        std::int64_t sum = 0;
        for (const auto& [end, amount] : cameBy) {
            sum += amount;
            const auto there
                = std::partition_point(byTime.begin(), byTime.end(), [&](const Sample& s) { return end == last || s.when < end; });
            QCOMPARE(sum, static_cast<std::int64_t>(there - byTime.begin()));
        }
    }
    void withoutTimesThereAreNone()
    {
        text::Imported out;
        QVERIFY(partsOf({}, out).parts.empty());
        QVERIFY(out.records.empty());
        QCOMPARE(out.program.started, std::int64_t{0});
    }
    /// What is not told is no key: no column is empty.
    void onlyWhatIsToldIsAKey()
    {
        text::StackTimes times;
        times.add(kStart, {"sh", 7, std::nullopt, std::nullopt}, 0, 1, 1);
        text::Imported out;
        times.put(out, "samples", std::vector<std::uint32_t>{0});
        const auto& parts = std::get<record::StackParts>(out.records.front());
        QCOMPARE(parts.by.size(), std::size_t{1});
        QCOMPARE(parts.by[0].keys.size(), std::size_t{2});
        QCOMPARE(parts.by[0].keys[1].name, std::string("pid"));
    }
    void namesThatAreTooLongAreToldAndStayApart()
    {
        text::StackTimes times;
        const std::string begin(300, 'n');
        times.add(kStart, {begin + "1", {}, {}, {}}, 0, 1, 1);
        times.add(kStart, {begin + "2", {}, {}, {}}, 0, 1, 1);
        text::Imported out;
        times.put(out, "samples", std::vector<std::uint32_t>{0}, "thread");
        const auto& told = std::get<record::Diagnostic>(out.records.front());
        QVERIFY2(told.message.starts_with("2 names of threads are longer than 255 bytes and cut"), told.message.c_str());
        const auto& parts = std::get<record::StackParts>(out.records.back());
        std::set<std::string> names;
        for (const auto& part : parts.parts)
            names.insert(record::stringOf(parts.by[0].keys[0], part.keys[0]));
        QCOMPARE(names.size(), std::size_t{2});
        QVERIFY(names.begin()->starts_with(std::string(200, 'n')));
    }
    void aLongNameIsWhole()
    {
        text::StackTimes times;
        const std::string name = "http-nio-8080-exec-with-a-long-name-17";
        times.add(kStart, {name, {}, {}, {}}, 0, 1, 1);
        times.add(kStart, {"main", {}, {}, {}}, 0, 1, 1);
        text::Imported out;
        times.put(out, "samples", std::vector<std::uint32_t>{0}, "thread");
        const auto& parts = std::get<record::StackParts>(out.records.front());
        QCOMPARE(parts.by[0].keys[0].name, std::string("thread"));
        QStringList names;
        for (const auto& part : parts.parts)
            names << QString::fromStdString(record::stringOf(parts.by[0].keys[0], part.keys[0]));
        names.sort();
        QCOMPARE(names, (QStringList{QString::fromStdString(name), QStringLiteral("main")}));
    }
    /// A stack that counts nothing has no line, and none of its samples is told of.
    void aStackWithoutALineIsLeftOut()
    {
        text::StackTimes times;
        times.add(kStart, {"sh", 7, 7, 0}, 0, 1, 1);
        times.add(kStart + 1, {"sh", 7, 7, 0}, 1, 1, 1);
        text::Imported out;
        times.put(out, "samples", std::vector<std::uint32_t>{UINT32_MAX, 0});
        const auto& parts = std::get<record::StackParts>(out.records.front());
        QCOMPARE(parts.parts.size(), std::size_t{1});
        QCOMPARE(parts.parts[0].amount, std::int64_t{1});
    }
};
QTEST_GUILESS_MAIN(TestStackTimes)
#include "tst_stack_times.moc"
