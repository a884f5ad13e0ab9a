// needs-programs: dscope
// Options mean what they say: rates, sizes, CPUs, libraries, what is told. Truth is the clock, the CPU number, the words of dtrace.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <sched.h>
using namespace dscope::tests;

class TestRunOptions : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString write(const QString& name, const QByteArray& text)
    {
        QFile file(m_dir.filePath(name));
        if (!QDir(m_dir.path()).mkpath(QFileInfo(name).path()) || !file.open(QIODevice::WriteOnly)) return {};
        file.write(text);
        return file.fileName();
    }
private Q_SLOTS:
    void programsAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& words, const char* message) { QTest::newRow(name) << words << message; };
        row("a buffer too small for a record", {"-qx", "bufsize=8", "-n", "BEGIN { trace(\"a text\"); }"}, "could not enable tracing: Enabling exceeds size of buffer");
        row("no buffer", {"-qx", "bufsize=0", "-n", "BEGIN { exit(0); }"}, "could not enable tracing: Enabling exceeds size of buffer");
        row("no room for a row of an aggregation", {"-qx", "aggsize=8", "-n", "BEGIN { @ = count(); }"}, "could not enable tracing: Enabling exceeds size of buffer");
        row("a program that is empty", {"-qx", "empty", "-s", "/dev/null"}, "no probes matched");
        row("registers that there are not", {"-x", "iregs=9", "-n", "BEGIN"}, "failed to set -x iregs: Invalid value for specified option");
        row("registers that code needs", {"-x", "iregs=7", "-n", "BEGIN"}, "failed to set -x iregs: Insufficient registers to generate code");
        row("a tuple longer than tregs", {"-x", "tregs=2", "-n", "BEGIN { @[1, 2, 3] = count(); }"}, "invalid probe specifier BEGIN { @[1, 2, 3] = count(); }: Insufficient tuple registers to generate code");
        row("a version to come", {"-x", "version=99.1", "-n", "BEGIN"}, "failed to set -x version: Operation not supported");
        row("strings without room for a letter", {"-x", "strsize=1", "-n", "BEGIN"}, "failed to set -x strsize: Invalid value for specified option");
        row("strings longer than a firing has room for", {"-x", "strsize=65537", "-n", "BEGIN"}, "failed to set -x strsize: 65536 (64k) is the largest value");
        row("more scratch memory than a firing has room for", {"-x", "scratchsize=2m", "-n", "BEGIN"}, "failed to set -x scratchsize: 1048576 (1m) is the largest value");
        row("more speculations than there are numbers for", {"-x", "nspec=4096", "-n", "BEGIN"}, "failed to set -x nspec: 4095 is the largest value: more speculations have no numbers");
        row("the 32-bit data model", {"-32", "-n", "BEGIN"}, "-32 (the 32-bit data model): dscope runs on 64-bit kernels, whose data model it takes: leave it out");
    }
    void programsAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        if (message.startsWith("could not enable") && ::geteuid() != 0) QSKIP("needs root");
        const auto run = runDscope(words);
        QCOMPARE(run.status, 1);
        QCOMPARE(QString::fromUtf8(run.err).section('\n', 0, 0), "dtrace: " + message);
    }
    void aViewThatThereIsNotIsRefused()
    {
        const auto run = runDscope({"-x", "view=barz", "-qn", "BEGIN { printf(\"begun\\n\"); exit(0); }"});
        QVERIFY2(run.status == 1 && run.err.contains("option view: there is no view \"barz\", but ") && run.err.contains("bars"), run.err);
        QCOMPARE(run.out, QByteArray());
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QCOMPARE(runDscope({"-x", "view=bars", "-qn", "BEGIN { printf(\"begun\\n\"); exit(0); }"}).out.trimmed(), QByteArray("begun"));
    }
    void programsCompile_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("-64") << QStringList{"-64", "-n", "BEGIN"};
        QTest::newRow("-x zdefs") << QStringList{"-x", "zdefs", "-n", "BEGIN, nosuch:::probe"};
        QTest::newRow("-x aggpercpu") << QStringList{"-x", "aggpercpu", "-n", "BEGIN { @[pid] = count(); clear(@); }"};
        QTest::newRow("modules of Solaris' kernel") << QStringList{"-n", "io:genunix::start, sched:unix::on-cpu { }"};
        QTest::newRow("modules of other kernels") << QStringList{
            "-n", "io:kernel::start, tcp:kernel::send, tcp:ip::send, syscall:freebsd:read:entry, syscall:mach_kernel:read:entry { }"};
        QTest::newRow("long strings beside a watch")
            << QStringList{"-x", "strsize=64k", "-n", "proc:::exec-success, io:::start { trace(execname); }"};
        QTest::newRow("much room beside a watch") << QStringList{"-x", "scratchsize=1m", "-n", "proc:::exec-success { trace(execname); }"};
        QTest::newRow("nothing at all") << QStringList{"-b", "2k"};
        QTest::newRow("a tuple as long as tregs") << QStringList{"-x", "tregs=3", "-n", "BEGIN { @[1, 2, 3] = count(); }"};
    }
    void programsCompile()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(QStringList{"-e"} + words);
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
    }
    /// Programs that watch for a probe have as much room as its clauses.
    void longStringsOfAWatchedExec()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        for (const auto* option : {"strsize=64k", "scratchsize=64k"}) {
            const auto run = runDscope({"-x", option, "-qn",
                "proc:::exec-success /pid == $target/ { trace(curpsinfo->pr_psargs); } io:::start /pid == $target/ { @ = count(); }"
                " END { trunc(@); }",
                "-c", "/bin/true word"});
            QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
            QCOMPARE(run.out.trimmed(), QByteArray("/bin/true word"));
        }
    }
    void aCpuThatIsNotThereIsRefused()
    {
        QCOMPARE(runDscope({"-x", "cpu=0", "-e", "-n", "BEGIN"}).status, 0);
        const auto run = runDscope({"-x", "cpu=4000", "-e", "-n", "BEGIN"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.startsWith("dtrace: failed to set -x cpu: Invalid value for specified option\n    hint: the CPUs that are online are 0"), run.err);
    }
    void theKernelsTypesMayBeOfAFile_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("the running kernel's") << "/sys/kernel/btf/vmlinux" << QByteArray();
        QTest::newRow("none") << "none" << QByteArray("option btfpath is none");
        QTest::newRow("no file") << "/no/such/file" << QByteArray("/no/such/file: No such file or directory");
        QTest::newRow("something else") << "/etc/passwd" << QByteArray("/etc/passwd: ");
    }
    void theKernelsTypesMayBeOfAFile()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, why);
        const auto run = runDscope({"-x", "btfpath=" + file, "-e", "-n", "BEGIN { trace(((struct task_struct *)0)->pid); }"});
        QCOMPARE(run.status, why.isEmpty() ? 0 : 1);
        QVERIFY2(run.err.contains(why), run.err);
        // What needs none of them goes on.
        const auto plain = runDscope({"-x", "btfpath=" + file, "-e", "-n", "BEGIN { x = 1; trace(x); }"});
        QVERIFY2(plain.status == 0 && plain.err.isEmpty(), plain.err);
    }
    /// For DTrace for Linux's own tests a process's stack is as deep as the kernel's.
    void stacksOfProcessesMayBeDeeperThanItsTestsExpect()
    {
        const QStringList words{"-x", "ustackframes=4000", "-e", "-n", "BEGIN { ustack(); }"};
        QVERIFY2(runDscope(words).status == 0, runDscope(words).err);
        qputenv("_DTRACE_TESTING", "1");
        const auto theirs = runDscope(words);
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(theirs.status, 1);
        QCOMPARE(theirs.err, QByteArray("dtrace: failed to set -x ustackframes: Invalid value for specified option\n"));
    }
    void valuesByCpuAreOfWhatIsEvaluatedOnce_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("a value that changes") << "BEGIN { @ = sum(x++); }" << QByteArray("is aggregated twice, by its keys and by CPU");
        QTest::newRow("a key by chance") << "BEGIN { @[rand()] = count(); }" << QByteArray("is aggregated twice, by its keys and by CPU");
    }
    void valuesByCpuAreOfWhatIsEvaluatedOnce()
    {
        QFETCH(QString, program);
        QFETCH(QByteArray, why);
        QVERIFY(runDscope({"-e", "-n", program}).status == 0);
        const auto run = runDscope({"-x", "aggpercpu", "-e", "-n", program});
        QVERIFY2(run.status == 1 && run.err.contains("option aggpercpu: ") && run.err.contains(why), run.err);
    }
    /// Each key's values are of one CPU, so that they are those of the key.
    void valuesByCpuGoWithTheirKeys()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-x", "aggpercpu", "-qn",
            "BEGIN { @[1] = sum(5); @[2] = sum(9); @[3] = sum(7); printf(\"%d\", cpu); exit(0); } END { trunc(@, 2); }"});
        const auto words = run.out.simplified().replace("[CPU ", "[").split(' ');
        QFile file(QStringLiteral("/sys/devices/system/cpu/possible")); // "0-3"
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto last = file.readAll().trimmed().split('-').last().toInt();
        QList<QByteArray> expected;
        for (const auto& [key, value] : {std::pair<QByteArray, QByteArray>{"3", "7"}, {"2", "9"}}) {
            expected << key << value;
            for (int cpu = 0; cpu <= last; ++cpu)
                expected << '[' + QByteArray::number(cpu) + ']' << (cpu == words.value(0).toInt() ? value : QByteArray("0"));
        }
        QCOMPARE(words.mid(1), expected);
    }
    void whatMatchedIsToldBeforeDestructiveActionsAreRefused()
    {
        const auto run = runDscope({"-n", "BEGIN { system(\"true\"); }"});
        QCOMPARE(run.err, QByteArray("dtrace: description 'BEGIN' matched 1 probe\ndtrace: could not enable tracing: Destructive actions not allowed\n"
            "    hint: -w permits actions that change what is traced: system(), stop(), raise(), copyout()\n"));
    }
    void destructiveActionsMayBeAllowedByTheProgram()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-s", write("destructive.d", "#pragma D option destructive\nBEGIN { system(\":\"); exit(0); }\n")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains("\ndtrace: allowing destructive actions\n"), run.err.constData());
    }
    void probesFireOnTheCpuAskedFor_data()
    {
        QTest::addColumn<int>("cpu");
        cpu_set_t mine;
        CPU_ZERO(&mine);
        ::sched_getaffinity(0, sizeof mine, &mine);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &mine)) QTest::addRow("%d", cpu) << cpu;
    }
    void probesFireOnTheCpuAskedFor()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(int, cpu);
        const auto n = QByteArray::number(cpu);
        const auto run = runDscope({"-x", "cpu=" + n, "-qn", "BEGIN { printf(\"%d \", cpu); } profile-197hz /cpu != " + n + "/ { printf(\"elsewhere \"); } END { printf(\"%d\", cpu); }", "-c", "/bin/sleep 0.5"});
        QCOMPARE(run.out.simplified(), n + " " + n);
        QCOMPARE(run.status, 0);
        const auto tick = runDscope({"-x", "cpu=" + n, "-qn", "tick-100ms { printf(\"%d\", cpu); exit(3); }"}); // without BEGIN
        QCOMPARE(tick.out.trimmed(), n);
        QCOMPARE(tick.status, 3);
    }
    void printaShowsWhatWasReadAtTheRateAskedFor()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-x", "aggrate=1h", "-qn", "BEGIN { @ = count(); } tick-100ms { n++; @ = count(); printa(\"%@d \", @); } tick-100ms /n == 9/ { exit(0); } END { printa(\"end %@d\", @); }"});
        const auto words = QString::fromUtf8(run.out).simplified().split(' ');
        QCOMPARE(words.size(), 11);
        for (int i = 1; i < 9; ++i) QCOMPARE(words[i], words[0]); // one reading, of the beginning
        QCOMPARE(words.mid(9), QStringList({"end", "10"}));
    }
    void exitIsSeenAtTheRateAskedFor_data()
    {
        QTest::addColumn<QString>("option");
        QTest::newRow("switchrate") << "switchrate=2s";
        QTest::newRow("statusrate") << "statusrate=2s";
    }
    void exitIsSeenAtTheRateAskedFor()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, option);
        const auto run = runDscope({"-x", option, "-qn", "BEGIN { t = timestamp; exit(0); } END { printf(\"%d\", (timestamp - t) / 1000000); }"});
        QCOMPARE(run.status, 0);
        const int ms = run.out.trimmed().toInt();
        QVERIFY2(ms >= 1500, run.out.constData()); // it may be later under load, never sooner
    }
    void theEndOfTheCommandIsSeenAtOnceAllTheSame()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QElapsedTimer clock;
        clock.start();
        const auto run = runDscope({"-x", "switchrate=60s", "-qn", "syscall::exit_group:entry /pid == $target/ { printf(\"seen\"); }", "-c", "/bin/true"});
        QCOMPARE(run.out.trimmed(), QByteArray("seen"));
        QVERIFY(clock.elapsed() < 50'000);
    }
    void dropsAreCounted_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("speculations") << "#pragma D option nspec=1\n#pragma D option specsize=16\nBEGIN { s = speculation(); speculate(s); trace(\"some text\"); }\nBEGIN { commit(s); }\nBEGIN { exit(0); }\n"
                                      << QByteArray("dtrace: [DTRACEDROP_SPEC] 1 speculative drop\n");
        QTest::newRow("no speculation left") << "#pragma D option nspec=1\nBEGIN { s = speculation(); t = speculation(); exit(t); }\n"
                                             << QByteArray("dtrace: [DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available)\n");
        QTest::newRow("aggregations") << "#pragma D option strsize=512\n#pragma D option aggsize=1024\nBEGIN { @[\"a\"] = count(); @[\"b\"] = count(); @[\"c\"] = count(); @[\"d\"] = count(); clear(@); trunc(@); exit(0); }\n"
                                      << QByteArray("dtrace: [DTRACEDROP_AGGREGATION] 3 aggregation drops on CPU N\n");
        QTest::newRow("errors of ERROR") << "BEGIN { trace(*(int *)0); }\nERROR { trace(*(int *)0); }\nBEGIN { exit(0); }\n"
                                         << QByteArray("dtrace: [DTRACEDROP_DBLERROR] 1 error in ERROR probe enabling\n");
    }
    void dropsAreCounted()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, program);
        QFETCH(QByteArray, message);
        auto run = runDscope({"-q", "-x", "droptags", "-s", write("drops.d", program.toUtf8())});
        QCOMPARE(run.status, 0);
        auto err = QString::fromUtf8(run.err);
        err.replace(QRegularExpression("on CPU \\d+"), "on CPU N");
        QVERIFY2(err.contains(message), run.err.constData());
        QCOMPARE(err.count("DTRACEDROP"), 1);
    }
    void aSpeculationTakesWhatFits()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        // Ten records of at least 40 bytes; some fit into 200, not all.
        const auto run = runDscope({"-qx", "specsize=200", "-n", "int n; BEGIN { s = speculation(); } tick-20ms /n < 10/ { speculate(s); printf(\"x%d\", n); } tick-20ms { n++; } tick-20ms /n == 11/ { commit(s); } tick-20ms /n == 12/ { exit(0); }"});
        const auto taken = run.out.count('x');
        QVERIFY2(taken >= 2 && taken <= 9, run.out.constData());
        QVERIFY2(run.err.contains(QByteArray::number(10 - taken) + " speculative drop"), run.err.constData());
    }
    void librariesOfADirectoryAreRead_data()
    {
        QTest::addColumn<QStringList>("files"); // name, text, name, text ...
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& files, int status, const char* message) { QTest::newRow(name) << files << status << message; };
        row("one", {"a.d", "inline int foo = 3;\n"}, 0, "");
        row("one after the one it needs", {"a.d", "#pragma D depends_on library b.d\ninline int foo = bar;\n", "b.d", "inline int bar = 3;\n"}, 0, "");
        row("not of D", {"a.d", "inline int foo = 3;\n", "a.txt", "no D"}, 0, "");
        row("in a circle", {"a.d", "#pragma D depends_on library b.d\n", "b.d", "#pragma D depends_on library a.d\n"}, 1, "dtrace: D library .*a\\.d depends on itself");
        row("missing", {"a.d", "#pragma D depends_on library no.d\n"}, 1, "dtrace: D library .*a\\.d depends on no\\.d, which does not exist");
        row("wrong", {"a.d", "inline int foo = 3;\nBEGIN { nosuch(); }\n"}, 1, "dtrace: invalid probe specifier BEGIN \\{ trace\\(foo\\); \\}: \".*a\\.d\", line 2: undefined function name: nosuch");
        row("for a module that is not there", {"a.d", "inline int foo = 3;\n", "b.d", "#pragma D depends_on module no_such_module\nno D at all\n"}, 0, "");
    }
    void librariesOfADirectoryAreRead()
    {
        QFETCH(QStringList, files);
        QFETCH(int, status);
        QFETCH(QString, message);
        const QString folder = QString::fromUtf8(QTest::currentDataTag()).replace(' ', '_');
        for (qsizetype i = 0; i < files.size(); i += 2) QVERIFY(!write(folder + "/" + files[i], files[i + 1].toUtf8()).isEmpty());
        const auto run = runDscope({"-L", m_dir.filePath(folder), "-e", "-n", "BEGIN { trace(foo); }"});
        QVERIFY2(run.status == status, run.err.constData());
        QVERIFY2(QRegularExpression("^" + message).match(QString::fromUtf8(run.err)).hasMatch() && message.isEmpty() == run.err.isEmpty(), run.err.constData());
    }
    void codeIsListed_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("-S") << QStringList{"-S"};
        QTest::newRow("-x verbose") << QStringList{"-x", "verbose"};
    }
    void codeIsListed()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(words + QStringList{"-e", "-n", "BEGIN { exit(0); }"});
        QCOMPARE(run.status, 0);
        const auto lines = QString::fromUtf8(run.err).split('\n');
        QVERIFY(lines.contains("Disassembly of clause :::BEGIN"));
        QVERIFY(lines.filter(QRegularExpression("^\\d{4} \\d{5}: [0-9a-f]{2} [0-9a-f] [0-9a-f] [0-9a-f]{4} [0-9a-f]{8}")).size() > 20);
    }
    void theVerifiersRemarksAreShown()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-x", "bpflog", "-qn", "BEGIN { exit(0); }"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.startsWith("BPF: ") && run.err.contains("BPF: processed "), run.err.left(200).constData());
    }
    void buffersAreFilledOrGoRound_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::newRow("fill") << QStringLiteral("fill");
        QTest::newRow("ring") << QStringLiteral("ring");
    }
    void buffersAreFilledOrGoRound()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, policy);
        constexpr int kCalls = 2000, kFit = 4096 / 24; // a number of 8 bytes, and 16 of dtrace's own
        const auto run = runDscope({"-x", "bufpolicy=" + policy, "-x", "bufsize=4k", "-qn",
            "syscall::getppid:entry /pid == $target/ { printf(\"%d\\n\", n++); } END { printf(\"end\\n\"); }", "-c",
            QStringLiteral(DSCOPE_PROGRAMS "/flood %1").arg(kCalls)});
        QCOMPARE(run.status, 0);
        auto lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.takeLast(), QByteArray("end"));
        QVERIFY2(lines.size() >= kFit && lines.size() < kCalls, QByteArray::number(lines.size()));
        for (qsizetype i = 1; i < lines.size(); ++i)
            QVERIFY2(lines[i].toInt() > lines[i - 1].toInt(), lines[i]);
        if (policy == "fill") QCOMPARE(lines.first().toInt(), 0);
        else QCOMPARE(lines.last().toInt(), kCalls - 1);
    }
    void aRunThatCostsTooMuchEnds_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("why"); // a regular expression; empty: it goes on to the end
        const auto row = [](const char* name, const QStringList& words, const char* why) { QTest::newRow(name) << words << why; };
        const QString flood = "syscall:::entry /pid == $target/ { @ = count(); @k[probefunc, execname] = quantize(timestamp); }";
        row("time", {"-x", "costlimit=0.1%", "-n", flood},
            "in its last second probes took [0-9.]+ % of the machine's CPU time and dscope [0-9.]+ %, where option costlimit allows 0\\.1%");
        row("time, by the program", {"-n", "#pragma D option costlimit=0.2\n" + flood}, "in its last second .* where option costlimit allows 0\\.2%");
        row("time enough", {"-x", "costlimit=100%", "-n", flood}, "");
        row("memory", {"-x", "memorylimit=2m", "-n", flood}, "dscope has [0-9]+ MiB of memory and its maps in the kernel [0-9]+ MiB, where option memorylimit allows 2m");
        row("memory enough", {"-x", "memorylimit=8g", "-n", flood}, "");
    }
    void aRunThatCostsTooMuchEnds()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, words);
        QFETCH(QString, why);
        // Where the run is to end the command would go on for minutes, and leaves with us.
        const QString end = why.isEmpty() ? "tick-3s { exit(0); } " : "";
        words.last() += end + " END { printa(\"all %@d\\n\", @); }";
        const auto run = runDscope(QStringList{"-q"} + words + QStringList{"-c", DSCOPE_PROGRAMS "/flood 2000000000"});
        QCOMPARE(run.status, 0);
        QVERIFY2(QRegularExpression("all [1-9]\\d+\n").match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData()); // with its results
        const auto wanted = why.isEmpty() ? QString() : "dtrace: the run ends here: " + why + "\n";
        QVERIFY2(QRegularExpression(QRegularExpression::anchoredPattern(wanted)).match(QString::fromUtf8(run.err)).hasMatch(), run.err.constData());
    }
    void aRecordingThatIsTooLargeEndsTheRun()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto file = m_dir.filePath("large.dscope");
        const auto run = runDscope({"-x", "recordsize=100k", "--record", file, "-qn", "syscall:::entry /pid == $target/ { @ = count(); trace(timestamp); }",
            "-o", "/dev/null", "-c", DSCOPE_PROGRAMS "/flood 2000000000"});
        QCOMPARE(run.status, 0);
        QVERIFY2(QRegularExpression("dtrace: the run ends here: .*large\\.dscope has \\d+ bytes, where option recordsize allows 100k\n").match(QString::fromUtf8(run.err)).hasMatch(), run.err.constData());
        QVERIFY(QFileInfo(file).size() > 100 << 10);
        const auto again = runDscope({"--replay", file}); // whole, to its end
        QVERIFY2(again.status == 0 && !again.err.contains("is cut"), again.err.constData());
    }
    /// What README and the manual page say of tracing without root.
    void capabilitiesAreEnough_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("out");
        const auto row = [](const char* name, const char* program, const char* command, const char* out) { QTest::newRow(name) << QString::fromLatin1(program) << QString::fromLatin1(command) << QByteArray(out); };
        row("BEGIN", "BEGIN { printf(\"%d\", uid); exit(0); }", "/bin/true", "65534");
        row("system calls", "syscall::exit_group:entry /pid == $target/ { trace(probefunc); }", "/bin/true", "exit_group");
        row("processes", "proc:::exec-success /pid == $target/ { trace(execname); }", "/bin/true", "true");
        row("the scheduler", "sched:::on-cpu /pid == $target/ { @ = count(); } END { printa(\"seen\", @); }", "/bin/sleep 0.1", "seen");
        row("functions of a process", "pid$target:a.out:leaf:entry { @ = count(); } END { printa(\"leaf %@d\", @); }", DSCOPE_PROGRAMS "/calls 100", "leaf 238");
        row("stacks of a process", "profile-97 /pid == $target/ { @[ustack(2)] = count(); }", DSCOPE_PROGRAMS "/two_chains 1", "two_chains`");
    }
    void capabilitiesAreEnough()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, program);
        QFETCH(QString, command);
        QFETCH(QByteArray, out);
        const QStringList rights{"--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all,+bpf,+perfmon", "--ambient-caps=-all,+bpf,+perfmon"};
        if (runDscope(rights + QStringList{DSCOPE_BIN "/dscope", "--version"}, {}, "setpriv").status != 0) QSKIP("needs setpriv (package util-linux), and a build folder that all may read");
        const auto run = runDscope(rights + QStringList{DSCOPE_BIN "/dscope", "-qn", program, "-c", command}, {}, "setpriv");
        QVERIFY2(run.status == 0 && run.out.contains(out), run.out + run.err);
    }
    void tooFewDescriptorsAreCalledThat_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("BEGIN") << "BEGIN { exit(0); }";
        QTest::newRow("system calls") << "syscall::getppid:entry { @ = count(); } BEGIN { exit(0); }";
        QTest::newRow("processes") << "proc:::exit { @ = count(); } BEGIN { exit(0); }";
    }
    void tooFewDescriptorsAreCalledThat()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need descriptors themselves");
