#include "engine/symbols/stack_switch.h"
#include <Zydis/Zydis.h>
#include <array>
#include <span>
namespace dscope::symbols {
namespace {
using object::SwitchWay;
constexpr std::int64_t kWord = 8;

class InstructionReader {
public:
    InstructionReader() { ZydisDecoderInit(&m_decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }
    /// Reads the first instruction of `code` and removes it from there. Returns false if no instruction can be decoded.
    bool next(ByteView& code)
    {
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&m_decoder, code.data(), code.size(), &insn, m_operands.data()))) return false;
        code = code.subspan(insn.length);
        return true;
    }
    std::span<const ZydisDecodedOperand> operands() const { return std::span(m_operands).first(insn.operand_count); }
    bool moves() const { return insn.mnemonic == ZYDIS_MNEMONIC_MOV && insn.operand_width == 64; }
    ZydisDecodedInstruction insn{};

private:
    ZydisDecoder m_decoder{};
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> m_operands{};
};

bool isRegister(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_REGISTER; }

/// How large a frame its first instructions make, the return address included: by taking from rsp, and by pushing rbp.
std::int64_t frameOf(ByteView function)
{
    InstructionReader in;
    std::int64_t size = kWord;
    for (int i = 0; i < 3 && in.next(function); ++i) {
        const auto operands = in.operands();
        if (in.insn.mnemonic == ZYDIS_MNEMONIC_PUSH && isRegister(operands[0]) && operands[0].reg.value == ZYDIS_REGISTER_RBP)
            size += kWord;
        else if (in.insn.mnemonic == ZYDIS_MNEMONIC_SUB && isRegister(operands[0]) && operands[0].reg.value == ZYDIS_REGISTER_RSP
            && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
            size += operands[1].imm.value.s;
        else if (!in.moves())
            break;
    }
    return size;
}

/// What is known of registers: which words of memory their values were read from.
class Registers {
public:
    /// Follows the instruction; true once the stack pointer was read from memory. False and over() where that will not be known.
    bool follow(const InstructionReader& in)
    {
        const auto operands = in.operands();
        if (in.insn.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || in.insn.mnemonic == ZYDIS_MNEMONIC_RET) m_over = true;
        if (m_over) return false;
        const auto value = valueOf(in);
        for (const auto& operand : operands)
            if (isRegister(operand) && (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) {
                const auto whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value);
                if (whole == ZYDIS_REGISTER_RSP) return arrive(value);
                if (const auto known = place(whole)) *known = value;
            }
        return false;
    }
    bool over() const { return m_over; }
    const SwitchWay& way() const { return m_way; }

private:
    /// A number, or the word that a chain of reads comes to.
    struct Value {
        std::optional<std::int64_t> number;
        std::optional<SwitchWay> word;
    };
    static constexpr std::size_t kCount = ZYDIS_REGISTER_R15 - ZYDIS_REGISTER_RAX + 1;

    Value* place(ZydisRegister whole)
    {
        const auto at = static_cast<std::size_t>(whole - ZYDIS_REGISTER_RAX);
        return whole >= ZYDIS_REGISTER_RAX && at < kCount ? &m_values[at] : nullptr;
    }
    Value valueOf(const InstructionReader& in)
    {
        const auto operands = in.operands();
        if (in.moves()) {
            if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return {operands[1].imm.value.s, {}};
            if (operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY) return {{}, read(operands[1].mem)};
            const auto* from = isRegister(operands[1]) ? place(operands[1].reg.value) : nullptr;
            return from ? *from : Value{};
        }
        // What was so far from the stack's end.
        if (in.insn.mnemonic != ZYDIS_MNEMONIC_SUB || !isRegister(operands[0]) || operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY) return {};
        const auto* from = place(operands[0].reg.value);
        const auto depth = read(operands[1].mem);
        if (!from || !from->word || from->word->depth != 0 || !depth || depth->ofThread || depth->reads != 1 || depth->at[0] <= 0)
            return {};
        auto way = *from->word;
        way.depth = static_cast<std::uint8_t>(depth->at[0]);
        return {{}, way};
    }
    std::optional<SwitchWay> read(const ZydisDecodedOperandMem& from)
    {
        if (from.type != ZYDIS_MEMOP_TYPE_MEM || from.index != ZYDIS_REGISTER_NONE) return {};
        SwitchWay way;
        auto offset = from.disp.value;
        auto* base = place(from.base);
        if (from.segment == ZYDIS_REGISTER_FS) {
            if (from.base != ZYDIS_REGISTER_NONE && (!base || !base->number)) return {};
            way.ofThread = true;
            if (base && __builtin_add_overflow(offset, *base->number, &offset)) return {};
        } else if (from.base != ZYDIS_REGISTER_RSP) {
            if (!base || !base->word || base->word->depth != 0) return {};
            way = *base->word;
        }
        constexpr std::int64_t kMost = INT8_MAX;
        if (way.reads == SwitchWay::kMostReads || offset % kWord != 0 || offset / kWord > kMost || offset / kWord < -kMost) return {};
        way.at[way.reads++] = static_cast<std::int8_t>(offset / kWord);
        return way;
    }
    bool arrive(const Value& stack)
    {
        m_over = true;
        if (!stack.word) return false;
        m_way = *stack.word;
        return true;
    }

    std::array<Value, kCount> m_values{};
    SwitchWay m_way;
    bool m_over = false;
};
} // namespace

std::optional<SwitchWay> wayBackToStack(ByteView function, ByteView behind)
{
    InstructionReader in;
    Registers registers;
    while (!registers.over() && in.next(behind)) {
        if (!registers.follow(in)) continue;
        auto way = registers.way();
        const auto frame = frameOf(function);
        constexpr std::int64_t kMostWords = 15;
        if (frame % kWord != 0 || frame < kWord || frame / kWord > kMostWords) return {};
        way.cfa = static_cast<unsigned>(frame / kWord);
        way.saved = frame > kWord ? 2 : 0; // Go's assembler has a function with a frame keep rbp right below the return address
        return way;
    }
    return {};
}
} // namespace dscope::symbols
