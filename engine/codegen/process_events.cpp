#include "engine/codegen/dispatch.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/records.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/string_scan.h"
#include "engine/host/processor.h"
#include "engine/object/raw.h"
/// The programs that report forks, execs and exits (record::ProcessEvent) whatever the script prints, so that the process tree
/// is complete. They are written by hand, not compiled from D.
namespace dscope::codegen {
namespace {
using EventKind = record::ProcessEvent::Kind;
// Source: include/uapi/linux/sched.h, include/linux/sched/signal.h.
constexpr std::int32_t kCloneVfork = 0x4000, kCloneThread = 0x10000, kGroupExit = 4;
constexpr std::int32_t kVfork = 1, kArgsCut = 2;
using host::kProcessor;
constexpr std::uint32_t kHead = sizeof(RawProcess);
constexpr std::int32_t kNameRoom = 256, kMostFolders = 24;
constexpr std::uint32_t kMost = kHead + kProcessArgs + kProcessPath + kProcessCwd + kNameRoom;

/// One of the programs. `cursor` is the end of the record so far. It is kept in scratch memory, not in a register, on
/// purpose: the verifier then forgets its value and every round of a loop looks the same to it.
class Event {
public:
    Event(Unit& unit, std::string name, std::string tracepoint)
        : f(unit, ProgramType::RawTracepoint, kMost), b(f.b), m_unit(unit), m_name(std::move(name)), m_tracepoint(std::move(tracepoint)),
          leave(b.label()), m_cursor(f.allocate(8))
    {
        b.mov(Builder::kContext, R1);
        b.loadMapValue(R1, unit.object.control, offsetof(Control, state));
        b.load(Width::B4, R1, R1, 0);
        // In a pause, too: the tree of processes would have holes.
        const auto follow = b.label();
        b.branch(Cond::Eq, R1, static_cast<std::int32_t>(State::Paused), follow);
        b.branch(Cond::Ne, R1, static_cast<std::int32_t>(State::Active), leave);
        b.bind(follow);
    }

    Firing f;
    Builder& b;

private:
    Unit& m_unit;
    std::string m_name, m_tracepoint;

public:
    Label leave;

    std::int64_t at(std::string_view structName, std::string_view path) const
    {
        const auto offset = m_unit.kernelOffset(structName, path);
        return offset < 0 ? 0 : offset;
    }

