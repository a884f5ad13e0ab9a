#include "engine/codegen/program_plan.h"
#include "engine/codegen/same.h"
#include <algorithm>
#include <optional>
namespace dscope::codegen {
using sema::EnabledProbe;
using Hook = EnabledProbe::Hook;
ProgramType typeOf(const probe::Place& place)
{
    if (std::holds_alternative<probe::PerfEvent>(place)) return ProgramType::PerfEvent;
    if (std::holds_alternative<probe::Tracepoint>(place)) return ProgramType::Tracepoint;
    if (std::holds_alternative<probe::KernelFunction>(place) || std::holds_alternative<probe::Uprobe>(place)) return ProgramType::Kprobe;
    return ProgramType::RawTracepoint;
}
bool leavesSample(const probe::Place& place)
{
    const auto* event = std::get_if<probe::PerfEvent>(&place);
    return event && !event->everyCpu;
}
namespace {
/// Whether it needs an address of user space (arg1), which an idle CPU's samples lack.
bool needsUserSpace(const sema::Expr& predicate)
{
    if (predicate.kind == sema::ExprKind::Cast) return needsUserSpace(*predicate.kids.front());
    if (predicate.kind == sema::ExprKind::Binary && predicate.op == ast::Op::And)
        return needsUserSpace(*predicate.kids[0]) || needsUserSpace(*predicate.kids[1]);
    return predicate.kind == sema::ExprKind::ProbeArgument && predicate.integer == 1;
}
bool seesIdleCpus(const sema::Clause& clause)
{
    using Processes = record::Clause::Processes;
    return clause.yieldsData && clause.processes == Processes::All && !(clause.predicate && needsUserSpace(*clause.predicate));
}
} // namespace

namespace {
/// The clock whose programs the plan has; null where it has other ones.
const probe::PerfEvent* clockOf(const Plan& plan)
{
    constexpr std::uint32_t kSoftware = 1, kCpuClock = 0; // PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK
    const auto* event = std::get_if<probe::PerfEvent>(&plan.places.front());
    return event && !event->frequency && event->type == kSoftware && event->config == kCpuClock ? event : nullptr;
}
} // namespace
bool rests(const Plan& plan)
{
    constexpr std::uint64_t kFast = 10'000'000; // ns; the kernel lets no program run as long
    const auto* clock = clockOf(plan);
    return clock && clock->period < kFast;
}
bool countsFirings(const sema::Program& program, const Plan& plan)
{
    const auto* clock = clockOf(plan);
    if (!clock || !clock->everyCpu) return false;
    for (const auto& group : plan.groups)
        for (const auto& member : group.members)
            for (const auto number : member.probe->clauses)
                if (seesIdleCpus(program.clauses[number])) return true;
    return false;
}

const std::vector<sema::ExprPtr>& argumentsOf(const Member& m) { return m.hook->args.empty() ? m.probe->args : m.hook->args; }

namespace {
/// A program for each function: quick to fire and to leave, and none of its firings is missed, but each is loaded by itself.
constexpr std::ptrdiff_t kMostFunctionPrograms = 16;
bool sameArguments(const std::vector<sema::ExprPtr>& a, const std::vector<sema::ExprPtr>& b)
{
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        if (!same(i < a.size() ? a[i] : nullptr, i < b.size() ? b[i] : nullptr)) return false;
    return true;
}
bool sameCode(const Member& a, const Member& b)
{
    if (a.probe->clauses != b.probe->clauses || !same(a.hook->when, b.hook->when) || !same(a.hook->again, b.hook->again)) return false;
    return sameArguments(argumentsOf(a), argumentsOf(b));
}
void join(Plan& plan, const Member& member)
{
    plan.selectors.insert(member.selector);
    const auto group
        = std::find_if(plan.groups.begin(), plan.groups.end(), [&](const Group& g) { return sameCode(g.members.front(), member); });
    if (group != plan.groups.end())
        group->members.push_back(member);
    else
        plan.groups.push_back({{member}});
}
bool isFunction(const Hook& hook) { return std::holds_alternative<probe::KernelFunction>(hook.at); }
} // namespace

std::vector<Plan> planPrograms(const Unit& unit)
{
    const auto& program = unit.program;
    std::vector<Plan> plans;
    std::ptrdiff_t functions = 0;
    for (const auto& probe : program.probes)
        functions += std::count_if(probe.hooks.begin(), probe.hooks.end(), isFunction);
    std::optional<std::size_t> shared[2]; // by atReturn
    std::optional<std::size_t> uprobes;
    const auto* error = unit.errorProbe();
    for (const auto& probe : program.probes) {
        if (&probe == error) continue; // fires within the others' programs
        const auto own = plans.size();
        for (const auto& hook : probe.hooks) {
            const Member member{&probe, &hook, hook.selector};
            if (const auto* function = std::get_if<probe::KernelFunction>(&hook.at)) {
                if (function->btf && functions <= kMostFunctionPrograms) {
                    plans.push_back({{hook.at}, -1, -1, {{{member}}}, {}});
                    continue;
                }
                auto& index = shared[function->atReturn];
                if (!index) {
                    index = plans.size();
                    plans.emplace_back().byAddress = true;
                }
                auto& many = plans[*index];
                join(many, {&probe, &hook, many.places.size()});
                many.places.push_back(hook.at);
                continue;
            }
            if (std::holds_alternative<probe::Uprobe>(hook.at)) {
                if (!uprobes) {
                    uprobes = plans.size();
                    plans.emplace_back().byCookie = true;
                }
                auto& one = plans[*uprobes];
                join(one, {&probe, &hook, one.places.size()});
                one.places.push_back(hook.at);
                continue;
            }
            if (hook.selectorWord >= 0) {
                auto at = std::find_if(plans.begin(), plans.end(), [&](const Plan& p) {
                    return p.selectorWord == hook.selectorWord && p.selectorOffset == hook.selectorOffset && same(p.places.front(), hook.at)
                        && !p.selectors.count(hook.selector);
                });
                if (at == plans.end()) at = plans.insert(plans.end(), Plan{{hook.at}, hook.selectorWord, hook.selectorOffset, {}, {}});
                join(*at, member);
                continue;
            }
            // A probe with several places: one program, attached to each.
            const auto at = std::find_if(plans.begin() + static_cast<std::ptrdiff_t>(own), plans.end(), [&](const Plan& p) {
                return p.selectorWord < 0 && !p.byAddress && !p.byCookie && !isFunction(*p.groups.front().members.front().hook)
                    && typeOf(p.places.front()) == typeOf(hook.at) && same(p.groups.front().members.front().hook->when, hook.when)
                    && same(p.groups.front().members.front().hook->again, hook.again)
                    && sameArguments(argumentsOf(p.groups.front().members.front()), argumentsOf(member));
            });
            if (at != plans.end())
                at->places.push_back(hook.at);
            else
                plans.push_back({{hook.at}, -1, -1, {{{member}}}, {}});
        }
    }
    return plans;
}
} // namespace dscope::codegen
