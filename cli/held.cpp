#include "cli/held.h"
#include "engine/base/asker.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <unistd.h>
namespace dscope::cli {
namespace {
/// As whom the commands of -c run; nothing: as we do. A front end's user wants them run as itself, without asking for it.
Result<std::optional<uid_t>> commandsOwner(const Arguments& a)
{
    const bool isFrontEnds = a.stream >= 0;
    if ((!isFrontEnds && !a.asUser) || ::geteuid() != 0) return std::optional<uid_t>();

    const auto user = asker();
    if (!user && isFrontEnds) return std::optional<uid_t>();
    if (!user) return Error{0, "--as-user: dscope was not started through sudo, so there is no other user to run -c as; leave it out"};
    return std::optional(user->uid);
}
session::Stage stageOf(const options::Options& options)
{
    if (!options.isSet("evaltime")) return session::Stage::Preinit;
    const auto when = options.text("evaltime");
    return when == "exec" ? session::Stage::Exec : when == "preinit" ? session::Stage::Preinit : session::Stage::Main;
}
/// A machine seen in another way. Whatever a subclass does not override is answered by the real machine.
class SeenHost : public host::Host {
public:
    explicit SeenHost(const host::Host& real) : m_real(real) { }
    Result<std::string> read(const std::string& path) const override { return m_real.read(path); }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_real.entries(directory); }
    std::uint32_t kernelVersion() const override { return m_real.kernelVersion(); }
    std::string kernelRelease() const override { return m_real.kernelRelease(); }
    std::string hostName() const override { return m_real.hostName(); }
    int cpuCount() const override { return m_real.cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_real.onlineCpus(); }
    std::optional<PidNamespace> pidNamespace() const override { return m_real.pidNamespace(); }
    Result<std::shared_ptr<const std::string>> kernelTypes() const override { return m_real.kernelTypes(); }
    Result<> takesFunctionPrograms(std::uint32_t function) const override { return m_real.takesFunctionPrograms(function); }

private:
    const host::Host& m_real;
};
/// The machine we run on, and the commands that wait on it.
class HeldHost final : public SeenHost {
public:
    HeldHost(std::unique_ptr<host::Host> local, std::vector<session::Target>& targets, session::Stage stage)
        : SeenHost(*local), m_local(std::move(local)), m_targets(targets), m_stage(stage)
    {
    }
    /// Reading the maps of a held command first lets it run up to the stage, so that its libraries are mapped.
    Result<std::string> read(const std::string& path) const override
    {
        for (auto& target : m_targets)
            if (path == "/proc/" + std::to_string(target.pid()) + "/maps") DSCOPE_CHECK(target.advance(m_stage));
        return SeenHost::read(path);
    }

private:
    std::unique_ptr<host::Host> m_local;
    std::vector<session::Target>& m_targets;
    session::Stage m_stage;
};
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

bool isGlob(const std::string& part) { return part.empty() || part.find_first_of("*?[") != std::string::npos; }
/// Whether a provider part can only name providers of processes ("python*"), and none of the kernel's.
bool meansProcesses(const std::string& provider, const probe::Registry& registry)
{
    if (!isGlob(provider)) return false;
    bool may = false;
    for (const auto& each : registry.providers())
        if (each->mayServe(provider)) {
            if (!each->onDemand()) return false;
            may = true;
        }
    return may;
}
} // namespace

Result<std::vector<session::Target>> targets(const Arguments& a)
{
    std::vector<session::Target> all;
    DSCOPE_TRY(const auto owner, commandsOwner(a));
    for (const auto& c : a.commands) {
        DSCOPE_TRY(auto target, session::Target::launch(c, owner));
        all.push_back(std::move(target));
    }
    for (const auto& p : a.pids) {
        int pid = 0;
        const auto begin = std::min(p.find_first_not_of(" \t"), p.size()); // scripts give what ps(1) prints
        if (std::from_chars(p.data() + begin, p.data() + p.size(), pid).ptr != p.data() + p.size() || pid <= 0)
            return Error{0, "invalid pid: " + p};
        DSCOPE_TRY(auto target, session::Target::grab(pid));
        all.push_back(std::move(target));
    }
    return all;
}

Result<> advance(std::vector<session::Target>& targets, const sema::Program& program)
{
    const bool isAsked = program.options.isSet("evaltime");
    const auto stage = isAsked ? stageOf(program.options) : session::Stage::Main;
    if (stage == session::Stage::Exec || (!isAsked && program.tellsOfProcesses)) return {}; // seen from before its exec
    for (auto& target : targets) {
        auto done = target.advance(stage);
        // Where ptrace(2) is denied to us it is traced from its exec on, as without the option.
        if (!done && (isAsked || done.error().code != EPERM)) return done;
    }
    return {};
}

std::unique_ptr<host::Host> heldHost(std::vector<session::Target>& targets, const options::Options& options)
{
    return std::make_unique<HeldHost>(host::local(), targets, stageOf(options));
}

session::Growth::Request growth(const sema::Program& program, const host::Host& host, const probe::Registry& registry)
{
    session::Growth::Request request;
    std::vector<probe::Pattern> open; // of processes that need not be there yet
    for (const auto& wanted : program.described) {
        const auto last = wanted.provider.find_last_not_of("0123456789");
        if (last == std::string::npos || last + 1 == wanted.provider.size()) {
            if (meansProcesses(wanted.provider, registry)) open.push_back(wanted);
            continue;
        }
        const bool anyModule = wanted.module.empty() || isGlob(wanted.module);
        const bool there = std::any_of(program.probes.begin(), program.probes.end(),
            [&](const sema::EnabledProbe& p) { return p.name.module.starts_with(wanted.module) || wanted.module == "a.out"; });
        if (!anyModule && there) continue;
        const auto pid = static_cast<pid_t>(std::atoi(wanted.provider.c_str() + last + 1));
        auto& all = request.processes;
        if (pid > 0 && pid != ::getpid() && std::find(all.begin(), all.end(), pid) == all.end()) all.push_back(pid);
    }
    request.newcomers = !open.empty();
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
                    && (isGlob(pattern.provider) ? provider->mayServe(pattern.provider) : provider->serves(pattern.provider)))
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
} // namespace dscope::cli
