// needs-programs: dscope
// udp against a program whose datagrams are known.
#include "tests/support/facts.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestUdp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void everyDatagramIsSeenWithItsEnds_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("IPv4") << QByteArray("udp4") << QByteArray("127.0.0.1");
        QTest::newRow("IPv6") << QByteArray("udp6") << QByteArray("::1");
    }
    void everyDatagramIsSeenWithItsEnds()
    {
        QFETCH(QByteArray, family);
        QFETCH(QByteArray, address);
        const auto run = runDscope({"-qn",
            "udp:::send, udp:::receive { printf(\"d %s %s %d %s %d %d %d %d %s\\n\", probename, args[2]->ip_saddr, args[4]->udp_sport,"
            " args[2]->ip_daddr, args[4]->udp_dport, args[4]->udp_length, args[2]->ip_plength, args[3]->udps_lport, args[3]->udps_laddr); "
            "}",
            "-c", QStringLiteral(DSCOPE_PROGRAMS "/known_packets")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto facts = factsOf(run.out);
        const auto client = facts[family + ".client"], server = facts[family + ".server"];
        QHash<QByteArray, int> seen;
        for (const auto& d : linesOf(run.out, "d")) {
            if (d[1] != address || d[2] != client || d[4] != server) continue;
            const auto length = QByteArray::number(8 + 100 * ++seen[d[0]]);
            QCOMPARE(d[3], address);
            QCOMPARE(d[5], length);
            QCOMPARE(d[6], length);
            if (d[0] == "send") {
                QCOMPARE(d[7], client);
                QCOMPARE(d[8], address);
            }
        }
        const bool six = family == "udp6";
        QCOMPARE(QByteArray::number(seen["send"]), facts[six ? "Udp6OutDatagrams" : "Udp.OutDatagrams"]);
        QCOMPARE(QByteArray::number(seen["receive"]), facts[six ? "Udp6InDatagrams" : "Udp.InDatagrams"]);
        QCOMPARE(seen, (QHash<QByteArray, int>{{"send", 10}, {"receive", 10}}));
    }
};
QTEST_GUILESS_MAIN(TestUdp)
#include "tst_udp.moc"
