#include "engine/codegen/walk_again.h"
/// Rounds of a walk that goes by the last one.
namespace dscope::codegen {
namespace {
/// emitAgain().
class Again {
public:
    explicit Again(Firing& firing)
        : f(firing), b(f.b), m_word(f.subprogram("walk_word", emitWord)), m_broken(b.label()), m_special(b.label())
    {
    }

    void emit()
    {
        const auto verify = b.label(), retake = b.label(), step = b.label(), met = b.label(), more = b.label();
        b.store(m_where, R2);
        b.load(Width::B8, R6, R2, 0);
        b.load(Width::B8, R7, R2, 16);
        b.load(Width::B8, R1, R6, OF_WALK(again.mode));
        b.branch(Cond::Eq, R1, AgainState::Verify, verify);
        b.branch(Cond::Eq, R1, AgainState::Retake, retake);
        b.load(Width::B8, R1, R6, OF_WALK(again.atEnd));
        b.branch(Cond::Ne, R1, 0, step);
        meet(met, step);
        b.bind(step);
        b.mov(R1, 0);
        b.load(R2, m_where);
        b.call(f.subprogram("walk_step", emitStep));
        b.branch(Cond::Ne, R0, 0, more);
        b.load(Width::B8, R1, R6, OF_WALK(again.atEnd));
        b.branch(Cond::Eq, R1, 0, more);

        // Where it ended before it goes on now. So it does behind the frames that are verified.
        b.mov(R1, 0);
        b.jump(m_broken);
        b.bind(more);
        b.exit();
        b.bind(met);
        goOn();

        b.bind(verify);
        verifySome();
        b.bind(retake);
        takeAnew();
    }

private:
    void goOn()
    {
        b.mov(R0, 0);
        b.exit();
    }
    void mode(AgainState::Mode mode) { b.store(Width::B8, R6, OF_WALK(again.mode), static_cast<std::int32_t>(mode)); }

    /// Goes to `met` where the walk is at a kept frame, from which on it is then to be verified; else to `step`. Kept frames have falling
    /// stack pointers; where handlers of signals have them otherwise, some are not met.
    void meet(Label met, Label step)
    {
        const auto compare = b.label(), none = b.label();
        b.load(Width::B8, R8, R6, OF_WALK(again.candidate));
        b.load(Width::B8, R9, R6, OF_WALK(sp));
        if (kHasLink) {
            b.load(Width::B8, R1, R6, OF_WALK(less));
            b.branch(Cond::Eq, R1, 0, none);
        }
        // r2 = the frame whose number is in r8, r1 = its stack pointer.
        const auto look = [&] {
            b.branch(Cond::Slt, R8, 0, none);
            b.mov(R2, R8);
            keptFrame(f, R2, R7);
            b.load(Width::B8, R1, R2, OF_KEPT(sp));
        };

        look();
        b.branch(Cond::Ge, R1, R9, compare);
        b.alu(AluOp::Sub, R8, 1);
        look();
        b.branch(Cond::Ge, R1, R9, compare);

        // The innermost one that is not below the walk's. Without branches, of which the verifier would follow every way.
        b.mov(R4, R8);
        b.alu(AluOp::Add, R4, 1);
        b.mov(R3, 0);
        for (auto most = f.unit.keptFrames(); most > 0; most /= 2) {
            b.mov(R5, R4);
            b.alu(AluOp::Rsh, R5, 1);
            b.mov(R2, R3);
            b.alu(AluOp::Add, R2, R5);
            keptFrame(f, R2, R7);
            b.load(Width::B8, R2, R2, OF_KEPT(sp));
            b.mov(R1, R9);
            b.alu(AluOp::Sub, R1, R2);
            b.alu(AluOp::Sub, R1, 1);
            b.alu(AluOp::Arsh, R1, 63);
            b.alu(AluOp::And, R1, R5);
            b.alu(AluOp::Add, R3, R1);
            b.alu(AluOp::Sub, R4, R5);
        }

        b.mov(R8, R3);
        look();
        b.branch(Cond::Ge, R1, R9, compare);
        b.mov(R8, -1);
        b.jump(none);

        b.bind(compare);
        b.branch(Cond::Ne, R1, R9, none);
        const auto same = [&](std::int64_t ours, std::int64_t kept) {
            b.load(Width::B8, R1, R6, ours);
            b.load(Width::B8, R3, R2, kept);
            b.branch(Cond::Ne, R1, R3, none);
        };

        same(OF_WALK(ip), OF_KEPT(ip));
        same(OF_WALK(bp), OF_KEPT(bp));
        loadHow(b, R4, R6, R1);
        b.load(Width::B8, R1, R2, OF_KEPT(how));
        b.alu(AluOp::And, R1, kKeptLess | kKeptGuessed);
        b.branch(Cond::Ne, R1, R4, none);

        // As many frames as are asked for may not reach to where the last walk did.
        b.load(Width::B4, R5, R6, OF_WALK(record.count));
        b.mov(R1, R5);
        b.alu(AluOp::Add, R1, R8);
        b.load(Width::B8, R3, R6, OF_WALK(limit));
        b.branch(Cond::Ge, R1, R3, none);

        // Another callee has led here, and may have kept rbp elsewhere.
        b.load(Width::B8, R1, R6, OF_WALK(again.slot));
        b.store(Width::B8, R2, OF_KEPT(slot), R1);
        b.load(Width::B8, R1, R6, OF_WALK(again.how));
        b.alu(AluOp::Or, R1, R4);
        b.store(Width::B8, R2, OF_KEPT(how), R1);
        b.load(Width::B8, R1, R6, OF_WALK(ip));
        b.alu(AluOp::And, R5, static_cast<std::int32_t>(kMostFrames - 1));
        b.alu(AluOp::Lsh, R5, 3);
        b.alu(AluOp::Add, R5, R6);
        b.store(Width::B8, R5, OF_WALK(frames), R1);
        b.store(Width::B8, R6, OF_WALK(again.joined), 1);
        b.store(Width::B8, R6, OF_WALK(again.from), R8);
        b.store(Width::B8, R6, OF_WALK(again.reached), R8);
        mode(AgainState::Verify);
        b.jump(met);
        b.bind(none);
        b.store(Width::B8, R6, OF_WALK(again.candidate), R8);
        b.jump(step);
    }

