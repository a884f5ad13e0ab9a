// not-sanitized: many minutes there, of the code that tst_walked_stacks and tst_stacks run, too
// needs-programs: dscope
// Deep stacks, where the last walk of a thread is verified instead of repeated: the frames are those of a walk that goes by nothing.
// -x ustackwalk=checked walks each stack both ways in the same firing and ends dscope where the two differ.
#include "tests/support/cut_stacks.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QMap>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");

/// Keys of an aggregation as text and their counts; of stacks that were not walked to their end only how many they are.
struct Rows {
    QMap<QByteArrayList, qint64> whole;
    qint64 cut = 0, all = 0, deepest = 0;
};
Rows rowsIn(const QByteArray& text)
{
    Rows rows;
    QByteArrayList key;
    for (const auto& line : text.split('\n')) {
        const auto word = line.trimmed();
        bool isNumber = false;
        const auto count = word.toLongLong(&isNumber);
        if (word.isEmpty()) continue;
        if (!isNumber) {
            key.push_back(word);
            continue;
        }
        rows.all += count;
        rows.deepest = std::max(rows.deepest, qint64{key.size()});
        if (key.isEmpty() || key.last() == "[truncated]")
            rows.cut += count;
        else
            rows.whole[key] += count;
        key.clear();
    }
    return rows;
}
} // namespace

