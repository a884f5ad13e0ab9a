// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
#include "engine/object/raw.h"
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
/// Keys that have a slot of their own (engine/codegen/aggregation_front.cpp), and those that find theirs taken.
class TestSlots : public QObject {
    Q_OBJECT
    static constexpr int kKeys = 200;
    static constexpr unsigned kCpus = 4;
    static Result<> fire(SimulatedRun& run, const std::string& probe, int key, unsigned cpu)
    {
        SimulatedRun::Firing firing;
        firing.probe = probe;
        firing.arguments[0] = static_cast<std::uint64_t>(key);
        run.world().cpu = cpu;
        run.setTask(1);
        return run.fire(firing);
    }
    /// Each key as often on each CPU as `times` says.
    static Result<> fireAll(SimulatedRun& run, const std::function<int(int key, unsigned cpu)>& times)
    {
        for (unsigned cpu = 0; cpu < kCpus; ++cpu)
            for (int key = 0; key < kKeys; ++key)
                for (int i = times(key, cpu); i > 0; --i)
                    DSCOPE_CHECK(fire(run, "syscall::read:entry", key, cpu));
        return {};
    }
    static int differing(int key, unsigned cpu) { return (key + static_cast<int>(cpu)) % 4; }
    /// "key sum" by line, in the order of sums and then of keys.
    static QByteArray shown(const std::function<int(int key)>& sum)
    {
        std::vector<std::pair<int, int>> rows;
        for (int key = 0; key < kKeys; ++key)
            if (sum(key) != 0) rows.emplace_back(sum(key), key);
        std::sort(rows.begin(), rows.end());
        QByteArray text;
        for (const auto& [value, key] : rows)
            text += QByteArray::number(key) + " " + QByteArray::number(value) + "\n";
        return text + "\n"; // as dtrace ends
    }
    static int onAllCpus(const std::function<int(int key, unsigned cpu)>& times, int key)
    {
        int sum = 0;
        for (unsigned cpu = 0; cpu < kCpus; ++cpu)
            sum += times(key, cpu);
        return sum;
    }
    static int countedEverywhere(int key) { return onAllCpus(differing, key); }

private Q_SLOTS:
    void moreKeysThanSlots_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isOld");
        for (const bool isOld : {false, true})
            for (const auto* value : {"count()", "sum(1)"})
                QTest::newRow(qPrintable(QString(value) + (isOld ? ", on an old kernel" : ""))) << value << isOld;
    }
    void moreKeysThanSlots()
    {
        QFETCH(const QString, value);
        QFETCH(const bool, isOld);
        SimulatedRun run;
        if (isOld) run.abilities.remove(object::Ability::AtomicExchange);
        auto done = run.start(
            "#pragma D option quiet\nsyscall::read:entry { @[arg0] = " + value.toStdString() + "; } END { printa(\"%d %@d\\n\", @); }");
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QCOMPARE(run.object().aggregationFronts.at(0).has_value(), !isOld);
        QVERIFY(fireAll(run, differing));
        QVERIFY(run.finish());
        QCOMPARE(QByteArray::fromStdString(run.output()), shown(countedEverywhere));
        QCOMPARE(run.messages(), std::string());
    }
    /// The extremes of a key are in slots of some CPUs and in the maps of others.
    void extremesOfAllCpus()
    {
        SimulatedRun run;
        QVERIFY(run.start("#pragma D option quiet\nsyscall::read:entry { @low[arg0 % 100] = min(arg0 * 10 + cpu); @high[arg0 % 100] = "
                          "max(arg0 * 10 + cpu); }"
                          " END { printa(\"%d %@d %@d\\n\", @low, @high); }"));
        QVERIFY(fireAll(run, [](int, unsigned) { return 1; }));
        QVERIFY(run.finish());
        std::string expected;
        for (int key = 0; key < 100; ++key)
            expected += std::to_string(key) + " " + std::to_string(key * 10) + " " + std::to_string((key + 100) * 10 + 3) + "\n";
        QCOMPARE(QByteArray::fromStdString(run.output()), QByteArray::fromStdString(expected + "\n"));
    }
    void whatIsClearedBeginsAtNothing()
    {
        SimulatedRun run;
        QVERIFY(run.start("#pragma D option quiet\nsyscall::read:entry { @[arg0] = sum(1); } syscall::write:entry { clear(@); }"
                          " END { printa(\"%d %@d\\n\", @); }"));
        QVERIFY(fireAll(run, [](int, unsigned) { return 3; }));
        QVERIFY(fire(run, "syscall::write:entry", 0, 1));
        QVERIFY(fireAll(run, [](int key, unsigned) { return 1 + key % 2; }));
        QVERIFY(run.finish());
        QCOMPARE(QByteArray::fromStdString(run.output()), shown([](int key) { return 4 * (1 + key % 2); }));
    }
    void whatIsTruncatedBeginsAtNothing()
    {
        SimulatedRun run;
        QVERIFY(run.start("#pragma D option quiet\nsyscall::read:entry { @[arg0] = sum(1); } syscall::write:entry { trunc(@); }"
                          " END { printa(\"%d %@d\\n\", @); }"));
        const auto once = [](int, unsigned) { return 1; };
        const auto some = [](int key, unsigned cpu) { return key % 7 == static_cast<int>(cpu) ? 2 : 0; };
        QVERIFY(fireAll(run, once));
        for (int round = 0; round < 3; ++round) {
            QVERIFY(fire(run, "syscall::write:entry", 0, 1));
            QVERIFY(fireAll(run, some));
        }
        QVERIFY(run.finish());
        QCOMPARE(QByteArray::fromStdString(run.output()), shown([&](int key) { return onAllCpus(some, key); }));
    }
    /// As if each firing interrupted another one that is about to take the very slot.
    void aSlotThatIsBeingTakenIsLeftAlone()
    {
        SimulatedRun run;
        QVERIFY(run.start("#pragma D option quiet\nsyscall::read:entry { @[arg0] = sum(1); } END { printa(\"%d %@d\\n\", @); }"));
        const auto front = run.object().aggregationFronts.at(0).value();
        QVERIFY(front.slots > 1);
        for (unsigned cpu = 0; cpu < kCpus; ++cpu)
            for (std::uint32_t i = 0; i < front.slots; ++i) {
                constexpr auto kTaken = object::SlotState::Taken;
                std::memcpy(run.valueOf(front.map, cpu).data() + i * front.slotSize(), &kTaken, sizeof kTaken);
            }
        QVERIFY(fireAll(run, differing));
        QVERIFY(run.finish());
        QCOMPARE(QByteArray::fromStdString(run.output()), shown(countedEverywhere));
    }
    void anAskedLimitHolds()
    {
        SimulatedRun run;
        QVERIFY(run.options.set("aggsize", "1k"));
        QVERIFY(run.compile("syscall::read:entry { @[arg0] = count(); }"));
        QVERIFY(!run.object().aggregationFronts.at(0));
    }
    /// The kernel lets a program name 64 maps, and each aggregation has two without slots.
    void fewAggregationsHaveSlots()
    {
        SimulatedRun run;
        std::string program = "syscall::read:entry { if (arg0) {";
        for (int i = 0; i < 25; ++i)
            program += " @a" + std::to_string(i) + "[arg0] = count();";
        QVERIFY(run.compile(program + " } }"));
        QCOMPARE(std::ranges::count_if(run.object().aggregationFronts, [](const auto& front) { return front.has_value(); }), 8);
    }
};
QTEST_GUILESS_MAIN(TestSlots)
#include "tst_slots.moc"
