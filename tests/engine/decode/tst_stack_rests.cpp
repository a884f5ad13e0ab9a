#include "engine/decode/stack_rests.h"
#include "raw_records.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::decode;
using namespace dscope::decode::test;
using object::RawStackRest;
using object::RawUserStack;

/// The deep part of a copied stack comes in a record of its own.
class TestStackRests : public QObject {
    Q_OBJECT
    static constexpr std::uint64_t kSp = 0x7000, kNumber = 77;
    static constexpr std::uint32_t kTid = 8;
    static Bytes rest(std::uint64_t number, std::uint64_t from, std::initializer_list<std::uint64_t> words, std::uint32_t tid = kTid)
    {
        RawStackRest head{};
        head.header.kind = object::RawKind::StackRest;
        head.header.tid = tid;
        head.number = number;
        head.from = from;
        head.length = words.size() * 8;
        head.holes = 2;
        auto bytes = bytesOf(head);
        for (const auto word : words)
            put(bytes, word);
        return bytes;
    }
    static Bytes stack(std::uint64_t number)
    {
        auto bytes = userStack(0x1000, {1, 2});
        auto head = readAt<RawUserStack>(bytes, 0);
        head.sp = kSp;
        head.rest = number;
        std::memcpy(bytes.data(), &head, sizeof head);
        return bytes;
    }
private Q_SLOTS:
    void aStackAndItsRestAreOne()
    {
        StackRests rests;
        QVERIFY(rests.add(rest(kNumber, kSp + 16, {3, 4, 5})));
        const auto raw = stack(kNumber);
        std::vector<ByteView> stacks{raw};
        const auto whole = rests.join(kTid, stacks);
        const auto head = readAt<RawUserStack>(stacks[0], 0);
        QCOMPARE(head.length, 40U);
        QCOMPARE(quint64{head.restFrom}, quint64{kSp + 16});
        QCOMPARE(quint64{head.holes}, quint64{2});
        QCOMPARE(stacks[0].size(), sizeof head + 40);
        for (std::uint64_t i = 0; i < 5; ++i)
            QCOMPARE(readAt<std::uint64_t>(stacks[0], sizeof head + 8 * i), i + 1);
        std::vector<ByteView> again{raw}; // it was used
        QVERIFY(rests.join(kTid, again).empty());
    }
    void whatIsOfAnotherStackIsNotTaken()
    {
        StackRests rests;
        QVERIFY(rests.add(rest(kNumber, kSp + 16, {3}, kTid + 1))); // another thread
        QVERIFY(rests.add(rest(kNumber + 1, kSp + 16, {3})));
        QVERIFY(rests.add(rest(kNumber + 2, kSp + 24, {3}))); // does not follow
        for (const auto number : {std::uint64_t{0}, kNumber, kNumber + 2}) {
            const auto raw = stack(number);
            std::vector<ByteView> stacks{raw};
            QVERIFY(rests.join(kTid, stacks).empty());
            QCOMPARE(stacks[0].size(), raw.size());
        }
    }
    /// Records that were lost leave theirs behind.
    void theOldestAreForgotten()
    {
        StackRests rests;
        for (std::uint64_t number = 1; number <= 1000; ++number)
            QVERIFY(rests.add(rest(number, kSp + 16, {3})));
        for (const auto& [number, isThere] : {std::pair<std::uint64_t, bool>{900, false}, {1000, true}}) {
            const auto raw = stack(number);
            std::vector<ByteView> stacks{raw};
            QCOMPARE(!rests.join(kTid, stacks).empty(), isThere);
        }
    }
    void aCutOneIsAnError()
    {
        StackRests rests;
        auto bytes = rest(kNumber, kSp, {3});
        bytes.resize(bytes.size() - 1);
        QVERIFY(!rests.add(bytes));
        bytes.resize(sizeof(RawStackRest) - 1);
        QVERIFY(!rests.add(bytes));
    }
};
QTEST_GUILESS_MAIN(TestStackRests)
#include "tst_stack_rests.moc"
