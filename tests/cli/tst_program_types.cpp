// needs-programs: dscope
// Types of traced programs, by their debug information: arguments of functions, print(), and names of types in D; held against
// what the program says of itself.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
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
/// Classes of all kinds, and what functions took of them, as the program says it.
constexpr const char* kObjects = R"(#include <cstdio>
#include <string>
#define TAKES extern "C" __attribute__((noinline)) void
#define END asm volatile("" ::: "memory")
struct Defaulted { int x, y; Defaulted(int a, int b) : x(a), y(b) { } Defaulted(const Defaulted &) = default; Defaulted(Defaulted &&) = default; ~Defaulted() = default; };
struct OnlyMoved { int x, y; OnlyMoved(int a, int b) : x(a), y(b) { } OnlyMoved(OnlyMoved &&) = default; OnlyMoved(const OnlyMoved &) = delete; };
struct Copied { int x, y; Copied(int a, int b) : x(a), y(b) { } Copied(const Copied &o) : x(o.x), y(o.y) { END; } };
struct Virtual { int x, y; Virtual(int a, int b) : x(a), y(b) { } virtual int sum() { return x + y; } };
struct Base { int own; Base(int a) : own(a) { } };
struct OfVirtualBase : virtual Base { OfVirtualBase(int a) : Base(a) { } };
struct Named { long n; std::string name; };
struct OutOfLine { int x; OutOfLine(int a) : x(a) { } OutOfLine(const OutOfLine &); };
OutOfLine::OutOfLine(const OutOfLine &) = default;
struct OfParts { Copied both[2]; int own; };
struct OfDefaulted { Defaulted part; OnlyMoved other; };
struct Destroyed { int own; ~Destroyed() { END; } };
struct Empty { };
namespace inner { struct Deep { int depth; }; typedef int num; struct Large { int z; long more[4]; }; }
enum class Small : unsigned char { One = 1, Many = 200 };
struct Taker {
    int own;
    __attribute__((noinline)) void take(double, Copied c, Empty, Defaulted, int n) asm("in_member");
};
void Taker::take(double, Copied c, Empty, Defaulted, int n) { printf("in_member %d %d,%d %d\n", own, c.x, c.y, n); END; }
TAKES defaulted(double, int n, Defaulted, int m) { printf("defaulted %d %d\n", n, m); END; }
TAKES only_moved(OnlyMoved, OfDefaulted, int n) { printf("only_moved %d\n", n); END; }
TAKES copied(float, Copied c, Defaulted, int n) { printf("copied %d,%d %d\n", c.x, c.y, n); END; }
TAKES with_virtual(OfVirtualBase, Virtual v, int n) { printf("with_virtual %d,%d %d\n", v.x, v.y, n); END; }
TAKES out_of_line(OutOfLine o, int n) { printf("out_of_line %d %d\n", o.x, n); END; }
TAKES takes_string(std::string s, Named n, int m) { printf("takes_string %zu %s %ld %d\n", s.size(), s.c_str(), n.n, m); END; }
TAKES parts(OfParts p, Destroyed d, int n) { printf("parts %d %d %d\n", p.own, d.own, n); END; }
TAKES in_namespace(inner::Deep *d, inner::num n, inner::Large l) { printf("in_namespace %d %d %d\n", d->depth, n, l.z); END; }
TAKES plain(char a, bool b, Small c, double, unsigned short d, long e, const char *f)
{
    printf("plain %d %d %d %d %ld %s\n", a, b, int(c), d, e, f);
    END;
}
extern "C" __attribute__((noinline)) Copied gives_copied(int n) { printf("gives_copied %d\n", n); END; return Copied(n, n); }
int main()
{
    Taker t{41};
    inner::Deep deep{12};
    t.take(1.5, Copied(5, -6), Empty(), Defaulted(7, 8), 9);
    defaulted(2.5, 7, Defaulted(1, 2), -8);
    only_moved(OnlyMoved(1, 2), OfDefaulted{Defaulted(1, 2), OnlyMoved(3, 4)}, 11);
    copied(1.5f, Copied(-1, 2), Defaulted(3, 4), 21);
    with_virtual(OfVirtualBase(77), Virtual(3, -4), 31);
    out_of_line(OutOfLine(-9), 10);
    takes_string("a text that is longer than what fits into the object", Named{-5, "short"}, 6);
    parts(OfParts{{Copied(1, 2), Copied(3, 4)}, 51}, Destroyed{52}, 53);
    in_namespace(&deep, -13, inner::Large{14});
    plain('a', true, Small::One, 0.5, 40000, -5000000000, "last");
    return gives_copied(61).x != 61;
}
)";
} // namespace

