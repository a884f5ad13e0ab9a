// needs: graph graph/models engine/importers engine/text
#include "engine/syntax/names.h"
#include "window_views.h"
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;

class TestCompletion : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void aSyntaxErrorIsUnderlinedWhereItIs()
    {
        MainWindow window;
        QSignalSpy mistaken(&window.editor(), &gui::Editor::mistaken);
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\tx = = 1;\n}\n"));
        QTRY_VERIFY(window.editor().markedLine() == 3);
        QVERIFY2(window.message().contains(QStringLiteral("line 3")), qPrintable(window.message()));
        picture(window, QStringLiteral("error"));
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\tx = 1;\n}\n"));
        QTRY_COMPARE(window.editor().markedLine(), 0);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
    }
    void wordsAreCompletedInAClause()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { @x = qua"));
        QVERIFY(editor.completion().isOpen());
        QCOMPARE(editor.completion().proposals(), QStringList{QStringLiteral("quantize")});
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { @x = quantize"));
        QVERIFY(!editor.completion().isOpen());
        QTest::keyClicks(&editor, QStringLiteral("(tim"));
        QVERIFY(editor.completion().proposals().contains(QStringLiteral("timestamp")));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!editor.completion().isOpen());
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { @x = quantize(tim"));
    }
    /// Typed, then Enter: the text and a new line, whatever is proposed.
    void completionNeverChangesWhatWasTypedInFull_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("a rate that no list has") << QStringLiteral("profile-99");
        QTest::newRow("a rate with its unit") << QStringLiteral("tick-10s");
        QTest::newRow("the provider and a rate") << QStringLiteral("profile:::profile-9");
        QTest::newRow("BEGIN") << QStringLiteral("BEGIN");
        QTest::newRow("a description") << QStringLiteral("syscall::read:entry");
        QTest::newRow("several at once") << QStringLiteral("syscall::read");
        QTest::newRow("a function that longer ones begin with") << QStringLiteral("BEGIN { @[stack");
        QTest::newRow("an aggregation's name") << QStringLiteral("BEGIN { @tim");
        QTest::newRow("a member's name") << QStringLiteral("BEGIN { this->tim");
        QTest::newRow("a variable's name") << QStringLiteral("BEGIN { tim");
    }
    void completionNeverChangesWhatWasTypedInFull()
    {
        QFETCH(const QString, typed);
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes({QStringLiteral("dtrace:::BEGIN"), QStringLiteral("profile:::profile-97"),
            QStringLiteral("profile:::profile-997"), QStringLiteral("profile:::tick-10"), QStringLiteral("syscall::read:entry"),
            QStringLiteral("syscall::readv:entry")});
        editor.setFocus();
        QTest::keyClicks(&editor, typed);
        auto* popup = QApplication::activePopupWidget();
        QTest::keyClick(popup ? popup : &editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), typed + QChar('\n'));
        QVERIFY(!editor.completion().isOpen());
    }
    void nothingIsProposedForACompleteProbe()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes({QStringLiteral("dtrace:::BEGIN"), QStringLiteral("profile:::profile-997")});
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("profile-9"));
        QVERIFY(!editor.completion().isOpen());
        editor.setProgram({});
        QTest::keyClicks(&editor, QStringLiteral("BEGIN"));
        QVERIFY(!editor.completion().isOpen());
    }
    void whatIsAskedForIsChosenAtOnce()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { x = qu"));
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(editor.completion().isOpen());
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { x = quantize"));
    }
    void onlyWordsOfTheLanguageAreProposed()
    {
        gui::Editor editor;
        const auto& words = editor.completion().words();
        QVERIFY(words.size() > 100);
        for (const auto& word : words) {
            const auto text = word.toStdString();
            QVERIFY2(syntax::isBuiltin(text) || syntax::isYielding(text) || syntax::isKeyword(text) || text == "$target", text.c_str());
        }
    }
    void probesAreCompletedOutsideOfClauses()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes(
            {QStringLiteral("io:::start"), QStringLiteral("syscall::openat:entry"), QStringLiteral("syscall::openat:return")});
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { x = 1; }"));
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("openat:r"));
        QCOMPARE(editor.completion().proposals(), QStringList{QStringLiteral("syscall::openat:return")});
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { x = 1; }\nsyscall::openat:return"));
    }
    void aClosingBraceStandsWhereItsLineBegan()
    {
        MainWindow window;
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN {"));
        QTest::keyClick(&window.editor(), Qt::Key_Return);
        QTest::keyClicks(&window.editor(), QStringLiteral("x = 1;"));
        QTest::keyClick(&window.editor(), Qt::Key_Return);
        QTest::keyClicks(&window.editor(), QStringLiteral("}"));
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN {\n\tx = 1;\n}"));
    }
};
DSCOPE_WINDOW_TEST(TestCompletion)
#include "tst_completion.moc"
