#pragma once
#include "engine/base/bytes.h"
#include "engine/record/record.h"
#include <cstdint>
#include <optional>
#include <string>
/// print(): an object as C would initialize it. What it consists of stands in the action's layout.
namespace dscope::format {
/// "0xADDR = *", then the object; of its first `most` bytes, what is not zero.
std::string objectText(const record::Action& action, ByteView payload, std::size_t most);
/// The index behind all that belongs to part `at`.
std::size_t partAfter(const record::Layout& parts, std::size_t at);
/// The bits of an object as they lie there, up to 64. None of those that it does not have.
std::optional<std::uint64_t> bitsOf(ByteView bytes, std::uint64_t bitOffset, std::uint64_t bits);
/// The value of a part that is no struct and no array: a number, 0xADDR, an enum's name, a character without quotes ("a", "\012").
std::string partText(const record::LayoutPart& part, std::uint64_t bits);
} // namespace dscope::format
