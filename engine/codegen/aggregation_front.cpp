#include "engine/codegen/aggregation_front.h"
#include "engine/object/raw.h"
#include <bit>
/// Finding an aggregation's value without asking the kernel: its calls take longer than everything else that a count does, and most
/// programs count few keys again and again.
namespace dscope::codegen {
namespace {
constexpr std::int64_t kKeyAt = sizeof(SlotState);
constexpr auto number(SlotState state) { return static_cast<std::int32_t>(state); }

/// r0, the first slot, becomes the slot that a key is looked for in.
void select(Firing& f, const Object::Front& front, std::uint32_t key)
{
    auto& b = f.b;
    if (front.slots == 1) return;
    constexpr std::int64_t kGolden = -7046029254386353131; // 2^64 over the golden ratio: its products' upper bits depend on all bits
    b.load(Width::B8, R1, Builder::kScratch, key);
    b.mov(R2, kGolden);
    b.alu(AluOp::Mul, R1, R2);
    for (std::uint32_t at = 8; at < front.keySize; at += 8) {
        b.load(Width::B8, R3, Builder::kScratch, key + at);
        b.alu(AluOp::Xor, R1, R3);
        b.alu(AluOp::Mul, R1, R2);
    }
    b.alu(AluOp::Rsh, R1, 64 - std::countr_zero(front.slots));
    b.alu(AluOp::Mul, R1, static_cast<std::int32_t>(front.slotSize()));
    b.alu(AluOp::Add, R0, R1);
}

/// r0: the slot, which had no key. It gets this one, unless a probe that interrupts us is about to give it one.
void take(Firing& f, const Object::Front& front, std::uint32_t key, Label elsewhere)
{
    auto& b = f.b;
    b.mov(R3, R0);
    b.mov(R0, number(SlotState::Free));
    b.mov(R1, number(SlotState::Taken));
    b.compareExchange(R3, 0, R1);
    b.branch(Cond::Ne, R0, number(SlotState::Free), elsewhere);
    for (std::uint32_t at = 0; at < front.keySize; at += 8) {
        b.load(Width::B8, R1, Builder::kScratch, key + at);
        b.store(Width::B8, R3, kKeyAt + at, R1);
    }
    b.mov(R1, number(SlotState::Ready));
    b.exchange(R3, 0, R1); // in this order for those who read it on other CPUs
    b.mov(R0, R3);
}
} // namespace

void findInFront(Firing& f, const Object::Front& front, std::uint32_t key, Label elsewhere)
{
    auto& b = f.b;
    b.lookupIndex(front.map, 0);
    b.branch(Cond::Eq, R0, 0, elsewhere);
    select(f, front, key);
    b.load(Width::B8, R1, R0, 0);
    b.either(
        {R1, Cond::Eq, number(SlotState::Ready)},
        [&] {
            for (std::uint32_t at = 0; at < front.keySize; at += 8) {
                b.load(Width::B8, R1, R0, kKeyAt + at);
                b.load(Width::B8, R2, Builder::kScratch, key + at);
                b.branch(Cond::Ne, R1, R2, elsewhere);
            }
        },
        [&] { take(f, front, key, elsewhere); });
    b.add(R0, kKeyAt + front.keySize);
}
} // namespace dscope::codegen
