#include "graph/implied_frames.h"
#include "graph/run_probes.h"
#include "graph/store.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
using namespace std::literals;

/// "vmlinux`schedule.isra.0" gives "schedule".
std::string_view plainFunction(std::string_view shownName)
{
    const auto tick = shownName.rfind('`');
    auto name = tick == std::string_view::npos ? shownName : shownName.substr(tick + 1);
    for (const auto suffix : {".isra."sv, ".part."sv, ".constprop."sv, ".cold"sv})
        name = name.substr(0, std::min(name.find(suffix), name.size()));
    return name;
}

template <std::size_t N> bool startsWithAny(std::string_view name, const std::array<std::string_view, N>& beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) { return name.starts_with(beginning); });
}
template <std::size_t N> bool hasAny(std::string_view name, const std::array<std::string_view, N>& parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](auto part) { return name.find(part) != name.npos; });
}

/// Between a tracepoint and the program that it runs. Source: include/trace/bpf_probe.h, perf.h and trace_events.h (names of generated
/// functions), kernel/trace/bpf_trace.c, kernel/bpf/trampoline.c.
bool isOfTracing(std::string_view name)
{
    constexpr std::array kBeginnings{"__traceiter_"sv, "__bpf_trace_"sv, "bpf_trace_run"sv, "bpf_prog_"sv, "__bpf_prog_"sv,
        "bpf_trampoline_"sv, "trace_event_raw_event_"sv, "perf_trace_"sv, "__do_trace_"sv, "trace_call_bpf"sv, "perf_call_bpf_"sv,
        "ftrace_"sv, "kprobe_"sv, "kretprobe_"sv};
    return startsWithAny(name, kBeginnings);
}

/// From where a thread gives up its CPU or is woken to sched_switch and sched_waking. Source: kernel/sched/core.c, kernel/time/
/// sleep_timeout.c, kernel/sched/wait.c and swait.c; functions that are called when a waiter is woken end in wake_function.
bool isOfScheduler(std::string_view name)
{
    constexpr std::array kBeginnings{"schedule"sv, "__schedule"sv, "preempt_schedule"sv, "io_schedule"sv, "finish_task_switch"sv,
        "context_switch"sv, "prepare_task_switch"sv, "ttwu_"sv, "try_to_wake_up"sv};
    constexpr std::array kParts{"cond_resched"sv, "wake_up"sv, "wake_function"sv};
    return startsWithAny(name, kBeginnings) || hasAny(name, kParts);
}

/// What waits for a lock, and what takes one. Source: kernel/locking.
bool isOfLocks(std::string_view name)
{
    constexpr std::array kParts{"mutex_lock"sv, "mutex_trylock"sv, "mutex_unlock"sv, "spin_lock"sv, "spin_unlock"sv, "_lock_slowpath"sv,
        "rwsem_"sv, "down_read"sv, "down_write"sv, "up_read"sv, "up_write"sv, "read_lock"sv, "write_lock"sv, "rt_mutex"sv, "rtlock"sv};
    return hasAny(name, kParts);
}

bool isFunctionProbe(const record::ProbeDef& probe)
{
    constexpr std::string_view kDigits = "0123456789";
    // pid1234 and the providers of marked places, which have the number of their process behind their name
    const bool isOfProcess = probe.provider.find_last_not_of(kDigits) != probe.provider.size() - 1;
    return !probe.function.empty() && (isOfProcess || probe.provider == "fbt" || probe.provider == "rawfbt");
}
/// Fires at a rate, or after so many events of the processor: wherever the program is.
bool isAnywhere(const record::ProbeDef& probe)
{
    return isSample(probe) || probe.provider == "cpc" || probe.provider == "profile" || probe.provider.empty();
}
} // namespace

ImpliedFrames::ImpliedFrames(const Store& store, std::span<const AggregationId> aggregations)
{
    const auto probes = probesThatFill(store, aggregations);
    if (probes.empty() || std::any_of(probes.begin(), probes.end(), [](const auto* p) { return isAnywhere(*p); })) return;
    m_isPlaced = true;

    const auto all = [&](auto test) { return std::all_of(probes.begin(), probes.end(), [&](const auto* p) { return test(*p); }); };
    const auto isOf = [](std::string_view provider) { return [provider](const record::ProbeDef& p) { return p.provider == provider; }; };
    const bool haveOneFunction = all([&](const record::ProbeDef& p) { return p.function == probes.front()->function; });
    if (all([](const record::ProbeDef& p) { return p.provider == "sched" || p.name.starts_with("sched_"); })) {
        m_hasScheduler = true;
        m_isWaiting = all([](const record::ProbeDef& p) { return p.provider == "sched" && p.name == "on-cpu"; });
    } else if (all(isOf("lockstat"))) {
        m_hasScheduler = m_hasLocks = true;
    } else if (all(isOf("syscall"))) {
        m_hasKernel = true;
        m_leavesCallers = haveOneFunction;
        if (haveOneFunction) m_last = Last::Implied;
    } else if (all(isFunctionProbe)) {
        m_leavesCallers = haveOneFunction;
        if (haveOneFunction) m_function = probes.front()->function;
        if (haveOneFunction) m_last = Last::Common;
    } else {
        m_last = Last::AllCommon;
        m_leavesCallers = true;
    }
}

bool ImpliedFrames::has(std::string_view shownName, Shade shade) const
{
    if (!m_isPlaced) return false;
    const auto name = plainFunction(shownName);
    if (!m_function.empty() && name == m_function) return true;
    if (shade != Shade::Kernel) return false;
    return m_hasKernel || isOfTracing(name) || (m_hasScheduler && isOfScheduler(name)) || (m_hasLocks && isOfLocks(name));
}
} // namespace dscope::graph
