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
    std::uint32_t elsewhere = 0; ///< 1: the caller's stack pointer is not the CFA, which lies on another stack (Haskell's)
    std::uint32_t signal = 0; ///< 1: a signal trampoline; what it returns to was interrupted, not calling
    std::array<ColumnRule, kColumns> columns{};
    /// Set by FrameRows for nearly all rules: the CFA is rsp or rbp plus cfaValue, the columns of these bits (the return
    /// address among them) lie in memory, the others are not changed. 0: not so simple.
    std::uint32_t savedInMemory = 0;
    ColumnRule& operator[](Column c) { return columns[static_cast<std::size_t>(c)]; }
    const ColumnRule& operator[](Column c) const { return columns[static_cast<std::size_t>(c)]; }
    bool operator==(const FrameRule&) const = default;
};
/// Whose registers the numbers in a table are.
enum class Architecture : std::uint8_t { X86, Aarch64 };
#if defined(__aarch64__)
constexpr auto kOwnArchitecture = Architecture::Aarch64;
#else
constexpr auto kOwnArchitecture = Architecture::X86;
#endif
/// What of an architecture's conventions unwinding goes by: DWARF's numbers of the frame and the stack pointer, whether calls leave the
/// return address in a register, and how far the CFA is above the stack pointer at a function's entry.
struct Unwinding {
    std::uint64_t framePointer, stackPointer;
    bool hasLink;
    std::int32_t cfaAtEntry;
};
constexpr Unwinding unwindingOf(Architecture architecture)
{
    return architecture == Architecture::Aarch64 ? Unwinding{29, 31, true, 0} : Unwinding{6, 7, false, 8};
}
/// The column that keeps a DWARF register, or kColumns. What rules of aarch64 tell of x30 is how the return address is found.
/// Source: System V ABI AMD64, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1.
constexpr std::size_t columnOf(std::uint64_t dwarfRegister, Architecture architecture = kOwnArchitecture)
{
    struct Kept {
        std::uint64_t x86, aarch64;
        Column column;
    };
    constexpr std::uint64_t kNone = ~std::uint64_t{0};
    for (const auto& kept : {Kept{6, 29, Column::Rbp}, {3, 19, Column::Rbx}, {12, 20, Column::R12}, {13, 21, Column::R13},
             {14, 22, Column::R14}, {15, kNone, Column::R15}, {16, 30, Column::ReturnAddress}})
        if (dwarfRegister == (architecture == Architecture::X86 ? kept.x86 : kept.aarch64) && dwarfRegister != kNone)
            return static_cast<std::size_t>(kept.column);
    return kColumns;
}
constexpr std::uint64_t kDwarfRbp = unwindingOf(kOwnArchitecture).framePointer, kDwarfRsp = unwindingOf(kOwnArchitecture).stackPointer;
constexpr bool kHasLink = unwindingOf(kOwnArchitecture).hasLink;
constexpr std::int32_t kCfaAtEntry = unwindingOf(kOwnArchitecture).cfaAtEntry;
} // namespace dscope::symbols
