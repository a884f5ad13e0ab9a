// What is written is what is read; what is cut, damaged, foreign or newer is told apart and never believed.
#include "engine/record/check.h"
#include "engine/record/crc.h"
#include "engine/record/frame.h"
#include "engine/record/wire.h"
#include "tests/support/counted.h"
#include <QObject>
#include <QTest>
#include <array>
#include <atomic>
#include <fcntl.h>
#include <random>
#include <set>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
using namespace dscope::record;

namespace {
/// Records with arbitrary parts that still make a valid stream: the program first, ids in range.
class Maker {
public:
    explicit Maker(unsigned seed) : m_random(seed) { }
    template <typename T = std::uint32_t> T number() { return T(m_random() >> (m_random() % 64)); }
    std::size_t upTo(std::size_t n) { return m_random() % (n + 1); }
    bool flag() { return (m_random() & 1) != 0; }
    std::string text()
    {
        std::string s(upTo(20), ' ');
        for (auto& c : s)
            c = char(m_random());
        return s;
    }
    Bytes bytes(std::size_t least)
    {
        Bytes b(least + upTo(8));
        for (auto& c : b)
            c = std::byte(m_random());
        return b;
    }
    template <typename E> E one(E last) { return E(upTo(std::size_t(last))); }
    Field field() { return {one(FieldKind::Symbol), number(), number(), text(), text()}; }
    template <typename F> auto some(std::size_t least, std::size_t most, F make)
    {
        std::vector<decltype(make())> all;
        for (auto n = least + upTo(most - least); n > 0; --n)
            all.push_back(make());
        return all;
    }
    LayoutPart layoutPart()
    {
        return {one(LayoutPart::Kind::Other), number(), number<std::uint64_t>(), number<std::uint64_t>(), number<std::uint64_t>(), text(), text(),
            some(0, 2, [&] { return LayoutPart::Enumerator{text(), number<std::int64_t>()}; })};
    }
    Program program()
    {
        Program p;
        p.source = text();
        p.name = text();
        p.matched = text();
        p.arguments = some(0, 3, [&] { return text(); });
        p.aggregations = some(1, 4, [&] {
            Aggregation a;
            a.name = text();
            a.function = one(Aggregator::Llquantize);
            a.keys = some(0, 3, [&] { return field(); });
            a.keySize = std::uint32_t(upTo(16));
            a.parameters = a.function == Aggregator::Llquantize ? std::array<std::int64_t, 4>{10, 0, 6, 20}
                                                                : std::array<std::int64_t, 4>{-5, 100, 5, 0};
            a.value = text();
            a.valueType = text();
            return a;
        });
        p.clauses = some(1, 4, [&] {
            Clause c;
            c.actions = some(0, 3, [&] {
                Action a;
                a.kind = one(ActionKind::Print);
                a.format = text();
                a.fields = some(2, 4, [&] { return field(); });
                a.aggregations = some(1, 2, [&] { return AggregationId{std::uint32_t(upTo(p.aggregations.size() - 1))}; });
                if (a.kind == ActionKind::Print) a.layout = some(0, 3, [&] { return layoutPart(); });
                return a;
            });
            c.payloadSize = std::uint32_t(upTo(64));
            c.silent = flag();
            c.probes = text();
            c.processes = one(Clause::Processes::Target);
            c.fills = some(0, 2, [&] { return AggregationId{std::uint32_t(upTo(p.aggregations.size() - 1))}; });
            return c;
        });
        for (auto n = upTo(4); n > 0; --n)
            p.options[text()] = text();
        p.host = text();
        p.kernel = text();
        p.version = text();
        p.command = text();
        p.target = number<std::int32_t>();
        p.wallClockOffset = number<std::int64_t>();
        p.started = number<std::int64_t>();
        p.utcOffset = number<std::int32_t>();
        p.tellsOfProcesses = flag();
        p.isImported = flag();
        p.placesUnnamed = flag();
        p.zone = text();
        p.timesAreLines = flag();
        p.dialect = one(Dialect::DtraceForLinux);
        p.clock = clock();
        p.cpus = number<std::uint32_t>();
        m_program = p;
        return p;
    }
    ClockReading clock()
    {
        return {number<std::int64_t>(), number<std::int64_t>(), number<std::int64_t>(), one(ClockReading::Kept::Yes), number<std::int64_t>()};
    }
    Record record()
    {
        const auto clause = [&] { return ClauseId{std::uint32_t(upTo(m_program.clauses.size() - 1))}; };
        switch (upTo(10)) {
        case 0: return ProbeDef{ProbeId{number()}, text(), text(), text(), text()};
        case 1:
            return StackDef{StackId{number()}, some(1, 5, [&] { // one without frames is not kept
                                Frame f{number<std::uint64_t>(), text(), text(), number<std::uint64_t>(), one(Frame::Kind::Unknown)};
                                if (flag()) f.code = CodeFile{text(), text()};
                                if (flag()) f.file = text();
                                if (flag()) f.line = number();
                                if (flag()) f.linked = number<std::uint64_t>();
                                f.inlined = flag();
                                return f;
                            })};
        case 2: {
            Fired f;
            f.clause = clause();
            f.probe = ProbeId{number()};
            f.cpu = number();
            f.pid = number();
            f.tid = number();
            f.when = Nanoseconds(number<std::int64_t>());
            f.payload = bytes(m_program.clauses[f.clause.value].payloadSize);
            return f;
        }
        case 3: {
            AggregationRows r;
            r.aggregation = AggregationId{std::uint32_t(upTo(m_program.aggregations.size() - 1))};
            const auto& a = m_program.aggregations[r.aggregation.value];
            r.when = Nanoseconds(number<std::int64_t>());
            r.rows = some(0, 6, [&] {
                AggregationRow row{bytes(a.keySize), {}};
                switch (a.function) {
                case Aggregator::Avg: row.data = {number<std::int64_t>(), number<std::int64_t>()}; break;
                case Aggregator::Stddev: row.data = {1, number<std::int64_t>(), number<std::int64_t>(), 0}; break;
                case Aggregator::Quantize:
                case Aggregator::Lquantize:
                case Aggregator::Llquantize:
                    for (std::int64_t b = 0; b < 20; b += 1 + std::int64_t(upTo(9)))
                        row.data.insert(row.data.end(), {b, number<std::int64_t>()});
                    break;
                default: row.data = {number<std::int64_t>()};
                }
                return row;
            });
            return r;
        }
        case 4: {
            ProcessEvent e;
            e.kind = one(ProcessEvent::Kind::Exit);
            e.when = Nanoseconds(number<std::int64_t>());
            e.pid = number();
            e.tid = number();
            e.parent = number();
            e.uid = number();
            e.vfork = flag();
            e.argsCut = flag();
            e.status = number<std::int32_t>();
            e.cpuTime = number<std::uint64_t>();
            e.execname = text();
            e.path = text();
            e.cwd = text();
            e.args = some(0, 4, [&] { return text(); });
            return e;
        }
        case 5: return Drop{one(Drop::Kind::Process), number(), number<std::uint64_t>()};
        case 6:
            return Fault{
                clause(), ProbeId{number()}, number(), number(), number(), one(FaultKind::BadIndex), number<std::uint64_t>(), number()};
        case 7: return TargetExited{number<std::int32_t>(), number<std::int32_t>()};
        case 8: return Diagnostic{one(Diagnostic::Severity::Error), text(), text(), number(), number(), text(), text(), {{text(), text()}}};
        case 9: {
            tests::FoldedLines lines;
            for (const auto& t : some(1, 4, [&] { return "x" + text(); }))
                lines.emplace_back(t, std::int64_t(1 + upTo(100)));
            auto stacks = tests::countedStacks(lines, text(), one(StackUnit::Unknown));
            stacks.exponent = static_cast<std::int8_t>(int(upTo(40)) - 30);
            return stacks;
        }
        default:
            return Exit{number<std::int32_t>(), flag(), Nanoseconds(number<std::int64_t>()), clock(), {number(), number(), number<std::int64_t>()}};
        }
    }
    std::vector<Record> stream(std::size_t length)
    {
        std::vector<Record> all{program()};
        while (all.size() < length)
            all.push_back(record());
        return all;
    }

private:
    std::mt19937_64 m_random;
    Program m_program;
};

StackParts partsOfStacks()
{
    Aggregation cpus;
    cpus.name = "cpus";
    cpus.keys = {{FieldKind::Uint, 0, 4, "cpu", "uint32_t"}};
    cpus.keySize = 4;
    const auto key = [](std::byte cpu) { return std::vector<Bytes>{{cpu, std::byte{}, std::byte{}, std::byte{}}}; };
    return {{cpus}, "samples", true, false,
        {{Nanoseconds(10), Nanoseconds(20), key(std::byte{0}), 3, {{0, 2}, {7, 1}}},
            {Nanoseconds(20), Nanoseconds(30), key(std::byte{1}), 1, {{7, 1}}}}};
}

/// An unnamed file with these bytes, at its start.
int fileOf(ByteView bytes)
{
    const int fd = memfd_create("recording", 0);
    if (!bytes.empty() && ::pwrite(fd, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size())) qFatal("cannot write a memfd");
    return fd;
}
Bytes contentOf(int fd)
{
    Bytes b(std::size_t(::lseek(fd, 0, SEEK_END)));
    if (::pread(fd, b.data(), b.size(), 0) != ssize_t(b.size())) qFatal("cannot read a memfd");
    return b;
}
Bytes recordingOf(const std::vector<Record>& records, std::size_t flushEvery = 0)
{
    const int fd = fileOf({});
    Writer writer(fd);
    for (std::size_t i = 0; i < records.size(); ++i) {
        writer.take(records[i]);
        if (flushEvery && i % flushEvery == flushEvery - 1) writer.flush();
    }
    if (!writer.finish()) qFatal("finish failed");
    auto bytes = contentOf(fd);
    ::close(fd);
    return bytes;
}
struct Outcome {
    std::vector<Record> records;
    bool cut = false;
    std::string error;
};
Outcome readAll(ByteView bytes)
{
    const int fd = fileOf(bytes);
    ::lseek(fd, 0, SEEK_SET);
    Reader reader(fd);
    Outcome o;
    for (;;) {
        const auto more = reader.poll(std::chrono::milliseconds(0), [&](const Record& r) { o.records.push_back(r); });
        if (!more) o.error = more.error().message;
        if (!more || !*more) break;
    }
    o.cut = reader.cut();
    ::close(fd);
    return o;
}
bool isPrefix(const std::vector<Record>& part, const std::vector<Record>& all)
{
    return part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin());
}
constexpr std::size_t kClock = 8 + 8 + 8 + 1 + 8, kAgreement = 4 + 4 + 8, kCpus = 4; // bytes
constexpr std::size_t kLines = 16; // bytes of what 1.8 has added to a program at its end
} // namespace

