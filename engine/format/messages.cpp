#include "engine/format/messages.h"
#include "engine/format/text.h"
#include <algorithm>
#include <cinttypes>
namespace dscope::format {
using namespace record;
namespace {
/// "N <what>s<after>".
struct DropWords {
    const char* tag;
    const char* what;
    const char* after;
    bool perCpu;
};
DropWords wordsOf(Drop::Kind kind)
{
    switch (kind) {
    case Drop::Kind::Principal: return {"PRINCIPAL", "drop", "", true};
    case Drop::Kind::Aggregation: return {"AGGREGATION", "aggregation drop", "", true};
    case Drop::Kind::Dynamic: return {"DYNAMIC", "dynamic variable drop", "", false};
    case Drop::Kind::Speculation: return {"SPEC", "speculative drop", "", false};
    case Drop::Kind::SpeculationBusy: return {"SPECBUSY", "failed speculation", " (available buffer(s) still busy)", false};
    case Drop::Kind::SpeculationUnavailable: return {"SPECUNAVAIL", "failed speculation", " (no speculative buffer available)", false};
    case Drop::Kind::Stack: return {"STACK", "stack drop", "", false};
    case Drop::Kind::Process: return {"PROCESS", "process event drop", "", false};
    case Drop::Kind::Error: return {"DBLERROR", "error", " in ERROR probe enabling", false};
    case Drop::Kind::Firing:
        return {"FIRING", "firing", " not seen (the probe was still running on that CPU, had used most of its time, or the CPU was idle)",
            false};
    }
    return {"UNKNOWN", "drop", "", false};
}

} // namespace

const char* nameOf(FaultKind kind)
{
    switch (kind) {
    case FaultKind::BadAddress: return "invalid address";
    case FaultKind::BadAlignment: return "invalid alignment";
    case FaultKind::IllegalOperation: return "illegal operation";
    case FaultKind::DivideByZero: return "divide-by-zero";
    case FaultKind::NoScratch: return "out of scratch space";
    case FaultKind::KernelPrivilege: return "invalid kernel access";
    case FaultKind::UserPrivilege: return "invalid user access";
    case FaultKind::TupleOverflow: return "tuple stack overflow";
    case FaultKind::BadStack: return "bad stack";
    case FaultKind::BadSize: return "invalid size";
    case FaultKind::BadIndex: return "index out of bounds";
    case FaultKind::Unknown: break;
    }
    return "unknown fault";
}

std::string dropText(const Drop& drop, DropTags tags)
{
    const DropWords words = wordsOf(drop.kind);
    std::string out = tags == DropTags::Shown ? formatted("[DTRACEDROP_%s] ", words.tag) : "";
    out += formatted("%" PRIu64 " %s%s%s", drop.count, words.what, drop.count == 1 ? "" : "s", words.after);
    if (words.perCpu) out += formatted(" on CPU %u", drop.cpu);
    return out;
}

std::string faultText(const Fault& fault)
{
    std::string out = nameOf(fault.kind);
    switch (fault.kind) {
    case FaultKind::BadAddress:
        if (fault.address == ~std::uint64_t{0}) break; // it could not be told
        [[fallthrough]];
    case FaultKind::BadAlignment:
    case FaultKind::BadStack:
    case FaultKind::BadSize: out += formatted(" (0x%" PRIx64 ")", fault.address); break;
    case FaultKind::BadIndex: out += formatted(" (%" PRId64 ")", std::int64_t(fault.address)); break;
    default: break;
    }
    return out;
}

ClauseId clauseForLinux(std::span<const record::Clause> clauses, ClauseId clause, const ProbeDef& probe)
{
    std::uint32_t number = 0;
    for (const auto& before : clauses.first(std::min<std::size_t>(clause.value, clauses.size())))
        number += 1 + static_cast<std::uint32_t>(std::count(before.probes.begin(), before.probes.end(), ','));
    if (clause.value >= clauses.size()) return ClauseId{number};
    std::uint32_t within = 0;
    for (std::string_view rest = clauses[clause.value].probes; !rest.empty(); ++within) {
        const auto description = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(description.size() + 1, rest.size()));
        if (description.substr(description.rfind(':') + 1) == probe.name) return ClauseId{number + within};
    }
    return ClauseId{number};
}

std::string placeText(const ProbeDef& probe, ClauseId clause, std::uint32_t enabled, Dialect dialect)
{
    const std::string name = probe.provider + ':' + probe.module + ':' + probe.function + ':' + probe.name;
    if (dialect == Dialect::DtraceForLinux)
        return formatted("error in dt_clause_%u for probe ID %u (%s)", clause.value, probe.id.value, name.c_str());
    return formatted("error on enabled probe ID %u (ID %u: %s)", enabled, probe.id.value, name.c_str());
}
} // namespace dscope::format
