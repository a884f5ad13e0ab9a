#include "engine/codegen/firing.h"
#include "engine/object/raw.h"
namespace dscope::codegen {
namespace {
/// Per-CPU values are at most this many bytes. Source: mm/percpu.c, PCPU_MIN_UNIT_SIZE.
constexpr std::uint32_t kMostScratch = 32768;

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
    const auto none = b.label();
    b.store(Width::B4, R10, key.offset(), R1);
    b.loadMap(R1, f.unit.object.drops);
    b.addressOf(R2, key);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, none);
    b.load(Width::B8, R1, R0, 0);
    b.alu(AluOp::Add, R1, 1);
    b.store(Width::B8, R0, 0, R1);
    b.bind(none);
    b.mov(R0, 0);
    b.exit();
}
/// r1: scratch, where the fault's record is filled in except for the header's times and places.
void emitFault(Firing& f)
{
    auto& b = f.b;
    b.mov(Builder::kScratch, R1);
    fillHeader(f, f.faultAt(), static_cast<std::uint32_t>(RawKind::Fault), ~0u);
    send(f, f.faultAt(), sizeof(RawFaultAt), true, record::Drop::Kind::Principal);
    b.mov(R0, 0);
    b.exit();
}
} // namespace

Firing::Firing(Unit& u, ProgramType t, std::uint32_t recordSize) : unit(u), type(t)
{
    m_faultAt = roundUp8(recordSize);
    m_onceAt = m_faultAt + static_cast<std::uint32_t>(sizeof(RawFaultAt));
    m_arenaKeptAt = m_onceAt + 8 * (kArgument + kArguments) + 16;
    // A gap, so that a pointer to just before the first allocation points to no other data.
    m_arenaUsedAt = m_arenaKeptAt + 8 + 64;
    m_arenaAt = m_arenaUsedAt + 8;
    // Twice: the verifier adds the most that an offset may be to the most that a size may be.
    m_tokensAt = m_arenaAt + roundUp8(2 * unit.arenaSize()) + 8;
    m_wordAt = m_tokensAt + 8 + unit.stringSize();
    m_thisAt = m_wordAt + 8;
    m_top = m_most = m_thisAt + unit.thisSize();
    m_scratch = unit.add({.name = "scratch", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = m_most, .maxEntries = 1});
}

std::uint32_t Firing::allocate(std::uint32_t size)
{
    const auto at = m_top;
    m_top += roundUp8(size);
    reach(m_top);
    return at;
}
void Firing::reach(std::uint32_t end)
{
    m_most = std::max(m_most, end);
    if (m_most > kMostScratch)
        throw TooLarge{b.from(),
            "needs " + std::to_string(m_most) + " bytes of memory at a time, and a program of the kernel's has "
                + std::to_string(kMostScratch)};
}

void Firing::loadProbe(Reg dst)
{
    if (probeSlot && !m_inError)
        b.load(dst, *probeSlot);
    else
        b.mov(dst, static_cast<std::int64_t>(probe->id.value));
}

void Firing::loadHookValue(Reg dst)
{
    DSCOPE_ASSERT(entrySlot.has_value());
    b.load(dst, *entrySlot);
    b.load(Width::B8, dst, dst, kEntryValue);
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
    const auto common = b.label();
    for (const auto& known : m_faults) {
        b.bind(known.label);
        b.store(Width::B4, Builder::kScratch, m_faultAt + offsetof(RawFault, kind), static_cast<std::int32_t>(known.kind));
        b.store(Width::B4, Builder::kScratch, m_faultAt + offsetof(RawFault, action), static_cast<std::int32_t>(known.action));
        m_sites.push_back({b.size(), known.site});
        b.store(Width::B8, Builder::kScratch, m_faultAt + offsetof(RawFaultAt, slot), 0);
        if (&known != &m_faults.back()) b.jump(common);
    }
    b.bind(common);
    b.store(Width::B8, Builder::kScratch, m_faultAt + offsetof(RawFault, address), R1);
    b.store(Width::B4, Builder::kScratch, m_faultAt + offsetof(RawHeader, clause), static_cast<std::int32_t>(m_clause.value));
    loadProbe(R1);
    b.store(Width::B4, Builder::kScratch, m_faultAt + offsetof(RawHeader, probe), R1);
    b.mov(R1, Builder::kScratch);
    b.call(subprogram("fault", emitFault));
    m_faults.clear();
    afterFault();
}
void Firing::loadErrorArgument(Reg dst, std::int64_t n)
{
    const auto word = [&](std::size_t offset) { b.load(Width::B4, dst, Builder::kScratch, m_faultAt + static_cast<std::int64_t>(offset)); };
    // The numbers that the fault's message prints: enabled probe and action; in DTrace for Linux's wording, probe and clause.
    const bool linuxWords = unit.program.options.flag("_testing");
    switch (n) {
    case 1:
        if (linuxWords) return word(offsetof(RawHeader, probe));
        word(offsetof(RawHeader, clause));
        return b.alu(AluOp::Add, dst, 1);
    case 2: return word(linuxWords ? offsetof(RawHeader, clause) : offsetof(RawFault, action));
    case 3: return word(offsetof(RawFaultAt, slot));
    case 4: return word(offsetof(RawFault, kind));
    case 5: return b.load(Width::B8, dst, Builder::kScratch, m_faultAt + offsetof(RawFault, address));
    default: return b.mov(dst, 0);
    }
}

