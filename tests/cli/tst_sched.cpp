// needs-programs: dscope
// The scheduler, held against what the kernel says of a process and its own clock.
#include "tests/support/counts.h"
#include <QDateTime>
#include <QObject>
#include <QTest>
#include <sched.h>
#include <sys/resource.h>
using namespace dscope::tests;
namespace {
/// Adds up as "ns" the vtimestamp between the marks.
const QString kVirtualTime
    = QStringLiteral("self uint64_t since; syscall::close:entry /pid == $target && (int)arg0 == -31337/"
                     " { @[\"ns\"] = sum(self->since ? vtimestamp - self->since : 0); self->since = marked ? vtimestamp : 0; } ");
/// Whether "ns" is what the thread had of a CPU: not less than it ran, nor more than it did not wait. What a hypervisor takes of a CPU lies
/// between. Where a thread that wakes takes the CPU from another, the kernel ends that one's time at the wake, some microseconds before the
/// switch. Source: kernel/sched/core.c, wakeup_preempt(), rq_clock_skip_update()
bool isTimeOnCpu(const QMap<QByteArray, qint64>& c)
{
    constexpr qint64 kSome = 2'000'000, kOfSwitch = 10'000;
    return c["ns"] >= c["ran:"] - kSome && c["ns"] <= c["elapsed:"] - c["waited:"] + kSome + kOfSwitch * c["slices:"];
}
} // namespace
class TestSched : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void threadsComeAndGoAsOftenAsTheKernelSays()
    {
        const auto c = countsOfWork("#pragma D option evaltime=exec\nsched:::off-cpu /pid == $target/ { @[\"off\"] = sum(1); }"
                                    " sched:::on-cpu /pid == $target/ { @[\"on\"] = sum(1); }"
                                    " sched:::sleep /pid == $target/ { @[\"sleep\"] = sum(1); }"
                                    " sched:::preempt /pid == $target/ { @[\"preempt\"] = sum(1); }"
                                    " sched:::wakeup /pid == $target && args[1]->pr_pid == $target/ { @[\"wakeup\"] = sum(1); }",
            "pass", 2000);
        QCOMPARE(c["status"], 0);
        QCOMPARE(c["complaints"], 0);
        const auto all = c["voluntary"] + c["involuntary"];
        QVERIFY2(qAbs(c["off"] - all) <= 10, QByteArray::number(c["off"]) + " of " + QByteArray::number(all));
        QVERIFY2(qAbs(c["on"] - all) <= 10, QByteArray::number(c["on"]) + " of " + QByteArray::number(all));
        QVERIFY2(qAbs(c["sleep"] - c["voluntary"]) <= 10, QByteArray::number(c["sleep"]) + " of " + QByteArray::number(c["voluntary"]));
        QVERIFY2(qAbs(c["preempt"] - c["involuntary"]) <= 10, QByteArray::number(c["preempt"]));
        QVERIFY2(c["wakeup"] > 1000, QByteArray::number(c["wakeup"]));
    }
    void timeOnCpuIsTheProcesssTime()
    {
        const auto c
            = countsAndAccounts("self uint64_t since; syscall::close:entry /pid == $target && (int)arg0 == -31337/"
                                " { @[\"ns\"] = sum(self->since ? timestamp - self->since : 0); self->since = marked ? timestamp : 0; }"
                                " sched:::on-cpu /pid == $target && marked/ { self->since = timestamp; }"
                                " sched:::off-cpu /self->since/ { @[\"ns\"] = sum(timestamp - self->since); self->since = 0; }"
                                " sched:::tick /pid == $target/ { @[\"ticks\"] = sum(1); @max[\"pid\"] = max(args[1]->pr_pid == pid); }"
                                " sdt:timer::hrtimer_expire_entry /pid == $target/ { @timers[func((uintptr_t)args[2])] = sum(1); }",
                "spin", 400);
        QVERIFY(c["ms"] >= 400);
        QVERIFY2(isTimeOnCpu(c), both(c["ns"], c["elapsed:"] - c["waited:"]));
        // The kernel's timer for it: tick_sched_timer(), since 6.9 tick_nohz_handler().
        qint64 ticks = 0;
        for (auto i = c.begin(); i != c.end(); ++i)
            if (i.key().startsWith("vmlinux`tick_")) ticks += i.value();
        QVERIFY(ticks > 0);
        QCOMPARE(c["ticks"], ticks);
        QCOMPARE(c["pid"], 1);
    }
    /// As above, where little is traced.
    void virtualTimeIsTheThreadsTime()
    {
        const auto c = countsAndAccounts(kVirtualTime, "spin", 400);
        QVERIFY2(isTimeOnCpu(c), both(c["ns"], c["elapsed:"] - c["waited:"]));
    }
    void virtualTimeLeavesOutWhatClausesTake()
    {
        const auto c = countsAndAccounts("\n#pragma D option destructive\n" + kVirtualTime
                + "syscall::read:entry /pid == $target && marked && arg2 == 12345/ { chill(200000); @[\"chilled\"] = sum(200000); }",
            "transfer", 500);
        QCOMPARE(c["complaints"], 0);
        QVERIFY2(c["chilled"] >= 500 * 200'000, QByteArray::number(c["chilled"]));
        const auto own = c["elapsed:"] - c["waited:"] - c["chilled"];
        constexpr qint64 kSome = 10'000'000; // a tenth of what clauses took
        QVERIFY2(c["ns"] > 0 && c["ns"] <= own + kSome, both(c["ns"], own));
    }
    void slicesAndTheWaitForThemAreThoseOfSchedstat()
    {
        const auto c = countsAndAccounts(
            "uint64_t queued; sched:::enqueue /marked && args[1]->pr_pid == $target && args[0]->pr_lwpid == $target && !queued/ { "
            "queued = timestamp; }"
            " sched:::on-cpu /tid == $target && marked/ { @[\"slices\"] = sum(1); @[\"waited\"] = sum(queued ? timestamp - queued : "
            "0);"
            " queued = 0; }",
            "pass", 2000);
        QCOMPARE(c["complaints"], 0);
        QVERIFY(c["slices:"] >= 1000);
        QVERIFY2(isNear(c["slices"], c["slices:"], 3), both(c["slices"], c["slices:"]));
        // A thread is in its queue a moment before the kernel tells of it, and out of it a moment before it runs.
        QVERIFY2(isNear(c["waited"], c["waited:"], c["waited:"] / 5 + c["slices:"] * 20'000), both(c["waited"], c["waited:"]));
    }
    void switchesAreThoseOfProcStat()
    {
        const auto c = countsAndAccounts("sched:::off-cpu /marked/ { @[\"off\"] = sum(1); }", "pass", 2000);
        QVERIFY2(isNear(c["off"], c["ctxt"], 10 + c["ctxt"] / 20), both(c["off"], c["ctxt"]));
    }
    void whoOffersItsCpuIsOnTheOneItSays()
    {
        const auto c = countsOfWork(
            "sched:::surrender /pid == $target/ { @[strjoin(\"cpu\", lltostr(curcpu->cpu_id))] = sum(args[1]->pr_pid == pid); }", "yield",
            50);
        int cpus = 0;
        for (auto i = c.begin(); i != c.end(); ++i)
            if (i.key().startsWith("cpu") && ++cpus) QCOMPARE(i.value(), 50);
        cpu_set_t allowed; // which may be fewer than there are
        QCOMPARE(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
        QCOMPARE(cpus, CPU_COUNT(&allowed));
    }
    void priorityIsInheritedAndGivenBack()
    {
        const auto c = countsOfWork("sched:::change-pri /args[1]->pr_pid == $target && args[0]->pr_lwpid == $target/"
                                    " { @[strjoin(\"to\", lltostr(args[2]))] = sum(1); }",
            "boost", 30);
        if (c["refused:"]) QSKIP("no thread may have a real-time priority here");
        // The kernel's numbers: 99 - 10 of a real-time thread, 120 and what it is nice of others; lower ones go first. Source:
        // include/linux/sched/prio.h
        QCOMPARE(c["to89"], 30);
        QCOMPARE(c["to" + QByteArray::number(120 + ::getpriority(PRIO_PROCESS, 0))], 30);
    }
    void theLockThatAThreadSleepsForIsOfTheKindThatItAskedFor()
    {
        // FUTEX_LOCK_PI and FUTEX_LOCK_PI2. Source: include/uapi/linux/futex.h
        // Who falls asleep may be woken before the clause has come to the object: then it waits for none.
        const auto c = countsOfWork(
            "syscall::futex:entry /pid == $target/ { self->in = (arg1 & 0x7f) == 6 || (arg1 & 0x7f) == 13 ? 2 : 1; }"
            " syscall::futex:return { self->in = 0; }"
            " sched:::off-cpu /pid == $target && curlwpsinfo->pr_state == SSLEEP/"
            " { this->so = curlwpsinfo->pr_stype; @[this->so == SOBJ_USER_PI ? \"heir\" : this->so == SOBJ_USER ? "
            "\"user\" : this->so == SOBJ_NONE ? \"woken\" : \"other\"] = sum(1); @wrong[\"wrong\"] = sum(this->so != SOBJ_NONE && "
            "self->in != (this->so == SOBJ_USER_PI ? 2 : this->so == SOBJ_USER ? 1 : 0)); }",
            "boost", 500);
        if (c["refused:"]) QSKIP("no thread may have a real-time priority here");
        // Whose lock comes back before it slept does not sleep.
        QVERIFY2(c["heir"] > 0 && c["heir"] <= 500, QByteArray::number(c["heir"]));
        QVERIFY(c["user"] > 0);
        QCOMPARE(c["wrong"], 0);
    }
    void systemCallAndTimesOfAThreadAreTheKernels()
    {
        const auto before = QDateTime::currentSecsSinceEpoch();
        const auto c
            = countsAndAccounts("self uint64_t since; syscall::close:entry /pid == $target && (int)arg0 == -31337/"
                                " { this->ns = curlwpsinfo->pr_time.tv_sec * 1000000000 + curlwpsinfo->pr_time.tv_nsec;"
                                " @[\"ns\"] = sum(self->since ? this->ns - self->since : 0); self->since = marked ? this->ns : 0;"
                                " @start[\"start\"] = max(curpsinfo->pr_start.tv_sec); @own[\"own\"] = "
                                "max(curlwpsinfo->pr_start.tv_sec - curpsinfo->pr_start.tv_sec); }"
                                " sdt:raw_syscalls::sys_enter /pid == $target/ { @calls[\"calls\"] = sum(1);"
                                " @same[\"same\"] = sum(curlwpsinfo->pr_syscall == args[0]); }"
                                " sdt:timer::hrtimer_expire_entry /pid == 0/ { @idle[\"idle\"] = sum(curlwpsinfo->pr_syscall != -1); }",
                "spin", 400);
        QVERIFY(c["calls"] > 0);
        QCOMPARE(c["same"], c["calls"]);
        QCOMPARE(c["idle"], 0);
        // A second for what the divisions cut, and clocks that are set meanwhile.
        QVERIFY2(c["start"] >= before - 1 && c["start"] <= QDateTime::currentSecsSinceEpoch() + 1, both(c["start"], before));
        QCOMPARE(c["own"], 0);
        // The kernel brings a running thread's time up to date at each tick.
        QVERIFY2(isNear(c["ns"], c["ran:"], 20'000'000), both(c["ns"], c["ran:"]));
    }
    /// The memory of another process can't be read.
    void argumentsOfOthersAreNotKnown()
    {
        const auto run = runDscope({"-qn",
            "BEGIN { other = curthread; } proc:::exec-success /pid == $target/ { printf(\"%s|%s|\", curpsinfo->pr_psargs, xlate <psinfo_t> "
            "(other).pr_psargs); }",
            "-c", "/bin/true word"});
        QCOMPARE(run.out.trimmed(), QByteArray("/bin/true word|<unknown>|"));
    }
    /// Of on-cpu's tracepoints one has a single argument, and errno is not among them.
    void errnoCanBeHadAtEveryProbe()
    {
        const auto run = runDscope({"-qn", "sched::: { @[errno] = count(); } tick-100ms { exit(0); }"});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QVERIFY(!run.out.trimmed().isEmpty());
    }
    /// The names that the Solaris guide has for Linux's ways too. Source: Solaris Dynamic Tracing Guide, "sched Provider".
    void namesAreThoseOfTheGuide_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto* name :
            {"change-pri", "dequeue", "enqueue", "off-cpu", "on-cpu", "preempt", "remain-cpu", "sleep", "surrender", "tick", "wakeup"})
            QTest::newRow(name) << QByteArray(name);
    }
    void namesAreThoseOfTheGuide()
    {
        QFETCH(QByteArray, name);
        const auto run = runDscope({"-ln", "sched:::" + QString::fromUtf8(name)});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed().split('\n').size(), 2); // the heading, and one probe
        QVERIFY2(run.out.trimmed().endsWith(' ' + name), run.out);
    }
    void whoeverIsTakenFromAQueueWasPutThere()
    {
        const auto c
            = countsOfWork("sched:::enqueue /args[1]->pr_pid == $target/ { @[\"in\"] = sum(1); }"
                           " sched:::dequeue /args[1]->pr_pid == $target/ { @[\"out\"] = sum(1); @min[\"cpu\"] = min(args[2]->cpu_id); }",
                "pass", 2000);
        QVERIFY(c["in"] > 1000);
        QVERIFY2(qAbs(c["in"] - c["out"]) <= c["in"] / 50 + 10, QByteArray::number(c["in"]) + " and " + QByteArray::number(c["out"]));
    }
    void curcpuIsTheCpu()
    {
        const auto run = runDscope({"-qn", "BEGIN { printf(\"%d\", curcpu->cpu_id == cpu); exit(0); }"});
        QCOMPARE(run.out.trimmed(), QByteArray("1"));
    }
};
QTEST_GUILESS_MAIN(TestSched)
#include "tst_sched.moc"
