#pragma once
#include <cstdint>
/// The parts of an opcode byte and the pseudo sources, named as the kernel names them: BPF_ALU64 is kAlu64.
/// Source: include/uapi/linux/bpf.h and bpf_common.h; RFC 9669, section 3.
namespace dscope::bpf::opcode {
// Class: bits 0..2.
constexpr std::uint8_t kLd = 0, kLdx = 1, kSt = 2, kStx = 3, kAlu = 4, kJmp = 5, kJmp32 = 6, kAlu64 = 7;
constexpr std::uint8_t classOf(std::uint8_t code) { return code & 0x07; }

// Arithmetic and jumps: bit 3 says where the second operand is, bits 4..7 the operation.
constexpr std::uint8_t kK = 0x00, kX = 0x08;
constexpr std::uint8_t operationOf(std::uint8_t code) { return code & 0xf0; }
constexpr std::uint8_t kAdd = 0x00, kSub = 0x10, kMul = 0x20, kDiv = 0x30, kOr = 0x40, kAnd = 0x50, kLsh = 0x60, kRsh = 0x70, kNeg = 0x80,
                       kMod = 0x90, kXor = 0xa0, kMov = 0xb0, kArsh = 0xc0, kEnd = 0xd0;
constexpr std::uint8_t kToLe = 0x00, kToBe = 0x08; ///< of kEnd, where kK and kX stand otherwise
constexpr std::uint8_t kJa = 0x00, kJeq = 0x10, kJgt = 0x20, kJge = 0x30, kJset = 0x40, kJne = 0x50, kJsgt = 0x60, kJsge = 0x70,
                       kCall = 0x80, kExit = 0x90, kJlt = 0xa0, kJle = 0xb0, kJslt = 0xc0, kJsle = 0xd0;

// Loads and stores: bits 3..4 are the size, bits 5..7 the mode.
constexpr std::uint8_t kW = 0x00, kH = 0x08, kB = 0x10, kDw = 0x18;
constexpr std::uint8_t sizeOf(std::uint8_t code) { return code & 0x18; }
constexpr std::uint8_t kImm = 0x00, kMem = 0x60, kMemsx = 0x80, kAtomic = 0xc0;
constexpr std::uint8_t modeOf(std::uint8_t code) { return code & 0xe0; }
constexpr unsigned bytesOf(std::uint8_t code) ///< 1, 2, 4 or 8
{
    switch (sizeOf(code)) {
    case kB: return 1;
    case kH: return 2;
    case kW: return 4;
    default: return 8;
    }
}

// Atomic operations (imm); the others are kAdd, kOr, kAnd and kXor.
constexpr std::int32_t kFetch = 0x01, kXchg = 0xe0, kCmpxchg = 0xf0;

// Source register of ld_imm64 and call.
constexpr std::uint8_t kPseudoMapFd = 1, kPseudoMapValue = 2, kPseudoFunc = 4, kPseudoCall = 1;

// Whole opcodes that stand alone.
constexpr std::uint8_t kLoadImm64 = kLd | kImm | kDw;
constexpr std::uint8_t kCallHelper = kJmp | kCall, kCallRegister = kJmp | kCall | kX, kReturn = kJmp | kExit;
constexpr std::uint8_t kGoto = kJmp | kJa, kGotoLong = kJmp32 | kJa; ///< kGotoLong: 32 bits of distance, kernel 6.6
} // namespace dscope::bpf::opcode
