#pragma once
#include <string>
#include <string_view>
/// Small text building blocks in C's terms, for output whose layout is given as printf formats.
namespace dscope::format {
/// snprintf into a string of the needed length. The format is a literal of ours; the compiler checks its arguments.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);
/// Right-aligned (width > 0) or left-aligned (width < 0) in that many columns, counted in bytes.
std::string padded(std::string_view text, int width);
/// Bytes of the well-formed UTF-8 character that `text`, which is not empty, begins with; 1 for anything else.
std::size_t characterSize(std::string_view text);
} // namespace dscope::format
