#include "engine/probe/provider.h"
namespace dscope::providers {
/// Processes and threads: creation, exec, exit, signals.
/// Source of the tracepoints' arguments: include/trace/events/{task,sched,signal,syscalls}.h.
std::unique_ptr<probe::Provider> make_proc()
{
    const std::string task = "struct task_struct *", psinfo = "psinfo_t *", lwpsinfo = "lwpsinfo_t *";
    // CLONE_THREAD
    constexpr std::string_view isThread = "(raw[1] & 0x10000) != 0", isProcess = "(raw[1] & 0x10000) == 0";
    // execve is system call 59, execveat 322; raw[0] is struct pt_regs *, whose orig_ax is at 120, di at 112, si at 104.
    constexpr std::string_view execEntry = "raw[1] == 59 || raw[1] == 322";
    constexpr std::string_view execFailed
        = "(int64_t)raw[1] < 0 && (*(uint64_t *)(raw[0] + 120) == 59 || *(uint64_t *)(raw[0] + 120) == 322)";
    const std::string execPath = "copyinstr(raw[1] == 59 ? *(uint64_t *)(raw[0] + 112) : *(uint64_t *)(raw[0] + 104))";
    // A child's first return to user space is that of clone (56), fork (57), vfork (58) or clone3 (435), with 0.
#define DSCOPE_CHILD_RETURNS                                                                                                       \
    "raw[1] == 0 && (*(uint64_t *)(raw[0] + 120) == 56 || *(uint64_t *)(raw[0] + 120) == 57 || *(uint64_t *)(raw[0] + 120) == 58 " \
    "|| *(uint64_t *)(raw[0] + 120) == 435)"
    constexpr std::string_view childThread = DSCOPE_CHILD_RETURNS, childProcess = DSCOPE_CHILD_RETURNS " && pid == tid";
#undef DSCOPE_CHILD_RETURNS
    constexpr std::string_view lastThread = "((struct task_struct *)raw[0])->signal->live.counter == 0";
    // CLD_EXITED, CLD_KILLED, CLD_DUMPED by the wait status.
    const std::string exitReason = "(((struct task_struct *)raw[0])->exit_code & 0x7f) == 0 ? 1 : "
                                   "(((struct task_struct *)raw[0])->exit_code & 0x80) ? 3 : 2";
    std::vector<probe::Row> rows{
        {"create", "task_newtask", "", isProcess, {{"raw[0]", task, psinfo}}},
        {"exec", "sys_enter", "", execEntry, {{execPath, "string", {}}}},
        {"exec-failure", "sys_exit", "", execFailed, {{"-(int64_t)raw[1]", "int", {}}}},
        {"exec-success", "sched_process_exec", "", "", {}},
        {"exit", "sched_process_exit", "", lastThread, {{exitReason, "int", {}}}},
        {"lwp-create", "task_newtask", "", isThread, {{"raw[0]", task, lwpsinfo}, {"raw[0]", task, psinfo}}},
        {"lwp-exit", "sched_process_exit", "", "", {}},
        {"lwp-start", "sys_exit", "", childThread, {}},
        {"signal-discard", "signal_generate", "", "raw[4] != 0",
            {{"raw[2]", task, lwpsinfo}, {"raw[2]", task, psinfo}, {"raw[0]", "int", {}}}},
        {"signal-handle", "signal_deliver", "", "(uint64_t)((struct k_sigaction *)raw[2])->sa.sa_handler > 1",
            {{"raw[0]", "int", {}}, {"raw[1]", "struct kernel_siginfo *", {}},
                {"(uint64_t)((struct k_sigaction *)raw[2])->sa.sa_handler", "uintptr_t", {}}}},
        {"signal-send", "signal_generate", "", "raw[4] == 0",
            {{"raw[2]", task, lwpsinfo}, {"raw[2]", task, psinfo}, {"raw[0]", "int", {}}}},
        {"start", "sys_exit", "", childProcess, {}},
    };
    return probe::synthetic("proc", "processes and threads: creation, exec, exit, signals", std::move(rows), true);
}
} // namespace dscope::providers
