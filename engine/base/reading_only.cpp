#include "engine/base/reading_only.h"
#include "engine/base/audited_processor.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>
namespace dscope {
namespace {
constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;
/// Numbers of x86-64 from here on are of another size of pointers, and stand for the same calls.
constexpr std::uint32_t kOtherPointers = 0x40000000;
/// Flags that no file is opened with which is only read.
constexpr std::uint32_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;

/// Calls that change something. Older processors' tables have some that newer ones leave out.
constexpr auto kChanging = std::to_array<std::uint32_t>({
#ifdef SYS_open
    SYS_creat, SYS_rename, SYS_link, SYS_symlink, SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime,
    SYS_utimes, SYS_futimesat, SYS_iopl, SYS_ioperm,
#endif
    SYS_openat2, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_unlinkat, SYS_mkdirat, SYS_mknodat, SYS_truncate,
    SYS_ftruncate, SYS_fallocate, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_execve, SYS_execveat, SYS_socket, SYS_connect,
    SYS_process_vm_writev, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount, SYS_setns,
    SYS_unshare, SYS_chroot, SYS_swapon, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot, SYS_settimeofday, SYS_clock_settime, SYS_sethostname, SYS_pidfd_getfd,
    SYS_io_uring_setup, // does what other calls do, and no filter sees it
});
/// What ptrace() writes into a process; to look at one is allowed.
constexpr auto kPokes = std::to_array<std::uint32_t>(
    {PTRACE_POKETEXT, PTRACE_POKEDATA, 6 /* POKEUSR */, 13 /* SETREGS */, 15 /* SETFPREGS */, PTRACE_SETREGSET});

/// A filter of the kernel's: the number of the call, then for some its arguments. Source: Documentation/userspace-api/seccomp_filter.rst
class Filter {
public:
    Filter()
    {
        load(offsetof(seccomp_data, arch));
        unless(kAuditedProcessor);
        load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
        add(BPF_JMP | BPF_JGE | BPF_K, kOtherPointers, 0, 1);
        add(BPF_RET | BPF_K, kRefused);
#endif
    }

    void refuse(std::uint32_t call)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
        add(BPF_RET | BPF_K, kRefused);
    }

    /// Refuses a call whose argument has one of these bits.
    void refuseBits(std::uint32_t call, std::size_t argument, std::uint32_t bits)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
        load(low(argument));
        add(BPF_ALU | BPF_AND | BPF_K, bits);
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        add(BPF_RET | BPF_K, kRefused);
    }

    /// Refuses a call whose argument is one of these.
    void refuseValues(std::uint32_t call, std::size_t argument, const auto& values)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, static_cast<std::uint8_t>(2 + 2 * values.size()));
        load(low(argument));
        for (const auto value : values)
            refuse(value);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }

    int install()
    {
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        const sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        // Without the rights of root a filter is for who gains none by a program that it starts, and we start none.
        if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
        const auto done = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
        return done == 0 ? 0 : done > 0 ? EBUSY : errno; // a thread that has a filter of its own
    }

private:
    static std::uint32_t low(std::size_t argument)
    {
        return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void unless(std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        add(BPF_RET | BPF_K, kRefused);
    }
    void add(std::uint16_t code, std::uint32_t k, std::uint8_t ifTrue = 0, std::uint8_t ifFalse = 0)
    {
        m_code.push_back({code, ifTrue, ifFalse, k});
    }

    std::vector<sock_filter> m_code;
};
} // namespace

Result<> allowReadingOnly()
{
    Filter filter;
    for (const auto call : kChanging)
        filter.refuse(call);
#ifdef SYS_open
    filter.refuseBits(SYS_open, 1, kWrites);
#endif
    filter.refuseBits(SYS_openat, 2, kWrites);
    filter.refuseValues(SYS_ptrace, 0, kPokes);
    if (const int code = filter.install(); code != 0)
        return Error{code, std::string("this kernel gives no filter of system calls: ") + std::strerror(code)};
    return {};
}
} // namespace dscope
