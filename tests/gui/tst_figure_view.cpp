// needs: graph graph/layouts graph/models exporters engine/record
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "exporters/exporter.h"
#include "graph/store.h"
#include "gui/figure_search.h"
#include "gui/figure_view.h"
#include "graph/layouts/layered.h"
#include "tests/support/counted.h"
#include "tests/support/own_children.h"
#include "tests/support/streams.h"
#include <QAccessible>
#include <QApplication>
#include <QImage>
#include <QMap>
#include <QObject>
#include <QPainter>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <sstream>
using namespace dscope;
using gui::FigureView;
namespace {
using Kind = record::Frame::Kind;
/// A picture whose graph keeps dot busy for minutes.
class SlowGraph final : public graph::Visual {
public:
    const graph::ViewFacts& facts() const override
    {
        static const graph::ViewFacts kFacts{.name = "slow", .tab = "Slow", .summary = "slow"};
        return kFacts;
    }
    std::string title() const override { return "Slow"; }
    graph::Table table() const override { return {}; }
    bool empty() const override { return false; }
    graph::Figure figure(const graph::LayoutOptions&) const override
    {
        std::vector<graph::NodeSize> sizes(900, {150, 30});
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (std::size_t i = 0; i < 900; ++i)
            for (std::size_t k = 1; k < 24 && i + k * k < 900; ++k)
                edges.emplace_back(i, i + k * k);
        graph::Figure figure;
        figure.width = graph::routed(sizes, edges, {10, 60}, graph::RankDirection::Down) ? 2 : 1;
        figure.height = 1;
        return figure;
    }
};
std::shared_ptr<const graph::Visual> made(const graph::Store& store, std::string_view name)
{
    for (const auto& kind : graph::kinds())
        if (kind.name == name) return kind.make(store);
    return nullptr;
}
std::shared_ptr<const graph::Visual> visual(const test::Stream& stream, std::string_view name)
{
    graph::Store store;
    for (const auto& record : stream)
        store.take(record);
    return made(store, name);
}
/// One of examples/recordings.
graph::Store recorded(const std::string& name)
{
    graph::Store store;
    const Fd file(::open((DSCOPE_SOURCE "/examples/recordings/" + name).c_str(), O_RDONLY | O_CLOEXEC));
    record::Reader reader(file.get());
    for (bool more = true; more;) {
        const auto polled = reader.poll(std::chrono::milliseconds(100), [&](const record::Record& r) { store.take(r); });
        more = polled && *polled;
    }
    return store;
}
/// A profile of a real program.
graph::Store profiled() { return recorded("hot-stacks.dscope"); }
QByteArray foldedText(const graph::Visual& visual)
{
    std::ostringstream out;
    for (const auto& format : exporters::all())
        if (format->suffix() == "folded") (void)format->write(visual, {}, out);
    return QByteArray::fromStdString(std::move(out).str());
}
/// The share of the values of the lines that have a frame matching `pattern`, by a program of its own.
double shareByAwk(const QByteArray& folded, const QString& pattern)
{
    QProcess awk;
    awk.start(QStringLiteral("awk"),
        {QStringLiteral("-v"), QStringLiteral("p=") + pattern,
            QStringLiteral(R"({ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); hit = 0
                for (i = 1; i <= n; i++) if (tolower(f[i]) ~ p) hit = 1
                all += v; if (hit) some += v } END { printf "%.17g", some / all })")});
    awk.write(folded);
    awk.closeWriteChannel();
    awk.waitForFinished();
    return awk.readAllStandardOutput().toDouble();
}
/// main calls parse (30) and draw (70); draw calls line (60), which calls line (20).
test::Stream small()
{
    test::Stream s;
    auto p = test::program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
    p.aggregations = {test::aggregation("", test::Aggregator::Count, "", {test::stackKey(test::FieldKind::UserStack)})};
    test::begin(s, p);
    const auto f = [](const char* name) { return test::frame("app", name, Kind::User); };
    s.emplace_back(test::stack(1, {f("main"), f("parse")}));
    s.emplace_back(test::stack(2, {f("main"), f("draw")}));
    s.emplace_back(test::stack(3, {f("main"), f("draw"), f("line")}));
    s.emplace_back(test::stack(4, {f("main"), f("draw"), f("line"), f("line")}));
    s.emplace_back(test::rows(0,
        {{test::Key().stack(1).bytes(), {30}}, {test::Key().stack(2).bytes(), {10}}, {test::Key().stack(3).bytes(), {40}},
            {test::Key().stack(4).bytes(), {20}}}));
    s.emplace_back(test::end(test::kSecond));
    return s;
}
std::size_t frameOf(const FigureView& view, std::string_view name)
{
    const auto& items = view.figure().items;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].role == graph::Role::Frame && std::holds_alternative<graph::Box>(items[i].shape)
            && std::string_view(items[i].tip).substr(0, items[i].tip.find('\n')) == name)
            return i;
    return items.size();
}
/// A view on screen with its first figure.
struct Shown {
    explicit Shown(const std::shared_ptr<const graph::Visual>& what, QSize size = {700, 320}) : spy(&view, &FigureView::drawn)
    {
        view.resize(size);
        view.show();
        view.setVisual(what);
        settle();
    }
    /// Waits until no further figure is on its way.
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(view.isSettled() && !view.figure().items.empty(), 20'000); }
    FigureView view;
    QSignalSpy spy;
};
} // namespace

