// needs: engine/importers
// Logs of strace with each of its options: who started whom, what ran, how it ended, and how often each call came.
#include "engine/text/strace_lines.h"
#include "tests/support/imported.h"
#include <QFile>
#include <QObject>
#include <QStringList>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestStrace : public QObject {
    Q_OBJECT
    static QByteArray kept(const char* name)
    {
        QFile file(QString(DSCOPE_SOURCE) + "/tests/data/imports/" + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// "fork 101 of 100", "exec 101 /bin/true", "exit 101 7": what an import says of processes, in its order; with times in us after the
    /// beginning where `times` is set.
    static QStringList processes(const text::Imported& imported, bool times = false)
    {
        using Kind = record::ProcessEvent::Kind;
        QStringList out;
        for (const auto& r : imported.records) {
            const auto* e = std::get_if<record::ProcessEvent>(&r);
            if (!e) continue;
            QString text;
            const auto pid = QString::number(e->pid);
            if (e->kind == Kind::Existing) text = "was " + pid;
            if (e->kind == Kind::Fork) text = "fork " + pid + " of " + QString::number(e->parent);
            if (e->kind == Kind::Exec) text = "exec " + pid + ' ' + QString::fromStdString(e->path);
            if (e->kind == Kind::ExecFailed)
                text = "failed " + pid + ' ' + QString::fromStdString(e->path) + ' ' + QString::number(e->status);
            if (e->kind == Kind::Exit) text = "exit " + pid + ' ' + QString::number(e->status);
            if (times) text += " @" + QString::number((e->when.count() - imported.program.started) / 1000);
            out << text;
        }
        return out;
    }
    static QStringList warnings(const text::Imported& imported)
    {
        QStringList out;
        for (const auto& r : imported.records)
            if (const auto* d = std::get_if<record::Diagnostic>(&r)) out << QString::fromStdString(d->message);
        return out;
    }

private Q_SLOTS:
    /// What stands before a call, as strace 6.1 and 7.2 print it.
    void theHeadOfALineIsRead_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("pid");
        QTest::addColumn<qlonglong>("at"); ///< ns; -1: none
        const auto row
            = [](const char* head, int pid, qlonglong at) { QTest::newRow(*head ? head : "none") << QByteArray(head) << pid << at; };
        constexpr qlonglong kSecond = 1'000'000'000, kDay = ((12 * 60 + 3) * 60 + 41) * kSecond;
        row("", 0, -1);
        row("4379  ", 4379, -1);
        row("[pid  4379] ", 4379, -1);
        row("12:03:41 ", 0, kDay);
        row("4379  12:03:41.469844 ", 4379, kDay + 469'844'000);
        row("4379  1795867421.622633 ", 4379, 1'795'867'421'622'633'000);
        row("1795867421 ", 0, 1'795'867'421 * kSecond);
        row("4379       0.000537 ", 4379, 537'000);
        row("     0.000537 ", 0, 537'000);
        row("4379       1.000000537 ", 4379, 1'000'000'537);
        row("4507       2 ", 4507, 2 * kSecond);
        row("4386  12:03:41.469844 (+     0.000602) ", 4386, kDay + 469'844'000);
        row("4544  12:03:41.469844 [  59] [00007f8d20ce6ad7] ", 4544, kDay + 469'844'000);
        row("[????????????????] ", 0, -1);
        row("4550<a b> 12:03:41.469844 ", 4550, kDay + 469'844'000);
        row("[pid  4550<sh>] 12:03:41.469844 ", 4550, kDay + 469'844'000);
        row("4657  [unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023] 12:03:41.469844 ", 4657, kDay + 469'844'000);
    }
    void theHeadOfALineIsRead()
    {
        QFETCH(QByteArray, head);
        QFETCH(int, pid);
        QFETCH(qlonglong, at);
        const auto line = (head + "close(3) = 0").toStdString();
        const auto read = text::strace::headOf(line);
        QCOMPARE(std::string(read.event), std::string("close(3) = 0"));
        QCOMPARE(static_cast<int>(read.pid.value_or(0)), pid);
        QCOMPARE(static_cast<qlonglong>(read.stamp ? read.stamp->at : -1), at);
    }
    void theResultOfACallIsFound_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<QByteArray>("result"); ///< empty: the line ends within the call
        QTest::addColumn<qlonglong>("took");
        const auto row = [](const char* call, const char* result, qlonglong took) {
            QTest::newRow(call) << QByteArray(call) << QByteArray(result) << took;
        };
        row("close(3)                = 0", "0", -1);
        row("openat(AT_FDCWD</tmp>, \"a) = b\", O_RDONLY) = 3</tmp/a = b> <0.000010>", "3</tmp/a = b>", 10'000);
        row("write(1</dev/pts/0<char 136:0>>, \"\\\") = 7\", 6) = 6", "6", -1);
        row("recv(4<TCP:[127.0.0.1:1->127.0.0.1:2]>, \"\", 9, 0) = 0", "0", -1);
        row("prlimit64(0, RLIMIT_STACK, NULL, {rlim_cur=8192*1024, rlim_max=1<<3}) = 0", "0", -1);
        row("execve(\"/bin/a\", [\"a\"], 0x7ff /* 3 (vars */) = 0 <0.000500>", "0", 500'000);
        row("poll([{fd=3, events=POLLIN}], 1, 10) = 0 (Timeout) <0.010100>", "0 (Timeout)", 10'100'000);
        row("getuid() = -1 EPERM (Operation not permitted) (INJECTED) <0.000011>", "-1 EPERM (Operation not permitted) (INJECTED)", 11'000);
        row("pause() = ? ERESTARTNOHAND (To be restarted if no handler) <1.5>", "? ERESTARTNOHAND (To be restarted if no handler)",
            1'500'000'000);
        row("read(3, 0x1, 2) = ? <unavailable>", "? <unavailable>", -1);
        row("exit_group(0) = ?", "?", -1);
        row("write(1, \"hello\\n\", 6hello)                  = 6 <0.000020>", "6", 20'000); // what the program wrote is within
        row("write(1, \"hello\\n\", 6it's \"so\" (x)      = 6", "6", -1);
        row("close(3) = 0 <0.00", "", -1);
        row("write(1, \"a = b", "", -1);
        row("close(3) =", "", -1);
    }
    void theResultOfACallIsFound()
    {
        QFETCH(QByteArray, call);
        QFETCH(QByteArray, result);
        QFETCH(qlonglong, took);
        const auto text = call.toStdString();
        const auto read = text::strace::callOf(text);
        QCOMPARE(read.has_value(), !result.isEmpty());
        if (!read) return;
        QCOMPARE(QByteArray::fromStdString(std::string(read->result)), result);
        QCOMPARE(static_cast<qlonglong>(read->took.value_or(-1)), took);
    }
    /// Each file of findings/inputs with the processes that it tells of: inputs/NOTES.md.
    void processesAreRight_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("says");
        const auto row = [](const char* name, const QByteArray& text, const QStringList& says) { QTest::newRow(name) << text << says; };
        row("-Y", kept("strace-Y.log"), {"was 20120 @0", "exec 20120 ./texec @0"});
        row("-i -n", kept("strace-i-n.log"), {"was 11103 @0", "exec 11103 ./texec @0"});
        row("-k", kept("strace-k-stack.log"), {"was 7 @0", "exec 7 /bin/a @0", "exit 7 0 @200000"});
        row("-C", kept("strace-C-summary.log"), {"was 11271 @0", "exec 11271 ./texec @0"});
        row("standard error", kept("strace-stderr-attached.log"),
            {"was 100 @0", "exec 100 /x/app @0", "fork 101 of 100 @10000", "exec 101 /bin/true @11000", "exit 101 0 @20100",
                "exit 100 0 @30100"});
        row("superseded", kept("strace-superseded.log"),
            {"was 100 @0", "exec 100 /x/app @0", "fork 101 of 100 @10000", "exec 101 /bin/sh @21200", "exit 101 1792 @70100",
                "exit 100 0 @80000"});
        row("exec by a thread", kept("strace-thread-exec.log"),
            {"was 32220 @0", "exec 32220 /tmp/st/a @0", "fork 32221 of 32220 @2102", "exec 32221 /bin/echo @2309", "exit 32221 0 @12473",
                "fork 32222 of 32220 @12597", "exec 32222 /bin/true @37945", "exit 32222 0 @39686",
                "fork 32225 of 32220 @40131", "exit 32225 6 @45844", "exit 32220 768 @47634"});
        row("exec by a thread, not told",
            "100 10:00:00.000000 clone3({flags=CLONE_VM|CLONE_THREAD}, 88) = 102 <0.000100>\n"
            "102 10:00:00.020000 execve(\"/bin/sh\", [\"sh\"], 0x7ff /* 9 vars */ <unfinished ...>\n"
            "100 10:00:00.021200 <... execve resumed>) = 0 <0.001200>\n100 10:00:00.070100 +++ exited with 7 +++\n",
            {"was 100 @0", "exec 100 /bin/sh @21200", "exit 100 1792 @70100"});
        row("exec by a thread, its number changes",
            "100 10:00:00.000000 clone3({flags=CLONE_VM|CLONE_THREAD}, 88) = 102 <0.000100>\n"
            "102 10:00:00.020000 execve(\"/bin/sh\", [\"sh\"], 0x7ff /* 9 vars */ <pid changed to 100 ...>\n"
            "100 10:00:00.021100 +++ superseded by execve in pid 102 +++\n"
            "100 10:00:00.021200 <... execve resumed>) = 0 <0.001200>\n100 10:00:00.070100 +++ exited with 7 +++\n",
            {"was 100 @0", "exec 100 /bin/sh @21200", "exit 100 1792 @70100"});
        row("a thread's first lines come before its number",
            "100 10:00:00.000000 clone3({flags=CLONE_VM|CLONE_THREAD} <unfinished ...>\n"
            "102 10:00:00.000100 vfork( <unfinished ...>\n100 10:00:00.000200 <... clone3 resumed>, 88) = 102 <0.0002>\n"
            "102 10:00:00.000300 <... vfork resumed>) = 103 <0.0002>\n102 10:00:00.000400 +++ exited with 0 +++\n103 10:00:00.000500 +++ "
            "killed by SIGKILL +++\n",
            {"was 100 @0", "fork 103 of 100 @300", "exit 103 9 @500"});
        row("standard error without messages (-q)",
            "10:00:00.000000 execve(\"/x/app\", [\"app\"], 0x7ff /* 9 vars */) = 0\n"
            "10:00:00.010000 vfork( <unfinished ...>\n[pid   101] 10:00:00.011000 execve(\"/bin/true\", [\"true\"], 0x7ff /* 9 vars */ "
            "<unfinished ...>\n"
            "[pid   100] 10:00:00.012000 <... vfork resumed>) = 101\n[pid   101] 10:00:00.013000 <... execve resumed>) = 0\n"
            "[pid   101] 10:00:00.020000 +++ exited with 0 +++\n10:00:00.030000 +++ exited with 3 +++\n",
            {"was 100 @0", "exec 100 /x/app @0", "fork 101 of 100 @11000", "exec 101 /bin/true @13000", "exit 101 0 @20000",
                "exit 100 768 @30000"});
        row("the child outlives its parent",
            "execve(\"/x/app\", [\"app\"], 0x7ff /* 9 vars */) = 0\nset_tid_address(0x7f) = 100\nclone(flags=SIGCHLDstrace: Process 101 "
            "attached\n"
            ") = 101\n[pid   100] +++ exited with 1 +++\nexecve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0\n+++ exited with 2 +++\n",
            {"was 100 @0", "exec 100 /x/app @0", "fork 101 of 100 @0", "exit 100 256 @0", "exec 101 /bin/a @0", "exit 101 512 @0"});
        row("attached to threads",
            "strace: Process 50 attached with 3 threads\n[pid    52] read(0,  <unfinished ...>\n[pid    51] close(3) = 0\n[pid    50] "
            "fork(strace: Process 60 attached\n"
            ") = 60\n[pid    60] +++ exited with 1 +++\n",
            {"was 50 @0", "fork 60 of 50 @0", "exit 60 256 @0"});
        row("name spaces of numbers", "7 fork() = 2 /* 9 in strace's PID NS */\n9 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0\n",
            {"was 7 @0", "fork 9 of 7 @0", "exec 9 /bin/a @0"});
        row("names of commands", "7 10:00:00.000000 fork() = 9<my app> <0.1>\n9<my app> 10:00:00.000002 +++ exited with 0 +++\n",
            {"was 7 @0", "fork 9 of 7 @0", "exit 9 0 @2"});
        row("a name that holds the sign behind it", "7<a> 10:00:00.000000 fork() = 9<b> <0.1>\n9<b>c> 10:00:00.000002 +++ exited with 0 +++\n",
            {"was 7 @0", "fork 9 of 7 @0", "exit 9 0 @2"});
        row("a signal of real time", "7 10:00:00.000000 close(1) = 0\n7 10:00:00.000002 +++ killed by SIGRT_2 +++\n", {"was 7 @0", "exit 7 34 @2"});
        row("a terminal's ^C", "strace: Process 7 attached\n7 10:00:00.000000 close(1) = 0\n^Cstrace: Process 7 detached\n", {"was 7 @0"});
        row("since the line before",
            "7          0.000000 fork() = 9\n9          0.500000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0\n9         12.000001 "
            "+++ "
            "exited with 0 +++\n",
            {"was 7 @0", "fork 9 of 7 @0", "exec 9 /bin/a @500000", "exit 9 0 @12500001"});
        row("32 bits",
            "7 10:00:00.000000 [ Process PID=7 runs in 32 bit mode. ]\n7 10:00:00.000001 +++ exited with 0 +++\n7 10:00:00.000002 close(1) "
            "= 0\n",
            {"was 7 @0", "exit 7 0 @1", "was 7 @2"});
        row("-z", "7 fork( <unfinished ...>\n) = 9\n9 +++ exited with 0 +++\n7 close(1) = 0\n7 close(2) = 0\n7 close(3) = 0\n", {"was 7 @0", "fork 9 of 7 @0", "exit 9 0 @0"});
        row("in colours",
            "7 10:00:00.000000 \x1b[33mfork\x1b[0m()\x1b[0m \x1b[0m=\x1b[0m \x1b[32m9\x1b[0m\n9 10:00:00.000002 +++ exited with 0 +++\n",
            {"was 7 @0", "fork 9 of 7 @0", "exit 9 0 @2"});
        row("a child that ended before vfork returned",
            "100 10:00:00.000000 vfork( <unfinished ...>\n101 10:00:00.000001 execve(\"/bin/no\", [\"no\"], 0x7ff /* 9 vars */) = -1 "
            "ENOENT "
            "(No such file or directory)\n101 10:00:00.000002 +++ exited with 127 +++\n100 10:00:00.000003 <... vfork resumed>) = 101\n",
            {"was 100 @0", "fork 101 of 100 @1", "failed 101 /bin/no 2 @1", "exit 101 32512 @2"});
        row("another process that had the number before",
            "101 10:00:00.000000 +++ exited with 1 +++\n100 10:00:00.000001 vfork( <unfinished ...>\n101 10:00:00.000002 +++ exited with 0 "
            "+++\n100 10:00:00.000003 <... vfork resumed>) = 101\n",
            {"was 101 @0", "exit 101 256 @0", "was 100 @1", "fork 101 of 100 @2", "exit 101 0 @2"});
        row("named arguments",
            "7 10:00:00.000000 execve(pathname=\"/bin/a\", argv=[\"a\"], envp=0x7ff /* 37 vars */) = -1 EACCES (Permission denied) <0.1>\n",
            {"was 7 @0", "failed 7 /bin/a 13 @0"});
    }
    void processesAreRight()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, says);
        const auto imported = read("strace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(processes(*imported, true), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(guessed(text), QByteArray("strace"));
    }
    /// A program's own text may stand within and behind the call that writes it.
    void whatTheProgramWritesMeanwhileIsNoLine()
    {
        const auto imported = read("strace",
            "write(1, \"a\\nb\\n\", 4a\nb\n)                    = 4\nwrite(2, \"x\", 1x)                       = 1\nexit_group(0) = ?\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).contains("@calls[write] 2\n"), said(*imported).constData());
        // What never ends is told, and the line behind it is read.
        const auto cut = read("strace", "close(3) = 0\nwrite(1, \"a\\n\", 2a\nclose(4) = 0\n");
        QVERIFY(cut);
        QCOMPARE(cut->notUnderstood, std::size_t{1});
        QCOMPARE(cut->firstNumber, std::size_t{2});
        QVERIFY(said(*cut).contains("@calls[close] 2\n"));
    }
    void aLogWithoutTimesHasProcessesAndCounts()
    {
        const auto imported = read("strace",
            "7 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0\n7 fork() = 9\n9 +++ exited with 1 +++\n7 +++ exited with 0 +++\n");
        QVERIFY(imported);
        QCOMPARE(processes(*imported), (QStringList{"was 7", "exec 7 /bin/a", "fork 9 of 7", "exit 9 256", "exit 7 0"}));
        QVERIFY(imported->program.timesAreLines);
        QVERIFY(warnings(*imported).join('\n').contains("its lines carry no time"));
        QCOMPARE(said(*imported), QByteArray("@calls[execve] 1\n@calls[fork] 1\n"));
    }
    /// Where only some lines say when, nothing has a time: a process must not have taken 0 ns.
    void someLinesWithoutTimesLeaveNoTimes()
    {
        const auto imported = read("strace",
            "7 10:00:00.000000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0 <0.0005>\n7 10:00:01.000000 fork() = 9 <0.0002>\n"
            "9 +++ exited with 1 +++\n7 getpid() = 7\n7 10:00:02.000000 getppid() = 1 <0.0001>\n7 10:00:03.000000 +++ exited with 0 +++\n");
        QVERIFY(imported);
        QVERIFY(imported->program.timesAreLines);
        QCOMPARE(imported->program.started, std::int64_t{0});
        for (const auto& r : imported->records)
            if (const auto* event = std::get_if<record::ProcessEvent>(&r)) QCOMPARE(event->when.count(), 0);
        const auto told = warnings(*imported).join('\n');
        QVERIFY2(told.contains("2 lines carry no time, but others do; the first is line 3: when and how long processes ran is left out"),
            qPrintable(told));
        QVERIFY2(told.contains("1 call does not say how long it took, but others do"), qPrintable(told));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        // What happens to no process may be without.
        const auto beside = read("strace",
            "7 10:00:00.000000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0\n7 getpid() = 7\n7 10:00:03.000000 +++ exited with 0 "
            "+++\n");
        QVERIFY(beside);
        QVERIFY(!beside->program.timesAreLines);
        QCOMPARE(processes(*beside, true), (QStringList{"was 7 @0", "exec 7 /bin/a @0", "exit 7 0 @3000000"}));
    }
    void stacksEndWithTheCall()
    {
        const auto imported = read("strace",
            "7 10:00:00.000000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0 <0.000500>\n > /lib/ld.so(_start+0x0) [0x1ab70]\n > no "
            "matching address range\n"
            "7 10:00:00.000100 write(1, \"x\", 1) = 1 <0.000010>\n > /usr/lib/libc.so.6(__write+0x14) [0xfa504]\n > /opt/a "
            "(x86)/deep((anonymous namespace)::hot(int)+0x10) [0x1199] ./x y.cc:12\n"
            " > /opt/a (x86)/deep() [0x1200]\n > /opt/a (x86)/deep(_start+0x21) [0x10e1]\n"
            "7 10:00:00.000200 write(1, \"x\", 1) = 1 <0.000030>\n > /usr/lib/libc.so.6(__write+0x14) [0xfa504]\n > /opt/a "
            "(x86)/deep((anonymous namespace)::hot(int)+0x10) [0x1199] ./x y.cc:12\n"
            " > /opt/a (x86)/deep() [0x1200]\n > /opt/a (x86)/deep(_start+0x21) [0x10e1]\n"
            "7 10:00:00.000250 getppid() = 5 <0.000001>\n > /tmp/b (deleted)(f+0x1) [0x1]\n > no matching address range\n"
            "7 10:00:00.000300 --- SIGUSR1 {si_signo=SIGUSR1} ---\n > /bin/a(main+0x1) [0x1]\n"
            "7 10:00:00.000350 getpid() = 7 <0.000002>\n"
            "7 10:00:00.000360 getuid() = 0 <0.000002>\n > /usr/lib/libstdc++.so.6.0.36(+0x0) [0x9b3f]\n > /bin/a(_start+0x2) [0x4]\n"
            "7 10:00:00.000400 exit_group(0) = ?\n7 10:00:00.000500 +++ exited with 0 +++\n > /bin/a(_start+0x2) [0x4]\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        std::vector<const record::CountedStacks*> all;
        for (const auto& r : imported->records)
            if (const auto* s = std::get_if<record::CountedStacks>(&r)) all.push_back(s);
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(QByteArray::fromStdString(all[0]->noun), QByteArray("calls"));
        QVERIFY(all[1]->unit == record::StackUnit::Time);
        const auto stacks = said(*imported);
        // Each stack: how many calls it has, then how many ns they took.
        for (const char* line : {"ld.so`_start;execve 1\n", "ld.so`_start;execve 500000\n",
                 "deep`_start;[deep];deep`(anonymous namespace)::hot;libc.so.6`__write;write 2\n",
                 "deep`_start;[deep];deep`(anonymous namespace)::hot;libc.so.6`__write;write 40000\n", "[truncated];b`f;getppid 1\n",
                 "getpid 1\n", "a`_start;[libstdc++.so.6.0.36];getuid 1\n", "a`_start;exit_group 1\n"})
            QVERIFY2(stacks.contains(line), (QByteArray(line) + "in\n" + stacks).constData());
        QCOMPARE(linesOf(*imported).size(), std::size_t{6 + 5});
        QCOMPARE(warnings(*imported), (QStringList{"1 stack that is of no system call is left out: signals have them, too"}));
    }
    /// The sums are those of the tables' own last rows.
    void tablesOfCallsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says"); ///< lines that are among what it says
        QTest::addColumn<qlonglong>("calls");
        QTest::newRow("-c") << kept("strace61-c.txt")
                            << QByteArray("@calls[openat] 43|@errors[openat] 19|@time[wait4] 1841000|@calls[getppid] 1") << qlonglong{256};
        QTest::newRow("-c -U")
            << kept("strace72-c-U.txt")
            << QByteArray("@calls[openat] 43|@errors[newfstatat] 9|@time[wait4] 1979000|@longest[wait4] 1943000|@shortest[wait4] 4000")
            << qlonglong{256};
        // As with LC_NUMERIC=de_DE.UTF-8.
        QTest::newRow("-c, decimal commas") << kept("strace61-c.txt").replace('.', ',')
                                            << QByteArray("@calls[openat] 43|@errors[openat] 19|@time[wait4] 1841000|@calls[getppid] 1")
                                            << qlonglong{256};
        QTest::newRow("-c -U, decimal commas")
            << kept("strace72-c-U.txt").replace('.', ',')
            << QByteArray("@calls[openat] 43|@errors[newfstatat] 9|@time[wait4] 1979000|@longest[wait4] 1943000|@shortest[wait4] 4000")
            << qlonglong{256};
        QTest::newRow("without the average of all, as before 5.3")
            << QByteArray("% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- "
                          "----------------\n 60.00    0.006000        1000         6           read\n"
                          " 40.00    0.004000         666         6         2 openat\n------ ----------- ----------- --------- --------- "
                          "----------------\n100.00    0.010000                    12         2 total\n")
            << QByteArray("@calls[openat] 6|@errors[openat] 2|@time[read] 6000000") << qlonglong{12};
        QTest::newRow("two modes") << QByteArray(
            "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- "
            "----------------\n"
            "100.00    0.000500         500         1           execve\n------ ----------- ----------- --------- --------- "
            "----------------\n100.00    0.000500         500         1           total\n"
            "System call usage summary for 32 bit mode:\n% time     seconds  usecs/call     calls    errors syscall\n------ ----------- "
            "----------- --------- --------- ----------------\n"
            "  -nan    0.000000           0         3         1 open\n------ ----------- ----------- --------- --------- "
            "----------------\n100.00    0.000000           0         3         1 total\n")
                                   << QByteArray("@calls[execve] 1|@time[execve] 500000|@calls_32_bit[open] 3|@errors_32_bit[open] 1")
                                   << qlonglong{4};
    }
    void tablesOfCallsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QFETCH(qlonglong, calls);
        const auto imported = read("strace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(guessed(text), QByteArray("strace"));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto all = said(*imported);
        for (const auto& line : says.split('|'))
            QVERIFY2(all.contains(line + '\n'), (line + " in\n" + all).constData());
        qlonglong sum = 0;
        for (const auto& line : all.split('\n'))
            if (line.startsWith("@calls")) sum += line.mid(line.lastIndexOf(' ')).toLongLong();
        QCOMPARE(sum, calls);
        QVERIFY(warnings(*imported).isEmpty());
        QVERIFY(!imported->program.tellsOfProcesses);
    }
    /// Where the log before the table tells of another number, one of them is not whole.
    void aTableThatDiffersFromItsLogIsTold()
    {
        const auto imported = read("strace", kept("strace-C-summary.log"));
        QVERIFY(imported);
        QCOMPARE(warnings(*imported).size(), 2);
        QVERIFY2(warnings(*imported)[0].contains("its total is 500 calls, its rows have 6"), qPrintable(warnings(*imported)[0]));
        QVERIFY2(said(*imported).contains("@calls[brk] 1\n"), said(*imported).constData());
    }
    void whatNoStraceWritesIsBounded()
    {
        // A superseded thread that leads what it is superseded by, and a process that is its own thread.
        for (const char* text : {"200 clone(flags=CLONE_THREAD) = 201\n201 clone(flags=CLONE_THREAD) = 200\n201 +++ superseded by execve "
                                 "in pid 200 +++\n200 +++ superseded by execve in pid 201 +++\n200 close(1) = 0\n",
                 "7 fork() = 7\n7 clone(CLONE_THREAD) = 7\n", "strace: Process 5 attached with 4000000 threads\nclose(1) = 0\n",
                 "00:00:00 close(1) = 0\n23:59:59 close(1) = 0\n00:00:00 close(1) = 0\n"})
            QVERIFY(read("strace", text));
        const auto open = read("strace", "close(1) = 0\nwrite(1, \"\n" + QByteArray("y\n").repeated(200'000));
        QVERIFY(open);
        QCOMPARE(open->notUnderstood, std::size_t{200'001});
        QVERIFY(!read("strace", QByteArray("9223372036854775807.999999999 \n").repeated(3)));
    }
};
QTEST_GUILESS_MAIN(TestStrace)
#include "tst_strace.moc"
