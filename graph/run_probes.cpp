#include "graph/run_probes.h"
#include "engine/format/flow.h"
#include "graph/store.h"
#include <algorithm>
#include <optional>
#include <set>
namespace dscope::graph {
namespace {
constexpr std::string_view kSample = "profile-", kTick = "tick-";

/// "pid1234", whose probes are functions of a process.
bool isPidProvider(std::string_view name)
{
    constexpr std::string_view kPid = "pid";
    return name.size() > kPid.size() && name.starts_with(kPid)
        && name.find_first_not_of("0123456789", kPid.size()) == std::string_view::npos;
}

/// The descriptions of a clause as its author wrote them; what is left out is empty.
std::vector<record::ProbeDef> written(const record::Clause& clause)
{
    std::vector<record::ProbeDef> all;
    for (std::size_t at = 0; at < clause.probes.size();) {
        const auto end = std::min(clause.probes.find(',', at), clause.probes.size());
        auto text = std::string_view(clause.probes).substr(at, end - at);
        at = end + 1;
        text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
        text = text.substr(0, text.find_last_not_of(" \t\n") + 1);

        auto& probe = all.emplace_back();
        for (auto* part : {&probe.name, &probe.function, &probe.module, &probe.provider}) {
            const auto colon = text.rfind(':');
            *part = text.substr(colon == text.npos ? 0 : colon + 1);
            text = text.substr(0, colon == text.npos ? 0 : colon);
        }
    }
    return all;
}

/// Whether a probe may be one of those that are described. Of a pattern, and of what holds a macro (`pid$target`), only the beginning
/// is compared: the probes are those that the program has, so that few are left to be mistaken.
bool mayBe(const record::ProbeDef& described, const record::ProbeDef& probe)
{
    const auto fits = [](std::string_view is, std::string_view name) {
        const auto pattern = is.find_first_of("*?[\\$");
        return is.empty() || (pattern == is.npos ? is == name : name.starts_with(is.substr(0, pattern)));
    };
    return fits(described.provider, probe.provider) && fits(described.module, probe.module) && fits(described.function, probe.function)
        && fits(described.name, probe.name);
}

bool fillsAny(const record::Clause& clause, std::span<const AggregationId> aggregations)
{
    return std::any_of(clause.fills.begin(), clause.fills.end(),
        [&](AggregationId id) { return std::find(aggregations.begin(), aggregations.end(), id) != aggregations.end(); });
}

bool isClockwork(const record::ProbeDef& probe) { return probe.name == "BEGIN" || probe.name == "END" || probe.name.starts_with(kTick); }

/// Whether an action makes rows of what its probe saw, rather than ending the run or printing aggregations.
bool makesRows(const record::Action& action)
{
    using enum record::ActionKind;
    switch (action.kind) {
    case Trace:
    case Tracemem:
    case Printf:
    case Stack:
    case UserStack:
    case Symbol:
    case Print: return true;
    default: return false;
    }
}

/// A clause without actions records that its probe fired.
bool makesRows(const record::Clause& clause)
{
    if (clause.silent) return false;
    const auto all = written(clause);
    if (std::any_of(all.begin(), all.end(), isClockwork)) return false;
    return clause.actions.empty()
        || std::any_of(clause.actions.begin(), clause.actions.end(), [](const record::Action& action) { return makesRows(action); });
}
} // namespace

ProbeKinds probeKinds(const Store& store)
{
    ProbeKinds kinds;
    for (const auto& [id, probe] : store.probes()) {
        kinds.samples = kinds.samples || isSample(probe);
        kinds.syscalls = kinds.syscalls || probe.provider == "syscall";
        kinds.functions = kinds.functions || probe.provider == "fbt" || isPidProvider(probe.provider);
    }
    return kinds;
}

bool isSample(const record::ProbeDef& probe)
{
    return (probe.provider == "profile" || probe.provider.empty()) && probe.name.starts_with(kSample);
}

bool isEntry(const record::ProbeDef& probe) { return format::entersFunction(probe.name); }
bool isReturn(const record::ProbeDef& probe) { return format::leavesFunction(probe.name); }

bool recordsOf(const Store& store, bool (*isOne)(const record::ProbeDef&))
{
    std::vector<const record::ProbeDef*> ones;
    for (const auto& [id, probe] : store.probes())
        if (isOne(probe)) ones.push_back(&probe);

    const auto& clauses = store.program().clauses;
    const bool isDescribed = std::any_of(clauses.begin(), clauses.end(), [&](const record::Clause& clause) {
        const auto all = clause.silent ? std::vector<record::ProbeDef>() : written(clause);
        return std::any_of(all.begin(), all.end(), [&](const record::ProbeDef& described) {
            // Of a library that is loaded later the description is all that is known.
            return isOne(described) || std::any_of(ones.begin(), ones.end(), [&](const auto* probe) { return mayBe(described, *probe); });
        });
    });
    if (isDescribed || ones.empty()) return isDescribed;

    // A description may be a number, and what other tools printed has none.
    const auto fired = store.fired();
    return std::any_of(fired.begin(), fired.end(), [&](const record::Fired& f) {
        const auto* probe = store.probe(f.probe);
        return probe && isOne(*probe);
    });
}

record::Clause::Processes processesIn(const record::Program& program, std::span<const AggregationId> aggregations)
{
    std::optional<record::Clause::Processes> least;
    for (const auto& clause : program.clauses)
        if (fillsAny(clause, aggregations)) least = std::min(least.value_or(clause.processes), clause.processes);
    return least.value_or(record::Clause::Processes::NotTold);
}

record::Clause::Processes processesIn(const record::Program& program, Takes takes)
{
    using Processes = record::Clause::Processes;
    std::optional<Processes> common;
    const auto add = [&](Processes processes) { common = common.value_or(processes) == processes ? processes : Processes::NotTold; };
    for (std::uint32_t id = 0; id < program.aggregations.size(); ++id) {
        const AggregationId aggregation{id};
        if (!takes || takes(program.aggregations[id])) add(processesIn(program, std::span(&aggregation, 1)));
    }
    if (takes && common) return *common;

