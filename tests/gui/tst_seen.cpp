// needs: graph graph/models
// What nobody sees of a run that goes on is not computed; it is when somebody comes to see it.
#include "gui/dock.h"
#include "window_fixture.h"
#include <algorithm>
#include <set>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
using gui::Feed;
using gui::Snapshot;
namespace {
/// A feed of a run that goes on: what is written into its pipe.
struct Live {
    int out = -1;
    std::unique_ptr<record::Writer> writer;
    std::unique_ptr<Feed> feed;
    std::vector<std::shared_ptr<const Snapshot>> came;
    std::size_t written = 0; ///< records

    Live()
    {
        int ends[2]{-1, -1};
        if (::pipe2(ends, O_CLOEXEC) != 0) qFatal("no pipe");
        out = ends[1];
        writer = std::make_unique<record::Writer>(out);
        feed = std::make_unique<Feed>(ends[0], QString());
        QObject::connect(
            feed.get(), &Feed::progressed, feed.get(), [this](const auto& s) { came.push_back(s); }, Qt::QueuedConnection);
    }
    ~Live()
    {
        end();
        feed.reset();
    }
    void write(const test::Stream& stream)
    {
        for (const auto& r : stream)
            writer->take(r);
        written += stream.size();
        writer->flush();
    }
    /// All that was written is in the last snapshot; asks for the next one where it is not.
    bool hasRead()
    {
        if (!came.empty() && last().records < written) feed->shown();
        return !came.empty() && last().records == written;
    }
    void end()
    {
        if (out >= 0) ::close(std::exchange(out, -1));
    }
    const Snapshot& last() const { return *came.back(); }
};
std::shared_ptr<const graph::Visual> visualOf(const Snapshot& snapshot, std::string_view name)
{
    for (const auto& view : snapshot.views)
        if (view.facts.name == name) return view.visual;
    return nullptr;
}
/// What differs in `b`, by name: views that were made anew.
std::set<std::string> madeAnew(const Snapshot& a, const Snapshot& b)
{
    std::set<std::string> names;
    for (const auto& view : b.views)
        if (visualOf(a, view.facts.name) != view.visual) names.emplace(view.facts.name);
    return names;
}
/// Views with little or nothing in them, which are made anew until they have more: it decides where they are shown.
std::set<std::string> slightOnes(const Snapshot& snapshot)
{
    std::set<std::string> names;
    for (const auto& view : snapshot.views)
        if (view.visual->empty() || view.visual->isSlight()) names.emplace(view.facts.name);
    return names;
}
} // namespace

