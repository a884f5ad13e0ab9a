#include "engine/symbols/code_walk.h"
#include "engine/symbols/instruction.h"
#include <Zydis/Zydis.h>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
namespace dscope::symbols {
namespace {
/// Instructions of the VEX and EVEX encodings that the kernel takes for something else: it looks at the opcode alone, as if
/// it were a plain one, and emulates a push, a jump or a nop, or leaves the instruction pointer where it stepped. A
/// program that is probed there goes astray without a word. Source: arch/x86/kernel/uprobes.c, arch_uprobe_analyze_insn(),
/// branch_setup_xol_ops(), push_setup_xol_ops() of Linux 6.18; seen with vpbroadcastb at the start of strchrnul.
bool kernelMistakes(std::uint8_t opcode)
{
    if ((opcode >= 0x50 && opcode <= 0x57) || (opcode >= 0x70 && opcode <= 0x7f)) return true;
    static constexpr std::uint8_t kOthers[] = {0x90, 0x9a, 0x9d, 0xc2, 0xc3, 0xca, 0xcb, 0xe8, 0xe9, 0xea, 0xeb, 0xff};
    return std::find(std::begin(kOthers), std::end(kOthers), opcode) != std::end(kOthers);
}

/// Whether the kernel accepts a probe at an instruction of this kind. Source: arch/x86/kernel/uprobes.c, is_prefix_bad(),
/// good_insns_64. It looks up the opcode of VEX instructions in the table of the plain ones as well.
bool kernelSteps(const ZydisDecodedInstruction& insn)
{
    for (ZyanU8 i = 0; i < insn.raw.prefix_count; ++i)
        switch (insn.raw.prefixes[i].value) {
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0xf0: return false;
        default: break;
        }
    if (insn.meta.isa_ext == ZYDIS_ISA_EXT_FMA4 || insn.encoding == ZYDIS_INSTRUCTION_ENCODING_XOP) return false;
    if (insn.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY && kernelMistakes(insn.opcode)) return false;
    const bool plain = insn.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && insn.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;
    if (!plain && insn.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) return true;
    // A row a word: bit n of word m is opcode 0xmn.
    static constexpr std::array<std::uint16_t, 16> kGood{
        0xbf3f, 0x3f3f, 0x3f3f, 0x3f3f, 0xffff, 0xffff, 0x0ff8, 0xffff, 0xfffb, 0xfbff, 0xffff, 0xffff, 0x0fcf, 0xff8f, 0x0b0f, 0xf3ec};
    return (kGood[insn.opcode >> 4] >> (insn.opcode & 15)) & 1;
}

/// Sequences by which compilers jump to a case: the offset is loaded sign-extended and added to the table's address.
class TableJumps {
public:
    void see(const ZydisDecodedInstruction& insn, std::uint64_t index)
    {
        if (insn.mnemonic == ZYDIS_MNEMONIC_MOVSXD) m_extended = index;
        if (insn.mnemonic == ZYDIS_MNEMONIC_ADD && m_extended && index - *m_extended <= kNear) m_added = index;
    }
    bool precede(std::uint64_t index) const { return m_added && index - *m_added <= kNear; }

private:
    static constexpr std::uint64_t kNear = 6;
    std::optional<std::uint64_t> m_extended, m_added;
};

class X86Decoder {
public:
    X86Decoder() { ZydisDecoderInit(&m_decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

    /// The instruction at the start of `code`; none where there is no valid one.
    std::optional<Decoded> decode(ByteView code, std::uint64_t address)
    {
        ZydisDecodedInstruction insn;
        ZydisDecoderContext context;
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&m_decoder, &context, code.data(), code.size(), &insn))) return {};
        m_tables.see(insn, ++m_count);
        Decoded out;
        out.address = address;
        out.length = insn.length;
        out.canProbe = kernelSteps(insn);
        out.calls = insn.meta.category == ZYDIS_CATEGORY_CALL;
        switch (insn.meta.category) {
        case ZYDIS_CATEGORY_RET: out.flow = insn.mnemonic == ZYDIS_MNEMONIC_RET ? Flow::Return : Flow::Stop; break;
        case ZYDIS_CATEGORY_COND_BR:
            out.flow = Flow::Branch;
            out.target = targetOf(insn, address);
            break;
        case ZYDIS_CATEGORY_UNCOND_BR:
            if (insn.raw.imm[0].is_relative) {
                out.flow = Flow::Jump;
                out.target = targetOf(insn, address);
            } else {
                out.flow = Flow::IndirectJump;
                // jmp *table(,%reg,8), or through a register that was computed from a table.
                const bool scaled = insn.raw.modrm.mod != 3 && insn.raw.modrm.rm == 4 && insn.raw.sib.index != 4 && insn.raw.sib.scale == 3;
                const bool inRegister = insn.raw.modrm.mod == 3;
                out.byTable = scaled || (inRegister && (m_tables.precede(m_count) || (insn.attributes & ZYDIS_ATTRIB_HAS_NOTRACK)));
            }
            break;
        case ZYDIS_CATEGORY_SYSCALL:
        case ZYDIS_CATEGORY_SYSRET:
            out.isSafe = false; // an interrupted call restarts two bytes earlier, which is elsewhere while it is stepped
            break;
        default:
            if (insn.mnemonic == ZYDIS_MNEMONIC_UD2 || insn.mnemonic == ZYDIS_MNEMONIC_HLT) {
                out.flow = Flow::Stop;
                out.isSafe = false;
            }
            break;
        }
        return out;
    }

private:
    static std::uint64_t targetOf(const ZydisDecodedInstruction& insn, std::uint64_t address)
    {
        return address + insn.length + static_cast<std::uint64_t>(insn.raw.imm[0].value.s);
    }
    ZydisDecoder m_decoder{};
    TableJumps m_tables;
    std::uint64_t m_count = 0;
};

#if defined(__aarch64__)
using Decoder = Aarch64Decoder;
#else
using Decoder = X86Decoder;
#endif

struct Range {
    std::uint64_t start = 0, end = 0;
    bool has(std::uint64_t address) const { return address >= start && address < end; }
};

/// The instructions of one range, in order of address.
class Sweep {
public:
    Sweep(const CodeAround& around, Range range) : m_range(range), m_code(around.read(range.start, range.end - range.start))
    {
        if (!straight()) followed();
    }
    const std::vector<Decoded>& all() const { return m_all; }

private:
    /// One after the other. False when some byte is no instruction, or a jump leads into the middle of one.
    bool straight()
    {
        Decoder decoder;
        for (std::uint64_t at = 0; at < m_code.size();) {
            const auto insn = decoder.decode(ByteView(m_code).subspan(at), m_range.start + at);
            if (!insn) return false;
            m_all.push_back(*insn);
            at += insn->length;
        }
        return std::all_of(m_all.begin(), m_all.end(), [&](const Decoded& d) {
            if ((d.flow != Flow::Jump && d.flow != Flow::Branch) || !m_range.has(d.target)) return true;
            const auto at = std::lower_bound(
                m_all.begin(), m_all.end(), d.target, [](const Decoded& a, std::uint64_t address) { return a.address < address; });
            return at != m_all.end() && at->address == d.target;
        });
    }

