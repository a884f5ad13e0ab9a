#include "engine/symbols/frame_step.h"
#include <QObject>
#include <QTest>
#include <vector>
using namespace dscope;
using namespace dscope::symbols;

/// What is read of a copied stack.
class TestFrameStep : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A page that could not be copied is zeros, which must not pass for the end of a stack.
    void aPageThatWasNotCopiedTellsNothing()
    {
        constexpr std::uint64_t kFrom = 0x10ff0, kRest = 0x11000, kPage = 4096;
        const Bytes bytes(16 + 3 * kPage, std::byte{1});
        const StackCopy stack{kFrom, bytes, kRest, 2};
        for (const auto address : {kFrom, kRest, kRest + kPage - 8, kRest + 2 * kPage, kRest + 3 * kPage - 8})
            QVERIFY(stack.word(address));
        for (const auto address : {kFrom - 8, kRest + kPage, kRest + 2 * kPage - 8, kRest + 3 * kPage})
            QVERIFY(!stack.word(address));
    }
};
QTEST_GUILESS_MAIN(TestFrameStep)
#include "tst_frame_step.moc"
