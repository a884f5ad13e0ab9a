#include "engine/symbols/code_effect.h"
#include <Zydis/Zydis.h>
#include <algorithm>
#include <span>
namespace dscope::symbols {
bool FrameShape::meet(const FrameShape& other)
{
    const auto before = *this;
    if (sp != other.sp) sp.reset();
    if (bp != other.bp) bp.reset();
    for (std::size_t i = 0; i < kKept; ++i)
        if (saved[i] != other.saved[i]) saved[i] = {Saved::Where::Lost, 0};
    isReached = isReached || other.isReached;
    return *this != before;
}

namespace {
using Where = FrameShape::Saved::Where;
using Way = CodeEffect::Way;
constexpr std::size_t kBp = 0;
constexpr std::int32_t kSlot = 8;

ZydisRegister whole(ZydisRegister part) { return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part); }
bool isRegister(const ZydisDecodedOperand& operand, ZydisRegister which)
{
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value == which;
}
/// Which of FrameShape::kKept it is, or is a part of.
std::optional<std::size_t> keptIndex(ZydisRegister part)
{
    static constexpr std::array<ZydisRegister, FrameShape::kKept> kRegisters{
        ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_RBX, ZYDIS_REGISTER_R12, ZYDIS_REGISTER_R13, ZYDIS_REGISTER_R14, ZYDIS_REGISTER_R15};
    const auto* const found = std::find(kRegisters.begin(), kRegisters.end(), whole(part));
    if (found == kRegisters.end()) return {};
    return static_cast<std::size_t>(found - kRegisters.begin());
}
std::optional<std::size_t> keptIndex(const ZydisDecodedOperand& operand)
{
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? keptIndex(operand.reg.value) : std::nullopt;
}

/// One instruction.
class Effect {
public:
    Effect(const ZydisDecodedInstruction& insn, std::span<const ZydisDecodedOperand> operands, FrameShape& shape)
        : m_insn(insn), m_operands(operands), m_shape(shape)
    {
    }
    /// What it does to the frame.
    void apply()
    {
        switch (m_insn.mnemonic) {
        case ZYDIS_MNEMONIC_PUSH:
            push();
            if (const auto kept = keptIndex(m_operands[0])) save(*kept, m_shape.sp);
            return;
        case ZYDIS_MNEMONIC_PUSHFQ: push(); return;
        case ZYDIS_MNEMONIC_POPFQ: move(kSlot); return;
        case ZYDIS_MNEMONIC_POP: pop(); return;
        case ZYDIS_MNEMONIC_LEAVE:
            m_shape.sp = m_shape.bp;
            restore(kBp, m_shape.sp);
            move(kSlot);
            return;
        case ZYDIS_MNEMONIC_ADD:
        case ZYDIS_MNEMONIC_SUB:
            if (!isRegister(m_operands[0], ZYDIS_REGISTER_RSP) || m_operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) break;
            move(m_insn.mnemonic == ZYDIS_MNEMONIC_ADD ? m_operands[1].imm.value.s : -m_operands[1].imm.value.s);
            return;
        case ZYDIS_MNEMONIC_LEA:
            if (!set(m_operands[0], placeOf(m_operands[1]))) break;
            return;
        case ZYDIS_MNEMONIC_MOV:
            if (!moved()) break;
            return;
        default: break;
        }
        written();
    }

private:
    void move(std::int64_t by)
    {
        constexpr std::int64_t kMost = 1 << 20;
        if (!m_shape.sp) return;
        const auto to = *m_shape.sp + by;
        // Above the return address there is nothing of this function.
        m_shape.sp = to <= -kSlot && to > -kMost ? std::optional(static_cast<std::int32_t>(to)) : std::nullopt;
    }
    void push()
    {
        if (m_insn.operand_width != 64) m_shape.sp.reset();
        move(-kSlot);
        store(m_shape.sp, kSlot);
    }
    void pop()
    {
        if (m_insn.operand_width != 64 || isRegister(m_operands[0], ZYDIS_REGISTER_RSP)) return m_shape.sp.reset();
        if (const auto kept = keptIndex(m_operands[0])) restore(*kept, m_shape.sp);
        move(kSlot);
    }
    /// The offset of what an operand with rsp or rbp and nothing else points to.
    std::optional<std::int32_t> placeOf(const ZydisDecodedOperand& operand) const
    {
        if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.index != ZYDIS_REGISTER_NONE) return {};
        const auto base = operand.mem.base == ZYDIS_REGISTER_RSP ? m_shape.sp
            : operand.mem.base == ZYDIS_REGISTER_RBP             ? m_shape.bp
                                                                 : std::nullopt;
        if (!base) return {};
        return static_cast<std::int32_t>(*base + operand.mem.disp.value);
    }
    void save(std::size_t kept, std::optional<std::int32_t> at)
    {
        auto& saved = m_shape.saved[kept];
        // What is there later need not be the caller's any more.
        if (at && saved.where == Where::Register && !(kept == kBp && m_shape.bp)) saved = {Where::Memory, *at};
    }
    /// The register is loaded from there.
    void restore(std::size_t kept, std::optional<std::int32_t> at)
    {
        auto& saved = m_shape.saved[kept];
        const bool isCallers = at && saved.where == Where::Memory && saved.offset == *at;
        if (isCallers)
            saved = {};
        else if (saved.where == Where::Register)
            saved.where = Where::Lost;
        if (kept == kBp) m_shape.bp.reset();
    }
    /// Something else is in the register.
    void overwrite(std::size_t kept)
    {
        if (m_shape.saved[kept].where == Where::Register) m_shape.saved[kept].where = Where::Lost;
        if (kept == kBp) m_shape.bp.reset();
    }
    /// rsp or rbp becomes a place of the frame, or one that is not known. False if it is another register.
    bool set(const ZydisDecodedOperand& operand, std::optional<std::int32_t> place)
    {
        if (isRegister(operand, ZYDIS_REGISTER_RSP)) {
            m_shape.sp = place;
            move(0);
            return true;
        }
        if (!isRegister(operand, ZYDIS_REGISTER_RBP)) return false;
        overwrite(kBp);
        m_shape.bp = place;
        return true;
    }
    bool moved()
    {
        const auto& to = m_operands[0];
        const auto& from = m_operands[1];
        if (to.type == ZYDIS_OPERAND_TYPE_MEMORY) {
            const auto kept = from.size == 64 ? keptIndex(from) : std::nullopt;
            const auto place = placeOf(to);
            store(place, to.size / 8);
            if (kept && place) save(*kept, place);
            return true;
        }
        if (from.type == ZYDIS_OPERAND_TYPE_MEMORY) {
            const auto kept = to.size == 64 ? keptIndex(to) : std::nullopt;
            if (!kept) return false;
            restore(*kept, placeOf(from));
            return true;
        }
        return set(to,
            isRegister(from, ZYDIS_REGISTER_RSP)       ? m_shape.sp
                : isRegister(from, ZYDIS_REGISTER_RBP) ? m_shape.bp
                                                       : std::nullopt);
    }
    /// What was saved there is not any more.
    void store(std::optional<std::int32_t> at, unsigned size)
    {
        for (auto& saved : m_shape.saved)
            if (at && saved.where == Where::Memory && *at < saved.offset + kSlot && saved.offset < *at + static_cast<std::int32_t>(size))
                saved.where = Where::Lost;
    }
    void written()
    {
        for (const auto& operand : m_operands) {
            if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
            if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) store(placeOf(operand), operand.size / 8);
            if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
            if (whole(operand.reg.value) == ZYDIS_REGISTER_RSP) m_shape.sp.reset();
            if (const auto kept = keptIndex(operand)) overwrite(*kept);
        }
    }

    const ZydisDecodedInstruction& m_insn;
    std::span<const ZydisDecodedOperand> m_operands;
    FrameShape& m_shape;
};

