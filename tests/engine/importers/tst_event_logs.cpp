// needs-programs: dscope
// Text of ftrace, LTTng, ltrace and Java's flight recorder: what the real program makes of it.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
// As Documentation/trace/ftrace.rst has it, with and without the process's number; then as trace-cmd report prints it.
const QByteArray kFtrace = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 6/6   #P:2\n#\n"
                           "            bash-1977    [000] ..... 17284.993652: sys_enter_read: fd: 0x00000003\n"
                           "            bash-1977    [000] ..... 17284.993752: sys_exit_read: 0x340\n"
                           "   my prog 2-1980  ( 1980) [001] d..2. 17284.993800: sched_switch: prev_comm=a prev_pid=1980\n"
                           "          <idle>-0       [001] d..2. 17284.994000: sched_switch: prev_comm=swapper/1 prev_pid=0\n"
                           "            bash-1977    [000] ..... 17285.000000: sys_enter_read: fd: 0x00000003\n"
                           "            bash-1977    [001] ..... 17285.000100: sys_exit_read: 0x0\n";
// The trace file itself, of Linux 6.18: system calls are printed without their events' names.
const QByteArray kSyscalls = "# tracer: nop\n#\n               w-456     [000] ..... 28122.687140: sys_write -> 0x2\n"
                             "               w-456     [000] ..... 28122.687142: sys_dup2(oldfd: 0xb, newfd: 1)\n"
                             "               w-456     [000] ..... 28122.687243: sys_dup2 -> 0x1\n"
                             "               w-456     [000] ..... 28122.687246: sys_getpid()\n"
                             "               w-456     [000] ..... 28122.687250: sched_switch: prev_comm=w ==> next_comm=x\n";
const QByteArray kTraceCmd = "cpus=2\n            bash-1977  [000] 17284.993652: sys_enter_read:       fd: 0x00000003\n"
                             "            bash-1977  [000] 17284.993752: sys_exit_read:        0x340\n"
                             "            bash-1977  [000] 17284.993852: kmalloc:              (ffffffff) call_site=x bytes_req=8\n";
// babeltrace2-sink.text.pretty(7).
const QByteArray kLttng
    = "[17:43:24.000000000] (+0.000000000) host syscall_entry_openat: { cpu_id = 1 }, { procname = \"ls\", tid = 12 }, { dfd = -100, filename = \"/etc/x\" }\n"
      "[17:43:24.000100000] (+0.000100000) host sched_switch: { cpu_id = 1 }, { procname = \"swapper/1\", tid = 0 }, { prev_comm = \"ls\" }\n"
      "[17:43:24.000200000] (+0.000100000) host syscall_exit_openat: { cpu_id = 0 }, { procname = \"ls\", tid = 12 }, { ret = 3 }\n";
const QByteArray kLtrace = "[pid 12] libc.so.6->malloc(24)                     = 0x5581 <0.000081>\n[pid 12] libc.so.6->malloc(1000) = 0x5599 <0.000090>\n"
                           "[pid 13] libc.so.6->read(0, \"a (b) = c\", 9)       = 9 <0.500000>\n[pid 13] +++ exited (status 0) +++\n";
const QByteArray kJfr = "jdk.ExecutionSample {\n  startTime = 12:34:56.789 (2026-01-01)\n  sampledThread = \"main\" (javaThreadId = 1)\n  state = \"STATE_RUNNABLE\"\n"
                        "  stackTrace = [\n    java.util.HashMap.putVal(int, Object, Object, boolean, boolean) line: 635\n    app.Main.main(String[]) line: 12\n  ]\n}\n\n"
                        "jdk.ExecutionSample {\n  sampledThread = \"main\" (javaThreadId = 1)\n  stackTrace = [\n    java.util.HashMap.putVal(int, Object, Object, boolean, boolean) line: 640\n"
                        "    app.Main.main(String[]) line: 12\n    ...\n  ]\n}\n\njdk.CPULoad {\n  jvmUser = 1.2%\n}\n";
} // namespace

