// needs-programs: dscope
// alone: it runs itself
// Functions of processes: held against what the programs count themselves, and against their running undisturbed.
#include "tests/support/run_dscope.h"
#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <utility>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");

Outcome trace(const QString& program, const QString& command, const QStringList& more = {})
{
    return runDscope(QStringList{"-qn", program, "-c", command} + more);
}
/// "name=12" anywhere in a text.
qint64 numberOf(const QByteArray& text, const QString& name)
{
    const auto found = QRegularExpression("\\b" + name + "[= ](-?\\d+)").match(QString::fromUtf8(text));
    return found.hasMatch() ? found.captured(1).toLongLong() : -1;
}
QByteArray untraced(const QString& command)
{
    auto words = command.split(' ');
    const auto program = words.takeFirst();
    return runDscope(words, {}, program).out;
}
} // namespace

class TestPid : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void everyCallIsSeenWithItsArguments()
    {
        const auto run
            = trace("pid$target:a.out:leaf:entry { @leaf = count(); }"
                    "pid$target:a.out:ten:entry { @tenth = sum(arg9); @sixth = sum(arg5); @seventh = sum(arg6); }"
                    "END { printa(\"leaf=%@d\\n\", @leaf); "
                    "printa(\"tenth=%@d\\n\", @tenth); printa(\"sixth=%@d\\n\", @sixth); printa(\"seventh=%@d\\n\", @seventh); }",
                kPrograms + "calls 100");
        QCOMPARE(run.status, 0);
        for (const auto* name : {"leaf", "tenth"}) {
            const auto own = QRegularExpression(QString(name) + " (\\d+)").match(QString::fromUtf8(run.out)).captured(1).toLongLong();
            const auto ours = QRegularExpression(QString(name) + "=(\\d+)").match(QString::fromUtf8(run.out)).captured(1).toLongLong();
            QVERIFY2(own > 0, run.out + run.err);
            QCOMPARE(ours, own);
        }
        QVERIFY2(run.out.contains("sixth=600\n") && run.out.contains("seventh=700\n"), run.out);
    }
    /// `nm -D` says which names a place of the C library has.
    void aFunctionHasTheNameThatPeopleCallItBy()
    {
        const auto path = runDscope({"-c", "grep -m1 -o '/[^ ]*/libc\\.so\\.6$' /proc/self/maps"}, {}, "sh").out.trimmed();
        QHash<QByteArray, QByteArrayList> names; // by address
        for (const auto& line : runDscope({"-D", "--defined-only", "--without-symbol-versions", path}, {}, "nm").out.split('\n'))
            if (const auto cells = line.split(' '); cells.size() == 3 && (cells[1] == "T" || cells[1] == "W")) names[cells[0]] << cells[2];
        QVERIFY(names.size() > 1000);

        const auto listed = runDscope({"-ln", "pid$target:libc::entry", "-c", "true"});
        QHash<QByteArray, int> times;
        for (const auto& line : listed.out.split('\n'))
            if (const auto cells = line.simplified().split(' '); cells.size() == 5) ++times[cells[3]];
        const auto underscores = [](const QByteArray& name) {
            qsizetype n = 0;
            while (n < name.size() && name[n] == '_')
                ++n;
            return n;
        };
        int several = 0;
        for (const auto& all : std::as_const(names)) {
            QByteArrayList shown;
            qsizetype least = all.front().size();
            for (const auto& name : all) {
                least = std::min(least, underscores(name));
                if (times.contains(name) && !shown.contains(name)) shown << name;
            }
            QVERIFY2(shown.size() <= 1, shown.join(' ')); // one place is one probe
            if (!shown.empty()) QVERIFY2(underscores(shown.front()) == least, (shown + all).join(' '));
            several += !shown.empty() && all.size() > 1;
        }
        QVERIFY(several > 100);

        for (const auto* name :
            {"close", "calloc", "puts", "fork", "getpid", "mmap", "poll", "fwrite", "snprintf", "read", "write", "open"}) {
            const auto run = runDscope({"-ln", QString("pid$target:libc:%1:entry").arg(name), "-c", "true"});
            QVERIFY2(run.out.simplified().endsWith(QByteArray(name) + " entry"), run.out + run.err);
        }
    }
    void theNameThatIsAskedForIsTold_data()
    {
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("by its name") << QByteArray("close") << QByteArray("close");
        QTest::newRow("by its inner name") << QByteArray("__close") << QByteArray("__close");
        QTest::newRow("by its beginning") << QByteArray("clos?") << QByteArray("close");
        QTest::newRow("by that of its inner name") << QByteArray("__clos?") << QByteArray("__close");
    }
    void theNameThatIsAskedForIsTold()
    {
        QFETCH(QByteArray, asked);
        QFETCH(QByteArray, told);
        const auto run = trace(QString("pid$target:libc:%1:entry { @[probefunc] = count(); }"
                                       " END { printa(\"%s %@d\\n\", @); }")
                                   .arg(asked.constData()),
            "cat /etc/hostname");
        QCOMPARE(run.status, 0);
        QHash<QByteArray, int> fired;
        for (const auto& line : run.out.split('\n'))
            if (const auto cells = line.split(' '); cells.size() == 2) fired[cells[0]] = cells[1].toInt();
        QVERIFY2(fired.size() == 1 && fired.value(told) > 0, run.out + run.err);
    }
    /// Static functions of two files: one probe, which fires for both.
    void functionsOfOneNameAreOneProbe()
    {
        if (QStandardPaths::findExecutable("cc").isEmpty()) QSKIP("no C compiler here");
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const QByteArray both = "volatile int kept;\nstatic __attribute__((noinline, noipa)) int init(int n) { return kept = n; }\n";
        QVERIFY(write("one.c", "#define kept kept_one\n" + both + "int one(void) { return init(1) + init(2) + init(3); }\n"));
        QVERIFY(write("two.c", both + "int one(void);\nint main(void) { return one() + init(4) + init(5) + init(6) + init(7) == 0; }\n"));
        const auto program = folder.filePath("two");
        QCOMPARE(QProcess::execute("cc", {"-g", "-O1", "-o", program, folder.filePath("one.c"), folder.filePath("two.c")}), 0);
        for (const auto* function : {"init", "ini?"}) {
            const auto at = QString("pid$target:a.out:%1:").arg(function);
            const auto run = trace(at + "entry { @in = count(); @sum = sum(arg0); } " + at
                    + "return { @out = count(); } END { printa(\"in=%@d\\n\", @in); printa(\"out=%@d\\n\", @out); printa(\"sum=%@d\\n\", "
                      "@sum); }",
                program);
            QVERIFY2(run.out.contains("in=7\n") && run.out.contains("out=7\n") && run.out.contains("sum=28\n"), run.out + run.err);
            QCOMPARE(runDscope({"-ln", at + "entry", "-c", program}).out.count(" init entry"), 1);
        }
    }
    /// memcpy@GLIBC_2.2.5 beside memcpy@@GLIBC_2.14, in small.
    void theDefaultVersionIsProbed()
    {
        if (QStandardPaths::findExecutable("cc").isEmpty()) QSKIP("no C compiler here");
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("two.map", "V1 { global: twice; local: *; };\nV2 { global: twice; } V1;\n"));
        QVERIFY(write("library.c",
            "volatile int kept;\n"
            "__attribute__((noinline, noipa)) int before(int n) { return kept = n; }\n"
            "__attribute__((noinline, noipa)) int now(int n) { return kept = 2 * n; }\n"
            "__asm__(\".symver before,twice@V1\");\n__asm__(\".symver now,twice@@V2\");\n"));
        QVERIFY(
            write("main.c", "int twice(int); int main(void) { int s = 0; for (int i = 1; i < 6; i++) s += twice(i); return s == 0; }\n"));
        const auto library = folder.filePath("libtwo.so"), program = folder.filePath("main");
        if (QProcess::execute("cc",
                {"-O1", "-shared", "-fPIC", "-Wl,--version-script=" + folder.filePath("two.map"), "-o", library,
                    folder.filePath("library.c")})
            != 0)
            QSKIP("this linker makes no versions");
        QCOMPARE(QProcess::execute("cc", {"-O1", "-o", program, folder.filePath("main.c"), library, "-Wl,-rpath," + folder.path()}), 0);
        const auto run = trace("pid$target:libtwo.so:twice:entry { @ = sum(arg0); } END { printa(\"sum=%@d\\n\", @); }", program);
        QVERIFY2(run.out.contains("sum=15\n"), run.out + run.err);
    }
    /// Several ways out, a jump into another function, a jump by table that is none.
    void everyCallReturns()
    {
        const auto run
            = trace("pid$target:a.out::entry { @in[probefunc] = count(); } pid$target:a.out::return { @out[probefunc] = count(); }"
                    "END { printa(\"%s %@d %@d\\n\", @in, @out); }",
                kPrograms + "calls 64");
        QCOMPARE(run.status, 0);
        for (const auto* name : {"leaf", "ten", "recursive", "in_tail_position", "by_table", "text"}) {
            const auto found = QRegularExpression("\\n?" + QString(name) + " (\\d+) (\\d+)\\n").match(QString::fromUtf8(run.out));
            QVERIFY2(found.hasMatch(), QByteArray(name) + " is not in " + run.out + run.err);
            QVERIFY(found.captured(1).toInt() > 0);
            QCOMPARE(found.captured(2), found.captured(1));
        }
    }
    void returnsTellWhereAndWhat()
    {
        const auto run = trace(
            "pid$target:a.out:leaf:entry { self->n = arg0; self->in = 1; }"
            "pid$target:a.out:leaf:return /self->in && (int)arg1 == ((self->n & 1) ? self->n * 3 : self->n + 7)/ { @right = count(); }"
            "pid$target:a.out:leaf:return { @where[arg0] = count(); }"
            "END { printa(\"right=%@d\\n\", @right); printa(\"at %d\\n\", @where); }",
            kPrograms + "calls 50");
        QCOMPARE(run.status, 0);
        const auto calls = numberOf(run.out, "leaf");
        QVERIFY2(calls > 0, run.out + run.err);
        QCOMPARE(numberOf(run.out, "right"), calls);
        QVERIFY2(run.out.count("at ") >= 1 && !run.out.contains("at 0\n"), run.out);
    }
    void flowShowsWhoCallsWhom()
    {
        const auto run
            = runDscope({"-Fn", "pid$target:a.out:in_tail_position:,pid$target:a.out:recursive:entry,pid$target:a.out:recursive:return {}",
                "-c", kPrograms + "calls 1"});
        QCOMPARE(run.status, 0);
        QVERIFY2(QRegularExpression("-> recursive *\\n *\\d+ +-> recursive *\\n *\\d+ +<- recursive")
                     .match(QString::fromUtf8(run.out))
                     .hasMatch(),
            run.out);
        QVERIFY(run.out.count("-> recursive") > 3);
        QCOMPARE(run.out.count("<- recursive"), run.out.count("-> recursive"));
    }
    void textOfTheTarget()
    {
        const auto run = trace("pid$target:a.out:text:entry { printf(\"[%s] %s %s\", copyinstr(arg0), probemod, probefunc); ustack(); }",
            kPrograms + "calls 1");
        QVERIFY2(run.out.contains("[counts:] calls text"), run.out + run.err);
        QVERIFY2(run.out.contains("calls`text") && run.out.contains("calls`main"), run.out);
    }
    void tracedProgramsRunOn_data()
    {
        QTest::addColumn<QString>("probes");
        QTest::newRow("libc") << "pid$target:libc::entry,pid$target:libc::return";
        QTest::newRow("libstdc++") << "pid$target:libstdc*::entry,pid$target:libstdc*::return";
        QTest::newRow("unwinder") << "pid$target:libgcc_s::entry,pid$target:libgcc_s::return";
        QTest::newRow("program") << "pid$target:a.out::entry,pid$target:a.out::return";
        QTest::newRow("instructions") << "pid$target:a.out::";
        QTest::newRow("linker") << "pid$target:ld-linux*::entry,pid$target:ld-linux*::return";
    }
    /// Exceptions, longjmp, contexts, cancelled threads, signals, vfork, dlopen: the sums are what they are without us.
    void tracedProgramsRunOn()
    {
        QFETCH(const QString, probes);
        const auto command = kPrograms + "turmoil 1";
        const auto own = untraced(command);
        QVERIFY(own.startsWith("exceptions "));
        const auto run = trace(probes + " { @ = count(); } END { printa(\"hits=%@d\\n\", @); }", command);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains(own), run.out + run.err);
        QVERIFY2(numberOf(run.out, "hits") > 10, run.out + run.err);
    }
    /// Thousands of functions of Qt, in a program of Qt: this one, which lists its tests.
    void programsOfQtRunOn()
    {
        const auto command = QCoreApplication::applicationFilePath() + " -functions";
        const auto own = untraced(command);
        QVERIFY(own.contains("programsOfQtRunOn()"));
        const auto run = trace("pid$target:libQt6Core*::entry,pid$target:libQt6Core*::return { @[probename] = count(); }"
                               " END { printa(\"%s=%@d\\n\", @); }",
            command);
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains(own), run.out.left(2000) + run.err);
        QVERIFY2(numberOf(run.out, "entry") > 100 && numberOf(run.out, "return") > 100, run.out.right(500));
    }
    void tracedProgramsOutliveUs()
    {
        QProcess program;
        constexpr int kRounds = 800; // enough to be running still when a sanitized dscope has come to its probes
        program.start(kPrograms + "turmoil", {QString::number(kRounds)});
        QVERIFY(program.waitForReadyRead(30'000));
        QProcess tracer;
        tracer.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"-qn",
                "pid$target:libc::entry,pid$target:libc::return,pid$target:libstdc*::entry { @ = count(); } tick-10hz { "
                "printf(\"on\\n\"); }",
                "-p", QString::number(program.processId())});
        QVERIFY(tracer.waitForReadyRead(60'000));
        ::kill(static_cast<pid_t>(tracer.processId()), SIGKILL);
        QVERIFY(tracer.waitForFinished());
        QVERIFY(program.state() == QProcess::NotRunning || program.waitForFinished(120'000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        const auto lines = program.readAllStandardOutput().trimmed().split('\n');
        const auto own = untraced(kPrograms + "turmoil 1").trimmed();
        QCOMPARE(lines.size(), kRounds);
        for (const auto& line : lines)
            QCOMPARE(line, own);
    }
    /// What the program counts itself, by the line.
    void linesOfSourceAreProbed()
    {
        if (QStandardPaths::findExecutable("cc").isEmpty()) QSKIP("no C compiler here");
        const QTemporaryDir folder;
        QFile source(folder.filePath("loop.c"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write("#include <stdio.h>\n"
                     "__attribute__((noinline, noipa)) static int twice(int n)\n"
                     "{\n"
                     "    return 2 * n;\n" // 4
                     "}\n"
                     "int main(void)\n"
                     "{\n"
                     "    int sum = 0;\n"
                     "    for (int i = 0; i < 7; i++) {\n"
                     "        sum += twice(i);\n" // 10
                     "        if (i % 2)\n"
                     "            sum++;\n" // 12
                     "    }\n"
                     "    return printf(\"%d\\n\", sum) == 0;\n"
                     "}\n");
        source.close();
        const auto program = folder.filePath("loop");
        for (const QStringList& flags : {QStringList{"-O0"}, QStringList{"-O2"}}) {
            QCOMPARE(QProcess::execute("cc", QStringList{"-g", "-o", program, source.fileName()} + flags), 0);
            const auto run = trace("pid$target:a.out:loop.c:4, pid$target:a.out:loop.c:10 { @[probefunc, probename] = count(); }"
                                   "END { printa(\"%s:%s=%@d\\n\", @); }",
                program);
            QCOMPARE(run.status, 0);
            QVERIFY2(run.out.contains("loop.c:10=7\n") && run.out.contains("loop.c:4=7\n"), run.out + run.err + flags.join(' ').toUtf8());
        }
        QCOMPARE(QProcess::execute("cc", {"-g", "-O0", "-o", program, source.fileName()}), 0);
        const auto run = trace("pid$target:a.out:loop.c:12 { @ = count(); } END { printa(\"odd=%@d\\n\", @); }", program);
        QVERIFY2(run.out.contains("odd=3\n"), run.out + run.err);

        // A function of that name wins: its names are offsets. And what cannot be is said.
        const auto failing = [&](const char* probe) { return runDscope({"-n", probe, "-c", program}).err; };
        QVERIFY2(failing("pid$target:a.out:loop.c:3000").contains("no code is made of line 3000"), failing("pid$target:a.out:loop.c:3000"));
        QVERIFY2(failing("pid$target:a.out:loop.c:13").contains("the next one with code is 14"), failing("pid$target:a.out:loop.c:13"));
        QVERIFY2(failing("pid$target:a.out:other.c:3").contains("neither a function nor a file"), failing("pid$target:a.out:other.c:3"));
        QCOMPARE(QProcess::execute("cc", {"-O0", "-o", program, source.fileName()}), 0);
        QVERIFY2(failing("pid$target:a.out:loop.c:4").contains("compile it with -g"), failing("pid$target:a.out:loop.c:4"));
    }
    void librariesLoadedLaterAreProbed()
    {
        const auto run
            = trace("pid$target:libm*:cbrt:entry { @ = count(); } END { printa(\"roots=%@d\\n\", @); }", kPrograms + "late_root 5", {"-Z"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("roots=5\n"), run.out + run.err);
        QVERIFY2(run.out.contains("sum 15\n"), run.out);
    }
    void whatCannotBeIsSaid_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<QString>("message");
        QTest::newRow("no function") << "pid$target:a.out:no_such:entry"
                                     << "D_PROC_FUNC"
                                     << "failed to lookup 'no_such' in module 'a.out'";
        QTest::newRow("no name") << "pid$target:a.out:main:beginning"
                                 << "D_PROC_NAME"
                                 << "'beginning' is an invalid probe name";
        QTest::newRow("too far") << "pid$target:a.out:leaf:1000"
                                 << "D_PROC_OFF"
                                 << "offset 0x1000 outside of function 'leaf'";
        QTest::newRow("no pid") << "pid0:::entry"
                                << "D_PROC_BADPID"
                                << "'pid0' does not contain a valid pid";
        QTest::newRow("dead") << "pid4194305:::entry"
                              << "D_PROC_GRAB"
                              << "failed to grab process 4194305";
        QTest::newRow("no module") << "pid$target:libnone:f:entry"
                                   << "D_PDESC_ZERO"
                                   << "does not match any probes";
        QTest::newRow("dash in a library") << "pid$target:libc:-:800"
                                           << "D_PROC_LIB"
                                           << "only the a.out module is valid with the '-' function";
        QTest::newRow("dash and glob") << "pid$target::-:10*"
                                       << "D_PROC_NAME"
                                       << "only individual addresses may be specified with the '-' function";
    }
    void whatCannotBeIsSaid()
    {
        QFETCH(const QString, probe);
        QFETCH(const QString, tag);
        QFETCH(const QString, message);
        const auto run = runDscope({"-xerrtags", "-n", probe, "-c", kPrograms + "calls 1"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(("[" + tag + "] ").toUtf8()) && run.err.contains(message.toUtf8()), run.err);
    }
    void whatBecameOfAFunctionIsSaid_data()
    {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QByteArrayList>("told");
        QTest::newRow("C++") << "plain" << QByteArrayList{"in module 'a.out': '_ZN5inner5plainEi' is inner::plain(int)\n"};
        QTest::newRow("specialized") << "scaled"
                                     << QByteArrayList{
                                            "'_ZL6scaledii.constprop.0' is scaled(int, int), made for arguments that are constant\n"};
        QTest::newRow("another's end") << "lain" << QByteArrayList{"failed to lookup 'lain' in module 'a.out'\n"};
    }
    void whatBecameOfAFunctionIsSaid()
    {
        QFETCH(const QString, function);
        QFETCH(const QByteArrayList, told);
        if (QStandardPaths::findExecutable("g++").isEmpty()) QSKIP("g++ is not installed (package g++)");
        const QTemporaryDir folder;
        const auto source = folder.filePath("became.cpp"), program = folder.filePath("became");
        QFile text(source);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("#define KEPT __attribute__((noinline))\n"
                   "volatile int kept;\n"
                   "namespace inner { KEPT int plain(int n) { return kept = n; } }\n"
                   "KEPT int twice(int n) { return kept = n; }\n"
                   "KEPT int twice(long n) { return kept = int(n) + 1; }\n"
                   "static KEPT int scaled(int n, int factor) { return kept = n * factor; }\n"
                   "int main(int argc, char **) { return inner::plain(argc) + twice(argc) + twice(long(argc)) + scaled(argc, 7) + "
                   "scaled(argc + 1, 7) == 0; }\n");
        text.close();
        QCOMPARE(QProcess::execute("g++", {"-O2", "-o", program, source}), 0);
        if (function == "scaled" && !runDscope({program}, {}, "nm").out.contains("scaledii.constprop.0"))
            QSKIP("this compiler makes no copy of it");
        const auto run = runDscope({"-n", "pid$target:a.out:" + function + ":entry", "-c", program});
        QCOMPARE(run.status, 1);
        for (const auto& one : told)
            QVERIFY2(run.err.contains(one), run.err);
    }
    /// Names as stacks show them; of letters that descriptions lack any one (?) stands for each.
    void functionsOfCppAreFound_data()
    {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QByteArrayList>("calls");
        const QByteArrayList weigh{"_ZNK4work3Box5weighEi 3"}, twice{"_Z5twicei 1", "_Z5twicel 2"}, total{"_ZN4work5totalIiEEiT_ 4"};
        QTest::newRow("of a class") << "work??Box??weigh" << weigh;
        QTest::newRow("any beginning") << "*Box??weigh" << weigh;
        QTest::newRow("overloaded") << "twice" << twice;
        QTest::newRow("of a template") << "work??total?int?" << total;
        QTest::newRow("by symbol") << "_Z5twicel" << QByteArrayList{"_Z5twicel 2"};
    }
    void functionsOfCppAreFound()
    {
        QFETCH(const QString, function);
        QFETCH(const QByteArrayList, calls);
        if (QStandardPaths::findExecutable("g++").isEmpty()) QSKIP("g++ is not installed (package g++)");
        const QTemporaryDir folder;
        const auto source = folder.filePath("shown.cpp"), program = folder.filePath("shown");
        QFile text(source);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("#define KEPT __attribute__((noinline, noipa))\n"
                   "volatile int kept;\n"
                   "namespace work { struct Box { KEPT int weigh(int n) const; };\n"
                   "int Box::weigh(int n) const { return kept = n; }\n"
                   "template <class T> KEPT int total(T n) { return kept = int(n); } }\n"
                   "KEPT int twice(int n) { return kept = n; }\n"
                   "KEPT int twice(long n) { return kept = int(n) + 1; }\n"
                   "int main(int argc, char **) { work::Box box; for (int i = 0; i < 4; ++i) work::total<int>(i);\n"
                   "for (int i = 0; i < 3; ++i) box.weigh(i); return twice(argc) + twice(long(argc)) + twice(2L) == 0; }\n");
        text.close();
        QCOMPARE(QProcess::execute("g++", {"-O1", "-o", program, source}), 0);
        const auto run = runDscope({"-qn", "pid$target:a.out:" + function + ":entry { @[probefunc] = count(); } END { printa(\"%s %@d\\n\", @); }",
            "-c", program});
        QCOMPARE(run.status, 0);
        auto told = run.out.trimmed().split('\n');
        std::sort(told.begin(), told.end());
        QCOMPARE(told, calls);
    }
    /// As of most of a distribution's programs, whose functions nobody can name.
    void aStrippedProgramIsSaidToBeOne()
    {
        const QString strip = QStandardPaths::findExecutable("strip");
        if (strip.isEmpty()) QSKIP("no strip(1) here: binutils");
        const QTemporaryDir folder;
        const auto stripped = folder.filePath("nameless");
        QVERIFY(QFile::copy(kPrograms + "calls", stripped));
        QCOMPARE(QProcess::execute(strip, {stripped}), 0);
        for (const auto* place : {":leaf", "a.out:leaf", "a.out:lea*", "nameless:[l]eaf"}) {
            const auto run = runDscope({"-n", QString("pid$target:%1:entry").arg(place), "-c", stripped + " 1"});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.err.contains("nameless is stripped") && run.err.contains(stripped.toUtf8()), run.err);
        }
    }
    void modulesByAllTheirNames_data()
    {
        QTest::addColumn<QString>("module");
        for (const auto* name : {"libc", "libc.so", "libc.so.6", "libc*", "lib[c].so.6"})
            QTest::newRow(name) << name;
    }
    void modulesByAllTheirNames()
    {
        QFETCH(const QString, module);
        const auto run = trace(
            "pid$target:" + module + ":rand:entry { @[probemod] = count(); } END { printa(\"%s=%@d\\n\", @); }", kPrograms + "calls 16");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("libc.so.6=2\n"), run.out + run.err); // rounds 2 and 10
    }
};
QTEST_GUILESS_MAIN(TestPid)
#include "tst_pid.moc"
