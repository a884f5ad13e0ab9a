// What perf script prints: heads that are read from their end, frames of all kinds, several events, samples without stacks.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "tests/support/imported.h"
#endif
using namespace dscope;
using namespace dscope::tests;
namespace {
const QByteArray kFrame = "\t    7f00 run+0x1 (/usr/lib/libapp.so)\n\n";

/// The keys that samples of an import came under, by what a key is called.
QByteArray keysOf(const text::Imported& imported, const std::string& name)
{
    for (const auto& record : imported.records)
        if (const auto* parts = std::get_if<record::StackParts>(&record)) {
            QStringList keys;
            for (const auto& part : parts->parts)
                for (std::size_t i = 0; i < parts->by.size(); ++i)
                    for (const auto& key : parts->by[i].keys)
                        if (key.name == name)
                            keys << QString::fromStdString(key.kind == record::FieldKind::String
                                    ? record::stringOf(key, part.keys[i])
                                    : std::to_string(record::integerOf(key, part.keys[i])));
            keys.removeDuplicates();
            return keys.join(',').toUtf8();
        }
    return {};
}
QByteArray warningsOf(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* told = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(told->message) + '\n';
    return out;
}
} // namespace

class PerfTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHeadIsReadFromItsEnd_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("pid");
        QTest::addColumn<QByteArray>("tid");
        const auto row = [](const char* head, const char* command, const char* pid, const char* tid) {
            QTest::newRow(head) << QByteArray(head) << QByteArray(command) << QByteArray(pid) << QByteArray(tid);
        };
        row("app 4711/4720 [001]  77.100200:          5 cycles: ", "app", "4711", "4720");
        row("DOM Worker 3 4711/4720 [001]  77.100200:          5 cycles: ", "DOM Worker 3", "4711", "4720");
        row("Worker 12 31944  1032.664904:   10101010 cycles: ", "Worker 12", "", "31944");
        row("GC Thread#0 31945  1032.659318:   10101010 cycles: ", "GC Thread#0", "", "31945");
        row("kworker/u8:2-ev 97 [003] 12.345678: 5 cycles:P: ", "kworker/u8:2-ev", "", "97");
        row("[node] a [b] 5/6 [000] 1.5: 1 cycles:", "[node] a [b]", "5", "6");
        row("            bash  1234 [000]  5.500000:          7 cycles: ", "bash", "", "1234");
        row("swapper     0/0     [002] K  9.100200:          5 cycles: ", "swapper", "0", "0");
        row("job 1.5: x 5/6 [000] 12.345678: 1 cycles:", "job 1.5: x", "5", "6");
        row("job 1.5: x 6 12.345678: 1 cycles:", "job 1.5: x", "", "6");
        row("dd 17 1.5:   14807  1827.885110:     250000                cpu-clock: ", "dd 17 1.5:", "", "14807");
        row("dd 17 1.5: 14807 [001] U  1827.885110:     250000 cpu-clock: ", "dd 17 1.5:", "", "14807");
        row("x 1 1.5: 7 c: 26494  1244.898867:   10101010 cpu-clock:ppp: ", "x 1 1.5: 7 c:", "", "26494");
        row("dd 17 1.500000: 5/14807 [001]  1827.885110:     250000 cpu-clock: ", "dd 17 1.500000:", "5", "14807");
    }
    void aHeadIsReadFromItsEnd()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, command);
        const auto imported = read("perf", head + '\n' + kFrame);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).startsWith(command + ";libapp.so`run "), said(*imported).constData());
        QCOMPARE(keysOf(*imported, "execname"), command);
        QTEST(keysOf(*imported, "pid"), "pid");
        QTEST(keysOf(*imported, "tid"), "tid");
    }
    /// prctl(PR_SET_NAME) takes line ends; perf 6.1 prints them as they are. Frames and samples must not come of it.
    void namesWithLineEndsAreNoSamples_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("in the middle") << QByteArray("a\nb");
        QTest::newRow("at the end") << QByteArray("x\n");
        QTest::newRow("like a frame") << QByteArray("dead beef (x)\nq");
        QTest::newRow("like a frame, set right") << QByteArray("\tab main (/x)\nz");
        QTest::newRow("like a head") << QByteArray("\nx 1 1.5: 7 c:");
        QTest::newRow("two of them") << QByteArray("a\nb\nc");
    }
    void namesWithLineEndsAreNoSamples()
    {
        QFETCH(QByteArray, name);
        const QByteArray head = " 26490  1245.345223:   10101010 cpu-clock:ppp: ", usual = "app 1  1245.300000:   10101010 cpu-clock:ppp: ";
        const QByteArray own = "     55bc1b39d183 spin+0x2a (/tmp/app)\n";
        const QByteArray chain = '\n' + kFrame;
        for (const auto& [behind, function] : {std::pair(chain, QByteArray("libapp.so`run")), {own, QByteArray("app`spin")}}) {
            const auto imported = read("perf", usual + behind + name + head + behind + usual + behind);
            QVERIFY(imported);
            QCOMPARE(imported->notUnderstood, std::size_t{0});
            const auto lines = linesOf(*imported);
            QCOMPARE(lines.size(), std::size_t{2});
            const auto whole = "app;" + function.toStdString();
            for (const auto& line : lines) {
                const bool isUsual = line.stack == whole;
                QCOMPARE(line.value, std::string(isUsual ? "20202020" : "10101010"));
                QVERIFY2(line.stack.ends_with(function.toStdString()), line.stack.c_str());
            }
            const bool isOverTwo = !name.startsWith('\n');
            QCOMPARE(warningsOf(*imported).contains("1 sample is of a thread whose name has a line end"), isOverTwo);
        }
    }
    /// Figures over time have only a part of the samples then.
    void samplesWithoutTimesBesideOthersAreTold()
    {
        const QByteArray timed = "app 7 [000] 1.500000: 5 cycles:\n" + kFrame, untimed = "app 7          5 cycles:\n" + kFrame;
        const QByteArray told = "1 sample has no time, but others do: figures over time and by process leave it out";
        const auto mixed = read("perf", timed + untimed);
        QVERIFY(mixed);
        QCOMPARE(said(*mixed), QByteArray("app;libapp.so`run 10\n"));
        QVERIFY2(warningsOf(*mixed).contains(told), warningsOf(*mixed));
        for (const auto& all : {timed + timed, untimed + untimed}) {
            const auto alike = read("perf", all);
            QVERIFY(alike);
            QVERIFY2(!warningsOf(*alike).contains("no time"), warningsOf(*alike));
        }
    }
    /// What is longer than a name is none.
    void strayLinesAreNoNames()
    {
        const auto imported
            = read("perf", "app 1  1.3: 5 cycles:\n" + kFrame + "a line of the program's\napp 1  1.4: 5 cycles:\n" + kFrame + "end\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("app;libapp.so`run 10\n"));
        QCOMPARE(imported->notUnderstood, std::size_t{2});
        QCOMPARE(imported->firstNumber, std::size_t{4});
        QCOMPARE(imported->firstLine, std::string("a line of the program's"));
    }
    void theFirstStrayLineIsToldThoughTheTextIsCutLater()
    {
        const auto imported = read(
            "perf", "app 1  1.3: 5 cycles:\n" + kFrame + "stray\nanother\n\napp 1  1.4: 5 cycles:\n\t    7f00 run+0x1 (/usr/lib/libapp");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{3});
        QCOMPARE(imported->firstNumber, std::size_t{4});
        QCOMPARE(imported->firstLine, std::string("stray"));
    }
    void eventsThatAreTooManyAreTold()
    {
        QByteArray text;
        for (int i = 0; i < 66; ++i)
            text += "app 7 [000] 1.500000: 5 sched:event" + QByteArray::number(i) + ":\n" + kFrame;
        const auto imported = read("perf", text);
        QVERIFY(imported);
        QVERIFY2(warningsOf(*imported).contains("it has more than 64 events: the stacks of 2 samples of the others are left out"),
            warningsOf(*imported));
    }
    void aTextSaysWhatItSays_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& says) { QTest::newRow(name) << text << says; };
        row("no time: a period is set to the right in ten columns",
            "cpp 16983    2004008 cpu-clock:ppp: \n\t            11e4 (anonymous namespace)::spin\n\t            14ff main\n\n"
            "Worker 3   31943 cycles: \n\t 1 f\n\n",
            "cpp;main;(anonymous namespace)::spin 2004008\n");
        row("no call chain: the function stands in the line of the head",
            "             cpp 17776   453.135558:    5025125 cpu-clock:ppp:      5568637262c6 app::call<main::{lambda(int)#2}>+0x1c (/srv/app/cpp)\n"
            "              dd 17777   453.144605:    5025125 cpu-clock:ppp:      556863726229 (anonymous namespace)::spin+0x24 (/srv/app/cpp)\n",
            "cpp;cpp`app::call<main::{lambda(int)#2}> 5025125\ndd;cpp`(anonymous namespace)::spin 5025125\n");
        row("tracepoints without stacks: by command and event",
            "sh 7 [000] 1.500000: sched:sched_process_fork: comm=sh pid=7 child_comm=sh child_pid=8\n"
            "sh 8 [001] 1.600000: sched:sched_process_exec: filename=/bin/true pid=8 old_pid=8\n"
            "sh 7 [000] 1.700000: sched:sched_process_fork: comm=sh pid=7 child_comm=sh child_pid=9\n",
            "sh;sched:sched_process_fork 2\nsh;sched:sched_process_exec 1\n@events[sh, sched:sched_process_exec] 1\n"
            "@events[sh, sched:sched_process_fork] 2\n");
        row("a descriptor of Java goes, but where overloads would merge",
            "java 1/1 1.5: 5 cycles:\n\t7f01 La/B;::m(I)V+0x1 (/tmp/perf-1.map)\n\t7f02 La/B;::one(Ljava/lang/String;)[J+0x2 (/tmp/perf-1.map)\n\n"
            "java 1/1 1.6: 2 cycles:\n\t7f03 La/B;::m(J)V+0x1 (/tmp/perf-1.map)\n\t7f02 La/B;::one(Ljava/lang/String;)[J+0x2 (/tmp/perf-1.map)\n\n",
            "java;a/B:::one_[j];a/B:::m(I)V_[j] 5\njava;a/B:::one_[j];a/B:::m(J)V_[j] 2\n");
        row("lines that are not indented", "app 1/1 1.5: 5 cycles:\n7f01 leaf+0x1 (/bin/app)\n7f02 main+0x2 (/bin/app)\n\n",
            "app;app`main;app`leaf 5\n");
        row("lines of source",
            "app 1/1 1.5: 5 cycles:\n\t7f01 leaf+0x1 (/bin/app)\n  a.c:7\n\t7f02 main+0x2 (/bin/app)\n  a.c:12\n\n", "app;app`main;app`leaf 5\n");
        row("quotes tell functions apart",
            "app 1/1 1.5: 5 cycles:\n\t7f01 go'+0x1 (/bin/app)\n\n"
            "app 1/1 1.6: 1 cycles:\n\t7f02 go+0x1 (/bin/app)\n\n"
            "app 1/1 1.7: 2 cycles:\n\t7f03 Function:*f /srv/it's/a.js:1+0x1 (/tmp/perf-1.map)\n\n",
            "app;Function:*f /srv/it's/a.js:1_[j] 2\napp;app`go 1\napp;app`go' 5\n");
        row("a file with brackets in its name, which is gone",
            "app 1/1 1.5: 5 cycles:\n\t7f01 f+0x1 (/memfd:jit (x) (deleted))\n\t7f02 g(int)+0x1 (/opt/a)b/app)\n\n", "app;app`g;memfd:jit (x)`f 5\n");
        row("brackets that belong to no file", "app 1/1 1.5: 5 cycles:\n\t7f01 f+0x1 (deleted))\n\n", "app;f+0x1 (deleted)) 5\n");
        row("where branches led to is no part of a name",
            "app 9/9 [001] 12.1: branches:     55aa main+0x0 (/x) =>     55bb f+0x0 (/x)\n"
            "app 9/9 [001] 12.2: branches:     55bb f+0x4 (/x) 0x1/0x2/P/-/-/5  0x3/0x4/M/-/-/6 \n",
            "app;x`f 1\napp;x`main 1\n");
        row("the last empty line is missing", "app 1/1 1.5: 5 cycles:\n\t7f01 f+0x1 (/x)\n\napp 1/1 1.6: 2 cycles:\n\t7f01 f+0x1 (/x)\n", "app;x`f 7\n");
        row("perf 7.2: what is inlined stands behind the function that has its address",
            "app 1/1 1.5: 5 cycles:\n\t7f01 loop+0x3 (/bin/app)\n\t7f01 mixed+0x3 (inlined)\n\t7f02 run+0x1 (/lib/libc.so.6)\n\n",
            "app;libc.so.6`run;app`mixed_[i];app`loop 5\n");
        row("a guest", "VM: 123 VCPU:001 app 1/1 [000] 1.5: 5 cycles:\n\t7f01 leaf+0x1 (/bin/app)\n\n", "VM: 123;app;app`leaf 5\n");
    }
    void aTextSaysWhatItSays()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read("perf", text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).startsWith(says), said(*imported).constData());
    }
    void linesOfAnyFieldsAreRecognized()
    {
        const QByteArray text = "   1003009 cpu-clock:      7fede7ba197c f (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)\n"
                                "   1003009 cpu-clock:      55a9d203658f loop(long) (/srv/app)\n"
                                "   1003009 cpu-clock:      55a9d2036565 loop(long) (/srv/app)\n";
        QCOMPARE(guessed(text), QByteArray("perf"));
    }
    /// perf record -e cpu-clock,task-clock: one time, measured twice.
    void clocksDoNotAddUp()
    {
        const QByteArray text = "app 1/1 1.5: 5 cpu-clock:\n\t7f01 f+0x1 (/x)\n\napp 1/1 1.5: 5 task-clock:\n\t7f01 f+0x1 (/x)\n\n"
                                "app 1/1 1.6: 5 task-clock:\n\t7f01 g+0x1 (/x)\n\n";
        const auto imported = read("perf", text);
        QVERIFY(imported);
        QStringList events;
        for (const auto& record : imported->records)
            if (const auto* stacks = std::get_if<record::CountedStacks>(&record)) events << QString::fromStdString(stacks->noun);
        QCOMPARE(events, QStringList({"cpu", "cpu-clock"}));
        for (const auto& [event, total] : std::vector<std::pair<std::string, int>>{{"task-clock", 10}, {"cpu-clock", 5}}) {
            auto records = imported->records;
            QVERIFY(record::putFirst(records, event));
            std::int64_t sum = 0;
            for (const auto& stack : std::get<record::CountedStacks>(records.front()).all())
                sum += stack.value;
            QCOMPARE(sum, total);
        }
    }
    /// A stack whose text came before is not read again: what differs beside that text must not get lost.
    void aStackThatComesAgainCountsForItsOwnSample()
    {
        const QByteArray stack = "\t 1 leaf (inlined)\n\t 2 spin+0x1 (/bin/app)\n\t 3 App::run+0x2 (/tmp/perf-7.map)\n\n";
        const QByteArray text = "app 1/1 1.5: 5 cycles:\n" + stack + "other 2/2 1.6: 7 cycles:\n" + stack + "app 1/1 1.7: 11 cycles:\n"
            + stack + "java 3/3 1.8: 13 cycles:\n" + stack + "app 1/1 1.9: 17 branches:\n" + stack
            + "VM: 9 VCPU:001 app 1/1 [000] 2.0: 19 cycles:\n" + stack + "app 1/1 2.1: 23 cycles:\n" + stack;
        const auto imported = read("perf", text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        // The same where no empty line is at hand: the last stack of a text that is cut behind it.
        QByteArray apart = text;
        apart.replace("\n\n", "\n \n");
        const auto again = read("perf", apart);
        QVERIFY(again);
        QCOMPARE(said(*imported), said(*again));
        const auto all = said(*imported);
        QVERIFY2(all.contains("app;App::run_[j];app`spin;app`leaf_[i] 39\n"), all.constData()); // 5, 11 and 23
        for (const char* line : {"other;", "java;", "VM: 9;app;"})
            QVERIFY2(all.contains(line), all.constData());
    }
    void linesOfSourceAreFactsBesideTheName_data()
    {
        QTest::addColumn<QByteArray>("inlined");
        QTest::newRow("behind the function") << QByteArray("\t7f01 leaf+0x1 (inlined)\n  b.h:3\n");
        QTest::newRow("behind the source, as perf 6.1 to 7.2 print it") << QByteArray("\t7f01 leaf+0x1\n  b.h:3 (inlined)\n");
    }
    void linesOfSourceAreFactsBesideTheName()
    {
        QFETCH(QByteArray, inlined);
        QByteArray twice = inlined;
        twice.replace("leaf", "inner").replace("b.h:3", "c.h:9");
        const auto imported = read("perf", "app 1/1 1.5: 5 cycles:\n" + twice + inlined + "\t7f01 run+0x1 (/bin/app)\n  /src/a.c:7\n\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto& stacks = std::get<record::CountedStacks>(imported->records.front());
        QStringList frames;
        for (const auto number : stacks.table->framesOf(stacks.all().front().node)) {
            const auto frame = stacks.table->frame(number);
            frames << QString::fromStdString(std::string(frame.module) + '`' + std::string(frame.name) + ' ' + std::string(frame.file) + ':')
                    + QString::number(frame.line) + (frame.inlined ? " inlined" : "");
        }
        QCOMPARE(frames, QStringList({"`app :0", "app`run /src/a.c:7", "app`leaf b.h:3 inlined", "app`inner c.h:9 inlined"}));
    }
    /// Heads of perf 6.1's -F with some of comm, tid, cpu, time, period and event, and ip and sym.
    void anyChoiceOfFieldsIsRead_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("stack");
        QTest::newRow("none") << QByteArray() << QByteArray("main;hot 2\n");
        QTest::newRow("comm") << QByteArray("DOM Worker 3 ") << QByteArray("DOM Worker 3;main;hot 2\n");
        QTest::newRow("tid") << QByteArray("10368 ") << QByteArray("main;hot 2\n");
        QTest::newRow("pid, tid") << QByteArray("10368/10368 ") << QByteArray("main;hot 2\n");
        QTest::newRow("cpu") << QByteArray("[003] ") << QByteArray("main;hot 2\n");
        QTest::newRow("time") << QByteArray("17788.410289: ") << QByteArray("main;hot 2\n");
        QTest::newRow("period") << QByteArray("   1003009 ") << QByteArray("main;hot 2006018\n");
        QTest::newRow("event") << QByteArray("cycles: ") << QByteArray("main;hot 2\n");
        QTest::newRow("tid, period") << QByteArray("10368    1003009 ") << QByteArray("main;hot 2006018\n");
        QTest::newRow("tid, event") << QByteArray("10368 cycles: ") << QByteArray("main;hot 2\n");
        QTest::newRow("comm, period") << QByteArray("work    1003009 ") << QByteArray("work;main;hot 2006018\n");
        QTest::newRow("comm, tid") << QByteArray("work 10368 ") << QByteArray("work;main;hot 2\n");
        QTest::newRow("period, event") << QByteArray("   1003009 cycles: ") << QByteArray("main;hot 2006018\n");
        QTest::newRow("comm, cpu, time, event") << QByteArray("work [001] 1.5: cycles: ") << QByteArray("work;main;hot 2\n");
    }
    void anyChoiceOfFieldsIsRead()
    {
        QFETCH(const QByteArray, head);
        QFETCH(const QByteArray, stack);
        const auto sample = head + "\n\t            90c0 hot\n\t            1304 main\n\n";
        QCOMPARE(guessed(sample + sample), QByteArray("perf"));
        const auto imported = read("perf", sample + sample);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).startsWith(stack), said(*imported).constData());
    }
    void aSampleInALineHasAnyFieldsToo()
    {
        const auto imported = read("perf", "work             90c0 hot\nwork             90c0 hot\nwork            90d0 cold\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{1}); // set into fifteen columns: no address
        QVERIFY2(said(*imported).startsWith("work;hot 2\n"), said(*imported).constData());
    }
    void aHeadWithoutFramesIsNoSample()
    {
        const auto imported = read("perf", "work \n\t            90c0 hot\n\nnonsense \nmore of it\nwork \n\t            90c0 hot\n\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{2});
        QVERIFY2(said(*imported).startsWith("work;hot 2\n"), said(*imported).constData());
        const auto prose = read("perf", "Once upon a time\n");
        QVERIFY(!prose && prose.error().message.find("line 1: \"Once upon a time\"") != std::string::npos);
    }
    void unknownLinesOfSourceAreUnderstood()
    {
        const auto imported = read("perf",
            "app 1/1 1.5: 5 cycles:\n\tffffffff82265c92 __schedule+0x3f2 ([kernel.kallsyms])\n  [kernel.kallsyms][ffffffff82265c92]\n"
            "\t            1304 main+0x11a (/bin/app)\n  :0\n\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QVERIFY2(said(*imported).startsWith("app;app`main;__schedule_[k] 5\n"), said(*imported).constData());
    }
    void theEventWithTheMostSamplesComesFirst()
    {
        const QByteArray few = "app 1/1 1.5: 5 instructions:\n" + kFrame, many = "app 1/1 1.6: 7 cache-misses:\n" + kFrame;
        const auto imported = read("perf", few + many + many);
        QVERIFY(imported);
        QCOMPARE(std::get<record::CountedStacks>(imported->records.front()).noun, std::string("cache-misses"));
        QCOMPARE(said(*imported).left(66), QByteArray("app;libapp.so`run 14\napp;libapp.so`run 5\n").left(66));
        QVERIFY2(warningsOf(*imported).contains("instructions (1)"), warningsOf(*imported).constData());

        auto records = imported->records;
        QVERIFY(record::putFirst(records, "instructions"));
        QCOMPARE(std::get<record::CountedStacks>(records.front()).noun, std::string("instructions"));
        const auto none = record::putFirst(records, "cycles");
        QVERIFY(!none && none.error().message.find("instructions, cache-misses") != std::string::npos);
    }
    void bothKindsOfProcessorsAreAddedUpAndCanBeChosen()
    {
        const auto sample = [](const char* event, int period) {
            return "app 12/12 [000] 10.5: " + QByteArray::number(period) + ' ' + event + ": \n" + kFrame;
        };
        const auto imported = read("perf", sample("cpu_atom/cycles/P", 900) + sample("cpu_core/cycles/P", 100'000) + sample("cpu_core/cycles/P", 100'000));
        QVERIFY(imported);
        QStringList nouns;
        for (const auto& record : imported->records)
            if (const auto* stacks = std::get_if<record::CountedStacks>(&record))
                nouns << QString::fromStdString(stacks->noun) + ' ' + QString::number(stacks->all().front().value);
        QCOMPARE(nouns, QStringList({"cycles 200900", "cpu_core/cycles 200000", "cpu_atom/cycles 900"}));
    }
    void aTextThatEndsWithinASampleSaysSo()
    {
        const auto imported = read("perf", "app 1/1 1.5: 5 cycles:\n" + kFrame + "app 1/1 1.6: 5 cycles:\n\t7f01 leaf+0x1 (/bin/a");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("app;libapp.so`run 5\n") + said(*imported).mid(20));
        QCOMPARE(imported->notUnderstood, std::size_t{1});
    }
    /// A number that did not fit counted as 1.
    void periodsThatNoNumberHoldsAreLeftOut()
    {
        const auto imported = read("perf",
            "app 1/1 1.5: 18446744073709551615 cycles:\n" + kFrame + "app 1/1 1.6: 5 cycles:\n" + kFrame
                + "app 1/1 1.7: 9223372036854775807 cycles:\n\t7f01 leaf+0x1 (/bin/app)\n\n");
        QVERIFY(imported);
        QVERIFY2(said(*imported).startsWith("app;app`leaf 9223372036854775807\n"), said(*imported).constData());
        QStringList told;
        for (const auto& record : imported->records)
            if (const auto* warning = std::get_if<record::Diagnostic>(&record)) told << QString::fromStdString(warning->message);
        QCOMPARE(told,
            QStringList({"the values of cycles add up to more than 9223372036854775807: what is beyond it is left out",
                "samples that count for more than 9223372036854775807 each are left out: 1"}));
    }
    void isGuessed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("stacks") << QByteArray("app 1/1 1.5: 5 cycles:\n") + kFrame;
        QTest::newRow("lines that are not indented") << QByteArray("app 1/1 1.5: 5 cycles:\n7f01 leaf+0x1 (/bin/app)\n\n");
        QTest::newRow("tracepoints without stacks")
            << QByteArray("nginx 9/9 [001] 12.100000: syscalls:sys_enter_read: fd: 0x00000003, buf: 0x7ffe, count: 0x00001000\n").repeated(3);
        QTest::newRow("without call chains")
            << QByteArray("  cpp 17776   453.135558:    5025125 cpu-clock:ppp:      5568637262c6 f+0x1c (/srv/app/cpp)\n").repeated(3);
    }
    void isGuessed()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(guessed(text), QByteArray("perf"));
    }
};
QTEST_GUILESS_MAIN(PerfTest)
#include "tst_perf.moc"
