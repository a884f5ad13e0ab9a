#include "graph/layouts/axes.h"
#include "graph/layouts/icicle.h"
#include "graph/layouts/layers.h"
#include "graph/layouts/ranked.h"
#include "graph/layouts/shelves.h"
#include "graph/layouts/tidy_tree.h"
#include <QElapsedTimer>
#include <QObject>
#include <QTest>
#include <algorithm>
#include <random>
#include <thread>
using namespace dscope::graph;

namespace {
struct Tree {
    std::vector<std::size_t> parents;
    std::vector<NodeSize> sizes;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
};
Tree randomTree(std::size_t count, unsigned seed, std::size_t roots = 1)
{
    std::mt19937 random(seed);
    Tree t;
    for (std::size_t i = 0; i < count; ++i) {
        t.parents.push_back(i < roots ? kNoParent : random() % i);
        t.sizes.push_back({150, 20.0 + static_cast<double>(random() % 60)});
        if (i >= roots) t.edges.emplace_back(t.parents[i], i);
    }
    return t;
}
/// Pairs of boxes that share area. Boxes of a column are compared with their neighbours below.
std::size_t overlaps(const std::vector<Point>& centres, const std::vector<NodeSize>& sizes)
{
    std::vector<std::size_t> order(centres.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
        [&](auto a, auto b) { return centres[a].x != centres[b].x ? centres[a].x < centres[b].x : centres[a].y < centres[b].y; });
    std::size_t found = 0;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const auto a = order[k - 1], b = order[k];
        const bool besides = std::abs(centres[a].x - centres[b].x) < (sizes[a].width + sizes[b].width) / 2 - 1e-6;
        const bool stacked = std::abs(centres[a].y - centres[b].y) < (sizes[a].height + sizes[b].height) / 2 - 1e-6;
        if (besides && stacked) ++found;
    }
    return found;
}
} // namespace

class LayoutsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tidyTreesHaveNoOverlaps_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("roots");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("small") << 12 << 1;
        QTest::newRow("forest") << 500 << 40;
        QTest::newRow("thousands") << 5000 << 3;
        QTest::newRow("100,000") << 100'000 << 1;
    }
    void tidyTreesHaveNoOverlaps()
    {
        QFETCH(int, count);
        QFETCH(int, roots);
        for (unsigned seed = 0; seed < (count > 10'000 ? 1U : 8U); ++seed) {
            const auto tree = randomTree(static_cast<std::size_t>(count), seed, static_cast<std::size_t>(roots));
            const auto centres = tidyTree(tree.sizes, tree.parents, {10, 60});
            QCOMPARE(overlaps(centres, tree.sizes), std::size_t{0});
            double top = 1e300;
            for (std::size_t i = 0; i < centres.size(); ++i) {
                top = std::min(top, centres[i].y - tree.sizes[i].height / 2);
                if (tree.parents[i] != kNoParent)
                    QVERIFY(centres[i].x - tree.sizes[i].width / 2 >= centres[tree.parents[i]].x + tree.sizes[i].width / 2 + 59.9);
            }
            QVERIFY(std::abs(top) < 1e-6);
        }
    }
    void aParentStandsInTheMiddleOfItsChildrenAndKeepsTheirOrder()
    {
        const auto tree = randomTree(2000, 5);
        const auto centres = tidyTree(tree.sizes, tree.parents, {10, 60});
        std::vector<std::vector<std::size_t>> children(centres.size());
        for (std::size_t i = 1; i < centres.size(); ++i)
            children[tree.parents[i]].push_back(i);
        for (std::size_t i = 0; i < centres.size(); ++i) {
            if (children[i].empty()) continue;
            QVERIFY(std::abs(centres[i].y - (centres[children[i].front()].y + centres[children[i].back()].y) / 2) < 1e-6);
            for (std::size_t c = 1; c < children[i].size(); ++c)
                QVERIFY(centres[children[i][c]].y > centres[children[i][c - 1]].y);
        }
    }
    void aChainAndAStarAreLaidOutWithoutRecursion()
    {
        const std::size_t count = 50'000;
        std::vector<NodeSize> sizes(count, {100, 20});
        std::vector<std::size_t> chain, star;
        for (std::size_t i = 0; i < count; ++i) {
            chain.push_back(i == 0 ? kNoParent : i - 1);
            star.push_back(i == 0 ? kNoParent : 0);
        }
        const auto line = tidyTree(sizes, chain, {10, 60});
        QVERIFY(std::all_of(line.begin(), line.end(), [&](const Point& p) { return std::abs(p.y - line.front().y) < 1e-6; }));
        QCOMPARE(overlaps(tidyTree(sizes, star, {10, 60}), sizes), std::size_t{0});
    }
    void graphvizPlacesRanksFromLeftToRight()
    {
        const auto tree = randomTree(200, 2);
        const auto centres = layered(tree.sizes, tree.edges, {10, 60});
        QVERIFY(centres.has_value());
        QCOMPARE(overlaps(*centres, tree.sizes), std::size_t{0});
        for (const auto& [from, to] : tree.edges)
            QVERIFY((*centres)[to].x > (*centres)[from].x + 150);
        const auto again = layered(tree.sizes, tree.edges, {10, 60});
        for (std::size_t i = 0; i < centres->size(); ++i)
            QVERIFY((*centres)[i].x == (*again)[i].x && (*centres)[i].y == (*again)[i].y);
    }
    void graphvizHoldsWhatItIsGivenAtMost()
    {
        std::vector<NodeSize> sizes(kMostLayered, {100, 20});
        std::vector<std::pair<std::size_t, std::size_t>> star;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            star.emplace_back(0, i);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(layered(sizes, star, {10, 60}).has_value());
        qInfo("a star of the most nodes: %lld ms", static_cast<long long>(timer.elapsed()));
    }
    void graphvizIsCalledByOneThreadAtATime()
    {
        const auto tree = randomTree(60, 9);
        const auto expected = layered(tree.sizes, tree.edges, {10, 60});
        std::vector<std::thread> threads;
        std::vector<std::optional<std::vector<Point>>> got(4);
        for (auto& result : got)
            threads.emplace_back([&tree, &result] {
                for (int i = 0; i < 5; ++i)
                    result = layered(tree.sizes, tree.edges, {10, 60});
            });
        for (auto& t : threads)
            t.join();
        for (const auto& result : got) {
            QVERIFY(result.has_value());
            for (std::size_t i = 0; i < result->size(); ++i)
                QCOMPARE((*result)[i].y, (*expected)[i].y);
        }
    }
    void icicleBarsAreAsWideAsTheirShare()
    {
        // all(100) -> a(60) -> c(25); b(40)
        const std::vector<IcicleNode> nodes{{0, 4, 100}, {1, 2, 60}, {2, 1, 25}, {1, 1, 40}};
        const auto bars = icicle(nodes, 1000, 1, 100);
        QCOMPARE(bars.size(), std::size_t{4});
        for (const auto& bar : bars)
            QCOMPARE(bar.width, static_cast<double>(nodes[bar.node].total) * 10);
        const auto b = std::find_if(bars.begin(), bars.end(), [](const IcicleBar& bar) { return bar.node == 3; });
        QCOMPARE(b->x, 600.0);
    }
    void narrowNeighboursBecomeOneBarAndNothingIsLost()
    {
        std::vector<IcicleNode> nodes{{0, 0, 0}};
        for (int i = 0; i < 5000; ++i) {
            nodes.push_back({1, 2, 2});
            nodes.push_back({2, 1, 1});
        }
        nodes[0] = {0, static_cast<std::uint32_t>(nodes.size()), 10'000};
        const auto bars = icicle(nodes, 500, 1, 10'000);
        QCOMPARE(bars.size(), std::size_t{2});
        QCOMPARE(bars[1].frames, 10'000U);
        QCOMPARE(bars[1].total, std::int64_t{10'000});
        QVERIFY(std::abs(bars[1].width - 500) < 1e-6);
    }
    void barsAreNeverMoreThanAsked()
    {
        std::vector<IcicleNode> nodes{{0, 20'001, 20'000}};
        for (int i = 0; i < 20'000; ++i)
            nodes.push_back({1, 1, 1});
        for (const std::size_t most : {10UL, 100UL, 5000UL})
            QVERIFY(icicle(nodes, 100'000, 1, most).size() <= most);
    }
    void ticksAreRoundAndReachTheTop_data()
    {
        QTest::addColumn<double>("most");
        QTest::addColumn<double>("top");
        QTest::newRow("291") << 291.0 << 300.0;
        QTest::newRow("1") << 1.0 << 1.0;
        QTest::newRow("3") << 3.0 << 3.0;
        QTest::newRow("10") << 10.0 << 10.0;
        QTest::newRow("12345678") << 12345678.0 << 15'000'000.0;
    }
    void ticksAreRoundAndReachTheTop()
    {
        QFETCH(double, most);
        QFETCH(double, top);
        const auto ticks = countTicks(most, 3);
        QCOMPARE(ticks.front(), 0.0);
        QCOMPARE(ticks.back(), top);
        QVERIFY(ticks.size() <= 7);
    }
    void ranksOfOurOwnHoldAnyGraphAndNoNodeOnAnother()
    {
        std::mt19937 random(3);
        for (const std::size_t count : {1U, 2U, 400U, 5000U}) {
            std::vector<NodeSize> sizes;
            for (std::size_t i = 0; i < count; ++i)
                sizes.push_back({40.0 + static_cast<double>(random() % 100), 20.0 + static_cast<double>(random() % 30)});
            std::vector<std::pair<std::size_t, std::size_t>> edges;
            for (std::size_t i = 0; i < 4 * count; ++i) // cycles, edges to itself and more than one between two among them
                edges.emplace_back(random() % count, random() % count);
            for (const bool leftToRight : {true, false}) {
                QElapsedTimer timer;
                timer.start();
                const auto at = ranked(sizes, edges, {20, 40}, leftToRight ? RankDirection::Right : RankDirection::Down);
                qInfo("%zu boxes: %lld ms", std::size_t{count}, static_cast<long long>(timer.elapsed()));
                QCOMPARE(at.centres.size(), count);
                QCOMPARE(at.routes.size(), edges.size());
                for (std::size_t a = 0; a < std::min<std::size_t>(count, 400); ++a)
                    for (std::size_t b = a + 1; b < std::min<std::size_t>(count, 400); ++b)
                        QVERIFY(std::abs(at.centres[a].x - at.centres[b].x) >= (sizes[a].width + sizes[b].width) / 2 + 19
                            || std::abs(at.centres[a].y - at.centres[b].y) >= (sizes[a].height + sizes[b].height) / 2 + 19);
                for (std::size_t e = 0; e < edges.size(); ++e)
                    QCOMPARE(at.routes[e].size(), edges[e].first == edges[e].second ? std::size_t{0} : std::size_t{4});
            }
        }
    }
    void layersFollowTheLongestWay_data()
    {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<QString>("edges"); // "01 12": from 0 to 1, from 1 to 2
        QTest::addColumn<QString>("layers");
        QTest::newRow("none") << 0 << ""
                              << "";
        QTest::newRow("alone") << 2 << ""
                               << "00";
        QTest::newRow("chain") << 4 << "01 12 23"
                               << "0123";
        QTest::newRow("a way that is shorter") << 4 << "01 12 23 03 02"
                                               << "0123";
        QTest::newRow("both ways of a diamond") << 5 << "01 13 02 24 43"
                                                << "01132"; // 3 is below 4
        QTest::newRow("to itself") << 2 << "00 01 11"
                                   << "01";
        QTest::newRow("two that call each other") << 4 << "01 12 21 23 13"
                                                  << "0123";
        QTest::newRow("a circle that nothing leads to") << 3 << "01 12 20"
                                                        << "012";
        QTest::newRow("a circle with two ways in") << 6 << "01 14 02 23 34 43 45"
                                                   << "011223";
        QTest::newRow("what comes late in the numbers") << 3 << "21 10"
                                                        << "210";
    }
    void layersFollowTheLongestWay()
    {
        QFETCH(int, nodes);
        QFETCH(QString, edges);
        QFETCH(QString, layers);
        std::vector<std::pair<std::size_t, std::size_t>> list;
        for (const auto& edge : edges.split(u' ', Qt::SkipEmptyParts))
            list.emplace_back(edge[0].digitValue(), edge[1].digitValue());
        QString found;
        for (const auto layer : layersOf(static_cast<std::size_t>(nodes), list))
            found += QString::number(layer);
        QCOMPARE(found, layers);
    }
    void edgesOfAGraphWithoutCirclesAllLeadDown()
    {
        std::mt19937 random(11);
        constexpr std::size_t kNodes = 3000;
        std::vector<std::size_t> name(kNodes);
        for (std::size_t i = 0; i < kNodes; ++i)
            name[i] = i;
        std::shuffle(name.begin(), name.end(), random);
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (std::size_t i = 0; i < 3 * kNodes; ++i) {
            const std::size_t to = 1 + random() % (kNodes - 1);
            edges.emplace_back(name[random() % to], name[to]);
        }
        const auto layer = layersOf(kNodes, edges);
        for (const auto& [from, to] : edges)
            QVERIFY(layer[from] < layer[to]);
        // A node is right below one of those that lead to it.
        std::vector<std::size_t> nearest(kNodes, 0);
        for (const auto& [from, to] : edges)
            nearest[to] = std::max(nearest[to], layer[from] + 1);
        QCOMPARE(layer, nearest);
    }
    void aLongChainTakesNoStack()
    {
        constexpr std::size_t kNodes = 300'000;
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (std::size_t i = 1; i < kNodes; ++i)
            edges.emplace_back(i - 1, i);
        QCOMPARE(layersOf(kNodes, edges).back(), kNodes - 1);
        edges.emplace_back(kNodes - 1, 0);
        QCOMPARE(layersOf(kNodes, edges).back(), kNodes - 1);
    }
    void whatDoesNotHangTogetherGoesBelow_data()
    {
        QTest::addColumn<int>("parts");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<double>("larger"); // at the least, than side by side
        QTest::newRow("one part") << 1 << 500.0 << 800.0 << 1.0;
        QTest::newRow("a high page") << 8 << 500.0 << 800.0 << 3.0;
        QTest::newRow("a wide page") << 8 << 1600.0 << 900.0 << 1.5;
        QTest::newRow("a strip") << 3 << 4000.0 << 100.0 << 1.0;
    }
    void whatDoesNotHangTogetherGoesBelow()
    {
        QFETCH(int, parts);
        QFETCH(double, width);
        QFETCH(double, height);
        QFETCH(double, larger);
        std::vector<NodeSize> sizes;
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (int p = 0; p < parts; ++p)
            for (int i = 0; i <= p % 4; ++i) {
                if (i > 0) edges.emplace_back(sizes.size() - 1, sizes.size());
                sizes.push_back({180.0 + 10 * p, 44});
            }
        const LayoutGaps gaps{18, 42};
        const auto before = routed(sizes, edges, gaps, RankDirection::Down);
        QVERIFY(before.has_value());
        const auto after = onShelves(*before, sizes, edges, gaps, {width, height});
        QCOMPARE(overlaps(after.centres, sizes), std::size_t{0});
        const auto scaleOf = [&](const Routed& r) {
            Point low{1e9, 1e9}, high{-1e9, -1e9};
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                low = {std::min(low.x, r.centres[i].x - sizes[i].width / 2), std::min(low.y, r.centres[i].y - sizes[i].height / 2)};
                high = {std::max(high.x, r.centres[i].x + sizes[i].width / 2), std::max(high.y, r.centres[i].y + sizes[i].height / 2)};
            }
            return std::min(width / (high.x - low.x), height / (high.y - low.y));
        };
        QVERIFY2(scaleOf(after) >= larger * scaleOf(*before) * 0.999, qPrintable(QString("%1 after %2").arg(scaleOf(after)).arg(scaleOf(*before))));
        for (std::size_t e = 0; e < edges.size(); ++e) { // within a part nothing has moved
            const auto [from, to] = edges[e];
            QVERIFY(std::abs((after.centres[to].y - after.centres[from].y) - (before->centres[to].y - before->centres[from].y)) < 1e-6);
            QVERIFY(std::abs((after.routes[e].front().x - after.centres[from].x) - (before->routes[e].front().x - before->centres[from].x)) < 1e-6);
        }
    }
    void keptLabelsDoNotTouch()
    {
        std::vector<double> at, widths;
        for (int i = 0; i < 100; ++i) {
            at.push_back(i * 9.0);
            widths.push_back(20 + i % 30);
        }
        const auto kept = keptLabels(at, widths, 8);
        QVERIFY(kept.size() > 5);
        for (std::size_t i = 1; i < kept.size(); ++i)
            QVERIFY(at[kept[i]] - widths[kept[i]] / 2 >= at[kept[i - 1]] + widths[kept[i - 1]] / 2 + 8);
    }
};
QTEST_GUILESS_MAIN(LayoutsTest)
#include "tst_layouts.moc"
