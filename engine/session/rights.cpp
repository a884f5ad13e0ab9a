#include "engine/session/rights.h"
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::session {
Rights rights()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (::syscall(SYS_capget, &header, data) != 0) {
        const bool isRoot = ::geteuid() == 0;
        return {isRoot, isRoot, isRoot, isRoot};
    }
    const auto has = [&](unsigned capability) { return (data[capability / 32].effective >> (capability % 32) & 1U) != 0; };
    return {has(CAP_SYS_ADMIN), has(CAP_BPF), has(CAP_PERFMON), has(CAP_SYS_PTRACE)};
}
} // namespace dscope::session
