// needs: tests/support
#include "compiled.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using tests::compiled;

/// Wrong programs: dtrace's tag and words, and our hints.
class ErrorsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatIsWrong_data();
    void tellsWhatIsWrong();
    void suggestsWhatWasMeant_data();
    void suggestsWhatWasMeant();
    void collectsErrorsOfAllClauses();
    void tellsAnUndefinedNameOnce();
    void pointsAtTheExpression();
    void inlinesDoNotDoubleWithoutEnd();
};

void ErrorsTest::inlinesDoNotDoubleWithoutEnd()
{
    QString text = QStringLiteral("inline int a0 = pid; ");
    for (int i = 0; i < 40; ++i)
        text += QStringLiteral("inline int a%2 = a%1 + a%1; ").arg(i).arg(i + 1);
    const auto c = compiled(text + QStringLiteral("BEGIN { trace(a40); }"));
    QVERIFY(!c.program);
    QVERIFY2(c.said().contains(QStringLiteral("stands for too much")), qPrintable(c.said()));
}

void ErrorsTest::tellsWhatIsWrong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* text, const char* said) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(said); };
    row("test::nosuch:entry { @a = count(); self->x = 1; } test:::task { printa(@a); trace(self->x); }",
        "[D_PDESC_ZERO] probe description test::nosuch:entry does not match any probes");
    row("BEGIN { trace(nosuch); }", "[D_IDENT_UNDEF] failed to resolve nosuch: Unknown variable name");
    row("BEGIN { trace(self->x); }", "[D_VAR_UNDEF] self->x has not yet been declared or assigned");
    row("BEGIN { trace(a[1]); }", "[D_VAR_UNDEF] a has not yet been declared or assigned");
    row("BEGIN { x += 1; }", "[D_VAR_UNDEF] x has not yet been declared or assigned");
    row("BEGIN { p -= 1; }", "[D_VAR_UNDEF] p has not yet been declared or assigned"); // libraries have parameters of that name
    row("BEGIN { getf(execname); }",
        "[D_PROTO_ARG] getf( ) argument #1 is incompatible with prototype:\n\tprototype: int\n\t argument: string");
    row("int strstr; BEGIN { }", "[D_DECL_IDRED] built-in identifier redeclared: strstr");
    row("#pragma D option version=1.1\nint freopen; BEGIN { }", "[D_DECL_IDRED] built-in identifier redeclared: freopen");
    row("#pragma D option version=1.2\nBEGIN { trace(htons(1)); }", "[D_FUNC_UNDEF] undefined function name: htons");
    row("typedef pint new_int; BEGIN { }", "[D_SYNTAX] syntax error near \"new_int; BEGIN { }\"");
    row("BEGIN { trace(offsetof(nosuch_t, member)); }", "[D_SYNTAX] syntax error near \"nosuch_t, member)); }\"");
    row("struct { int a; } arg; BEGIN { pcap(arg, 0); }",
        "[D_PROTO_ARG] pcap( ) argument #1 is incompatible with prototype:\n\tprototype: void *\n\t argument: struct ");
    row("#pragma D option amin=Evolving/Evolving/Common\nBEGIN { }",
        "[D_ATTR_MIN] attributes for clause (Unstable/Unstable/Common) are less than predefined minimum");
    row("#pragma D option amin=Evolving/Evolving/Common\ndtrace:::BEGIN { trace(curthread); }",
        "[D_ATTR_MIN] attributes for identifier curthread (Stable/Private/Common) are less than predefined minimum");
    row("#pragma D option amin=Evolving/Evolving/Common\nBEGIN { trace(curthread); trace(curthread); } BEGIN { trace(curthread); }",
        "[D_ATTR_MIN] attributes for clause (Unstable/Unstable/Common) are less than predefined minimum");
    row("#pragma D option amin=Evolving/Evolving/Common\ndtrace:::BEGIN /curthread != NULL/ { trace(pid); trace(curthread); }",
        "[D_ATTR_MIN] attributes for identifier curthread (Stable/Private/Common) are less than predefined minimum");
    row("#pragma D option amin=Stable/Stable/Common\ndtrace:::BEGIN { trace(htons(1)); }",
        "[D_ATTR_MIN] attributes for htons( ) (Evolving/Evolving/Common) are less than predefined minimum");
    row("BEGIN { nosuch(1); }", "[D_FUNC_UNDEF] undefined function name: nosuch");
    row("BEGIN { trace(1 / 0); }", "[D_DIV_ZERO] expression contains division by zero");
    row("BEGIN { trace(pid % 0); }", "[D_DIV_ZERO] expression contains division by zero");
    row("BEGIN { x = execname; x = 1; }", "[D_OP_INCOMPAT] operands have incompatible types: \"string\" = \"int\"");
    row("BEGIN { trace(execname == 1); }", "[D_OP_INCOMPAT] operands have incompatible types: \"string\" == \"int\"");
    row("BEGIN { trace(execname * 2); }", "[D_OP_ARITH] operator * requires operands of arithmetic type");
    row("BEGIN { trace(execname & 2); }", "[D_OP_INT] operator & requires operands of integral type");
    row("BEGIN { trace(execname && 1); }", "[D_OP_SCALAR] operator && requires operands of scalar type");
    row("BEGIN { trace(!execname); }", "[D_OP_SCALAR] operator ! requires an operand of scalar type");
    row("BEGIN { trace(-execname); }", "[D_OP_ARITH] operator - requires an operand of arithmetic type");
    row("BEGIN { pid = 1; }", "[D_OP_WRITE] operator = can only be applied to a writable variable");
    row("BEGIN { pid++; }", "[D_OP_WRITE] operator ++ can only be applied to a writable variable");
    row("BEGIN { 3++; }", "[D_OP_LVAL] operator ++ requires modifiable lvalue as an operand");
    row("BEGIN /execname/ { trace(1); }", "[D_PRED_SCALAR] predicate result must be of scalar type");
    row("BEGIN { trace(*pid); }", "[D_DEREF_NONPTR] cannot dereference non-pointer type");
    row("BEGIN { x = 1; trace(&x); }", "[D_ADDROF_VAR] cannot take address of dynamic variable");
    row("BEGIN { x = 1; trace(x->y); }", "[D_OP_PTR] operator -> must be applied to a pointer");
    row("test:::task { trace(args[1]->nosuch); }", "[D_TYPE_MEMBER] nosuch is not a member of struct task");
    row("test:::task { trace(args[0]->i_none); }", "[D_XLATE_NOCONV] translator does not define conversion for member: i_none");
    row("BEGIN { trace(xlate <info_t *> (\"x\")->i_id); }", "[D_XLATE_NONE] cannot translate from \"string\" to \"info_t *\"");
    row("test:::task { trace(args[7]); }", "[D_ARGS_IDX] index 7 is out of range for test:::task args[ ]");
    row("test::read:entry { trace(args.name); }", "[D_ARGS_IDX] no argument of test:mod:read:entry is known by the name name");
    row("test:::task { trace(args.info); }", "[D_ARGS_IDX] no argument of test:mod::task is known by the name info");
    row("inline int first = args.fd;", "[D_ARGS_NONE] args[ ] may not be referenced outside of a probe clause");
    row("test::read:entry { trace(args->fd); }", "[D_IDENT_BADREF] associative array 'args' may not be referenced as scalar");
    row("BEGIN { trace(return); }", "[D_IDENT_BADREF] tracing function 'return' may not be referenced as scalar");
    row("BEGIN { x = count + 1; }", "[D_IDENT_BADREF] aggregating function 'count' may not be referenced as scalar");
    row("BEGIN { @[strlen] = count(); }", "[D_IDENT_BADREF] function 'strlen' may not be referenced as scalar");
    row("BEGIN { x = ustack; }", "[D_IDENT_BADREF] function 'ustack' may not be referenced as scalar");
    row("test::: { trace(args[0]); }",
        "[D_ARGS_MULTI] args[ ] may not be referenced because probe description test::: matches an unstable set of probes");
    row("test::nosuch:entry { trace(1); }", "[D_PDESC_ZERO] probe description test::nosuch:entry does not match any probes");
    row("99999 { trace(1); }", "[D_PDESC_INVAL] invalid probe identifier 99999: Unknown probe identifier");
    row("BEGIN { @a; }", "[D_IDENT_UNDEF] failed to resolve @a: Unknown variable name");
    row("BEGIN { @a = count(); @a; }", "[D_AGG_NULL] expression has null effect: @a");
    row("BEGIN { @a = pid; }", "[D_AGG_FUNC] @a must be assigned the result of an aggregating function");
    row("BEGIN { @a = count();\n@a = sum(1); }",
        "[D_AGG_REDEF] aggregation redefined: @a\n\t current: @a = sum( )\n\tprevious: @a = count( ) : line 1");
    row("BEGIN { @a[1] = count(); @a = count(); }", "[D_PROTO_LEN] @a[ ] prototype mismatch: 0 keys passed, 1 expected");
    row("BEGIN { @a[1] = count(); @a[execname] = count(); }",
        "[D_PROTO_ARG] @a[ ] key #1 is incompatible with prototype:\n\tprototype: int\n\t      key: string");
    row("BEGIN { @a = sum(); }", "[D_PROTO_LEN] sum( ) prototype mismatch: 0 args passed, 1 expected");
    row("BEGIN { @a = sum(execname); }", "[D_AGG_SCALAR] sum( ) argument #1 must be of scalar type");
    row("BEGIN { @a = lquantize(1, 2); }", "[D_PROTO_LEN] lquantize( ) prototype mismatch: 2 args passed, at least 3 expected");
    row("BEGIN { @a = lquantize(1, pid, 2); }", "[D_LQUANT_BASETYPE] lquantize( ) argument #1 must be an integer constant");
    row("BEGIN { @a = lquantize(1, 5, 2); }", "[D_LQUANT_MISMATCH] lquantize( ) base (argument #1) must be less than limit (argument #2)");
    row("BEGIN { @a = lquantize(1, 0, 9, -1); }",
        "[D_LQUANT_STEPTYPE] lquantize( ) argument #3 must be a non-zero positive integer constant");
    row("BEGIN { @a = lquantize(1, 0, 9); @a = lquantize(1, 1, 9); }",
        "[D_LQUANT_MATCHBASE] lquantize( ) base (argument #1) doesn't match previous declaration: expected 0, found 1");
    row("BEGIN { @a = llquantize(1, 1, 0, 3, 10); }",
        "[D_LLQUANT_FACTORVAL] llquantize( ) argument #1 must be an unsigned 16-bit quantity greater than or equal to 2");
    row("BEGIN { @a[count()] = count(); }", "[D_KEY_TYPE] aggregating function expression may not be used as aggregation index: key #1");
    row("BEGIN { printf(); }", "[D_PROTO_LEN] printf( ) prototype mismatch: 0 args passed, at least 1 expected");
    row("BEGIN { printf(pid); }",
        "[D_PROTO_ARG] printf( ) argument #1 is incompatible with prototype:\n\tprototype: string\n\t argument: pid_t");
    row("BEGIN { printf(execname); }",
        "[D_PRINTF_ARG_FMT] printf( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: string");
    row("BEGIN { printf(\"\"); }", "[D_PRINTF_FMT_EMPTY] printf( ) format string is empty");
    row("BEGIN { printf(\"%d\"); }",
        "[D_PRINTF_ARG_PROTO] printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding value argument");
    row("BEGIN { printf(\"%d\", 1, 2); }",
        "[D_PRINTF_ARG_EXTRA] printf( ) prototype mismatch: only 1 arguments required by this format string");
    row("BEGIN { printf(\"%s\", pid); }",
        "[D_PRINTF_ARG_TYPE] printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: %s\n\t prototype: char [] "
        "or string (or use stringof)\n\t  argument: pid_t");
    row("BEGIN { printf(\"%*d\", execname, 1); }",
        "[D_PRINTF_DYN_TYPE] printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: % * d\n\t prototype: "
        "int\n\t  argument: string");
    row("BEGIN { printf(\"%@d\", 1); }", "[D_PRINTF_AGG_CONV] %@ conversion requires an aggregation and is not for use with printf( )");
    row("BEGIN { printa(1); }",
        "[D_PRINTA_AGGARG] printa( ) argument #1 is incompatible with prototype:\n\tprototype: aggregation\n\t argument: int");
    row("BEGIN { @a[1] = count(); @b = count(); printa(@a, @b); }",
        "[D_PRINTA_AGGKEY] printa( ): @a and @b do not have matching key signatures: @a has 1 key, @b has 0 keys");
    row("BEGIN { clear(1); }",
        "[D_CLEAR_AGGARG] clear( ) argument #1 is incompatible with prototype:\n\tprototype: aggregation\n\t argument: int");
    row("BEGIN { clear(@a); }", "[D_CLEAR_AGGBAD] undefined aggregation: @a");
    row("BEGIN { trunc(1); }",
        "[D_TRUNC_AGGARG] trunc( ) argument #1 is incompatible with prototype:\n\tprototype: aggregation\n\t argument: int");
    row("BEGIN { normalize(@a, 2); }", "[D_NORMALIZE_AGGBAD] undefined aggregation: @a");
    // Source: what DTrace for Linux 2.0.7 says of these.
    row("provider a1 { probe x(); }; BEGIN { }", "[D_PROV_BADNAME] provider name may not end with a digit: a1");
    row("provider a { probe x(); probe x(); }; BEGIN { }", "[D_PROV_PRDUP] probe redeclared: a:::x");
    row("provider a { probe x(); }; provider a { probe y(); }; BEGIN { }", "[D_PROV_INCOMPAT] provider interface mismatch: a\n\t current: probe a:::y defined\n\tprevious: probe a:::y not defined");
    row("provider a { probe x(int b) : (int c); }; BEGIN { }", "[D_DECL_PROTO_FORM] parameter is not declared in probe output prototype: c, parameter #1");
    row("provider a { probe x(int b, int b); }; BEGIN { }", "[D_DECL_PROTO_FORM] parameter is already declared in probe input prototype: b, parameter #2");
    row("provider a { probe x(int, void); }; BEGIN { }", "[D_DECL_PROTO_VOID] void must be sole parameter");
    row("provider a { probe x(int n) : (int n, void); }; BEGIN { }", "[D_DECL_PROTO_VOID] void must be sole parameter");
    row("provider a { probe x(void v); }; BEGIN { }", "[D_DECL_PROTO_NAME] void parameter may not have a name: v");
    row("provider a { probe x(int, char *) : (char *, int); }; BEGIN { }", "[D_DECL_PROTO_NAME] parameter declaration requires a name: parameter #1");
    row("provider a { probe x(int b, ...); }; BEGIN { }", "[D_DECL_PROTO_VARARGS] probe input prototype may not use a variable-length argument list");
    row("provider a { probe x(int b) : (int b, int b, char *b); }; BEGIN { }", "[D_PROV_PRXLATOR] translator for a:::x output argument #3 from int to char * is not defined");
    row("BEGIN { return(); }", "[D_PROTO_LEN] return( ) prototype mismatch: 0 args passed, 1 expected");
    row("BEGIN { return(\"\"); }", "[D_PROTO_ARG] return( ) argument #1 is incompatible with prototype:\n\tprototype: int\n\t argument: string");
    row("BEGIN { return 1; }", "[D_SYNTAX] syntax error near \"1\"");
    row("BEGIN { trace(); }", "[D_PROTO_LEN] trace( ) prototype mismatch: 0 args passed, 1 expected");
    row("BEGIN { @a = count(); trace(@a); }", "[D_TRACE_DYN] trace( ) may not be applied to a dynamic expression");
    row("BEGIN { trace(trace(1)); }", "[D_TRACE_VOID] trace( ) may not be applied to a void expression");
    row("BEGIN { exit(execname); }",
        "[D_PROTO_ARG] exit( ) argument #1 is incompatible with prototype:\n\tprototype: int\n\t argument: string");
    row("BEGIN { exit(); }", "[D_PROTO_LEN] exit( ) prototype mismatch: 0 args passed, 1 expected");
    row("BEGIN { stack(0); }", "[D_STACK_SIZE] stack( ) argument #1 must be a non-zero positive integer constant");
    row("BEGIN { ustack(pid); }", "[D_USTACK_FRAMES] ustack( ) argument #1 must be a non-zero positive integer constant");
    row("BEGIN { trace(strlen()); }", "[D_PROTO_LEN] strlen( ) prototype mismatch: 0 args passed, 1 expected");
    row("BEGIN { trace(substr(\"a\")); }", "[D_PROTO_LEN] substr( ) prototype mismatch: 1 arg passed, at least 2 expected");
    row("BEGIN { trace(strlen(pid)); }",
        "[D_PROTO_ARG] strlen( ) argument #1 is incompatible with prototype:\n\tprototype: char *\n\t argument: pid_t");
    row("BEGIN { speculate(1); exit(0); }", "[D_EXIT_SPEC] exit( ) may not follow speculate( )");
    row("BEGIN { trace(1); speculate(1); }", "[D_SPEC_DREC] speculate( ) may not follow data-recording action(s)");
    row("BEGIN { commit(1); trace(1); }", "[D_DREC_COMM] data-recording actions may not follow commit( )");
    row("BEGIN { speculate(1); stop(); }", "[D_ACT_SPEC] destructive actions may not follow speculate( )");
    row("BEGIN { trace(sizeof(void)); }", "[D_SIZEOF_TYPE] cannot apply sizeof to an operand of unknown size");
    row("BEGIN { trace((int)curpsinfo2); }", "[D_IDENT_UNDEF] failed to resolve curpsinfo2: Unknown variable name");
    row("int x; string x; BEGIN { trace(1); }",
        "[D_DECL_IDRED] identifier redeclared: x\n\t current: scalar string\n\tprevious: scalar int");
    row("int pid; BEGIN { trace(1); }", "[D_DECL_IDRED] built-in identifier redeclared: pid");
    row("struct nosuch s; BEGIN { trace(1); }", "[D_DECL_INCOMPLETE] incomplete struct/union/enum struct nosuch: s");
    row("#pragma D option strsize=128k\nBEGIN { trace(1); }",
        "[D_PRAGMA_OPTSET] failed to set option 'strsize' to '128k': 65536 (64k) is the largest value");
    row("#pragma D option nosuch\nBEGIN { trace(1); }", "[D_PRAGMA_OPTSET] failed to set option 'nosuch': Invalid option name");
    row("#pragma D option bufsize=xyz\nBEGIN { trace(1); }",
        "[D_PRAGMA_OPTSET] failed to set option 'bufsize' to 'xyz': Invalid value for specified option");
    row("#pragma D depends_on provider nosuch\nBEGIN { trace(1); }", "[D_PRAGMA_DEPEND] program requires provider nosuch");
    row("#pragma D depends_on module nosuch\nBEGIN { trace(1); }", "[D_PRAGMA_DEPEND] program requires module nosuch");
    row("int x;", "[D_EMPTY] empty D program translation unit");
    row("BEGIN { this->x[1] = 2; }", "[D_ARR_LOCAL] local variables may not be used as associative arrays: x");
    row("BEGIN { x[1] = 1; x[1, 2] = 3; }", "[D_PROTO_LEN] x[ ] prototype mismatch: 2 keys passed, 1 expected");
    row("BEGIN { x[1] = 1; x = 2; }", "[D_IDENT_BADREF] associative array 'x' may not be referenced as scalar");
    row("BEGIN { trace((struct task)pid); }", "[D_CAST_INVAL] invalid cast expression: \"pid_t\" to \"struct task\"");
    row("test:::task { x = args[1]->name; }", "[D_OP_ARRFUN] operator = may not be applied to operand of type \"char [16]\"");
    row("test:::task { trace(args[1]->name[16]); }", "[D_ARR_BOUNDS] index outside array bounds: 16, max is 16");
    row("test:::task { args[1]->id = 3; }", "[D_OP_WRITE] operator = can only be applied to a writable variable");
}
void ErrorsTest::tellsWhatIsWrong()
{
    QFETCH(QString, text);
    QFETCH(QString, said);
    const auto c = compiled(text);
    QVERIFY(!c.program);
    QCOMPARE(c.said(), said);
}

