#include "providers/packets.h"
namespace dscope::providers {
namespace {
#define DSCOPE_PORTS "*(uint32_t *)this->dscope_transport"
/// What synthetic() makes, which for tcp:::receive also watches whose connection is whose.
class Tcp final : public probe::Provider {
public:
    Tcp(std::unique_ptr<probe::Provider> rows, std::string sends) : m_rows(std::move(rows)), m_sends(std::move(sends)) { }
    std::string_view name() const override { return m_rows->name(); }
    std::string_view summary() const override { return m_rows->summary(); }
    std::string_view example() const override { return m_rows->example(); }
    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        return m_rows->list(host, wanted, found);
    }

    void unavailable(
        const host::Host& host, const probe::Pattern& wanted, const std::function<void(probe::Unavailable)>& found) const override
    {
        m_rows->unavailable(host, wanted, found);
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        DSCOPE_TRY(auto described, m_rows->describe(host, probe));
        if (probe.name != "receive") return described;
        const auto at = [](std::string tracepoint, std::string run) {
            return probe::Hook{.at = probe::RawTracepoint{std::move(tracepoint)}, .when = std::move(run)};
        };
        // Those that were there before tracing began show when they send. Requests and TIME_WAIT are no sockets yet, or any more.
        described.watches
            = {at("net_dev_queue",
                   m_sends
                       + " && dscope_is_full[(uintptr_t)((struct sk_buff *)raw[0])->sk]"
                         " && (dscope_socket[dscope_ends[dscope_source[this->dscope_ip], dscope_target[this->dscope_ip]], " DSCOPE_PORTS
                         "] = (uintptr_t)((struct sk_buff *)raw[0])->sk, 1)"),
                at("inet_sock_set_state",
                    "((struct sock *)raw[0])->sk_protocol == 6 && ((int)raw[2] == 1 || (int)raw[2] == 7)"
                    " && (dscope_socket[dscope_ends_of[raw[0]], dscope_ports_of[raw[0]]] = (int)raw[2] == 1 ? raw[0] : 0, 1)")};
        return described;
    }

private:
    std::unique_ptr<probe::Provider> m_rows;
    std::string m_sends;
};
} // namespace

/// Connections of TCP: their packets, how they begin, the states they go through.
/// Source of the tracepoints: include/trace/events/{net,sock}.h.
std::unique_ptr<probe::Provider> make_tcp()
{
    constexpr int kTcp = 6;
    static const auto sends = transportPacket(Packet::Sent, kTcp),
                      receives = transportPacket(Packet::Received, kTcp)
        + " && (this->dscope_owner = dscope_socket[dscope_ends[dscope_target[this->dscope_ip], dscope_source[this->dscope_ip]],"
          " " DSCOPE_PORTS " >> 16 | " DSCOPE_PORTS " << 16],"
          // A socket that is gone by now has another port.
          " this->dscope_owner = this->dscope_owner && ((struct sock *)this->dscope_owner)->__sk_common.skc_num"
          " == ntohs(((struct tcphdr *)this->dscope_transport)->dest) ? this->dscope_owner : 0, 1)";

    // The first SYN without ACK; and an RST with a sequence number of 0 and an ACK, which is the answer to a SYN (RFC 9293, 3.10.7.1).
    static const auto requests = sends
        + " && (*(uint8_t *)(this->dscope_transport + 13) & 0x12) == 0x02"
          " && ((struct sk_buff *)raw[0])->sk != NULL && ((struct inet_connection_sock *)((struct sk_buff *)raw[0])->sk)->icsk_retransmits "
          "== 0",
                      refuses = sends
        + " && (*(uint8_t *)(this->dscope_transport + 13) & 0x14) == 0x14"
          " && ((struct tcphdr *)this->dscope_transport)->seq == 0";

    // inet_sock_set_state(sock, old, new), before the socket has its new state. Source of the numbers: include/net/tcp_states.h.
    // A socket that closed its end and was not reset (no error) leaves its TIME_WAIT to a smaller one, and is closed itself.
    static const std::string changes
        = "((struct sock *)raw[0])->sk_protocol == 6 && (this->dscope_becomes = (int)raw[2] == 7"
          " && ((int)raw[1] == 5 || (int)raw[1] == 11) && ((struct sock *)raw[0])->sk_err == 0 ? 6 : (int)raw[2], 1)";
    static const auto connected = changes + " && (int)raw[1] == 2 && (int)raw[2] == 1",
                      accepted = changes + " && (int)raw[1] == 3 && (int)raw[2] == 1",
                      refused = changes + " && (int)raw[1] == 2 && (int)raw[2] == 7 && ((struct sock *)raw[0])->sk_err == 111";
    auto packet = packetArguments();
    packet.push_back({"(uintptr_t)((struct sk_buff *)this->dscope_packet)->sk", "struct sock *", "tcpsinfo_t *"});
    packet.push_back({"this->dscope_transport", "struct tcphdr *", "tcpinfo_t *"});
    auto received = packet;
    received[1].value = received[3].value = "this->dscope_owner";
    const std::vector<probe::Arg> socket{{"0", "struct sk_buff *", "pktinfo_t *"}, {"raw[0]", "struct sock *", "csinfo_t *"},
        {"raw[0]", "struct tcp_sock *", "ipinfo_t *"}, {"raw[0]", "struct sock *", "tcpsinfo_t *"},
        {"raw[0]", "struct tcp_sock *", "tcpinfo_t *"}};
    const std::vector<probe::Arg> state{{"0", "void *", {}}, {"raw[0]", "struct sock *", "csinfo_t *"}, {"0", "void *", {}},
        {"raw[0]", "struct sock *", "tcpsinfo_t *"}, {"0", "void *", {}}, {"(int)raw[1]", "int", "tcplsinfo_t *"}};
    std::vector<probe::Row> rows{
        {"accept-established", "inet_sock_set_state", "", accepted, socket},
        {"accept-refused", "net_dev_queue", "", refuses, packet},
        {"connect-established", "inet_sock_set_state", "", connected, socket},
        {"connect-refused", "inet_sock_set_state", "", refused, socket},
        {"connect-request", "net_dev_queue", "", requests, packet},
        {"receive", "netif_receive_skb", "", receives, received},
        {"send", "net_dev_queue", "", sends, packet},
        {"state-change", "inet_sock_set_state", "", changes, state},
    };
    return std::make_unique<Tcp>(
        probe::synthetic(
            {.name = "tcp", .summary = "connections of TCP: their packets, beginnings and states", .example = "tcp:::connect-established"},
            std::move(rows)),
        sends);
}
#undef DSCOPE_PORTS
} // namespace dscope::providers
