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
/// The generated code of one process, what is needed to find its names, and those that were found. A later process of the same number
/// has another one.
struct GeneratedCode {
    std::uint32_t pid = 0;
    std::uint32_t owner = 0;
    std::string number; ///< by which it knows itself: in a container another one than ours
    std::shared_ptr<const FileRoot> root;
    PerfMap perfMap;
    std::map<std::pair<std::uint64_t, std::string>, JitDump> dumps; // by inode and path
    JitCode listed, dumped;
    std::chrono::steady_clock::time_point read{};
    bool ended = false; ///< the process is gone, and all was read: what is in these files from now on is of others
};
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
    /// The same for a return address: the function that made the call before it. If there is no call and a function begins at the address,
    /// that function: Erlang's stacks begin this way.
    std::optional<JitCode::Found> findCaller(std::uint32_t pid, std::uint64_t address, const ProcessMaps& maps);
    /// That of a process, to be asked after it has ended; null if it is gone already.
    std::shared_ptr<GeneratedCode> keep(std::uint32_t pid);
    /// The same as above, of one that was kept.
    std::optional<JitCode::Found> find(GeneratedCode& code, std::uint64_t address);
    /// The process ended: its files are read for the last time, as some programs write them when they exit.
    void ended(std::uint32_t pid);
    /// It runs another program since `when` (ns, CLOCK_MONOTONIC; 0: just now): what was written by then is not of that one.
    void execed(std::uint32_t pid, std::uint64_t when);
    /// The process ended long ago.
    void forget(std::uint32_t pid);

private:
    using Clock = std::chrono::steady_clock;
    GeneratedCode* meet(std::uint32_t pid);
    static std::optional<JitCode::Found> known(const GeneratedCode& process, std::uint64_t address);
    void openDump(std::uint32_t pid, GeneratedCode& process, const Mapping& mapping) const;
    static void end(GeneratedCode& code);
    void readOn(GeneratedCode& process, const ProcessMaps* maps) const;
    const host::Host& m_host;
    std::unordered_map<std::uint32_t, std::shared_ptr<GeneratedCode>> m_processes;
    std::unordered_map<std::uint32_t, std::int64_t> m_begun; ///< ns since 1970: when processes became another program
};
} // namespace dscope::symbols
