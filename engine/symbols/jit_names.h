#pragma once
#include "engine/host/host.h"
#include "engine/symbols/file_root.h"
#include "engine/symbols/jit_code.h"
#include "engine/symbols/jit_dump.h"
#include "engine/symbols/perf_map.h"
#include "engine/symbols/process_maps.h"
#include <chrono>
#include <map>
#include <memory>
#include <unordered_map>
namespace dscope::symbols {
/// Names of generated code, by process: from /tmp/perf-PID.map in the process's own root, and from jitdump files that it maps. Both
/// are read further while they grow.
class JitNames {
public:
    explicit JitNames(const host::Host& host) : m_host(host) { }
    /// A process mapped something executable. If generated code will be there, or it is a jitdump, what is needed to find its files is
    /// remembered while the process lives.
    void mapped(std::uint32_t pid, const Mapping& mapping);
    /// `maps`: what the process has mapped now.
    std::optional<JitCode::Found> find(std::uint32_t pid, std::uint64_t address, const ProcessMaps& maps);
    /// The process ended long ago, or runs another program.
    void forget(std::uint32_t pid) { m_processes.erase(pid); }

private:
    using Clock = std::chrono::steady_clock;
    struct Process {
        std::uint32_t owner = 0;
        std::string number; ///< by which it knows itself: in a container another one than ours
        std::shared_ptr<const FileRoot> root;
        PerfMap perfMap;
        std::map<std::pair<std::uint64_t, std::string>, JitDump> dumps; // by inode and path
        JitCode listed, dumped;
        Clock::time_point read{};
    };
    Process* meet(std::uint32_t pid);
    static std::optional<JitCode::Found> known(const Process& process, std::uint64_t address);
    void openDump(std::uint32_t pid, Process& process, const Mapping& mapping);
    void readOn(std::uint32_t pid, Process& process, const ProcessMaps& maps);
    const host::Host& m_host;
    std::unordered_map<std::uint32_t, Process> m_processes;
};
} // namespace dscope::symbols
