#include "engine/codegen/dispatch.h"
#include "engine/bpf/encode.h"
#include "engine/codegen/firing.h"
#include "engine/codegen/raw.h"
#include "engine/codegen/same.h"
#include "engine/codegen/stacks.h"
#include "engine/probe/compat_calls.h"
#include <algorithm>
#include <set>
/// Which program serves which probes. Probes that share a hook and are told apart by a number share one program with a
/// table, and so do all uprobes, by the cookie that each place is attached with; probes whose clauses, arguments and conditions are the
/// same share the code in it.
namespace dscope::codegen {
using sema::EnabledProbe;
using Hook = EnabledProbe::Hook;
namespace {
struct Member {
    const EnabledProbe* probe;
    const Hook* hook;
    std::uint64_t selector;
};
/// Probes for which the same code runs.
struct Group {
    std::vector<Member> members;
};
struct Plan {
    std::vector<probe::Place> places;
    int selectorWord = -1, selectorOffset = -1;
    std::vector<Group> groups;
    std::set<std::uint64_t> selectors;
    bool byAddress = false; ///< the selector of places[i] is i, found by the address of the function
    bool byCookie = false;  ///< the selector of places[i] is i
};
/// A program for each function: quick to fire and to leave, and none of its firings is missed, but each is loaded by itself.
constexpr std::ptrdiff_t kMostFunctionPrograms = 16;
constexpr std::uint32_t kPieces = 8; ///< of scratch memory a CPU, for tasks that are preempted in uprobes

ProgramType typeOf(const probe::Place& place)
{
    if (std::holds_alternative<probe::PerfEvent>(place)) return ProgramType::PerfEvent;
    if (std::holds_alternative<probe::Tracepoint>(place)) return ProgramType::Tracepoint;
    if (std::holds_alternative<probe::KernelFunction>(place) || std::holds_alternative<probe::Uprobe>(place)) return ProgramType::Kprobe;
    return ProgramType::RawTracepoint;
}
/// Of a tick: the session sees by it that the clock fired.
bool leavesSample(const probe::Place& place)
{
    const auto* event = std::get_if<probe::PerfEvent>(&place);
    return event && !event->everyCpu;
}
const std::vector<sema::ExprPtr>& argumentsOf(const Member& m) { return m.hook->args.empty() ? m.probe->args : m.hook->args; }
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
std::vector<Plan> plan(const Unit& unit)
{
    const auto& program = unit.program;
    std::vector<Plan> plans;
    std::ptrdiff_t functions = 0;
    for (const auto& probe : program.probes)
        functions += std::count_if(probe.hooks.begin(), probe.hooks.end(), isFunction);
    std::optional<std::size_t> shared[2]; // by atReturn
    std::optional<std::size_t> uprobes;
    for (const auto& probe : program.probes) {
        if (&probe == unit.errorProbe()) continue; // fires within the others' programs
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

/// Bytes of the largest record that the clauses of these probes build.
std::uint32_t recordSize(const Unit& unit, const Plan& plan)
{
    std::uint32_t most = sizeof(RawHeader);
    const auto grow = [&](std::uint32_t payload, std::uint32_t stacks) {
        most = std::max(most, payload + stacks * (static_cast<std::uint32_t>(sizeof(RawUserStack)) + userStackRoom(payload, stacks)));
    };
    std::function<void(const std::vector<sema::Statement>&)> samples = [&](const std::vector<sema::Statement>& statements) {
        for (const auto& s : statements) {
            if (s.kind == sema::Statement::Kind::Aggregate && unit.aggregation(s.aggregation).inUserSpace) {
                const auto& key = unit.aggregation(s.aggregation).key;
                grow(static_cast<std::uint32_t>(sizeof(RawHeader)) + 16 + key.layout.rawSize, key.userStacks);
            }
            samples(s.then);
            samples(s.otherwise);
        }
    };
    const auto fits = [&](const EnabledProbe& probe) {
        for (const auto index : probe.clauses) {
            const auto& clause = unit.program.clauses.at(index);
            for (const auto& segment : unit.segments(clause))
                grow(static_cast<std::uint32_t>(sizeof(RawHeader)) + segment.payload.layout.rawSize, segment.payload.userStacks);
            samples(clause.body);
        }
    };
    for (const auto& group : plan.groups)
        fits(*group.members.front().probe);
    if (const auto* error = unit.errorProbe()) fits(*error);
    return most;
}

bool usesNames(const sema::ExprPtr& e)
{
    if (!e) return false;
    if (e->kind == sema::ExprKind::Builtin
        && (e->builtin == sema::Builtin::ProbeProv || e->builtin == sema::Builtin::ProbeMod || e->builtin == sema::Builtin::ProbeFunc
            || e->builtin == sema::Builtin::ProbeName))
        return true;
    return std::any_of(e->kids.begin(), e->kids.end(), [](const auto& kid) { return usesNames(kid); });
}
bool usesNames(const std::vector<sema::Statement>& statements)
{
    return std::any_of(statements.begin(), statements.end(), [](const sema::Statement& s) {
        const auto any = [](const std::vector<sema::ExprPtr>& list) {
            return std::any_of(list.begin(), list.end(), [](const auto& e) { return usesNames(e); });
        };
        return usesNames(s.expr) || any(s.keys) || any(s.values) || any(s.args) || usesNames(s.then) || usesNames(s.otherwise);
    });
}
bool usesNames(const Unit& unit, const Plan& plan)
{
    for (const auto& group : plan.groups)
        for (const auto index : group.members.front().probe->clauses) {
            const auto& clause = unit.program.clauses.at(index);
            if (usesNames(clause.predicate) || usesNames(clause.body)) return true;
        }
    return false;
}

/// About how many instructions an expression takes.
std::size_t weightOf(const sema::ExprPtr& e)
{
    std::size_t weight = 8;
    if (e)
        for (const auto& kid : e->kids)
            weight += weightOf(kid);
    return weight;
}
std::size_t weightOf(const std::vector<sema::Statement>& statements)
{
    std::size_t weight = 0;
    for (const auto& s : statements) {
        weight += 30 + weightOf(s.expr) + weightOf(s.then) + weightOf(s.otherwise);
        for (const auto* list : {&s.keys, &s.values, &s.args})
            for (const auto& e : *list)
                weight += weightOf(e);
    }
    return weight;
}
std::size_t weightOf(const sema::Program& program, const EnabledProbe& probe)
{
    std::size_t weight = 0;
    for (const auto index : probe.clauses)
        weight += 30 + weightOf(program.clauses.at(index).predicate) + weightOf(program.clauses.at(index).body);
    return weight;
}

/// 32-bit programs number system calls in their own way. Their numbers follow the 64-bit ones in the table, with 1 for the
/// hook's value.
constexpr std::int32_t kCompatBase = 512, kCompat = 2; // TS_COMPAT. Source: arch/x86/include/asm/thread_info.h
bool isOfSystemCalls(const Plan& plan)
{
    const auto* at = plan.places.empty() ? nullptr : std::get_if<probe::RawTracepoint>(&plan.places.front());
    return plan.selectorWord >= 0 && at && (at->name == "sys_enter" || at->name == "sys_exit");
}
std::uint64_t lastSelector(const Plan& plan)
{
    if (isOfSystemCalls(plan)) return kCompatBase + probe::compatCalls().back().compat;
    return plan.selectors.empty() ? 0 : *plan.selectors.rbegin();
}

/// selector -> u32 probe, u32 group (from 1), u64 value of the hook, then the probe's names when `names`.
MapId makeTable(Firing& f, const Plan& plan, bool names)
{
    auto& unit = f.unit;
    std::uint32_t size = Firing::kEntryValue + 8;
    if (names) {
        std::size_t most[4] = {0, 0, 0, 0};
        for (const auto& group : plan.groups)
            for (const auto& m : group.members) {
                const auto& n = m.probe->name;
                const std::string* parts[4] = {&n.provider, &n.module, &n.function, &n.name};
                for (int i = 0; i < 4; ++i)
                    most[i] = std::max(most[i], parts[i]->size());
            }
        for (int i = 0; i < 4; ++i) {
            f.entryText[i] = size;
            f.entryCapacity[i] = std::min(roundUp8(most[i] + 1), unit.stringSize());
            size += f.entryCapacity[i];
        }
    }
    const auto last = lastSelector(plan);
    // Not frozen: the verifier takes constants from frozen arrays, and refuses those of several elements (ENOTSUPP).
    Map table{
        .name = "dispatch", .kind = MapKind::Array, .keySize = 4, .valueSize = size, .maxEntries = static_cast<std::uint32_t>(last + 1)};
    table.initial.resize(size * (last + 1));
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
        for (const auto& m : plan.groups[g].members) {
            auto* entry = table.initial.data() + m.selector * size;
            const std::uint32_t head[2] = {m.probe->id.value, static_cast<std::uint32_t>(g + 1)};
            std::memcpy(entry, head, sizeof head);
            std::memcpy(entry + Firing::kEntryValue, &m.hook->value, sizeof m.hook->value);
            if (!names) continue;
            const auto& n = m.probe->name;
            const std::string* parts[4] = {&n.provider, &n.module, &n.function, &n.name};
            for (int i = 0; i < 4; ++i)
                std::memcpy(entry + f.entryText[i], parts[i]->data(), std::min<std::size_t>(parts[i]->size(), f.entryCapacity[i] - 1));
        }
    if (isOfSystemCalls(plan))
        for (const auto& call : probe::compatCalls()) {
            if (!plan.selectors.contains(call.number)) continue;
            auto* entry = table.initial.data() + (kCompatBase + call.compat) * size;
            constexpr std::uint64_t kIsCompat = 1;
            std::memcpy(entry, table.initial.data() + call.number * size, size);
            std::memcpy(entry + Firing::kEntryValue, &kIsCompat, sizeof kIsCompat);
        }
    return unit.add(std::move(table));
}

/// Leaves the program unless the table knows the number; the entry's probe and group then stand in Temps.
Builder::Temp selectGroup(Firing& f, const Plan& plan, MapId table, std::optional<MapId> addresses, Label leave)
{
    auto& b = f.b;
    f.probeSlot.emplace(b.temp());
    auto group = b.temp();
    const auto number = b.temp();
    if (addresses) {
        b.mov(R1, Builder::kContext);
        b.call(Helper::GetFuncIp);
        b.store(number, R0);
        b.loadMap(R1, *addresses);
        b.addressOf(R2, number);
        b.call(Helper::MapLookup);
        b.branch(Cond::Eq, R0, 0, leave);
        b.load(Width::B8, R3, R0, 0);
    } else if (plan.byCookie) {
        b.mov(R1, Builder::kContext);
        b.call(Helper::GetAttachCookie);
        b.mov(R3, R0);
    } else {
        b.load(Width::B8, R3, Builder::kContext, 8 * plan.selectorWord);
    }
    if (plan.selectorOffset >= 0) {
        b.add(R3, plan.selectorOffset);
        b.addressOf(R1, number);
        b.mov(R2, 8);
        b.call(Helper::ProbeReadKernel);
        b.branch(Cond::Ne, R0, 0, leave);
        b.load(R3, number);
    }
    if (isOfSystemCalls(plan)) {
        const auto plain = b.label();
        b.branch(Cond::Ge, R3, kCompatBase, leave);
        if (const auto status = f.unit.kernelOffset("task_struct", "thread_info.status"); status >= 0) {
            b.store(number, R3);
            b.call(Helper::GetTaskBtf);
            b.load(Width::B4, R1, R0, status);
            b.load(R3, number);
            b.alu(AluOp::And, R1, kCompat);
            b.branch(Cond::Eq, R1, 0, plain);
            b.add(R3, kCompatBase);
            b.bind(plain);
        }
    }
    b.branch(Cond::Gt, R3, static_cast<std::int32_t>(lastSelector(plan)), leave);
    b.store(number, R3);
    b.loadMap(R1, table);
    b.addressOf(R2, number);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, leave);
    b.load(Width::B4, R1, R0, 4);
    b.branch(Cond::Eq, R1, 0, leave);
    b.store(group, R1);
    b.load(Width::B4, R1, R0, 0);
    b.store(*f.probeSlot, R1);
    f.entrySlot.emplace(b.temp());
    b.store(*f.entrySlot, R0);
    return group;
}

/// kScratch = a piece of scratch memory that is this thread's own, as the word at `busyAt` in it says; leaves the program,
/// which is also where `leave` is, when there is none. A task in a uprobe stays on its CPU but may be preempted there, and the next task
/// may come by the same program. The first part takes a piece, the others find it.
void findPiece(Firing& f, std::uint32_t busyAt, Label leave)
{
    auto& b = f.b;
    const auto ready = b.label();
    const auto thread = b.temp();
    b.call(Helper::GetPidTgid);
    b.store(thread, R0);
    for (std::uint32_t i = 0; i < kPieces; ++i) {
        b.lookupIndex(f.scratch(), i);
        b.branch(Cond::Eq, R0, 0, leave);
        b.mov(Builder::kScratch, R0);
        b.load(R1, thread);
        if (f.partNumber() == 0) {
            b.mov(R0, 0);
            b.compareExchange(Builder::kScratch, busyAt, R1);
            b.branch(Cond::Eq, R0, 0, ready);
        } else {
            b.load(Width::B8, R0, Builder::kScratch, busyAt);
            b.branch(Cond::Eq, R0, R1, ready);
        }
    }
    if (f.partNumber() == 0) f.countDrop(record::Drop::Kind::Principal);
    b.bind(leave);
    b.mov(R0, 0);
    b.exit();
    b.bind(ready);
}

void groupCode(Firing& f, const Group& group)
{
    auto& b = f.b;
    const Firing::Maybe maybe(f);
    f.probe = group.members.front().probe;
    f.hook = group.members.front().hook;
    f.arguments = argumentsOf(group.members.front());
    if (const auto& when = group.members.front().hook->when) {
        f.beginClause(f.unit.program.clauses.at(f.probe->clauses.front()).id);
        b.from(when->at);
        // What the condition can't read is no firing.
        const Firing::Maybe condition(f);
        branchUnless(f, *when, f.away);
        f.forgetFaults(f.away);
    }
    clauses(f, *f.probe);
}

std::string programName(const EnabledProbe& probe, const Plan& plan)
{
    std::string name = probe.name.name;
    if (const auto* tp = std::get_if<probe::RawTracepoint>(&plan.places.front())) name = tp->name;
    if (name.size() > 15) name.resize(15);
    for (auto& c : name)
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
    return name;
}

void leaveUnlessActive(Firing& f, Label leave)
{
    auto& b = f.b;
    b.loadMapValue(R1, f.unit.object.control, offsetof(Control, state));
    b.load(Width::B4, R1, R1, 0);
    b.branch(Cond::Ne, R1, static_cast<std::int32_t>(State::Active), leave);
}
/// kScratch = this program's memory; binds `leave`.
void findScratch(Firing& f, Label leave)
{
    auto& b = f.b;
    const auto ready = b.label();
    b.lookupIndex(f.scratch(), 0);
    b.branch(Cond::Ne, R0, 0, ready);
    b.bind(leave);
    b.mov(R0, 0);
    b.exit();
    b.bind(ready);
    b.mov(Builder::kScratch, R0);
}
/// Nothing is allocated, no text is cut into tokens.
void clearScratch(Firing& f)
{
    f.b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), 0);
    f.b.store(Width::B8, Builder::kScratch, f.tokensAt() + 8, 0); // of the text, its first word: none
    f.b.store(Width::B8, Builder::kScratch, f.tokensAt(), 0);
}
/// Runs `body`, which fires, as often as `hook` says.
void asOften(Firing& f, const Hook& hook, const std::function<void()>& body)
{
    if (!hook.again) return body();
    DSCOPE_ASSERT(hook.selectorWord < 0);
    f.firings(probe::Hook::kMostAgain, [&](Label done) {
        const Firing::Maybe each(f);
        clearScratch(f);
        const auto away = std::exchange(f.away, f.b.label());
        body();
        f.b.bind(f.away);
        f.away = away;
        f.beginClause({});
        branchUnless(f, *hook.again, done);
        f.forgetFaults(done);
    });
}

/// Emits the code of one plan: a program, which where it is long is several parts (Firing::Parting).
class Emission {
public:
    Emission(Unit& unit, const Plan& plan)
        : m_unit(unit), m_plan(plan), m_first(*plan.groups.front().members.front().probe),
          m_isMany(plan.selectorWord >= 0 || plan.byAddress || plan.byCookie), m_f(unit, programType(plan), recordSize(unit, plan))
    {
    }
    void run()
    {
        auto& b = m_f.b;
        std::size_t most = 0, all = 0;
        for (const auto& group : m_plan.groups) {
            const auto weight = weightOf(m_unit.program, *group.members.front().probe);
            most = std::max(most, weight);
            all += weight;
        }
        const auto& hook = *m_plan.groups.front().members.front().hook;
        const bool mayPart = !hook.again && all > kPartSize / 2 && m_plan.groups.size() < kMostGroups;
        if (mayPart) m_f.part({std::max(kPartSize, most / 24), [this] { enter(); }, [this] { leave(); }});
        b.from(m_unit.program.clauses.at(m_first.clauses.front()).at);
        m_f.reach(m_f.scratchSize());
        m_names = m_isMany && usesNames(m_unit, m_plan);
        if (m_isMany) m_table = makeTable(m_f, m_plan, m_names);
        if (m_plan.byAddress)
            m_addresses = m_unit.add({.name = "addresses",
                .kind = MapKind::Hash,
                .keySize = 8,
                .valueSize = 8,
                .maxEntries = static_cast<std::uint32_t>(2 * m_plan.places.size() + 64)});
        if (m_plan.byCookie) {
            m_f.share(kPieces);
            m_busyAt = m_f.allocate(8);
        }
        enter();
        clearScratch(m_f);
        if (m_unit.thisSize()) zero(m_f, m_f.thisAt(), m_unit.thisSize());
        if (m_plan.groups.size() == 1)
            asOften(m_f, hook, [&] { groupCode(m_f, m_plan.groups.front()); });
        else
            groups(mayPart);
        leave();
        const bool manual = std::holds_alternative<probe::Manual>(m_plan.places.front());
        addProgram(m_unit, m_f, programName(m_first, m_plan), m_plan.places, manual ? m_first.id : ProbeId{});
        auto& made = m_unit.object.programs.back();
        made.addresses = m_addresses;
        if (!m_plan.byCookie) return;
        made.served.resize(m_plan.places.size());
        for (std::uint64_t i = 0; i < m_plan.places.size(); ++i)
            made.cookies.push_back(i);
        for (const auto& group : m_plan.groups)
            for (const auto& m : group.members)
                made.served[m.selector] = m.probe->id;
    }

private:
    static ProgramType programType(const Plan& plan)
    {
        if (const auto* function = std::get_if<probe::KernelFunction>(&plan.places.front()); function && !plan.byAddress)
            return function->atReturn ? ProgramType::FunctionReturn : ProgramType::FunctionEntry;
        return typeOf(plan.places.front());
    }
    /// The beginning of a part. Only the first asks whether tracing is on, and makes clean what later ones find.
    void enter()
    {
        auto& b = m_f.b;
        const auto away = b.label();
        m_f.away = b.label();
        b.mov(Builder::kContext, R1);
        if (m_f.partNumber() == 0 && !std::holds_alternative<probe::Manual>(m_plan.places.front())) leaveUnlessActive(m_f, away);
        if (m_f.partNumber() == 0 && m_unit.program.options.isSet("cpu")) {
            b.call(Helper::GetCpu);
            b.branch(Cond::Ne, R0, static_cast<std::int32_t>(m_unit.program.options.number("cpu")), away);
        }
        if (m_isMany) m_group.emplace(selectGroup(m_f, m_plan, m_table, m_addresses, away));
        if (m_plan.byCookie)
            findPiece(m_f, m_busyAt, away);
        else
            findScratch(m_f, away);
    }
    /// Its end.
    void leave()
    {
        auto& b = m_f.b;
        if (m_otherGroup) b.bind(*std::exchange(m_otherGroup, std::nullopt));
        b.bind(m_f.away);
        if (m_plan.byCookie) b.store(Width::B8, Builder::kScratch, m_busyAt, 0);
        b.mov(R0, leavesSample(m_plan.places.front()) ? 1 : 0);
        b.exit();
    }
    /// Code for each group, found by its number in the table, which holds the number of its part in the upper half.
    void groups(bool mayPart)
    {
        auto& b = m_f.b;
        if (mayPart) {
            const auto here = b.label();
            b.load(R3, *m_group);
            b.alu(AluOp::Rsh, R3, 16);
            b.branch(Cond::Eq, R3, 0, here);
            b.mov(R1, Builder::kContext);
            b.loadMap(R2, m_f.partsMap());
            b.call(Helper::TailCall);
            b.jump(m_f.away);
            b.bind(here);
        }
        for (std::size_t g = 0; g < m_plan.groups.size(); ++g) {
            if (m_otherGroup) b.bind(*std::exchange(m_otherGroup, std::nullopt));
            if (m_f.wasContinued() || m_f.isFull(weightOf(m_unit.program, *m_plan.groups[g].members.front().probe))) m_f.otherPart();
            const auto number = m_f.partNumber() << 16 | static_cast<std::uint32_t>(g + 1);
            for (const auto& m : m_plan.groups[g].members)
                setGroup(m, number);
            m_otherGroup = b.label();
            b.load(R1, *m_group);
            b.branch(Cond::Ne, R1, static_cast<std::int32_t>(number), *m_otherGroup);
            groupCode(m_f, m_plan.groups[g]);
            b.jump(m_f.away);
        }
    }
    void setGroup(const Member& m, std::uint32_t number)
    {
        auto& table = m_unit.map(m_table);
        std::memcpy(table.initial.data() + m.selector * table.valueSize + 4, &number, sizeof number);
    }

