#include "engine/syntax/lexer.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::syntax;
using Mode = Lexer::Mode;

namespace {
/// Every token as "K(text)", K the first letter of its kind; a failure as "!TAG: message".
QByteArray tokens(const QByteArray& text, Mode mode, const Macros* macros = nullptr)
{
    const std::string source = text.toStdString();
    Lexer lexer(source, 0, macros);
    static constexpr std::string_view kLetters = "EWISAN.PM";
    QByteArray out;
    for (;;) {
        const Token token = lexer.next(mode);
        if (lexer.failure())
            return out + "!" + QByteArray::fromStdString(std::string(lexer.failure()->tag) + ": " + lexer.failure()->message);
        if (token.kind == Token::Kind::End) return out.trimmed();
        out += kLetters[static_cast<std::size_t>(token.kind)];
        out += "(" + QByteArray(token.negative ? "-" : "") + QByteArray::fromStdString(token.text) + ") ";
    }
}
} // namespace

class TestLexer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void expressionsAreCutIntoTokens_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        row("longest operator first", "a<<=b>>c^^d^e->f", "W(a) .(<<=) W(b) .(>>) W(c) .(^^) W(d) .(^) W(e) .(->) W(f)");
        row("plus plus plus", "a+++b", "W(a) .(++) .(+) W(b)");
        row("kernel symbols", "`jiffies ext4`inode 8021q`count", "W(`jiffies) W(ext4`inode) W(8021q`count)");
        row("integers", "0 10 0x1F 017 1u 2UL 3ull", "I(0) I(10) I(0x1F) I(017) I(1u) I(2UL) I(3ull)");
        row("an integer ends where letters begin", "123abc", "I(123) W(abc)");
        row("a probe name within a clause", "tick-10ms", "W(tick) .(-) I(10) W(ms)");
        row("aggregations", "@ @x[1] @_y9", "A() A(x) .([) I(1) .(]) A(_y9)");
        row("strings lose their escapes", R"("a\tb\"c\101\x41\q")", "S(a\tb\"cAA\\q)");
        row("comments of both kinds", "a /* b\n */ c // d\n e", "W(a) W(c) W(e)");
        row("continued lines", "a \\\n b", "W(a) W(b)");
        row("macros where none are known", "$1 $$2 $target", "M($1) M($$2) M($target)");
        row("nothing", "", "");
        row("only blanks", " \t\n/* x */", "");
    }
    void expressionsAreCutIntoTokens()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(tokens(text, Mode::Expression), expected);
    }

    void probeDescriptionsAreOneToken_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        row("four parts", "syscall:vmlinux:read:entry{", "N(syscall:vmlinux:read:entry) .({)");
        row("globs", "fbt:*:tcp_[a-z]?x!:entry, 17", "N(fbt:*:tcp_[a-z]?x!:entry) .(,) I(17)");
        row("macros stay", "pid$target:$1::entry /", "N(pid$target:$1::entry) .(/)");
        row("back quotes", "pid1:a.out:`x:1f", "N(pid1:a.out:`x:1f)");
        row("a comment after a name", "BEGIN/* x */END", "N(BEGIN) N(END)");
        row("what cannot stand there", "BEGIN =", "N(BEGIN) !D_SYNTAX: syntax error near \"=\"");
    }
    void probeDescriptionsAreOneToken()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(tokens(text, Mode::Probe), expected);
    }

    void slashClosesAPredicateBeforeItsBody_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        row("before a brace", "a / b / {", "W(a) .(/) W(b) P(/) .({)");
        row("before a brace on the next line", "a /\n{", "W(a) P(/) .({)");
        row("before a comment", "a / /* x */ {", "W(a) P(/) .({)");
        row("against a comment", "a //* x */ {", "W(a) P(/) .({)");
        row("before a semicolon", "a /;", "W(a) P(/) .(;)");
        row("at the end", "a /", "W(a) P(/)");
        row("division else", "a / b", "W(a) .(/) W(b)");
        row("open parenthesis", "f(a /{", "W(f) .(() W(a) !D_SYNTAX: closing ) expected in predicate before /");
        row("open bracket", "a[1 /{", "W(a) .([) I(1) !D_SYNTAX: closing ] expected in predicate before /");
    }
    void slashClosesAPredicateBeforeItsBody()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(tokens(text, Mode::Predicate), expected);
    }

    void macrosBecomeWhatTheirTextLooksLike_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        row("script name", "$0", "S(./script.d)");
        row("integer", "$1", "I(42)");
        row("negative integer", "$2", "I(-7)");
        row("name", "$3", "W(execname)");
        row("string", "$4", "S(str*)");
        row("quotes are taken off", "$5", "S(quoted text)");
        row("hexadecimal with suffix", "$6", "I(0x1fUL)");
        row("time", "$7", "S(10sec)");
        row("always a string", "$$1 $$3 $$5", "S(42) S(execname) S(\"quoted text\")");
        row("numbers", "$target $pid $ppid", "I(1234) I(99) I(-1)");
        row("a number as a string", "$$target", "S(1234)");
        row("missing argument", "$8", "!D_MACRO_UNDEF: macro argument $8 is not defined");
        row("missing argument as a string", "$$9", "!D_MACRO_UNDEF: macro argument $$9 is not defined");
        row("huge argument number", "$99999999999999999999", "!D_MACRO_UNDEF: macro argument $99999999999999999999 is not defined");
        row("unknown variable", "$nobody", "!D_MACRO_UNDEF: macro variable $nobody is not defined");
        row("a lone dollar", "$-1", "!D_SYNTAX: syntax error near \"$\"");
    }
    void macrosBecomeWhatTheirTextLooksLike()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        Macros macros;
        macros.arguments = {"./script.d", "42", "-7", "execname", "str*", "\"quoted text\"", "0x1fUL", "10sec"};
        macros.numbers = {{"target", 1234}, {"pid", 99}, {"ppid", -1}};
        QCOMPARE(tokens(text, Mode::Expression, &macros), expected);
    }
    void tooBigAnArgumentOverflows()
    {
        Macros macros;
        macros.arguments = {"x", "99999999999999999999"};
        QCOMPARE(tokens("$1", Mode::Expression, &macros),
            QByteArray("!D_MACRO_OFLOW: macro argument $1 constant 99999999999999999999 results in integer overflow"));
    }
    void defaultArgumentsAreZeroAndEmpty()
    {
        Macros macros;
        macros.defaultArgs = true;
        QCOMPARE(tokens("$1 $$2", Mode::Expression, &macros), QByteArray("I(0) S()"));
    }
    void usedArgumentsAreTicked()
    {
        Macros macros;
        macros.arguments = {"x", "1", "2", "3"};
        tokens("$1 $$3", Mode::Expression, &macros);
        QCOMPARE(macros.used, (std::vector<bool>{false, true, false, true}));
    }

    void literalsHaveTheirValue_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<quint64>("value");
        const auto row = [](const char* text, quint64 value) { QTest::newRow(text) << QByteArray(text) << value; };
        row("0", 0);
        row("0x7fffffffffffffff", 0x7fffffffffffffffU);
        row("18446744073709551615", 18446744073709551615U);
        row("0777", 0777);
        row("'a'", 'a');
        row("'\\n'", '\n');
        row("'\\''", 0x5c27); // no escape of D's: two characters
        row("'\\\\'", '\\');
        row("'\\0'", 0);
        row("'\\377'", 0377);
        row("'ab'", 0x6162);
        row("'abcdefgh'", 0x6162636465666768U);
    }
    void literalsHaveTheirValue()
    {
        QFETCH(QByteArray, text);
        QFETCH(quint64, value);
        const std::string source = text.toStdString();
        Lexer lexer(source, 0, nullptr);
        const Token token = lexer.next(Mode::Expression);
        QVERIFY(token.kind == Token::Kind::Integer);
        QCOMPARE(quint64(token.number), value);
        QCOMPARE(token.text, source);
    }

    void badLiteralsAreRefusedInDtracesWords_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* text, const char* expected) { QTest::newRow(text) << QByteArray(text) << QByteArray(expected); };
        row("0128", "!D_INT_DIGIT: constant 0128 contains invalid digit 8");
        row("0x12345678123456781", "!D_INT_OFLOW: constant 0x12345678123456781 results in integer overflow");
        row("18446744073709551616ul", "!D_INT_OFLOW: constant 18446744073709551616ul results in integer overflow");
        row("1.5", "!D_SYNTAX: floating-point constants are not permitted");
        row(".5", "!D_SYNTAX: floating-point constants are not permitted");
        row("1e5", "!D_SYNTAX: floating-point constants are not permitted");
        row("\"a\nb\"", "!D_STR_NL: newline encountered in string literal");
        row("'a\n'", "!D_CHR_NL: newline encountered in character constant");
        row("''", "!D_CHR_NULL: empty character constant");
        row("'abcdefghi'", "!D_CHR_OFLOW: character constant is too long");
        row("/* a /* b */", "!D_SYNTAX: /* encountered inside a comment");
        row("/* a", "!D_SYNTAX: end-of-file encountered before matching */");
        row(")", "!D_SYNTAX: extra ) in input stream");
        row("]", "!D_SYNTAX: extra ] in input stream");
        row("}", "!D_SYNTAX: extra } in input stream");
        row("#", "!D_SYNTAX: syntax error near \"#\"");
        row("\"", "!D_SYNTAX: syntax error near \"\"\"");
    }
    void badLiteralsAreRefusedInDtracesWords()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(tokens(text, Mode::Expression), expected);
    }
};
QTEST_GUILESS_MAIN(TestLexer)
#include "tst_lexer.moc"
