#include "engine/bpf/alu.h"
#include "engine/bpf/opcode.h"
namespace dscope::bpf {
namespace {
using namespace opcode;

enum class Division : std::uint8_t { Unsigned, Signed };

std::int64_t asSigned(std::uint64_t v, Bits bits) { return static_cast<std::int64_t>(bits == Bits::All ? v : signExtended(v, 4)); }

std::uint64_t quotient(std::uint64_t a, std::uint64_t b, Bits bits, Division division)
{
    if (!b) return 0;
    if (division == Division::Unsigned) return a / b;
    if (asSigned(b, bits) == -1) return 0 - a; // the least number / -1 overflows to itself, where C++ traps
    return static_cast<std::uint64_t>(asSigned(a, bits) / asSigned(b, bits));
}
std::uint64_t remainder(std::uint64_t a, std::uint64_t b, Bits bits, Division division)
{
    if (!b) return a;
    if (division == Division::Unsigned) return a % b;
    if (asSigned(b, bits) == -1) return 0;
    return static_cast<std::uint64_t>(asSigned(a, bits) % asSigned(b, bits));
}
} // namespace

std::uint64_t lowBytes(std::uint64_t value, unsigned bytes) { return bytes >= 8 ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1); }

std::uint64_t signExtended(std::uint64_t value, unsigned bytes)
{
    const unsigned unused = 64 - 8 * bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

std::optional<std::uint64_t> arithmetic(std::uint8_t operation, std::uint64_t a, std::uint64_t b, Bits bits, std::int16_t offset)
{
    const bool wide = bits == Bits::All;
    const bool divides = operation == kDiv || operation == kMod;
    const bool extends = operation == kMov && (offset == 8 || offset == 16 || (offset == 32 && wide));
    const auto division = offset == 1 ? Division::Signed : Division::Unsigned;
    if (offset != 0 && !(divides && offset == 1) && !extends) return {};
    if (!wide) {
        a = lowBytes(a, 4);
        b = lowBytes(b, 4);
    }

    const auto shift = b & (wide ? 63 : 31);
    std::uint64_t result = 0;
    switch (operation) {
    case kAdd: result = a + b; break;
    case kSub: result = a - b; break;
    case kMul: result = a * b; break;
    case kDiv: result = quotient(a, b, bits, division); break;
    case kOr: result = a | b; break;
    case kAnd: result = a & b; break;
    case kLsh: result = a << shift; break;
    case kRsh: result = a >> shift; break;
    case kNeg: result = 0 - a; break;
    case kMod: result = remainder(a, b, bits, division); break;
    case kXor: result = a ^ b; break;
    case kMov: result = extends ? signExtended(b, static_cast<unsigned>(offset) / 8) : b; break;
    case kArsh: result = static_cast<std::uint64_t>(asSigned(a, bits) >> shift); break;
    default: return {};
    }
    return wide ? result : lowBytes(result, 4);
}

std::optional<bool> holds(std::uint8_t operation, std::uint64_t a, std::uint64_t b, Bits bits)
{
    if (bits == Bits::Low32) {
        a = lowBytes(a, 4);
        b = lowBytes(b, 4);
    }
    const auto sa = asSigned(a, bits), sb = asSigned(b, bits);
    switch (operation) {
    case kJeq: return a == b;
    case kJgt: return a > b;
    case kJge: return a >= b;
    case kJset: return (a & b) != 0;
    case kJne: return a != b;
    case kJsgt: return sa > sb;
    case kJsge: return sa >= sb;
    case kJlt: return a < b;
    case kJle: return a <= b;
    case kJslt: return sa < sb;
    case kJsle: return sa <= sb;
    default: return {};
    }
}

std::optional<std::uint64_t> byteOrder(std::uint64_t value, std::int32_t bits, ByteOrder order)
{
    const bool swap = order == ByteOrder::Swapped;
    switch (bits) {
    case 16: return swap ? __builtin_bswap16(static_cast<std::uint16_t>(value)) : lowBytes(value, 2);
    case 32: return swap ? __builtin_bswap32(static_cast<std::uint32_t>(value)) : lowBytes(value, 4);
    case 64: return swap ? __builtin_bswap64(value) : value;
    default: return {};
    }
}

std::optional<std::uint64_t> atomicResult(std::int32_t operation, std::uint64_t old, std::uint64_t operand, std::uint64_t compared)
{
    switch (operation) {
    case kAdd: return old + operand;
    case kOr: return old | operand;
    case kAnd: return old & operand;
    case kXor: return old ^ operand;
    case kXchg: return operand;
    case kCmpxchg: return compared == old ? operand : old;
    default: return {};
    }
}
} // namespace dscope::bpf