    static constexpr std::size_t kPartSize = 2500, kMostGroups = 1 << 15;
    Unit& m_unit;
    const Plan& m_plan;
    const EnabledProbe& m_first;
    const bool m_isMany;
    Firing m_f;
    bool m_names = false;
    std::uint32_t m_busyAt = 0; ///< of uprobes: the word of a piece of scratch memory that says whose it is
    MapId m_table;
    std::optional<MapId> m_addresses;
    std::optional<Builder::Temp> m_group;
    std::optional<Label> m_otherGroup; ///< where it goes when it is not this group
};
} // namespace

namespace {
Code encoded(const std::vector<bpf::Insn>& insns, const std::string& name, ProgramType type)
{
    const auto encoded = bpf::encode(insns);
    Code code;
    code.name = name;
    code.type = type;
    code.slots = encoded.slots;
    for (const auto& use : encoded.maps)
        code.relocations.push_back({use.slot, use.map, use.value, use.offset});
    for (const auto& [slot, at] : encoded.lines)
        code.lines.push_back({slot, at});
    return code;
}
} // namespace

void addProgram(Unit& unit, Firing& f, std::string name, std::vector<probe::Place> places, ProbeId manual)
{
    f.finish();
    Code code = encoded(f.parts().empty() ? f.b.code() : f.parts().front(), name, f.type);
    code.attach = std::move(places);
    code.manual = manual;
    for (std::size_t i = 1; i <= f.parts().size(); ++i) {
        code.parts.push_back(encoded(i < f.parts().size() ? f.parts()[i] : f.b.code(), name, f.type));
        code.parts.back().attach = code.attach;
    }
    if (!code.parts.empty()) {
        code.partsMap = f.partsMap();
        unit.map(code.partsMap).maxEntries = static_cast<std::uint32_t>(code.parts.size() + 1);
    }
    unit.object.programs.push_back(std::move(code));
}

