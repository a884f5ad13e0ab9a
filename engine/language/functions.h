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

    constexpr std::string_view name() const { return nameIn(prototype); }
};

// Source: Solaris Dynamic Tracing Guide, "Actions and Subroutines"; DTrace for Linux; illumos for setopt() and print().
// clang-format off
inline constexpr auto kActions = std::to_array<Function>({
    {.prototype = "void breakpoint()",
     .summary = "enters the kernel's debugger",
     .effect = Effect::Destructive,
     .refusal = "Linux has no kernel debugger that a probe may enter"},
    {.prototype = "void chill(int)",
     .summary = "keeps the CPU busy for so many nanoseconds, half a second at most",
     .effect = Effect::Destructive},
    {.prototype = "void clear(@)",
     .summary = "sets the values of an aggregation to zero and keeps its keys"},
    {.prototype = "void commit(int)",
     .summary = "records what a speculation has collected"},
    {.prototype = "void denormalize(@)",
     .summary = "undoes normalize()"},
    {.prototype = "void discard(int)",
     .summary = "forgets what a speculation has collected"},
    {.prototype = "void exit(int)",
     .summary = "ends tracing; the argument is dscope's exit status"},
    {.prototype = "void freopen(string, ...)",
     .summary = "writes what follows to a file whose name is a format with arguments; an empty name goes back to standard output",
     .since = "1.1",
     .effect = Effect::Destructive},
    {.prototype = "void ftruncate()",
     .summary = "empties the file that is written to"},
    {.prototype = "void normalize(@, uint64_t)",
     .summary = "divides the values of an aggregation by a number wherever they are printed"},
    {.prototype = "void panic()",
     .summary = "stops the kernel",
     .effect = Effect::Destructive,
     .refusal = "Linux lets no BPF program panic the kernel"},
    {.prototype = "void pcap(void *, int)",
     .summary = "records a packet (struct sk_buff *) with its capture type, such as PCAP_ETHER; freopen() makes it a capture file",
     .since = "1.6.4"},
    {.prototype = "void print(@)",
     .summary = "prints a value with its type, a struct with all its members",
     .since = "2.0"},
    {.prototype = "void printa(string, ...)",
     .summary = "prints aggregations now, by a format or as they would be printed at the end"},
    {.prototype = "void printf(string, ...)",
     .summary = "prints arguments by a format"},
    {.prototype = "void raise(int)",
     .summary = "sends a signal to the process that fired the probe",
     .effect = Effect::Destructive},
    {.prototype = "void setopt(string, [string])",
     .summary = "changes an option while the program runs",
     .since = "1.2"},
    {.prototype = "void speculate(int)",
     .summary = "what follows in the clause is collected by a speculation, not recorded"},
    {.prototype = "void stop()",
     .summary = "stops the process that fired the probe, as SIGSTOP does",
     .effect = Effect::Destructive},
    {.prototype = "void system(string, ...)",
     .summary = "runs a shell command, a format with arguments, when the record is read",
     .effect = Effect::Destructive},
    {.prototype = "void trace(@)",
     .summary = "records the value of an expression"},
    {.prototype = "void tracemem(void *, size_t, [size_t])",
     .summary = "records bytes at an address: so many, a constant, of which the third argument says how many count"},
    {.prototype = "void trunc(@, [int])",
     .summary = "keeps the largest so many values of an aggregation, the smallest where the number is negative, or none"},
});

inline constexpr auto kAggregations = std::to_array<Function>({
    {.prototype = "void count()",
     .summary = "how often it was called"},
    {.prototype = "void sum(int64_t)",
     .summary = "the sum of the values"},
    {.prototype = "void min(int64_t)",
     .summary = "the smallest value"},
    {.prototype = "void max(int64_t)",
     .summary = "the largest value"},
    {.prototype = "void avg(int64_t)",
     .summary = "the arithmetic mean of the values"},
    {.prototype = "void stddev(int64_t)",
     .summary = "the standard deviation of the values",
     .since = "1.6"},
    {.prototype = "void quantize(int64_t, [int64_t])",
     .summary = "a distribution by powers of two; the second argument is the weight of the value"},
    {.prototype = "void lquantize(int64_t, int32_t, int32_t, [int32_t, [int64_t]])",
     .summary = "a linear distribution: value, lower bound, upper bound, step, weight"},
    {.prototype = "void llquantize(int64_t, int32_t, int32_t, int32_t, int32_t, [int64_t])",
     .summary = "a linear distribution in each power of a factor: value, factor, lowest and highest exponent, steps, weight",
     .since = "1.6.4"},
});

/// Names of addresses: of the kernel's, and of the traced process's.
inline constexpr auto kSymbolFunctions = std::to_array<Function>({
    {.prototype = "_symaddr func(uintptr_t)",
     .summary = "the kernel function at an address",
     .since = "1.2"},
    {.prototype = "_symaddr mod(uintptr_t)",
     .summary = "the kernel module at an address",
     .since = "1.2"},
    {.prototype = "_symaddr sym(uintptr_t)",
     .summary = "the kernel symbol at an address",
     .since = "1.2"},
    {.prototype = "_usymaddr uaddr(uintptr_t)",
     .summary = "the symbol and the offset at an address of the process",
     .since = "1.2"},
    {.prototype = "_usymaddr ufunc(uintptr_t)",
     .summary = "the function at an address of the process",
     .since = "1.2"},
    {.prototype = "_usymaddr umod(uintptr_t)",
     .summary = "the library or program at an address of the process",
     .since = "1.2"},
    {.prototype = "_usymaddr usym(uintptr_t)",
     .summary = "the symbol at an address of the process",
     .since = "1.2"},
});
inline constexpr auto kStackFunctions = std::to_array<Function>({
    {.prototype = "stack jstack([uint32_t, [uint32_t]])",
     .summary = "the stack of the process, with names of Java methods where a perf map has them"},
    {.prototype = "stack stack([uint32_t])",
     .summary = "the kernel's stack; the argument is the most frames"},
    {.prototype = "stack ustack([uint32_t, [uint32_t]])",
     .summary = "the stack of the process; the first argument is the most frames"},
});
/// Functions that sema writes as other D.
inline constexpr auto kConstructs = std::to_array<Function>({
    {.prototype = "fileinfo_t *getf(int)",
     .summary = "the file behind a file descriptor of the process, as fds[] has it",
     .since = "1.10"},
    {.prototype = "string ddi_pathname(struct dev_info *, long)",
     .summary = "the path name of a device node",
     .stability = Stability::Evolving,
     .refusal = "Linux has no tree of dev_info nodes with minor nodes; args[1]->dev_pathname of io probes names a device"},
});
// clang-format on
} // namespace dscope::language
