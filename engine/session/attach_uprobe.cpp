#include "engine/session/attach.h"
#include "engine/session/pmu.h"
#include "engine/session/refusal.h"
#include <cerrno>
#include <linux/perf_event.h>
namespace dscope::session {
Result<> attach(const probe::Uprobe& place, int program, pid_t target, const host::Host& host, Attachments& out)
{
    const pid_t pid = place.pid > 0 ? place.pid : target;
    if (pid <= 0) return Error{0, "probes in " + place.file + " need a process: name one with -p, or start one with -c"};
    auto pmu = Pmu::find(host, "uprobe");
    if (!pmu) return Error{ENOENT, "cannot probe " + place.file + ": this kernel is built without uprobes (CONFIG_UPROBE_EVENTS)"};
    perf_event_attr attributes = pmu->attributes(place.atReturn);
    attributes.config1 = reinterpret_cast<std::uintptr_t>(place.file.c_str());
    attributes.config2 = place.offset;
    auto event = openProbe(attributes, pid);
    if (!event) {
        const int code = event.error().code;
        if (code == ESRCH) return Error{code, "cannot probe process " + std::to_string(pid) + ": it has ended"};
        if (code == ENOTSUPP)
            return Error{code, "the kernel cannot probe the instruction at offset " + std::to_string(place.offset) + " of " + place.file};
        return refusal("probing " + place.file, code);
    }
    DSCOPE_CHECK(arm(event->get(), program, "probing " + place.file));
    out.push_back(*std::move(event));
    return {};
}
} // namespace dscope::session
