// needs: graph
// Folded text as a tree: what grows look by look is held against what one look makes of it.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/stack_partition.h"
#include <deque>
#include <map>
#include <random>
#include <string>
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
using Line = record::FoldedLines::Line;

/// Stacks of few functions, so that many begin alike; some are there twice.
class Folded {
public:
    Folded()
    {
        std::mt19937 random(11);
        for (int i = 0; i < 4'000; ++i) {
            std::string stack = "main";
            for (auto left = random() % 12; left > 0; --left)
                stack += ";f" + std::to_string(random() % 3 + random() % 3) + (random() % 8 == 0 ? "_[k]" : "");
            m_lines.push_back({m_texts.emplace_back(stack), static_cast<std::int64_t>(1 + random() % 50)});
        }
    }
    std::span<const Line> lines() const { return m_lines; }

private:
    std::deque<std::string> m_texts;
    std::vector<Line> m_lines;
};

QString told(const StackTree& tree)
{
    QString text = QStringLiteral("%1 levels, %2 cut, kinds %3\n").arg(tree.depth).arg(tree.cutAtDepth).arg(tree.shades);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto& n = tree.nodes[i];
        text += QStringLiteral("%1%2 %3 %4 of %5, %6 nodes, kind %7, %8 frames\n")
                    .arg(QString(int(n.depth), QChar(' ')), QString::fromStdString(tree.frameOf(i).name))
                    .arg(n.self)
                    .arg(n.total)
                    .arg(n.parent)
                    .arg(n.size)
                    .arg(int(n.shade))
                    .arg(n.frames);
    }
    return text;
}
} // namespace

class StackPartitionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyLookSeesWhatOneLookWouldSee()
    {
        const Folded text;
        constexpr std::uint32_t kDepth = 9;
        GrowingTree growing(text.lines(), kDepth);
        const std::vector<std::vector<std::string_view>> focuses{{}, {"main"}, {"main", "f2"}, {"main", "f2", "f1"}, {"main", "nothing"}};
        // From afar to near and back, so that what is seen has been looked into and not.
        for (const std::int64_t least : {5'000, 300, 20, 0, 700, 1})
            for (const auto& focus : focuses) {
                QCOMPARE(told(growing.seen(least, focus)), told(partition(text.lines(), {least, SIZE_MAX, kDepth}, focus)));
                QCOMPARE(growing.total(focus), totalBelow(text.lines(), focus));
            }
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
    /// Each node of the whole tree, by its path and where it begins.
    static std::map<std::pair<std::string, std::int64_t>, std::int64_t> within(
        const StackTree& tree, std::size_t focus, double from, double to)
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
    void throughAWindowOneSeesWhatLiesInIt()
    {
        QFETCH(const double, from);
        QFETCH(const double, to);
        const Folded text;
        const std::vector<std::string_view> path{"main", "f2"};
        for (const std::size_t length : {0, 2})
            for (const std::int64_t least : {200, 5}) {
                const auto focus = std::span(path).first(length);
                GrowingTree growing(text.lines(), UINT32_MAX);
                const auto all = partition(text.lines(), {least}, focus), seen = growing.seen(least, focus, {from, to});
                QVERIFY(seen.nodes.size() < all.nodes.size());
                const auto expected = within(all, all.find(focus), from, to), found = within(seen, seen.find(focus), from, to);
                QVERIFY(!expected.empty());
                for (const auto& [node, total] : expected) // a run of small neighbours begins with another where the window does
                    if (total >= least) QVERIFY2(found.contains(node) && found.at(node) == total, node.first.c_str());
            }
    }
    void endsAreCountedAlikeWithAndWithoutTheirIndex()
    {
        const Folded text;
        auto tree = partition(text.lines(), {});
        QVERIFY(tree.nodes.size() > 3 * StackTree::kEndsEvery);
        auto plain = tree;
        plain.ends.clear();
        for (std::size_t i = 0; i < tree.nodes.size(); i += 7)
            QCOMPARE(tree.endsBefore(i), plain.endsBefore(i));
    }
};
QTEST_GUILESS_MAIN(StackPartitionTest)
#include "tst_stack_partition.moc"
