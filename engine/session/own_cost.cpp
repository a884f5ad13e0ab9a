#include "engine/session/own_cost.h"
#include "engine/session/refusal.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>
namespace dscope::session {
namespace {
using record::Nanoseconds;
constexpr std::chrono::seconds kEvery{1};

Nanoseconds ranOf(std::span<const int> programs)
{
    std::uint64_t sum = 0;
    for (const int program : programs) {
        bpf_prog_info info{};
        std::uint32_t size = sizeof info;
        if (bpf_obj_get_info_by_fd(program, &info, &size) == 0) sum += info.run_time_ns;
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
} // namespace

Result<OwnCost> OwnCost::watch(const options::Options& options, const host::Host& host)
{
    OwnCost cost;
    cost.m_host = &host;
    if (options.isSet("costlimit")) {
        cost.m_shareLimit = options.number("costlimit");
        cost.m_share = options.text("costlimit");
        cost.m_counting = Fd(bpf_enable_stats(BPF_STATS_RUN_TIME));
        // Source: include/uapi/linux/bpf.h, BPF_ENABLE_STATS, from Linux 5.8 on
        if (!cost.m_counting && errno == EINVAL)
            return Error{EINVAL, "option costlimit: this kernel is too old to count the time of programs, which came with Linux 5.8"};
        if (!cost.m_counting) return refusal("option costlimit: counting the time of programs", errno);
    }
    if (options.isSet("memorylimit")) {
        cost.m_memoryLimit = options.number("memorylimit");
        cost.m_memory = options.text("memorylimit");
    }
    cost.m_looked = Clock::now();
    cost.m_ownTime = ownTime();
    return cost;
}

Result<std::optional<std::string>> OwnCost::exceeded(std::span<const int> programs, const Maps& maps)
{
    const auto now = Clock::now();
    if (!isAsked() || now - m_looked < kEvery) return std::optional<std::string>();
    std::optional<std::string> why;
    if (m_shareLimit != 0) why = tooMuchTime(programs, now);
    if (!why && m_memoryLimit != 0) why = tooMuchMemory(maps);
    m_looked = now;
    return why;
}

std::optional<std::string> OwnCost::tooMuchTime(std::span<const int> programs, Clock::time_point now)
{
    const auto ran = ranOf(programs), own = ownTime();
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

std::optional<std::string> OwnCost::tooMuchMemory(const Maps& maps) const
{
    const auto status = m_host->read("/proc/self/status");
    const auto ours = status ? numberAfter(*status, "RssAnon:") << 10U : 0;
    std::uint64_t inKernel = 0;
    for (const int map : maps.fds())
        if (const auto text = m_host->read("/proc/self/fdinfo/" + std::to_string(map))) inKernel += numberAfter(*text, "memlock:");
    if (ours + inKernel <= m_memoryLimit) return {};
    const auto mebibytes = [](std::uint64_t bytes) { return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB"; };
    return "the run ends here: dscope has " + mebibytes(ours) + " of memory and its maps in the kernel " + mebibytes(inKernel)
        + ", where option memorylimit allows " + m_memory;
}
} // namespace dscope::session
