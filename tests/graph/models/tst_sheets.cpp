// needs: engine/record graph/parts
// Rules that looking at contact sheets (tests/gallery) found: what is cut says nothing untrue, room is used, and large pages have strong lines.
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/difference.h"
#include "graph/page.h"
#include "graph/palette.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
constexpr double kEightPoints = 8 * 96.0 / 72;
LayoutOptions column() { return {.width = 325, .height = 244, .text = kEightPoints}; }
/// The texts of a role, in painter's order.
QStringList textsOf(const Figure& figure, Role role)
{
    QStringList out;
    for (const auto& item : figure.items)
        if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == role) out << q(text->text);
    return out;
}
Store stored(const Stream& stream)
{
    Store store;
    for (const auto& r : stream)
        store.take(r);
    return store;
}
std::unique_ptr<Visual> difference(const Stream& before, const Stream& after, std::string_view name)
{
    for (const auto& kind : kinds())
        if (kind.name == name) return kind.compare(stored(before), stored(after));
    return nullptr;
}
/// Stacks by their frames, joined by ";", and how often each was seen.
Stream stacks(const std::vector<std::pair<std::string, std::int64_t>>& all)
{
    Stream s;
    auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
    begin(s, p);
    std::vector<record::AggregationRow> lines;
    std::uint32_t id = 0;
    for (const auto& [path, count] : all) {
        std::vector<record::Frame> frames;
        for (std::size_t at = 0; at <= path.size();) {
            const auto end = std::min(path.find(';', at), path.size());
            frames.push_back(frame("app", path.substr(at, end - at), record::Frame::Kind::User));
            at = end + 1;
        }
        s.emplace_back(stack(++id, frames));
        lines.push_back({Key().stack(id).bytes(), {count}});
    }
    s.emplace_back(rows(0, lines));
    s.emplace_back(end(kSecond));
    return s;
}
/// Buckets of quantize() by key: pairs of power and count.
Stream times(const std::vector<std::pair<std::string, std::vector<std::pair<int, std::int64_t>>>>& all)
{
    Stream s;
    auto p = program("syscall:::entry { self->ts = timestamp; }\nsyscall:::return { @[execname] = quantize(timestamp - self->ts); }",
        {"syscall:::entry", "syscall:::return"});
    p.aggregations = {aggregation("", Aggregator::Quantize, "timestamp - self->ts", {textKey("execname")})};
    begin(s, p);
    std::vector<record::AggregationRow> lines;
    for (const auto& [key, buckets] : all) {
        std::vector<std::int64_t> data;
        for (const auto& [bucket, count] : buckets)
            data.insert(data.end(), {power(bucket), count});
        lines.push_back({Key().text(key).bytes(), data});
    }
    s.emplace_back(rows(0, lines));
    s.emplace_back(end(kSecond));
    return s;
}
} // namespace

