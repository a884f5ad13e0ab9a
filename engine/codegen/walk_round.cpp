#include "engine/codegen/walk_again.h"
/// A round of a walk: from a frame to its caller.
namespace dscope::codegen {
namespace {
/// dst = the signed field of the rule in `rule` that begins at bit `shift`.
void ruleField(Builder& b, Reg dst, Reg rule, unsigned shift)
{
    b.mov(dst, rule);
    b.alu(AluOp::Lsh, dst, static_cast<std::int32_t>(64 - kWalkOffsetBits - shift));
    b.alu(AluOp::Arsh, dst, static_cast<std::int32_t>(64 - kWalkOffsetBits));
}

/// emitRound() and emitStep().
class Round {
public:
    enum class Keeps : std::uint8_t { Nothing, States };

    explicit Round(Firing& firing, Keeps keeps = Keeps::Nothing)
        : f(firing), b(f.b), m_keeps(keeps == Keeps::States), m_word(f.subprogram("walk_word", emitWord)), m_stop(b.label()),
          m_badMemory(b.label()), m_noCaller(b.label()), m_outermost(b.label()), m_noRule(b.label()), m_arrived(b.label())
    {
    }

    void emit()
    {
        if (m_keeps) b.store(m_where, R2);
        b.load(Width::B8, R6, R2, 0);
        b.load(Width::B8, R7, R2, 8);
        lookUp();
        take();
        follow();
        ends();
    }

private:
    void fail(Label label, WalkEnd why)
    {
        b.bind(label);
        b.mov(R0, static_cast<std::int64_t>(why));
        b.jump(m_stop);
    }

    /// r4 = the rule, r5 = the place; r8 = number of frames so far.
    void lookUp()
    {
        const auto miss = b.label(), have = b.label(), known = b.label(), goesOn = b.label();
        b.load(Width::B4, R8, R6, OF_WALK(record.count));
        b.load(Width::B8, R1, R6, OF_WALK(limit));
        b.branch(Cond::Lt, R8, R1, goesOn);
        b.load(Width::B8, R0, R6, OF_WALK(atLimit));
        b.jump(m_stop);
        b.bind(goesOn);
        b.load(Width::B8, R9, R6, OF_WALK(ip));
        b.load(Width::B8, R1, R6, OF_WALK(less));
        b.alu(AluOp::Sub, R9, R1);
        cached(R1);
        b.load(Width::B8, R2, R1, at(offsetof(Walk::Cached, pc)));
        b.branch(Cond::Ne, R2, R9, miss);
        b.load(Width::B8, R2, R1, at(offsetof(Walk::Cached, generation)));
        b.load(Width::B8, R3, R6, OF_WALK(generation));
        b.branch(Cond::Ne, R2, R3, miss);
        b.load(Width::B8, R4, R1, at(offsetof(Walk::Cached, rule)));
        b.load(Width::B8, R5, R1, at(offsetof(Walk::Cached, place)));
        b.jump(have);
        b.bind(miss);
        b.mov(R1, R6);
        b.mov(R2, R7);
        b.mov(R3, R9);
        b.call(f.subprogram("walk_rule", emitFindRule));
        b.branch(Cond::Eq, R0, 0, known);

        // What a frame pointer alone led to, and is no code, is no frame.
        b.branch(Cond::Ne, R0, static_cast<std::int32_t>(WalkEnd::NoMapping), m_stop);
        b.load(Width::B8, R1, R6, OF_WALK(guessed));
        b.branch(Cond::Ne, R1, 0, m_noCaller);

        // Nor is what a table makes of an outermost frame that it does not know for one (Go's), where the frame pointer is null.
        b.branch(Cond::Eq, R8, 0, m_stop);
        b.load(Width::B8, R1, R6, OF_WALK(bp));
        b.branch(Cond::Ne, R1, 0, m_stop);
        b.load(Width::B8, R1, R6, OF_WALK(noCode));
        b.branch(Cond::Ne, R1, 0, m_outermost);
        b.load(Width::B8, R1, R6, OF_WALK(grown));
        b.branch(Cond::Ne, R1, 0, m_stop); // it may be code that was mapped since
        b.load(Width::B8, R1, R7, at(offsetof(WalkSpace, count)));
        b.branch(Cond::Lt, R1, WalkSpace::kMost, m_outermost); // else some mappings are not known
        b.jump(m_stop);
        b.bind(known);
        cached(R1);
        b.load(Width::B8, R3, R6, OF_WALK(generation));
        b.load(Width::B8, R4, R6, OF_WALK(rule));
        b.load(Width::B8, R5, R6, OF_WALK(place));
        b.store(Width::B8, R1, at(offsetof(Walk::Cached, pc)), R9);
        b.store(Width::B8, R1, at(offsetof(Walk::Cached, generation)), R3);
        b.store(Width::B8, R1, at(offsetof(Walk::Cached, rule)), R4);
        b.store(Width::B8, R1, at(offsetof(Walk::Cached, place)), R5);
        b.bind(have);
    }

