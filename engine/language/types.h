#pragma once
#include "engine/language/words.h"
#include <array>
namespace dscope::language {
/// A type that a library of D brings along.
struct Type {
    std::string_view name, summary;
};
// clang-format off
/// Of D itself, and of the providers' libraries. The members are in the .d file beside the provider.
inline constexpr auto kLibraryTypes = std::to_array<Type>({
    {"bufinfo_t", "args[0] of io probes: a block request"},
    {"conn_id_t", "a connection's number"},
    {"cpuinfo_t", "what curcpu points to"},
    {"csinfo_t", "args[1] of ip, tcp and udp probes: the state of a connection, as far as it is the same for all"},
    {"devinfo_t", "args[1] of io probes: the device"},
    {"fileinfo_t", "args[2] of io probes, and fds[]: an open file"},
    {"ifinfo_t", "args[3] of ip probes: the network interface"},
    {"in6_addr_t", "an IPv6 address"},
    {"ip6_t", "an IPv6 header of the kernel"},
    {"ipha_t", "an IPv4 header of the kernel"},
    {"ipinfo_t", "args[2] of ip, tcp and udp probes: what IPv4 and IPv6 have in common"},
    {"ipv4info_t", "args[4] of ip probes: the IPv4 header"},
    {"ipv6info_t", "args[5] of ip probes: the IPv6 header"},
    {"lwpsinfo_t", "a thread: curlwpsinfo, args[] of proc and sched probes"},
    {"netstackid_t", "a network namespace's number"},
    {"offset_t", "an offset in a file"},
    {"pktinfo_t", "args[0] of ip, tcp and udp probes: the packet"},
    {"psinfo_t", "a process: curpsinfo, args[] of proc and sched probes"},
    {"tcpinfo_t", "args[4] of tcp probes: the TCP header"},
    {"tcplsinfo_t", "args[5] of tcp:::state-change: the state before"},
    {"tcpsinfo_t", "args[3] of tcp probes: the state of the connection"},
    {"timestruc_t", "seconds and nanoseconds"},
    {"udpinfo_t", "args[4] of udp probes: the UDP header"},
    {"udpsinfo_t", "args[3] of udp probes: the state of the socket"},
    {"workinfo_t", "args[0] of workqueue:::queue and workqueue:::start: what is to be done"},
    {"wqinfo_t", "args[1] of workqueue:::queue: the queue"},
    {"zoneid_t", "a zone's number"},
});
// clang-format on
/// Of C, of the kernel and of Solaris's headers: programs use them without declaring them.
inline constexpr auto kPlainTypes
    = std::to_array<std::string_view>({"_Bool", "__be16", "__be32", "__be64", "__le16", "__le32", "__le64", "__s16", "__s32", "__s64",
        "__s8", "__u16", "__u32", "__u64", "__u8", "_dtrace_caddr_t", "blkcnt_t", "bool", "boolean_t", "caddr_t", "clock_t", "conninfo_t",
        "daddr_t", "dev_t", "dt_stack_t", "dtrace_hdl_t", "gfp_t", "gid_t", "hrtime_t", "id_t", "in_addr_t", "ino_t", "int16_t", "int32_t",
        "int64_t", "int8_t", "intmax_t", "intptr_t", "ipaddr_t", "kuid_t", "loff_t", "longlong_t", "mode_t", "nlink_t", "off_t", "pid_t",
        "processorid_t", "projid_t", "ptrdiff_t", "s16", "s32", "s64", "s8", "sector_t", "size_t", "ssize_t", "taskid_t", "time_t", "u16",
        "u32", "u64", "u8", "u_char", "u_int", "u_long", "u_longlong_t", "u_short", "uchar_t", "udplsinfo_t", "uid_t", "uint", "uint16_t",
        "uint32_t", "uint64_t", "uint8_t", "uint_t", "uintmax_t", "uintptr_t", "ulong", "ulong_t", "ulonglong_t", "ushort", "ushort_t"});
} // namespace dscope::language
