// needs: tests/support
// For which processes a clause does something, as far as its text says.
#include "compiled.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using tests::compiled;
using Processes = record::Clause::Processes;

class ClauseProcessesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void predicatesChooseProcesses_data();
    void predicatesChooseProcesses();
    void withoutATargetNoneIsMeant();
    void clausesReadAboutProcesses_data();
    void clausesReadAboutProcesses();
    void clausesYieldData_data();
    void clausesYieldData();
};

void ClauseProcessesTest::predicatesChooseProcesses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Processes>("expected"); // of the last clause
    const auto row = [](const char* name, const char* text, Processes expected) { QTest::newRow(name) << QString::fromUtf8(text) << expected; };
    row("none", "test::read:entry { @ = count(); }", Processes::All);
    row("a key chooses nothing", "test::read:entry { @[pid, execname] = count(); }", Processes::All);
    row("an argument", "test::read:entry /arg2 > 4096/ { @ = count(); }", Processes::All);
    row("a processor", "test::read:entry /cpu == 0/ { @ = count(); }", Processes::All);
    row("the target", "test::read:entry /pid == $target/ { @ = count(); }", Processes::Target);
    row("the other way round", "test::read:entry /$target == pid/ { @ = count(); }", Processes::Target);
    row("the target and more", "test::read:entry /arg2 > 4096 && pid == $target/ { @ = count(); }", Processes::Target);
    row("the target or more", "test::read:entry /arg2 > 4096 || pid == $target/ { @ = count(); }", Processes::Some);
    row("not the target", "test::read:entry /pid != $target/ { @ = count(); }", Processes::Some);
    row("its children, too", "test::read:entry /progenyof($target)/ { @ = count(); }", Processes::Target);
    row("another process", "test::read:entry /pid == 5/ { @ = count(); }", Processes::Some);
    row("a program", "test::read:entry /execname == \"cc1\"/ { @ = count(); }", Processes::Some);
    row("a user", "test::read:entry /uid == 1000/ { @ = count(); }", Processes::Some);
    row("a thread that was chosen", "test::read:entry /pid == $target/ { self->in = 1; } test::read:return /self->in/ { @ = count(); self->in = 0; }", Processes::Target);
    row("with more than 0", "test::read:entry /pid == $target/ { self->in = timestamp; } test::read:return /self->in != 0 && arg0 > 0/ { @ = count(); }", Processes::Target);
    row("a thread of a program", "test::read:entry /execname == \"cc1\"/ { self->in = 1; } test::read:return /self->in/ { @ = count(); }", Processes::Some);
    row("any thread", "test::read:entry { self->in = 1; } test::read:return /self->in/ { @ = count(); }", Processes::All);
    row("a thread chosen here and any there", "test::read:entry /pid == $target/ { self->in = 1; } test::write:entry { self->in = 2; } test::read:return /self->in/ { @ = count(); }", Processes::All);
    row("a thread that is never set", "self int in; test::read:return /self->in/ { @ = count(); }", Processes::NotTold);
    row("a switch for all", "test::read:entry /pid == $target/ { on = 1; } test::read:return /on/ { @ = count(); }", Processes::NotTold);
    row("an array", "test::read:entry /pid == $target/ { at[arg0] = 1; } test::write:entry /at[arg0]/ { @ = count(); }", Processes::NotTold);
    row("data of the probe", "test:::task /args[1]->id == $target/ { @ = count(); }", Processes::NotTold);
    row("a condition within", "test::read:entry { if (pid == $target) { @ = count(); } }", Processes::NotTold);
    row("begin and end", "BEGIN { x = 1; } END { trace(x); }", Processes::NotTold);
    row("begin beside a call", "BEGIN, test::read:entry { x = 1; }", Processes::All);
    row("a call beside begin", "test::read:entry, BEGIN { x = 1; }", Processes::All);
    row("an inline", "inline int mine = pid == 7; test::read:entry /mine/ { @ = count(); }", Processes::Some);
    row("a control group", "test::read:entry /container == \"web\"/ { @ = count(); }", Processes::Some);
    row("the kernel's task", "test::read:entry /curinfo->i_id == 3/ { @ = count(); }", Processes::Some);
    row("never", "test::read:entry /0/ { @ = count(); }", Processes::NotTold);
    row("never, by an inline", "inline int ALL = 0; test::read:entry /ALL && arg0 > 0/ { @ = count(); }", Processes::NotTold);
    row("a condition of no process", "test::read:entry { if (arg2 > 4096) { @ = count(); } }", Processes::All);
}
void ClauseProcessesTest::predicatesChooseProcesses()
{
    QFETCH(QString, text);
    QFETCH(Processes, expected);
    tests::Setting setting;
    setting.target = 4711;
    const auto c = compiled(text, setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(static_cast<int>(c.program->clauses.back().processes), static_cast<int>(expected));
}
void ClauseProcessesTest::withoutATargetNoneIsMeant()
{
    const auto c = compiled(QStringLiteral("test::read:entry /pid == $target/ { @ = count(); }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(static_cast<int>(c.program->clauses.back().processes), static_cast<int>(Processes::Some));
}
void ClauseProcessesTest::clausesReadAboutProcesses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("reads"); // the first clause
    const auto row = [](const char* name, const char* text, bool reads) { QTest::newRow(name) << QString::fromUtf8(text) << reads; };
    row("nothing", "test::read:entry { @ = count(); }", false);
    row("the call", "test::read:entry { @[probefunc, arg0] = count(); }", false);
    row("a stack", "test::read:entry { @[ustack()] = count(); }", false);
    row("a predicate", "test::read:entry /pid == 3/ { @ = count(); }", true);
    row("a predicate about the call", "test::read:entry /arg2 > 3/ { @ = count(); }", false);
    row("a key", "test::read:entry { @[execname] = count(); }", true);
    row("a weight", "test::read:entry { @ = quantize(arg0, pid); }", true);
    row("what is printed", "test::read:entry { printf(\"%d\", tid); }", true);
    row("below an if", "test::read:entry { if (arg0 > 2) { trace(ppid); } }", true);
    row("an if's condition", "test::read:entry { if (pid == 3) { trace(1); } }", true);
    row("$target", "test::read:entry { trace($target); }", true);
    row("another clause's $target", "test::write:entry { trace(1); } test::read:entry { trace($target); }", false);
    row("another number that is the same", "test::read:entry { trace(4711); }", false);
    row("the kernel's task", "test::read:entry { trace(curthread); }", true);
    row("what the process descends from", "test::read:entry { trace(progenyof(7)); }", true);
}
void ClauseProcessesTest::clausesReadAboutProcesses()
{
    QFETCH(QString, text);
    QFETCH(bool, reads);
    tests::Setting setting;
    setting.target = 4711;
    const auto c = compiled(text, setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->clauses.front().readsProcess, reads);
}
void ClauseProcessesTest::clausesYieldData_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("yields");
    const auto row = [](const char* name, const char* body, bool yields) { QTest::newRow(name) << QString::fromUtf8(body) << yields; };
    row("the firing itself", "", true);
    row("an aggregation", "@ = count();", true);
    row("a row", "trace(1);", true);
    row("the end of the run", "exit(0);", true);
    row("below an if", "if (arg0 > 2) { @ = count(); }", true);
    row("what other threads read", "last = timestamp;", true);
    row("what other threads count", "calls++;", true);
    row("an array that they read", "seen[arg0] = 1;", true);
    row("a thread's value", "self->b = timestamp;", false);
    row("a thread's cleanup", "self->b = 0;", false);
    row("a firing's value", "this->x = arg0;", false);
    row("a cleanup", "seen[arg0] = 0;", false);
    row("rows that go", "@ = count(); clear(@);", true);
    row("a thread's value below an if", "if (arg0 > 2) { self->b = 1; }", false);
}
void ClauseProcessesTest::clausesYieldData()
{
    QFETCH(QString, body);
    QFETCH(bool, yields);
    tests::Setting setting;
    setting.target = 4711;
    const auto c = compiled("test::read:entry { " + body + " }", setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->clauses.front().yieldsData, yields);
}
QTEST_GUILESS_MAIN(ClauseProcessesTest)
#include "tst_clause_processes.moc"
