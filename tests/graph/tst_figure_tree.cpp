// From node to node of a figure's tree, past what is too narrow to be drawn.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/figure_tree.h"
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
/// root: a (a1 hidden: a2), b (b1), hidden c; above the root its caller up.
struct Tree {
    Figure figure;
    NodeId root = add(std::nullopt, "root", true), b = add(root, "b", true), a = add(root, "a", true), a1 = add(a, "a1", false),
           a2 = add(a1, "a2", true), b1 = add(b, "b1", true), b2 = add(b1, "b2", true), c = add(root, "c", false),
           up = add(root, "up", true, true), other = add(std::nullopt, "other", true);
    NodeId add(std::optional<NodeId> parent, const char* name, bool isDrawn, bool isCaller = false)
    {
        const NodeId id{static_cast<std::uint32_t>(figure.tree.size())};
        figure.tree.push_back({parent, name, 1, isCaller, isDrawn ? std::optional(ItemId{id.value}) : std::nullopt});
        return id;
    }
};
} // namespace

class FigureTreeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCallerIsTheNearestThatIsDrawn()
    {
        const Tree t;
        QVERIFY(callerOf(t.figure, t.a2) == t.a);
        QVERIFY(callerOf(t.figure, t.c) == t.root);
        QVERIFY(!callerOf(t.figure, t.root));
    }
    void belowANodeIsWhatIsDrawnWithoutAnotherBetween()
    {
        const Tree t;
        QVERIFY(drawnBelow(t.figure, t.root) == (std::vector{t.b, t.a, t.up}));
        QVERIFY(drawnBelow(t.figure, t.a) == std::vector{t.a2});
        QVERIFY(drawnBelow(t.figure, t.b2).empty());
    }
    void neighboursAreOfOneDepthSideAndRoot()
    {
        const Tree t;
        QVERIFY(beside(t.figure, t.b, 1) == t.a);
        QVERIFY(beside(t.figure, t.a, -1) == t.b);
        QVERIFY(!beside(t.figure, t.a, 1));    // c is not drawn, what calls the root is on the other side
        QVERIFY(beside(t.figure, t.b2, 1) == t.a2); // of other callers, from left to right
        QVERIFY(!beside(t.figure, t.up, 1) && !beside(t.figure, t.up, -1));
        QVERIFY(!beside(t.figure, t.root, 1)); // the other root is another tree
    }
};
QTEST_APPLESS_MAIN(FigureTreeTest)
#include "tst_figure_tree.moc"
