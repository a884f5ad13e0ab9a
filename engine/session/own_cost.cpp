#include "engine/session/own_cost.h"
#include "engine/record/record.h"
#include "engine/session/refusal.h"
#include "engine/session/signals_held.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
using record::Nanoseconds;
Nanoseconds ranOf(std::span<const Fd> programs)
{
    std::uint64_t sum = 0;
    for (const auto& program : programs) {
        bpf_prog_info info{};
        std::uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(program.get(), &info, &size) == 0) sum += info.run_time_ns;
    }
    return Nanoseconds(sum);
}

Nanoseconds ownTime()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) { return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec); };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

std::string perCent(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

/// The number that follows `name` in text of /proc; 0 where there is none.
std::uint64_t numberAfter(std::string_view text, std::string_view name)
{
    const auto at = text.find(name);
    if (at == std::string_view::npos) return 0;
    const auto begin = text.find_first_of("0123456789", at + name.size());
    std::uint64_t value = 0;
    if (begin != std::string_view::npos) std::from_chars(text.data() + begin, text.data() + text.size(), value);
    return value;
}
std::vector<Fd> copiesOf(const std::vector<int>& descriptors)
{
    std::vector<Fd> all;
    for (const int fd : descriptors)
        if (Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); copy) all.push_back(std::move(copy));
    return all;
}
} // namespace

OwnCost::OwnCost(const options::Options& options, const host::Host& host, std::function<void()> exceeded)
    : m_host(host), m_exceeded(std::move(exceeded))
{
    if (options.isSet("costlimit")) {
        m_shareLimit = options.number("costlimit");
        m_share = options.text("costlimit");
    }
    if (options.isSet("memorylimit")) {
        m_memoryLimit = options.number("memorylimit");
        m_memory = options.text("memorylimit");
    }
}

Result<std::unique_ptr<OwnCost>> OwnCost::watch(
    const options::Options& options, const host::Host& host, const Parts& parts, std::function<void()> exceeded)
{
    std::unique_ptr<OwnCost> cost(new OwnCost(options, host, std::move(exceeded)));
    if (cost->m_shareLimit == 0 && cost->m_memoryLimit == 0) return std::unique_ptr<OwnCost>();
    if (cost->m_shareLimit != 0) {
        cost->m_counting = host.countProgramTime();
        // Source: include/uapi/linux/bpf.h, BPF_ENABLE_STATS, from Linux 5.8 on
        if (!cost->m_counting && errno == EINVAL)
            return Error{EINVAL, "option costlimit: this kernel is too old to count the time of programs, which came with Linux 5.8"};
        if (!cost->m_counting) return refusal("option costlimit: counting the time of programs", errno);
    }
    cost->follow(parts);
    cost->m_looked = Clock::now();
    cost->m_ownTime = ownTime();
    const SignalsHeld held;
    try {
        cost->m_thread = std::thread([&watcher = *cost] { watcher.run(); });
    } catch (const std::system_error& refused) {
        return Error{refused.code().value(),
            "options costlimit and memorylimit need a thread of their own, and none may be started here: allow more (ulimit -u, pids.max)"};
    }
    return cost;
}

OwnCost::~OwnCost()
{
    {
        const std::lock_guard lock(m_lock);
        m_ends = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void OwnCost::follow(const Parts& parts)
{
    auto programs = copiesOf(parts.programs), maps = copiesOf(parts.maps);
    const std::lock_guard lock(m_lock);
    m_programs.swap(programs);
    m_maps.swap(maps);
    m_followed = Clock::now();
}

std::optional<std::string> OwnCost::why()
{
    const std::lock_guard lock(m_lock);
    return std::exchange(m_why, std::nullopt);
}

void OwnCost::run()
{
    std::unique_lock lock(m_lock);
    while (!m_changed.wait_for(lock, kEvery, [this] { return m_ends; })) {
        m_why = look(Clock::now());
        if (!m_why) continue;
        lock.unlock();
        return m_exceeded();
    }
}

std::optional<std::string> OwnCost::look(Clock::time_point now)
{
    std::optional<std::string> why;
    if (m_shareLimit != 0) why = tooMuchTime(now);
    if (!why && m_memoryLimit != 0) why = tooMuchMemory();
    m_looked = now;
    return why;
}

std::optional<std::string> OwnCost::tooMuchTime(Clock::time_point now)
{
    const auto ran = ranOf(m_programs), own = ownTime();
    const double machine = std::chrono::duration<double, std::nano>(now - m_looked).count()
        * static_cast<double>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
    // Programs that went since take their time with them.
    const double inProbes = static_cast<double>(std::max(ran - m_ran, Nanoseconds(0)).count()) / machine,
                 inOwn = static_cast<double>((own - m_ownTime).count()) / machine;
    m_ran = ran;
    m_ownTime = own;
    if ((inProbes + inOwn) * 1e6 <= static_cast<double>(m_shareLimit)) return {};
    return "the run ends here: in its last second probes took " + perCent(inProbes) + " of the machine's CPU time and dscope "
        + perCent(inOwn) + ", where option costlimit allows " + m_share + (m_share.ends_with('%') ? "" : "%");
}

std::optional<std::string> OwnCost::tooMuchMemory() const
{
    const auto status = m_host.read("/proc/self/status");
    const auto ours = status ? numberAfter(*status, "RssAnon:") << 10U : 0;
    std::uint64_t inKernel = 0;
    for (const auto& map : m_maps)
        if (const auto text = m_host.read("/proc/self/fdinfo/" + std::to_string(map.get()))) inKernel += numberAfter(*text, "memlock:");
    if (ours + inKernel <= m_memoryLimit) return {};
    const auto mebibytes = [](std::uint64_t bytes) { return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB"; };
    return "the run ends here: dscope has " + mebibytes(ours) + " of memory and its maps in the kernel " + mebibytes(inKernel)
        + ", where option memorylimit allows " + m_memory;
}
} // namespace dscope::session