class TestStacksAgain : public QObject {
    Q_OBJECT
    static Outcome traced(const QString& walk, const QString& probe, const QString& command)
    {
        return runDscope({"-x", "ustackwalk=" + walk, "-x", "ustackframes=4096", "-qn",
            probe + " /pid == $target/ { @[ustack()] = count(); }", "-c", command});
    }
    /// The tables of a target's files are there before its code runs, those of a program that it becomes are known from the first. How soon
    /// depends a little on how busy the machine is.
    static void verifyFewAreCut(const Rows& rows)
    {
        QVERIFY2(rows.cut * 10 <= rows.all, QByteArray::number(rows.cut) + " of " + QByteArray::number(rows.all) + " are cut");
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theLastWalkVerifiedIsTheWalk_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("stacks");
        const int times = isSlowMachine() ? 100 : 600;
        const auto row = [&](const char* name, const QString& kind, int depth, int threads, int runs = 1) {
            const int each = threads > 2 ? times / 6 : depth > 1000 ? times / 3 : times;
            QTest::newRow(name) << QString("revisits %1 %2 %3 %4").arg(kind).arg(depth).arg(each).arg(threads) << each * threads * runs;
        };
        row("200 calls deep", "ways", 200, 1);
        row("4,000 calls deep", "ways", 3900, 1);
        row("handlers of signals in between", "signals", 400, 1);
        row("two threads", "ways", 300, 2);
        row("40 threads, more than have a place", "signals", 150, 40);
        row("a process that becomes other programs", "exec", 700, 1, 4);
        row("the remains of one way in another", "overlaid", 200, 1); // without any one comparison of the verification it fails
        QTest::newRow("a handler on a stack of its own") << QString("deep signal 300 %1").arg(times) << times;
        QTest::newRow("always the same") << QString("deep plain 4000 %1").arg(times) << times;
    }
    void theLastWalkVerifiedIsTheWalk()
    {
        QFETCH(QString, arguments);
        QFETCH(int, stacks);
        const auto probe = QStringLiteral("syscall::getppid:entry");
        const auto checked = traced("checked", probe, kPrograms + arguments);
        const auto isFine = [](const Outcome& run) { return run.status == 0 && saidBeyondCuts(run.err).isEmpty(); };
        QVERIFY2(isFine(checked), checked.err.constData());
        const auto plain = traced("plain", probe, kPrograms + arguments), again = traced("kernel", probe, kPrograms + arguments);
        QVERIFY2(isFine(plain), plain.err.constData());
        QVERIFY2(isFine(again), again.err.constData());
        const auto ours = rowsIn(again.out), theirs = rowsIn(plain.out);
        QCOMPARE(rowsIn(checked.out).all, qint64{stacks});
        QCOMPARE(theirs.all, qint64{stacks});
        QCOMPARE(ours.all, qint64{stacks});
        QVERIFY(ours.deepest > 100);
        // The ways depend on nothing but the arguments; what one has more often than the other was cut there.
        qint64 more = 0, less = 0;
        for (auto row = ours.whole.begin(); row != ours.whole.end(); ++row)
            more += std::max(qint64{0}, row.value() - theirs.whole.value(row.key()));
        for (auto row = theirs.whole.begin(); row != theirs.whole.end(); ++row)
            less += std::max(qint64{0}, row.value() - ours.whole.value(row.key()));
        qInfo("%lld stacks, %lld different ones, cut: %lld, walked plainly %lld", ours.all, static_cast<long long>(ours.whole.size()), ours.cut, theirs.cut);
        QVERIFY2(more <= theirs.cut && less <= ours.cut, QByteArray::number(more) + " more, " + QByteArray::number(less) + " less");
        verifyFewAreCut(ours);
        verifyFewAreCut(theirs);
    }
    /// One library's code where another's was, with the same frames at the same addresses of the stack.
    void codeThatIsReplacedIsWalkedAnew()
    {
        const QTemporaryDir folder;
        const auto library = [&](const QString& name, int size) {
            QFile text(folder.filePath(name + ".c"));
            if (!text.open(QIODevice::WriteOnly)) return QString();
            text.write(QByteArray("#include <sys/syscall.h>\n#include <unistd.h>\nstatic volatile unsigned sum;\n"
                                  "__attribute__((noinline)) static void step(int left)\n{\n\tvolatile char room[") + QByteArray::number(size)
                + "];\n\troom[0] = 1;\n\tif (left)\n\t\tstep(left - 1);\n\telse\n\t\tfor (int i = 0; i < 40000; i++)\n\t\t\tsyscall(SYS_getppid);\n\tsum += room[0];\n}\nunsigned "
                + name.toUtf8() + "(int deep)\n{\n\tstep(deep);\n\treturn sum;\n}\n");
            text.close();
            const auto made = folder.filePath(name);
            return QProcess::execute("cc", {"-O1", "-fno-optimize-sibling-calls", "-shared", "-fPIC", "-o", made, text.fileName()}) == 0 ? made : QString();
        };
        const auto first = library("first", 40), second = library("second", 56);
        if (first.isEmpty() || second.isEmpty()) QSKIP("needs cc");
        const int rounds = isSlowMachine() ? 2 : 4;
        const auto run = traced("checked", "syscall::getppid:entry", kPrograms + "plugins " + first + ' ' + second + ' ' + QString::number(rounds) + " 150");
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData()); // while mappings change stacks may be cut
        if (run.out.contains("different places")) QSKIP("the linker put the two libraries into different places");
        auto text = run.out;
        const auto rows = rowsIn(text.replace("same place", ""));
        QCOMPARE(rows.all, qint64{rounds} * 2 * 40000);
        QVERIFY2(rows.cut * 4 <= rows.all, QByteArray::number(rows.cut) + " are cut"); // until each of the libraries was met
        qint64 throughFirst = 0, throughSecond = 0;
        for (auto row = rows.whole.begin(); row != rows.whole.end(); ++row) {
            const auto stack = row.key().join(' ');
            QVERIFY2(stack.contains("throughFirst") != stack.contains("throughSecond"), stack.constData());
            QVERIFY2(!stack.contains(stack.contains("throughFirst") ? "second`" : "first`"), stack.constData());
            QVERIFY(row.key().size() > 150);
            (stack.contains("throughFirst") ? throughFirst : throughSecond) += row.value();
        }
        QVERIFY(throughFirst > 0 && throughSecond > 0);
    }
    /// A real program's stacks, at each of its allocations.
    void aCompilersStacksAreTheSame()
    {
        if (isSlowMachine()) QSKIP("a compiler traced at each of its allocations takes minutes here");
        QProcess where;
        where.start("g++", {"-print-prog-name=cc1plus"});
        if (!where.waitForFinished() || where.exitCode() != 0) QSKIP("needs g++");
        const QString compiler = where.readAllStandardOutput().trimmed();
        if (!QFile::exists(compiler)) QSKIP("g++'s cc1plus is not installed");
        const QTemporaryDir folder;
        const auto source = folder.filePath("lists.cc"), text = folder.filePath("lists.ii");
        QFile file(source);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#include <functional>\n#include <map>\n#include <string>\nstd::map<std::string, std::function<int(std::string)>> all;\n"
                   "int main() { all[\"one\"] = [](std::string s) { return int(s.size()); }; return all[\"one\"](\"two\"); }\n");
        file.close();
        QCOMPARE(QProcess::execute("g++", {"-std=c++17", "-E", "-o", text, source}), 0);
        const auto run = traced("checked", "pid$target:libc.so.6:malloc:entry", compiler + " -quiet -O1 -std=c++17 -fpreprocessed " + text + " -o /dev/null");
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto rows = rowsIn(run.out);
        qInfo("%lld stacks, %lld different ones, the deepest of %lld frames, %lld cut", rows.all, static_cast<long long>(rows.whole.size()), rows.deepest, rows.cut);
        QVERIFY(rows.deepest > 30 && rows.all > 10000);
        verifyFewAreCut(rows);
    }
};
QTEST_GUILESS_MAIN(TestStacksAgain)
#include "tst_stacks_again.moc"
