#include "engine/base/interned.h"
#include <QObject>
#include <QTest>
#include <string>
#include <unordered_map>
#include <vector>
using namespace dscope;

class TestInterned : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// std::unordered_map, numbered by hand, is the oracle.
    void eachTextHasOneNumberInTheOrderOfItsComing()
    {
        std::vector<std::string> texts{"", std::string(1, '\0'), std::string("a\0b", 3), "a", std::string(200'000, 'x')};
        for (int i = 0; i < 30'000; ++i)
            texts.push_back(std::to_string(i % 9'000) + std::string(static_cast<std::size_t>(i % 23), 'y'));

        Interned interned;
        std::unordered_map<std::string, std::uint32_t> expected;
        std::vector<std::string> order;
        std::vector<std::string_view> views;
        for (const auto& text : texts) {
            const auto [at, isNew] = expected.try_emplace(text, static_cast<std::uint32_t>(expected.size()));
            QCOMPARE(interned.find(text).has_value(), !isNew);
            QCOMPARE(interned.of(text), at->second);
            QCOMPARE(*interned.find(text), at->second);
            if (!isNew) continue;
            order.push_back(text);
            views.push_back(interned.text(at->second));
        }

        QCOMPARE(std::size_t(interned.size()), order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            QVERIFY(interned.text(static_cast<std::uint32_t>(i)) == order[i]);
            QVERIFY(views[i] == order[i]); // growing moved nothing
        }
        QVERIFY(!interned.find("never seen"));
    }
    /// Hashes of texts that differ in one byte, at any place, differ too: else such texts would all share one place of the table.
    void textsThatDifferInOneByteHaveDifferentHashes_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {1, 2, 7, 8, 9, 15, 16, 17, 64})
            QTest::addRow("%d bytes", length) << length;
    }
    void textsThatDifferInOneByteHaveDifferentHashes()
    {
        QFETCH(int, length);
        const std::string text(static_cast<std::size_t>(length), 'a');
        for (std::size_t i = 0; i < text.size(); ++i) {
            auto other = text;
            other[i] = 'b';
            QVERIFY(hashOf(other) != hashOf(text));
        }
        QVERIFY(hashOf(text) != hashOf(text + '\0'));
    }
};
QTEST_GUILESS_MAIN(TestInterned)
#include "tst_interned.moc"
