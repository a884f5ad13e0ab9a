#include "engine/codegen/older_kernels.h"
#include "engine/codegen/builder.h"
#include "engine/host/processor.h"
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
namespace dscope::codegen {
namespace {
using object::Ability;
using Registers = std::uint16_t; ///< a bit for each

constexpr Registers bit(Reg reg) { return static_cast<Registers>(1U << static_cast<unsigned>(reg)); }
Registers bit(const Operand& operand)
{
    const auto* reg = std::get_if<Reg>(&operand);
    return reg ? bit(*reg) : Registers{0};
}
constexpr Registers kArguments = bit(R1) | bit(R2) | bit(R3) | bit(R4) | bit(R5), kLostInCalls = kArguments | bit(R0);
Registers firstArguments(int count) { return static_cast<Registers>(((1U << count) - 1) << 1U); }

/// How many arguments a helper takes. Source: include/uapi/linux/bpf.h.
int argumentsOf(Helper helper)
{
    switch (helper) {
    case Helper::KtimeGetNs:
    case Helper::GetPrandom:
    case Helper::GetCpu:
    case Helper::GetPidTgid:
    case Helper::GetUidGid:
    case Helper::GetTask:
    case Helper::GetTaskBtf: return 0;
    case Helper::SendSignal:
    case Helper::GetFuncIp:
    case Helper::GetAttachCookie:
    case Helper::TaskPtRegs: return 1;
    case Helper::MapLookup:
    case Helper::MapDelete:
    case Helper::GetComm:
    case Helper::OverrideReturn:
    case Helper::RingQuery:
    case Helper::TaskStorageDelete: return 2;
    case Helper::TailCall:
    case Helper::ProbeWriteUser:
    case Helper::ProbeReadUser:
    case Helper::ProbeReadKernel:
    case Helper::ProbeReadUserStr:
    case Helper::ProbeReadKernelStr: return 3;
    case Helper::MapUpdate:
    case Helper::GetStack:
    case Helper::GetNsPidTgid:
    case Helper::RingOutput:
    case Helper::TaskStorageGet:
    case Helper::Loop: return 4;
    case Helper::FindVma: return 5;
    }
    return 5;
}

/// The code as a graph, and what is known at each instruction.
class Analysis {
public:
    Analysis(const std::vector<bpf::Insn>& code, const object::Abilities& has) : m_code(code), m_has(has)
    {
        for (std::size_t i = 0; i < code.size(); ++i)
            if (const auto* bind = std::get_if<bpf::Bind>(&code[i].op)) m_at[bind->label.id] = i;
        findFunctions();
        findPointers();
        findLive();
    }

    /// Whether the register holds an address in the kernel's memory that the verifier knows nothing of.
    bool isNumber(std::size_t at, Reg reg) const { return (m_before[at].registers & bit(reg)) != 0; }
    /// Registers that are read later before they are set.
    Registers liveBehind(std::size_t at) const { return m_liveBehind[at]; }
    /// The lowest offset of the stack that the function of this instruction uses.
    std::int32_t lowest(std::size_t at) const { return m_lowest.at(m_functionOf[at]); }

private:
    /// What may be an address of the kernel's: registers, and words of the stack.
    struct State {
        Registers registers = 0;
        std::set<std::int16_t> stack;
        bool reached = false;

        bool join(const State& other)
        {
            const auto before = registers;
            const auto size = stack.size();
            registers |= other.registers;
            stack.insert(other.stack.begin(), other.stack.end());
            return !std::exchange(reached, true) || registers != before || stack.size() != size;
        }
    };

    /// Where the code goes on, in the same function.
    template <typename Each> void eachNext(std::size_t at, const Each& each) const
    {
        const auto& op = m_code[at].op;
        if (std::holds_alternative<bpf::Exit>(op)) return;
        if (const auto* jump = std::get_if<bpf::Jump>(&op)) return each(m_at.at(jump->to.id));
        if (const auto* branch = std::get_if<bpf::Branch>(&op)) each(m_at.at(branch->to.id));
        if (at + 1 < m_code.size()) each(at + 1);
    }

