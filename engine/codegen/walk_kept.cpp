#include "engine/codegen/walk_again.h"
/// What is kept of walks: who has a place, and how a walk that has ended comes to lie there.
namespace dscope::codegen {
namespace {
/// The next of the new frames, the outermost first, comes behind those that are kept. r2: the walk, the space, the kept stack.
void emitSettle(Firing& f)
{
    auto& b = f.b;
    const auto more = b.label();
    b.load(Width::B8, R6, R2, 0);
    b.load(Width::B8, R7, R2, 16);
    b.load(Width::B4, R8, R6, OF_WALK(record.count));
    b.branch(Cond::Ne, R8, 0, more);
    b.mov(R0, 1);
    b.exit();
    b.bind(more);
    b.load(Width::B8, R9, R6, OF_WALK(again.from));
    b.mov(R1, std::int64_t{2} * f.unit.keptFrames());
    b.alu(AluOp::Sub, R1, R8);
    keptFrame(f, R1, R7);
    b.mov(R2, R9);
    keptFrame(f, R2, R7);
    for (const auto member : {OF_KEPT(ip), OF_KEPT(sp), OF_KEPT(bp), OF_KEPT(slot), OF_KEPT(how), OF_KEPT(place)}) {
        b.load(Width::B8, R3, R1, member);
        b.store(Width::B8, R2, member, R3);
    }

    b.load(Width::B8, R0, R6, OF_WALK(again.power));
    for (int half = 0; half < 2; ++half) {
        hashForKey(b, R4, R3, half, R5);
        b.alu(AluOp::Mul, R4, R0);
        b.load(Width::B8, R5, R6, OF_WALK(key) + std::int64_t{8} * half);
        b.alu(AluOp::Add, R4, R5);
        b.store(Width::B8, R6, OF_WALK(key) + std::int64_t{8} * half, R4);
        b.store(Width::B8, R2, OF_KEPT(key) + std::int64_t{8} * half, R4);
    }

    b.mov(R4, static_cast<std::int64_t>(kKeyPower));
    b.alu(AluOp::Mul, R0, R4);
    b.store(Width::B8, R6, OF_WALK(again.power), R0);
    b.alu(AluOp::Add, R9, 1);
    b.store(Width::B8, R6, OF_WALK(again.from), R9);
    b.alu(AluOp::Sub, R8, 1);
    b.store(Width::B4, R6, OF_WALK(record.count), R8);
    b.mov(R0, 0);
    b.exit();
}
} // namespace

Way wayOf(const Unit& unit) { return unit.program.options.text("ustackwalk") == "plain" ? Way::Plain : Way::Again; }

std::uint32_t keptStacksOf(const Unit& unit)
{
    constexpr std::uint64_t kSmall = 8 << 20;
    return unit.program.options.number("ustacktables") < kSmall ? 2
                                                                : 16; // of 16 KiB each for the usual 100 frames, of half a MiB for 4,096
}
Map keptStacks(const Unit& unit)
{
    return {.name = "walk_kept",
        .kind = MapKind::Array,
        .valueSize = static_cast<std::uint32_t>(sizeof(KeptStack) + 2 * sizeof(KeptFrame) * unit.keptFrames()),
        .maxEntries = keptStacksOf(unit)};
}

Map keyPowers()
{
    Map map{.name = "walk_powers", .kind = MapKind::Array, .valueSize = 8 * kMostFrames, .maxEntries = 1, .frozen = true};
    std::vector<std::uint64_t> powers(kMostFrames, 1);
    for (std::size_t i = 1; i < powers.size(); ++i)
        powers[i] = powers[i - 1] * kKeyPower;
    const auto bytes = std::as_bytes(std::span(powers));
    map.initial.assign(bytes.begin(), bytes.end());
    return map;
}

void keptFrame(Firing& f, Reg number, Reg stack)
{
    auto& b = f.b;
    b.alu(AluOp::And, number, static_cast<std::int32_t>(2 * f.unit.keptFrames() - 1));
    b.alu(AluOp::Lsh, number, static_cast<std::int32_t>(kKeptFrameBits));
    b.alu(AluOp::Add, number, stack);
}

void loadHow(Builder& b, Reg dst, Reg walk, Reg scratch)
{
    b.load(Width::B8, dst, walk, OF_WALK(guessed));
    b.alu(AluOp::Lsh, dst, 1);
    b.load(Width::B8, scratch, walk, OF_WALK(less));
    b.alu(AluOp::Or, dst, scratch);
}

void takeKept(Firing& f, const Builder::Temp& numbers, const Builder::Temp& index, Label none)
{
    auto& b = f.b;
    const auto same = b.label();
    b.load(R9, numbers, 0, Width::B4);
    b.mov(R1, R9);
    b.alu(AluOp::And, R1, static_cast<std::int32_t>(keptStacksOf(f.unit) - 1));
    b.store(index, R1, 0, Width::B4);
    b.loadMap(R1, f.unit.walks().kept);
    b.addressOf(R2, index);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, none);
    b.branch(Cond::Eq, R9, 0, none);
    b.load(Width::B8, R1, R0, OF_KEPT_STACK(tid));
    b.branch(Cond::Ne, R1, R9, none);
    b.mov(R1, 1);
    b.exchange(R0, OF_KEPT_STACK(busy), R1);
    b.branch(Cond::Ne, R1, 0, none);
    b.load(Width::B8, R1, R6, OF_WALK(generation));
    b.load(Width::B8, R2, R0, OF_KEPT_STACK(generation));
    b.branch(Cond::Eq, R1, R2, same);
    b.store(Width::B8, R0, OF_KEPT_STACK(generation), R1);
    b.store(Width::B8, R0, OF_KEPT_STACK(count), 0);
    b.bind(same);
    b.load(Width::B8, R1, R0, OF_KEPT_STACK(count));
    b.alu(AluOp::Sub, R1, 1);
    b.store(Width::B8, R6, OF_WALK(again.candidate), R1);
    for (const auto zero : {OF_WALK(again.mode), OF_WALK(again.joined), OF_WALK(again.from), OF_WALK(again.reached), OF_WALK(again.atEnd),
             OF_WALK(again.slot), OF_WALK(again.how)})
        b.store(Width::B8, R6, zero, 0);
    b.store(Width::B8, R6, OF_WALK(end), static_cast<std::int32_t>(WalkEnd::BadMemory)); // should the rounds not be enough
}

