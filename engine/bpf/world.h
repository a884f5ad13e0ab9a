#pragma once
#include "engine/base/bytes.h"
#include <array>
#include <map>
#include <optional>
namespace dscope::bpf {
/// Bytes at addresses of the simulated machine, which are no memory of this process.
class AddressSpace {
public:
    void put(std::uint64_t address, ByteView bytes) { m_segments[address] = Bytes(bytes.begin(), bytes.end()); }

    /// The bytes at `address` to the end of their segment; empty when nothing is there.
    ByteView from(std::uint64_t address) const
    {
        auto above = m_segments.upper_bound(address);
        if (above == m_segments.begin()) return {};
        const auto& [start, bytes] = *--above;
        if (address - start >= bytes.size()) return {};
        return ByteView(bytes).subspan(address - start);
    }

private:
    std::map<std::uint64_t, Bytes> m_segments; ///< not overlapping
};
/// What a program that fires sees of the machine: set by the test, for each firing as it likes.
struct World {
    std::uint64_t now = 1'000'000'000; ///< ns, CLOCK_MONOTONIC
    std::uint64_t suspended = 0;       ///< ns that CLOCK_BOOTTIME is ahead
    std::uint64_t tai = 0;             ///< ns that CLOCK_TAI is ahead
    std::uint64_t jiffies = 0;
    std::uint32_t cpu = 0, pid = 1, tid = 1, uid = 0, gid = 0;
    std::string execname = "init"; ///< at most 15 bytes count
    std::uint64_t task = 0;        ///< address of the current task_struct
    /// struct pt_regs at the entry to the kernel, x86-64: r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs
    /// flags sp ss. Programs find it at kRegisters.
    std::array<std::uint64_t, 21> userRegisters{};
    static constexpr std::uint64_t kRegisters = 0xffff'c900'1000'3f58;
    std::vector<std::uint64_t> kernelStack, userStack; ///< addresses, innermost first
    std::uint64_t cookie = 0;                          ///< of the attachment that fires
    std::uint64_t functionAddress = 0;                 ///< bpf_get_func_ip()
    std::uint64_t random = 0;                          ///< state of bpf_get_prandom_u32()
    AddressSpace user, kernel;                         ///< reached by the probe_read helpers
    AddressSpace typed;                                ///< kernel memory that programs also load from: what typed pointers lead to
};
} // namespace dscope::bpf
