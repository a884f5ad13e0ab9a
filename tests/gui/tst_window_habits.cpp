// needs: graph
#include "gui/command_palette.h"
#include "tests/support/ended_process.h"
#include "window_fixture.h"
#include <QAction>
#include <QDir>
#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QTreeWidget>
using namespace dscope;
namespace {
gui::MainWindow::Answer discard(QWidget&) { return gui::MainWindow::Answer::Discard; }
QDir settingsFolder() { return QFileInfo(QSettings().fileName()).absoluteDir(); }
QStringList keptFiles() { return settingsFolder().entryList({QStringLiteral("unsaved-*.d")}, QDir::Files); }
void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), qPrintable(path));
}
} // namespace

/// What people expect of a desktop program: its commands found by typing, its pictures alone on the screen, nothing lost by a crash.
class TestWindowHabits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void commandsAreFoundByTyping_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("a word") << "questions" << "Window › Questions and probes";
        QTest::newRow("words in any order") << "screen full" << "View › Full screen";
        QTest::newRow("of a menu in a menu") << "after 30" << "Run › Stop after › 30 s";
        QTest::newRow("none") << "zzz" << QString();
    }
    void commandsAreFoundByTyping()
    {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        gui::MainWindow window(discard);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window.findChild<gui::CommandPalette*>();
        QVERIFY(palette);
        QTest::keyClicks(&palette->filter(), typed);
        const auto* row = palette->list().currentItem();
        QCOMPARE(row ? row->text(0) : QString(), first);
        tests::picture(*palette, QStringLiteral("palette-") + QString::fromLatin1(QTest::currentDataTag()).section(QChar(' '), 0, 0));
    }

    /// Every command of every menu is there once, and Enter does it.
    void aCommandIsDone()
    {
        gui::MainWindow window(discard);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* sidebar = window.findChild<gui::Sidebar*>();
        QVERIFY(sidebar->isVisible());
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window.findChild<gui::CommandPalette*>();
        QVERIFY(palette);
        QStringList rows;
        for (int i = 0; i < palette->list().topLevelItemCount(); ++i)
            rows << palette->list().topLevelItem(i)->text(0);
        QCOMPARE(rows.removeDuplicates(), 0);
        for (const auto* top : window.menuBar()->actions())
            QVERIFY2(!rows.filter(QString(top->text()).remove(QChar('&'))).isEmpty(), qPrintable(top->text()));
        QTest::keyClicks(&palette->filter(), QStringLiteral("questions"));
        QTest::keyClick(&palette->filter(), Qt::Key_Return);
        QTRY_VERIFY(!sidebar->isVisible());
    }

    void thePicturesStandAlone()
    {
        gui::MainWindow window(discard);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto parts = [&] {
            return QList<QWidget*>{window.menuBar(), window.findChild<QToolBar*>(QStringLiteral("tools")), window.findChild<gui::Sidebar*>(),
                &window.editor(), window.statusBar()};
        };
        QTest::keyClick(&window, Qt::Key_F11, Qt::ShiftModifier);
        for (auto* part : parts())
            QVERIFY2(!part->isVisible(), part->metaObject()->className());
        QVERIFY(window.isFullScreen());
        QVERIFY(window.findChild<gui::ViewArea*>()->isVisible());
        QTest::keyClick(&window, Qt::Key_F11, Qt::ShiftModifier); // without a menu bar
        for (auto* part : parts())
            QVERIFY2(part->isVisible(), part->metaObject()->className());
        QVERIFY(!window.isFullScreen());

        // What somebody had hidden before does not come back with the rest.
        window.findChild<gui::Sidebar*>()->hide();
        QTest::keyClick(&window, Qt::Key_F11, Qt::ShiftModifier);
        QTest::keyClick(&window, Qt::Key_F11, Qt::ShiftModifier);
        QVERIFY(window.editor().isVisible());
        QVERIFY(!window.findChild<gui::Sidebar*>()->isVisible());
    }

    void whatIsNotSavedIsKept()
    {
        gui::MainWindow window(discard);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(keptFiles().isEmpty());
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { trace(1); }"));
        QTRY_COMPARE_WITH_TIMEOUT(keptFiles().size(), 1, tests::kPatience);
        const QFileInfo kept(settingsFolder().filePath(keptFiles().front()));
        QCOMPARE(tests::contents(kept.filePath()), QByteArray("BEGIN { trace(1); }"));
        QCOMPARE(kept.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        // A program that is thrown away on purpose is gone.
        window.close();
        QVERIFY(keptFiles().isEmpty());
    }

    void aWindowThatDiedLeavesItsProgram()
    {
        QDir().mkpath(settingsFolder().absolutePath());
        const auto left = settingsFolder().filePath(QStringLiteral("unsaved-%1.d").arg(tests::endedProcess()));
        write(left, "tick-1s { trace(2); }");
        // That of a window that runs stays where it is.
        const auto others = settingsFolder().filePath(QStringLiteral("unsaved-%1.d").arg(::getppid()));
        write(others, "tick-9s { }");
        {
            gui::MainWindow window(discard);
            QCOMPARE(window.editor().toPlainText(), QStringLiteral("tick-1s { trace(2); }"));
            QVERIFY(window.editor().document()->isModified());
            QVERIFY(!QFile::exists(left));
            window.close();
        }
        gui::MainWindow next(discard);
        QVERIFY(next.editor().toPlainText().isEmpty());
        QVERIFY(QFile::exists(others));
        QFile::remove(others);
    }

private:
    tests::Desk m_desk;
};
DSCOPE_WINDOW_TEST(TestWindowHabits)
#include "tst_window_habits.moc"
