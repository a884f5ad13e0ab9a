#pragma once
#include "engine/codegen/firing.h"
#include <span>
#include <string_view>
namespace dscope::codegen {
/// One row per D subroutine. Prototype, code, reference page and test are the row; nothing else names it.
/// To add one: write its emitter in the subroutines_*.cpp it belongs to, add a row with examples to the table there.
struct Subroutine {
    struct Example {
        std::string_view expression, value; ///< printed in the manual and run by the tests
    };
    using Arguments = std::vector<sema::ExprPtr>;
    std::string_view prototype; ///< D declaration, optional parameters in []
    enum class Effect : std::uint8_t { Pure, Scratch, Destructive } effect = Effect::Pure;
    /// Result in r0; null when the result is a string.
    void (*integer)(Firing&, const Arguments&) = nullptr;
    Text (*text)(Firing&, const Arguments&) = nullptr;
    /// Bytes that the resulting text may take; null: strsize.
    std::uint32_t (*capacity)(const Unit&, const Arguments&) = nullptr;
    std::string_view summary;
    std::span<const Example> examples;
    std::uint32_t capacityOf(const Unit& unit, const Arguments& args) const { return capacity ? capacity(unit, args) : unit.stringSize(); }
};
/// Subroutine::capacity of those that give no more than their first argument has.
std::uint32_t firstCapacity(const Unit& unit, const Subroutine::Arguments& args);
std::span<const Subroutine> memorySubroutines();
std::span<const Subroutine> stringSubroutines();
std::span<const Subroutine> searchSubroutines();
std::span<const Subroutine> numberSubroutines();
std::span<const Subroutine> processSubroutines();
std::span<const Subroutine> networkSubroutines();
std::span<const Subroutine> fileSubroutines();
std::span<const Subroutine> lockSubroutines();
std::span<const Subroutine> pathSubroutines();
std::span<const Subroutine> jsonSubroutines();
/// All of them; the index is what sema::Expr::subroutine holds.
std::span<const Subroutine> subroutines();
const Subroutine& subroutineAt(std::size_t index);
} // namespace dscope::codegen
