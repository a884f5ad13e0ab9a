// needs-programs: dscope
// rawtp and sdt, held against each other, perf and what the programs did.
#include "tests/support/counts.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
using namespace dscope::tests;
class TestTracepoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void rawAndRecordedArgumentsAgree()
    {
        const auto run = runDscope({"-qn",
            "rawtp:::sched_process_fork /pid == $target/ { printf(\"raw %d\\n\", args[1]->pid); }"
            "sdt:sched::sched_process_fork /args[1] == $target/ { printf(\"sdt %d\\n\", args[3]); }",
            "-c", DSCOPE_PROGRAMS "/kernel_work replace 5"});
        QCOMPARE(run.err, QByteArray());
        QList<QByteArray> raw, sdt;
        for (const auto& line : run.out.split(char(10))) {
            if (line.startsWith("raw ")) raw << line.mid(4);
            if (line.startsWith("sdt ")) sdt << line.mid(4);
        }
        std::sort(raw.begin(), raw.end());
        std::sort(sdt.begin(), sdt.end());
        QCOMPARE(raw.size(), 5);
        QCOMPARE(sdt, raw);
    }
    void eventsAreAsManyAsTheWorkloadMakes()
    {
        const auto c = countsOfWork("sdt:sched::sched_process_exec /ppid == $target/ { @[\"execs\"] = sum(1); }"
                                    " sdt:task::task_rename /args[2] == \"true\"/ { @[\"renames\"] = sum(1); }",
            "replace", 7);
        QCOMPARE(c["execs"], 7);
        QVERIFY(c["renames"] >= 7);
    }
    void eventsAreCountedAsPerfCountsThem_data()
    {
        QTest::addColumn<QString>("event");
        QTest::addColumn<QString>("work");
        QTest::addColumn<QStringList>("probes");
        const auto row = [](const char* event, const char* work, const QStringList& probes) {
            QTest::newRow(event) << QString(event) << QString(work) << probes;
        };
        row("lock:contention_begin", "contend 200", {"sdt:lock::contention_begin", "rawtp:::contention_begin"});
        row("sched:sched_switch", "pass 2000", {"sdt:sched::sched_switch", "rawtp:::sched_switch"});
        row("sched:sched_process_fork", "replace 20", {"sdt:sched::sched_process_fork", "rawtp:::sched_process_fork"});
        row("exceptions:page_fault_user", "touch 500", {"sdt:exceptions::page_fault_user", "rawtp:::page_fault_user"});
        row("block:block_bio_queue", "store 200", {"sdt:block::block_bio_queue", "rawtp:::block_bio_queue", "io:::start"});
        row("syscalls:sys_enter_munmap", "contend 200", {"syscall::munmap:entry"});
    }
    void eventsAreCountedAsPerfCountsThem()
    {
        QFETCH(QString, event);
        QFETCH(QString, work);
        QFETCH(QStringList, probes);
        const QTemporaryDir dir;
        const auto file = dir.filePath("perf");
        const QStringList perf{"perf", "stat", "-x,", "-o", file, "-e", event, "--", DSCOPE_PROGRAMS "/kernel_work"};
        if (runDscope(perf.mid(1) + QStringList{"spin", "1"}, {}, "perf").status != 0) QSKIP("needs perf (package linux-perf)");
        QString program = kEnds;
        for (const auto& probe : probes)
            program += clausesOfPerfsCount(probe, probe.section(':', 0, 0));
        const auto run = runApart({"-qn", program, "-c", (perf + work.split(' ')).join(' ')});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto c = countsIn(run.out);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        qint64 told = -1;
        for (const auto& line : written.readAll().split('\n'))
            if (const auto f = line.split(','); f.size() > 3 && f[2] == event.toUtf8()) told = f[0].toLongLong();
        QVERIFY(told > 0);
        for (const auto& probe : probes) {
            const auto name = probe.section(':', 0, 0).toUtf8();
            QVERIFY2(isPerfsCount(c, name, told), probe.toUtf8() + ": " + both(c[name], told));
        }
    }
    /// A program that reads where nothing is mapped has a page fault of its own: the kernel runs no program for that one.
    void firingsWithinAFiringOfTheSameProbeAreTold()
    {
        if (!runDscope({"-ln", "rawtp:::page_fault_kernel"}).out.contains("page_fault_kernel"))
            QSKIP("this kernel has no tracepoint page_fault_kernel");
        // Before Linux 6.2 kernels run the program within itself: then it sees each of them.
        const auto run = runDscope({"-qn",
            "self int within;"
            "rawtp:::page_fault_kernel /pid == $target && self->within/ { @[\"seen\"] = count(); }"
            "rawtp:::page_fault_kernel /pid == $target && !self->within/"
            " { @[\"made\"] = count(); self->within = 1; this->p = (int *)copyin(4096, 4); }"
            "rawtp:::page_fault_kernel /pid == $target/ { self->within = 0; }",
            "-c", "dd if=/dev/zero of=/dev/null bs=1M count=4 status=none"});
        const auto counts = countsIn(run.out);
        QVERIFY2(counts["made"] > 100, run.out + run.err);
        const auto told = QRegularExpression("(\\d+) firings? not seen").match(QString::fromUtf8(run.err)).captured(1);
        // Older kernels try byte by byte what they could not copy as a whole: two faults each.
        QVERIFY2(counts["seen"] + told.toLongLong() >= counts["made"], run.out + run.err);
    }
    void everyFieldOfAnEventsFormatIsAnArgumentOfItsType()
    {
        const auto list = runDscope({"-lvP", "sdt"}).out;
        const QRegularExpression probe("^ *\\d+ +sdt +(\\S+) +(\\S+)$"), argument("^\\s+args\\[\\d+\\]: (.*)$"),
            field("field:([^;]*?)\\s*(\\w+)(\\[[^\\]]*\\])?;");
        QMap<QString, QStringList> types;
        QStringList* current = nullptr;
        for (const auto& bytes : list.split('\n')) {
            const auto line = QString::fromUtf8(bytes).trimmed();
            if (const auto m = probe.match(line); m.hasMatch())
                current = &types[m.captured(1) + '/' + m.captured(2)];
            else if (const auto a = argument.match(' ' + line); a.hasMatch() && current)
                *current << a.captured(1);
        }
        QVERIFY2(types.size() > 500, QByteArray::number(types.size()));
        for (auto event = types.begin(); event != types.end(); ++event) {
            QFile format("/sys/kernel/tracing/events/" + event.key() + "/format");
            QVERIFY2(format.open(QIODevice::ReadOnly), qPrintable(event.key()));
            const auto text = QString::fromUtf8(format.readAll());
            QStringList wanted;
            for (auto all = field.globalMatch(text); all.hasNext();) {
                const auto m = all.next();
                if (m.captured(2).startsWith("common_")) continue;
                auto type = m.captured(1).trimmed();
                const bool array = !m.captured(3).isEmpty() || type.endsWith("[]");
                type.remove("__data_loc ").remove("[]");
                if (array) type = type == "char" ? "string" : type + " *";
                // What is no type of C's is told as a number: a bit mask, an address of each CPU's.
                if (type == "cpumask_t") type = "uint32_t";
                if (type.contains("__seg_gs")) type = "uint64_t";
                wanted << (type.startsWith("const ") ? type.mid(6) : type);
            }
            QVERIFY2(event.value() == wanted, qPrintable(event.key() + ": " + event.value().join(", ") + " for " + wanted.join(", ")));
        }
    }
};
QTEST_GUILESS_MAIN(TestTracepoints)
#include "tst_tracepoints.moc"
