#include "engine/codegen/firing.h"
/// Long programs: cut into parts that call one another.
namespace dscope::codegen {
namespace {
/// Source: kernel/bpf/verifier.c, MAX_USED_MAPS is 64; what one statement and the subprograms add comes on top of this.
constexpr std::size_t kManyMaps = 40;
/// Source: include/linux/bpf.h, MAX_TAIL_CALL_CNT. One leads from the dispatch table.
constexpr std::uint32_t kMostCalls = 33 - 1;
/// Chains this long go on in larger parts, so that they come to their end.
constexpr std::uint32_t kLongChain = 16;

void noteMap(const bpf::Insn& insn, std::set<std::uint32_t>& maps)
{
    if (const auto* whole = std::get_if<bpf::LoadMap>(&insn.op)) maps.insert(whole->map.value);
    if (const auto* value = std::get_if<bpf::LoadMapValue>(&insn.op)) maps.insert(value->map.value);
}
} // namespace

bool Firing::isFull(std::size_t weight)
{
    if (!m_parting.limit || m_inError) return false;
    for (; m_lookedAt < b.size(); ++m_lookedAt)
        noteMap(b.code()[m_lookedAt], m_mapsNamed);
    for (; m_loopsLookedAt < m_loops.size(); ++m_loopsLookedAt)
        noteMap(m_loops[m_loopsLookedAt], m_mapsNamed);
    const auto limit = m_depth < kLongChain ? m_parting.limit : m_parting.limit << ((m_depth - kLongChain) / 4 + 1);
    const auto size = b.size() + m_loops.size();
    return size >= limit || (weight < limit && size + weight > limit) || m_mapsNamed.size() >= kManyMaps;
}

MapId Firing::partsMap()
{
    if (!m_partsMap)
        m_partsMap
            = unit.add({.name = "parts", .kind = MapKind::Programs, .keySize = 4, .valueSize = 4, .maxEntries = 1, .isOfCode = true});
    return *m_partsMap;
}

/// Emits a tail call of part `number`. The code behind it runs only if there is no such part.
void Firing::callPart(std::uint32_t number)
{
    b.mov(R1, Builder::kContext);
    b.loadMap(R2, partsMap());
    b.mov(R3, number);
    b.call(Helper::TailCall);
}

void Firing::cut()
{
    m_parting.leave();
    const auto facts = b.facts; // scratch memory lasts from part to part
    finish();
    b.facts = facts;
    noLonger(kTask); // the stack does not
    noLonger(kSelf);
    m_parts.push_back(std::move(b.code()));
    b.code().clear();
    m_subprograms.clear();
    m_loops.clear();
    m_sites.clear();
    m_mapsNamed.clear();
    m_lookedAt = m_loopsLookedAt = 0;
    m_parting.enter();
}

void Firing::nextPart()
{
    if (++m_depth > kMostCalls) throw TooLarge{b.from(), "the clauses of one probe are more than the kernel runs at a firing", "D_CG_NREG"};
    callPart(partNumber() + 1);
    cut();
}

Label Firing::nextPart(Label end, const std::function<void()>& afterFault)
{
    const auto on = b.label();
    // The verifier refuses code that cannot be reached, and perhaps nothing else jumps to `end`. So the 0 is stored and read back:
    // of a value from memory the verifier does not know which way the branch goes.
    b.store(Width::B8, Builder::kScratch, wordAt(), 0);
    b.load(Width::B8, R0, Builder::kScratch, wordAt());
    b.branch(Cond::Eq, R0, 0, on);
    b.jump(end); // faults come to theirs with the address in r1
    const auto clause = m_clause;
    const auto action = m_action;
    {
        const Maybe maybe(*this);
        b.facts.reset(); // faults come here from places where less was known
        settleFaults(afterFault);
    }

    m_clause = clause;
    m_action = action;
    b.bind(end);
    b.store(Width::B8, Builder::kScratch, wordAt(), 1);
    b.bind(on);
    nextPart();
    const auto newEnd = b.label();
    b.load(Width::B8, R0, Builder::kScratch, wordAt());
    b.branch(Cond::Ne, R0, 0, newEnd);
    return newEnd;
}

void Firing::otherPart()
{
    m_depth = 0;
    cut();
}
} // namespace dscope::codegen
