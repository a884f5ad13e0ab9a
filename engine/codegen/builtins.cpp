#include "engine/codegen/expressions.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/records.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/text.h"
#include "engine/codegen/walk.h"
#include "engine/host/processor.h"
#include "engine/object/raw.h"
#include <algorithm>
/// Variables the engine provides.
namespace dscope::codegen {
using sema::Builtin;
namespace {
/// r0 = an integer member of the current task. The verifier reads it as typed kernel memory: no helper, no fault.
void taskMember(Firing& f, std::string_view path, Width width)
{
    const auto offset = f.unit.kernelOffset("task_struct", path);
    if (offset < 0) return f.b.mov(R0, 0);
    f.loadTask();
    f.b.load(width, R0, R0, offset);
}
void pidTgid(Firing& f)
{
    if (f.has(Firing::kPidTgid)) return f.b.load(Width::B8, R0, Builder::kScratch, f.onceAt(Firing::kPidTgid));
    currentNumbers(f);
    f.b.store(Width::B8, Builder::kScratch, f.onceAt(Firing::kPidTgid), R0);
    f.nowHas(Firing::kPidTgid);
}
/// r0 = word `word` of measureUserStack()'s result, for at most `frames` frames; a fault if the stack cannot be walked.
void measured(Firing& f, std::uint32_t frames, int word)
{
    auto& b = f.b;
    const auto bad = f.fault(record::FaultKind::BadStack);
    if (!f.unit.canWalk()) {
        b.mov(R1, 0);
        b.branch(Cond::Eq, R1, 0, bad);
        return b.mov(R0, 0);
    }
    if (f.hook && std::holds_alternative<probe::Manual>(f.hook->at)) f.unit.walksOurOwn();
    const auto result = b.temp(2);
    measureUserStack(f, frames, result);
    b.load(R1, result, 1);
    b.branch(Cond::Ge, R0, static_cast<std::int32_t>(WalkEnd::Busy), bad);
    b.load(R0, result, word);
}
std::uint32_t framesLookedAt(const Firing& f)
{
    const auto& options = f.unit.program.options;
    return options.isSet("maxframes") ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(options.number("maxframes"), 1, kMostFrames))
                                      : kMostFrames;
}
/// r0 = the return address of the innermost kernel frames' caller, `depth` frames up.
void kernelFrame(Firing& f, int depth)
{
    auto& b = f.b;
    const auto frames = b.temp(depth + 1);
    for (int i = 0; i <= depth; ++i)
        b.store(frames, 0, i);
    kernelFrames(f, static_cast<std::uint32_t>(depth) + 1, [&] { b.addressOf(R2, frames); });
    b.load(R0, frames, depth);
}
/// r0 = a register that the thread had in user space.
void userRegister(Firing& f, std::int64_t n)
{
    struct Segment {
        std::string_view member;
        Width width;
    };
    // Source: arch/x86/include/asm/processor.h, struct thread_struct
    static constexpr Segment kSegments[] = {{"thread.ds", Width::B2}, {"thread.es", Width::B2}, {"thread.fsbase", Width::B8},
        {"thread.gsbase", Width::B8}, {"thread.trap_nr", Width::B8}};
    constexpr std::int64_t kSaved = host::kProcessor.size / 8; // words of struct pt_regs
    if (host::isX86() && n >= kSaved) {
        const auto& segment = kSegments[n - kSaved];
        return taskMember(f, segment.member, segment.width);
    }
    f.loadTask();
    f.b.mov(R1, R0);
    f.b.call(Helper::TaskPtRegs);
    f.b.load(Width::B8, R0, R0, 8 * n);
}
/// r0 = the address of the cpuinfo_t of the current processor.
void currentCpu(Firing& f)
{
    auto& b = f.b;
    const auto& cpus = f.unit.program.cpus;
    b.call(Helper::GetCpu);
    b.clamp(R0, static_cast<std::int32_t>(cpus.size() - 1));
    b.alu(AluOp::Mul, R0, static_cast<std::int32_t>(sizeof(sema::Cpu)));
    b.loadMapValue(R1, f.unit.cpus(), 0);
    asNumber(f, R1);
    b.alu(AluOp::Add, R0, R1);
}
/// r0 = the number of frames of the kernel's stack.
void kernelDepth(Firing& f)
{
    auto& b = f.b;
    const Firing::Frame keep(f);
    const auto most = f.unit.program.options.number("maxframes");
    const auto frames = static_cast<std::int32_t>(std::clamp<std::uint64_t>(most, 1, 127));
    const auto at = f.allocate(static_cast<std::uint32_t>(8 * frames));
    kernelFrames(f, static_cast<std::uint32_t>(frames), [&] {
        b.mov(R2, Builder::kScratch);
        b.add(R2, at);
    });
    b.when({R0, Cond::Slt, 0}, [&] { b.mov(R0, 0); });
    b.alu(AluOp::Rsh, R0, 3);
}
} // namespace