void Firing::forgetFaults(Label to)
{
    if (m_faults.empty()) return;
    const auto on = b.label();
    b.jump(on);
    for (const auto& known : m_faults)
        b.bind(known.label);
    b.jump(to);
    b.bind(on);
    m_faults.clear();
}

Label Firing::subprogram(const std::string& name, void (*emit)(Firing&))
{
    for (const auto& known : m_subprograms)
        if (known.name == name) return known.label;
    m_subprograms.push_back({name, b.label(), emit});
    return m_subprograms.back().label;
}
void Firing::rounds(std::uint32_t times, const std::function<void(Label done)>& body)
{
    const auto round = b.label();
    const auto here = b.saved(Builder::kScratch);
    std::vector<bpf::Insn> outside;
    b.code().swap(outside);
    const auto done = b.label();
    b.bind(round);
    b.load(Width::B8, Builder::kScratch, R2, 0);
    b.mov(R0, R1);
    body(done);
    b.mov(R0, 0);
    b.exit();
    b.bind(done);
    b.mov(R0, 1);
    b.exit();
    b.code().swap(outside);
    m_loops.insert(m_loops.end(), outside.begin(), outside.end());
    b.mov(R1, times);
    b.loadFunction(R2, round);
    b.addressOf(R3, here);
    b.mov(R4, 0);
    b.call(Helper::Loop);
}
void Firing::firings(std::uint32_t times, const std::function<void(Label done)>& body)
{
    const auto round = b.label(), done = b.label();
    const auto here = b.temp(2);
    b.store(here, Builder::kScratch, 0);
    b.store(here, Builder::kContext, 1);
    std::vector<bpf::Insn> outside;
    b.code().swap(outside);
    const auto firstSite = m_sites.size();
    b.bind(round);
    b.load(Width::B8, Builder::kScratch, R2, 0);
    b.load(Width::B8, Builder::kContext, R2, 8);
    body(done);
    b.mov(R0, 0);
    b.exit();
    b.bind(done);
    b.mov(R0, 1);
    b.exit();
    b.code().swap(outside);
    for (auto i = firstSite; i < m_sites.size(); ++i) {
        m_sites[i].store += m_loops.size();
        m_sites[i].site += m_loops.size();
        m_sites[i].inLoop = true;
    }
    m_loops.insert(m_loops.end(), outside.begin(), outside.end());
    b.mov(R1, times);
    b.loadFunction(R2, round);
    b.addressOf(R3, here);
    b.mov(R4, 0);
    b.call(Helper::Loop);
}
void Firing::finish()
{
    // A subprogram may ask for others: the list grows while it is walked.
    for (std::size_t i = 0; i < m_subprograms.size(); ++i) {
        b.bind(m_subprograms[i].label);
        const auto emit = m_subprograms[i].emit;
        m_has.reset();
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
    unit.map(m_scratch).valueSize = roundUp8(m_most);
}
void Firing::countDrop(record::Drop::Kind kind)
{
    b.mov(R1, static_cast<std::int64_t>(kind));
    b.call(subprogram("drop", emitDrop));
}
} // namespace dscope::codegen
