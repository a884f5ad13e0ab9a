#include "raw_records.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <map>
#include <set>
using namespace dscope;
using namespace dscope::decode::test;
using object::Object;
using object::RawKind;
using decode::Decoder;
using record::Fired;

class TestDecoder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void handsOverAFiringAsItIsWithoutStacks()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Count));
        object.schema.clauses[0].actions.clear();
        object.schema.clauses[0].payloadSize = 12;
        Decoder decoder(object, bench.namer, bench.map.reader());
        // Records in the ring may be longer than what they hold.
        const auto raw = joined(firing(0, bytesOf(std::uint64_t{0x0102030405060708}, 99)), bytesOf(std::uint64_t{0xffff}));
        QVERIFY(decoder.ring(raw, bench.deliver));
        QCOMPARE(bench.out.size(), 1U);
        const Fired wanted{ClauseId{0}, ProbeId{42}, 1, 7, 8, record::Nanoseconds(1000), bytesOf(std::uint64_t{0x0102030405060708}, 99)};
        QVERIFY(bench.all<Fired>().front() == wanted);
    }
    void replacesAddressesByIdsOfStacksToldBefore()
    {
        Bench bench;
        auto object = stackClause();
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto payload = bytesOf(std::uint32_t{5}, std::uint64_t{0x1010}, std::uint64_t{0x1120}, std::uint64_t{0}, std::uint16_t{6},
            std::uint64_t{0}, std::uint64_t{0x1234}, std::uint8_t{9});
        const auto raw = joined(firing(0, payload), userStack(0x5000, {0x5100, 0x5200, 0x5300}));
        QVERIFY(decoder.ring(raw, bench.deliver));
        const auto stacks = bench.all<record::StackDef>();
        QCOMPARE(stacks.size(), 3U);
        QCOMPARE(stacks[0].frames.size(), 2U); // ended by the 0
        QCOMPARE(stacks[0].frames[1].function, std::string("f4352"));
        QCOMPARE(stacks[1].frames.size(), 3U); // as many as the field wants
        QCOMPARE(stacks[1].frames[0].address, 0x5000U);
        QCOMPARE(stacks[2].frames.size(), 1U);
        QVERIFY(stacks[2].frames[0] == (record::Frame{0x1200, "vmlinux", "f4608", 0, record::Frame::Kind::Kernel}));
        const auto fired = bench.all<Fired>();
        QCOMPARE(fired.size(), 1U);
        QVERIFY(std::holds_alternative<Fired>(bench.out.back()));
        QVERIFY(fired[0].payload == bytesOf(std::uint32_t{5}, stacks[0].id, std::uint16_t{6}, stacks[1].id, stacks[2].id, std::uint8_t{9}));
        // The same again: no new definitions, and the kernel's addresses are not named again.
        bench.out.clear();
        QVERIFY(decoder.ring(raw, bench.deliver));
        QCOMPARE(bench.out.size(), 1U);
        QVERIFY(bench.all<Fired>()[0].payload == fired[0].payload);
        QCOMPARE(bench.namer.kernelCalls, 1);
    }
    void leavesRoomBehindAnIdThatIsPadded()
    {
        Bench bench;
        auto object = stackClause();
        object.schema.clauses[0].payloadSize = 32;
        object.clauseLayouts[0] = {40, 32, {{record::FieldKind::Stack, 0, 16, 0}, {record::FieldKind::Symbol, 24, 8, 16, 1}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto payload = bytesOf(std::uint64_t{0x1010}, std::uint64_t{0}, std::uint64_t{11}, std::uint64_t{0x1110}, std::uint64_t{22});
        QVERIFY(decoder.ring(firing(0, payload), bench.deliver));
        QVERIFY(bench.all<Fired>()[0].payload
            == bytesOf(StackId{1}, std::uint32_t{0}, std::uint64_t{11}, StackId{2}, std::uint32_t{0}, std::uint64_t{22}));
    }
    void givesTheEmptyStackTheIdZero()
    {
        Bench bench;
        auto object = stackClause();
        object.clauseLayouts[0] = {24, 4, {{record::FieldKind::Stack, 0, 24, 0}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        QVERIFY(decoder.ring(firing(0, Bytes(24)), bench.deliver));
        QVERIFY(bench.all<record::StackDef>().empty());
        QVERIFY(bench.all<Fired>()[0].payload == bytesOf(std::uint32_t{0}));
    }
    void tellsOfMalformedRecords_data()
    {
        QTest::addColumn<QByteArray>("raw");
        const auto row = [](const char* name, const Bytes& b) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(b.data()), qsizetype(b.size()));
        };
        row("nothing", {});
        row("half a header", Bytes(16));
        row("unknown kind", bytesOf(header(RawKind{77}, 0)));
        row("unknown clause", firing(99));
        row("payload cut", firing(0, Bytes(8)));
        row("no user stack", firing(0, Bytes(47)));
        auto stack = userStack(1, {2, 3});
        stack.resize(stack.size() - 8);
        row("user stack cut", joined(firing(0, Bytes(47)), stack));
        row("fault cut", bytesOf(header(RawKind::Fault, 0)));
        row("process cut", bytesOf(header(RawKind::Process, 0)));
        row("sample of nothing", joined(bytesOf(header(RawKind::Sample, 5)), Bytes(64)));
        row("unwalked cut", bytesOf(header(RawKind::Unwalked, 0)));
        row("sample cut", joined(bytesOf(header(RawKind::Sample, 0)), Bytes(20)));
    }
    void tellsOfMalformedRecords()
    {
        QFETCH(QByteArray, raw);
        Bench bench;
        const auto object = stackClause();
        Decoder decoder(object, bench.namer, bench.map.reader());
        QVERIFY(!decoder.ring(std::as_bytes(std::span(raw.constData(), std::size_t(raw.size()))), bench.deliver));
        QVERIFY(bench.out.empty());
    }
    void handsOverFaults()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(record::Aggregator::Count)), bench.namer, bench.map.reader());
        const object::RawFault raw{header(RawKind::Fault, 2), static_cast<std::uint32_t>(record::FaultKind::DivideByZero), 3, 0xbad};
        QVERIFY(decoder.ring(bytesOf(raw), bench.deliver));
        const record::Fault wanted{ClauseId{2}, ProbeId{42}, 1, 3, 3, record::FaultKind::DivideByZero, 0xbad};
        QVERIFY(bench.all<record::Fault>().at(0) == wanted);
    }
    void asksForTheTablesThatAWalkHadNot()
    {
        Bench bench;
        Decoder decoder(objectWith(aggregation(record::Aggregator::Count)), bench.namer, bench.map.reader());
        const object::RawUnwalked raw{header(RawKind::Unwalked, 0), static_cast<std::uint32_t>(object::WalkEnd::NoTable), 0, 0};
        QVERIFY(decoder.ring(bytesOf(raw), bench.deliver));
        QVERIFY(bench.out.empty());
        QCOMPARE(bench.namer.asked.size(), 1U);
        QCOMPARE(bench.namer.asked[0].first, raw.header.pid);
        QVERIFY(bench.namer.asked[0].second == object::WalkEnd::NoTable);
    }
    void joinsKeysThatAreOneFunction()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Sum));
        object.schema.aggregations[0].keys = {{record::FieldKind::Symbol, 0, 4, "func(arg0)", "_symaddr"}};
        object.keyLayouts = {{8, 4, {{record::FieldKind::Symbol, 0, 8, 0, 0, false, Object::RawField::Detail::Function}}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        bench.map.set(bytesOf(std::uint64_t{0x1010}), 0, 1, {10});
        bench.map.set(bytesOf(std::uint64_t{0x1020}), 1, 2, {20});
        bench.map.set(bytesOf(std::uint64_t{0x1110}), 0, 1, {40});
        QVERIFY(decoder.aggregations(record::Nanoseconds(5), bench.deliver));
        const auto rows = bench.all<record::AggregationRows>().at(0);
        QCOMPARE(rows.when.count(), 5);
        QCOMPARE(rows.rows.size(), 2U);
        QVERIFY(rows.rows[0].data == FakeMap::Words{30});
        QVERIFY(rows.rows[1].data == FakeMap::Words{40});
        QCOMPARE(bench.all<record::StackDef>().size(), 2U);
    }
    void joinsKeysThatAreOneUnnamedFunction()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Sum));
        object.keyLayouts = {{16, 4, {{record::FieldKind::Symbol, 0, 16, 0, 0, true, Object::RawField::Detail::Function}}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto at = [](std::uint64_t address) { return bytesOf(std::uint64_t{123}, FakeNamer::kUnnamed + address); };
        bench.map.set(at(0x10), 0, 1, {10});
        bench.map.set(at(0x20), 1, 2, {20});
        bench.map.set(at(0x110), 0, 1, {40});
        QVERIFY(decoder.aggregations({}, bench.deliver));
        const auto rows = bench.all<record::AggregationRows>().at(0);
        QCOMPARE(rows.rows.size(), 2U);
        QVERIFY(rows.rows[0].data == FakeMap::Words{30});
    }
    /// Each address of a function has a place in its file, which ufunc() and umod() do not ask for.
    void joinsPlacesThatAreOneFunctionOrModule_data()
    {
        using Detail = Object::RawField::Detail;
        QTest::addColumn<Detail>("detail");
        QTest::addColumn<quint64>("base");
        QTest::addColumn<QList<qint64>>("sums");
        QTest::newRow("function") << Detail::Function << quint64{0x5000} << QList<qint64>{30, 40};
        QTest::newRow("function without a name") << Detail::Function << quint64{FakeNamer::kUnnamed} << QList<qint64>{30, 40};
        QTest::newRow("module") << Detail::Module << quint64{0x5000} << QList<qint64>{70};
        QTest::newRow("address") << Detail::Address << quint64{0x5000} << QList<qint64>{10, 20, 40};
    }
    void joinsPlacesThatAreOneFunctionOrModule()
    {
        QFETCH(Object::RawField::Detail, detail);
        QFETCH(quint64, base);
        QFETCH(QList<qint64>, sums);
        Bench bench;
        bench.namer.tellsPlaces = true;
        auto object = objectWith(aggregation(record::Aggregator::Sum));
        object.keyLayouts = {{16, 4, {{record::FieldKind::Symbol, 0, 16, 0, 0, true, detail}}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto at = [&](std::uint64_t address) { return bytesOf(std::uint64_t{123}, base + address); };
        bench.map.set(at(0x10), 0, 1, {10});
        bench.map.set(at(0x20), 1, 2, {20});
        bench.map.set(at(0x110), 0, 1, {40});
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QList<qint64> found;
        const auto rows = bench.all<record::AggregationRows>().at(0);
        for (const auto& row : rows.rows)
            found << row.data.at(0);
        std::sort(found.begin(), found.end());
        QCOMPARE(found, sums);
    }
    void readsTheProcessOfAUserSymbolFromItsKey()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Count));
        object.keyLayouts = {{16, 4, {{record::FieldKind::Symbol, 0, 16, 0, 0, true, Object::RawField::Detail::Address}}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        bench.map.set(bytesOf(std::uint64_t{123}, std::uint64_t{0x5008}), 0, 1, {1});
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QCOMPARE(bench.namer.lastPid, 123U);
        QVERIFY(bench.all<record::StackDef>()[0].frames[0] == (record::Frame{0x5008, "a.out", "f20480", 8, record::Frame::Kind::User}));
    }
    /// Of a key that %a and %A print: Linux has the kernel's addresses in the upper half.
    void anAddressOfEitherSpaceIsNamedByItsOwn()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Count));
        object.keyLayouts = {{16, 4, {{record::FieldKind::Symbol, 0, 16, 0, 0, true, Object::RawField::Detail::AnyAddress}}}};
        Decoder decoder(object, bench.namer, bench.map.reader());
        bench.map.set(bytesOf(std::uint64_t{123}, std::uint64_t{0x5008}), 0, 1, {1});
        for (const std::uint64_t pid : {123, 124})
            bench.map.set(bytesOf(pid, std::uint64_t{0xffffffff81000008}), 0, 1, {1});
        QVERIFY(decoder.aggregations({}, bench.deliver));
        std::map<std::uint64_t, record::Frame::Kind> kinds;
        for (const auto& stack : bench.all<record::StackDef>())
            kinds[stack.frames[0].address] = stack.frames[0].kind;
        QCOMPARE(kinds.size(), std::size_t{2});
        QVERIFY(kinds[0x5008] == record::Frame::Kind::User);
        QVERIFY(kinds[0xffffffff81000008] == record::Frame::Kind::Kernel);
        QCOMPARE(bench.all<record::AggregationRows>().at(0).rows.size(), std::size_t{2}); // the kernel's code is that of all processes
    }
    void stacksThatTheKernelWalkedAreKeys()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Sum));
        object.schema.aggregations[0].keys = {{record::FieldKind::UserStack, 0, 4, "ustack()", "stack"}};
        object.schema.aggregations[0].keySize = 4;
        object.keyLayouts = {{16, 4, {{record::FieldKind::UserStack, 0, 16, 0, 2, true}}}};
        object.walks.emplace();
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto rows = [&] {
            [&] { QVERIFY(decoder.aggregations({}, bench.deliver)); }();
            return bench.all<record::AggregationRows>().back().rows;
        };
        const auto key = bytesOf(std::uint64_t{11}, std::uint64_t{12});
        bench.map.set(key, 0, 1, {5});
        QVERIFY(rows().empty()); // its frames are still under way, and so is what it counted

        object::RawStack stack{};
        stack.header = header(RawKind::Stack, 0);
        stack.key[0] = 11;
        stack.key[1] = 12;
        stack.count = 2;
        const auto raw = joined(bytesOf(stack), bytesOf(std::uint64_t{0x5000}, std::uint64_t{0x5100}));
        QVERIFY(!decoder.ring(ByteView(raw).first(raw.size() - 8), bench.deliver));
        QVERIFY(decoder.ring(raw, bench.deliver));
        QVERIFY(decoder.ring(raw, bench.deliver)); // two CPUs may send it
        const auto defined = bench.all<record::StackDef>();
        QCOMPARE(defined.size(), 1U);
        QCOMPARE(defined[0].frames.size(), 2U);
        QCOMPARE(rows().size(), 1U);
        QVERIFY(rows()[0].data == FakeMap::Words{5});
        // The same stack, copied: one row.
        const auto sample = bytesOf(header(RawKind::Sample, 0), std::int64_t{3}, std::int64_t{1}, std::uint64_t{0}, std::uint64_t{0});
        QVERIFY(decoder.ring(joined(sample, userStack(0x5000, {0x5100})), bench.deliver));
        QCOMPARE(rows().size(), 1U);
        QVERIFY(rows()[0].key == bytesOf(defined[0].id));
        QVERIFY(rows()[0].data == FakeMap::Words{8});
    }
    void sumsByUserStackItself()
    {
        Bench bench;
        auto object = objectWith(aggregation(record::Aggregator::Quantize));
        object.schema.aggregations[0].keys
            = {{record::FieldKind::Uint, 0, 4, "k", "int"}, {record::FieldKind::UserStack, 4, 4, "ustack()", "stack"}};
        object.keyLayouts = {{12, 8, {{record::FieldKind::UserStack, 4, 8, 4, 2}}}};
        object.foldedInUserSpace = {true};
        Decoder decoder(object, bench.namer, bench.map.reader());
        const auto sample = [&](std::int64_t value, std::int64_t weight, std::uint32_t key, std::initializer_list<std::uint64_t> words) {
            auto raw = bytesOf(header(RawKind::Sample, 0), value, weight, key, std::uint64_t{0xdead});
            QVERIFY(decoder.ring(joined(raw, userStack(0x5000, words)), bench.deliver));
        };
        sample(1, 1, 3, {0x5100});
        sample(9, 2, 3, {0x5100, 0x5200}); // equal in the two frames that are wanted
        sample(9, 5, 3, {0x5100, 0x5300});
        sample(9, 1, 4, {0x5100});
        sample(9, 1, 3, {0x5200});
        QCOMPARE(bench.all<record::StackDef>().size(), 2U);
        QVERIFY(decoder.aggregations({}, bench.deliver));
        const auto rows = bench.all<record::AggregationRows>().at(0).rows;
        QCOMPARE(rows.size(), 3U);
        const auto ids = bench.all<record::StackDef>();
        QVERIFY(rows[0].key == bytesOf(std::uint32_t{3}, ids[0].id));
        QVERIFY(rows[0].data == (FakeMap::Words{64, 1, 67, 7}));
        // clear() and trunc() work on these alike.
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QCOMPARE(bench.all<record::AggregationRows>().back().rows.size(), 3U);
        QVERIFY(bench.all<record::AggregationRows>().back().rows[0].data.empty());
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        sample(9, 1, 4, {0x5100});
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QCOMPARE(bench.all<record::AggregationRows>().back().rows.size(), 1U);
    }
    /// Option aggsize bounds the keys with user stacks as it does the kernel's.
    void whatHasNoRoomIsToldAsDropped()
    {
        Bench bench;
        auto object = countedByUserStack();
        object.mostSamples = {2};
        Decoder decoder(object, bench.namer, bench.map.reader());
        for (const std::uint64_t ip : {0x5000, 0x5100, 0x5200, 0x5300, 0x5100})
            sampleAt(decoder, bench, ip);
        decoder.drops(bench.deliver);
        decoder.drops(bench.deliver);
        const auto drops = bench.all<record::Drop>();
        QCOMPARE(drops.size(), 1U);
        QVERIFY(drops[0] == (record::Drop{record::Drop::Kind::Aggregation, 1, 2}));
        QVERIFY(decoder.aggregations({}, bench.deliver));
        const auto rows = bench.all<record::AggregationRows>().at(0).rows;
        QCOMPARE(rows.size(), 2U);
        QVERIFY(rows[0].data[0] + rows[1].data[0] == 3);
    }
    /// A run of hours sees new stacks all the time: who shows them need not keep those that no aggregation has any more.
    void stacksThatNothingNamesAnyMoreAreForgotten()
    {
        constexpr std::uint64_t kStacks = 50'000, kMost = 10'000;
        Bench bench;
        std::set<std::uint32_t> known;
        std::size_t most = 0;
        const auto deliver = [&](const record::Record& r) {
            if (const auto* stack = std::get_if<record::StackDef>(&r)) {
                if (stack->frames.empty()) {
                    QVERIFY(known.erase(stack->id.value) == 1);
                } else {
                    QVERIFY(known.insert(stack->id.value).second);
                }
            } else if (const auto* rows = std::get_if<record::AggregationRows>(&r)) {
                for (const auto& row : rows->rows)
                    QVERIFY(known.contains(readAt<std::uint32_t>(row.key, 0)));
            }
            most = std::max(most, known.size());
        };
        bench.deliver = deliver;
        Decoder decoder(countedByUserStack(), bench.namer, bench.map.reader());
        decoder.forgetStacks();
        for (std::uint64_t i = 0; i < kStacks; ++i) {
            sampleAt(decoder, bench, 0x5000 + 0x100 * i);
            if (i % 100 == 0) QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        }
        QVERIFY2(most < kMost, QByteArray::number(qulonglong(most)));
    }
    /// Of stacks that the kernel walked each is told once, and then known by its key: by that they may be kept no longer.
    void walkedStacksThatNoAggregationHasAreForgotten()
    {
        constexpr std::uint64_t kStacks = 100'000;
        constexpr qint64 kMost = 40'000;
        Bench bench;
        qint64 known = 0, most = 0;
        bench.deliver = [&](const record::Record& r) {
            const auto* stack = std::get_if<record::StackDef>(&r);
            if (stack) known += stack->frames.empty() ? -1 : 1;
            most = std::max(most, known);
        };
        auto object = countedByUserStack();
        object.keyLayouts = {{16, 4, {{record::FieldKind::UserStack, 0, 16, 0, 2, true}}}};
        object.foldedInUserSpace = {false};
        object.walks.emplace();
        Decoder decoder(object, bench.namer, bench.map.reader(), bench.map.taker());
        decoder.forgetStacks();

        for (std::uint64_t i = 0; i < kStacks; ++i) {
            object::RawStack stack{};
            stack.header = header(RawKind::Stack, 0);
            stack.key[0] = i;
            stack.key[1] = ~i;
            stack.count = 1;
            QVERIFY(decoder.ring(joined(bytesOf(stack), bytesOf(0x5000 + 0x100 * i)), bench.deliver));
            bench.map.set(bytesOf(i, ~i), 0, 1, {1});
            if (i % 100 == 0) QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        }
        QVERIFY2(most < kMost, QByteArray::number(most));
        QVERIFY(known > 0);
    }
    void stacksThatAnAggregationHasStay()
    {
        constexpr std::uint64_t kStacks = 20'000;
        Bench bench;
        Decoder decoder(countedByUserStack(), bench.namer, bench.map.reader());
        decoder.forgetStacks();
        for (std::uint64_t i = 0; i < kStacks; ++i)
            sampleAt(decoder, bench, 0x5000 + 0x100 * i);
        sampleAt(decoder, bench, 0x5000);
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QCOMPARE(bench.all<record::AggregationRows>().at(0).rows.size(), std::size_t(kStacks));
        QCOMPARE(bench.all<record::StackDef>().size(), std::size_t(kStacks)); // each told once, none forgotten
    }

