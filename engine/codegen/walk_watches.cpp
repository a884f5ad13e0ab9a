#include "engine/codegen/dispatch.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/walk.h"
#include "engine/codegen/walk_memory.h"
#include "engine/object/raw.h"
#include "engine/object/walk.h"
/// The programs that see when what is known of a process's mappings no longer holds.
namespace dscope::codegen {
namespace {
/// epochs[number] += step for the process number in r9. By default what is known of its mappings no longer holds. Uses r1, r2.
void beginEpoch(Firing& f, std::uint64_t step = 1)
{
    auto& b = f.b;
    b.alu(AluOp::And, R9, static_cast<std::int32_t>(kWalkEpochs - 1));
    b.alu(AluOp::Lsh, R9, 3);
    b.loadMapValue(R1, f.unit.walks().epochs, 0);
    b.alu(AluOp::Add, R1, R9);
    b.mov(R2, static_cast<std::int64_t>(step));
    b.atomicAdd(R1, 0, R2);
}
/// r0 = the space of the process whose number is in `number`, or null.
void lookupSpace(Firing& f, const Builder::Temp& number)
{
    f.b.loadMap(R1, f.unit.walks().spaces);
    f.b.addressOf(R2, number);
    f.b.call(Helper::MapLookup);
}
void removeSpace(Firing& f, const Builder::Temp& number)
{
    f.b.loadMap(R1, f.unit.walks().spaces);
    f.b.addressOf(R2, number);
    f.b.call(Helper::MapDelete);
}
/// A program at a raw tracepoint. body(): its context is in r6.
void emitWatch(Unit& unit, std::string name, std::string tracepoint, const std::function<void(Firing&, Label leave)>& body)
{
    Firing f(unit, ProgramType::RawTracepoint, sizeof(RawHeader));
    const auto leave = f.b.label();
    f.b.mov(Builder::kContext, R1);
    body(f, leave);
    f.b.bind(leave);
    f.b.mov(R0, 0);
    f.b.exit();
    addProgram(unit, f, std::move(name), {probe::RawTracepoint{std::move(tracepoint)}});
}
/// The calling process's own number into `number`, and r9.
void ownNumber(Firing& f, const Builder::Temp& number)
{
    currentNumbers(f);
    f.b.alu(AluOp::Rsh, R0, 32);
    f.b.store(number, R0);
    f.b.mov(R9, R0);
}
} // namespace

void emitWalkWatches(Unit& unit)
{
    if (!unit.walksStacks()) return;
    // sched_process_exec(task, old pid, binprm): another program.
    emitWatch(unit, "walk_exec", "sched_process_exec", [](Firing& f, Label) {
        const auto number = f.b.temp();
        ownNumber(f, number);
        beginEpoch(f);
        removeSpace(f, number);
    });

    // sched_process_fork(parent, child): a process begins with what its parent has mapped.
    emitWatch(unit, "walk_fork", "sched_process_fork", [](Firing& f, Label leave) {
        auto& b = f.b;
        const auto parent = b.temp(), child = b.temp();
        const auto none = b.label();
        ownNumber(f, parent);
        b.load(Width::B8, R0, R6, 8);
        processNumber(f);
        b.store(child, R0);
        b.load(R1, parent);
        b.branch(Cond::Eq, R0, R1, leave); // a thread
        lookupSpace(f, parent);
        b.branch(Cond::Eq, R0, 0, none);
        b.mov(R8, R0);
        b.load(Width::B8, R7, R8, at(offsetof(WalkSpace, epoch)));

        // Of the parent's nothing is known either while it is changing.
        const auto current = [&](const Builder::Temp& number) {
            b.load(R9, number);
            b.alu(AluOp::And, R9, static_cast<std::int32_t>(kWalkEpochs - 1));
            b.alu(AluOp::Lsh, R9, 3);
            b.loadMapValue(R1, f.unit.walks().epochs, 0);
            b.alu(AluOp::Add, R1, R9);
            b.load(Width::B8, R1, R1, 0);
        };

        current(parent);
        b.alu(AluOp::Xor, R7, R1);
        b.mov(R2, R7);
        b.alu(AluOp::Lsh, R2, 32);
        b.branch(Cond::Ne, R2, 0, none);
        b.loadMap(R1, f.unit.walks().spaces);
        b.addressOf(R2, child);
        b.mov(R3, R8);
        b.mov(R4, 0);
        b.call(Helper::MapUpdate);
        lookupSpace(f, child);
        b.branch(Cond::Eq, R0, 0, leave);
        current(child);
        b.alu(AluOp::Xor, R1, R7); // what the parent's does not know the child's doesn't either
        b.store(Width::B8, R0, at(offsetof(WalkSpace, epoch)), R1);
        b.jump(leave);
        b.bind(none);
        removeSpace(f, child);
        b.load(R9, child); // another process had this number
        beginEpoch(f);
    });

    // vm_unmapped_area(address, info): something new will be there. Where that was code, it was unmapped before.
    emitWatch(unit, "walk_map", "vm_unmapped_area", [](Firing& f, Label leave) {
        auto& b = f.b;
        const auto number = b.temp();
        const auto overlaps = b.label(), grown = b.label();
        ownNumber(f, number);
        lookupSpace(f, number);
        b.branch(Cond::Eq, R0, 0, grown);
        b.mov(R8, R0);
        b.load(Width::B8, R7, R6, 0); // where it begins; an error is above all addresses
        b.load(Width::B8, R1, R6, 8);
        b.readKernel(R1, f.unit.kernelOffset("vm_unmapped_area_info", "length"), 8);
        b.alu(AluOp::Add, R0, R7); // and ends
        b.mov(R3, R0);
        b.alu(AluOp::Sub, R3, 1); // at its last byte
        seekMapping(b, R8, R3);
        b.alu(AluOp::Add, R8, R4);
        b.load(Width::B8, R1, R8, at(offsetof(WalkSpace, mappings) + offsetof(WalkMapping, start)));
        b.branch(Cond::Gt, R1, R3, grown);
        b.load(Width::B8, R1, R8, at(offsetof(WalkSpace, mappings) + offsetof(WalkMapping, end)));
        b.branch(Cond::Gt, R1, R7, overlaps);
        b.bind(grown);
        b.load(R9, number);
        beginEpoch(f, kWalkGrown);
        b.jump(leave);
        b.bind(overlaps);
        b.load(R9, number);
        beginEpoch(f);
    });
}
} // namespace dscope::codegen
