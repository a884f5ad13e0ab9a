// needs-programs: dscope
// What somebody meets who comes from bpftrace or perf, or mistypes: each message names the way out.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>
using namespace dscope::tests;

class TestHints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mistakesNameTheWayOut_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("hint");
        const auto compiled = [](const char* name, const char* program, const char* hint) {
            QTest::newRow(name) << QStringList{"-e", "-n", program} << QByteArray(hint);
        };
        compiled(
            "FreeBSD's vfs", "vfs::vop_read:entry { @ = count(); }", "hint: FreeBSD's vfs is fsinfo here, by what system calls ask for");
        compiled("Solaris's nfsv3", "nfsv3:::op-read-start { @ = count(); }",
            "hint: Solaris's nfsv3 is sdt here, where the server's module nfsd is loaded: ");
        compiled("Solaris's nfsv4", "nfsv4:::op-read-done { @ = count(); }",
            "hint: Solaris's nfsv4 is sdt here, where the server's module nfsd is loaded: ");
        compiled("FreeBSD's nfscl", "nfscl:nfs4:read:start { @ = count(); }",
            "hint: FreeBSD's nfscl is sdt here, where the client's module nfs is loaded: ");
        compiled("Solaris's mib", "mib:::tcpActiveOpens { @ = count(); }",
            "hint: Solaris's mib is no provider here: tcp, udp and ip fire for what its counters count");
        compiled("Solaris's plockstat", "plockstat123:::mutex-block { @ = count(); }",
            "hint: Solaris's plockstat is no provider here: the locks of a process are functions");
        compiled("Solaris's iscsi", "iscsi:::scsi-command { @ = count(); }",
            "hint: Solaris's iscsi is sdt here, where the target's module target_core_mod is loaded: ");
        if (::geteuid() == 0) { // tracefs, which has these names, is not for others
            compiled("an argument of a system call", "syscall::read:entry { trace(fd); }",
                "hint: fd is an argument of syscall:vmlinux:read:entry: args.fd\n");
            compiled("no such argument", "syscall::read:entry { trace(args.file); }", "hint: its arguments are fd, buf, count\n");
        }
        compiled("args->name", "syscall::read:entry { trace(args->fd); }",
            "hint: an argument is args[0], or args.name where its provider knows names\n");
        compiled("arguments without names", "BEGIN { trace(args.file); }", "hint: nothing tells the names of its arguments: args[0], ");
        compiled("Solaris's msgdsize()", "BEGIN { trace(msgdsize(0)); }",
            "hint: Solaris's msgdsize() is for messages of STREAMS, which Linux has not");
        compiled("FreeBSD's printm()", "BEGIN { printm(4, memref(0, 4)); }", "hint: FreeBSD's printm() is tracemem(address, size) here");
        compiled("FreeBSD's jid", "BEGIN { trace(jid); }", "hint: FreeBSD's jid is container here, or cgroupid, which is a number");
        compiled("bpftrace's cgroup", "BEGIN /cgroup == 5/ { trace(1); }", "hint: bpftrace's cgroup is cgroupid in D");
        compiled("a number before bpftrace's cgroup", "BEGIN /5 != cgroup/ { trace(1); }", "hint: bpftrace's cgroup is cgroupid in D");
        compiled("bpftrace's cgroupid()", "BEGIN /cgroupid == cgroupid(\"/sys/fs/cgroup\")/ { trace(1); }",
            "hint: bpftrace's cgroupid() is the inode of the group's folder (stat -c %i FOLDER), to compare the variable cgroupid with, in "
            "D");
        compiled("bpftrace's comm", "BEGIN { @[comm] = count(); }", "hint: bpftrace's comm is execname in D");
        compiled("bpftrace's nsecs", "BEGIN { trace(nsecs); }", "hint: bpftrace's nsecs is timestamp in D");
        compiled("bpftrace's str()", "BEGIN { printf(\"%s\", str(arg0)); }", "hint: bpftrace's str() is copyinstr() in D");
        compiled("bpftrace's hist()", "BEGIN { @x = hist(1); }", "hint: bpftrace's hist() is quantize() in D");
        compiled("bpftrace's kprobe", "kprobe:vfs_read { trace(1); }", "hint: bpftrace's kprobe is fbt in D: fbt::vfs_read:entry");
        compiled("bpftrace's tracepoint", "tracepoint:syscalls:sys_enter_openat { trace(1); }",
            "hint: bpftrace's tracepoint is syscall or sdt in D");
        compiled("bpftrace's interval", "interval:s:1 { trace(1); }", "hint: bpftrace's interval is tick in D: tick-1s");
        compiled("bpftrace's profile", "profile:hz:99 { trace(1); }", "hint: bpftrace's profile:hz is profile in D: profile-99");
        compiled("bpftrace's uprobe with a path", "uprobe:/bin/bash:readline { trace(1); }",
            "hint: bpftrace's uprobe is the provider of a process in D: pid$target:");
        compiled(
            "bpftrace's usdt with a path", "usdt:/bin/bash:mark { trace(1); }", "hint: bpftrace's usdt is the mark's own provider in D");
        compiled("bpftrace's ustack", "BEGIN { @[ustack] = count(); }", "hint: bpftrace's ustack is ustack() in D");
        compiled("= in a predicate", "BEGIN /pid = 3/ { trace(1); }", "hint: = assigns; to compare, write ==");
        compiled("no ; between actions", "BEGIN { trace(1) trace(2); }",
            "syntax error near \"trace\"\n    BEGIN { trace(1) trace(2); }\n                     ^\n    hint: a ; is missing before it\n");
        compiled("no ; before an aggregation", "BEGIN { x = 1 @a = count(); }", "hint: a ; is missing before it\n");
        compiled("no ; before another line", "BEGIN { @a = count()\nself->x = 1; }", "hint: a ; is missing before it\n");
        compiled("no } at the end", "BEGIN { trace(1);", "hint: a } is missing");
        compiled("two } too few", "BEGIN { if (1) { trace(1);", "hint: 2 } are missing");
        compiled("no { before the actions", "BEGIN trace(1); }", "hint: actions stand within { }");
        compiled("no / behind the predicate", "BEGIN /pid == 3 { trace(1); }", "hint: a / is missing");
        compiled("$target of nothing", "BEGIN /pid == $target/ { trace(1); }", "$target is 0: there is neither -c COMMAND nor -p PID");
        compiled("$target of nothing, compared with a variable", "BEGIN { x = 0; } BEGIN /x == $target || pid == $target/ { trace(1); }",
            "$target is 0: there is neither");
        compiled("$target of nothing in a sum", "BEGIN /pid == $target + 0/ { trace(1); }", "$target is 0: there is neither");
        compiled("$target of nothing in a probe's name", "BEGIN { } pid$target:a.out:main:entry { }",
            "whose process it could be\n    BEGIN { } pid$target:a.out:main:entry { }\n                 ^\n");
        compiled("an argument that is no address", "syscall::openat:entry { trace(copyinstr(arg0)); }",
            "hint: its string is arg1: copyinstr(arg1)");
        compiled("perf's counter", "page-faults { @ = count(); }", "hint: the counter page_faults is cpc:::page_faults-all-N in D");
        compiled("perf's probe", "probe:vfs_read { trace(1); }", "hint: perf's probe is fbt in D: fbt::vfs_read:entry\n");
        compiled("an aggregation in a predicate", "BEGIN /@a > 1/ { trace(1); }",
            "hint: programs can't read an aggregation: printa(@a) prints it when it is consumed");
        compiled("an aggregation that is there", "BEGIN { @a = count(); } BEGIN /@a > 1/ { trace(1); }",
            "hint: programs can't read an aggregation: ");
        compiled("an aggregation alone in a predicate", "BEGIN { @a = count(); } BEGIN /@a/ { trace(1); }",
            "hint: programs can't read an aggregation: ");
        compiled("an aggregation divided", "BEGIN { @a = count(); x = @a / 2; }", "hint: programs can't read an aggregation: ");
        compiled("an aggregation assigned", "BEGIN { @a = count(); x = @a; }", "hint: programs can't read an aggregation: ");
        compiled("an aggregation printed by print()", "BEGIN { @a = count(); print(@a); }",
            "hint: programs can't read an aggregation: printa(@a) prints it");
        compiled("an aggregation printed by trace()", "BEGIN { @a = count(); trace(@a); }",
            "hint: programs can't read an aggregation: printa(@a) prints it");
        compiled("an aggregation printed by printf()", "BEGIN { @a = count(); printf(\"%d\", @a); }",
            "hint: printa(\"%@d\\n\", @a) prints an aggregation by a format\n");
        compiled("bpftrace's map", "BEGIN { @start[tid] = timestamp; }",
            "hint: a value is kept by a variable, which has no @: start[...] = ..., or self->start = ... of each thread\n");
        compiled("bpftrace's counting map", "BEGIN { @n += 1; }", "hint: functions add to an aggregation: @n = sum(x), or count()\n");
        compiled("bpftrace's variable", "BEGIN { $x = 1; }",
            "hint: a variable of D has no $: x for all, self->x in a thread, this->x in a clause\n");
        compiled("a macro mistyped", "BEGIN /pid == $targte/ { }", "hint: did you mean $target?\n");
        compiled("a function not called", "BEGIN { @ = count; }", "hint: count is a function: count( )\n");
        compiled(
            "a variable called", "BEGIN { printf(\"%s\", execname()); }", "hint: execname is a variable in D: it is written without ( )\n");
        compiled("single quotes", "BEGIN { printf('hi'); }", "hint: text stands between double quotes: \"hi\"\n");
        compiled("long single quotes", "BEGIN { x = 'hello world'; }", "hint: text stands between double quotes: \"hello world\"\n");
        compiled("%s of an address", "syscall::openat:entry { printf(\"%s\", arg1); }",
            "hint: copyinstr(arg1) is the string at an address of the process, stringof(arg1) the one at an address of the kernel\n");
        compiled("%s of a pointer", "BEGIN { printf(\"%s\", (char *)curthread); }",
            "hint: copyinstr((char *)curthread) is the string at an address of the process, stringof((char *)curthread) the one at an "
            "address of the kernel\n");
        compiled("%s of a pointer into a process", "BEGIN { printf(\"%s\", (userland char *)arg0); }",
            "hint: copyinstr((userland char *)arg0) is the string at an address of the process\n");
        compiled("%s of what was kept", "BEGIN { self->p = arg1; printf(\"%s\", self->p); }",
            "hint: %d prints a number; copyinstr(self->p) is the string at an address of the process\n");
        compiled("%s of a number", "BEGIN { printf(\"%s\", pid); }", "hint: %d prints a number\n");
        compiled("C's strcmp()", "BEGIN /strcmp(execname, \"ls\") == 0/ { trace(1); }",
            "hint: C's strcmp() is == in D, which compares strings: ");
        compiled("strings added", "BEGIN { x = \"a\" + \"b\"; }", "hint: strjoin(a, b) makes one string of two\n");
        compiled("a string added to", "BEGIN { x = \"a\"; x += \"b\"; }", "hint: strjoin(a, b) makes one string of two\n");
        compiled("exit() of nothing", "BEGIN { exit(); }", "hint: exit(0) ends with status 0\n");
        compiled("Solaris's t_procp", "BEGIN { trace(curthread->t_procp); }", "hint: Solaris's t_procp is curthread->group_leader here");
        compiled("FreeBSD's td_proc", "BEGIN { trace(curthread->td_proc); }", "hint: FreeBSD's td_proc is curthread->group_leader here");
        compiled("SystemTap's probe", "probe syscall.openat { trace(1); }",
            "hint: SystemTap's probe is not written in D: a clause begins with the probe's name, here syscall::openat:entry\n");
        compiled("SystemTap's function of the kernel", "probe kernel.function(\"vfs_read\").return { trace(1); }",
            "here fbt::vfs_read:return\n");
        compiled("SystemTap's process", "probe process(\"/bin/ls\").function(\"main\") { trace(1); }",
            "here pid$target::main:entry with -p PID or -c COMMAND\n");
        compiled("SystemTap's begin", "probe begin { trace(1); }", "a clause begins with the probe's name, here BEGIN\n");
        compiled("SystemTap's global", "global x; probe begin { x = 1; }", "hint: SystemTap's global is not needed in D");
        compiled("SystemTap's point alone", "kernel.function(\"vfs_read\") { trace(1); }",
            "hint: a clause begins with the probe's name, here fbt::vfs_read:entry\n");
        compiled("SystemTap's gettimeofday_us()", "BEGIN { trace(gettimeofday_us()); }",
            "hint: SystemTap's gettimeofday_us() is walltimestamp / 1000 in D");
        compiled("begin", "begin { exit(0); }", "hint: the probe is BEGIN: names of probes keep capital and small letters apart\n");
        compiled("tick:1s", "tick:1s { exit(0); }", "hint: did you mean tick-1s?\n");
        compiled("Solaris's interrupt-start", "sdt:::interrupt-start { trace(1); }",
            "hint: Solaris's sdt:::interrupt-start is sdt:irq::irq_handler_entry here");
        compiled("; behind a clause", "BEGIN { x = 1; }; END { trace(x); }", "hint: no ; stands behind the } of a clause\n");
        compiled("a provider of programs without a process", "libnothing:::mark { trace(1); }",
            "those of programs end with the process's number, as in libnothing$target or libnothing*\n");
        compiled("pid without a process", "pid:libc:malloc:entry { trace(1); }",
            "hint: pid is followed by a process's number: pid$target with -p PID or -c COMMAND, or pid1234\n");
        compiled("marks that no process has", "nobodyhasthis*:::mark { trace(1); }",
            "hint: no process that runs now has such marks; -Z also takes programs that start later\n");
        compiled("a probe that Linux lacks, by Solaris' module", "sysinfo:genunix::intrblk { trace(1); }",
            "hint: sysinfo:vmlinux::intrblk is not available: ");
        compiled("an option in the program", "#pragma D option strsiz=4k\nBEGIN { }", "hint: did you mean strsize");
        if (::geteuid() == 0) { // tracefs has these names
            compiled("perf's tracepoint", "sched:sched_switch { @ = count(); }",
                "hint: perf's sched:sched_switch is sdt:sched::sched_switch in D\n");
            compiled("perf's tracepoints", "sched:sched_* { @ = count(); }", "hint: perf's sched:sched_* is sdt:sched::sched_* in D\n");
            compiled("all of perf's subsystem", "sched:* { @ = count(); }", "hint: perf's sched:* is sdt:sched::* in D\n");
            compiled("all of perf's system calls", "syscalls:* { @ = count(); }", "hint: perf's syscalls:* is syscall::: in D\n");
            compiled("perf's tracepoint mistyped", "sched:sched_swich { @ = count(); }", "hint: did you mean sdt:sched::sched_switch");
            compiled("a tracepoint in the provider's place", "sched:::sched_switch { @ = count(); }",
                "hint: perf's sched:sched_switch is sdt:sched::sched_switch in D\n");
            compiled("perf's system call", "syscalls:sys_enter_openat { @ = count(); }",
                "hint: perf's syscalls:sys_enter_openat is syscall::openat:entry in D\n");
            compiled("perf's end of a system call", "syscalls:sys_exit_newstat { @ = count(); }",
                "hint: perf's syscalls:sys_exit_newstat is syscall::");
            compiled("a tracepoint of another module", "sdt:kernel::sched_switch { @ = count(); }",
                "hint: the kernel's tracepoint sched_switch is sdt:sched::sched_switch in D\n");
            compiled("a system call of another name", "syscall::pread:entry { trace(1); }",
                "hint: on Linux the system call pread is syscall::pread64:entry\n");
            compiled(
                "Solaris's exece", "syscall::exece:entry { trace(1); }", "hint: on Linux the system call exece is syscall::execve:entry\n");
            compiled("macOS's open_nocancel", "syscall::open_nocancel:entry { trace(1); }",
                "hint: on Linux the system call open_nocancel is syscall::open");
            compiled("the kernel's function of a system call", "syscall::__x64_sys_openat:entry { trace(1); }",
                "hint: on Linux the system call __x64_sys_openat is syscall::openat:entry\n");
            compiled("a system call as a name", "syscall::openat { trace(1); }",
                "hint: openat is a function: did you mean syscall::openat:entry?\n");
            compiled("a function where there is none", "io:genunix:bdev_strategy:start { trace(1); }",
                "hint: did you mean io:::start? here io has the module vmlinux and no functions\n");
        }
        QTest::newRow("an option mistyped") << QStringList{"-e", "-x", "strsiz=4k", "-n", "BEGIN"}
                                            << QByteArray("failed to set -x strsiz: Invalid option name\n    hint: did you mean strsize");
        QTest::newRow("marks of a library that is loaded later") << QStringList{"-e", "-n", "hotspot$target:::gc-begin { trace(1); }", "-c",
            "sleep 1"} << QByteArray("; -Z also takes those of libraries that it loads later, as java does libjvm\n");
        QTest::newRow("-P of a program") << QStringList{"-l", "-P", "libnothing"}
                                         << QByteArray("No probe matches description\n    hint: the providers are ");
        QTest::newRow("-l of what Linux lacks")
            << QStringList{"-l", "-n", "sched:::schedctl-yield"}
            << QByteArray("No probe matches description\n    hint: sched:vmlinux::schedctl-yield is not available: ");
        QTest::newRow("a program in two words")
            << QStringList{"-e", "-n", "BEGIN", "{ trace(1); }"} << QByteArray("hint: a program is one word of the command line");
        QTest::newRow("a pipe in -c")
            << QStringList{"-e", "-n", "BEGIN { exit(0); }", "-c", "ls | wc"}
            << QByteArray(
                   "dtrace: warning: -c knows no shell, so | is a word for the program: put the command in a script, and run that\n");
        QTest::newRow("quotes in -c") << QStringList{"-e", "-n", "BEGIN { exit(0); }", "-c", "sh -c 'ls; true'"}
                                      << QByteArray("dtrace: warning: -c knows no shell, so 'ls; is a word for the program");
        QTest::newRow("--json without --doctor") << QStringList{"--json"} << QByteArray("--json says how --doctor tells what it found");
    }
    void mistakesNameTheWayOut()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, hint);
        const auto run = runDscope(words);
        QVERIFY2(run.err.contains(hint), run.err.constData());
    }
    void rightProgramsHearNothing_data()
    {
        QTest::addColumn<QStringList>("words");
        if (::geteuid() == 0) // tracefs has these names
            for (const char* probe : {"tcp:kernel::send", "tcp:ip::receive", "udp:ip::send", "ip:ip::send", "io:kernel::start",
                     "syscall:freebsd:openat:entry", "syscall:mach_kernel:read:entry", "proc:kernel::exec-success", "sched:unix::on-cpu",
                     "io:genunix::done", "sysinfo:unix::"})
                QTest::newRow(probe) << QStringList{"-e", "-n", QString::fromUtf8(probe) + " { @ = count(); }"};
        QTest::newRow("an address") << QStringList{"-e", "-n", "syscall::openat:entry { trace(copyinstr(arg1)); }"};
        QTest::newRow("a path at the first place") << QStringList{"-e", "-n", "syscall::unlink:entry { trace(copyinstr(arg0)); }"};
        QTest::newRow("words with marks of a shell within") << QStringList{"-e", "-c", "echo a|b x>y it's", "-n", "BEGIN { trace(1); }"};
        QTest::newRow("$target of a command") << QStringList{"-e", "-c", "true", "-n", "BEGIN /pid == $target/ { trace(1); }"};
        const auto unaimed = [](const char* name, const char* program) { QTest::newRow(name) << QStringList{"-e", "-n", program}; };
        unaimed("$target compared with 0", "profile-97 /$target == 0 || progenyof($target)/ { trace(1); }");
        unaimed("0 compared with $target", "profile-97 /0 == $target || pid == $target/ { trace(1); }");
        unaimed("$target that is not 0", "profile-97 /$target != 0 ? pid == $target : arg1/ { trace(1); }");
        unaimed("$target in parentheses", "profile-97 /pid == $target || (($target) == 0)/ { trace(1); }");
        unaimed("not $target", "profile-97 /!$target || pid == $target/ { trace(1); }");
        unaimed("$target for true or false", "profile-97 /$target ? pid == $target : arg1/ { trace(1); }");
        unaimed("$target and more", "profile-97 /$target && pid == $target/ { trace(1); }");
        unaimed("$target alone", "BEGIN /$target/ { trace($target); }");
        unaimed("$target of an if", "BEGIN { if ($target) { trace($target); } }");
        unaimed("$target behind an option that is off",
            "inline int OPT = 0; inline int PID = 1; BEGIN /(pid == PID) || (OPT && pid == $target)/ { trace(1); }");
        unaimed("$target of an inline", "inline int all = $target == 0; BEGIN /all || pid == $target/ { trace(1); }");
        QTest::newRow("a predicate that assigns") << QStringList{"-e", "-n", "BEGIN /x = 3/ { trace(x); }"};
    }
    void rightProgramsHearNothing()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(words);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
    }
    void aFileAloneIsNamedForWhatItIs_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("a script") << "run.d" << QByteArray("BEGIN { exit(0); }") << QByteArray(" is a script: dscope -s ");
        QTest::newRow("a recording") << "run.dscope" << QByteArray("DSCOPE\n\0\1\0\1\0", 12)
                                     << QByteArray(" is a recording: dscope --replay ");
        QTest::newRow("a recording by another name") << "x" << QByteArray("DSCOPE\n\0\1\0\1\0", 12) << QByteArray(" is a recording: ");
        QTest::newRow("perf's recording") << "perf.data" << QByteArray("PERFILE2\0\0\0\0", 12)
                                          << QByteArray(" is of perf.data: dscope --import ");
    }
    void aFileAloneIsNamedForWhatItIs()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, contents);
        QFETCH(QByteArray, told);
        const QTemporaryDir dir;
        QFile made(dir.filePath(file));
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write(contents) == contents.size());
        made.close();
        const auto run = runDscope({made.fileName()});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.startsWith("dtrace: no probes specified: ") && run.err.contains(told), run.err.constData());
        if (file.endsWith(".d")) return;
        const auto import = runDscope({"--import", made.fileName()});
        QCOMPARE(import.status, 1);
        QVERIFY2(import.err.startsWith("dtrace: cannot import ") && import.err.contains(file == "perf.data" ? "perf script" : "--replay"),
            import.err.constData());
    }
    /// -e PROGRAM, as in bpftrace, runs the program, and says what dtrace does.
    void aProgramBehindDashERuns_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("said");
        const auto row
            = [](const char* name, const QStringList& words, const char* said) { QTest::newRow(name) << words << QByteArray(said); };
        row("in a word", {"-qe", "BEGIN { trace(7); exit(0); }"}, "'BEGIN { trace(7); exit(0); }'");
        row("in several words", {"-qe", "BEGIN", "{", "trace(7); exit(0);", "}"}, "'BEGIN { trace(7); exit(0); }'");
        row("with an argument", {"-qe", "BEGIN { trace($1); exit(0); }", "7"}, "'BEGIN { trace($1); exit(0); }' '7'");
        row("in several lines", {"-qe", "BEGIN\n{ trace(7); exit(0); }"}, "'BEGIN { trace(7); exit(0); }'");
        row("with a quote", {"-qe", "BEGIN { trace('a' - 'Z'); exit(0); }"}, "'BEGIN { trace('\\''a'\\'' - '\\''Z'\\''); exit(0); }'");
    }
    void aProgramBehindDashERuns()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, words);
        QFETCH(QByteArray, said);
        const auto run = runDscope(words);
        QCOMPARE(run.status, 0);
        QCOMPARE(
            run.err, "dtrace: -e before a program runs it, as bpftrace does; to dtrace it means compile only: dscope -n " + said + '\n');
        QCOMPARE(run.out.trimmed(), QByteArray("7"));

        qputenv("_DTRACE_TESTING", "1");
        const auto tested = runDscope(words);
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(tested.out + tested.err, QByteArray());
    }
    /// -l PATTERN, as in bpftrace, lists what -l -n PATTERN does.
    void descriptionsBehindDashLAreListed_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("one") << QStringList{"dtrace:::BEGIN"};
        QTest::newRow("two") << QStringList{"BEGIN", "END"};
        QTest::newRow("a pattern") << QStringList{"syscall::open*:entry"};
        QTest::newRow("none such") << QStringList{"syscall::nosuch:entry"};
    }
    void descriptionsBehindDashLAreListed()
    {
        QFETCH(QStringList, words);
        QStringList same{"-l"};
        for (const auto& word : words)
            same << "-n" << word;
        const auto run = runDscope(QStringList{"-l"} + words), expected = runDscope(same);
        QCOMPARE(run.out, expected.out);
        QCOMPARE(run.err, expected.err);
        QCOMPARE(run.status, expected.status);
        QVERIFY(run.out.count('\n') < 50);
    }
    /// A program with several faults is shown once; of each fault there are its message and its line.
    void aProgramIsShownOnce()
    {
        QString program;
        for (int i = 1; i <= 20; ++i)
            program += QString("BEGIN { trace(nosuch%1); }\n").arg(i);
        const auto run = runDscope({"-e", "-n", program});
        QCOMPARE(run.status, 1);
        QCOMPARE(run.err.count("invalid probe specifier"), 1);
        for (int i = 1; i <= 20; ++i) {
            const auto name = "nosuch" + QByteArray::number(i);
            QCOMPARE(run.err.count("in action list: failed to resolve " + name + ": Unknown variable name\n"), 1);
            QCOMPARE(run.err.count("(" + name + ")"), 2); // in the program, and where it is shown below the message
        }
    }
    /// System calls that scripts of Solaris name, or that programs no longer make: the script would run and show nothing.
    void callsThatProgramsDoNotMakeAreNamed_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("told");
        const auto row
            = [](const char* name, const QStringList& words, const char* told) { QTest::newRow(name) << words << QByteArray(told); };
        row("Solaris' exec", {"-Zqen", "syscall::exec:return, syscall::exece:return { trace(1); }"},
            "warning: syscall::exec:return is no probe here: most call execve on Linux");
        row("open64", {"-Zqen", "syscall::open64:entry { trace(1); }"}, "hint: add the description syscall::openat:entry");
        row("all is there that Linux has", {"-Zqen", "syscall::exece:return, syscall::execve:return { trace(1); }"}, "");
        row("open", {"-qen", "syscall::open:entry { trace(1); }"}, "syscall::open:entry fires for few programs: most call openat on Linux");
        row("stat", {"-qen", "syscall::stat:entry { trace(1); }"}, "add the description syscall::newfstatat:entry");
        row("open and openat", {"-qen", "syscall::open:entry, syscall::openat:entry { trace(1); }"}, "");
        row("open in a pattern", {"-qen", "syscall::open*:entry { trace(1); }"}, "");
        row("another call", {"-qen", "syscall::read:entry { trace(1); }"}, "");
    }
    void callsThatProgramsDoNotMakeAreNamed()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, told);
        const auto run = runDscope(words);
        QCOMPARE(run.status, 0);
        if (told.isEmpty()) QCOMPARE(run.err, QByteArray());
        QVERIFY2(run.err.contains(told), run.err);

        qputenv("_DTRACE_TESTING", "1");
        const auto tested = runDscope(words);
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(tested.err, QByteArray());
    }
    void argumentsOfAProgramAreNotIgnored_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("-e") << QStringList{"-e", "-n", "BEGIN { trace($$1); }", "1:{2}"};
        QTest::newRow("-l") << QStringList{"-l", "-n", "BEGIN { trace($$1); }", "END"};
        QTest::newRow("-e with no program at all") << QStringList{"-e", "word"};
    }
    void argumentsOfAProgramAreNotIgnored()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(words);
        QVERIFY2(!run.err.contains("means compile only"), run.err.constData());
    }
    void destructiveActionsNameTheirSwitch()
    {
        const auto run = runDscope({"-n", "BEGIN { system(\"true\"); }"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("Destructive actions not allowed\n    hint: -w permits"), run.err.constData());
        qputenv("_DTRACE_TESTING", "1");
        const auto tested = runDscope({"-n", "BEGIN { system(\"true\"); }"});
        qunsetenv("_DTRACE_TESTING");
        QVERIFY2(tested.err.endsWith("Destructive actions not allowed\n"), tested.err.constData());
    }
    void theFirstFaultOfTheTextIsTold_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("told");
        const QString broken = "\nBEGIN /1 2/ { exit(0); }";
        QTest::newRow("an incomplete type before what cannot be read") << "struct outer { struct inner i; };\nstruct inner { int n; };"
                + broken << QByteArray(": incomplete struct/union/enum struct inner: i\n");
        QTest::newRow("a clause that is wrong before it")
            << "END { nothing(1); }" + broken << QByteArray("undefined function name: nothing");
        QTest::newRow("what cannot be read alone") << "struct inner { int n; };" + broken << QByteArray("syntax error near \"2\"");
        QTest::newRow("a fault behind it") << broken + "\nEND { nothing(1); }" << QByteArray("syntax error near \"2\"");
    }
    void theFirstFaultOfTheTextIsTold()
    {
        QFETCH(QString, program);
        QFETCH(QByteArray, told);
        const auto run = runDscope({"-n", program});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(told), run.err.constData());
        QCOMPARE(run.err.count("dtrace: "), 1);
    }
    void optionsAreListedWithTheirUnits()
    {
        const auto run = runDscope({"-x", "help"});
        QCOMPARE(run.status, 0);
        for (const auto* line : {"  bufsize        SIZE     4m ", "* aggrate        RATE     1s ", "  strsize        SIZE     256 "})
            QVERIFY2(run.out.contains(line), run.out.constData());
    }
    void repeatedErrorsAreCounted()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-qn", "tick-10ms /n++ < 7/ { trace(*(int *)0); } tick-10ms /n > 8/ { exit(0); }"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.err.count("invalid address (0x0) in action #1\n"), 1);
        QVERIFY2(run.err.contains("invalid address in action #1: 6 more like the first\n"), run.err.constData());
        qputenv("_DTRACE_TESTING", "1");
        const auto tested = runDscope({"-qn", "tick-10ms /n++ < 7/ { trace(*(int *)0); } tick-10ms /n > 8/ { exit(0); }"});
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(tested.err.count("invalid address"), 7);
    }
};
QTEST_GUILESS_MAIN(TestHints)
#include "tst_hints.moc"