class TestFigureView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By Ctrl and the wheel a flame graph is spread along its width: its rows and its text stay as they are.
    void framesAreSpreadAlongTheWidth()
    {
        FigureView view;
        view.resize(1000, 400);
        view.show();
        view.setVisual(visual(small(), "flame"));
        QTRY_VERIFY(view.isSettled() && !view.figure().items.empty());
        const auto place = [&](const char* name) {
            const auto item = frameOf(view, name);
            return item < view.figure().items.size() ? view.placeOf(item) : QRectF();
        };
        // The root: what all stacks have in common.
        const auto rootItem = [&] { return view.placeOf(view.figure().tree.front().item->value); };
        const auto all = rootItem(), parse = place("app`parse"), line = place("app`line");
        QVERIFY(!all.isEmpty() && !parse.isEmpty() && !line.isEmpty());
        const auto turn = [&](const QPointF& at, int steps) {
            QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, steps}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&view, &wheel);
            QTRY_VERIFY(view.isSettled());
        };

        // At the right edge of parse, until twice as much of the width is its own.
        const int twice = static_cast<int>(std::lround(std::log(2) / std::log(1.0015)));
        turn({parse.right(), parse.center().y()}, twice);
        const double span = view.part().to - view.part().from;
        QVERIFY2(std::abs(span - 0.5) < 0.01, qPrintable(QString::number(span)));
        QCOMPARE(view.scale(), 1.0);
        const auto wide = place("app`parse");
        QVERIFY2(std::abs(wide.width() / parse.width() - 1 / span) < 0.02, qPrintable(QString::number(wide.width() / parse.width())));
        QCOMPARE(wide.height(), parse.height());
        QVERIFY(std::abs(wide.right() - parse.right()) < 1.5); // what was pointed at stays
        QCOMPARE(rootItem().width(), all.width());

        // Dragged to the right as far as it goes: the left end is seen, and parse is not.
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(100, 20));
        QTest::mouseMove(&view, {500, 20});
        QTest::mouseMove(&view, {3000, 20});
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(3000, 20));
        QTRY_VERIFY(view.isSettled() && view.part().from == 0.0);
        QTRY_VERIFY(place("app`parse").isEmpty());
        QVERIFY(!place("app`line").isEmpty());

        // And back to all of it.
        QTest::keyClick(&view, Qt::Key_Home);
        QTRY_VERIFY(view.isSettled() && view.part().isAll());
        QTRY_COMPARE(place("app`parse"), parse);
    }
    void aClickOnAFrameFocusesOnItAndEscGoesBack()
    {
        Shown s(visual(small(), "flame"));
        const auto draw = frameOf(s.view, "app`draw");
        QVERIFY(draw < s.view.figure().items.size());
        const double narrow = s.view.placeOf(draw).width();
        QSignalSpy focused(&s.view, &FigureView::focusChanged);
        QTest::mouseClick(&s.view, Qt::LeftButton, {}, s.view.placeOf(draw).center().toPoint());
        s.settle();
        QCOMPARE(focused.count(), 1);
        QCOMPARE(s.view.focused(), QStringLiteral("app`main;app`draw"));
        QCOMPARE(frameOf(s.view, "app`parse"), s.view.figure().items.size()); // beside what is in focus: gone
        const double wide = s.view.placeOf(frameOf(s.view, "app`draw")).width();
        QVERIFY2(wide > narrow * 1.3, qPrintable(QStringLiteral("%1 -> %2").arg(narrow).arg(wide)));
        QTest::keyClick(&s.view, Qt::Key_Escape);
        s.settle();
        QCOMPARE(s.view.focused(), QString());
        QVERIFY(frameOf(s.view, "app`parse") < s.view.figure().items.size());
        QCOMPARE(s.view.placeOf(frameOf(s.view, "app`draw")).width(), narrow);
    }
    void focusesAreLeftOneByOne()
    {
        Shown s(visual(small(), "flame"));
        s.view.focusOn(QStringLiteral("app`main;app`draw"));
        s.view.focusOn(QStringLiteral("app`main;app`draw;app`line"));
        QTest::keyClick(&s.view, Qt::Key_Backspace);
        QCOMPARE(s.view.focused(), QStringLiteral("app`main;app`draw"));
        QTest::keyClick(&s.view, Qt::Key_Backspace);
        QCOMPARE(s.view.focused(), QString());
        QTest::keyClick(&s.view, Qt::Key_Backspace);
        QCOMPARE(s.view.focused(), QString());
        s.settle();
    }
    void liveDataKeepsTheFocusAndAnotherViewDropsIt()
    {
        Shown s(visual(small(), "flame"));
        s.view.focusOn(QStringLiteral("app`main;app`draw"));
        s.view.setVisual(visual(small(), "flame"));
        s.settle();
        QCOMPARE(s.view.focused(), QStringLiteral("app`main;app`draw"));
        QCOMPARE(frameOf(s.view, "app`parse"), s.view.figure().items.size());
        s.view.setVisual(visual(test::written({"tar"}), "bars"));
        s.settle();
        QCOMPARE(s.view.focused(), QString());
    }
    void searchMatchesNamesNotPathsAndCountsNestedMatchesOnce()
    {
        Shown s(visual(small(), "flame"));
        QCOMPARE(s.view.search(QStringLiteral("MAIN")).items.size(), std::size_t{1}); // not all that main calls
        const auto& lines = s.view.search(QStringLiteral("line$"));
        QCOMPARE(lines.items.size(), std::size_t{2});
        QTRY_VERIFY(lines.share);
        QVERIFY(*lines.share == (graph::Share{0.6})); // 60 of 100, though the inner one has 20 of them
        QCOMPARE(s.view.search(QStringLiteral("parse|draw")).items.size(), std::size_t{2});
        QCOMPARE(s.view.search(QStringLiteral("dr(")).items.size(), std::size_t{0}); // no valid expression: as it is
        QCOMPARE(s.view.search(QString()).items.size(), std::size_t{0});
    }
    void whatIsFoundAroundAFunctionCountsOnce()
    {
        // line calls line: of its 60, main and draw called all, and 20 were called by itself.
        const auto what = visual(small(), "sandwich");
        const auto found
            = [&](const char* text, const char* middle) { return what->share(gui::nameTest(QString::fromLatin1(text)), middle); };
        const auto is = [](double value, const char* whole) {
            return std::optional(graph::Share{value, graph::Share::Of::Function, whole});
        };
        QVERIFY(found("main|draw", "app`line") == is(1.0, "app`line"));
        QVERIFY(found("line", "app`draw") == is(60.0 / 70, "app`draw"));
        QVERIFY(found("parse|line", "app`main") == is(0.9, "app`main")); // 30 and 60 of 100
        QVERIFY(found("draw", "app`draw") == is(1.0, "app`draw"));
        QVERIFY(found("main|line", "app`draw") == is(1.0, "app`draw")); // what calls it and what it calls: each stack once
        QVERIFY(!found("main", "app`gone").has_value());
    }
    void theShareIsWhatAwkCountsInTheFoldedText_data()
    {
        QTest::addColumn<bool>("isText");
        QTest::addColumn<QString>("pattern");
        for (const bool isText : {false, true}) {
            const QByteArray how = isText ? "text: " : "recording: ";
            QTest::newRow(how + "many frames, most too narrow") << isText << QStringLiteral("strcmp|memcpy");
            QTest::newRow(how + "nothing wide enough to draw") << isText << QStringLiteral("^ld-linux");
            QTest::newRow(how + "what calls itself") << isText << QStringLiteral("msort");
            QTest::newRow(how + "nothing") << isText << QStringLiteral("no_such_function");
        }
    }
    void theShareIsWhatAwkCountsInTheFoldedText()
    {
        QFETCH(bool, isText);
        QFETCH(QString, pattern);
        graph::Store store = profiled();
        const auto folded = foldedText(*made(store, "flame"));
        if (isText) {
            tests::FoldedLines lines;
            const auto text = folded.toStdString();
            for (std::string_view rest = text; !rest.empty();) {
                const auto line = rest.substr(0, rest.find('\n')), stack = line.substr(0, line.rfind(' '));
                lines.emplace_back(stack, std::stoll(std::string(line.substr(stack.size() + 1))));
                rest.remove_prefix(line.size() + 1);
            }
            store = graph::Store();
            store.take(tests::countedStacks(lines));
        }
        Shown s(made(store, "flame"), {400, 300});
        s.view.search(pattern);
        QTRY_VERIFY(s.view.found().share);
        QCOMPARE(s.view.found().share->value, shareByAwk(folded, pattern));
    }
    void arrowsWalkTheTreeOfAFlameGraph()
    {
        Shown s(visual(small(), "flame"));
        QSignalSpy pointed(&s.view, &FigureView::pointedAt);
        const auto walk = [&](Qt::Key key) {
            QTest::keyClick(&s.view, key);
            return pointed.isEmpty() ? QString("stays") : pointed.takeLast().at(0).toString().section(QChar('\n'), 0, 0);
        };
        s.view.search(QStringLiteral("app`main"));
        QCOMPARE(walk(Qt::Key_N), QStringLiteral("app`main"));
        QCOMPARE(walk(Qt::Key_Up), QStringLiteral("app`draw")); // 70 of 100
        QCOMPARE(walk(Qt::Key_Right), QStringLiteral("app`parse"));
        QCOMPARE(walk(Qt::Key_Right), QStringLiteral("stays"));
        QCOMPARE(walk(Qt::Key_Up), QStringLiteral("stays")); // line is above its neighbour
        QCOMPARE(walk(Qt::Key_Left), QStringLiteral("app`draw"));
        QCOMPARE(walk(Qt::Key_Up), QStringLiteral("app`line"));
        QCOMPARE(walk(Qt::Key_Down), QStringLiteral("app`draw"));
        QCOMPARE(walk(Qt::Key_Down), QStringLiteral("app`main"));
    }
    void arrowsLeadOutOfTheMiddleOfASandwich()
    {
        Shown s(visual(small(), "sandwich"));
        s.view.focusOn(QStringLiteral("app`draw"));
        s.settle();
        QSignalSpy pointed(&s.view, &FigureView::pointedAt);
        s.view.search(QStringLiteral("app`draw"));
        QTest::keyClick(&s.view, Qt::Key_N);
        QStringList names;
        for (const auto key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_Down, Qt::Key_Up})
            QTest::keyClick(&s.view, key);
        while (!pointed.isEmpty())
            names << pointed.takeFirst().at(0).toString().section(QChar('\n'), 0, 0);
        QCOMPARE(names.join(' '), QStringLiteral("app`draw app`main app`draw app`line app`draw"));
    }
    void matchesAreSteppedThroughInACircle()
    {
        Shown s(visual(small(), "flame"));
        s.view.search(QStringLiteral("parse|draw|main"));
        QSignalSpy pointed(&s.view, &FigureView::pointedAt);
        QStringList names;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&s.view, Qt::Key_N);
            names << pointed.takeFirst().at(0).toString().section(QChar('\n'), 0, 0);
        }
        QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), 3);
        QCOMPARE(names.front(), names.back());
        QTest::keyClick(&s.view, Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(pointed.takeFirst().at(0).toString().section(QChar('\n'), 0, 0), names[2]);
    }
    void whatDoesNotFitIsSeenFromItsBeginning_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("view");
        QTest::newRow("lines") << "write-rates.dscope" << "series";
        QTest::newRow("bars") << "write-rates.dscope" << "bars";
        QTest::newRow("processes over time") << "process-tree.dscope" << "process-timeline";
    }
    void whatDoesNotFitIsSeenFromItsBeginning()
    {
        QFETCH(QString, recording);
        QFETCH(QString, view);
        Shown s(made(recorded(recording.toStdString()), view.toStdString()), {600, 100});
        QVERIFY(s.view.figure().height > 100);
        for (std::size_t i = 0; i < s.view.figure().items.size(); ++i)
            QVERIFY(s.view.placeOf(i).top() >= -1);
    }
    void aMatchOutOfSightComesToTheMiddle()
    {
        Shown s(visual(test::profile(400, 60, 40), "flame"), {600, 200});
        QVERIFY(s.view.figure().height > 400);
        // The highest frame: far above what is seen.
        std::string name;
        double top = 1e9;
        for (const auto& item : s.view.figure().items)
            if (const auto* box = std::get_if<graph::Box>(&item.shape);
                box && item.role == graph::Role::Frame && box->y < top && item.tip.find('\n') != std::string::npos) {
                top = box->y;
                name = item.tip.substr(0, item.tip.find('\n'));
            }
        const auto& found = s.view.search(QRegularExpression::escape(QString::fromStdString(name)));
        QVERIFY2(!found.items.empty(), name.c_str());
        QTest::keyClick(&s.view, Qt::Key_N, Qt::ShiftModifier);
        QTest::keyClick(&s.view, Qt::Key_N);
        const auto place = s.view.placeOf(found.items.front());
        QVERIFY(std::abs(place.center().y() - s.view.height() / 2.0) < 2);
    }
    void theKeyboardWalksToNeighboursAndEnterFocuses()
    {
        Shown s(visual(small(), "flame"));
        QSignalSpy pointed(&s.view, &FigureView::pointedAt);
        const auto last = [&] { return pointed.back().at(0).toString().section(QChar('\n'), 0, 0); };
        s.view.search(QStringLiteral("main"));
        QTest::keyClick(&s.view, Qt::Key_N);
        QCOMPARE(last(), QStringLiteral("app`main"));
        QTest::keyClick(&s.view, Qt::Key_Up);
        const auto below = last();
        QVERIFY(below == QStringLiteral("app`draw") || below == QStringLiteral("app`parse"));
        QTest::keyClick(&s.view, below == QStringLiteral("app`draw") ? Qt::Key_Right : Qt::Key_Left);
        QCOMPARE(last(), below == QStringLiteral("app`draw") ? QStringLiteral("app`parse") : QStringLiteral("app`draw"));
        QTest::keyClick(&s.view, Qt::Key_Down);
        QCOMPARE(last(), QStringLiteral("app`main"));
        QTest::keyClick(&s.view, Qt::Key_Enter);
        QCOMPARE(s.view.focused(), QStringLiteral("app`main"));
        s.settle();
    }
    void ctrlWheelZoomsAtThePointer()
    {
        Shown s(visual(small(), "call-graph"));
        const auto& items = s.view.figure().items;
        const auto node = std::find_if(items.begin(), items.end(), [](const graph::Item& i) { return i.role == graph::Role::Node && i.key == "app`parse"; });
        QVERIFY(node != items.end());
        const auto item = static_cast<std::size_t>(node - items.begin());
        const auto at = s.view.placeOf(item).topLeft();
        const auto scale = s.view.scale();
        QWheelEvent wheel(at, s.view.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&s.view, &wheel);
        QVERIFY(s.view.scale() > 1.2 * scale);
        const auto after = s.view.placeOf(item).topLeft();
        QVERIFY(std::abs(after.x() - at.x()) < 0.01 && std::abs(after.y() - at.y()) < 0.01);
        QTest::keyClick(&s.view, Qt::Key_Home);
        QCOMPARE(s.view.scale(), scale);
    }
    void draggingPansAndIsNoClick()
    {
        Shown s(visual(small(), "flame"));
        const auto item = frameOf(s.view, "app`draw");
        const auto from = s.view.placeOf(item).center().toPoint();
        QTest::mousePress(&s.view, Qt::LeftButton, {}, from);
        QTest::mouseMove(&s.view, from + QPoint(20, -10));
        QTest::mouseMove(&s.view, from + QPoint(40, -30));
        QTest::mouseRelease(&s.view, Qt::LeftButton, {}, from + QPoint(40, -30));
        QCOMPARE(s.view.focused(), QString());
        QCOMPARE(s.view.placeOf(item).center().toPoint(), from + QPoint(40, -30));
        QTest::mouseDClick(&s.view, Qt::LeftButton, {}, QPoint(s.view.width() - 3, 3));
        QVERIFY(s.view.placeOf(item).center().toPoint() != from + QPoint(40, -30));
    }
    void slashAsksForTheSearch()
    {
        Shown s(visual(small(), "flame"));
        QSignalSpy asked(&s.view, &FigureView::searchAsked);
        QTest::keyClick(&s.view, Qt::Key_Slash);
        QCOMPARE(asked.count(), 1);
    }
    void withoutAVisualItSaysWhatToDo()
    {
        FigureView view;
        view.resize(400, 200);
        const auto blank = view.grab().toImage();
        view.setEmptyText(QStringLiteral("Run a program"));
        QVERIFY(view.grab().toImage() != blank);
        QVERIFY(view.figure().items.empty());
    }
    void anOldFigureDoesNotComeBackAfterClearing()
    {
        FigureView view;
        view.show();
        QSignalSpy drawn(&view, &FigureView::drawn);
        view.setVisual(visual(test::profile(2000, 200, 30), "flame"));
        view.setVisual(nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(view.isSettled(), 20'000);
        QVERIFY(view.figure().items.empty());
    }
    void onlyWhatIsSeenIsPainted()
    {
        // Painted by parts, a figure is the same as in one go: culling leaves nothing out.
        const auto flame = visual(test::profile(300, 80, 20), "flame");
        graph::LayoutOptions options;
        options.width = 640;
        options.height = 300;
        const gui::Drawing drawing(flame->figure(options));
        const auto size = QSizeF(drawing.figure().width, drawing.figure().height).toSize();
        const auto render = [&](bool byParts) {
            QImage image(size, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            if (!byParts) drawing.paint(painter, graph::Theme::Light, QRectF(QPointF(), size), 1);
            for (int y = 0; byParts && y < size.height(); y += 50)
                for (int x = 0; x < size.width(); x += 80) {
                    painter.setClipRect(x, y, 80, 50);
                    drawing.paint(painter, graph::Theme::Light, QRectF(x, y, 80, 50), 1);
                }
            return image;
        };
        QCOMPARE(render(true), render(false));
    }
    void paintsTenThousandBars()
    {
        const gui::Drawing drawing(
            visual(test::profile(4000, 3000, 60), "flame")->figure({.width = 8000, .height = 900, .fit = false, .forScreen = true}));
        QImage image(1440, 900, QImage::Format_RGB32);
        QBENCHMARK
        {
            QPainter painter(&image);
            painter.scale(0.18, 0.18);
            drawing.paint(painter, graph::Theme::Light, QRectF(0, 0, 8000, 5000), 0.18);
        }
        QVERIFY(drawing.marks().size() > 5000);
    }

    /// A screen reader finds each mark with its name, its numbers and its place, follows the keyboard, and can click.
    void aScreenReaderReachesEachMark()
    {
        QAccessible::setActive(true);
        Shown shown(visual(small(), "flame"));
        auto* figure = QAccessible::queryAccessibleInterface(&shown.view);
        QVERIFY(figure && figure->isValid());
        QVERIFY(!figure->text(QAccessible::Name).isEmpty());
        QMap<QString, QString> told;
        for (int i = 0; i < figure->childCount(); ++i) {
            auto* mark = figure->child(i);
            QVERIFY(mark && mark->isValid());
            QCOMPARE(figure->indexOfChild(mark), i);
            QCOMPARE(mark->parent(), figure);
            told.insert(mark->text(QAccessible::Name), mark->text(QAccessible::Description));
            // Where it says that it is there it is, unless another lies upon it.
            auto* there = figure->childAt(mark->rect().center().x(), mark->rect().center().y());
            if (there) QVERIFY(there->rect().intersects(mark->rect()));
        }
        // 100 samples, of which 70 are in draw and 30 in parse.
        for (const auto& [name, share] : {std::pair("app`main", "100"), std::pair("app`draw", "70"), std::pair("app`parse", "30")}) {
            QVERIFY2(told.contains(QLatin1String(name)), qPrintable(told.keys().join(QChar('|'))));
            QVERIFY2(told[QLatin1String(name)].contains(QLatin1String(share)), qPrintable(told[QLatin1String(name)]));
        }
        shown.view.setFocus();
        QTest::keyClick(&shown.view, Qt::Key_Down);
        const auto current = shown.view.currentMark();
        QVERIFY(current);
        QCOMPARE(figure->focusChild(), figure->child(*current));
        QVERIFY(figure->child(*current)->state().focused);

        const auto draw = frameOf(shown.view, "app`draw");
        const auto& marks = shown.view.drawing()->marks();
        const auto index = static_cast<int>(std::find(marks.begin(), marks.end(), draw) - marks.begin());
        auto* mark = figure->child(index);
        shown.spy.clear();
        mark->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(shown.view.focused().contains(QStringLiteral("draw")));
        QTRY_VERIFY(shown.spy.count() > 0 && shown.view.isSettled());
        QVERIFY2(!mark->isValid(), "a mark of a figure that is gone");
        QVERIFY(figure->childCount() > 0 && figure->child(0)->isValid());
    }
    void aGraphThatIsNotWantedAnyMoreIsNotWaitedFor()
    {
        auto view = std::make_unique<FigureView>();
        view->resize(400, 300);
        view->show();
        view->setVisual(std::make_shared<SlowGraph>());
        tests::waitForChild(); // Graphviz is at work
        QVERIFY(!view->isSettled());
        // Another picture comes, which takes the place of the first; then the window is closed.
        graph::Store store;
        for (const auto& r : test::profile(20, 10, 5))
            store.take(r);
        QSignalSpy drawn(view.get(), &FigureView::drawn);
        view->setVisual(made(store, "flame"));
        QTRY_VERIFY_WITH_TIMEOUT(view->isSettled() && drawn.count() > 0, 30'000);
        QVERIFY(!tests::hasChild());
        view->setVisual(std::make_shared<SlowGraph>());
        tests::waitForChild();
        view.reset();
        QVERIFY(!tests::hasChild());
    }
};
QTEST_MAIN(TestFigureView)
#include "tst_figure_view.moc"
