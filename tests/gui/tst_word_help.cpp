// needs: engine/language engine/options engine/probe providers
#include "engine/language/language.h"
#include "engine/options/options.h"
#include "engine/probe/provider.h"
#include "gui/editor.h"
#include "gui/word_help.h"
#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QTest>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolTip>
using namespace dscope;
using gui::Editor;
namespace {
QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
/// What a tool tip says, without markup.
QString shownText()
{
    QTextDocument document;
    document.setHtml(QToolTip::text());
    return document.toPlainText();
}
/// A program with a word marked as "[word]": without the marks, and where the word begins.
struct Marked {
    QString program;
    int at = 0, length = 0;
    explicit Marked(QString text)
    {
        const auto begin = text.indexOf(QStringLiteral("[[")), end = text.indexOf(QStringLiteral("]]"));
        at = static_cast<int>(begin);
        length = static_cast<int>(end - begin - 2);
        program = text.remove(end, 2).remove(begin, 2);
    }
};
} // namespace

/// Help on the words of D in the window's editor.
class TestWordHelp : public QObject {
    Q_OBJECT
    std::unique_ptr<Editor> m_editor;

    /// Points the mouse to a letter, as a user who waits over it.
    void pointTo(int position)
    {
        QTextCursor cursor(m_editor->document());
        cursor.setPosition(position);
        const auto left = m_editor->cursorRect(cursor);
        cursor.setPosition(position + 1);
        const QPoint point((left.left() + m_editor->cursorRect(cursor).left()) / 2, left.center().y());
        QHelpEvent event(QEvent::ToolTip, point, m_editor->viewport()->mapToGlobal(point));
        QApplication::sendEvent(m_editor->viewport(), &event);
    }

private Q_SLOTS:
    void init()
    {
        m_editor = std::make_unique<Editor>();
        m_editor->resize(1000, 300);
        m_editor->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_editor.get()));
    }
    void cleanup()
    {
        QToolTip::hideText();
        m_editor.reset();
    }

    void aWordTellsItsPrototypeItsSummaryAndAnExample_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("told");
        const auto row = [](const char* name, const char* program, QStringList told) {
            QTest::newRow(name) << QString::fromUtf8(program) << told;
        };
        row("a subroutine", "BEGIN { trace([[basename]](\"/a/b\")); }",
            {"string basename(string)", "The last component of a path.", "trace(basename(\"/usr/bin/ls\"));", "ls"});
        row("an action", "BEGIN { [[printf]](\"x\"); }", {"void printf(string, ...)", "Prints arguments by a format.", "printf(\"%s %d\\n\", execname, pid);"});
        row("a destructive one", "BEGIN { [[stop]](); }", {"void stop()", "Destructive: needs -w.", "stop();"});
        row("one that Linux has not", "BEGIN { [[panic]](); }", {"void panic()", "Not available: Linux lets no BPF program"});
        row("a variable", "syscall:::entry { @[ [[execname]] ] = count(); }", {"string execname", "The name of the program", "@calls[execname] = count();"});
        row("a variable in a predicate", "syscall:::entry /[[errno]] != 0/ { }", {"int errno", "The error of the last system call"});
        row("an aggregating function", "syscall:::entry { @ = [[quantize]](arg0); }",
            {"void quantize(int64_t, [int64_t])", "A distribution by powers of two", "@sizes[execname] = quantize(arg2);"});
        row("a stack", "BEGIN { [[ustack]](); }", {"stack ustack([uint32_t, [uint32_t]])", "@stacks[ustack(20)] = count();"});
        row("an option", "#pragma D option [[bufsize]]=16m\nBEGIN { }", {"bufsize=4m", "Size of the trace buffer.", "#pragma D option bufsize=4m"});
        row("a provider", "[[syscall::read:entry]] { }", {"provider syscall", "Entry to and return from every system call.", "syscall::openat:entry"});
        row("a provider of one process", "[[pid$target::main:entry]] { }", {"provider pid", "Functions of one process", "pid$target::malloc:entry"});
        row("a probe's name alone", "BEGIN { } [[tick-1s]] { }", {"provider profile", "profile:::profile-997"});
        row("BEGIN", "[[BEGIN]] { }", {"provider dtrace", "dtrace:::BEGIN"});
    }
    void aWordTellsItsPrototypeItsSummaryAndAnExample()
    {
        QFETCH(const QString, program);
        QFETCH(const QStringList, told);
        const Marked marked(program);
        m_editor->setProgram(marked.program);

        // Each of its letters, with the mouse.
        for (const int letter : {marked.at, marked.at + marked.length / 2, marked.at + marked.length - 1}) {
            QToolTip::hideText();
            QTRY_VERIFY(!QToolTip::isVisible());
            pointTo(letter);
            QVERIFY(QToolTip::isVisible());
            for (const auto& part : told)
                QVERIFY2(shownText().contains(part), qPrintable(part + QStringLiteral(" is not in\n") + shownText()));
        }

        // With the keyboard.
        const auto shown = shownText();
        QToolTip::hideText();
        QTRY_VERIFY(!QToolTip::isVisible());
        auto cursor = m_editor->textCursor();
        cursor.setPosition(marked.at + 1);
        m_editor->setTextCursor(cursor);
        QTest::keyClick(m_editor.get(), Qt::Key_F1);
        QVERIFY(QToolTip::isVisible());
        QCOMPARE(shownText(), shown);
        QCOMPARE(m_editor->toPlainText(), marked.program);

        // To a screen reader.
        auto* interface = QAccessible::queryAccessibleInterface(m_editor.get());
        QVERIFY(interface);
        const auto description = interface->text(QAccessible::Description);
        for (const auto& part : told)
            QVERIFY2(description.contains(part), qPrintable(part + QStringLiteral(" is not in\n") + description));
    }

    void nothingIsToldOfOtherWords_data()
    {
        QTest::addColumn<QString>("program");
        const auto row = [](const char* name, const char* program) { QTest::newRow(name) << QString::fromUtf8(program); };
        row("in a string", "BEGIN { trace(\"the [[execname]] is\"); }");
        row("in a comment", "BEGIN { /* [[count]] */ }");
        row("in a line's comment", "BEGIN { } // [[count]]\nEND { }");
        row("a name of the program's own", "BEGIN { [[total]] = 1; }");
        row("an aggregation", "BEGIN { @[[sum]] = count(); }");
        row("a member", "BEGIN { trace(curpsinfo->[[pid]]); }");
        row("a kernel's variable", "BEGIN { trace(`[[cpu]]); }");
        row("a provider that is not there", "[[nothing:::entry]] { }");
        row("an option that is not there", "#pragma D option [[bufsizes]]=1\n");
    }
    void nothingIsToldOfOtherWords()
    {
        QFETCH(const QString, program);
        const Marked marked(program);
        m_editor->setProgram(marked.program);
        pointTo(marked.at + 1);
        QVERIFY2(!QToolTip::isVisible(), qPrintable(shownText()));
    }
    void besideTheTextNothingIsTold()
    {
        m_editor->setProgram(QStringLiteral("BEGIN { exit(0); } END"));
        for (const QPoint point : {QPoint(900, 8), QPoint(20, 200)}) {
            QHelpEvent event(QEvent::ToolTip, point, m_editor->viewport()->mapToGlobal(point));
            QApplication::sendEvent(m_editor->viewport(), &event);
            QVERIFY2(!QToolTip::isVisible(), qPrintable(shownText()));
        }
    }
    /// Whatever the tables have, pointing at it tells it.
    void everyRowOfTheTablesIsTold()
    {
        for (const auto name : language::wordNames()) {
            const auto help = gui::helpAt(QStringLiteral("BEGIN { %1; }").arg(q(name)), 9);
            QVERIFY2(help && help->prototype.contains(q(name)) && !help->summary.isEmpty(), qPrintable(q(name)));
        }
        for (const auto& row : options::rows()) {
            const auto help = gui::helpAt(QStringLiteral("#pragma D option %1").arg(q(row.name)), 18);
            QVERIFY2(help && help->prototype.startsWith(q(row.name)) && help->example.contains(q(row.name)), qPrintable(q(row.name)));
        }
        for (const auto& provider : providers::all()) {
            const auto help = gui::helpAt(q(provider->example()) + QStringLiteral(" { }"), 1);
            QVERIFY2(help && help->prototype.endsWith(q(provider->name())), qPrintable(q(provider->name())));
        }
    }
};
QTEST_MAIN(TestWordHelp)
#include "tst_word_help.moc"