    /// r8 = where in `frames` of the walk at r6 the kept frame goes that comes behind number `reached`, but for OF_WALK(frames). Uses r1.
    void placeOfNext()
    {
        b.load(Width::B4, R8, R6, OF_WALK(record.count));
        b.load(Width::B8, R1, R6, OF_WALK(again.from));
        b.alu(AluOp::Add, R8, R1);
        b.load(Width::B8, R1, R6, OF_WALK(again.reached));
        b.alu(AluOp::Sub, R8, R1);
        b.alu(AluOp::Add, R8, 1);
        b.alu(AluOp::And, R8, static_cast<std::int32_t>(kMostFrames - 1));
        b.alu(AluOp::Lsh, R8, 3);
        b.alu(AluOp::Add, R8, R6);
    }

    /// r0 = the word of the stack at r2, which is most often in the block that was read last; out of line code reads it where it is not,
    /// and goes to `broken` where it can't.
    void word(std::vector<std::function<void()>>& outOfLine, Label broken)
    {
        const auto slow = b.label(), have = b.label();
        b.mov(R1, R2);
        b.alu(AluOp::Rsh, R1, static_cast<std::int32_t>(kWindowBits));
        b.load(Width::B8, R3, R6, OF_WALK(block));
        b.branch(Cond::Ne, R1, R3, slow);
        b.branch(Cond::Set, R2, 7, slow);
        b.alu(AluOp::And, R2, static_cast<std::int32_t>(kWindow - 8));
        b.alu(AluOp::Add, R2, R6);
        b.load(Width::B8, R0, R2, OF_WALK(window));
        b.bind(have);
        outOfLine.push_back([this, slow, have, broken] {
            b.bind(slow);
            readWord(broken);
            b.jump(have);
        });
    }

    void readWord(Label broken)
    {
        b.mov(R1, R6);
        b.call(m_word);
        b.load(Width::B8, R1, R6, OF_WALK(fault));
        b.branch(Cond::Ne, R1, 0, broken);
    }

    /// Do the ways to the next callers still read what they read?
    void verifySome()
    {
        constexpr int kAtATime = 4;
        const auto several = b.label(), ended = b.label();
        b.load(Width::B8, R1, R6, OF_WALK(again.reached));
        b.branch(Cond::Ge, R1, kAtATime, several);
        b.branch(Cond::Eq, R1, 0, ended);
        verify(1);
        b.bind(several);
        verify(kAtATime);
        b.bind(ended);
        restore(R1);
        b.store(Width::B8, R6, OF_WALK(again.atEnd), 1);
        goOn();
        special();
        // r1 = the outermost one that is verified.
        b.bind(m_broken);
        b.store(Width::B8, R6, OF_WALK(again.reached), R1);
        b.store(Width::B8, R6, OF_WALK(fault), 0);
        mode(AgainState::Retake);
        goOn();
    }

