#pragma once
#include "engine/types/type.h"
#include <span>
#include <string>
#include <string_view>
namespace dscope::types {
/// One of C's arithmetic types on x86-64 and arm64 Linux (LP64).
struct BasicType {
    std::string_view name; ///< canonical: "unsigned long"
    Kind kind;
    std::uint8_t size;
    bool isSigned;
};
std::span<const BasicType> basicTypes();
/// A typedef that D knows without any declaration.
struct BasicTypedef {
    std::string_view name, target;
};
std::span<const BasicTypedef> basicTypedefs();
/// "long unsigned int" and "unsigned long int" as "unsigned long"; empty when a word is no arithmetic specifier.
std::string canonicalSpecifiers(std::string_view name);
} // namespace dscope::types
