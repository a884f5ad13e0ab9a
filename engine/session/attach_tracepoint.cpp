#include "engine/session/attach.h"
#include "engine/session/refusal.h"
#include <cerrno>
#include <charconv>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::session {
Result<> attach(const probe::Tracepoint& place, int program, const host::Host& host, Attachments& out)
{
    const auto doing = "attaching to event " + place.subsystem + ":" + place.event;
    DSCOPE_TRY(const auto text, host.read("/sys/kernel/tracing/events/" + place.subsystem + "/" + place.event + "/id"));
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.sample_period = 1;
    if (std::from_chars(text.data(), text.data() + text.size(), attributes.config).ec != std::errc{})
        return Error{0, doing + ": tracefs does not tell its number"};
    // Of one CPU, and yet the program runs on all. Source: include/trace/perf.h, DECLARE_EVENT_CLASS.
    Fd event(static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!event) return refusal(doing, errno);
    DSCOPE_CHECK(arm(event.get(), program, doing));
    out.push_back(std::move(event));
    return {};
}
} // namespace dscope::session
