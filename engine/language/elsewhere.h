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
    Member, ///< of what curthread points to
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
    ForeignWord{Elsewhere::Variable, "curproc", "curpsinfo here, and curthread->group_leader of the kernel's own types", "FreeBSD's"},
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
    ForeignWord{Elsewhere::Function, "strcontains", "strstr() in D, which gives NULL where there is none: strstr(a, b) != NULL"},
    ForeignWord{
        Elsewhere::Function, "join", "stringof(args[0]) and its like in D: nothing joins an array of strings; execargs has a program's"},
    ForeignWord{Elsewhere::Function, "cat", "system(\"cat %s\", file) in D, with -w"},
    ForeignWord{Elsewhere::Function, "has_key", "x[key] != 0 in D: what was never assigned is 0"},
    ForeignWord{Elsewhere::Function, "bswap", "ntohs(), ntohl() and ntohll() in D"},
    ForeignWord{Elsewhere::Function, "nsecs", "the variable timestamp in D"},
    ForeignWord{Elsewhere::Function, "strcmp", "== in D, which compares strings: execname == \"ls\"", "C's"},
    ForeignWord{Elsewhere::Function, "strcasecmp", "tolower() of both and == in D", "C's"},
    ForeignWord{Elsewhere::Function, "strcat", "strjoin() in D", "C's"},
    ForeignWord{Elsewhere::Function, "strncat", "strjoin() in D", "C's"},
    ForeignWord{Elsewhere::Function, "strcpy", "= in D, which copies strings", "C's"},
    ForeignWord{Elsewhere::Function, "sprintf", "strjoin() and lltostr() in D, which make strings; printf() prints", "C's"},
    ForeignWord{Elsewhere::Function, "snprintf", "strjoin() and lltostr() in D, which make strings; printf() prints", "C's"},
    ForeignWord{Elsewhere::Function, "itoa", "lltostr() in D", "C's"},
    ForeignWord{Elsewhere::Function, "atoi", "strtoll() in D", "C's"},
    ForeignWord{Elsewhere::Function, "atol", "strtoll() in D", "C's"},
    ForeignWord{Elsewhere::Function, "strtol", "strtoll() in D", "C's"},
    ForeignWord{Elsewhere::Function, "strtoul", "strtoll() in D", "C's"},
    ForeignWord{Elsewhere::Function, "puts", "printf() or trace() in D", "C's"},
    ForeignWord{Elsewhere::Function, "echo", "printf() in D", "a shell's"},
    ForeignWord{Elsewhere::Function, "memcpy", "bcopy() in D", "C's"},
    ForeignWord{Elsewhere::Function, "malloc", "alloca() in D", "C's"},
    ForeignWord{Elsewhere::Function, "getpid", "the variable pid in D", "C's"},
    ForeignWord{Elsewhere::Function, "gettid", "the variable tid in D", "C's"},
    ForeignWord{Elsewhere::Function, "getuid", "the variable uid in D", "C's"},
    ForeignWord{Elsewhere::Function, "gettimeofday", "the variable walltimestamp in D, in nanoseconds", "C's"},
    ForeignWord{Elsewhere::Function, "sleep", "a probe in D: tick-1s fires each second", "C's"},
    ForeignWord{Elsewhere::Function, "gettimeofday_ns", "the variable walltimestamp in D; timestamp is for differences", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "gettimeofday_us", "walltimestamp / 1000 in D; timestamp is for differences", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "gettimeofday_ms", "walltimestamp / 1000000 in D; timestamp is for differences", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "gettimeofday_s", "walltimestamp / 1000000000 in D; timestamp is for differences", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "get_cycles", "the variable timestamp in D, in nanoseconds", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "ctime", "printf(\"%Y\", walltimestamp) in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "user_string", "copyinstr() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "user_string_quoted", "copyinstr() in D, which printf(\"%S\") prints with escapes", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "kernel_string", "stringof() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "println", "printf() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "log", "printf() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "print_backtrace", "stack() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "print_stack", "stack() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "print_ubacktrace", "ustack() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "ubacktrace", "ustack() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "backtrace", "stack() in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "thread_indent", "option flowindent in D (-F)", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "target", "the macro $target in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "pp", "probeprov, probemod, probefunc and probename in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "pexecname", "stringof(curthread->real_parent->comm) in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "cmdline_str", "the variable execargs in D", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "isinstr", "strstr() in D, which gives NULL where there is none: strstr(a, b) != NULL", "SystemTap's"},
    ForeignWord{Elsewhere::Function, "returnval", "arg1 of a return probe (fbt, pid) in D, arg0 of syscall:::return", "SystemTap's"},
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
    ForeignWord{Elsewhere::Member, "t_procp", "curthread->group_leader here, and D's own pid, execname and curpsinfo do in any kernel",
        "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_tid", "D's variable tid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_did", "D's variable tid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_pri", "curlwpsinfo->pr_pri in D, curthread->prio here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_epri", "curlwpsinfo->pr_pri in D, curthread->prio here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_state", "curlwpsinfo->pr_state in D, curthread->__state here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_cpu", "D's variable cpu", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_cred", "curthread->cred here, and D's own uid and gid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_lwp", "curlwpsinfo in D", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_cid", "curlwpsinfo->pr_clname in D, curthread->policy here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_bound_cpu", "curthread->cpus_ptr here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "t_start", "curthread->start_time here", "Solaris's"},
    ForeignWord{Elsewhere::Member, "p_pidp", "D's variable pid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "p_ppid", "D's variable ppid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "p_user", "D's execname and curpsinfo->pr_psargs", "Solaris's"},
    ForeignWord{Elsewhere::Member, "p_cred", "curthread->cred here, and D's own uid and gid", "Solaris's"},
    ForeignWord{Elsewhere::Member, "p_zone", "D's variable zonename", "Solaris's"},
    ForeignWord{Elsewhere::Member, "td_proc", "curthread->group_leader here, and D's own pid, execname and curpsinfo do in any kernel",
        "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "td_tid", "D's variable tid", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "td_name", "curthread->comm here", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "td_ucred", "curthread->cred here, and D's own uid and gid", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "td_priority", "curlwpsinfo->pr_pri in D, curthread->prio here", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "td_oncpu", "D's variable cpu", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "p_comm", "D's variable execname", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "p_pid", "D's variable pid", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "p_pptr", "curthread->real_parent here, and D's variable ppid", "FreeBSD's"},
    ForeignWord{Elsewhere::Member, "p_ucred", "curthread->cred here, and D's own uid and gid", "FreeBSD's"},
    ForeignWord{Elsewhere::Probe, "p", "fbt in D: fbt::vfs_read:entry", "the kernel's"},
    ForeignWord{Elsewhere::Probe, "probe", "fbt in D: fbt::vfs_read:entry", "perf's"},
    ForeignWord{
        Elsewhere::Probe, "probe_libc", "the provider of a process in D: pid$target:libc:malloc:entry with -p PID or -c COMMAND", "perf's"},
    ForeignWord{Elsewhere::Probe, "timer", "tick or profile in D: tick-1s, profile-99", "SystemTap's"},
    ForeignWord{Elsewhere::Probe, "sdt:::interrupt-start",
        "sdt:irq::irq_handler_entry here, of devices; others are sdt:irq_vectors::", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::interrupt-complete",
        "sdt:irq::irq_handler_exit here, of devices; others are sdt:irq_vectors::", "Solaris's"},
    ForeignWord{
        Elsewhere::Probe, "sdt:::callout-start", "sdt:timer::timer_expire_entry and sdt:timer::hrtimer_expire_entry here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::callout-end", "sdt:timer::timer_expire_exit and sdt:timer::hrtimer_expire_exit here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::taskq-enqueue", "workqueue:::queue here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::taskq-exec-start", "workqueue:::start here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::taskq-exec-end", "workqueue:::done here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "sdt:::pageout", "sdt:vmscan:: here", "Solaris's"},
    ForeignWord{Elsewhere::Probe, "dtmalloc", "sdt here: sdt:kmem::kmalloc, sdt:kmem::kmem_cache_alloc", "FreeBSD's"},
    ForeignWord{Elsewhere::Probe, "kinst", "no provider here: fbt has entries and returns of the kernel's functions", "FreeBSD's"},
    ForeignWord{Elsewhere::Probe, "mach_trap", "syscall here", "macOS's"},
    ForeignWord{Elsewhere::Probe, "objc", "no provider here: pid$target has the functions of a process", "macOS's"},
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
/// System calls that other systems, or C libraries, have under another name: that of Linux, or several with blanks between.
struct ForeignCall {
    std::string_view word, here;
};
// Source: syscalls(9) and the syscall provider of Solaris and macOS; syscall(2) of FreeBSD; include/uapi/asm-generic/unistd.h.
constexpr std::array kForeignCalls{
    ForeignCall{"exec", "execve"},
    ForeignCall{"exece", "execve"},
    ForeignCall{"fexecve", "execveat"},
    ForeignCall{"open64", "openat open"},
    ForeignCall{"creat64", "creat openat"},
    ForeignCall{"close_range_np", "close_range"},
    ForeignCall{"pread", "pread64"},
    ForeignCall{"pwrite", "pwrite64"},
    ForeignCall{"stat64", "newfstatat stat"},
    ForeignCall{"xstat", "newfstatat stat"},
    ForeignCall{"lstat64", "newfstatat lstat"},
    ForeignCall{"lxstat", "newfstatat lstat"},
    ForeignCall{"fstat64", "fstat newfstatat"},
    ForeignCall{"fxstat", "fstat newfstatat"},
    ForeignCall{"fstatat", "newfstatat"},
    ForeignCall{"fstatat64", "newfstatat"},
    ForeignCall{"fsat", "openat newfstatat unlinkat"},
    ForeignCall{"send", "sendto"},
    ForeignCall{"recv", "recvfrom"},
    ForeignCall{"so_socket", "socket"},
    ForeignCall{"connectx", "connect"},
    ForeignCall{"forkall", "clone fork"},
    ForeignCall{"fork1", "clone fork"},
    ForeignCall{"forksys", "clone fork"},
    ForeignCall{"rfork", "clone fork"},
    ForeignCall{"posix_spawn", "clone3 vfork execve"},
    ForeignCall{"lwp_create", "clone3 clone"},
    ForeignCall{"thr_new", "clone3 clone"},
    ForeignCall{"bsdthread_create", "clone3 clone"},
    ForeignCall{"lwp_exit", "exit"},
    ForeignCall{"lwp_kill", "tgkill"},
    ForeignCall{"lwp_park", "futex"},
    ForeignCall{"lwp_mutex_timedlock", "futex"},
    ForeignCall{"_umtx_op", "futex"},
    ForeignCall{"rexit", "exit_group"},
    ForeignCall{"_exit", "exit_group"},
    ForeignCall{"yield", "sched_yield"},
    ForeignCall{"wait", "wait4 waitid"},
    ForeignCall{"wait6", "waitid wait4"},
    ForeignCall{"waitpid", "wait4 waitid"},
    ForeignCall{"waitsys", "waitid wait4"},
    ForeignCall{"pollsys", "poll ppoll"},
    ForeignCall{"kevent", "epoll_wait epoll_ctl"},
    ForeignCall{"kqueue", "epoll_create1"},
    ForeignCall{"sigaction", "rt_sigaction"},
    ForeignCall{"sigprocmask", "rt_sigprocmask"},
    ForeignCall{"sigsuspend", "rt_sigsuspend"},
    ForeignCall{"sigpending", "rt_sigpending"},
    ForeignCall{"sigreturn", "rt_sigreturn"},
    ForeignCall{"mmap64", "mmap"},
    ForeignCall{"sigqueue", "rt_sigqueueinfo"},
    ForeignCall{"getdirentries", "getdents64"},
    ForeignCall{"getdirentries64", "getdents64"},
    ForeignCall{"unmount", "umount"},
    ForeignCall{"umount2", "umount"},
};
/// How Linux calls a system call of another system; empty where no row has it.
inline std::string_view callHere(std::string_view word)
{
    for (const auto& row : kForeignCalls)
        if (row.word == word) return row.here;
    return {};
}
/// Modules that kernels of other systems have in place of Linux's vmlinux: their scripts name them.
constexpr std::array<std::string_view, 7> kOtherKernels{"genunix", "unix", "kernel", "mach_kernel", "freebsd", "netbsd", "linux"};

/// "syscall::open:entry" of SystemTap's syscall.open, kernel.function("vfs_read"), timer.s(1) and the like; empty of others.
inline std::string fromSystemTap(std::string_view point)
{
    const auto quoted = [&](std::string_view before) -> std::string_view {
        const auto at = point.find(before);
        if (at == std::string_view::npos) return {};
        const auto from = at + before.size();
        return point.substr(from, point.find_first_of("\"@", from) - from);
    };

    const std::string when = point.find(".return") != std::string_view::npos ? "return" : "entry";
    const auto word = point.substr(0, point.find_first_of(" .,({"));
    if (word == "begin") return "BEGIN";
    if (word == "end") return "END";
    if (word == "error") return "ERROR";
    if (word == "timer") return "tick-1s, or profile-99 on each CPU";
    if (word == "syscall" || word == "nd_syscall") {
        const auto name = point.size() > word.size() + 1 ? point.substr(word.size() + 1) : std::string_view();
        return "syscall::" + std::string(name.substr(0, name.find_first_of(" .,({"))) + ":" + when;
    }
    if (word == "kernel" || word == "module") {
        if (const auto traced = quoted("trace(\""); !traced.empty()) return "sdt:::" + std::string(traced);
        return "fbt::" + std::string(quoted("function(\"")) + ":" + when;
    }
    if (word == "process") {
        if (const auto mark = quoted("mark(\""); !mark.empty())
            return "PROVIDER$target:::" + std::string(mark) + " with -p PID or -c COMMAND";
        return "pid$target::" + std::string(quoted("function(\"")) + ":" + when + " with -p PID or -c COMMAND";
    }
    return {};
}
/// What to write for a text that begins like a script of SystemTap (`probe POINT`, `global x`, `function f`); empty of others.
inline std::string systemTapHint(std::string_view text)
{
    const auto blank = text.find_first_of(" \t\n");
    const auto word = text.substr(0, blank);
    const auto next = blank == std::string_view::npos ? std::string_view::npos : text.find_first_not_of(" \t\n", blank);
    if (next == std::string_view::npos) return {};
    if (word == "global") return "SystemTap's global is not needed in D: a variable is global unless it is self->x or this->x";
    if (word == "function") return "SystemTap's function is inline in D, which has no other functions: inline int twice[int n] = 2 * n;";
    if (word != "probe") return {};
    const auto point = fromSystemTap(text.substr(next));
    return "SystemTap's probe is not written in D: a clause begins with the probe's name"
        + (point.empty() ? std::string(", as in BEGIN { ... }") : ", here " + point);
}

/// The same of a probe description, by its first word or the first two: "bpftrace's uprobe is ...". A process's number goes with it.
inline std::string foreignProbeHint(std::string_view description)
{
    for (const auto& row : kForeignWords)
        if (row.kind == Elsewhere::Probe && row.word == description) return foreignHint(Elsewhere::Probe, description);
    const auto dot = description.find('.');
    if (dot != std::string_view::npos && description.find(':') == std::string_view::npos)
        if (const auto point = fromSystemTap(description); !point.empty())
            return "SystemTap's " + std::string(description) + " is " + point + " in D";
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