    /// r2 = where the address of the kept frame at r9 + `distance`, but for its member, was read; goes to `unknown` where that is not
    /// memory.
    void loadSlotOfCaller(std::int64_t distance, Label unknown)
    {
        if (!kHasLink) {
            b.load(Width::B8, R2, R9, OF_KEPT(sp) + distance);
            b.alu(AluOp::Sub, R2, 8);
            return;
        }
        b.load(Width::B8, R2, R9, OF_KEPT(how) + distance);
        b.alu(AluOp::Rsh, R2, kKeptFrom);
        b.branch(Cond::Eq, R2, 0, unknown);
    }

    void verify(int howMany)
    {
        std::vector<std::function<void()>> outOfLine;
        placeOfNext();
        b.mov(R9, R1);
        b.alu(AluOp::Sub, R9, 1);
        keptFrame(f, R9, R7);
        for (int i = 0; i < howMany; ++i) {
            const auto broken = b.label(), special = b.label(), unchanged = b.label();
            const auto kept = [i](std::int64_t member) { return member - std::int64_t{i} * std::int64_t{sizeof(KeptFrame)}; };
            b.load(Width::B8, R1, R9, kept(OF_KEPT(how)));
            b.branch(Cond::Set, R1, kKeptPointsTo | kKeptSignal, special);
            b.load(Width::B8, R2, R9, kept(OF_KEPT(slot)));
            b.branch(Cond::Eq, R2, 0, unchanged);
            word(outOfLine, broken);
            b.load(Width::B8, R1, R9, kept(OF_KEPT(bp)));
            b.branch(Cond::Ne, R0, R1, broken);
            b.bind(unchanged);
            loadSlotOfCaller(kept(0), broken);
            word(outOfLine, broken);
            stripSignature(b, R0);
            b.load(Width::B8, R1, R9, kept(OF_KEPT(ip)));
            b.branch(Cond::Ne, R0, R1, broken);
            b.store(Width::B8, R8, OF_WALK(frames) + std::int64_t{8} * i, R1);
            const auto stopHere = [this, i](Label here, Label to) {
                b.bind(here);
                b.load(Width::B8, R1, R6, OF_WALK(again.reached));
                b.alu(AluOp::Sub, R1, i);
                b.jump(to);
            };
            outOfLine.push_back([stopHere, broken, special, this] {
                stopHere(broken, m_broken);
                stopHere(special, m_special);
            });
        }

        b.load(Width::B8, R1, R6, OF_WALK(again.reached));
        b.alu(AluOp::Sub, R1, howMany);
        b.store(Width::B8, R6, OF_WALK(again.reached), R1);
        goOn();
        for (const auto& emit : outOfLine)
            emit();
    }

    /// The same for one frame that was reached in a rarer way; r1 = the one before it.
    void special()
    {
        const auto signal = b.label(), unchanged = b.label(), good = b.label(), broken = b.label();
        b.bind(m_special);
        b.store(Width::B8, R6, OF_WALK(again.reached), R1);
        b.mov(R9, R1);
        b.alu(AluOp::Sub, R9, 1);
        keptFrame(f, R9, R7);
        const auto holds = [&](std::int64_t member) {
            readWord(broken);
            b.load(Width::B8, R1, R9, member);
            b.branch(Cond::Ne, R0, R1, broken);
        };

        const auto from = [&](std::int32_t offset) {
            b.load(Width::B8, R2, R9, OF_KEPT(how));
            b.alu(AluOp::Rsh, R2, kKeptFrom);
            if (offset != 0) b.alu(AluOp::Add, R2, offset);
        };

        b.load(Width::B8, R1, R9, OF_KEPT(how));
        b.branch(Cond::Set, R1, kKeptSignal, signal);
        from(0);
        holds(OF_KEPT(sp));
        b.load(Width::B8, R2, R9, OF_KEPT(slot));
        b.branch(Cond::Eq, R2, 0, unchanged);
        holds(OF_KEPT(bp));
        b.bind(unchanged);
        b.load(Width::B8, R2, R9, OF_KEPT(sp));
        b.alu(AluOp::Sub, R2, 8);
        holds(OF_KEPT(ip));
        b.jump(good);
        b.bind(signal);
        constexpr auto kSignal = host::kProcessor.signal;
        from(0);
        holds(OF_KEPT(bp));
        from(8 * kSignal.stack);
        holds(OF_KEPT(sp));
        from(8 * kSignal.instruction);
        holds(OF_KEPT(ip));
        if (kHasLink) { // should the walk step on from here; behind it the next frame's address is verified where it was read
            from(8 * kSignal.link);
            readWord(broken);
            b.store(Width::B8, R6, OF_WALK(link), R0);
            from(8 * kSignal.link);
            b.store(Width::B8, R6, OF_WALK(linkAt), R2);
        }
        b.bind(good);
        placeOfNext();
        b.load(Width::B8, R2, R9, OF_KEPT(ip));
        b.store(Width::B8, R8, OF_WALK(frames), R2);
        b.alu(AluOp::Sub, R1, 1);
        b.store(Width::B8, R6, OF_WALK(again.reached), R1);
        goOn();
        b.bind(broken);
        b.load(Width::B8, R1, R6, OF_WALK(again.reached));
        b.jump(m_broken);
    }

