#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/guardian.h"
#include "engine/session/ring.h"
#include <cstdint>
#include <sys/types.h>
#include <vector>
namespace dscope::session {
/// The processes that BPF programs of ours stop for a moment, or only tell of, so that probes are in them before what is new
/// there runs. A process that is stopped when dscope ends, for whatever reason, goes on.
class Watched {
public:
    /// What a process in map() is to us. The programs know these numbers.
    enum Role : std::uint32_t {
        kStops = 1,   ///< stopped when it becomes another program or has just been forked
        kHeirs = 2,   ///< what it forks is to us what it is
        kNewborn = 4, ///< forked, and not back from that yet
        kForks = 8,   ///< what it forks is stopped until holdNoForks(), though it is not ours; ends with its next exec
    };
    struct Told {
        pid_t pid = 0;
        bool waits = false; ///< for resume()
        bool isNew = false; ///< a new process, or a process's new image; else its libraries have changed
    };
    static Result<Watched> make();
    void add(pid_t process, std::uint32_t role) const;
    /// A process has probes: kHeirs and kForks, beside what it is.
    void holdForksOf(pid_t process) const;
    void forget(pid_t process) const;
    std::uint32_t role(pid_t process) const; ///< 0: none
    /// Stops no process any more because of kForks; it is told, as others are.
    void holdNoForks() const;
    /// The events since the last call.
    std::vector<Told> told();
    static void resume(pid_t process);
    /// pid -> Role, u32 both. No process has the number kHoldsNoForks: an entry of it says that nobody is stopped because of kForks.
    int map() const { return m_map.get(); }
    /// Words of process number | kWaits | kIsNew; readable when there are some.
    int ring() const { return m_ringMap.get(); }
    static constexpr std::uint32_t kHoldsNoForks = 0;
    static constexpr std::uint64_t kWaits = std::uint64_t{1} << 32U, kIsNew = std::uint64_t{1} << 33U;

private:
    Fd m_map, m_ringMap;
    Ring m_ring;
    Guardian m_guardian;
};
} // namespace dscope::session
