#include "engine/base/fd.h"
#include "engine/bpf/encode.h"
#include "engine/bpf/interpreter.h"
#include <QObject>
#include <QTest>
#include <cerrno>
#include <linux/bpf.h>
#include <set>
#include <sys/syscall.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::bpf;


namespace {
std::vector<Insn> program(std::vector<Op> ops)
{
    std::vector<Insn> code;
    for (auto& op : ops)
        code.push_back({std::move(op), {}});
    return code;
}
QByteArray hex(std::span<const Slot> slots)
{
    const auto bytes = std::as_bytes(slots);
    return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex();
}
/// Loads a socket filter into the running kernel: 0 or errno, the verifier's words in `log`.
int kernelRefuses(std::span<const Slot> slots, QByteArray& log)
{
    union bpf_attr attr {
    };
    attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
    attr.insns = reinterpret_cast<std::uint64_t>(slots.data());
    attr.insn_cnt = static_cast<std::uint32_t>(slots.size());
    attr.license = reinterpret_cast<std::uint64_t>("GPL");
    auto load = [&] { return Fd(static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr))); };
    if (load()) return 0;
    const int refused = errno;
    log.fill('\0', 1 << 20);
    attr.log_buf = reinterpret_cast<std::uint64_t>(log.data());
    attr.log_size = static_cast<std::uint32_t>(log.size());
    attr.log_level = 1;
    load();
    return refused;
}
/// A program whose branches leap over more instructions than 16 bits count: `blocks` blocks of `size` additions, each
/// guarded by a branch to the end, then a jump back to the start that is taken `rounds` times.
std::vector<Insn> farJumps(unsigned blocks, unsigned size, int rounds)
{
    const Label again{0}, end{1};
    std::vector<Op> ops{Alu{AluOp::Mov, Reg::R0, Imm{0}}, Alu{AluOp::Mov, Reg::R1, Imm{rounds}}, Bind{again}};
    for (unsigned b = 0; b < blocks; ++b) {
        ops.push_back(Branch{Cond::Eq, Reg::R1, Imm{0}, end});
        for (unsigned i = 0; i < size; ++i)
            ops.push_back(Alu{AluOp::Add, Reg::R0, Imm{1}});
    }
    ops.insert(ops.end(), {Alu{AluOp::Sub, Reg::R1, Imm{1}}, Jump{again}, Bind{end}, Exit{}});
    return program(ops);
}
} // namespace