void emitPrograms(Unit& unit)
{
    for (const auto& p : plan(unit))
        Emission(unit, p).run();
}

void emitWatches(Unit& unit)
{
    const auto equal = [](const Hook& a, const Hook& b) {
        return same(a.at, b.at) && a.selectorWord == b.selectorWord && a.selector == b.selector && same(a.when, b.when)
            && same(a.again, b.again);
    };
    const auto& all = unit.program.watches;
    for (auto w = all.begin(); w != all.end(); ++w) {
        const auto isSame = [&](const Hook& other) { return equal(*w, other); };
        const bool runsAnyway = std::any_of(unit.program.probes.begin(), unit.program.probes.end(),
            [&](const EnabledProbe& p) { return std::any_of(p.hooks.begin(), p.hooks.end(), isSame); });
        if (runsAnyway || std::any_of(all.begin(), w, isSame)) continue;
        DSCOPE_ASSERT(w->selectorWord < 0);
        Firing f(unit, typeOf(w->at), sizeof(RawHeader));
        auto& b = f.b;
        const auto leave = b.label();
        b.from(w->when->at);
        b.mov(Builder::kContext, R1);
        leaveUnlessActive(f, leave);
        findScratch(f, leave);
        clearScratch(f);
        if (unit.thisSize()) zero(f, f.thisAt(), unit.thisSize());
        asOften(f, *w, [&] {
            const auto done = b.label();
            f.beginClause({});
            integer(f, *w->when);
            f.forgetFaults(done);
            b.bind(done);
        });
        b.mov(R0, 0);
        b.exit();
        addProgram(unit, f, "watch", {w->at});
    }
}
} // namespace dscope::codegen
