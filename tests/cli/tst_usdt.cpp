// needs-programs: dscope
// Marks of <sys/sdt.h> in programs: held against what the program counts, and what readelf says of its notes.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
constexpr const char* kLibrary = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6";
Outcome trace(const QString& program, const QString& command) { return runDscope({"-qn", program, "-c", command}); }
} // namespace

class TestUsdt : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void argumentsAreReadWhereTheNoteSays()
    {
        const auto run = trace(
            "marked$target:::work-start { printf(\"%s %s %d %d %d %d\\n\", probemod, probefunc, (int)arg0, (int)arg1, (int)arg2, arg3); }",
            kPrograms + "marked 120");
        QCOMPARE(run.status, 0);
        QByteArray expected;
        for (int i = 0; i < 120; ++i)
            expected
                += "marked one " + QByteArray::number(i) + ' ' + QByteArray::number(-i) + ' ' + QByteArray::number(-(i % 100)) + " 12345\n";
        QVERIFY2(run.out.contains(expected), run.out + run.err);
    }
    /// Two places of one name keep their argument in different registers.
    void placesOfOneNameAreOneProbeEach()
    {
        const auto run = trace("marked$target::one:twice { @double = sum(arg0); } marked$target::another:twice { @triple = sum(arg0); }"
                               "END { printa(\"double=%@d\\n\", @double); printa(\"triple=%@d\\n\", @triple); }",
            kPrograms + "marked 10");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("double=90\n") && run.out.contains("triple=135\n"), run.out + run.err);
    }
    void semaphoresSayThatSomebodyLooks()
    {
        const auto unwatched = trace("marked$target:::twice { @ = count(); }", kPrograms + "marked 5");
        QVERIFY2(unwatched.out.contains("looked 0 sum 10 semaphore 0\n"), unwatched.out + unwatched.err);
        const auto watched = trace("marked$target:::watched { @ = count(); } END { printa(\"seen=%@d\\n\", @); }", kPrograms + "marked 5");
        QVERIFY2(watched.out.contains("looked 5 sum 10 semaphore 1\n") && watched.out.contains("seen=5\n"), watched.out + watched.err);
    }
    void listsWhatReadelfLists()
    {
        const auto notes = runDscope({"-n", kPrograms + "marked"}, {}, "readelf").out;
        const auto count = notes.count("stapsdt  ");
        if (count == 0) QSKIP("needs readelf");
        const auto list = runDscope({"-ln", "marked$target:::", "-c", kPrograms + "marked 1"});
        QCOMPARE(list.status, 0);
        QCOMPARE(list.out.trimmed().count('\n'), count); // and the heading
        for (const auto* name : {"work-start", "twice", "watched"})
            QVERIFY2(list.out.contains(name), list.out);
    }
    /// libstdc++ marks throw and catch; the program says how often it throws: 17 times in 50 rounds.
    void exceptionsOfTheLibrary()
    {
        if (!runDscope({"-n", kLibrary}, {}, "readelf").out.contains("stapsdt")) QSKIP("this libstdc++ has no marks");
        const auto run = trace("libstdcxx$target:::throw { @throws = count(); } libstdcxx$target:::catch { @catches = count(); }"
                               "END { printa(\"throws=%@d\\n\", @throws); printa(\"catches=%@d\\n\", @catches); }",
            kPrograms + "turmoil 1");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("throws=17\n") && run.out.contains("catches=17\n"), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestUsdt)
#include "tst_usdt.moc"
