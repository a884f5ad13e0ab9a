#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>
/// What a run's probes say of its values: by the probes that its stream defines, however its program writes them ("*:::profile-99").
namespace dscope::graph {
class Store;
/// What kinds of probes a program has.
struct ProbeKinds {
    bool samples = false;   ///< profile-N, which fire at a rate
    bool syscalls = false;
    bool functions = false; ///< of the kernel or of a process
};
ProbeKinds probeKinds(const Store& store);
bool isSample(const record::ProbeDef& probe); ///< profile-N, which fires at a rate
bool isEntry(const record::ProbeDef& probe);  ///< of a function or system call
bool isReturn(const record::ProbeDef& probe);
/// Whether a clause that records something is of such probes: by its description, and by what has fired.
bool recordsOf(const Store& store, bool (*isOne)(const record::ProbeDef&));
/// Those at which clauses fill one of these aggregations. Of recordings that do not tell which clauses do (before 1.7) all of the run but
/// BEGIN, END and tick probes.
std::vector<const record::ProbeDef*> probesThatFill(const Store& store, std::span<const AggregationId> aggregations);
/// Whether a view is made of such an aggregation.
using Takes = bool (*)(const record::Aggregation&);
/// Of which processes the data of a view is that takes these aggregations, or records where a program has none of them; without `takes`
/// both. Not told where they are of different ones.
record::Clause::Processes processesIn(const record::Program& program, Takes takes);
/// Of which processes these aggregations hold data: the least that is known of any clause that fills one of them.
record::Clause::Processes processesIn(const record::Program& program, std::span<const AggregationId> aggregations);
/// "write" when all probes of system calls are of one; else empty.
std::string onlyCall(const Store& store);
/// How far the system calls of a run, all of which read or write something, are seen.
enum class Transfer : std::uint8_t {
    None,   ///< others are among them, or there are no system calls
    Asked,  ///< where they begin alone
    Done,   ///< where they return, too
};
Transfer transferOf(const Store& store);
/// "syscall::write:entry" when all clauses of the program name one probe; else what the first three have in common. Without
/// clauses at BEGIN, END and tick probes.
std::string probesText(const record::Program& program);
} // namespace dscope::graph
