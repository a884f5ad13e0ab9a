#include "engine/record/kept_stacks.h"
#include <QObject>
#include <QTest>
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
};
QTEST_GUILESS_MAIN(TestKeptStacks)
#include "tst_kept_stacks.moc"
