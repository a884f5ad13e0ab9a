#pragma once
#include "engine/codegen/walk_again.h"
/// A round of a walk: from a frame to its caller.
namespace dscope::codegen {
/// emitRound() and emitStep(). In r6 is the walk; labels that stand for ends are bound behind all ways to the caller.
class Round {
public:
    enum class Keeps : std::uint8_t { Nothing, States };
    explicit Round(Firing& firing, Keeps keeps = Keeps::Nothing);
    void emit();

private:
    void fail(Label label, WalkEnd why);
    /// r4 = the rule, r5 = the place; r8 = number of frames so far.
    void lookUp();
    /// dst = the cache's place for the address in r9. Uses r2.
    void cached(Reg dst);
    /// Adds the frame, and its place to the key. r4 stays.
    void take();
    /// The frame and its place in r5 as one of the new ones, whose number after it is r8.
    void keep();
    /// The caller's rbp is read there.
    void keepSlot(Reg address);
    /// And its stack pointer, or all that there is; kHasLink: or its return address. Uses r0.
    void keepFrom(Reg address, KeptFlag how);
    /// r0 = the word of the stack at r2; r6 to r9 stay.
    void word();
    void leaveIfFault(Label to);
    void ends();

    // -- from a frame to its caller (walk_follow.cpp) ----------------------------------------------------------------
    void kindOf(Reg rule);
    void isKind(WalkKind kind, Label to);
    void plusRegister(Reg to, std::int64_t which);
    /// By the rule in r4 to the caller.
    void follow();
    /// The same where a register has the return address until a function saves it.
    void followLinks();
    /// To the caller whose CFA is in r8; from there rbp was saved at r9 and the return address at r7, where they are not 0.
    void toCallerByLink();
    /// To the caller whose CFA is in r8 and whose rbp was saved at r9. `guessed`: no table told of them.
    void toCaller(std::int32_t guessed);
    /// Code without tables that returns right behind its call, as Python's trampolines do (-X perf): what it does there says where the
    /// caller's frame is, whatever rbp holds. Elsewhere goes to `none`. Source: Python/asm_trampoline.S of CPython 3.12
    void byEpilogue(Label none);
    /// To the caller by rbp, which code without tables may or may not keep.
    void byFramePointer();
    /// To a caller on another stack, by the SwitchWay in r4.
    void bySwitch();
    /// Out of a signal's handler.
    void bySignal();

    Firing& f;
    Builder& b;
    const bool m_keeps; ///< what it comes by, for the next walk
    const Builder::Temp m_where = b.temp();
    Label m_word, m_stop, m_badMemory, m_noCaller, m_outermost, m_noRule, m_cut, m_arrived;
};
} // namespace dscope::codegen