    /// Gets scratch memory and fills in what every event has. r8 = the current task, as the verifier knows it.
    void begin(EventKind kind)
    {
        b.lookupIndex(f.scratch(), 0);
        b.branch(Cond::Eq, R0, 0, leave);
        b.mov(Builder::kScratch, R0);
        for (std::uint32_t i = 0; i < kHead; i += 8)
            b.store(Width::B8, Builder::kScratch, i, 0);
        b.store(Width::B8, Builder::kScratch, m_cursor, static_cast<std::int32_t>(kHead));
        fillHeader(f, Firing::kRecord, static_cast<std::uint32_t>(RawKind::Process), ~0u);
        b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, event), static_cast<std::int32_t>(kind));
        b.mov(R1, Builder::kScratch);
        b.add(R1, offsetof(RawProcess, execname));
        b.mov(R2, 16);
        b.call(Helper::GetComm);
        b.call(Helper::GetUidGid);
        b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, uid), R0);
        b.call(Helper::GetTaskBtf);
        b.mov(R8, R0);
        b.load(Width::B8, R0, R8, at("task_struct", "real_parent"));
        processNumber(f);
        b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, parent), R0);
    }

    /// dst = address of the end of the record, where there is room for `room` bytes more.
    void end(Reg dst, std::uint32_t room)
    {
        b.load(Width::B8, dst, Builder::kScratch, m_cursor);
        b.when({dst, Cond::Gt, static_cast<std::int32_t>(kMost - room)}, [&] { b.mov(dst, kHead); });
        b.alu(AluOp::Add, dst, Builder::kScratch);
    }

    /// Adds r0 to the length of the record, and to its field at `length`.
    void grow(std::size_t length)
    {
        b.load(Width::B8, R1, Builder::kScratch, m_cursor);
        b.alu(AluOp::Add, R1, R0);
        b.store(Width::B8, Builder::kScratch, m_cursor, R1);
        b.load(Width::B4, R1, Builder::kScratch, static_cast<std::int64_t>(length));
        b.alu(AluOp::Add, R1, R0);
        b.store(Width::B4, Builder::kScratch, static_cast<std::int64_t>(length), R1);
    }

    /// The current process's argv.
    void args()
    {
        const auto length = b.temp(), start = b.temp();
        const auto fetch = [&] { // r2 bytes
            b.store(length, R2);
            end(R1, kProcessArgs);
            b.load(R3, start);
            b.call(Helper::ProbeReadUser);
        };

        b.block([&](Label done) {
            b.load(Width::B8, R1, R8, at("task_struct", "mm"));
            b.branch(Cond::Eq, R1, 0, done);
            b.load(Width::B8, R3, R1, at("mm_struct", "arg_start"));
            b.load(Width::B8, R2, R1, at("mm_struct", "arg_end"));
            b.store(start, R3);
            b.alu(AluOp::Sub, R2, R3);
            b.when({R2, Cond::Gt, static_cast<std::int32_t>(kProcessArgs)}, [&] {
                b.load(Width::B4, R1, Builder::kScratch, offsetof(RawProcess, flags));
                b.alu(AluOp::Or, R1, kArgsCut);
                b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, flags), R1);
                b.mov(R2, kProcessArgs);
            });

            fetch();
            b.when({R0, Cond::Ne, 0}, [&] {
                // Not all of it is in memory: as much as the first page holds.
                b.load(R1, start);
                b.alu(AluOp::And, R1, 4095);
                b.mov(R2, 4096);
                b.alu(AluOp::Sub, R2, R1);
                b.load(R1, length);
                b.when({R2, Cond::Gt, R1}, [&] { b.mov(R2, R1); });
                b.clamp(R2, static_cast<std::int32_t>(kProcessArgs));
                fetch();
                b.branch(Cond::Ne, R0, 0, done);
            });
            b.load(R0, length);
            grow(offsetof(RawProcess, argsLength));
        });
    }

    /// The text at the address in r3.
    void path(Memory from)
    {
        end(R1, kProcessPath);
        b.mov(R2, kProcessPath);
        b.call(from == Memory::Process ? Helper::ProbeReadUserStr : Helper::ProbeReadKernelStr);
        b.when({R0, Cond::Sgt, 0}, [&] { grow(offsetof(RawProcess, pathLength)); });
    }

    /// The names of the current directory and those above it, innermost first.
    void cwd()
    {
        const Cell dentry(f), mount(f), root(f);
        const auto mnt = at("mount", "mnt");
        const auto readFrom = [&](const Cell& object, std::int64_t offset) { // r0 = 8 bytes there
            object.get(R3);
            b.readKernel(R3, offset, 8);
        };

        b.block([&](Label done) {
            b.load(Width::B8, R1, R8, at("task_struct", "fs"));
            b.branch(Cond::Eq, R1, 0, done);
            b.load(Width::B8, R0, R1, at("fs_struct", "pwd.dentry"));
            dentry.set(R0);
            b.load(Width::B8, R0, R1, at("fs_struct", "pwd.mnt"));
            mount.set(R0);
            mount.get(R0);
            b.add(R0, -mnt);
            mount.set(R0);
            b.repeat(R9, kMostFolders, [&](Label) {
                readFrom(mount, mnt + at("vfsmount", "mnt_root"));
                root.set(R0);
                dentry.get(R1);
                b.either(
                    {R0, Cond::Eq, R1},
                    [&] {
                        // The root of a mounted file system: continue at its mount point, unless this is the topmost mount.
                        readFrom(mount, at("mount", "mnt_mountpoint"));
                        dentry.set(R0);
                        readFrom(mount, at("mount", "mnt_parent"));
                        mount.get(R1);
                        mount.set(R0);
                        b.branch(Cond::Eq, R0, R1, done);
                    },
                    [&] {
                        readFrom(dentry, at("dentry", "d_name.name"));
                        b.mov(R3, R0);
                        // Room for this name at least, or the walk ends.
                        b.load(Width::B4, R1, Builder::kScratch, offsetof(RawProcess, cwdLength));
                        b.branch(Cond::Gt, R1, static_cast<std::int32_t>(kProcessCwd) - kNameRoom, done);
                        end(R1, kNameRoom);
                        b.mov(R2, kNameRoom);
                        b.call(Helper::ProbeReadKernelStr);
                        b.branch(Cond::Sle, R0, 0, done);
                        grow(offsetof(RawProcess, cwdLength));
                        readFrom(dentry, at("dentry", "d_parent"));
                        dentry.set(R0);
                    });
            });
        });

        // The root itself has no names above it: say so, rather than nothing.
        b.load(Width::B4, R1, Builder::kScratch, offsetof(RawProcess, cwdLength));
        b.when({R1, Cond::Eq, 0}, [&] {
            end(R1, 2);
            b.store(Width::B1, R1, 0, '/');
            b.store(Width::B1, R1, 1, 0);
            b.mov(R0, 2);
            grow(offsetof(RawProcess, cwdLength));
        });
    }

    void finish()
    {
        sendSized(
            f, Firing::kRecord,
            [&] {
                b.load(Width::B8, R3, Builder::kScratch, m_cursor);
                b.clamp(R3, static_cast<std::int32_t>(kMost));
            },
            Share::Control, record::Drop::Kind::Process);
        b.bind(leave);
        b.mov(R0, 0);
        b.exit();
        addProgram(m_unit, f, m_name, {probe::RawTracepoint{m_tracepoint}});
    }

private:
    std::uint32_t m_cursor;
};

