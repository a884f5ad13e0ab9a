#pragma once
#include "engine/host/host.h"
#include "engine/symbols/jit_names.h"
#include "engine/symbols/map_events.h"
#include "engine/symbols/modules.h"
#include "engine/symbols/named_stacks.h"
#include "engine/symbols/stack_walker.h"
#include <chrono>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// What processes have mapped. A process's maps are read when it is first asked about, and again when an address is not in them. One
/// that is gone keeps what was known of it, for as long as records of its time may come.
class KnownProcesses {
public:
    using Which = Symbolizer::Which;
    struct Process {
        ProcessMaps maps;
        ProcessMaps before; ///< the last exec: until that returns, the thread is where it called it, and nothing can be unwound
        NamedStacks named;
        bool unnamedTold = false; ///< generated code of this process was found to have no names

    private:
        friend class KnownProcesses;
        std::chrono::steady_clock::time_point read{};
        std::chrono::steady_clock::duration pause{};
        bool exited = false;
    };
    /// What is given must outlive it.
    KnownProcesses(const host::Host& host, Modules& modules, JitNames& jit) : m_host(host), m_modules(modules), m_jit(jit) { }
    Process& of(std::uint32_t pid);
    /// What covers an address, with its module if it has one; null if nothing does.
    Mapping* mapping(std::uint32_t pid, Process& process, std::uint64_t address);
    /// No name that was given is used again.
    void forgetNames();
    /// The functions of Symbolizer that have these names.
    std::vector<Mapping> mapped(std::uint32_t pid, Which which);
    void attend(std::uint32_t pid);
    void forked(std::uint32_t parent, std::uint32_t child);
    void execed(std::uint32_t pid);
    void exited(std::uint32_t pid);
    void prepare(MapEvent& event, std::uint64_t when = 0);
    void follow(const MapEvent& event);
    std::size_t living() const;

private:
    using Clock = std::chrono::steady_clock;
    void readMaps(std::uint32_t pid, Process& process);
    void fork(std::uint32_t parent, std::uint32_t child);
    void exec(std::uint32_t pid);
    void exit(std::uint32_t pid);
    void dropExited();
    void dropUnnoticed();

    const host::Host& m_host;
    Modules& m_modules;
    JitNames& m_jit;
    std::unordered_map<std::uint32_t, Process> m_processes;
    std::deque<std::pair<Clock::time_point, std::uint32_t>> m_exited; ///< oldest first
    Clock::time_point m_roomMade{}, m_unnoticedDropped = Clock::now();
    bool m_following = false; ///< MapEvents tell of processes
};
} // namespace dscope::symbols