void ErrorsTest::suggestsWhatWasMeant_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* text, const char* hint) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(hint); };
    row("BEGIN { trace(exename); }", "did you mean execname?");
    row("BEGIN { self->start = 1; trace(self->strat); }", "did you mean self->start?");
    row("BEGIN { prnitf(\"x\"); }", "did you mean printf, print or printa?");
    row("BEGIN { trace(strlne(\"x\")); }", "did you mean strlen?");
    row("BEGIN { @bytes = count(); printa(@byte); }", "did you mean @bytes?");
    row("test::raed:entry { trace(1); }", "did you mean test::read:entry?");
    row("test::read:enrty { trace(1); }", "did you mean test::read:entry?");
    row("tets::read:entry { trace(1); }", "did you mean test::read:entry?");
    row("test:::begin { trace(1); }", "test has the probes entry, other, path, return, task");
    row("mysql:::query { trace(1); }", "the providers are dtrace, test, proc");
    row("test:::task { trace(args[1]->nmae); }", "did you mean name?");
    row("test:::task { trace(args[0]->i_ide); }", "did you mean i_id?");
    row("BEGIN { printf(\"%d\", execname); }", "%s prints a string");
    row("test:::task { x = args[1]->name; }", "stringof(args[1]->name) makes a string of it");
}
void ErrorsTest::suggestsWhatWasMeant()
{
    QFETCH(QString, text);
    QFETCH(QString, hint);
    QCOMPARE(compiled(text).hints(), hint);
}

void ErrorsTest::collectsErrorsOfAllClauses()
{
    const auto c = compiled(QStringLiteral("BEGIN { trace(one); exit(0, 1); } END { trace(two); }"));
    QCOMPARE(c.diagnostics.all().size(), std::size_t{3});
}
void ErrorsTest::tellsAnUndefinedNameOnce()
{
    QCOMPARE(compiled(QStringLiteral("BEGIN { x = nosuch; y = x + nosuch; @[x] = count(); printa(\"%d\", @); }")).diagnostics.all().size(),
        std::size_t{1});
}
void ErrorsTest::pointsAtTheExpression()
{
    const auto c = compiled(QStringLiteral("BEGIN {\n  trace(1);\n  trace(execname * 2);\n}"));
    const auto& d = c.diagnostics.all().at(0);
    QCOMPARE(c.sources.position(d.at).line, 3u);
    QCOMPARE(std::string(c.sources.text(d.at)), std::string("execname * 2"));
}

QTEST_GUILESS_MAIN(ErrorsTest)
#include "tst_errors.moc"
