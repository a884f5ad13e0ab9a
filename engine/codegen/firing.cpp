#include "engine/codegen/records.h"
#include "engine/object/raw.h"
namespace dscope::codegen {
namespace {
std::int32_t slotsOf(const bpf::Op& op)
{
    if (std::holds_alternative<bpf::Bind>(op)) return 0;
    if (const auto* constant = std::get_if<bpf::LoadImm>(&op)) {
        const auto value = static_cast<std::int64_t>(constant->value);
        return value >= INT32_MIN && value <= INT32_MAX ? 1 : 2;
    }
    const bool isWide = std::holds_alternative<bpf::LoadMap>(op) || std::holds_alternative<bpf::LoadMapValue>(op)
        || std::holds_alternative<bpf::LoadFunction>(op);
    return isWide ? 2 : 1;
}
/// r1: record::Drop::Kind.
void emitDrop(Firing& f)
{
    auto& b = f.b;
    const auto key = b.temp();
    b.store(key, R1, 0, Width::B4);
    b.loadMap(R1, f.unit.object.drops);
    b.addressOf(R2, key);
    b.call(Helper::MapLookup);
    b.when({R0, Cond::Ne, 0}, [&] {
        b.load(Width::B8, R1, R0, 0);
        b.alu(AluOp::Add, R1, 1);
        b.store(Width::B8, R0, 0, R1);
    });
    b.mov(R0, 0);
    b.exit();
}
/// r1: scratch, where the fault's record is filled in except for the header's times and places.
void emitFault(Firing& f)
{
    auto& b = f.b;
    b.mov(Builder::kScratch, R1);
    fillHeader(f, f.faultAt(), static_cast<std::uint32_t>(RawKind::Fault), ~0u);
    send(f, f.faultAt(), sizeof(RawFaultAt), Share::Control, record::Drop::Kind::Principal);
    b.mov(R0, 0);
    b.exit();
}
} // namespace

Firing::Firing(Unit& u, ProgramType t, std::uint32_t recordSize, Of of) : Scratch(u, b, recordSize, of), unit(u), type(t) { }

void Firing::loadProbe(Reg dst)
{
    if (probeSlot && !m_inError)
        b.load(dst, *probeSlot);
    else
        b.mov(dst, static_cast<std::int64_t>(probe->id.value));
}

void Firing::loadHookValue(Reg dst)
{
    if (compatSlot) return b.load(dst, *compatSlot);
    if (!entrySlot) return b.mov(dst, static_cast<std::int64_t>(hook->value));
    b.load(dst, *entrySlot);
    b.load(Width::B8, dst, dst, kEntryValue);
}

void Firing::loadTask()
{
    if (has(kTask)) return b.load(R0, m_task.value());
    b.call(Helper::GetTaskBtf);
    if (!m_task) m_task.emplace(b.temp());
    b.store(*m_task, R0);
    nowHas(kTask);
}

void Firing::loadSelf(Missing missing)
{
    const auto look = [&] {
        loadTask();
        b.mov(R2, R0);
        b.loadMap(R1, unit.selves());
        b.mov(R3, 0);
        b.mov(R4, missing == Missing::IsMade ? kCreate : 0);
        b.call(Helper::TaskStorageGet);
        if (!m_self) m_self.emplace(b.temp());
        b.store(*m_self, R0);
    };
    unit.need(object::Ability::TaskStorage, b.from());
    if (!has(kSelf)) {
        look();
        return nowHas(kSelf);
    }
    b.load(R0, m_self.value());
    if (missing == Missing::IsMade) b.when({R0, Cond::Eq, 0}, look);
}

Label Firing::fault(record::FaultKind kind)
{
    for (const auto& known : m_faults)
        if (known.kind == kind && known.action == m_action) return known.label;
    m_faults.push_back({b.label(), kind, m_action, b.size()});
    return m_faults.back().label;
}
void Firing::beginClause(ClauseId clause)
{
    m_clause = clause;
    m_action = 0;
}
void Firing::endClause(Label next, const std::function<void()>& afterFault)
{
    if (!m_faults.empty()) {
        b.jump(next);
        settleFaults(afterFault);
    }
    b.bind(next);
}
/// Code that records the faults found so far.
void Firing::settleFaults(const std::function<void()>& afterFault)
{
    if (m_faults.empty()) return;
    if (m_inError) {
        // An error in an ERROR clause ends it and does not fire ERROR again.
        for (const auto& known : m_faults)
            b.bind(known.label);
        countDrop(record::Drop::Kind::Error);
        m_faults.clear();
        return;
    }

    b.block([&](Label common) {
        for (const auto& known : m_faults) {
            b.bind(known.label);
            b.store(Width::B4, Builder::kScratch, faultAt() + offsetof(RawFault, kind), static_cast<std::int32_t>(known.kind));
            b.store(Width::B4, Builder::kScratch, faultAt() + offsetof(RawFault, action), static_cast<std::int32_t>(known.action));
            b.mov(R2, Builder::kScratch);
            b.add(R2, faultAt());
            m_sites.push_back({b.size(), known.site});
            b.store(Width::B8, R2, offsetof(RawFaultAt, slot), 0);
            if (&known != &m_faults.back()) b.jump(common);
        }
    });

    b.store(Width::B8, Builder::kScratch, faultAt() + offsetof(RawFault, address), R1);
    b.store(Width::B4, Builder::kScratch, faultAt() + offsetof(RawHeader, clause), static_cast<std::int32_t>(m_clause.value));
    loadProbe(R1);
    b.store(Width::B4, Builder::kScratch, faultAt() + offsetof(RawHeader, probe), R1);
    b.mov(R1, Builder::kScratch);
    b.call(subprogram("fault", emitFault));
    m_faults.clear();
    afterFault();
}
void Firing::loadErrorArgument(Reg dst, std::int64_t n)
{
    const auto word = [&](std::size_t offset) { b.load(Width::B4, dst, Builder::kScratch, faultAt() + static_cast<std::int64_t>(offset)); };
    const bool ofProbeAndClause = unit.program.faultNumbers == sema::FaultNumbers::ProbeAndClause;
    switch (n) {
    case 1:
        if (ofProbeAndClause) return word(offsetof(RawHeader, probe));
        word(offsetof(RawHeader, clause));
        return b.alu(AluOp::Add, dst, 1);
    case 2: return word(ofProbeAndClause ? offsetof(RawHeader, clause) : offsetof(RawFault, action));
    case 3: return word(offsetof(RawFaultAt, slot));
    case 4: return word(offsetof(RawFault, kind));
    case 5: return b.load(Width::B8, dst, Builder::kScratch, faultAt() + offsetof(RawFault, address));
    default: return b.mov(dst, 0);
    }
}

void Firing::forgetFaults(Label to)
{
    if (m_faults.empty()) return;
    b.block([&](Label on) {
        b.jump(on);
        for (const auto& known : m_faults)
            b.bind(known.label);
        b.jump(to);
    });
    m_faults.clear();
}

Label Firing::subprogram(const std::string& name, void (*emit)(Firing&))
{
    for (const auto& known : m_subprograms)
        if (known.name == name) return known.label;
    m_subprograms.push_back({name, b.label(), emit});
    return m_subprograms.back().label;
}
/// Emits a subprogram that bpf_loop() calls, and goes on where the code was; the subprogram goes to m_loops.
Label Firing::callback(const std::function<void()>& begin, const Builder::LeavableBody& body)
{
    const auto round = b.label();
    const auto facts = b.facts;
    const auto firstSite = m_sites.size();
    auto task = std::move(m_task), self = std::move(m_self);
    m_task.reset();
    m_self.reset();
    noLonger(kTask);
    noLonger(kSelf);
    std::vector<bpf::Insn> outside;
    b.code().swap(outside);
    {
        const Builder::Frame frame(b);
        b.bind(round);
        begin();
        b.block([&](Label done) {
            body(done);
            b.mov(R0, 0); // once more
            b.exit();
        });
        b.mov(R0, 1); // over
        b.exit();
        m_task.reset();
        m_self.reset();
    }

    b.code().swap(outside);
    for (auto i = firstSite; i < m_sites.size(); ++i) {
        m_sites[i].store += m_loops.size();
        m_sites[i].site += m_loops.size();
        m_sites[i].inLoop = true;
    }

    m_loops.insert(m_loops.end(), outside.begin(), outside.end());
    if (task) m_task.emplace(std::move(*task));
    if (self) m_self.emplace(std::move(*self));
    b.facts = facts;
    return round;
}
void Firing::callLoop(std::uint32_t times, Label round, const Builder::Temp& here)
{
    if (!unit.can(object::Ability::Loop)) return callEach(times, round, here);
    b.mov(R1, times);
    b.loadFunction(R2, round);
    b.addressOf(R3, here);
    b.mov(R4, 0);
    b.call(Helper::Loop);
}
/// The same for kernels without bpf_loop(). Their verifier walks each round, so there is a bound to how many it lives to see.
void Firing::callEach(std::uint32_t times, Label round, const Builder::Temp& here)
{
    constexpr std::uint32_t kMost = 512;
    if (times > kMost) throw Lacks{b.from(), object::Ability::Loop};
    const auto counter = b.temp();
    b.store(counter, 0);
    b.block([&](Label done) {
        const auto top = b.label();
        b.bind(top);
        b.load(R1, counter);
        b.addressOf(R2, here);
        b.call(round);
        b.branch(Cond::Ne, R0, 0, done);
        b.load(R1, counter);
        b.alu(AluOp::Add, R1, 1);
        b.store(counter, R1);
        b.branch(Cond::Lt, R1, static_cast<std::int32_t>(times), top);
    });
}
void Firing::rounds(std::uint32_t times, const Builder::LeavableBody& body)
{
    const auto here = b.saved(Builder::kScratch);
    const auto begin = [&] {
        b.load(Width::B8, Builder::kScratch, R2, 0);
        b.mov(R0, R1);
    };
    callLoop(times, callback(begin, body), here);
}
void Firing::firings(std::uint32_t times, const Builder::LeavableBody& body)
{
    const auto here = b.temp(2);
    b.store(here, Builder::kScratch, 0);
    b.store(here, Builder::kContext, 1);
    const auto begin = [&] {
        b.load(Width::B8, Builder::kScratch, R2, 0);
        b.load(Width::B8, Builder::kContext, R2, 8);
    };
    m_isRepeated = true;
    const auto round = callback(begin, body);
    m_isRepeated = false;
    callLoop(times, round, here);
}
void Firing::finish()
{
    // A subprogram may ask for others: the list grows while it is walked.
    for (std::size_t i = 0; i < m_subprograms.size(); ++i) {
        const Builder::Frame frame(b);
        b.bind(m_subprograms[i].label);
        const auto emit = m_subprograms[i].emit;
        b.facts.reset();
        m_task.reset();
        m_self.reset();
        emit(*this);
    }

    const auto loops = b.code().size();
    b.code().insert(b.code().end(), m_loops.begin(), m_loops.end());
    // Only now is it known where instructions are, long jumps' islands apart.
    std::vector<std::int32_t> slots;
    std::int32_t slot = 0;
    for (const auto& insn : b.code()) {
        slots.push_back(slot);
        slot += slotsOf(insn.op);
    }

    for (const auto& s : m_sites) {
        const auto first = s.inLoop ? loops : 0;
        std::get<bpf::Store>(b.code()[first + s.store].op).src = bpf::Imm{slots[first + s.site]};
    }
    settleScratch();
    if (m_sizeAt && !isShared()) unit.setWord(*m_sizeAt, scratchSize());
}
std::uint32_t Firing::sizeAt()
{
    if (isShared()) return unit.sharedSizeAt();
    if (!m_sizeAt) m_sizeAt = unit.word();
    return *m_sizeAt;
}
void Firing::countLost(record::Drop::Kind kind, const Builder::LeavableBody& body)
{
    b.block([&](Label done) {
        b.block([&](Label lost) {
            body(lost);
            b.jump(done);
        });
        countDrop(kind);
    });
}
void Firing::countDrop(record::Drop::Kind kind) { count(static_cast<std::uint32_t>(kind)); }
void Firing::lookupCounter(std::uint32_t element)
{
    const auto key = b.temp();
    b.store(key, static_cast<std::int32_t>(element), 0, Width::B4);
    b.loadMap(R1, unit.object.drops);
    b.addressOf(R2, key);
    b.call(Helper::MapLookup);
}
void Firing::count(std::uint32_t element)
{
    b.mov(R1, std::int64_t{element});
    b.call(subprogram("drop", emitDrop));
}
} // namespace dscope::codegen
