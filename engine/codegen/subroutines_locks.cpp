#include "engine/codegen/expressions.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
/// The kernel's locks: who holds them.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
/// Source: kernel/locking/mutex.c, MUTEX_FLAGS: the low bits of the owner.
constexpr std::int32_t kMutexFlags = 7;
/// Source: include/asm-generic/qrwlock.h: the writer's byte when it holds the lock, and where readers are counted.
constexpr std::int32_t kWriter = 0xff, kReaderShift = 9;

/// r0 = `size` bytes at the address args[0] + `offset`.
void read(Firing& f, const Arguments& args, std::int64_t offset, std::int32_t size)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell address(f), word(f);
    integer(f, *args[0]);
    address.set(R0);
    word.set(0);
    word.addressOf(R1);
    b.mov(R2, size);
    address.get(R3);
    b.add(R3, offset);
    b.call(Helper::ProbeReadKernel);
    address.get(R1);
    b.branch(Cond::Ne, R0, 0, f.fault(record::FaultKind::BadAddress));
    word.get(R0);
}
void isNotZero(Builder& b)
{
    b.when({R0, Cond::Ne, 0}, [&] { b.mov(R0, 1); });
}
void mutexOwner(Firing& f, const Arguments& args)
{
    read(f, args, std::max<std::int64_t>(0, f.unit.kernelOffset("mutex", "owner")), 8);
    f.b.alu(AluOp::And, R0, ~kMutexFlags);
}
void mutexOwned(Firing& f, const Arguments& args)
{
    mutexOwner(f, args);
    isNotZero(f.b);
}
/// Linux has no other mutexes than those that sleep after having spun for a while.
template <int answer> void always(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    f.b.mov(R0, answer);
}
void isWriter(Firing& f, const Arguments& args)
{
    read(f, args, 0, 4);
    f.b.mov(R1, R0);
    f.b.alu(AluOp::And, R1, kWriter);
    f.b.mov(R0, 0);
    f.b.when({R1, Cond::Eq, kWriter}, [&] { f.b.mov(R0, 1); });
}
void hasReaders(Firing& f, const Arguments& args)
{
    read(f, args, 0, 4);
    f.b.alu(AluOp::Rsh, R0, kReaderShift);
    isNotZero(f.b);
}
} // namespace

template <> Subroutine emitter<"mutex_owned">() { return {.integer = mutexOwned}; }
template <> Subroutine emitter<"mutex_owner">() { return {.integer = mutexOwner}; }
template <> Subroutine emitter<"mutex_type_adaptive">() { return {.integer = always<1>}; }
template <> Subroutine emitter<"mutex_type_spin">() { return {.integer = always<0>}; }
template <> Subroutine emitter<"rw_iswriter">() { return {.integer = isWriter}; }
template <> Subroutine emitter<"rw_read_held">() { return {.integer = hasReaders}; }
template <> Subroutine emitter<"rw_write_held">() { return {.integer = isWriter}; }
} // namespace dscope::codegen
