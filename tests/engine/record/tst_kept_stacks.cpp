#include "engine/record/kept_stacks.h"
#include <QObject>
#include <QTest>
#include <map>
#include <random>
using namespace dscope;
using namespace dscope::record;

class TestKeptStacks : public QObject {
    Q_OBJECT
    static Frame frame(std::uint64_t address, const char* function, Frame::Kind kind = Frame::Kind::User)
    {
        return {address, "a.out", function, 4, kind};
    }
    static std::vector<Frame> framesOf(const KeptStacks& stacks, std::uint32_t id)
    {
        const auto view = stacks[StackId{id}];
        return {view.begin(), view.end()};
    }
private Q_SLOTS:
    void stacksAreAsTheyWereGiven()
    {
        const std::vector<Frame> one{frame(1, "leaf"), frame(2, "caller"), frame(3, "main")};
        // Differs from it in one member at a time.
        const std::vector<Frame> other{frame(9, "leaf"), frame(2, "Caller"), frame(3, "main", Frame::Kind::Jit), truncated(Truncation::TooDeep)};
        KeptStacks stacks;
        stacks.keep(StackId{1}, one);
        stacks.keep(StackId{7}, other);
        QVERIFY(framesOf(stacks, 1) == one);
        QVERIFY(framesOf(stacks, 7) == other);
        QVERIFY(stacks[StackId{2}].empty());
        QCOMPARE(stacks.size(), std::size_t{2});
        QVERIFY(stacks[StackId{7}][3] == truncated(Truncation::TooDeep));
    }
    void aNumberMayBeGivenAnew()
    {
        KeptStacks stacks;
        const std::vector<Frame> before{frame(1, "a"), frame(2, "b")}, after{frame(2, "b"), frame(3, "c")};
        stacks.keep(StackId{1}, before);
        stacks.keep(StackId{1}, after);
        QVERIFY(framesOf(stacks, 1) == after);
        QCOMPARE(stacks.size(), std::size_t{1});
    }
    void forgettingOneLeavesWhatOthersHave()
    {
        KeptStacks stacks;
        const std::vector<Frame> one{frame(1, "leaf"), frame(2, "main")}, two{frame(5, "other"), frame(2, "main")};
        for (int round = 0; round < 1000; ++round) { // places are used again
            stacks.keep(StackId{1}, one);
            stacks.keep(StackId{2}, two);
            stacks.forget(StackId{1});
            QVERIFY(stacks[StackId{1}].empty());
            QVERIFY(framesOf(stacks, 2) == two);
            stacks.forget(StackId{3}); // never was
        }
        stacks.keep(StackId{1}, one);
        QVERIFY(framesOf(stacks, 1) == one);
        QVERIFY(framesOf(stacks, 2) == two);
    }
    /// Stacks with common callers are kept, replaced and forgotten in any order; a map of lists has the same.
    void anyOrderLeavesWhatIsKept()
    {
        std::mt19937 random(11);
        const auto some = [&random](std::size_t below) { return static_cast<std::size_t>(random() % below); };
        KeptStacks stacks;
        std::map<std::uint32_t, std::vector<Frame>> plain;
        std::size_t mostFrames = 0;
        for (int step = 0; step < 20'000; ++step) {
            const auto id = static_cast<std::uint32_t>(1 + some(200));
            if (some(3) == 0) {
                stacks.forget(StackId{id});
                plain.erase(id);
            } else {
                std::vector<Frame> frames(some(12));
                for (auto& one : frames)
                    one = frame(some(4), some(2) == 0 ? "work" : "wait");
                stacks.keep(StackId{id}, frames);
                plain[id] = frames;
            }
            mostFrames = std::max(mostFrames, stacks.frameCount());
            if (step % 500 != 0) continue;
            QCOMPARE(stacks.size(), plain.size());
            for (const auto& [number, frames] : plain)
                QVERIFY(framesOf(stacks, number) == frames);
        }
        QCOMPARE(mostFrames, std::size_t{8}); // as many as differ
        for (std::uint32_t id = 1; id <= 200; ++id)
            stacks.forget(StackId{id});
        QCOMPARE(stacks.size(), std::size_t{0});
        QVERIFY(!stacks.tellLines());
    }
    void equalFramesHaveEqualNumbers()
    {
        KeptStacks stacks;
        auto lined = frame(2, "main");
        lined.line = 7;
        stacks.keep(StackId{1}, {frame(1, "leaf"), frame(2, "main"), frame(2, "main")});
        stacks.keep(StackId{2}, {frame(2, "main"), lined});
        const auto one = stacks[StackId{1}], two = stacks[StackId{2}];
        QCOMPARE(one.number(1), one.number(2));
        QCOMPARE(one.number(1), two.number(0));
        QVERIFY(one.number(0) != one.number(1));
        QVERIFY(two.number(1) != two.number(0));
        QVERIFY(stacks.tellLines());
        stacks.forget(StackId{2});
        QVERIFY(!stacks.tellLines());
    }
};
QTEST_GUILESS_MAIN(TestKeptStacks)
#include "tst_kept_stacks.moc"
