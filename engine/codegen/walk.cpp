#include "engine/codegen/walk.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/walk_again.h"
#include "engine/host/processor.h"
/// A walk from its first frame to the key of the stack.
namespace dscope::codegen {
namespace {
/// r1 = the epoch of the process that fires, `moment` of the walk at r6 goes by it. Uses r2, r9.
void loadMoment(Firing& f, const Builder::Temp& numbers)
{
    auto& b = f.b;
    constexpr std::uint64_t kOfProcess = 0x9e3779b97f4a7c15U, kOfTables = 0xd6e8feb86659fd93U, kMix = 0xd1342543de82ef95U;
    constexpr std::int64_t kAsked = std::int64_t{1} << 62; // no other generation has it
    b.load(R9, numbers);
    b.alu(AluOp::Rsh, R9, 32);
    b.mov(R1, R9);
    b.alu(AluOp::And, R9, static_cast<std::int32_t>(kWalkEpochs - 1));
    b.alu(AluOp::Lsh, R9, 3);
    const auto times = [&](Reg reg, std::uint64_t by) {
        b.mov(R2, static_cast<std::int64_t>(by));
        b.alu(AluOp::Mul, reg, R2);
    };

    times(R1, kOfProcess);
    b.loadMapValue(R2, f.unit.walks().epochs, 0);
    b.alu(AluOp::Add, R2, R9);
    b.mov(R9, R1);
    b.load(Width::B8, R1, R2, 0);
    b.mov(R3, R1);
    times(R3, kMix);
    b.alu(AluOp::Xor, R9, R3);
    b.loadMapValue(R2, f.unit.walks().forgotten, 0);
    b.load(Width::B8, R3, R2, 0);
    times(R3, kOfTables);
    b.alu(AluOp::Xor, R9, R3);
    b.mov(R3, kAsked);
    b.alu(AluOp::Or, R9, R3);
    b.store(Width::B8, R6, OF_WALK(moment), R9);
}
} // namespace

void takeWalk(Firing& f, const Builder::Temp& numbers, const Builder::Temp& limit, Way how, Label busy)
{
    auto& b = f.b;
    const auto& maps = f.unit.walks();
    const auto place = b.temp(3); // what the rounds are given: the walk, the space, what is kept of the last one
    const auto index = b.temp(), kept = b.temp();
    const auto ended = b.label();
    takeMemory(f, index, busy);
    for (const auto zero : {OF_WALK(ip), OF_WALK(less), OF_WALK(guessed), OF_WALK(fault), OF_WALK(key), OF_WALK(key) + 8, OF_WALK(unknown),
             OF_WALK(noCode), OF_WALK(grown), OF_WALK(switches), OF_WALK(switched)})
        b.store(Width::B8, R6, zero, 0);
    b.store(Width::B4, R6, OF_WALK(record.count), 0);
    b.store(Width::B8, R6, OF_WALK(block), -1);
    b.load(R1, limit, 0);
    b.store(Width::B8, R6, OF_WALK(limit), R1);
    b.load(R1, limit, 1);
    b.store(Width::B8, R6, OF_WALK(atLimit), R1);
    b.store(Width::B8, R6, OF_WALK(end), R1);
    b.call(Helper::GetTaskBtf);
    b.mov(R1, R0);
    b.mov(R8, static_cast<std::int64_t>(WalkEnd::Outermost));
    b.load(Width::B8, R2, R0, f.unit.kernelOffset("task_struct", "mm"));
    b.branch(Cond::Eq, R2, 0, ended);
    b.call(Helper::TaskPtRegs);
    using host::kProcessor;
    b.load(Width::B8, R1, R0, kProcessor.instruction);
    b.store(Width::B8, R6, OF_WALK(ip), R1);
    b.load(Width::B8, R2, R0, kProcessor.stack);
    b.store(Width::B8, R6, OF_WALK(sp), R2);
    b.alu(AluOp::Or, R1, R2);
    b.branch(Cond::Eq, R1, 0, ended); // a worker of the kernel's within a process
    b.load(Width::B8, R1, R0, kProcessor.frame);
    b.store(Width::B8, R6, OF_WALK(bp), R1);
    if (kHasLink) {
        b.load(Width::B8, R1, R0, kProcessor.link);
        b.store(Width::B8, R6, OF_WALK(link), R1);
        b.store(Width::B8, R6, OF_WALK(linkAt), 0);
    }

    b.load(R9, numbers);
    b.alu(AluOp::Rsh, R9, 32);
    b.store(index, R9);
    b.loadMap(R1, maps.spaces);
    b.addressOf(R2, index);
    b.call(Helper::MapLookup);
    b.mov(R7, R0);
    loadMoment(f, numbers);
    const auto unknown = b.label(), isKnown = b.label();
    b.mov(R8, static_cast<std::int64_t>(WalkEnd::NoSpace));
    b.branch(Cond::Eq, R7, 0, unknown);
    b.load(Width::B8, R2, R7, at(offsetof(WalkSpace, epoch)));
    b.alu(AluOp::Xor, R1, R2);
    b.store(Width::B8, R6, OF_WALK(grown), R1);
    b.alu(AluOp::Lsh, R1, 32);
    b.mov(R8, static_cast<std::int64_t>(WalkEnd::Changed));
    b.branch(Cond::Ne, R1, 0, unknown);
    b.load(Width::B8, R1, R7, at(offsetof(WalkSpace, generation)));
    b.store(Width::B8, R6, OF_WALK(generation), R1);
    b.jump(isKnown);

    // Of none of its addresses is anything known; where the kernel can be asked, it is.
    b.bind(unknown);
    if (!canAsk(f.unit)) b.jump(ended);
    b.store(Width::B8, R6, OF_WALK(unknown), R8);
    b.load(Width::B8, R1, R6, OF_WALK(moment));
    b.store(Width::B8, R6, OF_WALK(generation), R1);

    // An element of the same map: the verifier takes both for one, and looks at what follows once.
    b.mov(R1, object::kNobodysSpace);
    b.store(kept, R1);
    b.loadMap(R1, maps.spaces);
    b.addressOf(R2, kept);
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, ended);
    b.mov(R7, R0);
    b.bind(isKnown);
    b.store(place, R6, 0);
    b.store(place, R7, 1);
    if (how == Way::Again) {
        const auto none = b.label();
        b.mov(R0, 0);
        b.load(R1, limit, 0);
        b.branch(Cond::Lt, R1, kDeep, none);
        b.branch(Cond::Gt, R1, static_cast<std::int32_t>(f.unit.keptFrames()), none);
        takeKept(f, numbers, index, none);
        b.store(place, R0, 2);
        b.mov(R7, R0);
        b.mov(R1, kRoundsAgain);
        b.loadFunction(R2, f.subprogram("walk_again", emitAgain));
        b.addressOf(R3, place);
        b.mov(R4, 0);
        b.call(Helper::Loop);
        b.load(Width::B8, R8, R6, OF_WALK(end));
        settle(f, place);
        b.jump(ended);
        b.bind(none);
        b.store(kept, R0);
    }

