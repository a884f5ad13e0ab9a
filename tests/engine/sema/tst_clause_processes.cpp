// needs: tests/support
// For which processes a clause does something, as far as its text says.
#include "compiled.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using tests::compiled;
using Processes = record::Clause::Processes;
Q_DECLARE_METATYPE(record::Clause::Processes)

class ClauseProcessesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void predicatesChooseProcesses_data();
    void predicatesChooseProcesses();
    void withoutATargetNoneIsMeant();
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
QTEST_GUILESS_MAIN(ClauseProcessesTest)
#include "tst_clause_processes.moc"
