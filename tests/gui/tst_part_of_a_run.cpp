// needs: graph graph/models
#include "window_fixture.h"
using namespace dscope;
using namespace dscope::tests;

/// A selection that a view can't obey is said in the view, whose picture stays whole.
class TestPartOfARun : public QObject {
    Q_OBJECT
    Desk m_desk;
    /// Processes, sums by program and sizes by call: only the sums know a program.
    static test::Stream threeKinds()
    {
        auto stream = test::build();
        auto& program = std::get<record::Program>(stream.front());
        program.source += " syscall::write:entry { @n[execname] = sum(arg2); @size[probefunc] = quantize(arg2); }";
        program.aggregations = {test::aggregation("n", test::Aggregator::Sum, "arg2", {test::textKey("execname")}),
            test::aggregation("size", test::Aggregator::Quantize, "arg2", {test::textKey("probefunc")})};
        stream.insert(stream.end() - 1, test::rows(0, {{test::Key().text("cc").bytes(), {70}}, {test::Key().text("ld").bytes(), {30}}}));
        stream.insert(stream.end() - 1, test::rows(1, {{test::Key().text("write").bytes(), {test::power(3), 5, test::power(9), 2}}}));
        return stream;
    }
    static const gui::Snapshot::View* view(const gui::MainWindow& window, std::string_view name)
    {
        for (const auto& one : window.snapshot()->views)
            if (one.facts.name == name) return &one;
        return nullptr;
    }

private Q_SLOTS:
    void aViewWithoutTheKeySaysSoAndStaysWhole()
    {
        gui::MainWindow window;
        window.resize(1366, 728);
        window.show();
        QSignalSpy finished(&window, &gui::MainWindow::runFinished);
        window.open(m_desk.recording(QStringLiteral("three.dscope"), threeKinds()));
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
        for (const auto* name : {"process-tree", "histogram", "bars"})
            QVERIFY2(view(window, name), name);
        const auto tree = view(window, "process-tree")->visual->table().rows, sizes = view(window, "histogram")->visual->table().rows;
        QVERIFY(!tree.empty() && !sizes.empty());

        gui::Selection selection;
        selection.keys = {{"execname", "cc"}};
        QSignalSpy shown(&window, &gui::MainWindow::snapshotShown);
        window.select(selection);
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        // What has the key obeys, what has not stays as it was.
        QCOMPARE(columnSum(view(window, "bars")->visual->table(), "n"), 70.0);
        QVERIFY(view(window, "bars")->ignored.isAll());
        QCOMPARE(view(window, "process-tree")->visual->table().rows, tree);
        QCOMPARE(view(window, "histogram")->visual->table().rows, sizes);
        for (const auto* name : {"process-tree", "histogram"})
            QVERIFY2(view(window, name)->ignored == selection, name);

        // Each panel says so of what it shows.
        auto& panel = window.views().panel(0);
        for (int tab = 0; tab < panel.tabs().count(); ++tab) {
            panel.tabs().setCurrentIndex(tab);
            const auto* on = view(window, panel.shown()->name());
            QVERIFY(on && !panel.shown()->empty());
            QCOMPARE(panel.caveat().contains(QStringLiteral("execname is cc")), !on->ignored.isAll());
            QCOMPARE(panel.caveat().isEmpty(), on->ignored.isAll());
        }
        window.views().show("histogram", {});
        picture(window, QStringLiteral("not-in-this-view"));

        // All of the run again: nothing is said any more.
        shown.clear();
        window.select({});
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        for (const auto& one : window.snapshot()->views)
            QVERIFY(one.ignored.isAll());
        QVERIFY(panel.caveat().isEmpty());
    }

    void aViewWithoutStacksSaysSoOfAFunction()
    {
        auto stream = test::profile(60, 20, 8);
        auto& program = std::get<record::Program>(stream.front());
        program.aggregations.push_back(test::aggregation("calls", test::Aggregator::Count, "", {test::textKey("execname")}));
        const auto id = static_cast<std::uint32_t>(program.aggregations.size() - 1);
        stream.insert(stream.end() - 1, test::rows(id, {{test::Key().text("cc").bytes(), {7}}}));
        gui::MainWindow window;
        window.show();
        QSignalSpy finished(&window, &gui::MainWindow::runFinished);
        window.open(m_desk.recording(QStringLiteral("mixed.dscope"), stream));
        QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
        QVERIFY(view(window, "flame"));
        const auto& functions = window.snapshot()->functions;
        QVERIFY(functions && !functions->rows.empty());
        gui::Selection selection;
        selection.functions << QString::fromStdString(functions->rows.front().front());
        QSignalSpy shown(&window, &gui::MainWindow::snapshotShown);
        window.select(selection);
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        QVERIFY(view(window, "flame")->ignored.isAll());
        QVERIFY(view(window, "bars"));
        QVERIFY(view(window, "bars")->ignored == selection);

        // A function that no stack has leaves nothing: the whole is shown, and it is said.
        selection.functions = QStringList{QStringLiteral("no_such_function")};
        shown.clear();
        window.select(selection);
        QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, kPatience);
        QVERIFY(!view(window, "flame")->visual->empty());
        QVERIFY(view(window, "flame")->ignored == selection);
    }
};
DSCOPE_WINDOW_TEST(TestPartOfARun)
#include "tst_part_of_a_run.moc"
