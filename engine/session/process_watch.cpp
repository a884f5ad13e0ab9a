#include "engine/session/process_watch.h"
#include "engine/session/watch_program.h"
namespace dscope::session {
namespace {
std::string number(std::uint64_t value) { return std::to_string(value); }
/// r6 = the current process, r0 = its role's address; goes to `stranger` when it has none.
std::string findRole(const Watched& watched, const char* stranger)
{
    return "call 14\nrsh %r0, 32\nmov %r6, %r0\nstxw [%r10-12], %r6\nlddw %r1, map " + number(static_cast<std::uint64_t>(watched.map()))
        + "\nmov %r2, %r10\nadd %r2, -12\ncall 1\njeq %r0, 0, " + stranger + "\n";
}
/// Reports the process; stops it first if the role in r7 has one of `stops`.
std::string meet(const Watched& watched, std::uint32_t stops)
{
    return "and %r7, " + number(stops) + "\njeq %r7, 0, tell\n" + stopAndTell(watched, Watched::kIsNew | Watched::kWaits)
        + "ja done\ntell:\n" + stopAndTell(watched, Watched::kIsNew) + "done:\nmov %r0, 0\nexit\n";
}
/// What the roles of a process are to what it forks.
constexpr std::uint32_t kInherited = Watched::kStops | Watched::kHeirs | Watched::kForks;
/// Takes kForks out of the role in r7 where nobody is stopped because of it any more.
std::string forgetForks(const Watched& watched)
{
    return "stw [%r10-12], " + number(Watched::kHoldsNoForks) + "\nlddw %r1, map " + number(static_cast<std::uint64_t>(watched.map()))
        + "\nmov %r2, %r10\nadd %r2, -12\ncall 1\njeq %r0, 0, hold\nand %r7, " + number(kInherited & ~Watched::kForks) + "\nhold:\n";
}
/// sched_process_exec(task, old pid, binprm), in the process. Another program need not have probes, so what it forks goes on.
std::string atExec(const Watched& watched, ProcessWatch::Execs execs)
{
    return findRole(watched, execs == ProcessWatch::Execs::OfAll ? "tell" : "done") + "ldxw %r7, [%r0]\nand %r7, "
        + number(kInherited & ~Watched::kForks) + "\nstxw [%r0], %r7\n" + meet(watched, Watched::kStops);
}
/// task_newtask(task, clone_flags), in the parent. A child that shares its parent's memory (CLONE_VM: vfork) is met at its exec.
std::string atFork(const Watched& watched, std::uint32_t tgid)
{
    constexpr std::uint32_t kCloneVm = 0x100, kCloneThread = 0x10000; // include/uapi/linux/sched.h
    return "mov %r8, %r1\nldxdw %r9, [%r8+8]\nmov %r1, %r9\nand %r1, " + number(kCloneThread) + "\njne %r1, 0, done\n"
        + findRole(watched, "done") + "ldxw %r7, [%r0]\nmov %r1, %r7\nand %r1, " + number(Watched::kHeirs) + "\njeq %r1, 0, done\nand %r7, "
        + number(kInherited) + "\nmov %r1, %r9\nand %r1, " + number(kCloneVm) + "\njne %r1, 0, keep\nor %r7, " + number(Watched::kNewborn)
        + "\nkeep:\nstxw [%r10-16], %r7\nstw [%r10-20], 0\nldxdw %r3, [%r8]\nadd %r3, " + number(tgid)
        + "\nmov %r1, %r10\nadd %r1, -20\nmov %r2, 4\ncall 113\n" // probe_read_kernel
          "lddw %r1, map "
        + number(static_cast<std::uint64_t>(watched.map()))
        + "\nmov %r2, %r10\nadd %r2, -20\nmov %r3, %r10\nadd %r3, -16\nmov %r4, 0\ncall 2\ndone:\nmov %r0, 0\nexit\n";
}
/// sys_exit(regs, result): a child comes back from its parent's fork with 0, and nothing of it has run before.
std::string atBirth(const Watched& watched)
{
    return "ldxdw %r2, [%r1+8]\njne %r2, 0, done\n" + findRole(watched, "done") + "ldxw %r7, [%r0]\nmov %r1, %r7\nand %r1, "
        + number(Watched::kNewborn) + "\njeq %r1, 0, done\nand %r7, " + number(kInherited) + "\nstxw [%r0], %r7\n" + forgetForks(watched)
        + meet(watched, Watched::kStops | Watched::kForks);
}
/// sched_process_exit(task), in each thread: a process is forgotten with its first one.
std::string atExit(const Watched& watched)
{
    return "call 14\nmov %r6, %r0\nrsh %r6, 32\nlsh %r0, 32\nrsh %r0, 32\njne %r0, %r6, done\nstxw [%r10-12], %r6\nlddw %r1, map "
        + number(static_cast<std::uint64_t>(watched.map())) + "\nmov %r2, %r10\nadd %r2, -12\ncall 3\ndone:\nmov %r0, 0\nexit\n";
}
} // namespace

Result<ProcessWatch> ProcessWatch::make(const Watched& watched, Execs execs, std::uint32_t tgid)
{
    ProcessWatch watch;
    const auto run = [&](const char* name, const char* tracepoint, const std::string& text) -> Result<> {
        DSCOPE_TRY(Fd program, loadWatch(name, text, BPF_PROG_TYPE_RAW_TRACEPOINT));
        DSCOPE_CHECK(attach(probe::RawTracepoint{tracepoint}, program.get(), watch.m_links));
        watch.m_programs.push_back(std::move(program));
        return {};
    };
    DSCOPE_CHECK(run("watch_exit", "sched_process_exit", atExit(watched)));
    DSCOPE_CHECK(run("watch_birth", "sys_exit", atBirth(watched)));
    DSCOPE_CHECK(run("watch_fork", "task_newtask", atFork(watched, tgid)));
    DSCOPE_CHECK(run("watch_exec", "sched_process_exec", atExec(watched, execs)));
    return watch;
}
} // namespace dscope::session
