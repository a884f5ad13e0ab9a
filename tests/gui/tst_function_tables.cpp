// needs: graph graph/models exporters
// Functions as tables beside the pictures: what they say is counted from the folded text that the flame graph writes.
#include "gui/dock.h"
#include "window_fixture.h"
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QMap>
#include <QTableView>
using namespace dscope;
using namespace dscope::tests;
using gui::CostTreeModel;
using gui::FunctionTables;
using gui::MainWindow;
namespace {
void openAndWait(MainWindow& window, const QString& file)
{
    QSignalSpy finished(&window, &MainWindow::runFinished);
    window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
    for (std::size_t place = 0; place < window.views().count(); ++place)
        QTRY_VERIFY_WITH_TIMEOUT(window.views().panel(place).figure().isSettled(), kPatience);
}
/// The stacks of the run as the flame graph writes them.
std::vector<std::pair<QStringList, qint64>> stacksOf(const MainWindow& window)
{
    std::vector<std::pair<QStringList, qint64>> all;
    for (const auto& view : window.snapshot()->views)
        if (view.facts.name == "flame")
            for (const auto& row : view.visual->table().rows)
                all.emplace_back(QString::fromStdString(row[0]).split(QChar(';')), std::atoll(row[1].c_str()));
    return all;
}
void show(MainWindow& window, FunctionTables::Tab tab)
{
    window.findChild<gui::Dock*>(QStringLiteral("functions"))->raise();
    QTRY_VERIFY(window.functionTables().isVisible());
    window.functionTables().tabs().setCurrentIndex(tab);
    QTRY_VERIFY_WITH_TIMEOUT(window.functionTables().isSettled(), kPatience);
}
} // namespace

class TestFunctionTables : public QObject {
    Q_OBJECT
    Desk m_desk;

private Q_SLOTS:
    void init() { QSettings().clear(); }

