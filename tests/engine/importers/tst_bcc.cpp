// needs: engine/importers
// What tools of bcc print. The texts are in the forms of the examples beside the tools (github.com/iovisor/bcc, tools/*_example.txt) and of what
// libbpf-tools print, rewritten by hand with other names and numbers.
#include "engine/record/buckets.h"
#include "tests/support/imported.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray warnings(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* said = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(said->message) + '\n';
    return out;
}
} // namespace

class TestBcc : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// syscount -P and syscount are two tables, each with its own keys.
    void callsByNameAndByProcessDoNotMix()
    {
        const auto imported = read("bcc",
            "Tracing syscalls, printing top 10... Ctrl+C to quit.\n[09:39:04]\nSYSCALL             COUNT\nread "
            "                  5\nwrite                  2\n\nTracing syscalls, printing top 10... Ctrl+C to "
            "quit.\n[09:39:14]\nPID    COMM               COUNT\n12     sh                     7\n\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("@calls[read] 5\n@calls[write] 2\n@calls_by_process[12, sh] 7\n"));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(warnings(*imported).isEmpty(), warnings(*imported));
    }
    /// Two tools' stacks in one text measure two things.
    void stacksOfTwoToolsDoNotMix()
    {
        const auto imported = read("bcc",
            "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n    main\n    -   "
            "             dd (1)\n        4\n\nTracing off-CPU time (us) of all threads by user + kernel stack... "
            "Hit Ctrl-C to end.\n^C\n    schedule\n    -                dd (1)\n        9\n\n");
        QVERIFY(imported);
        QStringList nouns;
        for (const auto& r : imported->records)
            if (const auto* stacks = std::get_if<record::CountedStacks>(&r)) nouns << QString::fromStdString(stacks->noun);
        QCOMPARE(nouns, (QStringList{"samples", "off-CPU time"}));
        QCOMPARE(said(*imported), QByteArray("dd;main 4\ndd;schedule 9000\n"));
    }
    /// One number, one message: what has no room is left out, and not drawn as something else.
    void numbersWithoutRoomAreToldOnce()
    {
        const QByteArray head = "Tracing blocked time (us) by user + kernel off-CPU and waker stack... Hit Ctrl-C to end.\n";
        const auto stack = [](const char* number) {
            return QByteArray("    waker:           swapper/1 0\n    ffffffff81d1f4a6 wake\n    --               --\n    ffffffff81d1f4a7 "
                              "schedule\n    target:          sleep 12\n        ")
                + number + "\n\n";
        };
        const auto huge = read("bcc", head + stack("5") + stack("18446744073709551617"));
        QVERIFY(huge);
        QCOMPARE(said(*huge), QByteArray("sleep;schedule_[k];--;wake_[k];swapper/1 5000\n"));
        QCOMPARE(warnings(*huge), QByteArray("1 stack is left out: a number above 9223372036854775807 does not fit into 64 bits\n"));
        QCOMPARE(huge->notUnderstood, std::size_t{0});
        // What fits in microseconds need not fit in nanoseconds.
        const auto large = read("bcc", head + stack("9223372036854775000"));
        QVERIFY(large);
        QVERIFY2(warnings(*large).isEmpty(), warnings(*large));
        for (const auto& r : large->records)
            if (const auto* stacks = std::get_if<record::CountedStacks>(&r)) {
                QCOMPARE(stacks->all().front().value, std::int64_t{9223372036854775000});
                QCOMPARE(int{stacks->exponent}, 3);
            }
    }
    void stacksHaveTheirFramesFromTheRoot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<QByteArray>("noun");
        QTest::newRow("profile") << QByteArray("Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n    vfs_read\n"
                                               "    sys_read\n    read\n    -                dd (25036)\n        4\n\n    [unknown]\n    main\n"
                                               "    -                a b (77)\n        5\n\n")
                                 << QByteArray("a b;main;[unknown] 5\ndd;read;sys_read;vfs_read 4\n") << QByteArray("samples");
        QTest::newRow("profile -d: kernel and user apart")
            << QByteArray("Sampling at 49 Hertz of all threads by user + kernel stack for 1 secs.\n\n    vfs_read\n    --\n    read\n"
                          "    -                dd (1)\n        4\n\n")
            << QByteArray("dd;read;vfs_read_[k] 4\n") << QByteArray("samples");
        QTest::newRow("profile -a: marks are no part of names")
            << QByteArray("Sampling at 49 Hertz of all threads by user + kernel stack for 1 secs.\n\n    vfs_read_[k]\n    read\n"
                          "    -                dd (1)\n        4\n\n")
            << QByteArray("dd;read;vfs_read_[k] 4\n") << QByteArray("samples");
        QTest::newRow("offcputime: microseconds")
            << QByteArray("Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n    finish_task_switch\n"
                          "    schedule\n    main\n    -                sleep (12)\n        13\n\n")
            << QByteArray("sleep;main;schedule;finish_task_switch 13000\n") << QByteArray("off-CPU time");
        QTest::newRow("libbpf-tools' offcputime -v")
            << QByteArray("Tracing off-CPU time (us) of all threads... Hit Ctrl-C to end.\n    #0  0xffffffff81d1f4a6 schedule+0x1\n"
                          "    #1  0x00007f0102030405 nanosleep+0x17 (/usr/lib/libc.so.6+0x1234)\n    -                sleep (12)\n        2\n\n")
            << QByteArray("sleep;libc.so.6`nanosleep;schedule_[k] 2000\n") << QByteArray("off-CPU time");
        QTest::newRow("bytes of Python") << QByteArray(
            "Sampling at 49 Hertz of all threads by kernel stack... Hit Ctrl-C to end.\n^C\n    b'do_idle'\n    b'cpu_startup_entry'\n"
            "    -                b'swapper/0' (0)\n        4\n\n")
                                         << QByteArray("swapper/0;cpu_startup_entry;do_idle 4\n") << QByteArray("samples");
        QTest::newRow("stackcount") << QByteArray("Tracing 1 functions for \"submit_bio\"... Hit Ctrl-C to end.\n^C\n  submit_bio\n  kthread\n"
                                                  "    2\n\n  submit_bio+0x1\n  ext4_writepages+0x12\n    79\n\nDetaching...\n")
                                    << QByteArray("ext4_writepages;submit_bio 79\nkthread;submit_bio 2\n") << QByteArray("events");
        QTest::newRow("stackcount -P") << QByteArray("Tracing 1 functions for \"submit_bio\"... Hit Ctrl-C to end.\n^C\n  submit_bio\n  kthread\n"
                                                     "    kworker/u16:1 [31]\n    2\n\nDetaching...\n")
                                       << QByteArray("kworker/u16:1;kthread;submit_bio 2\n") << QByteArray("events");
        QTest::newRow("wakeuptime")
            << QByteArray("Tracing blocked time (us) by kernel stack... Hit Ctrl-C to end.\n^C\n    target:          sshd\n    ffffffff812037b6 pollwake\n"
                          "    ffffffff8178940f ret_from_fork\n    waker:           kworker/1:2\n        4001\n\n")
            << QByteArray("sshd;kworker/1:2;ret_from_fork_[k];pollwake_[k] 4001000\n") << QByteArray("blocked time");
        // With -f it prints the first of them as "vmstat;sys_nanosleep;schedule;-;hrtimer_wakeup;xen_evtchn_do_upcall;swapper/1 3000331".
        QTest::newRow("offwaketime of 2016")
            << QByteArray("Tracing blocked time (us) by kernel off-CPU and waker stack for 5 secs.\n\n    waker:           swapper/1\n"
                          "    ffffffff81475cf0 xen_evtchn_do_upcall\n    ffffffff810df082 hrtimer_wakeup\n    -                -\n"
                          "    ffffffff81785085 schedule\n    ffffffff810e018c sys_nanosleep\n    target:          vmstat\n        3000331\n\nDetaching...\n")
            << QByteArray("vmstat;sys_nanosleep_[k];schedule_[k];-;hrtimer_wakeup_[k];xen_evtchn_do_upcall_[k];swapper/1 3000331000\n")
            << QByteArray("blocked time");
        QTest::newRow("offwaketime since it reads stacks of programs")
            << QByteArray("Tracing blocked time (us) by user + kernel off-CPU and waker stack... Hit Ctrl-C to end.\n^C\n    waker:           a 2 31\n"
                          "    main\n    write\n    -\n    vfs_write\n    --               --\n    schedule\n    -\n    read\n    target:          b 77\n"
                          "        4\n\n")
            << QByteArray("b;read;-;schedule;--;vfs_write;-;write;main;a 2 4000\n") << QByteArray("blocked time");
        QTest::newRow("memleak") << QByteArray("Attaching to pid 5193, Ctrl+C to quit.\n[11:16:33] Top 10 stacks with outstanding allocations:\n"
                                               "\taddr = 948cd0 size = 16\n\t80 bytes in 5 allocations from stack\n\t\t main+0x6d [allocs]\n"
                                               "\t\t 0x00007fdf47029d90\t__libc_start_main+0xf0 [libc-2.21.so]\n\t8192 bytes in 1 allocations from stack\n"
                                               "\t\t perf_mmap [kernel]\n")
                                 << QByteArray("kernel`perf_mmap 8192\nlibc-2.21.so`__libc_start_main;allocs`main 80\nkernel`perf_mmap 1\n"
                                               "libc-2.21.so`__libc_start_main;allocs`main 5\n")
                                 << QByteArray("outstanding memory");
        QTest::newRow("memleak, sums below 0")
            << QByteArray("Attaching to pid 5193, Ctrl+C to quit.\n[11:16:33] Top 10 stacks with outstanding allocations:\n"
                          "\t32 bytes in 2 allocations from stack\n\t\t main+0x6d [allocs]\n"
                          "\t18446744073709551608 bytes in 18446744073709551615 allocations from stack\n\t\t under+0x1 [allocs]\n"
                          "\t-8 bytes in -1 allocations from stack\n\t\t neg+0x1 [allocs]\n\t16 bytes in 1 allocations from stack\n\t\t other+0x1 [allocs]\n")
            << QByteArray("allocs`main 32\nallocs`other 16\nallocs`main 2\nallocs`other 1\n") << QByteArray("outstanding memory");
        QTest::newRow("memleak of libbpf-tools, whose last printing counts")
            << QByteArray("tracing outstanding memory allocs...  Hit Ctrl-C to end\n[3:4:5] Top 1 stacks with outstanding allocations:\n"
                          "16 bytes in 1 allocations from stack\n\t0 [<000055d0a1b2c3d4>] grow+0x11 [tool]\n\n[3:4:10] Top 1 stacks with outstanding allocations:\n"
                          "32 bytes in 2 allocations from stack\n\t0 [<000055d0a1b2c3d4>] grow+0x11 [tool]\n\t1 [<00007f0011223344>] <null sym>\n")
            << QByteArray("[unknown];tool`grow 32\n[unknown];tool`grow 2\n") << QByteArray("outstanding memory");
    }
    void stacksHaveTheirFramesFromTheRoot()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QFETCH(QByteArray, noun);
        QCOMPARE(guessed(text), QByteArray("bcc"));
        const auto imported = read("bcc", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(QByteArray::fromStdString(std::get<record::CountedStacks>(imported->records.at(0)).noun), noun);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    void histogramsHaveTheBoundsThatArePrinted()
    {
        const auto imported = read("bcc",
            "Tracing block device I/O... Hit Ctrl-C to end.\n^C\n\ndisk = 'xvdb'\n     usecs               : count     distribution\n"
            "         0 -> 1          : 3        |**                                      |\n         2 -> 3          : 0        |     |\n"
            "         4 -> 7          : 9        |****|\n\ndisk = sda\n     usecs               : count    distribution\n"
            "         0 -> 1          : 0        |    |\n         2 -> 3          : 5        |****|\n\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(imported->program.aggregations.size(), std::size_t{1});
        const auto& a = imported->program.aggregations.front();
        QCOMPARE(QByteArray::fromStdString(a.name + a.value + a.keys.at(0).name), QByteArray("usecs(timestamp - self->start) / 1000disk"));
        QCOMPARE(said(*imported), QByteArray("@usecs[xvdb] 1 3 3 9\n@usecs[sda] 2 5\n"));
        QCOMPARE(*record::bucketRange(a, 1).low, 0);
        QCOMPARE(*record::bucketRange(a, 1).high, 1);
        QCOMPARE(*record::bucketRange(a, 3).low, 4);
        QCOMPARE(*record::bucketRange(a, 3).high, 7);
    }

    void averagesLinearHistogramsAndCountsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("funclatency -F, with the average that stands below")
            << QByteArray("Tracing 2 functions for \"vfs_*\"... Hit Ctrl-C to end.\n^C\n\nFunction = vfs_read\n     nsecs               : count     distribution\n"
                          "         0 -> 1          : 0        |  |\n         2 -> 3          : 4        |**|\n\n"
                          "avg = 2 nsecs, total: 10 nsecs, count: 4\n\nDetaching...\n")
            << QByteArray("@nsecs[vfs_read] 2 4\n@nsecs_average[vfs_read] 4 10\n");
        QTest::newRow("runqlen") << QByteArray("Sampling run queue length... Hit Ctrl-C to end.\n^C\n     runqlen       : count     distribution\n"
                                               "        0          : 1068     |****|\n        1          : 642      |**  |\n")
                                 << QByteArray("@runqlen[] 63 1068 64 642\n");
        QTest::newRow("funccount") << QByteArray("Tracing 2 functions for \"b'vfs_*'\"... Hit Ctrl-C to end.\n^C\nFUNC                                    COUNT\n"
                                                 "vfs_create                                  1\nvfs_read                                  345\nDetaching...\n")
                                   << QByteArray("@calls[vfs_create] 1\n@calls[vfs_read] 345\n");
        QTest::newRow("syscount") << QByteArray("Tracing syscalls, printing top 10... Ctrl+C to quit.\n[09:39:04]\nSYSCALL             COUNT\n"
                                                "write               10739\n[unknown: 321]          1\n^C\n")
                                  << QByteArray("@calls[write] 10739\n@calls[[unknown: 321]] 1\n");
        QTest::newRow("syscount -L, ended by the terminal's ^C")
            << QByteArray("Tracing syscalls, printing top 10... Ctrl+C to quit.\n^C[09:41:32]\nSYSCALL                   COUNT        TIME (us)\n"
                          "select                       16      3415860.022\nkill                          1            4.342\n\nDetaching...\n")
            << QByteArray("@calls[select] 16\n@calls[kill] 1\n@time[select] 3415860022\n@time[kill] 4342\n");
        QTest::newRow("syscount -L -m -P")
            << QByteArray("Tracing failed syscalls, printing top 10... Ctrl+C to quit.\n[09:41:32]\nPID    COMM               COUNT        TIME (ms)\n"
                          "13820  a vim 7              548         1.000002\n1      systemd                8         0.000900\n\n")
            << QByteArray("@calls[13820, a vim 7] 548\n@calls[1, systemd] 8\n@time[13820, a vim 7] 1000002\n@time[1, systemd] 900\n");
        QTest::newRow("syscount -i 5: what came in")
            << QByteArray("Tracing syscalls, printing top 10... Ctrl+C to quit.\n[09:44:16]\nSYSCALL             COUNT\nfutex                  13\n\n"
                          "[09:44:21]\nSYSCALL             COUNT\nfutex                  12\nopen                    6\n^C\n")
            << QByteArray("@calls[futex] 13\n@calls[futex] 12\n@calls[open] 6\n");
        QTest::newRow("printed each second: what came in since the second before")
            << QByteArray("Tracing block device I/O... Hit Ctrl-C to end.\n\n06:20:16\n     msecs               : count     distribution\n"
                          "         0 -> 1          : 3        |**|\n\n06:20:17\n     msecs               : count     distribution\n"
                          "         0 -> 1          : 5        |**|\n         2 -> 3          : 1        |  |\n")
            << QByteArray("@msecs[] 1 3\n@msecs[] 1 5 2 1\n");
    }
    void averagesLinearHistogramsAndCountsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QCOMPARE(guessed(text), QByteArray("bcc"));
        const auto imported = read("bcc", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    void whatIsCutOrLeftOutIsTold()
    {
        const auto calls = read("bcc", "Tracing syscalls, printing top 1... Ctrl+C to quit.\n[09:44:16]\nSYSCALL   COUNT\nfutex   13\n");
        QVERIFY(calls);
        QVERIFY2(warnings(*calls).contains("syscount printed only the first 1 rows of each table"), warnings(*calls));
        const auto leaks = read("bcc",
            "[1:2:3] Top 1 stacks with outstanding allocations:\n1 bytes in 1 allocations from stack\n\t0 [<00>] f+0x1\n"
            "[1:2:8] Top 0 stacks with outstanding allocations:\n");
        QVERIFY(leaks);
        QVERIFY2(warnings(*leaks).contains("2 times: the stacks are those of the last one with stacks, at 1:2:3"), warnings(*leaks));
        QVERIFY2(warnings(*leaks).contains("only its 1 largest stacks"), warnings(*leaks));
    }
    void tablesOfEventsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("execsnoop") << QByteArray("PCOMM            PID    PPID   RET ARGS\nbash             15887  1        0 /usr/bin/man ls\n");
        QTest::newRow("opensnoop") << QByteArray("PID    COMM               FD ERR PATH\n17326  <...>               7   0 /sys/kernel/x\n");
        QTest::newRow("trace") << QByteArray("TIME     PID     TID     COMM            FUNC             -\n05:24:26 4402    4402    bash            sys_execve       /bin/ls\n");
        QTest::newRow("biosnoop") << QByteArray("TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n0.000004    supervise      1950   xvda1   W 13092560   4096      0.74\n");
    }
    void tablesOfEventsAreRefused()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(guessed(text), QByteArray("bcc"));
        const auto imported = read("bcc", text);
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find("a line for each event") != std::string::npos, imported.error().message.c_str());
    }

    void aTextOfBpftraceIsNotOne()
    {
        // Nor is a log of strace with what ps printed within it.
        QVERIFY(guessed("100 10:00:00.1 execve(\"/bin/ps\", [\"ps\"], 0x7ff /* 3 vars */) = 0\nPID COMM TIME\n1 init 0\n"
                        "100 10:00:00.2 +++ exited with 0 +++\n")
            != QByteArray("bcc"));
        QCOMPARE(guessed("Attaching 4 probes...\nTracing block device I/O... Hit Ctrl-C to end.\n@usecs:\n[1]   2 |@|\n"), QByteArray("bpftrace"));
    }
};
QTEST_GUILESS_MAIN(TestBcc)
#include "tst_bcc.moc"
