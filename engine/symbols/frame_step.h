#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/frame_rows.h"
#include <array>
#include <cstdint>
#include <optional>
namespace dscope::symbols {
/// A copy of a thread's stack: `bytes` begin at address `from`.
struct StackCopy {
    std::uint64_t from = 0;
    ByteView bytes;
    std::uint64_t restFrom = 0, holes = 0; ///< bit n of `holes`: the nth page from `restFrom` on could not be copied

    std::optional<std::uint64_t> word(std::uint64_t address) const
    {
        constexpr std::uint64_t kPage = 4096, kPages = 64;
        const auto at = address - from;
        if (address < from || at > bytes.size() || bytes.size() - at < 8) return std::nullopt;
        if (const auto page = (address - restFrom) / kPage; holes != 0 && address >= restFrom && page < kPages && (holes >> page & 1) != 0)
            return std::nullopt;
        return readAt<std::uint64_t>(bytes, at);
    }
};
/// What a walk carries from frame to frame.
struct FrameState {
    std::uint64_t sp = 0;
    /// Whether sp is but a bound: the frame pointer alone led here, and frames of aarch64 lie anywhere around what it points to.
    bool isBound = false;
    std::array<std::uint64_t, kColumns> columns{}; ///< by Column; ReturnAddress holds the instruction pointer
    std::uint32_t known = 0;                       ///< bit c: columns[c] holds the value it has in this frame
    std::uint64_t& operator[](Column c) { return columns[static_cast<std::size_t>(c)]; }
    std::uint64_t operator[](Column c) const { return columns[static_cast<std::size_t>(c)]; }

    void know(Column c, std::uint64_t value)
    {
        columns[static_cast<std::size_t>(c)] = value;
        known |= 1u << static_cast<unsigned>(c);
    }
    void forget(Column c) { known &= ~(1u << static_cast<unsigned>(c)); }
    bool knows(Column c) const { return known >> static_cast<unsigned>(c) & 1; }
    /// The value of a DWARF register, if it is one of ours and known.
    std::optional<std::uint64_t> reg(std::uint64_t dwarfRegister) const;
};
/// A saved address of code without the signature that it may carry.
std::uint64_t codeAddress(std::uint64_t saved);
/// How a step from a frame to its caller ended.
enum class Step : std::uint8_t {
    Done,      ///< `state` is the caller's now
    Outermost, ///< the return address is undefined: there is no caller
    Switched,  ///< the caller is on another stack, which was not copied
    Lost,      ///< needs memory that was not copied, or a register that is not known
};
/// Goes from a frame to its caller by `rule`, whose expressions lie in `rows`.
Step stepByRule(const FrameRule& rule, const FrameRows& rows, const StackCopy& stack, FrameState& state);
/// The same by the frame pointer chain, for code that nothing is known about.
Step stepByFramePointer(const StackCopy& stack, FrameState& state);
/// The same for code that leaves all registers as its caller had them: a stub that jumps on, or code that is not there.
Step stepFromEntry(const StackCopy& stack, FrameState& state);
/// The same for code without rules that returns right behind its call, as Python's trampolines do: what it does there says where the
/// caller's frame is, whatever rbp holds. `code`: the 8 bytes behind the call. Nothing where it is no such code.
/// Source: Python/asm_trampoline.S of CPython 3.12
std::optional<Step> stepByReturn(std::uint64_t code, const StackCopy& stack, FrameState& state);
/// The same for a frame that the kernel pushed to call a signal handler, when the stack pointer is at its ucontext (aarch64: at what
/// lies before that).
Step stepBySignalFrame(const StackCopy& stack, FrameState& state);
} // namespace dscope::symbols
