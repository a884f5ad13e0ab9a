#include "engine/base/strong_id.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <type_traits>
#include <vector>
using namespace dscope;
// What must not compile is asked of the type system: an id of one kind is none of another, nor a number.
static_assert(!std::is_convertible_v<ProbeId, ClauseId> && !std::is_assignable_v<ProbeId&, ClauseId>);
static_assert(!std::is_convertible_v<std::uint32_t, ProbeId> && !std::is_convertible_v<ProbeId, std::uint32_t>);
template <typename A, typename B>
concept Comparable = requires(A a, B b)
{
    a < b;
};
static_assert(Comparable<ProbeId, ProbeId> && !Comparable<ProbeId, ClauseId> && !Comparable<ProbeId, std::uint32_t>);
static_assert(sizeof(ProbeId) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<ProbeId>);

class TestStrongId : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void idsAreOrderedAsTheirNumbers()
    {
        std::vector<ProbeId> ids{ProbeId{0xFFFFFFFF}, ProbeId{0}, ProbeId{7}, ProbeId{0x80000000}};
        std::sort(ids.begin(), ids.end());
        QVERIFY((ids == std::vector<ProbeId>{ProbeId{0}, ProbeId{7}, ProbeId{0x80000000}, ProbeId{0xFFFFFFFF}}));
    }
    void anIdIsTheFirstUntilItIsSaid() { QVERIFY(StackId() == StackId{0}); }
};
QTEST_GUILESS_MAIN(TestStrongId)
#include "tst_strong_id.moc"