void timestamp(Firing& f)
{
    if (f.has(Firing::kTimestamp)) return f.b.load(Width::B8, R0, Builder::kScratch, f.onceAt(Firing::kTimestamp));
    f.b.call(Helper::KtimeGetNs);
    f.b.store(Width::B8, Builder::kScratch, f.onceAt(Firing::kTimestamp), R0);
    f.nowHas(Firing::kTimestamp);
}

void builtin(Firing& f, const sema::Expr& e)
{
    auto& b = f.b;
    switch (e.builtin) {
    case Builtin::Pid: pidTgid(f); return b.alu(AluOp::Rsh, R0, 32);
    case Builtin::Tid: pidTgid(f); return b.normalize(R0, 4, Sign::Unsigned);
    case Builtin::Ppid: {
        const auto parent = f.unit.kernelOffset("task_struct", "real_parent"), tgid = f.unit.kernelOffset("task_struct", "tgid");
        if (parent < 0 || tgid < 0) return b.mov(R0, 0);
        f.loadTask();
        b.load(Width::B8, R0, R0, parent);
        if (f.unit.program.pidNamespace) return processNumber(f);
        return b.load(Width::B4, R0, R0, tgid);
    }
    case Builtin::Uid: b.call(Helper::GetUidGid); return b.normalize(R0, 4, Sign::Unsigned);
    case Builtin::Gid: b.call(Helper::GetUidGid); return b.alu(AluOp::Rsh, R0, 32);
    case Builtin::Timestamp: return timestamp(f);
    case Builtin::Vtimestamp: return virtualTime(f);
    case Builtin::Walltimestamp: // moves on within a clause, as timestamp does not
        b.call(Helper::KtimeGetNs);
        b.loadMapValue(R1, f.unit.object.control, offsetof(Control, wallOffset));
        b.load(Width::B8, R1, R1, 0);
        return b.alu(AluOp::Add, R0, R1);
    case Builtin::Cpu: return b.call(Helper::GetCpu);
    case Builtin::Curthread: return b.call(Helper::GetTask); // as a number: typed pointers can't be computed with
    case Builtin::Errno: return lastError(f);
    case Builtin::ProbeId: return f.loadProbe(R0);
    case Builtin::EnabledProbeId: return b.mov(R0, static_cast<std::int64_t>(f.clause().value) + 1);
    case Builtin::Caller:
        if (f.probe && f.probe->name.provider == "dtrace") return b.mov(R0, 0);
        return kernelFrame(f, 1);
    case Builtin::Ucaller: return measured(f, 2, 1);
    case Builtin::StackDepth:
        // BEGIN, END and ERROR are called by ourselves: there is no stack that anyone asks about.
        if (f.probe && f.probe->name.provider == "dtrace") return b.mov(R0, 0);
        return kernelDepth(f);
    case Builtin::UstackDepth: return measured(f, framesLookedAt(f), 0);
    case Builtin::Ipl: return b.mov(R0, 0);
    case Builtin::Curcpu: return currentCpu(f);
    case Builtin::Uregs: return userRegister(f, e.integer);
    case Builtin::Execname:
    case Builtin::ProbeProv:
    case Builtin::ProbeMod:
    case Builtin::ProbeFunc:
    case Builtin::ProbeName:
    case Builtin::Execargs: {
        const auto t = text(f, e);
        return pointTo(f, t, R0);
    }
    }
}

void fillHeader(Firing& f, std::uint32_t at, std::uint32_t kind, std::uint32_t clause)
{
    auto& b = f.b;
    const auto put = [&](std::size_t offset, std::int32_t value) {
        b.store(Width::B4, Builder::kScratch, at + static_cast<std::int64_t>(offset), value);
    };
    put(offsetof(RawHeader, kind), static_cast<std::int32_t>(kind));
    if (clause != ~0u) {
        put(offsetof(RawHeader, clause), static_cast<std::int32_t>(clause));
        f.loadProbe(R1);
        b.store(Width::B4, Builder::kScratch, at + offsetof(RawHeader, probe), R1);
    }
    b.call(Helper::GetCpu);
    b.store(Width::B4, Builder::kScratch, at + offsetof(RawHeader, cpu), R0);
    timestamp(f);
    b.store(Width::B8, Builder::kScratch, at + offsetof(RawHeader, when), R0);
    pidTgid(f);
    b.store(Width::B4, Builder::kScratch, at + offsetof(RawHeader, tid), R0);
    b.alu(AluOp::Rsh, R0, 32);
    b.store(Width::B4, Builder::kScratch, at + offsetof(RawHeader, pid), R0);
}
} // namespace dscope::codegen
