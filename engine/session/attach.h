#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/probe/provider.h"
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>
namespace dscope::session {
/// What holds programs to their places: they are detached when these are closed.
using Attachments = std::vector<Fd>;
// One file each; `program` is a loaded one of the right type, `out` gains what must be kept.
Result<> attach(const probe::RawTracepoint& place, int program, Attachments& out);
Result<> attach(const probe::Tracepoint& place, int program, const host::Host& host, Attachments& out);
/// Where an event is counted; `only`: there, if anywhere.
std::vector<int> cpusOf(const probe::PerfEvent& place, const host::Host& host, std::optional<std::uint32_t> only);
/// `cpu`: on that one only. Gives the CPUs of what `out` gained, in its order.
Result<std::vector<int>> attach(
    const probe::PerfEvent& place, int program, const host::Host& host, std::optional<std::uint32_t> cpu, Attachments& out);
/// A program that was loaded for this one function.
Result<> attach(const probe::KernelFunction& place, int program, Attachments& out);
class TraceEvents;
class UprobeEvents;
/// Of the places asked for: how many the kernel does not let be probed, and how many there was no time for.
struct FunctionsLeft {
    std::size_t all = 0, refused = 0, late = 0;
    int code = 0; ///< errno of the last refusal
};
/// One program at many functions, all entries or all returns: `addresses` is a map's descriptor, which gains the address of
/// each and its index into `places`.
Result<FunctionsLeft> attach(std::span<const probe::KernelFunction> places, int program, int addresses, const host::Host& host,
    TraceEvents& events, Attachments& out);
/// A program for uprobes.
struct UprobeProgram {
    int program = -1;                       ///< a descriptor
    int addresses = -1;                     ///< that of Code::addresses, for events; -1: none
    std::span<const std::uint64_t> cookies; ///< by index into the places, or empty
};
/// Always in one process only, a place's pid or else `target`: a uprobe in every process that maps a file would slow down,
/// and may endanger, what nobody asked to trace. Error when neither names one. One link for all places in a file where
/// the kernel can (6.6 and later), else many to one of the `events` (where there are some), else a perf event each, which take
/// 0.1 s each to leave. Gives the indices of those whose instruction the kernel cannot probe.
Result<std::vector<std::size_t>> attach(std::span<const probe::Uprobe> places, const UprobeProgram& program, pid_t target,
    const host::Host& host, UprobeEvents* events, Attachments& out);
/// Detaches everything; with many attachments in much less time than one after the other.
void detach(Attachments& attachments);
/// Lets a perf event fire `program`: sets it and switches the event on.
Result<> arm(int event, int program, std::string_view doing);
} // namespace dscope::session
