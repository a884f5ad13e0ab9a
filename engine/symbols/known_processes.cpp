#include "engine/symbols/known_processes.h"
#include "engine/symbols/mapped_ranges.h"
#include <algorithm>
namespace dscope::symbols {
namespace {
// Between looks at the maps of one process: none while looking helps (it has just been exec'ed and loads its libraries),
// twice as long after each look in vain.
constexpr auto kFirstPause = std::chrono::milliseconds(1), kLongestPause = std::chrono::milliseconds(200);
constexpr auto kAttendPause = std::chrono::milliseconds(50);
constexpr auto kKeepExited = std::chrono::seconds(10); // records of a process that is gone are long through by then
constexpr auto kRoomPause = std::chrono::seconds(1);
constexpr auto kUnnoticedPause = std::chrono::seconds(60); // between looks for processes that ended without a word
constexpr std::size_t kMostExited = 4096;
} // namespace

void KnownProcesses::readMaps(std::uint32_t pid, Process& process)
{
    process.read = Clock::now();
    m_modules.forgetProgram(pid);
    auto maps = mappedRanges(m_host, pid);
    if (!maps || maps->all().empty()) return; // gone, or a zombie: keep what we know
    maps->inherit(process.maps);
    process.maps = *std::move(maps);
    process.named.clear();
    process.exited = false;
}

KnownProcesses::Process& KnownProcesses::of(std::uint32_t pid)
{
    auto& p = m_processes[pid];
    if (p.read == Clock::time_point{}) readMaps(pid, p);
    return p;
}

Mapping* KnownProcesses::mapping(std::uint32_t pid, Process& process, std::uint64_t address)
{
    auto* found = process.maps.find(address);
    if (!found && Clock::now() - process.read >= process.pause) {
        readMaps(pid, process);
        found = process.maps.find(address);
        process.pause = found ? Clock::duration{} : std::clamp<Clock::duration>(process.pause * 2, kFirstPause, kLongestPause);
    }
    if (found) m_modules.resolve(pid, *found);
    return found;
}

void KnownProcesses::forgetNames()
{
    for (auto& [number, process] : m_processes)
        process.named.clear();
}

std::vector<Mapping> KnownProcesses::mapped(std::uint32_t pid, Which which)
{
    auto maps = mappedRanges(m_host, pid);
    if (!maps) return {};
    if (const auto known = m_processes.find(pid); known != m_processes.end()) maps->inherit(known->second.maps);
    for (auto& mapping : maps->all()) {
        if (which == Which::All) m_modules.resolve(pid, mapping);
        if (which == Which::Walked && mapping.module && !mapping.module->isWalked()) mapping.module = nullptr;
    }
    return std::move(maps->all());
}

void KnownProcesses::attend(std::uint32_t pid)
{
    auto& p = m_processes[pid];
    const auto now = Clock::now();
    if (p.read == Clock::time_point{} || p.exited || now - p.read >= kAttendPause) readMaps(pid, p);
    for (auto& mapping : p.maps.all())
        m_modules.resolve(pid, mapping);
}

void KnownProcesses::forked(std::uint32_t parent, std::uint32_t child)
{
    if (m_following) return;
    m_modules.forgetProgram(child);
    m_jit.forget(child); // of an earlier process of this number
    fork(parent, child);
}

void KnownProcesses::execed(std::uint32_t pid)
{
    if (m_following) return;
    m_modules.forgetProgram(pid);
    m_processes.erase(pid);
    m_jit.execed(pid, 0);
}

void KnownProcesses::exited(std::uint32_t pid)
{
    if (m_following) return;
    m_jit.ended(pid);
    exit(pid);
}

void KnownProcesses::fork(std::uint32_t parent, std::uint32_t child)
{
    const auto from = m_processes.find(parent);
    m_processes.erase(child); // one before it had that number
    if (from == m_processes.end() || from->second.read == Clock::time_point{}) return;
    Process copy;
    copy.maps = from->second.maps;
    copy.read = from->second.read;
    m_processes[child] = std::move(copy);
}

void KnownProcesses::exit(std::uint32_t pid)
{
    const auto p = m_processes.find(pid);
    if (p != m_processes.end()) {
        p->second.exited = true;
        m_exited.emplace_back(Clock::now(), pid);
    } else
        m_jit.forget(pid);
    dropExited();
}

void KnownProcesses::dropExited()
{
    const auto now = Clock::now();
    while (!m_exited.empty() && (now - m_exited.front().first > kKeepExited || m_exited.size() > kMostExited)) {
        const auto gone = m_processes.find(m_exited.front().second);
        if (gone != m_processes.end() && gone->second.exited) {
            m_processes.erase(gone);
            m_jit.forget(m_exited.front().second);
        }
        m_exited.pop_front();
    }
    if (now - m_roomMade < kRoomPause) return;
    m_roomMade = now;
    m_modules.makeRoom();

    // A record that comes after all makes a process known anew that ended long ago.
    if (now - m_unnoticedDropped < kUnnoticedPause) return;
    m_unnoticedDropped = now;
    dropUnnoticed();
}

/// Of processes whose end was not reported, because events were lost, or had been when they were asked for.
void KnownProcesses::dropUnnoticed()
{
    const auto entries = m_host.entries("/proc");
    if (!entries) return;
    std::vector<std::uint32_t> gone;
    for (const auto& [pid, process] : m_processes)
        if (!process.exited && !std::binary_search(entries->begin(), entries->end(), std::to_string(pid))) gone.push_back(pid);
    for (const auto pid : gone)
        exit(pid);
}

void KnownProcesses::prepare(MapEvent& event, std::uint64_t when)
{
    // configure's test programs do not live as long as their samples.
    if (const auto* execed = std::get_if<Execed>(&event)) {
        m_jit.execed(execed->pid, when);
        m_modules.forgetProgram(execed->pid);
    }
    if (const auto* forked = std::get_if<Forked>(&event)) {
        m_jit.forget(forked->pid);
        m_modules.forgetProgram(forked->pid);
    }
    if (const auto* exited = std::get_if<Exited>(&event)) m_jit.ended(exited->pid);
    auto* mapped = std::get_if<Mapped>(&event);
    if (!mapped) return;
    m_jit.mapped(mapped->pid, mapped->mapping);
    // At once, as its tables are the kernel's to walk by: a process may be gone before anybody asks for a name.
    m_modules.resolve(mapped->pid, mapped->mapping);
}

void KnownProcesses::follow(const MapEvent& event)
{
    m_following = true;
    if (const auto* mapped = std::get_if<Mapped>(&event)) {
        const auto p = m_processes.find(mapped->pid);
        // One that was there before us is read whole when it is first asked for.
        if (p == m_processes.end() || p->second.read == Clock::time_point{}) return;
        p->second.maps.add(mapped->mapping);
        p->second.named.clear();
    } else if (const auto* forked = std::get_if<Forked>(&event))
        fork(forked->parent, forked->pid);
    else if (const auto* execed = std::get_if<Execed>(&event)) {
        auto& p = m_processes[execed->pid];
        Process fresh;
        fresh.before = std::move(p.maps);
        fresh.read = Clock::now(); // its mappings follow
        p = std::move(fresh);
    } else if (const auto* exited = std::get_if<Exited>(&event))
        exit(exited->pid);
    else {
        dropUnnoticed();
        for (auto& [pid, p] : m_processes)
            if (!p.exited) p.read = Clock::time_point{} + Clock::duration(1); // known, but to be read again at the first miss
    }
}

std::size_t KnownProcesses::living() const
{
    return static_cast<std::size_t>(std::count_if(m_processes.begin(), m_processes.end(), [](const auto& p) { return !p.second.exited; }));
}
} // namespace dscope::symbols
