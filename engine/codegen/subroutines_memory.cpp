#include "engine/codegen/expressions.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/own_memory.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
#include <algorithm>
#include <optional>
/// The traced process's memory, and memory of the program's own: what alloca() gives out lasts as long as the firing.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
using record::FaultKind;
Text copyinstr(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    if (args.size() < 2) {
        integer(f, *args[0]);
        return readText(f, Memory::Process, f.unit.stringLimit());
    }

    // At most so many bytes, the NUL among them.
    const auto limit = f.unit.stringLimit(), size = f.unit.stringSize();
    const auto address = f.allocate(8), at = f.allocate(size);
    zero(f, at, size);
    integer(f, *args[0]);
    b.store(Width::B8, Builder::kScratch, address, R0);
    integer(f, *args[1]);
    b.when({R0, Cond::Ne, 0}, [&] {
        b.mov(R2, R0);
        b.clamp(R2, static_cast<std::int32_t>(limit - 1));
        b.load(Width::B8, R3, Builder::kScratch, address);
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.call(Helper::ProbeReadUserStr);
        b.load(Width::B8, R1, Builder::kScratch, address);
        b.branch(Cond::Slt, R0, 0, f.fault(FaultKind::BadAddress));
    });
    return {Text::Base::Scratch, {}, at, size};
}

/// r0 bytes of the arena: r0 = their offset in it, known to the verifier, and r2 = the size, likewise.
void take(Firing& f)
{
    auto& b = f.b;
    const auto most = static_cast<std::int32_t>(f.unit.arenaSize()), room = static_cast<std::int32_t>(f.unit.arenaRoom());
    const auto full = f.fault(FaultKind::NoScratch);
    b.mov(R1, 0);
    b.mov(R2, R0);
    b.branch(Cond::Gt, R2, most, full);
    // Each begins at a multiple of 8, behind the NUL of the one before.
    b.load(Width::B8, R0, Builder::kScratch, f.arenaUsedAt());
    b.alu(AluOp::Add, R0, 8);
    b.alu(AluOp::And, R0, -8);
    b.branch(Cond::Gt, R0, room, full);
    b.mov(R3, R2);
    b.alu(AluOp::Add, R3, R0);
    b.branch(Cond::Gt, R3, room, full);
    // No bytes begin where the next ones will: the peer's tests reach those from there.
    b.mov(R4, R3);
    b.when({R2, Cond::Eq, 0}, [&] { b.alu(AluOp::Add, R4, -1); });
    b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), R4);
    // What was here in earlier firings, of other processes even, is no part of a string that has no NUL of its own.
    b.mov(R4, Builder::kScratch);
    b.add(R4, f.arenaAt());
    b.alu(AluOp::Add, R4, R3);
    for (const int at : {0, 8})
        b.store(Width::B8, R4, at, 0);
}
/// r1 = the place at offset r0 of the arena.
void pointInto(Firing& f)
{
    f.b.mov(R1, Builder::kScratch);
    f.b.add(R1, f.arenaAt());
    f.b.alu(AluOp::Add, R1, R0);
}
void alloca_(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    integer(f, *args[0]);
    take(f);
    pointInto(f);
    const Firing::Frame frame(f);
    const auto result = f.allocate(8);
    b.store(Width::B8, Builder::kScratch, result, R1);
    b.mov(R3, 0); // a read that fails leaves zeros
    b.call(Helper::ProbeReadKernel);
    b.load(Width::B8, R0, Builder::kScratch, result);
}
void copyin(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto address = f.allocate(8), result = f.allocate(8);
    integer(f, *args[0]);
    b.store(Width::B8, Builder::kScratch, address, R0);
    integer(f, *args[1]);
    take(f);
    pointInto(f);
    b.store(Width::B8, Builder::kScratch, result, R1);
    b.load(Width::B8, R3, Builder::kScratch, address);
    b.call(Helper::ProbeReadUser);
    b.load(Width::B8, R1, Builder::kScratch, address);
    b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    b.load(Width::B8, R0, Builder::kScratch, result);
}
/// Copies from args[from] to args[to], which is in the arena, as many bytes as the third argument says. Behind a string there are NULs.
void copy(Firing& f, const Arguments& args, Memory memory, std::size_t from, std::size_t to)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto source = f.allocate(8), target = f.allocate(8);
    const auto most = static_cast<std::int32_t>(f.unit.arenaSize()), room = static_cast<std::int32_t>(f.unit.arenaRoom());
    const auto bytes = f.allocate(8);
    const auto* string = memory == Memory::Kernel ? stringBehind(*args[from]) : nullptr;
    std::optional<Text> given;
    const auto behind = f.allocate(8); // how far in the string
    for (std::size_t i = 0; i < 3; ++i) {
        if (string && i == from) {
            given = text(f, *string);
            offsetInString(f, *args[from], given->capacity);
            b.store(Width::B8, Builder::kScratch, behind, R0);
            continue;
        }
        integer(f, *args[i]);
        b.store(Width::B8, Builder::kScratch, i == from ? source : i == to ? target : bytes, R0);
    }

    const auto badAddress = f.fault(FaultKind::BadAddress), badSize = f.fault(FaultKind::BadSize);
    b.mov(R5, Builder::kScratch);
    b.add(R5, f.arenaAt());
    asNumber(f, R5);
    const auto loadBytes = [&] {
        b.load(Width::B8, R2, Builder::kScratch, bytes);
        b.load(Width::B8, R4, Builder::kScratch, f.arenaUsedAt());
        b.mov(R1, R2);
        b.branch(Cond::Gt, R2, most, badSize);
    };
    loadBytes();
    if (memory == Memory::Kernel && !string) {
        b.load(Width::B8, R0, Builder::kScratch, source);
        stayInGiven(f, leadOf(f.unit, *args[from]), 0);
        b.mov(R5, Builder::kScratch);
        b.add(R5, f.arenaAt());
        asNumber(f, R5);
        loadBytes();
        // Nor are bytes taken from beyond what alloca() gave, or from what it gave to a clause that is over.
        b.load(Width::B8, R0, Builder::kScratch, source);
        b.alu(AluOp::Sub, R0, R5);
        b.when({R0, Cond::Le, room}, [&] {
            b.mov(R1, R0);
            b.alu(AluOp::Add, R1, R5);
            b.branch(Cond::Gt, R0, R4, badAddress);
            b.mov(R1, R2);
            b.alu(AluOp::Add, R0, R2);
            b.branch(Cond::Gt, R0, R4, badSize);
        });
    }

    b.load(Width::B8, R1, Builder::kScratch, target);
    b.mov(R0, R1);
    b.alu(AluOp::Sub, R0, R5);
    b.branch(Cond::Gt, R0, room, badAddress);
    b.branch(Cond::Lt, R0, static_cast<std::int32_t>(Unit::kArenaGuard), badAddress);
    b.branch(Cond::Ge, R0, R4, badAddress);
    b.mov(R3, R0);
    b.alu(AluOp::Add, R3, R2);
    b.mov(R1, R2);
    b.branch(Cond::Gt, R3, R4, badSize);
    pointInto(f);
    if (string) {
        b.store(Width::B8, Builder::kScratch, target, R0);
        b.mov(R3, 0); // a read that fails leaves zeros
        b.call(Helper::ProbeReadKernel);
        b.load(Width::B8, R0, Builder::kScratch, target);
        b.clamp(R0, room);
        pointInto(f);
        b.load(Width::B8, R2, Builder::kScratch, bytes);
        const auto capacity = static_cast<std::int32_t>(given->capacity);
        b.mov(R4, capacity);
        b.load(Width::B8, R5, Builder::kScratch, behind);
        b.clamp(R5, capacity - 1);
        b.alu(AluOp::Sub, R4, R5);
        b.when({R2, Cond::Gt, R4}, [&] { b.mov(R2, R4); });
        b.clamp(R2, std::min(most, capacity));
        pointTo(f, *given, R3);
        b.alu(AluOp::Add, R3, R5);
        b.call(Helper::ProbeReadKernel);
        return b.mov(R0, 0);
    }
    b.load(Width::B8, R3, Builder::kScratch, source);
    b.call(memory == Memory::Process ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    b.load(Width::B8, R1, Builder::kScratch, source);
    b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    b.mov(R0, 0);
}
void copyinto(Firing& f, const Arguments& args) { copy(f, args, Memory::Process, 0, 2); }
void bcopy(Firing& f, const Arguments& args) { copy(f, args, Memory::Kernel, 0, 1); }

