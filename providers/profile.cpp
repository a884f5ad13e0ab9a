#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include <charconv>
#include <linux/perf_event.h>
#include <optional>
namespace dscope::providers {
namespace {
constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kShortest = kSecond / 20'000; ///< ns; the fastest that the CPU clock event keeps exactly

/// "997", "997hz", "10ms": nanoseconds from one firing to the next. None where it is not a rate of ours.
std::optional<std::uint64_t> interval(std::string_view rate)
{
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(rate.data(), rate.data() + rate.size(), n);
    if (error != std::errc{} || n == 0) return {};
    const std::string_view unit(end, static_cast<std::size_t>(rate.data() + rate.size() - end));
    if (unit.empty() || unit == "hz") return n <= kSecond / kShortest ? std::optional(kSecond / n) : std::nullopt;
    struct Unit {
        std::string_view name;
        std::uint64_t ns;
    };
    static constexpr Unit kUnits[] = {{"ns", 1}, {"nsec", 1}, {"us", 1'000}, {"usec", 1'000}, {"ms", 1'000'000}, {"msec", 1'000'000},
        {"s", kSecond}, {"sec", kSecond}, {"m", 60 * kSecond}, {"min", 60 * kSecond}, {"h", 3'600 * kSecond}, {"hour", 3'600 * kSecond},
        {"d", 86'400 * kSecond}, {"day", 86'400 * kSecond}};
    for (const auto& u : kUnits)
        if (unit == u.name) {
            const auto limit = INT64_MAX / static_cast<std::int64_t>(u.ns);
            if (n > static_cast<std::uint64_t>(limit) || n * u.ns < kShortest) return {};
            return n * u.ns;
        }
    return {};
}
struct Timer {
    bool everyCpu;
    std::uint64_t ns;
};
std::optional<Timer> timer(std::string_view probe)
{
    const bool every = probe.starts_with("profile-");
    if (!every && !probe.starts_with("tick-")) return {};
    const auto ns = interval(probe.substr(probe.find('-') + 1));
    return ns ? std::optional(Timer{every, *ns}) : std::nullopt;
}

class Profile final : public probe::Provider {
public:
    std::string_view name() const override { return "profile"; }
    std::string_view summary() const override { return "timers: profile-N on every CPU, tick-N on one"; }
    std::string_view example() const override { return "profile:::profile-997"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        constexpr Attributes module{Attributes::Level::Unstable, Attributes::Level::Unstable, Attributes::Class::Unknown};
        return {kEvolving, module, kPrivate, kEvolving, kEvolving};
    }

    /// No other provider's probes are called so: names of C and of the kernel have no '-'.
    bool owns(std::string_view probe) const override { return timer(probe).has_value(); }

    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        static constexpr std::string_view kListed[] = {"profile-97", "profile-199", "profile-499", "profile-997", "profile-1999",
            "profile-4001", "profile-4999", "tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000"};
        bool listed = false;
        for (const auto probe : kListed) {
            probe::Name name{"profile", "", "", std::string(probe)};
            if (!probe::matches(wanted, name)) continue;
            listed = true;
            found(std::move(name));
        }
        if (!listed && timer(wanted.name)) found({"profile", "", "", wanted.name});
        return {};
    }

    Result<probe::Description> describe(const host::Host&, const probe::Name& probe) const override
    {
        const auto rate = timer(probe.name);
        if (!rate) return Error{0, "not a rate: " + probe.name};
        probe::PerfEvent event;
        event.type = PERF_TYPE_SOFTWARE;
        event.config = PERF_COUNT_SW_CPU_CLOCK;
        event.period = rate->ns;
        event.everyCpu = rate->everyCpu;
        probe::Description out;
        out.hooks.push_back({event, -1, -1, 0, {}});
        // Where the CPU was interrupted, in the kernel or in user space.
        const auto user = std::string(host::kProcessor.wasInUser), at = "raw[" + std::to_string(host::kProcessor.instruction / 8) + "]";
        out.args = {{user + " ? 0 : " + at, "uintptr_t", {}}, {user + " ? " + at + " : 0", "uintptr_t", {}}};
        return out;
    }
};
} // namespace
std::unique_ptr<probe::Provider> make_profile() { return std::make_unique<Profile>(); }
} // namespace dscope::providers
