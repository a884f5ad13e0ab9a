#pragma once
#include "engine/record/record.h"
#include "graph/privacy.h"
#include <optional>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// What a process ran, from one exec to the next.
struct Image {
    std::string path, cwd;
    std::vector<std::string> args; ///< argv, the program's name first
    std::int64_t since = 0;        ///< ns, CLOCK_MONOTONIC
    bool cut = false;              ///< argv was longer
};
/// One process, told apart from others of the same pid by when it started.
struct Process {
    enum class End : std::uint8_t { Running, Success, Failure, Signal };
    std::uint32_t pid = 0, ppid = 0, uid = 0;
    std::optional<std::size_t> parent;      ///< index of who forked it, even when that one ended first
    std::optional<std::int64_t> start, end; ///< ns; no start: it was there before tracing
    std::int64_t firstSeen = 0;
    std::uint64_t cpu = 0;                          ///< ns, known at the end
    std::int32_t status = 0;                        ///< as wait(2) gives it
    bool waitedFor = false;                         ///< vfork or posix_spawn
    bool hasTimes = true;                           ///< false: a log without times told of it, all that is said of when is 0
    Image inherited;                                ///< what the parent ran when it forked this one
    std::vector<Image> images;                      ///< one an exec
    std::optional<record::ProcessEvent> failedExec; ///< the last exec, when it failed
    std::string execname;

    End how() const;
    int exitStatus() const { return (status >> 8) & 255; }
    int signal() const { return status & 127; }
    const Image& image() const { return images.empty() ? inherited : images.back(); }
    std::string name() const;        ///< base names of its images in order: "cc1 → as"
    std::string arguments() const;   ///< without the program's own name, one line
    std::string commandLine() const; ///< argv joined by blanks
    std::string endText() const;     ///< "exit 127", "SIGSEGV", "running", "ENOENT"; empty for a plain success
    /// From when it was first seen to its end, or to `now`.
    std::int64_t duration(std::int64_t now) const { return std::max<std::int64_t>(end.value_or(now) - firstSeen, 0); }
};
/// Processes in the order in which they were first seen; a parent comes before its children.
std::vector<Process> processesOf(std::span<const record::ProcessEvent> events);
/// "12 processes"
std::string processesText(std::size_t number);
/// "SIGSEGV"; "signal 99" for one without a name.
std::string signalName(int signal);
/// "ENOENT"; "error 999".
std::string errorName(int error);
} // namespace dscope::graph
