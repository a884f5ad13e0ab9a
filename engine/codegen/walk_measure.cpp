#include "engine/codegen/process_numbers.h"
#include "engine/codegen/walk.h"
#include "engine/codegen/walk_memory.h"
#include "engine/types/stack_value.h"
/// Walks of which only the depth and the caller are wanted.
namespace dscope::codegen {
namespace {
/// Asks for what a walk that ended as r8 says, at `stopped`, had not: a RawUnwalked. Uses r0..r5, r9.
void askForTables(Firing& f, const Builder::Temp& numbers, const Builder::Temp& stopped)
{
    auto& b = f.b;
    const auto request = b.temp(static_cast<int>(sizeof(RawUnwalked) / 8));
    for (int word = 0; word < static_cast<int>(sizeof(RawUnwalked) / 8); ++word)
        b.store(request, 0, word);
    b.call(Helper::KtimeGetNs);
    b.mov(R9, R0);
    b.addressOf(R2, request);
    const auto header = at(offsetof(RawUnwalked, header));
    b.store(Width::B1, R2, header + at(offsetof(RawHeader, kind)), static_cast<std::int32_t>(RawKind::Unwalked));
    b.store(Width::B8, R2, header + at(offsetof(RawHeader, when)), R9);
    b.load(R1, numbers);
    b.store(Width::B4, R2, header + at(offsetof(RawHeader, tid)), R1);
    b.alu(AluOp::Rsh, R1, 32);
    b.store(Width::B4, R2, header + at(offsetof(RawHeader, pid)), R1);
    b.store(Width::B4, R2, at(offsetof(RawUnwalked, end)), R8);
    b.load(R1, stopped);
    b.store(Width::B8, R2, at(offsetof(RawUnwalked, stopped)), R1);
    b.loadMap(R1, f.unit.object.ring);
    b.mov(R3, sizeof(RawUnwalked));
    b.mov(R4, 0);
    b.call(Helper::RingOutput); // where there is no room, the next walk asks again
}

enum class Reads : std::uint8_t { Depth, Frames };
/// Subprogram: measures the current thread's user stack, of which it looks at r1 frames at most; r2: where its number of frames goes and,
/// in the next word, the address of the second one, 0 where there is none. r0 = a WalkEnd; where the stack could not be walked the
/// second word is the address that the walk came to. Reads::Frames: their addresses go to where r3 points, which has room for r1.
void emitMeasureOr(Firing& f, Reads reads)
{
    auto& b = f.b;
    const auto numbers = b.temp(), result = b.temp(), limit = b.temp(2), to = b.temp();
    if (reads == Reads::Frames) b.store(to, R3);
    const auto busy = b.label(), done = b.label(), unwalked = b.label(), isUser = b.label(), release = b.label();
    b.store(limit, R1, 0);
    b.store(limit, static_cast<std::int32_t>(WalkEnd::Asked), 1);
    b.store(result, R2);
    b.store(Width::B8, R2, 0, 0);
    b.store(Width::B8, R2, 8, 0);
    b.call(Helper::GetTaskBtf);
    b.load(Width::B8, R1, R0, f.unit.kernelOffset("task_struct", "mm"));
    b.branch(Cond::Ne, R1, 0, isUser);
    b.mov(R0, static_cast<std::int64_t>(WalkEnd::Outermost)); // a thread of the kernel has no such stack
    b.exit();
    b.bind(isUser);
    currentNumbers(f);
    b.store(numbers, R0);
    takeWalk(f, numbers, limit, wayOf(f.unit), busy);
    b.load(R3, result);
    b.load(Width::B4, R1, R6, OF_WALK(record.count));
    b.store(Width::B8, R3, 0, R1);
    b.branch(Cond::Ge, R8, static_cast<std::int32_t>(WalkEnd::Busy), unwalked);
    b.branch(Cond::Lt, R1, 2, release);
    b.load(Width::B8, R1, R6, OF_WALK(frames) + 8);
    b.store(Width::B8, R3, 8, R1);
    b.bind(release);
    if (reads == Reads::Frames) {
        b.load(Width::B4, R2, R6, OF_WALK(record.count));
        b.clamp(R2, static_cast<std::int32_t>(types::StackValue::room(f.unit.program.options.number("maxframes"))));
        b.alu(AluOp::Lsh, R2, 3);
        b.load(R1, to);
        b.mov(R3, R6);
        b.add(R3, OF_WALK(frames));
        b.call(Helper::ProbeReadKernel);
    }

    giveBack(b);
    b.bind(done);
    b.mov(R0, R8);
    b.exit();

    b.bind(unwalked);
    stoppedAt(b, R1);
    b.store(Width::B8, R3, 8, R1);
    b.store(limit, R1);
    giveBack(b);
    b.branch(Cond::Lt, R8, static_cast<std::int32_t>(WalkEnd::NoSpace), done);
    b.branch(Cond::Gt, R8, static_cast<std::int32_t>(WalkEnd::NoPage), done);
    askForTables(f, numbers, limit);
    b.jump(done);
    b.bind(busy);
    b.mov(R0, static_cast<std::int64_t>(WalkEnd::Busy));
    b.exit();
}
void emitMeasure(Firing& f) { emitMeasureOr(f, Reads::Depth); }
void emitReadFrames(Firing& f) { emitMeasureOr(f, Reads::Frames); }
} // namespace

void measureUserStack(Firing& f, std::uint32_t frames, const Builder::Temp& measured)
{
    auto& b = f.b;
    b.mov(R1, static_cast<std::int64_t>(std::min(frames, kMostFrames)));
    b.addressOf(R2, measured);
    b.store(measured, 0, 0); // initialized, for the verifier
    b.store(measured, 0, 1);
    b.call(f.subprogram("measure", emitMeasure));
}

void readUserStack(Firing& f, std::uint32_t to, std::uint32_t frames, const Builder::Temp& measured)
{
    auto& b = f.b;
    b.store(measured, 0, 0);
    b.store(measured, 0, 1);
    b.mov(R1, static_cast<std::int64_t>(std::min(frames, kMostFrames)));
    b.addressOf(R2, measured);
    b.mov(R3, Builder::kScratch);
    b.add(R3, to);
    b.call(f.subprogram("read_frames", emitReadFrames));
}
} // namespace dscope::codegen
