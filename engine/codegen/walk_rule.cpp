#include "engine/codegen/walk.h"
#include "engine/codegen/walk_memory.h"
#include <bit>
/// Which rule holds at an address. Searches are without branches, of which the verifier would follow every way.
namespace dscope::codegen {
void seekMapping(Builder& b, Reg space, Reg address)
{
    b.mov(R4, 0); // in bytes
    // Halves of 192, rounded down, until one is left. The sign is multiplied and not and-ed: newer verifiers follow both ways where a
    // constant is and-ed to what is -1 or 0, 256 in all. Source: kernel/bpf/verifier.c of 6.18, maybe_fork_scalars()
    for (const std::int32_t half : {96, 48, 24, 12, 6, 3, 1, 1}) {
        const auto bytes = half * static_cast<std::int32_t>(sizeof(WalkMapping));
        b.mov(R1, R4);
        b.alu(AluOp::Add, R1, space);
        b.load(Width::B8, R5, R1, at(offsetof(WalkSpace, mappings)) + bytes);
        b.alu(AluOp::Sub, R5, address);
        b.alu(AluOp::Sub, R5, 1);
        b.alu(AluOp::Rsh, R5, 63);
        b.alu(AluOp::Mul, R5, bytes);
        b.alu(AluOp::Add, R4, R5);
    }
}

void emitFindRule(Firing& f)
{
    auto& b = f.b;
    const auto end = [&](WalkEnd why) {
        b.mov(R0, static_cast<std::int64_t>(why));
        b.exit();
    };

    const auto mapped = b.label(), ask = b.label(), noMapping = b.label(), noTable = b.label(), noPage = b.label(), unwritten = b.label(),
               gap = b.label(), found = b.label();
    const auto index = b.temp();
    b.mov(R6, R1);
    b.mov(R7, R3);
    seekMapping(b, R2, R7);
    b.alu(AluOp::Add, R2, R4);
    b.add(R2, at(offsetof(WalkSpace, mappings)));
    b.mov(R8, R2); // the mapping
    b.load(Width::B8, R1, R8, at(offsetof(WalkMapping, start)));
    b.branch(Cond::Gt, R1, R7, ask);
    b.load(Width::B8, R1, R8, at(offsetof(WalkMapping, end)));
    b.branch(Cond::Ge, R7, R1, ask);
    b.bind(mapped);
    b.load(Width::B4, R1, R8, at(offsetof(WalkMapping, kind)));
    b.branch(Cond::Eq, R1, WalkMapping::Unloaded, noTable);
    b.branch(Cond::Eq, R1, WalkMapping::Unwritten, unwritten);

    b.load(Width::B8, R1, R8, at(offsetof(WalkMapping, base)));
    b.mov(R9, R7);
    b.alu(AluOp::Sub, R9, R1); // from the table's beginning
    b.load(Width::B4, R1, R8, at(offsetof(WalkMapping, table)));
    b.alu(AluOp::Lsh, R1, 32);
    b.alu(AluOp::Xor, R1, R9);
    b.store(Width::B8, R6, OF_WALK(place), R1);
    b.mov(R1, R9);
    b.alu(AluOp::Rsh, R1, static_cast<std::int32_t>(kWalkPageBits));
    b.load(Width::B4, R2, R8, at(offsetof(WalkMapping, pages)));
    b.branch(Cond::Ge, R1, R2, gap);
    b.load(Width::B4, R2, R8, at(offsetof(WalkMapping, firstPage)));
    b.alu(AluOp::Add, R1, R2);
    b.mov(R8, R1); // number of the page
    b.alu(AluOp::Div, R1, static_cast<std::int32_t>(kPagesOfChunk));
    const auto element = [&](MapId map) {
        b.store(index, R1, 0, Width::B4);
        b.loadMap(R1, map);
        b.addressOf(R2, index);
        b.call(Helper::MapLookup);
        b.branch(Cond::Eq, R0, 0, noTable);
    };

    element(f.unit.walks().pages);
    b.alu(AluOp::And, R8, static_cast<std::int32_t>(kPagesOfChunk - 1));
    b.alu(AluOp::Lsh, R8, 2);
    b.alu(AluOp::Add, R8, R0);
    b.load(Width::B4, R8, R8, 0);
    b.branch(Cond::Eq, R8, 0, noPage);
    b.mov(R1, R8);
    b.alu(AluOp::And, R1, static_cast<std::int32_t>((1U << kFirstRowBits) - 1));
    b.alu(AluOp::Div, R1, static_cast<std::int32_t>(kRowsOfChunk));
    element(f.unit.walks().rows);
    constexpr auto kRowBits = std::countr_zero(sizeof(WalkRow));
    b.mov(R4, R8);
    b.alu(AluOp::Rsh, R4, static_cast<std::int32_t>(kFirstRowBits)); // how many
    b.alu(AluOp::And, R9, static_cast<std::int32_t>((1U << kWalkPageBits) - 1));
    for (std::uint32_t most = kMostRowsOfPage; most > 0; most /= 2) {
        b.mov(R3, R4);
        b.alu(AluOp::Rsh, R3, 1); // half
        b.mov(R1, R8);
        b.alu(AluOp::Add, R1, R3);
        b.alu(AluOp::And, R1, static_cast<std::int32_t>(kRowsOfChunk - 1));
        b.alu(AluOp::Lsh, R1, kRowBits);
        b.alu(AluOp::Add, R1, R0);
        b.load(Width::B4, R2, R1, 0);
        b.alu(AluOp::Rsh, R2, static_cast<std::int32_t>(kRuleBits));
        b.alu(AluOp::Sub, R2, R9);
        b.alu(AluOp::Sub, R2, 1);
        b.alu(AluOp::Arsh, R2, 63);
        b.alu(AluOp::And, R2, R3);
        b.alu(AluOp::Add, R8, R2);
        b.alu(AluOp::Sub, R4, R3);
    }

    b.alu(AluOp::And, R8, static_cast<std::int32_t>(kRowsOfChunk - 1));
    b.alu(AluOp::Lsh, R8, kRowBits);
    b.alu(AluOp::Add, R8, R0);
    b.load(Width::B4, R8, R8, 0);
    b.alu(AluOp::And, R8, static_cast<std::int32_t>(kWalkRules - 1));
    b.alu(AluOp::Lsh, R8, 3);
    b.loadMapValue(R1, f.unit.walks().rules, 0);
    b.alu(AluOp::Add, R8, R1);
    b.load(Width::B8, R8, R8, 0);
    b.jump(found);

    b.bind(unwritten); // code that is not in a file: its address means nothing elsewhere
    b.load(Width::B8, R1, R6, OF_WALK(generation));
    b.alu(AluOp::Lsh, R1, 48);
    b.alu(AluOp::Xor, R1, R7);
    b.store(Width::B8, R6, OF_WALK(place), R1);
    b.bind(gap);
    b.mov(R8, static_cast<std::int64_t>(walkRule(WalkKind::FramePointer)));
    b.bind(found);
    b.store(Width::B8, R6, OF_WALK(rule), R8);
    b.mov(R0, 0);
    b.exit();
    b.bind(ask);
    if (canAsk(f.unit)) {
        const auto whyNot = b.label();
        b.load(Width::B8, R1, R6, OF_WALK(unknown));
        b.load(Width::B8, R2, R6, OF_WALK(grown));
        b.alu(AluOp::Or, R1, R2);
        b.branch(Cond::Eq, R1, 0, noMapping); // all is known
        b.mov(R1, R6);
        b.mov(R2, R7);
        b.call(f.subprogram("walk_ask", emitAsk));
        b.branch(Cond::Eq, R0, 0, whyNot);
        b.mov(R8, R0);
        b.load(Width::B8, R1, R6, OF_WALK(moment));
        b.store(Width::B8, R6, OF_WALK(generation), R1);
        b.jump(mapped);
        b.bind(whyNot);
        b.load(Width::B8, R0, R6, OF_WALK(whyNot));
        b.exit();
    }

    b.bind(noMapping);
    end(WalkEnd::NoMapping);
    b.bind(noTable);
    end(WalkEnd::NoTable);
    b.bind(noPage);
    end(WalkEnd::NoPage);
}
} // namespace dscope::codegen
