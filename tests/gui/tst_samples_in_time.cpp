// needs: graph graph/models engine/importers engine/text
// Samples of another tool that have times and threads are looked at as a run of D is: by a stretch of time and by keys.
#include "window_views.h"
#include <QComboBox>
#include <QMenu>
#include <QToolButton>
using namespace dscope;
using namespace dscope::tests;

class TestSamplesInTime : public QObject {
    Q_OBJECT
    Desk m_desk;
    static double total(const gui::MainWindow& window, std::string_view name, const std::string& column)
    {
        for (const auto& view : window.snapshot()->views)
            if (view.facts.name == name) return columnSum(view.visual->table(), column);
        return -1;
    }
    /// Milliseconds of samples in the flame graph.
    static double flame(const gui::MainWindow& window) { return total(window, "flame", "value") / 1e6; }

private Q_SLOTS:
    void aThreadAndAStretchOfTimeFilterAllViews()
    {
        gui::MainWindow window;
        window.resize(1440, 900);
        window.show();
        openAndWait(window, m_desk.text(QStringLiteral("perf.txt"), samplesOfPerf()));
        waitForFigures(window);
        QCOMPARE(flame(window), 4000.0);
        QCOMPARE(window.views().panel(0).shown()->name(), std::string_view("flame"));
        picture(window, QStringLiteral("samples"));

        QVERIFY(chooseFromRows(window, QStringLiteral("Only tid 4102, in all views")));
        QTRY_COMPARE_WITH_TIMEOUT(flame(window), 2000.0, kPatience);
        QCOMPARE(total(window, "bars", "cpus"), 2000.0); // of the other count, too
        for (const auto& view : window.snapshot()->views)
            QVERIFY2(view.ignored.isAll(), view.facts.name.data());
        window.selectionBar().findChild<QToolButton*>()->click();
        QTRY_COMPARE_WITH_TIMEOUT(flame(window), 4000.0, kPatience);

        // Drawn with Shift over the second second, in which both are there.
        window.views().show("series", {});
        waitForFigures(window);
        gui::FigureView* timed = nullptr;
        for (std::size_t place = 0; place < window.views().count(); ++place)
            if (auto& figure = window.views().panel(place).figure(); !figure.figure().times.empty()) timed = &figure;
        QVERIFY(timed);
        const auto plot = timed->figure().times.front();
        const auto at = [&](double second) {
            return timed->toWidget({plot.area.x + plot.area.width * second / 2.999, plot.area.y + plot.area.height / 2}).toPoint();
        };
        QTest::mousePress(timed, Qt::LeftButton, Qt::ShiftModifier, at(1.0));
        QTest::mouseMove(timed, at(1.5));
        QTest::mouseMove(timed, at(2.0));
        QTest::mouseRelease(timed, Qt::LeftButton, Qt::ShiftModifier, at(2.0));
        QTRY_COMPARE_WITH_TIMEOUT(flame(window), 2000.0, kPatience);
        QCOMPARE(total(window, "bars", "threads"), 2000.0);
        waitForFigures(window);
        picture(window, QStringLiteral("samples-stretch"));

        // And both: of that thread, in that time.
        QVERIFY(chooseFromRows(window, QStringLiteral("Only tid 4102, in all views")));
        QTRY_COMPARE_WITH_TIMEOUT(flame(window), 1000.0, kPatience);
        QCOMPARE(window.selectionBar().chips().size(), 2);
        QVERIFY(window.snapshot()->functions);
        for (const auto& row : window.snapshot()->functions->rows)
            QVERIFY2(row[0] != "work`deflate", "a function of the other thread is listed");
    }
    /// Of several events one is shown, and the bar above the views chooses.
    void anotherEventIsChosen()
    {
        const QByteArray one = "app 7/7 [000] 1.0: 3 cycles:\n\t1000 hot+0x1 (/bin/app)\n\n";
        const QByteArray other = "app 7/7 [000] 1.1: 5 page-faults:\n\t1000 cold+0x1 (/bin/app)\n\n";
        const auto sum = [](const gui::MainWindow& shown) { return total(shown, "flame", "value"); };
        gui::MainWindow window;
        window.resize(1440, 900);
        window.show();
        openAndWait(window, m_desk.text(QStringLiteral("events.txt"), one + other + one));
        QCOMPARE(sum(window), 6.0);
        const auto& events = window.selectionBar().events();
        QVERIFY(events.isVisible());
        QCOMPARE(events.count(), 2);
        QCOMPARE(events.currentText(), QStringLiteral("cycles"));
        waitForFigures(window);
        picture(window, QStringLiteral("events"));

        auto* chooser = window.selectionBar().findChild<QComboBox*>();
        chooser->setFocus();
        QTest::keyClick(chooser, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(sum(window), 5.0, kPatience);
        QCOMPARE(events.currentText(), QStringLiteral("page-faults"));
        QTest::keyClick(chooser, Qt::Key_Up);
        QTRY_COMPARE_WITH_TIMEOUT(sum(window), 6.0, kPatience);

        // A file with one event has nothing to choose.
        gui::MainWindow alone;
        alone.show();
        openAndWait(alone, m_desk.text(QStringLiteral("event.txt"), one));
        QVERIFY(!alone.selectionBar().events().isVisible());
    }
    /// What perf lost stands where losses of our own do, and among what is told of the run as a whole.
    void whatWasLostIsTold()
    {
        gui::MainWindow window;
        window.show();
        openAndWait(
            window, m_desk.text(QStringLiteral("lost.txt"), samplesOfPerf() + "work 4101 [001] 53.000000: PERF_RECORD_LOST lost 1234\n\n"));
        QCOMPARE(window.snapshot()->drops, std::uint64_t{1234});
        const auto about = window.details().text();
        QVERIFY2(
            about.startsWith(QStringLiteral("lost.txt\n")) && about.contains(QStringLiteral("1,234 events were lost")), qPrintable(about));
    }
    /// Where a file has the times of threads, but not of their stacks, views of stacks stay whole and say so.
    void stacksWithoutTimesSaySo()
    {
        const auto all = importers::all();
        const auto perf = std::find_if(all.begin(), all.end(), [](const auto& f) { return f->name() == "perf"; });
        const auto text = samplesOfPerf();
        text::Lines lines(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        auto read = (*perf)->read(lines);
        QVERIFY(read);
        test::Stream stream{read->program};
        for (auto& record : read->records) {
            if (auto* parts = std::get_if<record::StackParts>(&record)) {
                parts->hasLines = false;
                for (auto& part : parts->parts)
                    part.lines.clear();
            }
            stream.push_back(record);
        }
        record::Exit exit;
        exit.when = record::Nanoseconds(read->program.started + 2'999'000'000);
        stream.emplace_back(exit);
        gui::MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("untimed.dscope"), stream));
        waitForFigures(window);
        gui::Selection selection;
        selection.time = {read->program.started + test::kSecond, read->program.started + 2 * test::kSecond};
        selection.keys = {{"tid", "4102"}};
        QSignalSpy shown(&window, &gui::MainWindow::snapshotShown);
        window.select(selection);
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        QCOMPARE(total(window, "bars", "threads"), 1000.0);
        QCOMPARE(flame(window), 4000.0);
        for (const auto& view : window.snapshot()->views)
            if (view.facts.name == "flame") QVERIFY(view.ignored == selection);
    }
};
DSCOPE_WINDOW_TEST(TestSamplesInTime)
#include "tst_samples_in_time.moc"
