// needs: graph graph/models engine/importers engine/text
#include "window_views.h"
#include <QContextMenuEvent>
#include <QMenu>
#include <QSet>
#include <QToolButton>
#include <map>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;

class TestSelection : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void searchGoesThroughAllViews()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("build2.dscope"), test::build()));
        waitForFigures(window);
        window.searchLine().setText(QStringLiteral("parser"));
        QVERIFY(!window.views().panel(0).figure().found().items.empty());
        QTest::keyClick(&window.searchLine(), Qt::Key_Return);
        picture(window, QStringLiteral("search"));
        window.searchLine().clear();
        QVERIFY(window.views().panel(0).figure().found().items.empty());
    }
    void aProcessIsAskedFurtherAndUndoLeadsBack()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("ask.dscope"), test::build()));
        waitForFigures(window);
        const auto before = window.editor().toPlainText();
        auto& figure = window.views().panel(0).figure();
        const auto& items = figure.figure().items;
        const auto crashed = std::find_if(items.begin(), items.end(), [](const graph::Item& i) {
            return i.row && i.tip.find("--selftest") != std::string::npos && i.shade == graph::Shade::Signalled;
        });
        QVERIFY(crashed != items.end());
        const auto at = figure.placeOf(static_cast<std::size_t>(crashed - items.begin())).center().toPoint();
        QContextMenuEvent click(QContextMenuEvent::Mouse, at, figure.mapToGlobal(at));
        QApplication::sendEvent(&figure, &click);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("execname == \"prog\""));
        picture(*menu, QStringLiteral("menu"));
        menu->actions().at(1)->trigger();
        menu->close();
        QVERIFY2(
            window.editor().toPlainText().contains(QStringLiteral("/execname == \"prog\"/")), qPrintable(window.editor().toPlainText()));
        window.editor().undo();
        QCOMPARE(window.editor().toPlainText(), before);
    }
    /// A bar is asked about as a node is: it knows its row of the table.
    void barsOfTheTimelineKnowTheirProcess()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("bars.dscope"), test::build()));
        window.views().show("process-timeline", {});
        waitForFigures(window);
        int bars = 0;
        for (std::size_t place = 0; place < window.views().count(); ++place) {
            auto& panel = window.views().panel(place);
            if (panel.shown()->name() != "process-timeline") continue;
            const auto table = panel.shown()->table();
            for (const auto& item : panel.figure().figure().items) {
                if (item.role != graph::Role::Node || item.data.empty()) continue;
                QVERIFY2(item.row, item.key.c_str());
                QCOMPARE(item.data.front(), (std::pair<std::string, std::string>("pid", table.rows[item.row->value][0])));
                ++bars;
            }
        }
        QVERIFY2(bars > 3, qPrintable(QString::number(bars)));
    }
    void aDoubleClickOnARowAsksFurther()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        openAndWait(window, m_desk.recording(QStringLiteral("asked.dscope"), test::written({"tar", "cc"}, true)));
        auto* view = tableOf(window);
        const auto at = view->visualRect(view->model()->index(0, 0)).center();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, at);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QVERIFY(!menu->actions().isEmpty());
        menu->close();
    }
    void aFunctionIsAskedFurther()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("stacks.dscope"), test::profile(200, 40, 12)));
        waitForFigures(window);
        auto& figure = window.views().panel(0).figure();
        const auto& items = figure.figure().items;
        const auto frame = std::find_if(items.begin(), items.end(), [&](const graph::Item& i) {
            return i.role == graph::Role::Frame && i.node && i.shade == graph::Shade::User;
        });
        QVERIFY(frame != items.end());
        const auto name = QString::fromStdString(figure.figure().tree[frame->node->value].name);
        const auto at = figure.placeOf(static_cast<std::size_t>(frame - items.begin())).center().toPoint();
        const auto menu = [&] {
            QContextMenuEvent click(QContextMenuEvent::Mouse, at, figure.mapToGlobal(at));
            QApplication::sendEvent(&figure, &click);
            return qobject_cast<QMenu*>(QApplication::activePopupWidget());
        };
        auto* asked = menu();
        QVERIFY(asked);
        picture(*asked, QStringLiteral("frame-menu"));
        QAction *find = nullptr, *alone = nullptr;
        for (auto* action : asked->actions()) {
            if (action->text() == QStringLiteral("Find it in all views")) find = action;
            if (action->text() == QStringLiteral("Show it alone")) alone = action;
            // Without a command there is no process to probe.
            if (action->text().startsWith(QStringLiteral("How long"))) QVERIFY(!action->isEnabled());
        }
        QVERIFY(find && alone);
        find->trigger();
        QVERIFY(!figure.found().items.empty());
        for (const auto item : figure.found().items)
            QCOMPARE(QString::fromStdString(figure.figure().tree[figure.figure().items[item].node->value].name), name);
        const auto key = QString::fromStdString(frame->key);
        alone->trigger();
        QCOMPARE(figure.focused(), key);
        asked->close();
    }
    void functionsAreListedAndShownAmongTheirCallers()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("functions.dscope"), test::profile(200, 40, 12)));
        waitForFigures(window);
        const auto functions = window.snapshot()->functions;
        QVERIFY(functions && functions->rows.size() > 10);

        // By itself and in all, counted from the folded text that the flame graph writes.
        std::map<std::string, std::pair<qint64, qint64>> counted;
        const auto flame = std::find_if(window.snapshot()->views.begin(), window.snapshot()->views.end(),
            [](const auto& view) { return view.facts.name == "flame"; });
        QVERIFY(flame != window.snapshot()->views.end());
        qint64 whole = 0;
        for (const auto& row : flame->visual->table().rows) {
            const auto frames = QString::fromStdString(row[0]).split(QChar(';'));
            const qint64 value = std::atoll(row[1].c_str());
            whole += value;
            counted[frames.last().toStdString()].first += value;
            for (const auto& frame : QSet<QString>(frames.begin(), frames.end()))
                counted[frame.toStdString()].second += value;
        }
        QCOMPARE(functions->rows.size(), counted.size());
        for (const auto& row : functions->rows) {
            QCOMPARE(qint64(std::atoll(row[1].c_str())), counted[row[0]].first);
            QCOMPARE(qint64(std::atoll(row[3].c_str())), counted[row[0]].second);
            QVERIFY(std::abs(std::atof(row[2].c_str()) - 100.0 * double(counted[row[0]].first) / double(whole)) <= 0.05001);
        }

        // A double click puts it in the middle of a sandwich.
        Q_EMIT window.functionTables().functionChosen(QString::fromStdString(functions->rows[3][0]));
        const auto& panel = window.views().panel(0);
        QCOMPARE(panel.shown()->name(), std::string_view("sandwich"));
        QCOMPARE(window.views().panel(0).figure().focused().toStdString(), functions->rows[3][0]);
    }
    void aStretchOfTimeIsShownInAllViews()
    {
        // Sums as they stood after each second: 10, 30 and 2 came in.
        const auto row = [](std::int64_t sum) { return std::vector{test::rows(0, {{test::Key().text("tar").bytes(), {sum}}}).rows[0]}; };
        const auto stream = test::ticking(
            test::aggregation("bytes", test::Aggregator::Sum, "arg2", {test::textKey("execname")}), {row(10), row(40), row(42)}, false);
        MainWindow window;
        window.resize(1000, 800);
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("seconds.dscope"), stream));
        waitForFigures(window);
        const auto sum = [&] {
            for (const auto& view : window.snapshot()->views)
                if (view.facts.name == "bars") return columnSum(view.visual->table(), "bytes");
            return -1.0;
        };
        QCOMPARE(sum(), 42.0);

        // Drawn with Shift from the first second's end to the second's, on whichever figure has time as an axis.
        window.views().show("series", {});
        waitForFigures(window);
        gui::FigureView* timed = nullptr;
        for (std::size_t place = 0; place < window.views().count(); ++place)
            if (auto& figure = window.views().panel(place).figure(); !figure.figure().times.empty()) timed = &figure;
        QVERIFY(timed);
        const auto plot = timed->figure().times.front();
        QCOMPARE(plot.to - plot.from, 3 * test::kSecond);
        const auto at = [&](double second) {
            return timed->toWidget({plot.area.x + plot.area.width * second / 3, plot.area.y + plot.area.height / 2}).toPoint();
        };
        QSignalSpy shown(&window, &MainWindow::snapshotShown);
        QTest::mousePress(timed, Qt::LeftButton, Qt::ShiftModifier, at(1.02));
        QTest::mouseMove(timed, at(1.5));
        QTest::mouseMove(timed, at(1.98));
        picture(window, QStringLiteral("brush"));
        QTest::mouseRelease(timed, Qt::LeftButton, Qt::ShiftModifier, at(1.98));
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        QCOMPARE(sum(), 30.0);
        QCOMPARE(window.selectionBar().chips().size(), 1);
        picture(window, QStringLiteral("stretch"));

        // A stretch that is not in the run is told: what is on show stays, and its chip with it.
        gui::Selection outside;
        outside.time = {plot.to + test::kSecond, plot.to + 2 * test::kSecond};
        const auto before = window.snapshot();
        window.select(outside);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("outside of")), kPatience);
        QCOMPARE(window.snapshot(), before);
        QCOMPARE(window.selection(), before->selection);
        QCOMPARE(window.selectionBar().chips().size(), 1);

        // The chip takes it away.
        window.selectionBar().findChild<QToolButton*>()->click();
        QTRY_COMPARE_WITH_TIMEOUT(sum(), 42.0, kPatience);
        QVERIFY(window.selectionBar().chips().isEmpty());
        QCOMPARE(window.runs().count(), 1); // a part is no run of its own
    }
    void rowsLikeOneAreShownInAllViews()
    {
        test::Stream stream;
        auto p = test::program("syscall:::entry { @[execname, probefunc] = count(); }", {"syscall:::entry"});
        p.aggregations = {test::aggregation("", test::Aggregator::Count, "", {test::textKey("execname"), test::textKey("probefunc")})};
        test::begin(stream, p);
        stream.emplace_back(test::rows(0,
            {{test::Key().text("cat").text("read").bytes(), {3}}, {test::Key().text("cat").text("write").bytes(), {4}},
                {test::Key().text("dd").text("read").bytes(), {50}}}));
        stream.emplace_back(test::end(test::kSecond));
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("keys.dscope"), stream));
        waitForFigures(window);
        const auto sum = [&] { return columnSum(*window.snapshot()->table, "value"); };
        QCOMPARE(sum(), 57.0);
        QVERIFY(chooseFromRows(window, QStringLiteral("Only execname cat, in all views")));
        QTRY_COMPARE_WITH_TIMEOUT(sum(), 7.0, kPatience);
        QVERIFY(chooseFromRows(window, QStringLiteral("Only probefunc read, in all views")));
        QTRY_COMPARE_WITH_TIMEOUT(sum(), 3.0, kPatience);
        QCOMPARE(window.selectionBar().chips(), (QStringList{QStringLiteral("execname is cat"), QStringLiteral("probefunc is read")}));
        window.selectionBar().findChild<QToolButton*>()->click();
        QTRY_COMPARE_WITH_TIMEOUT(sum(), 53.0, kPatience);
    }
    void stacksAreKeptAndLeftOutInAllViews()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("parts.dscope"), test::profile(200, 40, 12)));
        waitForFigures(window);
        const auto folded = [&] {
            for (const auto& view : window.snapshot()->views)
                if (view.facts.name == "flame") return view.visual->table().rows;
            return std::vector<std::vector<std::string>>();
        };
        const auto all = folded();
        std::string some; // a frame that some stacks have and others have not
        for (const auto& function : window.snapshot()->functions->rows)
            if (std::atof(function[4].c_str()) < 60 && std::atof(function[4].c_str()) > 5) some = function[0];
        QVERIFY(!some.empty());
        const auto has = [&](const std::vector<std::string>& row) {
            return QString::fromStdString(row[0]).split(QChar(';')).contains(QString::fromStdString(some));
        };
        const auto count = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), has));

        gui::Selection with, without;
        with.functions << QString::fromStdString(some);
        without.without << QString::fromStdString(some);
        window.select(with);
        QTRY_COMPARE_WITH_TIMEOUT(folded().size(), count, kPatience);
        const auto kept = folded();
        QVERIFY(std::all_of(kept.begin(), kept.end(), has));
        window.select(without);
        QTRY_COMPARE_WITH_TIMEOUT(folded().size(), all.size() - count, kPatience);
        const auto left = folded();
        QVERIFY(std::none_of(left.begin(), left.end(), has));

        // Back as in a browser, and at last to all of it.
        const auto trigger = [&](Qt::Key key) {
            for (auto* action : window.findChildren<QAction*>())
                if (action->shortcut() == QKeySequence(Qt::ALT | key)) action->trigger();
        };
        trigger(Qt::Key_Left);
        QTRY_COMPARE_WITH_TIMEOUT(folded().size(), count, kPatience);
        trigger(Qt::Key_Left);
        QTRY_COMPARE_WITH_TIMEOUT(folded().size(), all.size(), kPatience);
        QVERIFY(window.selection().isAll());
    }
};
DSCOPE_WINDOW_TEST(TestSelection)
#include "tst_selection.moc"
