#include "providers/packets.h"
namespace dscope::providers {
/// Packets of IPv4 and IPv6, as they go to and come from a device; also those that are forwarded.
/// Source of the tracepoints: include/trace/events/net.h.
std::unique_ptr<probe::Provider> make_ip()
{
    static const auto sends = ipPacket(Packet::Sent), receives = ipPacket(Packet::Received);
    auto args = packetArguments();
    args.push_back({"(uintptr_t)((struct sk_buff *)this->dscope_packet)->dev", "struct net_device *", "ifinfo_t *"});
    args.push_back({"dscope_version[this->dscope_ip] == 4 ? this->dscope_ip : 0", "struct iphdr *", "ipv4info_t *"});
    args.push_back({"dscope_version[this->dscope_ip] == 6 ? this->dscope_ip : 0", "struct ipv6hdr *", "ipv6info_t *"});
    std::vector<probe::Row> rows{
        {"receive", "netif_receive_skb", "", receives, args},
        {"send", "net_dev_queue", "", sends, args},
    };
    return probe::synthetic(
        {.name = "ip", .summary = "packets of IPv4 and IPv6, sent and received", .example = "ip:::receive"}, std::move(rows));
}
} // namespace dscope::providers
