#include "engine/session/uprobe_link.h"
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::session {
namespace {
/// BPF_LINK_CREATE's arguments. Source: include/uapi/linux/bpf.h of Linux 6.6, union bpf_attr, link_create.uprobe_multi
struct LinkCreate {
    std::uint32_t program, target, attachType, flags;
    std::uint64_t path, offsets, referenceCounters, cookies;
    std::uint32_t count, uprobeFlags, pid, reserved;
};
constexpr int kLinkCreate = 28;
constexpr std::uint32_t kUretprobe = 1;
std::uint64_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
} // namespace

Result<Fd> linkUprobes(int program, const UprobeSet& set)
{
    LinkCreate create{};
    create.program = static_cast<std::uint32_t>(program);
    create.attachType = kTraceUprobeMulti;
    create.path = address(set.file.c_str());
    create.offsets = address(set.offsets.data());
    create.cookies = set.cookies.empty() ? 0 : address(set.cookies.data());
    create.referenceCounters = set.counters.empty() ? 0 : address(set.counters.data());
    create.count = static_cast<std::uint32_t>(set.offsets.size());
    create.uprobeFlags = set.atReturn ? kUretprobe : 0;
    create.pid = static_cast<std::uint32_t>(set.pid);
    Fd link(static_cast<int>(::syscall(SYS_bpf, kLinkCreate, &create, sizeof create)));
    if (!link) return systemError(errno);
    return link;
}
} // namespace dscope::session
