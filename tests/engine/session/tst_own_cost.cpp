// Bounds of dscope's own cost: they are watched whatever else dscope is busy with.
#include "engine/session/own_cost.h"
#include <QFile>
#include <QObject>
#include <QTest>
#include <atomic>
#include <bpf/bpf.h>
using namespace dscope;
using session::OwnCost;
class TestOwnCost : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nobodyHasToAskForALook_data()
    {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<bool>("ends");
        QTest::newRow("more than it has") << "64g" << false;
        QTest::newRow("less than it has") << "64k" << true;
    }
    /// This thread does nothing but wait, as one does that is busy with records.
    void nobodyHasToAskForALook()
    {
        QFETCH(QString, limit);
        QFETCH(bool, ends);
        const auto host = host::local();
        std::atomic<int> times = 0;
        {
            const auto cost = OwnCost::watch(with("memorylimit", limit), *host, {}, [&] { ++times; });
            QVERIFY(cost && *cost);
            if (ends) {
                QTRY_COMPARE_WITH_TIMEOUT(times.load(), 1, 60'000);
                const auto why = (*cost)->why();
                QVERIFY(why && why->find("option memorylimit allows 64k") != std::string::npos);
                QVERIFY(!(*cost)->why()); // it is said once
            } else {
                QVERIFY(!(*cost)->why());
            }
        }
        QCOMPARE(times.load(), ends ? 1 : 0);
    }
    void whoAsksForNoBoundHasNoThread()
    {
        const auto host = host::local();
        const auto cost = OwnCost::watch(options::Options{}, *host, {}, [] {});
        QVERIFY(cost && !*cost);
    }
    /// What was followed stays known when the session closes it, and the session's number may be another's by then.
    void whatIsFollowedMayBeClosed()
    {
        const auto host = host::local();
        Fd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "large", 4, 4096, 16'384, nullptr)); // 64 MiB
        if (!map) QSKIP("making a map needs root");
        std::atomic<int> times = 0;
        const auto cost = OwnCost::watch(with("memorylimit", "60m"), *host, {{}, {map.get()}}, [&] { ++times; });
        QVERIFY(cost && *cost);
        map.reset();
        QTRY_COMPARE_WITH_TIMEOUT(times.load(), 1, 60'000);
        QVERIFY((*cost)->why()->find("its maps in the kernel 64 MiB") != std::string::npos);
    }

private:
    static options::Options with(const std::string& name, const QString& value)
    {
        options::Options options;
        if (!options.set(name, value.toStdString())) qFatal("no such option");
        return options;
    }
};
QTEST_GUILESS_MAIN(TestOwnCost)
#include "tst_own_cost.moc"
