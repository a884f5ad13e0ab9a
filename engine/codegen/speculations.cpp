#include "engine/codegen/speculations.h"
#include "engine/codegen/string_scan.h"
#include "engine/object/raw.h"
/// Speculations. The kernel hands out their numbers. Their records wait in the decoder until they are committed or discarded;
/// the ring keeps the order of records, commits and discards. A number may be used again while another CPU still records into
/// its previous use, so each record says which use it belongs to.
namespace dscope::codegen {
namespace {
/// r0 is a speculation's number as the D program gives it. r1 = the address of its word in the map of speculations; jumps to
/// `none` if there is no such speculation.
void pointToWord(Firing& f, Label none)
{
    auto& b = f.b;
    // Not "equal to 0": verifiers up to 6.1 learn nothing of what is left then, and what is 1 less may be anything.
    b.branch(Cond::Lt, R0, 1, none);
    b.branch(Cond::Gt, R0, static_cast<std::int32_t>(f.unit.speculationCount()), none);
    b.mov(R1, R0);
    b.alu(AluOp::Sub, R1, 1);
    b.alu(AluOp::Lsh, R1, 3);
    b.loadMapValue(R2, f.unit.speculations(), 0);
    b.alu(AluOp::Add, R1, R2);
}
/// r0, a number with the word r2, which is odd: r0 = the 24 bits of this use of it.
void use(Builder& b)
{
    b.alu(AluOp::Rsh, R2, 1);
    b.alu(AluOp::Lsh, R2, static_cast<std::int32_t>(kSpeculationBits));
    b.alu(AluOp::Or, R0, R2);
    b.alu(AluOp::And, R0, (1 << (2 * kSpeculationBits)) - 1);
}
} // namespace

void newSpeculation(Firing& f)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell index(f), found(f);
    f.unit.need(object::Ability::AtomicExchange, b.from());
    const auto count = f.unit.speculationCount();
    const auto map = f.unit.speculations();
    found.set(0);
    if (count)
        f.rounds(count, [&](Label done) {
            b.branch(Cond::Ge, R0, static_cast<std::int32_t>(count), done);
            index.set(R0);
            b.mov(R1, R0);
            b.alu(AluOp::Lsh, R1, 3);
            b.loadMapValue(R2, map, 0);
            b.alu(AluOp::Add, R2, R1);
            b.load(Width::B8, R0, R2, 0);
            b.block([&](Label taken) {
                b.mov(R3, R0);
                b.alu(AluOp::And, R3, 1);
                b.branch(Cond::Ne, R3, 0, taken);
                b.mov(R4, R0);
                b.mov(R3, R0);
                b.alu(AluOp::Add, R3, 1);
                b.compareExchange(R2, 0, R3);
                b.branch(Cond::Ne, R0, R4, taken);
                index.get(R1);
                b.alu(AluOp::Add, R1, 1);
                found.set(R1);
                b.jump(done);
            });
        });
    found.get(R0);
    b.when({R0, Cond::Eq, 0}, [&] {
        f.countDrop(record::Drop::Kind::SpeculationUnavailable);
        b.mov(R0, 0);
    });
}

void speculate(Firing& f, std::uint32_t at, std::uint32_t size, Label end)
{
    auto& b = f.b;
    b.load(Width::B8, R0, Builder::kScratch, at);
    pointToWord(f, end);
    b.load(Width::B8, R2, R1, 0);
    b.mov(R3, R2);
    b.alu(AluOp::And, R3, 1);
    b.branch(Cond::Eq, R3, 0, end);
    if (size > f.unit.object.specSize) {
        f.countDrop(record::Drop::Kind::Speculation);
        b.mov(R1, 0);
        return b.branch(Cond::Eq, R1, 0, end); // not jump(): the verifier refuses code that nothing leads to
    }
    use(b);
    b.store(Width::B8, Builder::kScratch, f.speculatesAt(), R0);
}

void endSpeculation(Firing& f, std::uint32_t at)
{
    auto& b = f.b;
    b.load(Width::B8, R0, Builder::kScratch, at);
    b.store(Width::B4, Builder::kScratch, at + 4, 0);
    b.when({R0, Cond::Ne, 0}, [&] {
        b.mov(R1, 0);
        pointToWord(f, f.fault(record::FaultKind::IllegalOperation));
        b.load(Width::B8, R2, R1, 0);
        b.mov(R3, R2);
        b.alu(AluOp::And, R3, 1);
        b.when({R3, Cond::Ne, 0}, [&] {
            use(b);
            b.store(Width::B4, Builder::kScratch, at + 4, R0);
        });
    });
}

void freeSpeculation(Firing& f, std::uint32_t at)
{
    auto& b = f.b;
    b.block([&](Label none) {
        // Only the use that was sent: another one may have begun meanwhile.
        b.load(Width::B4, R3, Builder::kScratch, at + 4);
        b.mov(R0, R3);
        b.alu(AluOp::And, R0, static_cast<std::int32_t>(kMostSpeculations));
        pointToWord(f, none);
        b.load(Width::B8, R4, R1, 0);
        b.mov(R2, R4);
        b.alu(AluOp::And, R2, 1);
        b.branch(Cond::Eq, R2, 0, none);
        b.mov(R2, R4);
        use(b);
        b.branch(Cond::Ne, R0, R3, none);
        b.mov(R0, R4);
        b.alu(AluOp::Add, R4, 1);
        b.compareExchange(R1, 0, R4);
    });
}
} // namespace dscope::codegen
