#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
namespace dscope::language {
/// What a word is in the language that has it.
enum class Elsewhere : std::uint8_t {
    Variable,
    Function,
    Probe,
    Number, ///< a variable that is a number there and a string here
};
/// A word of another tracer, and how D says it.
struct ForeignWord {
    Elsewhere kind;
    std::string_view word;
    std::string_view hint; ///< how D says it: the rest of a sentence that begins with the word
    std::string_view whose = "bpftrace's";
};
/// Words that D does not have here, or has by another name. Source: bpftrace(8); dtrace_vfs(4) of FreeBSD; the providers
/// of the Solaris Dynamic Tracing Guide; include/trace/events of Linux 6.1 for the names of tracepoints.
constexpr std::array kForeignWords{
    ForeignWord{Elsewhere::Variable, "comm", "execname in D"},
    ForeignWord{Elsewhere::Variable, "nsecs", "timestamp in D"},
    ForeignWord{Elsewhere::Variable, "elapsed", "timestamp minus the one that BEGIN kept, in D"},
    ForeignWord{Elsewhere::Variable, "kstack", "stack() in D"},
    ForeignWord{Elsewhere::Variable, "ustack", "ustack() in D"},
    ForeignWord{Elsewhere::Variable, "func", "probefunc in D"},
    ForeignWord{Elsewhere::Variable, "probe", "probeprov, probemod, probefunc and probename in D"},
    ForeignWord{Elsewhere::Variable, "retval", "arg1 of a return probe (fbt, pid) in D, arg0 of syscall:::return"},
    ForeignWord{Elsewhere::Variable, "curtask", "curthread in D"},
    ForeignWord{Elsewhere::Variable, "rand", "rand() in D"},
    ForeignWord{Elsewhere::Variable, "username", "uid in D, which is a number"},
    ForeignWord{Elsewhere::Number, "cgroup", "cgroupid in D"},
    ForeignWord{Elsewhere::Variable, "sarg0", "*(uint64_t *)copyin(uregs[R_SP] + 8, 8) in D"},
    ForeignWord{Elsewhere::Function, "str", "copyinstr() in D for the memory of a process, stringof() for the kernel's"},
    ForeignWord{Elsewhere::Function, "kstr", "stringof() in D"},
    ForeignWord{Elsewhere::Function, "hist", "quantize() in D, an aggregating function: @ = quantize(x)"},
    ForeignWord{Elsewhere::Function, "lhist", "lquantize() in D, an aggregating function: @ = lquantize(x, 0, 100, 10)"},
    ForeignWord{Elsewhere::Function, "stats", "avg(), min(), max() and count() in D, each in an aggregation of its own"},
    ForeignWord{Elsewhere::Function, "kstack", "stack() in D"},
    ForeignWord{Elsewhere::Function, "ksym", "sym() or func() in D"},
    ForeignWord{Elsewhere::Function, "usym", "usym() or ufunc() in D"},
    ForeignWord{Elsewhere::Function, "kaddr", "&`name in D"},
    ForeignWord{Elsewhere::Function, "reg", "uregs[R_PC] and its like in D"},
    ForeignWord{Elsewhere::Function, "buf", "tracemem(copyin(address, size), size) in D"},
    ForeignWord{Elsewhere::Function, "ntop", "inet_ntoa() or inet_ntop() in D"},
    ForeignWord{Elsewhere::Function, "time", "printf(\"%Y\", walltimestamp) in D"},
    ForeignWord{Elsewhere::Function, "strftime", "printf(\"%Y\", walltimestamp) in D"},
    ForeignWord{Elsewhere::Function, "strncmp", "== in D, which compares strings whole; substr() shortens them"},
    ForeignWord{Elsewhere::Function, "len", "strlen() in D"},
    ForeignWord{Elsewhere::Function, "zero", "clear() in D"},
    ForeignWord{Elsewhere::Function, "delete", "an assignment of 0 in D: x[key] = 0; clear() and trunc() are for aggregations"},
    ForeignWord{Elsewhere::Function, "signal", "raise() in D, with -w"},
    ForeignWord{
        Elsewhere::Function, "msgsize", "for messages of STREAMS, which Linux has not; ip probes tell a packet's size", "Solaris's"},
    ForeignWord{
        Elsewhere::Function, "msgdsize", "for messages of STREAMS, which Linux has not; ip probes tell a packet's size", "Solaris's"},
    ForeignWord{
        Elsewhere::Function, "sx_shared_held", "for a lock that Linux has not; rw_read_held() is for those of its kernel", "FreeBSD's"},
    ForeignWord{
        Elsewhere::Function, "sx_exclusive_held", "for a lock that Linux has not; rw_write_held() is for those of its kernel", "FreeBSD's"},
    ForeignWord{
        Elsewhere::Function, "sx_isexclusive", "for a lock that Linux has not; rw_iswriter() is for those of its kernel", "FreeBSD's"},
    ForeignWord{Elsewhere::Function, "memref", "not needed here: tracemem() and print() take the address itself", "FreeBSD's"},
    ForeignWord{Elsewhere::Function, "printm", "tracemem(address, size) here", "FreeBSD's"},
    ForeignWord{Elsewhere::Function, "memstr", "stringof(copyin(address, size)) here for the memory of a process", "FreeBSD's"},
    ForeignWord{Elsewhere::Function, "cgroupid",
        "the inode of the group's folder (stat -c %i FOLDER), to compare the variable cgroupid with, in D"},
    ForeignWord{Elsewhere::Function, "cgroup_path", "the variable cgroup in D"},
    ForeignWord{Elsewhere::Variable, "jailname", "container here", "FreeBSD's"},
    ForeignWord{Elsewhere::Variable, "jid", "container here, or cgroupid, which is a number", "FreeBSD's"},
    ForeignWord{Elsewhere::Probe, "kprobe", "fbt in D: fbt::vfs_read:entry"},
    ForeignWord{Elsewhere::Probe, "k", "fbt in D: fbt::vfs_read:entry"},
    ForeignWord{Elsewhere::Probe, "kretprobe", "fbt in D: fbt::vfs_read:return"},
    ForeignWord{Elsewhere::Probe, "kr", "fbt in D: fbt::vfs_read:return"},
    ForeignWord{Elsewhere::Probe, "kfunc", "fbt in D: fbt::vfs_read:entry"},
    ForeignWord{Elsewhere::Probe, "fentry", "fbt in D: fbt::vfs_read:entry"},
    ForeignWord{Elsewhere::Probe, "kretfunc", "fbt in D: fbt::vfs_read:return"},
    ForeignWord{Elsewhere::Probe, "fexit", "fbt in D: fbt::vfs_read:return"},
    ForeignWord{Elsewhere::Probe, "tracepoint", "syscall or sdt in D: syscall::openat:entry, sdt:sched::sched_switch"},
    ForeignWord{Elsewhere::Probe, "t", "syscall or sdt in D: syscall::openat:entry, sdt:sched::sched_switch"},
    ForeignWord{Elsewhere::Probe, "rawtracepoint", "rawtp in D: rawtp:::sched_switch"},
    ForeignWord{Elsewhere::Probe, "uprobe", "the provider of a process in D: pid$target:a.out:main:entry with -p PID or -c COMMAND"},
    ForeignWord{Elsewhere::Probe, "u", "the provider of a process in D: pid$target:a.out:main:entry with -p PID or -c COMMAND"},
    ForeignWord{Elsewhere::Probe, "uretprobe", "the provider of a process in D: pid$target:a.out:main:return with -p PID or -c COMMAND"},
    ForeignWord{Elsewhere::Probe, "usdt", "the mark's own provider in D: NAME$target:::MARK with -p PID or -c COMMAND"},
    ForeignWord{Elsewhere::Probe, "profile:hz", "profile in D: profile-99"},
    ForeignWord{Elsewhere::Probe, "interval", "tick in D: tick-1s"},
    ForeignWord{Elsewhere::Probe, "i", "tick in D: tick-1s"},
    ForeignWord{Elsewhere::Probe, "hardware", "cpc in D"},
    ForeignWord{Elsewhere::Probe, "software", "cpc, sysinfo or vminfo in D"},
    ForeignWord{Elsewhere::Probe, "nfsv3",
        "sdt here, where the server's module nfsd is loaded: each call is sdt:sunrpc::svc_process, with args.vers and args.procedure, "
        "reads are "
        "sdt:nfsd::nfsd_read_start. Linux's tracepoint of a call comes before the arguments are decoded, and none has the result",
        "Solaris's"},
    ForeignWord{Elsewhere::Probe, "nfsv4",
        "sdt here, where the server's module nfsd is loaded: each call is sdt:sunrpc::svc_process, operations are "
        "sdt:nfsd::nfsd_compound_status when they are done, by name and status. Linux has no tracepoint with their arguments and results",
        "Solaris's"},
    ForeignWord{Elsewhere::Probe, "nfscl",
        "sdt here, where the client's module nfs is loaded: sdt:nfs::nfs_initiate_read, sdt:nfs4::nfs4_read", "FreeBSD's"},
    ForeignWord{Elsewhere::Probe, "iscsi",
        "sdt here, where the target's module target_core_mod is loaded: sdt:target::target_sequencer_start and target_cmd_complete, of "
        "commands of SCSI. Linux's iscsi_target_mod has no tracepoint, so none knows of sessions, logins and PDUs",
        "Solaris's"},
    ForeignWord{Elsewhere::Probe, "mib",
        "no provider here: tcp, udp and ip fire for what its counters count, as tcp:::connect-request does for tcpActiveOpens",
        "Solaris's"},
    ForeignWord{Elsewhere::Probe, "plockstat",
        "no provider here: the locks of a process are functions of its C library, as pid$target:libc:pthread_mutex_lock:entry",
        "Solaris's"},
    ForeignWord{Elsewhere::Probe, "fpuinfo", "sdt here, on x86: sdt:x86_fpu::", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "xpv", "sdt here, in kernels that run on Xen: sdt:xen::", "Solaris's"},
    ForeignWord{
        Elsewhere::Probe, "vfs", "fsinfo here, by what system calls ask for: fsinfo:::read, with args[0]->fi_pathname", "FreeBSD's"},
};
/// "bpftrace's str() is copyinstr() in D ..."; empty where it is no such word.
inline std::string foreignHint(Elsewhere kind, std::string_view word)
{
    for (const auto& row : kForeignWords)
        if (row.kind == kind && row.word == word)
            return std::string(row.whose) + ' ' + std::string(word) + (kind == Elsewhere::Function ? "() is " : " is ")
                + std::string(row.hint);
    return {};
}
/// The same of a probe description, by its first word or the first two: "bpftrace's uprobe is ...". A process's number goes with it.
inline std::string foreignProbeHint(std::string_view description)
{
    const auto first = description.find(':');
    if (first == std::string_view::npos || first == 0) return {};
    const auto named = description.find_last_not_of("0123456789", first - 1) + 1; // plockstat of plockstat$target
    for (const auto word :
        {description.substr(0, first), description.substr(0, description.find(':', first + 1)), description.substr(0, named)})
        for (const auto& row : kForeignWords)
            if (row.kind == Elsewhere::Probe && row.word == word) return foreignHint(Elsewhere::Probe, word);
    return {};
}
} // namespace dscope::language
