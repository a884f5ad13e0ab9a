#include "engine/sema/base_library.h"
#include "engine/host/processor.h"
#include <string>
#include <sys/syscall.h>
#include <utility>
namespace dscope::sema {
namespace {
// Source: include/uapi/asm-generic/errno.h, arch/x86/include/uapi/asm/signal.h, include/uapi/asm-generic/siginfo.h,
// include/linux/socket.h; boolean_t: <sys/types.h> of Solaris; registers: struct pt_regs of x86-64, then DS, ES, FS, GS and
// the trap; PCAP_: <pcap/dlt.h>; the faults: Solaris Dynamic Tracing Guide, "dtrace Provider", table of ERROR probe values.
constexpr std::string_view kText = R"dlib(
inline int PCAP_NULL = 0; inline int PCAP_ETHER = 1; inline int PCAP_PPP = 9; inline int PCAP_IP = 12;
inline int PCAP_WIFI = 105; inline int PCAP_IPOIB = 242;
inline int NULL = 0; inline int EPERM = 1; inline int ENOENT = 2; inline int ESRCH = 3; inline int EINTR = 4;
inline int EIO = 5; inline int ENXIO = 6; inline int E2BIG = 7; inline int ENOEXEC = 8; inline int EBADF = 9;
inline int ECHILD = 10; inline int EAGAIN = 11; inline int ENOMEM = 12; inline int EACCES = 13; inline int EFAULT = 14;
inline int ENOTBLK = 15; inline int EBUSY = 16; inline int EEXIST = 17; inline int EXDEV = 18; inline int ENODEV = 19;
inline int ENOTDIR = 20; inline int EISDIR = 21; inline int EINVAL = 22; inline int ENFILE = 23; inline int EMFILE = 24;
inline int ENOTTY = 25; inline int ETXTBSY = 26; inline int EFBIG = 27; inline int ENOSPC = 28; inline int ESPIPE = 29;
inline int EROFS = 30; inline int EMLINK = 31; inline int EPIPE = 32; inline int EDOM = 33; inline int ERANGE = 34;
inline int EDEADLOCK = 35; inline int ENAMETOOLONG = 36; inline int ENOLCK = 37; inline int ENOSYS = 38;
inline int ENOTEMPTY = 39; inline int ELOOP = 40; inline int ENOMSG = 42; inline int EIDRM = 43; inline int ECHRNG = 44;
inline int EL2NSYNC = 45; inline int EL3HLT = 46; inline int EL3RST = 47; inline int ELNRNG = 48; inline int EUNATCH = 49;
inline int ENOCSI = 50; inline int EL2HLT = 51; inline int EBADE = 52; inline int EBADR = 53; inline int EXFULL = 54;
inline int ENOANO = 55; inline int EBADRQC = 56; inline int EBADSLT = 57; inline int EBFONT = 59; inline int ENOSTR = 60;
inline int ENODATA = 61; inline int ETIME = 62; inline int ENOSR = 63; inline int ENONET = 64; inline int ENOPKG = 65;
inline int EREMOTE = 66; inline int ENOLINK = 67; inline int EADV = 68; inline int ESRMNT = 69; inline int ECOMM = 70;
inline int EPROTO = 71; inline int EMULTIHOP = 72; inline int EDOTDOT = 73; inline int EBADMSG = 74; inline int EOVERFLOW = 75;
inline int ENOTUNIQ = 76; inline int EBADFD = 77; inline int EREMCHG = 78; inline int ELIBACC = 79; inline int ELIBBAD = 80;
inline int ELIBSCN = 81; inline int ELIBMAX = 82; inline int ELIBEXEC = 83; inline int EILSEQ = 84; inline int ERESTART = 85;
inline int ESTRPIPE = 86; inline int EUSERS = 87; inline int ENOTSOCK = 88; inline int EDESTADDRREQ = 89;
inline int EMSGSIZE = 90; inline int EPROTOTYPE = 91; inline int ENOPROTOOPT = 92; inline int EPROTONOSUPPORT = 93;
inline int ESOCKTNOSUPPORT = 94; inline int ENOTSUP = 95; inline int EPFNOSUPPORT = 96; inline int EAFNOSUPPORT = 97;
inline int EADDRINUSE = 98; inline int EADDRNOTAVAIL = 99; inline int ENETDOWN = 100; inline int ENETUNREACH = 101;
inline int ENETRESET = 102; inline int ECONNABORTED = 103; inline int ECONNRESET = 104; inline int ENOBUFS = 105;
inline int EISCONN = 106; inline int ENOTCONN = 107; inline int ESHUTDOWN = 108; inline int ETOOMANYREFS = 109;
inline int ETIMEDOUT = 110; inline int ECONNREFUSED = 111; inline int EHOSTDOWN = 112; inline int EHOSTUNREACH = 113;
inline int EALREADY = 114; inline int EINPROGRESS = 115; inline int ESTALE = 116; inline int EUCLEAN = 117;
inline int ENOTNAM = 118; inline int ENAVAIL = 119; inline int EISNAM = 120; inline int EREMOTEIO = 121; inline int EDQUOT = 122;
inline int ENOMEDIUM = 123; inline int EMEDIUMTYPE = 124; inline int ECANCELED = 125; inline int ENOKEY = 126;
inline int EKEYEXPIRED = 127; inline int EKEYREVOKED = 128; inline int EKEYREJECTED = 129; inline int EOWNERDEAD = 130;
inline int ENOTRECOVERABLE = 131; inline int ERFKILL = 132; inline int EWOULDBLOCK = 11; inline int SIGHUP = 1;
inline int SIGINT = 2; inline int SIGQUIT = 3; inline int SIGILL = 4; inline int SIGTRAP = 5; inline int SIGABRT = 6;
inline int SIGBUS = 7; inline int SIGFPE = 8; inline int SIGKILL = 9; inline int SIGUSR1 = 10; inline int SIGSEGV = 11;
inline int SIGUSR2 = 12; inline int SIGPIPE = 13; inline int SIGALRM = 14; inline int SIGTERM = 15; inline int SIGSTKFLT = 16;
inline int SIGCHLD = 17; inline int SIGCONT = 18; inline int SIGSTOP = 19; inline int SIGTSTP = 20; inline int SIGTTIN = 21;
inline int SIGTTOU = 22; inline int SIGURG = 23; inline int SIGXCPU = 24; inline int SIGXFSZ = 25; inline int SIGVTALRM = 26;
inline int SIGPROF = 27; inline int SIGWINCH = 28; inline int SIGIO = 29; inline int SIGPWR = 30; inline int SIGSYS = 31;
inline int SIGIOT = 6; inline int SIGPOLL = 29; inline int SIGRTMIN = 34; inline int SIGRTMAX = 64; inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2; inline int CLD_DUMPED = 3; inline int CLD_TRAPPED = 4; inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6; inline int DTRACEFLT_UNKNOWN = 0; inline int DTRACEFLT_BADADDR = 1;
inline int DTRACEFLT_BADALIGN = 2; inline int DTRACEFLT_ILLOP = 3; inline int DTRACEFLT_DIVZERO = 4;
inline int DTRACEFLT_NOSCRATCH = 5; inline int DTRACEFLT_KPRIV = 6; inline int DTRACEFLT_UPRIV = 7;
inline int DTRACEFLT_TUPOFLOW = 8; inline int DTRACEFLT_BADSTACK = 9; inline int DTRACEFLT_BADSIZE = 10;
inline int DTRACEFLT_BADINDEX = 11; inline int AF_UNSPEC = 0; inline int AF_UNIX = 1; inline int AF_INET = 2;
inline int AF_INET6 = 10; inline int ARPHRD_ETHER = 1; inline int ARPHRD_INFINIBAND = 32; typedef enum boolean { B_FALSE = 0, B_TRUE = 1 } boolean_t;
typedef struct cpuinfo { processorid_t cpu_id; psetid_t cpu_pset; chipid_t cpu_chip; lgrp_id_t cpu_lgrp; } cpuinfo_t;
inline chipid_t chip = curcpu->cpu_chip; inline lgrp_id_t lgrp = curcpu->cpu_lgrp; inline psetid_t pset = curcpu->cpu_pset;
inline string zonename = "global";
inline string cgroup = dscope_cgroup(); inline uint64_t cgroupid = curthread->cgroups->dfl_cgrp->kn->id;
inline string container = dscope_container();
inline uint64_t netns = curthread->nsproxy == NULL ? 0 : curthread->nsproxy->net_ns->ns.inum;
inline string cwd = curthread->fs == NULL ? "<unknown>" : d_path(&curthread->fs->pwd);
inline string root = curthread->fs == NULL ? "<unknown>" : d_path(&curthread->fs->root);
)dlib";

#if defined(__aarch64__)
/// Words of struct pt_regs; R_R0 and R_R1 are what a call gives, as on any processor. Source: arch/arm64/include/asm/ptrace.h
constexpr std::string_view kRegisters = R"dlib(
inline int R_X0 = 0; inline int R_X1 = 1; inline int R_X2 = 2; inline int R_X3 = 3; inline int R_X4 = 4; inline int R_X5 = 5;
inline int R_X6 = 6; inline int R_X7 = 7; inline int R_X8 = 8; inline int R_X9 = 9; inline int R_X10 = 10;
inline int R_X11 = 11; inline int R_X12 = 12; inline int R_X13 = 13; inline int R_X14 = 14; inline int R_X15 = 15;
inline int R_X16 = 16; inline int R_X17 = 17; inline int R_X18 = 18; inline int R_X19 = 19; inline int R_X20 = 20;
inline int R_X21 = 21; inline int R_X22 = 22; inline int R_X23 = 23; inline int R_X24 = 24; inline int R_X25 = 25;
inline int R_X26 = 26; inline int R_X27 = 27; inline int R_X28 = 28; inline int R_X29 = 29; inline int R_X30 = 30;
inline int R_R0 = 0; inline int R_R1 = 1; inline int R_FP = 29; inline int R_LR = 30; inline int R_SP = 31;
inline int R_PC = 32; inline int R_PS = 33;
)dlib";
#else
constexpr std::string_view kRegisters = R"dlib(
inline int R_R15 = 0; inline int R_R14 = 1; inline int R_R13 = 2; inline int R_R12 = 3; inline int R_RBP = 4;
inline int R_EBP = 4; inline int R_FP = 4; inline int R_RBX = 5; inline int R_EBX = 5; inline int R_R1 = 5; inline int R_R11 = 6;
inline int R_R10 = 7; inline int R_R9 = 8; inline int R_R8 = 9; inline int R_RAX = 10; inline int R_EAX = 10; inline int R_R0 = 10;
inline int R_RCX = 11; inline int R_ECX = 11; inline int R_RDX = 12; inline int R_EDX = 12; inline int R_RSI = 13;
inline int R_ESI = 13; inline int R_RDI = 14; inline int R_EDI = 14; inline int R_ERR = 15; inline int R_RIP = 16;
inline int R_EIP = 16; inline int R_PC = 16; inline int R_CS = 17; inline int R_RFL = 18; inline int R_EFL = 18;
inline int R_PS = 18; inline int R_RSP = 19; inline int R_ESP = 19; inline int R_SP = 19; inline int R_SS = 20;
inline int R_DS = 21; inline int R_ES = 22; inline int R_FS = 23; inline int R_GS = 24; inline int R_TRAPNO = 25;
)dlib";
#endif
/// Facts of the processor that providers' libraries use. Sources are named in engine/host/processor.h.
std::string numbers(int apart)
{
    const auto& cpu = host::kProcessor;
    const std::pair<std::string_view, std::uint64_t> all[] = {{"numbered_apart", static_cast<std::uint64_t>(apart)},
        {"call_number_at", static_cast<std::uint64_t>(cpu.callNumber)}, {"call_of_futex", SYS_futex}, {"narrow_program", cpu.isNarrow}};
    std::string text;
    for (const auto& [name, value] : all)
        text += "inline int " + std::string(name) + " = " + std::to_string(value) + ";";
    return text;
}
} // namespace

DLibrary baseLibrary()
{
    static const auto text = std::string(kText) + std::string(kRegisters);
    return {"base.d", text};
}
DLibrary numbersLibrary(bool apart)
{
    static const auto ofAll = numbers(0), ofApart = numbers(1);
    return {"numbers.d", apart ? ofApart : ofAll};
}
} // namespace dscope::sema
