#include "engine/host/processor.h"
#include "engine/probe/provider.h"
#include "providers/process_calls.h"
namespace dscope::providers {
/// Processes and threads: creation, exec, exit, signals.
/// Source of the tracepoints' arguments: include/trace/events/{task,sched,signal,syscalls}.h.
std::unique_ptr<probe::Provider> make_proc()
{
    const std::string task = "struct task_struct *", psinfo = "psinfo_t *", lwpsinfo = "lwpsinfo_t *";
    // CLONE_THREAD
    constexpr std::string_view isThread = "(raw[1] & 0x10000) != 0", isProcess = "(raw[1] & 0x10000) == 0";
    // raw[0] is struct pt_regs *; the path is the first argument of execve, the second of execveat.
    // 32-bit programs, whose raw[kHookValue] is 1, call them by 11 and 358, with their arguments in bx (40) and cx (88).
    const auto& cpu = host::kProcessor;
    const std::string compat = "raw[" + std::to_string(probe::kHookValue) + "] ? *(uint32_t *)(raw[0] + (",
                      native = " == 11 ? 40 : 88)) : *(uint64_t *)(raw[0] + (",
                      end = " == " + std::to_string(cpu.execve) + " ? " + std::to_string(cpu.callArguments[0]) + " : "
        + std::to_string(cpu.callArguments[1]) + "))";
    const auto pathBy = [&](const std::string& number) { return "copyinstr(" + compat + number + native + number + end + ")"; };
    const std::string enteredPath = pathBy("raw[1]");

    // The path is read where it is in memory for sure: from what the kernel made of it when an exec goes well, and after the
    // kernel has read it where not. At the system call's entry its page may not be there, in a child of fork least of all.
    const std::string failedPath = pathBy("*(uint32_t *)(raw[0] + " + std::to_string(cpu.callNumber) + ")");
    constexpr std::string_view prepares = "sched_prepare_exec", failed = "(int64_t)raw[1] < 0";

    // What the kernel found wrong with an instruction, as a signal: SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV with a code of its
    // own. arg0 as in <sys/fault.h> of Solaris: FLTILL 1, FLTBPT 3, FLTACCESS 5, FLTBOUNDS 6, FLTIZDIV 8, FLTFPE 9.
    constexpr std::string_view isFault = "raw[1] > 2 && (raw[0] == 4 || raw[0] == 5 || raw[0] == 7 || raw[0] == 8 || raw[0] == 11) && "
                                         "((struct kernel_siginfo *)raw[1])->si_code > 0";
    const std::string fault = "raw[0] == 4 ? 1 : raw[0] == 5 ? 3 : raw[0] == 7 ? 5 : raw[0] == 11 ? 6 : "
                              "((struct kernel_siginfo *)raw[1])->si_code == 1 ? 8 : 9";

    const auto clones = callsThatClone(), execs = callsThatExec();
    constexpr std::uint16_t kSigtimedwait = 128; // rt_sigtimedwait, by which sigwait() takes a signal: its result is the signal's number
    constexpr std::string_view childThread = "raw[1] == 0", childProcess = "raw[1] == 0 && pid == tid";
    constexpr std::string_view lastThread = "((struct task_struct *)raw[0])->signal->live.counter == 0";

    // CLD_EXITED, CLD_KILLED, CLD_DUMPED by the wait status.
    const std::string exitReason = "(((struct task_struct *)raw[0])->exit_code & 0x7f) == 0 ? 1 : "
                                   "(((struct task_struct *)raw[0])->exit_code & 0x80) ? 3 : 2";
    // Those of one tracepoint fire in this order: a process starts before its thread, and ends after it.
    std::vector<probe::Row> rows{
        {"create", "task_newtask", "", isProcess, {{"raw[0]", task, psinfo}}},
        {"exec", prepares, "", "", {{"stringof(((struct linux_binprm *)raw[1])->filename)", "string", {}}}},
        {.probe = "exec",
            .tracepoint = "sys_exit",
            .when = failed,
            .args = {{failedPath, "string"}},
            .systemCalls = execs,
            .onlyWith = prepares},
        {.probe = "exec", .tracepoint = "sys_enter", .args = {{enteredPath, "string"}}, .systemCalls = execs, .without = prepares},
        {"exec-failure", "sys_exit", "", failed, {{"(int64_t)raw[1]", "int", {}}}, execs},
        {"exec-success", "sched_process_exec", "", "", {}},
        {"lwp-exit", "sched_process_exit", "", "", {}},
        {"exit", "sched_process_exit", "", lastThread, {{exitReason, "int", {}}}},
        {"fault", "signal_generate", "", isFault, {{fault, "int", {}}, {"raw[1]", "struct kernel_siginfo *", {}}}},
        {"lwp-create", "task_newtask", "", isThread, {{"raw[0]", task, lwpsinfo}, {"raw[0]", task, psinfo}}},
        {"start", "sys_exit", "", childProcess, {}, clones},
        {"lwp-start", "sys_exit", "", childThread, {}, clones},
        {"signal-clear", "sys_exit", "", "(int64_t)raw[1] > 0", {{"(int)raw[1]", "int", {}}}, {kSigtimedwait}},
        {"signal-discard", "signal_generate", "", "raw[4] != 0",
            {{"raw[2]", task, lwpsinfo}, {"raw[2]", task, psinfo}, {"raw[0]", "int", {}}}},
        {"signal-handle", "signal_deliver", "", "(uint64_t)((struct k_sigaction *)raw[2])->sa.sa_handler > 1",
            {{"raw[0]", "int", {}}, {"raw[1]", "struct kernel_siginfo *", {}},
                {"(uint64_t)((struct k_sigaction *)raw[2])->sa.sa_handler", "uintptr_t", {}}}},
        {"signal-send", "signal_generate", "", "raw[4] == 0",
            {{"raw[2]", task, lwpsinfo}, {"raw[2]", task, psinfo}, {"raw[0]", "int", {}}}},
    };
    return probe::synthetic({.name = "proc",
                                .summary = "processes and threads: creation, exec, exit, signals",
                                .example = "proc:::exec-success",
                                .tellsOfProcesses = true},
        std::move(rows));
}
} // namespace dscope::providers