class TestWire : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsOfStacksAreWrittenAndRead()
    {
        const auto recorded = readAll(recordingOf({Program{}, partsOfStacks()}));
        QCOMPARE(recorded.error, std::string());
        QCOMPARE(recorded.records.size(), std::size_t{2});
        QVERIFY(std::get<StackParts>(recorded.records.back()) == partsOfStacks());
    }
    void wrongPartsOfStacksAreRefused_data()
    {
        QTest::addColumn<std::vector<Record>>("records");
        QTest::addColumn<QByteArray>("why");
        const auto with = [](auto change) {
            auto parts = partsOfStacks();
            change(parts);
            return std::vector<Record>{Program{}, parts};
        };
        QTest::newRow("twice") << std::vector<Record>{Program{}, partsOfStacks(), partsOfStacks()} << QByteArray("a second list");
        QTest::newRow("a sum") << with([](StackParts& p) { p.by[0].function = Aggregator::Sum; }) << QByteArray("is no count");
        QTest::newRow("no key") << with([](StackParts& p) { p.parts[1].keys.clear(); }) << QByteArray("lacks its keys");
        QTest::newRow("a short key") << with([](StackParts& p) { p.parts[1].keys[0].pop_back(); }) << QByteArray("not one of @cpus");
        QTest::newRow("backwards") << with([](StackParts& p) { p.parts[1].from = Nanoseconds(31); }) << QByteArray("order of time");
        QTest::newRow("not ascending") << with([](StackParts& p) { std::swap(p.parts[0], p.parts[1]); }) << QByteArray("order of time");
        QTest::newRow("nothing") << with([](StackParts& p) { p.parts[0].amount = 0; }) << QByteArray("of nothing");
        QTest::newRow("too much") << with([](StackParts& p) { p.parts[0].amount = INT64_MAX; }) << QByteArray("more than a number holds");
        QTest::newRow("a line of nothing") << with([](StackParts& p) { p.parts[0].lines[0].value = 0; }) << QByteArray("of nothing");
        QTest::newRow("lines in all too much") << with([](StackParts& p) { p.parts[0].lines[0].value = INT64_MAX; })
                                               << QByteArray("more than");
        QTest::newRow("lines that are not known") << with([](StackParts& p) { p.hasLines = false; }) << QByteArray("none are known");
    }
    void wrongPartsOfStacksAreRefused()
    {
        QFETCH(std::vector<Record>, records);
        QFETCH(QByteArray, why);
        const auto read = readAll(recordingOf(records));
        QVERIFY2(read.error.find(why.toStdString()) != std::string::npos, read.error.c_str());
    }
    void theChecksumIsThatOfTheStandard()
    {
        // Source: RFC 3720, B.4, and the check value of CRC-32C.
        QCOMPARE(Crc32c().add(std::as_bytes(std::span("123456789", 9))).value(), 0xe3069283U);
        QCOMPARE(Crc32c().add(Bytes(32)).value(), 0x8a9136aaU);
        QCOMPARE(Crc32c().add(Bytes(32, std::byte(0xff))).value(), 0x62a8ab43U);
    }
    void everyRecordSurvivesEncoding()
    {
        Maker maker(1);
        std::set<std::size_t> seen;
        auto all = maker.stream(3000);
        all.emplace_back(partsOfStacks());
        for (const auto& r : all) {
            const auto back = decode(encode(r));
            QVERIFY(back.has_value() && back->has_value());
            QVERIFY(**back == r);
            seen.insert(r.index());
        }
        QCOMPARE(seen.size(), std::variant_size_v<Record>);
    }
    /// Bytes of a record without what 1.2 has added.
    static std::size_t sizeBefore12(const Record& r)
    {
        auto before = r;
        if (auto* stack = std::get_if<StackDef>(&before)) {
            std::vector<Frame> frames;
            for (const auto& f : stack->frames)
                frames.push_back({f.address, f.module, f.function, f.offset, f.kind});
            stack->frames = FrameList(std::move(frames));
        }
        return encode(before).size();
    }
    /// Bytes of a record without what 1.4 has added.
    static std::size_t sizeBefore14(const Record& r)
    {
        auto before = r;
        auto* diagnostic = std::get_if<Diagnostic>(&before);
        if (!diagnostic) return SIZE_MAX;
        diagnostic->choices.clear();
        constexpr std::size_t kEmpty = 4; // a list
        return encode(before).size() - kEmpty;
    }
    /// Bytes of what 1.7 has added to a program before that: an entry for each clause.
    static std::size_t clauseFacts(const Program& program)
    {
        std::size_t size = 4;
        for (const auto& clause : program.clauses) size += 1 + 4 + 4 * clause.fills.size();
        return size;
    }
    /// Bytes of what it has added before that: a list of as many as there are fields.
    static std::size_t shownSizes(const Program& program)
    {
        std::size_t fields = 0;
        for (const auto& clause : program.clauses)
            for (const auto& action : clause.actions)
                fields += action.fields.size();
        for (const auto& aggregation : program.aggregations)
            fields += aggregation.keys.size();
        return 4 + fields;
    }
    /// Whether `size` is that of the record without what 1.5 has added, and 1.6 and 1.7 to programs, or without the last of it.
    static bool isBefore15(const Record& r, std::size_t size)
    {
        const auto whole = encode(r).size();
        if (const auto* program = std::get_if<Program>(&r)) {
            const auto before18 = whole - kLines, within17 = before18 - clauseFacts(*program), before17 = within17 - shownSizes(*program), before16 = before17 - kCpus;
            return size == before18 || size + kLines / 2 == whole || size == within17 || size == before17 || size == before16 || size + kClock == before16;
        }
        return std::holds_alternative<Exit>(r) && (size + kAgreement == whole || size + kAgreement + kClock == whole);
    }
    /// Bytes of a program without what 1.3 has added.
    static std::size_t sizeBefore13(Program program)
    {
        program.zone.clear();
        std::size_t layouts = 0;
        for (auto& clause : program.clauses)
            for (auto& action : clause.actions)
                if (action.kind == ActionKind::Print) {
                    action.layout = {};
                    ++layouts;
                }
        constexpr std::size_t kEmpty = 4; // a text, a list
        return encode(program).size() - (kEmpty + 1 + 1 + kEmpty + kEmpty * layouts + kClock + kCpus + shownSizes(program) + clauseFacts(program) + kLines);
    }
    void theBoundsOfRangesAreKept()
    {
        Program p;
        p.aggregations.resize(3);
        const auto without = encode(p).size();
        for (const std::size_t i : {0U, 2U}) p.aggregations[i].function = Aggregator::Ranges;
        p.aggregations[0].bounds = {-1, 5};
        p.aggregations[2].bounds = {7};
        const auto bytes = encode(p);
        QCOMPARE(bytes.size(), without + 4 + 2 * 8 + 4 + 8);
        QVERIFY(std::get<Program>(**decode(bytes)) == p);
        QVERIFY(!decode(ByteView(bytes).first(bytes.size() - 1)));
        QVERIFY(StreamCheck().take(p));
        p.aggregations[0].bounds = {5, 5};
        QVERIFY(!StreamCheck().take(p));
    }
    void theSizeThatAnIntegerIsShownWithIsKept()
    {
        Program p;
        p.clauses.resize(1);
        p.clauses[0].actions = {{ActionKind::Trace, "", {{FieldKind::Int, 0, 8, "x", "int", 4}, {FieldKind::Int, 8, 8, "y", "int64_t"}}, {}}};
        const auto bytes = encode(p);
        QVERIFY(std::get<Program>(**decode(bytes)) == p);
        const auto older = std::get<Program>(**decode(ByteView(bytes).first(bytes.size() - kLines - clauseFacts(p) - shownSizes(p))));
        QCOMPARE(older.clauses[0].actions[0].fields[0].shownSize, std::uint8_t{0});
        // No integer has three bytes, and the list is as long as there are fields.
        auto wrong = bytes;
        wrong[wrong.size() - kLines - clauseFacts(p) - 1] = std::byte{3};
        QVERIFY(!decode(wrong));
        QVERIFY(!decode(ByteView(bytes).first(bytes.size() - 1)));
    }
    void aStackOfAnOlderRecordHasNoPlaces()
    {
        Frame frame{1, "a.out", "mix", 4, Frame::Kind::User};
        const auto old = encode(StackDef{StackId{7}, {frame}});
        frame.code = CodeFile{"/a.out", "0123"};
        frame.linked = 0x1000;
        const auto bytes = encode(StackDef{StackId{7}, {frame, frame}});
        QCOMPARE(old.size(), std::size_t{1 + 4 + 4 + 8 + 4 + 5 + 4 + 3 + 8 + 1}); // as 1.1 has it
        QVERIFY(std::get<StackDef>(**decode(bytes)).frames == FrameList({frame, frame}));
        // An index beyond its list, and places of another number of frames, are malformed.
        auto wrong = bytes;
        constexpr std::size_t kPlace = 8 + 4 + 4 + 4 + 1;
        wrong[wrong.size() - kPlace + 8] = std::byte{2};
        QVERIFY(!decode(wrong));
        wrong = bytes;
        wrong[wrong.size() - 2 * kPlace - 4] = std::byte{1};
        QVERIFY(!decode(ByteView(wrong).first(wrong.size() - kPlace)));
    }
    void aShortenedRecordIsMalformed()
    {
        Maker maker(2);
        for (const auto& r : maker.stream(200)) {
            const auto bytes = encode(r);
            const auto* program = std::get_if<Program>(&r);
            const std::size_t before13 = program ? sizeBefore13(*program) : 0;
            for (std::size_t n = 0; n < bytes.size(); ++n) {
                const bool isOlder = program && n <= before13 && n + 2 >= before13; // nor the two bytes that 1.1 has added
                QVERIFY(isOlder || isBefore15(r, n) || n == sizeBefore12(r) || n == sizeBefore14(r) || !decode(ByteView(bytes).first(n)));
            }
        }
    }
    /// Records of before 1.1 end two bytes earlier.
    void aProgramOfAnOlderRecordingIsOneWhetherItWasImported_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<bool>("isImported");
        QTest::newRow("a program") << QByteArray("BEGIN { trace(\"imported from perf text\"); }") << false;
        QTest::newRow("another tool's text") << QByteArray("imported from perf text") << true;
    }
    void aProgramOfAnOlderRecordingIsOneWhetherItWasImported()
    {
        QFETCH(QByteArray, source);
        QFETCH(bool, isImported);
        Program p;
        p.source = source.toStdString();
        p.isImported = !isImported;
        auto bytes = encode(p);
        QVERIFY(std::get<Program>(**decode(bytes)).isImported == !isImported); // the typed part alone decides
        QVERIFY(std::get<Program>(**decode(bytes)).placesUnnamed);
        bytes.resize(sizeBefore13(p) - 2);
        QVERIFY(std::get<Program>(**decode(bytes)).isImported == isImported);
        QVERIFY(!std::get<Program>(**decode(bytes)).placesUnnamed);
    }
    void stacksOfAnySizeAreRecorded()
    {
        const std::string text(kStacksLimit / 3, 'x');
        tests::FoldedLines lines;
        for (std::int64_t i = 0; i < 20; ++i)
            lines.emplace_back(text.substr(std::size_t(i)), i + 1);
        const auto stacks = tests::countedStacks(lines, "samples", StackUnit::Time);
        const auto o = readAll(recordingOf({Program{}, stacks, Exit{}}));
        QCOMPARE(o.error, std::string());
        QVERIFY(o.records.size() > 5);
        tests::FoldedLines found;
        for (const auto& r : o.records)
            if (const auto* part = std::get_if<CountedStacks>(&r)) {
                QVERIFY(part->measuresAs(stacks));
                QVERIFY(encode(r).size() <= kStacksLimit + 200);
                for (auto& line : tests::foldedLines(*part))
                    found.push_back(std::move(line));
            }
        QVERIFY(found == lines);
    }
    void stacksThatAreNoneAreRefused()
    {
        const auto refused = [](const tests::FoldedLines& lines) {
            return !readAll(recordingOf({Program{}, tests::countedStacks(lines, "x")})).error.empty();
        };
        QVERIFY(!refused({{"a", 1}, {"b", INT64_MAX - 1}}));
        QVERIFY(refused({{"a", 0}}));
        QVERIFY(refused({{"a", 2}, {"b", INT64_MAX - 1}})); // together more than a number holds
    }
    /// Source: docs/formats.md, kind 11 of recordings before 1.8.
    void foldedTextOfOlderRecordingsIsRead()
    {
        ByteWriter out;
        out.put(std::uint8_t{11});
        out.text("cycles");
        out.put(StackUnit::Count);
        out.put(std::uint32_t{2});
        for (const auto& [stack, value] : tests::FoldedLines{{"app;libc.so.6`read;sys_read_[k]", 3}, {"app;f_[i]", 2}}) {
            out.text(stack);
            out.put(value);
        }
        const auto bytes = out.take();
        const auto read = decode(bytes);
        QVERIFY(read && *read);
        const auto& stacks = std::get<CountedStacks>(**read);
        QVERIFY((tests::foldedLines(stacks) == tests::FoldedLines{{"app;libc.so.6`read;sys_read_[k]", 3}, {"app;f_[i]", 2}}));
        QCOMPARE(stacks.noun, std::string("cycles"));
        for (std::size_t size = 1; size < bytes.size(); ++size)
            QVERIFY(!decode(ByteView(bytes).first(size)));
    }
    void anotherWriterGoesOnWithAStream()
    {
        Maker maker(10);
        const auto records = maker.stream(40);
        const int fd = fileOf({});
        Writer begin(fd);
        for (std::size_t i = 0; i < 25; ++i)
            begin.take(records[i]);
        begin.flush();
        Writer end(fd, begin.records());
        for (std::size_t i = 25; i < records.size(); ++i)
            end.take(records[i]);
        QVERIFY(end.finish().has_value());
        const auto o = readAll(contentOf(fd));
        QCOMPARE(o.error, std::string());
        QVERIFY(!o.cut && o.records == records);
        ::close(fd);
    }
    void anUnknownKindIsSkipped()
    {
        const auto r = decode(Bytes{std::byte(200), std::byte(1), std::byte(2)});
        QVERIFY(r.has_value() && !r->has_value());
    }
    void aStreamComesBackAsItWas_data()
    {
        QTest::addColumn<int>("flushEvery");
        QTest::newRow("one block") << 0;
        QTest::newRow("a block a record") << 1;
        QTest::newRow("blocks of seven") << 7;
    }
    void aStreamComesBackAsItWas()
    {
        QFETCH(int, flushEvery);
        Maker maker(3);
        const auto records = maker.stream(500);
        const auto o = readAll(recordingOf(records, std::size_t(flushEvery)));
        QCOMPARE(o.error, std::string());
        QVERIFY(!o.cut);
        QVERIFY(o.records == records);
    }
    void equalStreamsGiveEqualBytes()
    {
        Maker maker(4);
        const auto records = maker.stream(300);
        QVERIFY(recordingOf(records, 11) == recordingOf(records, 11));
    }
    void aRecordMayBeLargerThanABlock()
    {
        Maker maker(5);
        auto records = maker.stream(3);
        std::mt19937_64 noise(5);
        std::vector<Frame> frames;
        for (int i = 0; i < 60000; ++i)
            frames.push_back({noise(), std::to_string(noise()), std::to_string(noise()), noise(), Frame::Kind::User});
        const StackDef big{StackId{7}, std::move(frames)};
        records.insert(records.begin() + 1, big);
        QVERIFY(encode(big).size() > 2 * kBlockLimit);
        const auto o = readAll(recordingOf(records));
        QCOMPARE(o.error, std::string());
        QVERIFY(o.records == records);
    }
    void aFileCutAnywhereReplaysUpToTheCut()
    {
        Maker maker(6);
        const auto records = maker.stream(30);
        const auto bytes = recordingOf(records, 5);
        std::size_t longest = 0;
        for (std::size_t n = 1; n < bytes.size(); ++n) {
            const auto o = readAll(ByteView(bytes).first(n));
            QVERIFY2(o.error.empty(), o.error.c_str());
            QVERIFY(o.cut);
            QVERIFY(isPrefix(o.records, records));
            QVERIFY(o.records.size() >= longest);
            longest = o.records.size();
        }
        QCOMPARE(longest, records.size()); // only the end mark is missing
    }
    void aBitThatFlippedIsNeverBelieved()
    {
        Maker maker(7);
        const auto records = maker.stream(14);
        auto bytes = recordingOf(records, 5);
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            const bool minor = bit / 8 == kMagic.size() + 2 || bit / 8 == kMagic.size() + 3; // a newer minor is fine
            bytes[bit / 8] ^= std::byte(1 << (bit % 8));
            const auto o = readAll(bytes);
            bytes[bit / 8] ^= std::byte(1 << (bit % 8));
            QVERIFY2(minor || !o.error.empty(), qPrintable(QString::number(bit)));
            QVERIFY(isPrefix(o.records, records));
        }
    }
    void whatIsNoRecordingSaysWhy_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("foreign") << QByteArray("#!/usr/sbin/dtrace -s\n") << QByteArray("--import");
        QTest::newRow("empty") << QByteArray() << QByteArray("empty");
        QTest::newRow("newer") << QByteArray("DSCOPE\n\0\2\0\0\0", 12) << QByteArray("update dscope");
        QTest::newRow("no version") << QByteArray("DSCOPE\n\0\0\0\0\0", 12) << QByteArray("damaged at byte 0");
    }
    void whatIsNoRecordingSaysWhy()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, says);
        const auto o = readAll(std::as_bytes(std::span(content.constData(), std::size_t(content.size()))));
        QVERIFY2(QByteArray::fromStdString(o.error).contains(says), o.error.c_str());
        QVERIFY(o.records.empty());
    }
    void recordsBeforeTheirProgramAreRefused()
    {
        const auto o = readAll(recordingOf({Exit{}}));
        QVERIFY2(o.error.find("before the program") != std::string::npos, o.error.c_str());
    }
    void aSecondProgramIsRefused()
    {
        const auto o = readAll(recordingOf({Program{}, Program{}}));
        QVERIFY2(o.error.find("a second program") != std::string::npos, o.error.c_str());
    }
    void idsOutOfRangeAreRefused()
    {
        Program p;
        p.clauses.resize(1);
        Fired f;
        f.clause = ClauseId{1};
        QVERIFY(!readAll(recordingOf({p, f})).error.empty());
        QVERIFY(!readAll(recordingOf({p, AggregationRows{}})).error.empty());
        p.clauses[0].payloadSize = 4;
        f.clause = ClauseId{0};
        QVERIFY(!readAll(recordingOf({p, f})).error.empty());
        p.clauses[0].actions.push_back(Action{ActionKind::Printa, "", {}, {AggregationId{0}}});
        QVERIFY(!readAll(recordingOf({p})).error.empty());
    }
    /// Blocks of a few bytes that hold a large record, as none that is real is packed.
    void aRecordThatShrinksTooFarIsRefused()
    {
        Program p;
        p.source.assign(std::size_t{100} << 20, ' ');
        const auto bytes = recordingOf({p});
        QVERIFY(bytes.size() < std::size_t{1} << 20);
        const auto read = readAll(bytes);
        QVERIFY2(read.error.find("a record is larger than what it was packed into can hold") != std::string::npos, read.error.c_str());
        p.source.clear();
        for (int i = 0; p.source.size() < std::size_t{20} << 20; ++i)
            p.source += "syscall::read:entry /pid == " + std::to_string(i) + "/ { @[execname] = count(); }\n";
        QVERIFY(readAll(recordingOf({p})).error.empty());
    }
    /// Bytes without a record may come for ever: who asks gets control back when the time is over.
    void whatHoldsNoRecordIsNotReadForEver()
    {
        const auto head = recordingOf({});
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
        QCOMPARE(::write(ends[0], head.data(), 12), ssize_t(12));
        const std::array<std::byte, 1> nothing{std::byte(FrameKind::Stored)};
        const std::uint32_t words[]{guardedLength(1), Crc32c().add(nothing).value()};
        Bytes frames;
        for (int i = 0; i < 1000; ++i) {
            const auto* begin = reinterpret_cast<const std::byte*>(words);
            frames.insert(frames.end(), begin, begin + sizeof words);
            frames.push_back(nothing[0]);
        }
        std::atomic<bool> ended = false;
        std::thread feeder([&] {
            for (std::size_t at = 0; !ended;) {
                const auto n = ::send(ends[0], frames.data() + at, frames.size() - at, MSG_NOSIGNAL);
                if (n > 0) at = (at + std::size_t(n)) % frames.size();
            }
        });
        Reader reader(ends[1]);
        for (int i = 0; i < 3; ++i) {
            const auto more = reader.poll(std::chrono::milliseconds(10), [](const Record&) { });
            QVERIFY(more && *more);
        }
        ended = true;
        feeder.join();
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void aPipeIsReadAsItFills()
    {
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
        Maker maker(8);
        const auto records = maker.stream(10);
        Writer writer(ends[0]);
        Reader reader(ends[1]);
        std::vector<Record> got;
        const auto poll = [&] { return reader.poll(std::chrono::milliseconds(0), [&](const Record& r) { got.push_back(r); }); };
        auto more = poll();
        QVERIFY(more && *more && got.empty());
        for (std::size_t i = 0; i < records.size(); ++i) {
            writer.take(records[i]);
            more = poll();
            QVERIFY(more && *more);
            QCOMPARE(got.size(), i); // not before the flush
            writer.flush();
            more = poll();
            QVERIFY(more && *more);
            QCOMPARE(got.size(), i + 1);
        }
        QVERIFY(writer.finish().has_value());
        more = poll();
        QVERIFY(more && !*more);
        QVERIFY(!reader.cut());
        QVERIFY(got == records);
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void framesMayArriveInAnyPieces()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        Maker maker(9);
        const auto records = maker.stream(80);
        const auto bytes = recordingOf(records, 9);
        std::thread feeder([&] {
            for (std::size_t at = 0, n = 1; at < bytes.size(); at += n, n = at % 13 + 1)
                if (::write(ends[1], bytes.data() + at, std::min(n, bytes.size() - at)) < 0) break;
            ::close(ends[1]);
        });
        Reader reader(ends[0]);
        std::vector<Record> got;
        Result<bool> more = true;
        while (more && *more)
            more = reader.poll(std::chrono::milliseconds(-1), [&](const Record& r) { got.push_back(r); });
        feeder.join();
        ::close(ends[0]);
        QVERIFY(more.has_value());
        QVERIFY(!reader.cut());
        QVERIFY(got == records);
    }
    void aWriterTellsThatItCouldNotWrite()
    {
        const int full = ::open("/dev/full", O_WRONLY);
        QVERIFY(full >= 0);
        Writer writer(full);
        writer.take(Program{});
        const auto end = writer.finish();
        QVERIFY(!end);
        QCOMPARE(end.error().code, ENOSPC);
        ::close(full);
    }
    void aWriterThatIsLeftWithoutFinishReadsAsCut()
    {
        const int fd = fileOf({});
        {
            Writer(fd).take(Program{});
        }
        const auto o = readAll(contentOf(fd));
        ::close(fd);
        QVERIFY(o.cut);
        QCOMPARE(o.records.size(), std::size_t(1));
    }
};
QTEST_GUILESS_MAIN(TestWire)
#include "tst_wire.moc"
