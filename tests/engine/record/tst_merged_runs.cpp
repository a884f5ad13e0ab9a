// needs: engine/format
// Several runs as one are what one run would have seen.
#include "engine/record/merged_runs.h"
#include "engine/format/text_printer.h"
#include "engine/record/buckets.h"
#include "engine/record/check.h"
#include "tests/support/counted.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QTest>
#include <random>
#include <algorithm>
#include <cstring>
#include <map>
using namespace dscope;
using namespace dscope::test;
using record::MergedBy;
using record::MergedRuns;
namespace {
using Data = std::vector<std::int64_t>;
using Rows = std::map<std::string, Data>;
class Recorded final : public record::Source {
public:
    explicit Recorded(Stream stream) : m_stream(std::move(stream)) { }

    /// One record a time: the merge must not rely on more.
    Result<bool> poll(std::chrono::milliseconds, const Deliver& deliver) override
    {
        if (m_at < m_stream.size()) deliver(m_stream[m_at++]);
        return m_at < m_stream.size();
    }

private:
    Stream m_stream;
    std::size_t m_at = 0;
};
struct Merged {
    record::Program program;
    std::vector<record::AggregationRows> told; ///< in their order
    std::vector<Rows> last;                    ///< by aggregation: the keys' texts, stacks by their outermost function
    std::vector<std::string> warnings;
    std::vector<record::CountedStacks> folded;
    std::optional<std::int64_t> divisor;
    std::uint64_t drops = 0;
    std::string error;
};
std::string text(const record::Aggregation& aggregation, ByteView key, const std::map<std::uint32_t, std::string>& stacks)
{
    std::string all;
    for (const auto& field : aggregation.keys) {
        if (!all.empty()) all += ',';
        if (field.kind == FieldKind::String)
            all += textAt(key, field.offset, field.size);
        else if (field.kind == FieldKind::UserStack)
            all += stacks.at(readAt<std::uint32_t>(key, field.offset));
        else
            all += std::to_string(readAt<std::int64_t>(key, field.offset));
    }
    return all;
}
Merged mergeOf(std::vector<Stream> streams, MergedBy by = MergedBy::Nothing)
{
    std::vector<record::MergedRun> runs;
    for (std::size_t i = 0; i < streams.size(); ++i)
        runs.push_back({std::string(1, static_cast<char>('a' + i)) + ".dscope", std::make_unique<Recorded>(std::move(streams[i]))});
    MergedRuns merged(std::move(runs), by);
    record::StreamCheck check;
    Merged out;
    std::map<std::uint32_t, std::string> stacks;
    const auto take = [&](const record::Record& r) {
        if (auto fine = check.take(r); !fine) out.error = "not a stream: " + fine.error().message;
        if (const auto* p = std::get_if<record::Program>(&r)) {
            out.program = *p;
            out.last.resize(p->aggregations.size());
        } else if (const auto* stack = std::get_if<record::StackDef>(&r)) {
            stacks[stack->id.value] = stack->frames.back().function;
        } else if (const auto* rows = std::get_if<record::AggregationRows>(&r)) {
            out.told.push_back(*rows);
            auto& last = out.last[rows->aggregation.value];
            last.clear();
            for (const auto& row : rows->rows)
                last[text(out.program.aggregations[rows->aggregation.value], row.key, stacks)] = row.data;
        } else if (const auto* told = std::get_if<record::Diagnostic>(&r)) {
            out.warnings.push_back(told->message);
        } else if (const auto* lines = std::get_if<record::CountedStacks>(&r)) {
            out.folded.push_back(*lines);
        } else if (const auto* fired = std::get_if<record::Fired>(&r)) {
            out.divisor = readAt<std::int64_t>(fired->payload, 0);
        } else if (const auto* drop = std::get_if<record::Drop>(&r)) {
            out.drops += drop->count;
        }
    };
    for (bool more = true; more;) {
        auto polled = merged.poll(std::chrono::milliseconds(0), take);
        if (!polled) {
            out.error = polled.error().message;
            return out;
        }
        more = *polled;
    }
    return out;
}

// -- what a kernel would hold of values, done in the plainest way ---------------------------------------------------
Data dataOf(const Aggregation& aggregation, const Data& values)
{
    __extension__ unsigned __int128 squares = 0;
    std::int64_t sum = 0;
    std::map<int, std::int64_t> buckets;
    for (const auto value : values) {
        sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
        __extension__ const auto wide = static_cast<__int128>(value);
        squares += static_cast<decltype(squares)>(wide * wide);
    }
    const auto count = static_cast<std::int64_t>(values.size());
    switch (aggregation.function) {
    case Aggregator::Count: return {count};
    case Aggregator::Sum: return {sum};
    case Aggregator::Min: return {*std::min_element(values.begin(), values.end())};
    case Aggregator::Max: return {*std::max_element(values.begin(), values.end())};
    case Aggregator::Avg: return {count, sum};
    case Aggregator::Stddev:
        return {count, sum, static_cast<std::int64_t>(static_cast<std::uint64_t>(squares)), static_cast<std::int64_t>(squares >> 64U)};
    default: break;
    }
    for (const auto value : values)
        ++buckets[record::bucketOf(aggregation, value)];
    Data out;
    for (const auto& [bucket, number] : buckets)
        out.insert(out.end(), {bucket, number});
    return out;
}
struct Event {
    std::size_t key = 0;
    std::int64_t value = 0;
};
constexpr std::array<const char*, 4> kNames{"cat", "dd", "sh", "tar"};
std::vector<record::AggregationRow> rowsOf(const Aggregation& aggregation, const std::vector<Event>& events, std::uint32_t firstStack)
{
    std::map<std::size_t, Data> values;
    for (const auto& event : events)
        values[event.key].push_back(event.value);
    std::vector<record::AggregationRow> rows;
    for (const auto& [key, all] : values)
        rows.push_back({Key().text(kNames[key]).stack(firstStack + static_cast<std::uint32_t>(key)).bytes(), dataOf(aggregation, all)});
    return rows;
}
Aggregation keyed(Aggregator function, std::array<std::int64_t, 4> parameters = {})
{
    auto a = aggregation("a", function, "arg0", {textKey("execname"), stackKey(FieldKind::UserStack)});
    a.parameters = parameters;
    return a;
}
record::Program programOf(const Aggregation& aggregation)
{
    auto p = program("tick-1s { clear(@a); }", {"profile:::tick-1s", "dtrace:::END"});
    p.aggregations = {aggregation};
    p.clauses[0].actions = {{record::ActionKind::Clear, {}, {}, {AggregationId{0}}}};
    return p;
}
/// A run whose machine has code at `address`, and whose numbers of stacks begin at `firstStack`.
Stream runOf(const record::Program& p, const std::vector<std::vector<Event>>& epochs, std::uint64_t address, std::uint32_t firstStack)
{
    Stream s;
    begin(s, p);
    for (std::uint32_t key = 0; key < kNames.size(); ++key) {
        auto one = frame("app", kNames[key], record::Frame::Kind::User);
        one.address = address + key;
        s.emplace_back(stack(firstStack + key, {one}));
    }
    std::int64_t now = p.started;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        now += kSecond;
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(now), rowsOf(p.aggregations[0], epochs[i], firstStack)});
        if (i + 1 < epochs.size()) s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(now), {}});
    }
    s.emplace_back(record::Exit{0, false, record::Nanoseconds(now)});
    return s;
}
/// A run that has told one row, execname "cat", of a count.
Stream counted(record::Program p, std::int64_t count)
{
    p.aggregations = {aggregation("a", Aggregator::Count, "", {textKey("execname")})};
    Stream s;
    begin(s, p);
    s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(p.started + kSecond), {{Key().text("cat").bytes(), {count}}}});
    s.emplace_back(record::Exit{0, false, record::Nanoseconds(p.started + kSecond)});
    return s;
}
} // namespace

class TestMergedRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunThatWasSplitIsWholeAgain_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("parameters");
        const auto row = [](const char* name, Aggregator function, const QList<qint64>& parameters = {0, 0, 0, 0}) {
            QTest::newRow(name) << static_cast<int>(function) << parameters;
        };
        row("count", Aggregator::Count);
        row("sum", Aggregator::Sum);
        row("min", Aggregator::Min);
        row("max", Aggregator::Max);
        row("avg", Aggregator::Avg);
        row("stddev", Aggregator::Stddev);
        row("quantize", Aggregator::Quantize);
        row("lquantize", Aggregator::Lquantize, {-500, 500, 100, 0});
        row("llquantize", Aggregator::Llquantize, {10, 0, 6, 20});
    }
    /// Every event is in one of the parts, at random, and every part was cleared now and then.
    void aRunThatWasSplitIsWholeAgain()
    {
        QFETCH(int, function);
        QFETCH(QList<qint64>, parameters);
        const auto a = keyed(static_cast<Aggregator>(function), {parameters[0], parameters[1], parameters[2], parameters[3]});
        std::mt19937_64 random(42);
        for (int round = 0; round < 20; ++round) {
            const std::size_t parts = 1 + random() % 5;
            std::vector<std::vector<std::vector<Event>>> split(parts, std::vector<std::vector<Event>>(1 + random() % 3));
            std::vector<Event> whole;
            for (int i = 0; i < 200; ++i) {
                const auto magnitude = random() % 63;
                auto value = static_cast<std::int64_t>(random() >> (magnitude + 1));
                if (random() % 2 == 0) value = -value;
                const Event event{random() % kNames.size(), value};
                whole.push_back(event);
                auto& part = split[random() % parts];
                part[random() % part.size()].push_back(event);
            }
            std::vector<Stream> streams;
            for (std::size_t i = 0; i < parts; ++i)
                streams.push_back(runOf(programOf(a), split[i], 0x1000 * (i + 1), 1 + static_cast<std::uint32_t>(random() % 100)));
            const auto merged = mergeOf(std::move(streams));
            QCOMPARE(QString::fromStdString(merged.error), QString());
            Rows expected;
            std::map<std::size_t, Data> values;
            for (const auto& event : whole)
                values[event.key].push_back(event.value);
            for (const auto& [key, all] : values)
                expected[std::string(kNames[key]) + ',' + kNames[key]] = dataOf(a, all);
            QVERIFY(merged.last.at(0) == expected);
        }
    }
    void rowsAreToldApart_data()
    {
        QTest::addColumn<int>("by");
        QTest::addColumn<qint64>("later"); // the second run of web1
        QTest::addColumn<QByteArray>("rows");
        QTest::newRow("not at all") << static_cast<int>(MergedBy::Nothing) << qint64(60 * kSecond) << QByteArray("cat=7 ");
        QTest::newRow("by host") << static_cast<int>(MergedBy::Host) << qint64(60 * kSecond) << QByteArray("db1,cat=4 web1,cat=3 ");
        QTest::newRow("by file") << static_cast<int>(MergedBy::File) << qint64(60 * kSecond) << QByteArray("a.dscope,cat=1 b.dscope,cat=2 c.dscope,cat=4 ");
        QTest::newRow("by run") << static_cast<int>(MergedBy::Run) << qint64(60 * kSecond)
                                << QByteArray("db1 2026-11-20 09:13:20,cat=4 web1 2026-11-20 09:13:20,cat=1 web1 2026-11-20 09:14:20,cat=2 ");
        QTest::newRow("by run, within a second")
            << static_cast<int>(MergedBy::Run) << qint64(250 * kMillisecond)
            << QByteArray("db1 2026-11-20 09:13:20.000,cat=4 web1 2026-11-20 09:13:20.000,cat=1 web1 2026-11-20 09:13:20.250,cat=2 ");
        QTest::newRow("by run, within a microsecond")
            << static_cast<int>(MergedBy::Run) << qint64(7)
            << QByteArray("db1 2026-11-20 09:13:20.000000000,cat=4 web1 2026-11-20 09:13:20.000000000,cat=1 web1 2026-11-20 09:13:20.000000007,cat=2 ");
    }
    void rowsAreToldApart()
    {
        QFETCH(int, by);
        QFETCH(qint64, later);
        QFETCH(QByteArray, rows);
        std::vector<Stream> streams;
        std::int64_t count = 1;
        for (const auto* host : {"web1", "web1", "db1"}) {
            auto p = program("x", {"syscall::read:entry"});
            p.host = host;
            if (count == 2) p.started += later;
            streams.push_back(counted(p, count));
            count *= 2;
        }
        const auto merged = mergeOf(std::move(streams), static_cast<MergedBy>(by));
        QCOMPARE(QString::fromStdString(merged.error), QString());
        QByteArray got;
        for (const auto& [key, data] : merged.last.at(0))
            got += QByteArray::fromStdString(key) + '=' + QByteArray::number(qint64(data[0])) + ' ';
        QCOMPARE(got, rows);
        QCOMPARE(merged.program.host, std::string("web1, db1"));
    }
    /// Two machines whose clocks since their start are days apart, and whose wall clocks agree.
    void timesAreOnOneClock()
    {
        auto first = program("x", {"syscall::read:entry"}), second = first;
        second.started += 5000 * kSecond;
        second.wallClockOffset -= 4990 * kSecond; // it began 10 s later
        const auto merged = mergeOf({counted(first, 1), counted(second, 2)});
        QCOMPARE(merged.program.started, first.started);
        QCOMPARE(qint64(merged.told.back().when.count()), qint64(first.started + 11 * kSecond));
    }
    /// A clock that is wrong by what was measured of it, and what is known of those that are not.
    void aClockThatIsWrongIsPutRight()
    {
        auto first = program("x", {"syscall::read:entry"}), second = first;
        first.host = "a";
        second.host = "b";
        second.wallClockOffset += 60 * kSecond; // it says a minute later than it is
        using record::ClockReading;
        first.clock = second.clock = {kStart, kStart, 0, ClockReading::Kept::Yes, kMillisecond};
        std::vector<record::MergedRun> runs;
        runs.push_back({"a", std::make_unique<Recorded>(counted(first, 1)), 0, false, record::Firings::All, record::ClockOffset{-kSecond, kSecond}});
        runs.push_back({"b", std::make_unique<Recorded>(counted(second, 2)), 0, false, record::Firings::All, record::ClockOffset{58 * kSecond, 62 * kSecond}});
        MergedRuns merged(std::move(runs), MergedBy::Nothing);
        std::vector<std::int64_t> times;
        record::Exit exit;
        std::vector<std::string> told;
        for (bool more = true; more;) {
            const auto polled = merged.poll({}, [&](const record::Record& r) {
                if (const auto* rows = std::get_if<record::AggregationRows>(&r)) times.push_back(rows->when.count());
                if (const auto* diagnostic = std::get_if<record::Diagnostic>(&r)) told.push_back(diagnostic->text);
                if (const auto* last = std::get_if<record::Exit>(&r)) exit = *last;
            });
            QVERIFY(polled);
            more = *polled;
        }
        QCOMPARE(qint64(times.back()), qint64(kStart + kSecond)); // not a minute later
        QVERIFY(exit.agreement == (record::ClockAgreement{2, 0, 3 * kSecond}));
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY(told[0].starts_with("the clock of b is some 60.0 s ahead of this machine's"));
    }
    void otherProgramsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("source") << QByteArray("source")
            << QByteArray("b.dscope cannot be merged with a.dscope: they ran different programs, first in line 2\n    a.dscope: two\n    b.dscope: deux");
        QTest::newRow("arguments") << QByteArray("arguments")
            << QByteArray("b.dscope cannot be merged with a.dscope: their arguments differ\n    a.dscope: none\n    b.dscope: 5 6");
        QTest::newRow("keys") << QByteArray("keys")
            << QByteArray("b.dscope cannot be merged with a.dscope: their aggregations or the sizes of their keys differ");
        QTest::newRow("imported") << QByteArray("imported")
            << QByteArray("b.dscope cannot be merged with a.dscope: one is a run of a D program, the other what another tool recorded");
        QTest::newRow("command, host, kernel, time") << QByteArray("fine") << QByteArray();
    }
    void otherProgramsAreRefused()
    {
        QFETCH(QByteArray, what);
        QFETCH(QByteArray, message);
        auto first = program("one\ntwo", {"syscall::read:entry"}), second = first;
        second.host = "other";
        second.kernel = "6.12";
        second.command = "ls";
        second.started += kSecond;
        if (what == "source") second.source = "one\ndeux";
        if (what == "arguments") second.arguments = {"5", "6"};
        if (what == "imported") second.isImported = true;
        auto a = counted(first, 1), b = counted(second, 1);
        if (what == "keys") std::get<record::Program>(b[0]).aggregations[0].keys[0].size = 16;
        QCOMPARE(QByteArray::fromStdString(mergeOf({a, b}).error), message);
    }
    /// As for one run: END's trunc() keeps the largest of all, and has not yet taken away what another run adds up to more.
    void endTruncatesOnce()
    {
        auto p = program("END { trunc(@a, 1); }", {"dtrace:::END"});
        p.aggregations = {aggregation("a", Aggregator::Count, "", {textKey("execname")})};
        Field most = numberKey("1");
        p.clauses[0].actions = {{record::ActionKind::Trunc, {}, {most}, {AggregationId{0}}}};
        p.clauses[0].payloadSize = 8;
        const auto run = [&](const char* largest) {
            Stream s;
            begin(s, p);
            s.emplace_back(rows(0, {{Key().text(largest).bytes(), {5}}, {Key().text("second").bytes(), {4}}}));
            s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(p.started + kSecond), Key().number(1).bytes()});
            s.emplace_back(rows(0, {{Key().text(largest).bytes(), {5}}}));
            s.emplace_back(end(kSecond));
            return s;
        };
        const auto merged = mergeOf({run("x"), run("y")});
        QVERIFY(merged.last.at(0) == (Rows{{"second", {8}}}));
    }
    void valuesByCpuLeaveWithTheirKeys_data()
    {
        QTest::addColumn<bool>("atEnd");
        QTest::newRow("by END") << true;
        QTest::newRow("while they go on") << false;
    }
    /// As of option aggpercpu: the values by CPU of keys that END's trunc() removes leave with them; what a trunc() takes from a run that
    /// goes on stays, of both.
    void valuesByCpuLeaveWithTheirKeys()
    {
        QFETCH(bool, atEnd);
        auto p = program("dtrace:::END { trunc(@a, 1); }", {atEnd ? "dtrace:::END" : "syscall::read:entry"});
        const auto key = textKey("execname");
        auto cpu = numberKey("cpu");
        cpu.offset = key.size;
        p.aggregations = {aggregation("a", Aggregator::Count, "", {key}), aggregation("a", Aggregator::Count, "", {key, cpu})};
        p.clauses[0].actions = {{record::ActionKind::Trunc, {}, {numberKey("1")}, {AggregationId{0}, AggregationId{1}}}};
        p.clauses[0].payloadSize = 8;
        const auto run = [&](const char* largest) {
            const auto by = [&](const char* name, std::int64_t on) { return Key().text(name).number(on).bytes(); };
            Stream s;
            begin(s, p);
            s.emplace_back(rows(0, {{Key().text(largest).bytes(), {5}}, {Key().text("second").bytes(), {4}}}));
            s.emplace_back(rows(1, {{by(largest, 0), {2}}, {by(largest, 1), {3}}, {by("second", 1), {4}}}));
            s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(p.started + kSecond), Key().number(1).bytes()});
            s.emplace_back(rows(0, {{Key().text(largest).bytes(), {5}}}));
            s.emplace_back(rows(1, {{by(largest, 0), {2}}, {by(largest, 1), {3}}}));
            s.emplace_back(end(kSecond));
            return s;
        };
        const auto merged = mergeOf({run("x"), run("y")});
        QCOMPARE(QString::fromStdString(merged.error), QString());
        if (atEnd) {
            QVERIFY(merged.last.at(0) == (Rows{{"second", {8}}}));
            QVERIFY(merged.last.at(1) == (Rows{{"second,1", {8}}}));
        } else {
            QVERIFY(merged.last.at(0) == (Rows{{"x", {5}}, {"y", {5}}, {"second", {8}}}));
            QVERIFY(merged.last.at(1) == (Rows{{"x,0", {2}}, {"x,1", {3}}, {"y,0", {2}}, {"y,1", {3}}, {"second,1", {8}}}));
        }
    }
    void normalizedAlikeStaysSo_data()
    {
        QTest::addColumn<qint64>("second");
        QTest::addColumn<qint64>("divisor");
        QTest::addColumn<QByteArray>("warning");
        QTest::newRow("alike") << qint64(5) << qint64(5) << QByteArray();
        QTest::newRow("differently") << qint64(6) << qint64(0)
                                     << QByteArray("@a was normalized by numbers that differ (5, 6): what is shown is not normalized");
    }
    void normalizedAlikeStaysSo()
    {
        QFETCH(qint64, second);
        QFETCH(qint64, divisor);
        QFETCH(QByteArray, warning);
        auto p = program("END { normalize(@a, x); }", {"dtrace:::END"});
        p.clauses[0].actions = {{record::ActionKind::Normalize, {}, {numberKey("x")}, {AggregationId{0}}}};
        p.clauses[0].payloadSize = 8;
        const auto run = [&](std::int64_t by) {
            auto s = counted(p, 10);
            s.insert(s.end() - 1, record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(p.started + kSecond), Key().number(by).bytes()});
            return s;
        };
        const auto merged = mergeOf({run(5), run(second)});
        QCOMPARE(QString::fromStdString(merged.error), QString());
        QCOMPARE(qint64(merged.divisor.value_or(0)), divisor);
        QCOMPARE(QByteArray::fromStdString(merged.warnings.empty() ? "" : merged.warnings[0]), warning);
        QVERIFY(merged.last.at(0) == (Rows{{"cat", {20}}}));
    }
    void whatIsLeftOutIsTold()
    {
        auto p = program("{ printf(\"x\"); }", {"syscall::read:entry"});
        p.tellsOfProcesses = true;
        p.clauses[0].actions = {{record::ActionKind::System, "x", {}, {}}}; // which nobody does again
        auto s = counted(p, 1);
        s.insert(s.end() - 1, record::Fired{ClauseId{0}, ProbeId{101}, 0, 1, 1, record::Nanoseconds(p.started), {}});
        s.insert(s.end() - 1, record::Drop{record::Drop::Kind::Principal, 0, 3});
        const auto merged = mergeOf({s, s});
        QCOMPARE(merged.drops, std::uint64_t{6});
        QCOMPARE(merged.warnings.size(), std::size_t{2});
        QVERIFY(merged.warnings[0].starts_with("2 firings that printed or traced something are not part"));
        QVERIFY(merged.warnings[1].starts_with("processes are not part"));
    }
    /// What clauses print is there in the order of time, behind what the runs are told apart by.
    void whatClausesPrintIsPartOfIt_data()
    {
        QTest::addColumn<int>("by");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("one data set") << int(record::MergedBy::Nothing) << QByteArray("a 1\na 2\nb 3\n");
        QTest::newRow("by host") << int(record::MergedBy::Host) << QByteArray("web1: a 1\nweb-22: a 2\nweb1: b 3\n");
        QTest::newRow("by file") << int(record::MergedBy::File) << QByteArray("first: a 1\nsecond: a 2\nfirst: b 3\n");
    }
    void whatClausesPrintIsPartOfIt()
    {
        QFETCH(const int, by);
        QFETCH(const QByteArray, text);
        std::vector<record::MergedRun> runs;
        for (const auto* host : {"web1", "web-22"}) {
            const bool isFirst = runs.empty();
            auto p = program("{ printf(\"%s %d\\n\", execname, arg0); }", {"syscall::read:entry"});
            p.host = host;
            p.wallClockOffset += isFirst ? 0 : 5'000; // and its clock counts from another time
            p.started -= isFirst ? 0 : 5'000;
            p.clauses[0].actions = {{record::ActionKind::Printf, "%s %d\n",
                {{FieldKind::String, 0, 8, "execname", "string"}, {FieldKind::Int, 8, 8, "arg0", "int64_t"}}, {}}};
            p.clauses[0].payloadSize = 16;
            Stream s;
            begin(s, p);
            const auto fire = [&](std::int64_t after, const char* name, std::int64_t number) {
                Bytes payload(16);
                std::memcpy(payload.data(), name, std::strlen(name));
                std::memcpy(payload.data() + 8, &number, sizeof number);
                s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 7, 7, record::Nanoseconds(p.started + after), payload});
            };
            if (isFirst) fire(100, "a", 1), fire(300, "b", 3);
            if (!isFirst) fire(200, "a", 2);
            s.emplace_back(record::Exit{0, false, record::Nanoseconds(p.started + 400)});
            runs.push_back({isFirst ? "first" : "second", std::make_unique<Recorded>(s)});
        }
        record::MergedRuns merged(std::move(runs), static_cast<record::MergedBy>(by));
        std::string printed;
        format::TextPrinter printer([&](std::string_view one) { printed += one; }, [](std::string_view) {});
        std::vector<std::string> told;
        for (bool more = true; more;) {
            const auto polled = merged.poll({}, [&](const record::Record& r) {
                if (const auto* diagnostic = std::get_if<record::Diagnostic>(&r)) told.push_back(diagnostic->text);
                if (const auto* fired = std::get_if<record::Fired>(&r)) QVERIFY(fired->probe == ProbeId{});
                printer.take(r);
            });
            QVERIFY(polled);
            more = *polled;
        }
        QCOMPARE(QByteArray::fromStdString(printed).trimmed(), text.trimmed());
        QCOMPARE(told.size(), std::size_t{0});
    }
    void stacksOfOtherToolsHaveTheirFileAsRoot()
    {
        const auto run = [](const char* noun) {
            auto p = program("folded", {});
            p.isImported = true;
            Stream s;
            begin(s, p);
            s.emplace_back(tests::countedStacks({{"main;f", 3}}, noun));
            s.emplace_back(end(0));
            return s;
        };
        const auto merged = mergeOf({run("samples"), run("samples")}, MergedBy::File);
        QCOMPARE(merged.folded.size(), std::size_t{2});
        QCOMPARE(tests::foldedLines(merged.folded[1])[0].first, std::string("b.dscope;main;f"));
        QVERIFY(mergeOf({run("samples"), run("cycles")}).error.find("their stacks are of cycles and of samples") != std::string::npos);
    }
    /// Two processes of one machine have the same function at two addresses: two rows, as in the run itself.
    void twoProcessesStayTwo()
    {
        auto p = program("x", {"profile:::profile-97"});
        p.aggregations = {aggregation("a", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
        const auto run = [&](std::uint64_t address) {
            Stream s;
            begin(s, p);
            for (std::uint32_t i = 0; i < 2; ++i) {
                auto one = frame("app", "f", record::Frame::Kind::User);
                one.address = address + i * 0x100000;
                s.emplace_back(stack(1 + i, {one}));
            }
            s.emplace_back(rows(0, {{Key().stack(1).bytes(), {1}}, {Key().stack(2).bytes(), {2}}}));
            s.emplace_back(end(kSecond));
            return s;
        };
        const auto merged = mergeOf({run(0x1000), run(0x555000)});
        QCOMPARE(merged.told.back().rows.size(), std::size_t{2});
        QCOMPARE(qint64(merged.told.back().rows[0].data[0] + merged.told.back().rows[1].data[0]), qint64(6));
    }
    /// A long run forgets stacks that nothing holds, and has another number for one that comes again.
    void whatComesAgainIsTheSameStack()
    {
        auto p = program("x", {"profile:::profile-97"});
        p.aggregations = {aggregation("a", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
        const auto one = frame("app", "f", record::Frame::Kind::User);
        const auto run = [&](std::uint32_t again) {
            Stream s;
            begin(s, p);
            s.emplace_back(stack(1, {one}));
            if (again != 1) {
                s.emplace_back(record::StackDef{StackId{1}, {}});
                s.emplace_back(stack(again, {one}));
            }
            s.emplace_back(rows(0, {{Key().stack(again).bytes(), {2}}}));
            s.emplace_back(end(kSecond));
            return s;
        };
        const auto merged = mergeOf({run(1), run(9)});
        QCOMPARE(QString::fromStdString(merged.error), QString());
        QVERIFY(merged.last.at(0) == (Rows{{"f", {4}}}));
    }
};
QTEST_GUILESS_MAIN(TestMergedRuns)
#include "tst_merged_runs.moc"
