#pragma once
#include "engine/base/diagnostics.h"
#include "engine/base/strong_id.h"
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>
/// The eBPF instruction set as plain data (source: Linux Documentation/bpf/standardization/instruction-set.rst).
namespace dscope::bpf {
/// A register. R10 is the stack's end and is only read.
enum class Reg : std::uint8_t { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10 };
/// A constant operand, sign-extended to 64 bits.
struct Imm {
    std::int32_t value;
    constexpr bool operator==(const Imm&) const = default;
};
using Operand = std::variant<Reg, Imm>;
/// A place in the code; Bind says where it is.
struct Label {
    std::uint32_t id;
    constexpr bool operator==(const Label&) const = default;
};

// Enumerators carry the architectural encoding (high nibble of the opcode >> 4).
enum class AluOp : std::uint8_t { Add, Sub, Mul, Div, Or, And, Lsh, Rsh, Neg, Mod, Xor, Mov, Arsh };
/// When a branch is taken: comparisons without and with sign, or bits in common (Set).
enum class Cond : std::uint8_t { Eq = 1, Gt, Ge, Set, Ne, Sgt, Sge, Lt = 10, Le, Slt, Sle };
/// How many bytes are moved.
enum class Width : std::uint8_t { B4, B2, B1, B8 };
/// What is done to memory in one step.
enum class AtomicOp : std::uint8_t { Add = 0x00, Or = 0x40, And = 0x50, Xor = 0xa0, Xchg = 0xe0, CmpXchg = 0xf0 };

/// dst = dst op src. Division and remainder are unsigned; x / 0 is 0 and x % 0 is x. `wide`: 64 bits, else the low 32
/// with the upper half cleared.
struct Alu {
    AluOp op;
    Reg dst;
    Operand src;
    bool wide = true;
};
/// The low `bits` (16, 32, 64) of dst from host to big or little endian byte order, the rest cleared.
struct SwapTo {
    bool big;
    int bits;
    Reg dst;
};
/// dst = *(base + offset), zero-extended.
struct Load {
    Width width;
    Reg dst;
    Reg base;
    std::int16_t offset;
};
/// *(base + offset) = src.
struct Store {
    Width width;
    Reg base;
    std::int16_t offset;
    Operand src;
};
/// *(base + offset) op= src, for 4 and 8 bytes. With `fetch` (Xchg and CmpXchg always) the old value goes to src; CmpXchg
/// compares with R0 and leaves the old value there.
struct Atomic {
    AtomicOp op;
    bool fetch;
    Width width;
    Reg base;
    std::int16_t offset;
    Reg src;
};
/// dst = a constant of 64 bits. Takes two slots.
struct LoadImm {
    Reg dst;
    std::uint64_t value;
};
/// The map itself, patched to a descriptor by the loader.
struct LoadMap {
    Reg dst;
    MapId map;
};
/// The address of the value of a map's element 0, plus `offset`.
struct LoadMapValue {
    Reg dst;
    MapId map;
    std::uint32_t offset;
};
/// Goes to `to` when `lhs cond rhs`; Set: when they have a bit in common.
struct Branch {
    Cond cond;
    Reg lhs;
    Operand rhs;
    Label to;
    bool wide = true;
};
/// Goes to `to`.
struct Jump {
    Label to;
};
/// No code: the label is here.
struct Bind {
    Label label;
};
/// r0 = the kernel's helper with that number (enum bpf_func_id), called with r1..r5.
struct CallHelper {
    std::int32_t helper;
};
/// Calls a subprogram of the same program.
struct CallLocal {
    Label to;
};
/// The address of a static subprogram (bpf_loop callbacks).
struct LoadFunction {
    Reg dst;
    Label to;
};
/// Ends the program; r0 is its result.
struct Exit { };
using Op = std::variant<Alu, SwapTo, Load, Store, Atomic, LoadImm, LoadMap, LoadMapValue, Branch, Jump, Bind, CallHelper, CallLocal,
    LoadFunction, Exit>;
/// One instruction, before it is encoded.
struct Insn {
    Op op;
    Span from; ///< the D source this came from
};

/// One wire-format slot; layout of struct bpf_insn.
struct Slot {
    std::uint8_t opcode;
    std::uint8_t dst : 4, src : 4;
    std::int16_t offset;
    std::int32_t imm;
};
static_assert(sizeof(Slot) == 8);
} // namespace dscope::bpf
