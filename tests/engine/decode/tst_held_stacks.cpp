#include "raw_records.h"
#include <QObject>
#include <QTest>
#include <memory>
using namespace dscope;
using namespace dscope::decode;
using namespace dscope::decode::test;
using object::Object;
using object::RawKind;

namespace {
/// Names stacks when it is asked to, and counts how often it was.
class LateNamer final : public StackNamer {
public:
    struct Late final : Held {
        Late(LateNamer& n, record::FrameList f, std::span<const std::uint64_t> a = {})
            : namer(n), frames(std::move(f)), addresses(a.begin(), a.end())
        {
        }
        record::FrameList name() override
        {
            ++namer.named;
            namer.order.push_back(addresses.empty() ? 0 : addresses.front());
            return frames;
        }
        std::span<const std::uint64_t> places() const override { return addresses; }
        LateNamer& namer;
        record::FrameList frames;
        std::vector<std::uint64_t> addresses;
    };
    std::unique_ptr<Held> hold(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override
    {
        return holds ? std::make_unique<Late>(*this, plain.walked(pid, addresses, end), addresses) : nullptr;
    }
    Copied copied(std::uint32_t pid, ByteView raw, const Object::RawField& field) override
    {
        auto frames = plain.user(pid, raw, field);
        if (!holds) return {nullptr, {}, frames};
        record::Digest digest;
        for (std::size_t i = 0; i < frames.size(); ++i)
            digest = digest.then(frames.digest(i));
        return {std::make_unique<Late>(*this, frames), digest, {}};
    }
    bool holdsMuch() const override { return much; }
    record::FrameList kernel(std::span<const std::uint64_t> addresses) override { return plain.kernel(addresses); }
    record::FrameList user(std::uint32_t pid, ByteView raw, const Object::RawField& field) override { return plain.user(pid, raw, field); }
    record::FrameList walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override
    {
        return plain.walked(pid, addresses, end);
    }
    void unwalked(std::uint32_t, object::WalkEnd, std::uint64_t) override { }
    record::Frame kernelSymbol(std::uint64_t address) override { return plain.kernelSymbol(address); }
    record::Frame userSymbol(std::uint32_t pid, std::uint64_t address) override { return plain.userSymbol(pid, address); }
    FakeNamer plain;
    int named = 0;
    std::vector<std::uint64_t> order; ///< of the innermost addresses of what was named
    bool holds = true, much = false;
};

Object sumByStack()
{
    auto object = objectWith(aggregation(record::Aggregator::Sum));
    object.schema.aggregations[0].keys = {{record::FieldKind::UserStack, 0, 4, "ustack()", "stack"}};
    object.schema.aggregations[0].keySize = 4;
    object.keyLayouts = {{16, 4, {{record::FieldKind::UserStack, 0, 16, 0, 2, true}}}};
    object.walks.emplace();
    return object;
}
Bytes walked(std::uint64_t key, std::uint64_t address)
{
    object::RawStack stack{};
    stack.header = header(RawKind::Stack, 0);
    stack.key[0] = key;
    stack.count = 2;
    return joined(bytesOf(stack), bytesOf(address, address + 0x100));
}
Bytes copied(std::uint64_t address, std::int64_t value)
{
    const auto sample = bytesOf(header(RawKind::Sample, 0), value, std::int64_t{1}, std::uint64_t{0}, std::uint64_t{0});
    return joined(sample, userStack(address, {address + 0x100}));
}
} // namespace

class TestHeldStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stacksAreNamedWhenTheyAreShown()
    {
        Bench bench;
        LateNamer namer;
        Decoder decoder(sumByStack(), namer, bench.map.reader());
        bench.map.set(bytesOf(std::uint64_t{11}, std::uint64_t{0}), 0, 1, {5});
        QVERIFY(decoder.ring(walked(11, 0x5000), bench.deliver));
        QVERIFY(decoder.ring(walked(12, 0x7000), bench.deliver)); // no aggregation has it
        for (int i = 0; i < 2; ++i)
            QVERIFY(decoder.ring(copied(0x5000, 3), bench.deliver));
        QVERIFY(bench.out.empty());
        QCOMPARE(namer.named, 0);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(decoder.aggregations({}, bench.deliver));
            QCOMPARE(namer.named, 2); // that which was walked, and that which was copied
        }
        const auto defined = bench.all<record::StackDef>();
        QCOMPARE(defined.size(), 1U); // they are equal
        const auto rows = bench.all<record::AggregationRows>().back().rows;
        QCOMPARE(rows.size(), 1U);
        QVERIFY(rows[0].key == bytesOf(defined[0].id));
        QVERIFY(rows[0].data == FakeMap::Words{11});
    }
    /// Neighbours have most of their callers in common, and those are looked for once.
    void stacksAreNamedInTheOrderOfTheirCallers()
    {
        Bench bench;
        LateNamer namer;
        Decoder decoder(sumByStack(), namer, bench.map.reader());
        const std::vector<std::uint64_t> addresses{0x7000, 0x5000, 0x8000, 0x6000};
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            bench.map.set(bytesOf(std::uint64_t{11 + i}, std::uint64_t{0}), 0, 1, {1});
            QVERIFY(decoder.ring(walked(11 + i, addresses[i]), bench.deliver));
        }
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QVERIFY((namer.order == std::vector<std::uint64_t>{0x5000, 0x6000, 0x7000, 0x8000}));
    }
    void whatMustBeNamedAtOnceIsTheSameStack()
    {
        Bench bench;
        LateNamer namer;
        Decoder decoder(sumByStack(), namer, bench.map.reader());
        QVERIFY(decoder.ring(copied(0x5000, 3), bench.deliver));
        namer.holds = false;
        QVERIFY(decoder.ring(copied(0x5000, 4), bench.deliver));
        QCOMPARE(bench.all<record::StackDef>().size(), 1U);
        QVERIFY(decoder.aggregations({}, bench.deliver));
        QCOMPARE(bench.all<record::StackDef>().size(), 1U);
        const auto rows = bench.all<record::AggregationRows>().back().rows;
        QCOMPARE(rows.size(), 1U);
        QVERIFY(rows[0].data == FakeMap::Words{7});
    }
    void whereMuchIsHeldAllIsNamed()
    {
        Bench bench;
        LateNamer namer;
        Decoder decoder(sumByStack(), namer, bench.map.reader());
        QVERIFY(decoder.ring(walked(11, 0x5000), bench.deliver));
        QVERIFY(decoder.ring(copied(0x6000, 3), bench.deliver));
        QCOMPARE(namer.named, 0);
        namer.much = true;
        QVERIFY(decoder.ring(walked(12, 0x7000), bench.deliver));
        QCOMPARE(namer.named, 2);
        QCOMPARE(bench.all<record::StackDef>().size(), 2U);
    }
    void truncatedAndClearedKeysOfCopiesAreAsOthers()
    {
        Bench bench;
        LateNamer namer;
        Decoder decoder(sumByStack(), namer, bench.map.reader());
        const auto rows = [&] { return bench.all<record::AggregationRows>().back().rows; };
        QVERIFY(decoder.ring(copied(0x5000, 3), bench.deliver));
        QVERIFY(decoder.ring(firing(kClears), bench.deliver));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QCOMPARE(rows().size(), 1U);
        QVERIFY(decoder.ring(firing(kTruncates), bench.deliver));
        QVERIFY(decoder.ring(copied(0x6000, 4), bench.deliver));
        QVERIFY(decoder.ring(firing(kPrints), bench.deliver));
        QCOMPARE(rows().size(), 1U);
        QVERIFY(rows()[0].data == FakeMap::Words{4});
    }
};
QTEST_GUILESS_MAIN(TestHeldStacks)
#include "tst_held_stacks.moc"
