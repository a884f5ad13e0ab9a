#pragma once
#include "engine/base/bytes.h"
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>
struct perf_event_attr;
namespace dscope::host {
/// Everything we ask of the traced machine, so that tests replace it (tests/support/fake_host.h). Nothing else opens /proc or
/// /sys (tests/layers.cmake), but what a process asks of itself.
class Host {
public:
    virtual ~Host() = default;
    /// The whole file; Error with errno when it cannot be read.
    virtual Result<std::string> read(const std::string& path) const = 0;
    /// Names in a directory, sorted, without `.` and `..`.
    virtual Result<std::vector<std::string>> entries(const std::string& directory) const = 0;
    /// A file that is read in pieces, mapped or written to, by open(2) with these flags and O_CLOEXEC; none when it can't be opened, and
    /// errno says why.
    virtual Fd open(const std::string& path, int flags) const = 0;
    /// stat(2): of what a symbolic link leads to. None when it can't be had, and errno says why.
    virtual std::optional<struct stat> status(const std::string& path) const = 0;
    virtual std::uint32_t kernelVersion() const = 0; ///< as KERNEL_VERSION(6, 1, 0)
    virtual std::string kernelRelease() const = 0;   ///< uname -r
    virtual std::string hostName() const = 0;
    virtual int cpuCount() const = 0; ///< possible CPUs: the width of per-CPU map values
    virtual std::vector<int> onlineCpus() const = 0;
    /// A namespace of process numbers, as BPF programs name it.
    struct PidNamespace {
        std::uint64_t device = 0, inode = 0;
    };
    /// The one that we are in, unless that is the first of all: what runs in a container numbers processes in its own way.
    virtual std::optional<PidNamespace> pidNamespace() const { return {}; }
    /// Whether the kernel takes BPF programs at the entry of its functions (fentry), by trying one for the function with
    /// this id in its BTF. A kernel may be built without, or have it switched off.
    virtual Result<> takesFunctionPrograms(std::uint32_t function) const;
    /// perf_event_open(2), closed by exec: in process or thread `pid` (-1: in all), on `cpu` (-1: on any). `file`: what config1 points to,
    /// for an event in a file. None when it can't be had, and errno says why.
    virtual Fd openEvent(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file = nullptr) const;
    /// While it is open the kernel counts the time that programs run (BPF_ENABLE_STATS). None: errno says why.
    virtual Fd countProgramTime() const;
    /// The kernel's own types: the bytes of /sys/kernel/btf/vmlinux. They are megabytes, so callers share one copy while one of
    /// them holds it; Error with errno when they cannot be read.
    virtual Result<HeldText> kernelTypes() const;
    /// Names of the tracepoints of the kernel and of the modules that are loaded, sorted, as BTF tells them: also those that tracefs does
    /// not show. Empty where the kernel has no BTF. Read once.
    const std::vector<std::string>& tracepoints() const;
    /// Which module's it is; empty where it is the kernel's own or none that tracepoints() has.
    std::string moduleOfTracepoint(const std::string& name) const;
    /// True also if tracepoints() is empty: then only attaching shows it.
    bool hasTracepoint(std::string_view name) const;

protected:
    /// The file's bytes where they lie, which costs no copy; null where the kernel does not map it.
    virtual HeldText mapped(const std::string& path) const;

private:
    /// Those of the kernel itself: modules may be many, and few programs ask for theirs.
    const std::vector<std::string>& ownTracepoints() const;
    mutable std::optional<std::vector<std::string>> m_ownTracepoints, m_tracepoints;
    mutable std::map<std::string, std::string> m_modules; ///< of tracepoints that are not the kernel's own
    mutable std::weak_ptr<const std::string_view> m_kernelTypes;
};
/// The path of a file that we have open, as the kernel tells it; "" when it has none.
std::string pathOf(int fd);
/// What a process that gives up root keeps (engine/host/give_up_root.h).
struct Kept;
/// The machine we run on. `kept`: what is asked for through what was kept; null while we have the rights ourselves.
std::unique_ptr<Host> local(std::shared_ptr<const Kept> kept = {});
} // namespace dscope::host
