#include "engine/codegen/expressions.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/speculations.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
/// Processes and their relations; speculations.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
constexpr std::uint32_t kMostAncestors = 256;

/// 1 when the current process or one of its ancestors is args[0].
void progenyof(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell wanted(f), task(f), parent(f), found(f);
    const auto up = f.unit.kernelOffset("task_struct", "real_parent"), tgid = f.unit.kernelOffset("task_struct", "tgid");
    if (up < 0 || tgid < 0) return b.mov(R0, 0);
    integer(f, *args[0]);
    wanted.set(R0);
    found.set(0);
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

    f.rounds(kMostAncestors, [&](Label done) {
        task.get(R0);
        processNumber(f);
        b.mov(R1, R0);
        wanted.get(R2);
        b.when({R1, Cond::Eq, R2}, [&] {
            found.set(1);
            b.jump(done);
        });
        // The first of all is its own parent.
        read(parent, 8, up);
        parent.get(R1);
        task.get(R2);
        b.branch(Cond::Eq, R1, R2, done);
        b.branch(Cond::Eq, R1, 0, done);
        task.set(R1);
    });
    found.get(R0);
}
void speculation(Firing& f, const Arguments&) { newSpeculation(f); }
} // namespace

template <> Subroutine emitter<"speculation">() { return {.integer = speculation}; }
template <> Subroutine emitter<"progenyof">() { return {.integer = progenyof}; }
} // namespace dscope::codegen
