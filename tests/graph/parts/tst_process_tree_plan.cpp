// needs: graph/parts engine/record
// What of a process tree is drawn where there is room, and where there is less.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/parts/process_tree_plan.h"
#endif
using namespace dscope::graph;
namespace {
constexpr std::int64_t kMs = 1'000'000;
/// make, which starts so many compilers: each of a file of its own and longer than the one before, or all alike.
std::vector<Process> build(std::size_t compilers, bool differ)
{
    const auto process = [](std::size_t pid, const char* path, std::optional<std::size_t> parent, std::int64_t from, std::int64_t to) {
        Process p;
        p.pid = static_cast<std::uint32_t>(pid);
        p.parent = parent;
        p.start = from;
        p.end = to;
        p.images.push_back({});
        p.images.back().path = path;
        return p;
    };
    std::vector<Process> all{process(1, "/usr/bin/make", std::nullopt, 0, 1000 * kMs)};
    for (std::size_t i = 0; i < compilers; ++i) {
        all.push_back(process(2 + i, "/usr/bin/cc", 0, 0, (differ ? static_cast<std::int64_t>(i + 1) : 10) * kMs));
        all.back().images.back().args = {"cc", differ ? std::to_string(i) + ".c" : "same.c"};
    }
    return all;
}
/// How many nodes stand for one process, and of how many each other.
struct Shown {
    std::size_t single = 0;
    std::vector<std::size_t> folds;
};
Shown shownOf(const TreePlan& plan)
{
    Shown out;
    for (const auto& node : plan.nodes)
        if (node.members.size() == 1)
            ++out.single;
        else
            out.folds.push_back(node.members.size());
    return out;
}
struct Tree {
    explicit Tree(std::size_t compilers, bool differ = true) : all(build(compilers, differ)), shown(all.size())
    {
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = i;
    }
    TreeFolds folds(std::vector<std::size_t> apart = {}) const { return {all, shown, 1000 * kMs, std::move(apart)}; }
    std::vector<Process> all;
    std::vector<std::size_t> shown;
};
TreeRoom room(double width, double height) { return {.area = {0, 0, width, height, 0}}; }
} // namespace

class ProcessTreePlanTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whereThereIsRoomEqualOnesStandAlone()
    {
        const Tree tree(8);
        auto folds = tree.folds();
        const auto plan = planTree(folds, room(1200, 900));
        QCOMPARE(shownOf(plan).single, std::size_t{9});
        QVERIFY(shownOf(plan).folds.empty());
        QCOMPARE(folds.nodes({}).size(), std::size_t{9}); // whoever draws what is inside of a fold goes by the same folds
    }
    void theLongestStandAloneWhereThereIsLess()
    {
        const Tree tree(40);
        auto folds = tree.folds();
        const auto plan = planTree(folds, room(1200, 700));
        const auto shown = shownOf(plan);
        QCOMPARE(shown.folds.size(), std::size_t{1});
        QVERIFY2(shown.single > 2 && shown.single < 12, std::to_string(shown.single).c_str());
        // Those in the fold are the shortest.
        for (const auto& node : plan.nodes)
            if (node.members.size() > 1)
                for (const auto m : node.members)
                    QVERIFY(m <= node.members.size());
    }
    void whatIsEqualInAllStaysOneNodeButWhatTakesTwiceAsLong()
    {
        Tree tree(142, false);
        auto alike = tree.folds();
        QCOMPARE(shownOf(planTree(alike, room(1600, 900))).folds, std::vector<std::size_t>{142});
        tree.all[7].end = 19 * kMs;
        auto nearly = tree.folds();
        QCOMPARE(shownOf(planTree(nearly, room(1600, 900))).folds, std::vector<std::size_t>{142});
        tree.all[7].end = 20 * kMs;
        auto folds = tree.folds();
        const auto plan = planTree(folds, room(1600, 900));
        QCOMPARE(shownOf(plan).folds, std::vector<std::size_t>{141});
        QCOMPARE(shownOf(plan).single, std::size_t{2});
    }
    void aLowPageHasOneFold()
    {
        const Tree tree(8);
        auto folds = tree.folds();
        const auto shown = shownOf(planTree(folds, room(1200, 130)));
        QCOMPARE(shown.single, std::size_t{1});
        QCOMPARE(shown.folds, std::vector<std::size_t>{8});
    }
    void whereNothingIsLeftToUnfoldTextGrows()
    {
        const Tree tree(2);
        auto folds = tree.folds();
        QCOMPARE(planTree(folds, room(1600, 900)).text, 24.0);
        auto narrow = tree.folds();
        QCOMPARE(planTree(narrow, room(240, 900)).text, 12.0);
    }
    void findingsBelowKeepTheirPlace()
    {
        const Tree tree(8);
        auto folds = tree.folds();
        auto low = room(700, 700); // no panel at the side
        low.below = 570;
        const auto plan = planTree(folds, low);
        QCOMPARE(shownOf(plan).folds, std::vector<std::size_t>{8});
    }
};
QTEST_GUILESS_MAIN(ProcessTreePlanTest)
#include "tst_process_tree_plan.moc"
