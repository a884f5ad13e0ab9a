#pragma once
#include <optional>
#include <string>
#include <string_view>
namespace dscope::demangle {
/// A symbol of C++ as GNU's demanglers print it, with what they learned since GCC 12: modules ("f@shapes"), explicit objects, constraints,
/// templates that are lambdas, friends, _Float16. The run time library's own demangler may be older. None for anything else, and for what
/// is malformed, too deep or too long. Source: Itanium C++ ABI, "External Names (a.k.a. Mangling)", and its issues 24, 31, 85, 111, 144,
/// 148 and 158
std::optional<std::string> demangledItanium(std::string_view symbol);
/// A demangled name or, without one, the reason.
struct ItaniumName {
    std::optional<std::string> text = {};
    bool isTooMuch = false; ///< too deep, too long, or its substitutions are
};
ItaniumName readItanium(std::string_view symbol);
inline constexpr std::size_t kLongestItanium = 4096;
} // namespace dscope::demangle
