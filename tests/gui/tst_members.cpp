// needs: engine/record
// needs-programs: dscope
#include "gui/member_question.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
using namespace dscope;

/// Members behind -> and . : what is asked of the compiler, and what the editor proposes then.
class TestMembers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theQuestionKeepsTheExpression_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("object"); ///< with the operator; empty: nothing is asked
        QTest::addColumn<QString>("prefix");
        QTest::newRow("argument") << "io:::start { trace(args[0]->b_" << "args[0]->" << "b_";
        QTest::newRow("at once") << "BEGIN { trace(curpsinfo->" << "curpsinfo->" << "";
        QTest::newRow("chain") << "BEGIN { x = curthread->mm->pgd.p" << "curthread->mm->pgd." << "p";
        QTest::newRow("cast") << "BEGIN { ((struct file *)arg0)->f_" << "((struct file *)arg0)->" << "f_";
        QTest::newRow("not the cast") << "BEGIN { x = (uint64_t)args[0]->b" << "args[0]->" << "b";
        QTest::newRow("array") << "BEGIN { x = fds[arg0 + (1 - 1)].fi_" << "fds[arg0 + (1 - 1)]." << "fi_";
        QTest::newRow("variable") << "BEGIN { this->p->x" << "this->p->" << "x";
        QTest::newRow("kernel's name") << "BEGIN { `init_task.co" << "`init_task." << "co";
        QTest::newRow("predicate") << "io:::start /args[0]->b_f" << "args[0]->" << "b_f";
        QTest::newRow("second clause") << "BEGIN { x = 1; } io:::start { y = 2; if (args[1]->dev_" << "args[1]->" << "dev_";
        QTest::newRow("blanks") << "BEGIN { curpsinfo -> pr" << "curpsinfo ->" << "pr";
        QTest::newRow("comment before") << "/* it's } { */ BEGIN { curpsinfo->pr" << "curpsinfo->" << "pr";
        QTest::newRow("bracket in a string") << "BEGIN { printf(\"(%s\", curpsinfo->pr" << "curpsinfo->" << "pr";
        QTest::newRow("number") << "BEGIN { x = 1." << "" << "";
        QTest::newRow("nothing before") << "BEGIN { ->x" << "" << "";
        QTest::newRow("in a string") << "BEGIN { printf(\"a->b" << "" << "";
        QTest::newRow("in a comment") << "/* a->b" << "" << "";
        QTest::newRow("no operator") << "BEGIN { x" << "" << "";
    }
    void theQuestionKeepsTheExpression()
    {
        QFETCH(QString, before);
        QFETCH(QString, object);
        QFETCH(QString, prefix);
        const auto question = gui::memberQuestion(before);
        QCOMPARE(question.has_value(), !object.isEmpty());
        if (!question) return;
        QCOMPARE(question->prefix, prefix);
        QVERIFY2(question->program.contains(QStringLiteral("trace(") + object + QStringLiteral("no_member")), qPrintable(question->program));
        QCOMPARE(question->program.count(QChar('{')), question->program.count(QChar('}')));
    }

    /// The editor proposes what the type has: names that dtrace's documentation lists, with nothing else among them.
    void theEditorProposesThem_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QStringList>("some");
        QTest::newRow("translator") << "io:::start { trace(args[0]->" << QStringList{"b_flags", "b_bcount", "b_blkno", "b_edev"};
        QTest::newRow("process") << "BEGIN { trace(curpsinfo->" << QStringList{"pr_pid", "pr_psargs", "pr_fname"};
        QTest::newRow("kernel's type") << "BEGIN { trace(curthread->" << QStringList{"pid", "tgid", "comm", "mm"};
        QTest::newRow("prefix") << "BEGIN { trace(curpsinfo->pr_ps" << QStringList{"pr_psargs"};
        QTest::newRow("a variable's type") << "BEGIN { this->t = curthread; trace(this->t->tg" << QStringList{"tgid"};
        QTest::newRow("predicate") << "io:::start /args[0]->b_fl" << QStringList{"b_flags"};
    }
    void theEditorProposesThem()
    {
        if (!QFile::exists(QStringLiteral("/sys/kernel/btf/vmlinux"))) QSKIP("this kernel does not tell its types (BTF)");
        QFETCH(QString, typed);
        QFETCH(QStringList, some);
        tests::Desk desk;
        gui::MainWindow window([](QWidget&) { return gui::MainWindow::Answer::Discard; });
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        auto& editor = window.editor();
        QTest::keyClicks(&editor, typed);
        QTRY_VERIFY_WITH_TIMEOUT(editor.completion().isOpen(), tests::kPatience);
        const auto all = editor.completion().proposals();
        for (const auto& name : some)
            QVERIFY2(all.contains(name), qPrintable(name + QStringLiteral(" is not among ") + all.join(QChar(' '))));
        QVERIFY(!all.contains(QStringLiteral("printf")) && !all.contains(QString()));
        for (auto* list : QApplication::topLevelWidgets())
            if (list->isVisible() && list != &window)
                tests::picture(*list, QStringLiteral("members-%1").arg(QString::fromLatin1(QTest::currentDataTag()).section(QChar(' '), 0, 0)));

        // Taken, it stands behind the operator, without its type.
        QTest::keyClick(&editor, Qt::Key_Tab);
        QVERIFY2(editor.toPlainText().endsWith(QStringLiteral("->") + all.front()), qPrintable(editor.toPlainText()));
    }
};
DSCOPE_WINDOW_TEST(TestMembers)
#include "tst_members.moc"
