#include "engine/tracer/examination.h"
#include "engine/host/lockdown.h"
#include "engine/session/abilities.h"
#include "engine/tracer/loaded_libraries.h"
#include "engine/tracer/tracer.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
namespace dscope::tracer {
namespace {
using Outcome = Examination::Outcome;
using Trial = Examination::Trial;

Trial failed(const Error& error) { return {Outcome::Fails, error.code, error.message}; }

/// Runs a program that records nothing, and ends it at once. `looked` sees it when it is compiled.
Trial tried(std::string text, std::optional<pid_t> process = {}, const std::function<void(const Program&)>& looked = {})
{
    Request request;
    request.programs.push_back({std::move(text)});
    if (process) request.processes.push_back(*process);
    auto tracer = Tracer::open(std::move(request));
    if (!tracer) return failed(tracer.error());
    auto compiled = (*tracer)->compile();
    if (!compiled.program) {
        for (const auto& d : compiled.diagnostics)
            if (d.severity == record::Diagnostic::Severity::Error) return {Outcome::Fails, 0, d.message};
        return {Outcome::Fails, 0, "its probe does not compile"};
    }
    if (looked) looked(*compiled.program);
    auto run = (*tracer)->start(*std::move(compiled.program));
    if (!run) return failed(run.error());
    return {Outcome::Works, 0, {}};
}

/// A process of our own that does nothing, with our code at our addresses; ended with this object.
class Idle {
public:
    Idle() : m_pid(::fork())
    {
        if (m_pid != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            ::pause();
    }

    ~Idle()
    {
        if (m_pid <= 0) return;
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }

    Idle(const Idle&) = delete;
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid;
};

std::string hex(std::uint64_t number)
{
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(number));
    return text.data();
}

std::vector<Examination::Missing> missingOf(const probe::Registry& registry, const probe::Provider& provider)
{
    std::vector<Examination::Missing> all;
    if (provider.onDemand()) return all; // what it lacks depends on the process
    for (const auto& u : registry.unavailable({std::string(provider.name()), {}, {}, {}})) {
        auto at = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.why == u.why; });
        if (at == all.end()) at = all.insert(all.end(), {{}, u.why, u.isForOthers});
        at->probes.push_back(u.name.spelled());
    }
    return all;
}

/// One of a provider's probes: the first, or where that can't be had one of some others. Of the kernel's 100,000 functions there are those
/// that kprobes are not allowed in, for each kernel others, and the first may be one.
Trial trialOfOne(const std::vector<probe::Registry::Probe>& probes)
{
    constexpr std::size_t kTried = 4;
    const auto first = tried(probes.front().name.spelled() + " /0/ { }");
    if (first.outcome != Outcome::Fails) return first;
    for (std::size_t i = 1; i < std::min(kTried, probes.size()); ++i)
        if (auto another = tried(probes[probes.size() * i / kTried].name.spelled() + " /0/ { }"); another.outcome == Outcome::Works)
            return another;
    return first;
}

/// A probe in a process: at one of our own functions, in a process that is ours.
Trial trialInProcess()
{
    const Idle idle;
    if (idle.pid() < 0) return {Outcome::NotTried, errno, std::string("no process can be started to try it with: ") + std::strerror(errno)};
    return tried("pid$target:a.out:-:" + hex(reinterpret_cast<std::uintptr_t>(&examine)) + " /0/ { }", idle.pid());
}

void lookAtProviders(const Tracer& tracer, Examination& out)
{
    const auto why = std::string("needs root (or CAP_BPF and CAP_PERFMON)");
    std::optional<Trial> ofProcesses; // several providers put probes into processes, by one mechanism
    for (const auto& provider : tracer.registry().providers()) {
        Examination::Provider p{std::string(provider->name()), std::string(provider->summary()), provider->onDemand()};
        std::vector<probe::Registry::Probe> probes;
        if (!p.isOnDemand) {
            auto found = tracer.registry().match({p.name, {}, {}, {}});
            if (!found)
                p.trial = failed(found.error());
            else
                probes = *std::move(found);
        }
        p.probes = probes.size();
        p.missing = missingOf(tracer.registry(), *provider);
        if (p.trial.outcome == Outcome::Fails) {
        } else if (probes.empty() && !out.rights.mayTrace() && !p.missing.empty() && p.missing.front().isForOthers)
            p.trial = {Outcome::NotTried, EPERM, why + ": " + p.missing.front().why};
        else if (probes.empty() && !p.isOnDemand)
            p.trial = {Outcome::Fails, 0, p.missing.empty() ? "no probe of it is listed here" : p.missing.front().why};
        else if (!out.rights.mayTrace())
            p.trial = {Outcome::NotTried, EPERM, why};
        else if (p.isOnDemand) {
            if (!ofProcesses) ofProcesses = trialInProcess();
            p.trial = *ofProcesses;
        } else
            p.trial = trialOfOne(probes);
        out.providers.push_back(std::move(p));
    }

    std::sort(out.providers.begin(), out.providers.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    if (!out.rights.mayTrace()) {
        out.userStacks = {Outcome::NotTried, EPERM, why};
        return;
    }
    out.userStacks = tried("profile:::profile-1 /0/ { @[ustack()] = count(); }", {},
        [&](const Program& program) { out.walksInKernel = program.object().walks.has_value(); });
}
} // namespace

Examination examine()
{
    Examination out;
    auto opened = Tracer::open({});
    DSCOPE_ASSERT(opened); // it has no command and no process
    const auto& tracer = **opened;
    const auto& host = tracer.host();
    utsname name{};
    ::uname(&name);
    out.kernel = host.kernelRelease();
    out.architecture = name.machine;
    out.cpus = static_cast<int>(host.onlineCpus().size());
    out.rights = session::rights();
    out.isRoot = ::geteuid() == 0;
    if (const auto types = host.kernelTypes())
        out.typesSize = (*types)->size();
    else
        out.whyNoTypes = types.error().message;
    out.hasTracefs = host.read("/sys/kernel/tracing/available_events").has_value();
    out.mountsTracefs = out.hasTracefs && !host.status("/sys/kernel/tracing/available_events");
    if (!out.hasTracefs) out.whyNoTracefs = host::whyLockdownHidesTracefs(host);
    for (const auto* path : {"/sys/kernel/security/lockdown", "/proc/sys/kernel/kptr_restrict", "/proc/sys/kernel/perf_event_paranoid",
             "/proc/sys/kernel/unprivileged_bpf_disabled"}) {
        const auto text = host.read(path);
        out.settings.push_back({path, text ? text->substr(0, text->find('\n')) : "", text ? 0 : text.error().code});
    }

    const auto& abilities = session::abilities();
    out.abilitiesKnown = abilities.isKnown();
    out.abilities = session::abilitiesWithLinks();
    lookAtProviders(tracer, out);
    out.hasDebugFolder = host.status("/usr/lib/debug/.build-id").has_value();
    if (const auto* urls = ::getenv("DEBUGINFOD_URLS")) out.debuginfodUrls = urls;
    out.libraries = loadedLibraries();
    return out;
}
} // namespace dscope::tracer
