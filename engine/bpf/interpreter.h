#pragma once
#include "engine/base/result.h"
#include "engine/bpf/insn.h"
#include <functional>
#include <span>
namespace dscope::bpf {
/// Runs BPF slots in this process so that generated code is tested without a kernel or privileges. Every memory access
/// is checked against the regions handed in; an access outside is an Error, as is running more than `budget`
/// instructions. Helper calls go to `helper(number, r1..r5)`.
class Interpreter {
public:
    using Helper = std::function<Result<std::uint64_t>(std::int32_t number, std::span<std::uint64_t, 5> args)>;
    /// Bytes at their own address that programs may read (and write when `writable`).
    void allow(std::span<std::byte> region, bool writable = true);
    void forget(const std::byte* region);
    /// True when [address, address + size) lies within one region (a writable one when `write`).
    bool reaches(std::uint64_t address, std::size_t size, bool write = false) const;
    void setHelper(Helper helper) { m_helper = std::move(helper); }
    /// Runs a static subprogram at slot `entry` as bpf_loop() does, from within a helper.
    Result<std::uint64_t> callBack(std::size_t entry, std::uint64_t r1, std::uint64_t r2);
    /// Value of r0 at exit. `r1` and `r2` are the entry arguments.
    Result<std::uint64_t> run(std::span<const Slot> code, std::uint64_t r1, std::uint64_t r2, std::uint64_t budget = 1'000'000);

private:
    struct Region {
        std::span<std::byte> bytes;
        bool writable;
    };
    std::vector<Region> m_regions;
    Helper m_helper;
    std::span<const Slot> m_code;
};
} // namespace dscope::bpf