class TestEncode : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Bytes as LLVM 14 writes them (llvm-mc -arch=bpfel, clang -target bpf -mcpu=v3), the rest by the tables of RFC 9669.
    void writesTheBytesOfOtherAssemblers_data()
    {
        QTest::addColumn<std::vector<Insn>>("code");
        QTest::addColumn<QByteArray>("bytes");
        auto row = [](const char* name, Op op, const char* bytes) { QTest::newRow(name) << program({std::move(op)}) << QByteArray(bytes); };
        row("r1 += r2", Alu{AluOp::Add, Reg::R1, Reg::R2}, "0f21000000000000");
        row("r1 += 7", Alu{AluOp::Add, Reg::R1, Imm{7}}, "0701000007000000");
        row("w1 += w2", Alu{AluOp::Add, Reg::R1, Reg::R2, false}, "0c21000000000000");
        row("w3 -= 5", Alu{AluOp::Sub, Reg::R3, Imm{5}, false}, "1403000005000000");
        row("r4 *= r5", Alu{AluOp::Mul, Reg::R4, Reg::R5}, "2f54000000000000");
        row("r6 /= 10", Alu{AluOp::Div, Reg::R6, Imm{10}}, "370600000a000000");
        row("r7 |= r8", Alu{AluOp::Or, Reg::R7, Reg::R8}, "4f87000000000000");
        row("r9 &= 255", Alu{AluOp::And, Reg::R9, Imm{255}}, "57090000ff000000");
        row("r1 <<= 3", Alu{AluOp::Lsh, Reg::R1, Imm{3}}, "6701000003000000");
        row("r2 >>= r3", Alu{AluOp::Rsh, Reg::R2, Reg::R3}, "7f32000000000000");
        row("r4 s>>= 63", Alu{AluOp::Arsh, Reg::R4, Imm{63}}, "c70400003f000000");
        row("r5 = -r5", Alu{AluOp::Neg, Reg::R5, Imm{0}}, "8705000000000000");
        row("w5 = -w5", Alu{AluOp::Neg, Reg::R5, Reg::R5, false}, "8405000000000000");
        row("r6 %= 7 (RFC)", Alu{AluOp::Mod, Reg::R6, Imm{7}}, "9706000007000000");
        row("r7 ^= r8", Alu{AluOp::Xor, Reg::R7, Reg::R8}, "af87000000000000");
        row("r8 = -1", Alu{AluOp::Mov, Reg::R8, Imm{-1}}, "b7080000ffffffff");
        row("w9 = w8", Alu{AluOp::Mov, Reg::R9, Reg::R8, false}, "bc89000000000000");
        row("r1 = be16 r1", SwapTo{true, 16, Reg::R1}, "dc01000010000000");
        row("r2 = be64 r2", SwapTo{true, 64, Reg::R2}, "dc02000040000000");
        row("r3 = le32 r3", SwapTo{false, 32, Reg::R3}, "d403000020000000");
        row("r1 = *(u8 *)(r2 + 4)", Load{Width::B1, Reg::R1, Reg::R2, 4}, "7121040000000000");
        row("r1 = *(u16 *)(r2 - 4)", Load{Width::B2, Reg::R1, Reg::R2, -4}, "6921fcff00000000");
        row("r1 = *(u32 *)(r2 + 0)", Load{Width::B4, Reg::R1, Reg::R2, 0}, "6121000000000000");
        row("r1 = *(u64 *)(r10 - 8)", Load{Width::B8, Reg::R1, Reg::R10, -8}, "79a1f8ff00000000");
        row("*(u8 *)(r10 - 1) = r3", Store{Width::B1, Reg::R10, -1, Reg::R3}, "733affff00000000");
        row("*(u16 *)(r10 - 2) = r3", Store{Width::B2, Reg::R10, -2, Reg::R3}, "6b3afeff00000000");
        row("*(u32 *)(r10 - 4) = r3", Store{Width::B4, Reg::R10, -4, Reg::R3}, "633afcff00000000");
        row("*(u64 *)(r10 - 8) = r3", Store{Width::B8, Reg::R10, -8, Reg::R3}, "7b3af8ff00000000");
        row("*(u64 *)(r10 - 8) = 9 (RFC)", Store{Width::B8, Reg::R10, -8, Imm{9}}, "7a0af8ff09000000");
        row("lock *(u64 *)(r1 + 8) += r2", Atomic{AtomicOp::Add, false, Width::B8, Reg::R1, 8, Reg::R2}, "db21080000000000");
        row("lock *(u32 *)(r1 + 8) += r2", Atomic{AtomicOp::Add, false, Width::B4, Reg::R1, 8, Reg::R2}, "c321080000000000");
        row("r0 = atomic_fetch_add(r1, r0)", Atomic{AtomicOp::Add, true, Width::B8, Reg::R1, 0, Reg::R0}, "db01000001000000");
        row("r0 = atomic_fetch_or(r1, r0)", Atomic{AtomicOp::Or, true, Width::B8, Reg::R1, 0, Reg::R0}, "db01000041000000");
        row("w0 = atomic_fetch_and(r1, w0)", Atomic{AtomicOp::And, true, Width::B4, Reg::R1, 0, Reg::R0}, "c301000051000000");
        row("r0 = xchg_64(r1, r0)", Atomic{AtomicOp::Xchg, true, Width::B8, Reg::R1, 0, Reg::R0}, "db010000e1000000");
        row("r0 = cmpxchg_64(r1, r0, r3)", Atomic{AtomicOp::CmpXchg, true, Width::B8, Reg::R1, 0, Reg::R3}, "db310000f1000000");
        row("w0 = cmpxchg_32(r1, w0, w3)", Atomic{AtomicOp::CmpXchg, true, Width::B4, Reg::R1, 0, Reg::R3}, "c3310000f1000000");
        row("r1 = 0x123456789abcdef ll", LoadImm{Reg::R1, 0x123456789abcdef}, "18010000efcdab890000000067452301");
        row("r1 = 0xffffffff ll (RFC)", LoadImm{Reg::R1, 0xffffffff}, "18010000ffffffff0000000000000000");
        row("a small constant is a mov", LoadImm{Reg::R1, ~std::uint64_t{0}}, "b7010000ffffffff");
        row("call 14", CallHelper{14}, "850000000e000000");
        row("exit", Exit{}, "9500000000000000");
    }
    void writesTheBytesOfOtherAssemblers()
    {
        QFETCH(std::vector<Insn>, code);
        QFETCH(QByteArray, bytes);
        QCOMPARE(hex(encode(code).slots), bytes);
    }

    void countsJumpsInSlots()
    {
        const Label back{7}, ahead{3}, function{9};
        const auto encoded = encode(program({
            Bind{back}, LoadImm{Reg::R1, 0x100000000},         // slots 0, 1
            Branch{Cond::Sge, Reg::R1, Reg::R2, ahead, false}, // 2
            Branch{Cond::Set, Reg::R1, Imm{4}, back},          // 3
            LoadFunction{Reg::R2, function},                   // 4, 5
            CallLocal{function},                               // 6
            Bind{ahead}, Jump{back},                           // 7
            Exit{},                                            // 8
            Bind{function}, Exit{},                            // 9
        }));
        QCOMPARE(hex(std::span(encoded.slots).subspan(2)),
            QByteArray("7e21040000000000"
                       "4501fcff04000000"
                       "1842000004000000"
                       "0000000000000000"
                       "8510000002000000"
                       "0500f8ff00000000"
                       "9500000000000000"
                       "9500000000000000"));
    }

    void tellsWhereMapsAndLinesAre()
    {
        const Span first{0, 1, 5}, second{0, 6, 9};
        const std::vector<Insn> code{{LoadMap{Reg::R1, MapId{3}}, first}, {Alu{AluOp::Mov, Reg::R0, Imm{0}}, first}, {Bind{{0}}, second},
            {LoadMapValue{Reg::R2, MapId{4}, 24}, second}, {Exit{}, second}};
        const auto encoded = encode(code);
        QCOMPARE(encoded.maps.size(), 2u);
        QCOMPARE(encoded.maps[0].slot, 0u);
        QCOMPARE(encoded.maps[0].map, MapId{3});
        QVERIFY(!encoded.maps[0].value);
        QCOMPARE(encoded.maps[1].slot, 3u);
        QVERIFY(encoded.maps[1].value);
        QCOMPARE(encoded.maps[1].offset, 24u);
        QCOMPARE(encoded.lines.size(), 2u);
        QCOMPARE(encoded.lines[0].first, 0u);
        QCOMPARE(encoded.lines[1].first, 3u);
        QCOMPARE(encoded.lines[1].second.begin, second.begin);
        QCOMPARE(disassemble(encoded.slots, encoded.maps), std::string("lddw %r1, map 3\nmov %r0, 0\nlddw %r2, value 4+24\nexit\n"));
    }

    void reachesFarLabels_data()
    {
        QTest::addColumn<unsigned>("blocks");
        QTest::addColumn<unsigned>("size");
        QTest::newRow("just near enough") << 1u << 32'760u;
        QTest::newRow("a few too far") << 1u << 32'770u;
        QTest::newRow("two islands") << 10u << 5'000u;
        QTest::newRow("many islands") << 3u << 66'666u;
        QTest::newRow("many branches") << 20'000u << 9u;
    }
    void reachesFarLabels()
    {
        QFETCH(unsigned, blocks);
        QFETCH(unsigned, size);
        const int rounds = 3;
        const auto encoded = encode(farJumps(blocks, size, rounds));
        for (const auto& s : encoded.slots)
            QVERIFY(s.opcode != 0x06); // gotol, which kernels before 6.6 do not know
        Interpreter machine;
        const auto r0 = machine.run(encoded.slots, 0, 0, 10'000'000);
        QVERIFY2(r0, r0 ? "" : r0.error().message.c_str());
        QCOMPARE(*r0, std::uint64_t{blocks} * size * rounds);

        // The kernel refuses code that cannot be reached: every slot must be, statically.
        std::vector<bool> reached(encoded.slots.size());
        std::vector<std::size_t> open{0};
        while (!open.empty()) {
            const auto i = open.back();
            open.pop_back();
            QVERIFY(i < reached.size());
            if (reached[i]) continue;
            reached[i] = true;
            const auto& s = encoded.slots[i];
            const bool isJump = (s.opcode & 7) == 5 && s.opcode != 0x95 && s.opcode != 0x85;
            if (isJump) open.push_back(i + 1 + static_cast<std::size_t>(std::int64_t{s.offset}));
            if (s.opcode != 0x95 && s.opcode != 0x05) open.push_back(i + 1);
        }
        QCOMPARE(std::count(reached.begin(), reached.end(), false), 0);
    }

    void kernelTakesFarJumps()
    {
        if (::geteuid() != 0) QSKIP("loading into the kernel needs root");
        QByteArray log;
        const Slot small[]{encode(program({Alu{AluOp::Mov, Reg::R0, Imm{0}}})).slots[0], encode(program({Exit{}})).slots[0]};
        if (const int refused = kernelRefuses(small, log))
            QSKIP(qPrintable(QStringLiteral("bpf(2): %1").arg(QString::fromUtf8(std::strerror(refused)))));
        const auto encoded = encode(farJumps(10, 6'000, 3));
        const int refused = kernelRefuses(encoded.slots, log);
        QVERIFY2(refused == 0, log.constData());
    }

    /// Every instruction the code generator can ask for, as the verifier sees it.
    void kernelTakesEveryInstruction()
    {
        if (::geteuid() != 0) QSKIP("loading into the kernel needs root");
        std::vector<Op> ops;
        for (int n = 0; n < 9; ++n)
            ops.push_back(Alu{AluOp::Mov, Reg{static_cast<std::uint8_t>(n)}, Imm{n + 1}});
        for (const bool wide : {true, false})
            for (unsigned op = 0; op <= unsigned(AluOp::Arsh); ++op) {
                ops.push_back(Alu{AluOp{static_cast<std::uint8_t>(op)}, Reg::R1, Imm{3}, wide});
                ops.push_back(Alu{AluOp{static_cast<std::uint8_t>(op)}, Reg::R2, Reg::R3, wide});
            }
        for (const bool big : {true, false})
            for (const int bits : {16, 32, 64})
                ops.push_back(SwapTo{big, bits, Reg::R1});
        ops.push_back(Store{Width::B8, Reg::R10, -8, Imm{-1}});
        for (const auto width : {Width::B1, Width::B2, Width::B4, Width::B8}) {
            ops.push_back(Store{width, Reg::R10, -8, Reg::R3});
            ops.push_back(Store{width, Reg::R10, -8, Imm{5}});
            ops.push_back(Load{width, Reg::R4, Reg::R10, -8});
        }
        for (const auto width : {Width::B4, Width::B8})
            for (const auto op : {AtomicOp::Add, AtomicOp::Or, AtomicOp::And, AtomicOp::Xor, AtomicOp::Xchg, AtomicOp::CmpXchg})
                for (const bool fetch : {true, false})
                    ops.push_back(Atomic{op, fetch, width, Reg::R10, -8, Reg::R4});
        std::uint32_t label = 0;
        for (const bool wide : {true, false})
            for (const auto cond :
                {Cond::Eq, Cond::Gt, Cond::Ge, Cond::Set, Cond::Ne, Cond::Sgt, Cond::Sge, Cond::Lt, Cond::Le, Cond::Slt, Cond::Sle}) {
                ops.insert(ops.end(),
                    {Branch{cond, Reg::R4, Imm{9}, {label}, wide}, Branch{cond, Reg::R4, Reg::R3, {label}, wide}, Bind{{label}}});
                ++label;
            }
        ops.push_back(LoadImm{Reg::R0, 0x1234567890});
        ops.push_back(Exit{});
        QByteArray log;
        const auto encoded = encode(program(ops));
        const int refused = kernelRefuses(encoded.slots, log);
        if (refused == EPERM) QSKIP("this kernel does not let us load programs");
        QVERIFY2(refused == 0, log.constData());
    }
};
QTEST_GUILESS_MAIN(TestEncode)
#include "tst_encode.moc"