    b.mov(R1, kMostFrames + 1);
    b.loadFunction(R2, f.subprogram("walk_round", emitRound));
    b.addressOf(R3, place);
    b.mov(R4, 0);
    b.call(Helper::Loop);
    b.load(Width::B8, R8, R6, OF_WALK(end));
    if (how == Way::Again) {
        b.load(R7, kept);
        b.branch(Cond::Eq, R7, 0, ended);
        claimKept(f, numbers);
    }
    b.bind(ended);
}
void stoppedAt(Builder& b, Reg dst)
{
    b.load(Width::B8, dst, R6, OF_WALK(ip));
    b.load(Width::B8, R2, R6, OF_WALK(less));
    b.alu(AluOp::Sub, dst, R2);
}

namespace {
constexpr std::int32_t kRingPending = 0; ///< BPF_RB_AVAIL_DATA. Source: include/uapi/linux/bpf.h

/// Sends the frames of a stack whose key is new. The walk is at r6. Goes to `lost` when the ring has no room.
void announce(Firing& f, const Builder::Temp& numbers, Label lost)
{
    auto& b = f.b;
    constexpr std::uint32_t kStacks = 1U << 18U;
    f.unit.map(f.unit.walks().stacks).maxEntries = kStacks;
    const auto known = b.label();
    const auto loadKey = [&] {
        b.loadMap(R1, f.unit.walks().stacks);
        b.mov(R2, R6);
        b.add(R2, OF_WALK(record.key));
    };

    loadKey();
    b.call(Helper::MapLookup);
    b.branch(Cond::Ne, R0, 0, known);
    const auto header = OF_WALK(record.header);
    b.store(Width::B8, R6, header, static_cast<std::int32_t>(RawKind::Stack));
    b.store(Width::B4, R6, header + at(offsetof(RawHeader, probe)), 0);
    b.call(Helper::GetCpu);
    b.store(Width::B4, R6, header + at(offsetof(RawHeader, cpu)), R0);
    b.call(Helper::KtimeGetNs);
    b.store(Width::B8, R6, header + at(offsetof(RawHeader, when)), R0);
    b.load(R1, numbers);
    b.store(Width::B4, R6, header + at(offsetof(RawHeader, tid)), R1);
    b.alu(AluOp::Rsh, R1, 32);
    b.store(Width::B4, R6, header + at(offsetof(RawHeader, pid)), R1);
    b.load(Width::B4, R3, R6, OF_WALK(record.count));
    b.clamp(R3, static_cast<std::int32_t>(kMostFrames));
    b.alu(AluOp::Lsh, R3, 3);
    b.alu(AluOp::Add, R3, static_cast<std::int32_t>(sizeof(RawStack)));
    b.loadMap(R1, f.unit.object.ring);
    b.mov(R2, R6);
    b.add(R2, OF_WALK(record));
    b.mov(R4, 0);
    b.call(Helper::RingOutput);
    b.branch(Cond::Ne, R0, 0, lost);

    // Known from here on: whoever finds the key, its frames are in the ring before whatever is sent then. Where there is no room for
    // the key they are sent again.
    loadKey();
    b.mov(R3, R2);
    b.mov(R4, 0);
    b.call(Helper::MapUpdate);
    b.bind(known);
}

/// Walks the stack once more, plainly; r8 becomes WalkEnd::Differs where the walk at r6 did not come to the same. What has
/// changed between the two (mappings, the tables that are there) is no difference.
void check(Firing& f, const Builder::Temp& numbers, const Builder::Temp& limit)
{
    auto& b = f.b;
    const auto first = b.temp(), end = b.temp();
    const auto done = b.label(), differ = b.label(), release = b.label();
    const auto leaveIfUntold = [&](Label to) {
        const auto told = b.label();
        b.branch(Cond::Lt, R8, static_cast<std::int32_t>(WalkEnd::Busy), told);
        b.branch(Cond::Le, R8, static_cast<std::int32_t>(WalkEnd::NoPage), to);
        b.bind(told);
    };

    b.store(first, R6);
    b.store(end, R8);
    leaveIfUntold(done);
    takeWalk(f, numbers, limit, Way::Plain, done);
    leaveIfUntold(release);
    b.load(R7, first);
    const auto compare = [&](std::int64_t word, Label to) {
        b.load(Width::B8, R1, R6, word);
        b.load(Width::B8, R2, R7, word);
        b.branch(Cond::Ne, R1, R2, to);
    };

    compare(OF_WALK(generation), release);
    b.load(R1, end);
    b.branch(Cond::Ne, R8, R1, differ);
    b.branch(Cond::Ge, R8, static_cast<std::int32_t>(WalkEnd::Busy), release);
    b.load(Width::B4, R1, R6, OF_WALK(record.count));
    b.load(Width::B4, R2, R7, OF_WALK(record.count));
    b.branch(Cond::Ne, R1, R2, differ);
    for (const auto word : {OF_WALK(key), OF_WALK(key) + 8, OF_WALK(ip), OF_WALK(sp), OF_WALK(bp)})
        compare(word, differ);
    b.jump(release);
    b.bind(differ);
    b.store(end, static_cast<std::int32_t>(WalkEnd::Differs));
    b.bind(release);
    giveBack(b);
    b.bind(done);
    b.load(R6, first);
    b.load(R8, end);
}

/// Subprogram: walks the current thread's user stack, r1 frames at most; r2: where the key goes, or the address that could not be
/// walked from; r3: how it ends where there are more. r0 = a WalkEnd.
void emitWalk(Firing& f)
{
    auto& b = f.b;
    const auto numbers = b.temp(), result = b.temp(), limit = b.temp(2);
    const auto busy = b.label(), give = b.label(), release = b.label(), free = b.label(), notSent = b.label();
    b.store(limit, R1, 0);
    b.store(limit, R3, 1);
    b.store(result, R2);
    currentNumbers(f);
    b.store(numbers, R0);
    const auto way = wayOf(f.unit);
    takeWalk(f, numbers, limit, way, busy);
    if (way == Way::Again && f.unit.program.options.text("ustackwalk") == "checked") check(f, numbers, limit);

    // Where copies gather faster than they are read they would be lost: better a stack that says how far it was walked.
    b.branch(Cond::Lt, R8, static_cast<std::int32_t>(WalkEnd::Busy), give);
    b.loadMap(R1, f.unit.object.ring);
    b.mov(R2, kRingPending);
    b.call(Helper::RingQuery);
    b.mov(R2, f.unit.map(f.unit.object.ring).maxEntries / 2);
    b.branch(Cond::Lt, R0, R2, release);

    // Of a process of which nothing is known there is one frame, whose address means nothing in others.
    b.load(Width::B4, R1, R6, OF_WALK(record.count));
    b.branch(Cond::Ne, R1, 0, give);
    b.store(Width::B4, R6, OF_WALK(record.count), 1);
    b.load(Width::B8, R5, R6, OF_WALK(ip));
    b.store(Width::B8, R6, OF_WALK(frames), R5);
    b.load(R1, numbers);
    b.alu(AluOp::Rsh, R1, 32);
    b.alu(AluOp::Lsh, R1, 40);
    b.alu(AluOp::Xor, R5, R1);
    mixKey(b, R6, R5);
    b.bind(give);
    b.store(Width::B4, R6, OF_WALK(record.end), R8);
    b.load(Width::B4, R5, R6, OF_WALK(record.count));
    b.alu(AluOp::Lsh, R5, 8);
    b.alu(AluOp::Or, R5, R8);
    mixKey(b, R6, R5);
    b.load(R3, result);
    for (int half = 0; half < 2; ++half) {
        b.load(Width::B8, R1, R6, OF_WALK(key) + 8 * half);
        b.store(Width::B8, R6, OF_WALK(record.key) + 8 * half, R1);
        b.store(Width::B8, R3, 8 * half, R1);
    }

    announce(f, numbers, notSent);
    b.branch(Cond::Lt, R8, static_cast<std::int32_t>(WalkEnd::Busy), release);
    b.mov(R8, static_cast<std::int64_t>(WalkEnd::Partial));
    b.bind(release);
    b.branch(Cond::Lt, R8, static_cast<std::int32_t>(WalkEnd::Busy), free);
    stoppedAt(b, R1);
    b.load(R2, result);
    b.store(Width::B8, R2, 0, R1);
    b.bind(free);
    giveBack(b);
    b.mov(R0, R8);
    b.exit();
    b.bind(notSent);
    b.mov(R8, static_cast<std::int64_t>(WalkEnd::NotSent));
    b.jump(release);
    b.bind(busy);
    b.load(R2, result);
    b.store(Width::B8, R2, 0, 0);
    b.mov(R0, static_cast<std::int64_t>(WalkEnd::Busy));
    b.exit();
}

} // namespace

bool canWalk(const Unit& unit)
{
    for (const auto ability :
        {object::Ability::CurrentTask, object::Ability::AtomicExchange, object::Ability::TaskRegisters, object::Ability::Loop})
        if (!unit.can(ability)) return false;
    // The tracepoint that tells where something will be mapped. Source: include/trace/events/mmap.h
    return unit.offsetIfKnown("trace_event_raw_vm_unmapped_area", "addr") >= 0
        && unit.offsetIfKnown("vm_unmapped_area_info", "length") >= 0;
}

void walkUserStack(Firing& f, const FieldPlan& field, const Builder::Temp& key)
{
    auto& b = f.b;
    b.mov(R1, static_cast<std::int64_t>(std::min(field.frames, kMostFrames)));
    b.addressOf(R2, key);
    b.mov(R3, static_cast<std::int64_t>(field.atLimit));
    b.store(key, R1, 0); // initialized, for the verifier
    b.store(key, R1, 1);
    b.call(f.subprogram("walk", emitWalk));
}
} // namespace dscope::codegen
