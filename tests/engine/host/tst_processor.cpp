// The processor's row against the headers of the system.
#include "engine/host/processor.h"
#include <QObject>
#include <QTest>
#include <asm/ptrace.h>
#include <cstddef>
#include <sys/syscall.h>
#include <sys/utsname.h>
using dscope::host::kProcessor;

class TestProcessor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRowIsOfThisMachine()
    {
        utsname name{};
        ::uname(&name);
        QCOMPARE(std::string_view(name.machine), kProcessor.name);
        QCOMPARE(kProcessor.execve, SYS_execve);
        QCOMPARE(kProcessor.execveat, SYS_execveat);
    }
#ifdef __x86_64__
    void registersAreWhereTheKernelSaysThem()
    {
        QCOMPARE(kProcessor.size, int(sizeof(pt_regs)));
        QCOMPARE(kProcessor.callNumber, int(offsetof(pt_regs, orig_rax)));
        const std::array<int, 6> call{offsetof(pt_regs, rdi), offsetof(pt_regs, rsi), offsetof(pt_regs, rdx), offsetof(pt_regs, r10), offsetof(pt_regs, r8), offsetof(pt_regs, r9)};
        QVERIFY(kProcessor.callArguments == call);
        const std::array<int, 8> function{offsetof(pt_regs, rdi), offsetof(pt_regs, rsi), offsetof(pt_regs, rdx), offsetof(pt_regs, rcx), offsetof(pt_regs, r8), offsetof(pt_regs, r9)};
        QVERIFY(kProcessor.functionArguments == function);
        QCOMPARE(kProcessor.value, int(offsetof(pt_regs, rax)));
        QCOMPARE(kProcessor.instruction, int(offsetof(pt_regs, rip)));
        QCOMPARE(kProcessor.stack, int(offsetof(pt_regs, rsp)));
        QCOMPARE(kProcessor.frame, int(offsetof(pt_regs, rbp)));
    }
#endif
#ifdef __aarch64__
    void registersAreWhereTheKernelSaysThem()
    {
        QCOMPARE(kProcessor.instruction, int(offsetof(user_pt_regs, pc)));
        QCOMPARE(kProcessor.stack, int(offsetof(user_pt_regs, sp)));
        QCOMPARE(kProcessor.frame, int(offsetof(user_pt_regs, regs) + 29 * 8));
    }
#endif
};
QTEST_GUILESS_MAIN(TestProcessor)
#include "tst_processor.moc"