    void findFunctions()
    {
        std::set<std::size_t> starts{0};
        for (const auto& insn : m_code) {
            if (const auto* call = std::get_if<bpf::CallLocal>(&insn.op)) starts.insert(m_at.at(call->to.id));
            if (const auto* load = std::get_if<bpf::LoadFunction>(&insn.op)) starts.insert(m_at.at(load->to.id));
        }
        m_functionOf.assign(m_code.size(), 0);
        std::vector<bool> seen(m_code.size());
        for (const auto start : starts) {
            std::vector<std::size_t> work{start};
            auto& lowest = m_lowest[start];
            while (!work.empty()) {
                const auto at = work.back();
                work.pop_back();
                if (seen[at]) continue;
                seen[at] = true;
                m_functionOf[at] = start;
                lowest = std::min(lowest, lowestOf(at));
                eachNext(at, [&](std::size_t next) { work.push_back(next); });
            }
        }
    }

    std::int32_t lowestOf(std::size_t at) const
    {
        const auto& op = m_code[at].op;
        if (const auto* load = std::get_if<bpf::Load>(&op)) return load->base == R10 ? load->offset : 0;
        if (const auto* store = std::get_if<bpf::Store>(&op)) return store->base == R10 ? store->offset : 0;
        // An address on the stack: r = r10; r += offset.
        const auto* add = std::get_if<bpf::Alu>(&op);
        if (!add || add->op != AluOp::Add || at == 0) return 0;
        const auto* move = std::get_if<bpf::Alu>(&m_code[at - 1].op);
        const auto* offset = std::get_if<Imm>(&add->src);
        if (!move || !offset || move->op != AluOp::Mov || move->dst != add->dst || bit(move->src) != bit(R10)) return 0;
        return std::min(offset->value, 0);
    }

    bool isLowered(std::int32_t helper) const
    {
        if (helper == static_cast<std::int32_t>(Helper::GetTaskBtf)) return !m_has.has(Ability::CurrentTask);
        return helper == static_cast<std::int32_t>(Helper::TaskPtRegs) && !m_has.has(Ability::TaskRegisters);
    }

    void step(const bpf::Op& op, State& s) const
    {
        const auto set = [&](Reg reg, bool is) { s.registers = is ? s.registers | bit(reg) : s.registers & ~bit(reg); };
        const auto is = [&](Reg reg) { return (s.registers & bit(reg)) != 0; };
        if (const auto* alu = std::get_if<bpf::Alu>(&op)) {
            const auto* src = std::get_if<Reg>(&alu->src);
            if (alu->op == AluOp::Mov)
                set(alu->dst, src && is(*src));
            else if (alu->op != AluOp::Add && alu->op != AluOp::Sub)
                set(alu->dst, false);
            else if (src && is(*src))
                set(alu->dst, alu->op == AluOp::Add);
        } else if (const auto* load = std::get_if<bpf::Load>(&op)) {
            if (load->base == R10)
                set(load->dst, load->width == Width::B8 && s.stack.contains(load->offset));
            else
                set(load->dst, load->width == Width::B8 && is(load->base));
        } else if (const auto* store = std::get_if<bpf::Store>(&op)) {
            if (store->base != R10) return;
            const auto* src = std::get_if<Reg>(&store->src);
            if (src && is(*src))
                s.stack.insert(store->offset);
            else
                s.stack.erase(store->offset);
        } else if (const auto* call = std::get_if<bpf::CallHelper>(&op)) {
            s.registers &= static_cast<Registers>(~kLostInCalls);
            set(R0, isLowered(call->helper));
        } else if (std::holds_alternative<bpf::CallLocal>(op)) {
            s.registers &= static_cast<Registers>(~kLostInCalls);
        } else {
            s.registers &= static_cast<Registers>(~defines(op));
        }
    }

