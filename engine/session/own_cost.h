#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/options/options.h"
#include "engine/session/maps.h"
#include <chrono>
#include <optional>
#include <span>
#include <string>
namespace dscope::session {
/// What tracing costs the machine, held against what the options costlimit and memorylimit allow.
///
/// The cost is the time that our programs run in the kernel, as the kernel counts it, and the CPU time of this process. What a
/// probe takes before its program begins is not in it: a trap, a single step.
class OwnCost {
public:
    using Clock = std::chrono::steady_clock;
    /// From now on. Error: the kernel does not count.
    static Result<OwnCost> watch(const options::Options& options, const host::Host& host);
    /// A sentence why the run has to end; looks once a second. `programs`: all that there are now, which may come and go.
    Result<std::optional<std::string>> exceeded(std::span<const int> programs, const Maps& maps);
    bool isAsked() const { return m_shareLimit != 0 || m_memoryLimit != 0; }

private:
    std::optional<std::string> tooMuchTime(std::span<const int> programs, Clock::time_point now);
    std::optional<std::string> tooMuchMemory(const Maps& maps) const;
    const host::Host* m_host = nullptr;
    std::uint64_t m_shareLimit = 0;  ///< millionths; 0: none
    std::uint64_t m_memoryLimit = 0; ///< bytes; 0: none
    std::string m_share, m_memory;   ///< the same as they were asked for
    Fd m_counting;                   ///< while it is open the kernel counts
    Clock::time_point m_looked;
    std::chrono::nanoseconds m_ran{}, m_ownTime{}; ///< by then
};
} // namespace dscope::session
