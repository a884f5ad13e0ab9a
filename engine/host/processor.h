#pragma once
#include <array>
#include <cstdint>
#include <string_view>
namespace dscope::host {
/// Facts of the processor that BPF programs depend on: byte offsets of registers in struct pt_regs, and numbers of system calls.
/// The traced machine is the one that dscope runs on.
struct Processor {
    std::string_view name;                ///< as uname(2) tells it
    int callNumber;                       ///< of a system call, also when it returns
    int callNumberBytes;                  ///< that word has of it
    std::array<int, 6> callArguments;     ///< of a system call
    std::array<int, 8> functionArguments; ///< those in registers, by the calling convention
    int registers;                        ///< so many of them
    int onStack;                          ///< from where the stack pointer is at a function's entry to the first argument there
    int value;                            ///< what a function returns
    int instruction, stack, frame;        ///< instruction, stack and frame pointer
    int link;                             ///< the register that calls leave the return address in; -1: they push it
    std::array<int, 5> kept;              ///< what a stack is unwound by besides: registers that functions keep, or the link register
    int size;                             ///< of struct pt_regs, at the end of a thread's kernel stack
    int execve, execveat;                 ///< system calls by number
    int breakpoint;                       ///< bytes from where a kprobe was set to the instruction pointer that it finds
    std::string_view wasInUser;           ///< D: whether the registers in raw[] are those of a program
    std::uint32_t isNarrow;               ///< the bit of thread_info's flags that a 32-bit program has
    /// What a signal's handler has on the stack when it returns: where the interrupted program's frame pointer is, from the stack pointer,
    /// and in words from there its stack pointer, its instruction pointer and its link register.
    struct Signal {
        int frame, stack, instruction, link;
    } signal;
};
/// Source: arch/x86/include/asm/ptrace.h; System V ABI, AMD64 supplement, 3.2.3; arch/x86/entry/syscalls/syscall_64.tbl;
/// arch/x86/kernel/kprobes/{core,ftrace,opt}.c: all three kinds of kprobes tell the address behind a breakpoint. The stack pointer of a
/// handler that returns is at the struct ucontext: arch/x86/include/uapi/asm/sigcontext.h
inline constexpr Processor kX86{.name = "x86_64",
    .callNumber = 120,
    .callNumberBytes = 8,
    .callArguments = {112, 104, 96, 56, 72, 64},
    .functionArguments = {112, 104, 96, 88, 72, 64},
    .registers = 6,
    .onStack = 8,
    .value = 80,
    .instruction = 128,
    .stack = 152,
    .frame = 32,
    .link = -1,
    .kept = {40, 24, 16, 8, 0},
    .size = 168,
    .execve = 59,
    .execveat = 322,
    .breakpoint = 1,
    .wasInUser = "(raw[17] & 3) != 0",
    .isNarrow = 0x20000000,
    .signal = {.frame = 120, .stack = 5, .instruction = 6, .link = -1}};
/// Source: arch/arm64/include/asm/ptrace.h; Procedure Call Standard for the Arm 64-bit Architecture, 6.8.2;
/// include/uapi/asm-generic/unistd.h. The first argument of a system call is orig_x0: x0 holds the result when it returns. The
/// number is the 4 bytes of syscallno. arch/arm64/kernel/probes/kprobes.c: the address of the breakpoint itself.
/// PSR_MODE_MASK in pstate is 0 in programs; TIF_32BIT is 22. Kept are x19 to x22, and x30, the link register. The stack pointer of a
/// handler that returns is at struct rt_sigframe: siginfo (128 bytes), ucontext, whose struct sigcontext is at 176: the fault's address,
/// x0 to x30, sp, pc: arch/arm64/kernel/signal.c, arch/arm64/include/uapi/asm/{ucontext,sigcontext}.h
inline constexpr Processor kAarch64{.name = "aarch64",
    .callNumber = 280,
    .callNumberBytes = 4,
    .callArguments = {272, 8, 16, 24, 32, 40},
    .functionArguments = {0, 8, 16, 24, 32, 40, 48, 56},
    .registers = 8,
    .onStack = 0,
    .value = 0,
    .instruction = 256,
    .stack = 248,
    .frame = 232,
    .link = 240,
    .kept = {152, 160, 168, 176, 240},
    .size = 336,
    .execve = 221,
    .execveat = 281,
    .breakpoint = 0,
    .wasInUser = "(raw[33] & 15) == 0",
    .isNarrow = 0x400000,
    .signal = {.frame = 128 + 176 + 8 + 29 * 8, .stack = 2, .instruction = 3, .link = 1}};
#if defined(__x86_64__)
inline constexpr const Processor& kProcessor = kX86;
#elif defined(__aarch64__)
inline constexpr const Processor& kProcessor = kAarch64;
#else
#error "engine/host/processor.h has no row for this processor: see docs/porting.md"
#endif
constexpr bool isX86() { return &kProcessor == &kX86; }
/// The bits of a saved address that are of the address. aarch64 may sign return addresses, in bits that an address of user space does not
/// have; how many those are depends on the kernel (39, 48 or 52 bits of addresses). XPACLRI, which does nothing where none are signed,
/// takes the signature out of x30. Source: Arm Architecture Reference Manual, D8.8, C6.2 (XPAC)
inline std::uint64_t codeBits()
{
#if defined(__aarch64__)
    std::uint64_t bits = ~(std::uint64_t{1} << 55U); // of the lower half of addresses
    asm("mov x30, %0\n\thint #7\n\tmov %0, x30" : "+r"(bits) : : "x30");
    return bits;
#else
    return ~std::uint64_t{0};
#endif
}
} // namespace dscope::host
