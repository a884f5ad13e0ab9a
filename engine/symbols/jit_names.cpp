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

GeneratedCode* JitNames::meet(std::uint32_t pid)
{
    const auto known = m_processes.find(pid);
    if (known != m_processes.end()) return known->second.get();
    const auto status = m_host.status("/proc/" + std::to_string(pid));
    if (!status) return nullptr;
    auto process = std::make_shared<GeneratedCode>();
    process->pid = pid;
    process->owner = status->st_uid;
    process->number = ownNumber(m_host, pid);
    process->root = FileRoot::ofProcess(m_host, pid);
    return m_processes.emplace(pid, std::move(process)).first->second.get();
}

void JitNames::mapped(std::uint32_t pid, const Mapping& mapping)
{
    if (mapping.mayBeGenerated())
        meet(pid);
    else if (JitDump::isDump(mapping.path))
        if (auto* process = meet(pid)) openDump(pid, *process, mapping);
}

void JitNames::openDump(std::uint32_t pid, GeneratedCode& process, const Mapping& mapping) const
{
    const std::pair key(mapping.inode, mapping.path);
    if (process.dumps.contains(key)) return;
    if (auto file = openMapped(m_host, pid, mapping)) process.dumps.emplace(key, JitDump(std::move(file)));
}

void JitNames::readOn(GeneratedCode& process, const ProcessMaps* maps) const
{
    if (process.ended) return;
    process.read = Clock::now();
    process.perfMap.read(openIn(process.root.get(), "/tmp/perf-" + process.number + ".map", Links::Refused), process.owner, process.listed);
    if (maps)
        for (const auto& mapping : maps->all())
            if (JitDump::isDump(mapping.path)) openDump(process.pid, process, mapping);
    for (auto& [key, dump] : process.dumps)
        dump.read(process.dumped);
}

std::optional<JitCode::Found> JitNames::known(const GeneratedCode& process, std::uint64_t address)
{
    const auto found = process.dumped.find(address);
    return found ? found : process.listed.find(address);
}

std::optional<JitCode::Found> JitNames::find(std::uint32_t pid, std::uint64_t address, const ProcessMaps& maps)
{
    auto* process = meet(pid);
    if (!process) return {};
    const auto waited = Clock::now() - process->read;
    if (waited >= kPause || (waited >= kPauseOfMisses && !known(*process, address))) readOn(*process, &maps);
    return known(*process, address);
}

std::shared_ptr<GeneratedCode> JitNames::keep(std::uint32_t pid) { return meet(pid) ? m_processes.at(pid) : nullptr; }

std::optional<JitCode::Found> JitNames::find(GeneratedCode& code, std::uint64_t address)
{
    if (Clock::now() - code.read >= kPauseOfMisses && !known(code, address)) readOn(code, nullptr);
    return known(code, address);
}

void JitNames::ended(std::uint32_t pid)
{
    const auto process = m_processes.find(pid);
    if (process == m_processes.end()) return;
    readOn(*process->second, nullptr);
    // Its first thread may be gone while others run on.
    const auto threads = m_host.entries("/proc/" + std::to_string(pid) + "/task");
    if (!threads || threads->size() <= 1) end(*process->second);
}

void JitNames::end(GeneratedCode& code)
{
    code.ended = true;
    code.dumps.clear();
    code.root = nullptr;
}

void JitNames::forget(std::uint32_t pid)
{
    const auto process = m_processes.find(pid);
    if (process == m_processes.end()) return;
    end(*process->second); // whoever keeps it must not read what another program of that number writes
    m_processes.erase(process);
}
} // namespace dscope::symbols
