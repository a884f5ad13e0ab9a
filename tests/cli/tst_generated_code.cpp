// needs-programs: dscope
// Names of code that compilers made while the program ran, from the files in which node and Java tell them.
#include "tests/support/cut_stacks.h"
#include "tests/support/heavy_readers.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
void put(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}
/// Samples of the stacks that have all of these within them, in this order, and samples of all.
std::pair<double, double> counted(const QString& folded, const QByteArrayList& frames)
{
    QFile file(folded);
    if (!file.open(QIODevice::ReadOnly)) return {};
    double with = 0, all = 0;
    for (const auto& line : file.readAll().split('\n')) {
        const auto count = line.mid(line.lastIndexOf(' ') + 1).toDouble();
        all += count;
        qsizetype at = 0;
        for (const auto& frame : frames)
            at = at < 0 ? at : line.indexOf(frame, at);
        if (at >= 0) with += count;
    }
    return {with, all};
}
/// Works until it is ended. Node keeps two megabytes of a jitdump to itself: other functions follow, so that the first ones are told.
constexpr const char* kScript = "function hotInner(n) { let s = 0; for (let i = 0; i < n; ++i) s = (s * 31 + i) | 0; return s; }\n"
                                "function hotOuter(n) { return hotInner(n) + hotInner(n + 1); }\n"
                                "let t = 0; const begun = Date.now();\n"
                                "function work(ms) { while (Date.now() < begun + ms) t += hotOuter(20000); }\n"
                                "work(1000);\n"
                                "if (process.argv[2] === 'more') for (let i = 0; i < 4000; ++i)\n"
                                "  t += new Function('a', 'return a * ' + i + '; // ' + '.'.repeat(50))(i);\n"
                                "work(60000); console.log(t);\n";
constexpr const char* kJava = "public class Hot {\n"
                              "  static int inner(int n) { int s = 0; for (int i = 0; i < n; ++i) s = s * 31 + i; return s; }\n"
                              "  static int outer(int n) { return inner(n) + inner(n + 1); }\n"
                              "  public static void main(String[] a) { long end = System.currentTimeMillis() + Integer.parseInt(a[0]);\n"
                              "    int t = 0; while (System.currentTimeMillis() < end) t += outer(20000); System.out.println(t); }\n}\n";
} // namespace

