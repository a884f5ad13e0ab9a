#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
/// What both manglings of Rust need.
namespace dscope::demangle {
/// A digit of a hash or a constant: lower case only.
constexpr bool isHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
/// A Unicode scalar value that may be shown: no surrogate, no control character.
constexpr bool isCharacter(std::uint32_t c) { return c < 0x110000 && (c < 0xd800 || c > 0xdfff) && c >= 0x20 && c != 0x7f; }
void appendUtf8(std::string& out, std::uint32_t character);
/// UTF-8 of punycode with `_` as its delimiter; none when malformed. Source: RFC 3492
std::optional<std::string> punycode(std::string_view text);
/// What follows a name: ".llvm.1234" of link-time optimization says nothing; ".cold" does.
constexpr std::string_view suffixWorthKeeping(std::string_view s) { return s.substr(0, s.find(".llvm.")); }
} // namespace dscope::demangle