class TestProgramTypes : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    QString made(const char* name, const QStringList& options) { return made(name, kSource, QStringList{"-O1"} + options, "gcc"); }
    QString made(const char* name, const char* text, const QStringList& options, const QString& compiler)
    {
        QFile source(m_dir.filePath(name + QString(compiler.endsWith("++") ? ".cpp" : ".c")));
        if (!source.open(QIODevice::WriteOnly)) return {};
        source.write(text);
        source.close();
        const auto program = m_dir.filePath(name);
        const auto run = runDscope(options + QStringList{"-w", "-o", program, source.fileName()}, {}, compiler);
        return run.status == 0 ? program : QString();
    }
    /// tests/programs/passing.c: functions that take more than words, and say what they took.
    QString passing(const QString& optimised)
    {
        QFile source(QStringLiteral(DSCOPE_SOURCE "/tests/programs/passing.c"));
        return source.open(QIODevice::ReadOnly) ? made("passing", source.readAll().constData(), {"-g", optimised}, "gcc") : QString();
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
        QTest::newRow("by their names") << newest << "args.s" << "args.by";
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
    /// What copyin() gives has the types of what was copied, and the pointers in it lead into the process as before.
    void copiesAreReadWhereTheyAre()
    {
        const auto run = runDscope({"-qn",
            "this struct a.out`shape *mine; pid$target:a.out:move_by:entry { this->mine = copyin(arg0, sizeof (struct a.out`shape)); "
            "this->other = this->mine->next;"
            " printf(\"%d %s %s \", this->mine->at.y, stringof(this->mine->next->name), stringof(this->other->name));"
            " self->tag = &this->mine->tags[1]; this->both = *this->mine; printf(\"%d %d %d\", this->both.low, *self->tag, ((struct "
            "a.out`point *)copyin(arg1, 8))->x); print(this->mine); }",
            "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        QVERIFY2(run.out.contains("2 second second 17 -6 10"), run.out);
        QVERIFY2(run.out.contains(".high = (unsigned int)1000,"), run.out);
    }
    void numbersAndResults()
    {
        const auto run = runDscope({"-qn",
            "pid$target:a.out:move_by:entry { printf(\"%d %d %d \", args[2], args[3], args[3] == -1); }"
            "pid$target:a.out:move_by:return { printf(\"%s %d\\n\", stringof(args[1]->name), args[1]->at.y); }",
            "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.out.contains("2 -1 1 second 8\n"), run.out + run.err);
    }
    void namesOfArgumentsAreTold()
    {
        const auto run = runDscope({"-e", "-n", "pid$target:a.out:move_by:entry { trace(times); }", "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.status == 1 && run.err.contains("hint: times is an argument of pid") && run.err.contains(":shapes:move_by:entry: args.times\n"), run.err);
        const auto other = runDscope({"-e", "-n", "pid$target:a.out:move_by:entry { trace(args.time); }", "-c", m_dir.filePath("shapes")});
        QVERIFY2(other.status == 1 && other.err.contains("hint: its arguments are s, by, times, c\n"), other.err);
        const auto wrong = runDscope({"-e", "-n", "pid$target:a.out:move_by:entry { trace(args.times); }", "-c", made("nameless", {"-s"})});
        QVERIFY2(wrong.status == 1 && !wrong.err.contains("hint: its arguments"), wrong.err);
    }
    void printShowsAStructure()
    {
        const auto run = runDscope({"-qn", "pid$target:a.out:move_by:entry { print(args[0]); }", "-c", m_dir.filePath("shapes")});
        for (const auto* part : {"(struct shape) {", ".at = (struct point) {", ".y = (int)2,", ".colour = (enum colour)RED,", ".high = (unsigned int)1000,"})
            QVERIFY2(run.out.contains(part), run.out + run.err);
    }
    void enumerationsOfAByteAreNotNegative()
    {
        const auto program = made("small", R"(enum __attribute__((packed)) small { FEW = 1, MANY = 200 };
            struct holder { enum small small; };
            __attribute__((noinline)) int take(struct holder *h, enum small s) { __asm__ volatile("" ::: "memory"); return h->small == s; }
            int main(void) { struct holder h = { MANY }; return !take(&h, MANY); }
            )", {"-g", "-O1"}, "gcc");
        QVERIFY(!program.isEmpty());
        const auto run = runDscope({"-qn", "pid$target:a.out:take:entry { printf(\"%d %d %d\\n\", args[0]->small, args[1], args[1] == 200); print(*args[0]); }", "-c", program});
        QVERIFY2(run.out.contains("200 200 1\n") && run.out.contains("MANY"), run.out + run.err);
    }
    /// A double is in another register, and what follows it comes earlier than its place says.
    void argumentsAreFoundBehindOthers_data()
    {
        QTest::addColumn<QString>("optimised");
        QTest::newRow("-O0") << "-O0";
        QTest::newRow("-O2") << "-O2";
    }
    void argumentsAreFoundBehindOthers()
    {
        QFETCH(const QString, optimised);
        const auto program = passing(optimised);
        QVERIFY(!program.isEmpty());
        const auto run = runDscope({"-qn", R"(
            pid$target:a.out:take_double:entry { printf("take_double %d\n", args[1]); }
            pid$target:a.out:two_words:entry { printf("two_words %d %d,%d\n", args[2], args[3]->x, args[3]->y); }
            pid$target:a.out:on_stack:entry { printf("on_stack %d %d %d %d %s\n", args[0], args[6], args[7], args[8], stringof(args[9])); }
            pid$target:a.out:whole:entry { printf("whole %d %s %d %d %s\n", args[0].c, stringof(args[0].name), args[1], args[3].b, stringof(args[3].name)); }
            pid$target:a.out:gives:entry { printf("gives %d\n", args[0]); })", "-c", program});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        auto lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 10);
        std::sort(lines.begin(), lines.end());
        for (int i = 0; i < lines.size(); i += 2)
            QCOMPARE(lines[i], lines[i + 1]);
    }
    void aResultThatTheCallerMakesRoomForIsRead()
    {
        const auto program = passing("-O1");
        const auto run = runDscope({"-qn", "pid$target:a.out:gives:return { printf(\"%d %s\\n\", args[1].c, stringof(args[1].name)); }", "-c", program});
#ifdef __x86_64__
        QVERIFY2(run.out.contains("22 made\n"), run.out + run.err);
#else
        QVERIFY2(run.status == 1 && run.err.contains("args[1]"), run.err);
#endif
    }
    /// The words argN stay DTrace's: the n-th register for whole numbers.
    void wordsStayWhatTheyWere()
    {
        const auto program = passing("-O1");
        const auto run = runDscope({"-qn", "pid$target:a.out:take_double:entry { printf(\"%d %d\\n\", (int)arg0, args[1]); }", "-c", program});
        QVERIFY2(run.out.contains("8 8\n"), run.out + run.err);
    }
    /// C++ passes the address of what has code for being copied, moved or destroyed.
    void objectsOfCpp_data()
    {
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("options");
        for (const auto* compiler : {"g++", "clang++"})
            for (const auto* optimised : {"-O0", "-O2"})
                for (const auto* dwarf : {"-gdwarf-4", "-gdwarf-5"})
                    QTest::addRow("%s %s %s", compiler, optimised, dwarf) << QString(compiler) << QStringList{optimised, dwarf};
    }
    void objectsOfCpp()
    {
        QFETCH(const QString, compiler);
        QFETCH(const QStringList, options);
        if (QStandardPaths::findExecutable(compiler).isEmpty()) QSKIP(qPrintable(compiler + " is not installed"));
        const auto program = made("objects", kObjects, compiler == "g++" ? options : options + QStringList{"-fstandalone-debug"}, compiler);
        QVERIFY(!program.isEmpty());
        const auto run = runDscope({"-qn", R"(
            pid$target:a.out:defaulted:entry { printf("defaulted %d %d\n", args[1], args[3]); }
            pid$target:a.out:only_moved:entry { printf("only_moved %d\n", args[2]); }
            pid$target:a.out:copied:entry { printf("copied %d,%d %d\n", args[1].x, args[1].y, args[3]); }
            pid$target:a.out:with_virtual:entry { printf("with_virtual %d,%d %d\n", args[1].x, args[1].y, args[2]); }
            pid$target:a.out:takes_string:entry { printf("takes_string %d %s %d %d\n", args[0]._M_string_length, copyinstr((uintptr_t)args[0]._M_dataplus._M_p), args[1].n, args[2]); }
            pid$target:a.out:out_of_line:entry { printf("out_of_line %d %d\n", args[0].x, args[1]); }
            pid$target:a.out:parts:entry { printf("parts %d %d %d\n", args[0].own, args[1].own, args[2]); }
            pid$target:a.out:in_member:entry { printf("in_member %d %d,%d %d\n", args[0]->own, args[2].x, args[2].y, args[5]); }
            pid$target:a.out:gives_copied:entry { printf("gives_copied %d\n", args[0]); }
            pid$target:a.out:in_namespace:entry { printf("in_namespace %d %d %d\n", args[0]->depth, args[1], args[2].z); }
            pid$target:a.out:plain:entry { printf("plain %d %d %d %d %d %s\n", args[0], args[1], args[2], args[4], args[5], stringof(args[6])); }
            )", "-c", program});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        auto lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 22);
        std::sort(lines.begin(), lines.end());
        for (int i = 0; i < lines.size(); i += 2)
            QCOMPARE(lines[i], lines[i + 1]);
    }
    void whatIsNotToldOfClassesIsRefused()
    {
        const auto program = made("strict", kObjects, {"-O0", "-gdwarf-4", "-gstrict-dwarf"}, "g++");
        const auto refused = [&](const char* used) { return runDscope({"-qn", QStringLiteral("pid$target:a.out:") + used, "-c", program}); };
        for (const auto* used : {"defaulted:entry { trace(args[3]); }", "defaulted:entry { trace(args[2].x); }"}) {
            const auto run = refused(used);
            QCOMPARE(run.status, 1);
            QVERIFY2(run.err.contains(":strict:defaulted:entry is in a place that the debug information does not tell, because of argument 2\n")
                    && run.err.contains("hint: g++ 7 and later tell how classes are passed without -gstrict-dwarf, clang++ "),
                run.err);
        }
        // What is in front of it, and what does not depend on it, is told.
        const auto run = refused("defaulted:entry { printf(\"n is %d\\n\", args[1]); } pid$target:a.out:with_virtual:entry { printf(\"y is "
                                 "%d\\n\", args[1].y); }");
        QVERIFY2(run.status == 0 && run.out.contains("n is 7\n") && run.out.contains("y is -4\n"), run.out + run.err);
    }
    /// Clang gives a static function only what it uses, and no other name.
    void whatACompilerMovedIsNotGuessed()
    {
        if (QStandardPaths::findExecutable("clang").isEmpty()) QSKIP("clang is not installed");
        const auto program = made("moved", R"(#include <stdio.h>
            struct point { int x, y; };
            static __attribute__((noinline)) int moved(int unused, struct point *p, int n) { printf("%d %d\n", p->x, n); return 0; }
            static __attribute__((noinline)) int kept(const int *v, int n) { __asm__ volatile(""); return *v + n; }
            int main(int c, char **v) { struct point p = { 1, 2 }; return moved(c, &p, c + 5) + kept(&c, 3) + kept(&p.y, 2) == 0; }
            )", {"-g", "-O2"}, "clang");
        QVERIFY(!program.isEmpty());
        const auto run = runDscope({"-qn", "pid$target:a.out:moved:entry { trace(args[1]->x); }", "-c", program});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(":moved:moved:entry is in a place that the debug information does not tell\n"), run.err);
        const auto typed = runDscope({"-qn", "pid$target:a.out:kept:entry { printf(\"%d %d\\n\", *args[0], args[1]); }", "-c", program});
        QVERIFY2(typed.status == 0 && typed.out.contains("1 3\n") && typed.out.contains("2 2\n"), typed.out + typed.err);
    }
    /// Clang without optimization does not tell of an object that nothing uses, if the arguments do not fit into registers.
    void whatIsBehindAnObjectThatIsNotToldOfIsNotGuessed()
    {
        if (QStandardPaths::findExecutable("clang++").isEmpty()) QSKIP("clang++ is not installed");
        const auto program = made("untold", R"(struct Gone { int own; ~Gone() { asm volatile(""); } };
            extern "C" int many(int, int, int, int, int c, Gone, int n) { return c + n; }
            extern "C" int more(int, int, int, int, int, int c, Gone, int n, int m) { return c + n + m; }
            extern "C" int told(int, int, int, int, int c, Gone g, int n, int m) { return c + g.own + n + m; }
            int main() { Gone g{6}; return many(1, 2, 3, 4, 5, g, 7) + more(1, 2, 3, 4, 5, 6, g, 8, 9) + told(1, 2, 3, 4, 5, g, 7, 8) == 0; }
            )",
            {"-g", "-O0"}, "clang++");
        QVERIFY(!program.isEmpty());
        // Where the compiler tells of all there is nothing to guess, and nothing to refuse.
        const auto told = runDscope({"--debug-dump=info", program}, {}, "readelf").out;
        const auto from = told.indexOf("): many\n"), to = told.indexOf("(DW_TAG_subprogram)", from);
        QVERIFY2(from > 0 && to > from, "readelf, which says what the compiler tells");
        if (told.mid(from, to - from).count("(DW_TAG_formal_parameter)") == 7) QSKIP("this compiler tells of all parameters");
        for (const auto* used : {"many:entry { trace(args[5]); }", "more:entry { trace(args[6]); }"}) {
            const auto run = runDscope({"-qn", QStringLiteral("pid$target:a.out:") + used, "-c", program});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.err.contains(":entry is in a place that the debug information does not tell\n"), run.err);
        }
        const auto run = runDscope(
            {"-qn", "pid$target:a.out:told:entry { printf(\"%d %d %d %d\\n\", args[4], args[5].own, args[6], args[7]); }", "-c", program});
        QVERIFY2(run.status == 0 && run.out.contains("5 6 7 8\n"), run.out + run.err);
    }
    void whatCannotBeHadIsRefused_data()
    {
        QTest::addColumn<QString>("used");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("a double") << "take_double:entry { trace(args[0]); }"
                                  << QByteArray(":passing:take_double:entry is a double, which comes in a register for floating point, and probes see none of those\n");
        QTest::newRow("a struct in a register") << "two_words:entry { trace(args[0].x); }"
                                                << QByteArray(":passing:two_words:entry is struct point, which comes in a register, not in memory\n");
        QTest::newRow("a struct in two") << "two_words:entry { trace(args[1].n); }"
                                         << QByteArray(":passing:two_words:entry is struct mixed, which comes in several registers\n");
    }
    void whatCannotBeHadIsRefused()
    {
        QFETCH(QString, used);
        QFETCH(QByteArray, told);
        const auto program = passing("-O1");
        const auto run = runDscope({"-qn", "pid$target:a.out:" + used, "-c", program});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(told) && run.err.contains("hint: "), run.err);
    }
    void aListTellsTypesBehindOthers()
    {
        const auto run = runDscope({"-ln", "pid$target:a.out:weigh:entry", "-v", "-c", m_dir.filePath("shapes")});
        QVERIFY2(run.out.contains("args[0]: double\n\t\targs[1]: struct "), run.out + run.err);
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
