// needs: engine/syntax
// Formatting changes where lines begin and nothing that D reads; snippets are programs.
#include "engine/syntax/parser.h"
#include "gui/format.h"
#include "gui/reading.h"
#include "gui/snippets.h"
#include <QDirIterator>
#include <QFile>
#include <QObject>
#include <QTest>
using namespace dscope;
namespace {
QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
} // namespace

class TestFormat : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAreIndentedByWhatTheyStandIn_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("formatted");
        QTest::newRow("body") << "BEGIN\n{\ntrace(1);\n      trace(2);   \n}" << "BEGIN\n{\n\ttrace(1);\n\ttrace(2);\n}\n";
        QTest::newRow("if") << "BEGIN { if (1) {\ntrace(1);\n} else {\ntrace(2);\n}\n}" << "BEGIN { if (1) {\n\t\ttrace(1);\n\t} else {\n\t\ttrace(2);\n\t}\n}\n";
        QTest::newRow("goes on") << "BEGIN\n{\nx = 1 +\n2;\nprintf(\"%d\",\nx);\n}" << "BEGIN\n{\n\tx = 1 +\n\t\t2;\n\tprintf(\"%d\",\n\t\tx);\n}\n";
        QTest::newRow("text") << "BEGIN\n{\n  printf(\"{ \\\" (\");\n  c = '{';\n}" << "BEGIN\n{\n\tprintf(\"{ \\\" (\");\n\tc = '{';\n}\n";
        QTest::newRow("comment") << "/* {\n   as it is\n */\nBEGIN { // {\ntrace(1); /* ( */\n}" << "/* {\n   as it is\n */\nBEGIN { // {\n\ttrace(1); /* ( */\n}\n";
        QTest::newRow("pragma") << "  #pragma D option quiet\nBEGIN\n{\n#pragma D option flowindent\ntrace(1);\n}" << "  #pragma D option quiet\nBEGIN\n{\n#pragma D option flowindent\n\ttrace(1);\n}\n";
        QTest::newRow("blank lines") << "\n\nBEGIN {\n\n\n\ntrace(1); }\n\n\n" << "BEGIN {\n\n\ttrace(1); }\n";
        QTest::newRow("predicate") << "    syscall::read:entry,\n  syscall::write:entry\n  /pid == 1/\n{ }" << "syscall::read:entry,\nsyscall::write:entry\n/pid == 1/\n{ }\n";
    }
    void linesAreIndentedByWhatTheyStandIn()
    {
        QFETCH(const QString, program);
        QFETCH(const QString, formatted);
        const auto is = gui::formatted(program);
        QVERIFY(is || gui::readProgram(program).error());
        if (!is) QSKIP("this D does not allow it");
        QCOMPARE(*is, formatted);
        QCOMPARE(*gui::formatted(*is), formatted); // once more changes nothing
    }
    void mistakesStayAsTheyAre()
    {
        QVERIFY(!gui::formatted(QStringLiteral("BEGIN { trace(1;\n}")));
        QVERIFY(!gui::formatted(QStringLiteral("BEGIN {")));
    }
    /// Every D program of the tests and the recipes, with its indentation taken away: what is read stays the same.
    void noProgramChangesItsMeaning()
    {
        int count = 0;
        for (const auto* folder : {DSCOPE_SOURCE "/tests/data", DSCOPE_SOURCE "/examples", DSCOPE_SOURCE "/tests/vm/one_liners"}) {
            QDirIterator files(QLatin1String(folder), {QStringLiteral("*.d")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const auto path = files.next();
                const auto program = read(path);
                const auto before = gui::readProgram(program);
                if (before.error()) continue;
                const auto after = gui::formatted(program);
                QVERIFY2(after, qPrintable(path));
                QVERIFY2(syntax::print(gui::readProgram(*after).program) == syntax::print(before.program), qPrintable(path));
                ++count;
            }
        }
        QVERIFY2(count > 20, qPrintable(QString::number(count)));
    }
    void snippetsAreProgramsAsFormatHasThem()
    {
        for (const auto& one : gui::snippets()) {
            auto text = QString::fromLatin1(one.before) + QString::fromLatin1(one.after);
            if (one.place == gui::Snippet::Place::Body) text = QStringLiteral("BEGIN\n{\n\t") + text + QStringLiteral("\n}\n");
            const auto reading = gui::readProgram(text);
            QVERIFY2(!reading.error(), one.name);
            QCOMPARE(*gui::formatted(text), text);
        }
    }
};
QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
