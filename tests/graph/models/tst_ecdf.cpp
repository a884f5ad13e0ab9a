// needs: engine/record graph/parts
// Shares of values below each: what a curve says is what was counted, and what is called a change is more than chance.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/palette.h"
#include "graph/parts/line_names.h"
#include "graph/parts/share_curve.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/drawn/figures.h"
#include "tests/support/drawn/visuals.h"
#include <random>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Values = std::vector<std::int64_t>;
/// quantize() of values by key, as the kernel has them. Source of the buckets: engine/record/buckets.h, which the code generator is tested by.
Stream quantized(const std::vector<std::pair<std::string, Values>>& all, const std::string& value = "timestamp - self->ts")
{
    Stream s;
    auto p = program("syscall:::entry { self->ts = timestamp; }\nsyscall:::return { @[execname] = quantize(" + value + "); }",
        {"syscall:::entry", "syscall:::return"});
    p.aggregations = {aggregation("", Aggregator::Quantize, value, {textKey("execname")})};
    begin(s, p);
    std::vector<record::AggregationRow> rowsOfAll;
    for (const auto& [key, values] : all) {
        std::map<int, std::int64_t> counts;
        for (const auto v : values)
            ++counts[record::bucketOf(p.aggregations[0], v)];
        std::vector<std::int64_t> data;
        for (const auto& [bucket, count] : counts)
            data.insert(data.end(), {bucket, count});
        rowsOfAll.push_back({Key().text(key).bytes(), data});
    }
    s.emplace_back(rows(0, rowsOfAll));
    s.emplace_back(end(10 * kSecond));
    return s;
}
/// Log-normal values around `middle`.
Values spread(double middle, std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    Values out;
    for (std::size_t i = 0; i < count; ++i) { // Source: Irwin and Hall: twelve uniform numbers less six are nearly normal
        double normal = -6;
        for (int k = 0; k < 12; ++k)
            normal += static_cast<double>(random()) / 4294967296.0;
        out.push_back(static_cast<std::int64_t>(middle * std::exp(normal)));
    }
    return out;
}
Store stored(const Stream& stream)
{
    Store store;
    for (const auto& r : stream)
        store.take(r);
    return store;
}
std::unique_ptr<Visual> compared(const Store& before, const Store& after)
{
    for (const auto& kind : kinds())
        if (kind.name == "ecdf") return kind.compare(before, after);
    return nullptr;
}
/// Three groups of calls that are apart, and three that are not.
Stream many()
{
    return quantized({{"cat", spread(900, 4000, 1)}, {"sort", spread(4000, 3000, 2)}, {"postgres", spread(70'000, 2500, 3)},
        {"nginx: worker process", spread(80'000, 2000, 4)}, {"fsync", spread(9'000'000, 1500, 5)}, {"bash", spread(1300, 1000, 6)},
        {"ls", spread(1500, 500, 7)}, {"rare", spread(300, 9, 8)}});
}
std::vector<LayoutOptions> pages()
{
    std::vector<LayoutOptions> out;
    for (const auto& [width, height] : sizes()) {
        LayoutOptions options;
        options.width = width;
        options.height = height;
        out.push_back(options);
    }
    return out;
}
} // namespace

class EcdfTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A name or two stand below their axis: a side with nothing else in it would be an empty third of the page.
    void oneLineHasTheWholeWidth()
    {
        const auto figure = visual(quantized({{"dd", spread(4e6, 400, 1)}}), "ecdf")->figure({.width = 1600, .height = 900, .text = 18});
        double right = 0;
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series)
                for (const auto& point : path->points)
                    right = std::max(right, point.x);
        QVERIFY2(right > 0.9 * 1600, qPrintable(QString::number(right)));
        const auto words = textOf(figure);
        QVERIFY2(words.find("400 calls") != std::string::npos && words.find("p99") != std::string::npos, words.c_str());
        QCOMPARE(unreadable(figure), std::string());
    }
    /// The truth is a count of the values themselves.
    void sharesAreCountsOfValues()
    {
        const auto values = spread(5000, 3000, 11);
        const auto v = visual(quantized({{"a", values}, {"b", {0, 1, 5}}}), "ecdf");
        QVERIFY(v != nullptr);
        std::size_t told = 0;
        for (const auto& row : rowsOf(*v)) {
            const auto below = std::stod(row.at("below"));
            const auto& of = row.at("execname") == "a" ? values : Values{0, 1, 5};
            const auto count = std::count_if(of.begin(), of.end(), [&](std::int64_t value) { return static_cast<double>(value) < below; });
            QVERIFY(std::abs(std::stod(row.at("share")) - 100.0 * static_cast<double>(count) / static_cast<double>(of.size())) < 1e-3);
            ++told;
        }
        QVERIFY(told > 8);
    }
    /// A line never falls, ends at the height of all its values, and its dots lie on it.
    void aLineRisesFromNoneToAll()
    {
        const auto figure = visual(many(), "ecdf")->figure({});
        std::size_t lines = 0;
        double top = 1e9, bottom = 0;
        for (const auto& item : figure.items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && item.role == Role::Series && path->points.size() > 2) {
                ++lines;
                for (std::size_t i = 1; i < path->points.size(); ++i) {
                    QVERIFY(path->points[i].x >= path->points[i - 1].x && path->points[i].y <= path->points[i - 1].y + 1e-9);
                }
                top = std::min(top, path->points.back().y);
                bottom = std::max(bottom, path->points.front().y);
                QVERIFY(std::abs(path->points.back().y - top) < 1e-6 && std::abs(path->points.front().y - bottom) < 1e-6);
            }
        QCOMPARE(lines, std::size_t{6}); // and one in grey: of nine values none is drawn
    }
    void namesStandBesideTheirLinesAndOnNoOther()
    {
        for (const auto& options : pages()) {
            const auto figure = visual(many(), "ecdf")->figure(options);
            QCOMPARE(unreadable(figure), std::string());
            std::size_t named = 0;
            for (const auto& label : figure.items) {
                const auto* text = std::get_if<Text>(&label.shape);
                if (!text || text->bold || label.key.empty()) continue;
                ++named;
                const auto box = boundsOf(*text);
                double nearest = 1e9;
                for (const auto& item : figure.items) {
                    const auto* path = std::get_if<Path>(&item.shape);
                    if (!path || item.role != Role::Series || item.level < 0) continue;
                    for (std::size_t i = 1; i < path->points.size(); ++i)
                        for (int step = 0; step <= 40; ++step) {
                            const double t = step / 40.0, x = path->points[i - 1].x + t * (path->points[i].x - path->points[i - 1].x),
                                         y = path->points[i - 1].y + t * (path->points[i].y - path->points[i - 1].y);
                            QVERIFY2(!(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height), text->text.c_str());
                            if (item.key == label.key)
                                nearest = std::min(nearest,
                                    std::hypot(std::max({box.x - x, 0.0, x - box.x - box.width}), std::max({box.y - y, 0.0, y - box.y - box.height})));
                        }
                }
                QVERIFY2(nearest < text->size, text->text.c_str());
            }
            if (options.width >= 1200) QVERIFY2(named >= 3, std::to_string(named).c_str());
        }
    }
    /// A low plot has what its axis means inside, where a name may not be.
    void namesKeepAwayFromWhatTheAxisMeans()
    {
        const Box plot{0, 0, 240, 60, 0};
        const std::vector<NamedLine> lines{{{{10, 58}, {40, 50}, {60, 2}}, "cat, openat"}};
        const auto place = [&](const std::optional<Box>& taken) { return placesOfNames(lines, plot, 10, taken).front(); };
        const auto first = place({});
        QVERIFY(first);
        const Box taken{first->x, first->y - 10, textWidth("cat, openat", 10), 12, 0};
        const auto other = place(taken);
        QVERIFY(!other || other->x >= taken.x + taken.width || other->x + taken.width <= taken.x || other->y - 8 >= taken.y + taken.height
            || other->y + 2 <= taken.y);
        QVERIFY(!place(plot));
    }
    /// Every named line also stands beside or below the plot, in the order in which half of its values are reached, with its own look.
    void linesAreListedInTheOrderInWhichTheyRise()
    {
        const auto figure = visual(many(), "ecdf")->figure({});
        std::vector<std::string> names;
        for (const auto& item : figure.items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && text->bold && !item.key.empty()) names.push_back(text->text);
        QCOMPARE(names.size(), std::size_t{6});
        QCOMPARE(names.front(), std::string("cat"));
        QCOMPARE(names.back(), std::string("fsync"));
        QVERIFY(textOf(figure).find("2 more with 509 calls, 1 of them in grey") != std::string::npos);
    }
    void ticksAreRoundInTheirUnit()
    {
        const auto texts = textOf(visual(many(), "ecdf")->figure({}));
        for (const auto* tick : {"10 µs", "100 µs", "1 ms", "10 ms"})
            QVERIFY2(("\n" + texts).find(std::string("\n") + tick + "\n") != std::string::npos, texts.c_str());
        const auto bytes = textOf(visual(quantized({{"a", spread(4096, 300, 1)}, {"b", spread(200, 300, 2)}}, "arg2"), "ecdf")->figure({}));
        QVERIFY(bytes.find("µs") == std::string::npos);
    }
    void theTitleSaysWhichIsLargest()
    {
        const auto says = [](const Stream& s) { return visual(s, "ecdf")->figure({}).words.title; };
        const auto title = says(many());
        QVERIFY2(title.starts_with("fsync takes longest: half of its calls 8.4 ms or more, of each other less than "), title.c_str());
        // Not where another's middle is in the next bucket, nor of few values.
        QCOMPARE(says(quantized({{"a", spread(1000, 500, 1)}, {"b", spread(1500, 500, 2)}})), std::string("How long does it take?"));
        QCOMPARE(says(quantized({{"a", spread(1000, 500, 1)}, {"b", spread(90'000, 50, 2)}})), std::string("How long does it take?"));
    }
    /// However many others have more values: a line that the title speaks of has a name.
    void whatTheTitleNamesIsNamed()
    {
        std::vector<std::pair<std::string, Values>> all{{"dscope", spread(40'000'000, 150, 9)}};
        for (unsigned i = 0; i < 9; ++i)
            all.emplace_back("other" + std::to_string(i), spread(2000.0 + 100 * i, 1000, i));
        for (const std::size_t top : {0U, 3U}) {
            const auto figure = visual(quantized(all), "ecdf")->figure({.top = top});
            QVERIFY2(figure.words.title.starts_with("dscope takes longest"), figure.words.title.c_str());
            const auto isName = [](const Item& item) {
                const auto* text = std::get_if<Text>(&item.shape);
                return text && text->text == "dscope";
            };
            QVERIFY(std::any_of(figure.items.begin(), figure.items.end(), isName));
        }
    }
    /// On a logarithmic scale of the tail each nine has the same height.
    void theTailHasRoomWhereItIsAskedFor()
    {
        LayoutOptions options;
        options.values = ValueScale::Logarithmic;
        std::map<std::string, double> at;
        for (const auto& item : visual(many(), "ecdf")->figure(options).items)
            if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::Axis) at[text->text] = text->at.y;
        QVERIFY(at.contains("90 %") && at.contains("99 %") && at.contains("99.9 %"));
        QVERIFY(std::abs((at["0 %"] - at["90 %"]) - (at["90 %"] - at["99 %"])) < 0.5);
        QVERIFY(std::abs((at["90 %"] - at["99 %"]) - (at["99 %"] - at["99.9 %"])) < 0.5);
    }
    void openBucketsAreToldAndNotDrawnAsIfTheyEnded()
    {
        record::Aggregation shape = aggregation("", Aggregator::Lquantize, "arg0", {});
        shape.parameters = {0, 10, 2};
        const auto curve = shareCurve(shape, {{0, 1}, {1, 4}, {6, 5}}, 10); // below 0, [0, 2), 10 and more
        QCOMPARE(curve.points.size(), std::size_t{3});
        QCOMPARE(curve.points.front().value, 0.0);
        QCOMPARE(curve.points.front().share, 0.1);
        QCOMPARE(curve.points[1].value, 2.0);
        QCOMPARE(curve.points[1].share, 0.5);
        QCOMPARE(curve.points.back().value, 10.0); // up to here it is known that there is nothing more
        QCOMPARE(curve.points.back().share, 0.5);
        QCOMPARE(curve.beyond, 0.5);
    }
    // -- two runs ---------------------------------------------------------------------------------------------------
    void whatBecameSlowerAndWhatMayBeChanceAreToldApart()
    {
        const auto before = stored(quantized({{"same", spread(4000, 2000, 1)}, {"slow", spread(4000, 2000, 2)}, {"fast", spread(4000, 2000, 3)}})),
                   after = stored(quantized({{"same", spread(4000, 2000, 4)}, {"slow", spread(7000, 2000, 5)}, {"fast", spread(1900, 2000, 6)}}));
        const auto v = compared(before, after);
        for (const auto& options : pages()) {
            if (options.width < 700) continue;
            const auto figure = v->figure(options);
            QCOMPARE(unreadable(figure), std::string());
            const auto texts = textOf(figure);
            for (const auto* word : {"\nslower\n", "\nfaster\n", "\nmay be chance\n"})
                QVERIFY2(texts.find(word) != std::string::npos, texts.c_str());
        }
        // The areas between both curves have the colours of the legend: red grew, blue shrank, grey may be chance.
        std::vector<double> levels;
        for (const auto& item : v->figure({}).items)
            if (const auto* path = std::get_if<Path>(&item.shape); path && path->closed) {
                levels.push_back(item.level);
                for (const auto theme : {Theme::Light, Theme::Dark, Theme::Print}) // in all formats alike: no painter has to know what is filled
                    QVERIFY(style(item, theme).fill >= 0);
            }
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
        QCOMPARE(levels, (std::vector<double>{-1, 0.15, 0.85}));
    }
    /// A mean that stays while both ends move apart is no less of a change: each side of where the lines cross has its own colour.
    void whereLinesCrossBothSidesAreTold()
    {
        auto wide = spread(1000, 1500, 7);
        for (const auto v : spread(64'000, 1500, 8))
            wide.push_back(v);
        const auto before = stored(quantized({{"a", spread(8000, 3000, 1)}, {"b", spread(10, 9, 2)}})),
                   after = stored(quantized({{"a", wide}, {"b", spread(10, 9, 3)}}));
        const auto figure = compared(before, after)->figure({});
        QVERIFY2(textOf(figure).find("\nfaster and slower\n") != std::string::npos, textOf(figure).c_str());
        double leftOfRed = 0, rightOfBlue = 0;
        for (const auto& item : figure.items) {
            const auto* path = std::get_if<Path>(&item.shape);
            if (!path || !path->closed || item.level < 0) continue;
            // The line before from one end to the other, and back along the line after: where an area ends its lines meet.
            const auto& points = path->points;
            const auto half = points.size() / 2;
            QVERIFY(std::abs(points[half - 1].y - points[half].y) < 1 && std::abs(points.front().y - points.back().y) < 1);
            const auto [low, high] = std::minmax_element(
                path->points.begin(), path->points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
            if (item.level > 0.5)
                leftOfRed = low->x;
            else
                rightOfBlue = high->x;
        }
        QVERIFY(rightOfBlue > 0 && std::abs(leftOfRed - rightOfBlue) < 1); // they meet where the lines cross
    }
    /// Samples of one distribution are called changed at most as often as was promised: in one figure of twenty.
    void likeRunsAreSeldomCalledDifferent()
    {
        int wrong = 0;
        constexpr int kFigures = 200;
        for (unsigned i = 0; i < kFigures; ++i) {
            const auto before = stored(quantized({{"a", spread(4000, 400, 4 * i)}, {"b", spread(900, 300, 4 * i + 1)}})),
                       after = stored(quantized({{"a", spread(4000, 350, 4 * i + 2)}, {"b", spread(900, 500, 4 * i + 3)}}));
            bool isCalled = false;
            for (const auto& item : compared(before, after)->figure({}).items)
                if (const auto* path = std::get_if<Path>(&item.shape); path && path->closed && item.level >= 0) isCalled = true;
            wrong += isCalled;
        }
        QVERIFY2(wrong <= 0.05 * kFigures, std::to_string(wrong).c_str());
    }
    /// Runs of one side that differ by themselves are no change.
    void whatLikeRunsDifferByIsNoChange()
    {
        const auto side = [](std::initializer_list<double> middles, unsigned seed) {
            Values all;
            std::vector<std::shared_ptr<const Store>> runs;
            for (const double middle : middles) {
                const auto values = spread(middle, 1000, ++seed);
                all.insert(all.end(), values.begin(), values.end());
                runs.push_back(std::make_shared<Store>(stored(quantized({{"a", values}}))));
            }
            auto store = stored(quantized({{"a", all}}));
            store.consistsOf(std::move(runs));
            return store;
        };
        const auto says = [](const Store& before, const Store& after) { return textOf(compared(before, after)->figure({})); };
        const auto steady = says(side({4000, 4000}, 1), side({6000, 6000}, 9));
        QVERIFY2(steady.find("\na\nslower\n") != std::string::npos, steady.c_str());
        const auto unsteady = says(side({3000, 8000}, 1), side({6000, 6500}, 9));
        QVERIFY2(unsteady.find("\na\nmay be chance\n") != std::string::npos, unsteady.c_str());
    }
    /// Source: Kolmogorov and Smirnov's distribution, tables: 1.36 sqrt(2/n) for 5 % and two samples of n.
    void chanceIsThatOfTheTables()
    {
        QVERIFY(std::abs(apartByChance(100, 100, 1) - 1.36 * std::sqrt(0.02)) < 0.005);
        QVERIFY(apartByChance(100, 100, 40) > apartByChance(100, 100, 1));
    }
};
QTEST_GUILESS_MAIN(EcdfTest)
#include "tst_ecdf.moc"