void settle(Firing& f, const Builder::Temp& where)
{
    auto& b = f.b;
    const auto none = b.label(), nothing = b.label(), loose = b.label(), done = b.label(), whole = b.label();
    const auto total = b.temp();
    b.mov(R9, 0);
    b.load(Width::B8, R1, R6, OF_WALK(again.joined));
    b.branch(Cond::Eq, R1, 0, none);
    b.load(Width::B8, R9, R6, OF_WALK(again.from));
    b.mov(R2, R9);
    keptFrame(f, R2, R7);
    for (int half = 0; half < 2; ++half) {
        b.load(Width::B8, R1, R2, OF_KEPT(key) + std::int64_t{8} * half);
        b.store(Width::B8, R6, OF_WALK(key) + std::int64_t{8} * half, R1);
    }

    b.alu(AluOp::Add, R9, 1);
    b.bind(none);
    b.store(Width::B8, R6, OF_WALK(again.from), R9);
    b.load(Width::B4, R1, R6, OF_WALK(record.count));
    b.mov(R2, R1);
    b.alu(AluOp::Add, R2, R9);
    b.store(total, R2);
    b.branch(Cond::Eq, R1, 0, nothing);
    b.alu(AluOp::And, R9, static_cast<std::int32_t>(kMostFrames - 1));
    b.alu(AluOp::Lsh, R9, 3);
    b.loadMapValue(R1, f.unit.walks().powers, 0);
    b.alu(AluOp::Add, R1, R9);
    b.load(Width::B8, R1, R1, 0);
    b.store(Width::B8, R6, OF_WALK(again.power), R1);
    b.mov(R1, kMostFrames + 1);
    b.loadFunction(R2, f.subprogram("walk_settle", emitSettle));
    b.addressOf(R3, where);
    b.mov(R4, 0);
    b.call(Helper::Loop);
    b.bind(nothing);
    b.load(R1, total);
    b.store(Width::B4, R6, OF_WALK(record.count), R1);
    // The words that led to another stack are not kept, and so can't be verified.
    b.load(Width::B8, R2, R6, OF_WALK(switched));
    b.branch(Cond::Ne, R2, 0, loose);
    b.branch(Cond::Eq, R8, static_cast<std::int32_t>(WalkEnd::Outermost), whole);
    b.branch(Cond::Ne, R8, static_cast<std::int32_t>(WalkEnd::NoCaller), loose);
    b.bind(whole);
    b.branch(Cond::Lt, R1, kShallow, loose);
    b.load(Width::B8, R2, R6, OF_WALK(generation)); // what it went by may hold no longer than what was known when it began
    b.store(Width::B8, R7, OF_KEPT_STACK(generation), R2);
    b.store(Width::B8, R7, OF_KEPT_STACK(count), R1);
    b.store(Width::B8, R7, OF_KEPT_STACK(claims), kClaims);
    b.jump(done);
    b.bind(loose);
    b.store(Width::B8, R7, OF_KEPT_STACK(count), 0);
    b.store(Width::B8, R7, OF_KEPT_STACK(claims), 0);
    b.store(Width::B8, R7, OF_KEPT_STACK(tid), 0);
    b.bind(done);
    b.store(Width::B8, R7, OF_KEPT_STACK(busy), 0);
}

void claimKept(Firing& f, const Builder::Temp& numbers)
{
    auto& b = f.b;
    const auto whole = b.label(), out = b.label(), take = b.label();
    b.load(Width::B8, R1, R6, OF_WALK(switched));
    b.branch(Cond::Ne, R1, 0, out);
    b.branch(Cond::Eq, R8, static_cast<std::int32_t>(WalkEnd::Outermost), whole);
    b.branch(Cond::Ne, R8, static_cast<std::int32_t>(WalkEnd::NoCaller), out);
    b.bind(whole);
    b.load(Width::B4, R1, R6, OF_WALK(record.count));
    b.branch(Cond::Lt, R1, kDeep, out);
    b.load(Width::B8, R1, R7, OF_KEPT_STACK(claims));
    b.branch(Cond::Eq, R1, 0, take);
    b.alu(AluOp::Sub, R1, 1);
    b.store(Width::B8, R7, OF_KEPT_STACK(claims), R1);
    b.jump(out);
    b.bind(take);
    b.load(R1, numbers, 0, Width::B4);
    b.store(Width::B8, R7, OF_KEPT_STACK(tid), R1);
    b.store(Width::B8, R7, OF_KEPT_STACK(claims), kClaims);
    b.bind(out);
}
} // namespace dscope::codegen
