// needs: tests/support
#include "compiled.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using tests::compiled;

/// What is left of D texts after analysis.
class AnalyseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resolvesStatements_data();
    void resolvesStatements();
    void typesVariables_data();
    void typesVariables();
    void widthsReachEachOther();
    void declaredVariablesKeepTheirType();
    void countsMatches_data();
    void countsMatches();
    void optionsOfTheProgramWinOverThoseOfTheCommandLine();
    void clausesShareTheProbesTheyEnable();
    void resultsAreGivenWhereProviderAndKernelLetThem_data();
    void resultsAreGivenWhereProviderAndKernelLetThem();
    void compilesAClauseOncePerSetOfArgumentTypes();
    void describesOnlyArgumentsThatAreUsed();
    void keepsConditionsOfHooks();
    void readsLibrariesOnlyWhenNamesOfTheirsAreUsed();
    void namesKeysAndValuesAsWritten();
    void tellsOfProcessesWhenAProviderDoes();
    void knowsDestructivePrograms_data();
    void knowsDestructivePrograms();
    void emptyClausesTakeTheDefaultAction();
    void letsProbesBeMissingWhenAsked();
};

void AnalyseTest::resolvesStatements_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    };
    row("count by function", "test::read:entry { @[probefunc] = count(); }", "@[probefunc] = count()");
    row("several keys", "BEGIN { @a[pid, execname, 1] = sum(timestamp); }", "@a[pid, execname, 1] = sum((int64_t)timestamp)");
    row("keys follow the first statement", "BEGIN { @a[1] = count(); @a[pid] = count(); }", "@a[1] = count(); @a[(int)pid] = count()");
    row("weighted quantize", "BEGIN { @ = quantize(pid, 3); }", "@ = quantize((int64_t)pid, 3)");
    row("stack keys", "BEGIN { @[stack(), stack(3), ustack(), ustack(7), jstack()] = count(); }",
        "@[stack(20), stack(3), ustack(100), ustack(7), ustack(50)] = count()");
    row("symbol keys", "BEGIN { @[func(caller), usym(ucaller)] = count(); }", "@[(func)caller, (ufunc)(uintptr_t)ucaller] = count()");
    row("char array key", "test:::task { @[args[1]->name] = count(); }", "@[string(*arg1.4)] = count()");
    row("common type", "BEGIN { trace(pid + timestamp); }", "trace(((uint64_t)pid + timestamp))");
    row("constants in comparisons", "BEGIN { trace(pid == 3l); }", "trace(((long)pid == 3))");
    row("strings compared", "BEGIN { trace(execname == \"x\"); }", "trace((execname == \"x\"))");
    row("argument by its name", "test::read:entry, test::write:entry { trace(args.count + args.fd); }", "trace((arg2 + (size_t)arg0))");
    row("char array compared", "test:::task { trace(args[1]->name != \"x\"); }", "trace((string(*arg1.4) != \"x\"))");
    row("null string", "BEGIN { trace(execname == NULL); }", "trace((execname == \"\"))");
    row("assignment converts", "int x; BEGIN { x = timestamp; }", "(x = (int)timestamp)");
    row("assignment widens", "BEGIN { x = 0; x = timestamp; }", "(x = 0u); (x = timestamp)");
    row("keys widen", "BEGIN { @a[1] = count(); @a[timestamp] = count(); }", "@a[1u] = count(); @a[timestamp] = count()");
    row("compound assignment spelled out", "BEGIN { x = 1l; x <<= 2; }", "(x = 1); (x = (x << 2))");
    row("step makes a variable", "BEGIN { n++; --n; }", "n++; --n");
    row("associative array", "BEGIN { a[execname, 1] = 2; a[\"x\", 2]++; }", "(a[execname, 1] = 2); a[\"x\", 2]++");
    row("thread and clause variables", "BEGIN { self->t = timestamp; this->d = timestamp - self->t; }",
        "(self->t = timestamp); (this->d = (timestamp - self->t))");
    row("thread array", "BEGIN { self->a[1] = \"x\"; trace(self->a[1]); }", "(self->a[1] = \"x\"); trace(self->a[1])");
    row("conditional", "BEGIN { trace(pid ? 1 : 2l); }", "trace((pid ? 1 : 2))");
    row("conditional of strings", "BEGIN { trace(pid == 1 ? execname : \"no\"); }", "trace(((pid == 1) ? execname : \"no\"))");
    row("members", "test:::task { trace(args[1]->id); trace(args[1]->parent->id); trace(args[1]->pair.b); }",
        "trace(*arg1.0); trace(**arg1.24.0); trace(*arg1.36.4)");
    row("bit-fields", "test:::task { trace(args[1]->flag); trace(args[1]->rest); }", "trace(*arg1.32.0:3); trace(*arg1.32.3:29)");
    row("anonymous union", "test:::task { trace(args[1]->word); }", "trace(*arg1.48)");
    row("array element", "test:::task { trace(args[1]->bytes[3]); }", "trace(*(&*arg1.48 + 3))");
    row("array element by variable", "test:::task { i = 2; trace(args[1]->bytes[i]); }", "(i = 2); trace(*(&*arg1.48 + ((int64_t)i of 8 * 1)))");
    row("address of member", "test:::task { trace((uintptr_t)&args[1]->pair); }", "trace((uintptr_t)&*arg1.36)");
    row("address of dereference", "test:::task { trace((uintptr_t)&*args[1]); }", "trace((uintptr_t)arg1)");
    row("pointer arithmetic", "test:::task { p = args[1]; trace((long)(p + 1)); trace(p - args[1]); }",
        "(p = arg1); trace((long)(p + 72)); trace((((ptrdiff_t)p - (ptrdiff_t)arg1) / 72))");
    row("user memory", "test::read:entry { trace(stringof(args[1])); trace(args[1][2]); }",
        "trace(userstring(arg1)); trace(*user (arg1 + 2))");
    row("cast of a pointer", "test:::task { trace(((struct task *)arg0)->id); }", "trace(*(struct task *)arg0.0)");
    row("translated argument", "test:::task { trace(args[0]->i_id); trace(args[0]->i_name); }", "trace(*arg0.0); trace(string(*arg0.4))");
    row("translated member is converted", "test:::task { trace(args[0]->i_sum); }", "trace((uint64_t)(*arg0.0 + 1))");
    row("translated dereference", "test:::task { trace((*args[0]).i_id); }", "trace(*arg0.0)");
    row("xlate", "test:::task { trace(xlate <info_t *> (args[1])->i_parent); trace(xlate <info_t> (args[1]).i_id); }",
        "trace(**arg1.24.0); trace(*arg1.0)");
    row("xlate chooses by input type", "BEGIN { trace(xlate <info_t> (7).i_id); }", "trace(7)");
    row("inline of a library", "BEGIN { trace(LIMIT); trace(GREETING); trace(twice[pid]); }",
        "trace(12); trace(\"hi\"); trace(((int)pid * 2))");
    row("inline of the program", "inline int Z = 3 * 4; BEGIN { trace(Z + 1); }", "trace(13)");
    row("enumerators", "enum e { A, B = 5, C }; BEGIN { trace(C); trace(BLUE); }", "trace(6); trace(8)");
    row("common constants", "BEGIN { trace(ENOENT); trace(SIGTERM); trace(DTRACEFLT_DIVZERO); }", "trace(2); trace(15); trace(4)");
    row("declared variables", "string s; int a[int, string]; BEGIN { s = execname; a[1, s] = pid; }",
        "(s = execname); (a[1, s] = (int)pid)");
    row("subroutine", "BEGIN { trace(strlen(execname)); trace(copyinstr(arg0)); trace(substr(\"abc\", 1)); }",
        "trace(strlen(execname)); trace(copyinstr((uintptr_t)arg0)); trace(substr(\"abc\", 1))");
    row("printf", "BEGIN { printf(\"%d %s %5.*x%%\", pid, execname, 3, arg0); }", "printf(\"%d %s %5.*x%%\" pid, execname, 3, arg0)");
    row("printf of addresses", "BEGIN { printf(\"%a %k\", caller, stack()); }", "printf(\"%a %k\" (%a)caller, stack(20))");
    row("printa", "BEGIN { @a[pid] = count(); @b[pid] = sum(1); printa(@a); printa(\"%d %@d %@d\", @a, @b); }",
        "@a[pid] = count(); @b[pid] = sum(1); printa(@a); printa(\"%d %@d %@d\" @a, @b)");
    row("aggregation actions", "BEGIN { @a = count(); clear(@a); trunc(@a); trunc(@a, -5); normalize(@a, 1000); denormalize(@a); }",
        "@a = count(); clear(@a); trunc(@a); trunc(-5, @a); normalize(1000u, @a); denormalize(@a)");
    row("stacks and symbols", "BEGIN { stack(); stack(3); ustack(5); sym(caller); }",
        "stack(stack(20)); stack(stack(3)); ustack(ustack(5)); symbol((func)caller)");
    row("exit and raise", "BEGIN { raise(9); stop(); exit(1); }", "raise(9); stop(); exit(1)");
    row("tracemem", "test:::task { tracemem(args[1], 16); tracemem(arg0, 8, pid); }",
        "tracemem(*(unsigned char [16] *)arg1); tracemem(*(unsigned char [8] *)arg0, (size_t)pid)");
    row("system", "BEGIN { system(\"echo %d\", pid); freopen(\"\"); }", "system(\"echo %d\" pid); freopen()");
    row("if and else", "BEGIN { if (pid == 1) trace(1); else { trace(2); trace(3); } }",
        "if ((pid == 1)) { trace(1); } else { trace(2); trace(3); }");
    row("speculation", "BEGIN { self->s = speculation(); speculate(self->s); printf(\"x\"); }",
        "(self->s = (int)speculation()); speculate((int)self->s); printf(\"x\" )");
    row("sizeof", "struct s { char c; int i; }; BEGIN { trace(sizeof(struct s)); trace(sizeof(pid)); trace(offsetof(struct s, i)); }",
        "trace(8u); trace(4u); trace(4u)");
    row("comma", "BEGIN { trace((pid, 3)); }", "trace((pid , 3))");
}
void AnalyseTest::resolvesStatements()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto c = compiled(text);
    // "struct task *" is written with a blank before the star.
    auto actual = c.statements();
    actual.replace(QStringLiteral("unsigned char (*)[16]"), QStringLiteral("unsigned char [16] *"))
        .replace(QStringLiteral("unsigned char (*)[8]"), QStringLiteral("unsigned char [8] *"));
    QCOMPARE(actual, expected);
}

