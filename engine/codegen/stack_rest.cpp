#include "engine/codegen/stack_rest.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/walk_memory.h"
#include <array>
/// The deep part of a stack that is copied: a record has room for some pages, a compiler's stacks have many.
namespace dscope::codegen {
namespace {
/// The memory of a CPU.
struct Rest {
    std::uint64_t busy;
    std::uint64_t done, wanted; ///< bytes
    RawStackRest record;
    std::array<std::byte, kMostStackRest> bytes;
};
static_assert(offsetof(Rest, bytes) == offsetof(Rest, record) + sizeof(RawStackRest));
#define OF_REST(member) at(offsetof(Rest, member))

/// Called by bpf_loop with the address of a Rest's address: reads the next page. A function's large array may have pages that nothing was
/// written to yet: they can't be read, but what lies beyond can. r0 = 1 at the end.
void emitRestPage(Firing& f)
{
    auto& b = f.b;
    const auto over = b.label(), next = b.label();
    b.load(Width::B8, R6, R2, 0);
    b.load(Width::B8, R7, R6, OF_REST(done));
    b.load(Width::B8, R8, R6, OF_REST(wanted));
    b.branch(Cond::Ge, R7, R8, over);
    b.mov(R9, R8);
    b.alu(AluOp::Sub, R9, R7);
    b.clamp(R9, kStackPage);
    b.load(Width::B8, R3, R6, OF_REST(record.from));
    b.alu(AluOp::Add, R3, R7);
    b.mov(R2, R9);
    b.mov(R1, R7);
    b.clamp(R1, static_cast<std::int32_t>(kMostStackRest - kStackPage));
    b.alu(AluOp::Add, R1, R6);
    b.add(R1, OF_REST(bytes));
    b.call(Helper::ProbeReadUser);
    b.branch(Cond::Eq, R0, 0, next);
    if (!canAsk(f.unit)) b.jump(over); // it may be the end
    b.mov(R1, 1);
    b.mov(R2, R7);
    b.alu(AluOp::Div, R2, static_cast<std::int32_t>(kStackPage));
    b.alu(AluOp::Lsh, R1, R2);
    b.load(Width::B8, R2, R6, OF_REST(record.holes));
    b.alu(AluOp::Or, R2, R1);
    b.store(Width::B8, R6, OF_REST(record.holes), R2);
    b.bind(next);
    b.alu(AluOp::Add, R7, R9);
    b.store(Width::B8, R6, OF_REST(done), R7);
    b.mov(R0, 0);
    b.exit();
    b.bind(over);
    b.mov(R0, 1);
    b.exit();
}

/// r2 = bytes from the address in `from` to the end of its mapping; as many as there may be where the kernel can't tell now. Uses r0..r5.
void loadBytesOfMapping(Firing& f, const Builder::Temp& from)
{
    auto& b = f.b;
    const auto end = b.temp();
    const auto known = b.label();
    b.mov(R1, 0);
    b.store(end, R1);
    b.call(Helper::GetTaskBtf);
    b.mov(R1, R0);
    b.load(R2, from);
    b.loadFunction(R3, f.subprogram("stack_mapping", emitMappingEnd));
    b.addressOf(R4, end);
    b.mov(R5, 0);
    b.call(Helper::FindVma);
    b.mov(R2, kMostStackRest);
    b.branch(Cond::Ne, R0, 0, known);
    b.load(R2, end);
    b.load(R1, from);
    b.alu(AluOp::Sub, R2, R1);
    b.bind(known);
}
} // namespace

Map stackRests() { return {.name = "stack_rests", .kind = MapKind::Array, .valueSize = 8, .maxEntries = 1, .forEachCpu = true}; }

void emitStackRest(Firing& f)
{
    auto& b = f.b;
    const auto rests = f.unit.walks().rest;
    f.unit.map(rests).valueSize = sizeof(Rest);
    const auto from = b.temp(), where = b.temp(), index = b.temp();
    const auto none = b.label(), release = b.label(), within = b.label();
    b.store(from, R1);
    b.mov(R7, R2);
    if (canAsk(f.unit)) {
        loadBytesOfMapping(f, from);
        b.branch(Cond::Ge, R2, R7, within);
        b.mov(R7, R2);
        b.bind(within);
    }

    b.branch(Cond::Eq, R7, 0, none);
    b.clamp(R7, kMostStackRest);
    b.call(Helper::GetCpu);
    b.store(index, R0, 0, Width::B4);
    b.loadMap(R1, rests);
    b.addressOf(R2, index);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, none);
    b.mov(R6, R0);
    b.mov(R1, 1);
    b.exchange(R6, OF_REST(busy), R1);
    b.branch(Cond::Ne, R1, 0, none);
    b.store(Width::B8, R6, OF_REST(done), 0);
    b.store(Width::B8, R6, OF_REST(record.holes), 0);
    b.store(Width::B8, R6, OF_REST(wanted), R7);
    b.load(R1, from);
    b.store(Width::B8, R6, OF_REST(record.from), R1);
    b.store(where, R6);
    b.mov(R1, kMostStackRest / kStackPage);
    b.loadFunction(R2, f.subprogram("stack_page", emitRestPage));
    b.addressOf(R3, where);
    b.mov(R4, 0);
    b.call(Helper::Loop);

    b.mov(R7, 0);
    b.load(Width::B8, R8, R6, OF_REST(done));
    b.branch(Cond::Eq, R8, 0, release);
    for (std::int64_t word = 0; word < static_cast<std::int64_t>(sizeof(RawHeader)); word += 8)
        b.store(Width::B8, R6, OF_REST(record.header) + word, 0);
    b.store(Width::B1, R6, OF_REST(record.header.kind), static_cast<std::int32_t>(RawKind::StackRest));
    currentNumbers(f);
    b.store(Width::B4, R6, OF_REST(record.header.tid), R0);
    b.store(Width::B8, R6, OF_REST(record.length), R8);
    b.call(Helper::KtimeGetNs);
    b.mov(R7, R0);
    b.store(Width::B8, R6, OF_REST(record.number), R7);
    b.store(Width::B8, R6, OF_REST(record.header.when), R7);
    b.loadMap(R1, f.unit.object.ring);
    b.mov(R2, R6);
    b.add(R2, OF_REST(record));
    b.mov(R3, R8);
    b.clamp(R3, kMostStackRest);
    b.alu(AluOp::Add, R3, static_cast<std::int32_t>(sizeof(RawStackRest)));
    b.mov(R4, 0);
    b.call(Helper::RingOutput);
    b.branch(Cond::Eq, R0, 0, release);
    b.mov(R7, 0); // no room
    b.bind(release);
    b.store(Width::B8, R6, OF_REST(busy), 0);
    b.mov(R0, R7);
    b.exit();
    b.bind(none);
    b.mov(R0, 0);
    b.exit();
}
} // namespace dscope::codegen