    void followed()
    {
        std::map<std::uint64_t, Decoded> reached;
        std::vector<std::uint64_t> open{m_range.start};
        while (!open.empty()) {
            auto at = open.back();
            open.pop_back();
            Decoder decoder;
            while (m_range.has(at) && at - m_range.start < m_code.size() && !reached.count(at)) {
                const auto insn = decoder.decode(ByteView(m_code).subspan(at - m_range.start), at);
                if (!insn) break;
                reached.emplace(at, *insn);
                if (insn->flow == Flow::Branch || insn->flow == Flow::Jump) open.push_back(insn->target);
                if (insn->flow != Flow::On && insn->flow != Flow::Branch) break;
                at += insn->length;
            }
        }

        m_all.clear();
        for (const auto& [address, insn] : reached) {
            // Two readings of the same bytes: neither is certain.
            if (!m_all.empty() && m_all.back().address + m_all.back().length > address) {
                m_all.pop_back();
                continue;
            }
            m_all.push_back(insn);
        }
    }

    Range m_range;
    Bytes m_code;
    std::vector<Decoded> m_all;
};

/// Whether nothing but the return address is on the stack: a jump away from here may be a call in tail position.
bool frameIsGone(const CodeAround& around, std::uint64_t address)
{
    const auto* rule = around.rows ? around.rows->find(address) : nullptr;
    if (!rule || rule->cfa != FrameRule::Cfa::Register) return true;
    return rule->cfaRegister == kDwarfRsp && rule->cfaValue == kCfaAtEntry;
}

class Walk {
public:
    Walk(const CodeAround& around, Range own) : m_around(around), m_own(own) { }

