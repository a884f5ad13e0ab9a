#pragma once
#include "engine/record/record.h"
#include <span>
#include <string>
namespace dscope::record {
/// The integer in a field of 1, 2, 4 or 8 bytes, sign-extended when Int; 0 for other kinds. Where its type has fewer bytes than the
/// field it is what the type makes of it, as long as that loses nothing: -1 of an unsigned type of 4 bytes is 4294967295.
std::int64_t integerOf(const Field& field, ByteView bytes);
/// The bytes of an integer's type, which say how many columns it has: those of the field, or fewer.
inline std::uint32_t shownSizeOf(const Field& field) { return field.shownSize != 0 ? field.shownSize : field.size; }
/// The text of a String field.
std::string stringOf(const Field& field, ByteView bytes);
/// In place of a stack's id: the program wrote to the stack what no stack holds. Only the last record of a run has it, and the error that
/// ends the run says so.
constexpr StackId kUnreadableStack{UINT32_MAX};
/// The values of these fields of a key, so that keys of aggregations that give one string more or less room can be compared.
std::string comparable(std::span<const Field> fields, ByteView key);
/// The stack id in a Stack, UserStack or Symbol field.
StackId stackOf(const Field& field, ByteView bytes);
} // namespace dscope::record