    void treesOpenSortAndAreCopied()
    {
        MainWindow window;
        window.resize(1500, 900);
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("trees.dscope"), test::profile(200, 40, 12)));
        show(window, FunctionTables::kBottomUp);
        picture(window, QStringLiteral("functions-bottom-up"));
        auto& tree = window.functionTables().tree(FunctionTables::kBottomUp);
        auto& costs = tree.costs();
        QAbstractItemModelTester tester(&costs, QAbstractItemModelTester::FailureReportingMode::QtTest);

        QMap<QString, std::pair<qint64, qint64>> counted;
        for (const auto& [frames, value] : stacksOf(window)) {
            counted[frames.last()].first += value;
            for (const auto& frame : QSet<QString>(frames.begin(), frames.end()))
                counted[frame].second += value;
        }
        QCOMPARE(costs.rowCount(), int(counted.size()));
        for (int row = 0; row < costs.rowCount(); ++row) {
            const auto at = costs.index(row, 0);
            QCOMPARE(costs.cell(at, CostTreeModel::kSelf).toLongLong(), counted[costs.nameOf(at)].first);
            QCOMPARE(costs.cell(at, CostTreeModel::kTotal).toLongLong(), counted[costs.nameOf(at)].second);
        }

        // A click on a title sorts; what was chosen stays so.
        tree.setCurrentIndex(costs.index(0, 0));
        const auto chosen = costs.nameOf(tree.currentIndex());
        auto* header = tree.header();
        const auto titleAt = QPoint(header->sectionViewportPosition(CostTreeModel::kSelf) + 20, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, titleAt);
        qint64 last = -1;
        const bool isRising = header->sortIndicatorOrder() == Qt::AscendingOrder;
        for (int row = 0; row < costs.rowCount(); ++row) {
            const auto self = costs.cell(costs.index(row, 0), CostTreeModel::kSelf).toLongLong();
            QVERIFY(last < 0 || (isRising ? self >= last : self <= last));
            last = self;
        }
        QCOMPARE(costs.nameOf(tree.currentIndex()), chosen);

        // The keyboard opens the row; below it is who calls it.
        tree.setFocus();
        tree.setCurrentIndex(costs.index(costs.rowCount() / 2, 0));
        const auto here = tree.currentIndex();
        QTest::keyClick(&tree, Qt::Key_Right);
        QVERIFY(tree.isExpanded(here));
        QSet<QString> callers, expected;
        for (int row = 0; row < costs.rowCount(here); ++row)
            callers << costs.nameOf(costs.index(row, 0, here));
        for (const auto& [frames, value] : stacksOf(window))
            for (qsizetype i = 1; i < frames.size(); ++i)
                if (frames[i] == costs.nameOf(here)) expected << frames[i - 1];
        QCOMPARE(callers, expected);

        tree.selectAll();
        QTest::keyClick(&tree, Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split(QChar('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(1 + costs.rowCount() + costs.rowCount(here)));
        QVERIFY(lines[0].startsWith(QStringLiteral("function\tself")));
    }
    void oneChosenIsChosenEverywhere()
    {
        MainWindow window;
        window.resize(1500, 900);
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("chosen.dscope"), test::profile(200, 40, 12)));
        show(window, FunctionTables::kTopDown);
        auto& tree = window.functionTables().tree(FunctionTables::kTopDown);
        auto at = tree.costs().index(0, 0);
        while (tree.costs().rowCount(at) > 0) {
            tree.expand(at);
            at = tree.costs().index(0, 0, at);
            if (tree.costs().nameOf(at).startsWith(QStringLiteral("prog`"))) break;
        }
        tree.scrollTo(at);
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualRect(at).center());
        const auto name = tree.costs().nameOf(at);
        auto& figure = window.views().panel(0).figure();
        QVERIFY(!figure.chosen().empty());
        for (const auto item : figure.chosen())
            QCOMPARE(figure.functionOf(item), name);
        picture(window, QStringLiteral("functions-chosen"));

        // And from a frame of the picture.
        const auto& marks = figure.drawing()->marks();
        for (std::size_t mark = 0; mark < marks.size(); ++mark)
            if (const auto other = figure.functionOf(marks[mark]); !other.isEmpty() && other != name) {
                figure.goTo(int(mark));
                QCOMPARE(figure.functionOf(figure.chosen().front()), other);
                show(window, FunctionTables::kAll);
                auto* table = window.functionTables().table(FunctionTables::kAll).findChild<QTableView*>();
                const auto rows = table->selectionModel()->selectedRows();
                QCOMPARE(rows.size(), qsizetype{1});
                QVERIFY(gui::isSameFunction(rows.front().data().toString(), other));
                return;
            }
        QFAIL("no other function");
    }
    void aFilterLeavesWhatIsCalledSo()
    {
        MainWindow window;
        window.resize(1500, 900);
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("filter.dscope"), test::profile(200, 40, 12)));
        show(window, FunctionTables::kBottomUp);
        auto& tables = window.functionTables();
        const auto some = tables.tree(FunctionTables::kBottomUp).costs().nameOf(tables.tree(FunctionTables::kBottomUp).costs().index(2, 0));
        tables.filter().setFocus();
        QTest::keyClicks(&tables.filter(), QRegularExpression::escape(some));
        QTRY_COMPARE_WITH_TIMEOUT(tables.tree(FunctionTables::kBottomUp).costs().rowCount(), 1, kPatience);
        const auto& costs = tables.tree(FunctionTables::kBottomUp).costs();
        QCOMPARE(costs.nameOf(costs.index(0, 0)), some);
        show(window, FunctionTables::kAll);
        QCOMPARE(tables.table(FunctionTables::kAll).model().rowCount(), 1);
    }
    void theTableOnShowIsExported_data()
    {
        QTest::addColumn<int>("tab");
        QTest::newRow("functions") << int(FunctionTables::kAll);
        QTest::newRow("top down") << int(FunctionTables::kTopDown);
        QTest::newRow("bottom up") << int(FunctionTables::kBottomUp);
    }
    void theTableOnShowIsExported()
    {
        QFETCH(const int, tab);
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("csv.dscope"), test::profile(50, 20, 6)));
        show(window, FunctionTables::Tab(tab));
        const auto path = m_desk.path(QStringLiteral("functions.csv"));
        QVERIFY(window.exportFunctionsTo(path));
        const auto lines = contents(path).split('\n');
        const auto titles = lines[0].trimmed().split(',');
        QVERIFY(titles.contains("self") && titles.contains("total"));
        qint64 self = 0, whole = 0;
        constexpr int kFromEnd = 4; // self, self %, total, total %: names have commas of their own
        for (qsizetype i = 1; i < lines.size(); ++i)
            if (const auto cells = lines[i].split(','); cells.size() >= titles.size() && (titles[0] != "level" || tab == FunctionTables::kTopDown || cells[0] == "1"))
                self += cells[cells.size() - kFromEnd].toLongLong();
        for (const auto& [frames, value] : stacksOf(window))
            whole += value;
        QCOMPARE(self, whole); // what all took by themselves is all
    }
    void linesOfSourceHaveATable()
    {
        MainWindow window;
        window.resize(1500, 900);
        window.show();
        openAndWait(window, QStringLiteral(DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope"));
        show(window, FunctionTables::kAll);
        const auto& tabs = window.functionTables().tabs();
        bool has = false;
        for (const auto& view : window.snapshot()->views)
            has = has || view.facts.name == "source";
        QCOMPARE(tabs.isTabVisible(FunctionTables::kByLine), has);
        if (has) show(window, FunctionTables::kByLine);
        picture(window, QStringLiteral("functions-lines"));
    }
    void threadsAreOffered()
    {
        MainWindow window;
        window.resize(1500, 900);
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("threads.dscope"), test::profile(50, 20, 6)));
        show(window, FunctionTables::kByKey);
        picture(window, QStringLiteral("functions-threads"));
        QToolButton* add = nullptr;
        for (auto* button : window.functionTables().findChildren<QToolButton*>())
            if (button->isVisible() && button->text() == FunctionTables::tr("Add tid to the program")) add = button;
        QVERIFY(add);
        QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("profile-997 /execname == \"render\"/ { @[tid, ustack()] = count(); }"));
    }
    void aClosedDockStaysClosed()
    {
        MainWindow window;
        window.show();
        auto* dock = window.findChild<gui::Dock*>(QStringLiteral("functions"));
        QVERIFY(!dock->isVisible());
        openAndWait(window, m_desk.recording(QStringLiteral("closed.dscope"), test::profile(50, 20, 6)));
        QVERIFY(dock->isVisibleTo(&window));
        dock->raise();
        QTest::mouseClick(&dock->closeButton(), Qt::LeftButton);
        QSignalSpy shown(&window, &MainWindow::snapshotShown);
        Q_EMIT window.runs().chosen(0);
        QCOMPARE(shown.count(), 1);
        QVERIFY(!dock->isVisibleTo(&window));
        QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
        QVERIFY(dock->isVisible());
    }
};
DSCOPE_WINDOW_TEST(TestFunctionTables)
#include "tst_function_tables.moc"
