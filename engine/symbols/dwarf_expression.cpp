#include "engine/symbols/dwarf_expression.h"
#include "engine/symbols/dwarf_reader.h"
#include <array>
namespace dscope::symbols {
namespace {
constexpr std::size_t kDeepestStack = 32;
constexpr int kMostOperations = 1000;

class Evaluation {
public:
    Evaluation(ByteView code, const StackCopy& stack, const FrameState& state) : m_code(code), m_stack(stack), m_state(state) { }

    std::optional<std::uint64_t> run(std::optional<std::uint64_t> initial)
    {
        if (initial) push(*initial);
        std::size_t at = 0;
        for (int steps = 0; at < m_code.size(); ++steps) {
            if (steps == kMostOperations) return std::nullopt;
            DwarfReader in(m_code.subspan(at), 0);
            std::int64_t jump = 0;
            if (!one(in, jump) || !m_ok || !in.ok()) return std::nullopt;
            const auto next = static_cast<std::int64_t>(at + in.at()) + jump;
            if (next < 0 || next > static_cast<std::int64_t>(m_code.size())) return std::nullopt;
            at = static_cast<std::size_t>(next);
        }
        return m_depth > 0 ? std::optional(m_values[m_depth - 1]) : std::nullopt;
    }

private:
    void push(std::uint64_t v)
    {
        if (m_depth < kDeepestStack)
            m_values[m_depth++] = v;
        else
            m_ok = false;
    }

    std::uint64_t pop()
    {
        if (m_depth > 0) return m_values[--m_depth];
        m_ok = false;
        return 0;
    }

    std::uint64_t pick(std::size_t below)
    {
        if (below < m_depth) return m_values[m_depth - 1 - below];
        m_ok = false;
        return 0;
    }

    void pushRegister(std::uint64_t reg, std::int64_t offset)
    {
        if (const auto value = m_state.reg(reg))
            push(*value + static_cast<std::uint64_t>(offset));
        else
            m_ok = false;
    }

    bool load(std::uint64_t size)
    {
        const auto address = pop();
        // Words are read whole; the last bytes of a stack copy need no smaller reads in practice.
        const auto word = m_stack.word(address);
        if (!word || size == 0 || size > 8) return false;
        push(size == 8 ? *word : *word & ((std::uint64_t{1} << (size * 8)) - 1));
        return true;
    }

    bool one(DwarfReader& in, std::int64_t& jump);
    bool arithmetic(std::uint8_t op);

    ByteView m_code;
    const StackCopy& m_stack;
    const FrameState& m_state;
    std::array<std::uint64_t, kDeepestStack> m_values{};
    std::size_t m_depth = 0;
    bool m_ok = true;
};

bool Evaluation::arithmetic(std::uint8_t op)
{
    const auto b = pop(), a = pop();
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    switch (op) {
    case 0x1a: push(a & b); return true;
    case 0x1b: // DW_OP_div
        if (sb == 0 || (sb == -1 && sa == INT64_MIN)) return false;
        push(static_cast<std::uint64_t>(sa / sb));
        return true;
    case 0x1c: push(a - b); return true;
    case 0x1d: // DW_OP_mod
        if (b == 0) return false;
        push(a % b);
        return true;
    case 0x1e: push(a * b); return true;
    case 0x21: push(a | b); return true;
    case 0x22: push(a + b); return true;
    case 0x24: push(b < 64 ? a << b : 0); return true;
    case 0x25: push(b < 64 ? a >> b : 0); return true;
    case 0x26: push(static_cast<std::uint64_t>(sa >> (b < 64 ? b : 63))); return true;
    case 0x27: push(a ^ b); return true;
    case 0x29: push(sa == sb); return true;
    case 0x2a: push(sa >= sb); return true;
    case 0x2b: push(sa > sb); return true;
    case 0x2c: push(sa <= sb); return true;
    case 0x2d: push(sa < sb); return true;
    case 0x2e: push(sa != sb); return true;
    default: return false;
    }
}

bool Evaluation::one(DwarfReader& in, std::int64_t& jump)
{
    const auto op = in.get<std::uint8_t>();
    if (op >= 0x30 && op <= 0x4f) return push(op - 0x30u), true;                         // DW_OP_lit
    if (op >= 0x50 && op <= 0x6f) return pushRegister(op - 0x50u, 0), true;              // DW_OP_reg, as GCC reads it here
    if (op >= 0x70 && op <= 0x8f) return pushRegister(op - 0x70u, in.signedLeb()), true; // DW_OP_breg
    switch (op) {
    case 0x03: push(in.get<std::uint64_t>()); return true; // DW_OP_addr
    case 0x06: return load(8);                             // DW_OP_deref
    case 0x94: return load(in.get<std::uint8_t>());        // DW_OP_deref_size
    case 0x08: push(in.get<std::uint8_t>()); return true;  // DW_OP_const*
    case 0x09: push(static_cast<std::uint64_t>(std::int64_t{in.get<std::int8_t>()})); return true;
    case 0x0a: push(in.get<std::uint16_t>()); return true;
    case 0x0b: push(static_cast<std::uint64_t>(std::int64_t{in.get<std::int16_t>()})); return true;
    case 0x0c: push(in.get<std::uint32_t>()); return true;
    case 0x0d: push(static_cast<std::uint64_t>(std::int64_t{in.get<std::int32_t>()})); return true;
    case 0x0e:
    case 0x0f: push(in.get<std::uint64_t>()); return true;
    case 0x10: push(in.unsignedLeb()); return true;
    case 0x11: push(static_cast<std::uint64_t>(in.signedLeb())); return true;
    case 0x12: push(pick(0)); return true;                      // DW_OP_dup
    case 0x13: pop(); return true;                              // DW_OP_drop
    case 0x14: push(pick(1)); return true;                      // DW_OP_over
    case 0x15: push(pick(in.get<std::uint8_t>())); return true; // DW_OP_pick
    case 0x16: {                                                // DW_OP_swap
        const auto b = pop(), a = pop();
        push(b);
        push(a);
        return true;
    }
    case 0x17: { // DW_OP_rot
        const auto c = pop(), b = pop(), a = pop();
        push(c);
        push(a);
        push(b);
        return true;
    }
    case 0x19: { // DW_OP_abs
        const auto v = pop();
        push(static_cast<std::int64_t>(v) < 0 ? 0 - v : v);
        return true;
    }
    case 0x1f: push(0 - pop()); return true;                // DW_OP_neg
    case 0x20: push(~pop()); return true;                   // DW_OP_not
    case 0x23: push(pop() + in.unsignedLeb()); return true; // DW_OP_plus_uconst
    case 0x28: {                                            // DW_OP_bra
        const auto distance = in.get<std::int16_t>();
        if (pop() != 0) jump = distance;
        return true;
    }
    case 0x2f: jump = in.get<std::int16_t>(); return true;     // DW_OP_skip
    case 0x90: pushRegister(in.unsignedLeb(), 0); return true; // DW_OP_regx
    case 0x92: {                                               // DW_OP_bregx
        const auto reg = in.unsignedLeb();
        pushRegister(reg, in.signedLeb());
        return true;
    }
    case 0x96: return true; // DW_OP_nop
    default: return arithmetic(op);
    }
}
} // namespace

std::optional<std::uint64_t> evaluate(
    ByteView expression, const StackCopy& stack, const FrameState& state, std::optional<std::uint64_t> initial)
{
    return Evaluation(expression, stack, state).run(initial);
}
} // namespace dscope::symbols
