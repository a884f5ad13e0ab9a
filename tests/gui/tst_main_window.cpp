// needs: graph graph/models engine/importers engine/text
#include "engine/syntax/names.h"
#include "engine/text/importer.h"
#include "graph/store.h"
#include "gui/dock.h"
#include "window_fixture.h"
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMimeData>
#include <QMenu>
#include <QProcess>
#include <QSet>
#include <QToolButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTreeWidget>
#include <QUrl>
#include <ctime>
#include <map>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
QStringList tabs(gui::ViewPanel& panel)
{
    QStringList names;
    for (int i = 0; i < panel.tabs().count(); ++i)
        names << panel.tabs().tabText(i);
    return names;
}
/// Opens a file and waits until it is read.
void openAndWait(MainWindow& window, const QString& path)
{
    QSignalSpy finished(&window, &MainWindow::runFinished);
    window.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
}
/// The process tree that a figure's data gives, row by row.
std::vector<std::vector<std::string>> rowsInside(const QByteArray& figure)
{
    const auto all = importers::all();
    const auto reader = std::find_if(all.begin(), all.end(), [](const auto& f) { return f->name() == "figure"; });
    text::Lines lines(std::string_view(figure.constData(), static_cast<std::size_t>(figure.size())));
    const auto read = (*reader)->read(lines);
    if (!read) return {};
    graph::Store store;
    store.take(read->program);
    for (const auto& record : read->records)
        store.take(record);
    return graph::kinds().front().make(store)->table().rows;
}
double threadSeconds()
{
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
QTableView* tableOf(MainWindow& window)
{
    for (auto* view : window.results().findChildren<QTableView*>())
        if (view->model() == &window.results().table()) return view;
    qFatal("there is no table");
}
void waitForFigures(MainWindow& window)
{
    for (std::size_t place = 0; place < window.views().count(); ++place) {
        auto& figure = window.views().panel(place).figure();
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), kPatience);
    }
}
} // namespace

