#include "engine/syntax/parser.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::syntax;

/// What is told of wrong programs: dtrace's tag, line and words. Learned from what dtrace says to such programs.
class TestParserErrors : public QObject {
    Q_OBJECT
    static QByteArray told(const QByteArray& text)
    {
        Sources sources;
        const auto file = sources.add({"x.d", text.toStdString()});
        Macros macros;
        macros.arguments = {"x.d"};
        Diagnostics diagnostics;
        parse(sources, file, macros, diagnostics);
        if (diagnostics.all().size() != 1) return QByteArray::number(int(diagnostics.all().size())) + " errors";
        const auto line = QByteArray::fromStdString(headline(diagnostics.all().at(0), sources, syntax::Tags::Shown));
        const QByteArray prefix = "failed to compile script x.d: ";
        return line.startsWith(prefix) ? line.mid(prefix.size()) : line;
    }

private Q_SLOTS:
    void wrongProgramsAreToldInDtracesWords_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        // expressions
        row("operator without operand", "BEGIN\n{\n\ti+-;\n}", "[D_SYNTAX] line 3: syntax error near \";\"");
        row("two operators", "BEGIN { i = 1; i */= i; }", "[D_SYNTAX] line 1: syntax error near \"/=\"");
        row("operators in a predicate", "BEGIN { i = 0; } BEGIN\n/i < != > 10/\n{ }", "[D_SYNTAX] line 2: syntax error near \"!=\"");
        row("braces of an initializer", "BEGIN { x[10]=[0, 1]; }", "[D_SYNTAX] line 1: syntax error near \"[\"");
        row("assignment to a sum", "BEGIN { a + b = c; }", "[D_SYNTAX] line 1: syntax error near \"=\"");
        row("sizeof nothing", "BEGIN { x = sizeof(*); }", "[D_SYNTAX] line 1: syntax error near \")\"");
        row("an enumerator named as a type", "enum e { one, size_t };", "[D_SYNTAX] line 1: syntax error near \"size_t };\"");
        row("an enumerator named as a typedef", "typedef int mine; enum e { mine };", "[D_SYNTAX] line 1: syntax error near \"mine\"");
        row("empty brackets", "BEGIN { x = y[]; }", "[D_SYNTAX] line 1: syntax error near \"]\"");
        row("a number and a name", "BEGIN { x = 123$pid; }", "[D_MACRO_UNDEF] line 1: macro variable $pid is not defined");
        row("a lone dollar", "BEGIN { print(\"\", $-1); }", "[D_SYNTAX] line 1: syntax error near \"$\"");
        row("missing argument", "\n\nBEGIN { trace($1); }", "[D_MACRO_UNDEF] line 3: macro argument $1 is not defined");
        row("missing argument in a probe name", "tick-$1 { }", "[D_MACRO_UNDEF] line 1: macro argument $1 is not defined");
        row("keyword as a name", "BEGIN { for = 1; }", "[D_SYNTAX] line 1: syntax error near \"for\"");
        row("call of no function", "BEGIN { x = (f)(1); }", "[D_FUNC_IDENT] line 1: function designator is not of function type");
        row("no statement separator", "BEGIN { x = 1 trace(1); }", "[D_SYNTAX] line 1: syntax error near \"trace\"");
        row("an unknown name: the rest of the line", "BEGIN { x = 1 why not;\n}", "[D_SYNTAX] line 1: syntax error near \"why not;\"");
        row("floating point", "BEGIN { x = 1.5; }", "[D_SYNTAX] line 1: floating-point constants are not permitted");
        row("aggregation sign behind", "tick-1s { trunc(bytes@, 2); }", "[D_SYNTAX] line 1: syntax error near \"@\"");
        // brackets
        row("brace not closed", "BEGIN\n{\n\ttrace(epid);\n", "[D_SYNTAX] line 4: syntax error near end of input");
        row("brace too many", "BEGIN\n{\n}\n}", "[D_SYNTAX] line 4: syntax error near \"}\"");
        row("bracket not closed", "BEGIN\n{\n\targs[0\n}", "[D_SYNTAX] line 4: syntax error near \"}\"");
        row("bracket too many", "BEGIN { trace(args[0]]); }", "[D_SYNTAX] line 1: extra ] in input stream");
        row("bracket in predicate", "BEGIN\n/args[0/\n{ }", "[D_SYNTAX] line 3: closing ] expected in predicate before /");
        row("parenthesis not closed", "BEGIN\n{\n\trand(\n}", "[D_SYNTAX] line 4: syntax error near \"}\"");
        row("parenthesis too many", "BEGIN { trace(epid)); }", "[D_SYNTAX] line 1: extra ) in input stream");
        row("parenthesis in predicate", "BEGIN\n/rand(/\n{ }", "[D_SYNTAX] line 3: closing ) expected in predicate before /");
        row("comment not closed", "BEGIN { /* }", "[D_SYNTAX] line 1: end-of-file encountered before matching */");
        row("comment in a comment", "/* /* */ */ BEGIN { }", "[D_SYNTAX] line 1: /* encountered inside a comment");
        // literals
        row("string over the line", "BEGIN\n{\n\th = \"hello\n there\";\n}", "[D_STR_NL] line 4: newline encountered in string literal");
        row("character over the line", "BEGIN\n{\n\th = '\n\t';\n}", "[D_CHR_NL] line 4: newline encountered in character constant");
        row("no character", "BEGIN { h = ''; }", "[D_CHR_NULL] line 1: empty character constant");
        row("too many characters", "BEGIN { h = 'abc\\fefghi'; }", "[D_CHR_OFLOW] line 1: character constant is too long");
        row("not octal", "BEGIN { 0128; }", "[D_INT_DIGIT] line 1: constant 0128 contains invalid digit 8");
        row("too big", "BEGIN { 0x12345678123456781; }", "[D_INT_OFLOW] line 1: constant 0x12345678123456781 results in integer overflow");
        // clauses
        row("no body", "BEGIN", "[D_SYNTAX] line 1: expected predicate and/or actions following probe description");
        row("a word in the way", "define VALUE 5\nBEGIN { }",
            "[D_SYNTAX] line 1: expected predicate and/or actions following probe description");
        row("declaration in the way", "profile-1\nint i;\n{ }",
            "[D_SYNTAX] line 1: expected predicate and/or actions following probe description");
        row("no actions", "BEGIN /1/", "[D_SYNTAX] line 1: expected actions { } following probe description and predicate");
        row("no actions, then more", "BEGIN /1/; END { }",
            "[D_SYNTAX] line 1: expected actions { } following probe description and predicate");
        row("a comma too many", "BEGIN, { }", "[D_SYNTAX] line 1: syntax error near \"{\"");
        row("a clause in a clause", "BEGIN\n{\n\ttick-10ms\n{\n}\n}", "[D_SYNTAX] line 3: syntax error near \"ms\"");
        row("declaration in a clause", "BEGIN { int i = 0; }", "[D_SYNTAX] line 1: syntax error near \"int\"");
        row("typedef in a clause", "BEGIN { typedef int new_int; }", "[D_SYNTAX] line 1: syntax error near \"typedef\"");
        row("initialized global", "int i = 0;\nBEGIN { }", "[D_SYNTAX] line 1: syntax error near \"=\"");
        row("else without if", "BEGIN { else x = 1; }", "[D_SYNTAX] line 1: syntax error near \"else\"");
        row("unknown character", "BEGIN { x = 1 # 2; }", "[D_SYNTAX] line 1: syntax error near \"#\"");
        // declarations
        row("name begins with a digit", "int 0abc;", "[D_SYNTAX] line 1: syntax error near \"0\"");
        row("end after a new name", "\nint*x\n", "[D_SYNTAX] line 3: syntax error near end-of-input");
        row("probe names first", "#pragma D option pspec\nint*x\n",
            "[D_SYNTAX] line 2: expected predicate and/or actions following probe description");
        row("empty struct", "struct foo {\n\n};", "[D_SYNTAX] line 3: syntax error near \"}\"");
        row("translator in parentheses", "struct b { int i; };\ntranslator struct a (struct b *p)\n{\n i = 1;\n}",
            "[D_SYNTAX] line 3: syntax error near \"{\"");
        row("translator without braces", "struct b { int i; };\ntranslator struct a < struct b *p >\n i = p->i;\n;",
            "[D_SYNTAX] line 3: syntax error near \"i\"");
        row("no semicolon after a translator", "translator struct a < struct b *p > {\n}\ninline int x = 1;",
            "[D_SYNTAX] line 3: syntax error near \"inline\"");
        row("two storage classes", "this self int x;", "[D_DECL_CLASS] line 1: only one storage class allowed in a declaration");
        row("storage class of a parameter", "int foo(static int);",
            "[D_DECL_PARMCLASS] line 1: inappropriate storage class for function or associative array parameter");
        row("storage class that D has not", "register x;", "[D_DECL_BADCLASS] line 1: specified storage class not appropriate in D");
        row("long char", "long char x;",
            "[D_DECL_CHARATTR] line 1: invalid type declaration: short and long may not be used with char type");
        row("short void", "short void x;", "[D_DECL_VOIDATTR] line 1: invalid type declaration: attributes may not be used with void type");
        row("unsigned struct", "unsigned struct a\n{\n int i;\n};",
            "[D_DECL_SIGNINT] line 2: invalid type declaration: signed and unsigned may only be used with integer type");
        row("long struct", "long struct a\n{\n int i;\n};",
            "[D_DECL_LONGINT] line 2: invalid type declaration: long and long long may only be used with integer or floating-point type");
        row("two types", "int char x;", "[D_DECL_COMBO] line 1: invalid type combination");
        row("useless", "extern int;", "[D_DECL_USELESS] line 1: useless declaration");
        row("scope in a name", "int `xyz;", "[D_DECL_SCOPE] line 1: D scoping operator may not be used in a declaration name (`xyz)");
        row("unsized array", "int a[];", "[D_DECL_ARRNULL] line 1: array declaration requires array dimension or tuple signature: a");
        row("negative array", "int a[-1];",
            "[D_DECL_ARRSUB] line 1: positive integral constant expression or tuple signature expected as array declaration subscript");
        row("huge array", "int a[88294967295];", "[D_DECL_ARRBIG] line 1: array dimension too big");
        row("local associative array", "this int a[int];",
            "[D_DECL_LOCASSC] line 1: associative arrays may not be declared as local variables: a");
        row("variable tuple", "int a[...];", "[D_DECL_PROTO_VARARGS] line 1: array prototype may not use a variable-length argument list");
        row("void in a tuple", "int x[void, char];",
            "[D_DECL_PROTO_TYPE] line 1: array prototype may not use parameter of type void: (anonymous), parameter #1");
        row("associative parameter", "int a(int a[int]);",
            "[D_DECL_PROTO_TYPE] line 1: function prototype may not use parameter of type dynamic variable: a, parameter #1");
        row("named void", "int a(void v);", "[D_DECL_PROTO_NAME] line 1: void parameter may not have a name: v");
        row("void among others", "int a(int, void);", "[D_DECL_PROTO_VOID] line 1: void must be sole parameter");
        row("array of void", "void a[3];", "[D_DECL_VOIDOBJ] line 1: cannot declare array of void");
        row("void member", "struct a { void v; };", "[D_DECL_VOIDOBJ] line 1: cannot have void member: v");
        row("member twice", "struct a { int v; int v; };",
            "[D_UNKNOWN] line 1: failed to define member 'v': Duplicate member or variable name");
        row("struct twice", "struct a { int v; };\nstruct a\n{ int v; };", "[D_DECL_TYPERED] line 3: type redeclared: struct a");
        row("typedef twice", "typedef int a_t;\ntypedef char a_t;", "[D_DECL_IDRED] line 2: typedef redeclared: a_t");
        row("bit-field of no bits", "struct a { int v : 0; };",
            "[D_DECL_BFCONST] line 1: positive integral constant expression expected as bit-field size");
        row("bit-field too wide", "struct a { char v : 9; };", "[D_DECL_BFSIZE] line 1: bit-field too big for type: v");
        row("bit-field of a float", "struct a { float : 1; };", "[D_DECL_BFTYPE] line 1: invalid type for bit-field: (anon)");
        row("enumerator too big", "enum e { x = 2147483648 };",
            "[D_DECL_ENOFLOW] line 1: enumerator 'x' value overflows INT_MAX (2147483647)");
        row("enumerator after the biggest", "enum e { x = 2147483647, y };",
            "[D_DECL_ENOFLOW] line 1: enumerator 'y' value overflows INT_MAX (2147483647)");
        row("enumerator of text", "enum e {\n\tTAG = \"text\"\n};",
            "[D_DECL_ENCONST] line 3: enumerator 'TAG' must be assigned to an integral constant expression");
        row("enumerator twice", "enum e { x, x };",
            "[D_UNKNOWN] line 1: failed to define enumerator 'x': Duplicate member or variable name");
        row("enumerator of another enum", "enum e { x }; enum f { x };", "[D_DECL_IDRED] line 1: identifier redeclared: x");
        // control lines
        row("unknown directive", "#define X 1\nBEGIN { }", "[D_PRAGCTL_INVAL] line 1: invalid control directive: #define");
        row("unknown pragma", "#pragma D nonsense\nBEGIN { }", "[D_PRAGMA_INVAL] line 1: invalid D pragma: nonsense");
        row("option without a name", "\n#pragma D option\nBEGIN { }", "[D_PRAGMA_MALFORM] line 2: malformed #pragma option <option>=<val>");
        row("option with more", "#pragma D option nspec=24 * 44",
            "[D_PRAGMA_MALFORM] line 1: superfluous arguments specified for #pragma option");
        row("attributes of nothing", "#pragma D attributes Stable/Stable/Common",
            "[D_PRAGMA_MALFORM] line 1: malformed #pragma attributes <attributes> <ident>");
        row("unknown attributes", "#pragma D attributes incorrect_attr foo",
            "[D_PRAGMA_INVAL] line 1: invalid attributes specified by #pragma attributes");
        row("bad version", "#pragma D binding \"x.y\" foo", "[D_PRAGMA_INVAL] line 1: invalid version string specified by #pragma binding");
        row("binding of nothing", "#pragma D binding 1.0 foo", "[D_PRAGMA_MALFORM] line 1: malformed #pragma binding \"version\" <ident>");
        row("dependency on a library", "#pragma D depends_on library net.d",
            "[D_PRAGMA_DEPEND] line 1: main program may not explicitly depend on a library");
        row("dependency of another class", "#pragma D depends_on planet mars",
            "[D_PRAGMA_INVAL] line 1: invalid class planet specified by #pragma depends_on");
        row("error", "#pragma D error \"a message\"", "[D_PRAGERR] line 1: #error: a message ");
        row("what comes first is told", "BEGIN { ) }\n#pragma D nonsense", "[D_SYNTAX] line 1: extra ) in input stream");
        row("what comes first is told: pragma", "#pragma D nonsense\nBEGIN { ) }", "[D_PRAGMA_INVAL] line 1: invalid D pragma: nonsense");
        row("a line without a number", "BEGIN { }\n#line foo\n", "[D_PRAGMA_MALFORM] line 2: malformed #line <line> [ [\"file\"] state ]");
        row("a file without quotes", "# 12 foo\nBEGIN { }", "[D_PRAGMA_MALFORM] line 1: malformed #line <line> [ [\"file\"] state ]");
        row("line directives are heeded", "# 100 \"/dev/stdin\"\nBEGIN { ) }", "[D_SYNTAX] line 100: extra ) in input stream");
        row("included files are named", "#line 7 \"inc.h\"\n\nBEGIN { ) }", "[D_SYNTAX] \"inc.h\", line 8: extra ) in input stream");
    }
    void wrongProgramsAreToldInDtracesWords()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        // A control line must end before the text does.
        QCOMPARE(told(text.startsWith("#pragma") ? text + '\n' : text), expected);
    }

    void whatCameBeforeIsReturned()
    {
        Sources sources;
        const auto file = sources.add({"x.d", "int x;\nBEGIN { }\nEND { ) }"});
        Diagnostics diagnostics;
        QCOMPARE(parse(sources, file, {}, diagnostics).items.size(), std::size_t(2));
    }
    void loopsGetAHint()
    {
        Sources sources;
        const auto file = sources.add({"x.d", "BEGIN { while (1) x++; }"});
        Diagnostics diagnostics;
        parse(sources, file, {}, diagnostics);
        QCOMPARE(diagnostics.all().at(0).hints.size(), std::size_t(1));
    }
};
QTEST_GUILESS_MAIN(TestParserErrors)
#include "tst_parser_errors.moc"
