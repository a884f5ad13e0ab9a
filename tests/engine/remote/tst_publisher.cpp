// Runs that were published and collected are what the merge of their streams is, whatever happens to broker and publishers.
#include "engine/remote/publisher.h"
#include "engine/record/effect.h"
#include "engine/remote/collection.h"
#include "tests/support/kept_messages.h"
#include "tests/support/streams.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <random>
#include <algorithm>
#include <atomic>
using namespace dscope;
using namespace dscope::test;
using record::MergedBy;
namespace {
class Recorded final : public record::Source {
public:
    explicit Recorded(Stream stream) : m_stream(std::move(stream)) { }
    Result<bool> poll(std::chrono::milliseconds, const Deliver& deliver) override
    {
        for (const auto& r : m_stream)
            deliver(r);
        m_stream.clear();
        return false;
    }

private:
    Stream m_stream;
};
Stream merged(std::vector<record::MergedRun> runs, MergedBy by)
{
    record::MergedRuns all(std::move(runs), by);
    Stream out;
    for (bool more = true; more;) {
        const auto polled = all.poll(std::chrono::milliseconds(0), [&](const record::Record& r) { out.push_back(r); });
        if (!polled) qFatal("%s", polled.error().message.c_str());
        more = *polled;
    }
    return out;
}
/// What is left of a merge: programs, the last rows with the functions of their stacks, what was printed, drops, warnings, the end.
struct Outcome {
    record::Program program;
    std::vector<std::map<std::string, std::vector<std::int64_t>>> rows;
    std::vector<std::string> warnings;
    std::vector<std::pair<std::int64_t, Bytes>> printed;
    std::uint64_t drops = 0;
    std::int64_t divisor = 1, end = 0;
    bool operator==(const Outcome&) const = default;
};
Outcome outcomeOf(const Stream& stream)
{
    Outcome out;
    std::map<std::uint32_t, std::string> stacks;
    for (const auto& r : stream) {
        if (const auto* p = std::get_if<record::Program>(&r)) {
            out.program = *p;
            out.rows.resize(p->aggregations.size());
        } else if (const auto* stack = std::get_if<record::StackDef>(&r)) {
            stacks[stack->id.value] = stack->frames.back().function;
        } else if (const auto* rows = std::get_if<record::AggregationRows>(&r)) {
            auto& last = out.rows[rows->aggregation.value];
            last.clear();
            for (const auto& row : rows->rows) {
                std::string key;
                for (const auto& field : out.program.aggregations[rows->aggregation.value].keys)
                    key += (field.kind == FieldKind::UserStack ? stacks.at(readAt<std::uint32_t>(row.key, field.offset))
                                                               : textAt(row.key, field.offset, field.size))
                        + ',';
                last[key] = row.data;
            }
        } else if (const auto* told = std::get_if<record::Diagnostic>(&r)) {
            out.warnings.push_back(told->message);
        } else if (const auto* fired = std::get_if<record::Fired>(&r)) {
            const auto& actions = out.program.clauses[fired->clause.value].actions;
            if (std::any_of(actions.begin(), actions.end(), [](const auto& a) { return a.kind == record::ActionKind::Normalize; }))
                out.divisor = readAt<std::int64_t>(fired->payload, 0);
            else if (record::tells(out.program.clauses[fired->clause.value]))
                out.printed.emplace_back(fired->when.count(), fired->payload);
        } else if (const auto* drop = std::get_if<record::Drop>(&r)) {
            out.drops += drop->count;
        } else if (const auto* exit = std::get_if<record::Exit>(&r)) {
            out.end = exit->when.count();
        }
    }
    return out;
}
/// Of two aggregations, one by stack; cleared, truncated and normalized now and then, and truncated at the end.
record::Program programOf(const std::string& host)
{
    auto p = program("tick-1s { clear(@a); trunc(@b, 2); normalize(@b, 3); }", {"profile:::tick-1s", "dtrace:::END", "profile:::tick-2s"});
    p.host = host;
    p.aggregations = {aggregation("a", Aggregator::Quantize, "arg0", {textKey("execname")}),
        aggregation("b", Aggregator::Sum, "arg0", {textKey("execname"), stackKey(FieldKind::UserStack)})};
    Field number = numberKey("2");
    using record::ActionKind;
    p.clauses[0].actions = {{ActionKind::Clear, {}, {}, {AggregationId{0}}}, {ActionKind::Trunc, {}, {number}, {AggregationId{1}}}};
    p.clauses[0].payloadSize = 8;
    p.clauses[1].actions = {{ActionKind::Trunc, {}, {number}, {AggregationId{0}}}, {ActionKind::Trunc, {}, {number}, {AggregationId{1}}}};
    p.clauses[1].payloadSize = 8;
    p.clauses[2].actions = {{ActionKind::Normalize, {}, {number}, {AggregationId{1}}}, {ActionKind::Printf, "hello", {}, {}}};
    p.clauses[2].payloadSize = 8;
    return p;
}
Stream runOf(const std::string& host, std::mt19937_64& random)
{
    auto p = programOf(host);
    p.started += static_cast<std::int64_t>(random() % 1000) * kMillisecond;
    Stream s;
    begin(s, p);
    std::int64_t now = p.started;
    const auto fired = [&](std::uint32_t clause, std::int64_t number) {
        s.emplace_back(record::Fired{ClauseId{clause}, ProbeId{101 + clause}, 0, 1, 1, record::Nanoseconds(now), Key().number(number).bytes()});
    };
    const std::array<const char*, 5> names{"cat", "dd", "sh", "tar", "vi"};
    std::uint32_t stacks = 0;
    for (int round = 0; round < 6; ++round) {
        now += kSecond;
        for (int i = 0; i < 3; ++i) {
            auto one = frame("app", "f" + std::to_string(random() % 4), record::Frame::Kind::User);
            one.address = random() % 0xffff;
            s.emplace_back(stack(++stacks, {one}));
        }
        std::vector<record::AggregationRow> a, b;
        for (const auto* name : names) {
            if (random() % 2 == 0) a.push_back({Key().text(name).bytes(), {static_cast<std::int64_t>(70 + random() % 3), 5, 80, 1}});
            b.push_back({Key().text(name).stack(1 + static_cast<std::uint32_t>(random() % stacks)).bytes(), {static_cast<std::int64_t>(random() % 1000)}});
        }
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(now), a});
        s.emplace_back(record::AggregationRows{AggregationId{1}, record::Nanoseconds(now), b});
        if (random() % 3 == 0) s.emplace_back(record::Drop{record::Drop::Kind::Principal, static_cast<std::uint32_t>(random() % 2), 1 + random() % 9});
        if (random() % 2 == 0) fired(0, 2);
        if (random() % 3 == 0) fired(2, 3);
    }
    if (random() % 2 == 0) {
        fired(1, 2);
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(now), {}});
        s.emplace_back(record::AggregationRows{AggregationId{1}, record::Nanoseconds(now), {}});
    }
    s.emplace_back(record::Exit{0, false, record::Nanoseconds(now)});
    return s;
}
remote::Address address(std::chrono::nanoseconds wait)
{
    auto made = remote::addressOf("nats://test/r");
    made->every = {};
    made->wait = wait;
    return *made;
}
/// Publishes the first `records` of them; an error when it ends with one.
std::string publish(const std::shared_ptr<KeptMessages>& kept, const Stream& stream, std::size_t records = SIZE_MAX,
    std::chrono::nanoseconds wait = std::chrono::minutes(2), remote::Publisher::Of what = remote::Publisher::Of::Replay)
{
    using remote::Publisher;
    Publisher publisher(std::make_unique<MemoryBroker>(kept), address(wait), what, [](const std::string&) { });
    for (std::size_t i = 0; i < std::min(records, stream.size()); ++i)
        publisher.take(stream[i]);
    if (records < stream.size()) return {}; // killed: it says no end
    const auto done = publisher.finish();
    return done ? std::string() : done.error().message;
}
remote::Collection collected(const std::shared_ptr<KeptMessages>& kept, std::size_t expected = 0)
{
    remote::Collection all("r", expected);
    MemoryBroker broker(kept);
    for (;;) {
        const auto next = broker.next({});
        if (!next || !*next) return all;
        all.take(**next);
    }
}
} // namespace

