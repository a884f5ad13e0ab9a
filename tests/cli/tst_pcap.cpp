// needs-programs: dscope
// pcap(): what it keeps is what tracemem() shows; files are those of libpcap, read here as its format is published.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
using namespace dscope::tests;
class TestPcap : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    /// A bash that sends a byte by UDP to this port of this machine, where nobody listens.
    static QString sender(const char* port) { return QString("/bin/bash -c exec>/dev/udp/127.0.0.1/%1;echo").arg(port); }
private Q_SLOTS:
    void wrongArgumentsAreRefused_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("tag");
        QTest::newRow("a struct") << "struct { int a; } s; BEGIN { pcap(s, 0); }" << "[D_PROTO_ARG]";
        QTest::newRow("a string") << "BEGIN { pcap(0, \"a\"); }" << "[D_PROTO_ARG]";
        QTest::newRow("none") << "BEGIN { pcap(); }" << "[D_PROTO_LEN]";
    }
    void wrongArgumentsAreRefused()
    {
        QFETCH(QString, program);
        QFETCH(QString, tag);
        const auto run = runDscope({"-x", "errtags", "-e", "-n", program});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(tag.toUtf8()), run.err.constData());
    }
    void packetsArePrintedAsTracememDoes()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-x", "pcapsize=32", "-qn", "ip:::send /pid == $target && args[4]->ipv4_protocol == 17/ { pcap((struct sk_buff *)arg0, PCAP_IP); tracemem(((struct sk_buff *)arg0)->data, 32); }", "-c", sender("59997")});
        QList<QByteArray> rows;
        for (const auto& line : run.out.split('\n'))
            if (line.startsWith("         0: ")) rows << line;
        QVERIFY2(rows.size() >= 2, run.err + run.out);
        QCOMPARE(rows[0], rows[1]);
    }
    void filesAreThoseOfLibpcap()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto path = m_dir.filePath("packets.pcap");
        QFile before(path);
        QVERIFY(before.open(QIODevice::WriteOnly) && before.write("of an earlier run") > 0);
        before.close();
        const auto run = runDscope({"-wx", "pcapsize=2k", "-qn", QString("ip:::send /pid == $target && args[4]->ipv4_protocol == 17/ { freopen(\"%1\"); pcap((struct sk_buff *)arg0, PCAP_IP); freopen(\"\"); printf(\"seen\"); }").arg(path), "-c", sender("59998")});
        QVERIFY2(run.out.contains("seen"), run.err + run.out);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        const auto word = [&](qsizetype at) { std::uint32_t w = 0; std::memcpy(&w, bytes.constData() + at, 4); return w; };
        QVERIFY(bytes.size() > 40);
        QCOMPARE(word(0), 0xa1b23c4du);
        QCOMPARE(word(16), 2048u);
        QCOMPARE(word(20), 101u); // LINKTYPE_RAW
        const auto captured = word(32);
        QCOMPARE(word(36), captured);
        const auto packet = bytes.mid(40, captured);
        QCOMPARE(packet.size(), 29); // IP 20, UDP 8, a newline
        QCOMPARE(packet.at(0), char(0x45));
        QCOMPARE(packet.mid(12, 8), QByteArray("\x7f\0\0\1\x7f\0\0\1", 8));
        QCOMPARE(quint16(quint8(packet.at(22)) << 8 | quint8(packet.at(23))), quint16(59998));
        QCOMPARE(packet.at(28), '\n');
    }
};
QTEST_GUILESS_MAIN(TestPcap)
#include "tst_pcap.moc"
