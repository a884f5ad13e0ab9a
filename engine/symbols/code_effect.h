#pragma once
#include "engine/base/bytes.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
namespace dscope::symbols {
/// What a function's frame is like at an instruction, as far as it is known. Offsets are from the CFA: what the stack pointer was before
/// the function was called.
struct FrameShape {
    /// What the caller had in a register that functions keep for it.
    struct Saved {
        enum class Where : std::uint8_t { Register, Memory, Lost } where = Where::Register;
        std::int32_t offset = 0; ///< in memory
        bool operator==(const Saved&) const = default;
    };
    static constexpr std::size_t kKept = 6;
    static constexpr std::array<std::uint8_t, kKept> kDwarf{6, 3, 12, 13, 14, 15}; ///< rbp, rbx, r12 to r15
    std::optional<std::int32_t> sp = -8; ///< where the stack pointer points: to the return address at first
    std::optional<std::int32_t> bp;      ///< the same of rbp, if it points into the frame
    std::array<Saved, kKept> saved{};
    /// Some way here passed no call of a function that may never return, behind which there may be other code.
    bool isReached = true;
    bool operator==(const FrameShape&) const = default;
    /// What holds on both ways. True if this has changed.
    bool meet(const FrameShape& other);
};
/// An instruction as far as ways through code and frames go.
struct CodeEffect {
    enum class Way : std::uint8_t { On, Jump, Branch, Call, Return, Elsewhere, End } way = Way::On; ///< Elsewhere: a jump or tail call to what is not known
    std::uint8_t length = 0;
    std::uint64_t target = 0;               ///< of Jump, Branch and Call; 0: not known
    bool leavesFile = false;                ///< Elsewhere and Call: to where a word of the file's points, as to functions of other files
    std::optional<std::uint64_t> pointedTo; ///< what it takes the address of
};
class CodeDecoder {
public:
    CodeDecoder();
    ~CodeDecoder();
    CodeDecoder(const CodeDecoder&) = delete;
    CodeDecoder& operator=(const CodeDecoder&) = delete;
    /// The instruction at the start of `code`, which is linked for `address`; changes `shape` as it does. None where there is no valid one.
    std::optional<CodeEffect> apply(ByteView code, std::uint64_t address, FrameShape& shape);

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::symbols
