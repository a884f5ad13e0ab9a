#include "engine/host/call_numbers.h"
#include "engine/host/processor.h"
#include "engine/probe/provider.h"
#include "providers/process_calls.h"
namespace dscope::providers {
/// What the kernel's `sys` statistics count. Each probe fires when its count grows; arg0 is by how much, arg1 where the
/// kernel keeps the thread's own 64-bit count where it has one (else 0), arg2 the CPU.
/// Source of the tracepoints' arguments: include/trace/events/{sched,task,block,ipi,lock,module}.h, asm/trace/exceptions.h.
std::unique_ptr<probe::Provider> make_sysinfo()
{
    using probe::Row;
    const auto grows = [](const std::string& by, const std::string& where = "0") {
        return std::vector<probe::Arg>{{by, "uint64_t", {}}, {where, "uint64_t *", {}}, {"(int)cpu", "int", "cpuinfo_t *"}};
    };

    const auto one = grows("1");
    const auto ofThread = [](std::string_view member) { return "(uint64_t)&curthread->" + std::string(member); };
    // System calls of x86-64. Source: arch/x86/entry/syscalls/syscall_64.tbl.
    const std::vector<std::uint16_t> reads{0, 17, 19, 295, 327}, writes{1, 18, 20, 296, 328}; // read, pread64, readv, preadv, preadv2 ...
    const std::vector<std::uint16_t> messages{69, 70}, semaphores{65, 220};                   // msgsnd, msgrcv; semop, semtimedop
    const auto execs = callsThatExec(), forks = callsThatClone();

    // All that begin with looking up a path; newfstatat(fd, "", AT_EMPTY_PATH), glibc's fstat, has none to look up.
    const std::vector<std::uint16_t> paths{2, 4, 6, 21, 59, 76, 80, 82, 83, 84, 85, 86, 87, 88, 89, 90, 92, 94, 132, 133, 134, 137, 155,
        161, 163, 165, 166, 167, 168, 188, 189, 191, 192, 194, 195, 197, 198, 235, 254, 257, 258, 259, 260, 261, 263, 264, 265, 266, 267,
        268, 269, 280, 303, 316, 322, 437, 439, 452};
    const std::vector<std::uint16_t> pathsWithFlags{262, 332}; // newfstatat: flags in r10, statx: in dx

    // struct request::cmd_flags: the lower 8 bits say what is done. Source: include/linux/blk_types.h.
    constexpr std::string_view isRead = "(((struct request *)raw[0])->cmd_flags & 0xff) == 0";
    constexpr std::string_view isWrite = "(((struct request *)raw[0])->cmd_flags & 0xff) == 1";
    constexpr std::string_view isAsyncWrite
        = "(((struct request *)raw[0])->cmd_flags & 0xff) == 1 && (((struct request *)raw[0])->cmd_flags & (1 << __REQ_SYNC)) == 0";
    constexpr std::string_view involuntary = "(raw[0] || (uint32_t)raw[3] == 0) && ((struct task_struct *)raw[1])->pid != 0";

    // clone flags: CLONE_VFORK 0x4000, CLONE_THREAD 0x10000; PF_KTHREAD 0x200000 of the new task.
    constexpr std::string_view isFork = "(raw[1] & 0x14000) == 0 && (((struct task_struct *)raw[0])->flags & 0x200000) == 0";
    constexpr std::string_view isVfork = "(raw[1] & 0x4000) != 0 && (raw[1] & 0x10000) == 0";
    // contention_begin(void *lock, unsigned int flags). Source: include/trace/events/lock.h.
    constexpr std::string_view mutex = "(raw[1] & 32) != 0", reader = "(raw[1] & 2) != 0", writer = "(raw[1] & 4) != 0";

    // The CPUs of a mask among the first 64, counted in parallel by halves.
    const std::string mask = "(*(uint64_t *)raw[0])", pairs = "(" + mask + " - ((" + mask + " >> 1) & 0x5555555555555555))";
    const std::string fours = "((" + pairs + " & 0x3333333333333333) + ((" + pairs + " >> 2) & 0x3333333333333333))";
    const std::string cpus = "((((" + fours + " + (" + fours + " >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101) >> 56)";

    // The path of newfstatat(2) may be empty, and so may that of statx(2), whose flags are an argument earlier: AT_EMPTY_PATH.
    const auto& calls = host::kProcessor.callArguments;
    static const std::string flagless = "(*(uint64_t *)(raw[0] + (raw[1] == " + std::to_string(host::callNumberHere(262).value_or(0))
        + " ? " + std::to_string(calls[3]) + " : " + std::to_string(calls[2]) + ")) & 0x1000) == 0";
    std::vector<Row> rows{
        {"bawrite", "block_rq_issue", "", isAsyncWrite, one}, // a write that nobody waits for is handed to a device
        {"bread", "block_rq_issue", "", isRead, one},         // a device is asked to read
        {"bwrite", "block_rq_issue", "", isWrite, one},       // a device is asked to write
        {"idlethread", "sched_switch", "", "((struct task_struct *)raw[2])->pid == 0", one}, // a CPU begins to idle
        {"inv_swtch", "sched_switch", "", involuntary, grows("1", "(uint64_t)&((struct task_struct *)raw[1])->nivcsw")}, // lost its CPU
        {"lread", "block_touch_buffer", "", "", one},           // a buffer of a file system's metadata is used
        {"lwrite", "block_dirty_buffer", "", "", one},          // such a buffer is changed in memory
        {"modload", "module_load", "", "", one},                // a kernel module was loaded
        {"modunload", "module_free", "", "", one},              // a kernel module goes
        {"msg", "sys_enter", "", "", one, messages},            // msgsnd(2) and msgrcv(2)
        {"mutex_adenters", "contention_begin", "", mutex, one}, // a kernel mutex is taken: the thread spins, then sleeps for it
        {"namei", "sys_enter", "", "", one, paths},             // a system call looks up a path
        {"namei", "sys_enter", "", flagless, one, pathsWithFlags},
        {"nthreads", "task_newtask", "", "", one}, // a thread comes into being, be it a process's first or the kernel's own
        {"procovf", "sys_exit", "", "(int64_t)raw[1] == -11", one, forks}, // no process could be made: EAGAIN
        {"pswitch", "sched_switch", "", "", one},                          // a CPU goes from one thread to another
        {"readch", "sys_exit", "", "(int64_t)raw[1] >= 0", grows("raw[1]", ofThread("ioac.rchar")),
            reads},                                          // bytes that read(2) and the calls like it read
        {"rw_rdfails", "contention_begin", "", reader, one}, // a reader finds a readers-writer lock taken
        {"rw_wrfails", "contention_begin", "", writer, one}, // a writer does
        {"sema", "sys_enter", "", "", one, semaphores},      // semop(2) and semtimedop(2)
        {"sysexec", "sys_enter", "", "", one, execs},        // execve(2) and execveat(2) are called
        {"sysfork", "task_newtask", "", isFork, one},        // a process is made by fork(2), or a clone(2) that makes one
        {"sysread", "sys_enter", "", "", grows("1", ofThread("ioac.syscr")), reads}, // calls of read(2) and the calls like it
        {"sysvfork", "task_newtask", "", isVfork, one}, // a process is made by vfork(2), or a clone(2) that waits as it does
        {"syswrite", "sys_enter", "", "", grows("1", ofThread("ioac.syscw")), writes}, // calls of write(2) and the calls like it
        {"trap", "page_fault_user", "", "", one}, // a page fault: the only trap that the kernel tells of
        {"trap", "page_fault_kernel", "", "", one},
        {"writech", "sys_exit", "", "(int64_t)raw[1] >= 0", grows("raw[1]", ofThread("ioac.wchar")),
            writes},                                         // bytes that write(2) and the calls like it wrote
        {"xcalls", "ipi_send_cpu", "", "", one},             // a CPU interrupts another, which is to do something at once
        {"xcalls", "ipi_send_cpumask", "", "", grows(cpus)}, // or several: arg0 is how many of the first 64
        {.probe = "intrblk",
            .args = one,
            .why = "interrupts of Linux are not threads and cannot block; sched:::sleep tells of those that are, by curthread"},
        {.probe = "phread", .args = one, .why = "Linux has no raw devices beside its block devices; sysinfo:::bread counts reads of those"},
        {.probe = "phwrite",
            .args = one,
            .why = "Linux has no raw devices beside its block devices; sysinfo:::bwrite counts writes to those"},
    };

    for (const std::string_view probe : {"ufsdirblk", "ufsiget", "ufsinopage", "ufsipage"})
        rows.push_back({.probe = probe,
            .args = one,
            .why = "it counts what UFS does, which Linux does not write; sdt:ext4 and sdt:xfs tell of its file systems"});
    return probe::synthetic(
        {.name = "sysinfo", .summary = "what the kernel's system statistics count, as it happens", .example = "sysinfo:::pswitch"},
        std::move(rows));
}
} // namespace dscope::providers
