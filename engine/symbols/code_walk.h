#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/frame_rows.h"
#include <cstdint>
#include <functional>
#include <vector>
namespace dscope::symbols {
/// A function's machine code, as far as probing needs it: instructions, returns, tail calls. Addresses are those the file is linked for.
struct CodeWalk {
    struct Instruction {
        std::uint64_t address = 0;
        bool canProbe = true; ///< false: the kernel refuses it for sure
        bool isSafe = true;   ///< false: not to be stepped over unless asked for (a system call)
    };
    std::vector<Instruction> instructions; ///< of the function's own range, ascending; only those that are code without doubt
    std::vector<Instruction> exits;        ///< where it returns to its caller, or leaves it to another function to do so
};
/// The bytes and the surroundings of a function.
struct CodeAround {
    /// Up to `size` bytes of code from an address; fewer where the file ends.
    std::function<Bytes(std::uint64_t address, std::uint64_t size)> read;
    /// Whether a function begins at the address that has a name of its own, or a stub that leads to one elsewhere.
    std::function<bool(std::uint64_t address)> beginsFunction;
    const FrameRows* rows = nullptr;
};
/// Disassembles the function at [start, start + size). What compilers put aside (.cold) is followed where it is reached by
/// a jump with the frame still standing; jumps by table are told from tail calls. Where the bytes are not all code (tables
/// between functions in assembler), only what execution reaches from the start counts.
CodeWalk walkCode(const CodeAround& around, std::uint64_t start, std::uint64_t size);
/// Where the calls in `code` return to; it begins at `address`, and is taken for one instruction after the other.
std::vector<std::uint64_t> callsIn(ByteView code, std::uint64_t address);
} // namespace dscope::symbols
