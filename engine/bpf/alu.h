#pragma once
#include <cstdint>
#include <optional>
/// What arithmetic and conditions of BPF compute. Source: RFC 9669, sections 4.1 to 4.3.
namespace dscope::bpf {
/// How much of a register an instruction works with.
enum class Bits : std::uint8_t { Low32, All };
/// `a op b` with `operation` an opcode's upper four bits; `offset` 1 makes division signed, 8, 16 and 32 make mov extend a sign.
/// Of the low 32 bits alone, the upper half of the result is 0. Empty: no such operation.
std::optional<std::uint64_t> arithmetic(std::uint8_t operation, std::uint64_t a, std::uint64_t b, Bits bits, std::int16_t offset);
/// Whether the jump `operation` is taken. Empty: no such condition.
std::optional<bool> holds(std::uint8_t operation, std::uint64_t a, std::uint64_t b, Bits bits);
/// Whether bytes keep their order.
enum class ByteOrder : std::uint8_t { Kept, Swapped };
/// The low `bits` (16, 32 or 64), the rest 0. Empty: other widths.
std::optional<std::uint64_t> byteOrder(std::uint64_t value, std::int32_t bits, ByteOrder order);
/// What an atomic operation (imm, without kFetch) leaves in memory; `compared` is r0. Operands have no more bits than memory.
std::optional<std::uint64_t> atomicResult(std::int32_t operation, std::uint64_t old, std::uint64_t operand, std::uint64_t compared);
/// The low `bytes` (1, 2, 4, 8) of `value`, zero- or sign-extended.
std::uint64_t lowBytes(std::uint64_t value, unsigned bytes);
std::uint64_t signExtended(std::uint64_t value, unsigned bytes);
} // namespace dscope::bpf