class TestGeneratedCode : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path(const char* name) { return m_dir.filePath(name); }
    /// Samples the command and all that it starts until it ends, or for some seconds, so that its last stack is named while it lives.
    Outcome sampled(const QString& command, int seconds = 100)
    {
        QFile::remove(path("flame.folded"));
        return runDscope({"-qn",
            "profile-997 /(pid == $target || progenyof($target)) && arg1 != 0/ { @[ustack()] = count(); } tick-1s /++n == "
                + QString::number(seconds) + "/ { exit(0); }",
            "-c", command, "--export", "flame=" + path("flame.folded")});
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        put(path("hot.js"), kScript);
        put(path("Hot.java"), kJava);
    }
    /// Perf maps stay when their programs have ended.
    void cleanupTestCase()
    {
        const QDir folder("/tmp");
        for (const auto& name : folder.entryList({"perf-*.map"}, QDir::Files)) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::ReadOnly)) continue;
            const auto text = file.readAll();
            if (text.contains(m_dir.path().toUtf8()) || text.contains(" Hot.inner(") || text.contains(" Hot.outer(")) file.remove();
        }
    }
    void javaScriptIsNamed_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("by a perf map") << "exec node --no-turbo-inlining --perf-basic-prof %1/hot.js";
        QTest::newRow("by a jitdump") << "cd %1 && exec node --no-turbo-inlining --always-sparkplug --perf-prof hot.js more";
        QTest::newRow("by a jitdump without a name")
            << "cd %1 && exec node --no-turbo-inlining --always-sparkplug --perf-prof --perf-prof-delete-file hot.js more";
        QTest::newRow("by a perf map, in a container")
            << "exec unshare -m -p -f --kill-child --mount-proc sh -c 'mount -t tmpfs none /tmp && mkdir -p "
               "%1 && cp /proc/self/fd/9 %1/hot.js; exec node "
               "--no-turbo-inlining --perf-basic-prof %1/hot.js' 9<%1/hot.js";
    }
    void javaScriptIsNamed()
    {
        QFETCH(QString, command);
        if (!has("node")) QSKIP("needs node");
        put(path("run"), (command.arg(m_dir.path()) + '\n').toUtf8());
        const auto run = sampled("/bin/sh " + path("run"), 7);
        QCOMPARE(saidBeyondCuts(run.err), QByteArray());
        const auto [named, all] = counted(path("flame.folded"), {"hotInner"});
        const auto [both, again] = counted(path("flame.folded"), {"hotOuter", "hotInner"});
        QVERIFY2(all > 100 && named > all / 4, QByteArray::number(named) + " of " + QByteArray::number(all) + "\n" + run.out.right(2000));
        QVERIFY(both > 0);
    }
    void javaIsNamedByAPerfMap()
    {
        if (const auto why = whyNoReaders({"javac", "jcmd"}); !why.isEmpty()) QSKIP(qPrintable(why));
        QCOMPARE(runDscope({"-d", m_dir.path(), path("Hot.java")}, {}, "javac").status, 0);
        put(path("run"),
            ("java -XX:+PreserveFramePointer -XX:-Inline -cp " + m_dir.path()
                + " Hot 6000 & java=$!\nuntil jcmd $java Compiler.perfmap 2>/dev/null | grep -q succ; do :; done\nsleep 0.5; until jcmd "
                  "$java "
                  "Compiler.perfmap 2>/dev/null | grep -q succ; do :; done\nwait\n")
                .toUtf8());
        const auto run = sampled("/bin/sh " + path("run"));
        const auto [named, all] = counted(path("flame.folded"), {"Hot.inner"});
        QVERIFY2(named > all / 4, QByteArray::number(named) + " of " + QByteArray::number(all) + "\n" + run.err);
    }
    /// Some programs write the names when they exit.
    void namesThatComeAtTheEndAreUsed()
    {
#if !defined(__x86_64__)
        QSKIP("the program writes code of x86-64");
#endif
        const auto name = "late:" + m_dir.path().section('/', -1).toUtf8();
        QFile::remove(path("flame.folded"));
        const auto run = runDscope({"-qn", "syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", "-c",
            QStringLiteral(DSCOPE_PROGRAMS "/generated add 3 20 ") + name, "--export", "flame=" + path("flame.folded")});
        const QDir folder("/tmp");
        for (const auto& file : folder.entryList({"perf-*.map"}, QDir::Files)) {
            QFile map(folder.filePath(file));
            if (map.open(QIODevice::ReadOnly) && map.readAll().contains(name)) map.remove();
        }
        const auto [named, all] = counted(path("flame.folded"), {"generated`main", "generated`step", name, "generated`step", name, "generated`step", name, "generated`step"});
        QVERIFY2(named == 20 && all == 20, QByteArray::number(named) + " of " + QByteArray::number(all) + "\n" + run.out + run.err);
    }
    /// The file is still there, and has the process's number.
    void namesOfTheProgramBeforeAnExecAreNotUsed()
    {
#if !defined(__x86_64__)
        QSKIP("the program writes code of x86-64");
#endif
        const auto name = "before:" + m_dir.path().section('/', -1).toUtf8();
        QFile::remove(path("flame.folded"));
        const auto run = runDscope({"-qn", "syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", "-c",
            QStringLiteral(DSCOPE_PROGRAMS "/successor 20 ") + name, "--export", "flame=" + path("flame.folded")});
        QCOMPARE(run.status, 0);
        const auto [named, all] = counted(path("flame.folded"), {name});
        QVERIFY2(named == 20 && all == 40, QByteArray::number(named) + " of " + QByteArray::number(all) + "\n" + run.out + run.err);
    }
    void withoutNamesItSaysHowToHaveThem()
    {
        if (const auto why = whyNoReaders({"javac"}); !why.isEmpty()) QSKIP(qPrintable(why));
        QCOMPARE(runDscope({"-d", m_dir.path(), path("Hot.java")}, {}, "javac").status, 0);
        const auto run = sampled("java -cp " + m_dir.path() + " Hot 1500");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.count("Compiler.perfmap") == 1, run.err);
    }
};
QTEST_GUILESS_MAIN(TestGeneratedCode)
#include "tst_generated_code.moc"