    /// dst = the cache's place for the address in r9. Uses r2.
    void cached(Reg dst)
    {
        b.mov(dst, R9);
        b.mov(R2, R9);
        b.alu(AluOp::Rsh, R2, 10);
        b.alu(AluOp::Xor, dst, R2);
        b.alu(AluOp::And, dst, static_cast<std::int32_t>(kCached - 1));
        b.alu(AluOp::Mul, dst, static_cast<std::int32_t>(sizeof(Walk::Cached)));
        b.alu(AluOp::Add, dst, R6);
        b.add(dst, OF_WALK(cache));
    }

    /// Adds the frame, and its place to the key. r4 stays.
    void take()
    {
        const auto again = b.label();
        if (m_keeps) {
            b.load(Width::B8, R1, R6, OF_WALK(again.atEnd));
            b.branch(Cond::Ne, R1, 0, again);
        }

        b.load(Width::B8, R1, R6, OF_WALK(ip));
        b.mov(R2, R8);
        b.alu(AluOp::And, R2, static_cast<std::int32_t>(kMostFrames - 1));
        b.alu(AluOp::Lsh, R2, 3);
        b.alu(AluOp::Add, R2, R6);
        b.store(Width::B8, R2, OF_WALK(frames), R1);
        b.alu(AluOp::Add, R8, 1);
        b.store(Width::B4, R6, OF_WALK(record.count), R8);
        b.load(Width::B8, R1, R6, OF_WALK(less));
        b.alu(AluOp::Lsh, R1, 63);
        b.alu(AluOp::Xor, R5, R1);
        if (m_keeps) {
            keep();
            b.bind(again);
            b.store(Width::B8, R6, OF_WALK(again.slot), 0);
            b.store(Width::B8, R6, OF_WALK(again.how), 0);
        } else {
            mixKey(b, R6, R5);
        }
    }

    /// The frame and its place in r5 as one of the new ones, whose number after it is r8.
    void keep()
    {
        const auto from = [&](Reg reg, std::int64_t member) { b.load(Width::B8, reg, R6, member); };
        b.load(R1, m_where);
        b.load(Width::B8, R1, R1, 16);
        b.mov(R2, 2 * kMostFrames);
        b.alu(AluOp::Sub, R2, R8);
        keptFrame(b, R2, R1);
        b.store(Width::B8, R2, OF_KEPT(place), R5);
        from(R1, OF_WALK(ip));
        b.store(Width::B8, R2, OF_KEPT(ip), R1);
        from(R1, OF_WALK(sp));
        b.store(Width::B8, R2, OF_KEPT(sp), R1);
        from(R1, OF_WALK(bp));
        b.store(Width::B8, R2, OF_KEPT(bp), R1);
        from(R1, OF_WALK(again.slot));
        b.store(Width::B8, R2, OF_KEPT(slot), R1);
        loadHow(b, R1, R6, R3);
        from(R3, OF_WALK(again.how));
        b.alu(AluOp::Or, R1, R3);
        b.store(Width::B8, R2, OF_KEPT(how), R1);
    }

