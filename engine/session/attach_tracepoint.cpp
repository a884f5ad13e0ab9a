#include "engine/session/attach.h"
#include "engine/session/pmu.h"
#include "engine/session/refusal.h"
namespace dscope::session {
Result<> attach(const probe::Tracepoint& place, int program, const host::Host& host, Attachments& out)
{
    const auto doing = "attaching to event " + place.subsystem + ":" + place.event;
    DSCOPE_TRY(const auto attributes, tracepointAttributes(place, host));
    // The event is opened on one CPU, but the program runs on all. Source: include/trace/perf.h, DECLARE_EVENT_CLASS.
    auto event = openProbe(host, attributes, -1);
    if (!event) return refusal(doing, event.error().code);
    DSCOPE_CHECK(arm(event->get(), program, doing));
    out.push_back(*std::move(event));
    return {};
}
} // namespace dscope::session
