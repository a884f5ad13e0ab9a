// needs-programs: dscope
// System calls, held against what strace counts and what the workloads are known to do.
#include "tests/support/counts.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
/// What `strace -c` counts of a command and all that it starts.
QMap<QByteArray, qint64> countedByStrace(const QStringList& command)
{
    const QTemporaryDir dir;
    const auto file = dir.filePath(QStringLiteral("counts"));
    QMap<QByteArray, qint64> all;
    if (runDscope(QStringList{"-f", "-q", "-c", "-U", "calls,errors,name", "-o", file} + command, {}, "strace").status != 0) return all;
    QFile counts(file);
    if (!counts.open(QIODevice::ReadOnly)) return all;
    const auto lines = counts.readAll().split('\n');
    for (const auto& line : lines) {
        const auto words = line.simplified().split(' ');
        // strace may write the number of a process in front of the heading.
        if (words.size() < 2 || words.size() > 3 || words[0].toLongLong() <= 0 || words.last() == "total") continue;
        all[words.last()] = words[0].toLongLong() - (words.size() == 3 ? words[1].toLongLong() : 0);
    }
    return all;
}
} // namespace

class TestSyscall : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void callsAreThoseThatStraceCounts_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("files") << QStringList{"/bin/ls", "/usr/bin"};
        QTest::newRow("writes") << QStringList{kPrograms + "known_writes", "512", "4000"};
        QTest::newRow("processes and threads") << QStringList{kPrograms + "births", "5"};
    }
    /// Those that succeed: how often a signal makes the kernel begin one anew depends on the moment.
    void callsAreThoseThatStraceCounts()
    {
        QFETCH(const QStringList, command);
        const auto expected = countedByStrace(command);
        if (expected.isEmpty()) QSKIP("needs strace");
        const auto run = runApart({"-x", "evaltime=exec", "-qn",
            "syscall:::entry /progenyof($target)/ { @[probefunc] = sum(1); }"
            " syscall:::return /progenyof($target) && errno/ { @[probefunc] = sum(-1); } END { printa(\"%s %@d\\n\", @); }", "-c", command.join(' ')});
        const auto ours = countsIn(run.out);
        for (auto it = expected.begin(); it != expected.end(); ++it) {
            // What depends on the moment: how memory is laid out, whether somebody had to be waited for.
            if (QList<QByteArray>{"brk", "mmap", "munmap", "futex", "restart_syscall", "getrandom", "execve", "rt_sigprocmask"}.contains(
                    it.key()))
                continue;
            QVERIFY2(ours[it.key()] == it.value(),
                it.key() + ": " + QByteArray::number(ours[it.key()]) + " here, strace counts " + QByteArray::number(it.value()));
        }
    }
    void everyEntryReturns()
    {
        const auto run = runApart({"-qn",
            "syscall:::entry /pid == $target/ { @[\"in\"] = sum(1); self->in = 1; }"
            " syscall:::return /self->in/ { @[\"out\"] = sum(1); } END { printa(\"%s %@d\\n\", @); }",
            "-c", kPrograms + "known_writes 512 3000"});
        const auto c = countsIn(run.out);
        QVERIFY(c["in"] > 3000);
        QCOMPARE(c["in"], c["out"] + 1); // exit_group() does not
    }
    void errnoIsOfTheLastCallThatReturned()
    {
        const auto run = runApart({"-qn",
            "syscall::close:return /pid == $target && errno == EBADF/ { @[\"failed\"] = sum(1); }"
            " pid$target:a.out:afterFailure:entry { @[\"then\"] = sum(errno == EBADF); }"
            " syscall::getppid:entry /pid == $target/ { @[\"next\"] = sum(errno); }"
            " pid$target:a.out:afterSuccess:entry { @[\"others\"] = sum(errno); @[\"times\"] = sum(1); }"
            " BEGIN,END { @[\"ours\"] = sum(errno); } END { printa(\"%s %@d\\n\", @); }",
            "-c", kPrograms + "failing_calls 20"});
        const auto c = countsIn(run.out);
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(c["failed"], 20);
        QCOMPARE(c["then"], 20);
        QCOMPARE(c["next"], 0); // a call that begins has no error yet
        QCOMPARE(c["times"], 20);
        QCOMPARE(c["others"], 0);
        QCOMPARE(c["ours"], 0);
    }
    /// 20 and 6 are writev and lstat of 64-bit programs.
    void callsOf32BitProgramsHaveTheirNamesAndArguments()
    {
        const auto own = runDscope({"7"}, {}, kPrograms + "compat_calls").out;
        if (own != "answered 14\n") QSKIP("this kernel takes no 32-bit system calls");
        const auto run = runApart({"-qn",
            "syscall::getpid:return,syscall::writev:entry,syscall::lstat:entry,syscall::*lstat*:entry /pid == $target/ { @[probefunc] = "
            "sum(1); }"
            "syscall::close:entry /pid == $target && arg0 == 12345/ { @[\"closes\"] = sum(1); }"
            "syscall::close:return /pid == $target && errno == EBADF/ { @[\"refused\"] = sum(1); } END { printa(\"%s %@d\\n\", @); }",
            "-c", kPrograms + "compat_calls 7"});
        const auto c = countsIn(run.out);
        QCOMPARE(c["getpid"], 14);
        QCOMPARE(c["closes"], 7);
        QCOMPARE(c["refused"], 7);
        QCOMPARE(c["writev"] + c["lstat"], 0);
    }
    /// The same where a program serves one call alone, and so has no table of them.
    void oneCallOf32BitPrograms_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<int>("times");
        QTest::newRow("entry, 64-bit ones too") << "syscall::getpid:entry" << 14;
        QTest::newRow("return, 64-bit ones too") << "syscall::getpid:return" << 14;
        QTest::newRow("with its arguments") << "syscall::close:entry /arg0 == 12345/" << 7;
        QTest::newRow("another call has its number") << "syscall::writev:entry" << 0;
        QTest::newRow("another call has its number, return") << "syscall::lstat:return" << 0;
    }
    void oneCallOf32BitPrograms()
    {
        QFETCH(const QString, probe);
        QFETCH(const int, times);
        const auto own = runDscope({"7"}, {}, kPrograms + "compat_calls").out;
        if (own != "answered 14\n") QSKIP("this kernel takes no 32-bit system calls");
        const auto run
            = runApart({"-qn", probe + " { @[pid == $target ? \"own\" : \"other\"] = count(); } END { printa(\"%s %@d\\n\", @); }", "-c",
                kPrograms + "compat_calls 7"});
        QCOMPARE(countsIn(run.out)["own"], times);
    }
    /// Scripts of Solaris name calls that are others here: their globs find those.
    void namesOfOldScriptsAsGlobs_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<QByteArray>("found");
        QTest::newRow("open") << "syscall::open*:entry" << QByteArray("openat");
        QTest::newRow("stat") << "syscall::*stat*:entry" << QByteArray("stat");
        QTest::newRow("getdents") << "syscall::getdents*:entry" << QByteArray("getdents64");
    }
    void namesOfOldScriptsAsGlobs()
    {
        QFETCH(const QString, probe);
        QFETCH(const QByteArray, found);
        const auto run = runApart({"-qn", probe + " /pid == $target/ { @[probefunc] = count(); }", "-c", "/bin/ls /usr/bin"});
        // Which of them a C library calls, it says itself: ls takes newfstatat with one, statx with another.
        const auto counts = countsIn(run.out);
        QVERIFY2(std::any_of(counts.keyBegin(), counts.keyEnd(), [&](const QByteArray& call) { return call.contains(found); }), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestSyscall)
#include "tst_syscall.moc"
