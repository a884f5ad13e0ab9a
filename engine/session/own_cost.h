#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/options/options.h"
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>
namespace dscope::session {
/// What tracing costs the machine, held against what the options costlimit and memorylimit allow.
///
/// The cost is the time that our programs run in the kernel, as the kernel counts it, and the CPU time of this process. What a
/// probe takes before its program begins is not in it: a trap, a single step.
///
/// A thread of its own looks once a second: who reads records may be busy with them for longer on a machine that has no time for it.
class OwnCost {
public:
    using Clock = std::chrono::steady_clock;
    /// What it is looked for in: the descriptors of all programs and maps that there are.
    struct Parts {
        std::vector<int> programs, maps;
    };
    /// From now on; null where no option asks for it. `exceeded` is called once, by that thread, when why() has a sentence. Error: the
    /// kernel does not count.
    static Result<std::unique_ptr<OwnCost>> watch(
        const options::Options& options, const host::Host& host, const Parts& parts, std::function<void()> exceeded);
    ~OwnCost();
    OwnCost(const OwnCost&) = delete;
    /// Whether a second has passed since follow() was called last.
    bool isBehind() const { return Clock::now() - m_followed >= kEvery; }
    /// Programs and maps come and go.
    void follow(const Parts& parts);
    /// Why the run has to end; given once.
    std::optional<std::string> why();

private:
    static constexpr std::chrono::seconds kEvery{1};
    OwnCost(const options::Options& options, const host::Host& host, std::function<void()> exceeded);
    void run();
    std::optional<std::string> look(Clock::time_point now);
    std::optional<std::string> tooMuchTime(Clock::time_point now);
    std::optional<std::string> tooMuchMemory() const;
    const host::Host& m_host;
    std::function<void()> m_exceeded;
    std::uint64_t m_shareLimit = 0;  ///< millionths; 0: none
    std::uint64_t m_memoryLimit = 0; ///< bytes; 0: none
    std::string m_share, m_memory;   ///< the same as they were asked for
    Fd m_counting;                   ///< while it is open the kernel counts
    Clock::time_point m_looked, m_followed;
    std::chrono::nanoseconds m_ran{}, m_ownTime{}; ///< by then
    std::mutex m_lock;                             ///< of what follows
    std::condition_variable m_changed;
    std::vector<Fd> m_programs, m_maps; ///< descriptors of our own: the session closes its own when it likes
    std::optional<std::string> m_why;
    bool m_ends = false;
    std::thread m_thread;
};
} // namespace dscope::session
