#pragma once
#include "engine/object/object.h"
#include "engine/host/host.h"
#include "engine/record/record.h"
#include "engine/session/library_watch.h"
#include "engine/session/load.h"
#include "engine/session/maps.h"
#include "engine/session/process_watch.h"
#include "engine/session/programs.h"
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>
namespace dscope::session {
/// Probes that come while tracing runs: with libraries that are loaded, programs that are started, processes that are forked.
class Growth {
public:
    struct Request {
        /// Those that may load libraries with more probes in them, or become a program with some.
        std::vector<pid_t> processes;
        /// Processes that begin may have probes. What the targets start is met before it runs; others soon after.
        bool newcomers = false;
        std::uint32_t tgid = 0; ///< offset of that member in struct task_struct
        /// Whether a process has probes that the program asks for.
        std::function<bool(pid_t)> concerns;
        std::size_t mostProbes = SIZE_MAX; ///< that are added, at a time
        bool warnsOfMost = true;           ///< once, when some are left out because of that
        /// Makes the program anew, with the probes that these processes have by then. Nothing where it can't be.
        std::function<std::optional<object::Object>(const std::set<pid_t>&)> compileAgain;
    };
    /// The running program that new probes are added to.
    struct Ground {
        object::Object& object; ///< gains the probes
        const Maps& maps;
        const host::Host& host;
        Programs& programs; ///< that were there from the start
    };
    /// Sentences, each about something that will not be probed, go to `warnings`.
    Result<> begin(Request request, std::span<const pid_t> targets, const Ground& ground, std::vector<std::string>& warnings);
    /// Readable when there is something to do, -1 when there never will be.
    int fd() const { return m_watched ? m_watched->ring() : -1; }
    void poll(const Ground& ground, VerifierLog& log, const record::Source::Deliver& deliver, std::vector<std::string>& warnings);
    /// Adds the programs of probes that came later.
    void programs(std::vector<int>& all) const;
    /// Lets all stopped processes continue.
    void end();

private:
    /// A program for probes that came later; it goes when their processes are gone.
    struct Addition {
        std::optional<Maps> maps;
        std::vector<Fd> programs;
        std::unique_ptr<UprobeEvents> events; ///< before what uses them
        Attachments links;
        std::set<pid_t> processes;
        std::size_t probes = 0;
    };
    using Clock = std::chrono::steady_clock;
    void watchLibraries(pid_t process, const host::Host& host, std::vector<std::string>& warnings);
    bool seesNewFiles(pid_t process, const host::Host& host);
    /// With what `processes` have by now, and those that there was no room for.
    Result<> extend(std::set<pid_t> processes, const Ground& ground, VerifierLog& log, const record::Source::Deliver& deliver,
        std::vector<std::string>& warnings);
    void countHeld(Clock::time_point now, std::vector<std::string>& warnings);
    std::size_t roomForProbes();
    static void leave(std::vector<Addition>& additions, Attachments& linkers);
    void forgetTheDead();
    Request m_request;
    std::optional<Watched> m_watched;
    std::optional<LibraryWatch> m_libraries;
    std::optional<ProcessWatch> m_processes;
    std::map<pid_t, Attachments> m_linkers; ///< where a process's dynamic linker tells of libraries
    std::set<std::tuple<pid_t, std::uint64_t, std::string>> m_files; ///< seen
    std::multimap<Clock::time_point, pid_t> m_again; ///< who was not stopped is looked at more than once, as its libraries come
    std::vector<Addition> m_additions;
    std::set<pid_t> m_withoutRoom; ///< some of whose probes were left out
    std::size_t m_held = 0;        ///< stopped when they were forked, since m_heldSince, of those that are not the targets'
    Clock::time_point m_heldSince{};
    bool m_holdsForks = true;
    bool m_isFullTold = false; ///< that there may be no more
    std::future<void> m_leaving;
    Clock::time_point m_deadDue{};
};
} // namespace dscope::session
