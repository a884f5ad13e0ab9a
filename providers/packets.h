#pragma once
#include "engine/probe/provider.h"
#include <string>
/// D text shared by ip, tcp and udp: it finds the headers of a packet that the kernel sends or receives. providers/ip.d
/// declares its this-> variables.
namespace dscope::providers {
/// net_dev_queue(struct sk_buff *): on its way to a device; its headers are where the stack put them.
constexpr std::string_view kSent
    = "this->dscope_packet = raw[0],"
      "this->dscope_ip = (uintptr_t)(((struct sk_buff *)raw[0])->head + ((struct sk_buff *)raw[0])->network_header)";
/// netif_receive_skb(struct sk_buff *): come from a device, whose own header is done with. Not what is meant for others
/// (PACKET_OTHERHOST), nor what a bridge or bond will receive once more as its own.
constexpr std::string_view kReceived = "this->dscope_packet = raw[0], this->dscope_ip = (uintptr_t)((struct sk_buff *)raw[0])->data";
constexpr std::string_view kForUs = "((struct sk_buff *)raw[0])->pkt_type != 3 && ((struct sk_buff *)raw[0])->dev->rx_handler == NULL";
/// Is it IP (ETH_P_IP, ETH_P_IPV6 in the order of the wire)?
constexpr std::string_view kIsIp = "(((struct sk_buff *)raw[0])->protocol == 0x0008 || ((struct sk_buff *)raw[0])->protocol == 0xdd86)";

/// Which way a packet goes.
enum class Packet : std::uint8_t { Sent, Received };

/// The condition of a hook at one of the two: a packet of IP, its header in this->dscope_ip.
inline std::string ipPacket(Packet packet)
{
    const bool received = packet == Packet::Received;
    return std::string(kIsIp) + (received ? " && " + std::string(kForUs) : std::string()) + " && ("
        + std::string(received ? kReceived : kSent) + ", this->dscope_ip != 0)";
}
/// The same for a packet that begins with the header of a protocol (6 TCP, 17 UDP), which is in this->dscope_transport then:
/// not the later fragments.
inline std::string transportPacket(Packet packet, int protocol)
{
    const auto number = std::to_string(protocol);
    return ipPacket(packet)
        + " && (this->dscope_transport = dscope_version[this->dscope_ip] == 4"
          " ? (((struct iphdr *)this->dscope_ip)->protocol == "
        + number
        + " && (((struct iphdr *)this->dscope_ip)->frag_off & 0xff1f) == 0"
          " ? this->dscope_ip + ((struct iphdr *)this->dscope_ip)->ihl * 4 : 0)"
          " : ((struct ipv6hdr *)this->dscope_ip)->nexthdr == "
        + number + " ? this->dscope_ip + 40 : 0, this->dscope_transport != 0)";
}
/// args[0] to args[2]: the packet, its connection, its addresses.
inline std::vector<probe::Arg> packetArguments()
{
    return {{"this->dscope_packet", "struct sk_buff *", "pktinfo_t *"},
        {"(uintptr_t)((struct sk_buff *)this->dscope_packet)->sk", "struct sock *", "csinfo_t *"},
        {"this->dscope_ip", "struct iphdr *", "ipinfo_t *"}};
}
} // namespace dscope::providers