    for (const auto& clause : program.clauses)
        if (makesRows(clause)) add(clause.processes);
    return common.value_or(Processes::NotTold);
}

std::vector<const record::ProbeDef*> probesThatFill(const Store& store, std::span<const AggregationId> aggregations)
{
    std::vector<record::ProbeDef> described;
    for (const auto& clause : store.program().clauses)
        if (fillsAny(clause, aggregations))
            for (auto& probe : written(clause))
                described.push_back(std::move(probe));

    std::vector<const record::ProbeDef*> out;
    for (const auto& [id, probe] : store.probes())
        if (described.empty() ? !isClockwork(probe)
                              : std::any_of(described.begin(), described.end(), [&](const auto& one) { return mayBe(one, probe); }))
            out.push_back(&probe);
    return out;
}

std::string onlyCall(const Store& store)
{
    std::set<std::string_view> calls;
    for (const auto& [id, probe] : store.probes())
        if (probe.provider == "syscall") calls.insert(probe.function);
    return calls.size() == 1 ? std::string(*calls.begin()) : std::string();
}

Transfer transferOf(const Store& store)
{
    auto transfer = Transfer::None;
    for (const auto& [id, probe] : store.probes()) {
        if (probe.provider != "syscall") continue;
        if (probe.function.find("read") == std::string::npos && probe.function.find("write") == std::string::npos) return Transfer::None;
        transfer = std::max(transfer, probe.name == "return" ? Transfer::Done : Transfer::Asked);
    }
    return transfer;
}

std::string probesText(const record::Program& program)
{
    std::vector<std::string> seen;
    for (const auto& clause : program.clauses) {
        if (program.isImported && clause.probes.starts_with(":::")) continue; // nobody wrote these: another tool told of calls
        const auto all = written(clause);
        const bool clockwork = std::any_of(all.begin(), all.end(), isClockwork);
        if (!all.empty() && !clockwork && std::find(seen.begin(), seen.end(), clause.probes) == seen.end()) seen.push_back(clause.probes);
    }

    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(seen.size(), 3); ++i)
        out += (i ? ", " : "") + seen[i];
    if (seen.size() > 3) out += ", \u2026";
    return out;
}
} // namespace dscope::graph
