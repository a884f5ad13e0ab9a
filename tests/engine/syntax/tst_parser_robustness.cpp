#include "engine/syntax/parser.h"
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTest>
#include <random>
using namespace dscope;
using namespace dscope::syntax;

/// No input makes the parser crash, hang, or return nothing without saying why; what it accepts it can print and read again.
class TestParserRobustness : public QObject {
    Q_OBJECT
    static std::vector<std::string> programs()
    {
        std::vector<std::string> all;
        for (const auto* folder : {"programs", "seeds"}) {
            const QDir dir(QStringLiteral(DSCOPE_SOURCE "/tests/engine/syntax/") + QLatin1String(folder));
            for (const auto& name : dir.entryList({QStringLiteral("*.d")})) {
                QFile file(dir.filePath(name));
                if (file.open(QIODevice::ReadOnly)) all.push_back(file.readAll().toStdString());
            }
        }
        return all;
    }
    /// What is wrong with how `text` is treated; empty when nothing is.
    static QByteArray checked(const std::string& text)
    {
        const auto read = [](const std::string& source, Diagnostics& diagnostics) {
            Sources sources;
            const auto file = sources.add({{}, source});
            Macros macros;
            macros.arguments = {"x", "1", "a*"};
            macros.numbers = {{"target", 1}, {"pid", 1}};
            auto program = parse(sources, file, macros, diagnostics);
            for (const auto& d : diagnostics.all()) {
                if (d.tag.empty() || d.message.empty()) diagnostics.error("", {}, "no tag or message");
                if (d.at.begin > source.size()) diagnostics.error("", {}, "out of range");
                if (rendered(d, sources, syntax::Tags::Shown).empty()) diagnostics.error("", {}, "nothing told");
            }
            return print(program);
        };
        Diagnostics diagnostics;
        const auto once = read(text, diagnostics);
        if (diagnostics.all().size() > 1) return "several errors: " + QByteArray::fromStdString(text);
        // What a macro stands for need not read as what the macro was: "$1" may become the number of a probe.
        if (!diagnostics.ok() || text.find('$') != std::string::npos) return {};
        Diagnostics second;
        const auto twice = read(once, second);
        if (!second.ok()) return "cannot read again: " + QByteArray::fromStdString(once + "\n" + second.all()[0].message);
        return once == twice ? QByteArray() : "differs: " + QByteArray::fromStdString(once + "\n-----\n" + twice);
    }

private Q_SLOTS:
    void everyTruncationIsSurvived()
    {
        for (const auto& program : programs())
            for (std::size_t size = 0; size < program.size(); size += 7) {
                const auto wrong = checked(program.substr(0, size));
                QVERIFY2(wrong.isEmpty(), wrong);
            }
    }
    void mutationsAreSurvived()
    {
        static constexpr std::string_view kPieces[]{"(", ")", "{", "}", "[", "]", "/", "*", ",", ";", ":", "\"", "'", "@", "$", "#", "\n",
            "\\", "`", "->", "this->", "self->", "int ", "struct ", "(int)", "sizeof ", "if (", "else ", "0x", "?", "=", "//", "/*", "*/",
            "inline ", "typedef ", "...", "\0", "\xff"};
        std::mt19937 random(20240607);
        const auto all = programs();
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1)); };
        for (int i = 0; i < 3000; ++i) {
            std::string text = all[below(all.size())];
            if (text.size() > 900) text = text.substr(below(text.size() - 900), 900);
            for (std::size_t n = below(4) + 1; n > 0; --n) {
                const auto where = below(text.size());
                switch (below(4)) {
                case 0: text.erase(where, below(8) + 1); break;
                case 1: text.insert(where, kPieces[below(std::size(kPieces))]); break;
                case 2: text[where] = static_cast<char>(random()); break;
                default: text.insert(where, text.substr(below(text.size()), below(40))); break;
                }
            }
            const auto wrong = checked(text);
            QVERIFY2(wrong.isEmpty(), wrong);
        }
    }

    void depthIsAnErrorNotAnOverflow_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("repeated");
        QTest::addColumn<QByteArray>("after");
        const auto row = [](const char* name, const char* before, const char* repeated, const char* after) {
            QTest::newRow(name) << QByteArray(before) << QByteArray(repeated) << QByteArray(after);
        };
        row("parentheses", "BEGIN { x = ", "(", "");
        row("casts", "BEGIN { x = ", "(int)", "1; }");
        row("prefix operators", "BEGIN { x = ", "! ", "1; }");
        row("a long sum", "BEGIN { x = 1", " + 1", "; }");
        row("a long comma", "BEGIN { x", ", x", "; }");
        row("conditions", "BEGIN { x = 1", " ? 1 : 1", "; }");
        row("assignments", "BEGIN { x", " = x", "; }");
        row("subscripts", "BEGIN { x = y", "[1]", "; }");
        row("subscripts within", "BEGIN { x = y", "[y", "; }");
        row("members", "BEGIN { x = y", "->y", "; }");
        row("calls", "BEGIN { ", "f(", "");
        row("blocks", "BEGIN { ", "if (1) { ", "");
        row("else if", "BEGIN { if (1) x = 1;", " else if (1) x = 1;", " }");
        row("structs", "", "struct { ", "int x;");
        row("declarators", "int ", "(*", "x");
        row("functions", "int f(", "int (", "");
        row("tuples", "int x", "[int x", "");
        row("pointers", "int ", "*", "x; BEGIN { }");
        row("sizeof", "BEGIN { x = ", "sizeof ", "1; }");
        row("stringof", "BEGIN { x = ", "stringof ", "1; }");
        row("braces", "BEGIN ", "{", "");
        row("comments", "", "/*", "");
    }
    void depthIsAnErrorNotAnOverflow()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, repeated);
        QFETCH(QByteArray, after);
        QElapsedTimer clock;
        clock.start();
        const auto wrong = checked((before + repeated.repeated(20'000) + after).toStdString());
        QVERIFY2(wrong.isEmpty(), wrong.left(300));
        QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
    }
    void reasonableDepthIsAccepted()
    {
        QByteArray sum = "BEGIN { x = 1";
        QCOMPARE(checked((sum + QByteArray(" + 1").repeated(300) + "; }").toStdString()), QByteArray());
        Sources sources;
        const auto file = sources.add(
            {{}, ("BEGIN { x = " + QByteArray("(").repeated(50) + "1" + QByteArray(")").repeated(50) + "; }").toStdString(), false});
        Diagnostics diagnostics;
        parse(sources, file, {}, diagnostics);
        QVERIFY(diagnostics.ok());
    }
};
QTEST_GUILESS_MAIN(TestParserRobustness)
#include "tst_parser_robustness.moc"
