// needs: engine/importers
// Profiles of callgrind: costs of functions and of calls are as the text has them, whatever stacks are made of it.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
/// As in "Callgrind Format Specification" of Valgrind's manual, with compressed names, relative lines and a jump.
const QByteArray kSimple
    = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./a b=c\npart: 1\n\npositions: line\n"
      "event: Ir : Instruction Fetch\nevents: Ir Dr\nsummary: 820 20\n\n"
      "fl=(1) file1.c\nfn=(1) main\n16 20 20\ncfn=(2) func1(int)\ncalls=1 50\n16 400\ncfi=(2) file2.c\ncfn=(3) func2\n"
      "calls=3 20\n+1 400\n\nfn=(2)\n51 100\njcnd=1/2 +3\n*\nfi=(3) inlined.h\n7 0\nfe=(1)\ncfi=(2)\ncfn=(3)\ncalls=2 20\n-1 300\n\n"
      "fl=(2)\nfn=(3)\n20 700\ntotals: 820 20\n";
Result<text::Imported> callgrind(const QByteArray& text) { return read("callgrind", text); }
} // namespace

class TestCallgrind : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void costsOfFunctionsAndCallsAreAsMeasured()
    {
        QCOMPARE(guessed(kSimple), QByteArray("callgrind"));
        const auto imported = callgrind(kSimple);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(stacksOf(*imported, "Ir"), QByteArray("main 20\nmain;func1 100\nmain;func1;func2 300\nmain;func2 400\n"));
        QCOMPARE(stacksOf(*imported, "Dr"), QByteArray("main 20\n"));
        QVERIFY2(warningsOf(*imported).startsWith("stacks are derived, not measured"), warningsOf(*imported));
        QVERIFY(said(*imported).contains("@calls[main, func2] 3\n"));
        QVERIFY(said(*imported).contains("@self[func2] 700\n"));
    }

    /// "b" costs 30 for each of "x" and 10 for each of "y": what it calls is divided three to one, in whole numbers that add up.
    void aSharedFunctionIsDividedByTheCostOfCalls()
    {
        const auto imported = callgrind("events: Ir\nfn=x\n1 0\ncfn=b\ncalls=1 1\n1 30\nfn=y\n1 0\ncfn=b\ncalls=1 1\n1 10\n"
                                        "fn=b\n1 1\ncfn=c\ncalls=2 1\n1 39\nfn=c\n1 39\n");
        QVERIFY(imported);
        const auto stacks = stacksOf(*imported, "Ir");
        const auto own = byFunction(stacks, false), all = byFunction(stacks, true);
        QCOMPARE(own, (QMap<QByteArray, qlonglong>{{"b", 1}, {"c", 39}}));
        QCOMPARE(all, (QMap<QByteArray, qlonglong>{{"x", 30}, {"y", 10}, {"b", 40}, {"c", 39}}));
    }

    void aFunctionThatCallsItselfCountsOnce()
    {
        const auto imported = callgrind("events: Ir\nfn=main\n1 5\ncfn=fib\ncalls=1 1\n1 100\nfn=fib\n1 100\ncfn=fib\ncalls=9 1\n1 450\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "Ir"), QByteArray("main 5\nmain;fib 100\n"));
    }

    void functionsInACircleStandBelowIt()
    {
        const auto imported = callgrind("events: Ir\nfn=main\n1 5\ncfn=even\ncalls=1 1\n1 70\nfn=even\n1 40\ncfn=odd\ncalls=4 1\n1 90\n"
                                        "fn=odd\n1 20\ncfn=even\ncalls=3 1\n1 80\ncfn=leaf\ncalls=1 1\n1 10\nfn=leaf\n1 10\n");
        QVERIFY(imported);
        QCOMPARE(
            stacksOf(*imported, "Ir"), QByteArray("main 5\nmain;<cycle 1>;even 40\nmain;<cycle 1>;odd 20\nmain;<cycle 1>;odd;leaf 10\n"));
        QVERIFY(warningsOf(*imported).contains("in a circle"));
    }

    void threadsAndPartsOfOneTextAreKeptApartAndAddedUp()
    {
        const QByteArray part = "events: Ir\nfn=(1) work\n1 10\ntotals: 10\n";
        const auto imported
            = callgrind("# callgrind format\nthread: 1\npart: 1\n" + part + "thread: 2\npart: 1\n" + part + "thread: 1\npart: 2\n" + part);
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "Ir"), QByteArray("thread 1;work 20\nthread 2;work 10\n"));
    }

    void addressesObjectsAndLargeNumbersAreRead()
    {
        const auto imported = callgrind("positions: instr line\nevents: Ir\nob=(1) /usr/lib/libx.so\nfl=(1) ???\nfn=(1) f\n"
                                        "0x401000 3 9007199254740993\n+3 * 4\n* -1 0x10\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QCOMPARE(stacksOf(*imported, "Ir").trimmed().split(' ').last(), QByteArray("9007199254741013"));
        QVERIFY(stacksOf(*imported, "Ir").contains("libx.so"));
    }

    void timesOfOtherToolsHaveTheirUnit()
    {
        const auto xdebug = callgrind(
            "version: 1\ncreator: xdebug 3.1\nevents: Time_(10ns) Memory_(bytes)\nfl=(1) php:internal\nfn=(1) php::strlen\n1 25 64\n");
        QVERIFY(xdebug);
        QCOMPARE(stacksOf(*xdebug, "Time"), QByteArray("php::strlen 250\n"));
        const auto pprof = callgrind("positions: instr line\nevents: cpu(ms)\nfn=(1) main.f\n0x1 2 30\n");
        QVERIFY(pprof);
        QCOMPARE(stacksOf(*pprof, "cpu"), QByteArray("main.f 30000000\n"));
    }

    void whatIsWrongMakesNothingAndIsCounted()
    {
        const auto imported
            = callgrind("# callgrind format\nevents: Ir\nfn=(1) f\n1 10\n1 x\n1 2 3\n? 4\ncfn=(99)\ncalls=1 1\n1 5\nfn=(7)\n1 6\n"
                        "1 99999999999999999999\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "Ir"), QByteArray("f 10\n"));
        QCOMPARE(imported->notUnderstood, std::size_t{9});
        QVERIFY(!callgrind("# callgrind format\nevents: Ir\n"));
        QVERIFY(!callgrind("fn=f\n1 2\n"));
    }

    /// A line with more events than are read names none, and the next one counts.
    void tooManyEventsAreNoEvents()
    {
        QByteArray many = "events:";
        for (int i = 0; i < 500; ++i)
            many += " E" + QByteArray::number(i);
        const auto imported = callgrind("# callgrind format\n" + many + "\nevents: Ir\nfn=main\n1 5\ntotals: 5\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{1});
        QCOMPARE(stacksOf(*imported, "Ir"), QByteArray("main 5\n"));
    }
    void aCutTextSaysSo()
    {
        const auto imported = callgrind(kSimple.left(kSimple.indexOf("fl=(2)")));
        QVERIFY(imported);
        QVERIFY(warningsOf(*imported).contains("ends before its totals"));
        const auto wrong = callgrind(QByteArray(kSimple).replace("20 700", "20 701"));
        QVERIFY(wrong);
        QVERIFY2(warningsOf(*wrong).contains("820 Ir, but its lines add up to 821"), warningsOf(*wrong));
    }

    /// 20 levels of 2 functions, each of which calls both of the next: a million ways, of which few are drawn, and no cost is lost.
    void manyWaysAreBoundedAndExact()
    {
        QByteArray text = "events: Ir\n";
        qint64 cost = 1;
        for (int level = 20; level-- > 0; cost = 3 + 2 * cost)
            for (const auto* side : {"a", "b"}) {
                text += QByteArray("fn=") + side + QByteArray::number(level) + "\n1 " + (level == 19 ? "1" : "3") + '\n';
                for (const auto* to : {"a", "b"})
                    if (level < 19)
                        text += QByteArray("cfn=") + to + QByteArray::number(level + 1) + "\ncalls=1 1\n1 "
                            + QByteArray::number((cost + 1) / 2) + '\n';
            }
        const auto imported = callgrind(text);
        QVERIFY(imported);
        const auto own = byFunction(stacksOf(*imported, "Ir"), false);
        QCOMPARE(own.size(), 40);
        QCOMPARE(own["a7"], 3);
        QCOMPARE(own["b19"], 1);
    }

    /// Valgrind's own report of a run here.
    void callgrindAnnotateSaysTheSame()
    {
        if (QStandardPaths::findExecutable("valgrind").isEmpty() || QStandardPaths::findExecutable("callgrind_annotate").isEmpty())
            QSKIP("needs valgrind");
        QTemporaryDir folder;
        const auto file = folder.filePath("out");
        QProcess run;
        run.start("valgrind", {"--tool=callgrind", "--callgrind-out-file=" + file, "/bin/true"});
        QVERIFY(run.waitForFinished(120'000) && run.exitCode() == 0);
        run.start("callgrind_annotate", {"--threshold=100", "--auto=no", "--tree=none", file});
        QVERIFY(run.waitForFinished(60'000));
        QMap<QByteArray, qlonglong> own;
        const QRegularExpression row(R"(^ *([\d,]+) \([ \d.]+%\)  [^:]*:(\S+)( \[.*\])?$)");
        for (const auto& line : run.readAllStandardOutput().split('\n'))
            if (const auto match = row.match(line); match.hasMatch())
                own[match.captured(2).toUtf8()] += match.captured(1).remove(',').toLongLong();
        QFile text(file);
        QVERIFY(text.open(QIODevice::ReadOnly) && own.size() > 20);
        const auto imported = callgrind(text.readAll());
        QVERIFY(imported);
        const auto ours = byFunction(stacksOf(*imported, "Ir"), false);
        for (auto at = own.begin(); at != own.end(); ++at)
            QVERIFY2(ours[at.key()] == at.value(), at.key());
    }
};
QTEST_GUILESS_MAIN(TestCallgrind)
#include "tst_callgrind.moc"
