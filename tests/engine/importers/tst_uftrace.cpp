// needs: engine/importers
// uftrace's replay and dump. The texts are of uftrace 0.13, of a program of our own; the times are those of `uftrace report`.
#include "tests/support/call_profiles.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestUftrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySelectionOfColumnsHasTheSameCalls_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("replay") << QByteArray(
            "# DURATION     TID     FUNCTION\n            [ 14923] | main() {\n            [ 14923] |   a(12) {\n"
            "   1.864 us [ 14923] |     std::vector<int>::push_back(\"x(\");\n   2.295 us [ 14923] |   } = 3; /* a */\n"
            "   1.100 ms [ 14923] |   /* linux:schedule */\n   1.103 ms [ 14923] | } /* main */\n");
        QTest::newRow("duration alone") << QByteArray("# DURATION    FUNCTION\n            | main() {\n            |   a() {\n"
                                                      "   1.864 us |     std::vector<int>::push_back() = 1;\n   2.295 us |   } /* a */\n"
                                                      "   1.100 ms |   /* linux:schedule */\n   1.103 ms | } /* main */\n");
        QTest::newRow("all columns") << QByteArray(
            "# DURATION     TID      ADDRESS        TIMESTAMP       ELAPSED           TASK NAME      MODULE NAME   FUNCTION\n"
            "            [ 14923] 561e5268c3aa     2712.512718783  11.072 ms               u                u | main() {\n"
            "            [ 14923] 561e5268c327     2712.512818590  11.172 ms               u                u |   a() {\n"
            "   1.864 us [ 14923] 561e5268c2b2     2712.512818660  11.172 ms               u                u |     "
            "std::vector<int>::push_back();\n"
            "   2.295 us [ 14923] 561e5268c327     2712.512820885  11.174 ms               u                u |   } /* a */\n"
            "   1.100 ms [ 14923]                  2712.512942713  11.296 ms               u                u |   /* linux:schedule */\n"
            "   1.103 ms [ 14923] 561e5268c3aa     2712.514042713  12.396 ms               u                u | } /* main */\n");
    }
    void everySelectionOfColumnsHasTheSameCalls()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(guessed(text), QByteArray("uftrace"));
        const auto imported = read("uftrace", text);
        QVERIFY(imported);
        QVERIFY2(imported->notUnderstood == 0, imported->firstLine.c_str());
        QCOMPARE(stacksOf(*imported, "time"),
            QByteArray("main 705\nmain;a 431\nmain;a;std::vector<int>::push_back 1864\nmain;linux:schedule 1100000\n"));
    }

    void threadsDoNotNest()
    {
        const auto imported = read("uftrace",
            "# DURATION     TID     FUNCTION\n            [     1] | main() {\n            [     2] | th() {\n"
            "   1.000 us [     1] |   a();\n   2.000 us [     2] | } /* th */\n   5.000 us [     1] | } /* main */\n");
        QVERIFY(imported);
        QCOMPARE(stacksOf(*imported, "time"), QByteArray("thread 1;main 4000\nthread 1;main;a 1000\nthread 2;th 2000\n"));
    }

    void aDumpHasCallsAndTheirTimes()
    {
        const QByteArray text = "uftrace file header: magic         = 4674726163652100\n\nreading 7.dat\n"
                                "2712.512718783      7: [entry] main(561e5268c3aa) depth: 0\n2712.512818590      7: [entry] "
                                "ns::a(int)(561e5268c327) depth: 1\n"
                                "2712.512820885      7: [exit ] ns::a(int)(561e5268c327) depth: 1\n2712.512820900      7: [event] "
                                "linux:task-name(100000006) depth: 0\n2712.512825000      7: [event] linux:sched-out (pre-empted)(200007)\n"
                                "2712.512830885      7: [exit ] main(561e5268c3aa) depth: 0\n";
        for (const auto& part : {text, text.mid(text.indexOf("2712"))}) {
            QCOMPARE(guessed(part), QByteArray("uftrace"));
            const auto imported = read("uftrace", part);
            QVERIFY(imported);
            QCOMPARE(imported->notUnderstood, std::size_t{0});
            QCOMPARE(stacksOf(*imported, "time"), QByteArray("main 109807\nmain;ns::a 2295\n"));
            QVERIFY(warningsOf(*imported).contains("2 events of other kinds"));
            QVERIFY(warningsOf(*imported).contains("in which their thread did not run: 1 events"));
        }
    }
};
QTEST_GUILESS_MAIN(TestUftrace)
#include "tst_uftrace.moc"