/// Writes bytes of scratch memory, at most `room` of them, to the process's memory.
void writeOut(Firing& f, std::uint32_t from, const Cell& to, const Cell& size, std::uint32_t room)
{
    auto& b = f.b;
    size.get(R3, room);
    // The helper takes no size of 0, and the verifier wants to see that.
    b.when({R3, Cond::Gt, 0}, [&] {
        to.get(R1);
        b.mov(R2, Builder::kScratch);
        b.add(R2, from);
        b.call(Helper::ProbeWriteUser);
        to.get(R1);
        b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    });
    b.mov(R0, 0);
}
void copyout(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell from(f), to(f), size(f);
    const auto room = std::max(f.unit.arenaSize(), f.unit.stringSize());
    const auto at = f.allocate(roundUp8(room));
    integer(f, *args[0]);
    from.set(R0);
    integer(f, *args[1]);
    to.set(R0);
    integer(f, *args[2]);
    size.set(R0);
    b.mov(R1, R0);
    b.mov(R2, R0);
    b.branch(Cond::Gt, R2, static_cast<std::int32_t>(room), f.fault(FaultKind::BadSize));
    zero(f, at, roundUp8(room));
    from.get(R0);
    stayInGiven(f, leadOf(f.unit, *args[0]), 0);
    from.get(R0);
    size.get(R2);
    endWithGiven(f);
    b.clamp(R2, static_cast<std::int32_t>(room));
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    from.get(R3);
    b.call(Helper::ProbeReadKernel);
    from.get(R1);
    b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    writeOut(f, at, to, size, room);
}
/// The string and its NUL, as far as the size goes.
void copyoutstr(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell to(f), size(f);
    const auto string = text(f, *args[0]);
    const auto at = f.allocate(string.capacity);
    copyText(f, string, at, string.capacity);
    integer(f, *args[1]);
    to.set(R0);
    integer(f, *args[2]);
    size.set(R0);
    lengthOf(f, scratchText(at, string.capacity));
    b.alu(AluOp::Add, R0, 1);
    size.get(R1);
    b.when({R0, Cond::Lt, R1}, [&] { size.set(R0); });
    writeOut(f, at, to, size, string.capacity);
}
} // namespace

template <> Subroutine emitter<"copyinstr">() { return {.text = copyinstr}; }
template <> Subroutine emitter<"alloca">() { return {.integer = alloca_}; }
template <> Subroutine emitter<"copyin">() { return {.integer = copyin}; }
template <> Subroutine emitter<"copyinto">() { return {.integer = copyinto}; }
template <> Subroutine emitter<"bcopy">() { return {.integer = bcopy}; }
template <> Subroutine emitter<"copyout">() { return {.integer = copyout}; }
template <> Subroutine emitter<"copyoutstr">() { return {.integer = copyoutstr}; }
} // namespace dscope::codegen
