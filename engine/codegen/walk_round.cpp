#include "engine/codegen/walk_round.h"
/// The frame that a walk is at, and where a walk ends.
namespace dscope::codegen {
Round::Round(Firing& firing, Keeps keeps)
    : f(firing), b(f.b), m_keeps(keeps == Keeps::States), m_word(f.subprogram("walk_word", emitWord)), m_stop(b.label()),
      m_badMemory(b.label()), m_noCaller(b.label()), m_outermost(b.label()), m_noRule(b.label()), m_cut(b.label()), m_arrived(b.label())
{
}

void Round::emit()
{
    if (m_keeps) b.store(m_where, R2);
    b.load(Width::B8, R6, R2, 0);
    b.load(Width::B8, R7, R2, 8);
    lookUp();
    take();
    if (kHasLink)
        followLinks();
    else
        follow();
    ends();
}

void Round::fail(Label label, WalkEnd why)
{
    b.bind(label);
    b.mov(R0, static_cast<std::int64_t>(why));
    b.jump(m_stop);
}

void Round::lookUp()
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

void Round::cached(Reg dst)
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

void Round::take()
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

void Round::keep()
{
    const auto from = [&](Reg reg, std::int64_t member) { b.load(Width::B8, reg, R6, member); };
    b.load(R1, m_where);
    b.load(Width::B8, R1, R1, 16);
    b.mov(R2, std::int64_t{2} * f.unit.keptFrames());
    b.alu(AluOp::Sub, R2, R8);
    keptFrame(f, R2, R1);
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

void Round::keepSlot(Reg address)
{
    if (m_keeps) b.store(Width::B8, R6, OF_WALK(again.slot), address);
}

void Round::keepFrom(Reg address, KeptFlag how)
{
    if (!m_keeps) return;
    b.mov(R0, address);
    b.alu(AluOp::Lsh, R0, kKeptFrom);
    b.alu(AluOp::Or, R0, static_cast<std::int32_t>(how));
    b.store(Width::B8, R6, OF_WALK(again.how), R0);
}

void Round::word()
{
    b.mov(R1, R6);
    b.call(m_word);
}

void Round::leaveIfFault(Label to)
{
    b.load(Width::B8, R1, R6, OF_WALK(fault));
    b.branch(Cond::Ne, R1, 0, to);
}

void Round::ends()
{
    // r0 = the caller's address.
    b.bind(m_arrived);
    leaveIfFault(m_badMemory);
    stripSignature(b, R0);
    b.branch(Cond::Eq, R0, 0, m_outermost);
    b.store(Width::B8, R6, OF_WALK(ip), R0);
    b.store(Width::B8, R6, OF_WALK(less), 1);
    b.mov(R0, 0);
    b.exit();
    fail(m_badMemory, WalkEnd::BadMemory);
    fail(m_noCaller, WalkEnd::NoCaller);
    fail(m_noRule, WalkEnd::NoRule);
    fail(m_cut, WalkEnd::Switched);
    b.bind(m_outermost);
    b.mov(R0, static_cast<std::int64_t>(WalkEnd::Outermost));
    b.bind(m_stop);
    b.store(Width::B8, R6, OF_WALK(end), R0);
    b.mov(R0, 1);
    b.exit();
}

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
