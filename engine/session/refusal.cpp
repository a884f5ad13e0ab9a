#include "engine/session/refusal.h"
#include "engine/session/abilities.h"
#include "engine/session/rights.h"
#include <cerrno>
#include <cstring>
#include <sys/utsname.h>
namespace dscope::session {
Error refusal(std::string_view doing, int code)
{
    if ((code == EPERM || code == EACCES) && !rights().mayTrace())
        return Error{code, "dscope needs root (or CAP_BPF and CAP_PERFMON): run it with sudo"};
    std::string message = std::string(doing) + ": " + std::strerror(code);
    if (code == EPERM)
        message += " (the kernel refuses this even to root: see /sys/kernel/security/lockdown, "
                   "and outside containers try without one)";
    else if (code == EACCES && !rights().admin)
        // Debian's kernels refuse perf events to all but root where that is 3, as it is at first.
        message
            += " (without root this also hangs on sysctl kernel.perf_event_paranoid, which Debian's kernels have at 3: sudo may do all)";
    else if (code == ENOMEM)
        message += " (ask for less with -x bufsize and -x aggsize; where user stacks are asked for, also with -x ustacktables, as -x "
                   "ustacktables=4m; stacks of all processes take at least 128 MB in all, mostly for names of functions)";
    else if (code == EMFILE)
        message += " (raise the limit with ulimit -n)";
    return Error{code, std::move(message)};
}

Error lacking(object::Ability ability)
{
    const auto& facts = object::factsOf(ability);
    utsname name{};
    ::uname(&name);
    const auto what = std::string(facts.gives) + ": this kernel (" + name.release + ") gives programs no " + std::string(facts.name);
    // No kernel with the later one was without the earlier one, but where lockdown takes it away.
    // Source: kernel/trace/bpf_trace.c, LOCKDOWN_BPF_READ_KERNEL.
    if (ability == object::Ability::ReadKernel && abilities().has.has(object::Ability::RingBuffer))
        return Error{EPERM, what + ", as it is locked down for confidentiality (see kernel_lockdown(7)); lockdown=integrity allows it"};
    return Error{ENOTSUP, what + ", which came with Linux " + std::string(facts.since)};
}
} // namespace dscope::session
