#include "engine/host/open_event.h"
#include "engine/host/host.h"
#include <cstdint>
#include <cstring>
#include <linux/bpf.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::host {
Fd openEventHere(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file)
{
    perf_event_attr own = attributes;
    if (file) own.config1 = reinterpret_cast<std::uintptr_t>(file->c_str());
    return Fd(static_cast<int>(::syscall(SYS_perf_event_open, &own, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}

Fd countProgramTimeHere()
{
    bpf_attr enable;
    std::memset(&enable, 0, sizeof enable);
    enable.enable_stats.type = BPF_STATS_RUN_TIME;
    return Fd(static_cast<int>(::syscall(SYS_bpf, BPF_ENABLE_STATS, &enable, sizeof enable)));
}

Fd mountTracefs()
{
    const Fd context(static_cast<int>(::syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC)));
    if (!context || ::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) return {};
    return Fd(static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY)));
}

Fd Host::openEvent(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file) const
{
    return openEventHere(attributes, pid, cpu, file);
}

Fd Host::countProgramTime() const { return countProgramTimeHere(); }
} // namespace dscope::host
