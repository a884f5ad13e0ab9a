// Graphviz in a process of its own: it is killed when its picture is not wanted, and when it takes too long.
#include "graph/layout_patience.h"
#include "graph/layouts/apart.h"
#include "graph/layouts/layered.h"
#include "tests/support/own_children.h"
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <fcntl.h>
#include <mutex>
#include <random>
#include <thread>
#include <unistd.h>
using namespace dscope::graph;
using namespace dscope::tests;
namespace {
struct Graph {
    std::vector<NodeSize> sizes;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
};
/// dot needs minutes for 900 nodes with so many edges.
Graph dense(std::size_t nodes, std::size_t edges)
{
    std::mt19937 random(7);
    Graph g;
    g.sizes.assign(nodes, {150, 30});
    for (std::size_t i = 0; i < edges; ++i) {
        const auto from = random() % (nodes - 1);
        g.edges.emplace_back(from, from + 1 + random() % (nodes - from - 1));
    }
    return g;
}
} // namespace

class TestApart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTakesTooLongIsGivenUp()
    {
        const auto graph = dense(900, 20'000);
        const std::atomic<bool> isUnwanted = false;
        LayoutPatience patience(isUnwanted, 1);
        QVERIFY(!routed(graph.sizes, graph.edges, {10, 60}, RankDirection::Down));
        QVERIFY(patience.hasGivenUp());
        QVERIFY(!hasChild());
    }
    void whatIsNotWantedAnyMoreEnds()
    {
        const auto graph = dense(900, 20'000);
        std::atomic<bool> isUnwanted = false;
        std::thread other([&] {
            waitForChild(); // Graphviz is at work
            isUnwanted = true;
        });
        LayoutPatience patience(isUnwanted, 3600);
        QVERIFY(!routed(graph.sizes, graph.edges, {10, 60}, RankDirection::Down));
        other.join();
        QVERIFY(!patience.hasGivenUp());
        QVERIFY(!hasChild());
        // And nothing is begun for it then.
        QVERIFY(!layered(graph.sizes, graph.edges, {10, 60}));
    }
    /// A process that waits for what nobody gives it, as one does that was forked while another thread held a lock.
    void whoIsStuckIsBegunAgain()
    {
        const QTemporaryDir folder;
        const auto mark = folder.filePath(QStringLiteral("tried")).toStdString();
        std::mutex hold;
        const auto routed = apart(
            [&]() -> std::optional<Routed> {
                if (const int fd = ::open(mark.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600); fd >= 0)
                    while (true)
                        ::pause();
                return Routed{{{1, 2}}, {}};
            },
            hold);
        QVERIFY(routed);
        QCOMPARE(routed->centres.size(), std::size_t{1});
        QCOMPARE(routed->centres[0].y, 2.0);
        QVERIFY(!hasChild());
    }
    void aLargeGraphComesBackWhole()
    {
        const auto graph = dense(30, 40);
        const auto here = routed(graph.sizes, graph.edges, {10, 60}, RankDirection::Down);
        QVERIFY(here);
        QCOMPARE(here->centres.size(), std::size_t{30});
        QCOMPARE(here->routes.size(), std::size_t{40});
        const auto large = dense(60, 120);
        const auto apart = routed(large.sizes, large.edges, {10, 60}, RankDirection::Down);
        QVERIFY(apart);
        QCOMPARE(apart->centres.size(), std::size_t{60});
        QCOMPARE(apart->routes.size(), std::size_t{120});
        for (const auto& [from, to] : large.edges)
            QVERIFY(apart->centres[from].y < apart->centres[to].y);
        for (const auto& route : apart->routes)
            QCOMPARE(route.size() % 3, std::size_t{1}); // 1 + 3n points of a curve
    }
};
QTEST_GUILESS_MAIN(TestApart)
#include "tst_apart.moc"
