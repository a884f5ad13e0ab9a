// needs-programs: dscope
// Thousands of functions of a process at once, by what each kernel has for it (tests/vm/run: events in tracefs): held against
// how often programs call some of them.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
#include <cerrno>
#include <csignal>
using namespace dscope::tests;
namespace {
Outcome trace(const QString& program, const QString& command, const QStringList& more = {})
{
    return runApart(QStringList{"-qn", program, "-c", QStringLiteral(DSCOPE_PROGRAMS "/") + command} + more);
}
} // namespace

class TestManyPlaces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    /// Nothing is left in the kernel.
    void cleanup()
    {
        QFile events("/sys/kernel/tracing/uprobe_events");
        if (!events.open(QIODevice::ReadOnly)) return;
        const auto lines = events.readAll().split('\n');
        for (const auto& line : lines) {
            const auto name = line.mid(line.indexOf(':') + 1);
            if (!name.startsWith("dscope_")) continue;
            const auto pid = name.mid(7, name.indexOf('_', 7) - 7).toInt();
            QVERIFY2(pid > 0 && (::kill(pid, 0) == 0 || errno != ESRCH), line);
        }
    }
    void ofAWholeLibrary()
    {
        const QString functions = isSlowMachine() ? "pid$target:libc:r*" : "pid$target:libc:";
        const auto run = trace(functions + ":entry, " + functions + ":return /probefunc == \"rand\"/ { @[probename] = count(); }"
                + "END { printa(\"rand %s=%@d\\n\", @); }",
            "calls 800");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("rand entry=100\n") && run.out.contains("rand return=100\n"), run.out + run.err);
        QVERIFY2(run.out.contains("leaf 1900 "), run.out); // and it did what it does
    }
    /// An entry is at the place of its function's first instruction.
    void ofOnePlaceWithTwoProbes()
    {
        const auto run = trace("pid$target:a.out:leaf: { @[probename] = count(); } END { printa(\"probe %s=%@d\\n\", @); }", "calls 800");
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("leaf 1900 "), run.out + run.err);
        QVERIFY2(run.out.contains("probe entry=1900\n") && run.out.contains("probe 0=1900\n"), run.out + run.err);
        QVERIFY2(run.out.count("probe ") > 8, run.out); // more than are attached one by one
    }
    /// The program unloads its library and finds its place taken when it loads it again.
    void ofALibraryThatComesBackElsewhere()
    {
        const auto run = trace("pid$target:libm*:c*:entry /probefunc == \"cbrt\"/ { @ = count(); @where[uregs[16]] = count(); }"
                               "END { printa(\"roots=%@d\\n\", @); printa(\"at %x %@d\\n\", @where); }",
            "late_root 5", {"-Z"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("roots=5\n"), run.out + run.err);
        QVERIFY2(run.out.count("\nat ") == 5, run.out);
    }
};

QTEST_GUILESS_MAIN(TestManyPlaces)
#include "tst_many_places.moc"
