#include "engine/host/give_up_root.h"
#include "engine/host/host.h"
#include "engine/host/open_event.h"
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <span>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::host {
namespace {
// Newer than the headers of Debian 11. Source: include/uapi/linux/capability.h
constexpr unsigned kPerfmon = 38, kBpf = 39, kCheckpointRestore = 40;
/// Beside programs and events: /proc of other users' processes, their files, the addresses in kallsyms, rings beyond an ordinary user's
/// share of locked memory, /proc/PID/map_files, and SIGCONT.
constexpr std::array kForTracing{kPerfmon, kBpf, unsigned{CAP_SYS_PTRACE}, unsigned{CAP_DAC_READ_SEARCH}, unsigned{CAP_SYSLOG},
    unsigned{CAP_IPC_LOCK}, kCheckpointRestore, unsigned{CAP_KILL}};
/// For events in the files and processes of others.
constexpr std::array kForEvents{unsigned{CAP_SYS_ADMIN}, kPerfmon, unsigned{CAP_SYS_PTRACE}, unsigned{CAP_DAC_READ_SEARCH}};

using Sets = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;
bool has(const Sets& sets, unsigned capability) { return (sets[capability / 32].permitted >> (capability % 32) & 1U) != 0; }

/// Becomes the user with no more than these capabilities. False: errno says why.
bool become(const User& user, std::span<const unsigned> wanted)
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    Sets before{}, after{};
    if (::syscall(SYS_capget, &header, before.data()) != 0) return false;
    const auto keep = [&](unsigned capability) {
        if (has(before, capability)) after[capability / 32].permitted |= 1U << (capability % 32);
    };
    for (const auto capability : wanted)
        keep(capability);
    // Where nobody gave us the two of Linux 5.8, as in containers of older programs, the one that embraces them has to stand in.
    if (!has(before, kBpf) || !has(before, kPerfmon)) keep(CAP_SYS_ADMIN);
    for (auto& set : after)
        set.effective = set.permitted;
    return ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && becomeUser(user)
        && ::syscall(SYS_capset, &header, after.data()) == 0;
}
} // namespace

Result<std::shared_ptr<const Kept>> giveUpRoot(const User& user)
{
    const auto cannot = [](int code) { return Error{code, std::string("cannot give up root: ") + std::strerror(code)}; };
    // Kernels before 5.11 count maps as locked memory.
    const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &all);
    auto kept = std::make_shared<Kept>();
    const std::string folder = "/sys/kernel/tracing/";
    const auto host = local();
    if (!host->status(folder + "available_events")) kept->tracefs = mountTracefs();
    for (const auto* name : {"kprobe_events", "uprobe_events"})
        if (Fd file = host->open(folder + name, O_WRONLY | O_APPEND); file) kept->written.push_back({folder + name, std::move(file)});
    DSCOPE_TRY(kept->events, EventOpener::start([&] { return become(user, kForEvents); }));
    if (!become(user, kForTracing)) return cannot(errno);
    constexpr auto kAsItIs = static_cast<uid_t>(-1);
    if (::setresuid(kAsItIs, 0, kAsItIs) == 0) return cannot(EBUSY);
    return std::shared_ptr<const Kept>(std::move(kept));
}
} // namespace dscope::host
