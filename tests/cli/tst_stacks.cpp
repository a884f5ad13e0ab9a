// needs-programs: dscope
// Stacks of processes and libraries that come and go while tracing, and what is on top of a kernel stack.
#include "tests/support/cut_stacks.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QFileInfo>
#include <QList>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <dlfcn.h>
#include <link.h>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");

struct Stack {
    QByteArray frames; ///< module`function from the outermost in, semicolons between them
    double count = 0;
};
QList<Stack> stacksIn(const QString& path)
{
    QList<Stack> out;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return out;
    for (const auto& line : file.readAll().split('\n'))
        if (const auto blank = line.lastIndexOf(' '); blank > 0) out.push_back({line.left(blank), line.mid(blank + 1).toDouble()});
    return out;
}
QByteArray percent(double part, double all)
{
    return QByteArray::number(100 * part / all) + " % of " + QByteArray::number(all) + " samples";
}
/// A library that exports crc32(), and that every program of ours has loaded or can.
QString zlib()
{
    void* library = ::dlopen("libz.so.1", RTLD_NOW);
    link_map* map = nullptr;
    if (!library || ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {};
    return QFileInfo(QString::fromLocal8Bit(map->l_name)).canonicalFilePath();
}
} // namespace

class TestStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void processesThatAreGoneAreNamed()
    {
        const QTemporaryDir dir;
        const auto folded = dir.filePath("flame.folded"), copy = dir.filePath("brief");
        QVERIFY(QFile::copy(kPrograms + "brief", copy));
        const auto run = runDscope({"-qn", "profile-4001 /execname == \"brief\"/ { @[ustack()] = count(); }", "-c",
            kPrograms + (isSlowMachine() ? "brief 60 " : "brief 300 ") + copy, "--export", "flame=" + folded});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        QCOMPARE(run.status, 0);
        double all = 0, whole = 0, outsideOfMain = 0;
        QByteArray broken;
        for (const auto& stack : stacksIn(folded)) {
            const auto leaf = stack.frames.mid(stack.frames.lastIndexOf(';') + 1);
            if (leaf == "[no stack]") continue; // it had no memory of its own any more
            if (!leaf.startsWith("brief`") && !leaf.startsWith("[unknown]") && !leaf.startsWith("0x")) {
                outsideOfMain += stack.count;
                continue;
            }
            all += stack.count;
            const bool isCut = stack.frames.startsWith("[truncated]"); // and says so
            if (!isCut && (stack.frames.endsWith("`main;brief`outer;brief`middle;brief`inner;brief`work") || stack.frames.endsWith(";brief`main"))) {
                whole += stack.count;
                QVERIFY2(stack.frames.startsWith("brief`_start;") && !stack.frames.contains("[unknown]"), stack.frames);
            } else
                broken += stack.frames + ' ' + QByteArray::number(stack.count) + '\n';
        }
        QVERIFY2(all > (isSlowMachine() ? 100 : 1000),
            QByteArray::number(all) + " samples, and " + QByteArray::number(outsideOfMain) + " elsewhere");
        QVERIFY2(whole / all >= 0.95, percent(whole, all) + " are whole, not:\n" + broken);
    }
    /// As fast as a program can make them, and faster than they are walked.
    void aBurstOfStacksIsCountedWhole()
    {
        constexpr int kBurst = 25'000;
        const auto run = runDscope({"-qn", "syscall::write:entry /pid == $target/ { @[ustack()] = count(); }", "-c",
            kPrograms + "known_writes 512 " + QString::number(kBurst)});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        static const QRegularExpression kStack("known_writes`main\\+0x[0-9a-f]+\n( +\\S+\n)* +(\\d+)\n");
        const auto told = kStack.match(QString::fromUtf8(run.out));
        QVERIFY2(told.hasMatch(), run.out);
        QCOMPARE(told.captured(2).toInt(), kBurst);
    }
    void librariesLoadedLaterAreNamed()
    {
        if (zlib().isEmpty()) QSKIP("needs libz.so.1");
        const QTemporaryDir dir;
        const auto folded = dir.filePath("flame.folded"), library = dir.filePath("liblate.so");
        QVERIFY(QFile::copy(zlib(), library));
        const auto run = runDscope({"-qn", "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", "-c",
            kPrograms + "late_library " + library + " 1", "--export", "flame=" + folded});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        QCOMPARE(run.status, 0);
        QVERIFY(!QFile::exists(library));
        double all = 0, named = 0;
        QByteArray broken;
        for (const auto& stack : stacksIn(folded)) {
            if (!stack.frames.contains("through_the_library;")) continue;
            all += stack.count;
            if (stack.frames.contains("late_library`main;late_library`through_the_library;liblate.so`crc32"))
                named += stack.count;
            else
                broken += stack.frames + ' ' + QByteArray::number(stack.count) + '\n';
        }
        QVERIFY2(all > (isSlowMachine() ? 30 : 300), QByteArray::number(all) + " samples");
        QVERIFY2(named / all >= 0.95, percent(named, all) + " are named, not:\n" + broken);
    }
    void stacksInSystemCallsReachMain()
    {
        const auto run = runDscope(
            {"-qn", "syscall::write:entry /pid == $target/ { @[ustack()] = count(); }", "-c", kPrograms + "known_writes 3 10 5 20"});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        QCOMPARE(run.status, 0);
        static const QRegularExpression kWhole("^\\s*(libc\\.so\\.6`\\w*syscall_cancel\\+\\w+\\n\\s*)*libc\\.so\\.6`(__)?write\\+0x[0-9a-f]+\\n\\s*known_writes`main\\+0x[0-9a-f]+\\n(.*\\n)"
                                               "*\\s*known_writes`_start\\+0x[0-9a-f]+\\n\\s*30\\s*$");
        QVERIFY2(kWhole.match(QString::fromUtf8(run.out)).hasMatch(), run.out);
    }
    /// The address in the file that the linker gave the function: what nm(1) says.
    void functionsAreNotNamedWhenNotAskedFor()
    {
        const QString program = DSCOPE_PROGRAMS "/early";
        QProcess nm;
        nm.start("nm", {program});
        QVERIFY(nm.waitForFinished());
        const auto at
            = QRegularExpression("\\n([0-9a-f]+) [tT] main\\n").match(nm.readAllStandardOutput()).captured(1).toULongLong(nullptr, 16);
        QVERIFY(at > 0);
        const auto run = runDscope({"-x", "noresolve", "-qn", "syscall::write:entry /pid == $target/ { ustack(); }", "-c", program});
        QVERIFY2(run.out.contains("  libc.so.6:0x") && !run.out.contains('`'), run.out);
        bool inMain = false;
        for (const auto& line : run.out.split('\n'))
            if (const auto text = line.trimmed(); text.startsWith("early:0x"))
                if (const auto address = text.mid(8).toULongLong(nullptr, 16); address > at && address < at + 64) inMain = true;
        QVERIFY2(inMain, run.out);
    }
    /// Two chains of calls in a stripped program stay apart. Their functions begin where nm(1) says.
    void functionsWithoutNamesStayApart()
    {
        const QTemporaryDir dir;
        const QString whole = kPrograms + "two_chains", stripped = dir.filePath("stripped"), folded = dir.filePath("flame.folded");
        if (runDscope({"--strip-all", whole, stripped}, {}, "objcopy").status != 0) QSKIP("needs objcopy of binutils");
        const auto place = [names = runDscope({whole}, {}, "nm").out](const char* function) {
            const auto at = QRegularExpression(QString("([0-9a-f]+) [tT] %1\n").arg(function)).match(names).captured(1);
            return "stripped+0x" + QByteArray::number(at.toULongLong(nullptr, 16), 16);
        };
        const auto run = runDscope({"-qn", "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", "-c", stripped + " 1",
            "--text", "--export", "flame=" + folded});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        const auto chain = [&](std::initializer_list<const char*> functions) {
            QByteArrayList frames;
            for (const auto* function : functions)
                frames.push_back(place(function));
            return ';' + frames.join(';');
        };
        const auto wide = chain({"main", "wide_a", "wide_b", "wide_c", "wide_leaf", "unit_of_work"});
        const auto narrow = chain({"main", "narrow_a", "narrow_b", "narrow_leaf", "unit_of_work"});
        double all = 0, wides = 0, narrows = 0;
        QByteArray others;
        for (const auto& stack : stacksIn(folded)) {
            all += stack.count;
            if (stack.frames.endsWith(wide))
                wides += stack.count;
            else if (stack.frames.endsWith(narrow))
                narrows += stack.count;
            else
                others += stack.frames + '\n';
        }
        QVERIFY2(all > (isSlowMachine() ? 30 : 300), QByteArray::number(all) + " samples");
        QVERIFY2((wides + narrows) / all >= 0.9, wide + ": " + percent(wides, all) + ", not:\n" + others);
        QVERIFY2(wides > narrows && narrows > 0, percent(narrows, all));
        // The text has the very addresses, as the program is linked: addr2line knows them.
        QStringList words{"-f", "-e", whole};
        static const QRegularExpression kAddress("stripped`(0x[0-9a-f]+)\n");
        for (auto i = kAddress.globalMatch(QString::fromUtf8(run.out)); i.hasNext();)
            words += i.next().captured(1);
        QVERIFY2(words.size() > 10, run.out);
        const auto functions = runDscope(words, {}, "addr2line").out;
        for (const char* function : {"main\n", "wide_a\n", "wide_leaf\n", "narrow_a\n", "unit_of_work\n"})
            QVERIFY2(functions.contains(function), functions);
        QVERIFY2(!functions.contains("??\n??"), functions);
    }
    void kernelStacksBeginOutsideOfTheTracing_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<bool>("another");
        for (const auto* probe : {"syscall::write:entry", "syscall::write:return", "proc:::exit"}) {
            QTest::newRow((QByteArray(probe) + ", alone").constData()) << QString(probe) << false;
            QTest::newRow((QByteArray(probe) + ", with another that listens").constData()) << QString(probe) << true;
        }
    }
    void kernelStacksBeginOutsideOfTheTracing()
    {
        QFETCH(QString, probe);
        QFETCH(bool, another);
        QProcess other;
        if (another) {
            other.start(
                DSCOPE_BIN "/dscope", {"-qn", "BEGIN { printf(\"listening\"); } " + probe + " /pid == $target/ {}", "-c", "/bin/sleep 20"});
            QVERIFY(other.waitForReadyRead(30'000));
        }
        const auto run
            = runDscope({"-qn", probe + " /pid == $target/ { @[stack()] = count(); }", "-c", kPrograms + "known_writes 3 10 5 20"});
        if (another) {
            other.terminate();
            QVERIFY(other.waitForFinished(30'000));
        }
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        QCOMPARE(run.status, 0);
        const auto top = run.out.trimmed().split('\n').first();
        QVERIFY2(top.startsWith("vmlinux`"), run.out);
        for (const auto* ours : {"bpf", "__traceiter", "perf_"})
            QVERIFY2(!top.startsWith(QByteArray("vmlinux`") + ours), run.out);
        QVERIFY2(run.out.contains("vmlinux`do_syscall_64+0x"), run.out);
    }
    void profiledKernelStacksBeginOutsideOfTheTracing()
    {
        const auto run = runDscope(
            {"-qn", "profile-997 /arg0 && pid == $target/ { @[stack(1)] = count(); }", "-c", kPrograms + "known_writes 3 1000000"});
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        QCOMPARE(run.status, 0);
        int tops = 0;
        for (const auto& line : run.out.split('\n')) {
            const auto top = line.trimmed();
            if (!top.contains('`')) continue;
            ++tops;
            for (const auto* machinery :
                {"bpf_get_stack", "bpf_overflow_handler", "perf_", "__perf_", "cpu_clock", "hrtimer_", "__hrtimer_", "asm_sysvec"})
                QVERIFY2(!top.mid(top.indexOf('`') + 1).startsWith(machinery), top);
        }
        QVERIFY2(tops >= 3, run.out);
    }
};
QTEST_GUILESS_MAIN(TestStacks)
#include "tst_stacks.moc"
