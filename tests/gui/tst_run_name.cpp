#include "gui/own_recipes.h"
#include "gui/recipes.h"
#include "gui/run_name.h"
#include "window_fixture.h"
using namespace dscope::gui;

/// What a run is called in tabs, titles and the history while nobody has named it.
class TestRunName : public QObject {
    Q_OBJECT
    dscope::tests::Desk m_desk;
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void aRunIsCalledByWhatItAsks_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("name");
        const QString program = "/* how much */\n#pragma D option quiet\nsyscall::write:entry,\nsyscall::pwrite64:entry { @ = sum(arg2); }";
        QTest::newRow("probe") << program << ""
                               << ""
                               << "syscall::write:entry";
        QTest::newRow("probe and command") << program << ""
                                           << "/usr/bin/make -j4 all"
                                           << "syscall::write:entry · make";
        QTest::newRow("title and process") << program << "sizes.d"
                                           << "-p 4711"
                                           << "sizes.d · pid 4711";
        QTest::newRow("a blank in its name") << program << "sizes.d"
                                             << "\"/opt/my tool/run it\" x"
                                             << "sizes.d · run it";
        QTest::newRow("title alone") << ""
                                     << "sizes.d"
                                     << ""
                                     << "sizes.d";
        QTest::newRow("not D") << "{{{"
                               << ""
                               << ""
                               << "program";
    }
    void aRunIsCalledByWhatItAsks()
    {
        QFETCH(QString, program);
        QFETCH(QString, title);
        QFETCH(QString, command);
        QFETCH(QString, name);
        QCOMPARE(runName(program, title, command), name);
    }

    void everyRecipeIsKnown()
    {
        int withParameters = 0;
        for (const auto& recipe : recipes()) {
            auto program = QString::fromUtf8(recipe.program);
            QCOMPARE(recipeOf(program).value_or(QString()), QString::fromUtf8(recipe.question));
            // Whoever gives a parameter another value asks the same question.
            if (!program.contains(QStringLiteral("= 1000;"))) continue;
            ++withParameters;
            QCOMPARE(recipeOf(program.replace(QStringLiteral("= 1000;"), QStringLiteral("= 50;"))).value_or(QString()),
                QString::fromUtf8(recipe.question));
            QVERIFY(!recipeOf(program + QStringLiteral("\nEND { exit(0); }\n")));
        }
        QVERIFY(withParameters > 0);
        QVERIFY(!recipeOf(QStringLiteral("BEGIN { exit(0); }")));
        QVERIFY(keepRecipe(QStringLiteral("Does it begin?"), QStringLiteral("BEGIN { exit(0); }")));
        QCOMPARE(recipeOf(QStringLiteral("BEGIN { exit(0); }")).value_or(QString()), QStringLiteral("Does it begin?"));
    }
};
DSCOPE_WINDOW_TEST(TestRunName)
#include "tst_run_name.moc"
