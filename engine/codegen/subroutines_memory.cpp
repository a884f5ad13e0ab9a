#include "engine/codegen/subroutine.h"
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
        return readText(f, true, f.unit.stringLimit());
    }
    // At most so many bytes, the NUL among them.
    const auto limit = f.unit.stringLimit(), size = f.unit.stringSize();
    const auto address = f.allocate(8), at = f.allocate(size);
    zero(f, at, size);
    integer(f, *args[0]);
    b.store(Width::B8, Builder::kScratch, address, R0);
    integer(f, *args[1]);
    const auto none = b.label();
    b.branch(Cond::Eq, R0, 0, none);
    b.mov(R2, R0);
    b.clamp(R2, static_cast<std::int32_t>(limit));
    b.load(Width::B8, R3, Builder::kScratch, address);
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    b.call(Helper::ProbeReadUserStr);
    b.load(Width::B8, R1, Builder::kScratch, address);
    b.branch(Cond::Slt, R0, 0, f.fault(FaultKind::BadAddress));
    b.bind(none);
    return {Text::Base::Scratch, {}, at, size};
}

/// r0 bytes of the arena: r0 = their offset in it, known to the verifier, and r2 = the size, likewise.
void take(Firing& f)
{
    auto& b = f.b;
    const auto room = static_cast<std::int32_t>(f.unit.arenaSize());
    const auto full = f.fault(FaultKind::NoScratch);
    b.mov(R1, 0);
    b.mov(R2, R0);
    b.branch(Cond::Gt, R2, room, full);
    b.load(Width::B8, R0, Builder::kScratch, f.arenaUsedAt());
    b.branch(Cond::Gt, R0, room, full);
    b.mov(R3, R2);
    b.alu(AluOp::Add, R3, R0);
    b.branch(Cond::Gt, R3, room, full);
    // Each begins at a multiple of 8.
    b.alu(AluOp::Add, R3, 7);
    b.alu(AluOp::And, R3, -8);
    b.store(Width::B8, Builder::kScratch, f.arenaUsedAt(), R3);
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
/// Copies args[size] bytes from args[from] to args[to], which is in the arena.
void copy(Firing& f, const Arguments& args, bool user, std::size_t from, std::size_t to, std::size_t size)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto source = f.allocate(8), target = f.allocate(8);
    const auto room = static_cast<std::int32_t>(f.unit.arenaSize());
    integer(f, *args[from]);
    b.store(Width::B8, Builder::kScratch, source, R0);
    integer(f, *args[to]);
    b.store(Width::B8, Builder::kScratch, target, R0);
    integer(f, *args[size]);
    b.mov(R2, R0);
    b.mov(R1, R0);
    b.branch(Cond::Gt, R2, room, f.fault(FaultKind::BadSize));
    b.load(Width::B8, R1, Builder::kScratch, target);
    b.mov(R0, R1);
    b.mov(R3, Builder::kScratch);
    b.add(R3, f.arenaAt());
    asNumber(f, R3);
    b.alu(AluOp::Sub, R0, R3);
    const auto bad = f.fault(FaultKind::BadAddress);
    b.branch(Cond::Gt, R0, room, bad);
    b.mov(R3, R0);
    b.alu(AluOp::Add, R3, R2);
    b.load(Width::B8, R4, Builder::kScratch, f.arenaUsedAt());
    b.branch(Cond::Gt, R3, R4, bad);
    pointInto(f);
    b.load(Width::B8, R3, Builder::kScratch, source);
    b.call(user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    b.load(Width::B8, R1, Builder::kScratch, source);
    b.branch(Cond::Ne, R0, 0, f.fault(FaultKind::BadAddress));
    b.mov(R0, 0);
}
void copyinto(Firing& f, const Arguments& args) { copy(f, args, true, 0, 2, 1); }
void bcopy(Firing& f, const Arguments& args) { copy(f, args, false, 0, 1, 2); }

constexpr auto kScratchEffect = Subroutine::Effect::Scratch;
constexpr Subroutine::Example kAlloca[] = {{"alloca(8) != 0", "1"}, {"alloca(0) == alloca(0)", "1"}};
constexpr Subroutine kRows[] = {
    {"string copyinstr(uintptr_t, [size_t])", kScratchEffect, nullptr, copyinstr, nullptr,
        "the text at an address of the process that fired the probe", {}},
    {"void *alloca(size_t)", kScratchEffect, alloca_, nullptr, nullptr, "memory to write to until the probe has fired", kAlloca},
    {"void *copyin(uintptr_t, size_t)", kScratchEffect, copyin, nullptr, nullptr,
        "a copy of bytes at an address of the process that fired the probe", {}},
    {"void copyinto(uintptr_t, size_t, void *)", kScratchEffect, copyinto, nullptr, nullptr, "the same, into memory that alloca() gave",
        {}},
    {"void bcopy(void *, void *, size_t)", kScratchEffect, bcopy, nullptr, nullptr,
        "copies bytes of the kernel's memory, or of alloca()'s, into memory that alloca() gave", {}},
};
} // namespace
std::span<const Subroutine> memorySubroutines() { return kRows; }
} // namespace dscope::codegen
