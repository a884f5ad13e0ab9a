#include "engine/base/diagnostics.h"
#include <QObject>
#include <QTest>
using namespace dscope;

class TestDiagnostics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void warningsLeaveAProgramFine()
    {
        Diagnostics found;
        QVERIFY(found.ok());
        found.warning("D_X", {0, 1, 2}, "odd");
        QVERIFY(found.ok());
        found.error("D_Y", {0, 3, 4}, "wrong");
        QVERIFY(!found.ok());
        found.warning("D_Z", {0, 5, 6}, "odd again");
        QVERIFY(!found.ok());
    }
    void allAreKeptInOrderWithTheirPlaceAndRegion()
    {
        Diagnostics found;
        found.error("D_X", {1, 10, 12}, "first").hints.emplace_back("a hint");
        found.setRegion("predicate");
        found.error("D_Y", {0, 3, 4}, "second");
        found.setRegion({});
        found.warning("D_Z", {}, "third");

        const auto& all = found.all();
        QCOMPARE(all.size(), std::size_t(3));
        QVERIFY(all[0].tag == "D_X" && all[0].message == "first" && all[0].region.empty());
        QVERIFY(all[0].at.file == 1 && all[0].at.begin == 10 && all[0].at.end == 12);
        QVERIFY(all[0].hints == std::vector<std::string>{"a hint"});
        QVERIFY(all[1].message == "second" && all[1].region == "predicate" && all[1].hints.empty());
        QVERIFY(all[2].severity == Diagnostic::Severity::Warning && all[2].region.empty());
    }
};
QTEST_GUILESS_MAIN(TestDiagnostics)
#include "tst_diagnostics.moc"
