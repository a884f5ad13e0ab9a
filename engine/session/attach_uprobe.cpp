#include "engine/session/attach.h"
#include "engine/session/pmu.h"
#include "engine/session/refusal.h"
#include "engine/session/uprobe_link.h"
#include <cerrno>
#include <linux/perf_event.h>
#include <map>
#include <tuple>
namespace dscope::session {
namespace {
struct Spot {
    std::string file;
    pid_t pid;
    bool atReturn;
    bool operator<(const Spot& other) const { return std::tie(file, pid, atReturn) < std::tie(other.file, other.pid, other.atReturn); }
};
using Offsets = std::vector<std::uint64_t>;

Error unprobed(const Spot& spot, std::uint64_t offset, int code)
{
    if (code == ESRCH) return Error{code, "cannot probe process " + std::to_string(spot.pid) + ": it has ended"};
    if (code == ENOENT) return Error{code, "cannot probe " + spot.file + ": there is no such file"};
    if (code == ENOTSUPP)
        return Error{code, "the kernel cannot probe the instruction at offset " + std::to_string(offset) + " of " + spot.file};
    return refusal("probing " + spot.file, code);
}

Result<> attachByPerf(const Spot& spot, const Offsets& offsets, int program, const host::Host& host, Attachments& out)
{
    const auto pmu = Pmu::find(host, "uprobe");
    if (!pmu) return Error{ENOENT, "cannot probe " + spot.file + ": this kernel is built without uprobes (CONFIG_UPROBE_EVENTS)"};
    for (const auto offset : offsets) {
        perf_event_attr attributes = pmu->attributes(spot.atReturn);
        attributes.config1 = reinterpret_cast<std::uintptr_t>(spot.file.c_str());
        attributes.config2 = offset;
        auto event = openProbe(attributes, spot.pid);
        if (!event) return unprobed(spot, offset, event.error().code);
        DSCOPE_CHECK(arm(event->get(), program, "probing " + spot.file));
        out.push_back(*std::move(event));
    }
    return {};
}
} // namespace

Result<> attach(std::span<const probe::Uprobe> places, int program, pid_t target, const host::Host& host, Attachments& out)
{
    std::map<Spot, Offsets> spots;
    for (const auto& place : places) {
        const pid_t pid = place.pid > 0 ? place.pid : target;
        if (pid <= 0) return Error{0, "probes in " + place.file + " need a process: name one with -p, or start one with -c"};
        spots[{place.file, pid, place.atReturn}].push_back(place.offset);
    }
    for (const auto& [spot, offsets] : spots) {
        auto link = linkUprobes(program, spot.file, offsets, spot.atReturn, spot.pid);
        if (link)
            out.push_back(*std::move(link));
        else if (link.error().code == EINVAL)
            DSCOPE_CHECK(attachByPerf(spot, offsets, program, host, out));
        else
            return unprobed(spot, offsets.front(), link.error().code);
    }
    return {};
}
} // namespace dscope::session
