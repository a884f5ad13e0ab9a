#pragma once
#include "engine/language/words.h"
#include <array>
namespace dscope::language {
/// A function that is no subroutine: an action, an aggregating function, or one that gives a stack or a symbol. What it means is in
/// engine/sema, which does not compile without a meaning for each row.
struct Function {
    std::string_view prototype; ///< D declaration; optional parameters in [], "@" for an aggregation or any value
    std::string_view summary;   ///< a clause, lower case, no full stop
    std::string_view since = "1.0";
    Stability stability = Stability::Stable;
    Effect effect = Effect::None;
    std::string_view refusal = {}; ///< why it cannot be had on Linux; empty: it can
    /// A statement that uses it, of a clause of syscall::write:entry, where @calls[execname] counts and self->trail is a speculation.
    std::string_view example = {};

    constexpr std::string_view name() const { return nameIn(prototype); }
};

// Source: Solaris Dynamic Tracing Guide, "Actions and Subroutines"; DTrace for Linux; illumos for setopt() and print().
// clang-format off
inline constexpr auto kActions = std::to_array<Function>({
    {.prototype = "void breakpoint()",
     .summary = "enters the kernel's debugger",
     .effect = Effect::Destructive,
     .refusal = "Linux has no kernel debugger that a probe may enter",
     .example = "breakpoint();"},
    {.prototype = "void chill(int)",
     .summary = "keeps the CPU busy for so many nanoseconds, half a second at most",
     .effect = Effect::Destructive,
     .example = "chill(500000);"},
    {.prototype = "void clear(@)",
     .summary = "sets the values of an aggregation to zero and keeps its keys",
     .example = "clear(@calls);"},
    {.prototype = "void commit(int)",
     .summary = "records what a speculation has collected",
     .example = "commit(self->trail);"},
    {.prototype = "void denormalize(@)",
     .summary = "undoes normalize()",
     .example = "denormalize(@calls);"},
    {.prototype = "void discard(int)",
     .summary = "forgets what a speculation has collected",
     .example = "discard(self->trail);"},
    {.prototype = "void exit(int)",
     .summary = "ends tracing; the argument is dscope's exit status",
     .example = "exit(0);"},
    {.prototype = "void freopen(string, ...)",
     .summary = "writes what follows to a file whose name is a format with arguments; an empty name goes back to standard output",
     .since = "1.1",
     .effect = Effect::Destructive,
     .example = R"d(freopen("/tmp/%s.out", execname);)d"},
    {.prototype = "void ftruncate()",
     .summary = "empties the file that is written to",
     .example = "ftruncate();"},
    {.prototype = "void normalize(@, uint64_t)",
     .summary = "divides the values of an aggregation by a number wherever they are printed",
     .example = "normalize(@calls, 1000);"},
    {.prototype = "void panic()",
     .summary = "stops the kernel",
     .effect = Effect::Destructive,
     .refusal = "Linux lets no BPF program panic the kernel",
     .example = "panic();"},
    {.prototype = "void pcap(void *, int)",
     .summary = "records a packet (struct sk_buff *) with its capture type, such as PCAP_ETHER; freopen() makes it a capture file",
     .since = "1.6.4",
     .example = "pcap((void *)arg0, 1);"},
    {.prototype = "void print(@)",
     .summary = "prints a value with its type, a struct with all its members",
     .since = "2.0",
     .example = "print(curthread->fs);"},
    {.prototype = "void printa(string, ...)",
     .summary = "prints aggregations now, by a format or as they would be printed at the end",
     .example = R"d(printa("%-20s %@d\n", @calls);)d"},
    {.prototype = "void printf(string, ...)",
     .summary = "prints arguments by a format",
     .example = R"d(printf("%s %d\n", execname, pid);)d"},
    {.prototype = "void raise(int)",
     .summary = "sends a signal to the process that fired the probe",
     .effect = Effect::Destructive,
     .example = "raise(2);"},
    {.prototype = "void return(int)",
     .summary = "gives the result of the kernel function instead of running it: in clauses of rawfbt, for functions that the kernel lets fail (/sys/kernel/debug/error_injection/list)",
     .since = "2.0",
     .effect = Effect::Destructive,
     .example = "return(-1);"},
    {.prototype = "void setopt(string, [string])",
     .summary = "changes an option while the program runs",
     .since = "1.2",
     .example = R"d(setopt("quiet");)d"},
    {.prototype = "void speculate(int)",
     .summary = "what follows in the clause is collected by a speculation, not recorded",
     .example = "speculate(self->trail);"},
    {.prototype = "void stop()",
     .summary = "stops the process that fired the probe, as SIGSTOP does",
     .effect = Effect::Destructive,
     .example = "stop();"},
    {.prototype = "void system(string, ...)",
     .summary = "runs a shell command, a format with arguments, when the record is read",
     .effect = Effect::Destructive,
     .example = R"d(system("ps -o args= -p %d", pid);)d"},
    {.prototype = "void trace(@)",
     .summary = "records the value of an expression",
     .example = "trace(execname);"},
    {.prototype = "void tracemem(void *, size_t, [size_t])",
     .summary = "records bytes at an address: so many, a constant, of which the third argument says how many count",
     .example = "tracemem(copyin(arg1, 64), 64);"},
    {.prototype = "void trunc(@, [int])",
     .summary = "keeps the largest so many values of an aggregation, the smallest where the number is negative, or none",
     .example = "trunc(@calls, 10);"},
});

inline constexpr auto kAggregations = std::to_array<Function>({
    {.prototype = "void count()",
     .summary = "how often it was called",
     .example = "@calls[execname] = count();"},
    {.prototype = "void sum(int64_t)",
     .summary = "the sum of the values",
     .example = "@bytes[execname] = sum(arg2);"},
    {.prototype = "void min(int64_t)",
     .summary = "the smallest value",
     .example = "@least[execname] = min(arg2);"},
    {.prototype = "void max(int64_t)",
     .summary = "the largest value",
     .example = "@most[execname] = max(arg2);"},
    {.prototype = "void avg(int64_t)",
     .summary = "the arithmetic mean of the values",
     .example = "@mean[execname] = avg(arg2);"},
    {.prototype = "void stddev(int64_t)",
     .summary = "the standard deviation of the values",
     .since = "1.6",
     .example = "@spread[execname] = stddev(arg2);"},
    {.prototype = "void quantize(int64_t, [int64_t])",
     .summary = "a distribution by powers of two; the second argument is the weight of the value",
     .example = "@sizes[execname] = quantize(arg2);"},
    {.prototype = "void lquantize(int64_t, int32_t, int32_t, [int32_t, [int64_t]])",
     .summary = "a linear distribution: value, lower bound, upper bound, step, weight",
     .example = "@sizes = lquantize(arg2, 0, 4096, 256);"},
    {.prototype = "void llquantize(int64_t, int32_t, int32_t, int32_t, int32_t, [int64_t])",
     .summary = "a linear distribution in each power of a factor: value, factor, lowest and highest exponent, steps, weight",
     .since = "1.6.4",
     .example = "@sizes = llquantize(arg2, 10, 0, 6, 20);"},
});

/// Names of addresses: of the kernel's, and of the traced process's.
inline constexpr auto kSymbolFunctions = std::to_array<Function>({
    {.prototype = "_symaddr func(uintptr_t)",
     .summary = "the kernel function at an address",
     .since = "1.2",
     .example = "@callers[func(caller)] = count();"},
    {.prototype = "_symaddr mod(uintptr_t)",
     .summary = "the kernel module at an address",
     .since = "1.2",
     .example = "@modules[mod(caller)] = count();"},
    {.prototype = "_symaddr sym(uintptr_t)",
     .summary = "the kernel symbol at an address",
     .since = "1.2",
     .example = "@callers[sym(caller)] = count();"},
    {.prototype = "_usymaddr uaddr(uintptr_t)",
     .summary = "the symbol and the offset at an address of the process",
     .since = "1.2",
     .example = "@places[uaddr(ucaller)] = count();"},
    {.prototype = "_usymaddr ufunc(uintptr_t)",
     .summary = "the function at an address of the process",
     .since = "1.2",
     .example = "@callers[ufunc(ucaller)] = count();"},
    {.prototype = "_usymaddr umod(uintptr_t)",
     .summary = "the library or program at an address of the process",
     .since = "1.2",
     .example = "@libraries[umod(ucaller)] = count();"},
    {.prototype = "_usymaddr usym(uintptr_t)",
     .summary = "the symbol at an address of the process",
     .since = "1.2",
     .example = "@callers[usym(ucaller)] = count();"},
});
inline constexpr auto kStackFunctions = std::to_array<Function>({
    {.prototype = "stack jstack([uint32_t, [uint32_t]])",
     .summary = "the stack of the process, with names of Java methods where a perf map has them",
     .example = "@stacks[jstack()] = count();"},
    {.prototype = "stack stack([uint32_t])",
     .summary = "the kernel's stack; the argument is the most frames. Variables hold it, and ustack(), as a dt_stack_t with the members depth, is_user, pid, strsz (the second argument of ustack()) and addrs, which printf's %k and trace() print",
     .example = "@stacks[stack()] = count();"},
    {.prototype = "stack ustack([uint32_t, [uint32_t]])",
     .summary = "the stack of the process; the first argument is the most frames. As a value it is as stack(); an error \"bad stack\" where it can't be walked in the kernel",
     .example = "@stacks[ustack(20)] = count();"},
});
/// A function that sema writes as other D. It takes one argument.
struct Construct {
    std::string_view prototype; ///< D declaration
    std::string_view meaning;   ///< the D expression that it stands for, in which `given` is the argument; empty: `refusal` says why
    std::string_view summary;   ///< a clause, lower case, no full stop
    std::string_view since = "1.0";
    Stability stability = Stability::Stable;
    Effect effect = Effect::None;
    std::string_view refusal = {}; ///< why it cannot be had on Linux; empty: it can
    /// A statement that uses it, of a clause of syscall::write:entry, where @calls[execname] counts and self->trail is a speculation.
    std::string_view example = {};

    constexpr std::string_view name() const { return nameIn(prototype); }
};
inline constexpr auto kConstructs = std::to_array<Construct>({
    // As fds[] is made.
    {.prototype = "struct file *getf(int)",
     .meaning = "dscope_file[given]",
     .summary = "the kernel's data of the file behind a file descriptor of the process, which fds[] translates",
     .since = "1.10",
     .example = "trace(d_path(&getf(arg0)->f_path));"},
    {.prototype = "string ddi_pathname(struct dev_info *, long)",
     .meaning = {},
     .summary = "the path name of a device node",
     .stability = Stability::Evolving,
     .refusal = "Linux has no tree of dev_info nodes with minor nodes; args[1]->dev_pathname of io probes names a device"},
});
// clang-format on
} // namespace dscope::language
