#include "engine/session/ticker.h"
#include "engine/session/refusal.h"
#include "engine/session/ring.h"
#include "engine/session/signals_held.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
namespace dscope::session {
namespace {
/// perf_event_open(2), "MMAP layout": of a read-only mapping the kernel writes on and on, and this counts the bytes.
std::uint64_t written(const void* samples)
{
    auto* page = const_cast<perf_event_mmap_page*>(static_cast<const perf_event_mmap_page*>(samples));
    return std::atomic_ref(page->data_head).load(std::memory_order_acquire);
}
/// When the clock fired last: the time of the last of the samples that end at `head`. Nothing if that record is not a sample.
std::optional<std::chrono::steady_clock::time_point> firedLast(const void* samples, std::uint64_t head)
{
    struct Sample {
        perf_event_header header;
        std::uint64_t time; // CLOCK_MONOTONIC, as attach() asked for; that is the steady clock
    } last;
    if (head < sizeof last) return {};
    // Every kind of record here is a multiple of a sample long, so none goes round the end.
    std::memcpy(&last, static_cast<const char*>(samples) + pageSize() + (head - sizeof last) % pageSize(), sizeof last);
    if (last.header.type != PERF_RECORD_SAMPLE || last.header.size != sizeof last) return {};
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(last.time));
}
/// As long as the tick may come late; of a fast one, before the next is due.
std::chrono::nanoseconds patience(std::chrono::nanoseconds period) { return std::min(Ticker::kLate, period / 2); }
} // namespace

Ticker::Pages::~Pages()
{
    if (at) ::munmap(at, size);
}

Result<> Ticker::add(const probe::PerfEvent& place, int cpu, int clock, int program)
{
    const auto size = 2 * pageSize();
    void* samples = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, clock, 0);
    if (samples == MAP_FAILED) return refusal("watching a clock", errno);
    const std::chrono::nanoseconds period(static_cast<std::int64_t>(place.period));
    m_ticks.push_back({Pages(samples, size), program, cpu, period, Clock::now() + period});
    return {};
}

Result<> Ticker::start(const host::Host& host)
{
    if (m_ticks.empty()) return {};
    m_end = Fd(::eventfd(0, EFD_CLOEXEC));
    if (!m_end) return refusal("preparing a clock", errno);
    void* page = ::mmap(nullptr, pageSize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return refusal("preparing a clock", errno);
    m_page.emplace(page, pageSize());
    std::promise<Result<>> prepared;
    auto ready = prepared.get_future();
    const SignalsHeld held;
    try {
        m_thread = std::thread([this, &host, &prepared] {
            auto done = prepare(host);
            const bool runs = bool(done);
            prepared.set_value(std::move(done));
            if (runs) run();
        });
    } catch (const std::system_error& refused) {
        return Error{
            refused.code().value(), "ticks need a thread of their own, and none may be started here: allow more (ulimit -u, pids.max)"};
    }
    return ready.get();
}

void Ticker::stop()
{
    if (!m_thread.joinable()) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto told = ::write(m_end.get(), &one, sizeof one);
    m_thread.join();
}

/// The thread's own: where it runs, and an event for each tick.
Result<> Ticker::prepare(const host::Host& host)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(static_cast<std::size_t>(m_ticks.front().cpu), &only);
    ::sched_setaffinity(0, sizeof only, &only); // not allowed there: better a tick from elsewhere than none
    ::prctl(PR_SET_TIMERSLACK, 1);
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
    attributes.sample_period = 1;
    attributes.disabled = 1;
    for (auto& tick : m_ticks) {
        tick.fault = host.openEvent(attributes, ::gettid(), -1);
        if (!tick.fault) return refusal("opening a perf event", errno);
        if (::ioctl(tick.fault.get(), PERF_EVENT_IOC_SET_BPF, tick.program) != 0) return refusal("attaching to a perf event", errno);
        tick.seen = written(tick.samples.at);
    }
    return {};
}

/// Its time has come: it fired, or is fired now.
void Ticker::look(Tick& tick)
{
    tick.due += tick.period * ((Clock::now() - tick.due) / tick.period + 1);
    const auto seen = written(tick.samples.at);
    if (std::exchange(tick.seen, seen) != seen) {
        // Follow the clock's own time. A look just before the clock fires would find no sample now and two the next time, and would
        // then fire a third.
        if (const auto last = firedLast(tick.samples.at, seen)) tick.due = *last + tick.period;
        return;
    }
    ::madvise(m_page->at, m_page->size, MADV_DONTNEED);
    ::ioctl(tick.fault.get(), PERF_EVENT_IOC_ENABLE, 0);
    *static_cast<volatile char*>(m_page->at) = 1;
    ::ioctl(tick.fault.get(), PERF_EVENT_IOC_DISABLE, 0);
}

void Ticker::run()
{
    for (;;) {
        auto next = Clock::time_point::max();
        for (auto& tick : m_ticks) {
            if (tick.due + patience(tick.period) <= Clock::now()) look(tick);
            next = std::min(next, tick.due + patience(tick.period));
        }
        const auto pause = std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(next - Clock::now()));
        const timespec time{pause / std::chrono::seconds(1), (pause % std::chrono::seconds(1)).count()};
        pollfd end{m_end.get(), POLLIN, 0};
        if (::ppoll(&end, 1, &time, nullptr) > 0) return;
    }
}
} // namespace dscope::session
