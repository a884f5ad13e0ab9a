// needs: graph graph/models
// needs-programs: dscope
#include "graph/visual.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QAction>
#include <QContextMenuEvent>
#include <QDir>
#include <QMenu>
#include <QStandardPaths>
#include <QStorageInfo>
#include <QToolBar>
#include <QTreeWidget>
#include <algorithm>
#include <functional>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
/// Somebody at the window with a mouse: each press of a button counts. What they type does not.
class Person {
public:
    explicit Person(const QString& command)
    {
        m_window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        m_window.resize(1366, 728);
        m_window.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_window));
        m_window.command().setText(command);
    }
    MainWindow& window() { return m_window; }
    int clicks() const { return m_clicks; }

    void takesTheRecipe(const QString& question)
    {
        auto& recipes = m_window.sidebar().recipes();
        const auto found = recipes.findItems(question, Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY2(found.size() == 1, qPrintable(question));
        recipes.scrollToItem(found.front());
        ++m_clicks;
        QTest::mouseClick(recipes.viewport(), Qt::LeftButton, {}, recipes.visualItemRect(found.front()).center());
    }

    /// Runs the program on show, until the command that it traces has ended.
    void runs()
    {
        auto* bar = m_window.findChild<QToolBar*>(QStringLiteral("tools"));
        QSignalSpy finished(&m_window, &MainWindow::runFinished);
        ++m_clicks;
        QTest::mouseClick(bar->widgetForAction(bar->actions().front()), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(finished.count() > 0, qPrintable(m_window.message()), kPatience * 2);
        for (std::size_t place = 0; place < m_window.views().count(); ++place) {
            auto& figure = m_window.views().panel(place).figure();
            QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), kPatience);
        }
    }

    /// A right click on the first mark that `is` the one, and a choice of what the menu offers.
    void asks(const std::function<bool(const graph::Item&)>& is, const QString& question)
    {
        auto& figure = m_window.views().panel(0).figure();
        const auto& items = figure.figure().items;
        const auto mark = std::find_if(items.begin(), items.end(), is);
        QVERIFY(mark != items.end());
        const auto at = figure.placeOf(static_cast<std::size_t>(mark - items.begin())).center().toPoint();
        QContextMenuEvent click(QContextMenuEvent::Mouse, at, figure.mapToGlobal(at));
        ++m_clicks;
        QApplication::sendEvent(&figure, &click);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (auto* action : menu->actions())
            if (action->text() == question) {
                picture(*menu, QStringLiteral("cause-menu"));
                ++m_clicks;
                // By the keyboard: with Qt 6.8 a menu of an offscreen display closes when a button of the mouse is pressed in it.
                menu->setActiveAction(action);
                QTest::keyClick(menu, Qt::Key_Return);
                return;
            }
        QFAIL(qPrintable(question));
    }

    /// A bar whose table says so of a program and a system call.
    std::function<bool(const graph::Item&)> rowOf(const std::string& program, const std::string& call)
    {
        const auto visual = m_window.views().panel(0).shown();
        return [visual, program, call](const graph::Item& item) {
            if (!item.row) return false;
            const auto& table = visual->table();
            const auto& row = table.rows[item.row->value];
            return row.size() > 1 && row[0] == program && row[1] == call;
        };
    }

    /// The greatest row of the table on show, by its last column.
    std::vector<std::string> worst()
    {
        const auto rows = m_window.views().panel(0).shown()->table().rows;
        const auto most = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return std::atof(a.back().c_str()) < std::atof(b.back().c_str()); });
        return most == rows.end() ? std::vector<std::string>() : *most;
    }

    /// Shows a view: its tab is pressed where no panel shows it yet.
    gui::FigureView& opens(std::string_view view)
    {
        auto& views = m_window.views();
        for (std::size_t place = 0; place < views.count(); ++place)
            if (views.panel(place).shown()->name() == view) return views.panel(place).figure();
        auto& panel = views.panel(0);
        const auto& all = m_window.snapshot()->views;
        for (const auto& one : all)
            for (int tab = 0; one.facts.name == view && tab < panel.tabs().count(); ++tab)
                if (panel.tabs().tabText(tab) == gui::ViewPanel::tr(std::string(one.facts.tab).c_str())) {
                    ++m_clicks;
                    QTest::mouseClick(&panel.tabs(), Qt::LeftButton, {}, panel.tabs().tabRect(tab).center());
                }
        const auto isThere = [&] {
            bool isSettled = panel.shown()->name() == view;
            for (std::size_t place = 0; place < views.count(); ++place)
                isSettled = isSettled && views.panel(place).figure().isSettled() && !views.panel(place).figure().figure().items.empty();
            return isSettled;
        };
        if (!QTest::qWaitFor(isThere, kPatience)) qWarning("there is no view %s", std::string(view).c_str());
        return panel.figure();
    }

    /// Whether a function is in the flame graph, and wide enough to be read.
    bool sees(const std::string& function)
    {
        auto& figure = opens("flame");
        const auto& drawn = figure.figure();
        for (std::size_t i = 0; i < drawn.items.size(); ++i) {
            const auto& item = drawn.items[i];
            if (item.role != graph::Role::Frame || !item.node) continue;
            if (drawn.tree[item.node->value].name.find(function) != std::string::npos && figure.placeOf(i).width() > 40) return true;
        }
        return false;
    }

