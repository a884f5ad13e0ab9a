#include "graph/calls.h"
#include "engine/format/flow.h"
#include "engine/record/value.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
namespace dscope::graph {
namespace {
using Function = std::tuple<std::string_view, std::string_view, std::string_view>;
Function functionOf(const record::ProbeDef& p) { return {p.provider, p.module, p.function}; }
Shade shadeOfProbe(const record::ProbeDef& p)
{
    if (p.provider == "syscall") return Shade::System;
    if (p.provider == "fbt") return Shade::Kernel;
    return p.module == "a.out" || p.module.find(".so") == std::string::npos ? Shade::User : Shade::Library;
}
std::string nameOf(const record::ProbeDef& p)
{
    return printable(p.provider == "syscall" || p.module.empty() ? p.function : p.module + '`' + p.function);
}
/// Whether an event says nothing but what a thread of a process is called, as imported timelines do.
bool isOfThread(const record::ProcessEvent& event) { return event.kind == record::ProcessEvent::Kind::Existing && event.tid != event.pid; }
/// Names of threads by pid and tid.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> threadNamesOf(const Store& store)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> names;
    for (const auto& event : store.processes())
        if (isOfThread(event)) names[{event.pid, event.tid}] = printable(event.execname);
    return names;
}
/// Names by pid, as far as the stream told of processes.
std::map<std::uint32_t, std::string> namesOf(const Store& store)
{
    std::map<std::uint32_t, std::string> names;
    for (const auto& event : store.processes()) {
        if (isOfThread(event)) continue;
        const auto name = event.path.empty() ? event.execname : std::string(baseName(event.path));
        if (!name.empty()) names[event.pid] = name;
    }
    const auto& program = store.program();
    if (program.target != 0 && !program.command.empty())
        names.try_emplace(static_cast<std::uint32_t>(program.target), baseName(program.command.substr(0, program.command.find(' '))));
    return names;
}

/// The execname that a firing recorded; empty where its clause does not.
std::string recordedName(const record::Program& program, const record::Fired& fired)
{
    if (fired.clause.value >= program.clauses.size()) return {};
    for (const auto& action : program.clauses[fired.clause.value].actions)
        for (const auto& field : action.fields)
            if (field.name == "execname" && field.kind == record::FieldKind::String) return record::stringOf(field, fired.payload);
    return {};
}

/// What a call that does not return ends.
enum class Ends : std::uint8_t { Nothing, Thread, Process };
Ends endsOf(const record::ProbeDef& p)
{
    if (p.provider == "syscall" && p.function == "exit") return Ends::Thread;
    if (p.provider == "syscall" && p.function == "exit_group") return Ends::Process;
    if (p.provider.starts_with("pid") && (p.function == "exit" || p.function == "_exit" || p.function == "_Exit")) return Ends::Process;
    return Ends::Nothing;
}

/// One thread's calls while they are put together.
struct Lane {
    std::uint32_t number = 0;
    std::vector<Call> calls;
    std::vector<std::size_t> open;      ///< indices of calls, the outermost first
    std::vector<std::size_t> functions; ///< of each call
    std::vector<std::size_t> undercut;  ///< how many calls there were when a return without entry closed the bottom
    bool gone = false;                  ///< the thread entered what ends it
    std::int64_t last = 0;              ///< its last firing
    const record::Fired* before = nullptr;

    void enter(std::size_t function, Call call, bool returns)
    {
        call.depth = static_cast<std::uint32_t>(open.size());
        if (returns) open.push_back(calls.size());
        functions.push_back(function);
        calls.push_back(call);
    }

    /// False: nothing that was open can have returned.
    bool leave(std::size_t function, Call call)
    {
        for (std::size_t i = open.size(); i-- > 0;) {
            if (functions[open[i]] != function) continue;
            for (std::size_t k = i; k < open.size(); ++k) {
                calls[open[k]].end = call.end;
                calls[open[k]].ended = true;
                calls[open[k]].lost = k > i;
            }
            open.resize(i);
            return true;
        }
        if (!open.empty()) return false;
        // It was running when tracing began, and called all that is known so far.
        undercut.push_back(calls.size());
        functions.push_back(function);
        calls.push_back(call);
        return true;
    }

