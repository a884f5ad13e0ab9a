#include "engine/syntax/names.h"
#include <algorithm>
#include <array>
namespace dscope::syntax {
namespace {
using namespace std::literals;
// Each sorted: looked up by bisection.
constexpr std::array kKeywords{"auto"sv, "break"sv, "case"sv, "char"sv, "const"sv, "continue"sv, "counter"sv, "default"sv, "do"sv,
    "double"sv, "else"sv, "enum"sv, "extern"sv, "float"sv, "for"sv, "goto"sv, "if"sv, "import"sv, "inline"sv, "int"sv, "long"sv,
    "offsetof"sv, "probe"sv, "provider"sv, "register"sv, "restrict"sv, "return"sv, "self"sv, "short"sv, "signed"sv, "sizeof"sv, "static"sv,
    "string"sv, "stringof"sv, "struct"sv, "switch"sv, "this"sv, "translator"sv, "typedef"sv, "union"sv, "unsigned"sv, "void"sv,
    "volatile"sv, "while"sv, "xlate"sv};
constexpr std::array kTypeKeywords{"char"sv, "const"sv, "double"sv, "enum"sv, "float"sv, "int"sv, "long"sv, "restrict"sv, "short"sv,
    "signed"sv, "string"sv, "struct"sv, "union"sv, "unsigned"sv, "void"sv, "volatile"sv};
constexpr std::array kKnownTypes{"_Bool"sv, "__be16"sv, "__be32"sv, "__be64"sv, "__le16"sv, "__le32"sv, "__le64"sv, "__s16"sv, "__s32"sv,
    "__s64"sv, "__s8"sv, "__u16"sv, "__u32"sv, "__u64"sv, "__u8"sv, "_dtrace_caddr_t"sv, "blkcnt_t"sv, "bool"sv, "boolean_t"sv,
    "bufinfo_t"sv, "caddr_t"sv, "clock_t"sv, "conninfo_t"sv, "cpuinfo_t"sv, "csinfo_t"sv, "daddr_t"sv, "dev_t"sv, "devinfo_t"sv,
    "dtrace_hdl_t"sv, "fileinfo_t"sv, "gfp_t"sv, "gid_t"sv, "hrtime_t"sv, "id_t"sv, "ifinfo_t"sv, "in6_addr_t"sv, "in_addr_t"sv, "ino_t"sv,
    "int16_t"sv, "int32_t"sv, "int64_t"sv, "int8_t"sv, "intmax_t"sv, "intptr_t"sv, "ipaddr_t"sv, "ipinfo_t"sv, "ipv4info_t"sv,
    "ipv6info_t"sv, "kuid_t"sv, "loff_t"sv, "longlong_t"sv, "lwpsinfo_t"sv, "mode_t"sv, "nlink_t"sv, "off_t"sv, "offset_t"sv, "pid_t"sv,
    "pktinfo_t"sv, "processorid_t"sv, "projid_t"sv, "psinfo_t"sv, "ptrdiff_t"sv, "s16"sv, "s32"sv, "s64"sv, "s8"sv, "sector_t"sv,
    "size_t"sv, "ssize_t"sv, "taskid_t"sv, "tcpinfo_t"sv, "tcplsinfo_t"sv, "tcpsinfo_t"sv, "time_t"sv, "timestruc_t"sv, "u16"sv, "u32"sv,
    "u64"sv, "u8"sv, "u_char"sv, "u_int"sv, "u_long"sv, "u_longlong_t"sv, "u_short"sv, "uchar_t"sv, "udpinfo_t"sv, "udplsinfo_t"sv,
    "udpsinfo_t"sv, "uid_t"sv, "uint"sv, "uint16_t"sv, "uint32_t"sv, "uint64_t"sv, "uint8_t"sv, "uint_t"sv, "uintmax_t"sv, "uintptr_t"sv,
    "ulong"sv, "ulong_t"sv, "ulonglong_t"sv, "ushort"sv, "ushort_t"sv, "zoneid_t"sv};
constexpr std::array kBuiltins{"alloca"sv, "arg0"sv, "arg1"sv, "arg2"sv, "arg3"sv, "arg4"sv, "arg5"sv, "arg6"sv, "arg7"sv, "arg8"sv,
    "arg9"sv, "args"sv, "avg"sv, "basename"sv, "bcopy"sv, "breakpoint"sv, "caller"sv, "chill"sv, "chip"sv, "cleanpath"sv, "clear"sv,
    "commit"sv, "copyin"sv, "copyinstr"sv, "copyinto"sv, "copyout"sv, "copyoutstr"sv, "count"sv, "cpu"sv, "curcpu"sv, "curlwpsinfo"sv,
    "curpsinfo"sv, "curthread"sv, "cwd"sv, "d_path"sv, "ddi_pathname"sv, "denormalize"sv, "dirname"sv, "discard"sv, "epid"sv, "errno"sv,
    "execargs"sv, "execname"sv, "exit"sv, "fds"sv, "freopen"sv, "ftruncate"sv, "func"sv, "getf"sv, "getmajor"sv, "getminor"sv, "gid"sv,
    "htonl"sv, "htonll"sv, "htons"sv, "id"sv, "index"sv, "inet_ntoa"sv, "inet_ntoa6"sv, "inet_ntop"sv, "ipl"sv, "json"sv, "jstack"sv,
    "lgrp"sv, "link_ntop"sv, "llquantize"sv, "lltostr"sv, "lquantize"sv, "max"sv, "min"sv, "mod"sv, "mutex_owned"sv, "mutex_owner"sv,
    "mutex_type_adaptive"sv, "mutex_type_spin"sv, "normalize"sv, "ntohl"sv, "ntohll"sv, "ntohs"sv, "panic"sv, "pcap"sv, "pid"sv, "ppid"sv,
    "print"sv, "printa"sv, "printf"sv, "probefunc"sv, "probemod"sv, "probename"sv, "probeprov"sv, "progenyof"sv, "pset"sv, "quantize"sv,
    "raise"sv, "rand"sv, "rindex"sv, "root"sv, "rw_iswriter"sv, "rw_read_held"sv, "rw_write_held"sv, "setopt"sv, "speculate"sv,
    "speculation"sv, "stack"sv, "stackdepth"sv, "stddev"sv, "stop"sv, "strchr"sv, "strjoin"sv, "strlen"sv, "strrchr"sv, "strstr"sv,
    "strtok"sv, "strtoll"sv, "substr"sv, "sum"sv, "sym"sv, "system"sv, "tid"sv, "timestamp"sv, "tolower"sv, "toupper"sv, "trace"sv,
    "tracemem"sv, "trunc"sv, "uaddr"sv, "ucaller"sv, "ufunc"sv, "uid"sv, "umod"sv, "uregs"sv, "ustack"sv, "ustackdepth"sv, "usym"sv,
    "vtimestamp"sv, "walltimestamp"sv, "zonename"sv};
struct Since {
    std::string_view word, version;
};
// Source: the versions that libdtrace's table of identifiers gives; those that illumos alone brought have its numbers.
constexpr Since kSince[] = {{"freopen", "1.1"}, {"index", "1.1"}, {"rindex", "1.1"}, {"strchr", "1.1"}, {"strrchr", "1.1"},
    {"strstr", "1.1"}, {"strtok", "1.1"}, {"substr", "1.1"}, {"func", "1.2"}, {"mod", "1.2"}, {"setopt", "1.2"}, {"sym", "1.2"},
    {"uaddr", "1.2"}, {"ucaller", "1.2"}, {"ufunc", "1.2"}, {"umod", "1.2"}, {"ustackdepth", "1.2"}, {"usym", "1.2"}, {"htonl", "1.3"},
    {"htonll", "1.3"}, {"htons", "1.3"}, {"ntohl", "1.3"}, {"ntohll", "1.3"}, {"ntohs", "1.3"}, {"inet_ntoa", "1.5"}, {"inet_ntoa6", "1.5"},
    {"inet_ntop", "1.5"}, {"link_ntop", "1.5"}, {"stddev", "1.6"}, {"llquantize", "1.6.4"}, {"pcap", "1.6.4"}, {"tolower", "1.8"},
    {"toupper", "1.8"}, {"getf", "1.10"}, {"json", "1.11"}, {"strtoll", "1.11"}, {"print", "2.0"}};
/// The next part of "1.2.1", taken off its front; 0 when none is left.
unsigned part(std::string_view& version)
{
    unsigned value = 0;
    std::size_t i = 0;
    for (; i < version.size() && version[i] >= '0' && version[i] <= '9'; ++i)
        value = value * 10 + static_cast<unsigned>(version[i] - '0');
    version.remove_prefix(std::min(version.size(), i + 1));
    return value;
}
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()) && std::is_sorted(kTypeKeywords.begin(), kTypeKeywords.end()));
static_assert(std::is_sorted(kKnownTypes.begin(), kKnownTypes.end()) && std::is_sorted(kBuiltins.begin(), kBuiltins.end()));
} // namespace

bool isKeyword(std::string_view word) { return std::binary_search(kKeywords.begin(), kKeywords.end(), word); }
bool isTypeKeyword(std::string_view word) { return std::binary_search(kTypeKeywords.begin(), kTypeKeywords.end(), word); }
bool isQualifier(std::string_view word) { return word == "const" || word == "volatile" || word == "restrict"; }
bool isKnownType(std::string_view word) { return std::binary_search(kKnownTypes.begin(), kKnownTypes.end(), word); }
bool isBuiltin(std::string_view word) { return std::binary_search(kBuiltins.begin(), kBuiltins.end(), word); }
bool isYounger(std::string_view word, std::string_view version)
{
    if (version.empty()) return false;
    const auto* row = std::find_if(std::begin(kSince), std::end(kSince), [&](const Since& s) { return s.word == word; });
    if (row == std::end(kSince)) return false;
    for (auto since = row->version; !since.empty() || !version.empty();)
        if (const auto a = part(since), b = part(version); a != b) return a > b;
    return false;
}
} // namespace dscope::syntax
