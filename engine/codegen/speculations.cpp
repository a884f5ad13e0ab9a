#include "engine/codegen/string_scan.h"
/// Speculations: the kernel hands out their numbers; what is recorded into one waits in its reader until it is committed
/// or discarded, and the ring keeps the order of all that.
namespace dscope::codegen {
void speculationWord(Firing& f, Label none)
{
    auto& b = f.b;
    b.branch(Cond::Eq, R0, 0, none);
    b.branch(Cond::Gt, R0, static_cast<std::int32_t>(f.unit.speculationCount()), none);
    b.alu(AluOp::Sub, R0, 1);
    b.alu(AluOp::Lsh, R0, 3);
    b.loadMapValue(R1, f.unit.speculations(), 0);
    b.alu(AluOp::Add, R0, R1);
}

void newSpeculation(Firing& f)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell index(f), found(f);
    const auto count = f.unit.speculationCount();
    const auto map = f.unit.speculations();
    const auto some = b.label();
    found.set(0);
    if (count)
        f.rounds(count, [&](Label done) {
            const auto taken = b.label();
            b.branch(Cond::Ge, R0, static_cast<std::int32_t>(count), done);
            index.set(R0);
            b.mov(R1, R0);
            b.alu(AluOp::Lsh, R1, 3);
            b.loadMapValue(R2, map, 0);
            b.alu(AluOp::Add, R2, R1);
            b.mov(R0, 0);
            b.mov(R3, 1);
            b.compareExchange(R2, 0, R3);
            b.branch(Cond::Ne, R0, 0, taken);
            index.get(R1);
            b.alu(AluOp::Add, R1, 1);
            found.set(R1);
            b.jump(done);
            b.bind(taken);
        });
    found.get(R0);
    b.branch(Cond::Ne, R0, 0, some);
    f.countDrop(record::Drop::Kind::SpeculationUnavailable);
    b.mov(R0, 0);
    b.bind(some);
}

void speculate(Firing& f, std::uint32_t at)
{
    auto& b = f.b;
    const auto none = b.label();
    b.store(Width::B8, Builder::kScratch, f.speculatesAt(), 0);
    b.load(Width::B8, R0, Builder::kScratch, at);
    speculationWord(f, none);
    b.load(Width::B8, R0, R0, 0);
    b.branch(Cond::Eq, R0, 0, none);
    b.load(Width::B8, R0, Builder::kScratch, at);
    b.store(Width::B8, Builder::kScratch, f.speculatesAt(), R0);
    b.bind(none);
}

bool takeSpeculationRoom(Firing& f, std::uint32_t size, Label none, Label full)
{
    auto& b = f.b;
    const auto room = f.unit.speculationRoom();
    b.load(Width::B8, R0, Builder::kScratch, f.speculatesAt());
    speculationWord(f, none);
    if (size > room) {
        b.jump(full);
        return false;
    }
    // A word that is in use is 1 and what its speculation holds.
    b.mov(R1, size);
    b.atomicAdd(R0, 0, R1, true);
    b.branch(Cond::Gt, R1, static_cast<std::int32_t>(room - size + 1), full);
    return true;
}

void freeSpeculation(Firing& f, std::uint32_t at)
{
    auto& b = f.b;
    const auto none = b.label();
    b.load(Width::B8, R0, Builder::kScratch, at);
    speculationWord(f, none);
    b.store(Width::B8, R0, 0, 0);
    b.bind(none);
}
} // namespace dscope::codegen
