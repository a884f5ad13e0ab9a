// needs-programs: dscope
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
#include <utility>
using namespace dscope::tests;

/// What a firing computes once (when, who, arguments) is right behind every statement: one that was carried out, one whose
/// clause was not, and one that an `if` left out. echo's write tells what is true.
class TestKnownValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theyAreRightBehindAnyStatement_data()
    {
        QTest::addColumn<QString>("statement");
        const auto row = [](const char* statement) { QTest::newRow(statement) << QString::fromLatin1(statement); };
        row("@[ustack()] = count();");
        row("@[ustack(), execname] = sum(arg2);");
        row("@[ustack(4), ustack(2)] = quantize(timestamp);");
        row("@[usym(ucaller)] = count();");
        row("@[stack()] = count();");
        row("@ = quantize(arg2);");
        row("@[execname, pid, tid, arg0] = avg(timestamp);");
        row("@ = llquantize(arg2, 10, 0, 6, 20);");
        row("ustack(); stack();");
        row("x[tid, execname] = timestamp;");
        row("self->x = timestamp; self->x = 0;");
        row("a[\"k\"] = \"v\"; a[\"k\"] = 0;");
        row("this->p = (char *)alloca(8); this->p[1] = 'x';");
        row("trace(copyinstr(arg1, arg2)); tracemem(copyin(arg1, 4), 4);");
        row("this->s = strjoin(execname, probefunc); this->n = index(this->s, \"write\");");
        row("trace(json(\"{\\\"a\\\": 1}\", \"a\"));");
        row("x = pid == 0 ? timestamp : tid; y = pid == 0 && timestamp > 0 && execname == \"no\";");
        row("this->i = speculation(); speculate(this->i);");
        row("trace(*(int *)0);");
        row("trace(vtimestamp); trace(walltimestamp); trace(curpsinfo->pr_psargs); trace(errno);");
        row("trace(progenyof(1)); trace(ustackdepth); trace(stackdepth); trace(cwd);");
        row("if (arg0 == 1) { trace(timestamp); } else { trace(execname); }");
    }
    void theyAreRightBehindAnyStatement()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why);
        QFETCH(QString, statement);
        static const QString kShown = QStringLiteral(
            "printf(\"\\n{%s %d %d %d %d %d %s %s}\\n\", \"%1\", timestamp != 0, pid == $target, tid == $target, arg0, arg2, execname, probefunc);");
        const bool mayCommit = !statement.contains(QStringLiteral("speculate")); // what is printed then is speculated, too
        const bool mayFault = statement.contains(QStringLiteral("(int *)0"));
        // A program each: what one place computes the next would know.
        const std::pair<QString, QString> programs[]{
            {QStringLiteral("no-clause"), QStringLiteral("syscall::write:entry /pid == $target && arg0 == 77777/ { %1 } syscall::write:entry /pid == $target/ { %2 }")},
            {QStringLiteral("no-branch"), QStringLiteral("syscall::write:entry /pid == $target/ { if (arg0 == 77777) { %1 } %2 }")},
            {QStringLiteral("behind"), QStringLiteral("syscall::write:entry /pid == $target/ { %1 %2 }")},
            {QStringLiteral("next"), QStringLiteral("syscall::write:entry /pid == $target/ { %1 } syscall::write:entry /pid == $target/ { %2 }")},
        };
        for (const auto& [place, program] : programs) {
            if (place == QStringLiteral("behind") && (!mayCommit || mayFault)) continue;
            const auto outcome = runApart({QStringLiteral("-qn"), program.arg(statement, kShown.arg(place)), QStringLiteral("-c"), QStringLiteral("/bin/echo hello")});
            QVERIFY2(outcome.status == 0 || mayFault, outcome.err.constData());
            const auto expected = QByteArray("{") + place.toUtf8() + " 1 1 1 1 6 echo write}";
            QVERIFY2(outcome.out.contains(expected), (expected + '\n' + outcome.out + outcome.err).constData());
        }
    }
};
QTEST_GUILESS_MAIN(TestKnownValues)
#include "tst_known_values.moc"
