#include "engine/tracer/late_probes.h"
#include "engine/format/manners.h"
#include "engine/tracer/seen_host.h"
#include <algorithm>
#include <cstdlib>
#include <unistd.h>
namespace dscope::tracer {
namespace {
/// A machine with one process.
class OneProcess final : public SeenHost {
public:
    OneProcess(const host::Host& all, pid_t process) : SeenHost(all), m_process(process) { }

    Result<std::vector<std::string>> entries(const std::string& directory) const override
    {
        if (directory != "/proc") return SeenHost::entries(directory);
        return std::vector<std::string>{std::to_string(m_process)};
    }

private:
    pid_t m_process;
};
} // namespace

bool meansProcesses(const std::string& provider, const probe::Registry& registry)
{
    if (!probe::isGlob(provider)) return false;
    bool may = false;
    for (const auto& each : registry.providers())
        if (each->mayServe(provider)) {
            if (!each->onDemand()) return false;
            may = true;
        }
    return may;
}

session::Growth::Request lateProbes(const sema::Program& program, const host::Host& host, const probe::Registry& registry)
{
    session::Growth::Request request;
    std::vector<probe::Pattern> open; // of processes that need not be there yet
    for (const auto& wanted : program.described) {
        const auto last = wanted.provider.find_last_not_of("0123456789");
        // A number behind a wildcard is but the end of one: any process may have it.
        const bool namesProcess = last != std::string::npos && last + 1 != wanted.provider.size()
            && std::string_view("*?]").find(wanted.provider[last]) == std::string_view::npos;
        if (!namesProcess) {
            if (meansProcesses(wanted.provider, registry)) open.push_back(wanted);
            continue;
        }
        const bool anyModule = wanted.module.empty() || probe::isGlob(wanted.module);
        const bool there = std::any_of(program.probes.begin(), program.probes.end(),
            [&](const sema::EnabledProbe& p) { return p.name.module.starts_with(wanted.module) || wanted.module == "a.out"; });
        if (!anyModule && there) continue;
        const auto pid = static_cast<pid_t>(std::atoi(wanted.provider.c_str() + last + 1));
        auto& all = request.processes;
        if (pid > 0 && pid != ::getpid() && std::find(all.begin(), all.end(), pid) == all.end()) all.push_back(pid);
    }

    request.newcomers = !open.empty();
    request.mostProbes = program.options.number("nusdtprobes");
    request.warnsOfMost = format::mannersOf(program.dialect).warns;
    // To find the member, the kernel's types have to be read. Most programs watch no process and do without.
    if (request.newcomers || !request.processes.empty())
        if (const auto tgid = program.types->offsetOf("task_struct", "tgid")) request.tgid = *tgid;
    request.concerns = [&host, &registry, open, named = program.described](pid_t process) {
        const OneProcess machine(host, process);
        const auto suffix = std::to_string(process);
        const auto finds = [&](const probe::Pattern& pattern) {
            bool any = false;
            for (const auto& provider : registry.providers())
                if (provider->onDemand()
                    && (probe::isGlob(pattern.provider) ? provider->mayServe(pattern.provider) : provider->serves(pattern.provider)))
                    // Errors in the description were reported when it was compiled.
                    [[maybe_unused]]
                    const auto listed = provider->list(machine, pattern, [&](const probe::Name&) { any = true; });
            return any;
        };
        return std::any_of(open.begin(), open.end(), finds) || std::any_of(named.begin(), named.end(), [&](const probe::Pattern& pattern) {
            return pattern.provider.ends_with(suffix) && finds(pattern);
        });
    };
    return request;
}
} // namespace dscope::tracer
