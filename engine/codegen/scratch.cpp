#include "engine/codegen/scratch.h"
#include "engine/object/raw.h"
#include <algorithm>
namespace dscope::codegen {
namespace {
/// Per-CPU values are at most this many bytes. Source: mm/percpu.c, PCPU_MIN_UNIT_SIZE.
constexpr std::uint32_t kMostPerCpu = 32768;
/// Values of arrays, before Linux 5.11. Source: kernel/bpf/arraymap.c, KMALLOC_MAX_SIZE.
constexpr std::uint32_t kMostInArray = 4U << 20U;
} // namespace

Scratch::Scratch(Unit& unit, Builder& b, std::uint32_t recordSize, Of of)
    : m_unit(unit), m_b(b), m_isShared(of == Of::Clauses ? unit.sharesScratch() : unit.sharesAllScratch())
{
    m_faultAt = roundUp8(recordSize);
    m_onceAt = m_faultAt + static_cast<std::uint32_t>(sizeof(RawFaultAt));
    m_arenaKeptAt = m_onceAt + 8 * (kArgument + kArguments) + 16;
    // A gap, so that a pointer to just before the first allocation points to no other data.
    m_arenaUsedAt = m_arenaKeptAt + 8 + 64;
    m_wordAt = m_arenaUsedAt + 8;
    m_tokensAt = m_wordAt + 8 + 8;
    m_thisAt = roundUp8(m_tokensAt + 8 + unit.stringSize());
    m_arenaAt = m_thisAt + unit.thisSize();
    // Twice: the verifier adds the most that an offset may be to the most that a size may be.
    m_top = m_most = m_arenaAt + (of == Of::Clauses ? roundUp8(unit.arenaRoom() + unit.arenaSize()) : Unit::kArenaGuard) + 8;
    if (m_isShared) {
        m_map = unit.sharedScratch();
        m_begin = unit.map(m_map).valueSize;
        return;
    }
    m_map
        = unit.add({.name = "scratch", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = m_most, .maxEntries = 1, .isOfCode = true});
}

void Scratch::share(std::uint32_t pieces)
{
    auto& entries = m_unit.map(m_map).maxEntries;
    if (!m_isShared) entries = pieces;
    DSCOPE_ASSERT(entries >= pieces);
}

void Scratch::lookupScratch(std::uint32_t piece)
{
    m_isUsed = true;
    if (!m_isShared) return m_b.lookupIndex(m_map, piece);
    const auto index = m_b.temp();
    m_b.call(Helper::GetCpu);
    m_b.alu(AluOp::Mul, R0, static_cast<std::int32_t>(m_unit.map(m_map).maxEntries));
    m_b.add(R0, piece);
    m_b.store(index, R0, 0, Width::B4);
    m_b.loadMap(R1, m_map);
    m_b.addressOf(R2, index);
    m_b.call(Helper::MapLookup);
    if (m_begin) m_b.when({R0, Cond::Ne, 0}, [&] { m_b.add(R0, m_begin); });
}

void Scratch::settleScratch()
{
    if (m_isShared && !m_isUsed) return;
    auto& size = m_unit.map(m_map).valueSize;
    size = m_isShared ? std::max(size, m_begin + roundUp8(m_most)) : roundUp8(m_most);
}

std::uint32_t Scratch::allocate(std::uint32_t size)
{
    const auto at = m_top;
    m_top += roundUp8(size);
    reach(m_top);
    return at;
}

void Scratch::reach(std::uint32_t end)
{
    m_most = std::max(m_most, end);
    const auto room = m_isShared ? kMostInArray : kMostPerCpu;
    if (m_begin + m_most <= room) return;
    TooLarge limit{m_b.from(),
        "needs " + std::to_string(m_most) + " bytes of memory at a time"
            + (m_begin != 0 ? " beside the " + std::to_string(m_begin) + " of other probes, and a CPU has "
                            : ", and a program of the kernel's has ")
            + std::to_string(room)};
    limit.mayShare = !m_isShared;
    throw limit;
}
} // namespace dscope::codegen
