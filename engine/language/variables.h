#pragma once
#include "engine/language/words.h"
#include <array>
namespace dscope::language {
/// A variable that D provides.
struct Variable {
    std::string_view declaration; ///< "string execname"
    std::string_view summary;     ///< a clause, lower case, no full stop
    std::string_view since = "1.0";
    Stability stability = Stability::Stable;

    constexpr std::string_view name() const { return nameIn(declaration.substr(0, declaration.find('['))); }
    constexpr std::string_view type() const { return typeIn(declaration.substr(0, declaration.find('['))); }
};

// Source: Solaris Dynamic Tracing Guide, table "DTrace Built-in Variables"; types as DTrace for Linux has them.
// clang-format off
inline constexpr auto kVariables = std::to_array<Variable>({
    {"int64_t arg0", "the first argument of the probe, as an integer"},
    {"int64_t arg1", "the second argument of the probe, as an integer"},
    {"int64_t arg2", "the third argument of the probe, as an integer"},
    {"int64_t arg3", "the fourth argument of the probe, as an integer"},
    {"int64_t arg4", "the fifth argument of the probe, as an integer"},
    {"int64_t arg5", "the sixth argument of the probe, as an integer"},
    {"int64_t arg6", "the seventh argument of the probe, as an integer"},
    {"int64_t arg7", "the eighth argument of the probe, as an integer"},
    {"int64_t arg8", "the ninth argument of the probe, as an integer"},
    {"int64_t arg9", "the tenth argument of the probe, as an integer"},
    {"args[]", "the arguments of the probe with their own types: dscope -lv shows them"},
    {"uintptr_t caller", "the address in the kernel from which the probe's function was called"},
    {"chipid_t chip", "the chip of the CPU"},
    {"processorid_t cpu", "the CPU that the probe fired on"},
    {"cpuinfo_t *curcpu", "the CPU that the probe fired on"},
    {"lwpsinfo_t *curlwpsinfo", "the thread that fired the probe"},
    {"psinfo_t *curpsinfo", "the process that fired the probe"},
    {"struct task_struct *curthread", "the kernel's data of the thread that fired the probe", "1.0", Stability::PrivateData},
    {"string cwd", "the current directory of the process"},
    {"uint64_t epid", "the number of the enabled probe, which tells clauses apart"},
    {"int errno", "the error of the last system call of the thread"},
    {"string execargs", "the command line of the process"},
    {"string execname", "the name of the program that the process runs"},
    {"fileinfo_t fds[]", "the files of the process, by file descriptor"},
    {"gid_t gid", "the real group of the process"},
    {"uint_t id", "the number of the probe, as dscope -l shows it"},
    {"uint_t ipl", "the interrupt priority level of Solaris: always 0 on Linux"},
    {"lgrp_id_t lgrp", "the latency group of the CPU"},
    {"pid_t pid", "the process that fired the probe"},
    {"pid_t ppid", "its parent"},
    {"string probefunc", "the function part of the probe's description"},
    {"string probemod", "the module part of the probe's description"},
    {"string probename", "the name part of the probe's description"},
    {"string probeprov", "the provider part of the probe's description"},
    {"psetid_t pset", "the processor set of the CPU"},
    {"string root", "the root directory of the process"},
    {"uint32_t stackdepth", "the number of frames of the kernel's stack"},
    {"id_t tid", "the thread that fired the probe"},
    {"uint64_t timestamp", "nanoseconds of a clock that only runs forward"},
    {"uint64_t ucaller", "the address in the process from which the probe's function was called", "1.2"},
    {"uid_t uid", "the real user of the process"},
    {"uint64_t uregs[]", "the registers of the process, by number: R_RIP, R_SP ..."},
    {"uint32_t ustackdepth", "the number of frames of the stack of the process", "1.2"},
    {"uint64_t vtimestamp", "nanoseconds that the thread has spent on a CPU"},
    {"int64_t walltimestamp", "nanoseconds since 1970-01-01 00:00 UTC"},
    {"string zonename", "the zone of the process: \"global\""},
});
// clang-format on
} // namespace dscope::language
