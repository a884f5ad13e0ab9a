#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::syntax {
/// C's escapes undone: octal, \x, \a \b \f \n \r \t \v, \" and \\. Others keep their backslash, as dtrace does.
std::string unescaped(std::string_view text);
/// The text as it would stand between quotes in a D program.
std::string escaped(std::string_view text);
/// An integer at the start of a text, as strtoull(base 0) reads it: 10, 0x1f, 017.
struct LeadingInteger {
    std::uint64_t value = 0;
    bool overflow = false;
    std::size_t length = 0; ///< characters that belong to it; "0128" has 3
};
LeadingInteger leadingInteger(std::string_view text);
/// A character constant's value: up to 8 characters, the last one lowest. nullopt when there are more.
std::optional<std::uint64_t> characterValue(std::string_view unescapedText);
} // namespace dscope::syntax
