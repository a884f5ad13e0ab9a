#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
namespace dscope::symbols {
/// Columns of an unwind table that a walk needs: the callee-saved registers of the x86-64 System V ABI, and the return
/// address. Others are lost at the first call. Those of aarch64 that take their places are told by columnOf(): the frame pointer
/// x29, x19 to x22, and the link register, which has the return address of the innermost function until that calls another.
enum class Column : std::uint8_t { Rbp, Rbx, R12, R13, R14, R15, ReturnAddress, Link = R15 };
constexpr std::size_t kColumns = 7;

/// How the caller's value of one column is found. Source: DWARF 4, 6.4.1.
struct ColumnRule {
    enum class Kind : std::uint32_t {
        Same,             ///< not changed by this function
        Undefined,        ///< lost; of the return address: the outermost frame
        AtOffset,         ///< in memory at CFA + value
        Offset,           ///< is CFA + value
        AtExpression,     ///< in memory where expression `value` points
        Expression,       ///< is what expression `value` gives
        Register,         ///< is in the register with DWARF number `value`
    } kind = Kind::Same;
    std::int32_t value = 0;
    bool operator==(const ColumnRule&) const = default;
};
/// How a function's frame is undone at some of its instructions.
struct FrameRule {
    enum class Cfa : std::uint32_t {
        None,             ///< nothing is known here
        Register,         ///< register with DWARF number `cfaRegister` + cfaValue
        Expression,       ///< what expression `cfaValue` gives
    } cfa = Cfa::None;
    std::uint32_t cfaRegister = 0;
    std::int32_t cfaValue = 0;
    std::uint32_t signal = 0; ///< 1: a signal trampoline; what it returns to was interrupted, not calling
    std::array<ColumnRule, kColumns> columns{};
    /// Set by FrameRows for nearly all rules: the CFA is rsp or rbp plus cfaValue, the columns of these bits (the return
    /// address among them) lie in memory, the others are not changed. 0: not so simple.
    std::uint32_t savedInMemory = 0;
    ColumnRule& operator[](Column c) { return columns[static_cast<std::size_t>(c)]; }
    const ColumnRule& operator[](Column c) const { return columns[static_cast<std::size_t>(c)]; }
    bool operator==(const FrameRule&) const = default;
};
#if defined(__aarch64__)
/// The column that keeps a DWARF register, or kColumns. What rules tell of x30 is how the return address is found.
/// Source: DWARF for the Arm 64-bit Architecture, 4.1.
constexpr std::size_t columnOf(std::uint64_t dwarfRegister)
{
    switch (dwarfRegister) {
    case 19: return static_cast<std::size_t>(Column::Rbx);
    case 20: return static_cast<std::size_t>(Column::R12);
    case 21: return static_cast<std::size_t>(Column::R13);
    case 22: return static_cast<std::size_t>(Column::R14);
    case 29: return static_cast<std::size_t>(Column::Rbp);
    case 30: return static_cast<std::size_t>(Column::ReturnAddress);
    default: return kColumns;
    }
}
constexpr std::uint64_t kDwarfRbp = 29, kDwarfRsp = 31;
constexpr bool kHasLink = true;
constexpr std::int32_t kCfaAtEntry = 0; ///< above the stack pointer
/// The signature that a return address may carry is none of an address's 48 bits.
constexpr std::uint64_t codeAddress(std::uint64_t saved) { return saved & 0xffffffffffff; }
#else
/// The column that keeps a DWARF register of x86-64, or kColumns. Source: System V ABI AMD64, figure 3.36.
constexpr std::size_t columnOf(std::uint64_t dwarfRegister)
{
    switch (dwarfRegister) {
    case 3: return static_cast<std::size_t>(Column::Rbx);
    case 6: return static_cast<std::size_t>(Column::Rbp);
    case 12: return static_cast<std::size_t>(Column::R12);
    case 13: return static_cast<std::size_t>(Column::R13);
    case 14: return static_cast<std::size_t>(Column::R14);
    case 15: return static_cast<std::size_t>(Column::R15);
    case 16: return static_cast<std::size_t>(Column::ReturnAddress);
    default: return kColumns;
    }
}
constexpr std::uint64_t kDwarfRbp = 6, kDwarfRsp = 7;
constexpr bool kHasLink = false;
constexpr std::int32_t kCfaAtEntry = 8; ///< above the stack pointer
constexpr std::uint64_t codeAddress(std::uint64_t saved) { return saved; }
#endif
} // namespace dscope::symbols
