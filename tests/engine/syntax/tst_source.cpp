#include "engine/syntax/source.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::syntax;

class TestSource : public QObject {
    Q_OBJECT
    static QByteArray text(const std::string& s) { return QByteArray::fromStdString(s); }
    static Diagnostic at(std::uint32_t begin, std::vector<std::string> hints = {})
    {
        return {Diagnostic::Severity::Error, "D_TAG", {0, begin, begin + 1}, "message", std::move(hints)};
    }

private Q_SLOTS:
    void scriptsAreToldWithTheirLine()
    {
        Sources sources;
        sources.add({"dir/x.d", "BEGIN\n{\n\tx = ;\n}\n"});
        QCOMPARE(text(headline(at(13), sources, syntax::Tags::Hidden)), QByteArray("failed to compile script dir/x.d: line 3: message"));
        QCOMPARE(text(headline(at(13), sources, syntax::Tags::Shown)), QByteArray("failed to compile script dir/x.d: [D_TAG] line 3: message"));
    }
    void commandLineTextIsToldWhole()
    {
        Sources sources;
        sources.add({{}, "BEGIN { x = ; }"});
        QCOMPARE(text(headline(at(12), sources, syntax::Tags::Hidden)), QByteArray("invalid probe specifier BEGIN { x = ; }: message"));
        QCOMPARE(text(headline(at(12), sources, syntax::Tags::Shown)), QByteArray("invalid probe specifier BEGIN { x = ; }: [D_TAG] message"));
    }
    void commandLineTextTellsTheRegion()
    {
        Sources sources;
        sources.add({{}, "BEGIN { x; }"});
        Diagnostics diagnostics;
        diagnostics.setRegion("action list");
        diagnostics.error("D_IDENT_UNDEF", {0, 8, 9}, "failed to resolve x: Unknown variable name");
        QCOMPARE(text(headline(diagnostics.all().at(0), sources, syntax::Tags::Shown)),
            QByteArray("invalid probe specifier BEGIN { x; }: [D_IDENT_UNDEF] in action list: failed to resolve x: Unknown variable name"));
    }
    void theCaretStandsBelowThePlace()
    {
        Sources sources;
        sources.add({"x.d", "BEGIN\n{\n\tx =\t;\n}\n"});
        QCOMPARE(text(rendered(at(13), sources, syntax::Tags::Hidden)),
            QByteArray("failed to compile script x.d: line 3: message\n    \tx =\t;\n    \t   \t^"));
    }
    void charactersOfSeveralBytesCountOnce()
    {
        Sources sources;
        sources.add({"x.d", "/* \xc3\xa4\xe2\x82\xac */ ;"});
        QCOMPARE(text(rendered(at(12), sources, syntax::Tags::Hidden)),
            QByteArray("failed to compile script x.d: line 1: message\n    /* \xc3\xa4\xe2\x82\xac */ ;\n             ^")
                .replace("         ^", "         ^"));
    }
    void ofALongLineIsShownWhatIsAroundThePlace()
    {
        Sources sources;
        sources.add({"x.d", std::string(1000, 'a') + ';' + std::string(1000, 'b')});
        QCOMPARE(text(rendered(at(1000), sources, syntax::Tags::Hidden)),
            "failed to compile script x.d: line 1: message\n    ..." + QByteArray(100, 'a') + ';' + QByteArray(99, 'b') + "...\n    "
                + QByteArray(103, ' ') + '^');
        std::string euros;
        for (int i = 0; i < 1000; ++i)
            euros += "\xe2\x82\xac";
        sources.add({"y.d", euros});
        auto diagnostic = at(1500);
        diagnostic.at.file = 1;
        const auto told = text(rendered(diagnostic, sources, syntax::Tags::Hidden));
        QCOMPARE(QString::fromUtf8(told).count(QChar(0x20ac)), 68); // none of them is cut
        QVERIFY(!told.contains("\xef\xbf\xbd"));
    }
    void hintsFollow()
    {
        Sources sources;
        sources.add({"x.d", "BEGIN"});
        QCOMPARE(text(rendered(at(0, {"one", "two"}), sources, syntax::Tags::Hidden)),
            QByteArray("failed to compile script x.d: line 1: message\n    BEGIN\n    ^\n    hint: one\n    hint: two"));
    }
    void anEmptyLineNeedsNoCaret()
    {
        Sources sources;
        sources.add({"x.d", "BEGIN {\n\n"});
        QCOMPARE(text(rendered(at(9), sources, syntax::Tags::Hidden)), QByteArray("failed to compile script x.d: line 3: message"));
    }
    void positionsPastTheEndAreTheEnd()
    {
        Sources sources;
        sources.add({"x.d", "BEGIN"});
        QCOMPARE(sources.position(at(500).at).line, 1U);
        QVERIFY(!rendered(at(500), sources, syntax::Tags::Hidden).empty());
    }
    void linesAreCountedFromTheDirective_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<quint32>("line");
        QTest::addColumn<QByteArray>("included");
        const auto row = [](const char* name, const char* program, quint32 line, const char* included) {
            QTest::newRow(name) << QByteArray(program) << line << QByteArray(included);
        };
        row("none", "\n\nX", 3, "");
        row("line", "#line 10\nX", 10, "");
        row("cpp's", "# 10 \"/dev/stdin\"\n\nX", 11, "");
        row("cpp's own", "# 1 \"<built-in>\"\nX", 1, "");
        row("an included file", "# 5 \"/usr/include/x.h\" 1\nX", 5, "/usr/include/x.h");
        row("back from one", "# 5 \"/usr/include/x.h\" 1\ny\n# 8 \"/dev/stdin\" 2\nX", 8, "");
        row("without a name the file stays", "# 5 \"x.h\"\n#line 20\nX", 20, "x.h");
        row("not in a comment", "/*\n# 50\n*/\nX", 4, "");
        row("not within a line", "a # 50\nX", 2, "");
        row("the program itself", "# 3 \"x.d\"\nX", 3, "");
    }
    void linesAreCountedFromTheDirective()
    {
        QFETCH(QByteArray, program);
        QFETCH(quint32, line);
        QFETCH(QByteArray, included);
        Sources sources;
        sources.add({"x.d", program.toStdString()});
        const Span span{0, static_cast<std::uint32_t>(program.indexOf('X')), 0};
        QCOMPARE(quint32(sources.position(span).line), line);
        QCOMPARE(text(sources.includedFile(span)), included);
    }
};
QTEST_GUILESS_MAIN(TestSource)
#include "tst_source.moc"