private:
    static Object countedByUserStack()
    {
        auto object = objectWith(aggregation(record::Aggregator::Count));
        object.schema.aggregations[0].keys = {{record::FieldKind::UserStack, 0, 4, "ustack()", "stack"}};
        object.schema.aggregations[0].keySize = 4;
        object.keyLayouts = {{8, 4, {{record::FieldKind::UserStack, 0, 8, 0, 2}}}};
        object.foldedInUserSpace = {true};
        return object;
    }
    static void sampleAt(Decoder& decoder, const Bench& bench, std::uint64_t ip)
    {
        auto raw = bytesOf(header(RawKind::Sample, 0), std::int64_t{1}, std::int64_t{1}, std::uint64_t{0xdead});
        QVERIFY(decoder.ring(joined(raw, userStack(ip, {})), bench.deliver));
    }
    static Object stackClause()
    {
        auto object = objectWith(aggregation(record::Aggregator::Count));
        object.schema.clauses[0].actions.clear();
        object.schema.clauses[0].payloadSize = 19;
        object.clauseLayouts.resize(1);
        object.clauseLayouts[0] = {47, 19,
            {{record::FieldKind::Stack, 4, 24, 4}, {record::FieldKind::UserStack, 30, 8, 10, 3},
                {record::FieldKind::Symbol, 38, 8, 14, 0, false, Object::RawField::Detail::Function}}};
        return object;
    }
};
QTEST_GUILESS_MAIN(TestDecoder)
#include "tst_decoder.moc"
