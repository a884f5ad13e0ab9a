// needs: graph graph/models
// Where the window's parts stand: each is moved, closed and brought back, and that is kept for each kind of work.
#include "gui/dock.h"
#include "window_fixture.h"
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolButton>
using namespace dscope;
using namespace dscope::tests;
using gui::Dock;
using gui::MainWindow;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
const QString kStacks = QStringLiteral("hot-stacks.dscope"), kSizes = QStringLiteral("write-sizes.dscope");

Dock* dock(const MainWindow& window, const char* name) { return window.findChild<Dock*>(QLatin1String(name)); }
void openAndWait(MainWindow& window, const QString& file)
{
    QSignalSpy finished(&window, &MainWindow::runFinished);
    window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
    for (std::size_t place = 0; place < window.views().count(); ++place)
        QTRY_VERIFY_WITH_TIMEOUT(window.views().panel(place).figure().isSettled(), kPatience);
}
/// A run again: its history has what another recording has shown.
void showAgain(MainWindow& window, int place) { Q_EMIT window.runs().chosen(place); }
/// The second run of a window that has one already, as if it had been traced: recordings open windows of their own.
void keep(MainWindow& window, const QString& file)
{
    MainWindow other;
    openAndWait(other, file);
    window.runs().add(other.runs().at(0));
}
QAction* inWindowMenu(const MainWindow& window, QAction* action)
{
    for (const auto* menu : window.menuBar()->findChildren<QMenu*>())
        if (menu->actions().contains(action)) return action;
    return nullptr;
}
} // namespace

