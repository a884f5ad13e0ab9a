#pragma once
#include "engine/types/type_table.h"
#include <optional>
#include <span>
namespace dscope::types {
/// A member as declared, before it has a place.
struct FieldDeclaration {
    std::string name; ///< empty: anonymous struct or union, or an unnamed bit-field
    const Type* type = nullptr;
    std::optional<std::uint8_t> bits; ///< of a bit-field; 0 closes the current unit
};
/// The size of a struct or union, and the places of its members.
struct Layout {
    std::uint64_t size = 0, alignment = 1; ///< bytes
    std::vector<Member> members;
};
/// Where C places the members of a struct or union, bit-fields included.
/// Source: System V ABI, AMD64 supplement, 3.1.2 "Data Representation" (arm64's rules agree for named fields).
Layout layOut(TypeTable& table, Kind structOrUnion, std::span<const FieldDeclaration> fields);
} // namespace dscope::types
