#include "gui/parameters.h"
#include "window_fixture.h"
#include <QLineEdit>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
using gui::Parameter;
namespace {
QStringList told(const QString& program)
{
    QStringList all;
    for (const auto& one : gui::parametersOf(program))
        all << QStringLiteral("%1 %2=%3 | %4").arg(one.kind == Parameter::Kind::Number ? "number" : "text", one.name, one.value, program.mid(one.at, one.size));
    return all;
}
const QString kProgram = QStringLiteral("inline int microseconds = 1000;\ninline string folder = \"/etc\";\n\nBEGIN { trace(microseconds); trace(folder); exit(0); }\n");
} // namespace

/// Constants at the top of a program are fields above it.
class TestParameters : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void constantsOfAProgramAreFound_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("found");
        const QString end = QStringLiteral("\nBEGIN { }\n");
        QTest::newRow("a number") << "inline int size = 4096;" + end << QStringList{"number size=4096 | 4096"};
        QTest::newRow("hexadecimal") << "inline uint64_t mask = 0xff;" + end << QStringList{"number mask=0xff | 0xff"};
        QTest::newRow("a text") << "inline string name = \"a\\\"b\";" + end << QStringList{"text name=a\"b | \"a\\\"b\""};
        QTest::newRow("behind letters of two bytes") << QString::fromUtf8("/* größer als */ inline int size = 7;") + end << QStringList{"number size=7 | 7"};
        QTest::newRow("computed") << "inline int size = 4 * 1024;" + end << QStringList();
        QTest::newRow("from the command line") << "inline int size = $1;" + end << QStringList{"text $1= | "}; // its argument is one
        QTest::newRow("by keys") << "inline int twice[int n] = 2;" + end << QStringList();
        QTest::newRow("octal") << "inline int mode = 0644;" + end << QStringList();
        QTest::newRow("a mistake elsewhere") << "inline int size = 7;\nBEGIN { x = ; }\n" << QStringList();
        QTest::newRow("none") << "BEGIN { }\n" << QStringList();
    }
    void constantsOfAProgramAreFound()
    {
        QFETCH(QString, program);
        QTEST(told(program), "found");
    }

    /// What is typed in a field is in the program, whatever it has: data is no D.
    void aFieldIsAnEditOfTheProgram()
    {
        MainWindow window;
        window.resize(1366, 728);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.editor().setProgram(kProgram);
        window.editor().check();
        auto& form = window.programs().parameters();
        QVERIFY(form.isVisible());
        auto* number = form.field(QStringLiteral("microseconds"));
        auto* text = form.field(QStringLiteral("folder"));
        QVERIFY(number && text);
        QCOMPARE(number->text(), QStringLiteral("1000"));
        QCOMPARE(text->text(), QStringLiteral("/etc"));
        picture(window, QStringLiteral("parameters"));

        text->setFocus();
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("/a\"; } b"));
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, QStringLiteral("25"));
        QCOMPARE(told(window.editor().toPlainText()), (QStringList{QStringLiteral("number microseconds=25 | 25"), QStringLiteral("text folder=/a\"; } b | \"/a\\\"; } b\"")}));

        // What is no number is not in the program, and what somebody types is not taken from them.
        QTest::keyClicks(number, QStringLiteral("x"));
        QCOMPARE(number->text(), QStringLiteral("25x"));
        QVERIFY(window.editor().toPlainText().contains(QStringLiteral("microseconds = 25;")));
        window.editor().check();
        QCOMPARE(number->text(), QStringLiteral("25x"));

        // An edit of the program is in the field, and undo takes back either.
        window.editor().setFocus();
        window.editor().replaceProgram(window.editor().toPlainText().replace(QStringLiteral("= 25;"), QStringLiteral("= 30;")));
        window.editor().check();
        QCOMPARE(number->text(), QStringLiteral("30"));
        while (window.editor().document()->isUndoAvailable())
            window.editor().undo();
        QCOMPARE(window.editor().toPlainText(), kProgram);
    }

    /// Each program has its own, and one without any has no empty place for them.
    void fieldsGoWithTheirProgram()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& form = window.programs().parameters();
        QVERIFY(!form.isVisible());
        window.programs().add(kProgram, {});
        QVERIFY(form.isVisible());
        window.programs().show(0);
        QVERIFY(!form.isVisible());
        window.programs().show(1);
        QVERIFY(form.field(QStringLiteral("folder")));
        window.editor().replaceProgram(QStringLiteral("BEGIN { }\n"));
        QTRY_VERIFY(!form.isVisible());
    }
};
DSCOPE_WINDOW_TEST(TestParameters)
#include "tst_parameters.moc"
