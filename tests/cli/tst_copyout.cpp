// needs-programs: dscope
// uses: PkgConfig::LIBBPF
// plain: tests/vm runs it in other kernels, where nothing is sanitized
// copyout() and copyoutstr(): what a program is about to write is changed before the kernel reads it.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
#include <array>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <unistd.h>
using namespace dscope::tests;
namespace {
/// Whether the kernel takes a program that calls `helper` with a place on its stack, 8 bytes, and an address. (libbpf_probe_bpf_helper()
/// of libbpf 1.1 does not know the words with which newer kernels refuse one.)
template <int kPlace, int kAddress> bool isTaken(bpf_func_id helper)
{
    constexpr int kSize = BPF_REG_1 + BPF_REG_2 + BPF_REG_3 - kPlace - kAddress; // the register that is left
    const std::array<bpf_insn, 7> code{
        {{BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0}, {BPF_ALU64 | BPF_MOV | BPF_X, kPlace, BPF_REG_10, 0, 0},
            {BPF_ALU64 | BPF_ADD | BPF_K, kPlace, 0, 0, -8}, {BPF_ALU64 | BPF_MOV | BPF_K, kAddress, 0, 0, 0},
            {BPF_ALU64 | BPF_MOV | BPF_K, kSize, 0, 0, 8}, {BPF_JMP | BPF_CALL, 0, 0, 0, helper}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}}};
    const int fd = ::bpf_prog_load(BPF_PROG_TYPE_KPROBE, "may_call", "GPL", code.data(), code.size(), nullptr);
    if (fd >= 0) ::close(fd);
    return fd >= 0;
}
} // namespace

class TestCopyout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        // The one that reads differs in nothing but the helper and the order of its arguments: if it is taken, the other is refused for
        // what it does.
        QVERIFY2((isTaken<BPF_REG_1, BPF_REG_3>(BPF_FUNC_probe_read_user)), "this kernel takes no program at all");
        if (!isTaken<BPF_REG_2, BPF_REG_1>(BPF_FUNC_probe_write_user))
            QSKIP("this kernel lets no program write to the memory of processes, as under lockdown");
    }
    void writesAreChanged_data()
    {
        QTest::addColumn<QString>("actions");
        QTest::addColumn<QByteArray>("out");
        QTest::newRow("text") << "copyoutstr(\"HELLO\", arg1, 5);" << QByteArray("HELLO\n");
        QTest::newRow("a part of a text") << "copyoutstr(\"HELLO\", arg1, 2);" << QByteArray("HEllo\n");
        QTest::newRow("bytes") << "p = (char *)alloca(4); p[0] = 'J'; p[1] = 'i'; copyout(p, arg1, 2);" << QByteArray("Jillo\n");
        QTest::newRow("as many bytes as a variable says")
            << "n = 1; p = (char *)alloca(4); p[0] = 'J'; p[1] = 'i'; copyout(p, arg1, n);" << QByteArray("Jello\n");
        QTest::newRow("no bytes") << "n = 0; copyout(alloca(4), arg1, n); copyoutstr(\"HELLO\", arg1, n);" << QByteArray("hello\n");
    }
    void writesAreChanged()
    {
        QFETCH(QString, actions);
        QFETCH(QByteArray, out);
        const auto run = runDscope({"-wqn", "syscall::write:entry /pid == $target/ { " + actions + " }", "-c", "/bin/echo hello"});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
        QCOMPARE(run.out.trimmed(), out.trimmed());
    }
    void whatIsNotThereIsAFault()
    {
        const auto run
            = runDscope({"-wqn", "BEGIN { copyoutstr(\"x\", 0, 2); } ERROR { exit(arg4 == DTRACEFLT_BADADDR && arg5 == 0 ? 0 : 1); }"});
        QVERIFY2(run.status == 0 && run.err.contains("invalid address (0x0) in action #1"), run.err.constData());
    }
};
QTEST_GUILESS_MAIN(TestCopyout)
#include "tst_copyout.moc"
