#include "gui/own_recipes.h"
#include "gui/recipes.h"
#include "window_fixture.h"
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QMenu>
#include <QToolButton>
#include <QTreeWidget>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
QTreeWidgetItem* row(MainWindow& window, const QString& question)
{
    const auto found = window.sidebar().recipes().findItems(question, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.front();
}
bool isOnPage(const QWidget& page, const QString& question)
{
    for (const auto* one : page.findChildren<QToolButton*>())
        if (one->text() == question) return true;
    return false;
}
QDir folder() { return QDir(QFileInfo(QSettings().fileName()).absoluteDir().filePath(QStringLiteral("recipes"))); }
} // namespace

/// Programs that somebody wants to find again by the question that they answer.
class TestOwnRecipes : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void cleanup() { folder().removeRecursively(); }

    void oneIsSavedFoundAndRemoved()
    {
        const auto question = QStringLiteral("Who reads /etc/passwd, 100 %?");
        const auto program = QStringLiteral("syscall::openat:entry { @[execname] = count(); }\n");
        MainWindow window, other;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(!window.keepAsRecipe({})); // it would not be found
        window.editor().setProgram(program);
        QVERIFY2(window.keepAsRecipe(question), qPrintable(window.message()));

        // Everywhere where recipes are, in every window, and in the next.
        MainWindow next;
        for (auto* one : {&window, &other, &next}) {
            QVERIFY(row(*one, question));
            QVERIFY(isOnPage(one->startPage(), question));
            QVERIFY(one->startPage().question().findText(question) >= 0);
        }
        QCOMPARE(gui::offeredRecipes().size(), gui::recipes().size() + 1);
        picture(window, QStringLiteral("own-recipes"));

        // A click shows its program; saved once more it is another one under the same question.
        window.editor().setProgram(QStringLiteral("BEGIN { }\n"));
        auto& tree = window.sidebar().recipes();
        tree.scrollToItem(row(window, question));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(row(window, question)).center());
        QCOMPARE(window.editor().toPlainText(), program);
        window.editor().replaceProgram(QStringLiteral("END { }\n"));
        QVERIFY(window.keepAsRecipe(question));
        QCOMPARE(gui::offeredRecipes().size(), gui::recipes().size() + 1);
        QCOMPARE(gui::offeredRecipes().front().program, QStringLiteral("END { }\n"));
        QCOMPARE(gui::offeredRecipes().front().question, question);

        // Removed by the key, it is in the editor for who has slipped.
        tree.setCurrentItem(row(window, question));
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Delete);
        QVERIFY(!row(window, question) && !row(other, question) && !isOnPage(other.startPage(), question));
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("END { }\n"));
        QVERIFY(window.programs().isModified(window.programs().current()));
        QVERIFY(folder().isEmpty());

        // One of dscope's own stays.
        const auto ours = QString::fromUtf8(gui::recipes().front().question);
        tree.setCurrentItem(row(window, ours));
        QTest::keyClick(&tree, Qt::Key_Delete);
        QVERIFY(row(window, ours));
    }

    /// A file that a colleague has sent is a recipe: its name is the question.
    void aFileIsARecipe()
    {
        QVERIFY(QDir().mkpath(folder().path()));
        QFile file(folder().filePath(QString::fromUtf8("Wer löscht etwas?.d")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("syscall::unlinkat:entry { @[execname] = count(); }\n");
        file.close();
        MainWindow window;
        QVERIFY(row(window, QString::fromUtf8("Wer löscht etwas?")));
    }

    void whatCannotBeSavedIsTold()
    {
        // A file where the folder would be.
        QVERIFY(QDir().mkpath(QFileInfo(folder().path()).absolutePath()));
        QFile inTheWay(folder().path());
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.close();
        MainWindow window;
        window.editor().setProgram(QStringLiteral("BEGIN { }\n"));
        QVERIFY(!window.keepAsRecipe(QStringLiteral("Why?")));
        QVERIFY2(window.message().contains(folder().path()), qPrintable(window.message()));
        QVERIFY(inTheWay.remove());
    }
};
DSCOPE_WINDOW_TEST(TestOwnRecipes)
#include "tst_own_recipes.moc"
