#include "engine/codegen/dispatch.h"
#include "engine/codegen/expressions.h"
/// vtimestamp: how long a thread has run. The kernel's own sum is behind by up to a tick, so the switches are watched. The time
/// that a firing takes is left out: when it ends, the start of the thread's run is moved forward by as much.
namespace dscope::codegen {
namespace {
/// Words of what a CPU has: since when it has run its thread, and how often it has changed threads.
constexpr std::int32_t kSince = 0, kSwitches = 8;
/// Words of Firing::virtualTimeAt: the thread's time when the probe fired, what of it is of this run, and how often the CPU had changed
/// threads.
constexpr std::uint32_t kTime = 0, kOfRun = 8, kChanges = 16;
/// r0 = where the current thread's time is kept, or null.
void lookupSpent(Firing& f, std::int32_t flags)
{
    auto& b = f.b;
    f.unit.need(object::Ability::TaskStorage, b.from());
    f.loadTask();
    b.mov(R2, R0);
    b.loadMap(R1, f.unit.virtualTime().spent);
    b.mov(R3, 0);
    b.mov(R4, flags);
    b.call(Helper::TaskStorageGet);
}
/// r8: what this CPU has (kSince). r9 = ns from then to r9, 0 where that is not known; from now on it is.
void elapse(Firing& f)
{
    auto& b = f.b;
    b.load(Width::B8, R1, R8, kSince);
    b.when({R1, Cond::Eq, 0}, [&] {
        b.store(Width::B8, R8, kSince, R9);
        b.mov(R9, 0);
    });
    b.either(
        {R9, Cond::Sgt, R1}, [&] { b.alu(AluOp::Sub, R9, R1); }, [&] { b.mov(R9, 0); });
}
/// r0 = what the current thread had run before this run.
void loadSpent(Firing& f)
{
    lookupSpent(f, 0);
    f.b.when({R0, Cond::Ne, 0}, [&] { f.b.load(Width::B8, R0, R0, 0); });
}
/// `body` with r8: what this CPU has.
void withThisCpu(Firing& f, const std::function<void()>& body)
{
    f.b.lookupIndex(f.unit.virtualTime().since, 0);
    f.b.when({R0, Cond::Ne, 0}, [&] {
        f.b.mov(R8, R0);
        body();
    });
}
} // namespace

void beginVirtualTime(Firing& f)
{
    auto& b = f.b;
    const auto at = f.virtualTimeAt.value();
    const auto keepSwitches = [&] {
        b.load(Width::B8, R1, R8, kSwitches);
        b.store(Width::B8, Builder::kScratch, at + kChanges, R1);
    };
    const auto keepSpent = [&] {
        loadSpent(f);
        b.store(Width::B8, Builder::kScratch, at + kTime, R0);
    };
    b.store(Width::B8, Builder::kScratch, at + kOfRun, 0);
    timestamp(f);
    b.mov(R9, R0);
    withThisCpu(f, [&] {
        keepSwitches();
        elapse(f);
        b.store(Width::B8, Builder::kScratch, at + kOfRun, R9);
        keepSpent();
        // A thread that was off the CPU between these reads has in its sum what it ran before, and its run has just begun.
        b.load(Width::B8, R1, R8, kSwitches);
        b.load(Width::B8, R2, Builder::kScratch, at + kChanges);
        b.when({R1, Cond::Ne, R2}, [&] {
            keepSwitches();
            b.store(Width::B8, Builder::kScratch, at + kOfRun, 0);
            keepSpent();
        });
    });
    b.load(Width::B8, R1, Builder::kScratch, at + kOfRun);
    b.load(Width::B8, R0, Builder::kScratch, at + kTime);
    b.alu(AluOp::Add, R0, R1);
    b.store(Width::B8, Builder::kScratch, at + kTime, R0);
}

void endVirtualTime(Firing& f)
{
    auto& b = f.b;
    const auto at = f.virtualTimeAt.value();
    withThisCpu(f, [&] {
        const auto ifChanged = [&](const Builder::Body& changed, const Builder::Body& same) {
            b.load(Width::B8, R1, R8, kSwitches);
            b.load(Width::B8, R2, Builder::kScratch, at + kChanges);
            b.either({R1, Cond::Ne, R2}, changed, same);
        };
        ifChanged([] {},
            [&] {
                b.call(Helper::KtimeGetNs);
                b.load(Width::B8, R1, Builder::kScratch, at + kOfRun);
                b.alu(AluOp::Sub, R0, R1);
                b.store(Width::B8, R8, kSince, R0);
            });
        // A thread that was off the CPU, even between these two reads, has in its sum what it ran before, this firing with it.
        ifChanged(
            [&] {
                lookupSpent(f, 0);
                b.when({R0, Cond::Ne, 0}, [&] {
                    b.load(Width::B8, R1, Builder::kScratch, at + kTime);
                    b.store(Width::B8, R0, 0, R1);
                });
                b.call(Helper::KtimeGetNs);
                b.store(Width::B8, R8, kSince, R0);
            },
            [] {});
    });
}

void virtualTime(Firing& f) { f.b.load(Width::B8, R0, Builder::kScratch, f.virtualTimeAt.value() + kTime); }

void emitVirtualTime(Unit& unit)
{
    Firing f(unit, ProgramType::RawTracepoint, 8);
    auto& b = f.b;
    b.mov(Builder::kContext, R1);
    b.block([&](Label leave) {
        b.lookupIndex(unit.virtualTime().since, 0);
        b.branch(Cond::Eq, R0, 0, leave);
        b.mov(R8, R0);
        b.call(Helper::KtimeGetNs);
        b.mov(R9, R0);
        const auto now = b.saved(R0);
        elapse(f);
        b.load(R1, now);
        b.store(Width::B8, R8, kSince, R1);
        b.load(Width::B8, R1, R8, kSwitches);
        b.alu(AluOp::Add, R1, 1);
        b.store(Width::B8, R8, kSwitches, R1);
        // The thread that leaves is still the current one. Source: kernel/sched/core.c, __schedule()
        lookupSpent(f, kCreate);
        b.branch(Cond::Eq, R0, 0, leave);
        b.load(Width::B8, R1, R0, 0);
        b.alu(AluOp::Add, R1, R9);
        b.store(Width::B8, R0, 0, R1);
    });
    b.mov(R0, 0);
    b.exit();
    addProgram(unit, f, "vtimestamp", {probe::RawTracepoint{"sched_switch"}});
}
} // namespace dscope::codegen
