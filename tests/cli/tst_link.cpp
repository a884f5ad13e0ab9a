// needs-programs: dscope
// -h and -G as builds use them: objects are compiled, linked with what -G makes and run; their probes are held against what the
// program does. The truth is the C compiler's and the linker's, and readelf's for the notes.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
using namespace dscope::tests;
namespace {
const QString kScript = QStringLiteral(R"(
provider shop {
	probe sold(int kind, char *name, uint64_t price) : (uint64_t price, int kind, int kind);
	probe till__open();
	probe many(int a, int b, int c, int d, int e, int f, int g, int h);
};
)");
/// <sys/sdt.h> as DTrace's: a probe is a call of a function that nobody defines.
const QString kCalls = QStringLiteral(R"(
extern void __dtrace_shop___sold(unsigned long, unsigned long, unsigned long);
extern void __dtrace_shop___till__open(void);
extern void __dtrace_shop___many(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long);
extern int __dtraceenabled_shop___till__open(void);
#define SHOP_SOLD(a, b, c) __dtrace_shop___sold((unsigned long)(a), (unsigned long)(b), (unsigned long)(c))
#define SHOP_TILL_OPEN() __dtrace_shop___till__open()
#define SHOP_TILL_OPEN_ENABLED() __dtraceenabled_shop___till__open()
#define SHOP_MANY(a, b, c, d, e, f, g, h) __dtrace_shop___many(a, b, c, d, e, f, g, h)
)");
const QString kProgram = QStringLiteral(R"(
#include <stdio.h>
HEAD
static __attribute__((noinline)) void sell(int kind, long price) { SHOP_SOLD(kind, "bread", price); }
int main(void)
{
	int asked = 0;
	for (int i = 0; i < 5; ++i) {
		sell(-i, 100 + i);
		if (SHOP_TILL_OPEN_ENABLED()) { ++asked; SHOP_TILL_OPEN(); }
		SHOP_MANY(1, 2, 3, 4, 5, 6, 7, i);
	}
	printf("asked %d\n", asked);
	return 0;
}
)");
/// A note as the <sys/usdt.h> of DTrace for Linux 2.0.7 makes them.
const QString kNote = QStringLiteral(R"(
static __attribute__((noinline)) void mark(long a, int b)
{
	__asm__ volatile("0: nop\n.pushsection .note.usdt,\"?\",@note\n.balign 4\n.4byte 2f-1f\n.4byte 4f-3f\n.4byte 1\n1: .asciz \"usdt\"\n"
		"2: .balign 4\n3: .8byte 0b\n.8byte 0\n.asciz \"other\"\n.asciz \"do__it\"\n.byte 2\n.ascii \"8@%0 -4@%1\"\n.byte 0\n4: .balign 4\n"
		".popsection\n" : : "r"(a), "r"(b));
}
int main(void) { mark(123456789012, -7); return 0; }
)");
struct Folder {
    QTemporaryDir dir;
    QString path(const QString& name) const { return dir.filePath(name); }
    void write(const QString& name, const QString& text) const
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text.toUtf8());
    }
    QByteArray cc(const QStringList& words) const
    {
        QProcess process;
        process.setWorkingDirectory(dir.path());
        process.start("cc", words);
        process.waitForFinished(60'000);
        return process.exitCode() == 0 ? QByteArray() : process.readAllStandardError();
    }
};
const QString kSeen
    = QStringLiteral("shop$target:::sold { printf(\"%s %s %d %d %d\\n\", probefunc, probename, arg0, (int)arg1, (int)arg2); }"
                     "shop$target:::till-open { @open = count(); } shop$target:::many { @many = sum(arg0 + arg5 + arg6 + arg7); }"
                     "END { printa(\"open %@d\\n\", @open); printa(\"many %@d\\n\", @many); }");
} // namespace

