// needs-programs: dscope
// Kernel functions, held against a program that writes as often and as much as it is told; and the kernel's data.
// The machine that builds has no kprobes: these run in the guest (tests/vm), and say here why not.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QHash>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <sys/sysinfo.h>
using namespace dscope::tests;
namespace {
const QString kWrites = QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 7 4096 25 5000 10");
constexpr int kCalls = 7 + 25 + 10, kBytes = 7 * 100 + 25 * 4096 + 10 * 5000;

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Why there is no fbt, as dscope says it; nothing where there is.
QByteArray whyNoFbt()
{
    const auto listed = runDscope({"-lvn", "fbt:vmlinux:vfs_write:entry"}).out;
    const auto at = listed.indexOf("Unavailable\n");
    return at < 0 ? QByteArray() : listed.mid(at + 12).trimmed();
}
/// Lines of an aggregation with one key.
QHash<QByteArray, int> countsIn(const QByteArray& out)
{
    QHash<QByteArray, int> counts;
    for (const auto& line : out.split('\n'))
        if (const auto words = line.simplified().split(' '); words.size() == 2) counts[words[0]] = words[1].toInt();
    return counts;
}
} // namespace

class TestFbt : public QObject {
    Q_OBJECT
    QByteArray m_why;
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        m_why = whyNoFbt();
    }
    void whereItCannotBeHadItIsSaidWhy()
    {
        if (m_why.isEmpty()) QSKIP("this kernel lets its functions be probed");
        QVERIFY2(m_why.contains("kprobes") && m_why.contains("linux-image-amd64"), m_why);
        QCOMPARE(runDscope({"-ln", "fbt:::"}).out.count('\n'), 1); // the heading
        const auto run = runDscope({"-n", "fbt::vfs_write:entry"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("does not match any probes"), run.err);
        QVERIFY2(run.err.contains("fbt:vmlinux:vfs_write:entry is not available: " + m_why), run.err);
    }
    void everyCallIsAnEntryAndAReturn()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        const auto run = runDscope({"-qn",
            "fbt::vfs_write:entry /pid == $target/ { @n[\"entries\"] = count(); @s[\"asked\"] = sum(args[2]); self->in = 1; } "
            "fbt::vfs_write:return /self->in/ { @n[\"returns\"] = count(); @s[\"written\"] = sum(args[1]); @m[\"offset\"] = min(arg0); "
            "self->in = 0; }",
            "-c", kWrites});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QCOMPARE(countsIn(run.out),
            (QHash<QByteArray, int>{{"entries", kCalls}, {"asked", kBytes}, {"returns", kCalls}, {"written", kBytes}, {"offset", -1}}));
    }
    void argumentsHaveTheirTypes()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        const auto listed = runDscope({"-lvn", "fbt:vmlinux:vfs_write:entry"}).out;
        QVERIFY2(listed.contains("args[0]: struct file *") && listed.contains("args[2]: size_t"), listed);
        const auto run = runDscope({"-qn",
            "fbt::vfs_write:entry /pid == $target/ { @[stringof(args[0]->f_path.dentry->d_name.name)] = count(); }", "-c", kWrites});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(countsIn(run.out), (QHash<QByteArray, int>{{"null", kCalls}}));
    }
    void stacksBeginInTheFunction()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        const auto run
            = runDscope({"-qn", "fbt::vfs_write:entry /pid == $target/ { stack(3); printf(\"%a\", caller); exit(0); }", "-c", kWrites});
        static const QRegularExpression kStack(
            R"(^\s*vmlinux`vfs_write(\+0x[0-9a-f]+)?\n\s*vmlinux`ksys_write\+0x[0-9a-f]+\n.*\n\s*vmlinux`ksys_write\+0x)");
        QVERIFY2(kStack.match(QString::fromUtf8(run.out)).hasMatch(), run.out);
    }
    /// One program at many functions, told apart by their addresses.
    void manyFunctionsAreToldApart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("entry") << "entry";
        QTest::newRow("return") << "return";
    }
    void manyFunctionsAreToldApart()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        QFETCH(QString, name);
        const auto probes = QString("fbt::vfs_w*:%1,fbt::vfs_r*:%1,fbt::vfs_s*:%1,fbt::ksys_write:%1").arg(name);
        // Held before its program is loaded, which the loader then reads.
        const auto run = runDscope({"-x", "evaltime=exec", "-qn", probes + " /pid == $target/ { @[probefunc] = count(); }", "-c", kWrites});
        QCOMPARE(run.status, 0);
        const auto counts = countsIn(run.out);
        QCOMPARE(counts.value("vfs_write"), kCalls);
        QCOMPARE(counts.value("ksys_write"), kCalls);
        QVERIFY2(counts.value("vfs_read") > 0, run.out); // of the program loader
        QVERIFY2(!contents("/sys/kernel/tracing/kprobe_events").contains("dscope_"), "events are left in tracefs");
    }
    void allFunctionsCanBeHadAtOnce()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        // 5.18 and later, built with CONFIG_FPROBE. Source: kernel/trace/fprobe.c
        if (!contents("/proc/kallsyms").contains(" register_fprobe_ips\n"))
            QSKIP("this kernel attaches to its functions one after the other, which takes minutes");
        const QString probes = isSlowMachine() ? "fbt::k*:entry,fbt::s*:entry,fbt::v*:entry" : "fbt:::entry";
        const auto run = runDscope({"-qn", probes + " /pid == $target/ { calls[probefunc]++; } "
            "END { printf(\"vfs_write %d\\nksys_write %d\\n\", calls[\"vfs_write\"], calls[\"ksys_write\"]); }", "-c", kWrites});
        QCOMPARE(run.status, 0);
        QCOMPARE(countsIn(run.out), (QHash<QByteArray, int>{{"vfs_write", kCalls}, {"ksys_write", kCalls}}));
        static const QRegularExpression kLeft(R"((\d+) of (\d+) kernel functions are not probed)");
        const auto left = kLeft.match(QString::fromUtf8(run.err));
        if (run.err.isEmpty()) return; // of this kernel's functions none is forbidden
        QVERIFY2(left.hasMatch() && left.captured(1).toInt() * 100 < left.captured(2).toInt(), run.err);
        QVERIFY2(left.captured(2).toInt() > (isSlowMachine() ? 4000 : 20000), run.err);
    }
    void functionsOfModulesToo()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        if (!contents("/proc/modules").contains("overlay ")) QSKIP("needs the overlay file system of the guest");
        const auto run = runDscope(
            {"-qn", "fbt:overlay:ovl_open:entry /pid == $target/ { @[probemod, stringof(args[1]->f_path.dentry->d_name.name)] = count(); }",
                "-c", "/bin/cat /etc/hostname"});
        QCOMPARE(run.status, 0);
        static const QRegularExpression kOpened(R"(overlay\s+hostname\s+1\n)");
        QVERIFY2(kOpened.match(QString::fromUtf8(run.out)).hasMatch(), run.out + run.err);
    }
    /// Before 6.17 it is a function alone that tells of a thread which waited that it is back; compilers make a clone of it, which the
    /// kernel's types do not tell of.
    void whoWaitsForADiskComesBackByAFunction()
    {
        if (!m_why.isEmpty()) QSKIP(m_why.constData());
        if (!QFile::exists("/dev/vda")) QSKIP("there is no disk /dev/vda to read from");
        const auto run = runDscope({"-qn", "io:::wait-start, io:::wait-done /pid == $target/ { @[probename] = count(); }", "-c",
            "dd if=/dev/vda of=/dev/null bs=64k count=64 iflag=direct status=none"});
        QVERIFY2(run.status == 0, run.err);
        const auto counts = countsIn(run.out); // none where each read was through before its thread could leave the processor
        QVERIFY2(counts["wait-done"] == counts["wait-start"], run.out + run.err);
    }
    void dataOfTheKernelCanBeRead()
    {
        const auto banner = contents("/proc/version");
        if (!contents("/proc/kallsyms").contains(" linux_banner\n"))
            QSKIP("this kernel keeps the names of its data to itself (CONFIG_KALLSYMS_ALL)");
        struct sysinfo before {
        }, after{};
        QCOMPARE(::sysinfo(&before), 0);
        const auto run = runDscope({"-qn", "BEGIN { printf(\"%d\\n%s\", (int64_t)`jiffies_64 - 4294967296, (string)`linux_banner); exit(0); }"});
        QCOMPARE(run.err, QByteArray());
        const auto lines = run.out.split('\n');
        QCOMPARE(lines[1], banner.trimmed());
        // They begin five minutes before 2^32, and are 100 to 1000 a second. Source: include/linux/jiffies.h, INITIAL_JIFFIES
        QCOMPARE(::sysinfo(&after), 0);
        const auto jiffies = lines[0].toLongLong();
        bool fits = false;
        for (const int hz : {100, 250, 300, 1000})
            fits = fits || (jiffies / hz + 300 >= before.uptime - 2 && jiffies / hz + 300 <= after.uptime + 2);
        QVERIFY2(fits, run.out);
    }
    /// sysinfo(2) gives the same three numbers, shifted: they change every five seconds.
    void arraysOfTheKernelCanBeRead()
    {
        if (!contents("/proc/kallsyms").contains(" avenrun\n"))
            QSKIP("this kernel keeps the names of its data to itself (CONFIG_KALLSYMS_ALL)");
        struct sysinfo before {
        }, after{};
        QCOMPARE(::sysinfo(&before), 0);
        const auto run = runDscope({"-qn", "BEGIN { printf(\"%d %d %d\", `avenrun[0], `avenrun[1], `avenrun[2]); exit(0); }"});
        QCOMPARE(::sysinfo(&after), 0);
        QCOMPARE(run.err, QByteArray());
        const auto numbers = run.out.trimmed().split(' ');
        QCOMPARE(numbers.size(), 3);
        constexpr int kShift = SI_LOAD_SHIFT - 11; // Source: include/linux/sched/loadavg.h, FSHIFT
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax({before.loads[i] >> kShift, after.loads[i] >> kShift});
            const auto load = numbers[i].toULongLong();
            QVERIFY2(load >= low && load <= high, run.out);
        }
    }
};
QTEST_GUILESS_MAIN(TestFbt)
#include "tst_fbt.moc"
