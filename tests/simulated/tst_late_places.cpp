// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// Uprobes that fire before the session has told the programs where their places are.
#include "simulated_run.h"
#include <QObject>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;

// What is probed: functions of this very file, as a process 4711 would have them that is never run.
extern "C" [[gnu::noinline, gnu::used]] int firstPlaceOfTheTest(int n) { return n + 1; }
extern "C" [[gnu::noinline, gnu::used]] int secondPlaceOfTheTest(int n) { return n + 2; }

class TestLatePlaces : public QObject {
    Q_OBJECT
    static constexpr std::size_t kIp = 16; // word of struct pt_regs. Source: arch/x86/include/asm/ptrace.h
    static constexpr std::uint64_t kMapped = 0x10'0000'0000, kCookie = 3;

    /// The process has this file mapped as a whole.
    static void mapThisFile(FakeHost& host)
    {
        char path[4096] = "";
        QVERIFY(::readlink("/proc/self/exe", path, sizeof path - 1) > 0);
        struct stat about { };
        QVERIFY(::stat(path, &about) == 0);
        char line[5000];
        std::snprintf(line, sizeof line, "%lx-%lx r-xp 00000000 fe:00 %lu %s\n", kMapped, kMapped + static_cast<std::uint64_t>(about.st_size),
            about.st_ino, path);
        host.files["/proc/4711/maps"] = line;
        host.passThrough.push_back(path);
    }
    static std::size_t firings(const SimulatedRun& run)
    {
        const auto& all = run.records();
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [](const auto& r) { return std::holds_alternative<record::Fired>(r); }));
    }
    static std::vector<record::Drop> drops(const SimulatedRun& run)
    {
        std::vector<record::Drop> all;
        for (const auto& r : run.records())
            if (const auto* drop = std::get_if<record::Drop>(&r)) all.push_back(*drop);
        return all;
    }
    static void succeeded(const Result<>& result) { QVERIFY2(result, result ? "" : result.error().message.c_str()); }

private Q_SLOTS:
    void whatFiresBeforeItsPlaceIsKnownIsCountedAndTold_data()
    {
        QTest::addColumn<QString>("program");
        // One probe alone; several, which a table tells apart; a program so long that it is in parts, which count once.
        QTest::newRow("one probe") << "pid4711::firstPlaceOfTheTest:entry { trace(1); }";
        QTest::newRow("two probes") << "pid4711::firstPlaceOfTheTest:entry, pid4711::secondPlaceOfTheTest:entry { trace(probefunc); }";
        QString longer = "pid4711::firstPlaceOfTheTest:entry, pid4711::secondPlaceOfTheTest:entry { trace(0); }\n";
        for (int i = 0; i < 60; ++i)
            longer += QString("pid4711::%1PlaceOfTheTest:entry { @a%2[execname, probefunc, strjoin(\"a\", probemod)] = quantize(arg0); }\n")
                          .arg(i % 2 ? "first" : "second")
                          .arg(i);
        QTest::newRow("a long program") << longer;
    }
    void whatFiresBeforeItsPlaceIsKnownIsCountedAndTold()
    {
        QFETCH(const QString, program);
        const std::string probe = "pid4711::firstPlaceOfTheTest:entry";
        SimulatedRun run;
        mapThisFile(run.host());
        succeeded(run.options.set("quiet", ""));
        succeeded(run.start(program.toStdString()));
        run.setTask(1);
        run.world().userRegisters[kIp] = kMapped + 0x1234;
        const SimulatedRun::Firing firing{.probe = probe, .sharedCookie = kCookie};

        // Mapped once more, and reached there, before the session has seen it.
        succeeded(run.fire(firing));
        succeeded(run.fire(firing));
        run.world().cpu = 2;
        succeeded(run.fire(firing));
        QCOMPARE(firings(run), std::size_t{0});

        // Another event's place at this address is not this one's.
        succeeded(run.place(probe, kCookie + 1, kMapped + 0x1234));
        succeeded(run.fire(firing));
        QCOMPARE(firings(run), std::size_t{0});

        succeeded(run.place(probe, kCookie, kMapped + 0x1234));
        succeeded(run.fire(firing));
        QVERIFY(firings(run) > 0);

        succeeded(run.finish());
        const std::vector<record::Drop> expected{{record::Drop::Kind::Principal, 0, 2}, {record::Drop::Kind::Principal, 2, 2}};
        QCOMPARE(drops(run), expected);
        QCOMPARE(QString::fromStdString(run.messages()), QString("dtrace: 2 drops on CPU 0\ndtrace: 2 drops on CPU 2\n"));
    }
    void withACookieOfItsOwnAPlaceIsAlwaysKnown()
    {
        SimulatedRun run;
        mapThisFile(run.host());
        succeeded(run.start("pid4711::firstPlaceOfTheTest:entry, pid4711::secondPlaceOfTheTest:entry { trace(1); }"));
        succeeded(run.fire({.probe = "pid4711::secondPlaceOfTheTest:entry"}));
        QCOMPARE(firings(run), std::size_t{1});
        succeeded(run.finish());
        QVERIFY(drops(run).empty());
    }
};
QTEST_GUILESS_MAIN(TestLatePlaces)
#include "tst_late_places.moc"
