#include "engine/codegen/scratch.h"
#include "engine/object/raw.h"
#include <algorithm>
namespace dscope::codegen {
namespace {
/// Per-CPU values are at most this many bytes. Source: mm/percpu.c, PCPU_MIN_UNIT_SIZE.
constexpr std::uint32_t kMostScratch = 32768;
} // namespace

Scratch::Scratch(Unit& unit, const Builder& b, std::uint32_t recordSize) : m_unit(unit), m_b(b)
{
    m_faultAt = roundUp8(recordSize);
    m_onceAt = m_faultAt + static_cast<std::uint32_t>(sizeof(RawFaultAt));
    m_arenaKeptAt = m_onceAt + 8 * (kArgument + kArguments) + 16;
    // A gap, so that a pointer to just before the first allocation points to no other data.
    m_arenaUsedAt = m_arenaKeptAt + 8 + 64;
    m_arenaAt = m_arenaUsedAt + 8;
    // Twice: the verifier adds the most that an offset may be to the most that a size may be.
    m_tokensAt = m_arenaAt + roundUp8(unit.arenaRoom() + unit.arenaSize()) + 8;
    m_wordAt = m_tokensAt + 8 + unit.stringSize();
    m_thisAt = m_wordAt + 8;
    m_top = m_most = m_thisAt + unit.thisSize();
    m_map
        = unit.add({.name = "scratch", .kind = MapKind::PerCpuArray, .keySize = 4, .valueSize = m_most, .maxEntries = 1, .isOfCode = true});
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
    if (m_most > kMostScratch)
        throw TooLarge{m_b.from(),
            "needs " + std::to_string(m_most) + " bytes of memory at a time, and a program of the kernel's has "
                + std::to_string(kMostScratch)};
}
} // namespace dscope::codegen
