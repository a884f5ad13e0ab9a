#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/probe/provider.h"
#include "engine/session/moment.h"
#include <linux/perf_event.h>
#include <sys/types.h>
namespace dscope::session {
/// The perf "hardware" behind dynamic probes: "kprobe" or "uprobe". Its numbers are given out at boot.
/// Source: Documentation/ABI/testing/sysfs-bus-event_source-devices*
struct Pmu {
    std::uint32_t type = 0;
    int returnBit = 0; ///< of config: at the function's return, not its entry
    static Result<Pmu> find(const host::Host& host, const std::string& name);
    /// What all probes of it have in common; config1 and config2 say where.
    perf_event_attr attributes(Moment moment) const;
};
/// Of an event in tracefs. Error: it has none of that name.
Result<perf_event_attr> tracepointAttributes(const probe::Tracepoint& event, const host::Host& host);
/// perf_event_open of a probe: in process `pid` on any CPU, or (-1) in all processes. `file`: of a uprobe, in place of config1. The Error's
/// code is errno.
Result<Fd> openProbe(const host::Host& host, const perf_event_attr& attributes, pid_t pid, const std::string* file = nullptr);
/// Of the kernel alone, not in errno.h: an instruction that cannot be probed.
constexpr int ENOTSUPP = 524;
} // namespace dscope::session
