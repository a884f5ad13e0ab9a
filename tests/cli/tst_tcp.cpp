// needs-programs: dscope
// tcp against a program whose connections are known, and what the kernel counted in its network namespace.
#include "tests/support/facts.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
using Lines = QList<QList<QByteArray>>;
class TestTcp : public QObject {
    Q_OBJECT
    Outcome m_run;
    QHash<QByteArray, QByteArray> m_facts;

    void families()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("IPv4") << QByteArray("tcp4") << QByteArray("127.0.0.1");
        QTest::newRow("IPv6") << QByteArray("tcp6") << QByteArray("::1");
        QTest::newRow("IPv4 at a socket of IPv6") << QByteArray("tcp46") << QByteArray("127.0.0.1");
    }
    /// Lines of packets from or to the known server; [0] probe, [1] source, [2] its port, [3] destination, [4] its port, ...
    Lines packets(const QByteArray& probe) const
    {
        Lines found;
        for (const auto& p : linesOf(m_run.out, "p")) {
            bool ours = false;
            for (const auto* family : {"tcp4.server", "tcp6.server", "tcp46.server"})
                ours = ours || p[2] == m_facts[family] || p[4] == m_facts[family];
            if (ours && p[0] == probe) found << p;
        }
        return found;
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QString arguments = "probename, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,"
                                  " args[2]->ip_plength, args[4]->tcp_offset, args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack,"
                                  " args[3]->tcps_iss, args[3]->tcps_snxt, args[3]->tcps_lport, args[3]->tcps_active";
        const QString print = "{ printf(\"p %s %s %d %s %d %d %d %d %u %u %u %u %d %d\\n\", " + arguments + "); }\n";
        m_run = runApart({"-qn",
            "tcp:::send, tcp:::receive " + print + "tcp:::connect-request, tcp:::accept-refused " + print
                + "tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established " + print
                + "tcp:::state-change { printf(\"s %s %d %s %d %s %s\\n\", args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,"
                  " args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }",
            "-c", QStringLiteral(DSCOPE_PROGRAMS "/known_packets")});
        QVERIFY2(m_run.status == 0, m_run.err.constData());
        m_facts = factsOf(m_run.out);
        QVERIFY(m_facts.contains("tcp6.client"));
    }
    void theKernelCountedAsMany()
    {
        QCOMPARE(packets("send").size(), m_facts["Tcp.OutSegs"].toLongLong());
        QCOMPARE(packets("receive").size(), m_facts["Tcp.InSegs"].toLongLong());
        QCOMPARE(packets("connect-request").size(), m_facts["Tcp.ActiveOpens"].toLongLong());
        QCOMPARE(packets("accept-established").size(), m_facts["Tcp.PassiveOpens"].toLongLong());
        QCOMPARE(packets("connect-refused").size(), m_facts["Tcp.AttemptFails"].toLongLong());
        QCOMPARE(packets("accept-refused").size(), m_facts["Tcp.OutRsts"].toLongLong());
        QCOMPARE(packets("connect-established").size(), 3);
    }
    void statesFollowEachOther_data() { families(); }
    void statesFollowEachOther()
    {
        QFETCH(QByteArray, family);
        QFETCH(QByteArray, address);
        const auto client = m_facts[family + ".client"], server = m_facts[family + ".server"];
        QList<QByteArray> ofClient, ofServer;
        for (const auto& s : linesOf(m_run.out, "s")) {
            if (s[0] != address || s[2] != address) continue;
            if (s[1] == client && s[3] == server) ofClient << s[4] << s[5];
            if (s[1] == server && s[3] == client) ofServer << s[4] << s[5];
        }
        QCOMPARE(ofClient,
            (QList<QByteArray>{"state-syn-sent", "state-established", "state-established", "state-fin-wait-1", "state-fin-wait-1",
                "state-fin-wait-2", "state-fin-wait-2", "state-time-wait"}));
        QCOMPARE(ofServer,
            (QList<QByteArray>{"state-listen", "state-syn-received", "state-syn-received", "state-established", "state-established",
                "state-close-wait", "state-close-wait", "state-last-ack", "state-last-ack", "state-closed"}));
    }
    void theHandshakeHasItsNumbers_data() { families(); }
    void theHandshakeHasItsNumbers()
    {
        QFETCH(QByteArray, family);
        QFETCH(QByteArray, address);
        const auto client = m_facts[family + ".client"], server = m_facts[family + ".server"];
        quint32 clientFirst = 0, serverFirst = 0;
        qint64 fromClient = 0, fromServer = 0;
        int syns = 0;
        for (const auto& p : packets("send")) {
            const bool isClient = p[2] == client && p[4] == server, isServer = p[2] == server && p[4] == client;
            if ((!isClient && !isServer) || p[1] != address || p[3] != address) continue;
            const auto flags = p[7].toInt();
            (isClient ? fromClient : fromServer) += p[5].toInt() - p[6].toInt();
            if (flags & 2) {
                ++syns;
                (isClient ? clientFirst : serverFirst) = p[8].toUInt();
                if (isServer) QCOMPARE(p[9].toUInt(), clientFirst + 1);
                continue;
            }
            QCOMPARE(p[10].toUInt(), isClient ? clientFirst : serverFirst); // tcps_iss
            QCOMPARE(p[12], isClient ? client : server);                    // tcps_lport
            QCOMPARE(p[13].toInt(), isClient ? 1 : 0);                      // tcps_active
        }
        QCOMPARE(syns, 2);
        QCOMPARE(fromClient, 100);
        QCOMPARE(fromServer, 300);
    }
    void aReceivedPacketKnowsItsSocket_data() { families(); }
    void aReceivedPacketKnowsItsSocket()
    {
        QFETCH(QByteArray, family);
        QFETCH(QByteArray, address);
        const auto client = m_facts[family + ".client"], server = m_facts[family + ".server"];
        int messages = 0;
        for (const auto& p : packets("receive")) {
            const bool toServer = p[2] == client && p[4] == server, toClient = p[2] == server && p[4] == client;
            if ((!toServer && !toClient) || p[1] != address || p[5] == p[6]) continue; // those with a message
            ++messages;
            QCOMPARE(p[12], p[4]);
            QCOMPARE(p[13].toInt(), toClient ? 1 : 0);
        }
        QCOMPARE(messages, 2);
    }
    void whoEstablishedAndWhoRefused_data() { families(); }
    void whoEstablishedAndWhoRefused()
    {
        QFETCH(QByteArray, family);
        QFETCH(QByteArray, address);
        const auto client = m_facts[family + ".client"], server = m_facts[family + ".server"];
        const auto ends = [&](const char* probe, int at) {
            QList<QByteArray> found;
            for (const auto& p : packets(probe))
                if (p[at] == server && p[1] == address && p[3] == address) found << p[at == 2 ? 4 : 2];
            return found;
        };
        // The packet that brings it about comes from the other end.
        QCOMPARE(ends("connect-established", 2), QList<QByteArray>{client});
        QCOMPARE(ends("accept-established", 4), QList<QByteArray>{client});
        QCOMPARE(ends("connect-refused", 2).size(), 1);
        // The segment that refuses, as the probe of its arrival has it: the same ports and numbers.
        const auto refused = ends("connect-refused", 2).front();
        QVERIFY(refused.toInt() > 0);
        const auto numbers = [&](const char* probe) {
            for (const auto& p : packets(probe))
                if (p[2] == server && p[4] == refused && p[1] == address && (p[7].toInt() & 4) != 0) return QList{p[8], p[9]};
            return QList<QByteArray>();
        };
        QCOMPARE(numbers("connect-refused"), numbers("receive"));
        QCOMPARE(numbers("receive").size(), 2);
        QCOMPARE(ends("accept-refused", 2).size(), 1);
        QCOMPARE(ends("connect-request", 4).size(), 2);
        QCOMPARE(ends("connect-request", 4).first(), client);
    }
};
QTEST_GUILESS_MAIN(TestTcp)
#include "tst_tcp.moc"
