#include "cli/held.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <unistd.h>
namespace dscope::cli {
namespace {
/// In --stream mode: the user who asked, when pkexec or sudo made us root for it.
std::optional<uid_t> asker()
{
    for (const auto* name : {"PKEXEC_UID", "SUDO_UID"})
        if (const char* value = ::getenv(name)) {
            uid_t uid = 0;
            const std::string_view text(value);
            if (std::from_chars(text.data(), text.data() + text.size(), uid).ptr == text.data() + text.size()) return uid;
        }
    return {};
}
session::Stage stageOf(const options::Options& options)
{
    if (!options.isSet("evaltime")) return session::Stage::Preinit;
    const auto when = options.text("evaltime");
    return when == "exec" ? session::Stage::Exec : when == "preinit" ? session::Stage::Preinit : session::Stage::Main;
}
/// The machine we run on, and the commands that wait on it.
class HeldHost final : public host::Host {
public:
    HeldHost(std::vector<session::Target>& targets, session::Stage stage) : m_targets(targets), m_stage(stage) { }
    /// Who looks at what a held command has mapped sees it as it will be: the command is let run that far.
    Result<std::string> read(const std::string& path) const override
    {
        for (auto& target : m_targets)
            if (path == "/proc/" + std::to_string(target.pid()) + "/maps") DSCOPE_CHECK(target.advance(m_stage));
        return m_local->read(path);
    }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_local->entries(directory); }
    std::uint32_t kernelVersion() const override { return m_local->kernelVersion(); }
    std::string kernelRelease() const override { return m_local->kernelRelease(); }
    std::string hostName() const override { return m_local->hostName(); }
    int cpuCount() const override { return m_local->cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_local->onlineCpus(); }
    Result<> takesFunctionPrograms(std::uint32_t function) const override { return m_local->takesFunctionPrograms(function); }

private:
    std::unique_ptr<host::Host> m_local = host::local();
    std::vector<session::Target>& m_targets;
    session::Stage m_stage;
};
} // namespace

Result<std::vector<session::Target>> targets(const Arguments& a)
{
    std::vector<session::Target> all;
    for (const auto& c : a.commands) {
        DSCOPE_TRY(auto target, session::Target::launch(c, a.stream >= 0 ? asker() : std::nullopt));
        all.push_back(std::move(target));
    }
    for (const auto& p : a.pids) {
        int pid = 0;
        if (std::from_chars(p.data(), p.data() + p.size(), pid).ptr != p.data() + p.size() || pid <= 0)
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
    return std::make_unique<HeldHost>(targets, stageOf(options));
}

std::vector<pid_t> growing(const sema::Program& program)
{
    std::vector<pid_t> found;
    for (const auto& wanted : program.described) {
        const auto last = wanted.provider.find_last_not_of("0123456789");
        if (last == std::string::npos || last + 1 == wanted.provider.size()) continue;
        const bool open = wanted.module.empty() || wanted.module.find_first_of("*?[") != std::string::npos;
        const bool there = std::any_of(program.probes.begin(), program.probes.end(),
            [&](const sema::EnabledProbe& p) { return p.name.module.starts_with(wanted.module) || wanted.module == "a.out"; });
        if (!open && there) continue;
        const auto pid = static_cast<pid_t>(std::atoi(wanted.provider.c_str() + last + 1));
        if (pid > 0 && pid != ::getpid() && std::find(found.begin(), found.end(), pid) == found.end()) found.push_back(pid);
    }
    return found;
}
} // namespace dscope::cli
