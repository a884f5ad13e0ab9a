#pragma once
#include "engine/object/object.h"
#include "engine/host/host.h"
#include "engine/options/options.h"
#include "engine/session/attach.h"
#include "engine/session/maps.h"
#include "engine/session/ticker.h"
#include "engine/session/trace_events.h"
#include "engine/session/uprobe_events.h"
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>
namespace dscope::session {
/// A D program's programs in the kernel, from being loaded to leaving.
class Programs {
public:
    /// What they are made of. All of it must outlive them.
    struct Ground {
        const object::Object& object;
        const options::Options& options;
        const std::function<void(const std::string&)>& tell; ///< what -x debug and -x bpflog ask for; may be empty
        const Maps& maps;
        const host::Host& host;
    };
    explicit Programs(const Ground& ground)
        : m_ground(ground), m_functionEvents(TraceEvents::Of::Kernel, ground.host), m_uprobeEvents(ground.host)
    {
    }
    Result<> load();
    /// `target`: the process of probes that name none, or 0. `othersMayCome`: that all processes which have probes ended before
    /// is no error. Sentences, each about something that is not probed, go to `warnings`.
    Result<> attach(pid_t target, bool othersMayCome, std::vector<std::string>& warnings);
    Result<> fireBegin() const { return fire(m_begin); }
    Result<> fireEnd() const { return fire(m_end); }
    Result<> startTicks() { return m_ticker.start(m_ground.host); }
    /// A process's libraries have changed.
    void follow(pid_t process) { m_uprobeEvents.follow(process, m_ground.host); }
    const std::vector<Fd>& all() const { return m_programs; }
    /// Firings for which the kernel ran no program, as the same one was under way on that CPU: one can be interrupted, from Linux 6.13
    /// on at system calls by any other thread. Those of watches count, too: what they did not see, a probe misses later. 0 before
    /// Linux 5.12, which does not count them; and samples (PerfEvent) are in no kernel's count.
    std::uint64_t notRun() const;
    /// Firings that timers owe on all CPUs together, by the clocks of their events: an idle CPU's clock takes no samples on some virtual
    /// machines, and skips those that it is late for. 0 where it is no more than a twentieth, or than a few. CPUs owe nothing while they
    /// are offline.
    std::uint64_t overdue() const;
    /// Detaches them all.
    void leave();

private:
    Result<> attachOne(std::size_t index, pid_t target, bool othersMayCome, std::vector<std::string>& warnings);
    Result<> attach(const probe::PerfEvent& event, int program, const object::Code& code);
    Result<> fire(int program) const;
    std::optional<std::uint32_t> onlyCpu() const;
    Result<> tellUnprobed(const object::Code& code, std::span<const probe::Uprobe> places, std::span<const std::size_t> failed,
        std::vector<std::string>& warnings) const;
    void debug(const std::string& text) const;
    Ground m_ground;
    std::vector<Fd> m_programs; ///< as Object::programs
    int m_begin = -1, m_end = -1;
    TraceEvents m_functionEvents; ///< before what uses them
    UprobeEvents m_uprobeEvents;
    Attachments m_attachments;
    Ticker m_ticker; ///< of some of those
    /// The event of a timer on one of the CPUs.
    struct Clock {
        int event, cpu;
        std::uint64_t period;  ///< ns
        std::uint32_t firings; ///< Code::firings
    };
    std::vector<Clock> m_clocks;
};
} // namespace dscope::session
