#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/symbols/process_maps.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>
namespace dscope::symbols {
/// An executable range was mapped (mmap, mprotect, exec, dlopen).
struct Mapped {
    std::uint32_t pid = 0;
    Mapping mapping;
};
/// A process (never a mere thread) was created with a copy of its parent's mappings.
struct Forked {
    std::uint32_t parent = 0, pid = 0;
};
/// The process runs another program: its mappings are gone, those of the new one follow.
struct Execed {
    std::uint32_t pid = 0;
};
/// The process has ended.
struct Exited {
    std::uint32_t pid = 0;
};
/// So many events did not fit in the buffer: maps must be read from /proc again.
struct Lost {
    std::uint64_t count = 0;
};
using MapEvent = std::variant<Mapped, Forked, Execed, Exited, Lost>;
/// An event and when it happened.
struct TimedMapEvent {
    std::uint64_t when = 0; ///< ns, CLOCK_MONOTONIC
    MapEvent event;
};
/// One record of a perf ring whose events carry a time stamp and nothing else as their sample id; none for kinds that are
/// not followed or that are malformed. Source: perf_event_open(2), include/uapi/linux/perf_event.h
std::optional<TimedMapEvent> parseMapEvent(ByteView record);

/// What processes map, from the kernel as it happens: maps of processes that are gone before anyone could read /proc.
/// Uses one `dummy` software event a CPU; costs nothing but where something is mapped.
class MapEvents {
public:
    /// Follows every process of the machine, or `pid` and its future children alone. Error where the kernel refuses
    /// (perf_event_paranoid, no CAP_PERFMON).
    static Result<std::unique_ptr<MapEvents>> open(const host::Host& host, std::uint32_t pid = 0);
    /// One descriptor a CPU; of those that follow one process, readable when there are events.
    std::vector<int> fds() const;
    ~MapEvents();
    MapEvents(const MapEvents&) = delete;
    MapEvents& operator=(const MapEvents&) = delete;
    /// Hands over what has happened since the last call, in the order of time. Call it before the stacks of that time are
    /// unwound, and often enough: a ring keeps some thousand events.
    void drain(const std::function<void(const TimedMapEvent&)>& deliver);

private:
    MapEvents() = default;
    struct Ring;
    std::vector<std::unique_ptr<Ring>> m_rings; // one a CPU
};
} // namespace dscope::symbols