    /// The caller's rbp is read there.
    void keepSlot(Reg address)
    {
        if (m_keeps) b.store(Width::B8, R6, OF_WALK(again.slot), address);
    }

    /// And its stack pointer, or all that there is. Uses r0.
    void keepFrom(Reg address, KeptFlag how)
    {
        if (!m_keeps) return;
        b.mov(R0, address);
        b.alu(AluOp::Lsh, R0, kKeptFrom);
        b.alu(AluOp::Or, R0, static_cast<std::int32_t>(how));
        b.store(Width::B8, R6, OF_WALK(again.how), R0);
    }

    /// r0 = the word of the stack at r2; r6 to r9 stay.
    void word()
    {
        b.mov(R1, R6);
        b.call(m_word);
    }

    void leaveIfFault(Label to)
    {
        b.load(Width::B8, R1, R6, OF_WALK(fault));
        b.branch(Cond::Ne, R1, 0, to);
    }

    /// By the rule in r4 to the caller.
    void follow()
    {
        const auto byRsp = b.label(), byRbp = b.label(), pointsTo = b.label(), plt = b.label(), signal = b.label(), frame = b.label(),
                   haveCfa = b.label();
        const auto isKind = [&](WalkKind kind, Label to) { b.branch(Cond::Eq, R2, static_cast<std::int32_t>(kind), to); };
        b.mov(R2, R4);
        b.alu(AluOp::And, R2, (1 << kCfaShift) - 1);
        ruleField(b, R8, R4, kCfaShift);
        ruleField(b, R9, R4, kSavedShift);
        isKind(WalkKind::Rsp, byRsp);
        isKind(WalkKind::Rbp, byRbp);
        isKind(WalkKind::FramePointer, frame);
        isKind(WalkKind::End, m_outermost);
        isKind(WalkKind::Plt, plt);
        isKind(WalkKind::Signal, signal);
        isKind(WalkKind::RbpPointsTo, pointsTo);
        b.jump(m_noRule);

        // r8 becomes the CFA, r9 where rbp was saved, 0: nowhere.
        const auto savedFromCfa = [&] {
            b.branch(Cond::Eq, R9, 0, haveCfa);
            b.alu(AluOp::Add, R9, R8);
        };

        const auto plusRegister = [&](Reg to, std::int64_t which) {
            b.load(Width::B8, R1, R6, which);
            b.alu(AluOp::Add, to, R1);
        };

        b.bind(byRsp);
        plusRegister(R8, OF_WALK(sp));
        savedFromCfa();
        b.jump(haveCfa);
        b.bind(byRbp);
        plusRegister(R8, OF_WALK(bp));
        savedFromCfa();
        b.jump(haveCfa);
        b.bind(pointsTo);
        plusRegister(R8, OF_WALK(bp));
        plusRegister(R9, OF_WALK(bp));
        keepFrom(R8, kKeptPointsTo);
        b.mov(R2, R8);
        word();
        b.mov(R8, R0);
        leaveIfFault(m_badMemory);
        b.jump(haveCfa);
        b.bind(plt);
        plusRegister(R8, OF_WALK(sp));
        b.load(Width::B8, R1, R6, OF_WALK(ip));
        b.alu(AluOp::And, R1, 15);
        b.mov(R2, R9);
        b.mov(R9, 0);
        b.branch(Cond::Lt, R1, R2, haveCfa);
        b.alu(AluOp::Add, R8, 8);
        b.bind(haveCfa);
        toCaller(0);

        b.bind(frame);
        const auto noEpilogue = b.label();
        byEpilogue(noEpilogue);
        b.bind(noEpilogue);
        byFramePointer();
        b.bind(signal);
        bySignal();
    }

