#pragma once
#include "engine/codegen/firing.h"
#include "engine/codegen/records.h"
#include <functional>
namespace dscope::codegen {
/// Innermost frames that are the tracing itself: the program, bpf_trace_runN() and __bpf_trace_NAME() for a raw tracepoint;
/// the program and the trampoline that calls it for a kernel function.
constexpr std::int32_t framesOfOurs(ProgramType type)
{
    const bool direct = type == ProgramType::FunctionEntry || type == ProgramType::FunctionReturn;
    return type == ProgramType::RawTracepoint ? 3 : direct ? 2 : 0;
}
/// The kernel's stack without frames that are ours, `frames` of them at most, where `place` has r2 point to, with zeros behind them;
/// r0 = bytes, negative where there is none. Uses r0..r5.
void kernelFrames(Firing& f, std::uint32_t frames, const std::function<void()>& place);
/// Kernel frames of the firing, innermost first, as u64 addresses in scratch[at, at + 8 * frames), zeros behind them.
void kernelStack(Firing& f, std::uint32_t at, std::uint32_t frames);
/// r0 = the address of a dt_stack_t, in scratch memory of the enclosing Frame, of the stack that `e` asks for; the error "bad stack" where
/// a process's can't be walked in the kernel.
void stackValue(Firing& f, const sema::Expr& e);
bool isUserStack(const FieldPlan& field);
/// Bytes of stack that a record with `payload` other bytes and `count` user stacks has room for, each.
std::uint32_t userStackRoom(std::uint32_t payload, std::uint32_t count);
/// send() of a record at Firing::kRecord that is `size` bytes and `userStacks` user stacks behind them.
void sendWithUserStacks(Firing& f, std::uint32_t size, const FieldsPlan& fields, Share share, record::Drop::Kind drop);
/// The same for a RawSample; all its stacks are copied. `why`: two words, how the walk ended and at which address; null: no walk
/// was tried.
void sendWithCopies(Firing& f, std::uint32_t size, const FieldsPlan& fields, record::Drop::Kind drop, const Builder::Temp* why);
/// Walks each user stack of a key in scratch[key, ..), and puts its key there; goes to `copy` where one can't be walked, for what is
/// then in `why`.
void keyUserStacks(Firing& f, const FieldsPlan& fields, std::uint32_t key, Label copy, const Builder::Temp& why);
/// send() with a size that `loadSize` puts in r3, bounded.
void sendSized(Firing& f, std::uint32_t at, const std::function<void()>& loadSize, Share share, record::Drop::Kind drop);
} // namespace dscope::codegen