    void findPointers()
    {
        m_before.resize(m_code.size());
        std::vector<std::size_t> work;
        for (const auto& [start, lowest] : m_lowest) {
            m_before[start].reached = true;
            work.push_back(start);
        }
        while (!work.empty()) {
            const auto at = work.back();
            work.pop_back();
            auto behind = m_before[at];
            step(m_code[at].op, behind);
            eachNext(at, [&](std::size_t next) {
                if (m_before[next].join(behind)) work.push_back(next);
            });
            const auto* call = std::get_if<bpf::CallLocal>(&m_code[at].op);
            if (!call) continue;
            State given;
            given.registers = m_before[at].registers & kArguments;
            const auto callee = m_at.at(call->to.id);
            if (m_before[callee].join(given)) work.push_back(callee);
        }
    }

    static Registers defines(const bpf::Op& op)
    {
        return std::visit(
            [](const auto& o) -> Registers {
                using T = std::decay_t<decltype(o)>;
                if constexpr (std::is_same_v<T, bpf::CallHelper> || std::is_same_v<T, bpf::CallLocal>)
                    return kLostInCalls;
                else if constexpr (std::is_same_v<T, bpf::Atomic>)
                    return o.op == AtomicOp::CmpXchg ? bit(R0) : o.fetch || o.op == AtomicOp::Xchg ? bit(o.src) : Registers{0};
                else if constexpr (requires { o.dst; })
                    return bit(o.dst);
                else
                    return 0;
            },
            op);
    }

    Registers uses(const bpf::Op& op) const
    {
        if (const auto* alu = std::get_if<bpf::Alu>(&op))
            return static_cast<Registers>((alu->op == AluOp::Mov ? 0 : bit(alu->dst)) | bit(alu->src));
        if (const auto* swap = std::get_if<bpf::SwapTo>(&op)) return bit(swap->dst);
        if (const auto* load = std::get_if<bpf::Load>(&op)) return bit(load->base);
        if (const auto* store = std::get_if<bpf::Store>(&op)) return bit(store->base) | bit(store->src);
        if (const auto* atomic = std::get_if<bpf::Atomic>(&op))
            return bit(atomic->base) | bit(atomic->src) | (atomic->op == AtomicOp::CmpXchg ? bit(R0) : Registers{0});
        if (const auto* branch = std::get_if<bpf::Branch>(&op)) return bit(branch->lhs) | bit(branch->rhs);
        if (const auto* call = std::get_if<bpf::CallHelper>(&op)) return firstArguments(argumentsOf(static_cast<Helper>(call->helper)));
        if (const auto* call = std::get_if<bpf::CallLocal>(&op)) return m_live[m_at.at(call->to.id)] & kArguments;
        return std::holds_alternative<bpf::Exit>(op) ? bit(R0) : Registers{0};
    }

    void findLive()
    {
        m_live.assign(m_code.size(), 0);
        m_liveBehind.assign(m_code.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = m_code.size(); i-- > 0;) {
                Registers behind = 0;
                eachNext(i, [&](std::size_t next) { behind |= m_live[next]; });
                const auto& op = m_code[i].op;
                const auto live = static_cast<Registers>((behind & ~defines(op)) | uses(op));
                m_liveBehind[i] = behind;
                changed |= std::exchange(m_live[i], live) != live;
            }
        }
    }

    const std::vector<bpf::Insn>& m_code;
    const object::Abilities& m_has;
    std::unordered_map<std::uint32_t, std::size_t> m_at; ///< of labels
    std::vector<std::size_t> m_functionOf;               ///< its first instruction
    std::map<std::size_t, std::int32_t> m_lowest;        ///< by first instruction
    std::vector<State> m_before;
    std::vector<Registers> m_live, m_liveBehind;
};

/// The code that takes the place of loads and calls.
class Rewriting {
public:
    Rewriting(const OlderKernel& kernel, const std::vector<bpf::Insn>& code)
        : m_kernel(kernel), m_code(code), m_analysis(code, m_kernel.has)
    {
    }