class TestSheets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A line that is 2.5 px where the smallest text has 12 px is as strong beside text of 45 px.
    void linesAreAsStrongAsTextIsLarge()
    {
        const auto view = visual(writeTimes({"cc1", "make", "sh"}), "ecdf");
        const auto widthIn = [&](const LayoutOptions& options) {
            const auto figure = view->figure(options);
            double most = 0;
            for (const auto& item : figure.items)
                if (item.role == Role::Series && std::holds_alternative<Path>(item.shape))
                    most = std::max(most, style(item, Theme::Light, figure.lines).strokeWidth);
            return most;
        };
        const double small = widthIn({.width = 1067, .height = 600}), poster = widthIn({.width = 3178, .height = 2246});
        const double texts = smallestText({.width = 3178, .height = 2246}) / 12;
        QVERIFY2(small > 2 && std::abs(poster / small - texts) < 0.01, qPrintable(QString::number(poster / small)));
        // On smaller pages a line would be a hair: it stays.
        QCOMPARE(widthIn(column()), small);
    }
    /// A fact of the footnote or of the subtitle is there or is not: half a date is none.
    void factsAreNotCut_data()
    {
        QTest::addColumn<double>("width");
        for (const double width : {230.0, 280.0, 325.0, 400.0, 520.0, 700.0})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void factsAreNotCut()
    {
        QFETCH(double, width);
        const auto view = visual(writeTimes({"cc1", "make"}), "histogram");
        const auto whole = textsOf(view->figure({.width = 1600, .height = 900}), Role::Note).join(' ');
        const auto figure = view->figure({.width = width, .height = 244, .text = kEightPoints});
        bool tellsDrops = false;
        for (const auto& note : textsOf(figure, Role::Note)) {
            QVERIFY2(!note.contains(QStringLiteral("…")) || note.startsWith(QStringLiteral("…")), qPrintable(note));
            tellsDrops |= note.contains("0 drops");
        }
        QVERIFY2(tellsDrops && whole.contains("0 drops"), qPrintable(textsOf(figure, Role::Note).join('|')));
    }
    void partsOfASubtitleStayWhole()
    {
        const std::string text = "83 processes in 31.7 s \u00b7 outlined: the critical path \u00b7 1 failed";
        const auto wide = textWidth("83 processes in 31.7 s \u00b7 outlined: the critical path", 12) + 1;
        // An own line for what would be left alone, and nothing in the middle of a fact.
        QCOMPARE(wrappedParts(text, wide, 12, 2), (std::vector<std::string>{"83 processes in 31.7 s \u00b7 outlined: the critical path", "1 failed"}));
        QCOMPARE(wrappedParts(text, wide - 20, 12, 1), (std::vector<std::string>{"83 processes in 31.7 s \u00b7 \u2026"}));
        QCOMPARE(wrappedParts(text, 1000, 12, 1), (std::vector<std::string>{text}));
        // Where the first fact alone is too long it is text like any other.
        QVERIFY(wrappedParts(text, 80, 12, 1).front().ends_with("\u2026"));
        QCOMPARE(wrappedParts("", 80, 12, 2), (std::vector<std::string>{""}));
        // In one line a fact that is too long for it gives way to one that is not.
        QCOMPARE(wrappedParts("count() by a key with a long name \u00b7 585 calls", 90, 12, 1),
            (std::vector<std::string>{"585 calls \u00b7 \u2026"}));
    }
    /// One of a thousand stacks goes 300 deep. A page that may grow grows for what is seen, and says what it leaves out.
    void aSliverDoesNotMakeAPageHigh()
    {
        std::string deep = "main";
        for (int i = 0; i < 300; ++i)
            deep += ";deep" + std::to_string(i);
        const auto view = visual(stacks({{"main;work;inner", 700}, {"main;rest", 295}, {deep, 5}}), "flame");
        const auto figure = view->figure({.width = 1600, .height = 900, .fit = false});
        QVERIFY2(figure.height <= 1000, qPrintable(QString::number(figure.height)));
        QVERIFY(std::any_of(figure.words.known.begin(), figure.words.known.end(), [](const auto& known) { return known.find("deeper levels") != known.npos; }));
        // What a tenth of the stacks reaches makes it grow.
        const auto tall = visual(stacks({{"main;work;inner", 700}, {deep, 100}}), "flame")->figure({.width = 1600, .height = 900, .fit = false});
        QVERIFY2(tall.height > 3000, qPrintable(QString::number(tall.height)));
    }
    /// "282 frames, 3 %" becomes "282 frames" or nothing, never "28…".
    void numbersOfRunsAreNotCut()
    {
        std::vector<std::pair<std::string, std::int64_t>> all{{"main;hot", 60'000}};
        for (int i = 0; i < 4'000; ++i)
            all.emplace_back("main;f" + std::to_string(i), 1 + i % 3);
        const auto view = visual(stacks(all), "flame");
        std::size_t runs = 0;
        static const QRegularExpression said(QStringLiteral("^[0-9,]+ frames(, .*%)?$"));
        for (double width = 300; width < 1700; width += 100)
            for (const auto& item : view->figure({.width = width, .height = 300}).items)
                if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Frame && text->text[0] >= '0' && text->text[0] <= '9') {
                    ++runs;
                    QVERIFY2(said.match(q(text->text)).hasMatch(), text->text.c_str());
                }
        QVERIFY(runs > 0);
    }
    /// A key that is not drawn does not stretch the axis of those that are.
    void axesEndWhereWhatIsDrawnEnds_data()
    {
        QTest::addColumn<QString>("view");
        QTest::newRow("histogram") << "histogram";
        QTest::newRow("ecdf") << "ecdf";
    }
    void axesEndWhereWhatIsDrawnEnds()
    {
        QFETCH(QString, view);
        std::vector<std::pair<std::string, std::vector<std::pair<int, std::int64_t>>>> all;
        for (int i = 0; i < 40; ++i)
            all.emplace_back("key" + std::to_string(i), std::vector<std::pair<int, std::int64_t>>{{10, 1000 - i}, {12, 50}});
        all.emplace_back("poll", std::vector<std::pair<int, std::int64_t>>{{33, 1}}); // 8.6 s
        const auto shown = visual(times(all), view.toStdString());
        LayoutOptions options{.width = 1600, .height = 900};
        static const QRegularExpression seconds(QStringLiteral("\\d s$"));
        const auto labels = [&] {
            const auto figure = shown->figure(options);
            return textsOf(figure, Role::Tick) + textsOf(figure, Role::Axis);
        };
        QVERIFY2(labels().filter(seconds).isEmpty(), qPrintable(labels().join('|')));
        // Figures on a common scale go as far as all of them.
        options.extents = std::make_shared<const Extents>(shown->extents());
        QVERIFY2(!labels().filter(seconds).isEmpty(), qPrintable(labels().join('|')));
    }
    void curvesHaveRoomInAColumn()
    {
        const auto figure = visual(writeTimes({"cc1", "make", "sh"}), "ecdf")->figure(column());
        double top = 1e9, bottom = 0;
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series)
                for (const auto& point : path->points) {
                    top = std::min(top, point.y);
                    bottom = std::max(bottom, point.y);
                }
        QVERIFY2(bottom - top >= 50, qPrintable(QString::number(bottom - top)));
        QCOMPARE(unreadable(figure), std::string());
    }
    /// What a colour of a comparison means is what the palette makes of such a change.
    void stepsOfAScaleAreThoseOfThePalette()
    {
        const auto scale = changeScale(Role::Frame, "may be chance");
        QCOMPARE(scale.size(), std::size_t(7));
        const auto fillOf = [](double level) {
            Item item;
            item.role = Role::Frame;
            item.shape = Box{0, 0, 100, 20, 0};
            item.level = level;
            return style(item, Theme::Light).fill;
        };
        for (const auto& [less, more, entry] : {std::tuple{166.0, 168.0, 1}, {553.0, 556.0, 2}, {60.1, 59.9, 4}, {18.1, 17.9, 5}}) {
            const auto& to = scale[static_cast<std::size_t>(entry)];
            QCOMPARE(fillOf(Change{100, less, true}.level()), fillOf(scale[static_cast<std::size_t>(entry) - 1].level));
            QCOMPARE(fillOf(Change{100, more, true}.level()), fillOf(to.level));
            // The label's number lies between the two.
            static const QRegularExpression number(QStringLiteral("^from ([+\u2212])(\\d+) %$"));
            const auto match = number.match(q(to.label));
            QVERIFY2(match.hasMatch(), to.label.c_str());
            const double told = 100 + match.captured(2).toDouble() * (match.captured(1) == "+" ? 1 : -1);
            QVERIFY2(told >= std::min(less, more) - 1 && told <= std::max(less, more) + 1, to.label.c_str());
        }
    }
    void aScaleIsBriefWhereItIsNarrow()
    {
        const auto view = difference(stacks({{"main;a", 1000}, {"main;b", 1000}}), stacks({{"main;a", 4000}, {"main;b", 1000}}), "flame");
        const auto wide = textsOf(view->figure({.width = 1600, .height = 900}), Role::Legend), low = textsOf(view->figure(column()), Role::Legend);
        QVERIFY2(wide.size() == 7 && wide.contains(QStringLiteral("from +67 %")), qPrintable(wide.join('|')));
        QVERIFY2(low.size() == 3 && low[0] == "grew" && low[1] == "shrank", qPrintable(low.join('|')));
    }
    /// The call graph of stacks has the title that their flame graph has.
    void aCallGraphSaysWhereTheTimeIs()
    {
        const auto some = stacks({{"main;work;inner", 700}, {"main;rest", 295}});
        const auto graph = visual(some, "call-graph")->figure({.width = 1600, .height = 900});
        QVERIFY2(graph.words.isFinding && graph.words.title == visual(some, "flame")->figure({.width = 1600, .height = 900}).words.title,
            graph.words.title.c_str());
    }
    void differencesHaveSigns()
    {
        const auto view = difference(stacks({{"main;a", 1000}, {"main;b", 4000}}), stacks({{"main;a", 4000}, {"main;b", 1000}}), "table");
        const auto cells = textsOf(view->figure({.width = 1600, .height = 900}), Role::Label);
        QVERIFY2(cells.contains("+3,000") && cells.contains(QStringLiteral("\u22123,000")), qPrintable(cells.join('|')));
    }
    /// A page with fewer columns than it has room for makes them wider.
    void aMatrixUsesThePage()
    {
        Stream stream;
        auto p = program("syscall::openat:entry { @[execname, copyinstr(arg1)] = count(); }", {"syscall::openat:entry"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("copyinstr(arg1)")})};
        begin(stream, p);
        std::vector<record::AggregationRow> lines;
        for (const auto* who : {"cc1", "make", "sh"})
            for (int i = 0; i < 30; ++i)
                lines.push_back({Key().text(who).text("/etc/file" + std::to_string(i)).bytes(), {100 + i}});
        stream.emplace_back(rows(0, lines));
        stream.emplace_back(end(kSecond));
        const auto figure = visual(stream, "graph")->figure({.width = 1600, .height = 900});
        double right = 0;
        for (const auto& item : figure.items)
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node) right = std::max(right, box->x + box->width);
        QVERIFY2(right > 0.3 * 1600, qPrintable(QString::number(right)));
        QCOMPARE(unreadable(figure), std::string());
    }
};
QTEST_GUILESS_MAIN(TestSheets)
#include "tst_sheets.moc"