class TestPublisher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsCollectedIsTheMerge_data()
    {
        QTest::addColumn<int>("by");
        QTest::addColumn<int>("most");
        QTest::newRow("one") << static_cast<int>(MergedBy::Nothing) << (1 << 20);
        QTest::newRow("by host") << static_cast<int>(MergedBy::Host) << (1 << 20);
        QTest::newRow("in parts") << static_cast<int>(MergedBy::Nothing) << 64;
    }
    void whatIsCollectedIsTheMerge()
    {
        QFETCH(int, by);
        QFETCH(int, most);
        std::mt19937_64 random(7);
        for (int round = 0; round < 10; ++round) {
            const auto kept = std::make_shared<KeptMessages>();
            kept->most = static_cast<std::size_t>(most);
            std::vector<record::MergedRun> recorded;
            std::size_t printed = 0;
            for (const auto* host : {"a", "b.c", "d"}) {
                auto stream = runOf(host, random);
                for (const auto& r : stream)
                    if (const auto* fired = std::get_if<record::Fired>(&r)) printed += fired->clause.value == 2;
                // Killed twice on its way, and begun again.
                publish(kept, stream, random() % stream.size());
                publish(kept, stream, random() % stream.size());
                QCOMPARE(QString::fromStdString(publish(kept, stream)), QString());
                recorded.push_back({host, std::make_unique<Recorded>(std::move(stream))});
            }
            auto set = collected(kept).dataSet();
            QCOMPARE(QString::fromStdString(set.summary.refused.empty() ? std::string() : set.summary.refused[0]), QString());
            const auto runs = std::count_if(set.runs.begin(), set.runs.end(), [](const auto& run) { return run.firings == record::Firings::Effects; });
            QCOMPARE(runs, std::ptrdiff_t(3));
            QCOMPARE(set.summary.running + set.summary.incomplete + set.summary.damaged + set.summary.refused.size(), std::size_t(0));
            const auto expected = outcomeOf(merged(std::move(recorded), static_cast<MergedBy>(by)));
            const auto got = outcomeOf(merged(std::move(set.runs), static_cast<MergedBy>(by)));
            QVERIFY(got.rows == expected.rows);
            // What clauses print is there as well, in its order.
            QCOMPARE(got.printed.size(), printed);
            QVERIFY(got.printed == expected.printed);
            QVERIFY(got.warnings == expected.warnings);
            QVERIFY(got == expected);
        }
    }
    void repeatedAndLateMessagesChangeNothing()
    {
        std::mt19937_64 random(9);
        const auto stream = runOf("a", random);
        const auto kept = std::make_shared<KeptMessages>();
        std::vector<remote::Kept> older;
        for (const auto records : {stream.size() / 3, stream.size() / 2}) {
            publish(kept, stream, records);
            for (const auto& [name, one] : kept->all())
                older.push_back(one);
        }
        QCOMPARE(QString::fromStdString(publish(kept, stream)), QString());
        const auto before = kept->all();
        QCOMPARE(QString::fromStdString(publish(kept, stream)), QString()); // a second time
        for (const auto& [name, one] : kept->all())
            QVERIFY2(before.at(name).payload == one.payload && before.at(name).number == one.number, name.c_str());

        auto all = collected(kept);
        const auto expected = outcomeOf(merged(all.dataSet().runs, MergedBy::Nothing));
        for (const auto& one : older)
            QVERIFY(!all.take(one));
        QVERIFY(outcomeOf(merged(all.dataSet().runs, MergedBy::Nothing)) == expected);
    }
    void whatCouldNotBeSentIsTold()
    {
        std::mt19937_64 random(3);
        const auto kept = std::make_shared<KeptMessages>();
        kept->takes = 4; // the program, stacks, and rows of both aggregations
        const auto failed = publish(kept, runOf("a", random), SIZE_MAX, std::chrono::seconds(5), remote::Publisher::Of::Run);
        QVERIFY2(QByteArray::fromStdString(failed).contains("messages of this run could not be sent to nats://test/r: no server answers"), failed.c_str());
        // What it did take is there, and said to go on.
        const auto summary = collected(kept, 2).dataSet().summary;
        QCOMPARE(QString::fromStdString(summary.text()), QString("1 of 2 hosts, 1 still running"));
    }
    /// The first of it has room, and the rest is counted.
    void whatIsPrintedHasABound_data()
    {
        QTest::addColumn<int>("room");
        QTest::addColumn<int>("printed");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("some") << 1000 << 20; // 48 bytes each
        QTest::newRow("all") << (1 << 20) << 100;
    }
    void whatIsPrintedHasABound()
    {
        QFETCH(int, room);
        QFETCH(int, printed);
        constexpr int kFirings = 100;
        Stream stream;
        begin(stream, programOf("a"));
        for (int i = 0; i < kFirings; ++i)
            stream.emplace_back(record::Fired{ClauseId{2}, ProbeId{103}, 0, 1, 1, record::Nanoseconds(kStart + i), Key().number(3).bytes()});
        stream.emplace_back(end(kSecond));
        const auto kept = std::make_shared<KeptMessages>();
        auto to = address(std::chrono::minutes(2));
        to.printed = static_cast<std::size_t>(room);
        remote::Publisher publisher(std::make_unique<MemoryBroker>(kept), to, remote::Publisher::Of::Replay, [](const std::string&) { });
        for (const auto& r : stream)
            publisher.take(r);
        QVERIFY(publisher.finish());
        const auto got = outcomeOf(merged(collected(kept).dataSet().runs, MergedBy::Nothing));
        QCOMPARE(int(got.printed.size()), printed);
        for (int i = 0; i < printed; ++i)
            QCOMPARE(qint64(got.printed[static_cast<std::size_t>(i)].first), qint64(kStart + i));
        const auto told = std::to_string(kFirings - printed) + " firings that printed or traced something";
        const bool isTold = std::any_of(got.warnings.begin(), got.warnings.end(), [&](const std::string& one) { return one.starts_with(told); });
        QCOMPARE(isTold, printed < kFirings);
    }
    /// A broker that is away for long, and room for little.
    void whatHasNoRoomIsCounted()
    {
        using remote::Publisher;
        auto p = programOf("a");
        Stream stream;
        begin(stream, p);
        constexpr std::uint32_t kStacks = 6000;
        std::mt19937_64 random(3);
        for (std::uint32_t i = 1; i <= kStacks; ++i)
            stream.emplace_back(stack(i, {frame("app", std::to_string(random()) + std::to_string(random()), record::Frame::Kind::User)}));
        stream.emplace_back(rows(1, {{Key().text("cat").stack(kStacks).bytes(), {7}}}));
        stream.emplace_back(end(kSecond));
        const auto kept = std::make_shared<KeptMessages>();
        kept->takes = 0;
        std::string failed;
        {
            constexpr std::size_t kRoom = 40'000;
            Publisher publisher(std::make_unique<MemoryBroker>(kept), address(std::chrono::minutes(2)), Publisher::Of::Run, [](const std::string&) { }, kRoom);
            for (std::size_t i = 0; i < stream.size(); ++i) {
                publisher.take(stream[i]);
                if (i % 500 == 0) publisher.keepUp();
            }
            {
                const std::lock_guard lock(kept->mutex);
                kept->takes = UINT64_MAX;
            }
            const auto done = publisher.finish();
            if (!done) failed = done.error().message;
        }
        const QRegularExpression words("^([0-9]+) stacks could not be sent to nats://test/r, which was away for too long$");
        const auto lost = words.match(QString::fromStdString(failed));
        QVERIFY2(lost.hasMatch(), failed.c_str());
        const auto set = collected(kept).dataSet();
        QCOMPARE(QString::fromStdString(set.summary.text()), QString("1 host, 1 incomplete"));
        // What was lost and what is there is all.
        qulonglong there = 0;
        for (const auto& [name, one] : kept->all())
            if (name.find(".stacks.") != std::string::npos) {
                const auto envelope = remote::open(one.payload);
                there += remote::unpack(envelope->sequence, envelope->body)->records.size();
            }
        QCOMPARE(there + lost.captured(1).toULongLong(), qulonglong(kStacks));
        QVERIFY(there > 0);
    }
    void anotherProgramIsRefusedWithTheDifference()
    {
        std::mt19937_64 random(3);
        const auto kept = std::make_shared<KeptMessages>();
        auto first = runOf("a", random), second = runOf("b", random);
        std::get<record::Program>(second[0]).source = "BEGIN";
        QCOMPARE(QString::fromStdString(publish(kept, first)), QString());
        const QByteArray difference = "they ran different programs, first in line 1\n    a: tick-1s";
        const auto failed = QByteArray::fromStdString(publish(kept, second));
        QVERIFY2(failed.startsWith("nats://test/r is a run of another program: " + difference), failed);
        // One that asked nobody is left out by who collects.
        const auto other = std::make_shared<KeptMessages>();
        publish(other, second);
        auto all = collected(kept);
        for (auto& [name, one] : other->all())
            all.take({name, one.number + 1000, one.payload});
        const auto set = all.dataSet();
        QCOMPARE(set.summary.hosts, std::size_t(1));
        QVERIFY2(QByteArray::fromStdString(set.summary.refused.at(0)).startsWith("b is left out: " + difference), set.summary.refused[0].c_str());
        QCOMPARE(QString::fromStdString(set.summary.text()).section(", ", 0, 0), QString("1 of 2 hosts"));
    }
    /// Whatever a host sends, the others' picture is right.
    void damageIsCountedAndLeftOut()
    {
        std::mt19937_64 random(5);
        const auto kept = std::make_shared<KeptMessages>();
        publish(kept, runOf("good", random));
        const auto good = kept->all();
        publish(kept, runOf("bad", random));
        const auto collectionOf = [&](const std::map<std::string, remote::Kept>& messages) {
            remote::Collection all("r", 0);
            for (const auto& [name, one] : messages)
                all.take(one);
            return all;
        };
        const auto expected = outcomeOf(merged(collectionOf(good).dataSet().runs, MergedBy::Nothing));
        const auto both = kept->all();
        for (int round = 0; round < 200; ++round) {
            remote::Collection all("r", 0);
            for (const auto& [name, one] : both) {
                auto sent = one;
                if (!good.contains(name)) {
                    if (random() % 3 == 0) sent.payload[random() % sent.payload.size()] ^= static_cast<std::byte>(1 + random() % 255);
                    if (random() % 3 == 0) sent.payload.resize(random() % sent.payload.size());
                }
                all.take(sent);
            }
            auto set = all.dataSet();
            std::erase_if(set.runs, [](const auto& run) { return run.name == "bad"; });
            QVERIFY(outcomeOf(merged(std::move(set.runs), MergedBy::Nothing)).rows == expected.rows);
        }
        // Somebody else's name, with a checksum that fits.
        remote::Collection all("r", 0);
        for (const auto& [name, one] : good)
            all.take({QString::fromStdString(name).replace("good", "evil").toStdString(), one.number, one.payload});
        const auto set = all.dataSet();
        QVERIFY(set.runs.empty());
        QCOMPARE(QString::fromStdString(set.summary.refused.at(0)), QString("evil is left out: it says that it is the host \"good\""));
    }
    /// With checksums that fit: every message in the place of every other.
    void recordsOfAnotherMessageAreRefused()
    {
        std::mt19937_64 random(11);
        const auto kept = std::make_shared<KeptMessages>();
        publish(kept, runOf("a", random));
        const auto all = kept->all();
        for (const auto& [place, ignored] : all)
            for (const auto& [name, other] : all) {
                if (name == place) continue;
                const auto envelope = remote::open(other.payload);
                QVERIFY(envelope);
                remote::Collection collection("r", 0);
                for (const auto& [subject, one] : all)
                    collection.take(one);
                QVERIFY(collection.take({place, 1000, remote::seal(envelope->kind, 1'000'000, envelope->body)}));
                const auto set = collection.dataSet();
                QVERIFY2(set.runs.empty() && set.summary.refused.size() == 1, (place + " <- " + name).c_str());
                QVERIFY2(QByteArray::fromStdString(set.summary.refused[0]).startsWith("a is left out: damaged: "), set.summary.refused[0].c_str());
            }
    }
    void addresses_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("nats://broker/run-1") << QByteArray("nats://broker/run-1 nats://broker");
        QTest::newRow("several") << QByteArray("tls://me:s%40cret@a:1,b:2/x") << QByteArray("tls://a:1,b:2/x me s@cret tls://a:1 tls://b:2");
        QTest::newRow("no run") << QByteArray("nats://broker") << QByteArray("nats://broker names no run: it looks like nats://SERVER:4222/RUN");
        QTest::newRow("other") << QByteArray("http://broker/x") << QByteArray("http://broker/x is no address of a broker: it looks like nats://SERVER:4222/RUN");
        QTest::newRow("wildcard") << QByteArray("nats://broker/*")
                                  << QByteArray("nats://broker/* names a run by other than 1 to 64 letters, digits, '-' and '_': it looks like nats://SERVER:4222/RUN");
        QTest::newRow("no server") << QByteArray("nats://u:p@a,,b/x") << QByteArray("nats://a,,b/x names no server: it looks like nats://SERVER:4222/RUN");
    }
    void addresses()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, shown);
        const auto address = remote::addressOf(url.toStdString());
        if (!address) {
            QCOMPARE(QByteArray::fromStdString(address.error().message), shown);
            return;
        }
        auto text = address->shown;
        for (const auto* word : {&address->user, &address->password})
            text += word->empty() ? "" : ' ' + *word;
        for (const auto& server : address->servers)
            text += ' ' + server;
        QCOMPARE(QByteArray::fromStdString(text), shown);
    }
};
QTEST_GUILESS_MAIN(TestPublisher)
#include "tst_publisher.moc"