    std::vector<bpf::Insn> done()
    {
        for (m_now = 0; m_now < m_code.size(); ++m_now) {
            const auto& op = m_code[m_now].op;
            const auto* call = std::get_if<bpf::CallHelper>(&op);
            const auto* load = std::get_if<bpf::Load>(&op);
            if (call && call->helper == static_cast<std::int32_t>(Helper::GetTaskBtf) && !m_kernel.has.has(Ability::CurrentTask))
                put(bpf::CallHelper{static_cast<std::int32_t>(Helper::GetTask)});
            else if (call && call->helper == static_cast<std::int32_t>(Helper::TaskPtRegs) && !m_kernel.has.has(Ability::TaskRegisters))
                registers();
            else if (load && load->base != R10 && m_analysis.isNumber(m_now, load->base))
                read(*load);
            else
                put(op);
        }
        return std::move(m_out);
    }

private:
    void put(bpf::Op op) { m_out.push_back({std::move(op), m_code[m_now].from}); }
    void move(Reg to, Reg from) { put(bpf::Alu{AluOp::Mov, to, from}); }
    void add(Reg to, std::int32_t value) { put(bpf::Alu{AluOp::Add, to, Imm{value}}); }

    void read(const bpf::Load& load)
    {
        // Words below all that the function has on its stack: the value, then what the call would lose.
        auto word = m_analysis.lowest(m_now) / 8 * 8 - 8;
        if (m_analysis.lowest(m_now) % 8) word -= 8;
        const auto value = static_cast<std::int16_t>(word);
        const auto kept = static_cast<Registers>(m_analysis.liveBehind(m_now) & kLostInCalls & ~bit(load.dst));
        std::vector<std::pair<Reg, std::int16_t>> saved;
        for (const auto reg : {R0, R1, R2, R3, R4, R5})
            if (kept & bit(reg)) saved.emplace_back(reg, static_cast<std::int16_t>(word -= 8));
        constexpr std::int32_t kStack = 512; // MAX_BPF_STACK. Source: include/linux/filter.h
        if (word < -kStack) throw TooLarge{m_code[m_now].from, "needs more stack than a program has on this kernel"};
        for (const auto& [reg, at] : saved)
            put(bpf::Store{Width::B8, R10, at, reg});
        put(bpf::Store{Width::B8, R10, value, Imm{0}});
        move(R3, load.base);
        add(R3, load.offset);
        put(bpf::Alu{AluOp::Mov, R2, Imm{sizeOf(load.width)}});
        move(R1, R10);
        add(R1, value);
        put(bpf::CallHelper{static_cast<std::int32_t>(Helper::ProbeReadKernel)});
        put(bpf::Load{Width::B8, load.dst, R10, value}); // little-endian: the rest of the word is 0
        for (const auto& [reg, at] : saved)
            put(bpf::Load{Width::B8, reg, R10, at});
    }

    static std::int32_t sizeOf(Width width)
    {
        switch (width) {
        case Width::B1: return 1;
        case Width::B2: return 2;
        case Width::B4: return 4;
        case Width::B8: return 8;
        }
        return 8;
    }

    /// r0 = the user's registers of the task at r1, which are at the end of its kernel stack.
    /// Source: arch/x86/include/asm/processor.h, task_pt_regs(); THREAD_SIZE is four pages, without KASAN.
    void registers()
    {
        constexpr std::int32_t kStackBytes = 4 * 4096, kRegisterBytes = host::kProcessor.size;
        if (m_kernel.stackAt < 0) throw TooLarge{m_code[m_now].from, "needs the kernel's types (BTF), which tell where a task's stack is"};
        const bpf::Load stack{Width::B8, R0, R1, static_cast<std::int16_t>(m_kernel.stackAt)};
        if (m_analysis.isNumber(m_now, R1))
            read(stack);
        else
            put(stack);
        add(R0, kStackBytes - kRegisterBytes);
    }

    const OlderKernel& m_kernel;
    const std::vector<bpf::Insn>& m_code;
    Analysis m_analysis;
    std::vector<bpf::Insn> m_out;
    std::size_t m_now = 0;
};
} // namespace

void rewriteFor(const OlderKernel& kernel, std::vector<bpf::Insn>& code)
{
    if (kernel.has.has(Ability::CurrentTask) && kernel.has.has(Ability::TaskRegisters)) return;
    code = Rewriting(kernel, code).done();
}
} // namespace dscope::codegen
