#pragma once
#include "engine/codegen/firing.h"
#include <functional>
namespace dscope::codegen {
/// Innermost frames that are the tracing itself: the program, bpf_trace_runN() and __bpf_trace_NAME() for a raw tracepoint;
/// the program and the trampoline that calls it for a kernel function.
constexpr std::int32_t framesOfOurs(ProgramType type)
{
    const bool direct = type == ProgramType::FunctionEntry || type == ProgramType::FunctionReturn;
    return type == ProgramType::RawTracepoint ? 3 : direct ? 2 : 0;
}
/// Kernel frames of the firing, innermost first, as u64 addresses in scratch[at, at + 8 * frames), zeros behind them.
void kernelStack(Firing& f, std::uint32_t at, std::uint32_t frames);
/// Appends a RawUserStack and its bytes to the record in scratch whose length so far is in `length` (a Temp word), and
/// adds to that; at most `most` bytes of stack.
void appendUserStack(Firing& f, const Builder::Temp& length, std::uint32_t least, std::uint32_t most);
/// Bytes of stack that a record with `payload` other bytes and `count` user stacks has room for, each.
std::uint32_t userStackRoom(std::uint32_t payload, std::uint32_t count);
/// send() with a size that `loadSize` puts in r3, bounded.
void sendSized(Firing& f, std::uint32_t at, const std::function<void()>& loadSize, bool control, record::Drop::Kind drop);
} // namespace dscope::codegen
