// needs: graph
// Imported stacks as a tree, as far as somebody looks: held against sums that std::map has of the same lines.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/record/folded.h"
#include "graph/counted_tree.h"
#include "tests/support/counted.h"
#include <map>
#include <random>
#include <string>
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
/// Stacks of few functions, so that many begin alike; some are there twice.
tests::FoldedLines someLines()
{
    std::mt19937 random(11);
    tests::FoldedLines lines;
    for (int i = 0; i < 4'000; ++i) {
        std::string stack = "main";
        for (auto left = random() % 12; left > 0; --left)
            stack += ";f" + std::to_string(random() % 3 + random() % 3) + (random() % 8 == 0 ? "_[k]" : "");
        lines.emplace_back(stack, 1 + random() % 50);
    }
    return lines;
}
/// What the lines that begin with each path sum up to, and those that are no longer.
struct Sums {
    std::map<std::string, std::int64_t> total, self;
};
Sums sumsOf(const tests::FoldedLines& lines)
{
    Sums sums;
    for (const auto& [stack, value] : lines) {
        for (auto end = stack.find(';'); end != std::string::npos; end = stack.find(';', end + 1))
            sums.total[stack.substr(0, end)] += value;
        sums.total[stack] += value;
        sums.self[stack] += value;
    }
    return sums;
}
/// Each node of a tree, by its path and where it begins within `focus`.
std::map<std::pair<std::string, std::int64_t>, std::int64_t> within(const StackTree& tree, std::size_t focus, double from, double to)
{
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> out;
    const auto whole = static_cast<double>(tree.nodes[focus].total);
    std::vector<std::int64_t> starts(tree.nodes.size()), next(tree.nodes.size());
    for (std::size_t i = focus + 1; i < focus + tree.nodes[focus].size; ++i) {
        const auto& n = tree.nodes[i];
        const auto start = next[n.parent];
        next[n.parent] += n.total;
        next[i] = start;
        const bool isSeen = static_cast<double>(start + n.total) > from * whole && static_cast<double>(start) < to * whole;
        if (isSeen && n.frames == 1) out[{tree.path(i), start}] = n.total;
    }
    return out;
}
} // namespace

class CountedTreeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theWholeTreeHasEverySum()
    {
        const auto lines = someLines();
        const auto sums = sumsOf(lines);
        const auto tree = CountedTree(tests::countedStacks(lines)).seen({});
        QCOMPARE(tree.nodes.size(), sums.total.size() + 1);
        for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
            const auto path = tree.path(i);
            QCOMPARE(tree.nodes[i].total, sums.total.at(path));
            QCOMPARE(tree.nodes[i].self, sums.self.contains(path) ? sums.self.at(path) : 0);
        }
    }
    void whatIsSmallStandsTogether()
    {
        const auto lines = someLines();
        const auto sums = sumsOf(lines);
        const CountedTree counted(tests::countedStacks(lines));
        for (const std::int64_t least : {5'000, 300, 20}) {
            const auto tree = counted.seen({.least = least});
            std::size_t large = 0;
            for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
                const auto& node = tree.nodes[i];
                if (node.frames == 1) QCOMPARE(node.total, sums.total.at(tree.path(i)));
                large += node.frames == 1 && node.total >= least ? 1 : 0;
            }
            const auto expected = std::count_if(sums.total.begin(), sums.total.end(), [&](const auto& sum) { return sum.second >= least; });
            QCOMPARE(large, static_cast<std::size_t>(expected));
        }
    }
    void aFocusIsFoundWithTheMarkOfAKindAndWithout()
    {
        const CountedTree counted(tests::countedStacks({{"main;f_[k];a", 3}, {"main;f;b", 4}, {"main;g;c", 5}}));
        const std::vector<std::string_view> both{"main", "f"}, kernel{"main", "f_[k]"};
        QCOMPARE(counted.total(both), std::int64_t{7});
        QCOMPARE(counted.total(kernel), std::int64_t{3});
        const auto tree = counted.seen({}, both);
        QCOMPARE(tree.nodes[tree.find(std::vector<std::string_view>{"main", "f", "b"})].total, std::int64_t{4});
        QCOMPARE(tree.find(std::vector<std::string_view>{"main", "g", "c"}), std::size_t{0}); // is not looked into
        QCOMPARE(tree.nodes.front().total, std::int64_t{12});
    }
    void throughAWindowOneSeesWhatLiesInIt_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("left") << 0.0 << 0.1;
        QTest::newRow("middle") << 0.4 << 0.6;
        QTest::newRow("narrow") << 0.512 << 0.513;
        QTest::newRow("right") << 0.9 << 1.0;
    }
    void throughAWindowOneSeesWhatLiesInIt()
    {
        QFETCH(const double, from);
        QFETCH(const double, to);
        const CountedTree counted(tests::countedStacks(someLines()));
        const std::vector<std::string_view> path{"main", "f2"};
        for (const std::size_t length : {0, 2})
            for (const std::int64_t least : {200, 5}) {
                const auto focus = std::span(path).first(length);
                const auto all = counted.seen({.least = least}, focus), seen = counted.seen({.least = least, .from = from, .to = to}, focus);
                QVERIFY(seen.nodes.size() < all.nodes.size());
                const auto expected = within(all, all.find(focus), from, to), found = within(seen, seen.find(focus), from, to);
                QVERIFY(!expected.empty());
                for (const auto& [node, total] : expected) // a run of small neighbours begins with another where the window does
                    if (total >= least) QVERIFY2(found.contains(node) && found.at(node) == total, node.first.c_str());
            }
    }
    void aTreeOfTooManyNodesEndsEarly()
    {
        const CountedTree counted(tests::countedStacks(someLines()));
        QCOMPARE(counted.seen({.nodes = 50}).nodes.size(), std::size_t{51});
    }
    void linesOfOneMeasureLeaveOutTheNodesOfOthers()
    {
        const auto all = tests::countedStacks({{"main;a", 1}, {"main;b", 2}});
        const auto one = record::withStacks(all, {all.all().back()});
        QCOMPARE(CountedTree(one).seen({}).nodes.size(), std::size_t{3});
    }
    void endsAreCountedAlikeWithAndWithoutTheirIndex()
    {
        auto tree = CountedTree(tests::countedStacks(someLines())).seen({});
        QVERIFY(tree.nodes.size() > 3 * StackTree::kEndsEvery);
        auto plain = tree;
        plain.ends.clear();
        for (std::size_t i = 0; i < tree.nodes.size(); i += 7)
            QCOMPARE(tree.endsBefore(i), plain.endsBefore(i));
    }
};
QTEST_GUILESS_MAIN(CountedTreeTest)
#include "tst_counted_tree.moc"