    CodeWalk walk()
    {
        CodeWalk out;
        const Sweep sweep(m_around, m_own);
        for (const auto& insn : sweep.all())
            out.instructions.push_back({insn.address, insn.canProbe, insn.isSafe});
        collect(sweep);
        for (std::size_t i = 0; i < m_asides.size(); ++i)
            collect(Sweep(m_around, m_asides[i]));
        const auto byAddress = [](const CodeWalk::Instruction& a, const CodeWalk::Instruction& b) { return a.address < b.address; };
        const auto same = [](const CodeWalk::Instruction& a, const CodeWalk::Instruction& b) { return a.address == b.address; };
        std::sort(m_exits.begin(), m_exits.end(), byAddress);
        m_exits.erase(std::unique(m_exits.begin(), m_exits.end(), same), m_exits.end());
        out.exits = std::move(m_exits);
        return out;
    }

private:
    void collect(const Sweep& sweep)
    {
        for (const auto& insn : sweep.all()) {
            const CodeWalk::Instruction exit{insn.address, insn.canProbe, insn.isSafe};
            if (insn.flow == Flow::Return)
                m_exits.push_back(exit);
            else if (insn.flow == Flow::IndirectJump && !insn.byTable && frameIsGone(m_around, insn.address))
                m_exits.push_back(exit);
            else if ((insn.flow == Flow::Jump || insn.flow == Flow::Branch) && !isOurs(insn.target)) {
                if (const auto range = asideAt(insn))
                    m_asides.push_back(*range);
                else if (insn.flow == Flow::Jump && frameIsGone(m_around, insn.address))
                    m_exits.push_back(exit);
            }
        }
    }

    bool isOurs(std::uint64_t target) const
    {
        return m_own.has(target) || std::any_of(m_asides.begin(), m_asides.end(), [&](const Range& r) { return r.has(target); });
    }

    /// A part of this function that lies elsewhere: has an unwind entry of its own, but no name, and is entered by a
    /// branch, with a frame, or leads back into the middle of the function.
    std::optional<Range> asideAt(const Decoded& insn) const
    {
        constexpr std::size_t kMostAsides = 8, kLargest = 1 << 16;
        if (!m_around.rows || m_asides.size() >= kMostAsides || m_around.beginsFunction(insn.target)) return {};
        const auto entry = m_around.rows->function(insn.target);
        if (!entry || entry->size > kLargest || m_around.beginsFunction(entry->start)) return {};
        const Range range{entry->start, entry->start + entry->size};
        if (range.has(m_own.start)) return {};
        if (!frameIsGone(m_around, insn.address) || insn.flow == Flow::Branch) return range;
        const Sweep sweep(m_around, range);
        const bool returns = std::any_of(sweep.all().begin(), sweep.all().end(), [&](const Decoded& d) {
            return (d.flow == Flow::Jump || d.flow == Flow::Branch) && m_own.has(d.target) && d.target != m_own.start;
        });
        return returns ? std::optional(range) : std::nullopt;
    }

    const CodeAround& m_around;
    Range m_own;
    std::vector<Range> m_asides;
    std::vector<CodeWalk::Instruction> m_exits;
};
} // namespace

CodeWalk walkCode(const CodeAround& around, std::uint64_t start, std::uint64_t size) { return Walk(around, {start, start + size}).walk(); }

std::vector<std::uint64_t> callsIn(ByteView code, std::uint64_t address)
{
    Decoder decoder;
    std::vector<std::uint64_t> returns;
    while (const auto insn = decoder.decode(code, address)) {
        code = code.subspan(insn->length);
        address += insn->length;
        if (insn->calls) returns.push_back(address);
    }
    return returns;
}
} // namespace dscope::symbols