#endif
        QFETCH(QString, program);
        // With one more each time, another step of the start is the first that gets none, until there are enough.
        int refused = 0, status = 1;
        for (int most = 5; status != 0 && most < 64; ++most) {
            const auto run = runDscope({"-c", QString("ulimit -n %1; exec \"$0\" -qn \"$1\"").arg(most), DSCOPE_BIN "/dscope", program}, {}, "/bin/sh");
            status = run.status;
            if (status == 0 || run.err.contains("loading shared libraries")) continue;
            ++refused;
            QVERIFY2(run.err.contains("Too many open files (raise the limit with ulimit -n)"), run.err.constData());
        }
        QCOMPARE(status, 0);
        QVERIFY(refused > 3);
    }
    /// What can't be opened for want of descriptors is told as that, and not as a property of the code.
    void fewDescriptorsAreNoPropertyOfCode()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need descriptors themselves");
#endif
        const QTemporaryDir dir;
        QFile spin(dir.filePath("spin.py"));
        QVERIFY(spin.open(QIODevice::WriteOnly));
        spin.write("for i in range(300): sum(range(100000))\n");
        spin.close();
        int told = 0;
        for (int most = 38; most < 50; most += 2) {
            const auto run = runDscope({"-c", QString("ulimit -n %1; exec \"$0\" \"$@\"").arg(most), DSCOPE_BIN "/dscope", "-qn",
                                           "profile-997 /pid == $target/ { @[ustack()] = count(); }", "-c", "python3 " + spin.fileName()},
                {}, "/bin/sh");
            if (run.status != 0 || !run.err.contains("end early")) continue;
            QVERIFY2(!run.err.contains("code without unwind tables"), run.err);
            QVERIFY2(run.err.contains("may be open at a time: names of code and the ends of stacks are missing"), run.err);
            ++told;
        }
        QVERIFY(told > 0);
    }
    /// dscope takes what its hard limit allows; the command has what it was given.
    void theLimitOfDescriptorsIsTheCommandsOwn()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-c", "ulimit -Sn 48; exec \"$0\" \"$@\"", DSCOPE_BIN "/dscope", "-wqn",
                                       "profile-997 /pid == $target/ { @[ustack()] = count(); } END { system(\"ulimit -Sn\"); }", "-c",
                                       "sh -c ulimit${IFS}-Sn"},
            {}, "/bin/sh");
        QVERIFY2(run.out.startsWith("48\n") && run.out.contains("\n48\n"), run.out + run.err);
        QVERIFY2(!run.err.contains("could not be opened"), run.err);
        QCOMPARE(run.status, 0);
    }
    void whatGoesOnIsTold()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-x", "debug", "-qn", "BEGIN { exit(0); }"});
        QVERIFY2(QString::fromUtf8(run.err).contains(QRegularExpression("^dscope DEBUG \\d+: loaded program BEGIN: \\d+ instructions\n")), run.err.constData());
    }
    void treesAreShown_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QList<QByteArray>>("shown");
        const QByteArray parsed = "Parse tree (Pass 1):\n", typed = "Parse tree (Pass 2):\n", last = "Parse tree (Pass 3):\n", x = "x = ";
        const QString d = "BEGIN { x = pid + 1L; exit(0); }";
        QTest::newRow("none") << QStringList{"-n", d} << QList<QByteArray>{};
        QTest::newRow("parsed") << QStringList{"-x", "tree=1", "-n", d} << QList<QByteArray>{parsed, "x = pid + 1L"};
        QTest::newRow("typed") << QStringList{"-x", "tree=2", "-n", d} << QList<QByteArray>{typed, "(long)pid + 1"};
        QTest::newRow("both") << QStringList{"-x", "tree=3", "-n", d} << QList<QByteArray>{parsed, "x = pid + 1L", typed, "(long)pid + 1"};
        QTest::newRow("after code was made") << QStringList{"-x", "tree=4", "-n", d} << QList<QByteArray>{last, "(long)pid + 1"};
        QTest::newRow("by the program") << QStringList{"-n", "#pragma D option tree=1\n" + d} << QList<QByteArray>{parsed, "x = pid + 1L"};
        QTest::newRow("of a wrong program") << QStringList{"-x", "tree=3", "-n", "BEGIN { x = nobody; }"}
                                            << QList<QByteArray>{parsed, "x = nobody", "failed to resolve nobody"};
        QTest::newRow("of no pass") << QStringList{"-x", "tree=0", "-n", d} << QList<QByteArray>{"tree: Invalid value for specified option"};
    }
    void treesAreShown()
    {
        QFETCH(const QStringList, words);
        QFETCH(const QList<QByteArray>, shown);
        const auto run = runDscope(QStringList{"-q", "-e"} + words);
        qsizetype at = 0;
        for (const auto& part : shown) {
            at = run.err.indexOf(part, at);
            QVERIFY2(at >= 0, part + " is not in " + run.err);
        }
        QCOMPARE(run.err.count("Parse tree"), std::count_if(shown.begin(), shown.end(), [](const auto& part) { return part.startsWith("Parse"); }));
    }
};
QTEST_GUILESS_MAIN(TestRunOptions)
#include "tst_run_options.moc"
