// Stacks of other tools: their tables, parts of bounded size, the heaviest ones, decimals.
#include "engine/record/counted_stacks.h"
#include "engine/record/wire.h"
#include "tests/support/counted.h"
#include <QObject>
#include <QTest>
#include <map>
#include <random>
#include <utility>
using namespace dscope;
using namespace dscope::record;
using namespace dscope::tests;

class CountedStacksTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsBelowANodeFollowsItAndCalleesAreInOrder()
    {
        const auto stacks = countedStacks({{"main;b;x", 1}, {"main;a", 2}, {"apart", 3}, {"main;a b", 4}, {"main;a;z", 5}});
        QStringList words;
        const auto nodes = stacks.table->nodes();
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            QVERIFY(nodes[i].caller < i);
            words << QString(static_cast<qsizetype>(stacks.table->framesOf(static_cast<std::uint32_t>(i)).size()), QChar('.'))
                    + QString::fromStdString(std::string(stacks.table->frame(nodes[i].frame).name));
        }
        QCOMPARE(words, QStringList({".apart", ".main", "..a", "...z", "..a b", "..b", "...x"}));
    }
    /// Most nodes call one other and a few call many: each pair of caller and frame has a number of its own, and keeps it.
    void aPathHasOneNodeHoweverManyThereAre()
    {
        StackTableBuilder builder;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
        std::mt19937 chance(7);
        for (int i = 0; i < 20'000; ++i) {
            std::uint32_t node = StackTable::kRoot;
            for (int depth = 0; depth < 12; ++depth) {
                const std::uint32_t frame = static_cast<std::uint32_t>(depth < 2 ? chance() % 50 : chance() % 3);
                const auto next = builder.below(node, frame);
                const auto [is, isNew] = known.try_emplace({node, frame}, next);
                QCOMPARE(next, is->second);
                if (isNew) QCOMPARE(next, static_cast<std::uint32_t>(known.size()));
                node = next;
            }
        }
        QCOMPARE(builder.size(), static_cast<std::uint32_t>(known.size() + 1));
    }
    void framesThatDifferInOneFactAreDifferent()
    {
        StackTableBuilder builder;
        std::vector<std::uint32_t> numbers;
        const NamedFrame plain{.name = "f"};
        for (const auto& frame : {plain, NamedFrame{.name = "f", .kind = Frame::Kind::Jit}, NamedFrame{.name = "f", .inlined = true},
                 NamedFrame{.name = "f", .module = "m"}, NamedFrame{.name = "f", .file = "f.c"}, NamedFrame{.name = "f", .file = "f.c", .line = 3}})
            numbers.push_back(builder.frame(frame));
        QCOMPARE(numbers, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
        QCOMPARE(builder.frame(plain), 0U);
    }
    void partsAreNoLargerThanWasAskedAndLoseNothing()
    {
        FoldedLines all;
        for (int i = 0; i < 1000; ++i)
            all.emplace_back("main;function" + std::to_string(i), i + 1);
        const auto stacks = countedStacks(all);
        FoldedLines found;
        const auto parts = inParts(stacks, 500);
        QVERIFY(parts.size() > 10);
        for (const auto& part : parts) {
            QVERIFY(encode(part).size() <= 600);
            QVERIFY(part.measuresAs(stacks));
            const auto lines = foldedLines(part);
            found.insert(found.end(), lines.begin(), lines.end());
        }
        QVERIFY(found == all);
        QCOMPARE(inParts(countedStacks({{std::string(1000, 'x'), 1}}), 500).size(), std::size_t{1}); // a stack is not cut
        QVERIFY(inParts(CountedStacks{}, 500).empty());
    }
    void whatMeasuresTheSameIsJoined()
    {
        auto time = countedStacks({{"t", 5}}), calls = countedStacks({{"c", 6}}), tenths = countedStacks({{"b", 7}});
        time.unit = StackUnit::Time;
        calls.noun = "calls";
        tenths.exponent = -1;
        const auto all = byMeasure({countedStacks({{"b", 1}}), time, countedStacks({{"a", 2}}), calls, tenths});
        QCOMPARE(all.size(), std::size_t{4});
        QVERIFY(all[0] == countedStacks({{"b", 1}, {"a", 2}}) && all[1] == time && all[2] == calls && all[3] == tenths);
        QVERIFY(all[1].table == time.table); // not copied
    }
    void theHeaviestStayInTheirOrder()
    {
        const auto kept
            = heaviest(countedStacks({{"a", 1}, {"b", 9}, {"c", 2}, {"d", 8}}), textSize(countedStacks({{"a", 1}, {"b", 2}})));
        QVERIFY((foldedLines(kept) == FoldedLines{{"b", 9}, {"d", 8}}));
    }
    void anotherRootIsBelowNone()
    {
        QVERIFY((foldedLines(below({.name = "run"}, countedStacks({{"a;b", 1}, {"a", 2}}))) == FoldedLines{{"run;a;b", 1}, {"run;a", 2}}));
    }
    void decimalsAreWhole_data()
    {
        QTest::addColumn<qlonglong>("value");
        QTest::addColumn<int>("exponent");
        QTest::addColumn<QString>("text");
        const auto row = [](qlonglong value, int exponent, const char* text) { QTest::newRow(text) << value << exponent << text; };
        row(6, -1, "0.6");
        row(60, -2, "0.6");
        row(-343, -3, "-0.343");
        row(1888, -3, "1.888");
        row(2000, -3, "2");
        row(5, 2, "500");
        row(0, -3, "0");
        row(INT64_MAX, -2, "92233720368547758.07");
    }
    void decimalsAreWhole()
    {
        QFETCH(qlonglong, value);
        QFETCH(int, exponent);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(decimalText(value, exponent)), text);
    }
    void aTableThatIsNotInOrderIsRefused()
    {
        const std::vector<NamedFrame> frames{{.name = "a"}, {.name = "b"}};
        QVERIFY(StackTableBuilder::inOrder(frames, {{}, {0, 0}, {1, 1}, {0, 1}}));
        QVERIFY(!StackTableBuilder::inOrder(frames, {{}, {0, 1}, {0, 0}}));         // siblings
        QVERIFY(!StackTableBuilder::inOrder(frames, {{}, {0, 0}, {0, 0}}));         // twice
        QVERIFY(!StackTableBuilder::inOrder(frames, {{}, {0, 0}, {0, 1}, {1, 1}})); // not behind its caller
        QVERIFY(!StackTableBuilder::inOrder(frames, {{}, {0, 2}}));                 // no such frame
        QVERIFY(!StackTableBuilder::inOrder(frames, {}));
    }
};
QTEST_GUILESS_MAIN(CountedStacksTest)
#include "tst_counted_stacks.moc"
