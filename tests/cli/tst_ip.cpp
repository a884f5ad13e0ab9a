// needs-programs: dscope
// ip against what the kernel counted in a network namespace that nobody else uses.
#include "tests/support/facts.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;
namespace {
/// The sum that a header of IPv4 carries. Source: RFC 1071.
quint16 checksum(const QList<quint16>& words)
{
    quint32 sum = 0;
    for (const auto w : words)
        sum += w;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<quint16>(~sum);
}
} // namespace
class TestIp : public QObject {
    Q_OBJECT
    /// The number of a namespace that is gone is given to the next one, of another program, while dscope still looks: what counts is
    /// what was before the command ended. `&& !over` is what programs ask.
    static constexpr auto kEnd = "int over; syscall::exit_group:entry /pid == $target/ { over = 1; } ";
    Outcome traced(const QString& program)
    {
        return runDscope({"-qn", kEnd + program, "-c", QStringLiteral(DSCOPE_PROGRAMS "/known_packets")});
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void everyPacketIsSeenOnce()
    {
        const auto run = traced("ip:::send, ip:::receive /!over/ { @n[args[3]->if_ipstack, probename, args[2]->ip_ver] = count();"
                                " @bytes[args[3]->if_ipstack, probename, args[2]->ip_ver] = sum(args[2]->ip_plength); }"
                                " END { printa(\"n%d.%s%d %@d\\n\", @n); printa(\"bytes%d.%s%d %@d\\n\", @bytes); }");
        QVERIFY2(run.status == 0, run.err.constData());
        const auto facts = factsOf(run.out);
        QVERIFY2(facts.contains("namespace"), run.out.constData());
        const auto at = [&](const char* what, const char* which) { return facts[what + facts["namespace"] + "." + which]; };
        QCOMPARE(at("n", "send4"), facts["Ip.OutRequests"]);
        QCOMPARE(at("n", "receive4"), facts["Ip.InReceives"]);
        QCOMPARE(at("n", "send6"), facts["Ip6OutRequests"]);
        QCOMPARE(at("n", "receive6"), facts["Ip6InReceives"]);
        // What the kernel counts has the headers, 40 bytes each.
        QCOMPARE(at("bytes", "send6").toLongLong() + 40 * at("n", "send6").toLongLong(), facts["Ip6OutOctets"].toLongLong());
        QCOMPARE(at("bytes", "receive6").toLongLong() + 40 * at("n", "receive6").toLongLong(), facts["Ip6InOctets"].toLongLong());
    }
    void bothEndsOfACableSeeEachPacket()
    {
        const QString script = DSCOPE_SOURCE "/tests/programs/veth_pair.sh";
        if (runDscope({"-n", script}, {}, "unshare").status != 0)
            QSKIP("needs ip (package iproute2), unshare, nsenter, bash and veth devices");
        const auto run = runApart({"-qn",
            kEnd
                + QString("ip:::send, ip:::receive /!over && args[2]->ip_ver == 4/ { @[args[3]->if_ipstack, args[3]->if_name, probename] = "
                          "count(); }"
                          " END { printa(\"%d.%s.%s %@d\\n\", @); }"),
            "-c", "unshare -n " + script});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto facts = factsOf(run.out);
        QCOMPARE(facts["near.OutRequests"], QByteArray("40"));
        for (const QByteArray end : {"near", "far"}) {
            const auto device = facts[end + ".namespace"] + '.' + end + "0.";
            QVERIFY2(facts.contains(device + "send") && facts.contains(device + "receive"), (device + '\n' + run.out + run.err).constData());
            QCOMPARE(facts[device + "send"], facts[end + ".OutRequests"]);
            QCOMPARE(facts[device + "receive"], facts[end + ".InReceives"]);
        }
    }
    void headersOfIpv4AreWhatWasSent()
    {
        const auto run = traced(
            "ip:::send /!over && args[4]->ipv4_protocol == IPPROTO_UDP/ { printf(\"p %d %d %d %d %d %d %d %d %d %d %s %d %x %x %s %s %s %s "
            "%d "
            "%s\\n\","
            " args[3]->if_ipstack, args[2]->ip_plength, args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length,"
            " args[4]->ipv4_ident, args[4]->ipv4_flags, args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protostr,"
            " args[4]->ipv4_checksum, args[4]->ipv4_src, args[4]->ipv4_dst, args[4]->ipv4_saddr, args[4]->ipv4_daddr, args[2]->ip_saddr,"
            " args[3]->if_name, args[5]->ipv6_ver, args[5]->ipv6_nextstr); }");
        QVERIFY2(run.status == 0, run.err.constData());
        const auto ours = factsOf(run.out)["namespace"];
        int seen = 0;
        for (const auto& p : linesOf(run.out, "p")) {
            if (p[0] != ours) continue;
            ++seen;
            const int length = 20 + 8 + 100 * seen;
            QCOMPARE(p.mid(1, 5), (QList<QByteArray>{QByteArray::number(length - 20), "4", "20", "0", QByteArray::number(length)}));
            QCOMPARE(p[8], QByteArray("0"));
            QCOMPARE(p.mid(9, 2), (QList<QByteArray>{"64", "UDP"}));
            QCOMPARE(p.mid(12, 8), (QList<QByteArray>{"7f000001", "7f000001", "127.0.0.1", "127.0.0.1", "127.0.0.1", "lo", "0", "<null>"}));
            const auto id = static_cast<quint16>(p[6].toInt()), fragment = static_cast<quint16>(p[7].toInt() << 12);
            QCOMPARE(static_cast<quint16>(p[11].toInt()),
                checksum({0x4500, static_cast<quint16>(length), id, fragment, 0x4011, 0x7f00, 0x0001, 0x7f00, 0x0001}));
        }
        QCOMPARE(seen, 10);
    }
    void headersOfIpv6AreWhatWasSent()
    {
        const auto run = traced(
            "ip:::receive /!over && args[5]->ipv6_nexthdr == IPPROTO_UDP/ { printf(\"p %d %d %d %d %s %d %s %s %d %s\\n\", "
            "args[3]->if_ipstack,"
            " args[2]->ip_ver, args[5]->ipv6_ver, args[5]->ipv6_plen, args[5]->ipv6_nextstr, args[5]->ipv6_hlim, args[5]->ipv6_saddr,"
            " args[5]->ipv6_daddr, args[4]->ipv4_ver, args[4]->ipv4_protostr); }");
        QVERIFY2(run.status == 0, run.err.constData());
        const auto ours = factsOf(run.out)["namespace"];
        int seen = 0;
        for (const auto& p : linesOf(run.out, "p")) {
            if (p[0] != ours) continue;
            ++seen;
            QCOMPARE(p.mid(1), (QList<QByteArray>{"6", "6", QByteArray::number(8 + 100 * seen), "UDP", "64", "::1", "::1", "0", "<null>"}));
        }
        QCOMPARE(seen, 10);
    }
};
QTEST_GUILESS_MAIN(TestIp)
#include "tst_ip.moc"
