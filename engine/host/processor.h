#pragma once
#include <array>
#include <cstdint>
#include <string_view>
namespace dscope::host {
/// Facts of the processor that BPF programs depend on: byte offsets of registers in struct pt_regs, and numbers of system calls.
/// The traced machine is the one that dscope runs on.
struct Processor {
    std::string_view name;                  ///< as uname(2) tells it
    int callNumber;                         ///< of a system call, also when it returns
    std::array<int, 6> callArguments;       ///< of a system call
    std::array<int, 6> functionArguments;   ///< those in registers that are as many on both; by the calling convention
    int value;                              ///< what a function returns
    int instruction, stack, frame;          ///< instruction, stack and frame pointer
    int size;                               ///< of struct pt_regs, at the end of a thread's kernel stack
    int execve, execveat;                   ///< system calls by number
    int breakpoint;                         ///< bytes from where a kprobe was set to the instruction pointer that it finds
};
/// Source: arch/x86/include/asm/ptrace.h; System V ABI, AMD64 supplement, 3.2.3; arch/x86/entry/syscalls/syscall_64.tbl;
/// arch/x86/kernel/kprobes/{core,ftrace,opt}.c: all three kinds of kprobes tell the address behind a breakpoint.
inline constexpr Processor kX86{"x86_64", 120, {112, 104, 96, 56, 72, 64}, {112, 104, 96, 88, 72, 64}, 80, 128, 152, 32, 168, 59, 322, 1};
/// Source: arch/arm64/include/asm/ptrace.h; Procedure Call Standard for the Arm 64-bit Architecture, 6.8.2;
/// include/uapi/asm-generic/unistd.h. The first argument of a system call is orig_x0: x0 holds the result when it returns. The
/// number is the 4 bytes of syscallno. arch/arm64/kernel/probes/kprobes.c: the address of the breakpoint itself.
inline constexpr Processor kAarch64{
    "aarch64", 280, {272, 8, 16, 24, 32, 40}, {0, 8, 16, 24, 32, 40}, 0, 256, 248, 232, 336, 221, 281, 0};
#if defined(__x86_64__)
inline constexpr const Processor& kProcessor = kX86;
#elif defined(__aarch64__)
inline constexpr const Processor& kProcessor = kAarch64;
#else
#error "engine/host/processor.h has no row for this processor: see docs/porting.md"
#endif
} // namespace dscope::host
