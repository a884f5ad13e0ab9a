// needs: graph graph/models
// needs-programs: dscope
// What goes wrong is told with the run or the program that it belongs to, and no longer; what the traced command writes is no error.
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
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
