#include "engine/codegen/dispatch.h"
#include "engine/bpf/encode.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/older_kernels.h"
#include "engine/codegen/same.h"
#include "engine/codegen/selection.h"
#include "engine/codegen/statements.h"
#include "engine/codegen/text.h"
#include "engine/codegen/weight.h"
#include "engine/object/raw.h"
#include <algorithm>
namespace dscope::codegen {
using sema::EnabledProbe;
using Hook = EnabledProbe::Hook;
namespace {
constexpr std::uint32_t kPieces = 8; ///< of scratch memory a CPU, for tasks that are preempted in uprobes

/// kScratch = a piece of scratch memory that is this thread's own, as the word at `busyAt` in it says; leaves the program,
/// which is also where `leave` is, when there is none. A task in a uprobe stays on its CPU but may be preempted there, and the next task
/// may come by the same program. The first part takes a piece, the others find it.
void findPiece(Firing& f, std::uint32_t busyAt, Label leave)
{
    auto& b = f.b;
    b.call(Helper::GetPidTgid);
    const auto thread = b.saved(R0);
    b.block([&](Label ready) {
        for (std::uint32_t i = 0; i < kPieces; ++i) {
            f.lookupScratch(i);
            b.branch(Cond::Eq, R0, 0, leave);
            b.mov(Builder::kScratch, R0);
            b.load(R1, thread);
            if (f.partNumber() == 0) {
                f.unit.need(object::Ability::AttachCookie, b.from()); // which no kernel has without atomic exchange
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
    });
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
/// For watches: what ends in a pause is over when probes fire again.
void leaveUnlessActiveOrPaused(Firing& f, Label leave)
{
    auto& b = f.b;
    b.loadMapValue(R1, f.unit.object.control, offsetof(Control, state));
    b.load(Width::B4, R1, R1, 0);
    b.block([&](Label goesOn) {
        b.branch(Cond::Eq, R1, static_cast<std::int32_t>(State::Paused), goesOn);
        b.branch(Cond::Ne, R1, static_cast<std::int32_t>(State::Active), leave);
    });
}
/// kScratch = this program's memory; binds `leave`.
void findScratch(Firing& f, Label leave)
{
    auto& b = f.b;
    f.lookupScratch();
    b.when({R0, Cond::Eq, 0}, [&] {
        b.bind(leave);
        b.mov(R0, 0);
        b.exit();
    });
    b.mov(Builder::kScratch, R0);
}
/// Nothing is allocated, no text is cut into tokens.
void clearScratch(Firing& f)
{
    f.b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), 0);
    if (f.unit.usesArena()) f.b.store(Width::B8, Builder::kScratch, f.arenaAt(), 0); // the guard
    if (f.unit.keepsPointers()) f.b.store(Width::B8, Builder::kScratch, f.arenaKeptAt(), 0);
    f.b.store(Width::B8, Builder::kScratch, f.tokensAt() + 8, 0); // of the text, its first word: none
    f.b.store(Width::B8, Builder::kScratch, f.tokensAt(), 0);
}
/// Emits `body`, which fires the probe, in a loop if the hook wants it repeated (probe::Hook::again).
void asOften(Firing& f, const Hook& hook, const std::function<void()>& body)
{
    if (!hook.again) return body();
    DSCOPE_ASSERT(hook.selectorWord < 0);
    // Where the verifier walks each round. What a disk takes as one has at most so many parts: drivers allow 127 to 254.
    // Source: include/linux/blkdev.h, BLK_MAX_SEGMENTS; drivers/block/virtio_blk.c
    constexpr std::uint32_t kBeforeLoops = 256;
    const auto times = f.unit.can(Ability::Loop) ? probe::Hook::kMostAgain : kBeforeLoops;
    f.firings(times, [&](Label done) {
        const Firing::Maybe each(f);
        clearScratch(f);
        if (f.unit.programsThisSize()) zero(f, f.thisAt(), f.unit.programsThisSize()); // each round is a firing
        const auto away = std::exchange(f.away, f.b.label());
        body();
        f.b.bind(f.away);
        f.away = away;
        f.beginClause({});
        branchUnless(f, *hook.again, done);
        f.forgetFaults(done);
    });
}

/// A program that the kernel links to one function, which its types tell of.
ProgramType linkedType(const probe::KernelFunction& function)
{
    return function.atReturn ? ProgramType::FunctionReturn : ProgramType::FunctionEntry;
}
/// Where the session notes which of so many places are at which addresses.
MapId addressesOf(Unit& unit, std::size_t places)
{
    return unit.add({.name = "addresses",
        .kind = MapKind::Hash,
        .keySize = 8,
        .valueSize = 8,
        .maxEntries = static_cast<std::uint32_t>(2 * places + 64),
        .isOfCode = true});
}
/// Emits the code of one plan: a program, which where it is long is several parts (Firing::Parting).
class Emission {
public:
    Emission(Unit& unit, const Plan& plan)
        : m_unit(unit), m_plan(plan), m_first(*plan.groups.front().members.front().probe),
          m_isMany((plan.selectorWord >= 0 && !servesOne(plan)) || plan.byAddress || plan.byCookie),
          m_f(unit, programType(plan), recordSize(unit, plan), Firing::Of::Clauses)
    {
    }

    void run()
    {
        try {
            make();
        } catch (NoKernelTypes& none) {
            none.at = m_f.b.from();
            throw;
        }
    }

private:
    void make()
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
        if (m_plan.byAddress || m_plan.byCookie) m_addresses = addressesOf(m_unit, m_plan.places.size());
        if (m_plan.byCookie) {
            m_f.share(kPieces);
            m_busyAt = m_f.allocate(8);
        }
        if (m_unit.usesVirtualTime()) m_f.virtualTimeAt = m_f.allocate(24);

        if (rests(m_plan)) m_restsUntil = m_unit.map(m_unit.object.drops).maxEntries++;
        if (countsFirings(m_unit.program, m_plan)) m_firings = m_unit.map(m_unit.object.drops).maxEntries++;
        enter();
        clearScratch(m_f);
        if (m_unit.thisSize()) zero(m_f, m_f.thisAt(), m_unit.thisSize());
        if (m_plan.groups.size() == 1)
            asOften(m_f, hook, [&] { groupCode(m_f, m_plan.groups.front()); });
        else
            groups(mayPart);
        leave();
        addProgram(m_unit, m_f, programName(m_first, m_plan), m_plan.places);
        auto& made = m_unit.object.programs.back();
        made.addresses = m_addresses;
        made.firings = m_firings;
        if (!m_plan.byCookie) return;
        made.served.resize(m_plan.places.size());
        for (std::uint64_t i = 0; i < m_plan.places.size(); ++i)
            made.cookies.push_back(i);
        for (const auto& group : m_plan.groups)
            for (const auto& m : group.members)
                made.served[m.selector] = m.probe->id;
    }

    static ProgramType programType(const Plan& plan)
    {
        const auto* function = std::get_if<probe::KernelFunction>(&plan.places.front());
        return function && !plan.byAddress ? linkedType(*function) : typeOf(plan.places.front());
    }

    /// The beginning of a part. Only the first asks whether tracing is on, and makes clean what later ones find.
    void enter()
    {
        auto& b = m_f.b;
        const auto away = b.label();
        m_f.away = b.label();
        b.mov(Builder::kContext, R1);
        if (m_f.partNumber() == 0 && m_restsUntil) leaveIfResting();
        if (m_f.partNumber() == 0 && m_firings) m_f.count(*m_firings);
        if (m_f.partNumber() == 0 && !std::holds_alternative<probe::Manual>(m_plan.places.front())) leaveUnlessActive(m_f, away);
        if (m_f.partNumber() == 0 && m_unit.program.options.isSet("cpu")) {
            b.call(Helper::GetCpu);
            b.branch(Cond::Ne, R0, static_cast<std::int32_t>(m_unit.program.options.number("cpu")), away);
        }
        if (m_isMany)
            m_group.emplace(selectGroup(m_f, m_plan, m_table, m_addresses, away));
        else if (servesOne(m_plan))
            selectOne(m_f, m_plan, away);
        if (m_plan.byCookie)
            findPiece(m_f, m_busyAt, away);
        else
            findScratch(m_f, away);
        if (m_f.partNumber() == 0 && m_f.virtualTimeAt) beginVirtualTime(m_f);
    }

    /// Its end.
    void leave()
    {
        auto& b = m_f.b;
        if (m_otherGroup) b.bind(*std::exchange(m_otherGroup, std::nullopt));
        b.bind(m_f.away);
        if (m_f.virtualTimeAt) endVirtualTime(m_f);
        if (m_plan.byCookie) b.store(Width::B8, Builder::kScratch, m_busyAt, 0);
        if (m_restsUntil) rest();
        exit();
    }
    void exit()
    {
        m_f.b.mov(R0, leavesSample(m_plan.places.front()) ? 1 : 0);
        m_f.b.exit();
    }

    /// Clauses that take longer than the time between two firings would leave a CPU no time for anything else, dscope included, and the
    /// machine would stand still. So a third of the time is kept free. One word of each CPU holds when its last firing began or, once that
    /// is over, when the next may begin.
    void leaveIfResting()
    {
        auto& b = m_f.b;
        const auto now = b.temp();
        b.call(Helper::KtimeGetNs);
        b.store(now, R0);
        b.block([&](Label goesOn) {
            m_f.lookupCounter(*m_restsUntil);
            b.branch(Cond::Eq, R0, 0, goesOn);
            b.load(R1, now);
            b.load(Width::B8, R2, R0, 0);
            b.store(Width::B8, R0, 0, R1);
            b.branch(Cond::Ge, R1, R2, goesOn);
            b.store(Width::B8, R0, 0, R2);
            if (!m_firings) m_f.countDrop(record::Drop::Kind::Firing);
            exit();
        });
    }
    void rest()
    {
        auto& b = m_f.b;
        b.block([&](Label done) {
            m_f.lookupCounter(*m_restsUntil);
            b.branch(Cond::Eq, R0, 0, done);
            b.mov(Builder::kScratch, R0);
            b.call(Helper::KtimeGetNs);
            b.load(Width::B8, R1, Builder::kScratch, 0);
            b.mov(R2, R0);
            b.alu(AluOp::Sub, R2, R1);
            b.alu(AluOp::Rsh, R2, 1);
            b.alu(AluOp::Add, R0, R2);
            b.store(Width::B8, Builder::kScratch, 0, R0);
        });
    }

    /// Code for each group, found by its number in the table, which holds the number of its part in the upper half.
    void groups(bool mayPart)
    {
        auto& b = m_f.b;
        if (mayPart) {
            b.load(R3, *m_group);
            b.alu(AluOp::Rsh, R3, 16);
            b.when({R3, Cond::Ne, 0}, [&] {
                b.mov(R1, Builder::kContext);
                b.loadMap(R2, m_f.partsMap());
                b.call(Helper::TailCall);
                b.jump(m_f.away);
            });
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
    std::optional<std::uint32_t> m_firings;    ///< Code::firings
    std::optional<std::uint32_t> m_restsUntil; ///< element of Object::drops
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

void addProgram(Unit& unit, Firing& f, std::string name, std::vector<probe::Place> places)
{
    f.finish();
    const OlderKernel kernel{unit.has, unit.offsetIfKnown("task_struct", "stack")};
    for (auto& part : f.parts())
        rewriteFor(kernel, part);
    rewriteFor(kernel, f.b.code());
    Code code = encoded(f.parts().empty() ? f.b.code() : f.parts().front(), name, f.type);
    code.attach = std::move(places);
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
    const auto plans = planPrograms(unit);
    if (unit.sharesScratch() && std::any_of(plans.begin(), plans.end(), [](const Plan& p) { return p.byCookie; }))
        unit.map(unit.sharedScratch()).maxEntries = kPieces;
    for (const auto& p : plans)
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
        // A function that the kernel's types do not tell of (compilers make clones with names of their own) is probed by its name.
        const auto* function = std::get_if<probe::KernelFunction>(&w->at);
        const bool byName = function && !function->btf;
        Firing f(unit, function && !byName ? linkedType(*function) : typeOf(w->at), sizeof(RawHeader));
        auto& b = f.b;
        const auto leave = b.label();
        b.from(w->when->at);
        b.mov(Builder::kContext, R1);
        leaveUnlessActiveOrPaused(f, leave);
        findScratch(f, leave);
        clearScratch(f);
        if (unit.thisSize()) zero(f, f.thisAt(), unit.thisSize());
        asOften(f, *w, [&] {
            b.block([&](Label done) {
                f.beginClause({});
                integer(f, *w->when);
                f.forgetFaults(done);
            });
        });
        b.mov(R0, 0);
        b.exit();
        addProgram(unit, f, "watch", {w->at});
        if (byName) unit.object.programs.back().addresses = addressesOf(unit, 1);
    }
}
} // namespace dscope::codegen
