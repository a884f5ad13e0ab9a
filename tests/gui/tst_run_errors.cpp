// needs: graph graph/models
// needs-programs: dscope
// What goes wrong is told with the run or the program that it belongs to, and no longer; what the traced command writes is no error.
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QClipboard>
#include <QStandardPaths>
#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>
#include <QToolButton>
#include <algorithm>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;

class TestRunErrors : public QObject {
    Q_OBJECT
    Desk m_desk;

    /// Stands for dscope: a script that does `before`, writes `stream` without its end, and does `after`.
    QString helper(const QString& name, const QByteArray& before, const test::Stream& stream, const QByteArray& after) const
    {
        const auto file = m_desk.path(name + QStringLiteral(".dscope"));
        const int fd = ::open(QFile::encodeName(file).constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        {
            record::Writer writer(fd);
            for (const auto& r : stream)
                writer.take(r);
            writer.flush();
        }
        ::close(fd);
        return m_desk.text(name,
            "#!/bin/sh\nout=1\nwhile [ $# -gt 0 ]; do [ \"$1\" = --stream ] && out=${2%%:*}; shift; done\n" + before + "\n"
                + (stream.empty() ? QByteArray() : "cat '" + file.toUtf8() + "' >/dev/fd/$out\n") + after + '\n',
            true);
    }
    static record::Diagnostic diagnostic(record::Diagnostic::Severity severity, std::uint32_t line, const std::string& message)
    {
        return {severity, {}, {}, line, line, message, message};
    }
    static void runAndWait(MainWindow& window, const QString& helper)
    {
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.setHelper(helper);
        window.run();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
    }
private Q_SLOTS:
    void init()
    {
        if (::geteuid() != 0) QSKIP("the window asks for root's rights before it starts what stands for dscope");
    }

    void whatTheCommandWritesFirstIsOutput()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("syscall::write:entry { @[execname] = count(); }\n"));
        // The words come before the stream does, as they may: they take another pipe. There is more than a pipe holds, so that the window
        // has read some of it when the stream begins.
        const QByteArray words = "{ echo \"make: Entering directory '/src'\"; head -c 300000 /dev/zero | tr '\\0' x | fold -w 99; } >&2";
        runAndWait(window, helper(QStringLiteral("early"), words, test::writeTimes({"tar"}), {}));
        QTRY_VERIFY2(window.results().output().text().contains(QStringLiteral("make: Entering directory")), qPrintable(window.message()));
        QVERIFY2(!window.message().contains(QStringLiteral("Entering")), qPrintable(window.message()));
    }
    void realMakeIsNoError()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable(QStringLiteral("make")).isEmpty()) QSKIP("needs make");
        m_desk.text(QStringLiteral("Makefile"), "all:\n\t@echo built >&2\n");
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("proc:::exec-success /progenyof($target)/ { @[execname] = count(); }\n"));
        window.command().setText(QStringLiteral("make -C ") + m_desk.path({}));
        runAndWait(window, QStringLiteral(DSCOPE_BIN "/dscope"));
        QTRY_VERIFY2(window.results().output().text().contains(QStringLiteral("built")), qPrintable(window.message()));
        QVERIFY(window.results().output().text().contains(QStringLiteral("Entering directory")));
        QVERIFY2(!window.message().contains(QStringLiteral("Entering")) && !window.message().contains(QStringLiteral("built")),
            qPrintable(window.message()));
    }
    void whatAHelperSaysThatDoesNotBeginIsAnError()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("BEGIN { }\n"));
        runAndWait(window, helper(QStringLiteral("refuses"), "echo 'sudo: no password was provided' >&2", {}, "exit 1"));
        QTRY_VERIFY2(window.message().contains(QStringLiteral("no password was provided")), qPrintable(window.message()));
        QVERIFY(!window.results().output().text().contains(QStringLiteral("no password")));
    }
    void aMendedErrorIsGone()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("BEGIN { trace(nosuch); }\n"));
        runAndWait(window,
            helper(QStringLiteral("wrong"), {}, {diagnostic(record::Diagnostic::Severity::Error, 1, "nosuch is not known")}, "exit 1"));
        QVERIFY2(window.message().contains(QStringLiteral("nosuch is not known")), qPrintable(window.message()));

        // The next run is warned of something else: its message has no more than that.
        window.editor().setProgram(QStringLiteral("profile-997 { @[ustack()] = count(); }\n"));
        auto stream = test::profile(50, 20, 6);
        stream.insert(stream.begin(), diagnostic(record::Diagnostic::Severity::Warning, 0, "a warning of the next run"));
        runAndWait(window, helper(QStringLiteral("right"), {}, stream, {}));
        QVERIFY2(window.message().contains(QStringLiteral("a warning of the next run")), qPrintable(window.message()));
        QVERIFY2(!window.message().contains(QStringLiteral("nosuch")), qPrintable(window.message()));
        // And one that nothing is said of has none.
        runAndWait(window, helper(QStringLiteral("quiet"), {}, test::profile(50, 20, 6), {}));
        QVERIFY2(!window.message().contains(QStringLiteral("warning")) && !window.message().contains(QStringLiteral("nosuch")),
            qPrintable(window.message()));
    }
    void aRunThatIsLookedAtAgainHasNoErrorOfAnother()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("profile-997 { @[ustack()] = count(); }\n"));
        runAndWait(window, helper(QStringLiteral("fine"), {}, test::profile(50, 20, 6), {}));
        runAndWait(window,
            helper(QStringLiteral("fails"), {}, {diagnostic(record::Diagnostic::Severity::Error, 0, "failed to execute nosuchprogram")},
                "exit 1"));
        QVERIFY2(window.message().contains(QStringLiteral("nosuchprogram")), qPrintable(window.message()));
        Q_EMIT window.runs().chosen(0);
        QVERIFY2(!window.message().contains(QStringLiteral("nosuchprogram")), qPrintable(window.message()));
    }
    void anErrorGoesWithItsProgram_data()
    {
        QTest::addColumn<QString>("what");
        for (const auto* what : {"recipe", "text", "command", "tab"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }
    /// What a finished run was refused for is not said of what is written or chosen next.
    void anErrorGoesWithItsProgram()
    {
        QFETCH(const QString, what);
        const auto program = QStringLiteral("BEGIN { trace(1); }\n");
        MainWindow window;
        window.show();
        window.editor().setProgram(program);
        window.command().setText(QStringLiteral("/no/such/cmd"));
        runAndWait(window, helper(QStringLiteral("refused"), "echo 'Error creating textual authentication agent' >&2", {}, "exit 127"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            window.message().contains(QStringLiteral("sudo dscope --record")), qPrintable(window.message()), kPatience);
        QVERIFY2(window.message().contains(QStringLiteral("trace(1)")), qPrintable(window.message()));
        if (what == QStringLiteral("recipe"))
            Q_EMIT window.sidebar().recipeChosen(QStringLiteral("syscall::write:entry { @ = count(); }\n"));
        else if (what == QStringLiteral("text"))
            window.editor().appendPlainText(QStringLiteral("END { }"));
        else if (what == QStringLiteral("command"))
            window.command().setText(QStringLiteral("/bin/true"));
        else
            window.programs().add(QStringLiteral("END { }\n"), {});
        QVERIFY2(!window.message().contains(QStringLiteral("sudo dscope")), qPrintable(window.message()));
        QVERIFY2(!window.message().contains(QStringLiteral("authentication agent")), qPrintable(window.message()));
    }
    /// Somebody writes on while pkexec asks: the command that does the same is of what was to run.
    void theCommandByHandIsOfTheRun()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("BEGIN { trace(1); }\n"));
        window.command().setText(QStringLiteral("/bin/true"));
        QSignalSpy finished(&window, &MainWindow::runFinished);
        const auto go = m_desk.path(QStringLiteral("go"));
        window.setHelper(helper(QStringLiteral("asks"), "until [ -e '" + go.toUtf8() + "' ]; do sleep 0.01; done", {}, "exit 127"));
        window.run();
        window.command().setText(QStringLiteral("/bin/false"));
        QVERIFY(!m_desk.text(QStringLiteral("go"), "").isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
        QTRY_VERIFY2_WITH_TIMEOUT(window.message().contains(QStringLiteral("/bin/true")), qPrintable(window.message()), kPatience);
        QVERIFY2(!window.message().contains(QStringLiteral("/bin/false")), qPrintable(window.message()));
    }
    /// What the helper says comes behind what it means.
    void rightsThatWereNotGivenAreToldInASentence()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\ttrace(1);\n}\n\nEND\n{\n\ttrace(2);\n}\n"));
        runAndWait(
            window, helper(QStringLiteral("no_agent"), "echo 'Error creating textual authentication agent: no tty' >&2", {}, "exit 127"));
        QTRY_VERIFY2_WITH_TIMEOUT(
            window.message().contains(QStringLiteral("sudo dscope --record")), qPrintable(window.message()), kPatience);
        const auto message = window.message();
        QVERIFY2(message.startsWith(QStringLiteral("Tracing needs root")), qPrintable(message));
        QVERIFY2(
            message.indexOf(QStringLiteral("sudo dscope")) < message.indexOf(QStringLiteral("authentication agent")), qPrintable(message));
        QVERIFY2(message.contains(QStringLiteral("trace(2)")), qPrintable(message));

        // The command is copied by a button, to the letter.
        const auto buttons = window.findChildren<QToolButton*>();
        const auto copy
            = std::find_if(buttons.begin(), buttons.end(), [](const auto* b) { return b->text() == QStringLiteral("Copy the command"); });
        QVERIFY(copy != buttons.end() && (*copy)->isVisible());
        QTest::mouseClick(*copy, Qt::LeftButton);
        const auto copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QStringLiteral("sudo dscope --record")) && copied.endsWith(QStringLiteral("trace(2);\n}\n'")),
            qPrintable(copied));
        QVERIFY(message.contains(copied));
        picture(window, QStringLiteral("rights-not-given"));

        // A state has nothing to copy.
        runAndWait(window, helper(QStringLiteral("works"), {}, test::profile(50, 20, 6), {}));
        QVERIFY(!(*copy)->isVisible());
    }
    /// A source line is one line on the screen, and the caret stands under the word that it means.
    void aCaretStandsUnderItsWord()
    {
        MainWindow window;
        window.resize(900, 700);
        window.show();
        const auto blanks = QString(300, QChar(' '));
        window.editor().setProgram(QStringLiteral("BEGIN { trace(nosuch); }\n"));
        auto d = diagnostic(record::Diagnostic::Severity::Error, 1, "nosuch is not known");
        d.text = "program:1:309: error: nosuch is not known and this sentence goes on until it is wider than the dock of the program, in "
                 "which it is wrapped then\n  "
            + blanks.toStdString() + "BEGIN { trace(nosuch); }\n  " + blanks.toStdString() + "              ^~~~~~";
        runAndWait(window, helper(QStringLiteral("caret"), {}, {d}, "exit 1"));
        QTextEdit* shown = nullptr;
        for (auto* one : window.findChildren<QTextEdit*>())
            if (one->toPlainText().contains(QStringLiteral("nosuch is not known"))) shown = one;
        QVERIFY(shown);
        QCOMPARE(shown->toPlainText(), window.message());
        const auto at = [&](const QString& text) {
            auto cursor = shown->document()->find(text, shown->document()->findBlockByNumber(1).position());
            cursor.setPosition(cursor.selectionStart());
            return shown->cursorRect(cursor);
        };
        QCOMPARE(at(QStringLiteral("^~~~~~")).left(), at(QStringLiteral("nosuch)")).left());
        QCOMPARE(shown->document()->findBlockByNumber(1).layout()->lineCount(), 1);
        QVERIFY(shown->document()->findBlockByNumber(0).layout()->lineCount() > 1); // a sentence is wrapped
        picture(window, QStringLiteral("caret"));
    }
    void aHelperThatIsKilledIsToldAfterOtherErrors()
    {
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("profile-997 { @[ustack()] = count(); }\n"));
        auto stream = test::profile(50, 20, 6);
        stream.pop_back(); // it has no end
        stream.insert(stream.begin(), diagnostic(record::Diagnostic::Severity::Warning, 0, "a warning at first"));
        runAndWait(window, helper(QStringLiteral("dies"), {}, stream, "kill -9 $$"));
        QTRY_VERIFY2_WITH_TIMEOUT(window.message().contains(QStringLiteral("ended unexpectedly")), qPrintable(window.message()), kPatience);
        QVERIFY2(window.message().contains(QStringLiteral("a warning at first")), qPrintable(window.message()));
    }
};
DSCOPE_WINDOW_TEST(TestRunErrors)
#include "tst_run_errors.moc"