/// Jumps to where a register leads that the function has not touched, and has to keep for its caller. So does code that has a stack of its
/// own by such a register, as Haskell's has by rbp.
bool leadsByCallers(const ZydisDecodedOperand& to, const FrameShape& shape)
{
    const bool isMemory = to.type == ZYDIS_OPERAND_TYPE_MEMORY && to.mem.index == ZYDIS_REGISTER_NONE;
    const auto kept = isMemory ? keptIndex(to.mem.base) : keptIndex(to);
    return kept && shape.saved[*kept].where == FrameShape::Saved::Where::Register && !(*kept == kBp && shape.bp);
}
} // namespace

struct CodeDecoder::Impl {
    ZydisDecoder decoder{};
};

CodeDecoder::CodeDecoder() : m(std::make_unique<Impl>())
{
    ZydisDecoderInit(&m->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}
CodeDecoder::~CodeDecoder() = default;

std::optional<CodeEffect> CodeDecoder::apply(ByteView code, std::uint64_t address, FrameShape& shape)
{
    ZydisDecodedInstruction insn;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    const auto size = std::min<std::size_t>(code.size(), ZYDIS_MAX_INSTRUCTION_LENGTH);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&m->decoder, code.data(), size, &insn, operands.data()))) return {};
    CodeEffect effect;
    effect.length = insn.length;
    const auto next = address + insn.length;
    const bool isRelative = insn.operand_count > 0 && operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative;
    if (isRelative) effect.target = next + static_cast<std::uint64_t>(operands[0].imm.value.s);
    effect.leavesFile
        = insn.operand_count > 0 && operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY && operands[0].mem.base == ZYDIS_REGISTER_RIP;
    switch (insn.meta.category) {
    case ZYDIS_CATEGORY_CALL:
        effect.way = Way::Call;
        if (isRelative && effect.target == next) { // to learn where it is
            effect.way = Way::On;
            if (shape.sp) *shape.sp -= kSlot;
        }
        for (auto& saved : shape.saved) // what is called may use all below the stack pointer
            if (saved.where == Where::Memory && shape.sp && saved.offset < *shape.sp) saved.where = Where::Lost;
        return effect;
    case ZYDIS_CATEGORY_RET: effect.way = insn.mnemonic == ZYDIS_MNEMONIC_RET ? Way::Return : Way::End; return effect;
    case ZYDIS_CATEGORY_COND_BR: effect.way = Way::Branch; return effect;
    case ZYDIS_CATEGORY_UNCOND_BR:
        if (!isRelative && leadsByCallers(operands[0], shape)) return {};
        effect.way = isRelative ? Way::Jump : Way::Elsewhere;
        return effect;
    default: break;
    }

    switch (insn.mnemonic) {
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_INT3: effect.way = Way::End; return effect;
    case ZYDIS_MNEMONIC_LEA:
        if (operands[1].mem.base == ZYDIS_REGISTER_RIP) effect.pointedTo = next + static_cast<std::uint64_t>(operands[1].mem.disp.value);
        break;
    default: break;
    }
    Effect(insn, std::span(operands).first(insn.operand_count), shape).apply();
    return effect;
}
} // namespace dscope::symbols
