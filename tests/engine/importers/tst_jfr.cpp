// needs: engine/importers
// What jfr prints of events that are not samples: allocations, locks, waits. The text is of JDK 17, of a program of our own.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray jfrEvent(const QByteArray& name, const QByteArray& fields)
{
    return "jdk." + name + " {\n  startTime = 12:45:28.709 (2026-11-28)\n" + fields
        + "  stackTrace = [\n    J.hold(int) line: 5\n    J.main(String[]) line: 6\n  ]\n}\n\n";
}
} // namespace

class TestJfr : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindOfEventIsAMeasure_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("noun");
        QTest::addColumn<QByteArray>("stacks");
        const QByteArray thread = "  eventThread = \"my \"quoted\" thread\" (javaThreadId = 15)\n",
                         stack = "my \"quoted\" thread;J.main;J.hold ";
        QTest::newRow("samples") << jfrEvent(
            "ExecutionSample", "  sampledThread = \"my \"quoted\" thread\" (javaThreadId = 15)\n  state = \"STATE_RUNNABLE\"\n")
                                 << QByteArray("samples") << stack + "1\n";
        QTest::newRow("CPU times, of JDK 25") << jfrEvent(
            "CPUTimeSample", thread + "  failed = false\n  samplingPeriod = 10.0 ms\n  biased = false\n")
                                              << QByteArray("cpu") << stack + "10000000\n";
        QTest::newRow("allocations") << jfrEvent(
            "ObjectAllocationSample", "  objectClass = byte[] (classLoader = bootstrap)\n  weight = 240.5 kB\n" + thread)
                                     << QByteArray("allocated") << stack + "246272\n";
        // As jfr of JDK 17 prints it where the language is German.
        QTest::newRow("allocations, with a decimal comma")
            << jfrEvent("ObjectAllocationSample", "  weight = 240,5 kB\n" + thread) << QByteArray("allocated") << stack + "246272\n";
        QTest::newRow("waiting, with a decimal comma")
            << jfrEvent("JavaMonitorWait", "  duration = 1,02 s\n" + thread) << QByteArray("waiting") << stack + "1020000000\n";
        QTest::newRow("monitors") << jfrEvent("JavaMonitorEnter",
            "  duration = 59.5 ms\n  monitorClass = java.lang.Object (classLoader = bootstrap)\n  previousOwner = \"main\" (javaThreadId = "
            "1)\n"
                + thread) << QByteArray("entering monitors")
                                  << stack + "59500000\n";
        QTest::newRow("waiting") << jfrEvent("JavaMonitorWait", "  duration = 1.02 s\n" + thread) << QByteArray("waiting")
                                 << stack + "1020000000\n";
        QTest::newRow("parked") << jfrEvent("ThreadPark", "  duration = 1 m 3 s\n" + thread) << QByteArray("parked")
                                << stack + "63000000000\n";
        QTest::newRow("sleeping") << jfrEvent("ThreadSleep", "  duration = 30.1 ms\n  time = 30.0 ms\n" + thread) << QByteArray("sleeping")
                                  << stack + "30100000\n";
    }
    void everyKindOfEventIsAMeasure()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, noun);
        QCOMPARE(guessed(text), QByteArray("jfr"));
        const auto imported = read("jfr", jfrEvent("GCPhasePause", "  duration = 1.0 ms\n") + text);
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QTEST(stacksOf(*imported, noun), "stacks");
        QVERIFY2(
            warningsOf(*imported).contains("1 event of another kind is left out, the first is jdk.GCPhasePause"), warningsOf(*imported));
    }

    void overloadsDoNotMerge()
    {
        const auto event = [](const QByteArray& method) {
            return QByteArray("jdk.ExecutionSample {\n  sampledThread = \"t\" (javaThreadId = 1)\n  stackTrace = [\n    ") + method
                + " line: 5\n    J.main(String[]) line: 6\n  ]\n}\n\n";
        };
        const auto imported = read("jfr", event("J.hold(int)") + event("J.hold(long, int)") + event("J.hold(int)") + event("J.one(int)"));
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "samples"), QByteArray("t;J.main;J.hold(int) 2\nt;J.main;J.hold(long, int) 1\nt;J.main;J.one 1\n"));
    }
    void aRecordingItselfSaysWhatToDo()
    {
        const QByteArray recording("FLR\0\0\2\0\1\0\0\0\0", 12);
        QCOMPARE(guessed(recording), QByteArray("jfr"));
        const auto imported = read("jfr", recording);
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find("jfr print") != std::string::npos, imported.error().message.c_str());
    }
};
QTEST_GUILESS_MAIN(TestJfr)
#include "tst_jfr.moc"