class TestEventLogs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eventsAndTimesAreThoseOfTheText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("bars");
        QTest::addColumn<QByteArray>("histogram");
        QTest::newRow("ftrace") << kFtrace << QByteArray("execname,event,events\r\nbash,sys_enter_read,2\r\nbash,sys_exit_read,2\r\n<idle>,sched_switch,1\r\nmy prog 2,sched_switch,1\r\n")
                                << QByteArray("call,low,high,count\r\nread,65536,131071,2\r\n");
        QTest::newRow("ftrace's system calls") << kSyscalls << QByteArray("execname,event,events\r\nw,sched_switch,1\r\nw,sys_enter_dup2,1\r\nw,sys_enter_getpid,1\r\nw,sys_exit_dup2,1\r\nw,sys_exit_write,1\r\n")
                                               << QByteArray("call,low,high,count\r\ndup2,65536,131071,1\r\n");
        QTest::newRow("trace-cmd") << kTraceCmd << QByteArray("execname,event,events\r\nbash,kmalloc,1\r\nbash,sys_enter_read,1\r\nbash,sys_exit_read,1\r\n")
                                   << QByteArray("call,low,high,count\r\nread,65536,131071,1\r\n");
        QTest::newRow("lttng") << kLttng << QByteArray("execname,event,events\r\nls,syscall_entry_openat,1\r\nls,syscall_exit_openat,1\r\nswapper/1,sched_switch,1\r\n")
                               << QByteArray("call,low,high,count\r\nopenat,131072,262143,1\r\n");
        QTest::newRow("ltrace") << kLtrace << QByteArray("execname,event,events\r\npid 12,libc.so.6`malloc,2\r\npid 13,libc.so.6`read,1\r\n")
                                << QByteArray("function,low,high,count\r\nlibc.so.6`malloc,65536,131071,2\r\nlibc.so.6`read,268435456,536870911,1\r\n");
    }
    void eventsAndTimesAreThoseOfTheText()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, bars);
        QFETCH(QByteArray, histogram);
        write(text);
        const auto run = runDscope({"--import", file("log"), "--export", "bars=" + file("b.csv"), "--export", "histogram=" + file("h.csv")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(contents(file("b.csv")), bars);
        QCOMPARE(contents(file("h.csv")), histogram);
    }
    void samplesOfJavaAreStacks()
    {
        write(kJfr);
        const auto run = runDscope({"--import", file("log"), "--export", file("j.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(file("j.folded")), QByteArray("main;[truncated];app.Main.main_[j];java.util.HashMap.putVal_[j] 1\nmain;app.Main.main_[j];java.util.HashMap.putVal_[j] 1\n"));
    }
    /// Threads of Java and their samples, the newer form of times and the older one, which has no date.
    void samplesOfJavaHaveTheirTimes_data()
    {
        QTest::addColumn<QByteArray>("date");
        QTest::newRow("with a date") << QByteArray(" (2026-01-01)");
        QTest::newRow("time alone") << QByteArray();
    }
    void samplesOfJavaHaveTheirTimes()
    {
        QFETCH(QByteArray, date);
        QByteArray text;
        for (int i = 0; i < 40; ++i)
            text += QByteArray("jdk.ExecutionSample {\n  startTime = 23:59:%1.%200@\n  sampledThread = \"%3\" (javaThreadId = 1)\n  "
                               "stackTrace = [\n    app.Main.%4() line: 2\n  ]\n}\n\n")
                        .replace("%1", QByteArray::number(10 + i / 10))
                        .replace("%2", QByteArray::number(i % 10))
                        .replace("@", date)
                        .replace("%3", i < 20 ? "http-nio-8080-exec-17" : "main")
                        .replace("%4", i % 2 ? "odd" : "even");
        write(text);
        auto run = runDscope({"--import", file("log"), "--export", "bars=" + file("b.csv")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(file("b.csv")), QByteArray("thread,threads\r\nhttp-nio-8080-exec-17,20\r\nmain,20\r\n"));
        run = runDscope(
            {"--import", file("log"), "--from", "1s", "--to", "3s", "--export", "bars=" + file("b.csv"), "--export", file("j.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(file("b.csv")), QByteArray("thread,threads\r\nhttp-nio-8080-exec-17,10\r\nmain,10\r\n"));
        QCOMPARE(contents(file("j.folded")),
            QByteArray("http-nio-8080-exec-17;app.Main.even_[j] 5\nhttp-nio-8080-exec-17;app.Main.odd_[j] 5\n"
                       "main;app.Main.even_[j] 5\nmain;app.Main.odd_[j] 5\n"));
    }
    void whatIsNotUnderstoodIsTold()
    {
        write(kFtrace + "this is no event\n");
        const auto run = runDscope({"--import", file("log"), "--export", file("b.csv")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains("1 line was not understood; the first is line 11: this is no event"), run.err);
    }

private:
    void write(const QByteArray& text)
    {
        QFile log(file("log"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write(text);
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestEventLogs)
#include "tst_event_logs.moc"
