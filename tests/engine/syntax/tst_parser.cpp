#include "engine/syntax/parser.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::syntax;
using ast::ExprKind;

namespace {
Macros everyMacro()
{
    Macros macros;
    macros.arguments = {"script.d", "10sec", "str*", "3"};
    macros.numbers = {{"target", 4711}, {"pid", 1}};
    return macros;
}
struct Parsed {
    ast::Program program;
    QByteArray error;
};
Parsed parsed(const std::string& text, const IsType& isType = {}, const Macros& macros = everyMacro())
{
    Sources sources;
    const auto file = sources.add({"test.d", text});
    Diagnostics diagnostics;
    Parsed made{parse(sources, file, macros, diagnostics, isType), {}};
    for (const auto& d : diagnostics.all())
        made.error += QByteArray::fromStdString(rendered(d, sources, syntax::Tags::Shown));
    return made;
}
QByteArray again(const std::string& text)
{
    auto made = parsed(text);
    return made.error.isEmpty() ? QByteArray::fromStdString(print(made.program)) : made.error;
}
QByteArray expression(const char* text)
{
    Sources sources;
    const auto file = sources.add({{}, text});
    Diagnostics diagnostics;
    const auto expr = parseExpression(sources, file, diagnostics);
    return expr ? QByteArray::fromStdString(print(*expr)) : QByteArray::fromStdString(diagnostics.all().at(0).message);
}
/// The tree with a pair of parentheses around every operator: shows what binds to what.
std::string nested(const ast::Expr& e)
{
    std::string kids;
    for (const auto& kid : e.kids)
        kids += (kids.empty() ? "" : " ") + nested(*kid);
    switch (e.kind) {
    case ExprKind::Integer:
    case ExprKind::Identifier:
    case ExprKind::Macro: return e.text;
    case ExprKind::String: return "\"" + e.text + "\"";
    case ExprKind::ThisVariable: return "this:" + e.text;
    case ExprKind::SelfVariable: return "self:" + e.text;
    case ExprKind::Aggregation: return "@" + e.text + "{" + kids + "}";
    case ExprKind::Index: return "[" + kids + "]";
    case ExprKind::Call: return e.text + "(" + kids + ")";
    case ExprKind::Member: return "(. " + kids + " " + e.text + ")";
    case ExprKind::Arrow: return "(-> " + kids + " " + e.text + ")";
    case ExprKind::Unary: return "(u" + std::to_string(static_cast<int>(e.op)) + " " + kids + ")";
    case ExprKind::Binary: return "(b" + std::to_string(static_cast<int>(e.op)) + " " + kids + ")";
    case ExprKind::Conditional: return "(? " + kids + ")";
    case ExprKind::Assign: return "(= " + kids + ")";
    case ExprKind::Cast: return "(cast<" + print(*e.typeName) + "> " + kids + ")";
    case ExprKind::SizeofType: return "(sizeof<" + print(*e.typeName) + ">)";
    case ExprKind::SizeofExpr: return "(sizeof " + kids + ")";
    case ExprKind::Offsetof: return "(offsetof<" + print(*e.typeName) + "> " + e.text + ")";
    case ExprKind::Stringof: return "(stringof " + kids + ")";
    case ExprKind::Xlate: return "(xlate<" + print(*e.typeName) + "> " + kids + ")";
    case ExprKind::Comma: return "(, " + kids + ")";
    }
    return {};
}
} // namespace

