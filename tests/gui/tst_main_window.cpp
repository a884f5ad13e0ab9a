// needs: graph graph/models engine/importers engine/text
#include "engine/syntax/names.h"
#include "gui/dock.h"
#include "window_views.h"
#include <QClipboard>
#include <QStatusBar>
#include <QLabel>
#include <QProcess>
#include <QScreen>
#include <QStandardPaths>
#include <algorithm>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;

class TestMainWindow : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void theTableIsThatOfTheVisual()
    {
        MainWindow window;
        openAndWait(window, m_desk.recording(QStringLiteral("sums.dscope"), test::written({"tar", "cc", "ld"}, true)));
        QVERIFY(window.results().table().rowCount() >= 3);
        QCOMPARE(window.results().table().headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("execname"));
        QStringList names;
        for (int row = 0; row < window.results().table().rowCount(); ++row)
            names << window.results().table().index(row, 0).data().toString();
        QVERIFY(names.contains(QStringLiteral("tar")) && names.contains(QStringLiteral("ld")));
    }
    void whatIsPrintedIsTheOutput()
    {
        MainWindow window;
        openAndWait(window, m_desk.recording(QStringLiteral("opened.dscope"), test::opened({"/etc/passwd", "/etc/group"})));
        QTRY_VERIFY(window.results().output().text().contains(QStringLiteral("cat /etc/passwd")));
        QVERIFY(window.results().output().text().contains(QStringLiteral("cat /etc/group")));
        // Nothing to draw but the table, which has its place: no panel repeats it.
        QCOMPARE(window.views().count(), std::size_t{0});
    }
    void muchOutputKeepsItsEnd()
    {
        std::vector<std::string> files;
        for (int i = 0; i < 30'000; ++i)
            files.push_back("/file" + std::to_string(i));
        MainWindow window;
        openAndWait(window, m_desk.recording(QStringLiteral("much.dscope"), test::opened(files)));
        QTRY_VERIFY_WITH_TIMEOUT(window.results().output().toPlainText().contains(QStringLiteral("/file29999")), kPatience);
        QVERIFY(window.results().output().blockCount() <= gui::kLinesKept);
        QVERIFY(window.results().table().rowCount() <= static_cast<int>(gui::kRowsShown));
        QCOMPARE(window.snapshot()->tableRows, std::size_t{30'000});
    }
    void twoPanelsNeverShowTheSameView()
    {
        // Stacks with another key fit several kinds.
        auto stream = test::written({"tar", "cc"}, true);
        auto& program = std::get<record::Program>(stream.front());
        program.aggregations.push_back(test::aggregation("size", test::Aggregator::Quantize, "arg2", {test::textKey("execname")}));
        program.tellsOfProcesses = true;
        program.clauses.push_back(program.clauses[0]);
        program.clauses.back().probes = "proc:::exec-success";
        stream.insert(stream.end() - 1, test::rows(2, {{test::Key().text("tar").bytes(), {test::power(3), 5, test::power(9), 2}}}));
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("several.dscope"), stream));
        auto &first = window.views().panel(0), &second = window.views().panel(1);
        QCOMPARE(window.views().count(), std::size_t{2});
        QVERIFY(first.shown()->name() != second.shown()->name());
        std::size_t figures = 0;
        for (const auto& view : window.snapshot()->views)
            figures += !view.facts.isTable;
        QVERIFY(figures >= 3);
        // Both offer all views, always in the same order: choosing what the other shows swaps them.
        const auto all = tabs(first);
        QCOMPARE(static_cast<std::size_t>(all.size()), figures);
        QVERIFY(!all.contains(QStringLiteral("Table")));
        const auto here = first.shown()->name(), there = second.shown()->name();
        first.tabs().setCurrentIndex(second.tabs().currentIndex());
        QCOMPARE(first.shown()->name(), there);
        QCOMPARE(second.shown()->name(), here);
        QCOMPARE(tabs(first), all);
        QCOMPARE(tabs(second), all);
        first.tabs().setCurrentIndex(first.tabs().count() - 1);
        QVERIFY(first.shown()->name() != second.shown()->name());
        window.views().setSplit(false);
        QCOMPARE(window.views().count(), std::size_t{1});
        QVERIFY(!second.isVisible());
        QCOMPARE(static_cast<std::size_t>(tabs(first).size()), figures);
    }
    void oneFigureHasTheWholeColumn()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("times.dscope"), test::writeTimes({"tar"})));
        QCOMPARE(window.views().panel(0).shown()->name(), std::string_view("histogram"));
        QCOMPARE(window.views().panel(1).isVisible(), window.views().count() > 1);
    }
    void everyRecipeIsSound()
    {
        MainWindow window;
        auto& recipes = window.sidebar().recipes();
        int count = 0;
        for (int g = 0; g < recipes.topLevelItemCount(); ++g)
            for (int i = 0; i < recipes.topLevelItem(g)->childCount(); ++i, ++count) {
                window.editor().setProgram({});
                Q_EMIT recipes.itemClicked(recipes.topLevelItem(g)->child(i), 0);
                QVERIFY(!window.editor().toPlainText().isEmpty());
                QVERIFY(!window.editor().document()->isModified());
                window.editor().check();
                QCOMPARE(window.editor().markedLine(), 0);
            }
        QVERIFY(count >= 9);
        window.editor().undo();
        QVERIFY(window.editor().toPlainText().isEmpty()); // undo brings back what stood there
    }
    void tabsAreReadInEveryTheme_data()
    {
        QTest::addColumn<QStringList>("themes");
        QTest::newRow("dark after light") << QStringList{QStringLiteral("&Light"), QStringLiteral("&Dark")};
        QTest::newRow("light after dark") << QStringList{QStringLiteral("&Dark"), QStringLiteral("&Light")};
    }
    void tabsAreReadInEveryTheme()
    {
        QFETCH(QStringList, themes);
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("themes.dscope"), test::writeTimes({"tar"})));
        for (const auto& theme : themes)
            for (auto* action : window.findChildren<QAction*>())
                if (action->text() == theme) action->trigger();
        auto* tabs = window.results().head()->findChild<gui::FlatTabs*>();
        const auto image = tabs->grab().toImage();
        // The text of the chosen tab against its ground: the strongest contrast that is in the picture.
        const auto ground = image.pixelColor(image.width() - 2, 2).lightness();
        const auto box = tabs->tabRect(tabs->currentIndex()).adjusted(0, 0, 0, -8);
        int strongest = 0;
        for (int y = box.top(); y < box.bottom(); ++y)
            for (int x = box.left(); x < std::min(box.right(), image.width()); ++x)
                strongest = std::max(strongest, std::abs(image.pixelColor(x, y).lightness() - ground));
        QVERIFY2(strongest > 150, qPrintable(QString::number(strongest)));
    }
    void runsAreKeptShownAgainAndCompared()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("first.dscope"), test::writeTimes({"tar"})));
        QCOMPARE(window.runs().count(), 1);
        const auto kept = window.runs().at(0).snapshot;
        const auto copy = m_desk.path(QStringLiteral("copy.dscope"));
        QVERIFY(window.keepRunIn(copy, 0));

        // What was kept after the fact is the run: it opens with the same table.
        MainWindow other;
        other.show();
        openAndWait(other, copy);
        QCOMPARE(other.snapshot()->records, kept->records);
        QVERIFY(other.snapshot()->views.front().visual->table().rows == kept->views.front().visual->table().rows);

        // A run beside itself has not changed.
        QSignalSpy finished(&window, &MainWindow::runFinished);
        Q_EMIT window.runs().compareAsked(0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
        QVERIFY(window.snapshot()->isCompared && !window.snapshot()->views.empty());
        QCOMPARE(columnSum(window.snapshot()->views.front().visual->table(), "difference"), 0.0);
        QCOMPARE(window.runs().count(), 1); // a comparison is no run

        Q_EMIT window.runs().chosen(0);
        QCOMPARE(window.snapshot(), kept);
        QVERIFY(!window.isRunning());
        // Title and status are of what is on show.
        QCOMPARE(window.windowTitle(), QStringLiteral("first.dscope - dscope"));
        const auto labels = window.statusBar()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* l) { return l->text().startsWith(QStringLiteral("first.dscope · finished")); }));
    }
    /// Edit > Copy is for tables, too, and all of it by Select all.
    void rowsAreCopiedByTheMenu()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openAndWait(window, m_desk.recording(QStringLiteral("copied.dscope"), test::written({"tar", "cc"}, true)));
        auto* view = tableOf(window);
        view->setFocus();
        for (const auto& text : {QStringLiteral("Select &all"), QStringLiteral("&Copy")})
            for (auto* action : window.findChildren<QAction*>())
                if (action->text() == text) action->trigger();
        const auto copied = QApplication::clipboard()->text();
        QCOMPARE(copied.count(QChar('\n')), qsizetype(view->model()->rowCount() + 1)); // below the titles
        QVERIFY2(copied.contains(QStringLiteral("tar\t")) && copied.startsWith(QStringLiteral("execname\t")), qPrintable(copied));
    }
    /// The desktop goes dark while the window is open.
    void theSystemsThemeIsFollowed()
    {
        const auto before = QApplication::palette();
        MainWindow::setPreferences({});
        MainWindow window;
        window.show();
        QVERIFY(window.palette().color(QPalette::Base).lightness() > 128);
        QApplication::setPalette(QPalette(QColor(0x20, 0x20, 0x20)));
        QTRY_VERIFY(window.palette().color(QPalette::Base).lightness() < 128);
        QCOMPARE(window.views().panel(0).figure().colours().theme(), graph::Theme::Dark);
        QApplication::setPalette(before);
        QTRY_VERIFY(window.palette().color(QPalette::Base).lightness() > 128);

        // Somebody who has chosen stays with it.
        auto chosen = window.preferences();
        chosen.ground = gui::Preferences::Ground::Light;
        MainWindow::setPreferences(chosen);
        QApplication::setPalette(QPalette(QColor(0x20, 0x20, 0x20)));
        QCoreApplication::processEvents();
        QVERIFY(window.palette().color(QPalette::Base).lightness() > 128);
        QApplication::setPalette(before);
        MainWindow::setPreferences({});
    }
    void theKeyboardReachesEveryPane()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("keys.dscope"), test::writeTimes({"tar"})));
        window.activateWindow();
        window.editor().setFocus();
        QTRY_VERIFY(window.editor().hasFocus());
        const auto text = window.editor().toPlainText();
        QTest::keyClick(&window.editor(), Qt::Key_Escape);
        QTest::keyClick(&window.editor(), Qt::Key_Tab);
        QVERIFY(!window.editor().hasFocus());
        QCOMPARE(window.editor().toPlainText(), text);

        // Round and back to where it began, by way of the figure.
        window.editor().setFocus();
        bool sawFigure = false;
        int steps = 0;
        do {
            QTest::keyClick(window.focusWidget(), Qt::Key_F6);
            sawFigure = sawFigure || window.views().panel(0).figure().hasFocus();
        } while (!window.editor().hasFocus() && ++steps < 10);
        QVERIFY(window.editor().hasFocus());
        QVERIFY(sawFigure);
    }
    void aLineOfTextLeavesShortcutsToTheWindow()
    {
        MainWindow window;
        window.show();
        QKeyEvent exportView(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
        exportView.ignore(); // as Qt sends it
        QApplication::sendEvent(&window.searchLine(), &exportView);
        QVERIFY(!exportView.isAccepted());
        QKeyEvent selectAll(QEvent::ShortcutOverride, Qt::Key_A, Qt::ControlModifier);
        selectAll.ignore();
        QApplication::sendEvent(&window.searchLine(), &selectAll);
        QVERIFY(selectAll.isAccepted());
    }
    void theWindowFitsItsScreen()
    {
        MainWindow window;
        const auto screen = window.screen()->availableSize();
        QVERIFY(window.width() <= screen.width() && window.height() <= screen.height());
    }
    void eachRunShowsWhatItHas()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("prints.dscope"), test::opened({"/etc/passwd", "/etc/group"})));
        auto* tabs = window.results().head()->findChild<gui::FlatTabs*>();
        QCOMPARE(tabs->currentIndex(), 1); // Output
        Q_EMIT window.runs().chosen(0);
        QCOMPARE(tabs->currentIndex(), 1);
        // A later run that prints nothing.
        gui::Snapshot silent;
        silent.table = std::make_shared<graph::Table>(graph::Table{{graph::Column::text("execname")}, {{"tar"}}});
        window.results().clear();
        window.results().setSnapshot(silent);
        QCOMPARE(tabs->currentIndex(), 0); // Table
    }
    void aViewIsExported_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("magic");
        QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<");
        QTest::newRow("csv") << QStringLiteral("csv") << QByteArray("");
        QTest::newRow("dot") << QStringLiteral("dot") << QByteArray("digraph");
        QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF-");
        QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
    }
    void aViewIsExported()
    {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, magic);
        MainWindow window;
        openAndWait(window, m_desk.recording(QStringLiteral("export.dscope"), test::build()));
        const auto file = m_desk.path(QStringLiteral("view.") + suffix);
        QVERIFY2(window.exportView(*window.views().panel(0).shown(), file), qPrintable(window.message()));
        const auto bytes = contents(file);
        QVERIFY(bytes.size() > 100);
        QVERIFY(bytes.startsWith(magic));
        if (suffix != QStringLiteral("svg")) return;
        QVERIFY(bytes.contains("proc:::create")); // the program goes along
        QCOMPARE(rowsInside(bytes), window.views().panel(0).shown()->table().rows); // and the run: it opens again
        if (QStandardPaths::findExecutable(QStringLiteral("xmllint")).isEmpty()) QSKIP("xmllint (libxml2-utils) is not installed");
        QProcess xmllint;
        xmllint.start(QStringLiteral("xmllint"), {QStringLiteral("--noout"), file});
        QVERIFY(xmllint.waitForFinished());
        QVERIFY2(xmllint.exitCode() == 0, xmllint.readAllStandardError().constData());
    }
    void anExportThatCannotBeIsToldAndLeavesNothing()
    {
        MainWindow window;
        openAndWait(window, m_desk.recording(QStringLiteral("export.dscope"), test::writeTimes({"tar"})));
        const auto& visual = *window.views().panel(0).shown();
        QVERIFY(!window.exportView(visual, m_desk.path(QStringLiteral("view.doc"))));
        QVERIFY(window.message().contains(QStringLiteral("no format")));
        QVERIFY(!QFile::exists(m_desk.path(QStringLiteral("view.doc"))));
        QVERIFY(!window.exportView(visual, QStringLiteral("/nowhere/at/all.svg")));
        QCOMPARE(window.message(), QStringLiteral("cannot write /nowhere/at/all.svg: No such file or directory"));
        const auto before = m_desk.text(QStringLiteral("view.svg"), "a good figure");
        QVERIFY(!window.exportView(visual, before + QStringLiteral("/x.svg")));
        QVERIFY(window.exportView(visual, before));
        QVERIFY(QFileInfo(before).size() > 1'000);
    }
    void traceTextIsNeverMarkup()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("hostile.dscope"), test::written(test::hostileNames())));
        waitForFigures(window);
        for (const auto* label : window.findChildren<QLabel*>())
            QVERIFY2(label->textFormat() == Qt::PlainText || label->text().isEmpty(), qPrintable(label->text()));
        picture(window, QStringLiteral("hostile"));
    }
    void theWindowRemembersItsCommandAndColumns()
    {
        const auto widths = [](const MainWindow& window) {
            QList<int> all;
            for (const auto* dock : window.docks())
                if (dock->isVisible()) all << dock->width();
            return all;
        };
        QList<int> sizes;
        {
            MainWindow window;
            window.command().setText(QStringLiteral("make -j4"));
            // No window is restored that is wider than the screen.
            const int wide = std::min(1000, window.screen()->availableSize().width());
            window.resize(wide, 700);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.resizeDocks({window.docks()[0], window.docks()[2]}, {wide * 3 / 10, wide * 32 / 100}, Qt::Horizontal);
            QTRY_COMPARE(window.docks()[0]->width(), wide * 3 / 10);
            sizes = widths(window);
            window.close();
        }
        MainWindow window;
        window.show();
        QCOMPARE(window.command().text(), QStringLiteral("make -j4"));
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_COMPARE(widths(window), sizes);
    }
};
DSCOPE_WINDOW_TEST(TestMainWindow)
#include "tst_main_window.moc"
