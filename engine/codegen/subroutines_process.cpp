#include "engine/codegen/expressions.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/speculations.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
/// Processes and their relations; speculations.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
/// Of a process. Kernels have no bound to how deep a tree is, and older ones a bound to how long a program may look: a clause that
/// meets it ends with a fault.
constexpr std::uint32_t kMostAncestors = 1 << 20, kMostWithoutLoops = 512;

/// 1 when the current process or one of its ancestors is args[0].
void progenyof(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell wanted(f), task(f), parent(f), found(f), isKnown(f);
    const auto up = f.unit.kernelOffset("task_struct", "real_parent"), tgid = f.unit.kernelOffset("task_struct", "tgid");
    if (up < 0 || tgid < 0) return b.mov(R0, 0);
    integer(f, *args[0]);
    wanted.set(R0);
    found.set(0);
    isKnown.set(0);
    f.loadTask();
    task.set(R0);
    const auto read = [&](const Cell& into, std::int32_t size, std::int64_t offset) {
        into.set(0);
        into.addressOf(R1);
        b.mov(R2, size);
        task.get(R3);
        b.add(R3, offset);
        b.call(Helper::ProbeReadKernel);
    };

    f.rounds(f.unit.can(object::Ability::Loop) ? kMostAncestors : kMostWithoutLoops, [&](Label done) {
        task.get(R0);
        processNumber(f);
        b.mov(R1, R0);
        wanted.get(R2);
        b.when({R1, Cond::Eq, R2}, [&] {
            found.set(1);
            isKnown.set(1);
            b.jump(done);
        });
        // The first of all is its own parent.
        read(parent, 8, up);
        parent.get(R1);
        task.get(R2);
        const auto isLast = [&] {
            isKnown.set(1);
            b.jump(done);
        };
        b.when({R1, Cond::Eq, R2}, isLast);
        b.when({R1, Cond::Eq, 0}, isLast);
        task.set(R1);
    });
    isKnown.get(R0);
    b.mov(R1, 0); // no address
    b.branch(Cond::Eq, R0, 0, f.fault(record::FaultKind::IllegalOperation));
    found.get(R0);
}
void speculation(Firing& f, const Arguments&) { newSpeculation(f); }
} // namespace

template <> Subroutine emitter<"speculation">() { return {.integer = speculation}; }
template <> Subroutine emitter<"progenyof">() { return {.integer = progenyof}; }
} // namespace dscope::codegen
