#pragma once
#include "engine/codegen/unit.h"
#include "engine/object/object.h"
#include "engine/probe/provider.h"
#include "engine/sema/program.h"
#include <cstdint>
#include <set>
#include <vector>
namespace dscope::codegen {
/// A probe that fires there.
struct Member {
    const sema::EnabledProbe* probe;
    const sema::EnabledProbe::Hook* hook;
    std::uint64_t selector;
};
/// Probes for which the same code runs.
struct Group {
    std::vector<Member> members;
};
/// A program, where it is attached, and for which probes which code runs in it.
struct Plan {
    std::vector<probe::Place> places;
    int selectorWord = -1, selectorOffset = -1;
    std::vector<Group> groups;
    std::set<std::uint64_t> selectors;
    bool byAddress = false; ///< the selector of places[i] is i, found by the address of the function
    bool byCookie = false;  ///< the selector of places[i] is i
};
/// Which programs serve which probes. Probes that share a hook and are told apart by a number share one program with a
/// table, and so do all uprobes, by the cookie that each place is attached with; probes whose clauses, arguments and conditions
/// are the same share the code in it.
std::vector<Plan> planPrograms(const Unit& unit);
ProgramType typeOf(const probe::Place& place);
/// The expressions of its arguments at that hook.
const std::vector<sema::ExprPtr>& argumentsOf(const Member& member);
/// Of a clock so fast that its clauses could leave nothing of a CPU to anybody else: after a firing they rest for half as long as it took.
bool rests(const Plan& plan);
/// Of a timer on all CPUs, of whose samples somebody sees those of an idle CPU: its firings are counted, so that missing ones are known.
bool countsFirings(const sema::Program& program, const Plan& plan);
/// Of a tick: the session sees by it that the clock fired.
bool leavesSample(const probe::Place& place);
} // namespace dscope::codegen
