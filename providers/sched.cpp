#include "engine/probe/provider.h"
#include "providers/process_calls.h"
namespace dscope::providers {
/// The scheduler: who waits for a CPU, who gets one, and why it goes.
/// Source of the tracepoints' arguments: include/trace/events/{sched,rcu}.h; kernel/sched/core.c, __schedule().
std::unique_ptr<probe::Provider> make_sched()
{
    using probe::Row;
    const std::string task = "struct task_struct *", psinfo = "psinfo_t *", lwpsinfo = "lwpsinfo_t *", cpuinfo = "cpuinfo_t *";
    const auto thread = [&](const std::string& value) { return std::vector<probe::Arg>{{value, task, lwpsinfo}, {value, task, psinfo}}; };
    const auto threadOn = [&](const std::string& value, const std::string& cpu) {
        auto args = thread(value);
        args.push_back({cpu, "int", cpuinfo});
        return args;
    };

    const auto threadOff = [&](const std::string& value, const std::string& cpu, const std::string& moves) {
        auto args = threadOn(value, cpu);
        args.push_back({moves, "int", {}});
        return args;
    };

    const std::string itsCpu = "(int)((struct task_struct *)raw[0])->thread_info.cpu";
    // sched_switch(bool preempt, struct task_struct *from, struct task_struct *to, unsigned int state of `from`).
    // The idle thread of a CPU has pid 0; state 0 means that the thread still wants to run, 0x80 that it has ended.
    constexpr std::string_view leavesAlive = "(raw[0] || (uint32_t)raw[3] == 0) && ((struct task_struct *)raw[1])->pid != 0";
    constexpr std::string_view sleeps = "!raw[0] && (uint32_t)raw[3] != 0 && (uint32_t)raw[3] != 0x80";
    constexpr std::string_view takesThread = "((struct task_struct *)raw[2])->pid != 0";
    constexpr std::string_view waitsForCpu = "((struct task_struct *)raw[0])->on_rq != 0";

    const auto clones = callsThatClone();
    // A new thread does not come out of the scheduler the way the others do. Kernels before 6.17 have no such tracepoint.
    constexpr std::string_view exits = "sched_exit_tp";
    std::vector<Row> rows{
        {"change-pri", "sched_pi_setprio", "", "",
            {{"raw[0]", task, lwpsinfo}, {"raw[0]", task, psinfo},
                {"raw[1] && ((struct task_struct *)raw[1])->prio < ((struct task_struct *)raw[0])->normal_prio ? ((struct task_struct "
                 "*)raw[1])->prio : ((struct task_struct *)raw[0])->normal_prio",
                    "int", {}}}},
        {"dequeue", "sched_switch", "", takesThread, threadOff("raw[2]", "(int)cpu", "0")},
        {"dequeue", "sched_migrate_task", "", waitsForCpu, threadOff("raw[0]", itsCpu, "1")},
        {"enqueue", "sched_wakeup", "", "", threadOn("raw[0]", itsCpu)},
        {"enqueue", "sched_wakeup_new", "", "", threadOn("raw[0]", itsCpu)},
        {"enqueue", "sched_switch", "", leavesAlive, threadOn("raw[1]", "(int)cpu")},
        {"enqueue", "sched_migrate_task", "", waitsForCpu, threadOn("raw[0]", "(int)raw[1]")},
        // They fire in this order: why a thread goes, then that it goes.
        {"preempt", "sched_switch", "", leavesAlive, {}},
        {"sleep", "sched_switch", "", sleeps, {}},
        {"off-cpu", "sched_switch", "", "", thread("raw[2]")},
        {"on-cpu", "sched_exit_tp", "", "(raw[0] & 1) != 0", {}},
        {.probe = "on-cpu", .tracepoint = "sys_exit", .when = "raw[1] == 0", .systemCalls = clones, .onlyWith = exits},
        {.probe = "on-cpu", .without = exits, .kernelFunction = "finish_task_switch"},
        {"remain-cpu", "sched_exit_tp", "", "(raw[0] & 1) == 0", {}},
        {"surrender", "sys_enter", "", "", thread("(uint64_t)curthread"), {24}}, // sched_yield
        {"tick", "rcu_utilization", "", "stringof((char *)raw[0]) == \"Start scheduler-tick\" && tid != 0", thread("(uint64_t)curthread")},
        {"wakeup", "sched_waking", "", "", thread("raw[0]")},
    };

    constexpr std::string_view noCap
        = "Linux throttles CPU time by cgroup and has no tracepoint for it; /sys/fs/cgroup/*/cpu.stat counts it";
    constexpr std::string_view noSchedctl = "Linux has no schedctl(3C): a thread cannot ask to be left on its CPU";
    for (const std::string_view probe : {"cpucaps-sleep", "cpucaps-wakeup"})
        rows.push_back({.probe = probe, .why = noCap});
    for (const std::string_view probe : {"schedctl-nopreempt", "schedctl-preempt", "schedctl-yield"})
        rows.push_back({.probe = probe, .why = noSchedctl});
    return probe::synthetic(
        {.name = "sched", .summary = "the scheduler: who waits for a CPU, who gets one, and why it goes", .example = "sched:::on-cpu"},
        std::move(rows));
}
} // namespace dscope::providers
