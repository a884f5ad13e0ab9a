#include "engine/codegen/dispatch.h"
#include "engine/codegen/expressions.h"
/// errno: the error of the last system call that returned in the current thread. Where a system call returns it is in the
/// probe's own arguments; where one begins there is none; a program that asks for it elsewhere also watches all system calls return.
namespace dscope::codegen {
namespace {
constexpr std::int32_t kResult = 8;     // of sys_exit(struct pt_regs *regs, long result), in the context
constexpr std::int32_t kLargest = 4095; // MAX_ERRNO. Source: include/linux/err.h
constexpr std::string_view kReturns = "sys_exit", kEnters = "sys_enter";

/// r0 = the error that a system call ends with, 0 for none. For programs at sys_exit.
void errorOfCall(Firing& f)
{
    auto& b = f.b;
    b.load(Width::B8, R0, Builder::kContext, kResult);
    b.either(
        Condition::all({{R0, Cond::Slt, 0}, {R0, Cond::Sge, -kLargest}}), [&] { b.negate(R0); }, [&] { b.mov(R0, 0); });
}

/// r0 = where the current thread's last error is kept, or null.
void lookupLast(Firing& f, std::int32_t flags)
{
    auto& b = f.b;
    f.unit.need(object::Ability::TaskStorage, b.from());
    f.loadTask();
    b.mov(R2, R0);
    b.loadMap(R1, f.unit.lastErrors());
    b.mov(R3, 0);
    b.mov(R4, flags);
    b.call(Helper::TaskStorageGet);
}
} // namespace

void lastError(Firing& f)
{
    auto& b = f.b;
    const auto* place = f.hook ? &f.hook->at : nullptr;
    if (const auto* tracepoint = place ? std::get_if<probe::RawTracepoint>(place) : nullptr) {
        if (tracepoint->name == kReturns) return errorOfCall(f);
        // A call that begins has no error yet.
        if (tracepoint->name == kEnters) return b.mov(R0, 0);
    }
    // BEGIN and END run in dscope itself; its own calls are of no interest.
    if (place && std::holds_alternative<probe::Manual>(*place)) return b.mov(R0, 0);

    lookupLast(f, 0);
    b.when({R0, Cond::Ne, 0}, [&] { b.load(Width::B8, R0, R0, 0); });
}

void emitLastErrors(Unit& unit)
{
    Firing f(unit, ProgramType::RawTracepoint, 8);
    auto& b = f.b;
    b.mov(Builder::kContext, R1);
    errorOfCall(f);
    b.mov(R9, R0);

    // Most threads have no call that fails: memory for them is not taken.
    b.either(
        {R9, Cond::Eq, 0}, [&] { lookupLast(f, 0); }, [&] { lookupLast(f, kCreate); });
    b.when({R0, Cond::Ne, 0}, [&] { b.store(Width::B8, R0, 0, R9); });
    b.mov(R0, 0);
    b.exit();
    addProgram(unit, f, "errno", {probe::RawTracepoint{std::string(kReturns)}});
}
} // namespace dscope::codegen
