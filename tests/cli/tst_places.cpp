// needs-programs: dscope
// Machines that tell less than this one: a namespace of mounts hides what they do not have. What works there works, what cannot says
// what is missing and who has it, and nothing is called a bug of dscope.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
using namespace dscope::tests;
namespace {
/// dscope where a command has hidden something before.
Outcome where(const QString& hides, const QStringList& arguments)
{
    return runDscope(QStringList{"-m", "--propagation", "private", "sh", "-c", hides + " && exec \"$0\" \"$@\"", DSCOPE_BIN "/dscope"} + arguments, {}, "unshare");
}
const QString kNoTypes = QStringLiteral("mount -t tmpfs none /sys/kernel/btf");
const QString kNoTracefs = QStringLiteral("mount -t tmpfs none /sys/kernel/tracing && if [ -d /sys/kernel/debug/tracing ]; then mount -t tmpfs none /sys/kernel/debug; fi");
/// As kptr_restrict shows it to those who may not see: every address is 0.
const QString kNoAddresses = QStringLiteral("f=$(mktemp) && sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >$f && mount --bind $f /proc/kallsyms && rm $f");
} // namespace

class TestPlaces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (runDscope({"-m", "mount", "-t", "tmpfs", "none", "/sys/kernel/btf"}, {}, "unshare").status != 0) QSKIP("nothing can be mounted here");
    }
    void withoutTheKernelsTypesSomeWorks_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("out");
        QTest::addColumn<QString>("command");
        const auto row = [](const char* name, const char* program, const char* out, const char* command = "/bin/true") {
            QTest::newRow(name) << QString::fromLatin1(program) << QByteArray(out) << QString::fromLatin1(command);
        };
        row("BEGIN and aggregations", "BEGIN { @ = quantize(8); exit(0); }", "@@@");
        row("system calls", "syscall::exit_group:entry /pid == $target/ { trace(execname); }", "true");
        row("thread-local variables", "BEGIN { self->t = 5; printf(\"%d\", self->t); exit(0); }", "5");
        row("time", "tick-10ms { printf(\"ticked\"); exit(0); }", "ticked", "/bin/sleep 60"); // a command that ends ends the run
    }
    void withoutTheKernelsTypesSomeWorks()
    {
        QFETCH(QString, program);
        QFETCH(QByteArray, out);
        QFETCH(QString, command);
        const auto run = where(kNoTypes, {"-qn", program, "-c", command});
        QCOMPARE(run.err, QByteArray());
        QVERIFY2(run.status == 0 && run.out.contains(out), run.out.constData());
    }
    void withoutTheKernelsTypesOthersSayWhoHasThem_data()
    {
        QTest::addColumn<QString>("program");
        const auto row = [](const char* name, const char* program) { QTest::newRow(name) << QString::fromLatin1(program); };
        row("processes", "proc:::exec-success { trace(execname); }");
        row("stacks of programs", "profile-97 /pid == $target/ { @[ustack()] = count(); }");
        row("the parent", "BEGIN { trace(ppid); exit(0); }");
        row("the current thread", "BEGIN { trace(curthread->pid); exit(0); }");
        row("requests of disks", "io:::start { trace(args[0]->b_bcount); }");
        row("packets", "ip:::send { trace(args[2]->ip_plength); }");
        row("a kernel's structure", "BEGIN { trace(sizeof (struct task_struct)); exit(0); }");
        row("tracepoints by their types", "rawtp:::sched_switch { exit(0); }");
        row("probes of a provider that are found by types", "lockstat:::rw-block { @ = count(); }");
        row("constants that a provider names", "sysinfo:::bawrite { @ = count(); }");
        row("more of these", "vminfo:::pgswapout { @ = count(); }");
        row("control groups", "BEGIN { trace(cgroup); exit(0); }");
    }
    void withoutTheKernelsTypesOthersSayWhoHasThem()
    {
        QFETCH(QString, program);
        const auto run = where(kNoTypes, {"-qn", program, "-c", "/bin/true"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("/sys/kernel/btf/vmlinux") && run.err.contains("CONFIG_DEBUG_INFO_BTF=y"), run.err.constData());
        QVERIFY2(!run.err.contains("bug of dscope") && run.err.count("dtrace: ") == 1, run.err.constData());
    }
    /// It tries every provider there.
    void theDoctorSaysWhatIsMissing_data()
    {
        QTest::addColumn<QString>("hides");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no types") << kNoTypes << QByteArray("CONFIG_DEBUG_INFO_BTF=y");
        QTest::newRow("no tracefs") << kNoTracefs << QByteArray("tracefs is not mounted; dscope reads it in a mount of its own");
        QTest::newRow("no addresses") << kNoAddresses << QByteArray("rights");
    }
    void theDoctorSaysWhatIsMissing()
    {
        QFETCH(QString, hides);
        QFETCH(QByteArray, says);
        const auto run = where(hides, {"--doctor"});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
        QVERIFY2(run.out.simplified().contains(says.simplified()), run.out.constData());
        QVERIFY2(!run.out.simplified().contains("bug of dscope"), run.out.constData());
        for (const auto* inner : {"Unknown variable name", "does not match any probes"}) QVERIFY2(!run.out.simplified().contains(inner), run.out.constData());
        QVERIFY2(QRegularExpression("\nsyscall +\\d+ probes, works\n").match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData());
    }
    void withoutTracefsWorks_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("out");
        const auto row = [](const char* name, const char* program, const char* command, const char* out) { QTest::newRow(name) << QString::fromLatin1(program) << QString::fromLatin1(command) << QByteArray(out); };
        row("system calls", "syscall::exit_group:entry /pid == $target/ { trace(execname); }", "/bin/true", "true");
        row("processes", "proc:::exec-success /pid == $target/ { trace(curpsinfo->pr_psargs); }", "/bin/true word", "/bin/true word");
        row("the scheduler", "sched:::on-cpu /pid == $target/ { @ = count(); } END { printa(\"seen\", @); }", "/bin/sleep 0.1", "seen");
        row("functions", "pid$target:a.out:leaf:entry { @ = count(); } END { printa(\"leaf %@d\", @); }", DSCOPE_PROGRAMS "/calls 100", "leaf 238");
        row("marks", "marked$target::one:twice { @ = count(); } END { printa(\"marks %@d\", @); }", DSCOPE_PROGRAMS "/marked 10", "marks ");
        row("stacks", "profile-97 /pid == $target/ { @[ustack(2)] = count(); }", DSCOPE_PROGRAMS "/two_chains 1", "two_chains`");
        row("tracepoints by their types", "rawtp:::sched_process_exit { exit(0); } END { printf(\"seen\"); }", "/bin/true", "seen");
    }
    void withoutTracefsWorks()
    {
        QFETCH(QString, program);
        QFETCH(QString, command);
        QFETCH(QByteArray, out);
        const auto run = where(kNoTracefs, {"-qn", program, "-c", command});
        QVERIFY2(run.status == 0 && run.out.contains(out), run.out + run.err);
    }
    /// Stacks of the kernel have addresses then, and nobody's names.
    void withoutAddressesNoNameIsInvented()
    {
        const auto run = where(kNoAddresses, {"-qn", "sched:::off-cpu /pid == $target/ { @[stack(3)] = count(); }", "-c", "/bin/sleep 0.1"});
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.out.contains("0xffffffff") && !run.out.contains("vmlinux`"), run.out.constData());
    }
};
QTEST_GUILESS_MAIN(TestPlaces)
#include "tst_places.moc"