    /// The walk is at the kept frame whose number is in `number`, and steps from there. Uses r2, r3.
    void restore(Reg number)
    {
        b.mov(R2, number);
        keptFrame(f, R2, R7);
        const auto move = [&](std::int64_t to, std::int64_t from) {
            b.load(Width::B8, R3, R2, from);
            b.store(Width::B8, R6, to, R3);
        };
        move(OF_WALK(ip), OF_KEPT(ip));
        move(OF_WALK(sp), OF_KEPT(sp));
        move(OF_WALK(bp), OF_KEPT(bp));
        move(OF_WALK(again.slot), OF_KEPT(slot));
        b.load(Width::B8, R2, R2, OF_KEPT(how));
        const auto flag = [&](std::int64_t to, std::int32_t mask, std::int32_t bit) {
            b.mov(R3, R2);
            b.alu(AluOp::And, R3, mask);
            if (bit != 0) b.alu(AluOp::Rsh, R3, bit);
            b.store(Width::B8, R6, to, R3);
        };
        flag(OF_WALK(less), kKeptLess, 0);
        flag(OF_WALK(guessed), kKeptGuessed, 1);
        flag(OF_WALK(again.how), ~static_cast<std::int32_t>(kKeptLess | kKeptGuessed), 0);
        mode(AgainState::Step);
    }

    /// Behind the verified frames the stack is another one: they become new ones, one a round, and the walk steps on from the outermost.
    void takeAnew()
    {
        const auto all = b.label();
        b.load(Width::B8, R8, R6, OF_WALK(again.from));
        b.load(Width::B8, R9, R6, OF_WALK(again.reached));
        b.branch(Cond::Le, R8, R9, all);
        b.load(Width::B4, R4, R6, OF_WALK(record.count));
        b.add(R4, 1);
        b.store(Width::B4, R6, OF_WALK(record.count), R4);
        b.mov(R1, R8);
        keptFrame(f, R1, R7);
        b.mov(R2, std::int64_t{2} * f.unit.keptFrames());
        b.alu(AluOp::Sub, R2, R4);
        keptFrame(f, R2, R7);
        for (const auto member : {OF_KEPT(ip), OF_KEPT(sp), OF_KEPT(bp), OF_KEPT(slot), OF_KEPT(how), OF_KEPT(place)}) {
            b.load(Width::B8, R3, R1, member);
            b.store(Width::B8, R2, member, R3);
        }

        b.alu(AluOp::Sub, R8, 1);
        b.store(Width::B8, R6, OF_WALK(again.from), R8);
        goOn();
        b.bind(all);
        restore(R9);
        b.alu(AluOp::Sub, R9, 1);
        b.store(Width::B8, R6, OF_WALK(again.candidate), R9);
        b.store(Width::B8, R6, OF_WALK(again.joined), 0);
        b.store(Width::B8, R6, OF_WALK(again.atEnd), 0);
        goOn();
    }

    Firing& f;
    Builder& b;
    const Builder::Temp m_where = b.temp();
    Label m_word, m_broken, m_special;
};
} // namespace

void emitAgain(Firing& f) { Again(f).emit(); }
} // namespace dscope::codegen