class TestDocks : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void eachPartIsClosedAndBroughtBackByItsMenu_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"questions", "history", "program", "results"})
            QTest::newRow(name) << QByteArray(name);
    }
    void eachPartIsClosedAndBroughtBackByItsMenu()
    {
        QFETCH(const QByteArray, name);
        MainWindow window;
        window.show();
        auto* part = dock(window, name);
        QVERIFY(part->isVisible());
        QTest::mouseClick(&part->closeButton(), Qt::LeftButton);
        QVERIFY(!part->isVisible());
        auto* action = inWindowMenu(window, part->toggleViewAction());
        QVERIFY(action);
        QVERIFY(!action->isChecked());
        action->trigger();
        QVERIFY(part->isVisible());
    }
    void itsButtonAndADoubleClickTakeAPartOutAndPutItBack()
    {
        MainWindow window;
        window.show();
        auto* part = dock(window, "results");
        QTest::keyClick(&part->outButton(), Qt::Key_Space);
        QVERIFY(part->isFloating());
        QVERIFY(part->isWindow());
        QTest::keyClick(&part->outButton(), Qt::Key_Space);
        QVERIFY(!part->isFloating());
        auto* bar = part->titleBarWidget();
        QTest::mouseDClick(bar, Qt::LeftButton, {}, QPoint(4, bar->height() / 2));
        QVERIFY(part->isFloating());
    }
    void aPartIsDrawnOut()
    {
        MainWindow window;
        window.resize(1300, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* part = dock(window, "history");
        auto* bar = part->titleBarWidget();
        const QPoint from(6, bar->height() / 2);
        QTest::mousePress(bar, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 8; ++step)
            QTest::mouseMove(bar, from + QPoint(step * 20, -step * 10));
        QVERIFY(part->isFloating());
        QTest::mouseRelease(bar, Qt::LeftButton, {}, from);
    }
    void theSecondViewIsClosedAndComesBack()
    {
        MainWindow window;
        window.show();
        QVERIFY(!dock(window, "second-view")->isVisible());
        openAndWait(window, kRecordings + kStacks);
        auto* part = dock(window, "second-view");
        QVERIFY(part->isVisible());
        QTest::mouseClick(&part->closeButton(), Qt::LeftButton);
        QVERIFY(!part->isVisible());
        QCOMPARE(window.views().count(), std::size_t{1});
        QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(part->isVisible());
        QCOMPARE(window.views().count(), std::size_t{2});
    }
    void eachKindOfWorkKeepsItsLayout()
    {
        MainWindow window;
        window.resize(1300, 800);
        window.show();
        openAndWait(window, kRecordings + kStacks);
        keep(window, kRecordings + kSizes); // 0: sizes, 1: stacks
        auto* results = dock(window, "results");
        const auto of = [&](std::size_t place) { return window.views().panel(place).shown()->name(); };
        const auto first = of(0), second = of(1);

        // Of stacks: no results, and the second view first.
        QTest::mouseClick(&results->closeButton(), Qt::LeftButton);
        window.addDockWidget(Qt::RightDockWidgetArea, dock(window, "history"));
        window.views().panel(0).tabs().setCurrentIndex(1);
        QCOMPARE(of(0), second);
        QCOMPARE(of(1), first);
        // Of sizes: results at the right.
        showAgain(window, 0);
        results->toggleViewAction()->trigger();
        window.addDockWidget(Qt::RightDockWidgetArea, results);
        QVERIFY(results->isVisible());

        showAgain(window, 1);
        QVERIFY(!results->isVisible());
        QCOMPARE(window.dockWidgetArea(dock(window, "history")), Qt::RightDockWidgetArea);
        QCOMPARE(of(0), second);
        showAgain(window, 0);
        QVERIFY(results->isVisible());
        QCOMPARE(window.dockWidgetArea(results), Qt::RightDockWidgetArea);
        window.close();

        MainWindow next;
        next.resize(1300, 800);
        next.show();
        openAndWait(next, kRecordings + kStacks);
        QVERIFY(!dock(next, "results")->isVisible());
        QCOMPARE(next.views().panel(0).shown()->name(), second);
    }
    void allIsPutBack()
    {
        MainWindow window;
        window.resize(1300, 800);
        window.show();
        const auto areas = [&] {
            QList<int> all;
            for (auto* one : window.docks())
                all << (one->isFloating() ? -1 : static_cast<int>(window.dockWidgetArea(one))) << one->isVisible();
            return all;
        };
        const auto before = areas();
        for (auto* one : window.docks())
            QTest::mouseClick(one == window.docks()[1] ? &one->outButton() : &one->closeButton(), Qt::LeftButton);
        window.addDockWidget(Qt::BottomDockWidgetArea, dock(window, "program"));
        QVERIFY(areas() != before);
        bool isOffered = false;
        for (auto* action : window.findChildren<QAction*>())
            if (action->text() == MainWindow::tr("Put &all back where it was")) {
                isOffered = true;
                action->trigger();
            }
        QVERIFY(isOffered);
        QCOMPARE(areas(), before);
    }
    void detailsFollowWhatIsChosen()
    {
        MainWindow window;
        window.resize(1600, 900);
        window.show();
        openAndWait(window, kRecordings + kStacks);
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        QVERIFY(dock(window, "details")->isVisible());
        QVERIFY(window.details().offers().isEmpty());
        // Before anything is chosen they are of the run: whose it is, how long it took, and where.
        const auto about = window.details().text().split(QChar('\n'));
        QCOMPARE(about.front(), kStacks);
        QVERIFY2(
            about.contains(MainWindow::tr("On: %1").arg(window.snapshot()->host + QStringLiteral(", Linux ") + window.snapshot()->kernel)),
            qPrintable(about.join(QChar('\n'))));
        QVERIFY(window.snapshot()->began.isValid());
        auto& figure = window.views().panel(0).figure();
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled(), kPatience);
        figure.setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&figure, Qt::Key_Up);
        const auto mark = figure.currentMark();
        QVERIFY(mark);
        const auto& item = figure.figure().items[figure.drawing()->marks()[static_cast<std::size_t>(*mark)]];
        QCOMPARE(window.details().text().trimmed(), QString::fromStdString(item.tip).trimmed());
        const auto offers = window.details().offers();
        const auto only = offers.indexOf(MainWindow::tr("Only stacks with it, in all views"));
        QVERIFY2(only >= 0, qPrintable(offers.join(QChar('\n'))));
        QSignalSpy shown(&window, &MainWindow::snapshotShown);
        window.details().choose(static_cast<int>(only));
        QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, kPatience);
        QCOMPARE(window.selection().functions.size(), qsizetype{1});
    }
    /// What a row is of stands in bold, its distribution below it.
    void detailsOfARowTellItsKeys()
    {
        MainWindow window;
        window.resize(1600, 900);
        window.show();
        openAndWait(window, kRecordings + QStringLiteral("write-sizes.dscope"));
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        Q_EMIT window.results().rowCurrent(0);
        const auto& table = *window.snapshot()->table;
        QCOMPARE(window.snapshot()->distributions.size(), qsizetype{1});
        const auto lines = window.details().text().split(QChar('\n'));
        QCOMPARE(lines[0], QString::fromStdString(table.rows[0][0]));
        QCOMPARE(lines[1], window.snapshot()->distributions[0] + QStringLiteral(": ") + QString::fromStdString(table.rows[0][1]));
    }
};
DSCOPE_WINDOW_TEST(TestDocks)
#include "tst_docks.moc"
