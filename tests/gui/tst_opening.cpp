// needs: graph graph/models engine/importers engine/text
#include "window_views.h"
#include <QMimeData>
#include <QMenu>
#include <QUrl>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;

class TestOpening : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void aRecordingOpensWithItsViewsTableAndProgram()
    {
        const auto stream = test::build();
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("build.dscope"), stream));
        waitForFigures(window);
        picture(window, QStringLiteral("process-tree"));
        QVERIFY(window.views().count() >= 1);
        QCOMPARE(window.views().panel(0).shown()->name(), std::string_view("process-tree"));
        QCOMPARE(window.editor().toPlainText(), QString::fromStdString(std::get<record::Program>(stream.front()).source));
        QVERIFY(!window.editor().document()->isModified());
        QVERIFY(!window.isRunning());
        QCOMPARE(window.snapshot()->records, quint64(stream.size()));
    }
    /// Of another tool's text the pictures are there first, and are not drawn again for the functions' sake.
    void picturesComeBeforeTables()
    {
        MainWindow window;
        window.show();
        std::vector<std::shared_ptr<const gui::Snapshot>> shown;
        bool isDrawn = false; // when the last of them came
        connect(&window, &MainWindow::snapshotShown, this, [&] {
            shown.push_back(window.snapshot());
            isDrawn = !window.views().panel(0).figure().figure().items.empty();
        });
        openAndWait(window, m_desk.text(QStringLiteral("a.folded"), "main;draw;line 3\nmain;parse 1\n"));
        QCOMPARE(shown.size(), std::size_t{2});
        QVERIFY(!shown[0]->finished && !shown[0]->functions && shown[1]->finished && shown[1]->functions);
        QVERIFY(isDrawn);
        QCOMPARE(shown[0]->views.size(), shown[1]->views.size());
        for (std::size_t i = 0; i < shown[0]->views.size(); ++i)
            QCOMPARE(shown[0]->views[i].visual.get(), shown[1]->views[i].visual.get());
    }
    void workInTheEditorIsNotOverwritten()
    {
        MainWindow window;
        window.editor().setFocus();
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN { mine = 1; }"));
        QVERIFY(window.editor().document()->isModified());
        openAndWait(window, m_desk.recording(QStringLiteral("other.dscope"), test::writeTimes({"tar"})));
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN { mine = 1; }"));
        QCOMPARE(window.views().panel(0).shown()->name(), std::string_view("histogram"));
    }
    void changesAreThrownAwayOnlyWhenThePersonSaysSo()
    {
        auto answer = MainWindow::Answer::Cancel;
        int asked = 0;
        MainWindow window([&](QWidget&) {
            ++asked;
            return answer;
        });
        window.show();
        window.editor().setFocus();
        QTest::keyClicks(&window.editor(), QStringLiteral("tick-1s { }"));
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        QCOMPARE(asked, 1);
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("tick-1s { }"));
        answer = MainWindow::Answer::Discard;
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
        QVERIFY(window.close()); // nothing has changed
        QCOMPARE(asked, 2);
    }
    void aCutRecordingShowsWhatThereIsAndSaysSo()
    {
        MainWindow window;
        auto stream = test::profile(3000, 400, 30);
        // Blocks are compressed whole: the cut must leave the first.
        auto second = test::profile(3000, 400, 30, 8);
        for (std::size_t i = 1; i < second.size(); ++i)
            if (auto* stack = std::get_if<record::StackDef>(&second[i])) {
                stack->id = StackId{stack->id.value + 3000};
                stream.insert(stream.end() - 1, second[i]);
            }
        openAndWait(window, m_desk.recording(QStringLiteral("cut.dscope"), stream, 0.9));
        QVERIFY2(window.message().contains(QStringLiteral("cut")), qPrintable(window.message()));
        QVERIFY(window.snapshot()->cut);
    }
    void whatIsNoRecordingIsToldWithAReason_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("dtrace: this is text\n");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("damaged") << QByteArray::fromRawData("DSCOPE\n\0\1\0\0\0\x20\0\0\0", 16) + "garbage that has no right checksum....";
        QTest::newRow("newer") << QByteArray("DSCOPE\n\0\x63\0\0\0", 12);
    }
    void whatIsNoRecordingIsToldWithAReason()
    {
        QFETCH(QByteArray, bytes);
        MainWindow window;
        openAndWait(window, m_desk.text(QStringLiteral("broken.dscope"), bytes));
        QVERIFY(!window.message().isEmpty());
        QCOMPARE(window.views().count(), std::size_t{0});
        QVERIFY(!window.isRunning());
    }
    void aFileThatIsNotThereIsTold()
    {
        MainWindow window;
        window.open(m_desk.path(QStringLiteral("nowhere.dscope")));
        QVERIFY(window.message().contains(QStringLiteral("No such file")));
        window.open(m_desk.path(QStringLiteral("nowhere.d")));
        QVERIFY(window.message().contains(QStringLiteral("No such file")));
    }
    void foreignTextAndFiguresOpenWithTheirViews_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("said");
        QTest::newRow("folded stacks") << QStringLiteral("stacks.txt") << QByteArray("main;read;copy 30\nmain;write 12\n") << QStringLiteral("flame") << QString();
        QTest::newRow("perf script")
            << QStringLiteral("perf")
            << QByteArray("my app  123/124 [001] 4794564.109216:          5 cycles:\n\tffffffff8103ce3b do_x+0x1b ([kernel.kallsyms])\n"
                          "\t    400000 main (/bin/app)\n\n")
            << QStringLiteral("flame") << QString();
        QTest::newRow("strace, and a line that is none")
            << QStringLiteral("build.log")
            << QByteArray("100 10:00:00.000001 execve(\"/bin/sh\", [\"sh\"], 0x7ffd /* 10 vars */) = 0 <0.000200>\n"
                          "100 10:00:00.001000 clone(child_stack=NULL, flags=SIGCHLD) = 101 <0.000100>\nwhat is this\n"
                          "101 10:00:00.002000 exit_group(0)     = ?\n101 10:00:00.002100 +++ exited with 0 +++\n"
                          "100 10:00:00.003000 exit_group(0)     = ?\n100 10:00:00.003100 +++ exited with 0 +++\n")
            << QStringLiteral("process-tree") << QStringLiteral("the first is line 3: what is this");
    }
    void foreignTextAndFiguresOpenWithTheirViews()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, view);
        QFETCH(QString, said);
        MainWindow window;
        window.editor().setProgram(QStringLiteral("BEGIN { exit(0); }"));
        window.show();
        openAndWait(window, m_desk.text(name, text));
        waitForFigures(window);
        picture(window, QStringLiteral("foreign-") + view);
        QVERIFY2(window.message().contains(said), qPrintable(window.message()));
        QVERIFY(window.views().count() >= 1);
        const auto shown = window.views().panel(0).shown();
        QCOMPARE(QByteArray(shown->name().data(), qsizetype(shown->name().size())), view.toUtf8());
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN { exit(0); }")); // what is no program does not replace one
        // The figure made of it opens again, and says the same.
        const auto figure = m_desk.path(name + QStringLiteral(".svg"));
        QVERIFY2(window.exportView(*shown, figure), qPrintable(window.message()));
        MainWindow again;
        openAndWait(again, figure);
        QCOMPARE(again.editor().toPlainText(), QString());
        QVERIFY(again.views().count() >= 1);
        QCOMPARE(again.views().panel(0).shown()->table().rows, shown->table().rows);
    }
    void aProgramOpensInTheEditor()
    {
        MainWindow window;
        window.open(m_desk.text(QStringLiteral("count.d"), "syscall:::entry { @ = count(); }\n"));
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("syscall:::entry { @ = count(); }\n"));
    }
    void whatSomebodyOpenedIsFoundAgain()
    {
        const auto file = m_desk.recording(QStringLiteral("recent.dscope"), test::build());
        {
            MainWindow window;
            openAndWait(window, file);
        }
        MainWindow window;
        QMenu* recent = nullptr;
        for (auto* menu : window.findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("Open &recent")) recent = menu;
        QVERIFY(recent);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().front()->text(), QStringLiteral("recent.dscope"));
        QSignalSpy finished(&window, &MainWindow::runFinished);
        recent->actions().front()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
    }
    void filesCanBeDropped()
    {
        MainWindow window;
        window.show();
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(m_desk.text(QStringLiteral("dropped.d"), "BEGIN { exit(0); }"))});
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({5, 5}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN { exit(0); }"));
    }
    void whatDscopeCannotReadIsRefusedByName()
    {
        MainWindow window;
        window.open(m_desk.text(QStringLiteral("a.png"), QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)));
        QVERIFY2(window.message().contains(QStringLiteral("is no text")), qPrintable(window.message()));
        QVERIFY(window.editor().toPlainText().isEmpty());
    }
    void closingWhileReadingIsFine()
    {
        const auto file = m_desk.recording(QStringLiteral("large.dscope"), test::forest(20'000));
        for (int i = 0; i < 5; ++i) {
            MainWindow window;
            window.show();
            window.open(file);
            window.close();
        }
    }
    void theWindowStaysAwakeOverALargeRecording()
    {
        // A timer of the window's thread must tick while 20,000 processes are read, drawn and shown. Told in the thread's
        // own processor time: how busy the machine is does not matter.
        const auto file = m_desk.recording(QStringLiteral("forest.dscope"), test::forest(20'000));
        MainWindow window;
        window.show();
        double last = secondsOf(CLOCK_THREAD_CPUTIME_ID), longest = 0;
        QTimer tick;
        connect(&tick, &QTimer::timeout, this, [&] {
            const double now = secondsOf(CLOCK_THREAD_CPUTIME_ID);
            longest = std::max(longest, now - last);
            last = now;
        });
        tick.start(5);
        openAndWait(window, file);
        waitForFigures(window);
        qInfo("longest stall %.0f ms", longest * 1000);
        QVERIFY2(longest < 0.25, qPrintable(QString::number(longest)));
    }
};
DSCOPE_WINDOW_TEST(TestOpening)
#include "tst_opening.moc"