    /// Each call is as much deeper as there were calls below it whose entries were not seen.
    void settle()
    {
        std::size_t below = undercut.size();
        for (std::size_t i = 0, next = 0; i < calls.size(); ++i) {
            const bool bottom = next < undercut.size() && undercut[next] == i;
            if (bottom) {
                ++next;
                --below;
            }
            calls[i].depth += static_cast<std::uint32_t>(below);
        }
    }
};
} // namespace

Calls callsOf(const Store& store)
{
    Calls out;
    std::set<Function> returning;
    for (const auto& [id, probe] : store.probes())
        if (format::leavesFunction(probe.name)) returning.insert(functionOf(probe));
    std::vector<const record::Fired*> order;
    for (const auto& fired : store.fired())
        if (const auto* p = store.probe(fired.probe); p && (format::entersFunction(p->name) || format::leavesFunction(p->name)))
            order.push_back(&fired);
    if (order.empty()) return out;
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->when < b->when; });
    out.from = order.front()->when.count();
    out.to = std::max<std::int64_t>(order.back()->when.count(), out.from + 1);
    const auto traced = std::max<std::int64_t>(out.to, store.lastTime());

    std::map<Function, std::size_t> functions;
    std::map<std::string, std::uint32_t> names;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Lane> lanes;
    struct Life {
        bool gone = false;
        std::int64_t last = 0;
    };

    std::map<std::uint32_t, Life> lives; ///< of processes
    const auto known = namesOf(store);
    const auto threads = threadNamesOf(store);
    for (const auto* fired : order) {
        const auto [at, isNew] = lanes.try_emplace({fired->pid, fired->tid});
        auto& lane = at->second;
        if (isNew) {
            lane.number = static_cast<std::uint32_t>(out.threads.size());
            const auto name = known.find(fired->pid);
            const auto own = threads.find({fired->pid, fired->tid});
            out.threads.push_back(
                {fired->pid, fired->tid, name == known.end() ? printable(recordedName(store.program(), *fired)) : printable(name->second),
                    own == threads.end() ? std::string() : own->second, 0, 0});
        }
        auto& life = lives[fired->pid];
        lane.last = life.last = fired->when.count();
        // The next clause of the same firing is not another call.
        const auto* before = std::exchange(lane.before, fired);
        if (before && before->probe == fired->probe && before->clause.value < fired->clause.value) continue;
        const auto& probe = *store.probe(fired->probe);
        const auto function = functions.try_emplace(functionOf(probe), functions.size()).first->second;
        const auto name = names.try_emplace(nameOf(probe), static_cast<std::uint32_t>(out.names.size()));
        if (name.second) out.names.push_back(name.first->first);
        Call call{lane.number, name.first->second, 0, shadeOfProbe(probe), true, true, false, fired->when.count(), fired->when.count()};
        if (format::entersFunction(probe.name)) {
            const auto ends = endsOf(probe);
            lane.gone = lane.gone || ends != Ends::Nothing;
            life.gone = life.gone || ends == Ends::Process;
            const bool returns = returning.contains(functionOf(probe));
            call.ended = !returns;
            lane.enter(function, call, returns);
        } else {
            call.begun = false;
            call.start = out.from;
            if (!lane.leave(function, call)) ++out.returnsAlone;
        }
    }

    for (auto& [id, lane] : lanes) {
        lane.settle();
        // What had not returned lasted until its thread ended, and where that is not known as long as there was tracing.
        const auto& life = lives.at(id.first);
        const auto until = lane.gone ? lane.last : life.gone ? life.last : traced;
        for (auto& call : lane.calls) {
            if (call.ended) continue;
            call.end = until;
            out.to = std::max(out.to, call.end);
        }
        auto& thread = out.threads[lane.number];
        thread.calls = lane.calls.size();
        for (const auto& call : lane.calls) {
            thread.depth = std::max(thread.depth, call.depth + 1);
            out.calls.push_back(call);
        }
    }

    std::sort(out.calls.begin(), out.calls.end(), [](const Call& a, const Call& b) {
        return std::tie(a.thread, a.start, a.depth, a.end, a.name) < std::tie(b.thread, b.start, b.depth, b.end, b.name);
    });
    return out;
}
} // namespace dscope::graph
