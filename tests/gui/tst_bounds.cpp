// needs: graph graph/models
// What of a run that says very much the window keeps, and that it tells what it does not keep.
#include "gui/advice.h"
#include "window_fixture.h"
#include <QLabel>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
/// A program that has printed so many lines.
test::Stream printed(int lines)
{
    auto s = test::opened({});
    const auto end = s.back();
    s.pop_back();
    std::get<record::Program>(s.front()).options["quiet"] = "";
    for (int i = 0; i < lines; ++i)
        s.emplace_back(record::Fired{ClauseId{0}, ProbeId{7}, 1, 4242, 4242, record::Nanoseconds(test::kStart + i * 1000),
            test::Key().text("cat").text("file " + std::to_string(i) + "\n").bytes()});
    s.push_back(end);
    return s;
}
} // namespace

class TestBounds : public QObject {
    Q_OBJECT
    Desk m_desk;
private Q_SLOTS:
    void ofMuchOutputTheEndIsKeptAndThatIsTold_data()
    {
        QTest::addColumn<int>("lines");
        QTest::addColumn<QString>("told");
        QTest::newRow("all fit") << 300 << QString();
        QTest::newRow("more than fit") << 70'000 << QStringLiteral("The last 20,000 of 70,001 lines; a recording has all"); // an empty one ends them, as with dtrace
    }
    void ofMuchOutputTheEndIsKeptAndThatIsTold()
    {
        QFETCH(int, lines);
        QFETCH(QString, told);
        MainWindow window;
        window.show();
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.open(m_desk.recording(QStringLiteral("printed.dscope"), printed(lines)));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
        QCOMPARE(window.results().linesText(), told);
        QTRY_VERIFY_WITH_TIMEOUT(window.results().output().text().contains(QStringLiteral("file %1\n").arg(lines - 1)), kPatience);
        QVERIFY(window.results().output().blockCount() <= gui::kLinesKept + 1);
        // Once it has ended the table is of all of them.
        QCOMPARE(window.snapshot()->tableRows, static_cast<std::size_t>(lines));
        QVERIFY(!window.snapshot()->hasNewestRows);
        picture(window, QStringLiteral("bounds"));
        window.results().clear(); // another run starts anew
        QCOMPARE(window.results().linesText(), QString());
    }
    void outputThatComesFasterThanItIsDrawnDoesNotPileUp()
    {
        gui::OutputView view;
        QString many;
        for (int i = 0; i < gui::kLinesKept; ++i)
            many += QString::number(i) + QChar('\n');
        constexpr int kTimes = 20;
        for (int i = 0; i < kTimes; ++i)
            view.append(many);
        QVERIFY(view.text().count(QChar('\n')) <= 3 * gui::kLinesKept + 1);
        QCOMPARE(view.lines(), quint64(kTimes) * gui::kLinesKept);
        QCOMPARE(view.linesLeftOut(), quint64(kTimes - 1) * gui::kLinesKept);
        QTRY_VERIFY_WITH_TIMEOUT(view.toPlainText().endsWith(QString::number(gui::kLinesKept - 1) + QChar('\n')) && view.toPlainText() == view.text(), kPatience);
        QCOMPARE(view.linesLeftOut(), quint64(kTimes - 1) * gui::kLinesKept);
        view.clearAll();
        QCOMPARE(view.lines(), quint64(0));
    }
    void whatMemoryHasNoRoomForIsSaid_data()
    {
        QTest::addColumn<quint64>("fired");
        QTest::addColumn<quint64>("processes");
        QTest::addColumn<quint64>("keys");
        QTest::addColumn<QString>("said");
        QTest::newRow("all is kept") << quint64(0) << quint64(0) << quint64(0) << QString();
        QTest::newRow("records") << quint64(1'200'000) << quint64(0) << quint64(0)
                                 << QStringLiteral("1,200,000 later records are not kept here: a recording has all");
        QTest::newRow("keys and processes")
            << quint64(0) << quint64(7) << quint64(2'000)
            << QStringLiteral("7 later events of processes are not kept here: a recording has all \u00b7 2,000 keys with the least are left out over time");
    }
    void whatMemoryHasNoRoomForIsSaid()
    {
        QFETCH(quint64, fired);
        QFETCH(quint64, processes);
        QFETCH(quint64, keys);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QTEST(gui::boundsText({fired, processes, keys, 0}), "said");
    }
};
DSCOPE_WINDOW_TEST(TestBounds)
#include "tst_bounds.moc"
