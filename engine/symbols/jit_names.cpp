#include "engine/symbols/jit_names.h"
#include "engine/symbols/call_before.h"
#include "engine/symbols/mapped_file.h"
#include <array>
#include <charconv>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>
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
constexpr std::int64_t kSecond = 1'000'000'000;
std::int64_t clockNow(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return now.tv_sec * kSecond + now.tv_nsec;
}

/// By how much the time of a file's last change may be too early, ns: it is that of the last tick.
std::int64_t fileTick()
{
    timespec tick{};
    ::clock_getres(CLOCK_REALTIME_COARSE, &tick);
    return tick.tv_sec * kSecond + tick.tv_nsec;
}

/// When a process began, ns since 1970, rounded down to a tick; 0: not known. Source: proc(5), /proc/PID/stat, field 22
std::int64_t beginOf(const host::Host& host, std::uint32_t pid)
{
    constexpr int kFields = 20; // from the one behind the name, which may have spaces and parentheses
    const auto info = host.read("/proc/" + std::to_string(pid) + "/stat");
    auto at = info ? info->rfind(')') : std::string::npos;
    for (int i = 0; i < kFields && at != std::string::npos; ++i)
        at = info->find(' ', at + 1);
    std::int64_t ticks = 0;
    if (at == std::string::npos || std::from_chars(info->data() + at + 1, info->data() + info->size(), ticks).ec != std::errc{}) return 0;
    static const std::int64_t kTick = kSecond / ::sysconf(_SC_CLK_TCK);
    return clockNow(CLOCK_REALTIME) - clockNow(CLOCK_BOOTTIME) + ticks * kTick;
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
    const auto begun = m_begun.find(pid);
    const auto begin = begun != m_begun.end() ? begun->second : beginOf(m_host, pid);
    if (begin != 0) process->perfMap.setBegin(begin - fileTick());
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

std::optional<JitCode::Found> JitNames::findCaller(std::uint32_t pid, std::uint64_t address, const ProcessMaps& maps)
{
    const auto isCalled = [&] {
        std::array<std::byte, kLongestCall> code{};
        const auto memory = m_host.open("/proc/" + std::to_string(pid) + "/mem", O_RDONLY);
        const auto from = static_cast<off_t>(address - code.size());
        if (!memory || ::pread(memory.get(), code.data(), code.size(), from) != static_cast<ssize_t>(code.size())) return true;
        return callBefore(code, address).isCall;
    };
    const auto begins = find(pid, address, maps);
    return begins && begins->start == address && !isCalled() ? begins : find(pid, address - 1, maps);
}

std::shared_ptr<GeneratedCode> JitNames::keep(std::uint32_t pid) { return meet(pid) ? m_processes.at(pid) : nullptr; }

std::optional<JitCode::Found> JitNames::find(GeneratedCode& code, std::uint64_t address)
{
    if (Clock::now() - code.read >= kPauseOfMisses && !known(code, address)) readOn(code, nullptr);
    return known(code, address);
}

void JitNames::ended(std::uint32_t pid)
{
    m_begun.erase(pid);
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

void JitNames::execed(std::uint32_t pid, std::uint64_t when)
{
    constexpr std::size_t kMost = 1U << 16U; // whose end was not told; without the time of their exec older files are believed
    const auto ago = when == 0 ? 0 : clockNow(CLOCK_MONOTONIC) - static_cast<std::int64_t>(when);
    const auto begun = clockNow(CLOCK_REALTIME) - ago;
    if (const auto process = m_processes.find(pid); process != m_processes.end()) {
        process->second->perfMap.setEnd(begun);
        readOn(*process->second, nullptr);
    }
    forget(pid);
    if (m_begun.size() >= kMost) m_begun.clear();
    m_begun[pid] = begun;
}

void JitNames::forget(std::uint32_t pid)
{
    m_begun.erase(pid);
    const auto process = m_processes.find(pid);
    if (process == m_processes.end()) return;
    end(*process->second); // whoever keeps it must not read what another program of that number writes
    m_processes.erase(process);
}
} // namespace dscope::symbols
