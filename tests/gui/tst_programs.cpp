// needs: graph
#include "gui/session.h"
#include "tests/support/ended_process.h"
#include "window_fixture.h"
#include <QAction>
#include <QDir>
#include <QToolButton>
using namespace dscope;
using gui::MainWindow;
namespace {
QStringList titles(const MainWindow& window)
{
    QStringList all;
    auto& tabs = const_cast<MainWindow&>(window).programs().tabs();
    for (int i = 0; i < tabs.count(); ++i)
        all << tabs.tabText(i);
    return all;
}
QString shown(MainWindow& window) { return window.editor().toPlainText(); }
QDir settingsFolder() { return QFileInfo(QSettings().fileName()).absoluteDir(); }
} // namespace

/// Several programs are open in one window, as people know it from their browser and their editor.
class TestPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysMakeTakeAndChooseTabs()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QCOMPARE(titles(window), QStringList{QStringLiteral("Program")});
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { trace(1); }"));
        QTest::keyClick(window.focusWidget(), Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(titles(window), (QStringList{QStringLiteral("Program •"), QStringLiteral("Program 2")}));
        QVERIFY(window.editor().hasFocus());
        QTest::keyClicks(&window.editor(), QStringLiteral("tick-1s { }"));
        QTest::keyClick(window.focusWidget(), Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(window.programs().count(), 3);
        tests::picture(window, QStringLiteral("programs"));

        // Round the tabs in both directions; what was typed stays where it was.
        QTest::keyClick(window.focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(shown(window), QStringLiteral("BEGIN { trace(1); }"));
        QVERIFY(window.editor().hasFocus());
        QTest::keyClick(window.focusWidget(), Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window.programs().current(), 2);
        QTest::keyClick(window.focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(shown(window), QStringLiteral("tick-1s { }"));
        window.editor().undo();
        QVERIFY(shown(window) != QStringLiteral("tick-1s { }"));
        window.editor().redo();

        // Closed, and back again.
        QTest::keyClick(window.focusWidget(), Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(window.programs().count(), 2);
        QTest::keyClick(window.focusWidget(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shown(window), QStringLiteral("tick-1s { }"));
        QVERIFY(window.programs().isModified(window.programs().current()));
    }

    void theLastTabLeavesAnEmptyProgram()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { }"));
        QTest::keyClick(window.focusWidget(), Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(window.programs().count(), 1);
        QVERIFY(shown(window).isEmpty());
        QVERIFY(window.isVisible() && window.editor().hasFocus());
    }

    void aFileGetsATabOfItsOwn()
    {
        tests::Desk desk;
        const auto one = desk.text(QStringLiteral("one.d"), "BEGIN { trace(1); }\n"), two = desk.text(QStringLiteral("two.d"), "BEGIN { trace(2); }\n");
        QDir().mkpath(desk.path(QStringLiteral("other")));
        const auto same = desk.text(QStringLiteral("other/one.d"), "BEGIN { trace(3); }\n");
        MainWindow window;
        window.open(one);
        QCOMPARE(titles(window), QStringList{QStringLiteral("one.d")}); // the empty program made place
        window.open(two);
        QCOMPARE(titles(window), (QStringList{QStringLiteral("one.d"), QStringLiteral("two.d")}));
        QCOMPARE(shown(window), QStringLiteral("BEGIN { trace(2); }\n"));
        window.open(one);
        QCOMPARE(window.programs().count(), 2); // it is open already
        QCOMPARE(shown(window), QStringLiteral("BEGIN { trace(1); }\n"));
        window.open(same);
        const auto folder = QFileInfo(one).absoluteDir().dirName();
        QCOMPARE(titles(window), (QStringList{folder + QStringLiteral("/one.d"), QStringLiteral("other/one.d"), QStringLiteral("two.d")}));

        // Another program has written the file meanwhile: one sees what is there, unless one has work in it.
        desk.text(QStringLiteral("two.d"), "END { }\n");
        window.open(two);
        QCOMPARE(shown(window), QStringLiteral("END { }\n"));
        QTest::keyClicks(&window.editor(), QStringLiteral("x"));
        const auto work = shown(window);
        desk.text(QStringLiteral("two.d"), "BEGIN { }\n");
        window.open(two);
        QCOMPARE(shown(window), work);
    }

    /// Two tabs with one file would undo each other's work.
    void aFileHasOneTab()
    {
        tests::Desk desk;
        const auto one = desk.text(QStringLiteral("one.d"), "BEGIN { trace(1); }\n"), two = desk.text(QStringLiteral("two.d"), "BEGIN { trace(2); }\n");
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& programs = window.programs();
        window.open(one);
        window.open(two);

        // Closed, opened again from the disk, and then brought back.
        programs.close(*programs.placeOfFile(two));
        window.open(two);
        QVERIFY(programs.reopen());
        QCOMPARE(titles(window), (QStringList{QStringLiteral("one.d"), QStringLiteral("two.d")}));
        window.editor().setProgram(QStringLiteral("END { }\n"));
        programs.close(*programs.placeOfFile(two));
        window.open(two);
        QVERIFY(programs.reopen());
        QCOMPARE(programs.count(), 3);
        QCOMPARE(shown(window), QStringLiteral("END { }\n"));
        QVERIFY(programs.origin(programs.current()).path.isEmpty() && programs.isModified(programs.current()));

        // Saved under the name of another: not over what somebody has written there and not saved.
        programs.show(*programs.placeOfFile(one));
        QTest::keyClicks(&window.editor(), QStringLiteral("x"));
        const auto work = shown(window);
        programs.show(*programs.placeOfFile(two));
        QVERIFY(!window.saveIn(one, programs.current()));
        QVERIFY2(window.message().contains(QStringLiteral("another tab")), qPrintable(window.message()));
        QCOMPARE(tests::contents(one), QByteArray("BEGIN { trace(1); }\n"));
        QVERIFY(window.saveIn(one, *programs.placeOfFile(one)));
        QVERIFY(window.saveIn(one, *programs.placeOfFile(two)));
        QCOMPARE(tests::contents(one), QByteArray("BEGIN { trace(2); }\n"));
        QCOMPARE(programs.count(), 2);
        QCOMPARE(shown(window), QStringLiteral("BEGIN { trace(2); }\n"));
        QVERIFY(!programs.isModified(programs.current()) && !programs.placeOfFile(two));
        QVERIFY(work != shown(window));
    }

    /// A recording whose program is open is not a second one, whatever else somebody works at.
    void aRecordingFindsItsProgram()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto path = m_desk.recording(QStringLiteral("found.dscope"), test::written({"tar"}, true));
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, tests::kPatience);
        const auto program = shown(window);
        QVERIFY(!program.isEmpty());

        MainWindow other;
        other.programs().editor(0).setProgram(program);
        other.programs().add({}, {});
        other.show();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        QTest::keyClicks(&other.editor(), QStringLiteral("BEGIN { work = 1; }"));
        QSignalSpy read(&other, &MainWindow::runFinished);
        other.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(read.count() > 0, tests::kPatience);
        QCOMPARE(other.programs().count(), 2);
        QCOMPARE(shown(other), QStringLiteral("BEGIN { work = 1; }"));
    }

    /// Cancel is an answer for all of them.
    void cancelKeepsTheOthers()
    {
        int asked = 0;
        MainWindow window([&](QWidget&) {
            ++asked;
            return MainWindow::Answer::Cancel;
        });
        window.resize(1400, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const auto* text : {"a", "b", "c"}) {
            QTest::keyClicks(&window.editor(), QString::fromLatin1(text));
            window.programs().add({}, {});
        }
        auto& tabs = window.programs().tabs();
        Q_EMIT tabs.customContextMenuRequested(tabs.tabRect(window.programs().current()).center());
        QAction* others = nullptr;
        for (auto* action : window.programs().findChildren<QAction*>())
            if (action->text() == QStringLiteral("Close all &others")) others = action;
        QVERIFY(others);
        others->trigger();
        QCOMPARE(asked, 1);
        QCOMPARE(window.programs().count(), 4);
    }

    void eachTabIsAskedAbout()
    {
        auto answer = MainWindow::Answer::Cancel;
        QStringList asked;
        MainWindow window([&](QWidget& about) {
            asked << static_cast<MainWindow&>(about).editor().toPlainText();
            return answer;
        });
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { a = 1; }"));
        QTest::keyClick(window.focusWidget(), Qt::Key_T, Qt::ControlModifier);
        QTest::keyClick(window.focusWidget(), Qt::Key_T, Qt::ControlModifier);
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { c = 1; }"));
        QTest::keyClick(window.focusWidget(), Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(window.programs().count(), 3);
        QCOMPARE(asked, QStringList{QStringLiteral("BEGIN { c = 1; }")});
        answer = MainWindow::Answer::Discard;
        asked.clear();
        QVERIFY(window.close());
        QCOMPARE(asked, (QStringList{QStringLiteral("BEGIN { a = 1; }"), QStringLiteral("BEGIN { c = 1; }")})); // the empty one is none
    }

    /// The cross of a tab and the middle button close that tab, not the one on show.
    void theMouseClosesTabs()
    {
        MainWindow window;
        window.resize(1400, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& programs = window.programs();
        programs.add(QStringLiteral("BEGIN { b = 1; }"), {{}, QStringLiteral("b")});
        programs.add(QStringLiteral("BEGIN { c = 1; }"), {{}, QStringLiteral("c")});
        auto& tabs = programs.tabs();
        QTest::mouseClick(&tabs, Qt::MiddleButton, {}, tabs.tabRect(1).center());
        QCOMPARE(titles(window), (QStringList{QStringLiteral("Program"), QStringLiteral("c")}));
        QCOMPARE(shown(window), QStringLiteral("BEGIN { c = 1; }"));
        const auto box = tabs.tabRect(0);
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, {box.right() - 19, box.center().y()});
        QCOMPARE(titles(window), QStringList{QStringLiteral("c")});
    }

    /// What a run says is wrong stands in the program that was run, whichever tab is in front by then.
    void aMistakeIsToldWhereItIs()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\tx = = 1;\n}\n"));
        window.editor().check();
        QVERIFY(window.message().contains(QStringLiteral("line 3")));
        QTest::keyClick(window.focusWidget(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QTest::keyClick(window.focusWidget(), Qt::Key_Tab, Qt::ControlModifier);
        QVERIFY(window.message().contains(QStringLiteral("line 3")));
    }

    void aSessionHasThemAll()
    {
        tests::Desk desk;
        const auto path = desk.text(QStringLiteral("mine.d"), "BEGIN { exit(0); }\n");
        {
            MainWindow window;
            window.open(path);
            window.programs().add(QStringLiteral("tick-1s { exit(0); }\n"), {});
            window.programs().add(QStringLiteral("END { }\n"), {});
            window.programs().show(1);
            window.command().setText(QStringLiteral("make all"));
            window.show();
            QVERIFY(window.close());
        }
        const auto kept = gui::sessions();
        QCOMPARE(kept.size(), std::size_t{1});
        QCOMPARE(kept[0].name(), QStringLiteral("tick-1s { exit(0); } and 2 more, with make all"));
        MainWindow window;
        window.show();
        Q_EMIT window.startPage().sessionChosen(0);
        QCOMPARE(window.programs().count(), 3);
        QCOMPARE(window.programs().current(), 1);
        QCOMPARE(shown(window), QStringLiteral("tick-1s { exit(0); }\n"));
        QCOMPARE(window.programs().origin(0).path, path);
        QCOMPARE(window.command().text(), QStringLiteral("make all"));
        // A file that is gone is left out of it.
        QFile::remove(path);
        QCOMPARE(gui::sessions()[0].programs.size(), std::size_t{2});
        QCOMPARE(gui::sessions()[0].name(), QStringLiteral("tick-1s { exit(0); } and 1 more, with make all"));
    }

    void allAreKeptAgainstACrash()
    {
        const auto path = m_desk.text(QStringLiteral("work.d"), "BEGIN { }\n");
        const auto kept = [] { return settingsFolder().entryList({QStringLiteral("unsaved-*.d")}, QDir::Files, QDir::Name); };
        MainWindow window;
        window.show();
        window.open(path);
        QTest::keyClicks(&window.editor(), QStringLiteral("A"));
        window.programs().add({}, {});
        QTest::keyClicks(&window.editor(), QStringLiteral("B"));
        window.programs().add(QStringLiteral("saved"), {});
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 2, tests::kPatience);

        // As if the process had died: the files are another's, which is gone.
        const auto gone = QString::number(tests::endedProcess()), here = QString::number(::getpid());
        for (auto name : settingsFolder().entryList({QStringLiteral("unsaved-*")}, QDir::Files)) {
            const auto from = settingsFolder().filePath(name);
            QVERIFY(QFile::copy(from, settingsFolder().filePath(name.replace(here, gone))));
        }
        {
            MainWindow next;
            QCOMPARE(next.programs().count(), 2);
            QStringList texts;
            for (int place = 0; place < 2; ++place) {
                texts << next.programs().editor(place).toPlainText();
                QVERIFY(next.programs().isModified(place));
                if (texts.last().startsWith(QChar('A'))) QCOMPARE(next.programs().origin(place).path, path);
            }
            texts.sort();
            QCOMPARE(texts, (QStringList{QStringLiteral("ABEGIN { }\n"), QStringLiteral("B")}));
            next.show();
            QVERIFY(next.close());
        }
        // The other window of this process has kept its own.
        QCOMPARE(kept().size(), 2);
        window.close();
        QVERIFY(settingsFolder().entryList({QStringLiteral("unsaved-*")}, QDir::Files).isEmpty());
    }

private:
    tests::Desk m_desk;
};
DSCOPE_WINDOW_TEST(TestPrograms)
#include "tst_programs.moc"
