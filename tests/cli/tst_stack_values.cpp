// needs-programs: dscope
// Stacks that variables hold, held against the stack that ustack() and stack() record at the same firing.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
} // namespace

class TestStackValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void areTheStackThatIsRecorded_data()
    {
        QTest::addColumn<QString>("held");
        QTest::addColumn<QString>("printed");
        QTest::newRow("global") << "v = ustack(6);" << "v";
        QTest::newRow("of the thread") << "self->v = ustack(6);" << "self->v";
        QTest::newRow("of the clause") << "this->v = ustack(6);" << "this->v";
        QTest::newRow("element") << "a[pid, \"x\"] = ustack(6);" << "a[pid, \"x\"]";
        QTest::newRow("element of the thread") << "self->a[3] = ustack(6);" << "self->a[3]";
        QTest::newRow("through another") << "this->v = ustack(6); w[1] = this->v; v = w[1];" << "v";
        QTest::newRow("at once") << "" << "ustack(6)";
    }
    void areTheStackThatIsRecorded()
    {
        QFETCH(const QString, held);
        QFETCH(const QString, printed);
        const auto run = runDscope({"-x", "evaltime=main", "-qn",
            "syscall::getppid:entry /pid == $target/ { " + held + " printf(\"%k\", " + printed + "); printf(\"--\"); printf(\"%k\", ustack(6));"
            " printf(\"==\"); }", "-c", kPrograms + "deep plain 40 20"});
        QCOMPARE(run.status, 0);
        const auto pairs = run.out.split('=');
        int compared = 0;
        for (const auto& pair : pairs) {
            const auto at = pair.indexOf("--");
            if (at < 0) continue;
            QCOMPARE(pair.first(at), pair.mid(at + 2));
            QCOMPARE(pair.first(at).trimmed().count('\n'), 5); // six frames
            ++compared;
        }
        QVERIFY2(compared >= 10, run.out + run.err);
    }
    void areOneKeyForEqualStacks()
    {
        const auto run = runDscope({"-x", "evaltime=main", "-qn",
            "syscall::getppid:entry /pid == $target/ { v = ustack(8); @held[v] = count(); @recorded[ustack(8)] = count(); @all = count(); }"
            "END { printa(\"%k %@d\\n\", @held); printf(\"=\"); printa(\"%k %@d\\n\", @recorded); }", "-c", kPrograms + "deep plain 40 20"});
        QCOMPARE(run.status, 0);
        const auto halves = run.out.split('=');
        QCOMPARE(halves.size(), 2);
        QVERIFY2(halves[0].contains("deep`") && halves[1].startsWith(halves[0]), run.out);
    }
    /// What maxframes leaves out is not missing.
    void aDepthThatIsAskedForTruncatesNoStack()
    {
        const auto run = runDscope({"-x", "maxframes=5", "-qn", "syscall::getppid:entry /pid == $target/ { ustack(); exit(0); }",
            "-c", kPrograms + "deep plain 40 1"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("deep`") && !run.out.contains("[truncated]"), run.out);
        QCOMPARE(run.out.trimmed().count('\n'), 4); // five frames
    }
    /// strsz is what the program or option jstackstrsize asks for, as in the User Guide of DTrace for Linux.
    void tellTheRoomForNames()
    {
        const auto run = runDscope({"-x", "evaltime=main", "-x", "jstackstrsize=300", "-qn",
            "syscall::getppid:entry /pid == $target/ { v = ustack(3, 77); printf(\"%d %d %d %d\", v.strsz, ustack(3).strsz, jstack().strsz,"
            " jstack(3, 9).strsz); v.strsz = 5; printf(\" %d\", v.strsz); exit(0); }", "-c", kPrograms + "deep plain 40 1"});
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.out.trimmed(), "77 0 300 9 5");
    }
    void membersMayBeWrittenWithinTheirRoom()
    {
        const auto run = runDscope({"-x", "evaltime=main", "-qn",
            "syscall::getppid:entry /pid == $target/ { v = ustack(5); v.depth = 2; printf(\"%k=\", v); v.depth = 0x7fffffff; printf(\"%k\", v); }",
            "-c", kPrograms + "deep plain 40 1"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("dtrace: processing aborted: Data record has incorrect size\n"), run.err);
        QVERIFY2(run.out.endsWith("\n="), run.out); // what comes before the stack is shown
    }
};
QTEST_GUILESS_MAIN(TestStackValues)
#include "tst_stack_values.moc"