/// task_newtask(task, clone_flags), in the parent: sched_process_fork comes later, but does not know of vfork.
void emitFork(Unit& unit)
{
    Event e(unit, "proc_fork", "task_newtask");
    auto& b = e.b;
    b.load(Width::B8, R1, Builder::kContext, 8);
    b.alu(AluOp::And, R1, kCloneThread);
    b.branch(Cond::Ne, R1, 0, e.leave);
    e.begin(EventKind::Fork);
    b.load(Width::B8, R1, Builder::kContext, 8);
    b.alu(AluOp::And, R1, kCloneVfork);
    b.when({R1, Cond::Ne, 0}, [&] { b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, flags), kVfork); });
    b.load(Width::B8, R9, Builder::kContext, 0);
    b.mov(R0, R9);
    processNumber(e.f);
    b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, child), R0);
    b.readKernel(R9, e.at("task_struct", "real_parent"), 8);
    processNumber(e.f);
    b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, parent), R0);
    e.args();
    e.finish();
}
/// sched_process_exec(task, old pid, binprm), in the process, with its new arguments.
void emitExec(Unit& unit)
{
    Event e(unit, "proc_exec", "sched_process_exec");
    auto& b = e.b;
    e.begin(EventKind::Exec);
    e.args();
    b.load(Width::B8, R9, Builder::kContext, 16);
    b.readKernel(R9, e.at("linux_binprm", "filename"), 8);
    b.mov(R3, R0);
    e.path(Memory::Kernel);
    e.cwd();
    e.finish();
}
/// sys_exit(regs, result) of an exec that failed: its arguments are still in the registers it was called with.
void emitExecFailed(Unit& unit)
{
    Event e(unit, "proc_exec_fail", "sys_exit");
    auto& b = e.b;
    b.load(Width::B8, R1, Builder::kContext, 8);
    b.branch(Cond::Sge, R1, 0, e.leave);
    b.load(Width::B8, R9, Builder::kContext, 0);
    b.readKernel(R9, kProcessor.callNumber, kProcessor.callNumberBytes);
    b.when({R0, Cond::Ne, kProcessor.execve}, [&] { b.branch(Cond::Ne, R0, kProcessor.execveat, e.leave); });
    const auto number = b.saved(R0);
    e.begin(EventKind::ExecFailed);
    b.load(Width::B8, R1, Builder::kContext, 8);
    b.negate(R1);
    b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, status), R1);
    e.args();
    b.load(R1, number);
    b.either(
        {R1, Cond::Ne, kProcessor.execve}, [&] { b.readKernel(R9, kProcessor.callArguments[1], 8); },
        [&] { b.readKernel(R9, kProcessor.callArguments[0], 8); });
    b.mov(R3, R0);
    e.path(Memory::Process);
    e.cwd();
    e.finish();
}
/// sched_process_exit(task), in each thread; signal->live is already without it.
/// Source: kernel/exit.c, do_exit(); the status as wait_task_zombie() takes it.
void emitExit(Unit& unit)
{
    Event e(unit, "proc_exit", "sched_process_exit");
    auto& b = e.b;
    b.call(Helper::GetTaskBtf);
    b.load(Width::B8, R1, R0, e.at("task_struct", "signal"));
    b.load(Width::B4, R1, R1, e.at("signal_struct", "live"));
    b.branch(Cond::Ne, R1, 0, e.leave);
    e.begin(EventKind::Exit);
    const auto runtime = e.at("task_struct", "se.sum_exec_runtime");
    b.load(Width::B8, R9, R8, e.at("task_struct", "signal"));
    b.load(Width::B8, R2, R9, e.at("signal_struct", "sum_sched_runtime"));
    b.load(Width::B8, R3, R8, runtime);
    b.alu(AluOp::Add, R2, R3);
    b.store(Width::B8, Builder::kScratch, offsetof(RawProcess, cpuTime), R2);

    // A leader that ended before its last thread keeps its own time, and its status counts.
    b.load(Width::B4, R1, R8, e.at("task_struct", "pid"));
    b.load(Width::B4, R2, R8, e.at("task_struct", "tgid"));
    b.when({R1, Cond::Ne, R2}, [&] {
        b.load(Width::B8, R4, R8, e.at("task_struct", "group_leader"));
        b.load(Width::B8, R3, R4, runtime);
        b.load(Width::B8, R2, Builder::kScratch, offsetof(RawProcess, cpuTime));
        b.alu(AluOp::Add, R2, R3);
        b.store(Width::B8, Builder::kScratch, offsetof(RawProcess, cpuTime), R2);
    });

    b.load(Width::B4, R1, R9, e.at("signal_struct", "flags"));
    b.alu(AluOp::And, R1, kGroupExit);
    b.either(
        {R1, Cond::Ne, 0}, [&] { b.load(Width::B4, R1, R9, e.at("signal_struct", "group_exit_code")); },
        [&] {
            b.load(Width::B8, R1, R8, e.at("task_struct", "group_leader"));
            b.load(Width::B4, R1, R1, e.at("task_struct", "exit_code"));
        });
    b.store(Width::B4, Builder::kScratch, offsetof(RawProcess, status), R1);
    e.finish();
}
} // namespace

void emitProcessEvents(Unit& unit)
{
    emitFork(unit);
    emitExec(unit);
    emitExecFailed(unit);
    emitExit(unit);
}
} // namespace dscope::codegen
