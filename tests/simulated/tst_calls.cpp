// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
/// How often a firing asks the kernel for what it was told before: each call takes longer than ten instructions.
class TestCalls : public QObject {
    Q_OBJECT
    static constexpr int kTaskStorageGet = 156, kGetTaskBtf = 158, kKtimeGetNs = 5;
    static int calls(const object::Code& code, int helper)
    {
        constexpr std::uint8_t kCall = 0x85;
        return static_cast<int>(std::ranges::count_if(
            code.slots, [&](const bpf::Slot& slot) { return slot.opcode == kCall && slot.imm == helper && slot.src == 0; }));
    }

private Q_SLOTS:
    void aLatencyNeedsFew()
    {
        SimulatedRun run;
        QVERIFY(run.compile("syscall::read:entry { self->ts = timestamp; }"
                            " syscall::read:return /self->ts/ { @ = quantize(timestamp - self->ts); self->ts = 0; }"));
        QCOMPARE(run.object().programs.size(), std::size_t{2});
        for (const auto& program : run.object().programs) {
            const bool returns = program.name == "sys_exit";
            QCOMPARE(calls(program, kGetTaskBtf), 1);
            QCOMPARE(calls(program, kKtimeGetNs), 1);
            // Where there were none they are made at the assignment.
            QCOMPARE(calls(program, kTaskStorageGet), returns ? 2 : 1);
        }
    }
};
QTEST_GUILESS_MAIN(TestCalls)
#include "tst_calls.moc"
