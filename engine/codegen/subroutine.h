#pragma once
#include "engine/codegen/text.h"
#include "engine/language/subroutines.h"
#include <string_view>
namespace dscope::codegen {
/// The code of one D subroutine. What it is called and what it means is its row of language::kSubroutines; the code is in the
/// subroutines_*.cpp that it belongs to:
///
///     template <> Subroutine emitter<"htons">() { return {.integer = swapped<16>}; }
///
/// A row without an emitter is an undefined reference when dscope is linked; an emitter without a row does not compile.
struct Subroutine {
    using Arguments = std::vector<sema::ExprPtr>;
    /// Result in r0; null when the result is a string.
    void (*integer)(Firing&, const Arguments&) = nullptr;
    Text (*text)(Firing&, const Arguments&) = nullptr;
    /// Bytes that the resulting text may take; null: strsize.
    std::uint32_t (*capacity)(const Unit&, const Arguments&) = nullptr;
    std::uint32_t capacityOf(const Unit& unit, const Arguments& args) const { return capacity ? capacity(unit, args) : unit.stringSize(); }
};
/// The name of a row of language::kSubroutines, as a template's argument.
struct RowName {
    char text[32] = {};
    consteval RowName(const char* name) : RowName(std::string_view(name)) { }

    consteval RowName(std::string_view name)
    {
        if (language::subroutineIndex(name) == language::kSubroutines.size()) throw "no row of language::kSubroutines has this name";
        for (std::size_t i = 0; i < name.size(); ++i)
            text[i] = name[i];
    }
};
template <RowName name> Subroutine emitter();

/// Subroutine::capacity of those that give no more than their first argument has.
std::uint32_t firstCapacity(const Unit& unit, const Subroutine::Arguments& args);
/// By its place in language::kSubroutines.
const Subroutine& subroutineAt(std::size_t index);
} // namespace dscope::codegen