    /// To the caller whose CFA is in r8 and whose rbp was saved at r9. `guessed`: no table told of them.
    void toCaller(std::int32_t guessed)
    {
        const auto same = b.label();
        b.load(Width::B8, R1, R6, OF_WALK(sp));
        b.branch(Cond::Le, R8, R1, m_badMemory);
        b.branch(Cond::Eq, R9, 0, same);
        // In an epilogue GCC goes on saying where a register was saved after popping it: below the stack pointer it holds
        // the caller's value again. Of two slots the lower one is read first: addresses then only rise.
        b.branch(Cond::Lt, R9, R1, same);
        keepSlot(R9);
        b.mov(R2, R9);
        word();
        b.mov(R9, R0);
        leaveIfFault(m_badMemory);
        b.store(Width::B8, R6, OF_WALK(bp), R9);
        b.bind(same);
        b.mov(R2, R8);
        b.alu(AluOp::Add, R2, -8);
        word();
        b.store(Width::B8, R6, OF_WALK(sp), R8);
        b.store(Width::B8, R6, OF_WALK(guessed), guessed);
        b.jump(m_arrived);
    }

    /// Code without tables that returns right behind its call, as Python's trampolines do (-X perf): what it does there says where the
    /// caller's frame is, whatever rbp holds. Elsewhere goes to `none`. Source: Python/asm_trampoline.S of CPython 3.12
    void byEpilogue(Label none)
    {
        constexpr std::int32_t kRet = 0xc3, kPopRet = 0xc35d, kMostAdded = 0x7f;
        constexpr std::int64_t kAddRet = 0xc300c48348, kAddRetMask = 0xff00ffffff; // add $n,%rsp; ret
        const auto pops = b.label(), returns = b.label();
        b.load(Width::B8, R1, R6, OF_WALK(less));
        b.branch(Cond::Eq, R1, 0, none);
        b.mov(R1, R6);
        b.add(R1, OF_WALK(registers));
        b.mov(R2, 8);
        b.load(Width::B8, R3, R6, OF_WALK(ip));
        b.call(Helper::ProbeReadUser);
        b.branch(Cond::Ne, R0, 0, none);

        b.load(Width::B8, R8, R6, OF_WALK(sp));
        b.mov(R9, 0);
        b.load(Width::B1, R1, R6, OF_WALK(registers));
        b.branch(Cond::Eq, R1, kRet, returns);
        b.load(Width::B2, R1, R6, OF_WALK(registers));
        b.branch(Cond::Eq, R1, kPopRet, pops);
        b.load(Width::B8, R1, R6, OF_WALK(registers));
        b.mov(R2, kAddRetMask);
        b.alu(AluOp::And, R1, R2);
        b.mov(R2, kAddRet);
        b.branch(Cond::Ne, R1, R2, none);
        b.load(Width::B1, R1, R6, OF_WALK(registers) + 3);
        b.branch(Cond::Gt, R1, kMostAdded, none);
        b.alu(AluOp::Add, R8, R1);
        b.jump(returns);
        b.bind(pops);
        b.mov(R9, R8);
        b.alu(AluOp::Add, R8, 8);
        b.bind(returns);
        b.alu(AluOp::Add, R8, 8);
        toCaller(1);
    }

    /// To the caller by rbp, which code without tables may or may not keep.
    void byFramePointer()
    {
        b.load(Width::B8, R8, R6, OF_WALK(bp));
        b.branch(Cond::Eq, R8, 0, m_outermost);
        b.load(Width::B8, R1, R6, OF_WALK(sp));
        b.branch(Cond::Lt, R8, R1, m_noCaller);
        b.mov(R1, R8);
        b.alu(AluOp::And, R1, 7);
        b.branch(Cond::Ne, R1, 0, m_noCaller);
        keepSlot(R8);
        b.mov(R2, R8);
        word();
        b.mov(R9, R0);
        leaveIfFault(m_noCaller);
        b.mov(R2, R8);
        b.alu(AluOp::Add, R2, 8);
        word();
        leaveIfFault(m_noCaller);
        b.store(Width::B8, R6, OF_WALK(bp), R9);
        b.alu(AluOp::Add, R8, 16);
        b.store(Width::B8, R6, OF_WALK(sp), R8);
        b.store(Width::B8, R6, OF_WALK(guessed), 1);
        b.jump(m_arrived);
    }

