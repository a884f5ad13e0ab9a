#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/bpf/insn.h"
#include "engine/bpf/memory.h"
#include <functional>
#include <span>
namespace dscope::bpf {
/// Runs BPF slots in this process so that generated code is tested without a kernel or privileges. What the kernel's
/// verifier refuses for certain is an Error here too: an access outside of the regions handed in and of the stack frames
/// in use, a register read before it was written (r1 to r5 hold nothing after a call), more than eight frames. So is
/// running more than `budget` instructions. Helper calls go to `helper(number, r1..r5)`.
/// ld_imm64 of a map must have been patched to a plain value; that of a function gives its slot.
class Interpreter {
public:
    using Helper = std::function<Result<std::uint64_t>(std::int32_t number, std::span<std::uint64_t, 5> args)>;
    Interpreter();
    /// Bytes at their own address that programs may read, and write where `most` says so.
    void allow(std::span<std::byte> region, Access most = Access::Write) { m_memory.allow(region, most); }
    void forget(const std::byte* region) { m_memory.forget(region); }
    /// True when [address, address + size) lies within one region that allows this, or in the stack of the
    /// running program.
    bool reaches(std::uint64_t address, std::size_t size, Access access = Access::Read) const;
    void setHelper(Helper helper) { m_helper = std::move(helper); }
    /// Gives the bytes at an address outside of all regions that loads may read: the kernel's memory behind its typed
    /// pointers. Empty: nothing is there.
    using Typed = std::function<ByteView(std::uint64_t address)>;
    void setTyped(Typed typed) { m_typed = std::move(typed); }

    /// From within a helper: the program that called it ends here and this one goes on in its place, with its r1 and its budget
    /// (a tail call). Not from subprograms. False when there were too many already.
    bool goOnWith(std::span<const Slot> code)
    {
        if (++m_tailCalls > kMostTailCalls) return false;
        m_next = code;
        return true;
    }

    /// Runs the static subprogram at slot `entry` of the running program as bpf_loop() does, from within a helper: with a
    /// stack frame of its own, on the program's budget.
    Result<std::uint64_t> callBack(std::size_t entry, std::uint64_t r1, std::uint64_t r2);
    /// Value of r0 at exit. `r1` and `r2` are the entry arguments.
    Result<std::uint64_t> run(std::span<const Slot> code, std::uint64_t r1, std::uint64_t r2, std::uint64_t budget = 1'000'000);
    static constexpr std::size_t kFrameSize = 512;    ///< bytes of stack of a BPF function
    static constexpr std::size_t kMaxFrames = 8;      ///< MAX_CALL_FRAMES of the kernel
    static constexpr std::size_t kMostTailCalls = 33; ///< MAX_TAIL_CALL_CNT of the kernel

private:
    class Thread;
    std::uint64_t stackTop() const; ///< r10 of the innermost frame
    bool enterFrame();
    void leaveFrame() { --m_frames; }
    Memory m_memory;
    Helper m_helper;
    Typed m_typed;
    std::span<const Slot> m_code;
    std::span<const Slot> m_next; ///< of a tail call that is under way
    std::size_t m_tailCalls = 0;
    std::vector<std::byte> m_stack;
    std::size_t m_frames = 0; ///< in use, the innermost lowest
    std::uint64_t m_budget = 0;
};
} // namespace dscope::bpf
