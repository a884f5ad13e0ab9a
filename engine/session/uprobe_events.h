#pragma once
#include "engine/base/fd.h"
#include "engine/host/host.h"
#include "engine/session/trace_events.h"
#include "engine/session/uprobe_link.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::session {
/// Entry uprobes on kernels without uprobe_link.h's links (before 6.6): events in tracefs, each at many places of one file and
/// enabled for one process. A perf event for each place, the other way there, needs a descriptor each and 0.1 s to leave.
/// An event has one cookie for all its places; the program finds which it is in a map, by the address that it fires at.
class UprobeEvents {
public:
    /// `host` must outlive it.
    explicit UprobeEvents(const host::Host& host) : m_events(TraceEvents::Of::User, host) { }
    /// As linkUprobes(), which needs no map: `addresses` is the descriptor of object::Code::addresses. `out` gains what must be
    /// closed before this goes. The Error's code is errno: EINVAL where it cannot be done this way (at returns, without
    /// cookies, in files that are not mapped, without tracefs), 524 when an instruction cannot be probed.
    Result<> link(int program, const UprobeSet& set, int addresses, const host::Host& host, std::vector<Fd>& out);
    /// A process may have mapped a file once more, or elsewhere.
    void follow(pid_t process, const host::Host& host);

private:
    struct Linked {
        std::string file;
        pid_t pid;
        std::uint64_t number; ///< of the event's cookie
        int addresses;
        std::vector<std::uint64_t> offsets, cookies;
        std::vector<std::uint64_t> keys; ///< that are in the map for it
    };
    /// Makes the map say where the places are in their process by now. How many of them are mapped.
    static std::size_t note(Linked& linked, const host::Host& host);
    /// Places that are all different.
    Result<> one(int program, const UprobeSet& set, int addresses, const host::Host& host, std::vector<Fd>& out);
    TraceEvents m_events;
    std::vector<Linked> m_linked;
    std::uint64_t m_last = 0; ///< number given
};
} // namespace dscope::session