private:
    MainWindow m_window;
    int m_clicks = 0;
};
constexpr int kMost = 6; ///< clicks to a cause
} // namespace

/// The workloads of examples/tour: what is wrong with each is found by recipes and drill-down alone.
class TestCauses : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void init()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QSettings().clear();
    }

    void aLogWaitsForTheDisk()
    {
        const auto file = m_desk.path(QStringLiteral("log"));
        if (QStorageInfo(QFileInfo(file).absolutePath()).fileSystemType() == "tmpfs") QSKIP("needs a disk below the folder of temporary files");
        Person person(QStringLiteral(DSCOPE_PROGRAMS "/disk_writer %1 200").arg(file));
        person.takesTheRecipe(QStringLiteral("Which system calls take the time?"));
        person.runs();
        picture(person.window(), QStringLiteral("tour-disk-1"));
        QCOMPARE(person.worst()[1], std::string("fsync"));
        person.asks(person.rowOf("disk_writer", "fsync"), QStringLiteral("What leads to it?"));
        person.runs();
        const bool isSeen = person.sees("keepForSure") && person.sees("writeLine");
        picture(person.window(), QStringLiteral("tour-disk-2"));
        QVERIFY(isSeen);
        QVERIFY(person.clicks() <= kMost);
    }

    void aServerForksForEveryRequest()
    {
        Person person(QStringLiteral(DSCOPE_PROGRAMS "/fork_loop 100"));
        person.takesTheRecipe(QStringLiteral("Where are processes started?"));
        person.runs();
        QVERIFY(person.sees("askHelper") && person.sees("serve"));
        QVERIFY(person.clicks() <= kMost);
        picture(person.window(), QStringLiteral("tour-forks"));
    }

    void threadsQueueForALock()
    {
        Person person(QStringLiteral(DSCOPE_PROGRAMS "/lock_convoy 4 100"));
        person.takesTheRecipe(QStringLiteral("Where are locks waited for?"));
        person.runs();
        QVERIFY(person.sees("countOne"));
        QVERIFY(!person.sees("writeReport")); // it sleeps, and waits for no lock
        QVERIFY(person.clicks() <= kMost);
        picture(person.window(), QStringLiteral("tour-locks"));
    }

    void aBuildWaitsForAScript()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("make")).isEmpty()) QSKIP("needs make");
        const auto out = m_desk.path(QStringLiteral("out"));
        QVERIFY(QDir().mkpath(out));
        Person person(QStringLiteral("make -j4 -C " DSCOPE_SOURCE "/examples/tour/slow_build OUT=%1").arg(out));
        person.takesTheRecipe(QStringLiteral("Why is the build slow?"));
        person.runs();
        const auto visual = person.opens("process-timeline").visual();
        picture(person.window(), QStringLiteral("tour-build"));
        // What decided the end is outlined: the script, and in it the sleep.
        const auto table = visual->table();
        const auto column = [&](std::string_view title) {
            return static_cast<std::size_t>(std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.title == title; }) - table.columns.begin());
        };
        QStringList critical;
        for (const auto& row : table.rows)
            if (!row[column("critical_ns")].empty()) critical << QString::fromStdString(row[column("args")]);
        QVERIFY2(critical.contains(QStringLiteral("sleep 1")) && critical.contains(QStringLiteral("sh ./version.sh")), qPrintable(critical.join(QChar('\n'))));
        QVERIFY(person.clicks() <= kMost);
    }

    void aClientSendsLetterByLetter()
    {
        Person person(QStringLiteral(DSCOPE_PROGRAMS "/chatty_client 3000"));
        person.takesTheRecipe(QStringLiteral("Which system calls, by whom?"));
        person.runs();
        picture(person.window(), QStringLiteral("tour-client-1"));
        person.asks(person.rowOf("chatty_client", "sendto"), QStringLiteral("What leads to it?"));
        person.runs();
        const bool isSeen = person.sees("sendLetter") && person.sees("sendText");
        picture(person.window(), QStringLiteral("tour-client-2"));
        QVERIFY(isSeen);
        QVERIFY(person.clicks() <= kMost);
    }
};
DSCOPE_WINDOW_TEST(TestCauses)
#include "tst_causes.moc"
