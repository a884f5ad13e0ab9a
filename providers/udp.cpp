#include "providers/packets.h"
namespace dscope::providers {
/// Datagrams of UDP, as they go to and come from a device.
/// Source of the tracepoints: include/trace/events/net.h.
std::unique_ptr<probe::Provider> make_udp()
{
    constexpr int kUdp = 17;
    static const auto sends = transportPacket(Packet::Sent, kUdp), receives = transportPacket(Packet::Received, kUdp);
    auto args = packetArguments();
    args.push_back({"(uintptr_t)((struct sk_buff *)this->dscope_packet)->sk", "struct sock *", "udpsinfo_t *"});
    args.push_back({"this->dscope_transport", "struct udphdr *", "udpinfo_t *"});
    std::vector<probe::Row> rows{
        {"receive", "netif_receive_skb", "", receives, args},
        {"send", "net_dev_queue", "", sends, args},
    };
    return probe::synthetic({.name = "udp", .summary = "datagrams of UDP, sent and received", .example = "udp:::send"}, std::move(rows));
}
} // namespace dscope::providers
