#include "engine/bpf/helpers.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
/// Time, the CPU, the current task, its registers and stacks.
namespace dscope::bpf {
std::span<const Machine::Row> Machine::Helpers::ofTask()
{
    static constexpr auto now = [](Machine& m, Args) -> Answer { return m.world.now; };
    static constexpr auto bootTime = [](Machine& m, Args) -> Answer { return m.world.now + m.world.suspended; };
    static constexpr auto taiTime = [](Machine& m, Args) -> Answer { return m.world.now + m.world.tai; };
    static constexpr auto jiffies = [](Machine& m, Args) -> Answer { return m.world.jiffies; };

    // xorshift64*: any generator will do, the same for the same seed.
    static constexpr auto random = [](Machine& m, Args) -> Answer {
        auto& x = m.world.random;
        if (!x) x = 88172645463325252u;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        return x * 0x2545F4914F6CDD1D >> 32;
    };

    static constexpr auto cpu = [](Machine& m, Args) -> Answer { return m.world.cpu; };
    static constexpr auto pidTgid = [](Machine& m, Args) -> Answer { return std::uint64_t{m.world.pid} << 32 | m.world.tid; };
    static constexpr auto uidGid = [](Machine& m, Args) -> Answer { return std::uint64_t{m.world.gid} << 32 | m.world.uid; };
    static constexpr auto comm = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(const auto into, m.memory(a[0], a[1], Access::Write));
        if (into.empty()) return failure(EINVAL);
        std::fill(into.begin(), into.end(), std::byte{0});
        std::memcpy(into.data(), m.world.execname.data(), std::min({m.world.execname.size(), std::size_t{15}, into.size() - 1}));
        return 0;
    };

    static constexpr auto task = [](Machine& m, Args) -> Answer { return m.world.task; };
    static constexpr auto registers = [](Machine&, Args) -> Answer { return World::kRegisters; };
    static constexpr auto functionAddress = [](Machine& m, Args) -> Answer { return m.world.functionAddress; };
    static constexpr auto cookie = [](Machine& m, Args) -> Answer { return m.world.cookie; };
    static constexpr auto sendSignal = [](Machine& m, Args a) -> Answer {
        if (a[0] == 0 || a[0] > 64) return failure(EINVAL);
        m.m_signals.push_back({m.world.pid, static_cast<std::uint32_t>(a[0])});
        return 0;
    };

    // Source: kernel/bpf/stackmap.c, __bpf_get_stack(): the low 8 bits of the flags are frames to skip, bit 8 asks for
    // the user's stack; bytes written, the rest of the buffer zeros.
    static constexpr auto stack = [](Machine& m, Args a) -> Answer {
        constexpr std::uint64_t kSkip = 0xff, kUser = 0x100;
        DSCOPE_TRY(const auto into, m.memory(a[1], a[2], Access::Write));
        std::fill(into.begin(), into.end(), std::byte{0});
        if (into.size() % sizeof(std::uint64_t) || a[3] & ~(kSkip | kUser)) return failure(EINVAL);
        std::span<const std::uint64_t> frames = a[3] & kUser ? m.world.userStack : m.world.kernelStack;
        if (frames.size() < (a[3] & kSkip)) return failure(EFAULT);
        frames = frames.subspan(a[3] & kSkip);
        const auto bytes = std::min(frames.size_bytes(), into.size());
        if (bytes) std::memcpy(into.data(), frames.data(), bytes);
        return bytes;
    };

    static constexpr std::array<Row, 17> kRows{{{5, now}, {7, random}, {8, cpu}, {14, pidTgid}, {15, uidGid}, {16, comm}, {35, task},
        {67, stack}, {109, sendSignal}, {118, jiffies}, {125, bootTime}, {141, stack}, {158, task}, {173, functionAddress}, {174, cookie},
        {175, registers}, {208, taiTime}}};
    return kRows;
}
} // namespace dscope::bpf
