#include "engine/symbols/instruction.h"
namespace dscope::symbols {
namespace {
/// Words of instructions are little-endian on every system that Linux runs. `bits` of `word` are `value`.
constexpr bool isOf(std::uint32_t word, std::uint32_t bits, std::uint32_t value) { return (word & bits) == value; }

/// The distance in bits [at, at + width) of `word`, in words, with its sign.
std::uint64_t distance(std::uint32_t word, unsigned at, unsigned width)
{
    const auto field = static_cast<std::int32_t>(word << (32 - at - width)) >> (32 - width);
    return static_cast<std::uint64_t>(std::int64_t{field} * 4);
}

/// Whether the kernel accepts a probe here and the instruction does the same elsewhere.
/// Source: arch/arm64/kernel/probes/decode-insn.c, arm_probe_decode_insn(), aarch64_insn_is_steppable() of Linux 6.12; encodings:
/// Arm Architecture Reference Manual for A-profile, C4.1.
bool kernelTakes(std::uint32_t word)
{
    const bool authenticates = isOf(word, 0xfe1ff800, 0xd61f0800); // BRAA, BLRAA, RETAA and their like
    const bool raises = isOf(word, 0xff000000, 0xd4000000);        // SVC, HVC, SMC, BRK, HLT, DCPS
    const bool writesState = isOf(word, 0xfff00000, 0xd5100000) || isOf(word, 0xfff8f01f, 0xd500401f);
    const bool readsMask = isOf(word, 0xffffffe0, 0xd53b4220); // MRS Xt, DAIF
    if (authenticates || raises || writesState || readsMask || isOf(word, 0xffffffff, 0xd69f03e0)) return false;

    if (isOf(word, 0xfffff01f, 0xd503201f)) { // hints, of which those that sign and mark where jumps may land can be stepped
        const auto number = word >> 5 & 0x7f;
        const bool signs = number == 7 || number == 8 || number == 10 || number == 24 || number == 25 || number == 26 || number == 27;
        const bool lands = number == 32 || number == 34 || number == 36 || number == 38;
        return number == 0 || signs || lands;
    }
    const bool isExclusive = isOf(word, 0x3f000000, 0x08000000);
    const bool prefetchesHere = isOf(word, 0xff000000, 0xd8000000);
    const bool loadsVectorFromHere = isOf(word, 0x3f000000, 0x1c000000); // it would read from where it was copied to
    return !isExclusive && !prefetchesHere && !loadsVectorFromHere;
}
} // namespace

std::optional<Decoded> Aarch64Decoder::decode(ByteView code, std::uint64_t address)
{
    if (code.size() < 4) return {};
    const auto word = readAt<std::uint32_t>(code, 0);
    constexpr std::uint64_t kNear = 6;
    ++m_count;

    // An entry of a table is loaded, and added to where the code of the cases is, by an ADD that extends and scales it, or by a plain one.
    const bool loadsByIndex = isOf(word, 0x3f200c00, 0x38200800) && (word >> 22 & 3) != 0;
    if (loadsByIndex) m_loaded = m_count;
    const bool adds = isOf(word, 0xffe00000, 0x8b200000) || isOf(word, 0xff200000, 0x8b000000);
    if (adds && m_loaded != 0 && m_count - m_loaded <= kNear) m_added = m_count;

    Decoded out;
    out.address = address;
    out.length = 4;
    out.canProbe = kernelTakes(word);
    if (isOf(word, 0xfffffc1f, 0xd65f0000) || isOf(word, 0xfffffbff, 0xd65f0bff)) { // RET, RETAA, RETAB
        out.flow = Flow::Return;
    } else if (isOf(word, 0xfc000000, 0x14000000)) { // B
        out.flow = Flow::Jump;
        out.target = address + distance(word, 0, 26);
    } else if (isOf(word, 0xff000000, 0x54000000) || isOf(word, 0x7e000000, 0x34000000)) { // B.cond, CBZ, CBNZ
        out.flow = Flow::Branch;
        out.target = address + distance(word, 5, 19);
    } else if (isOf(word, 0x7e000000, 0x36000000)) { // TBZ, TBNZ
        out.flow = Flow::Branch;
        out.target = address + distance(word, 5, 14);
    } else if (isOf(word, 0xfffffc1f, 0xd61f0000) || isOf(word, 0xfefff800, 0xd61f0800)) { // BR, BRAA, BRAB
        out.flow = Flow::IndirectJump;
        out.byTable = m_added != 0 && m_count - m_added <= kNear;
    } else if (isOf(word, 0xffe0001f, 0xd4200000) || isOf(word, 0xffff0000, 0) || isOf(word, 0xffffffff, 0xd69f03e0)) { // BRK, UDF, ERET
        out.flow = Flow::Stop;
        out.isSafe = false;
    }
    out.calls = isOf(word, 0xfc000000, 0x94000000) || isOf(word, 0xfffffc1f, 0xd63f0000) || isOf(word, 0xfefff800, 0xd63f0800); // BL, BLR
    return out;
}
} // namespace dscope::symbols