class TestParser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsPrintedReadsAsTheSame_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto* folder : {"tests/engine/syntax/programs", "tests/engine/syntax/seeds", "examples"}) {
            const QDir dir(QStringLiteral(DSCOPE_SOURCE "/") + QLatin1String(folder));
            for (const auto& name : dir.entryList({QStringLiteral("*.d")}))
                QTest::newRow(qPrintable(dir.filePath(name).section(QLatin1Char('/'), -2))) << dir.filePath(name);
        }
    }
    void whatIsPrintedReadsAsTheSame()
    {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto first = again(file.readAll().toStdString());
        QVERIFY2(!first.startsWith("failed to compile"), first);
        QVERIFY(!first.isEmpty());
        QCOMPARE(again(first.toStdString()), first);
    }

    void operatorsBindAsInC_data()
    {
        QTest::addColumn<QByteArray>("loose");
        QTest::addColumn<QByteArray>("explicitly");
        const auto row
            = [](const char* loose, const char* explicitly) { QTest::newRow(loose) << QByteArray(loose) << QByteArray(explicitly); };
        row("a + b * c", "a + (b * c)");
        row("a - b - c", "(a - b) - c");
        row("a = b = c", "a = (b = c)");
        row("a ? b : c ? d : e", "a ? b : (c ? d : e)");
        row("a || b ^^ c && d", "a || (b ^^ (c && d))");
        row("a | b ^ c & d == e < f << g + h * i", "a | (b ^ (c & (d == (e < (f << (g + (h * i)))))))");
        row("!a == b", "(!a) == b");
        row("-a.b", "-(a.b)");
        row("*p++", "*(p++)");
        row("&a->b[1]", "&((a->b)[1])");
        row("(int)a + b", "((int)a) + b");
        row("(int)a.b", "(int)(a.b)");
        row("sizeof a + b", "(sizeof a) + b");
        row("stringof a == b", "(stringof a) == b");
        row("- -a", "-(-a)");
        row("a = b, c", "(a = b), c");
    }
    void operatorsBindAsInC()
    {
        QFETCH(QByteArray, loose);
        QFETCH(QByteArray, explicitly);
        const auto tree = [](const QByteArray& text) {
            const auto made = parsed("BEGIN { " + text.toStdString() + "; }");
            return made.error.isEmpty()
                ? QByteArray::fromStdString(nested(*std::get<ast::Clause>(made.program.items.at(0).is).body.at(0).expr))
                : made.error;
        };
        QCOMPARE(tree(loose), tree(explicitly));
    }

    void namesAndTypesAreToldApart_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("tree");
        const auto row = [](const char* text, const char* tree) { QTest::newRow(text) << QByteArray(text) << QByteArray(tree); };
        row("(int)x", "(cast<int> x)");
        row("(unsigned char)x", "(cast<unsigned char> x)");
        row("(struct file *)arg0", "(cast<struct file *> arg0)");
        row("(uint64_t)(x)", "(cast<uint64_t> x)");
        row("(x)(y)", "function designator is not of function type");
        row("(unknown_t)(x)", "(cast<unknown_t> x)");
        row("(unknown_t *)x", "(cast<unknown_t *> x)");
        row("(unknown)x", "(cast<unknown> x)");
        row("(unknown **)x", "(cast<unknown **> x)");
        row("(x) + 1", "(b0 x 1)");
        row("(x) - 1", "(b1 x 1)");
        row("(x_t) - 1", "(cast<x_t> (u20 1))");
        row("(pid) - 1", "(b1 pid 1)");
        row("(x) * y", "(b2 x y)");
        row("(x * y)", "(b2 x y)");
        row("(string)x", "(cast<string> x)");
        row("(const char *)x", "(cast<const char *> x)");
        row("(userland char *)x", "(cast<userland char *> x)");
        row("sizeof (x)", "(sizeof x)");
        row("sizeof (x_t)", "(sizeof<x_t>)");
        row("sizeof (x *)", "(sizeof<x *>)");
        row("sizeof (int) * 2", "(b2 (sizeof<int>) 2)");
        row("sizeof (pid)", "(sizeof pid)");
        row("offsetof(struct a, b.c)", "(offsetof<struct a> b.c)");
        row("xlate <info_t *> (x)->a", "(-> (xlate<info_t *> x) a)");
        row("(vmlinux`list_t *)x", "(cast<vmlinux`list_t *> x)");
        row("self->x->y", "(-> self:x y)");
        row("this->x[1]", "[this:x 1]");
        row("@[1, \"a\"]", "@{1 \"a\"}");
        row("@a[1]", "@a{1}");
        row("args[0]->x", "(-> [args 0] x)");
        row("\"a\" \"b\"", "\"ab\"");
        row("$1 + $target", "(b0 $1 $target)");
    }
    void namesAndTypesAreToldApart()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, tree);
        Sources sources;
        const auto file = sources.add({{}, text.toStdString()});
        Diagnostics diagnostics;
        const auto expr = parseExpression(sources, file, diagnostics);
        QCOMPARE(expr ? QByteArray::fromStdString(nested(*expr)) : QByteArray::fromStdString(diagnostics.all().at(0).message), tree);
    }

    void declaratorsReadFromTheInsideOut_data()
    {
        QTest::addColumn<QByteArray>("declaration");
        QTest::addColumn<QByteArray>("modifiers"); // P pointer, A array, F function, T tuple, applied in order
        const auto row = [](const char* declaration, const char* modifiers) {
            QTest::newRow(declaration) << QByteArray(declaration) << QByteArray(modifiers);
        };
        row("int x;", "");
        row("int *x;", "P");
        row("int *x[3];", "PA3");
        row("int (*x)[3];", "A3P");
        row("int x[2][3];", "A3A2");
        row("int (*x)(int);", "FP");
        row("int *(*x[3])(int);", "PFPA3");
        row("int x[string, int];", "T");
        row("int *x[struct y *];", "PT");
        row("int x[1 + 2 * 3];", "A7");
        row("int f(int, char *);", "F");
        row("int f();", "F");
        row("vnode_t **x;", "PP");
    }
    void declaratorsReadFromTheInsideOut()
    {
        QFETCH(QByteArray, declaration);
        QFETCH(QByteArray, modifiers);
        const auto made = parsed(declaration.toStdString());
        QVERIFY2(made.error.isEmpty(), made.error);
        const auto& type = std::get<ast::Declaration>(made.program.items.at(0).is).type;
        QByteArray found;
        for (const auto& m : type.modifiers)
            found += m.kind == ast::TypeName::Modifier::Kind::Pointer ? QByteArray("P")
                : m.kind == ast::TypeName::Modifier::Kind::Function   ? QByteArray("F")
                : m.isTuple                                           ? QByteArray("T")
                                                                      : "A" + QByteArray::number(quint64(m.count));
        QCOMPARE(found, modifiers);
    }

    void baseTypesHaveOneSpelling_data()
    {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("base");
        const auto row = [](const char* written, const char* base) { QTest::newRow(written) << QByteArray(written) << QByteArray(base); };
        row("unsigned", "unsigned int");
        row("signed", "int");
        row("long", "long");
        row("long int", "long");
        row("int long unsigned", "unsigned long");
        row("long long unsigned int", "unsigned long long");
        row("short int", "short");
        row("unsigned char", "unsigned char");
        row("signed char", "signed char");
        row("long double", "long double");
        row("struct foo", "struct foo");
        row("enum foo", "enum foo");
        row("string", "string");
        row("const volatile int", "int");
        row("pid_t", "pid_t");
    }
    void baseTypesHaveOneSpelling()
    {
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, base);
        const auto made = parsed(written.toStdString() + " x;");
        QVERIFY2(made.error.isEmpty(), made.error);
        QCOMPARE(QByteArray::fromStdString(std::get<ast::Declaration>(made.program.items.at(0).is).type.base), base);
    }

    void macrosStandInProbeNames()
    {
        const auto made = parsed("pid$target:lib$1:$2:entry, tick-$1 { trace($3); trace($$1); }");
        QVERIFY2(made.error.isEmpty(), made.error);
        const auto& clause = std::get<ast::Clause>(made.program.items.at(0).is);
        QCOMPARE(QByteArray::fromStdString(clause.probes.at(0).text), QByteArray("pid4711:lib10sec:str*:entry"));
        QCOMPARE(QByteArray::fromStdString(clause.probes.at(1).text), QByteArray("tick-10sec"));
        QCOMPARE(quint64(clause.body.at(0).expr->kids.at(0)->value), quint64(3));
    }
    void unusedArgumentsStayVisible()
    {
        auto macros = everyMacro();
        parsed("tick-$1 { trace($3); }", {}, macros);
        QCOMPARE(macros.used, (std::vector<bool>{false, true, false, true}));
    }
    void argrefTicksEveryArgument()
    {
        auto macros = everyMacro();
        parsed("#pragma D option argref\nBEGIN { }", {}, macros);
        QCOMPARE(macros.used, (std::vector<bool>{true, true, true, true}));
    }
    void defaultargsMayStandInTheProgram()
    {
        QCOMPARE(again("#pragma D option defaultargs\nBEGIN { trace($9); trace($$9); }"),
            QByteArray("#pragma D option defaultargs\n\nBEGIN\n{\n\ttrace(0);\n\ttrace(\"\");\n}\n"));
    }

    void pragmasStandWhereTheyStood()
    {
        const auto made
            = parsed("#pragma D option quiet\nint x;\n  #pragma D  option   strsize=8  \nBEGIN { }\n#pragma other\n#ident \"x\"\n");
        QVERIFY2(made.error.isEmpty(), made.error);
        QCOMPARE(made.program.items.size(), std::size_t(4));
        QCOMPARE(QByteArray::fromStdString(std::get<ast::Pragma>(made.program.items.at(0).is).text), QByteArray("option quiet"));
        QCOMPARE(QByteArray::fromStdString(std::get<ast::Pragma>(made.program.items.at(2).is).text), QByteArray("option   strsize=8"));
    }
    void hashSignsInCommentsAreNoPragmas()
    {
        QCOMPARE(again("/*\n#pragma D nonsense\n*/\nBEGIN { /*\n# x\n*/ }"), QByteArray("BEGIN\n{\n}\n"));
    }
    void hashSignsWithinLinesAreNoPragmas()
    {
        QCOMPARE(again("BEGIN { trace(\"x\"); #pragma D option quiet\n }").left(66),
            QByteArray("failed to compile script test.d: [D_SYNTAX] line 1: syntax error n"));
    }

    void commandLineTextNeedsNoBody()
    {
        Sources sources;
        const auto file = sources.add({{}, "syscall::read:entry, 17"});
        Diagnostics diagnostics;
        const auto program = parse(sources, file, {}, diagnostics);
        QVERIFY(diagnostics.ok());
        QVERIFY(!std::get<ast::Clause>(program.items.at(0).is).hasBody);
        QCOMPARE(std::get<ast::Clause>(program.items.at(0).is).probes.size(), std::size_t(2));
    }
    void spansCoverWhatWasWritten()
    {
        Sources sources;
        const auto file = sources.add({"x.d", "int a;\nBEGIN\n/pid == 1/\n{ x = f(1, 2); }\n"});
        Diagnostics diagnostics;
        const auto program = parse(sources, file, {}, diagnostics);
        const auto& clause = std::get<ast::Clause>(program.items.at(1).is);
        QCOMPARE(std::string(sources.text(clause.predicate->at)), std::string("pid == 1"));
        QCOMPARE(std::string(sources.text(clause.body.at(0).expr->at)), std::string("x = f(1, 2)"));
        QCOMPARE(std::string(sources.text(clause.body.at(0).expr->kids.at(1)->at)), std::string("f(1, 2)"));
        QCOMPARE(std::string(sources.text(clause.probes.at(0).at)), std::string("BEGIN"));
        QCOMPARE(std::string(sources.text(std::get<ast::Declaration>(program.items.at(0).is).at)), std::string("int a"));
    }
    void knownTypesDecideWhatAnUnknownNameIs()
    {
        const IsType kernel = [](std::string_view name) { return name == "vnode_t"; };
        QVERIFY(parsed("vnode_t *v; BEGIN { trace(offsetof(vnode_t, x)); trace((vnode_t)(1)); }", kernel).error.isEmpty());
        QVERIFY(parsed("BEGIN { trace(offsetof(znode_t, x)); }", kernel)
                    .error.contains("[D_SYNTAX] line 1: syntax error near \"znode_t, x)); }\""));
        QVERIFY(parsed("\ntypedef pint new_int;", kernel).error.contains("[D_SYNTAX] line 2: syntax error near \"new_int;\""));
    }
    void printsSingleExpressions()
    {
        QCOMPARE(expression("a+b*( c )"), QByteArray("a + b * (c)"));
        QCOMPARE(expression("a b"), QByteArray("syntax error near \"b\""));
        QCOMPARE(expression(""), QByteArray("syntax error near end of input"));
    }
};
QTEST_GUILESS_MAIN(TestParser)
#include "tst_parser.moc"
