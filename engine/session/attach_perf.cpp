#include "engine/session/attach.h"
#include "engine/session/refusal.h"
#include "engine/session/ticker.h"
#include <cerrno>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
namespace dscope::session {
Result<> arm(int event, int program, std::string_view doing)
{
    if (::ioctl(event, PERF_EVENT_IOC_SET_BPF, program) != 0) return refusal(doing, errno);
    if (::ioctl(event, PERF_EVENT_IOC_ENABLE, 0) != 0) return refusal(doing, errno);
    return {};
}

std::vector<int> cpusOf(const probe::PerfEvent& place, const host::Host& host, std::optional<std::uint32_t> only)
{
    auto cpus = host.onlineCpus();
    if (only) cpus = {static_cast<int>(*only)};
    if (!place.everyCpu && cpus.size() > 1) cpus.resize(1);
    return cpus;
}

Result<std::vector<int>> attach(
    const probe::PerfEvent& place, int program, const host::Host& host, std::optional<std::uint32_t> only, Attachments& out)
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = place.type;
    attributes.config = place.config;
    attributes.disabled = 1;
    attributes.exclude_user = !place.inUser;
    attributes.exclude_kernel = !place.inKernel;
    if (Ticker::isTick(place)) { // which looks at the samples' times
        attributes.sample_type = PERF_SAMPLE_TIME;
        attributes.use_clockid = 1;
        attributes.clockid = CLOCK_MONOTONIC;
    }

    if (place.frequency) {
        attributes.freq = 1;
        attributes.sample_freq = place.period;
    } else {
        attributes.sample_period = place.period;
    }

    std::vector<int> attached;
    for (const int cpu : cpusOf(place, host, only)) {
        Fd event = host.openEvent(attributes, -1, cpu);
        if (!event) {
            if (errno == ENODEV) continue; // the CPU went offline since it was listed
            if (errno == ENOENT || errno == EOPNOTSUPP)
                return Error{errno,
                    "this machine does not count that event (perf type " + std::to_string(place.type) + ", config "
                        + std::to_string(place.config) + "): virtual machines often have no hardware counters"};
            if (errno == EINVAL && place.frequency)
                return Error{EINVAL, "the kernel samples at most as often as /proc/sys/kernel/perf_event_max_sample_rate says"};
            return refusal("opening a perf event", errno);
        }
        DSCOPE_CHECK(arm(event.get(), program, "attaching to a perf event"));
        out.push_back(std::move(event));
        attached.push_back(cpu);
    }
    if (attached.empty()) return Error{ENODEV, "no CPU is online for a perf event"};
    return attached;
}
} // namespace dscope::session
