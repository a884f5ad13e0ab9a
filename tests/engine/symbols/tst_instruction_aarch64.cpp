#include "engine/symbols/instruction.h"
#include <QObject>
#include <QTest>
#include <cstring>
using namespace dscope;
using symbols::Flow;

/// Words as binutils' assembler for aarch64 writes them.
class TestInstructionAarch64 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void flowIsThatOfTheManual_data()
    {
        QTest::addColumn<quint32>("word");
        QTest::addColumn<int>("flow");
        QTest::addColumn<qint64>("distance");
        QTest::addColumn<bool>("canProbe");
        QTest::addColumn<bool>("calls");
        const auto row = [](const char* text, quint32 word, Flow flow, qint64 distance = 0, bool canProbe = true, bool calls = false) {
            QTest::newRow(text) << word << int(flow) << distance << canProbe << calls;
        };
        row("ret", 0xd65f03c0, Flow::Return);
        row("ret x1", 0xd65f0020, Flow::Return);
        row("retaa", 0xd65f0bff, Flow::Return, 0, false);
        row("retab", 0xd65f0fff, Flow::Return, 0, false);
        row("br x16", 0xd61f0200, Flow::IndirectJump);
        row("braa x16, x17", 0xd71f0a11, Flow::IndirectJump, 0, false);
        row("blr x3", 0xd63f0060, Flow::On, 0, true, true);
        row("bl .+8", 0x94000002, Flow::On, 0, true, true);
        row("b .+8", 0x14000002, Flow::Jump, 8);
        row("b .-4", 0x17ffffff, Flow::Jump, -4);
        row("b.ne .+16", 0x54000081, Flow::Branch, 16);
        row("b.eq .-8", 0x54ffffc0, Flow::Branch, -8);
        row("cbz x0, .+12", 0xb4000060, Flow::Branch, 12);
        row("cbnz w1, .-4", 0x35ffffe1, Flow::Branch, -4);
        row("tbz w0, #3, .+8", 0x36180040, Flow::Branch, 8);
        row("tbnz x0, #33, .-8", 0xb70fffc0, Flow::Branch, -8);
        row("brk #0x3e8", 0xd4207d00, Flow::Stop, 0, false);
        row("udf #0", 0x00000000, Flow::Stop);
        row("svc #0", 0xd4000001, Flow::On, 0, false);
        row("nop", 0xd503201f, Flow::On);
        row("bti c", 0xd503245f, Flow::On);
        row("paciasp", 0xd503233f, Flow::On);
        row("autiasp", 0xd50323bf, Flow::On, 0, false);
        row("wfe", 0xd503205f, Flow::On, 0, false);
        row("stp x29, x30, [sp, #-32]!", 0xa9be7bfd, Flow::On);
        row("adrp x0, .", 0x90000000, Flow::On);
        row("ldr x0, .+8", 0x58000040, Flow::On);
        row("ldr d0, .+8", 0x5c000040, Flow::On, 0, false);
        row("ldxr x0, [x1]", 0xc85f7c20, Flow::On, 0, false);
        row("stxr w2, x0, [x1]", 0xc8027c20, Flow::On, 0, false);
        row("mrs x0, tpidr_el0", 0xd53bd040, Flow::On);
        row("msr tpidr_el0, x0", 0xd51bd040, Flow::On, 0, false);
    }
    void flowIsThatOfTheManual()
    {
        QFETCH(const quint32, word);
        QFETCH(const int, flow);
        QFETCH(const qint64, distance);
        QFETCH(const bool, canProbe);
        QFETCH(const bool, calls);
        constexpr std::uint64_t kAt = 0x4000;
        symbols::Aarch64Decoder decoder;
        const auto insn = decoder.decode(std::as_bytes(std::span(&word, 1)), kAt);
        QVERIFY(insn);
        QCOMPARE(int(insn->flow), flow);
        QCOMPARE(insn->length, 4);
        if (distance != 0) QCOMPARE(insn->target, kAt + static_cast<std::uint64_t>(distance));
        QCOMPARE(insn->canProbe, canProbe);
        QCOMPARE(insn->calls, calls);
    }
    void aJumpByTableIsNoTailCall()
    {
        // As GCC compiles a switch: ldrb w0, [x1, w0, uxtw]; adr x1, .+8; add x0, x1, w0, sxtb #2; br x0
        static constexpr quint32 kSwitch[] = {0x38604820, 0x10000041, 0x8b208820, 0xd61f0000};
        // As it calls a function at the end of another: ldr x16, [x0, #8]; br x16
        static constexpr quint32 kCall[] = {0xf9400410, 0xd61f0200};
        const auto last = [](std::span<const quint32> words) {
            symbols::Aarch64Decoder decoder;
            std::optional<symbols::Decoded> insn;
            for (const auto& word : words)
                insn = decoder.decode(std::as_bytes(std::span(&word, 1)), 0);
            return insn->byTable;
        };
        QVERIFY(last(kSwitch));
        QVERIFY(!last(kCall));
    }
    void lessThanAnInstructionIsNone()
    {
        const std::array<std::byte, 3> bytes{};
        QVERIFY(!symbols::Aarch64Decoder().decode(bytes, 0));
    }
};
QTEST_GUILESS_MAIN(TestInstructionAarch64)
#include "tst_instruction_aarch64.moc"
