#include "engine/symbols/call_before.h"
namespace dscope::symbols {
namespace {
/// How long a call by register or memory is that begins with these two bytes; 0: they begin none.
/// Source: Intel 64 manual, volume 2, 2.1.5, table 2-2, and CALL
std::size_t computedCall(std::uint8_t opcode, std::uint8_t operands, std::uint8_t scaled)
{
    constexpr std::uint8_t kGroup = 0xff, kCall = 2, kWithIndex = 4, kAddress = 5;
    if (opcode != kGroup || (operands >> 3 & 7) != kCall) return 0;
    const auto mode = operands >> 6, base = operands & 7;
    if (mode == 3) return 2;
    const std::size_t index = base == kWithIndex ? 1 : 0;
    if (mode == 1) return 3 + index;
    if (mode == 2) return 6 + index;
    const bool isAddress = index != 0 ? (scaled & 7) == kAddress : base == kAddress;
    return 2 + index + (isAddress ? 4 : 0);
}

CallBefore ofX86(ByteView code, std::uint64_t behind)
{
    constexpr std::size_t kDirect = 5;
    constexpr std::uint8_t kCall = 0xe8;
    const auto byte = [&](std::size_t fromEnd) { return std::to_integer<std::uint8_t>(code[code.size() - fromEnd]); };
    if (code.size() >= kDirect && byte(kDirect) == kCall)
        return {true, behind + static_cast<std::uint64_t>(std::int64_t{readAt<std::int32_t>(code, code.size() - 4)})};
    for (std::size_t length = 2; length <= std::min(kLongestCall, code.size()); ++length)
        if (computedCall(byte(length), byte(length - 1), length > 2 ? byte(length - 2) : std::uint8_t{0}) == length) return {true, 0};
    return {};
}

/// BL, and the forms of BLR. Source: Arm Architecture Reference Manual for A-profile, C6.2
CallBefore ofAarch64(ByteView code, std::uint64_t behind)
{
    constexpr std::uint32_t kDirect = 0x94000000, kDirectMask = 0xfc000000, kByRegister = 0xd63f0000, kByRegisterMask = 0xfefff000;
    if (code.size() < 4) return {};
    const auto word = readAt<std::uint32_t>(code, code.size() - 4);
    if ((word & kDirectMask) == kDirect) {
        const auto words = static_cast<std::int32_t>(word << 6U) >> 6;
        return {true, behind - 4 + static_cast<std::uint64_t>(std::int64_t{words} * 4)};
    }
    return {(word & kByRegisterMask) == kByRegister, 0};
}
} // namespace

CallBefore callBefore(ByteView code, std::uint64_t behind, Architecture architecture)
{
    return architecture == Architecture::X86 ? ofX86(code, behind) : ofAarch64(code, behind);
}
} // namespace dscope::symbols