class TestMainWindow : public QObject {
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
    void aSyntaxErrorIsUnderlinedWhereItIs()
    {
        MainWindow window;
        QSignalSpy mistaken(&window.editor(), &gui::Editor::mistaken);
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\tx = = 1;\n}\n"));
        QTRY_VERIFY(window.editor().markedLine() == 3);
        QVERIFY2(window.message().contains(QStringLiteral("line 3")), qPrintable(window.message()));
        picture(window, QStringLiteral("error"));
        window.editor().setProgram(QStringLiteral("BEGIN\n{\n\tx = 1;\n}\n"));
        QTRY_COMPARE(window.editor().markedLine(), 0);
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
    }
    void wordsAreCompletedInAClause()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { @x = qua"));
        QVERIFY(editor.completion().isOpen());
        QCOMPARE(editor.completion().proposals(), QStringList{QStringLiteral("quantize")});
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { @x = quantize"));
        QVERIFY(!editor.completion().isOpen());
        QTest::keyClicks(&editor, QStringLiteral("(tim"));
        QVERIFY(editor.completion().proposals().contains(QStringLiteral("timestamp")));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!editor.completion().isOpen());
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { @x = quantize(tim"));
    }
    /// Typed, then Enter: the text and a new line, whatever is proposed.
    void completionNeverChangesWhatWasTypedInFull_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("a rate that no list has") << QStringLiteral("profile-99");
        QTest::newRow("a rate with its unit") << QStringLiteral("tick-10s");
        QTest::newRow("the provider and a rate") << QStringLiteral("profile:::profile-9");
        QTest::newRow("BEGIN") << QStringLiteral("BEGIN");
        QTest::newRow("a description") << QStringLiteral("syscall::read:entry");
        QTest::newRow("several at once") << QStringLiteral("syscall::read");
        QTest::newRow("a function that longer ones begin with") << QStringLiteral("BEGIN { @[stack");
        QTest::newRow("an aggregation's name") << QStringLiteral("BEGIN { @tim");
        QTest::newRow("a member's name") << QStringLiteral("BEGIN { this->tim");
        QTest::newRow("a variable's name") << QStringLiteral("BEGIN { tim");
    }
    void completionNeverChangesWhatWasTypedInFull()
    {
        QFETCH(const QString, typed);
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes({QStringLiteral("dtrace:::BEGIN"), QStringLiteral("profile:::profile-97"),
            QStringLiteral("profile:::profile-997"), QStringLiteral("profile:::tick-10"), QStringLiteral("syscall::read:entry"),
            QStringLiteral("syscall::readv:entry")});
        editor.setFocus();
        QTest::keyClicks(&editor, typed);
        auto* popup = QApplication::activePopupWidget();
        QTest::keyClick(popup ? popup : &editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), typed + QChar('\n'));
        QVERIFY(!editor.completion().isOpen());
    }
    void nothingIsProposedForACompleteProbe()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes({QStringLiteral("dtrace:::BEGIN"), QStringLiteral("profile:::profile-997")});
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("profile-9"));
        QVERIFY(!editor.completion().isOpen());
        editor.setProgram({});
        QTest::keyClicks(&editor, QStringLiteral("BEGIN"));
        QVERIFY(!editor.completion().isOpen());
    }
    void whatIsAskedForIsChosenAtOnce()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { x = qu"));
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(editor.completion().isOpen());
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { x = quantize"));
    }
    void onlyWordsOfTheLanguageAreProposed()
    {
        gui::Editor editor;
        const auto& words = editor.completion().words();
        QVERIFY(words.size() > 100);
        for (const auto& word : words) {
            const auto text = word.toStdString();
            QVERIFY2(syntax::isBuiltin(text) || syntax::isKeyword(text) || text == "$target", text.c_str());
        }
    }
    void probesAreCompletedOutsideOfClauses()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.completion().setProbes(
            {QStringLiteral("io:::start"), QStringLiteral("syscall::openat:entry"), QStringLiteral("syscall::openat:return")});
        editor.setFocus();
        QTest::keyClicks(&editor, QStringLiteral("BEGIN { x = 1; }"));
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("openat:r"));
        QCOMPARE(editor.completion().proposals(), QStringList{QStringLiteral("syscall::openat:return")});
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN { x = 1; }\nsyscall::openat:return"));
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
        const auto choose = [&](const QString& text) {
            const auto& table = *window.snapshot()->table;
            for (std::size_t row = 0; row < table.rows.size(); ++row)
                Q_EMIT window.findChild<gui::Results*>()->rowAsked(static_cast<int>(row), QPoint(10, 10));
            for (auto* menu : window.findChildren<QMenu*>())
                for (auto* action : menu->actions())
                    if (action->text() == text) return action->trigger(), true;
            return false;
        };
        QVERIFY(choose(QStringLiteral("Only execname cat, in all views")));
        QTRY_COMPARE_WITH_TIMEOUT(sum(), 7.0, kPatience);
        QVERIFY(choose(QStringLiteral("Only probefunc read, in all views")));
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
    void aClosingBraceStandsWhereItsLineBegan()
    {
        MainWindow window;
        QTest::keyClicks(&window.editor(), QStringLiteral("BEGIN {"));
        QTest::keyClick(&window.editor(), Qt::Key_Return);
        QTest::keyClicks(&window.editor(), QStringLiteral("x = 1;"));
        QTest::keyClick(&window.editor(), Qt::Key_Return);
        QTest::keyClicks(&window.editor(), QStringLiteral("}"));
        QCOMPARE(window.editor().toPlainText(), QStringLiteral("BEGIN {\n\tx = 1;\n}"));
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
            window.resize(1000, 700);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.resizeDocks({window.docks()[0], window.docks()[2]}, {300, 320}, Qt::Horizontal);
            QTRY_COMPARE(window.docks()[0]->width(), 300);
            sizes = widths(window);
            window.close();
        }
        MainWindow window;
        window.show();
        QCOMPARE(window.command().text(), QStringLiteral("make -j4"));
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_COMPARE(widths(window), sizes);
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
        double last = threadSeconds(), longest = 0;
        QTimer tick;
        connect(&tick, &QTimer::timeout, this, [&] {
            const double now = threadSeconds();
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
QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
