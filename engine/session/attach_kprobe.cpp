#include "engine/session/attach.h"
#include "engine/session/pmu.h"
#include "engine/session/refusal.h"
#include <cerrno>
#include <linux/perf_event.h>
namespace dscope::session {
Result<> attach(const probe::Kprobe& place, int program, const host::Host& host, Attachments& out)
{
    auto pmu = Pmu::find(host, "kprobe");
    if (!pmu)
        return Error{ENOENT, "cannot probe kernel function " + place.function + ": this kernel is built without kprobes (CONFIG_KPROBES)"};
    perf_event_attr attributes = pmu->attributes(place.atReturn);
    attributes.config1 = reinterpret_cast<std::uintptr_t>(place.function.c_str());
    auto event = openProbe(attributes, -1);
    if (!event) {
        const int code = event.error().code;
        if (code == ENOENT || code == EINVAL || code == EADDRNOTAVAIL)
            return Error{code, "the kernel cannot probe its function " + place.function};
        return refusal("probing kernel function " + place.function, code);
    }
    DSCOPE_CHECK(arm(event->get(), program, "probing kernel function " + place.function));
    out.push_back(*std::move(event));
    return {};
}
} // namespace dscope::session
