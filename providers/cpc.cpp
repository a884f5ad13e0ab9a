#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include <algorithm>
#include <charconv>
#include <linux/perf_event.h>
#include <optional>
namespace dscope::providers {
namespace {
struct Counter {
    std::string_view name;
    std::uint32_t type;
    std::uint64_t config;
};
// Source: include/uapi/linux/perf_event.h; the short names are those of perf(1), with _ for -.
constexpr Counter kCounters[] = {
    {"perf_count_hw_cpu_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"perf_count_hw_instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"perf_count_hw_cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"perf_count_hw_cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"perf_count_hw_branch_instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"perf_count_hw_branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"perf_count_hw_bus_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"perf_count_hw_stalled_cycles_frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"perf_count_hw_stalled_cycles_backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"perf_count_hw_ref_cpu_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"perf_count_sw_cpu_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"perf_count_sw_task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"perf_count_sw_page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"perf_count_sw_context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"perf_count_sw_cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"perf_count_sw_page_faults_min", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"perf_count_sw_page_faults_maj", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"perf_count_sw_alignment_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"perf_count_sw_emulation_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cpu_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branch_instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"cpu_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"minor_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"alignment_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};
constexpr std::string_view kModes[] = {"all", "user", "kernel"};
constexpr std::uint64_t kListedPeriod = 1'000'000'000;

/// EVENT-MODE-COUNT: fires each time that the counter, in that mode, has grown by COUNT.
std::optional<probe::PerfEvent> counting(std::string_view probe)
{
    const auto last = probe.rfind('-');
    if (last == probe.npos) return {};
    const auto middle = probe.rfind('-', last - 1);
    if (middle == probe.npos || last == 0) return {};
    const auto name = probe.substr(0, middle), mode = probe.substr(middle + 1, last - middle - 1), count = probe.substr(last + 1);
    const auto* counter = std::find_if(std::begin(kCounters), std::end(kCounters), [&](const Counter& c) { return c.name == name; });
    const auto* known = std::find(std::begin(kModes), std::end(kModes), mode);
    probe::PerfEvent event;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), event.period);
    if (counter == std::end(kCounters) || known == std::end(kModes) || error != std::errc{} || end != count.data() + count.size()
        || event.period == 0)
        return {};
    event.type = counter->type;
    event.config = counter->config;
    event.inKernel = mode != "user";
    event.inUser = mode != "kernel";
    return event;
}
/// Machines without counters (virtual ones, often) have no event source of that name.
bool countsHardware(const host::Host& host)
{
    const auto sources = host.entries("/sys/bus/event_source/devices");
    return sources && std::any_of(sources->begin(), sources->end(), [](const std::string& s) { return s.starts_with("cpu"); });
}

class Cpc final : public probe::Provider {
public:
    std::string_view name() const override { return "cpc"; }
    std::string_view summary() const override { return "counters of the CPU and the kernel: EVENT-MODE-COUNT fires every COUNT events"; }
    std::string_view example() const override { return "cpc:::cycles-all-1000000"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        constexpr Attributes module{Attributes::Level::Unstable, Attributes::Level::Unstable, Attributes::Class::Unknown};
        return {kEvolving, module, kPrivate, kEvolving, kEvolving};
    }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        bool listed = false;
        each(host, true, wanted, [&](probe::Name name) {
            listed = true;
            found(std::move(name));
        });
        if (listed) return {};
        const auto event = counting(wanted.name);
        if (event && (event->type != PERF_TYPE_HARDWARE || countsHardware(host))) found({"cpc", "", "", wanted.name});
        return {};
    }

    Result<probe::Description> describe(const host::Host&, const probe::Name& probe) const override
    {
        const auto event = counting(probe.name);
        if (!event) return Error{0, "not EVENT-MODE-COUNT: " + probe.name};
        probe::Description out;
        out.hooks.push_back({*event, -1, -1, 0, {}});
        // Where the CPU was, in the kernel or in user space.
        const auto user = std::string(host::kProcessor.wasInUser), at = "raw[" + std::to_string(host::kProcessor.instruction / 8) + "]";
        out.args = {{user + " ? 0 : " + at, "uintptr_t", {}}, {user + " ? " + at + " : 0", "uintptr_t", {}}};
        return out;
    }

    void unavailable(
        const host::Host& host, const probe::Pattern& wanted, const std::function<void(probe::Unavailable)>& found) const override
    {
        const std::string why = "this machine has no hardware counters, as virtual machines often have none; its host may lend them "
                                "(QEMU: -cpu host,pmu=on), and cpc:::cpu_clock-all-N needs none";
        bool any = false;
        each(host, false, wanted, [&](probe::Name name) {
            any = true;
            found({std::move(name), why, {}});
        });
        const auto event = counting(wanted.name);
        if (!any && event && event->type == PERF_TYPE_HARDWARE && !countsHardware(host)) found({{"cpc", "", "", wanted.name}, why, {}});
    }

private:
    /// One probe an event, those that can (`there`) or cannot be had here.
    static void each(const host::Host& host, bool there, const probe::Pattern& wanted, const Found& found)
    {
        const bool hardware = countsHardware(host);
        for (const auto& counter : kCounters) {
            if (!counter.name.starts_with("perf_count_")) break; // short names of the same follow
            if ((counter.type != PERF_TYPE_HARDWARE || hardware) != there) continue;
            probe::Name name{"cpc", "", "", std::string(counter.name) + "-all-" + std::to_string(kListedPeriod)};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
    }
};
} // namespace
std::unique_ptr<probe::Provider> make_cpc() { return std::make_unique<Cpc>(); }
} // namespace dscope::providers
