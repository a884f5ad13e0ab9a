#include "engine/codegen/process_numbers.h"
namespace dscope::codegen {
void currentNumbers(Firing& f)
{
    auto& b = f.b;
    const auto& where = f.unit.program.pidNamespace;
    if (!where) return b.call(Helper::GetPidTgid);
    // struct bpf_pidns_info: the thread's number, then the process's; both 0 where the helper knows none.
    const auto numbers = b.temp();
    b.store(numbers, 0);
    b.mov(R1, static_cast<std::int64_t>(where->device));
    b.mov(R2, static_cast<std::int64_t>(where->inode));
    b.addressOf(R3, numbers);
    b.mov(R4, 8);
    b.call(Helper::GetNsPidTgid);
    b.load(R0, numbers);
}

void processNumber(Firing& f)
{
    auto& b = f.b;
    const auto offset = [&](std::string_view type, std::string_view member) { return f.unit.kernelOffset(type, member); };
    if (!f.unit.program.pidNamespace) return b.readKernel(R0, offset("task_struct", "tgid"), 4);
    // Its number in its own namespace, which is the deepest one. Source: include/linux/pid.h, struct pid, struct upid
    constexpr std::int32_t kProcess = 1, kPointer = 8, kNumber = 16; // PIDTYPE_TGID
    const auto pid = b.temp();
    b.readKernel(R0, offset("task_struct", "signal"), 8);
    b.readKernel(R0, offset("signal_struct", "pids") + kProcess * kPointer, 8);
    b.store(pid, R0);
    b.readKernel(R0, offset("pid", "level"), 4);
    b.alu(AluOp::Mul, R0, kNumber);
    b.load(R1, pid);
    b.alu(AluOp::Add, R0, R1);
    b.readKernel(R0, offset("pid", "numbers"), 4);
}
} // namespace dscope::codegen
