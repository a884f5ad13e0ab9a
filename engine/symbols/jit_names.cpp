#include "engine/symbols/jit_names.h"
#include "engine/symbols/mapped_file.h"
namespace dscope::symbols {
namespace {
// Between looks at a process's files: compilers go on working, and use memory again.
constexpr auto kPause = std::chrono::milliseconds(1000), kPauseOfMisses = std::chrono::milliseconds(50);

/// Within a container the program knows itself by another number: the last of NSpid. Source: proc(5).
std::string ownNumber(const host::Host& host, std::uint32_t pid)
{
    const auto info = host.read("/proc/" + std::to_string(pid) + "/status");
    const auto at = info ? info->find("\nNSpid:") : std::string::npos;
    if (at == std::string::npos) return std::to_string(pid);
    const auto line = info->substr(at + 1, info->find('\n', at + 1) - at - 1);
    return line.substr(line.find_last_of(" \t") + 1);
}
} // namespace

JitNames::Process* JitNames::meet(std::uint32_t pid)
{
    const auto known = m_processes.find(pid);
    if (known != m_processes.end()) return &known->second;
    const auto status = m_host.status("/proc/" + std::to_string(pid));
    if (!status) return nullptr;
    auto& process = m_processes[pid];
    process.owner = status->st_uid;
    process.number = ownNumber(m_host, pid);
    process.root = FileRoot::ofProcess(m_host, pid);
    return &process;
}

void JitNames::mapped(std::uint32_t pid, const Mapping& mapping)
{
    if (mapping.mayBeGenerated())
        meet(pid);
    else if (JitDump::isDump(mapping.path))
        if (auto* process = meet(pid)) openDump(pid, *process, mapping);
}

void JitNames::openDump(std::uint32_t pid, Process& process, const Mapping& mapping)
{
    const std::pair key(mapping.inode, mapping.path);
    if (process.dumps.contains(key)) return;
    if (auto file = openMapped(m_host, pid, mapping)) process.dumps.emplace(key, JitDump(std::move(file)));
}

void JitNames::readOn(std::uint32_t pid, Process& process, const ProcessMaps& maps)
{
    process.read = Clock::now();
    process.perfMap.read(openIn(process.root.get(), "/tmp/perf-" + process.number + ".map", Links::Refused), process.owner, process.listed);
    for (const auto& mapping : maps.all())
        if (JitDump::isDump(mapping.path)) openDump(pid, process, mapping);
    for (auto& [key, dump] : process.dumps)
        dump.read(process.dumped);
}

std::optional<JitCode::Found> JitNames::known(const Process& process, std::uint64_t address)
{
    const auto found = process.dumped.find(address);
    return found ? found : process.listed.find(address);
}

std::optional<JitCode::Found> JitNames::find(std::uint32_t pid, std::uint64_t address, const ProcessMaps& maps)
{
    auto* process = meet(pid);
    if (!process) return {};
    const auto waited = Clock::now() - process->read;
    if (waited >= kPause || (waited >= kPauseOfMisses && !known(*process, address))) readOn(pid, *process, maps);
    return known(*process, address);
}
} // namespace dscope::symbols
