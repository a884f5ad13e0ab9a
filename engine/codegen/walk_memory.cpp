#include "engine/codegen/walk_memory.h"
#include "engine/codegen/walk.h"
/// The memory of walks, and the words of the stack that lie in it.
namespace dscope::codegen {
Map walkMemory()
{
    return {.name = "walk_memory", .kind = MapKind::Array, .valueSize = sizeof(Walk), .maxEntries = kWalksOfCpu, .forEachCpu = true};
}

void takeMemory(Firing& f, const Builder::Temp& index, Label busy)
{
    auto& b = f.b;
    const auto got = b.label();
    b.call(Helper::GetCpu);
    b.mov(R9, R0);
    b.alu(AluOp::Mul, R9, static_cast<std::int32_t>(kWalksOfCpu));
    for (std::uint32_t i = 0; i < kWalksOfCpu; ++i) {
        b.store(index, R9, 0, Width::B4);
        b.loadMap(R1, f.unit.walks().memory);
        b.addressOf(R2, index);
        b.call(Helper::MapLookup);
        b.branch(Cond::Eq, R0, 0, busy);
        b.mov(R6, R0);
        b.mov(R1, 1);
        b.exchange(R6, OF_WALK(busy), R1);
        b.branch(Cond::Eq, R1, 0, got);
        b.alu(AluOp::Add, R9, 1);
    }
    b.jump(busy);
    b.bind(got);
}

void stripSignature(Builder& b, Reg address)
{
    if (!kHasLink) return;
    b.mov(R1, static_cast<std::int64_t>(host::codeBits()));
    b.alu(AluOp::And, address, R1);
}

void giveBack(Builder& b) { b.store(Width::B8, R6, OF_WALK(busy), 0); }

void emitWord(Firing& f)
{
    auto& b = f.b;
    const auto have = b.label(), single = b.label(), lost = b.label();
    b.mov(R6, R1);
    b.mov(R7, R2);
    b.alu(AluOp::And, R2, 7);
    b.branch(Cond::Ne, R2, 0, single);
    b.mov(R8, R7);
    b.alu(AluOp::Rsh, R8, static_cast<std::int32_t>(kWindowBits));
    b.load(Width::B8, R1, R6, OF_WALK(block));
    b.branch(Cond::Eq, R1, R8, have);
    b.mov(R1, R6);
    b.add(R1, OF_WALK(window));
    b.mov(R2, kWindow);
    b.mov(R3, R8);
    b.alu(AluOp::Lsh, R3, static_cast<std::int32_t>(kWindowBits));
    b.call(Helper::ProbeReadUser);
    b.branch(Cond::Ne, R0, 0, lost);
    b.store(Width::B8, R6, OF_WALK(block), R8);
    b.bind(have);
    b.alu(AluOp::And, R7, static_cast<std::int32_t>(kWindow - 8));
    b.alu(AluOp::Add, R7, R6);
    b.load(Width::B8, R0, R7, OF_WALK(window));
    b.exit();

    b.bind(single);
    b.mov(R1, R6);
    b.add(R1, OF_WALK(word));
    b.mov(R2, 8);
    b.mov(R3, R7);
    b.call(Helper::ProbeReadUser);
    b.load(Width::B8, R7, R6, OF_WALK(word));
    b.branch(Cond::Ne, R0, 0, lost);
    b.mov(R0, R7);
    b.exit();

    b.bind(lost);
    b.store(Width::B8, R6, OF_WALK(block), -1);
    b.store(Width::B8, R6, OF_WALK(fault), 1);
    b.mov(R0, 0);
    b.exit();
}
} // namespace dscope::codegen
