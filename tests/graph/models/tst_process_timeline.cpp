// needs: engine/record
// Processes over time: what a row holds, what leads from a parent to its child, and what narrow pages say.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <algorithm>
#include <map>
#include <set>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// make, `equal` compilers and assemblers in turn, in equal times, and one that takes as long as all of them together.
Stream compilers(int equal)
{
    Processes p(10);
    p.existing(0, 1, "bash").existing(0, 10, "make");
    double at = 5;
    for (int i = 0; i < equal; ++i) {
        const auto pid = static_cast<std::uint32_t>(100 + i);
        const std::string name = i % 2 == 0 ? "cc1" : "as";
        p.fork(at, 10, pid).exec(at + 1, pid, "/usr/bin/" + name, {name, "-O2", "file_" + std::to_string(i) + ".c"}).exit(at + 20, pid);
        at += 22;
    }
    p.fork(at, 10, 99).exec(at + 1, 99, "/usr/bin/cc1", {"cc1", "-O2", "deflate.c"}).fork(at + 10, 99, 98).exit(at + 30, 98);
    const double end = at + 22 * equal + 200;
    p.exit(end, 99).exit(end + 5, 10);
    return p.stream();
}
std::map<std::string, Box> barsOf(const Figure& figure)
{
    std::map<std::string, Box> out;
    for (const auto& item : figure.items)
        if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node)
            for (const auto& [key, value] : item.data)
                if (key == "pid") out[value] = *box;
    return out;
}
LayoutOptions page(double width, double height, double text = 0)
{
    LayoutOptions options;
    options.width = width;
    options.height = height;
    options.text = text;
    return options;
}
std::vector<const Item*> connectorsOf(const Figure& figure)
{
    std::vector<const Item*> out;
    for (const auto& item : figure.items)
        if (std::holds_alternative<Path>(item.shape) && item.role == Role::Edge && item.tip.find(" starts ") != std::string::npos)
            out.push_back(&item);
    return out;
}
} // namespace

class ProcessTimelineTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLineLeadsFromAParentToWhereItsChildBegins()
    {
        const auto figure = visual(compilers(3), "process-timeline")->figure({});
        const auto bars = barsOf(figure);
        const auto connectors = connectorsOf(figure);
        QCOMPARE(connectors.size(), std::size_t{5}); // of 100, 101, 102, 99, and of 98 from 99
        std::size_t first = 0;
        for (const auto& item : figure.items) // below all bars and words
            if (const auto* box = std::get_if<Box>(&item.shape); box && item.role == Role::Node && !item.data.empty()) {
                first = static_cast<std::size_t>(&item - figure.items.data());
                break;
            }
        for (const auto* item : connectors) {
            const auto& points = std::get<Path>(item->shape).points;
            const Point from = points.front(), to = points.back();
            QVERIFY(static_cast<std::size_t>(item - figure.items.data()) < first);
            QVERIFY(std::get<Path>(item->shape).width < 1.5);
            const auto begins = [&](const auto& bar) {
                return std::abs(to.x - bar.second.x) < 1 && to.y > bar.second.y && to.y < bar.second.y + bar.second.height;
            };
            const auto child = std::find_if(bars.begin(), bars.end(), begins);
            QVERIFY2(child != bars.end(), item->tip.c_str());
            const auto& parent = bars.at(child->first == "98" ? "99" : "10");
            QVERIFY(from.x >= parent.x - 0.01 && from.x <= parent.x + parent.width);
            QVERIFY2(std::abs(from.y - (parent.y + parent.height)) < 3, item->tip.c_str());
        }
    }
    void manyRowsAreNotWovenTogether()
    {
        const auto figure = visual(compilers(60), "process-timeline")->figure(page(1600, 2400, 18));
        QVERIFY(barsOf(figure).size() > 40);
        QVERIFY(connectorsOf(figure).empty());
        QCOMPARE(unreadable(figure), std::string());
    }
    /// No number beside a bar has a line through it.
    void linesDoNotRunThroughNumbers()
    {
        for (const auto& [width, height] : sizes()) {
            const auto figure = visual(compilers(9), "process-timeline")->figure(page(width, height));
            QCOMPARE(unreadable(figure), std::string());
            for (std::size_t i = 0; i < figure.items.size(); ++i) {
                const auto* text = std::get_if<Text>(&figure.items[i].shape);
                if (!text || figure.items[i].role != Role::Note) continue;
                const auto words = boundsOf(*text);
                for (std::size_t k = 0; k < i; ++k) {
                    const auto* path = std::get_if<Path>(&figure.items[k].shape);
                    if (!path || figure.items[k].tip.find(" starts ") == std::string::npos) continue;
                    bool isCrossed = false;
                    for (std::size_t p = 1; p < path->points.size(); ++p)
                        isCrossed = isCrossed
                            || meet(words, {std::min(path->points[p - 1].x, path->points[p].x), std::min(path->points[p - 1].y, path->points[p].y),
                                              std::abs(path->points[p].x - path->points[p - 1].x) + 1e-3,
                                              std::abs(path->points[p].y - path->points[p - 1].y) + 1e-3, 0});
                    if (!isCrossed) continue;
                    const bool isCovered = std::any_of(figure.items.begin() + static_cast<std::ptrdiff_t>(k), figure.items.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Item& item) {
                            const auto* box = std::get_if<Box>(&item.shape);
                            return box && (item.role == Role::Ground || item.role == Role::Node) && within(words, *box);
                        });
                    QVERIFY2(isCovered, text->text.c_str());
                }
            }
        }
    }
    /// More room means more content: equal processes share a row only where not all have room.
    void equalProcessesHaveRowsOfTheirOwnWhereThereIsRoom()
    {
        // 38 of each, more than have room together: those of one program have.
        const auto v = visual(compilers(76), "process-timeline");
        const auto rowsOn = [&](const LayoutOptions& options) {
            const auto figure = v->figure(options);
            std::set<double> rows;
            for (const auto& [pid, box] : barsOf(figure))
                rows.insert(box.y);
            return unreadable(figure).empty() ? rows.size() : 0;
        };
        const auto a4 = rowsOn(page(794, 1123, 8 * 96.0 / 72)), slide = rowsOn(page(1600, 900, 20));
        QVERIFY2(a4 > 38, std::to_string(a4).c_str());
        QVERIFY2(slide > 2 && slide < 38, std::to_string(slide).c_str());
    }
    void narrowPagesSayWhatColoursMeanAndWhatWasFound()
    {
        Processes p(10); // one that is clearly the longest, in another colour
        p.existing(0, 1, "bash").existing(0, 10, "make").fork(5, 10, 11).exec(6, 11, "/bin/sleep", {"sleep", "1"}).exit(9, 11);
        p.fork(15, 10, 12).exec(16, 12, "/usr/bin/cc1", {"cc1", "deflate.c"}).exit(95, 12).exit(100, 10);
        const auto figure = visual(p.stream(), "process-timeline")->figure(page(794, 1123, 8 * 96.0 / 72));
        const auto texts = textOf(figure);
        for (const auto* said : {"took ", "Findings"})
            QVERIFY2(texts.find(said) != std::string::npos, texts.c_str());
        QCOMPARE(unreadable(figure), std::string());
    }
    void theTitleSaysWhatTookMost()
    {
        Processes p(10);
        p.existing(0, 1, "bash").existing(0, 10, "make").fork(5, 10, 11).exec(6, 11, "/bin/sleep", {"sleep", "1"}).exit(12, 11);
        p.fork(15, 10, 12).exec(16, 12, "/usr/bin/cc1", {"cc1", "deflate.c"}).exit(95, 12).exit(100, 10);
        const auto title = visual(p.stream(), "process-timeline")->figure({}).words.title;
        QCOMPARE(title, std::string("80 of 100 ms are one process: cc1 deflate.c"));
    }
    /// Sheets behind a node that stands for several, and outlines, stay above the footnote.
    void whatLiesAroundNodesHasRoom()
    {
        for (const auto& [width, height] : sizes())
            for (const int equal : {3, 12, 40}) {
                const auto figure = visual(compilers(equal), "process-tree")->figure(page(width, height));
                double line = figure.height;
                for (const auto& item : figure.items)
                    if (const auto* path = std::get_if<Path>(&item.shape);
                        path && item.role == Role::Grid && path->points.size() == 2 && path->points[0].y == path->points[1].y)
                        line = std::min(line, path->points[0].y);
                for (const auto& item : figure.items)
                    if (const auto* box = std::get_if<Box>(&item.shape); box && (item.role == Role::Node || item.role == Role::Marker))
                        QVERIFY2(box->y + box->height <= line, std::to_string(width).c_str());
            }
    }
};
QTEST_GUILESS_MAIN(ProcessTimelineTest)
#include "tst_process_timeline.moc"
