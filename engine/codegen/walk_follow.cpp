#include "engine/codegen/walk_round.h"
/// The ways from a frame to its caller.
namespace dscope::codegen {
namespace {
/// dst = the signed field of the rule in `rule`, of `field.bits` from `field.shift` on.
void ruleField(Builder& b, Reg dst, Reg rule, WalkField field)
{
    b.mov(dst, rule);
    b.alu(AluOp::Lsh, dst, static_cast<std::int32_t>(64 - field.bits - field.shift));
    b.alu(AluOp::Arsh, dst, static_cast<std::int32_t>(64 - field.bits));
}
} // namespace

void Round::kindOf(Reg rule)
{
    b.mov(R2, rule);
    b.alu(AluOp::And, R2, (1 << kCfaShift) - 1);
}

void Round::isKind(WalkKind kind, Label to) { b.branch(Cond::Eq, R2, static_cast<std::int32_t>(kind), to); }

void Round::plusRegister(Reg to, std::int64_t which)
{
    b.load(Width::B8, R1, R6, which);
    b.alu(AluOp::Add, to, R1);
}

void Round::follow()
{
    const auto byRsp = b.label(), byRbp = b.label(), pointsTo = b.label(), plt = b.label(), signal = b.label(), frame = b.label(),
               change = b.label(), haveCfa = b.label();
    kindOf(R4);
    ruleField(b, R8, R4, {kCfaShift, kWalkOffsetBits});
    ruleField(b, R9, R4, {kSavedShift, kWalkOffsetBits});
    isKind(WalkKind::Rsp, byRsp);
    isKind(WalkKind::Rbp, byRbp);
    isKind(WalkKind::FramePointer, frame);
    isKind(WalkKind::End, m_outermost);
    isKind(WalkKind::Plt, plt);
    isKind(WalkKind::Signal, signal);
    isKind(WalkKind::RbpPointsTo, pointsTo);
    isKind(WalkKind::Switch, change);
    isKind(WalkKind::Cut, m_cut);
    b.jump(m_noRule);

    // r8 becomes the CFA, r9 where rbp was saved, 0: nowhere.
    const auto savedFromCfa = [&] {
        b.branch(Cond::Eq, R9, 0, haveCfa);
        b.alu(AluOp::Add, R9, R8);
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
    b.bind(change);
    bySwitch();
}

void Round::followLinks()
{
    const auto byStack = b.label(), byFrame = b.label(), signal = b.label(), frame = b.label(), haveCfa = b.label();
    kindOf(R4);
    const auto offset = [this](Reg dst, WalkField field) {
        ruleField(b, dst, R4, field);
        b.alu(AluOp::Lsh, dst, static_cast<std::int32_t>(kLinkWordBits));
    };

    offset(R8, kLinkCfa);
    offset(R9, kLinkFrame);
    offset(R7, kLinkLink);
    isKind(WalkKind::Rsp, byStack);
    isKind(WalkKind::Rbp, byFrame);
    isKind(WalkKind::FramePointer, frame);
    isKind(WalkKind::End, m_outermost);
    isKind(WalkKind::Signal, signal);
    isKind(WalkKind::Cut, m_cut);
    b.jump(m_noRule);

    // Behind code without tables only the frame pointer is known.
    b.bind(byStack);
    b.load(Width::B8, R1, R6, OF_WALK(guessed));
    b.branch(Cond::Ne, R1, 0, frame);
    plusRegister(R8, OF_WALK(sp));
    b.jump(haveCfa);
    b.bind(byFrame);
    plusRegister(R8, OF_WALK(bp));
    b.bind(haveCfa);
    toCallerByLink();
    b.bind(frame);
    byFramePointer();
    b.bind(signal);
    bySignal();
}

void Round::toCallerByLink()
{
    const auto sameFrame = b.label(), inRegister = b.label(), have = b.label();
    // A function that calls none may have nothing of the stack.
    b.load(Width::B8, R1, R6, OF_WALK(sp));
    b.load(Width::B8, R2, R6, OF_WALK(less));
    b.alu(AluOp::Add, R2, R1);
    b.branch(Cond::Lt, R8, R2, m_badMemory);
    // What lies below the stack pointer holds no longer: it was taken back from there.
    const auto slot = [this](Reg offset, Label none) {
        b.branch(Cond::Eq, offset, 0, none);
        b.alu(AluOp::Add, offset, R8);
        b.load(Width::B8, R1, R6, OF_WALK(sp));
        b.branch(Cond::Lt, offset, R1, none);
        b.mov(R2, offset);
    };

    slot(R9, sameFrame);
    keepSlot(R9);
    word();
    b.mov(R9, R0);
    leaveIfFault(m_badMemory);
    b.store(Width::B8, R6, OF_WALK(bp), R9);
    b.bind(sameFrame);
    slot(R7, inRegister);
    keepFrom(R7, kKeptPlain);
    word();
    b.jump(have);
    b.bind(inRegister);
    b.load(Width::B8, R1, R6, OF_WALK(less));
    b.branch(Cond::Ne, R1, 0, m_badMemory); // it has been called from there since
    b.load(Width::B8, R1, R6, OF_WALK(linkAt));
    keepFrom(R1, kKeptPlain);
    b.load(Width::B8, R0, R6, OF_WALK(link));
    b.bind(have);
    b.store(Width::B8, R6, OF_WALK(sp), R8);
    b.store(Width::B8, R6, OF_WALK(guessed), 0);
    b.jump(m_arrived);
}

void Round::toCaller(std::int32_t guessed)
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

void Round::byEpilogue(Label none)
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

void Round::byFramePointer()
{
    const auto isPointer = b.label();
    b.load(Width::B8, R8, R6, OF_WALK(bp));
    b.branch(Cond::Ne, R8, 0, isPointer);
    // Where a thread is, code may have left null there that a caller of its caller put there.
    b.load(Width::B8, R1, R6, OF_WALK(less));
    b.branch(Cond::Eq, R1, 0, m_noCaller);
    b.jump(m_outermost);
    b.bind(isPointer);
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
    if (kHasLink) keepFrom(R2, kKeptPlain);
    word();
    leaveIfFault(m_noCaller);
    b.store(Width::B8, R6, OF_WALK(bp), R9);
    b.alu(AluOp::Add, R8, 16);
    b.store(Width::B8, R6, OF_WALK(sp), R8);
    b.store(Width::B8, R6, OF_WALK(guessed), 1);
    b.jump(m_arrived);
}

void Round::bySwitch()
{
    constexpr std::int32_t kWordBits = 3, kMostOfThread = 2;
    const auto ofThread = b.label(), read = b.label(), noDepth = b.label(), same = b.label(), done = b.label();
    const auto fsbase = f.unit.offsetIfKnown("task_struct", "thread.fsbase");
    const auto field = [this](Reg dst, unsigned shift, unsigned bits) {
        b.mov(dst, R9);
        b.alu(AluOp::Rsh, dst, static_cast<std::int32_t>(shift));
        b.alu(AluOp::And, dst, (1 << bits) - 1);
    };

    b.mov(R9, R4);
    field(R1, kSwitchThread, 1);
    b.branch(Cond::Ne, R1, 0, ofThread);
    b.load(Width::B8, R8, R6, OF_WALK(sp));
    b.jump(read);

    // What the thread's data says is true of its last change from each of its stacks to the other, not of those before.
    b.bind(ofThread);
    if (fsbase < 0)
        b.jump(m_cut);
    else {
        b.load(Width::B8, R1, R6, OF_WALK(switches));
        b.branch(Cond::Ge, R1, kMostOfThread, m_cut);
        b.load(Width::B8, R2, R6, OF_WALK(switched));
        b.branch(Cond::Eq, R2, R9, m_cut);
        b.alu(AluOp::Add, R1, 1);
        b.store(Width::B8, R6, OF_WALK(switches), R1);
        b.call(Helper::GetTaskBtf);
        b.load(Width::B8, R8, R0, fsbase);
    }

    b.bind(read);
    b.store(Width::B8, R6, OF_WALK(switched), R9);
    for (unsigned i = 0; i < SwitchWay::kMostReads; ++i) {
        if (i != 0) {
            field(R1, kSwitchReads, 2);
            b.branch(Cond::Lt, R1, static_cast<std::int32_t>(i), done);
        }
        ruleField(b, R2, R9, {kSwitchAt + 8 * i, 8});
        b.alu(AluOp::Lsh, R2, kWordBits);
        b.alu(AluOp::Add, R2, R8);
        word();
        b.mov(R8, R0);
        leaveIfFault(m_badMemory);
    }

    b.bind(done);
    field(R2, kSwitchDepth, 8);
    b.branch(Cond::Eq, R2, 0, noDepth);
    b.alu(AluOp::Lsh, R2, kWordBits);
    plusRegister(R2, OF_WALK(sp));
    word();
    b.alu(AluOp::Sub, R8, R0);
    leaveIfFault(m_badMemory);
    b.bind(noDepth);
    field(R1, kSwitchCfa, 4);
    b.alu(AluOp::Lsh, R1, kWordBits);
    b.alu(AluOp::Add, R8, R1);
    field(R2, kSwitchSaved, 3);
    b.branch(Cond::Eq, R2, 0, same);
    b.alu(AluOp::Lsh, R2, kWordBits);
    b.mov(R1, R8);
    b.alu(AluOp::Sub, R1, R2);
    b.mov(R2, R1);
    word();
    b.mov(R9, R0);
    leaveIfFault(m_badMemory);
    b.store(Width::B8, R6, OF_WALK(bp), R9);
    b.bind(same);
    b.mov(R2, R8);
    b.alu(AluOp::Add, R2, -8);
    word();
    b.store(Width::B8, R6, OF_WALK(sp), R8);
    b.store(Width::B8, R6, OF_WALK(guessed), 0);
    b.jump(m_arrived);
}

void Round::bySignal()
{
    constexpr auto kSignal = host::kProcessor.signal;
    const auto goesOn = b.label();
    b.mov(R1, R6);
    b.add(R1, OF_WALK(registers));
    b.mov(R2, sizeof(Walk::registers));
    b.load(Width::B8, R3, R6, OF_WALK(sp));
    b.add(R3, kSignal.frame);
    keepFrom(R3, kKeptSignal);
    if (kHasLink) {
        b.mov(R4, R3);
        b.add(R4, std::int64_t{8} * kSignal.link);
        b.store(Width::B8, R6, OF_WALK(linkAt), R4);
    }
    b.call(Helper::ProbeReadUser);
    b.branch(Cond::Ne, R0, 0, m_badMemory);
    const auto restore = [this](std::int64_t to, int number) {
        b.load(Width::B8, R1, R6, OF_WALK(registers) + std::int64_t{8} * number);
        b.store(Width::B8, R6, to, R1);
    };
    if (kHasLink) restore(OF_WALK(link), kSignal.link);
    restore(OF_WALK(bp), 0);
    restore(OF_WALK(sp), kSignal.stack);
    restore(OF_WALK(ip), kSignal.instruction);
    b.store(Width::B8, R6, OF_WALK(less), 0);
    b.store(Width::B8, R6, OF_WALK(guessed), 0);
    b.branch(Cond::Ne, R1, 0, goesOn);
    b.jump(m_outermost);
    b.bind(goesOn);
    b.mov(R0, 0);
    b.exit();
}
} // namespace dscope::codegen
