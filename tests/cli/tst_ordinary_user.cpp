// needs-programs: dscope
// The window's helper is started as root and becomes the user who asked: what /proc and strace see of that.
#include "tests/support/children_of.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <linux/capability.h>
#include <sys/stat.h>
using namespace dscope::tests;
namespace {
constexpr auto kNobody = "65534";
QByteArray contents(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void put(const QString& name, const QByteArray& text)
{
    QFile file(name);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), qPrintable(file.errorString()));
}
/// The words behind `name` in /proc/PID/status.
QByteArrayList valueOf(const QByteArray& status, const char* name)
{
    for (const auto& line : status.split('\n'))
        if (line.startsWith(name)) return line.mid(qsizetype(qstrlen(name)) + 1).simplified().split(' ');
    return {};
}
quint64 capabilitiesOf(const QByteArray& status, const char* set) { return valueOf(status, set).value(0).toULongLong(nullptr, 16); }
quint64 bits(std::initializer_list<unsigned> all)
{
    quint64 sum = 0;
    for (const auto bit : all)
        sum |= quint64(1) << bit;
    return sum;
}
} // namespace

class TestOrdinaryUser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QVERIFY(m_dir.isValid() && QDir::setCurrent(m_dir.path()));
        // The user may write there, and look into it.
        QVERIFY(QDir().mkdir("theirs") && ::chmod(qPrintable(m_dir.path()), 0711) == 0 && ::chown("theirs", 65'534, 65'534) == 0);
    }
    void nothingOfItIsRoot()
    {
        put("who.d", "profile-97 /pid == $target/ { @[ustack()] = count(); }");
        QProcess helper;
        start(helper, DSCOPE_BIN "/dscope", {"--stream", "1", "-s", "who.d", "-c", DSCOPE_PROGRAMS "/two_chains 600"});
        const auto pid = helper.processId();
        // The command is let go when tracing has begun.
        const auto isCommand = [](const QByteArray& child) { return contents("/proc/" + child + "/comm") == "two_chains\n"; };
        const auto runs = [&] {
            const auto all = childrenOf(pid);
            return std::any_of(all.begin(), all.end(), isCommand);
        };
        QTRY_VERIFY_WITH_TIMEOUT(runs(), 60'000);
        // It is held until events are opened, by one that begins beside it.
        const auto serves = [&] {
            const auto all = childrenOf(pid);
            return std::any_of(all.begin(), all.end(),
                [](const QByteArray& child) { return valueOf(contents("/proc/" + child + "/status"), "Seccomp:").value(0) == "2"; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(serves(), 60'000);
        const auto ids = runDscope({"-G", "nobody"}, {}, "id").out.simplified().split(' ');
        const auto looked = [&](const QByteArray& status, quint64 allowed) {
            const QByteArrayList four(4, kNobody);
            return valueOf(status, "Uid:") == four && valueOf(status, "Gid:") == four && valueOf(status, "Groups:") == ids
                && (capabilitiesOf(status, "CapPrm:") & ~allowed) == 0 && (capabilitiesOf(status, "CapEff:") & ~allowed) == 0
                && capabilitiesOf(status, "CapInh:") == 0 && capabilitiesOf(status, "CapAmb:") == 0;
        };
        constexpr unsigned kPerfmon = 38, kBpf = 39, kCheckpointRestore = 40;
        const auto tracing
            = bits({CAP_DAC_READ_SEARCH, CAP_KILL, CAP_IPC_LOCK, CAP_SYS_PTRACE, CAP_SYSLOG, kPerfmon, kBpf, kCheckpointRestore});
        for (const auto& thread : QDir(QStringLiteral("/proc/%1/task").arg(pid)).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const auto status = contents(QStringLiteral("/proc/%1/task/%2/status").arg(pid).arg(thread));
            QVERIFY2(status.isEmpty() || looked(status, tracing), status.constData()); // a thread may have ended
        }
        // Who has its user id and not its capabilities sees nothing of it.
        const auto seen = runDscope(
            {"--reuid", kNobody, "--regid", kNobody, "--clear-groups", "cat", QStringLiteral("/proc/%1/maps").arg(pid)}, {}, "setpriv");
        QVERIFY2(seen.status != 0 && seen.out.isEmpty(), seen.out + seen.err);
        // The command, which may do what its user may, and the one that opens events, which may do nothing else.
        int commands = 0, openers = 0;
        for (const auto& child : childrenOf(pid)) {
            const auto status = contents("/proc/" + child + "/status");
            const bool isOpener
                = valueOf(status, "Seccomp:").value(0) == "2" && (capabilitiesOf(status, "CapPrm:") & bits({CAP_SYS_ADMIN})) != 0;
            commands += isCommand(child);
            openers += isOpener;
            const auto allowed = isCommand(child) ? 0
                : isOpener                        ? bits({CAP_SYS_ADMIN, CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, kPerfmon})
                                                  : tracing;
            QVERIFY2(looked(status, allowed), status.constData());
        }
        QCOMPARE(commands, 1);
        QCOMPARE(openers, 1);
        helper.closeWriteChannel();
        QVERIFY(helper.waitForFinished(120'000));
        QCOMPARE(helper.exitCode(), 0);
    }
    /// Before it is the user it opens what the loader opens, the program's text, the list of users, and what it keeps for later.
    void nothingIsReadBefore()
    {
        if (runDscope({"-V"}, {}, "strace").status != 0) QSKIP("strace is not here");
        put("first.d", "BEGIN { @[stack()] = count(); exit(0); }");
        QProcess helper;
        start(helper, "strace",
            {"-f", "-qq", "-o", "first.log", "-e", "trace=open,openat,openat2,execve,setresuid", DSCOPE_BIN "/dscope", "--stream", "1",
                "-s", "first.d"});
        QVERIFY(helper.waitForFinished(120'000));
        QVERIFY2(helper.exitCode() == 0, helper.readAllStandardError().constData());
        const auto log = QString::fromUtf8(contents("first.log"));
        const auto main = log.section(QChar(' '), 0, 0);
        static const QRegularExpression opened(QStringLiteral("open(?:at)?\\((?:AT_FDCWD, )?\"([^\"]*)\"")),
            allowed(QStringLiteral(
                "^(?:/usr/lib/|/lib/|/etc/(?:ld\\.so\\.(?:cache|preload)|nsswitch\\.conf|passwd|group)$|first\\.d$|/dev/null$"
                "|/sys/kernel/tracing/[ku]probe_events$|/proc/self/|/proc/sys/)"));
        bool isUser = false, looked = false;
        for (const auto& line : log.split(QChar('\n'))) {
            if (!line.startsWith(main + QChar(' '))) continue;
            if (line.contains(QStringLiteral("setresuid(65534, 65534, 65534")) && !line.contains(QStringLiteral("EPERM"))) isUser = true;
            const auto file = opened.match(line);
            if (file.hasMatch() && isUser) looked = true;
            if (!file.hasMatch() || isUser) continue;
            const auto name = file.captured(1);
            QVERIFY2(allowed.match(name).hasMatch() || name.startsWith(QStringLiteral(DSCOPE_BIN)), qPrintable(line));
        }
        QVERIFY2(isUser && looked, qPrintable(log));
        static const QRegularExpression back(QStringLiteral("setresuid\\(-1, 0, -1\\) += -1 EPERM")); // there is none
        QVERIFY2(back.match(log).hasMatch(), qPrintable(log));
    }
    void whatItMakesIsTheUsers()
    {
        const auto out = streamed("BEGIN { trace(1); exit(0); }", {"--record", "theirs/made.dscope"});
        QVERIFY2(out.status == 0, out.err.constData());
        struct stat about { };
        QVERIFY(::stat("theirs/made.dscope", &about) == 0 && about.st_uid == 65'534 && about.st_gid == 65'534 && about.st_size > 0);
        // Where the user may not write, it may not either.
        QVERIFY(QDir().mkdir("ours"));
        QVERIFY(streamed("BEGIN { trace(1); exit(0); }", {"--record", "ours/made.dscope"}).status != 0);
        QVERIFY(!QFile::exists("ours/made.dscope"));
    }
    /// Who reads the stream is told of them.
    void commandsOfTheProgramAreNotRun()
    {
        const auto out
            = streamed("#pragma D option destructive\nBEGIN { freopen(\"theirs/other\"); system(\"touch theirs/other\"); exit(0); }");
        QVERIFY2(out.status == 0, out.err.constData());
        QVERIFY(!QFile::exists("theirs/other"));
    }
    void tracesAsBefore_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QByteArray>("command"); // empty: a process of root's, found by -p
        QTest::addColumn<QByteArray>("printed");
        const auto row = [](const char* name, const char* program, const char* command, const char* printed) {
            QTest::newRow(name) << QByteArray(program) << QByteArray(command) << QByteArray(printed);
        };
        row("stacks of somebody else's process", "profile-997 /pid == $target/ { @[ustack()] = count(); } tick-1s { exit(0); }", "",
            "two_chains`unit_of_work");
        row("functions of somebody else's process", "pid$target::unit_of_work:entry { @[probefunc] = count(); exit(0); }", "",
            "unit_of_work");
        row("functions", "pid$target:a.out:leaf:entry, pid$target:a.out:leaf:return { @[probename] = count(); }",
            DSCOPE_PROGRAMS "/calls 100", "return");
        row("marks", "marked$target::one:twice { @[\"double\"] = count(); }", DSCOPE_PROGRAMS "/marked 10", "double");
        row("system calls", "syscall::getppid:entry /pid == $target/ { @[\"calls\"] = count(); }", DSCOPE_PROGRAMS "/flood 100", "calls");
        row("a bound of costs", "#pragma D option costlimit=100%\nsyscall::getppid:entry /pid == $target/ { @[\"calls\"] = count(); }",
            DSCOPE_PROGRAMS "/flood 100", "calls");
        row("ticks", "tick-100ms { printf(\"tick\\n\"); exit(0); }", "/bin/sleep 60", "tick");
        row("fields of events", "sdt:sched::sched_process_exit /pid == $target/ { printf(\"%s\\n\", args[0]); }", "/bin/true", "true");
        row("files of processes", "BEGIN { printf(\"%s\\n\", execname); exit(0); }", "/bin/sleep 60", "dscope");
    }
    void tracesAsBefore()
    {
        QFETCH(QByteArray, program);
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, printed);
        QProcess others;
        QStringList words{"-c", command};
        if (command.isEmpty()) {
            others.start(DSCOPE_PROGRAMS "/two_chains", {"600"});
            QVERIFY(others.waitForStarted());
            words = {"-p", QString::number(others.processId())};
        }
        const auto out = streamed(program, words);
        others.kill();
        others.waitForFinished();
        QVERIFY2(out.status == 0 && out.out.contains(printed), out.out + out.err);
    }
    void whatTakesMoreSaysSo()
    {
        const auto out = streamed("#pragma D option destructive\nsyscall::getppid:entry /pid == $target/ { copyoutstr(\"x\", arg0, 2); }",
            {"-c", DSCOPE_PROGRAMS "/flood 100"});
        QVERIFY2(out.status != 0 && out.err.contains("the window's helper gives that up, sudo dscope -w in a terminal has it"),
            out.out + out.err);
    }
    void aUserThatIsNotKnownIsNobodysHelper()
    {
        const auto run
            = runDscope({"-u", "SUDO_UID", "PKEXEC_UID=3999999999", DSCOPE_BIN "/dscope", "--stream", "1", "-n", "BEGIN { exit(0); }"}, {},
                "/usr/bin/env");
        QVERIFY(run.status != 0);
        put("unknown.dscope", run.out);
        const auto told = runDscope({"--replay", "unknown.dscope"});
        QVERIFY2(told.err.contains("cannot become user 3999999999, who asked: no such user"), told.out + told.err);
    }

private:
    /// As pkexec starts it for nobody. Its input stays open, as a window's.
    static void start(QProcess& helper, const QString& program, const QStringList& words)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("SUDO_UID");
        environment.insert("PKEXEC_UID", kNobody);
        environment.insert("ASAN_OPTIONS", "detect_leaks=0"); // a sanitizer cannot look for leaks of what somebody else traces
        helper.setProcessEnvironment(environment);
        helper.start(program, words);
        QVERIFY(helper.waitForStarted());
    }
    /// What such a helper's stream says when it is replayed.
    static Outcome streamed(const QByteArray& program, const QStringList& words = {})
    {
        put("streamed.d", program);
        QProcess helper;
        helper.setStandardOutputFile("streamed.dscope");
        start(helper, DSCOPE_BIN "/dscope", QStringList{"--stream", "1", "-s", "streamed.d"} + words);
        if (!helper.waitForFinished(120'000)) {
            helper.kill();
            helper.waitForFinished();
            return {};
        }
        auto replayed = runDscope({"--replay", "streamed.dscope"});
        replayed.err = helper.readAllStandardError() + contents("streamed.dscope").left(100'000) + replayed.err;
        replayed.status = helper.exitCode();
        return replayed;
    }
    const QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestOrdinaryUser)
#include "tst_ordinary_user.moc"
