// needs-programs: dscope
// sanitized: types that are read from what is traced
// Types of traced programs, by their debug information: arguments of functions, print(), and names of types in D; held against
// what the program says of itself.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
constexpr const char* kSource = R"(#include <stdio.h>
enum colour { RED = 3, GREEN = -2, BLUE };
typedef unsigned int count_t;
struct point { int x; int y; };
struct shape { struct point at; const char *name; struct shape *next; enum colour colour; unsigned low : 5, high : 11; short tags[3]; };
__attribute__((noinline)) struct shape *move_by(struct shape *s, const struct point *by, count_t times, enum colour c)
{
    for (count_t i = 0; i < times; i++) s->at.x += by->x, s->at.y += by->y;
    s->colour = c;
    asm volatile("" ::: "memory");
    return s->next;
}
__attribute__((noinline)) long weigh(double factor, struct point *at) { asm volatile("" : "+r"(at)); return at->x * (long)factor; }
int main(void)
{
    struct shape second = { { 7, 8 }, "second", 0, GREEN, 1, 2, { 0 } }, first = { { 1, 2 }, "first", &second, RED, 17, 1000, { 5, -6, 7 } };
    struct point by = { 10, -20 };
    printf("%s at %d,%d low %d high %d tags %d,%d next %s by %d,%d size %zu\n", first.name, first.at.x, first.at.y, first.low, first.high,
        first.tags[0], first.tags[1], first.next->name, by.x, by.y, sizeof first);
    fflush(stdout);
    move_by(&first, &by, 2, BLUE);
    return weigh(2.5, &by) != 20;
}
)";
} // namespace

class TestProgramTypes : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    QString made(const char* name, const QStringList& options)
    {
        QFile source(m_dir.filePath("shapes.c"));
        if (!source.open(QIODevice::WriteOnly)) return {};
        source.write(kSource);
        source.close();
        const auto program = m_dir.filePath(name);
        const auto run = runDscope(options + QStringList{"-O1", "-o", program, source.fileName()}, {}, "gcc");
        return run.status == 0 ? program : QString();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (made("shapes", {"-g"}).isEmpty()) QSKIP("needs gcc");
    }
    /// It takes tens of megabytes.
    void debugInformationIsReadIfItIsAskedFor_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QByteArray>("mapped");
        QTest::newRow("arg0") << "trace(arg0);" << QByteArray("no");
        QTest::newRow("args[]") << "trace(args[2]);" << QByteArray("yes");
    }
    void debugInformationIsReadIfItIsAskedFor()
    {
        QFETCH(QString, statement);
        QFETCH(QByteArray, mapped);
        const auto run = runDscope({"-wqn",
            "pid$target:a.out:move_by:entry { " + statement
                + " system(\"grep -q libdw /proc/%d/maps && echo yes || echo no\", $pid); }",
            "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.out.contains(mapped + '\n'), run.out + run.err);
    }
    void argumentsAreWhatTheProgramSays_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("by");
        const QStringList newest{"-g"};
        QTest::newRow("args[]") << newest << "args[0]" << "args[1]";
        QTest::newRow("DWARF 4") << QStringList{"-gdwarf-4"} << "args[0]" << "args[1]";
        QTest::newRow("DWARF 3") << QStringList{"-gdwarf-3", "-gstrict-dwarf"} << "args[0]" << "args[1]";
        QTest::newRow("split") << QStringList{"-g", "-gsplit-dwarf"} << "args[0]" << "args[1]";
        QTest::newRow("by the type's name") << newest << "((a.out`struct shape *)arg0)" << "((struct a.out`point *)arg1)";
    }
    void argumentsAreWhatTheProgramSays()
    {
        QFETCH(const QStringList, options);
        QFETCH(QString, first);
        QFETCH(QString, by);
        const auto program = made("another", options);
        QVERIFY(!program.isEmpty());
        const auto d = QStringLiteral("pid$target:a.out:move_by:entry { printf(\"%s at %d,%d low %d high %d tags %d,%d next %s by %d,%d size %d\\n\","
                                      " stringof(A->name), A->at.x, A->at.y, A->low, A->high, A->tags[0], A->tags[1], stringof(A->next->name),"
                                      " B->x, B->y, sizeof (*A)); }")
                           .replace("A->", first + "->").replace("*A", "*" + first).replace("B->", by + "->");
        const auto run = runDscope({"-qn", d, "-c", program});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        const auto lines = run.out.trimmed().split('\n');
        QVERIFY2(lines.size() == 2 && lines[0] == lines[1] && lines[0].startsWith("first at 1,2 "), run.out);
    }
    void numbersAndResults()
    {
        const auto run = runDscope({"-qn",
            "pid$target:a.out:move_by:entry { printf(\"%d %d %d \", args[2], args[3], args[3] == -1); }"
            "pid$target:a.out:move_by:return { printf(\"%s %d\\n\", stringof(args[1]->name), args[1]->at.y); }",
            "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.out.contains("2 -1 1 second 8\n"), run.out + run.err);
    }
    void printShowsAStructure()
    {
        const auto run = runDscope({"-qn", "pid$target:a.out:move_by:entry { print(args[0]); }", "-c", m_dir.filePath("shapes")});
        for (const auto* part : {"(struct shape) {", ".at = (struct point) {", ".y = (int)2,", ".colour = (enum colour)RED,", ".high = (unsigned int)1000,"})
            QVERIFY2(run.out.contains(part), run.out + run.err);
    }
    /// A double is in another register, and what follows it comes earlier than its place says.
    void whatIsInOtherRegistersIsNotGuessed()
    {
        const auto run = runDscope({"-ln", "pid$target:a.out:weigh:entry", "-v", "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.out.contains("args[0]: uint64_t\n\t\targs[1]: uint64_t\n"), run.out + run.err);
    }
    void severalFunctionsHaveWords()
    {
        const auto run = runDscope({"-qn", "pid$target:a.out:m*:entry { @[probefunc] = sum(args[2]); }", "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
    }
    void whatIsNotThereIsToldWithTheReason_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("no such type") << QStringList{"-g"} << QByteArray("hint: a.out has no such type");
        QTest::newRow("no debug information") << QStringList{"-s"} << QByteArray("hint: plain: it has no debug information that tells types");
    }
    void whatIsNotThereIsToldWithTheReason()
    {
        QFETCH(const QStringList, options);
        QFETCH(const QByteArray, told);
        const auto run = runDscope({"-n", "BEGIN { trace(sizeof (a.out`struct nothing)); exit(0); }", "-c", made("plain", options)});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(told), run.err);
    }
};
QTEST_GUILESS_MAIN(TestProgramTypes)
#include "tst_program_types.moc"
