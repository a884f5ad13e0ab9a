#include "engine/symbols/frame_step.h"
#include "engine/host/processor.h"
#include "engine/symbols/dwarf_expression.h"
#include <array>
#include <bit>
#include <utility>
namespace dscope::symbols {
std::optional<std::uint64_t> FrameState::reg(std::uint64_t dwarfRegister) const
{
    if (dwarfRegister == kDwarfRsp) return sp;
    const auto c = columnOf(dwarfRegister);
    if (c < kColumns && (known >> c & 1)) return columns[c];
    return std::nullopt;
}

std::uint64_t codeAddress(std::uint64_t saved)
{
    static const auto kBits = host::codeBits();
    return saved & kBits;
}

namespace {
constexpr std::uint64_t kRedZone = 128; // Source: System V ABI AMD64, 3.2.2

std::optional<std::uint64_t> callerValue(
    const ColumnRule& rule, std::size_t column, std::uint64_t cfa, const FrameRows& rows, const StackCopy& stack, const FrameState& state)
{
    const auto at = cfa + static_cast<std::uint64_t>(std::int64_t{rule.value});
    switch (rule.kind) {
    case ColumnRule::Kind::Same:
        if (state.known >> column & 1) return state.columns[column];
        return std::nullopt;
    case ColumnRule::Kind::Undefined: return std::nullopt;
    case ColumnRule::Kind::AtOffset:
        // In an epilogue GCC goes on saying where a register was saved after popping it: the slot is then below the
        // stack pointer, outside the copy, and the register holds the caller's value again.
        if (at < stack.from && stack.from - at <= kRedZone && state.sp == stack.from && (state.known >> column & 1)) {
            if (!kHasLink || column != static_cast<std::size_t>(Column::ReturnAddress)) return state.columns[column];
            return state.knows(Column::Link) ? std::optional(state[Column::Link]) : std::nullopt;
        }
        return stack.word(at);
    case ColumnRule::Kind::Offset: return at;
    case ColumnRule::Kind::AtExpression: {
        const auto where = evaluate(rows.expression(rule.value), stack, state, cfa);
        return where ? stack.word(*where) : std::nullopt;
    }
    case ColumnRule::Kind::Expression: return evaluate(rows.expression(rule.value), stack, state, cfa);
    case ColumnRule::Kind::Register: return state.reg(static_cast<std::uint64_t>(rule.value));
    }
    return std::nullopt;
}
} // namespace

namespace {
/// The fast path, which nearly all steps take. False if something is missing: then the general path reports what.
bool stepSimply(const FrameRule& rule, const StackCopy& stack, FrameState& state)
{
    if (rule.cfaRegister == kDwarfRbp && !state.knows(Column::Rbp)) return false;
    const auto cfa
        = (rule.cfaRegister == kDwarfRsp ? state.sp : state[Column::Rbp]) + static_cast<std::uint64_t>(std::int64_t{rule.cfaValue});
    auto columns = state.columns;
    for (auto left = rule.savedInMemory; left != 0; left &= left - 1) {
        const auto c = static_cast<std::size_t>(std::countr_zero(left));
        const auto value = stack.word(cfa + static_cast<std::uint64_t>(std::int64_t{rule.columns[c].value}));
        if (!value) return false;
        columns[c] = *value;
    }
    state.columns = columns;
    state.known |= rule.savedInMemory;
    state[Column::ReturnAddress] = codeAddress(state[Column::ReturnAddress]);
    if (kHasLink) state.forget(Column::Link);
    state.sp = cfa;
    state.isBound = false;
    return true;
}
} // namespace

Step stepByRule(const FrameRule& rule, const FrameRows& rows, const StackCopy& stack, FrameState& state)
{
    constexpr auto kReturn = static_cast<std::size_t>(Column::ReturnAddress);
    if (rule.savedInMemory != 0 && stepSimply(rule, stack, state)) return Step::Done;
    if (rule.columns[kReturn].kind == ColumnRule::Kind::Undefined) return Step::Outermost;
    std::optional<std::uint64_t> cfa;
    if (rule.cfa == FrameRule::Cfa::Register) {
        if (const auto base = state.reg(rule.cfaRegister)) cfa = *base + static_cast<std::uint64_t>(std::int64_t{rule.cfaValue});
    } else if (rule.cfa == FrameRule::Cfa::Expression) {
        cfa = evaluate(rows.expression(rule.cfaValue), stack, state, std::nullopt);
    }

    if (!cfa) return Step::Lost;
    FrameState caller;
    caller.sp = *cfa;
    for (std::size_t c = 0; c < kColumns; ++c) {
        const auto& column = rule.columns[c];
        if (const auto value = callerValue(column, c, *cfa, rows, stack, state)) {
            caller.columns[c] = *value;
            caller.known |= 1u << c;
        }
    }

    if (kHasLink && rule.columns[kReturn].kind == ColumnRule::Kind::Same) {
        if (!state.knows(Column::Link)) return Step::Lost;
        caller.know(Column::ReturnAddress, state[Column::Link]);
    }

    if (!caller.knows(Column::ReturnAddress)) return Step::Lost;
    caller[Column::ReturnAddress] = codeAddress(caller[Column::ReturnAddress]);
    if (kHasLink) caller.forget(Column::Link);
    state = caller;
    return Step::Done;
}

Step stepFromEntry(const StackCopy& stack, FrameState& state)
{
    if (!kHasLink) {
        const auto caller = stack.word(state.sp);
        if (!caller) return Step::Lost;
        state.know(Column::ReturnAddress, *caller);
        state.sp += static_cast<std::uint64_t>(kCfaAtEntry);
        return Step::Done;
    }
    if (!state.knows(Column::Link)) return Step::Lost;
    state.know(Column::ReturnAddress, codeAddress(state[Column::Link]));
    state.forget(Column::Link);
    return Step::Done;
}

Step stepByFramePointer(const StackCopy& stack, FrameState& state)
{
    if (!state.knows(Column::Rbp)) return Step::Lost;
    const auto frame = state[Column::Rbp];
    const auto saved = stack.word(frame), address = stack.word(frame + 8);
    if (frame < state.sp || !saved || !address || frame % 8 != 0) return Step::Lost;
    FrameState caller;
    caller.sp = frame + 16;
    caller.isBound = kHasLink;
    caller.know(Column::Rbp, *saved);
    caller.know(Column::ReturnAddress, codeAddress(*address));
    state = caller;
    return Step::Done;
}

#if defined(__aarch64__)
std::optional<Step> stepByReturn(std::uint64_t, const StackCopy&, FrameState&) { return {}; }

Step stepBySignalFrame(const StackCopy& stack, FrameState& state)
{
    constexpr auto kSignal = host::kProcessor.signal;
    constexpr std::uint64_t kFrame = kSignal.frame, kRegisters = kFrame - 29 * 8, kSp = kFrame + 8 * kSignal.stack,
                            kPc = kFrame + 8 * kSignal.instruction;
    const auto word = [&](std::uint64_t at) { return stack.word(state.sp + at); };
    const auto pc = word(kPc), sp = word(kSp);
    if (!pc || !sp) return Step::Lost;
    FrameState caller;
    caller.sp = *sp;
    caller.know(Column::ReturnAddress, *pc);
    constexpr std::array<std::pair<Column, std::uint64_t>, 6> kColumnsAt{
        {{Column::Rbp, 29}, {Column::Rbx, 19}, {Column::R12, 20}, {Column::R13, 21}, {Column::R14, 22}, {Column::Link, 30}}};
    for (const auto& [column, number] : kColumnsAt)
        caller.know(column, word(kRegisters + 8 * number).value_or(0));
    state = caller;
    return Step::Done;
}
#else
std::optional<Step> stepByReturn(std::uint64_t code, const StackCopy& stack, FrameState& state)
{
    constexpr std::uint64_t kRet = 0xc3, kPopRet = 0xc35d, kMostAdded = 0x7f;
    constexpr std::uint64_t kAddRet = 0xc300c48348, kAddRetMask = 0xff00ffffff; // add $n,%rsp; ret
    auto caller = state;
    const auto added = code >> 24U & 0xffU;
    if ((code & 0xffffU) == kPopRet) {
        const auto saved = stack.word(caller.sp);
        if (!saved) return Step::Lost;
        caller.know(Column::Rbp, *saved);
        caller.sp += 8;
    } else if ((code & kAddRetMask) == kAddRet && added <= kMostAdded)
        caller.sp += added;
    else if ((code & 0xffU) != kRet)
        return {};
    const auto address = stack.word(caller.sp);
    if (!address) return Step::Lost;
    caller.know(Column::ReturnAddress, *address);
    caller.sp += 8;
    state = caller;
    return Step::Done;
}

Step stepBySignalFrame(const StackCopy& stack, FrameState& state)
{
    // struct ucontext: flags, link and stack_t (40 bytes), then the registers. Source: arch/x86/include/uapi/asm/sigcontext.h
    constexpr std::uint64_t kR12 = 72, kRbp = 120, kRbx = 128, kRsp = 160, kRip = 168;
    const auto rip = stack.word(state.sp + kRip), rsp = stack.word(state.sp + kRsp);
    if (!rip || !rsp) return Step::Lost;
    FrameState caller;
    caller.sp = *rsp;
    const auto word = [&](std::uint64_t at) { return stack.word(state.sp + at).value_or(0); };
    caller.know(Column::ReturnAddress, *rip);
    caller.know(Column::Rbp, word(kRbp));
    caller.know(Column::Rbx, word(kRbx));
    caller.know(Column::R12, word(kR12));
    caller.know(Column::R13, word(kR12 + 8));
    caller.know(Column::R14, word(kR12 + 16));
    caller.know(Column::R15, word(kR12 + 24));
    state = caller;
    return Step::Done;
}
#endif
} // namespace dscope::symbols
