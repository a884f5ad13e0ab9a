#pragma once
#include "engine/base/bytes.h"
#include <cstring>
#include <string_view>
/// Bytes of an object file in the making.
namespace dscope::cli {
/// Bytes that are there become those of `value`, as they lie in memory.
template <typename T> void writeAt(Bytes& bytes, std::size_t at, const T& value)
{
    DSCOPE_ASSERT(at + sizeof value <= bytes.size());
    std::memcpy(bytes.data() + at, &value, sizeof value);
}
/// The bytes of `value` at the end.
template <typename T> void append(Bytes& bytes, const T& value)
{
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}
/// A text and its final zero.
inline void appendText(Bytes& bytes, std::string_view text)
{
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), from, from + text.size());
    bytes.push_back(std::byte{0});
}
/// Zeros at the end, until the size is a multiple of `boundary`.
inline void alignTo(Bytes& bytes, std::size_t boundary) { bytes.resize((bytes.size() + boundary - 1) / boundary * boundary); }
} // namespace dscope::cli
