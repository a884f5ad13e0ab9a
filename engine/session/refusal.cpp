#include "engine/session/refusal.h"
#include <cerrno>
#include <cstring>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::session {
namespace {
/// True when this thread holds both capabilities that tracing needs (or the old all-embracing one).
bool mayTrace()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (::syscall(SYS_capget, &header, data) != 0) return ::geteuid() == 0;
    const auto has = [&](unsigned capability) { return (data[capability / 32].effective >> (capability % 32) & 1U) != 0; };
    return has(CAP_SYS_ADMIN) || (has(CAP_BPF) && has(CAP_PERFMON));
}
} // namespace

Error refusal(std::string_view doing, int code)
{
    if ((code == EPERM || code == EACCES) && !mayTrace())
        return Error{code, "dscope needs root (or CAP_BPF and CAP_PERFMON): run it with sudo"};
    std::string message = std::string(doing) + ": " + std::strerror(code);
    if (code == EPERM)
        message += " (the kernel refuses this even to root: see /sys/kernel/security/lockdown, "
                   "and outside containers try without one)";
    else if (code == ENOMEM)
        message += " (ask for less with -x bufsize and -x aggsize)";
    else if (code == EMFILE)
        message += " (raise the limit with ulimit -n)";
    return Error{code, std::move(message)};
}
} // namespace dscope::session
