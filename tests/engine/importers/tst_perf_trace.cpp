// needs: engine/importers
// What perf trace 6.1 prints: its lines, its tables, and whether the two agree.
#include "tests/support/imported.h"
#include <QFile>
#include <QMap>
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestPerfTrace : public QObject {
    Q_OBJECT
    static QByteArray kept(const char* name)
    {
        QFile file(QString(DSCOPE_SOURCE) + "/tests/data/imports/" + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Of the lines "@name[...] value" the last key and the sum of values.
    static QMap<QByteArray, qlonglong> sums(const QByteArray& said, const QByteArray& name)
    {
        QMap<QByteArray, qlonglong> out;
        for (const auto& line : said.split('\n')) {
            if (!line.startsWith('@' + name + '[')) continue;
            const auto close = line.indexOf(']');
            const auto keys = line.mid(name.size() + 2, close - name.size() - 2).split(',');
            out[keys.last().trimmed()] += line.mid(close + 2).toLongLong();
        }
        return out;
    }

private Q_SLOTS:
    void linesAreCountedWhereTheyEnd()
    {
        const auto text = kept("perf-trace61-events.txt");
        QCOMPARE(guessed(text), QByteArray("perf.trace"));
        const auto imported = read("perf.trace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto all = said(*imported);
        // Two lines begin wait4 in sh, two end it; each sleep ended one clock_nanosleep.
        for (const char* line : {"@calls[sh, wait4] 2\n", "@calls[sleep, clock_nanosleep] 2\n", "@calls[sh, execve] 1\n",
                 "@calls[sh, vfork] 2\n", "@calls[sh, clone] 1\n", "@errors[sh, newfstatat] 1\n", "@calls[sleep, exit_group] 2\n"})
            QVERIFY2(all.contains(line), (QByteArray(line) + "in\n" + all).constData());
        QVERIFY2(!all.contains("rt_sigreturn"), all.constData()); // none ended
        // 50.115 and 63.157 ms are in [2^25, 2^26) ns.
        QVERIFY2(all.contains("@time[clock_nanosleep] 89 2\n"), all.constData());
    }
    /// perf 6.1 prints a call that took -233 ms so: it came, and how long it took is not known.
    void aDurationBelowZeroIsACallWithoutATime()
    {
        const QByteArray text = "   249.767 (18446744073476.074 ms): threads/1296  ... [continued]: clone3())   = 0\n"
                                "   250.000 ( 0.010 ms): threads/1296 clone3(flags: VM)   = 7\n",
                         frame = "                                       f (/usr/bin/ls)\n";
        const auto imported = read("perf.trace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).contains("@calls[threads, clone3] 2\n"), said(*imported).constData());
        QVERIFY2(said(*imported).contains("@time[clone3] 77 1\n"), said(*imported).constData()); // 10 us are in [2^13, 2^14) ns
        const auto told = std::find_if(imported->records.begin(), imported->records.end(),
            [](const auto& record) { return std::holds_alternative<record::Diagnostic>(record); });
        QVERIFY(told != imported->records.end());
        QCOMPARE(std::get<record::Diagnostic>(*told).message,
            std::string("1 call has a duration below 0, which perf prints as 18446744073709 ms: counted without a time"));
        const auto beyond = read("perf.trace", "   249.767 (28446744073476.074 ms): t/1 read()   = 0\n" + text + frame);
        QVERIFY(beyond);
        QCOMPARE(beyond->notUnderstood, std::size_t{1});
    }
    void tablesAreRead()
    {
        const auto text = kept("perf-trace61-s.txt");
        QCOMPARE(guessed(text), QByteArray("perf.trace"));
        const auto imported = read("perf.trace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto all = said(*imported);
        for (const char* line : {"@calls[ls, 20426, openat] 39\n", "@errors[ls, 20426, openat] 19\n", "@total[ls, 20426, openat] 484000\n",
                 "@shortest[ls, 20426, openat] 9000\n", "@longest[ls, 20426, openat] 25000\n", "@average[ls, 20426, openat] 39 484000\n",
                 "@errors_by_kind[ls, 20426, openat, ENOENT] 19\n"})
            QVERIFY2(all.contains(line), (QByteArray(line) + "in\n" + all).constData());
    }
    void tablesOfOtherVersionsAreRead()
    {
        const QByteArray head = "   syscall            calls    total       min       avg       max      stddev\n                          "
                                "     (msec)    (msec)    (msec)    (msec)        (%)\n"
                                "   --------------- -------- --------- --------- --------- ---------     ------\n";
        // perf 4.19 has no errors; 6.16 sums up all threads, or those of a control group.
        const auto old = read("perf.trace",
            " Summary of events:\n\n Web Content (7), 20 events, 50.0%\n\n" + head
                + "   read                   7     0.021     0.001     0.003     0.008     36.00%\n");
        QVERIFY(old);
        QVERIFY2(said(*old).contains("@calls[Web Content, 7, read] 7\n"), said(*old).constData());
        const auto total = read("perf.trace",
            " Summary of events:\n\n total, 20 events\n\n" + head
                + "   read                   7      1     0.021     0.001     0.003     0.008     36.00%\n");
        QVERIFY(total);
        QVERIFY2(said(*total).contains("@calls[read] 7\n") && said(*total).contains("@errors[read] 1\n"), said(*total).constData());
    }
    /// perf's own table of the same run, which does not have what never returns.
    void linesAgreeWithThePerfsTable()
    {
        const auto imported = read("perf.trace", kept("perf-trace61-S.txt"));
        QVERIFY(imported);
        const auto all = said(*imported);
        auto lines = sums(all, "calls");
        const auto table = sums(all, "counted_calls");
        QVERIFY(table.size() > 15);
        lines.remove("exit_group");
        QCOMPARE(lines, table);
        auto failed = sums(all, "counted_errors");
        failed.removeIf([](auto each) { return each.value() == 0; });
        QCOMPARE(sums(all, "errors"), failed);
    }
    void stacksEndWithTheCall()
    {
        const auto text = kept("perf-trace61-stacks.txt");
        QCOMPARE(guessed(text), QByteArray("perf.trace"));
        const auto imported = read("perf.trace", text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto all = said(*imported);
        QVERIFY2(all.contains("libc.so.6`__GI___libc_write;write 1\n") && all.contains("libc.so.6`__GI___libc_write;write 77000\n"),
            all.constData());
        QVERIFY2(all.contains("schedule_[k];__schedule_[k];sched:sched_switch 1\n"), all.constData());
        QVERIFY2(all.contains("libc.so.6`_IO_new_file_write_[i];") && all.contains("[ls];ls`__GI__IO_fflush_[i]"), all.constData());
        QVERIFY2(all.contains("@events[ls, sched:sched_switch] 1\n"), all.constData());
    }
    void aLineOfAnotherKindIsCounted()
    {
        const auto imported = read("perf.trace",
            "     0.064 ( 0.010 ms): a/b c/4062 brk() = 0x5616fbdd1000\n     0.070 ( 0.010 ms): 4062 read(fd: 3\nLOST 7 events!\nprose\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{2});
        QCOMPARE(said(*imported), QByteArray("@calls[a/b c, brk] 1\n@time[brk] 77 1\n"));
        QVERIFY(std::any_of(imported->records.begin(), imported->records.end(), [](const auto& r) {
            const auto* drop = std::get_if<record::Drop>(&r);
            return drop && drop->count == 7;
        }));
    }
};
QTEST_GUILESS_MAIN(TestPerfTrace)
#include "tst_perf_trace.moc"
