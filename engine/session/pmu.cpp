#include "engine/session/pmu.h"
#include <cerrno>
#include <charconv>
namespace dscope::session {
namespace {
std::uint32_t numberIn(std::string_view text)
{
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}
} // namespace

Result<Pmu> Pmu::find(const host::Host& host, const std::string& name)
{
    const std::string folder = "/sys/bus/event_source/devices/" + name;
    DSCOPE_TRY(const auto type, host.read(folder + "/type"));
    DSCOPE_TRY(const auto format, host.read(folder + "/format/retprobe")); // "config:0"
    Pmu pmu;
    pmu.type = numberIn(type);
    const auto colon = format.find(':');
    if (colon != std::string::npos) pmu.returnBit = static_cast<int>(numberIn(std::string_view(format).substr(colon + 1)));
    return pmu;
}

perf_event_attr Pmu::attributes(Moment moment) const
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = type;
    attributes.disabled = 1;
    if (moment == Moment::Return) attributes.config |= std::uint64_t{1} << returnBit;
    return attributes;
}

Result<perf_event_attr> tracepointAttributes(const probe::Tracepoint& event, const host::Host& host)
{
    const auto name = event.subsystem + "/" + event.event;
    DSCOPE_TRY(const auto text, host.read("/sys/kernel/tracing/events/" + name + "/id"));
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.sample_period = 1;
    if (std::from_chars(text.data(), text.data() + text.size(), attributes.config).ec != std::errc{})
        return Error{0, "tracefs does not tell the number of event " + name};
    return attributes;
}

Result<Fd> openProbe(const host::Host& host, const perf_event_attr& attributes, pid_t pid, const std::string* file)
{
    // One process on all CPUs, or all processes on CPU 0: for a probe the latter means every CPU.
    const int cpu = pid > 0 ? -1 : 0;
    Fd event = host.openEvent(attributes, pid, cpu, file);
    if (!event) return systemError(errno);
    return event;
}
} // namespace dscope::session
