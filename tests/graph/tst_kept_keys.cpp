#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/kept_keys.h"
#endif
using namespace dscope;
using namespace dscope::graph;
namespace {
ByteView bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string textOf(ByteView key) { return {reinterpret_cast<const char*>(key.data()), key.size()}; }
} // namespace

class KeptKeysTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalKeysHaveOneNumber()
    {
        KeptKeys keys;
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 5000; ++i)
                QCOMPARE(keys.of(bytes("key " + std::to_string(i))), static_cast<std::uint32_t>(i));
        QCOMPARE(keys.size(), std::size_t{5000});
        QCOMPARE(textOf(keys[4321]), std::string("key 4321"));
    }
    void anEmptyKeyIsAKey()
    {
        KeptKeys keys;
        QCOMPARE(keys.of({}), 0U);
        QCOMPARE(keys.of(bytes("a")), 1U);
        QCOMPARE(keys.of({}), 0U);
        QVERIFY(keys[0].empty());
    }
    void whatStaysKeepsItsOrder()
    {
        KeptKeys keys;
        for (const auto* key : {"a", "bb", "ccc", "dddd"})
            keys.of(bytes(key));
        const auto numbers = keys.keepOnly({false, true, false, true});
        QCOMPARE(numbers, (std::vector<std::uint32_t>{KeptKeys::kNone, 0, KeptKeys::kNone, 1}));
        QCOMPARE(keys.size(), std::size_t{2});
        QCOMPARE(textOf(keys[1]), std::string("dddd"));
        QCOMPARE(keys.of(bytes("bb")), 0U);
        QCOMPARE(keys.of(bytes("a")), 2U);
    }
};
QTEST_GUILESS_MAIN(KeptKeysTest)
#include "tst_kept_keys.moc"
