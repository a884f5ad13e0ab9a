// needs: engine/record
// needs-programs: dscope
#include "gui/program_check.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
using namespace dscope;
namespace {
using Errors = std::vector<record::Diagnostic>;
const QString kDscope = QStringLiteral(DSCOPE_BIN "/dscope");
} // namespace

class TestProgramCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What the window tells before a run is what dtrace's own command says of the same program.
    void itSaysWhatTheCompilerSays_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("line");
        QTest::newRow("right") << "BEGIN { trace(1); }" << QString() << 0;
        QTest::newRow("unknown name") << "BEGIN\n{\n\ttrace(execnam);\n}" << "execnam" << 3;
        QTest::newRow("too few arguments") << "BEGIN { trace(copyinstr()); }" << "copyinstr" << 1;
        QTest::newRow("no such member") << "BEGIN\n{ trace(curpsinfo->pr_nothing); }" << "pr_nothing" << 2;
        QTest::newRow("no probe") << "syscall::nothing_of_this_name:entry { }" << "nothing_of_this_name" << 1;
    }
    void itSaysWhatTheCompilerSays()
    {
        QFETCH(QString, program);
        QFETCH(QString, said);
        QFETCH(int, line);
        gui::ProgramCheck check;
        check.setHelper(kDscope);
        Errors errors;
        int answers = 0;
        connect(&check, &gui::ProgramCheck::checked, this, [&](const QString& of, const Errors& found) {
            ++answers;
            errors = found;
            QCOMPARE(of, program);
        });
        check.check(program, {});
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, tests::kPatience);
        QVERIFY(!check.isRunning());
        const auto outcome = tests::runDscope({QStringLiteral("-e"), QStringLiteral("-n"), program});
        QCOMPARE(outcome.status == 0, said.isEmpty());
        if (said.isEmpty()) {
            QVERIFY(errors.empty());
            return;
        }
        // An ordinary user may not see all probes: then nothing is said of them.
        if (errors.empty() && ::geteuid() != 0) return;
        QCOMPARE(errors.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(errors.front().message).contains(said), errors.front().message.c_str());
        QVERIFY2(outcome.err.contains(errors.front().message.c_str()), outcome.err.constData());
        QCOMPARE(int(errors.front().line), line);
    }

    /// Only the newest program is told of.
    void theNewestWins()
    {
        gui::ProgramCheck check;
        check.setHelper(kDscope);
        QStringList programs;
        connect(&check, &gui::ProgramCheck::checked, this, [&](const QString& of, const Errors&) { programs << of; });
        for (int i = 0; i < 5; ++i)
            check.check(QStringLiteral("BEGIN { x = %1; }").arg(i), {});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isRunning(), tests::kPatience);
        QCOMPARE(programs, QStringList{QStringLiteral("BEGIN { x = 4; }")});
    }

    /// The command is for a run: a check must not start it.
    void noCommandIsStarted()
    {
        tests::Desk desk;
        const auto trace = desk.path(QStringLiteral("started"));
        gui::ProgramCheck check;
        check.setHelper(kDscope);
        int answers = 0;
        Errors errors;
        connect(&check, &gui::ProgramCheck::checked, this, [&](const QString&, const Errors& found) {
            ++answers;
            errors = found;
        });
        check.check(QStringLiteral("pid$target::main:entry { trace(1); }"), QStringLiteral("touch ") + trace);
        QTRY_COMPARE_WITH_TIMEOUT(answers, 1, tests::kPatience);
        QVERIFY(!QFile::exists(trace));
        QVERIFY2(errors.empty(), "the probes of a command that is not started are unknown, not wrong");
    }

    void withoutCompilerNothingIsSaid()
    {
        gui::ProgramCheck check;
        check.setHelper(QStringLiteral("/nonexistent/dscope"));
        int answers = 0;
        connect(&check, &gui::ProgramCheck::checked, this, [&](const QString&, const Errors&) { ++answers; });
        check.check(QStringLiteral("BEGIN { x = execnam; }"), {});
        QTRY_VERIFY_WITH_TIMEOUT(!check.isRunning(), tests::kPatience);
        QCOMPARE(answers, 0);
    }

    /// In the window: the place is marked while typing, and the mark goes when it is mended.
    void theWindowMarksIt()
    {
        tests::Desk desk;
        gui::MainWindow window([](QWidget&) { return gui::MainWindow::Answer::Discard; });
        window.setHelper(kDscope);
        window.show();
        auto& editor = window.editor();
        QSignalSpy told(&editor, &gui::Editor::mistaken);
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { trace(execnam); }"));
        QTRY_COMPARE_WITH_TIMEOUT(editor.markedLine(), 1, tests::kPatience);
        QVERIFY2(told.last().front().toString().contains(QStringLiteral("execnam")), qPrintable(told.last().front().toString()));
        tests::picture(window, QStringLiteral("window-semantic-error"));
        editor.replaceProgram(QStringLiteral("BEGIN { trace(execname); }"));
        QTRY_COMPARE_WITH_TIMEOUT(editor.markedLine(), 0, tests::kPatience);
    }
};
DSCOPE_WINDOW_TEST(TestProgramCheck)
#include "tst_program_check.moc"