    /// Out of a signal's handler. Source: struct ucontext, arch/x86/include/uapi/asm/sigcontext.h
    void bySignal()
    {
        constexpr std::int64_t kRbp = 120;
        const auto goesOn = b.label();
        b.mov(R1, R6);
        b.add(R1, OF_WALK(registers));
        b.mov(R2, sizeof(Walk::registers));
        b.load(Width::B8, R3, R6, OF_WALK(sp));
        b.add(R3, kRbp);
        keepFrom(R3, kKeptSignal);
        b.call(Helper::ProbeReadUser);
        b.branch(Cond::Ne, R0, 0, m_badMemory);
        b.load(Width::B8, R1, R6, OF_WALK(registers));
        b.store(Width::B8, R6, OF_WALK(bp), R1);
        b.load(Width::B8, R1, R6, OF_WALK(registers) + 8 * kSignalRsp);
        b.store(Width::B8, R6, OF_WALK(sp), R1);
        b.load(Width::B8, R1, R6, OF_WALK(registers) + 8 * kSignalRip);
        b.store(Width::B8, R6, OF_WALK(ip), R1);
        b.store(Width::B8, R6, OF_WALK(less), 0);
        b.store(Width::B8, R6, OF_WALK(guessed), 0);
        b.branch(Cond::Ne, R1, 0, goesOn);
        b.jump(m_outermost);
        b.bind(goesOn);
        b.mov(R0, 0);
        b.exit();
    }

    void ends()
    {
        // r0 = the caller's address.
        b.bind(m_arrived);
        leaveIfFault(m_badMemory);
        b.branch(Cond::Eq, R0, 0, m_outermost);
        b.store(Width::B8, R6, OF_WALK(ip), R0);
        b.store(Width::B8, R6, OF_WALK(less), 1);
        b.mov(R0, 0);
        b.exit();
        fail(m_badMemory, WalkEnd::BadMemory);
        fail(m_noCaller, WalkEnd::NoCaller);
        fail(m_noRule, WalkEnd::NoRule);
        b.bind(m_outermost);
        b.mov(R0, static_cast<std::int64_t>(WalkEnd::Outermost));
        b.bind(m_stop);
        b.store(Width::B8, R6, OF_WALK(end), R0);
        b.mov(R0, 1);
        b.exit();
    }

    Firing& f;
    Builder& b;
    const bool m_keeps; ///< what it comes by, for the next walk
    const Builder::Temp m_where = b.temp();
    Label m_word, m_stop, m_badMemory, m_noCaller, m_outermost, m_noRule, m_arrived;
};
} // namespace

void emitRound(Firing& f) { Round(f).emit(); }

void emitStep(Firing& f) { Round(f, Round::Keeps::States).emit(); }

void hashForKey(Builder& b, Reg dst, Reg of, int half, Reg scratch)
{
    constexpr std::uint64_t kMix[2] = {0x9e3779b97f4a7c15U, 0xd6e8feb86659fd93U};
    constexpr std::int32_t kFold[2] = {32, 29};
    b.mov(dst, static_cast<std::int64_t>(kMix[half]));
    b.alu(AluOp::Mul, dst, of);
    b.mov(scratch, dst);
    b.alu(AluOp::Rsh, scratch, kFold[half]);
    b.alu(AluOp::Xor, dst, scratch);
}

void mixKey(Builder& b, Reg walk, Reg with)
{
    for (int half = 0; half < 2; ++half) {
        hashForKey(b, R1, with, half, R2);
        b.load(Width::B8, R2, walk, OF_WALK(key) + std::int64_t{8} * half);
        b.mov(R3, static_cast<std::int64_t>(kKeyPower));
        b.alu(AluOp::Mul, R2, R3);
        b.alu(AluOp::Add, R1, R2);
        b.store(Width::B8, walk, OF_WALK(key) + std::int64_t{8} * half, R1);
    }
}
} // namespace dscope::codegen