void AnalyseTest::typesVariables_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("type");
    const auto row = [](const char* text, const char* type) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(type); };
    row("x = 1", "int");
    row("x = 0x80000000", "unsigned int");
    row("x = timestamp", "uint64_t");
    row("x = execname", "string");
    row("x = \"s\"", "string");
    row("x = arg0", "int64_t");
    row("x = pid + 1l", "long");
    row("x++", "int64_t");
    row("self->x = curthread", "struct task_struct *");
    row("this->x = (char)1", "char");
    row("x = pid == 1", "int");
    row("x[1] = probename", "string");
    // The widest of all that the program gives it, the first of equally wide ones.
    row("x = 0; x = timestamp", "uint64_t");
    row("x = timestamp; x = 0", "uint64_t");
    row("x = 0; x = arg0", "int64_t");
    row("x = 0; x += timestamp", "uint64_t");
    row("x = 0; x = x + arg0", "int64_t");
    row("x = 0; x = x + 1; x += x", "int");
    row("x = 0; x = uid", "int");
    row("x = uid; x = 0", "uid_t");
    row("x = uid; x = arg0", "int64_t");
    row("x = arg0; x = timestamp", "int64_t");
    row("x = (char)1; x = 2", "int");
    row("this->x = 0; this->x = timestamp", "uint64_t");
    row("self->x = 0; self->x = timestamp", "uint64_t");
    row("x[1] = 0; x[2] = timestamp", "uint64_t");
    row("x = 0; x = !x ? timestamp : x", "uint64_t");
}
void AnalyseTest::widthsReachEachOther()
{
    // Each waits for the next one.
    const auto c = compiled(QStringLiteral("BEGIN { a = 0; b = 0; c = 0; d[0] = 0; a = b; b = c; c = d[timestamp]; d[1] = timestamp; }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    for (const auto& variable : c.program->variables) {
        QCOMPARE(QString::fromStdString(types::spelled(variable.type)), QStringLiteral("uint64_t"));
        for (const auto* key : variable.tuple)
            QCOMPARE(QString::fromStdString(types::spelled(key)), QStringLiteral("uint64_t"));
    }
}
void AnalyseTest::declaredVariablesKeepTheirType()
{
    const auto c = compiled(
        QStringLiteral("BEGIN { x = 0; x = timestamp; } int x; self int y; int z[int]; BEGIN { self->y = timestamp; z[1] = timestamp; }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    for (const auto& variable : c.program->variables) {
        QCOMPARE(QString::fromStdString(types::spelled(variable.type)), QStringLiteral("int"));
        QCOMPARE(quint64{types::resolved(variable.type)->size}, quint64{4});
    }
}
void AnalyseTest::typesVariables()
{
    QFETCH(QString, text);
    QFETCH(QString, type);
    const auto c = compiled(QStringLiteral("BEGIN { %1; }").arg(text));
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->variables.size(), std::size_t{1});
    const auto spelled = QString::fromStdString(types::spelled(c.program->variables[0].type));
    if (type.contains(QStringLiteral("task_struct")) && spelled == QStringLiteral("void *")) QSKIP("this kernel has no BTF");
    QCOMPARE(spelled, type);
}

void AnalyseTest::countsMatches_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("script");
    QTest::addColumn<QString>("matched");
    QTest::newRow("one") << QStringLiteral("BEGIN") << false << QStringLiteral("description 'BEGIN' matched 1 probe");
    QTest::newRow("glob") << QStringLiteral("test:::entry") << false << QStringLiteral("description 'test:::entry' matched 2 probes");
    QTest::newRow("first of several") << QStringLiteral("test::read:entry,test::write:return { trace(1); } END { trace(2); }") << false
                                      << QStringLiteral("description 'test::read:entry' matched 3 probes");
    QTest::newRow("the provider first") << QStringLiteral("test::entry") << false << QStringLiteral("description 'test::entry' matched 2 probes");
    QTest::newRow("script") << QStringLiteral("BEGIN { trace(1); }") << true << QStringLiteral("script 'test.d' matched 1 probe");
    QTest::newRow("number") << QStringLiteral("1 { trace(1); }") << false << QStringLiteral("description '1' matched 1 probe");
}
void AnalyseTest::countsMatches()
{
    QFETCH(QString, text);
    QFETCH(bool, script);
    QFETCH(QString, matched);
    tests::Setting setting;
    setting.script = script;
    const auto c = compiled(text, setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(QString::fromStdString(c.program->matched), matched);
}

void AnalyseTest::optionsOfTheProgramWinOverThoseOfTheCommandLine()
{
    const auto text = QStringLiteral("#pragma D option quiet\n#pragma D option stackframes=7\nBEGIN { "
                                     "@[stack(), ustack()] = count(); }");
    tests::Setting setting;
    QVERIFY(setting.options.set("stackframes", "3")); // as DTrace for Linux has it: what is set last counts
    QVERIFY(setting.options.set("ustackframes", "9"));
    const auto c = compiled(text, setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QVERIFY(c.program->options.flag("quiet"));
    QCOMPARE(c.statements(), QStringLiteral("@[stack(7), ustack(9)] = count()"));
}

void AnalyseTest::resultsAreGivenWhereProviderAndKernelLetThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("refused");
    QTest::newRow("both do") << "test::write:entry { return(0); }" << "";
    QTest::newRow("the provider does not") << "test::read:entry { return(0); }" << "test:mod:read:entry";
    QTest::newRow("the kernel does not") << "test:::path { return(0); }" << "test:mod::path";
    QTest::newRow("one of several") << "test::write:entry, test::read:entry { return(0); }" << "test:mod:read:entry";
    QTest::newRow("nothing is given") << "test::read:entry { trace(0); }" << "";
}
void AnalyseTest::resultsAreGivenWhereProviderAndKernelLetThem()
{
    QFETCH(QString, text);
    const auto c = compiled(text);
    QVERIFY2(c.program, qPrintable(c.said()));
    QTEST(QString::fromStdString(c.program->refusesResult), "refused");
}
void AnalyseTest::clausesShareTheProbesTheyEnable()
{
    const auto c
        = compiled(QStringLiteral("END { trace(1); } BEGIN { trace(2); } BEGIN, END { trace(3); } BEGIN, dtrace:::BEGIN { trace(4); }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->probes.size(), std::size_t{2});
    QCOMPARE(c.program->probes[0].name.name, std::string("BEGIN")); // in order of their numbers
    QCOMPARE(c.program->probes[0].clauses, (std::vector<std::uint32_t>{1, 2, 3, 3})); // named twice, fires twice
    QCOMPARE(c.program->probes[1].clauses, (std::vector<std::uint32_t>{0, 2}));
}

void AnalyseTest::compilesAClauseOncePerSetOfArgumentTypes()
{
    const auto c = compiled(QStringLiteral("test:::task, test:::other { trace((long)args[0]); }"));
    QVERIFY(!c.program); // args[0] of task is translated data
    const auto both = compiled(QStringLiteral("test::read:entry, test:::other { trace((long)args[0]); }"));
    QVERIFY2(both.program, qPrintable(both.said()));
    QCOMPARE(both.program->clauses.size(), std::size_t{2});
    const auto same = compiled(QStringLiteral("test::read:entry, test::write:entry { trace(args[0]); }"));
    QCOMPARE(same.program->clauses.size(), std::size_t{1});
    const auto untyped = compiled(QStringLiteral("test::read:entry, test:::other { trace(arg0); }"));
    QCOMPARE(untyped.program->clauses.size(), std::size_t{1});
}

void AnalyseTest::describesOnlyArgumentsThatAreUsed()
{
    const auto c = compiled(QStringLiteral("test::read:entry { trace(arg2); trace(arg7); }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    const auto& args = c.program->probes.at(0).args;
    QCOMPARE(args.size(), std::size_t{8});
    QVERIFY(!args[0] && !args[1] && !args[3]);
    QCOMPARE(QString::fromStdString(sema::print(*c.program, *args[2])), QStringLiteral("(size_t)*(uint64_t *)(raw[0] + 96u)"));
    QCOMPARE(QString::fromStdString(sema::print(*c.program, *args[7])), QStringLiteral("0")); // it has no such argument
}

void AnalyseTest::keepsConditionsOfHooks()
{
    const auto c = compiled(QStringLiteral("test:::task { trace(1); } test::write:entry { trace(2); }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    const auto& write = c.program->probes.at(0);
    QCOMPARE(write.hooks.at(0).selectorWord, 1);
    QCOMPARE(write.hooks.at(0).selector, std::uint64_t{1});
    QVERIFY(!write.hooks.at(0).when);
    QCOMPARE(QString::fromStdString(sema::print(*c.program, *c.program->probes.at(1).hooks.at(0).when)),
        QStringLiteral("((raw[1] & 65536u) == 0u)"));
}

void AnalyseTest::readsLibrariesOnlyWhenNamesOfTheirsAreUsed()
{
    // The number that the next text would get tells how many there are.
    const auto files = [](tests::Compiled c) { return c.sources.add({}); };
    QCOMPARE(files(compiled(QStringLiteral("BEGIN { @[execname] = count(); x = 1; }"))), 1u);
    QVERIFY(files(compiled(QStringLiteral("BEGIN { trace(LIMIT); }"))) > 1u);
}

void AnalyseTest::namesKeysAndValuesAsWritten()
{
    const auto c = compiled(QStringLiteral(
        "BEGIN { self->ts = timestamp; @t[execname,  pid +\n 1] = sum(timestamp - self->ts); printf(\"%d %s\", pid*2, execname); }"));
    QVERIFY2(c.program, qPrintable(c.said()));
    const auto& a = c.program->aggregations.at(0);
    QCOMPARE(a.keyNames, (std::vector<std::string>{"execname", "pid + 1"}));
    QCOMPARE(a.value, std::string("timestamp - self->ts"));
    QCOMPARE(types::spelled(a.valueType), std::string("uint64_t"));
    QCOMPARE(c.program->clauses.at(0).body.at(2).argNames, (std::vector<std::string>{"pid*2", "execname"}));
}

void AnalyseTest::tellsOfProcessesWhenAProviderDoes()
{
    QVERIFY(compiled(QStringLiteral("proc:::exit { trace(1); }")).program->tellsOfProcesses);
    QVERIFY(!compiled(QStringLiteral("BEGIN { trace(1); }")).program->tellsOfProcesses);
}

void AnalyseTest::knowsDestructivePrograms_data()
{
    QTest::addColumn<bool>("destructive");
    QTest::newRow("system(\"ls\")") << true;
    QTest::newRow("stop()") << true;
    QTest::newRow("raise(1)") << true;
    QTest::newRow("chill(1)") << true;
    QTest::newRow("freopen(\"x\")") << true;
    QTest::newRow("copyout(alloca(4), arg0, 4)") << true;
    QTest::newRow("trace(1)") << false;
    QTest::newRow("exit(0)") << false;
    QTest::newRow("printf(\"x\")") << false;
}
void AnalyseTest::knowsDestructivePrograms()
{
    QFETCH(bool, destructive);
    const auto c = compiled(QStringLiteral("BEGIN { %1; }").arg(QString::fromLatin1(QTest::currentDataTag())));
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->destructive, destructive);
}

void AnalyseTest::emptyClausesTakeTheDefaultAction()
{
    QVERIFY(compiled(QStringLiteral("BEGIN")).program->clauses.at(0).defaultAction);
    QVERIFY(compiled(QStringLiteral("BEGIN { }")).program->clauses.at(0).defaultAction);
    QVERIFY(!compiled(QStringLiteral("BEGIN { x = 1; }")).program->clauses.at(0).defaultAction);
}

void AnalyseTest::letsProbesBeMissingWhenAsked()
{
    tests::Setting setting;
    setting.allowNoMatch = true;
    const auto c = compiled(QStringLiteral("nothing:::here { trace(1); } BEGIN { trace(2); }"), setting);
    QVERIFY2(c.program, qPrintable(c.said()));
    QCOMPARE(c.program->probes.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(c.program->matched), QStringLiteral("description 'nothing:::here' matched 1 probe"));
}

QTEST_GUILESS_MAIN(AnalyseTest)
#include "tst_analyse.moc"