class TestSeen : public QObject {
    Q_OBJECT
    Desk m_desk;
    /// Samples, whose views have something to show, and the same once more.
    static test::Stream samples()
    {
        auto all = test::profile(200, 40, 12);
        all.pop_back();
        return all;
    }
    static test::Stream more()
    {
        test::Stream rows;
        for (const auto& r : samples())
            if (std::holds_alternative<record::AggregationRows>(r)) rows.push_back(r);
        return rows;
    }
private Q_SLOTS:
    void onlyWhatIsSeenIsMadeAnew()
    {
        Live live;
        live.feed->start();
        live.write(samples());
        QTRY_VERIFY_WITH_TIMEOUT(live.hasRead(), kPatience);
        const auto first = live.came.back();
        auto expected = slightOnes(*first);
        QVERIFY(first->views.size() >= expected.size() + 4);
        QCOMPARE(first->madeViews, first->views.size());

        // One of them is looked at: the others are left as they were.
        live.feed->see({{"flame"}, false});
        live.feed->shown();
        live.write(more());
        QTRY_VERIFY_WITH_TIMEOUT(live.hasRead(), kPatience);
        expected.insert("flame");
        QCOMPARE(madeAnew(*first, live.last()), expected);
        QCOMPARE(live.last().madeViews, expected.size());
        QVERIFY(live.last().table == first->table);
        QCOMPARE(live.last().views.size(), first->views.size());

        // Another comes into sight: it is made at once, though nothing more was recorded.
        const auto second = live.came.back();
        const auto before = live.came.size();
        live.feed->see({{"sandwich"}, true});
        live.feed->shown();
        QTRY_COMPARE_WITH_TIMEOUT(live.came.size(), before + 1, kPatience);
        expected = slightOnes(*second);
        expected.insert({"sandwich", "table"});
        QCOMPARE(madeAnew(*second, live.last()), expected);
        QVERIFY(live.last().table != first->table);
        QCOMPARE(live.last().records, second->records);

        // The end has all of them as they are then.
        live.feed->see({});
        live.feed->shown();
        live.write({test::end(5 * test::kSecond)});
        live.end();
        QTRY_VERIFY_WITH_TIMEOUT(live.last().finished, kPatience);
        QCOMPARE(live.last().madeViews, live.last().views.size());
        for (const auto& view : live.last().views)
            QVERIFY2(visualOf(*first, view.facts.name) != view.visual, std::string(view.facts.name).c_str());
    }
    /// A view that is opened while the run goes on shows nothing of what was so when nobody saw it.
    void anOpenedViewShowsNothingOld()
    {
        Live live;
        live.feed->start();
        live.write(samples());
        QTRY_VERIFY_WITH_TIMEOUT(live.hasRead(), kPatience);
        gui::ViewArea area;
        area.resize(800, 600);
        area.setVisible(true);
        area.setChosen({QStringLiteral("flame")});
        area.setSnapshot(live.came.back());
        auto& figure = area.panel(0).figure();
        QTRY_VERIFY_WITH_TIMEOUT(!figure.figure().items.empty(), kPatience);
        live.feed->see({{"flame"}, false});
        live.feed->shown();
        live.write(more());
        QTRY_VERIFY_WITH_TIMEOUT(live.hasRead(), kPatience);
        area.setSnapshot(live.came.back());
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), kPatience);

        QSignalSpy drawn(&figure, &gui::FigureView::drawn);
        area.show("sandwich", {});
        QCOMPARE(figure.visual()->name(), std::string_view("sandwich"));
        QTRY_VERIFY_WITH_TIMEOUT(drawn.count() > 0, kPatience);
        QVERIFY(figure.figure().items.empty());
        picture(area, QStringLiteral("awaited-view"));
        const auto before = live.came.size();
        live.feed->see({area.seen(), false});
        live.feed->shown();
        QTRY_VERIFY_WITH_TIMEOUT(live.came.size() > before, kPatience);
        area.setSnapshot(live.came.back());
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), kPatience);
        QCOMPARE(figure.visual(), visualOf(live.last(), "sandwich"));
    }
    void aFigureIsLaidOutWhenItIsSeen()
    {
        gui::MainWindow window;
        window.resize(1366, 768);
        window.show();
        auto& views = window.views();
        auto &first = views.panel(0).figure(), &second = views.panel(1).figure();
        gui::Dock* secondDock = nullptr;
        for (auto* dock : window.docks())
            if (dock->isAncestorOf(&second)) secondDock = dock;
        QVERIFY(secondDock);
        QSignalSpy finished(&window, &gui::MainWindow::runFinished), drawn(&second, &gui::FigureView::drawn);
        window.open(m_desk.recording(QStringLiteral("seen.dscope"), test::profile(200, 40, 12)));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!first.figure().items.empty() && !second.figure().items.empty(), kPatience);
        QCOMPARE(views.seen().size(), std::size_t{2});

        // Put away it draws nothing, whatever it is given; brought back it does.
        secondDock->hide();
        QCOMPARE(views.seen().size(), std::size_t{1});
        const auto before = second.drawing();
        drawn.clear();
        second.focusOn(QStringLiteral("main"));
        QVERIFY(second.isSettled());
        QVERIFY(drawn.isEmpty() && second.drawing() == before);
        secondDock->show();
        QTRY_VERIFY_WITH_TIMEOUT(drawn.count() == 1 && second.drawing() != before, kPatience);
        QCOMPARE(views.seen().size(), std::size_t{2});
    }
};
DSCOPE_WINDOW_TEST(TestSeen)
#include "tst_seen.moc"