class TestLink : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (!Folder().cc({"--version"}).isEmpty()) QSKIP("no C compiler is installed");
    }
    void probesOfLinkedProgramsFire_data()
    {
        QTest::addColumn<bool>("header");
        QTest::addColumn<QString>("flags");
        QTest::newRow("header") << true << "-O2";
        QTest::newRow("header, not optimized") << true << "-O0";
        QTest::newRow("calls, the last ones jumps") << false << "-O2";
        QTest::newRow("calls, not optimized") << false << "-O0";
        QTest::newRow("calls by way of the table") << false << "-O2 -fPIC -fno-plt";
        QTest::newRow("calls, sections of functions") << false << "-O2 -ffunction-sections";
    }
    void probesOfLinkedProgramsFire()
    {
        QFETCH(bool, header);
        QFETCH(QString, flags);
        const Folder f;
        f.write("shop.d", kScript);
        f.write("main.c", QString(kProgram).replace("HEAD", header ? "#include \"shop.h\"" : kCalls));
        QCOMPARE(runDscope({"-h", "-s", f.path("shop.d"), "-o", f.path("shop.h")}).err, QByteArray());
        QCOMPARE(f.cc(flags.split(' ') + QStringList{"-c", "main.c"}), QByteArray());
        for (int again = 0; again < 2; ++again) { // make does so
            const auto linked = runDscope({"-G", "-64", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("main.o")});
            QVERIFY2(linked.status == 0 && linked.err.isEmpty(), linked.err);
        }
        QCOMPARE(f.cc({"-o", "main", "main.o", "shop.o"}), QByteArray());
        QCOMPARE(runDscope({}, {}, f.path("main")).out, QByteArray("asked 0\n"));
        const auto run = runDscope({"-qn", kSeen, "-c", f.path("main")});
        QVERIFY2(run.status == 0, run.err);
        for (int i = 0; i < 5; ++i) {
            const auto number = QByteArray::number(-i);
            QVERIFY2(run.out.contains("sell sold " + QByteArray::number(100 + i) + ' ' + number + ' ' + number + '\n'), run.out);
        }
        QVERIFY2(run.out.contains("open 5\n") && run.out.contains("asked 5\n"), run.out);
        QVERIFY2(run.out.contains("many " + QByteArray::number(5 * (1 + 6 + 7) + 10) + '\n'), run.out);
    }
    void probesOfLibrariesFire()
    {
        const Folder f;
        f.write("shop.d", kScript);
        f.write("lib.c", kCalls + "void sell(int kind) { SHOP_SOLD(kind, 0, 7); SHOP_SOLD(kind, 0, 8); }\n");
        f.write("main.c", "void sell(int); int main(void) { sell(3); return 0; }\n");
        QCOMPARE(f.cc({"-fPIC", "-c", "lib.c"}), QByteArray());
        QCOMPARE(runDscope({"-G", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("lib.o")}).err, QByteArray());
        QCOMPARE(f.cc({"-shared", "-o", "libshop.so", "lib.o", "shop.o"}), QByteArray());
        QCOMPARE(f.cc({"-o", "main", "main.c", "libshop.so", "-Wl,-rpath," + f.dir.path()}), QByteArray());
        const auto run = runDscope({"-Zqn", "shop$target:libshop.so:sell:sold { printf(\"%d %d\\n\", arg0, arg1); }", "-c", f.path("main")});
        QVERIFY2(run.out.contains("7 3\n8 3\n"), run.out + run.err);
    }
    /// Types are those of the declaration, in the order in which tracers see arguments.
    void argumentsHaveTheTypesThatAreDeclared()
    {
        const Folder f;
        f.write("types.d", "provider typed { probe go(int a, char *b) : (char *b, int a, int a); probe plain(uint16_t, struct nobody *); probe gone(int a) : (); };");
        f.write("main.c", "#include \"types.h\"\nint main(void) { TYPED_GO(-5, \"text\"); TYPED_PLAIN(70000, 0); TYPED_GONE(1); return 0; }\n");
        QCOMPARE(runDscope({"-h", "-s", f.path("types.d"), "-o", f.path("types.h")}).err, QByteArray());
        QCOMPARE(f.cc({"-c", "main.c"}), QByteArray());
        QCOMPARE(runDscope({"-G", "-s", f.path("types.d"), "-o", f.path("types.o"), f.path("main.o")}).err, QByteArray());
        QCOMPARE(f.cc({"-o", "main", "main.o", "types.o"}), QByteArray());
        const auto listed = runDscope({"-lvn", "typed$target:::", "-c", f.path("main")}).out;
        QVERIFY2(listed.contains("args[0]: char *\n\t\targs[1]: int\n\t\targs[2]: int\n\n"), listed);
        QVERIFY2(listed.contains("args[0]: uint16_t\n\t\targs[1]: void *\n\n"), listed);
        QVERIFY2(listed.contains("gone\n") && listed.contains("None\n"), listed);
        const auto run = runDscope({"-qn", "typed$target:::go { printf(\"%s %d %d|%s|%s\", stringof(args[0]), args[1], args[2], copyinstr(arg0), stringof(arg0)); }"
            "typed$target:::plain { printf(\"|%d\", args[0]); }", "-c", f.path("main")});
        QVERIFY2(run.out.startsWith("text -5 -5|text|text|4464"), run.out + run.err); // 70000 modulo 65536
    }
    void probesOfCommandsAreListedByTheirParts_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("function") << QStringList{"-lf", "main"};
        QTest::newRow("function, a pattern") << QStringList{"-lf", "mai[n]"};
        QTest::newRow("module") << QStringList{"-lm", "program"};
        QTest::newRow("provider") << QStringList{"-lP", "sho*"};
    }
    void probesOfCommandsAreListedByTheirParts()
    {
        QFETCH(QStringList, words);
        const Folder f;
        f.write("shop.d", kScript);
        f.write("main.c", "#include \"shop.h\"\nint main(void) { SHOP_TILL_OPEN(); return 0; }\n");
        QCOMPARE(runDscope({"-h", "-s", f.path("shop.d"), "-o", f.path("shop.h")}).err, QByteArray());
        QCOMPARE(f.cc({"-c", "main.c"}), QByteArray());
        QCOMPARE(runDscope({"-G", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("main.o")}).err, QByteArray());
        QCOMPARE(f.cc({"-o", "program", "main.o", "shop.o"}), QByteArray());
        const auto run = runDscope(words + QStringList{"-c", f.path("program")});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.count('\n'), 2); // the heading and the probe
        QVERIFY2(run.out.contains("main till-open\n") && run.out.contains(" shop"), run.out);
    }
    /// Notes as the <sys/usdt.h> of DTrace for Linux 2.0.7 has them: its form, written by the assembler.
    void notesOfDtraceForLinuxFire()
    {
        const Folder f;
        f.write("main.c", kNote);
        QCOMPARE(f.cc({"-O1", "-o", "main", "main.c"}), QByteArray());
        const auto run = runDscope({"-qn", "other$target:main:mark:do-it { printf(\"%d %d\", arg0, args[1]); }", "-c", f.path("main")});
        QVERIFY2(run.out.startsWith("123456789012 -7"), run.out + run.err);
    }
    void faultsAreTold_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("a probe that is not declared") << "provider shop { probe other(); };" << kCalls + "void f(void) { SHOP_TILL_OPEN(); }"
                                                      << QByteArray("probe till__open is not declared by provider shop");
        QTest::newRow("no provider") << "inline int one = 1;" << "int i;" << QByteArray("it declares no provider");
        QTest::newRow("mapped from nowhere") << "provider shop { probe other(int a) : (int b); };" << "int i;"
                                             << QByteArray("parameter is not declared in probe output prototype: b, parameter #1");
        QTest::newRow("mapped without names") << "provider shop {\n probe other(int) : (int a);\n};" << "int i;"
                                             << QByteArray("line 2: parameter declaration requires a name: parameter #1");
    }
    void faultsAreTold()
    {
        QFETCH(QString, script);
        QFETCH(QString, code);
        QFETCH(QByteArray, why);
        const Folder f;
        f.write("shop.d", script);
        f.write("main.c", code);
        QCOMPARE(f.cc({"-c", "main.c"}), QByteArray());
        const auto run = runDscope({"-G", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("main.o")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.startsWith("dtrace: failed to ") && run.err.contains(why), run.err);
        QVERIFY(!QFile::exists(f.path("shop.o")));
    }
    /// Numbers of an object that are beyond all that is there: an error, and the object stays.
    void damagedObjectsAreRefused_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("where its sections are told of") << 0 << QByteArray("the object is cut");
        QTest::newRow("a section's alignment") << 1 << QByteArray("a section is aligned to more than");
        QTest::newRow("where calls are") << 2 << QByteArray("is used otherwise than by a call");
    }
    void damagedObjectsAreRefused()
    {
        QFETCH(int, what);
        QFETCH(QByteArray, says);
        Folder f;
        f.write("shop.d", kScript);
        f.write("one.c", kCalls + "void f(void) { SHOP_TILL_OPEN(); SHOP_TILL_OPEN(); }\n");
        QCOMPARE(f.cc({"-c", "one.c"}), QByteArray());
        QFile file(f.path("one.o"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        auto bytes = file.readAll();
        const auto number = [&](qsizetype at) {
            quint64 value = 0;
            std::memcpy(&value, bytes.constData() + at, sizeof value);
            return value;
        };
        const auto put = [&](quint64 at, quint64 value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
        // Source: the ELF-64 object file format 1.5: e_shoff, e_shnum; sh_type, sh_offset, sh_size, sh_addralign; r_offset.
        const auto heads = number(0x28), count = number(0x3c) & 0xffff;
        if (what == 0) put(0x28, ~quint64{0} - 127);
        if (what == 1) put(heads + 64 + 48, quint64{1} << 60);
        for (quint64 i = 0; what == 2 && i < count; ++i) {
            const auto head = heads + 64 * i;
            if ((number(static_cast<qsizetype>(head)) >> 32) != 4) continue; // SHT_RELA
            const auto from = number(static_cast<qsizetype>(head + 24)), size = number(static_cast<qsizetype>(head + 32));
            for (quint64 at = 0; at < size; at += 24)
                put(from + at, ~quint64{0} - 2);
        }
        file.seek(0);
        file.write(bytes);
        file.close();
        const auto run = runDscope({"-G", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("one.o")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says), run.err);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), bytes);
    }
    /// Clauses need no provider: an object is made, and they are told of.
    void scriptsOfClausesMakeAnObject()
    {
        const Folder f;
        f.write("clauses.d", "BEGIN { exit(0); }");
        const auto run = runDscope({"-G", "-s", f.path("clauses.d"), "-o", f.path("clauses.o")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains("its clauses are not linked in"), run.err);
        f.write("main.c", "int main(void) { return 0; }");
        QCOMPARE(f.cc({"-o", "main", "main.c", "clauses.o"}), QByteArray());
    }
    void whatIsNoObjectIsLeftAlone()
    {
        const Folder f;
        f.write("shop.d", kScript);
        f.write("main.o", "text");
        const auto run = runDscope({"-G", "-s", f.path("shop.d"), "-o", f.path("shop.o"), f.path("main.o")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("main.o: not an object file (ELF)"), run.err);
    }
};
QTEST_GUILESS_MAIN(TestLink)
#include "tst_link.moc"
