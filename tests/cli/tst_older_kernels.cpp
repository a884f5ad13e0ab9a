// needs-programs: dscope
// The code that is made for older kernels, on this one: it gives what the other code gives, and what cannot be is refused with the
// kernel that brought it. (.ci/matrix kernels runs it where it belongs.)
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
using namespace dscope::tests;

class TestOlderKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void programsGiveTheSame_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("out"); // a regular expression over the whole
        const auto row = [](const char* name, const char* program, const char* command, const char* out) {
            for (const auto* version : {"5.10", "5.15"})
                QTest::newRow(qPrintable(QStringLiteral("%1 on %2").arg(QString::fromLatin1(name), QString::fromLatin1(version)))) << program << command << out;
        };
        row("aggregations", "BEGIN { @a = count(); @b = sum(5); @c = stddev(3); @d = quantize(8); @e = avg(4); exit(0); }", "", "\\s+1\\s+5\\s+0\\s+value[^@]*\\s+8 \\|@+ 1 [^@]*\\s4\\s*");
        row("a system call's argument", "syscall::openat:return /pid == $target && errno == 0/ { printf(\"%s\\n\", fds[arg0].fi_pathname); }", "/bin/cat /etc/hostname", "(.*\n)*/etc/hostname\n(.*\n)*");
        row("a system call's result", "syscall::read:return /pid == $target && arg0 > 0/ { @[execname] = count(); }", "/bin/cat /etc/hostname", "(.*\n)*\\s*cat\\s+[1-9]\\d*\\s*");
        row("strings", "BEGIN { printf(\"%s %s %d %s\", substr(\"abcdef\", 2, 3), strjoin(\"a\", \"b\"), index(\"hello\", \"l\"), basename(\"/x/y\")); exit(0); }", "", "cde ab 2 y\n");
        row("processes", "proc:::exec-success { printf(\"%s %s\\n\", execname, curpsinfo->pr_psargs); }", "/bin/true word", "(.*\n)*true /bin/true word\n(.*\n)*");
        row("the scheduler", "sched:::on-cpu /pid == $target/ { @[execname] = count(); }", "/bin/sleep 0.1", "(.*\n)*\\s*sleep\\s+[1-9]\\d*\\s*");
        row("stacks of the kernel", "sched:::off-cpu /pid == $target/ { @[stack()] = count(); }", "/bin/sleep 0.1", "(.*\n)*\\s+vmlinux`.*schedule(.*\n)*");
        row("stacks of a program", "profile-97 /pid == $target/ { @[ustack()] = count(); }", DSCOPE_PROGRAMS "/two_chains 1", "(.*\n)*\\s+two_chains`main.*\n(.*\n)*");
        row("control groups", "syscall::exit_group:entry /pid == $target/ { printf(\"%s %d\", cgroup, strlen(container) < 65); }",
            "/bin/true", "/.* 1\n");
        row("the current task", "syscall::exit_group:entry /pid == $target/ { printf(\"%d %d %s\", curthread->pid == tid, curthread->real_parent->tgid == ppid, curthread->comm); }", "/bin/true", "1 1 true\n");
    }
    void programsGiveTheSame()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, program);
        QFETCH(QString, command);
        QFETCH(QString, out);
        const auto version = QString::fromUtf8(QTest::currentDataTag()).section(QChar(' '), -1);
        QStringList words{"-x", "_kernel=" + version, "-qn", program};
        if (!command.isEmpty()) words << "-c" << command;
        const auto run = runDscope(words);
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
        QVERIFY2(QRegularExpression(QRegularExpression::anchoredPattern(out)).match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData());
    }
    /// Of aggregations that are cleared and truncated all the time while threads on all CPUs go on, nothing is lost. On 5.10 keys
    /// leave the maps in two steps, here as there.
    void nothingIsLostWhileKeysLeave_data()
    {
        QTest::addColumn<QString>("version");
        for (const auto* version : {"5.10", "5.15"})
            QTest::newRow(version) << QString::fromLatin1(version);
    }
    void nothingIsLostWhileKeysLeave()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, version);
        const qint64 threads = 4, each = isSlowMachine() ? 5'000 : 100'000;
        const QString shown = "printa(\"all %@d\\n\", @a); printa(\"keys %d %@d\\n\", @k); printa(\"sum %d %@d\\n\", @s); printa(\"most %d %@d\\n\", @m); ";
        const auto run = runApart({"-x", "_kernel=" + version, "-qn",
            "syscall::lseek:entry /pid == $target/ { @a = count(); @k[arg1 & 63] = count(); @s[arg1 & 15] = sum(2); @m[arg1 & 7] = max(arg1); }"
            " tick-10ms { " + shown + "trunc(@a); trunc(@k); clear(@s); clear(@m); }"
            " END { " + shown + "trunc(@a); trunc(@k); trunc(@s); trunc(@m); }",
            "-c", QStringLiteral(DSCOPE_PROGRAMS "/crowd %1 %2").arg(threads).arg(each)});
        // A thread's call may interrupt another's on its CPU; the kernel then runs no program for it, and says so.
        static const QRegularExpression notSeen(QStringLiteral("^(?:dtrace: (\\d+) firings? not seen [^\\n]*\\n)?$"));
        const auto told = notSeen.match(QString::fromUtf8(run.err));
        QVERIFY2(run.status == 0 && told.hasMatch(), run.err.constData());
        QHash<QByteArray, qint64> sums;
        qint64 most = -1;
        for (const auto& line : run.out.split('\n')) {
            const auto words = line.simplified().split(' ');
            if (words[0] == "most")
                most = std::max(most, words.back().toLongLong());
            else
                sums[words[0]] += words.back().toLongLong();
        }
        const auto seen = threads * each - told.captured(1).toLongLong();
        QCOMPARE(sums["all"], seen);
        QCOMPARE(sums["keys"], seen);
        QCOMPARE(sums["sum"], 2 * seen);
        QVERIFY(most == threads * each - 1 || seen < threads * each);
    }
    void whatCannotBeNamesItsKernel_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("thread-local variables") << "BEGIN { self->x = 1; }" << QByteArray("needs task storage, which came with Linux 5.11");
        QTest::newRow("speculations") << "BEGIN { self = speculation(); }" << QByteArray("came with Linux 5.1");
        QTest::newRow("long stacks in keys") << "BEGIN { @[stack(100)] = count(); }" << QByteArray("needs hashes with long keys, which came with Linux 5.11");
        QTest::newRow("paths of each part of a request") << "io:::done { trace(args[2]->fi_pathname); }" << QByteArray("needs bpf_loop, which came with Linux 5.17");
        QTest::newRow("the control group at each part of a request")
            << "io:::done { trace(cgroup); }" << QByteArray("needs bpf_loop, which came with Linux 5.17");
        QTest::newRow("the container at each part of a request")
            << "io:::done { @[container] = count(); }" << QByteArray("needs bpf_loop, which came with Linux 5.17");
        QTest::newRow("long tuples") << "BEGIN { x[execname, \"a\"] = 1; }" << QByteArray("needs hashes with long keys, which came with Linux 5.11");
        QTest::newRow("vtimestamp") << "BEGIN { trace(vtimestamp); }" << QByteArray("needs task storage, which came with Linux 5.11");
    }
    void whatCannotBeNamesItsKernel()
    {
        QFETCH(QString, program);
        QFETCH(QByteArray, told);
        const auto run = runDscope({"-x", "_kernel=5.10", "-e", "-n", program.replace("self = ", "this->s = "), "-c", "/bin/true"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("this kernel is too old for ") && run.err.contains(told), run.err.constData());
        QVERIFY(!run.err.contains("bug of dscope"));
    }
    /// Two of D's strings are more than a hash of 5.10 has keys for: they are cut, and that is told.
    void stringsInKeysAreCutAndThatIsTold()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QByteArray path = QByteArray("/tmp/") + QByteArray(250, 'x');
        const auto run = runDscope({"-x", "_kernel=5.10", "-qn",
            "syscall::open*:entry /pid == $target/ { @[copyinstr(arg1), execname, copyinstr(arg1)] = count(); }", "-c", "/bin/cat " + QString::fromUtf8(path) + " /etc/hostname"});
        QVERIFY2(run.err.contains("strings in the key of @ are cut to 248 bytes: keys of more than 512 bytes need Linux 5.11"), run.err.constData());
        QVERIFY2(run.out.contains(path.first(247)) && !run.out.contains(path.first(249)), run.out.constData());
        QVERIFY2(QRegularExpression(QStringLiteral("/etc/hostname +cat +/etc/hostname +1\n")).match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData());
    }
    void functionsOfAProcessNameTheirKernel()
    {
        const auto run = runDscope({"-x", "_kernel=5.10", "-e", "-n", "pid$target:a.out:main:entry { }", "-c", DSCOPE_PROGRAMS "/two_chains 0"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("this kernel is too old for the providers pid and usdt: that needs bpf_get_attach_cookie, which came with Linux 5.15"), run.err.constData());
    }
};
QTEST_GUILESS_MAIN(TestOlderKernels)
#include "tst_older_kernels.moc"
