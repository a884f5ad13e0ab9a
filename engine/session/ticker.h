#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/probe/provider.h"
#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>
namespace dscope::session {
/// Sees to it that a tick fires although its CPU idles: some kernels' clocks (6.18 as a guest of PVM) take no sample then,
/// and a program that waits for its tick would wait for good. The clock goes first, for it tells what it interrupted; where
/// it did not fire, a thread on that CPU fires the same program, by a page fault of its own that a second event counts.
/// Such a firing has dscope for its process, and comes at most kLate late.
class Ticker {
public:
    static constexpr std::chrono::nanoseconds kLate = std::chrono::microseconds(200);
    Ticker() = default;
    Ticker(Ticker&&) = delete;
    ~Ticker() { stop(); }
    /// Whether `event` is one of those: a clock on one CPU. Its program returns 1, so that its firings can be seen.
    static bool isTick(const probe::PerfEvent& event) { return !event.everyCpu; }
    /// `clock`: the event of `place`, armed just now with `program`, on `cpu`. Before start().
    Result<> add(const probe::PerfEvent& place, int cpu, int clock, int program);
    Result<> start(const host::Host& host);
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Pages {
        Pages(void* begin, std::size_t bytes) : at(begin), size(bytes) { }
        Pages(Pages&& other) noexcept : at(std::exchange(other.at, nullptr)), size(other.size) { }
        Pages& operator=(Pages&&) = delete;
        ~Pages();
        void* at;
        std::size_t size;
    };
    struct Tick {
        Pages samples; ///< of the clock
        int program, cpu;
        std::chrono::nanoseconds period;
        Clock::time_point due;
        std::uint64_t seen = 0; ///< how far the clock's samples had come
        Fd fault = {};          ///< counts the thread's page faults while it is enabled
    };
    void run();
    Result<> prepare(const host::Host& host);
    void look(Tick& tick);
    std::vector<Tick> m_ticks;
    std::optional<Pages> m_page; ///< where the faults are
    Fd m_end;
    std::thread m_thread;
};
} // namespace dscope::session
